package job

import (
	"context"
	"time"
)

// How nodes that share a database watch each other.
const (
	beatEvery = 3 * time.Second
	deadAfter = 15 * time.Second
	streak    = 5 // beats in a row before a node may judge others: after an outage all of them look dead
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
	for beats := 0; ; {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
		}
		if err := e.Store.Beat(ctx, e.Node); err != nil {
			beats = 0
			if ctx.Err() == nil {
				e.Log.Warn("sign of life failed", "err", err)
			}
			continue
		}
		if beats++; beats < streak {
			continue
		}
		dead, err := e.Store.Bury(ctx, deadAfter)
		if err != nil && ctx.Err() == nil {
			e.Log.Warn("looking for dead nodes failed", "err", err)
		}
		for _, node := range dead {
			e.Log.Warn("a node is gone; its tasks go to others", "node", node)
		}
	}
}
