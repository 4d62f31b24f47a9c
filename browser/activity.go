package browser

import (
	"context"
	"sync"
	"time"

	protocol "github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/page"

	"github.com/trawlhq/trawl/browser/cdp"
)

const (
	lullTime  = 150 * time.Millisecond // without a request: the end of one may lead to the next
	leaveTime = time.Second            // for the browser to set out for a page that was asked for
	looksTime = 3 * time.Second        // for a picture or a font, which leave the tree as it is

	mostAwaited = 1000 // requests at a time
)

// asked stands for another page that was asked for, until its request begins.
const asked = "asked"

// activity is what a page sets off from a moment on: requests, and the way to
// another page. What had begun before is none of it.
type activity struct {
	mu      sync.Mutex
	changed chan struct{}       // closed and renewed at each change
	awaited map[string]awaiting // by the id of the request
	gone    bool                // another document is here, which is to be waited for as a whole
}

// awaiting is what has begun and not ended.
type awaiting struct {
	frame  protocol.FrameID // that a document is for, within the page
	leaves bool             // it is another page
	until  time.Time        // waited for; zero if as long as there is time
}

// follow has the browser tell of requests, which costs it time, so that only
// pages in which something is done are followed. It keeps no copy of the answers.
func (t *tab) follow(ctx context.Context) error {
	if t.followed {
		return nil
	}
	waiting, cancel := patient(ctx)
	defer cancel()
	none := int64(0)
	_, err := protocol.Call(waiting, t.Session, network.Enable, network.EnableParams{MaxTotalBufferSize: &none, MaxResourceBufferSize: &none})
	if waiting.Err() != nil {
		return failure(silent)
	}
	t.followed = err == nil
	return err
}

// watch follows the activity of the page until stop is called.
func (t *tab) watch() (a *activity, stop func()) {
	a = &activity{changed: make(chan struct{}), awaited: map[string]awaiting{}}
	cancels := []func(){
		cdp.On(t.Session, network.RequestWillBeSent, func(e network.EventRequestWillBeSent) { a.request(t.frame, e, t.pool.limit(looksTime)) }),
		cdp.On(t.Session, network.LoadingFinished, func(e network.EventLoadingFinished) { a.end(string(e.RequestID)) }),
		cdp.On(t.Session, network.LoadingFailed, func(e network.EventLoadingFailed) {
			if e.Type != network.ResourceTypeDocument || e.Canceled { // else the browser's own page comes in its place
				a.end(string(e.RequestID))
			}
		}),
		cdp.On(t.Session, page.FrameRequestedNavigation, func(e page.EventFrameRequestedNavigation) {
			if e.FrameID == t.frame && e.Disposition == page.ClientNavigationDispositionCurrentTab {
				a.begin(asked, awaiting{leaves: true, until: time.Now().Add(t.pool.limit(leaveTime))})
			}
		}),
		cdp.On(t.Session, page.FrameStartedNavigating, func(e page.EventFrameStartedNavigating) {
			if e.FrameID == t.frame && !sameDocument(e.NavigationType) {
				a.begin(string(e.LoaderID), awaiting{leaves: true}) // also the id of its request
				a.end(asked)
			}
		}),
		cdp.On(t.Session, page.FrameNavigated, func(e page.EventFrameNavigated) {
			if e.Frame != nil && e.Frame.ID == t.frame {
				t.life.note(e.Frame.LoaderID, "commit") // its own event may still be on the way
				a.arrive(e.Frame.LoaderID)
			}
		}),
		cdp.On(t.Session, page.FrameStoppedLoading, func(e page.EventFrameStoppedLoading) { a.stopped(e.FrameID) }),
		cdp.On(t.Session, page.FrameDetached, func(e page.EventFrameDetached) { a.stopped(e.FrameID) }),
	}
	return a, func() {
		for _, cancel := range cancels {
			cancel()
		}
	}
}

func sameDocument(kind page.FrameStartedNavigatingNavigationType) bool {
	return kind == page.FrameStartedNavigatingNavigationTypeSameDocument ||
		kind == page.FrameStartedNavigatingNavigationTypeHistorySameDocument
}

// request takes down a request, unless it is of a kind that nothing in the page
// waits for, or whose end is not told: that of a worker. A redirect has the id of
// what it began as, and the main frame's document is on its way already. What is
// only looked at is awaited that long.
func (a *activity) request(main protocol.FrameID, e network.EventRequestWillBeSent, looks time.Duration) {
	if e.LoaderID == "" || e.RedirectResponse != nil {
		return
	}
	var it awaiting
	switch e.Type {
	case network.ResourceTypeWebSocket, network.ResourceTypeEventSource, network.ResourceTypeMedia,
		network.ResourceTypePing, network.ResourceTypePrefetch, network.ResourceTypeCSPViolationReport:
		return
	case network.ResourceTypeImage, network.ResourceTypeFont:
		it.until = time.Now().Add(looks)
	case network.ResourceTypeDocument:
		if e.FrameID == main {
			return
		}
		it.frame = e.FrameID
	}
	a.begin(string(e.RequestID), it)
}

func (a *activity) begin(id string, it awaiting) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if (a.gone || len(a.awaited) >= mostAwaited) && !it.leaves {
		return
	}
	a.awaited[id] = it
	a.wake()
}

func (a *activity) end(id string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if _, found := a.awaited[id]; found {
		delete(a.awaited, id)
		a.wake()
	}
}

// stopped notes that a frame loads no more, or is gone: the end of its document is
// not always told, as when it is of another site.
func (a *activity) stopped(frame protocol.FrameID) {
	a.mu.Lock()
	defer a.mu.Unlock()
	for id, it := range a.awaited {
		if it.frame != "" && it.frame == frame {
			delete(a.awaited, id)
			a.wake()
		}
	}
}

// arrive notes that another document is here. What the last one waited for is of
// no interest, and its end may never be told; only a way further on is.
func (a *activity) arrive(loader protocol.LoaderID) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.gone = true
	for id, it := range a.awaited {
		if !it.leaves || id == asked || id == string(loader) {
			delete(a.awaited, id)
		}
	}
	a.wake()
}

// wake tells the one who waits. The lock is held.
func (a *activity) wake() {
	close(a.changed)
	a.changed = make(chan struct{})
}

// state reports whether something is awaited. The channel is closed when something
// changes.
func (a *activity) state() (busy bool, changed <-chan struct{}) {
	a.mu.Lock()
	defer a.mu.Unlock()
	now := time.Now()
	for id, it := range a.awaited {
		if !it.until.IsZero() && !now.Before(it.until) {
			delete(a.awaited, id)
		}
	}
	return len(a.awaited) > 0, a.changed
}

// calm waits for a lull in which nothing is awaited and nothing changes, or until
// ctx or the page has ended.
func (a *activity) calm(ctx context.Context, gone <-chan struct{}) {
	for ctx.Err() == nil {
		busy, changed := a.state()
		lull := time.NewTimer(lullTime)
		select {
		case <-changed:
		case <-lull.C:
			if !busy && !isClosed(changed) {
				return
			}
		case <-gone:
			return
		case <-ctx.Done():
		}
		lull.Stop()
	}
}

func isClosed(c <-chan struct{}) bool {
	select {
	case <-c:
		return true
	default:
		return false
	}
}
