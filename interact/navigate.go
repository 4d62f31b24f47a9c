package interact

import (
	"context"
	"errors"
	"regexp"
	"strings"
	"time"

	protocol "github.com/chromedp/cdproto/cdp"
	cdppage "github.com/chromedp/cdproto/page"

	"github.com/trawlhq/trawl"
)

const (
	loadTime = 25 * time.Second // for a page to load
	// settleTime is how long a click may take to begin to lead to another page, and
	// leaveTime for that page to be there.
	settleTime = 30 * time.Millisecond
	leaveTime  = 10 * time.Second
)

// schemed tells "mailto:x" and "https://x" from "host:8080/path".
var schemed = regexp.MustCompile(`^[a-zA-Z][a-zA-Z0-9+.-]*:(//|[^0-9]|$)`)

// destination reads an address. Only those of the web can be opened.
func destination(text string) (string, error) {
	text = strings.TrimSpace(text)
	if text == "about:blank" {
		return text, nil
	}
	if !schemed.MatchString(text) {
		text = "https://" + strings.TrimPrefix(text, "//")
	}
	address, err := trawl.ParseTarget(text)
	switch err {
	case nil:
		return address, nil
	case trawl.ErrURLProtocol:
		return "", failed("Only http and https addresses can be opened.")
	}
	return "", failed("Invalid URL: %s", clip(text, 200))
}

func (c *call) open(ctx context.Context) (output, error) {
	if len(c.args) == 0 {
		return done, nil
	}
	address, err := destination(c.args[0])
	if err == nil {
		err = c.page.navigate(ctx, address)
	}
	if err != nil {
		return output{}, err
	}
	return c.page.where(ctx)
}

// navigate opens an address and waits until it is loaded, or at least its tree is there.
func (p *page) navigate(ctx context.Context, address string) error {
	p.frame = ""
	p.mu.Lock()
	loads := p.loads
	p.crashed = false
	p.mu.Unlock()
	went, err := protocol.Call(ctx, p.session, cdppage.Navigate, cdppage.NavigateParams{URL: address})
	if err != nil {
		return cause(ctx, err)
	}
	if went.ErrorText != "" {
		return failed("Navigation failed: %s", went.ErrorText)
	}
	if went.LoaderID == "" { // only the fragment is another
		return nil
	}
	return p.loaded(ctx, func() bool { return p.loads > loads || !p.loading && p.parsed })
}

// loaded waits for a page, and is content with its tree when the time is up.
func (p *page) loaded(ctx context.Context, is func() bool) error {
	late := errors.New("late")
	short, cancel := context.WithTimeoutCause(ctx, p.patience.Limit(loadTime), late)
	defer cancel()
	err := p.until(short, is)
	if err == late {
		p.mu.Lock()
		defer p.mu.Unlock()
		if p.parsed {
			return nil
		}
		return failed("Navigation timed out after %d ms", loadTime.Milliseconds())
	}
	return err
}

// settle waits for what a click or a key leads to, if it leads to another page.
func (p *page) settle(ctx context.Context) error {
	if err := p.ask(ctx, p.main(), "new Promise(done => setTimeout(done, "+ms(settleTime)+"))", nil); err != nil && ctx.Err() != nil {
		return context.Cause(ctx)
	}
	short, cancel := context.WithTimeout(ctx, p.patience.Limit(leaveTime))
	defer cancel()
	_ = p.until(short, func() bool { return p.parsed }) // a page that is slow is none of the click's
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return nil
}

func (c *call) back(ctx context.Context) (output, error)    { return c.travel(ctx, -1) }
func (c *call) forward(ctx context.Context) (output, error) { return c.travel(ctx, 1) }

// travel goes through the history; at its end it stays.
func (c *call) travel(ctx context.Context, steps int64) (output, error) {
	p := c.page
	history, err := protocol.Call(ctx, p.session, cdppage.GetNavigationHistory, protocol.Empty{})
	if err != nil {
		return output{}, cause(ctx, err)
	}
	i := history.CurrentIndex + steps
	if i >= 0 && i < int64(len(history.Entries)) {
		entry := history.Entries[i]
		if _, err := destination(entry.URL); err != nil {
			return output{}, err
		}
		p.frame = ""
		if _, err := protocol.Call(ctx, p.session, cdppage.NavigateToHistoryEntry, cdppage.NavigateToHistoryEntryParams{EntryID: entry.ID}); err != nil {
			return output{}, cause(ctx, err)
		}
		if err := p.arrive(ctx, entry.ID); err != nil {
			return output{}, err
		}
	}
	return p.here(ctx)
}

// arrive waits until an entry of the history is the present one, and its page there.
func (p *page) arrive(ctx context.Context, entry int64) error {
	short, cancel := context.WithTimeout(ctx, p.patience.Limit(loadTime))
	defer cancel()
	for {
		history, err := protocol.Call(short, p.session, cdppage.GetNavigationHistory, protocol.Empty{})
		if err != nil && !isStale(err) {
			return cause(ctx, err)
		}
		if i := history.CurrentIndex; i >= 0 && i < int64(len(history.Entries)) && history.Entries[i].ID == entry {
			break
		}
		if !pause(short, 20*time.Millisecond) {
			break
		}
	}
	return p.settle(ctx)
}

func (c *call) reload(ctx context.Context) (output, error) {
	p := c.page
	p.frame = ""
	p.mu.Lock()
	loads := p.loads
	p.crashed = false
	p.mu.Unlock()
	if _, err := protocol.Call(ctx, p.session, cdppage.Reload, cdppage.ReloadParams{}); err != nil {
		return output{}, cause(ctx, err)
	}
	if err := p.loaded(ctx, func() bool { return p.loads > loads }); err != nil {
		return output{}, err
	}
	return p.here(ctx)
}

func (c *call) pushState(ctx context.Context) (output, error) {
	var wrong string
	script := "(u => { try { history.pushState(null, '', u); dispatchEvent(new PopStateEvent('popstate')); return '' } catch (e) { return e.message } })(" + string(plainJSON(c.args[0], "")) + ")"
	if err := c.page.ask(ctx, c.page.main(), script, &wrong); err != nil {
		return output{}, err
	}
	if wrong != "" {
		return output{}, failure(wrong)
	}
	return c.page.here(ctx)
}

// address returns where the page is.
func (p *page) address(ctx context.Context) (string, error) {
	var history cdppage.GetNavigationHistoryResult
	err := p.poll(ctx, func() (_ bool, err error) { // between two pages there is none
		history, err = protocol.Call(ctx, p.session, cdppage.GetNavigationHistory, protocol.Empty{})
		return err == nil, err
	})
	if err != nil || history.CurrentIndex < 0 || history.CurrentIndex >= int64(len(history.Entries)) {
		return "", cause(ctx, err)
	}
	return history.Entries[history.CurrentIndex].URL, nil
}

// here prints where the page is.
func (p *page) here(ctx context.Context) (output, error) {
	address, err := p.address(ctx)
	return output{address, map[string]any{"url": address}}, err
}

// where prints the title of the page and where it is.
func (p *page) where(ctx context.Context) (output, error) {
	title, err := p.title(ctx)
	if err != nil {
		return output{}, err
	}
	address, err := p.address(ctx)
	return output{"✓ " + title + "\n  " + address, map[string]any{"title": title, "url": address}}, err
}

func (p *page) title(ctx context.Context) (title string, err error) {
	return title, p.ask(ctx, p.main(), "document.title", &title)
}
