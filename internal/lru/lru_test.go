package lru_test

import (
	"testing"

	"github.com/trawlhq/trawl/internal/lru"
)

func TestCache(t *testing.T) {
	t.Parallel()
	c := lru.New[int](100)
	has := func(key string) bool {
		_, ok := c.Get(key)
		return ok
	}
	for i, key := range []string{"a", "b", "c", "d"} {
		c.Put(key, i, 25)
	}
	if v, ok := c.Get("a"); !ok || v != 0 {
		t.Errorf("a is %d, %t", v, ok)
	}
	c.Put("e", 4, 20) // for which the least recently used goes
	if has("b") || !has("a") || !has("e") {
		t.Error("the wrong one is gone")
	}
	c.Put("large", 5, 26)
	if has("large") || !has("a") {
		t.Error("a value that would crowd out others is kept")
	}
	c.Put("a", 6, 10)
	if v, _ := c.Get("a"); v != 6 {
		t.Errorf("a is still %d", v)
	}
	if c.Drop("a"); has("a") {
		t.Error("a is still there")
	}
}
