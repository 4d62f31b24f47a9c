package job

import (
	"context"
	"fmt"
	"regexp"
	"runtime/debug"
	"strings"
	"sync"
	"time"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/crawl"
	"github.com/trawlhq/trawl/scrape"
	"github.com/trawlhq/trawl/store"
)

// Bounds of a search for the pages of a glob.
const (
	huntTime       = 60 * time.Second
	huntSitemaps   = 30 * time.Second // of that
	mostCandidates = 20_000
	mostLooked     = 50_000 // addresses that are looked at
	mostWalked     = 25     // pages that are read for their links
	walksAtOnce    = 4
	mostFrontier   = 200 // pages that may still be read for their links
	enoughFor      = 10  // times as many as are wanted: the best can be chosen
	enoughAnyway   = 200
)

// hunt is the search for the pages that a glob stands for: in sitemaps, and by a
// walk along links that goes first where the words of the caller point.
type hunt struct {
	engine  *Engine
	spec    *spec
	options *trawl.ScrapeOptions
	glob    trawl.Glob
	terms   string
	enough  int // candidates, after which no more pages are read for links

	scope, match *crawl.Rules // which pages may be looked at, and which are wanted
	seen         map[string]bool
	frontier     []trawl.MapLink
	walked       int

	found     []trawl.MapLink // the candidates
	forbidden bool            // robots.txt forbids some
	err       error           // why the page that it begins at could not be read
}

// run searches. It fails only for want of the context or the service; what is
// wrong with the site is kept.
func (h *hunt) run(ctx context.Context) error {
	limited, cancel := context.WithTimeout(ctx, huntTime)
	defer cancel()
	base := h.glob.Base
	start, err := h.look(limited, base)
	switch {
	case err != nil && trawl.ErrorCode(err) == trawl.CodeUnknown:
		return err
	case ctx.Err() != nil:
		return ctx.Err()
	case err != nil:
		h.err = err
	case siteOf(start.url) != siteOf(base): // the site is elsewhere, the paths are the same
		base = siteOf(start.url) + strings.TrimPrefix(base, siteOf(base))
	}
	if err := h.setRules(base); err != nil {
		return err
	}
	if unreachable(h.err) {
		return nil
	}
	if start != nil {
		h.add(base, start.title, start.description)
		h.frontier, h.walked = nil, 1
	}
	if !h.spec.extract.IgnoreSitemap {
		if err := h.readSitemaps(limited, base); err != nil && ctx.Err() != nil {
			return ctx.Err()
		}
	}
	h.follow(start)
	h.walk(limited)
	return ctx.Err()
}

// unreachable reports whether a site cannot be asked for anything.
func unreachable(err error) bool {
	switch trawl.ErrorCode(err) {
	case trawl.CodeDNS, trawl.CodeTLS, trawl.CodeSite, trawl.CodeTimeout:
		return err != nil
	}
	return false
}

// setRules makes the rules of the glob for where its site really is.
func (h *hunt) setRules(base string) (err error) {
	req := trawl.CrawlRequest{
		AllowSubdomains:    h.spec.extract.IncludeSubdomains || h.glob.Subdomains,
		AllowExternalLinks: h.spec.extract.AllowExternalLinks, DeduplicateSimilarURLs: true,
	}
	h.seen = map[string]bool{}
	if h.scope, err = crawl.NewRules(&req, base); err != nil {
		return err
	}
	var pattern string
	pattern, req.RegexOnFullURL = globPattern(h.glob.Pattern)
	req.IncludePaths = []string{pattern}
	h.match, err = crawl.NewRules(&req, base)
	return err
}

// globPattern returns a regular expression for what a glob matches, and whether
// that is the whole address, not only its path.
func globPattern(glob string) (pattern string, whole bool) {
	at, below := strings.CutSuffix(glob, "/*")
	if below {
		glob = at
	}
	for i, part := range strings.Split(glob, "*") {
		if i > 0 && !strings.HasSuffix(pattern, ".*") {
			pattern += ".*"
		}
		pattern += regexp.QuoteMeta(part)
	}
	if below {
		pattern += "(/.*)?" // a folder is in itself
	}
	if strings.Contains(glob, "?") {
		return "^https?://[^/]*" + pattern + "$", true
	}
	return "^" + pattern + "$", false
}

// add takes an address up, and reports whether there is room for more.
func (h *hunt) add(address, title, description string) bool {
	v := h.scope.Judge(address, 0)
	if v.Fate != "" || h.seen[v.Identity] {
		return true
	}
	h.seen[v.Identity] = true
	if robots := h.engine.robots.peek(v.URL); robots != nil && !robots.Allowed(robotsName, v.URL) {
		h.forbidden = true
		return true
	}
	link := trawl.MapLink{URL: v.URL, Title: title, Description: description}
	h.frontier = append(h.frontier, link)
	if h.match.Judge(v.URL, 0).Fate == "" {
		h.found = append(h.found, link)
	}
	return len(h.found) < mostCandidates && len(h.seen) < mostLooked
}

