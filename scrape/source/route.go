package source

import (
	"context"
	"errors"
	"net/http"
	"time"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/browser"
	"github.com/trawlhq/trawl/content"
)

// fetch gets the page itself. By the route auto, a page that the basic way fails to get
// is tried once more the enhanced way.
func (s *Source) fetch(ctx context.Context, req *Request) (*Page, error) {
	visit := &visit{source: s, req: req}
	if req.Profile != nil && req.Profile.Save {
		free, err := visit.lock(ctx)
		if err != nil {
			return nil, err
		}
		defer free()
	}
	if req.Route == Enhanced {
		return s.fetchEnhanced(ctx, req, visit)
	}
	first, err := s.fetchBasic(ctx, req, visit)
	if req.Route != Auto || !s.worthRetry(req, first, err) || ctx.Err() != nil {
		return first, err
	}
	second, retryErr := s.fetchEnhanced(ctx, req, visit)
	if s.worthRetry(req, second, retryErr) || retryErr != nil && first != nil {
		s.sites.blocked(req.URL)
		second.Release()
		return first, err
	}
	first.Release()
	return second, retryErr
}

// worthRetry reports whether the site, or the way to it, turned the request away,
// and the enhanced way may mend that. A name that does not exist or an address that
// is off limits stays so by any way; and what an action did cannot be done twice.
func (s *Source) worthRetry(req *Request, p *Page, err error) bool {
	if !s.HasEnhanced(req.Country) || len(req.Actions) > 0 || s.sites.isBlocked(req.URL) {
		return false
	}
	if err != nil { // another browser at the same address would meet the same
		switch trawl.ErrorCode(err) {
		case trawl.CodeSite, trawl.CodeTLS, trawl.CodeProxy, trawl.CodeTimeout:
			return s.hasEnhancedProxy(req.Country)
		}
		return false
	}
	switch p.Status {
	case http.StatusForbidden:
		return true
	case http.StatusTooManyRequests, http.StatusServiceUnavailable:
		return s.hasEnhancedProxy(req.Country) || p.Challenged()
	}
	return p.Challenged()
}

// fetchEnhanced gets the page the enhanced way.
func (s *Source) fetchEnhanced(ctx context.Context, req *Request, v *visit) (*Page, error) {
	if s.Browser == nil {
		p, err := s.get(ctx, req, true)
		if err == nil && req.Verified {
			p.Sign = s.judge(ctx, p)
		}
		return p, err
	}
	p, err := s.render(ctx, req, v, true)
	if errors.Is(err, browser.ErrNotPage) {
		return s.download(ctx, req, s.hasEnhancedProxy(req.Country))
	}
	return p, err
}

// fetchBasic gets the page by a plain request, and in a browser where the request
// or the page needs one.
func (s *Source) fetchBasic(ctx context.Context, req *Request, v *visit) (*Page, error) {
	if s.Browser != nil && (req.Rendered || !req.RawBytes && s.sites.rendersFirst(req.URL)) {
		p, err := s.render(ctx, req, v, false)
		if errors.Is(err, browser.ErrNotPage) {
			return s.download(ctx, req, false)
		}
		return p, err
	}
	p, err := s.getFirst(ctx, req)
	if err != nil {
		return nil, err
	}
	if req.RawBytes { // others may need what a browser makes of them
		p.Shareable = s.Browser == nil || s.judge(ctx, p) == content.Complete
		return p, nil
	}
	return s.renderIfNeeded(ctx, req, v, p)
}

// getFirst makes the plain request. Where there are enhanced proxies to try after
// it, it may only take half of the time.
func (s *Source) getFirst(ctx context.Context, req *Request) (*Page, error) {
	if deadline, ok := ctx.Deadline(); ok && req.Route == Auto && s.hasEnhancedProxy(req.Country) {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, time.Until(deadline)/2)
		defer cancel()
	}
	return s.get(ctx, req, false)
}

// download gets what a browser would not show.
func (s *Source) download(ctx context.Context, req *Request, enhanced bool) (*Page, error) {
	if len(req.Actions) > 0 {
		return nil, trawl.Errorf(trawl.CodeUnsupportedFile, "The address serves a file, in which no actions can be done.")
	}
	if req.NoPage != nil {
		return nil, req.NoPage
	}
	p, err := s.get(ctx, req, enhanced)
	if err == nil && req.Screenshot != nil {
		p.spoil("The address serves no page that a browser shows, so there is no screenshot.")
	}
	if err == nil && req.Profile != nil {
		p.warn("The address serves no page that a browser shows; it was fetched without the profile.")
	}
	return p, err
}

// renderIfNeeded looks whether a page that came by a plain request is what a reader
// would see, and renders it if not. If that fails, the page as it came is better
// than nothing.
func (s *Source) renderIfNeeded(ctx context.Context, req *Request, v *visit, p *Page) (*Page, error) {
	p.Sign = s.judge(ctx, p)
	if p.Sign == content.Complete || p.shows != "" {
		s.sites.plain(req.URL)
		return p, nil
	}
	if s.Browser == nil {
		p.incomplete("The page seems to make its content by script, which this server cannot run without a browser.")
		return p, nil
	}
	if p.Challenged() && req.Route == Auto { // the enhanced way is tried next
		return p, nil
	}
	if s.sites.neverRenders(req.URL) {
		return p, nil
	}
	rendered, err := s.render(ctx, req, v, false)
	if err != nil {
		p.incomplete("The page seems to make its content by script, but could not be rendered.")
		return p, ctx.Err()
	}
	p.Release()
	s.sites.rendered(req.URL, rendered.Sign == content.Complete)
	return rendered, nil
}
