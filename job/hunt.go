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
	huntTime       = 2 * time.Minute
	huntSitemaps   = 30 * time.Second // of that
	mostCandidates = 20_000
	mostLooked     = 50_000 // addresses that are looked at
	mostFar        = 5_000  // of those, outside of the folder
	mostWalked     = 25     // pages that are read for their links, once there are as many candidates as are wanted
	walksAtOnce    = 4
	mostIdle       = 25 // pages of one kind without a new link, after which no more of them are read
	enoughFor      = 10 // times as many as are wanted: the best can be chosen
	enoughAnyway   = 200
	fewMatches     = 10  // fewer are looked for outside of the folder too
	mostTitle      = 500 // bytes of a title or description
)

// hunt is the search for the pages that a glob stands for: in sitemaps, and by a
// walk along links that goes first where the words of the caller point. The walk
// stays in the folder of the glob, unless there is too little in it: then it goes
// through the whole site, from the folders above.
type hunt struct {
	engine  *Engine
	spec    *spec
	options *trawl.ScrapeOptions
	glob    trawl.Glob
	words   crawl.Words
	limit   int // candidates that are wanted
	enough  int // candidates, after which no more pages are read for links

	base               string
	started            bool         // the page that it begins at is there
	site, scope, match *crawl.Rules // which pages may be looked at, which are in the folder, and which are wanted
	seen               map[string]bool
	far                int // addresses outside of the folder
	frontier           []prospect
	kinds              map[string]*kind
	walked, most       int // pages that were read for their links, and that may be
	wide               bool

	found     []trawl.MapLink // the candidates
	cut       bool            // there are pages that were not looked at, and might have led to more
	forbidden bool            // robots.txt forbids some
	err       error           // why the page that it begins at could not be read
}

// prospect is a page that may be read for its links.
type prospect struct {
	url   string
	place int  // among the candidates, or -1
	near  bool // in the folder
	above bool // a folder above it
	fit   int
	turn  int
	kind  *kind
}

// kind is what became of pages whose addresses are alike.
type kind struct {
	read  int
	fresh int // addresses that they were the first to link to
}