// readSitemaps takes up what the sitemaps of the site list.
func (h *hunt) readSitemaps(ctx context.Context, base string) error {
	ctx, cancel := context.WithTimeout(ctx, huntSitemaps)
	defer cancel()
	robots, err := h.engine.robots.get(ctx, base)
	if err != nil {
		return err
	}
	h.engine.sitemaps(ctx, sitemapSearch{base: base, robots: robots, headers: h.options.Headers}, func(address string) bool {
		return h.add(address, "", "")
	})
	return ctx.Err()
}

// follow takes up the links of a page, if it is where it should be.
func (h *hunt) follow(v *view) {
	if v == nil || h.scope.Judge(v.url, 0).Fate != "" {
		return
	}
	for _, link := range v.links[:min(len(v.links), mostLinks)] {
		if !h.add(link, "", "") {
			return
		}
	}
}

// walk reads pages for their links, those first that fit the words best.
func (h *hunt) walk(ctx context.Context) {
	for h.walked < mostWalked && len(h.found) < h.enough && ctx.Err() == nil {
		h.frontier = crawl.Rank(h.frontier, h.terms)
		h.frontier = h.frontier[:min(len(h.frontier), mostFrontier)]
		next := h.frontier[:min(len(h.frontier), walksAtOnce, mostWalked-h.walked)]
		if len(next) == 0 {
			return
		}
		h.frontier, h.walked = h.frontier[len(next):], h.walked+len(next)
		views := make([]*view, len(next))
		var wg sync.WaitGroup
		for i, link := range next {
			wg.Go(func() { views[i], _ = h.look(ctx, link.URL) })
		}
		wg.Wait()
		for _, v := range views {
			h.follow(v)
		}
	}
}

// view is what a search sees of a page.
type view struct {
	url, title, description string
	links                   []string
}

// look reads a page for its links, if robots.txt allows it. A page that its reader
// does not survive is no more than an error.
func (h *hunt) look(ctx context.Context, address string) (v *view, err error) {
	e := h.engine
	defer func() {
		if p := recover(); p != nil {
			e.Log.Error("panic while looking for pages", "job", h.spec.ID, "err", fmt.Sprint(p), "stack", string(debug.Stack()))
			v, err = nil, trawl.Errorf(trawl.CodeEngines, "%s", failureOf(nil).Text)
		}
	}()
	robots, err := e.robots.get(ctx, address)
	if err != nil {
		return nil, lateOr(ctx, err)
	}
	if !robots.Allowed(robotsName, address) {
		return nil, trawl.Errorf(trawl.CodeCrawlDenial, "The robots.txt of the site forbids %s.", trawl.WithoutPassword(address))
	}
	select {
	case e.slots <- struct{}{}:
		defer func() { <-e.slots }()
	case <-ctx.Done():
		return nil, lateOr(ctx, ctx.Err())
	}
	req := h.spec.request(address, h.options)
	req.Links = true
	result, err := e.prepare(ctx, req)
	if err != nil {
		return nil, err
	}
	defer result.Release()
	if err := e.keepPage(ctx, h.spec, result); err != nil {
		return nil, err
	}
	if err := answered(result); err != nil {
		return nil, err
	}
	m := &result.Document.Metadata
	return &view{url: m.URL, title: m.Tags["title"], description: m.Tags["description"], links: result.Links}, nil
}

// lateOr is the error of a search that took too long, or else err.
func lateOr(ctx context.Context, err error) error {
	if ctx.Err() == context.DeadlineExceeded {
		return trawl.Wrap(trawl.CodeTimeout, "The site did not answer in time.", err)
	}
	return err
}

// answered fails for a page that is not there.
func answered(result *scrape.Result) error {
	if status := result.Document.Metadata.StatusCode; status < 200 || status > 299 {
		return trawl.Errorf(trawl.CodeEngines, "The page answered %d.", status)
	}
	return nil
}

// keepPage puts a page into the cache at once. The search and the page itself need
// it one after the other; and after a crash the page is the same as before, which
// is what makes the questions about it the same.
func (e *Engine) keepPage(ctx context.Context, s *spec, result *scrape.Result) error {
	if result.Cached == nil {
		return nil
	}
	charge := trawl.Charge{ID: newID(), TeamID: s.TeamID, KeyID: s.KeyID, Kind: s.Kind, At: e.Now()}
	_, err := e.Store.Finish(context.WithoutCancel(ctx), []store.Finished{{Charge: charge, Page: result.Cached}})
	return err
}
