package document

import (
	"context"
	"slices"
	"sync"
)

// turns says who may read next. There are so many places, and whoever reads least
// is next, so that nobody waits behind all the files of another. Who reads nothing
// at all may even have one of as many extra places: files that take their time
// could fill all others.
type turns struct {
	places int

	mu      sync.Mutex
	taken   int
	reading map[string]int // places taken, by owner
	waiting []*turn        // in the order in which they came
}

// turn is someone who waits.
type turn struct {
	owner string
	come  chan struct{} // closed when it is their turn
}

func newTurns(places int) *turns {
	return &turns{places: places, reading: map[string]int{}}
}

// wait waits until it is the owner's turn. Each turn is to be ended.
func (t *turns) wait(ctx context.Context, owner string) error {
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

// end gives a place back.
func (t *turns) end(owner string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.taken--
	if t.reading[owner]--; t.reading[owner] == 0 {
		delete(t.reading, owner)
	}
	t.call()
}

// call calls those whose turn it is.
func (t *turns) call() {
	for len(t.waiting) > 0 {
		next := 0
		for i, w := range t.waiting {
			if t.reading[w.owner] < t.reading[t.waiting[next].owner] {
				next = i
			}
		}
		w := t.waiting[next]
		if t.taken >= t.places && (t.reading[w.owner] > 0 || t.taken >= 2*t.places) {
			return
		}
		t.taken++
		t.reading[w.owner]++
		t.waiting = slices.Delete(t.waiting, next, next+1)
		close(w.come)
	}
}
