package api

import (
	"context"
	"sync"
	"time"

	"github.com/trawlhq/trawl"
)

// KeyMemory is how long a key that was found is trusted without looking again:
// a revoked key may still scrape for this long.
const KeyMemory = time.Second

// mostCallers bounds the keys that are remembered.
const mostCallers = 10_000

// callers finds out who a key belongs to. Busy keys are remembered for a moment,
// so that a scrape does not begin with a query.
type callers struct {
	store Store
	now   func() time.Time

	mu    sync.Mutex
	known map[string]knownCaller
}

type knownCaller struct {
	trawl.Caller
	until time.Time
}

// find returns the caller behind the hash of a key. What is remembered is good
// enough to let a request pass, but not to refuse it, nor to report a balance.
func (c *callers) find(ctx context.Context, hash string, rt route) (trawl.Caller, error) {
	if rt.class == ClassScrape || rt.path == mcpPath {
		c.mu.Lock()
		who, ok := c.known[hash]
		c.mu.Unlock()
		if ok && c.now().Before(who.until) && who.Unpaid(rt.credits) == nil {
			return who.Caller, nil
		}
	}
	found, err := c.store.Caller(ctx, hash)
	if err != nil {
		return trawl.Caller{}, err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.known) >= mostCallers {
		clear(c.known)
	}
	c.known[hash] = knownCaller{found, c.now().Add(KeyMemory)}
	return found, nil
}
