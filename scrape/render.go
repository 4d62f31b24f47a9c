package scrape

import (
	"cmp"
	"context"
	"net/http"
	"strings"

	"github.com/google/uuid"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/brand"
	"github.com/trawlhq/trawl/browser"
)

// render gets the page in a browser.
func (s *Scraper) render(ctx context.Context, req *Request, target string, enhanced bool) (*page, error) {
	var release func()
	order := browser.Request{
		URL: target, Headers: req.Headers, Languages: req.Languages(), Country: req.Country(), Mobile: req.Mobile,
		SkipTLS: req.SkipTLS(), BlockAds: req.BlockAds, Enhanced: enhanced, Owner: req.Caller.Team.ID,
		WaitFor: waitFor(req), Actions: req.Actions,
		Large: func(ctx context.Context) (err error) {
			release, err = s.room(ctx)
			return err
		},
	}
	if c, ok := ctx.Value(clockKey{}).(*clock); ok {
		order.Hold = c.hold
	}
	if shot, ok := req.Format(trawl.FormatScreenshot); ok {
		order.Screenshot = &shot
	}
	if req.Wants(trawl.FormatBranding) {
		order.Measure = brand.Script()
	}
	visit := &stay{scraper: s, req: req}
	if req.Profile != nil {
		order.Private = visit.private()
		defer visit.end()
	}
	result, err := s.Browser.Render(ctx, order)
	if err == nil && disguised(result.HTML) {
		err = browser.ErrNotPage
	}
	if err != nil {
		if release != nil {
			release()
		}
		return nil, cmp.Or(visit.err, err)
	}
	p := &page{
		release: release, target: target, finalURL: result.URL, status: cmp.Or(result.Status, http.StatusOK),
		contentType: result.ContentType + "; charset=utf-8", language: result.Language, timeZone: result.TimeZone,
		proxy: trawl.ProxyBasic, fetchedAt: s.Now(), body: []byte(result.HTML), waited: result.Waited,
		measured: result.Measured,
	}
	if enhanced {
		p.proxy = trawl.ProxyStealth
	}
	switch {
	case result.Partial:
		p.lack("The page had not finished loading when it was read.")
	case result.Unfinished:
		p.fault("The page had not finished loading when it was read.")
	case result.Screenshot != nil && result.Screenshot.Cut:
		p.warning = "The page is larger than a screenshot can be; the rest of it was cut off."
	}
	visit.save(ctx, p, result.Unkept)
	s.keep(req, p, result)
	p.sign = s.judge(ctx, p)
	return p, nil
}

// disguised reports whether a document was served as HTML, so that the browser took
// its bytes for the text of a page.
func disguised(html string) bool {
	_, body, _ := strings.Cut(html[:min(len(html), 2048)], "<body")
	_, text, _ := strings.Cut(body, ">")
	for _, start := range []string{"%PDF-", "PK\x03\x04", `{\rtf`, "\u00d0\u00cf\x11\u00e0"} {
		if strings.HasPrefix(text, start) {
			return true
		}
	}
	return false
}

// keep turns what a browser made beside the page into files and results.
func (s *Scraper) keep(req *Request, p *page, result *browser.Result) {
	if result.Screenshot != nil {
		p.picture = s.newFile(req, *result.Screenshot)
		p.files = append(p.files, *p.picture)
	}
	if len(req.Actions) > 0 {
		addresses := func(pictures []browser.Picture) []string {
			list := []string{}
			for _, picture := range pictures {
				file := s.newFile(req, picture)
				p.files = append(p.files, *file)
				list = append(list, s.addressOf(req, file))
			}
			return list
		}
		out := &result.Outcome
		p.actions = &trawl.ActionResults{
			Screenshots: addresses(out.Screenshots), PDFs: addresses(out.PDFs), Scrapes: out.Scrapes, JavascriptReturns: out.Returns,
		}
	}
	if s.inline(req) {
		p.files = nil
	}
}

func (s *Scraper) newFile(req *Request, picture browser.Picture) *trawl.File {
	return &trawl.File{
		ID: uuid.NewString(), TeamID: req.Caller.Team.ID, ContentType: picture.ContentType, Data: picture.Data,
		ExpiresAt: s.Now().Add(s.Retention),
	}
}

// inline reports whether files are part of the document, because there is no
// place where they are, or may be, kept.
func (s *Scraper) inline(req *Request) bool { return s.Store == nil || req.ZeroDataRetention }

// addressOf returns where a caller finds a file.
func (s *Scraper) addressOf(req *Request, file *trawl.File) string {
	if s.inline(req) {
		return file.DataURI()
	}
	return file.Address(req.Base, s.FileSecret)
}
