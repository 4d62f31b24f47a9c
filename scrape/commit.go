package scrape

import (
	"context"
	"sync"
	"sync/atomic"
	"time"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/store"
)

// How the committer works: the scrapes that finish while one transaction runs
// share the next one, and as long as more are about to finish, it waits a moment
// for them. A transaction costs much more than the rows in it.
const (
	mostPerCommit  = 128
	linger         = 2 * time.Millisecond
	commitAttempts = 4
	commitPause    = 50 * time.Millisecond // after the first failure, doubling
)

// committer stores finished scrapes in batches.
type committer struct {
	store   Store
	active  *atomic.Int64 // scrapes under way, those that wait for the committer among them
	pending chan pending
	quit    chan struct{}
	done    sync.WaitGroup
}

type pending struct {
	item   store.Finished
	result chan<- error
}

func startCommitter(store Store, active *atomic.Int64) *committer {
	c := &committer{store: store, active: active, pending: make(chan pending), quit: make(chan struct{})}
	c.done.Go(c.run)
	return c
}

// stop waits until everything that was taken on is stored. What comes later is
// refused.
func (c *committer) stop() {
	close(c.quit)
	c.done.Wait()
}

// finish stores one scrape and returns when it is on disk.
func (c *committer) finish(ctx context.Context, item store.Finished) error {
	result := make(chan error, 1)
	select {
	case c.pending <- pending{item, result}:
		return <-result
	case <-c.quit:
		return trawl.Errorf(trawl.CodeUnavailable, "The server is shutting down.")
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (c *committer) run() {
	timer := time.NewTimer(linger)
	defer timer.Stop()
	for {
		select {
		case first := <-c.pending:
			timer.Reset(linger)
			c.commit(c.gather([]pending{first}, timer.C))
		case <-c.quit:
			return
		}
	}
}

// gather adds to a batch what finishes before the time is up, unless nothing
// else is under way.
func (c *committer) gather(batch []pending, timeUp <-chan time.Time) []pending {
	for len(batch) < mostPerCommit && int64(len(batch)) < c.active.Load() {
		select {
		case next := <-c.pending:
			batch = append(batch, next)
		case <-timeUp:
			return batch
		}
	}
	return batch
}

// commit tries a batch again when the database does not take it, so that a
// short outage costs time and not the work.
func (c *committer) commit(batch []pending) {
	items := make([]store.Finished, len(batch))
	for i, p := range batch {
		items[i] = p.item
	}
	pause := commitPause
	var errs []error
	var err error
	for attempt := range commitAttempts {
		if attempt > 0 {
			time.Sleep(pause)
			pause *= 2
		}
		if errs, err = c.store.Finish(context.Background(), items); err == nil {
			break
		}
	}
	for i, p := range batch {
		if err != nil {
			p.result <- trawl.Wrap(trawl.CodeUnknown, "The result could not be stored.", err)
		} else {
			p.result <- errs[i]
		}
	}
}
