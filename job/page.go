package job

import (
	"context"
	"fmt"
	"net/http"
	"runtime/debug"
	"strconv"
	"time"

	"github.com/google/uuid"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/scrape"
	"github.com/trawlhq/trawl/scrape/source"
	"github.com/trawlhq/trawl/store"
)

// How long a site that was busy is left alone.
const (
	busyPause    = time.Second      // before it is asked again
	mostBusyWait = 10 * time.Second // however long it asks for
)

// outcome is what became of a page, and which links it had.
type outcome struct {
	store.FinishedPage
	found   []string       // links as they stood in the page, once the store knows them
	scraped *scrape.Result // what the document is made of, until that is stored
}

// outcome returns that of a page of which nothing has become yet.
func (r *run) outcome() outcome {
	return outcome{FinishedPage: store.FinishedPage{TeamID: r.TeamID, JobID: r.ID, Number: r.page.Number, ScrapeID: newID()}}
}

// release gives back what the page takes.
func (o *outcome) release() {
	if o.scraped != nil {
		o.scraped.Release()
	}
}

// attempt scrapes a page. Whatever goes wrong is an outcome too; what went wrong
// within the service is also returned.
func (e *Engine) attempt(ctx context.Context, r run) (o outcome, err error) {
	o = r.outcome()
	defer func() {
		if v := recover(); v != nil {
			e.Log.Error("panic while scraping", "job", r.ID, "page", r.page.Number, "err", fmt.Sprint(v), "stack", string(debug.Stack()))
			o.Document, o.Failure, err = nil, failureOf(nil), nil
		}
	}()
	options, err := e.optionsOf(ctx, r.spec, r.page.Options)
	if err == nil {
		switch {
		case r.crawl != nil:
			err = e.visit(ctx, r, options, &o)
		case r.extract != nil:
			err = e.timely(ctx, r.spec, func(ctx context.Context) error { return e.read(ctx, r, options, &o) })
		default:
			err = e.scrape(ctx, r, options, &o)
		}
	}
	if err != nil {
		o.fail(err, r.ZeroDataRetention)
	}
	return o, err
}

// fail makes the outcome a failure. Under zero data retention it keeps no words that
// a model may have quoted from the page.
func (o *outcome) fail(err error, discreet bool) {
	o.Document, o.Failure = nil, failureOf(err)
	o.Doubtful = o.Failure.Code != trawl.CodeUnsupportedFile && o.Failure.Code != trawl.CodeCrawlDenial
	if discreet && o.Failure.Code == trawl.CodeModel {
		o.Failure.Text = "The language model did not give what was asked for."
	}
}

// scrape makes the document of a page of a batch.
func (e *Engine) scrape(ctx context.Context, r run, options *trawl.ScrapeOptions, o *outcome) (err error) {
	if o.scraped, err = e.prepareTwice(ctx, r.request(r.page.URL, options)); err != nil {
		return err
	}
	return o.complete(r.spec)
}

// complete fills in the document of a page that was scraped.
func (o *outcome) complete(s *spec) (err error) {
	result, doc := o.scraped, o.scraped.Document
	o.ScrapeID, o.Cached, o.Version = doc.Metadata.ScrapeID, result.Cached, result.Version
	o.Doubtful = busy(result) || doc.Metadata.StatusCode >= 500
	o.Document = &store.PageDocument{Head: result.Head, Tail: doc.Own(), Credits: doc.Metadata.CreditsUsed, Files: result.Files}
	o.Document.Size = len(doc.Seal()) + len(o.Document.Tail)
	if s.Seal != nil {
		o.Document.Head, o.Document.Tail, err = seal(s.Seal, doc)
	}
	return err
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

func newID() string { return uuid.Must(uuid.NewV7()).String() }
