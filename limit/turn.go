package limit

import (
	"context"
	"slices"
	"sync"
)

// Turns hands out places that all teams share. Whoever has fewest is next, so that
// nobody waits behind all the work of another. Who has none at all may even take
// one of the extra places: work that takes its time could fill all others.
type Turns struct {
	places, extra int

	mu      sync.Mutex
	taken   int
	having  map[string]int // places taken, by owner
	waiting []*turn        // in the order in which they came
}

// turn is someone who waits.
type turn struct {
	owner string
	come  chan struct{} // closed when it is their turn
}

// NewTurns returns Turns of so many places.
func NewTurns(places, extra int) *Turns {
	return &Turns{places: places, extra: extra, having: map[string]int{}}
}

// Wait waits until it is the owner's turn. Each turn is to be ended.
func (t *Turns) Wait(ctx context.Context, owner string) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	mine := &turn{owner, make(chan struct{})}
	t.mu.Lock()
	t.waiting = append(t.waiting, mine)
	t.call()
	t.mu.Unlock()
	select {
	case <-mine.come:
		return nil
	case <-ctx.Done():
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if i := slices.Index(t.waiting, mine); i >= 0 {
		t.waiting = slices.Delete(t.waiting, i, i+1)
		return ctx.Err()
	}
	return nil // it came at the same moment
}

// End gives a place back.
func (t *Turns) End(owner string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.taken--
	if t.having[owner]--; t.having[owner] == 0 {
		delete(t.having, owner)
	}
	t.call()
}

// call calls those whose turn it is.
func (t *Turns) call() {
	for len(t.waiting) > 0 {
		next := 0
		for i, w := range t.waiting {
			if t.having[w.owner] < t.having[t.waiting[next].owner] {
				next = i
			}
		}
		w := t.waiting[next]
		if t.taken >= t.places && (t.having[w.owner] > 0 || t.taken >= t.places+t.extra) {
			return
		}
		t.taken++
		t.having[w.owner]++
		t.waiting = slices.Delete(t.waiting, next, next+1)
		close(w.come)
	}
}

// Use returns how many places are taken, and how many wait for one.
func (t *Turns) Use() (taken, waiting int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.taken, len(t.waiting)
}
