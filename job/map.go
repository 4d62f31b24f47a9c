package job

import (
	"context"
	"errors"
	"time"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/crawl"
	"github.com/trawlhq/trawl/scrape"
)

// MapAnswer lists the pages of a site.
type MapAnswer struct {
	ID      string
	Links   []trawl.MapLink
	Warning string
}

// Map lists the pages of a site: the address itself, what its sitemaps list and
// what it links to. It costs one credit.
func (e *Engine) Map(ctx context.Context, o Order, req trawl.MapRequest) (MapAnswer, error) {
	ctx, cancel := context.WithTimeout(ctx, time.Duration(req.Timeout)*time.Millisecond)
	defer cancel()
	began := e.Now()
	answer := MapAnswer{ID: newID(), Warning: trawl.WithoutEffect(req.Ignored())}
	m, err := e.survey(ctx, o, &req)
	if errors.Is(ctx.Err(), context.DeadlineExceeded) {
		err = trawl.Errorf(trawl.CodeMapTimeout, "Map timed out")
	} else if err != nil {
		err = mapFailed(err)
	}
	if err != nil {
		e.recordFailure(ctx, o, "map", trawl.WithoutPassword(req.URL), answer.ID, err, began)
		return answer, err
	}
	answer.Links = m.links
	if req.Search != "" {
		answer.Links = crawl.Rank(answer.Links, req.Search)
	}
	answer.Links = answer.Links[:min(len(answer.Links), req.Limit)]
	answer.Warning = join(answer.Warning, m.warning)
	return answer, e.charge(ctx, o, "map", trawl.WithoutPassword(req.URL), answer.ID, 1, began)
}

// mapFailed says why a site could not be mapped; what is wrong with the request
// stays what it is.
func mapFailed(err error) error {
	known, ok := errors.AsType[*trawl.Error](err)
	if !ok || known.Code == trawl.CodeBadRequest {
		return err
	}
	return trawl.Wrap(trawl.CodeMapFailed, "The site could not be mapped. "+known.Message, err)
}

// siteMap is a list of pages, each once.
type siteMap struct {
	rules   *crawl.Rules
	seen    map[string]struct{}
	links   []trawl.MapLink
	most    int
	warning string
}

// mostMapped bounds the pages that a search chooses from.
const mostMapped = 100_000

// add adds an address that belongs to the site, and reports whether there is room
// for more.
func (m *siteMap) add(address, title, description string) bool {
	verdict := m.rules.Judge(address, 0)
	if verdict.Fate != "" {
		return true
	}
	if _, ok := m.seen[verdict.Identity]; !ok {
		m.seen[verdict.Identity] = struct{}{}
		m.links = append(m.links, trawl.MapLink{URL: verdict.URL, Title: title, Description: description})
	}
	return len(m.links) < m.most
}

// survey collects the pages of a site.
func (e *Engine) survey(ctx context.Context, o Order, req *trawl.MapRequest) (*siteMap, error) {
	base, err := trawl.ParseTarget(req.URL)
	if err != nil {
		return nil, trawl.Invalid([]trawl.Issue{{Code: "invalid_value", Message: err.Error(), Path: []any{"url"}}})
	}
	named := base
	page, pageErr := e.mapPage(ctx, o, req)
	if pageErr == nil {
		page.Release()
		if final, err := trawl.ParseTarget(page.Document.Metadata.URL); err == nil && siteOf(final) != siteOf(base) {
			base = final
		}
	}
	m := &siteMap{seen: map[string]struct{}{}, most: req.Limit}
	if req.Search != "" {
		m.most = mostMapped
	}
	if m.rules, err = crawl.NewMapRules(req, base); err != nil {
		return nil, err
	}
	if pageErr == nil {
		tags := page.Document.Metadata.Tags
		m.add(base, tags["title"], tags["description"])
	}
	if req.Sitemap != trawl.SitemapSkip {
		robots, err := e.robots.get(ctx, base)
		if err != nil {
			return nil, err
		}
		found := e.sitemaps(ctx, sitemapSearch{base: base, robots: robots, headers: req.Headers, trust: trust{named: []string{named}}}, func(address string) bool { return m.add(address, "", "") })
		if found == 0 && req.Sitemap == trawl.SitemapOnly {
			m.warning = "No sitemap of the site could be read."
		}
	}
	if pageErr == nil && req.Sitemap != trawl.SitemapOnly {
		for _, link := range page.Links {
			if !m.add(link, "", "") {
				break
			}
		}
	}
	if pageErr != nil && len(m.links) == 0 {
		return nil, pageErr
	}
	return m, nil
}

// mapPage scrapes the page that a map starts from, for its links.
func (e *Engine) mapPage(ctx context.Context, o Order, req *trawl.MapRequest) (*scrape.Result, error) {
	page := scrape.Request{ScrapeRequest: trawl.DefaultScrapeRequest(), Caller: o.Caller, Links: true}
	page.URL, page.Headers, page.Location = req.URL, req.Headers, req.Location
	page.Formats, page.Timeout = nil, req.Timeout
	if req.IgnoreCache {
		now := int64(0)
		page.MaxAge = &now
	}
	return e.Scraper.Prepare(ctx, page)
}
