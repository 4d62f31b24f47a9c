package browser

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"strings"

	protocol "github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/fetch"
)

// mostHTML bounds the page that is read, in UTF-16 units.
const mostHTML = 20 << 20

// mostMeasured bounds what is measured in a page, in bytes.
const mostMeasured = 1 << 20

// mostHalts is how often a page is stopped for reading it.
const mostHalts = 5

// render carries out a request in a page that is set up for it.
func (t *tab) render(ctx context.Context, req *Request) (*Result, error) {
	if err := t.navigate(ctx, req.URL); err != nil {
		return nil, t.fate(err)
	}
	if err := t.land(ctx); err != nil {
		return nil, err
	}
	if err := t.reached(ctx); err != nil {
		return nil, err
	}
	t.answered(ctx)
	if req.WaitFor > 0 {
		if err := t.sleep(ctx, req.WaitFor); err != nil {
			return nil, err
		}
	}
	result := &Result{TimeZone: t.zone}
	if len(req.Actions) > 0 {
		req.acted = true
		t.acted.Store(true)
		if err := t.act(ctx, req.Actions, &result.Outcome); err != nil {
			return nil, t.fate(err)
		}
		if err := t.reached(ctx); err != nil { // they may have led elsewhere
			return nil, err
		}
	}
	if req.Measure != "" {
		result.Measured = t.measure(ctx, req.Measure)
	}
	now, err := t.readLarge(ctx, req.Large)
	if err != nil {
		return nil, t.fate(err)
	}
	if now.ContentType == "application/pdf" { // the full browser has a viewer
		return nil, ErrNotPage
	}
	result.URL, result.HTML = trawl.WithoutPassword(now.URL), now.HTML
	result.Status, result.ContentType, result.Language = now.Status, now.ContentType, now.Language
	_, loaded, _, _ := t.life.state()
	result.Unfinished, result.Partial = !loaded, !loaded && !t.life.isParsed()
	if req.Screenshot != nil {
		picture, err := t.shoot(ctx, shot{FullPage: req.Screenshot.FullPage, Quality: req.Screenshot.Quality, Viewport: req.Screenshot.Viewport})
		if err != nil {
			return nil, t.fate(err)
		}
		result.Screenshot = &picture
	}
	t.pool.mu.Lock()
	t.pool.rendered++
	t.pool.mu.Unlock()
	return result, nil
}

// measure evaluates an expression about the page. A page that does not let it is
// read all the same.
func (t *tab) measure(ctx context.Context, script string) (value json.RawMessage) {
	ctx, cancel := atMost(ctx, t.pool.patience.read)
	defer cancel()
	if err := t.evaluate(ctx, script, &value); err != nil || len(value) > mostMeasured {
		return nil
	}
	return value
}

// navigate goes to an address and returns once its answer has begun.
func (t *tab) navigate(ctx context.Context, address string) error {
	went, err := protocol.Call(ctx, t.Session, page.Navigate, page.NavigateParams{URL: address})
	if err != nil {
		return err
	}
	t.mu.Lock()
	t.world = 0
	t.mu.Unlock()
	switch {
	case went.IsDownload:
		return ErrNotPage
	case went.ErrorText != "":
		return t.lost(ctx, address, went.ErrorText)
	}
	t.life.note(went.LoaderID, "commit") // its event may still be on the way
	return nil
}

// lost finds out why a page could not be reached. Where redirects ended, the
// browser tells in the tree of frames.
func (t *tab) lost(ctx context.Context, address, text string) error {
	if tree, err := protocol.Call(ctx, t.Session, page.GetFrameTree, protocol.Empty{}); err == nil && tree.FrameTree != nil &&
		tree.FrameTree.Frame != nil && tree.FrameTree.Frame.UnreachableURL != "" {
		address = tree.FrameTree.Frame.UnreachableURL
	}
	if t.door.Spent() {
		return errLarge()
	}
	if cause := t.door.Failure(hostPort(address)); cause != nil {
		return fetch.Explain(ctx, cause)
	}
	return netError(text)
}

// reached finds out whether the page is that of the browser, or the door's answer,
// for a site that could not be reached. The latter has a status and nothing else.
func (t *tab) reached(ctx context.Context) error {
	if strings.HasPrefix(t.life.address(), "chrome-error:") {
		return t.lost(ctx, "", "net::ERR_CONNECTION_FAILED")
	}
	cause := t.door.Failure(hostPort(t.life.address()))
	if cause == nil {
		return nil
	}
	var answer struct {
		Status int  `json:"status"`
		Empty  bool `json:"empty"`
	}
	bounded, cancel := atMost(ctx, t.pool.patience.read)
	defer cancel()
	err := t.evaluate(bounded, `({
		status: performance.getEntriesByType('navigation')[0]?.responseStatus ?? 0,
		empty: !document.body?.hasChildNodes(),
	})`, &answer)
	if err == nil && answer.Empty && (answer.Status == http.StatusBadGateway || answer.Status == http.StatusForbidden) {
		return fetch.Explain(ctx, cause)
	}
	return nil // what else may be wrong shows when it is read
}

// snapshot is a page at a moment.
type snapshot struct {
	URL         string `json:"url"`
	Status      int    `json:"status"`
	ContentType string `json:"type"`
	Language    string `json:"language"`
	Length      int    `json:"length"`
	HTML        string `json:"html"`
}

// read returns the page as it is now.
func (t *tab) read(ctx context.Context) (snapshot, error) { return t.readLarge(ctx, nil) }

// readLarge reads the page; a large one only once there is room for it.
func (t *tab) readLarge(ctx context.Context, room func(context.Context) error) (snapshot, error) {
	now, err := t.readOnce(ctx, fetch.LargeBytes)
	switch {
	case err != nil || now.Length <= fetch.LargeBytes:
		return now, err
	case now.Length >= mostHTML && t.door.Spent(): // what is here is not all of it
		return snapshot{}, errLarge()
	}
	if room != nil {
		if err := room(ctx); err != nil {
			return snapshot{}, err
		}
	}
	return t.readOnce(ctx, mostHTML)
}

// readOnce reads the page. If the page does not let it, because it is in an
// endless loop or always on its way elsewhere, it is stopped first.
func (t *tab) readOnce(ctx context.Context, most int) (now snapshot, err error) {
	first, cancel := atMost(ctx, t.pool.patience.read)
	defer cancel()
	script := readScript(most)
	err = t.evaluate(first, script, &now)
	for range mostHalts {
		if !errors.Is(err, context.DeadlineExceeded) && !isStale(err) || ctx.Err() != nil {
			return now, err
		}
		resume := t.halt(ctx)
		err = t.evaluate(ctx, script, &now)
		resume()
	}
	if isStale(err) {
		return now, trawl.Wrap(trawl.CodeSite, "The page goes on to another page again and again.", err)
	}
	return now, err
}

// halt ends the script that runs in the page and whatever it is loading, and
// starts no other script until resume is called: a loop that was ended could
// begin again at the next event.
func (t *tab) halt(ctx context.Context) (resume func()) {
	off := t.Send(ctx, emulation.SetScriptExecutionDisabled.Method, emulation.SetScriptExecutionDisabledParams{Value: true})
	end := t.Send(ctx, runtime.TerminateExecution.Method, nil)
	stop := t.Send(ctx, page.StopLoading.Method, nil)
	_, _, _ = off(nil), end(nil), stop(nil)
	return func() {
		_ = t.Call(ctx, emulation.SetScriptExecutionDisabled.Method, emulation.SetScriptExecutionDisabledParams{Value: false}, nil)
	}
}
