package job

import (
	"context"
	"errors"
	"time"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/crawl"
	"github.com/trawlhq/trawl/scrape"
	"github.com/trawlhq/trawl/store"
)

// mostLinks is how many links are taken from a page that its crawl has not seen;
// more are a trap.
const mostLinks = 20_000

// visit scrapes a page of a crawl: if robots.txt allows it, and with its links. A
// page of which only what a model makes failed is a failure with links.
func (e *Engine) visit(ctx context.Context, r run, options *trawl.ScrapeOptions, o *outcome) error {
	target, err := trawl.ParseTarget(r.page.URL) // the start is as it was typed
	if err != nil {
		return err
	}
	if o.Robots, o.Delay, err = e.robotsOf(ctx, r.spec, target); err != nil || o.Robots {
		return err
	}
	if r.page.Number == 1 {
		if o.Filtered, err = r.filtered(target); err != nil {
			return err
		}
	}
	req := r.request(r.page.URL, options)
	req.Links, req.Hidden = !r.page.Hidden, r.page.Hidden
	if o.Filtered != "" {
		req.Formats = nil
	}
	if o.scraped, err = e.prepareTwice(ctx, req); err == nil && o.Filtered == "" {
		err = o.complete(r.spec)
	}
	if o.scraped == nil {
		return err
	}
	return errors.Join(e.follow(ctx, r, target, o), err)
}

// filtered returns the rule that keeps the start of a crawl out of it. It is scraped
// for its links all the same.
func (r *run) filtered(target string) (string, error) {
	rules, err := r.rulesFor(r.base)
	if err != nil {
		return "", err
	}
	verdict := rules.Judge(target, 0)
	return verdict.Rule, nil
}

// robotsOf asks robots.txt about a page: whether it forbids it, and how long the
// crawl has to wait between two pages.
func (e *Engine) robotsOf(ctx context.Context, s *spec, target string) (forbidden bool, delay time.Duration, err error) {
	if s.crawl.IgnoreRobotsTxt {
		return false, 0, nil
	}
	robots, err := e.robots.get(ctx, target)
	if err != nil {
		return false, 0, err
	}
	if !robots.Allowed(agentOf(s.crawl), target) {
		return true, 0, nil
	}
	if robots != nothingAllowed {
		delay = min(robots.Delay(agentOf(s.crawl)), mostCrawlWait)
	}
	return false, delay, nil
}

// follow looks at where a page really is, and judges its links.
func (e *Engine) follow(ctx context.Context, r run, target string, o *outcome) error {
	rules, err := r.rulesFor(r.base)
	if err != nil {
		return err
	}
	if rules, err = e.arrive(r, rules, target, o); err != nil {
		return err
	}
	if o.Robots, err = e.forbidden(ctx, r.spec, o.scraped); err != nil || o.Robots || r.page.Hidden || !rules.FollowsLinks() {
		return err
	}
	e.collect(r, rules, o)
	return nil
}

// forbidden reports whether robots.txt forbids where a page really is.
func (e *Engine) forbidden(ctx context.Context, s *spec, result *scrape.Result) (bool, error) {
	final, err := trawl.ParseTarget(result.Document.Metadata.URL)
	if s.crawl.IgnoreRobotsTxt || err != nil {
		return false, nil
	}
	robots, err := e.robots.get(ctx, final)
	if err != nil {
		return false, err
	}
	return !robots.Allowed(agentOf(s.crawl), final), nil
}

// arrive looks at where a page really is. The start takes the crawl along to
// another site; any other page that leaves the crawl's bounds is an error.
func (e *Engine) arrive(r run, rules *crawl.Rules, target string, o *outcome) (*crawl.Rules, error) {
	final, err := trawl.ParseTarget(o.scraped.Document.Metadata.URL)
	if err != nil || final == target {
		return rules, nil
	}
	if r.page.Number == 1 {
		if siteOf(final) != siteOf(target) {
			o.Base = final
			if rules, err = crawl.NewRules(r.crawl, final); err != nil {
				return nil, err
			}
		}
	} else if verdict := rules.Judge(final, r.page.Depth); verdict.Fate != "" {
		return nil, trawl.Errorf(trawl.CodeCrawlDenial, "The page redirects to %s, which is outside of the crawl (%s).", trawl.WithoutPassword(final), verdict.Rule)
	}
	if identity := rules.Identity(final); identity != rules.Identity(target) {
		o.Identity, o.FinalURL = identity, final
	}
	return rules, nil
}

// collect judges the links of a page.
func (e *Engine) collect(r run, rules *crawl.Rules, o *outcome) {
	fresh := r.unknown(e.seed, o.scraped.Links)
	for _, raw := range fresh[:min(len(fresh), mostLinks)] {
		link := e.judge(r.spec, rules, raw, r.page.Depth+1)
		o.Links = append(o.Links, link)
		if !link.Again {
			o.found = append(o.found, raw)
		}
	}
}

// judge says what a crawl makes of an address.
func (e *Engine) judge(s *spec, rules *crawl.Rules, raw string, depth int) store.Link {
	v := rules.Judge(raw, depth)
	link := store.Link{URL: v.URL, Identity: v.Identity, Depth: depth, Fate: v.Fate, Detail: v.Rule, Again: v.Rule == "maxDiscoveryDepth"}
	if link.URL == "" {
		link.URL = raw
	}
	if link.Fate != "" || s.crawl.IgnoreRobotsTxt {
		return link
	}
	if robots := e.robots.peek(v.URL); robots != nil && !robots.Allowed(agentOf(s.crawl), v.URL) {
		link.Fate, link.Detail = trawl.FateRobots, ""
	}
	return link
}
