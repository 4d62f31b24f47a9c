package browser

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	protocol "github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/inspector"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/cdproto/target"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/browser/cdp"
	"github.com/trawlhq/trawl/browser/chromium"
	"github.com/trawlhq/trawl/consent"
	"github.com/trawlhq/trawl/egress"
)

const (
	// mostBytes is what a page may bring in from the network, altogether.
	mostBytes = 100 << 20

	closeTimeout = 3 * time.Second

	// mostWork bounds what is done for a page at a time on account of its events.
	mostWork = 5000

	// world is the name of the isolated world in which our scripts run: they see
	// the page's tree, and the page does not see them.
	world = "trawl"
)

// tab is one page, in a browser context or a browser of its own.
type tab struct {
	*cdp.Session // of the page

	pool     *Pool
	browser  *cdp.Session
	context  protocol.BrowserContextID // empty in a browser of its own
	door     *egress.Door
	frame    protocol.FrameID // the main one
	viewport trawl.Viewport
	mobile   bool
	life     life
	followed bool   // its requests are told
	zone     string // time zone that is emulated
	blockAds bool
	dialogs  *consent.Watch // of cookies; nil if nobody answers them
	work     sync.WaitGroup
	acted    atomic.Bool // something was done in the page
	trial    *trial      // of a page that was closed for memory; guarded by the pool's lock

	disposal   sync.Once
	undisposed error // why its context could not be ended

	mu     sync.Mutex
	world  runtime.ExecutionContextID // of the present document; 0 if not made yet
	busy   int                        // work that is under way
	closed bool                       // no more work is taken
}

func (p *Pool) newTab(r *running, req *Request) *tab {
	return &tab{pool: p, browser: r.process.Conn().Browser(), blockAds: req.BlockAds}
}

// open opens a blank page and sets it up.
func (t *tab) open(ctx context.Context, r *running, req *Request) error {
	if req.Private != nil {
		t.door = r.process.Door()
	} else if err := t.seclude(ctx, req); err != nil {
		return err
	}
	blank, err := protocol.Call(ctx, t.browser, target.CreateTarget, target.CreateTargetParams{URL: "about:blank", BrowserContextID: t.context})
	if err != nil {
		return err
	}
	yes := true
	t.frame = protocol.FrameID(blank.TargetID) // as they are for pages
	attached, err := protocol.Call(ctx, t.browser, target.AttachToTarget, target.AttachToTargetParams{TargetID: blank.TargetID, Flatten: &yes})
	if err != nil {
		return err
	}
	t.Session = r.process.Conn().Session(string(attached.SessionID))
	return t.prepare(ctx, r.process.Conn(), r.version, req)
}

// seclude makes a context with a door of its own.
func (t *tab) seclude(ctx context.Context, req *Request) error {
	config, err := t.pool.doorConfig(req)
	if err != nil {
		return err
	}
	if t.door, err = t.pool.config.Guard.Open(context.WithoutCancel(ctx), config); err != nil {
		return fmt.Errorf("open door: %w", err)
	}
	yes := true
	made, err := protocol.Call(ctx, t.browser, target.CreateBrowserContext, target.CreateBrowserContextParams{
		DisposeOnDetach: &yes, ProxyServer: t.door.Address(), ProxyBypassList: "<-loopback>",
	})
	if err != nil {
		return err
	}
	t.context = made.BrowserContextID
	return nil
}

// doorConfig says what may pass the door of a page.
func (p *Pool) doorConfig(req *Request) (egress.DoorConfig, error) {
	config := egress.DoorConfig{MaxBytes: mostBytes, Local: p.config.Local}
	if p.config.Proxy != nil {
		upstream, err := p.config.Proxy(req.Country, req.Enhanced)
		if err != nil {
			return config, err
		}
		config.Upstream = upstream
	}
	full := req.Private != nil || p.config.Programs.Choose(req.Enhanced) == p.config.Programs.Chromium
	host, ads := hostOf(req.URL), p.config.Ads
	config.Block = func(other string) bool {
		return full && chromium.Avoids(other) || req.BlockAds && ads != nil && other != host && ads.BlocksHost(host, other)
	}
	return config, nil
}

