package consent

import (
	"context"
	"sync"
)

// maxCalls is how many messages of one page are listened to. A page with a
// dialog comes to about ten; one that makes frames without end to any number.
const maxCalls = 300

// Watch follows the script's messages from one page, to know whether a dialog is
// being answered. The zero value is ready for use; methods may be called from
// several goroutines.
type Watch struct {
	mu    sync.Mutex
	calls int
	busy  int           // documents at work
	rest  chan struct{} // closed when there are none; nil while nobody waits
}

// Note takes a message of the script, and reports whether it is to be answered:
// a page that floods is not listened to any more.
func (w *Watch) Note(text string) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.calls++; w.calls > maxCalls {
		w.set(0)
		return false
	}
	m, _ := parse(text)
	switch m.Type {
	case "start": // a new document: what was before is gone
		w.set(0)
	case "busy":
		w.set(w.busy + 1)
	case "idle":
		w.set(max(0, w.busy-1))
	}
	return true
}

func (w *Watch) set(busy int) {
	w.busy = busy
	if busy == 0 && w.rest != nil {
		close(w.rest)
		w.rest = nil
	}
}

// Wait returns when no dialog is being answered, or when the context ends. On a
// page without one that is at once.
func (w *Watch) Wait(ctx context.Context) {
	w.mu.Lock()
	if w.busy > 0 && w.rest == nil {
		w.rest = make(chan struct{})
	}
	rest := w.rest
	w.mu.Unlock()
	if rest == nil {
		return
	}
	select {
	case <-rest:
	case <-ctx.Done():
	}
}
