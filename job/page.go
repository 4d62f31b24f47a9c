package job

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"runtime/debug"
	"strconv"
	"sync"
	"time"

	"github.com/google/uuid"
	"github.com/riverqueue/river"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/crawl"
	"github.com/trawlhq/trawl/scrape"
	"github.com/trawlhq/trawl/scrape/source"
	"github.com/trawlhq/trawl/store"
)

// How a page is tried. A task that was handed out again this often may hold a
// page that ends the process: its pages are then scraped one by one, and each of
// those attempts is noted before it is made.
const (
	mostTogether = 3
	mostAlone    = 8      // a process may end for other reasons, and often
	mostWaiting  = 20     // of what waits for a language model, which takes longer
	mostLinks    = 20_000 // of a page that its crawl has not seen; more are a trap
	outage       = 5 * time.Minute
	busyPause    = time.Second      // before a site that was busy is asked again
	mostBusyWait = 10 * time.Second // however long it asks for
)

// pageWorker scrapes pages that were admitted together.
type pageWorker struct {
	river.WorkerDefaults[store.PageTask]
	engine *Engine
}

// Work implements river.Worker.
func (w *pageWorker) Work(ctx context.Context, task *river.Job[store.PageTask]) error {
	e := w.engine
	var base string
	var pages []store.Page
	var s *spec
	err := persist(ctx, func() (err error) {
		if base, pages, err = e.Store.RunningPages(ctx, task.Args.Job, task.Args.Pages); err != nil || len(pages) == 0 {
			return err
		}
		s, err = e.spec(ctx, task.Args.Job)
		return err
	})
	if err != nil || len(pages) == 0 {
		return handBack(ctx, err)
	}
	run := e.run
	if task.Attempt > mostTogether {
		run = e.runAlone
	}
	var wg sync.WaitGroup
	for _, page := range pages {
		wg.Go(func() { run(ctx, s, base, page) })
	}
	wg.Wait()
	return handBack(ctx, nil)
}

// handBack returns the result of a task: when the node stops before it is done,
// another takes it over at once.
func handBack(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return river.JobSnooze(0)
	}
	if trawl.ErrorCode(err) == trawl.CodeNotFound {
		return nil // the job is gone, and with it the task
	}
	return err
}

// persist does what needs the database until it works or the context ends: an
// outage costs time and nothing else. After some minutes it is left to River to
// try again.
func persist(ctx context.Context, f func() error) error {
	pause := 50 * time.Millisecond
	for begun := time.Now(); ; {
		err := f()
		var known *trawl.Error
		if err == nil || errors.As(err, &known) || time.Since(begun) > outage || !sleep(ctx, pause) {
			return err
		}
		pause = min(2*pause, 2*time.Second)
	}
}

// runAlone scrapes a page while no other suspect is scraped. Those of extracts do
// not wait for each other: they mostly wait for a language model.
func (e *Engine) runAlone(ctx context.Context, s *spec, base string, page store.Page) {
	if s.extract == nil {
		e.alone.Lock()
		defer e.alone.Unlock()
	}
	e.try(ctx, s, base, page, e.suspect)
}

// run scrapes a page and stores what became of it.
func (e *Engine) run(ctx context.Context, s *spec, base string, page store.Page) {
	e.try(ctx, s, base, page, e.insist)
}

// try stores what an attempt at a page, made when its turn has come, says has
// become of it. If the context ends before, nothing is stored.
func (e *Engine) try(ctx context.Context, s *spec, base string, page store.Page, attempt func(context.Context, *spec, string, store.Page) outcome) {
	if !sleep(ctx, page.StartAt.Sub(e.Now())) {
		return
	}
	select {
	case e.slots <- struct{}{}:
	case <-ctx.Done():
		return
	}
	ctx, done := s.run(ctx, page.Number)
	defer done()
	e.commits.active.Add(1)
	defer e.commits.active.Add(-1)
	if s.ZeroDataRetention {
		ctx = trawl.Discreetly(ctx)
	}
	result := attempt(ctx, s, base, page)
	defer result.release()
	<-e.slots
	if ctx.Err() == nil {
		e.commits.finish(s, result)
	}
}