// prepare sets the page up before it goes anywhere.
func (t *tab) prepare(ctx context.Context, conn *cdp.Conn, version string, req *Request) error {
	t.listen()
	yes := true
	downloads := map[string]any{"behavior": "deny"}
	if t.context != "" {
		downloads["browserContextId"] = t.context
	}
	b := conn.Batch(ctx)
	setup := []func(any) error{
		b.Add(t.Session, page.Enable.Method, nil),
		b.Add(t.Session, inspector.Enable.Method, nil),
		b.Add(t.Session, page.SetLifecycleEventsEnabled.Method, page.SetLifecycleEventsEnabledParams{Enabled: yes}),
		b.Add(t.browser, "Browser.setDownloadBehavior", downloads),
	}
	setup = append(setup, t.emulate(b, version, req)...)
	setup = append(setup, t.intercept(b, req)...)
	setup = append(setup, t.quieten(b, req)...)
	var errs []error
	for _, wait := range setup {
		errs = append(errs, wait(nil))
	}
	return errors.Join(errs...)
}

// listen follows what happens to the page.
func (t *tab) listen() {
	t.life.changed = make(chan struct{})
	cdp.On(t.Session, page.LifecycleEvent, func(e page.EventLifecycleEvent) {
		if e.FrameID == t.frame {
			t.life.note(e.LoaderID, e.Name)
		}
	})
	cdp.On(t.Session, page.FrameNavigated, func(e page.EventFrameNavigated) {
		if e.Frame != nil && e.Frame.ID == t.frame {
			t.life.at(e.Frame.URL)
		}
	})
	cdp.On(t.Session, inspector.TargetCrashed, func(inspector.EventTargetCrashed) {
		t.life.crash()
		t.Session.End() // nothing will answer any more
	})
	cdp.On(t.Session, page.JavascriptDialogOpening, func(e page.EventJavascriptDialogOpening) {
		t.background(func(ctx context.Context) { // a page waits for the answer
			leave := e.Type == page.DialogTypeBeforeunload
			_, _ = protocol.Call(ctx, t.Session, page.HandleJavaScriptDialog, page.HandleJavaScriptDialogParams{Accept: leave})
		})
	})
}

// background runs what an event asks for; handlers of events must not wait. A
// page that asks for too much at a time is not heard.
func (t *tab) background(do func(ctx context.Context)) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.closed || t.busy >= mostWork {
		return
	}
	t.busy++
	t.work.Go(func() {
		ctx, cancel := context.WithTimeout(t.pool.base, t.pool.limit(closeTimeout))
		defer cancel()
		do(ctx)
		t.mu.Lock()
		defer t.mu.Unlock()
		t.busy--
	})
}

// expel closes the page while it is being rendered, which fails then.
func (t *tab) expel() {
	ctx, cancel := context.WithTimeout(t.pool.base, closeTimeout)
	defer cancel()
	t.life.crash()
	t.Session.End()
	_ = t.dispose(ctx)
}

// dispose ends the context of the page, once.
func (t *tab) dispose(ctx context.Context) error {
	t.disposal.Do(func() {
		if t.context != "" {
			_, t.undisposed = protocol.Call(ctx, t.browser, target.DisposeBrowserContext, target.DisposeBrowserContextParams{BrowserContextID: t.context})
		} else { // there is none, or it failed for being sick
			t.undisposed = t.browser.Call(ctx, "Browser.getVersion", nil, nil)
		}
	})
	return t.undisposed
}

// close ends the page, its context and its door, and reports whether the browser is well.
func (t *tab) close() (healthy bool) {
	ctx, cancel := context.WithTimeout(t.pool.base, t.pool.limit(closeTimeout))
	defer cancel()
	err := t.dispose(ctx)
	if t.Session != nil {
		t.Session.End()
	}
	t.mu.Lock()
	t.closed = true
	t.mu.Unlock()
	t.work.Wait()
	if t.door != nil {
		_ = t.door.Close()
	}
	return err == nil
}