// run searches. It fails only for want of the context or the service; what is
// wrong with the site is kept.
func (h *hunt) run(ctx context.Context) error {
	limited, cancel := context.WithTimeout(ctx, huntTime)
	defer cancel()
	h.base, h.most = h.glob.Base, max(mostWalked, h.limit)
	start, err := h.look(limited, h.base)
	switch {
	case err != nil && trawl.ErrorCode(err) == trawl.CodeUnknown:
		return err
	case ctx.Err() != nil:
		return ctx.Err()
	case err != nil:
		h.err = err
	case siteOf(start.url) != siteOf(h.base): // the site is elsewhere, the paths are the same
		h.base = siteOf(start.url) + strings.TrimPrefix(h.base, siteOf(h.base))
	}
	if err := h.setRules(); err != nil {
		return err
	}
	if unreachable(h.err) {
		return nil
	}
	if start != nil {
		h.started, h.walked = true, 1
		h.add(h.base, true)
		for _, p := range h.frontier {
			h.describe(p, start)
		}
		h.frontier = nil
	}
	if !h.spec.extract.IgnoreSitemap {
		if err := h.readSitemaps(limited); err != nil && ctx.Err() != nil {
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
func (h *hunt) setRules() (err error) {
	req := trawl.CrawlRequest{
		AllowSubdomains:    h.spec.extract.IncludeSubdomains || h.glob.Subdomains,
		AllowExternalLinks: h.spec.extract.AllowExternalLinks, DeduplicateSimilarURLs: true,
	}
	h.seen, h.kinds = map[string]bool{}, map[string]*kind{}
	if h.scope, err = crawl.NewRules(&req, h.base); err != nil {
		return err
	}
	whole := req
	whole.CrawlEntireDomain = true
	if h.site, err = crawl.NewRules(&whole, h.base); err != nil {
		return err
	}
	var pattern string
	pattern, req.RegexOnFullURL = globPattern(h.glob.Pattern)
	req.IncludePaths = []string{pattern}
	h.match, err = crawl.NewRules(&req, h.base)
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

// add takes an address up, with far also one that is not in the folder, and
// reports whether there is room for more.
func (h *hunt) add(address string, far bool) bool {
	v := h.site.Judge(address, 0)
	if v.Fate != "" || h.seen[v.Identity] {
		return true
	}
	near := h.scope.Judge(v.URL, 0).Fate == ""
	if !near && (!far || h.far == mostFar) {
		return true
	}
	h.seen[v.Identity] = true
	wanted := h.match.Judge(v.URL, 0).Fate == ""
	if robots := h.engine.robots.peek(v.URL); robots != nil && !robots.Allowed(robotsName, v.URL) {
		h.forbidden = h.forbidden || wanted
		return true
	}
	p := prospect{url: v.URL, place: -1, near: near, fit: h.words.Fit(trawl.MapLink{URL: v.URL}), turn: len(h.seen), kind: h.kindOf(v.URL)}
	if !near {
		h.far++
		p.above = strings.HasSuffix(v.URL, "/") && strings.HasPrefix(h.base, v.URL)
	}
	if wanted {
		p.place = len(h.found)
		h.found = append(h.found, trawl.MapLink{URL: v.URL})
	}
	h.frontier = append(h.frontier, p)
	return len(h.found) < mostCandidates && len(h.seen) < mostLooked
}

func (h *hunt) kindOf(address string) *kind {
	shape := crawl.Shape(address)
	if h.kinds[shape] == nil {
		h.kinds[shape] = &kind{}
	}
	return h.kinds[shape]
}

// describe notes what a page says of itself, if it is a candidate.
func (h *hunt) describe(p prospect, v *view) {
	if p.place >= 0 {
		link := &h.found[p.place]
		link.Title, link.Description = v.title[:min(len(v.title), mostTitle)], v.description[:min(len(v.description), mostTitle)]
	}
}

// readSitemaps takes up what the sitemaps of the site list.
func (h *hunt) readSitemaps(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, huntSitemaps)
	defer cancel()
	robots, err := h.engine.robots.get(ctx, h.base)
	if err != nil {
		return err
	}
	h.engine.sitemaps(ctx, sitemapSearch{base: h.base, robots: robots, headers: h.options.Headers, trust: h.spec.extract.trust}, func(address string) bool {
		return h.add(address, false)
	})
	return ctx.Err()
}

// follow takes up the links of a page, if it is where it should be, and returns
// how many are new.
func (h *hunt) follow(v *view) int {
	if v == nil || h.site.Judge(v.url, 0).Fate != "" {
		return 0
	}
	before := len(h.seen)
	for _, link := range v.links[:min(len(v.links), mostLinks)] {
		if !h.add(link, true) {
			break
		}
	}
	return len(h.seen) - before
}

// walk reads pages for their links, until there are enough candidates or it has
// read as many as it may.
func (h *hunt) walk(ctx context.Context) {
	for len(h.found) < h.enough {
		best := h.best()
		if best < 0 && h.widen() {
			best = h.best()
		}
		most := h.most
		if len(h.found) >= h.limit {
			most = mostWalked
		}
		switch {
		case best < 0:
			return
		case h.walked >= most || ctx.Err() != nil:
			h.cut = len(h.found) < h.limit && !(h.wide && h.started)
			return
		}
		h.read(ctx, min(walksAtOnce, most-h.walked))
	}
}

// widen lets the walk leave the folder, if there was too little in it, and reports
// whether it does so now.
func (h *hunt) widen() bool {
	few := h.limit
	if h.started {
		few = min(few, fewMatches)
	}
	if h.wide || len(h.found) >= few {
		return false
	}
	h.wide = true
	if h.started { // there need not be more
		h.most = h.walked + mostWalked
	}
	for path := strings.TrimPrefix(h.base, siteOf(h.base)); len(path) > 1; {
		path = path[:strings.LastIndexByte(strings.TrimSuffix(path, "/"), '/')+1]
		h.add(siteOf(h.base)+path, true)
	}
	return true
}

// best returns the place of the page in the frontier that is to be read next, or
// -1 if none is.
func (h *hunt) best() int {
	best := -1
	for i := range h.frontier {
		p := &h.frontier[i]
		done := p.kind.fresh == 0 && p.kind.read >= mostIdle
		if (p.near || h.wide) && !done && (best < 0 || p.before(&h.frontier[best])) {
			best = i
		}
	}
	return best
}

// before reports whether a page is to be read before another: those of a kind of
// which some have led nowhere go last.
func (p *prospect) before(other *prospect) bool {
	idle := func(k *kind) bool { return k.fresh == 0 && k.read >= walksAtOnce }
	switch {
	case p.above != other.above:
		return p.above
	case idle(p.kind) != idle(other.kind):
		return idle(other.kind)
	case p.near != other.near:
		return p.near
	case p.fit != other.fit:
		return p.fit > other.fit
	}
	return p.turn < other.turn
}

// read reads some pages for their links.
func (h *hunt) read(ctx context.Context, count int) {
	var next []prospect
	for i := h.best(); i >= 0 && len(next) < count; i = h.best() {
		next = append(next, h.frontier[i])
		h.frontier[i] = h.frontier[len(h.frontier)-1]
		h.frontier = h.frontier[:len(h.frontier)-1]
	}
	views := make([]*view, len(next))
	var wg sync.WaitGroup
	for i, p := range next {
		wg.Go(func() { views[i], _ = h.look(ctx, p.url) })
	}
	wg.Wait()
	h.walked += len(next)
	for i, p := range next {
		p.kind.read++
		if views[i] != nil {
			h.describe(p, views[i])
			p.kind.fresh += h.follow(views[i])
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
	if err := answered(address, result); err != nil {
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
func answered(address string, result *scrape.Result) error {
	if status := result.Document.Metadata.StatusCode; status < 200 || status > 299 {
		return trawl.Errorf(trawl.CodeEngines, "The page %s answered %d.", trawl.WithoutPassword(address), status)
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
