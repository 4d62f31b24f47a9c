package interact

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"sync"
	"time"

	protocol "github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/inspector"
	"github.com/chromedp/cdproto/network"
	cdppage "github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/cdproto/target"

	"github.com/trawlhq/trawl/browser/cdp"
	"github.com/trawlhq/trawl/browser/chromium"
)

const (
	mostLogged   = 1000 // lines of the console, errors and requests that are kept of a page
	mostLogLine  = 2000 // bytes of one
	attachTime   = 10 * time.Second
	dialogTime   = 3 * time.Second
	mostAccepted = 1000 // alerts of a page that are closed by themselves
)

// page is a tab that commands were run in. It listens as long as the session lasts, so
// that dialogs, the console and requests are known when they are asked for.
type page struct {
	id      string
	session *cdp.Session
	conn    *cdp.Conn

	patience chromium.Patience
	frame    protocol.FrameID // the one that commands are about; empty means the main one

	mu          sync.Mutex
	frames      map[protocol.FrameID]*cdp.Session // of other sites, which have processes of their own
	worlds      map[protocol.FrameID]world        // in which our scripts run
	mains       map[protocol.FrameID]world        // of the page itself
	dialog      *cdppage.EventJavascriptDialogOpening
	accepted    int
	interrupt   context.CancelCauseFunc // ends the command that runs
	loads       int                     // documents that were begun, ended loading
	loading     bool
	parsed      bool // the tree of the present document is complete
	changed     chan struct{}
	console     []logged
	errors      []string
	requests    []request
	byID        map[network.RequestID]int              // of requests
	open        map[network.RequestID]protocol.FrameID // requests under way, by frame
	lastTraffic time.Time
	crashed     bool
	traffic     traffic
}

// world is where scripts of a frame run.
type world struct {
	session *cdp.Session
	id      runtime.ExecutionContextID
}

type logged struct{ Kind, Text string }

type request struct {
	ID, Method, URL, Type string
	Status                int64
}

// errDialog is why a command ends that a question of the page holds up.
var errDialog = errors.New("a dialog is open")

// errCrashed is why commands fail in a page whose process died.
var errCrashed = errors.New("The page has crashed. Open it again.")

// attach begins to listen to a tab.
func attach(ctx context.Context, conn *cdp.Conn, id string, patience chromium.Patience) (*page, error) {
	ctx, cancel := context.WithTimeout(ctx, patience.Limit(attachTime))
	defer cancel()
	found, err := protocol.Call(ctx, conn.Browser(), target.AttachToTarget, target.AttachToTargetParams{TargetID: target.ID(id), Flatten: new(true)})
	if err != nil {
		return nil, err
	}
	p := &page{
		id: id, conn: conn, patience: patience, session: conn.Session(string(found.SessionID)),
		frames: map[protocol.FrameID]*cdp.Session{}, worlds: map[protocol.FrameID]world{}, mains: map[protocol.FrameID]world{},
		changed: make(chan struct{}), byID: map[network.RequestID]int{}, open: map[network.RequestID]protocol.FrameID{}, parsed: true,
	}
	p.listen()
	b := conn.Batch(ctx)
	waits := []func(any) error{
		b.Add(p.session, cdppage.Enable.Method, nil), b.Add(p.session, inspector.Enable.Method, nil),
		b.Add(p.session, cdppage.SetLifecycleEventsEnabled.Method, cdppage.SetLifecycleEventsEnabledParams{Enabled: true}),
		b.Add(p.session, target.SetAutoAttach.Method, target.SetAutoAttachParams{AutoAttach: true, Flatten: new(true)}),
		b.Add(p.session, network.Enable.Method, network.EnableParams{MaxTotalBufferSize: new(int64(1)), MaxResourceBufferSize: new(int64(1))}),
		b.Add(p.session, runtime.Enable.Method, nil),
	}
	for _, wait := range waits {
		// A page that a dialog holds up answers later; what it says then is heard.
		if err := wait(nil); err != nil && !p.asks() {
			return nil, err
		}
	}
	return p, nil
}

// asks reports whether a question of the page is open.
func (p *page) asks() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.dialog != nil
}

func (p *page) main() protocol.FrameID { return protocol.FrameID(p.id) }

// current is the frame that commands are about.
func (p *page) current() protocol.FrameID {
	if p.frame != "" {
		return p.frame
	}
	return p.main()
}

// speaker returns the session that speaks for a frame.
func (p *page) speaker(frame protocol.FrameID) *cdp.Session {
	p.mu.Lock()
	defer p.mu.Unlock()
	if s := p.frames[frame]; s != nil {
		return s
	}
	return p.session
}

// update changes what is known of the page and tells those who wait for it.
func (p *page) update(how func()) {
	p.mu.Lock()
	defer p.mu.Unlock()
	how()
	close(p.changed)
	p.changed = make(chan struct{})
}