// fate tells a crash from other failures of a call, and counts it.
func (t *tab) fate(err error) error {
	switch {
	case err == nil || errors.Is(err, errCrashed) && t.life.dead():
		return err
	case errors.Is(err, cdp.ErrClosed), t.gone():
		return fmt.Errorf("%w: %w", errLost, err)
	case errors.Is(err, errCrashed):
		return err
	case errors.Is(err, cdp.ErrGone), t.life.dead():
		t.pool.mu.Lock()
		t.pool.crashed++
		t.pool.mu.Unlock()
		return fmt.Errorf("%w: %w", errCrashed, err)
	}
	return err
}

// gone reports whether the whole browser is.
func (t *tab) gone() bool {
	select {
	case <-t.browser.Gone():
		return true
	default:
		return false
	}
}

// scriptError is what a script threw.
type scriptError struct{ Text string }

func (e *scriptError) Error() string { return e.Text }

// evaluate runs an expression in our own world of the main frame, waits for its
// promise if it is one, and decodes the value. result may be nil.
func (t *tab) evaluate(ctx context.Context, script string, result any) error {
	for attempt := 0; ; attempt++ {
		id, err := t.isolated(ctx)
		if err != nil {
			return err
		}
		err = t.run(ctx, script, id, &remote{Value: result})
		if err != nil && attempt < 3 && isStale(err) { // the page went elsewhere
			t.mu.Lock()
			t.world = 0
			t.mu.Unlock()
			continue
		}
		return err
	}
}

// remote is the value of a script. It is decoded into what Value points to.
type remote struct {
	Value any `json:"value"`
}

// evaluateMain runs a script in the page's own world.
func (t *tab) evaluateMain(ctx context.Context, script string) (*runtime.RemoteObject, error) {
	object := &runtime.RemoteObject{}
	return object, t.run(ctx, script, 0, object)
}

// run runs a script in a world and decodes its result into object.
func (t *tab) run(ctx context.Context, script string, id runtime.ExecutionContextID, object any) error {
	yes := true
	answer := struct {
		Result           any                       `json:"result"`
		ExceptionDetails *runtime.ExceptionDetails `json:"exceptionDetails"`
	}{Result: object}
	err := t.Call(ctx, runtime.Evaluate.Method, runtime.EvaluateParams{
		Expression: script, ContextID: id, ReturnByValue: &yes, AwaitPromise: &yes, UserGesture: &yes, AllowUnsafeEvalBlockedByCSP: &yes,
	}, &answer)
	if err == nil && answer.ExceptionDetails != nil {
		err = &scriptError{exceptionText(answer.ExceptionDetails)}
	}
	return err
}

// exceptionText is what a script threw, in one line.
func exceptionText(details *runtime.ExceptionDetails) string {
	text := details.Text
	if details.Exception != nil {
		switch {
		case details.Exception.Description != "":
			text = details.Exception.Description
		case len(details.Exception.Value) > 0:
			text = string(details.Exception.Value)
		}
	}
	text, _, _ = strings.Cut(text, "\n")
	const most = 500
	if len(text) > most {
		text = strings.ToValidUTF8(text[:most], "") + "…"
	}
	return text
}

// isStale reports whether the document that a script was meant for is gone.
func isStale(err error) bool {
	refused, ok := errors.AsType[*cdp.Error](err)
	return ok && (strings.Contains(refused.Message, "context with specified id") ||
		strings.Contains(refused.Message, "context was destroyed") ||
		strings.Contains(refused.Message, "navigated or closed") ||
		strings.Contains(refused.Message, "Promise was collected"))
}

// isolated returns our world in the present document.
func (t *tab) isolated(ctx context.Context) (runtime.ExecutionContextID, error) {
	t.mu.Lock()
	id := t.world
	t.mu.Unlock()
	if id != 0 {
		return id, nil
	}
	made, err := protocol.Call(ctx, t.Session, page.CreateIsolatedWorld, page.CreateIsolatedWorldParams{FrameID: t.frame, WorldName: world})
	if err != nil {
		return 0, err
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.world = made.ExecutionContextID
	return t.world, nil
}
