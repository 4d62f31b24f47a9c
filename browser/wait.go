package browser

import (
	"context"
	"sync"
	"time"

	protocol "github.com/chromedp/cdproto/cdp"

	"github.com/trawlhq/trawl/browser/cdp"
)

// The automatic wait: a page has settled when it is loaded, its network was
// quiet for half a second (which the browser tells) and its tree for a moment.
// One in which nothing can happen by itself has settled when it is loaded.
const (
	pollEvery  = 250 * time.Millisecond
	mostRounds = 5 // of pages that go on to another page by themselves
)

// patience is how long a page may keep us waiting. Half of the time that is left
// for it is the most, as what follows needs time as well.
type patience struct {
	settle time.Duration // then it is taken as it is
	read   time.Duration // then its scripts are stopped
}

var usualPatience = patience{settle: 10 * time.Second, read: 5 * time.Second}

// limit returns how long the pool waits for what usually is waited for that long.
func (p *Pool) limit(usual time.Duration) time.Duration { return p.config.Patience.Limit(usual) }

// atMost returns a context that ends after a time, or when half of the time that
// is left has passed.
func atMost(ctx context.Context, d time.Duration) (context.Context, context.CancelFunc) {
	if deadline, ok := ctx.Deadline(); ok {
		d = min(d, time.Until(deadline)/2)
	}
	return context.WithTimeout(ctx, d)
}

// life follows the main document of a page.
type life struct {
	mu      sync.Mutex
	changed chan struct{} // closed and renewed at each change
	loader  protocol.LoaderID
	before  map[protocol.LoaderID]bool // documents that were here
	parsed  bool
	loaded  bool
	idle    bool
	crashed bool
	url     string // of the document
}

// note takes down an event of a document; the first of a new one starts over.
func (l *life) note(loader protocol.LoaderID, name string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if name == "init" || name == "commit" {
		if loader == "" || loader == l.loader || l.before[loader] { // told late
			return
		}
		l.leave(l.loader)
		l.loader, l.parsed, l.loaded, l.idle = loader, false, false, false
	}
	if loader != l.loader {
		return
	}
	switch name {
	case "DOMContentLoaded":
		l.parsed = true
	case "load":
		l.loaded = true
	case "networkIdle":
		l.idle = true
	}
	l.wake()
}

// leave remembers a document that is gone, so that what is told of it late does
// not bring it back. A page that goes on and on is not remembered for ever.
func (l *life) leave(loader protocol.LoaderID) {
	const most = 100
	if l.before == nil || len(l.before) >= most {
		l.before = map[protocol.LoaderID]bool{}
	}
	l.before[loader] = true
}

func (l *life) crash() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.crashed = true
	l.wake()
}

// wake tells those who wait. The lock is held.
func (l *life) wake() {
	close(l.changed)
	l.changed = make(chan struct{})
}

func (l *life) dead() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.crashed
}

// at takes down the address of the document.
func (l *life) at(address string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.url = address
}

func (l *life) address() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.url
}

// document returns which document is here.
func (l *life) document() protocol.LoaderID {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.loader
}

func (l *life) isParsed() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.parsed
}

// state returns the present document, whether it is quiet, and a channel that
// is closed when something changes.
func (l *life) state() (loader protocol.LoaderID, loaded, idle bool, changed <-chan struct{}) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.loader, l.loaded, l.idle, l.changed
}

// complete notes that a document turned out to be loaded although its event
// never came.
func (l *life) complete(loader protocol.LoaderID) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if loader == l.loader {
		l.loaded = true
	}
}

// quietScript waits until the tree has not changed for a moment.
const quietScript = `new Promise(done => {
	let timer;
	const finish = () => { observer.disconnect(); clearTimeout(timer); clearTimeout(limit); done(true) };
	const again = () => { clearTimeout(timer); timer = setTimeout(finish, 100) };
	const observer = new MutationObserver(again);
	const limit = setTimeout(finish, 1500);
	observer.observe(document, {subtree: true, childList: true, characterData: true});
	again();
})`

// stillScript tells whether nothing in the document can change it: no script, no
// frame, no handler, no way on to another page.
const stillScript = `document.readyState === 'complete' && !document.querySelector(
	'script:not([type$=json]), iframe, frame, object, embed, meta[http-equiv=refresh i], [onload], [onerror]')`

// land waits until a page that was just opened is quiet, but not for long: a page
// that never is gets taken as it is. Its error means that the page, or the time,
// is gone.
func (t *tab) land(ctx context.Context) error {
	bounded, cancel := atMost(ctx, t.pool.patience.settle)
	defer cancel()
	for range mostRounds {
		loader, still := t.quiet(bounded)
		if t.door.Spent() && !t.life.isParsed() { // by the document itself, not by what belongs to it
			return errLarge()
		}
		if still {
			break
		}
		if err := t.evaluate(bounded, quietScript, nil); err != nil && bounded.Err() == nil && !isStale(err) {
			return t.fate(err)
		}
		if t.life.document() == loader || bounded.Err() != nil {
			break
		}
	}
	if t.life.dead() {
		return t.fate(cdp.ErrGone)
	}
	return ctx.Err()
}

// quiet waits until the present document is loaded and its network is quiet, or
// the time is up. It returns which document that is, and whether it is still.
func (t *tab) quiet(ctx context.Context) (_ protocol.LoaderID, still bool) {
	poll := time.NewTicker(pollEvery)
	defer poll.Stop()
	var asked protocol.LoaderID
	for {
		loader, loaded, idle, changed := t.life.state()
		if loaded && idle {
			return loader, false
		}
		if loaded && asked != loader {
			asked = loader
			if t.still(ctx) {
				return loader, true
			}
			continue
		}
		select {
		case <-changed:
		case <-t.Gone():
			return loader, false
		case <-ctx.Done():
			return loader, false
		case <-poll.C:
			if t.door.Spent() {
				return loader, false
			}
			if !loaded {
				t.look(ctx, loader)
			}
		}
	}
}

func (t *tab) still(ctx context.Context) (yes bool) {
	err := t.evaluate(ctx, stillScript, &yes)
	return err == nil && yes
}

// look asks the document whether it is loaded: events were seen to get lost.
func (t *tab) look(ctx context.Context, loader protocol.LoaderID) {
	ctx, cancel := context.WithTimeout(ctx, pollEvery)
	defer cancel()
	var state string
	if err := t.evaluate(ctx, "document.readyState", &state); err == nil && state == "complete" {
		t.life.complete(loader)
	}
}

// sleep waits for a time that was asked for.
func (t *tab) sleep(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-t.Gone():
		return t.fate(cdp.ErrGone)
	case <-ctx.Done():
		return ctx.Err()
	}
}
