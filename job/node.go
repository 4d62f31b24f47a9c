package job

import (
	"context"
	"time"

	"github.com/trawlhq/trawl/store"
)

// How nodes that share a database watch each other.
const (
	beatEvery = 3 * time.Second
	deadAfter = 15 * time.Second
)

// enter makes this node known before it takes tasks or anything else. Who has the
// database alone takes back what its last process left.
func (e *Engine) enter(ctx context.Context) error {
	if e.Store.Embedded() {
		return e.Store.Reclaim(ctx)
	}
	return e.Store.Beat(ctx, e.Node)
}

// live gives signs of life, and takes leave of nodes that give none.
func (e *Engine) live(ctx context.Context) {
	ticker := time.NewTicker(beatEvery)
	defer ticker.Stop()
	for signs := (signs{}); ; {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
		}
		if err := e.Store.Beat(ctx, e.Node); err != nil {
			clear(signs) // after an outage all nodes look dead
			if ctx.Err() == nil {
				e.Log.Warn("sign of life failed", "err", err)
			}
			continue
		}
		dead, err := e.Store.Bury(ctx, func(s store.Sign) bool { return signs.silent(s, time.Now()) >= deadAfter })
		if err != nil && ctx.Err() == nil {
			e.Log.Warn("looking for dead nodes failed", "err", err)
		}
		for _, node := range dead {
			e.Log.Warn("a node is gone; its tasks go to others", "node", node)
		}
	}
}

// signs are the last signs of life of nodes, each with when this node noticed it. What
// the clocks of other nodes say does not matter: a node is silent as long as its sign
// stays the same.
type signs map[string]noticed

type noticed struct{ sign, at time.Time }

// silent notes a sign, and returns how long it has been the same.
func (s signs) silent(sign store.Sign, now time.Time) time.Duration {
	if last, ok := s[sign.Node]; ok && last.sign.Equal(sign.SeenAt) {
		return now.Sub(last.at)
	}
	s[sign.Node] = noticed{sign.SeenAt, now}
	return 0
}
