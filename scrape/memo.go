package scrape

import (
	"container/list"
	"sync"
)

// memo remembers values by key: the most recently used ones, as long as their
// sizes stay within a bound.
type memo[V any] struct {
	most int

	mu      sync.Mutex
	entries map[string]*list.Element
	recent  list.List // of *memoEntry[V], newest first
	size    int
}

type memoEntry[V any] struct {
	key   string
	value V
	size  int
}

func newMemo[V any](most int) *memo[V] {
	return &memo[V]{most: most, entries: map[string]*list.Element{}}
}

func (m *memo[V]) get(key string) (value V, ok bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	element, ok := m.entries[key]
	if !ok {
		return value, false
	}
	m.recent.MoveToFront(element)
	return element.Value.(*memoEntry[V]).value, true
}

// put remembers a value of the given size in place of what was there. A value
// that would crowd out most others is not remembered.
func (m *memo[V]) put(key string, value V, size int) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.remove(key)
	if size > m.most/4 {
		return
	}
	m.entries[key] = m.recent.PushFront(&memoEntry[V]{key, value, size})
	m.size += size
	for m.size > m.most {
		m.remove(m.recent.Back().Value.(*memoEntry[V]).key)
	}
}

func (m *memo[V]) drop(key string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.remove(key)
}

func (m *memo[V]) remove(key string) {
	if element, ok := m.entries[key]; ok {
		delete(m.entries, key)
		m.size -= m.recent.Remove(element).(*memoEntry[V]).size
	}
}