// until waits until something is true of the page, which is asked with its lock held.
func (p *page) until(ctx context.Context, is func() bool) error {
	for {
		p.mu.Lock()
		yes, changed, crashed := is(), p.changed, p.crashed
		p.mu.Unlock()
		switch {
		case yes:
			return nil
		case crashed:
			return errCrashed
		}
		select {
		case <-changed:
		case <-p.session.Gone():
			return errTabClosed
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}

// listen notes what the page tells of itself.
func (p *page) listen() {
	p.listenTo(p.session)
	cdp.On(p.session, cdppage.LifecycleEvent, func(e cdppage.EventLifecycleEvent) {
		if e.FrameID != p.main() {
			return
		}
		p.update(func() {
			switch e.Name {
			case "init":
				p.loading, p.parsed = true, false
			case "DOMContentLoaded":
				p.parsed = true
			case "load":
				p.loading, p.parsed = false, true
				p.loads++
			}
		})
	})
	cdp.On(p.session, cdppage.FrameStartedNavigating, func(e cdppage.EventFrameStartedNavigating) {
		if e.FrameID == p.main() && !strings.HasSuffix(strings.ToLower(string(e.NavigationType)), "samedocument") {
			p.update(func() { p.loading, p.parsed = true, false })
		}
	})
	cdp.On(p.session, cdppage.FrameStoppedLoading, func(e cdppage.EventFrameStoppedLoading) {
		if e.FrameID == p.main() {
			p.update(func() { p.loading, p.parsed = false, true })
		}
	})
	cdp.On(p.session, inspector.TargetCrashed, func(inspector.EventTargetCrashed) {
		p.update(func() {
			p.crashed = true
			if p.interrupt != nil {
				p.interrupt(errCrashed)
			}
		})
	})
	cdp.On(p.session, target.AttachedToTarget, func(e target.EventAttachedToTarget) {
		if e.TargetInfo == nil || e.TargetInfo.Type != "iframe" {
			return
		}
		session := p.conn.Session(string(e.SessionID))
		frame := protocol.FrameID(e.TargetInfo.TargetID)
		p.mu.Lock()
		p.frames[frame] = session
		delete(p.worlds, frame)
		for id, of := range p.open { // its process tells of them from now on
			if of == frame {
				delete(p.open, id)
			}
		}
		p.mu.Unlock()
		p.listenTo(session)
		go func() { // handlers must not wait
			ctx, cancel := context.WithTimeout(context.Background(), p.patience.Limit(attachTime))
			defer cancel()
			_ = session.Call(ctx, runtime.Enable.Method, nil, nil)
		}()
	})
	cdp.On(p.session, target.DetachedFromTarget, func(target.EventDetachedFromTarget) {
		p.mu.Lock()
		defer p.mu.Unlock()
		for frame, session := range p.frames {
			if isGone(session) {
				delete(p.frames, frame)
			}
		}
	})
	p.listenDialogs()
	p.listenTraffic()
}

// listenTo notes the worlds and the console of a session of the page.
func (p *page) listenTo(s *cdp.Session) {
	cdp.On(s, runtime.ExecutionContextCreated, func(e runtime.EventExecutionContextCreated) {
		var aux struct {
			Default bool             `json:"isDefault"`
			Frame   protocol.FrameID `json:"frameId"`
		}
		if e.Context == nil || json.Unmarshal(e.Context.AuxData, &aux) != nil || !aux.Default {
			return
		}
		p.mu.Lock()
		defer p.mu.Unlock()
		p.mains[aux.Frame] = world{s, e.Context.ID}
		delete(p.worlds, aux.Frame) // its document is another
	})
	cdp.On(s, runtime.ConsoleAPICalled, func(e runtime.EventConsoleAPICalled) {
		words := make([]string, 0, len(e.Args))
		for _, arg := range e.Args {
			words = append(words, describe(arg))
		}
		p.mu.Lock()
		defer p.mu.Unlock()
		p.console = keep(p.console, logged{string(e.Type), clip(strings.Join(words, " "), mostLogLine)})
	})
	cdp.On(s, runtime.ExceptionThrown, func(e runtime.EventExceptionThrown) {
		p.mu.Lock()
		defer p.mu.Unlock()
		p.errors = keep(p.errors, clip(exception(e.ExceptionDetails), mostLogLine))
	})
}

// listenDialogs closes alerts, as nobody would, and notes questions, which the dialog
// command answers.
func (p *page) listenDialogs() {
	cdp.On(p.session, cdppage.JavascriptDialogOpening, func(e cdppage.EventJavascriptDialogOpening) {
		e.Message, e.DefaultPrompt = clip(e.Message, mostLogLine), clip(e.DefaultPrompt, mostLogLine)
		p.mu.Lock()
		alone := (e.Type == cdppage.DialogTypeAlert || e.Type == cdppage.DialogTypeBeforeunload) && p.accepted < mostAccepted
		if alone {
			p.accepted++
		}
		p.mu.Unlock()
		if alone {
			go func() {
				ctx, cancel := context.WithTimeout(context.Background(), p.patience.Limit(dialogTime))
				defer cancel()
				_, _ = protocol.Call(ctx, p.session, cdppage.HandleJavaScriptDialog, cdppage.HandleJavaScriptDialogParams{Accept: true})
			}()
			return
		}
		p.update(func() {
			p.dialog = &e
			if p.interrupt != nil {
				p.interrupt(errDialog)
			}
		})
	})
	cdp.On(p.session, cdppage.JavascriptDialogClosed, func(cdppage.EventJavascriptDialogClosed) {
		p.update(func() { p.dialog = nil })
	})
}

// listenTraffic notes requests, those that are under way and those that were made.
func (p *page) listenTraffic() {
	cdp.On(p.session, network.RequestWillBeSent, func(e network.EventRequestWillBeSent) {
		if e.Request == nil {
			return
		}
		address := e.Request.URL
		if strings.HasPrefix(address, "data:") {
			address = clip(address, 100)
		}
		p.update(func() {
			p.lastTraffic = time.Now()
			if e.Type != network.ResourceTypeEventSource && e.Type != network.ResourceTypeWebSocket && !strings.HasPrefix(address, "data:") && len(p.open) < mostLogged {
				p.open[e.RequestID] = e.FrameID
			}
			if len(p.requests) >= mostLogged { // the older half goes
				p.requests = slices.Delete(p.requests, 0, mostLogged/2)
				p.byID = map[network.RequestID]int{}
				for i, r := range p.requests {
					p.byID[network.RequestID(r.ID)] = i
				}
			}
			p.byID[e.RequestID] = len(p.requests)
			p.requests = append(p.requests, request{ID: string(e.RequestID), Method: e.Request.Method, URL: clip(address, mostLogLine), Type: string(e.Type)})
		})
	})
	cdp.On(p.session, network.ResponseReceived, func(e network.EventResponseReceived) {
		p.mu.Lock()
		defer p.mu.Unlock()
		if i, known := p.byID[e.RequestID]; known && e.Response != nil {
			p.requests[i].Status = e.Response.Status
		}
	})
	done := func(id network.RequestID) {
		p.update(func() {
			delete(p.open, id)
			p.lastTraffic = time.Now()
		})
	}
	cdp.On(p.session, network.LoadingFinished, func(e network.EventLoadingFinished) { done(e.RequestID) })
	cdp.On(p.session, network.LoadingFailed, func(e network.EventLoadingFailed) { done(e.RequestID) })
}

// keep adds to a log whose oldest lines go.
func keep[T any](log []T, entry T) []T {
	if len(log) >= mostLogged {
		log = slices.Delete(log, 0, mostLogged/2)
	}
	return append(log, entry)
}

// describe writes a value of the console as the console does.
func describe(o *runtime.RemoteObject) string {
	if o == nil {
		return ""
	}
	if o.Preview != nil && len(o.Preview.Properties) > 0 {
		parts := make([]string, 0, len(o.Preview.Properties))
		array := o.Subtype == runtime.RemoteObjectSubtypeArray
		for _, property := range o.Preview.Properties {
			value := property.Value
			if property.Type == runtime.PropertyPreviewTypeString {
				value = "'" + value + "'"
			}
			if !array {
				value = property.Name + ": " + value
			}
			parts = append(parts, value)
		}
		if array {
			return "[" + strings.Join(parts, ", ") + "]"
		}
		return "{" + strings.Join(parts, ", ") + "}"
	}
	var text string
	switch {
	case json.Unmarshal(o.Value, &text) == nil && len(o.Value) > 0:
		return text
	case len(o.Value) > 0:
		return string(o.Value)
	case o.UnserializableValue != "":
		return string(o.UnserializableValue)
	case o.Description != "":
		return o.Description
	}
	return string(o.Type)
}

// exception is what a script threw, with where.
func exception(e *runtime.ExceptionDetails) string {
	if e == nil {
		return "unknown error"
	}
	if e.Exception != nil {
		if e.Exception.Description != "" {
			return e.Exception.Description
		}
		return strings.TrimSpace(e.Text + " " + describe(e.Exception))
	}
	return e.Text
}

// clip cuts a text to a number of bytes, at a character.
func clip(text string, most int) string {
	if len(text) <= most {
		return strings.ToValidUTF8(text, "\uFFFD")
	}
	return strings.ToValidUTF8(text[:most], "") + "…"
}

func isGone(s *cdp.Session) bool {
	select {
	case <-s.Gone():
		return true
	default:
		return false
	}
}
