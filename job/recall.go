package job

import (
	"context"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/store"
)

// recalls reports whether a crawl looks at pages that are known from before: it
// tracks changes, and looks for all that there is. One that is to use sitemaps alone
// or not to go deep would take for hidden what it only did not look for.
func recalls(req *trawl.CrawlRequest) bool {
	_, tracks := req.ScrapeOptions.Format(trawl.FormatChangeTracking)
	return tracks && !req.ZeroDataRetention && req.Sitemap != trawl.SitemapOnly && req.MaxDiscoveryDepth == nil
}

// recall adds to a crawl that tracks changes what it knows from before and did not
// find: only so can it tell which pages are gone, and which are still there though
// nothing leads to them.
func (e *Engine) recall(ctx context.Context, s *spec, attempt int) error {
	if attempt > mostTogether+mostWaiting { // what it adds must not keep the crawl from ending
		e.Log.Error("known pages are given up", "job", s.ID, "attempt", attempt)
		_, err := e.remind(ctx, s, nil, true)
		return err
	}
	options, err := e.optionsOf(ctx, s, 1)
	if err != nil {
		return err
	}
	base, err := e.Store.Base(ctx, s.ID)
	if err != nil {
		return err
	}
	rules, err := s.rulesFor(base)
	if err != nil {
		return err
	}
	tracking, _ := options.Format(trawl.FormatChangeTracking)
	err = e.Store.KnownPages(ctx, s.TeamID, tracking.Tag, base, func(pages []string) (bool, error) {
		var links []store.Link
		for _, page := range pages {
			if link := e.judge(s, rules, page, 0); link.Fate == "" || link.Fate == trawl.FateRobots {
				links = append(links, link)
			}
		}
		room, err := e.remind(ctx, s, links, false)
		return room > 0, err
	})
	if err == nil {
		_, err = e.remind(ctx, s, nil, true)
	}
	return err
}

// remind adds pages to a crawl that it knows from before.
func (e *Engine) remind(ctx context.Context, s *spec, links []store.Link, last bool) (room int, err error) {
	err = persist(ctx, func() (err error) {
		room, err = e.Store.Recall(ctx, s.TeamID, s.ID, links, last)
		return err
	})
	return room, err
}
