package session

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"image/jpeg"
	"net/url"
	"sync"
	"time"

	protocol "github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/inspector"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/target"

	"github.com/trawlhq/trawl/browser/cdp"
)

const (
	mostViewers = 50   // of a session
	mostWidth   = 1600 // pixels of a picture
	mostHeight  = 1200
	jpegQuality = 70

	// frameTime is how long a picture is looked at before the next one is asked for.
	// An animated page costs most of a core as it is, and at full speed more than one.
	frameTime   = 100 * time.Millisecond
	refreshTime = 2 * time.Second        // between looks at what the browser does not tell by itself
	settleTime  = 200 * time.Millisecond // a page may go on and on
	answerTime  = 2 * time.Second        // after which a page that does not answer counts as stuck
	callTime    = 3 * time.Second        // for what the browser answers without asking the page
	retryTime   = time.Second
)

// cast is what the views of a session show: one page, the one that is looked at, as
// a stream of pictures. There is one stream however many watch. It begins with
// the first of them and ends with the last, and then the browser has nothing to do
// for it.
type cast struct {
	mu      sync.Mutex
	viewers map[*viewer]struct{}
	on      bool // there is somebody, and run runs
	wake    chan struct{}
	changed chan struct{}     // closed at the next change
	page    *shown            // on the screen; nil if there is none
	asking  map[string]*shown // pages that were left with a dialog open, which only the session that saw it can answer
}

// shown is a page on the screen. What can change is under the lock of the cast.
type shown struct {
	id      string
	session *cdp.Session
	key     target.SessionID
	frames  chan page.EventScreencastFrame
	moved   chan struct{} // it went somewhere

	picture       *picture
	loading       bool
	stuck         bool // it does not answer
	crashed       bool
	back, forward bool
	dialog        *page.EventJavascriptDialogOpening
}

// picture is a picture of a page as it is sent: version, width and height of what
// is seen of the page in its own pixels, as numbers of two bytes, then a JPEG.
type picture struct {
	width, height float64
	data          []byte
}

const pictureVersion = 1

func newPicture(width, height float64, jpeg []byte) *picture {
	p := &picture{min(max(width, 1), 1<<15), min(max(height, 1), 1<<15), make([]byte, 0, 6+len(jpeg))}
	for _, n := range []uint16{pictureVersion, uint16(p.width), uint16(p.height)} {
		p.data = binary.BigEndian.AppendUint16(p.data, n)
	}
	p.data = append(p.data, jpeg...)
	return p
}

// join adds a viewer; it reports false if there are too many.
func (c *cast) join(r *running, v *viewer) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.viewers) >= mostViewers {
		return false
	}
	if c.viewers == nil {
		c.viewers, c.asking = map[*viewer]struct{}{}, map[string]*shown{}
		c.wake, c.changed = make(chan struct{}, 1), make(chan struct{})
	}
	c.viewers[v] = struct{}{}
	r.viewers.Add(1)
	if !c.on {
		c.on = true
		r.sockets.Go(func() { c.run(r) })
	}
	poke(v.wake)
	return true
}

func (c *cast) leave(r *running, v *viewer) {
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.viewers, v)
	r.viewers.Add(-1)
	poke(c.wake)
}

// watched reports whether somebody watches.
func (c *cast) watched() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return len(c.viewers) > 0
}

// goOn reports whether there is still something to do; otherwise the stream is off.
func (c *cast) goOn(r *running) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.on = len(c.viewers) > 0 && !r.ended()
	return c.on
}

// change changes what is known of the page and tells the viewers.
func (c *cast) change(how func()) {
	c.mu.Lock()
	defer c.mu.Unlock()
	how()
	close(c.changed)
	c.changed = make(chan struct{})
	for v := range c.viewers {
		poke(v.wake)
	}
}

func poke(wake chan struct{}) {
	select {
	case wake <- struct{}{}:
	default:
	}
}

