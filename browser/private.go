package browser

import (
	"context"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/browser/cdp"
	"github.com/trawlhq/trawl/browser/chromium"
)

// Private is a browser for one page alone, the full one, that begins with what is
// in a home. The page sees what is there: it is not in a context apart.
type Private struct {
	// Home is called once the page has its place among those that may be open. What
	// it returns is the caller's, who removes it.
	Home func(ctx context.Context) (*chromium.Home, error)

	// Begin is called once the browser runs, before the page is opened.
	Begin func(ctx context.Context, conn *cdp.Conn) error

	// End is called when the page has been read, before the browser quits. If it is
	// nil the browser does not quit but is killed: nobody wants what it would leave.
	End func(ctx context.Context, conn *cdp.Conn) error
}

// renderAlone renders a page in a browser of its own. It returns when that has
// ended. A page is not tried again: what is in the home may have changed.
func (p *Pool) renderAlone(ctx context.Context, req *Request) (*Result, error) {
	open, cancel := context.WithCancel(ctx)
	defer cancel()
	defer context.AfterFunc(p.base, cancel)()
	r, err := p.startAlone(open, req)
	if err != nil {
		return nil, err
	}
	t := p.newTab(r, req)
	defer func() {
		t.close()
		r.process.Kill()
		p.release(r, false)
	}()
	if err := req.Private.Begin(open, r.process.Conn()); err != nil {
		return nil, t.fate(err)
	}
	result, err := p.show(open, r, t, req)
	if err == nil && req.Private.End != nil {
		result.Unkept = p.quit(r, req.Private)
	}
	return result, err
}

// startAlone starts the browser of a private page. Its way out is the page's.
func (p *Pool) startAlone(ctx context.Context, req *Request) (*running, error) {
	program := p.config.Programs.Chromium
	if program == "" {
		return nil, trawl.Errorf(trawl.CodeOptionUnsupported, "Profiles need the full Chromium, which this server does not have.")
	}
	version, err := p.version(program)
	if err != nil {
		return nil, trawl.Wrap(trawl.CodeEngines, "The browser could not be started.", err)
	}
	door, err := p.doorConfig(req)
	if err != nil {
		return nil, err
	}
	home, err := req.Private.Home(ctx)
	if err != nil {
		return nil, err
	}
	launch := p.launch(program, version)
	launch.Door, launch.Home = door, home
	launch.UserAgent, launch.AcceptLanguage = p.agentOf(version, req), acceptLanguage(req.Languages)
	process, err := chromium.Start(ctx, launch)
	if err != nil {
		return nil, trawl.Wrap(trawl.CodeEngines, "The browser could not be started.", err)
	}
	r := &running{program: program, version: version, process: process, open: 1, served: 1, retired: true, alone: true}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.all[r] = struct{}{}
	p.started++
	p.tasks.Go(func() { p.watch(r) })
	if p.closed {
		p.end(r)
	}
	return r, nil
}

// quit lets a browser write down what it knows. The page has been read, so that
// this may take a moment beyond the time of the request.
func (p *Pool) quit(r *running, private *Private) error {
	ctx, cancel := context.WithTimeout(p.base, p.limit(closeTimeout))
	defer cancel()
	if err := private.End(ctx, r.process.Conn()); err != nil {
		return err
	}
	return r.process.Quit(p.base)
}
