package browser

import (
	"context"
	"slices"
	"sync"
)

// slots are the places for pages that may be open at a time. Those whose callers
// wait come before those who have time; among these, who holds the fewest places
// comes first, and then who came first.
type slots struct {
	mu      sync.Mutex
	free    int
	taken   map[string]int // by owner
	waiting []*ticket      // in order of arrival
}

// ticket is a wait for a place.
type ticket struct {
	owner   string
	patient bool
	turn    chan struct{}
}

// take waits for a place, and reports whether it had to.
func (s *slots) take(ctx context.Context, owner string, patient bool) (queued bool, err error) {
	if err := ctx.Err(); err != nil {
		return false, err
	}
	s.mu.Lock()
	if s.taken == nil {
		s.taken = map[string]int{}
	}
	if s.free > 0 {
		s.free--
		s.taken[owner]++
		s.mu.Unlock()
		return false, nil
	}
	mine := &ticket{owner, patient, make(chan struct{})}
	s.waiting = append(s.waiting, mine)
	s.mu.Unlock()
	select {
	case <-mine.turn:
		return true, nil
	case <-ctx.Done():
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if i := slices.Index(s.waiting, mine); i >= 0 {
		s.waiting = slices.Delete(s.waiting, i, i+1)
		return true, ctx.Err()
	}
	return true, nil // its turn came in the same moment
}

// give hands the place of an owner to the next, or frees it.
func (s *slots) give(owner string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.taken[owner]--; s.taken[owner] <= 0 {
		delete(s.taken, owner)
	}
	if len(s.waiting) == 0 {
		s.free++
		return
	}
	best := 0
	for i, other := range s.waiting {
		if s.before(other, s.waiting[best]) {
			best = i
		}
	}
	next := s.waiting[best]
	s.waiting = slices.Delete(s.waiting, best, best+1)
	s.taken[next.owner]++
	close(next.turn)
}

// before reports whether one who waits comes before another who came earlier.
func (s *slots) before(a, b *ticket) bool {
	if a.patient != b.patient {
		return b.patient
	}
	return s.taken[a.owner] < s.taken[b.owner]
}

// used returns how many places are taken.
func (s *slots) used() (n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, held := range s.taken {
		n += held
	}
	return n
}
