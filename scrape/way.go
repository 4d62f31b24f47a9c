package scrape

import (
	"context"
	"errors"
	"net/http"
	"time"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/browser"
	"github.com/trawlhq/trawl/content"
	"github.com/trawlhq/trawl/fetch"
)

// fetchPage gets the page from the network. With proxy auto, a page that the
// basic way fails to get is tried once more the enhanced way.
func (s *Scraper) fetchPage(ctx context.Context, req *Request, target string) (*page, error) {
	if saves(req) {
		free, err := s.takeProfile(ctx, req)
		if err != nil {
			return nil, err
		}
		defer free()
	}
	if req.UsesEnhanced() && s.strong(req) {
		return s.fetchStrong(ctx, req, target)
	}
	first, err := s.fetchBasic(ctx, req, target)
	if req.Proxy != trawl.ProxyAuto || !s.worthAnother(req, target, first, err) || ctx.Err() != nil {
		return first, err
	}
	second, retryErr := s.fetchStrong(ctx, req, target)
	if s.worthAnother(req, target, second, retryErr) || retryErr != nil && first != nil {
		s.sites.stubborn(target)
		second.free()
		return first, err
	}
	first.free()
	return second, retryErr
}

// strong reports whether there is an enhanced way for a request: the real
// browser, or proxies of that kind.
func (s *Scraper) strong(req *Request) bool {
	return s.Browser != nil || s.Fetch.HasEnhanced(req.Country())
}

// worthAnother reports whether the site, or the way to it, turned the request
// away, and the enhanced way may mend that. A name that does not exist or an
// address that is off limits stays so by any way; and what an action did cannot
// be done twice.
func (s *Scraper) worthAnother(req *Request, target string, p *page, err error) bool {
	if !s.strong(req) || len(req.Actions) > 0 || s.sites.isStubborn(target) {
		return false
	}
	if err != nil { // another browser at the same address would meet the same
		switch trawl.ErrorCode(err) {
		case trawl.CodeSite, trawl.CodeTLS, trawl.CodeProxy, trawl.CodeTimeout:
			return s.Fetch.HasEnhanced(req.Country())
		}
		return false
	}
	switch p.status {
	case http.StatusForbidden:
		return true
	case http.StatusTooManyRequests, http.StatusServiceUnavailable:
		return s.Fetch.HasEnhanced(req.Country()) || p.sign == content.Challenge
	}
	return p.sign == content.Challenge
}

// fetchStrong gets the page the enhanced way.
func (s *Scraper) fetchStrong(ctx context.Context, req *Request, target string) (*page, error) {
	if s.Browser == nil {
		p, err := s.fetchThrough(ctx, req, target, true)
		if err == nil && tracks(req) { // a check for robots is not to become a part of its past
			p.sign = s.judge(ctx, p)
		}
		return p, err
	}
	p, err := s.render(ctx, req, target, true)
	if errors.Is(err, browser.ErrNotPage) {
		return s.fetchFile(ctx, req, target, s.Fetch.HasEnhanced(req.Country()))
	}
	return p, err
}

// fetchBasic gets the page by a plain request, and in a browser where the request
// or the page needs one.
func (s *Scraper) fetchBasic(ctx context.Context, req *Request, target string) (*page, error) {
	if s.Browser != nil && (needsBrowser(req) || !req.Wants(trawl.FormatRawBase64) && s.sites.rendersFirst(target)) {
		p, err := s.render(ctx, req, target, false)
		if errors.Is(err, browser.ErrNotPage) {
			return s.fetchFile(ctx, req, target, false)
		}
		return p, err
	}
	p, err := s.fetchFirst(ctx, req, target)
	if err != nil {
		return nil, err
	}
	if req.Wants(trawl.FormatRawBase64) { // the bytes as they came; others may need what a browser makes of them
		p.faulty = s.Browser != nil && s.judge(ctx, p) != content.Complete
		return p, nil
	}
	return s.finishInBrowser(ctx, req, target, p)
}

// needsBrowser reports whether a request asks for what only a browser does.
func needsBrowser(req *Request) bool {
	return len(req.Actions) > 0 || waitFor(req) > 0 || req.Mobile || req.Profile != nil ||
		req.Wants(trawl.FormatScreenshot) || req.Wants(trawl.FormatBranding)
}

// fetchFirst makes the plain request. Where there are enhanced proxies to try
// after it, it may only take half of the time.
func (s *Scraper) fetchFirst(ctx context.Context, req *Request, target string) (*page, error) {
	if deadline, ok := ctx.Deadline(); ok && req.Proxy == trawl.ProxyAuto && s.Fetch.HasEnhanced(req.Country()) {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, time.Until(deadline)/2)
		defer cancel()
	}
	return s.fetchThrough(ctx, req, target, false)
}

// fetchFile gets what a browser would not show.
func (s *Scraper) fetchFile(ctx context.Context, req *Request, target string, enhanced bool) (*page, error) {
	if len(req.Actions) > 0 {
		return nil, trawl.Errorf(trawl.CodeUnsupportedFile, "The address serves a file, in which no actions can be done.")
	}
	if req.Wants(trawl.FormatBranding) {
		return nil, errNoBrand()
	}
	p, err := s.fetchThrough(ctx, req, target, enhanced)
	if err == nil && req.Wants(trawl.FormatScreenshot) {
		p.fault("The address serves no page that a browser shows, so there is no screenshot.")
	}
	if err == nil && req.Profile != nil {
		p.warn("The address serves no page that a browser shows; it was fetched without the profile.")
	}
	return p, err
}

// finishInBrowser looks whether a page that came by a plain request is what a
// reader would see, and renders it if not. If that fails, the page as it came is
// better than nothing.
func (s *Scraper) finishInBrowser(ctx context.Context, req *Request, target string, p *page) (*page, error) {
	p.sign = s.judge(ctx, p)
	if p.sign == content.Complete {
		s.sites.plain(target)
		return p, nil
	}
	if s.Browser == nil {
		p.lack("The page seems to make its content by script, which this server cannot run without a browser.")
		return p, nil
	}
	if p.sign == content.Challenge && req.Proxy == trawl.ProxyAuto { // the enhanced way is tried next
		return p, nil
	}
	if s.sites.isBarren(target) {
		return p, nil
	}
	rendered, err := s.render(ctx, req, target, false)
	if err != nil {
		p.lack("The page seems to make its content by script, but could not be rendered.")
		return p, ctx.Err()
	}
	p.free()
	s.sites.rendered(target, rendered.sign == content.Complete)
	return rendered, nil
}

// judge says whether a page is what a reader would see. Large pages have their
// content; to keep their trees would take too much memory.
func (s *Scraper) judge(ctx context.Context, p *page) content.Sign {
	if p.kind() != kindText || len(p.body) > fetch.LargeBytes {
		return content.Complete
	}
	select {
	case s.parsing <- struct{}{}:
		defer func() { <-s.parsing }()
	case <-ctx.Done():
		return content.Complete
	}
	_, tree := p.source()
	return tree.Sign(p.status)
}
