package job

import (
	"context"
	"sync"
	"time"

	"github.com/riverqueue/river/rivertype"
)

// adoptEvery is how often is looked for what nobody works on.
const adoptEvery = time.Minute

// tasks are those that this node works on.
type tasks struct {
	mu  sync.Mutex
	ids map[int64]struct{}
}

// work is what River calls around the work on a task.
func (t *tasks) work(ctx context.Context, task *rivertype.JobRow, do func(context.Context) error) error {
	t.begin(task.ID)
	defer t.end(task.ID)
	return do(ctx)
}

func (t *tasks) begin(id int64) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.ids == nil {
		t.ids = map[int64]struct{}{}
	}
	t.ids[id] = struct{}{}
}

func (t *tasks) end(id int64) {
	t.mu.Lock()
	defer t.mu.Unlock()
	delete(t.ids, id)
}

// missing returns those of the tasks that this node does not work on.
func (t *tasks) missing(ids []int64) map[int64]bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	missing := map[int64]bool{}
	for _, id := range ids {
		if _, ok := t.ids[id]; !ok {
			missing[id] = true
		}
	}
	return missing
}

// adopt is the watchdog of jobs: it looks for pages that run and that nobody holds,
// and for tasks that this node is said to work on and does not, and hands both out
// again. Nothing is to bring them about; a job must not wait for them all the same.
// Tasks that the clock left behind when it went back are due.
func (e *Engine) adopt(ctx context.Context) {
	ticker := time.NewTicker(adoptEvery)
	defer ticker.Stop()
	for lost := map[int64]bool{}; ; {
		pages, err := e.Store.Adopt(ctx)
		if pages > 0 {
			e.metrics.orphans.Add(float64(pages))
			e.Log.Error("pages that nobody held are handed out again", "count", pages)
		}
		if err == nil {
			lost, err = e.handBackLost(ctx, lost)
		}
		if err == nil {
			err = e.hasten(ctx)
		}
		if err == nil {
			err = e.rewind(ctx)
		}
		if err != nil && ctx.Err() == nil {
			e.Log.Warn("looking for pages that nobody holds failed", "err", err)
		}
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
		}
	}
}

func (e *Engine) hasten(ctx context.Context) error {
	tasks, err := e.Store.Hasten(ctx)
	if tasks > 0 {
		e.Log.Warn("the clock went back: tasks that were due are due now", "count", tasks)
	}
	return err
}

// rewind sets the clocks of monitors again that are long due.
func (e *Engine) rewind(ctx context.Context) error {
	count, err := e.Store.Remind(ctx)
	if count > 0 {
		e.Log.Error("checks that nobody started are due", "count", count)
	}
	return err
}

// handBackLost hands back the tasks of this node that were lost already when it
// looked last, and returns those that are lost now: a task may be on its way to its
// worker, or have ended a moment ago.
func (e *Engine) handBackLost(ctx context.Context, before map[int64]bool) (map[int64]bool, error) {
	ids, err := e.Store.TasksOf(ctx, e.Node)
	if err != nil {
		return nil, err
	}
	lost := e.tasks.missing(ids)
	var again []int64
	for id := range lost {
		if before[id] {
			again = append(again, id)
		}
	}
	if len(again) > 0 {
		e.metrics.orphans.Add(float64(len(again)))
		e.Log.Error("tasks that nobody worked on are handed out again", "count", len(again))
	}
	return lost, e.Store.HandBack(ctx, e.Node, again)
}