// suspect scrapes a page that may have ended its process, and notes that before:
// one that did so again and again fails. The note is made at the last moment, since
// a process that ends for another reason must not be held against pages that only
// wait.
func (e *Engine) suspect(ctx context.Context, s *spec, base string, page store.Page) (o outcome) {
	most := mostAlone
	if s.extract != nil {
		most = mostWaiting
	}
	var attempts int
	err := persist(ctx, func() (err error) {
		attempts, err = e.Store.CountAttempt(ctx, s.ID, page.Number)
		return err
	})
	if err == nil && attempts > most {
		e.Log.Error("a page ended the process again and again", "job", s.ID, "page", page.Number)
		o.FinishedPage = store.FinishedPage{
			TeamID: s.TeamID, JobID: s.ID, Number: page.Number, ScrapeID: newID(),
			Failure: &store.Failure{Code: trawl.CodeCrashed, Text: "The page could not be scraped: every attempt ended the process."},
		}
		return o
	}
	return e.insist(ctx, s, base, page)
}

// insist scrapes a page, and again when it failed for want of the database: that
// is not the page's fault.
func (e *Engine) insist(ctx context.Context, s *spec, base string, page store.Page) (o outcome) {
	tries := 0
	_ = persist(ctx, func() (err error) {
		o.release()
		o, err = e.attempt(ctx, s, base, page)
		if tries++; tries > 1 && err != nil && e.Store.Ping(ctx) == nil {
			e.Log.Error("page failed", "job", s.ID, "page", page.Number, "err", err)
			return nil
		}
		return err
	})
	return o
}

// outcome is what became of a page, and which links it had.
type outcome struct {
	store.FinishedPage
	found   []string       // links as they stood in the page, once the store knows them
	scraped *scrape.Result // what the document is made of, until that is stored
}

// release gives back what the page takes.
func (o *outcome) release() {
	if o.scraped != nil {
		o.scraped.Release()
	}
}

// attempt scrapes a page. Whatever goes wrong is an outcome too; what went wrong
// within the service is also returned.
func (e *Engine) attempt(ctx context.Context, s *spec, base string, page store.Page) (o outcome, err error) {
	o.FinishedPage = store.FinishedPage{TeamID: s.TeamID, JobID: s.ID, Number: page.Number, ScrapeID: newID()}
	defer func() {
		if v := recover(); v != nil {
			e.Log.Error("panic while scraping", "job", s.ID, "page", page.Number, "err", fmt.Sprint(v), "stack", string(debug.Stack()))
			o.Document, o.Failure, err = nil, failureOf(nil), nil
		}
	}()
	options, err := e.optionsOf(ctx, s, page.Options)
	if err == nil {
		switch {
		case s.crawl != nil:
			err = e.visit(ctx, s, base, page, options, &o)
		case s.extract != nil:
			err = e.timely(ctx, s, func(ctx context.Context) error { return e.read(ctx, s, page, options, &o) })
		default:
			err = e.scrape(ctx, s, page, options, &o, nil)
		}
	}
	if err != nil {
		o.Document, o.Failure = nil, failureOf(err)
		o.Doubtful = o.Failure.Code != trawl.CodeUnsupportedFile && o.Failure.Code != trawl.CodeCrawlDenial
		if s.ZeroDataRetention && o.Failure.Code == trawl.CodeModel { // a model may have quoted the page
			o.Failure.Text = "The language model did not give what was asked for."
		}
	}
	return o, err
}

// scrape makes the document of a page and fills it in. With use, it also passes
// the result on.
func (e *Engine) scrape(ctx context.Context, s *spec, page store.Page, options *trawl.ScrapeOptions, o *outcome, use func(*scrape.Result) error) error {
	req := s.request(page.URL, options)
	req.Links, req.Hidden = use != nil && !page.Hidden, page.Hidden
	result, err := e.prepareTwice(ctx, req)
	o.scraped = result
	if err != nil {
		if result != nil && use != nil { // the page is there, of which only json or summary failed
			err = errors.Join(use(result), err)
		}
		return err
	}
	doc := result.Document
	o.ScrapeID, o.Cached, o.Version = doc.Metadata.ScrapeID, result.Cached, result.Version
	o.Doubtful = busy(result) || doc.Metadata.StatusCode >= 500
	o.Document = &store.PageDocument{Head: result.Head, Tail: doc.Own(), Credits: doc.Metadata.CreditsUsed, Files: result.Files}
	o.Document.Size = len(doc.Seal()) + len(o.Document.Tail)
	if s.Seal != nil {
		if o.Document.Head, o.Document.Tail, err = seal(s.Seal, doc); err != nil {
			return err
		}
	}
	if use == nil {
		return nil
	}
	return use(result)
}

// request is what a page of the job is scraped by.
func (s *spec) request(address string, options *trawl.ScrapeOptions) scrape.Request {
	req := scrape.Request{Base: s.PublicURL, Caller: trawl.Caller{Team: trawl.Team{ID: s.TeamID}, Key: trawl.Key{ID: s.KeyID, TeamID: s.TeamID}}}
	req.URL, req.ScrapeOptions, req.ZeroDataRetention = address, *options, s.ZeroDataRetention
	if len(req.Headers) > 0 && !s.entrusts(address) {
		req.Headers = nil
	}
	return req
}

