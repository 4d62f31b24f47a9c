package main

import (
	"slices"
	"sync"
	"time"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/api"
	"github.com/trawlhq/trawl/egress"
)

// mostRefusals is how many hosts are remembered that the guard refused.
const mostRefusals = 100

// refusals remembers them, the latest first.
type refusals struct {
	now  func() time.Time
	mu   sync.Mutex
	list []api.RefusedTarget
}

func (r *refusals) note(refused egress.Refusal) {
	one := api.RefusedTarget{Host: refused.Host[:min(len(refused.Host), 300)], Reason: refused.Class.String(), Count: 1, LastAt: r.now().UTC().Format(trawl.TimeFormat)}
	r.mu.Lock()
	defer r.mu.Unlock()
	at := slices.IndexFunc(r.list, func(other api.RefusedTarget) bool { return other.Host == one.Host && other.Reason == one.Reason })
	switch {
	case at >= 0:
		one.Count += r.list[at].Count
		r.list = slices.Delete(r.list, at, at+1)
	case len(r.list) == mostRefusals:
		r.list = r.list[:mostRefusals-1]
	}
	r.list = slices.Insert(r.list, 0, one)
}

func (r *refusals) latest() []api.RefusedTarget {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.Clone(r.list)
}
