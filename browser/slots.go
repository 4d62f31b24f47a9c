package browser

import (
	"context"
	"sync"
)

// slots are the places for pages that may be open at a time. Who waits for one is
// served in order, those whose callers wait before those who have time.
type slots struct {
	mu      sync.Mutex
	free    int
	taken   int
	waiting [2][]chan struct{} // urgent, patient
}

// take waits for a place.
func (s *slots) take(ctx context.Context, patient bool) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	s.mu.Lock()
	if s.free > 0 {
		s.free--
		s.taken++
		s.mu.Unlock()
		return nil
	}
	queue := &s.waiting[0]
	if patient {
		queue = &s.waiting[1]
	}
	turn := make(chan struct{})
	*queue = append(*queue, turn)
	s.mu.Unlock()
	select {
	case <-turn:
		return nil
	case <-ctx.Done():
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for i, other := range *queue {
		if other == turn {
			*queue = append((*queue)[:i:i], (*queue)[i+1:]...)
			return ctx.Err()
		}
	}
	return nil // its turn came in the same moment
}

// give hands a place to the next, or frees it.
func (s *slots) give() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for i := range s.waiting {
		if queue := s.waiting[i]; len(queue) > 0 {
			close(queue[0])
			s.waiting[i] = queue[1:]
			return
		}
	}
	s.free++
	s.taken--
}

// used returns how many places are taken.
func (s *slots) used() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.taken
}