// entrusts reports whether the headers of the job are meant for an address. In a
// batch the caller named them all.
func (s *spec) entrusts(address string) bool {
	switch {
	case s.crawl != nil:
		base, err := trawl.ParseTarget(s.crawl.URL)
		return err == nil && trust{[]string{base}, s.crawl.AllowSubdomains}.covers(address)
	case s.extract != nil:
		return s.extract.trust.covers(address)
	}
	return true
}

// prepareTwice scrapes, and once more if the site asked to come back later.
func (e *Engine) prepareTwice(ctx context.Context, req scrape.Request) (*scrape.Result, error) {
	result, err := e.prepare(ctx, req)
	if result != nil && busy(result) && sleep(ctx, busyWait(result, e.Now())) {
		result.Release()
		result, err = e.prepare(ctx, req)
	}
	return result, err
}

// prepare scrapes within the time that the options give.
func (e *Engine) prepare(ctx context.Context, req scrape.Request) (*scrape.Result, error) {
	ctx, cancel := source.Patiently(ctx, req.Budget())
	defer cancel()
	return e.Scraper.Prepare(ctx, req)
}

// busy reports whether the site asked to come back later.
func busy(r *scrape.Result) bool {
	status := r.Document.Metadata.StatusCode
	return status == http.StatusTooManyRequests || status == http.StatusServiceUnavailable
}

func busyWait(r *scrape.Result, now time.Time) time.Duration {
	wait := busyPause
	if seconds, err := strconv.Atoi(r.RetryAfter); err == nil {
		wait = time.Duration(min(max(seconds, 0), 3600)) * time.Second
	} else if at, err := http.ParseTime(r.RetryAfter); err == nil {
		wait = at.Sub(now)
	}
	return min(max(wait, busyPause), mostBusyWait)
}

// visit scrapes a page of a crawl: if robots.txt allows it, and with its links.
func (e *Engine) visit(ctx context.Context, s *spec, base string, page store.Page, options *trawl.ScrapeOptions, o *outcome) error {
	rules, err := s.rulesFor(base)
	if err != nil {
		return err
	}
	target, err := trawl.ParseTarget(page.URL) // the start is as it was typed
	if err != nil {
		return err
	}
	if !s.crawl.IgnoreRobotsTxt {
		robots, err := e.robots.get(ctx, target)
		if err != nil {
			return err
		}
		if !robots.Allowed(agentOf(s.crawl), target) {
			o.Robots = true
			return nil
		}
		if robots != nothingAllowed {
			o.Delay = min(robots.Delay(agentOf(s.crawl)), mostCrawlWait)
		}
	}
	return e.scrape(ctx, s, page, options, o, func(result *scrape.Result) error {
		if rules, err = e.arrive(s, rules, page, target, result, o); err != nil {
			return err
		}
		if o.Robots, err = e.forbidden(ctx, s, result); err != nil || o.Robots || page.Hidden || !rules.FollowsLinks() {
			return err
		}
		e.collect(s, rules, page, result.Links, o)
		return nil
	})
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
func (e *Engine) arrive(s *spec, rules *crawl.Rules, page store.Page, target string, result *scrape.Result, o *outcome) (*crawl.Rules, error) {
	final, err := trawl.ParseTarget(result.Document.Metadata.URL)
	if err != nil || final == target {
		return rules, nil
	}
	if page.Number == 1 {
		if siteOf(final) != siteOf(target) {
			o.Base = final
			if rules, err = crawl.NewRules(s.crawl, final); err != nil {
				return nil, err
			}
		}
	} else if verdict := rules.Judge(final, page.Depth); verdict.Fate != "" {
		return nil, trawl.Errorf(trawl.CodeCrawlDenial, "The page redirects to %s, which is outside of the crawl (%s).", trawl.WithoutPassword(final), verdict.Rule)
	}
	if identity := rules.Identity(final); identity != rules.Identity(target) {
		o.Identity, o.FinalURL = identity, final
	}
	return rules, nil
}

// collect judges the links of a page.
func (e *Engine) collect(s *spec, rules *crawl.Rules, page store.Page, links []string, o *outcome) {
	fresh := s.unknown(e.seed, links)
	for _, raw := range fresh[:min(len(fresh), mostLinks)] {
		link := e.judge(s, rules, raw, page.Depth+1)
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

func newID() string { return uuid.Must(uuid.NewV7()).String() }
