package limit

import (
	"container/list"
	"context"
	"sync"
	"time"
)

// Slots hands out the right to run to each team up to its limit. Within a team
// the longest waiting request is served first; teams do not touch each other.
type Slots struct {
	now func() time.Time

	mu    sync.Mutex
	teams map[string]*queue
}

type queue struct {
	limit   int
	running int
	waiting list.List // of *waiter
}

type waiter struct{ granted chan struct{} }

// NewSlots returns Slots that measure waiting times with now.
func NewSlots(now func() time.Time) *Slots {
	return &Slots{now: now, teams: map[string]*queue{}}
}

// Try takes a slot if fewer than limit requests of the team run and none waits.
// The caller must call release exactly once.
func (s *Slots) Try(team string, limit int) (release func(), ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	q := s.queue(team, limit)
	if q.running >= limit || q.waiting.Len() > 0 {
		return nil, false
	}
	q.running++
	return func() { s.release(team, q) }, true
}

// Acquire waits until fewer than limit requests of the team run, and returns
// how long that took: zero if there was a free slot at once. The caller must
// call release exactly once. When ctx ends first, Acquire returns its error.
func (s *Slots) Acquire(ctx context.Context, team string, limit int) (release func(), waited time.Duration, err error) {
	if release, ok := s.Try(team, limit); ok {
		return release, 0, nil
	}
	start := s.now()
	s.mu.Lock()
	q := s.queue(team, limit)
	w := &waiter{granted: make(chan struct{})}
	element := q.waiting.PushBack(w)
	q.grant() // a slot may have become free since
	s.mu.Unlock()

	select {
	case <-w.granted:
		return func() { s.release(team, q) }, max(s.now().Sub(start), time.Millisecond), nil
	case <-ctx.Done():
		s.abandon(team, q, element, w)
		return nil, s.now().Sub(start), ctx.Err()
	}
}

// queue returns the entry of a team, with its limit as it is now.
func (s *Slots) queue(team string, limit int) *queue {
	q := s.teams[team]
	if q == nil {
		q = &queue{}
		s.teams[team] = q
	}
	q.limit = limit
	return q
}

// abandon takes a waiter out of the queue; a slot that was granted in the same
// moment goes to the next one.
func (s *Slots) abandon(team string, q *queue, element *list.Element, w *waiter) {
	s.mu.Lock()
	defer s.mu.Unlock()
	select {
	case <-w.granted:
		q.running--
		q.grant()
	default:
		q.waiting.Remove(element)
	}
	s.forget(team, q)
}

func (s *Slots) release(team string, q *queue) {
	s.mu.Lock()
	defer s.mu.Unlock()
	q.running--
	q.grant()
	s.forget(team, q)
}

// grant hands free slots to those who wait longest.
func (q *queue) grant() {
	for q.running < q.limit && q.waiting.Len() > 0 {
		w := q.waiting.Remove(q.waiting.Front()).(*waiter)
		q.running++
		close(w.granted)
	}
}

// forget drops the entry of a team that has nothing going on.
func (s *Slots) forget(team string, q *queue) {
	if q.running == 0 && q.waiting.Len() == 0 {
		delete(s.teams, team)
	}
}

// Usage returns how many requests of the team run and how many wait.
func (s *Slots) Usage(team string) (running, waiting int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if q := s.teams[team]; q != nil {
		return q.running, q.waiting.Len()
	}
	return 0, 0
}
