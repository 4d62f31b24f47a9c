// Package lru keeps values in memory by key: the most recently used ones, as long
// as their sizes stay within a bound.
package lru

import (
	"container/list"
	"sync"
)

// Cache keeps values of one type. It is safe for concurrent use.
type Cache[V any] struct {
	most int

	mu      sync.Mutex
	entries map[string]*list.Element
	recent  list.List // of *entry[V], newest first
	size    int
}

type entry[V any] struct {
	key   string
	value V
	size  int
}

// New returns a cache for values whose sizes add up to most.
func New[V any](most int) *Cache[V] {
	return &Cache[V]{most: most, entries: map[string]*list.Element{}}
}

// Get returns the value of a key, if it is there.
func (c *Cache[V]) Get(key string) (value V, ok bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	element, ok := c.entries[key]
	if !ok {
		return value, false
	}
	c.recent.MoveToFront(element)
	return element.Value.(*entry[V]).value, true
}

// Put keeps a value of the given size in place of what was there. A value that
// would crowd out most others is not kept.
func (c *Cache[V]) Put(key string, value V, size int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.remove(key)
	if size > c.most/4 {
		return
	}
	c.entries[key] = c.recent.PushFront(&entry[V]{key, value, size})
	c.size += size
	for c.size > c.most {
		c.remove(c.recent.Back().Value.(*entry[V]).key)
	}
}

// Drop removes a key.
func (c *Cache[V]) Drop(key string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.remove(key)
}

func (c *Cache[V]) remove(key string) {
	if element, ok := c.entries[key]; ok {
		delete(c.entries, key)
		c.size -= c.recent.Remove(element).(*entry[V]).size
	}
}
