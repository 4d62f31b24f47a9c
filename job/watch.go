package job

import (
	"context"
	"sync"
	"time"

	"github.com/trawlhq/trawl"
)

// How often a watched job is looked at. On this node one hears of changes, which
// other nodes do not tell.
const (
	lookAlone  = 5 * time.Second
	lookShared = 500 * time.Millisecond
)

// hub tells those who wait for a job that it has changed.
type hub struct {
	mu   sync.Mutex
	jobs map[string]chan struct{} // closed at the next change
}

// next returns a channel that is closed when the job changes.
func (h *hub) next(jobID string) <-chan struct{} {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.jobs == nil {
		h.jobs = map[string]chan struct{}{}
	}
	if h.jobs[jobID] == nil {
		h.jobs[jobID] = make(chan struct{})
	}
	return h.jobs[jobID]
}

func (h *hub) tell(jobID string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if changed := h.jobs[jobID]; changed != nil {
		close(changed)
		delete(h.jobs, jobID)
	}
}

// Wait returns a job once its state or a count of it differs from what was last
// seen. When the deadline of the context passes first it returns the job as it is.
func (e *Engine) Wait(ctx context.Context, last trawl.Job) (trawl.Job, error) {
	every := lookShared
	if e.Store.Embedded() {
		every = lookAlone
	}
	ticker := time.NewTicker(every)
	defer ticker.Stop()
	for {
		changed := e.hub.next(last.ID)
		job, err := e.Store.Job(context.WithoutCancel(ctx), last.TeamID, last.Kind, last.ID)
		if err != nil || !same(&job, &last) || job.Done() {
			return job, err
		}
		select {
		case <-changed:
		case <-ticker.C:
		case <-ctx.Done():
			if ctx.Err() == context.DeadlineExceeded {
				return job, nil
			}
			return job, ctx.Err()
		}
	}
}

func same(a, b *trawl.Job) bool {
	return a.State == b.State && a.Total == b.Total && a.Completed == b.Completed && a.Failed == b.Failed && a.RobotsBlocked == b.RobotsBlocked
}
