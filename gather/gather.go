// Package gather brings together what finishes at about the same time, so that it
// can be stored in one transaction: a transaction costs far more than the rows
// in it.
package gather

import (
	"context"
	"sync"
	"sync/atomic"
	"time"
)

// Config says how a Queue gathers.
type Config[T any] struct {
	Most   int             // items in a batch
	Linger time.Duration   // longest wait for more
	Active *atomic.Int64   // items under way, those that wait here among them: for others nobody waits
	Commit func(batch []T) // stores a batch; one is stored at a time
}

// Queue gathers items and passes them on in batches, from [Start] to Stop.
type Queue[T any] struct {
	Config[T]
	pending chan T
	quit    chan struct{}
	done    sync.WaitGroup
}

// Start returns a Queue.
func Start[T any](config Config[T]) *Queue[T] {
	q := &Queue[T]{Config: config, pending: make(chan T), quit: make(chan struct{})}
	q.done.Go(q.run)
	return q
}

// Put hands over an item. It reports whether the item was taken: not after Stop,
// nor when the context ends first.
func (q *Queue[T]) Put(ctx context.Context, item T) bool {
	select {
	case q.pending <- item:
		return true
	case <-q.quit:
		return false
	case <-ctx.Done():
		return false
	}
}

// Stopping is closed when the queue is told to stop.
func (q *Queue[T]) Stopping() <-chan struct{} { return q.quit }

// Stop waits until everything that was taken has been passed on.
func (q *Queue[T]) Stop() {
	close(q.quit)
	q.done.Wait()
}

func (q *Queue[T]) run() {
	timer := time.NewTimer(q.Linger)
	defer timer.Stop()
	for {
		select {
		case first := <-q.pending:
			timer.Reset(q.Linger)
			q.Commit(q.gather([]T{first}, timer.C))
		case <-q.quit:
			return
		}
	}
}

// gather adds to a batch what finishes before the time is up, unless nothing else
// is under way, and then what is there anyway.
func (q *Queue[T]) gather(batch []T, timeUp <-chan time.Time) []T {
	for len(batch) < q.Most && int64(len(batch)) < q.Active.Load() {
		select {
		case next := <-q.pending:
			batch = append(batch, next)
		case <-timeUp:
			return q.take(batch)
		}
	}
	return q.take(batch)
}

func (q *Queue[T]) take(batch []T) []T {
	for len(batch) < q.Most {
		select {
		case next := <-q.pending:
			batch = append(batch, next)
		default:
			return batch
		}
	}
	return batch
}
