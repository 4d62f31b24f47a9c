package source

import (
	"cmp"
	"context"
	"net/http"
	"strings"

	"github.com/google/uuid"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/browser"
)

// render gets the page in a browser.
func (s *Source) render(ctx context.Context, req *Request, v *visit, enhanced bool) (*Page, error) {
	var release func()
	order := browser.Request{
		URL: req.URL, Headers: req.Headers, Languages: req.Languages, Country: req.Country, Mobile: req.Mobile,
		SkipTLS: req.SkipTLS, BlockAds: req.BlockAds, Enhanced: enhanced, Owner: req.TeamID,
		WaitFor: req.Settle, Actions: req.Actions, Screenshot: req.Screenshot, Measure: req.Measure,
		Large: func(ctx context.Context) (err error) {
			release, err = s.Room(ctx)
			return err
		},
	}
	if c, ok := ctx.Value(clockKey{}).(*clock); ok {
		order.Hold = c.hold
	}
	if req.Profile != nil {
		order.Private = v.private()
		defer v.end()
	}
	result, err := s.Browser.Render(ctx, order)
	if err == nil && disguised(result.HTML) {
		err = browser.ErrNotPage
	}
	if err != nil {
		if release != nil {
			release()
		}
		return nil, cmp.Or(v.err, err)
	}
	p := newPage(Page{
		release: release, Body: []byte(result.HTML), Measured: result.Measured,
		Head: Head{
			Target: req.URL, URL: result.URL, Status: cmp.Or(result.Status, http.StatusOK),
			ContentType: result.ContentType + "; charset=utf-8", Language: result.Language, TimeZone: result.TimeZone,
			Proxy: proxyName(enhanced), FetchedAt: s.Now(), Waited: result.Waited,
		},
	})
	switch {
	case result.Partial:
		p.incomplete("The page had not finished loading when it was read.")
	case result.Unfinished:
		p.spoil("The page had not finished loading when it was read.")
	case result.Screenshot != nil && result.Screenshot.Cut:
		p.Warning = "The page is larger than a screenshot can be; the rest of it was cut off."
	}
	v.save(ctx, p, result.Unkept)
	s.keepFiles(req, p, result)
	p.Sign = s.judge(ctx, p)
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

// keepFiles turns what a browser made beside the page into files.
func (s *Source) keepFiles(req *Request, p *Page, result *browser.Result) {
	file := func(picture browser.Picture) trawl.File {
		return trawl.File{
			ID: uuid.NewString(), TeamID: req.TeamID, ContentType: picture.ContentType, Data: picture.Data,
			ExpiresAt: s.Now().Add(s.Retention),
		}
	}
	files := func(pictures []browser.Picture) []trawl.File {
		var list []trawl.File
		for _, picture := range pictures {
			list = append(list, file(picture))
		}
		return list
	}
	if result.Screenshot != nil {
		shot := file(*result.Screenshot)
		p.Screenshot = &shot
	}
	if len(req.Actions) > 0 {
		out := &result.Outcome
		p.Outcome = &Outcome{Screenshots: files(out.Screenshots), PDFs: files(out.PDFs), Scrapes: out.Scrapes, Returns: out.Returns}
	}
}