// screen returns the page that is looked at, as soon as it is on the screen.
func (c *cast) screen(ctx context.Context, r *running) (*shown, error) {
	for {
		current, open := r.tabs.current()
		c.mu.Lock()
		p, changed := c.page, c.changed
		c.mu.Unlock()
		if p != nil && p.id == current.id {
			return p, nil
		}
		if !open {
			return nil, errPageGone
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

// run shows the page that is looked at, whichever that is, while somebody watches.
func (c *cast) run(r *running) {
	for c.goOn(r) {
		changes := r.tabs.changes()
		if current, open := r.tabs.current(); open && c.present(r, current.id) == nil {
			continue
		}
		c.change(func() {})
		select {
		case <-changes:
		case <-c.wake:
		case <-time.After(retryTime):
		case <-r.over():
		}
	}
}

// present shows one page until there is another to show or nobody watches. The
// error is that of a page which cannot be shown.
func (c *cast) present(r *running, id string) error {
	p, err := c.attach(r, id)
	if err != nil {
		return err
	}
	c.change(func() { c.page = p })
	defer c.detach(r, p)
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	alive := make(chan struct{})
	answer := p.session.Send(ctx, page.CommandEnable, nil) // of which the page does its part, when it can
	r.sockets.Go(func() {
		if answer(nil) == nil {
			close(alive)
		}
	})
	// A page in the background is not painted.
	if err := call(r.tabs.browser, target.ActivateTarget, target.ActivateTargetParams{TargetID: target.ID(id)}); err != nil {
		return err
	}
	if err := call(p.session, page.StartScreencast, page.StartScreencastParams{
		Format: page.StartScreencastFormatJpeg, Quality: new(int64(jpegQuality)), MaxWidth: mostWidth, MaxHeight: mostHeight, MaxFramesInFlight: 1, SendLastFrame: new(true),
	}); err != nil {
		return err
	}
	return c.follow(ctx, r, p, alive)
}

func call[P, R any](session *cdp.Session, command protocol.Command[P, R], params P) error {
	_, err := ask(session, command, params)
	return err
}

func ask[P, R any](session *cdp.Session, command protocol.Command[P, R], params P) (R, error) {
	ctx, cancel := context.WithTimeout(context.Background(), callTime)
	defer cancel()
	return protocol.Call(ctx, session, command, params)
}

var errPageGone = errors.New("page is gone")

// follow passes on what a page shows.
func (c *cast) follow(ctx context.Context, r *running, p *shown, alive <-chan struct{}) error {
	slow := time.NewTimer(answerTime)
	defer slow.Stop()
	refresh := time.NewTicker(refreshTime)
	defer refresh.Stop()
	var frame int64
	var seen, settled <-chan time.Time
	c.look(ctx, r, p)
	for {
		changes := r.tabs.changes()
		if current, _ := r.tabs.current(); current.id != p.id || !c.watched() {
			return nil
		}
		select {
		case f := <-p.frames:
			c.publish(p, f)
			frame, seen = f.SessionID, time.After(frameTime)
		case <-seen:
			seen = nil
			_ = call(p.session, page.ScreencastFrameAck, page.ScreencastFrameAckParams{SessionID: frame})
		case <-alive:
			alive = nil
			c.change(func() { p.stuck = false })
			slow.Stop()
		case <-slow.C:
			c.change(func() { p.stuck = true })
		case <-refresh.C:
			c.look(ctx, r, p)
			c.still(ctx, r, p)
		case <-p.moved:
			if settled == nil {
				settled = time.After(settleTime)
			}
		case <-settled:
			settled = nil
			c.look(ctx, r, p)
		case <-changes:
			c.change(func() {})
		case <-c.wake:
		case <-p.session.Gone():
			return errPageGone
		case <-r.over():
			return nil
		}
	}
}

func (c *cast) publish(p *shown, f page.EventScreencastFrame) {
	if f.Metadata == nil {
		return
	}
	scale := f.Metadata.PageScaleFactor // of a page that is made smaller to fit, as phones do
	if scale <= 0 {
		scale = 1
	}
	next := newPicture(f.Metadata.DeviceWidth/scale, f.Metadata.DeviceHeight/scale, f.Data)
	c.change(func() { p.picture = next })
}

// still takes a picture of a page that was not painted since somebody watches.
func (c *cast) still(ctx context.Context, r *running, p *shown) {
	c.mu.Lock()
	seen := p.picture != nil || p.dialog != nil
	c.mu.Unlock()
	if seen {
		return
	}
	r.sockets.Go(func() {
		ctx, cancel := context.WithTimeout(ctx, answerTime)
		defer cancel()
		shot, err := protocol.Call(ctx, p.session, page.CaptureScreenshot, page.CaptureScreenshotParams{Format: page.CaptureScreenshotFormatJpeg, Quality: new(int64(jpegQuality))})
		if err != nil {
			return
		}
		if size, err := jpeg.DecodeConfig(bytes.NewReader(shot.Data)); err == nil {
			c.change(func() {
				if p.picture == nil {
					p.picture = newPicture(float64(size.Width), float64(size.Height), shot.Data)
				}
			})
		}
	})
}

// look finds out what the browser does not tell by itself: titles, and where a page
// can go back and forward to.
func (c *cast) look(ctx context.Context, r *running, p *shown) {
	ctx, cancel := context.WithTimeout(ctx, callTime)
	defer cancel()
	_ = r.tabs.refresh(ctx)
	history, err := protocol.Call(ctx, p.session, page.GetNavigationHistory, protocol.Empty{})
	if err != nil {
		return
	}
	_, back := step(history, -1)
	_, forward := step(history, 1)
	c.mu.Lock()
	same := p.back == back && p.forward == forward
	c.mu.Unlock()
	if !same {
		c.change(func() { p.back, p.forward = back, forward })
	}
}

// step returns the entry of a history that is so many steps away, if it is one of
// the web.
func step(history page.GetNavigationHistoryResult, steps int64) (entry int64, ok bool) {
	i := history.CurrentIndex + steps
	if i < 0 || i >= int64(len(history.Entries)) || kindOf("page", history.Entries[i].URL) != ofWeb {
		return 0, false
	}
	return history.Entries[i].ID, true
}

// attach makes a session with a page, or takes the one that was kept for its dialog.
func (c *cast) attach(r *running, id string) (*shown, error) {
	c.mu.Lock()
	p := c.asking[id]
	delete(c.asking, id)
	c.mu.Unlock()
	if p != nil && !gone(p.session) {
		return p, nil
	}
	found, err := ask(r.tabs.browser, target.AttachToTarget, target.AttachToTargetParams{TargetID: target.ID(id), Flatten: new(true)})
	if err != nil {
		return nil, err
	}
	p = &shown{
		id: id, key: found.SessionID, session: r.process.Conn().Session(string(found.SessionID)),
		frames: make(chan page.EventScreencastFrame, 2), moved: make(chan struct{}, 1),
	}
	c.listen(p)
	_ = call(p.session, inspector.Enable, protocol.Empty{}) // without it, a crash looks like a page that does not answer
	return p, nil
}

func gone(s *cdp.Session) bool {
	select {
	case <-s.Gone():
		return true
	default:
		return false
	}
}

// listen notes what a page tells of itself. The main frame has the id of its page.
func (c *cast) listen(p *shown) {
	cdp.On(p.session, page.ScreencastFrame, func(e page.EventScreencastFrame) {
		select {
		case p.frames <- e:
		default:
		}
	})
	loading := func(frame protocol.FrameID, is bool) {
		if string(frame) == p.id {
			c.change(func() { p.loading, p.stuck, p.crashed = is, false, false })
			poke(p.moved)
		}
	}
	cdp.On(p.session, page.FrameStartedLoading, func(e page.EventFrameStartedLoading) { loading(e.FrameID, true) })
	cdp.On(p.session, page.FrameStoppedLoading, func(e page.EventFrameStoppedLoading) { loading(e.FrameID, false) })
	cdp.On(p.session, page.NavigatedWithinDocument, func(page.EventNavigatedWithinDocument) { poke(p.moved) })
	cdp.On(p.session, page.JavascriptDialogOpening, func(e page.EventJavascriptDialogOpening) {
		e.Message, e.DefaultPrompt = clip(e.Message, mostDialog), clip(e.DefaultPrompt, mostDialog)
		e.URL = siteOf(e.URL)
		c.change(func() { p.dialog = &e })
	})
	cdp.On(p.session, page.JavascriptDialogClosed, func(page.EventJavascriptDialogClosed) {
		c.change(func() { p.dialog = nil })
	})
	cdp.On(p.session, inspector.TargetCrashed, func(inspector.EventTargetCrashed) {
		c.change(func() { p.crashed, p.loading, p.dialog = true, false, nil })
	})
}

// siteOf returns the host of an address, as the one who speaks in a dialog.
func siteOf(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return ""
	}
	return clip(u.Host, mostTitle)
}

// detach lets go of a page, unless a dialog is open: nobody else could answer it.
func (c *cast) detach(r *running, p *shown) {
	var asks bool
	c.change(func() {
		c.page, asks = nil, p.dialog != nil
		p.picture = nil
		if asks {
			c.asking[p.id] = p
		}
	})
	if gone(p.session) {
		return
	}
	_ = call(p.session, page.StopScreencast, protocol.Empty{})
	if !asks {
		_ = call(r.tabs.browser, target.DetachFromTarget, target.DetachFromTargetParams{SessionID: p.key})
		p.session.End()
	}
}
