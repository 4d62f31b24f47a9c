package job

import (
	"context"
	"fmt"
	"runtime/debug"
	"time"

	"github.com/riverqueue/river"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/crawl"
	"github.com/trawlhq/trawl/fetch"
	"github.com/trawlhq/trawl/store"
)

// Bounds of what is read of sitemaps.
const (
	mostSitemaps = 500
	sitemapTime  = 30 * time.Second
	sitemapsTime = 5 * time.Minute
	linksAtATime = 1000
	mostReadings = 5      // of all sitemaps, when the last ones ended with the process
	beyondLimit  = 10_000 // addresses beyond the limit of a crawl that are still listed
)

// discoverWorker reads the sitemaps of a crawl, or chooses the pages of an extract.
type discoverWorker struct {
	river.WorkerDefaults[store.DiscoverTask]
	engine *Engine
}

// Work implements river.Worker.
func (w *discoverWorker) Work(ctx context.Context, task *river.Job[store.DiscoverTask]) error {
	e := w.engine
	return e.beside(ctx, task.Args.Job, discovering, func(ctx context.Context, s *spec) error {
		switch {
		case s.extract != nil:
			return e.plan(ctx, s, task.Attempt)
		case task.Attempt > mostReadings: // what it finds must not keep the crawl from ending
			e.Log.Error("sitemaps are given up", "job", s.ID, "attempt", task.Attempt)
			return e.addLinks(ctx, s, nil, true, nil)
		}
		return e.discover(ctx, s)
	})
}

// beside does what a job needs beside its pages, under a number of its own, unless
// the job is over.
func (e *Engine) beside(ctx context.Context, jobID string, number int64, work func(context.Context, *spec) error) error {
	var s *spec
	var job trawl.Job
	err := persist(ctx, func() (err error) {
		if s, err = e.spec(ctx, jobID); err == nil {
			job, err = e.Store.Job(ctx, s.TeamID, s.Kind, s.ID)
		}
		return err
	})
	if err != nil || job.Done() {
		return handBack(ctx, err)
	}
	ctx, done := s.begin(ctx, number)
	defer done()
	if err = work(ctx, s); err == nil {
		e.hub.tell(s.ID)
	}
	return handBack(ctx, err)
}

// discover queues the pages that sitemaps list.
func (e *Engine) discover(ctx context.Context, s *spec) error {
	base, err := e.Store.Base(ctx, s.ID)
	if err != nil {
		return err
	}
	rules, err := s.rulesFor(base)
	if err != nil {
		return err
	}
	robots, err := e.robots.get(ctx, base)
	if err != nil {
		return err
	}
	var links []store.Link
	room := s.crawl.Limit + beyondLimit
	var failed error
	found := e.sitemaps(ctx, sitemapSearch{base: base, robots: robots}, func(address string) bool {
		link := e.judge(s, rules, address, 0)
		if link.Fate == "" {
			room--
		}
		if links = append(links, link); len(links) == linksAtATime {
			failed = e.addLinks(ctx, s, links, false, nil)
			links = nil
		}
		return room > 0 && failed == nil
	})
	if failed != nil {
		return failed
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	var reason *store.Failure
	if found == 0 && s.crawl.Sitemap == trawl.SitemapOnly {
		reason = &store.Failure{Code: trawl.CodeSitemap, Text: "No sitemap of the site could be read, and the crawl was to use nothing else."}
	}
	return e.addLinks(ctx, s, links, true, reason)
}

func (e *Engine) addLinks(ctx context.Context, s *spec, links []store.Link, last bool, failure *store.Failure) error {
	return persist(ctx, func() error { return e.Store.AddLinks(ctx, s.TeamID, s.ID, links, last, failure) })
}

// sitemapSearch is where sitemaps are looked for and how they are asked for.
type sitemapSearch struct {
	base    string
	robots  *crawl.Robots
	headers map[string]string
	trust   trust // who gets them
}

// sitemaps visits the addresses in the sitemaps of a site and returns how many
// sitemaps there were. Each file is read once, so that sitemaps may name each
// other in a circle.
func (e *Engine) sitemaps(ctx context.Context, search sitemapSearch, visit func(address string) bool) (found int) {
	ctx, cancel := context.WithTimeout(ctx, sitemapsTime)
	defer cancel()
	queue := crawl.SitemapCandidates(search.base, search.robots)
	seen := map[string]bool{}
	more := true
	for read := 0; len(queue) > 0 && read < mostSitemaps && more && ctx.Err() == nil; {
		address := queue[0]
		queue = queue[1:]
		if seen[address] {
			continue
		}
		seen[address] = true
		read++
		listed := e.readSitemap(ctx, address, search, func(loc string, index bool) bool {
			if !index {
				more = visit(loc)
				return more
			}
			if target, err := trawl.ParseTarget(loc); err == nil && len(queue) < mostSitemaps {
				queue = append(queue, target)
			}
			return true
		})
		if listed > 0 {
			found++
		}
	}
	return found
}

// readSitemap visits what one sitemap lists, and counts that. What was read before
// an error counts, and a file that its reader does not survive is no more than an error.
func (e *Engine) readSitemap(ctx context.Context, address string, search sitemapSearch, visit func(loc string, index bool) bool) (listed int) {
	defer func() {
		if v := recover(); v != nil {
			e.Log.Error("panic while reading a sitemap", "err", fmt.Sprint(v), "stack", string(debug.Stack()))
		}
	}()
	if body := e.sitemap(ctx, address, search); body != nil {
		_ = crawl.ReadSitemap(body, func(loc string, index bool) bool {
			listed++
			return visit(loc, index)
		})
	}
	return listed
}

// sitemap gets a file that may be a sitemap.
func (e *Engine) sitemap(ctx context.Context, address string, search sitemapSearch) []byte {
	ctx, cancel := context.WithTimeout(ctx, sitemapTime)
	defer cancel()
	req := fetch.Request{URL: address, Languages: []string{"en-US"}, Country: "US", SkipTLS: len(search.headers) == 0}
	if search.trust.covers(address) {
		req.Headers = search.headers
	}
	response, err := e.Fetch.Fetch(ctx, req)
	if err != nil || response.Status < 200 || response.Status > 299 {
		return nil
	}
	return response.Body
}
