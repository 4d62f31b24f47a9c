package browser

import (
	"context"
	"slices"
	"sync"
	"time"
)

// long is how long a page has its place for itself. After that, who has no place
// does not wait for it.
const long = 5 * time.Second

// slots are the places for pages that may be open at a time. Those whose callers
// wait come before those who have time; among these, who holds the fewest places
// comes first, and then who came first.
//
// Whoever fills all places with pages that take long would keep others out. So a
// place that has been held for long counts as free for an owner who has none, and
// whose caller waits. That way no more than twice as many pages are open.
type slots struct {
	size int

	mu      sync.Mutex
	places  []*place  // that are taken
	waiting []*ticket // in order of arrival
}

// place is the right to have a page open.
type place struct {
	slots *slots
	owner string
	since time.Time
	timer *time.Timer // lets others in when it has been held for long
}

// ticket is a wait for a place.
type ticket struct {
	owner   string
	patient bool
	turn    chan *place
}

// take waits for a place, and reports whether it had to.
func (s *slots) take(ctx context.Context, owner string, patient bool) (mine *place, queued bool, err error) {
	if err := ctx.Err(); err != nil {
		return nil, false, err
	}
	t := &ticket{owner, patient, make(chan *place, 1)}
	s.mu.Lock()
	s.waiting = append(s.waiting, t)
	s.admit()
	queued = slices.Contains(s.waiting, t)
	s.mu.Unlock()
	select {
	case mine = <-t.turn:
		return mine, queued, nil
	case <-ctx.Done():
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if i := slices.Index(s.waiting, t); i >= 0 {
		s.waiting = slices.Delete(s.waiting, i, i+1)
		return nil, true, ctx.Err()
	}
	return <-t.turn, queued, nil // its turn came in the same moment
}

// give gives a place back.
func (p *place) give() {
	p.timer.Stop()
	p.slots.mu.Lock()
	defer p.slots.mu.Unlock()
	p.slots.places = slices.DeleteFunc(p.slots.places, func(other *place) bool { return other == p })
	p.slots.admit()
}

// admit gives places to those who wait, as long as there are any. The lock is held.
func (s *slots) admit() {
	for {
		best := -1
		for i, t := range s.waiting {
			if s.room(t) && (best < 0 || s.before(t, s.waiting[best])) {
				best = i
			}
		}
		if best < 0 {
			return
		}
		next := s.waiting[best]
		s.waiting = slices.Delete(s.waiting, best, best+1)
		mine := &place{slots: s, owner: next.owner, since: time.Now(), timer: time.AfterFunc(long, s.age)}
		s.places = append(s.places, mine)
		next.turn <- mine
	}
}

// age looks who may have a place when one has been held for long.
func (s *slots) age() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.admit()
}

// room reports whether there is a place for one who waits.
func (s *slots) room(t *ticket) bool {
	if len(s.places) < s.size {
		return true
	}
	return !t.patient && len(s.places) < 2*s.size && s.held(t.owner) == 0 && len(s.places)-s.aged() < s.size
}

// aged returns how many places have been held for long.
func (s *slots) aged() (n int) {
	for _, p := range s.places {
		if time.Since(p.since) >= long {
			n++
		}
	}
	return n
}

// before reports whether one who waits comes before another who came earlier.
func (s *slots) before(a, b *ticket) bool {
	if a.patient != b.patient {
		return b.patient
	}
	return s.held(a.owner) < s.held(b.owner)
}

// held returns how many places an owner has.
func (s *slots) held(owner string) (n int) {
	for _, p := range s.places {
		if p.owner == owner {
			n++
		}
	}
	return n
}

// used returns how many places are taken.
func (s *slots) used() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.places)
}

// queued is how many wait for a place.
func (s *slots) queued() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.waiting)
}
