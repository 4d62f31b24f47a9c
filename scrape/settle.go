package scrape

import (
	"cmp"
	"context"
	"net/http"
	"strconv"
	"strings"

	"github.com/google/uuid"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/extract"
	"github.com/trawlhq/trawl/scrape/source"
	"github.com/trawlhq/trawl/store"
)

// Result is a scrape that is done but neither stored nor paid for.
type Result struct {
	Document *trawl.Document
	Head     store.Packed      // the sealed part of the document; nil under zero data retention
	Links    []string          // of the page, if they were asked for
	Source   *extract.Source   // likewise; not to be changed
	Cached   *store.CachedPage // the page, if it is to go into the cache
	Version  *store.Version    // what the next one is compared with, if it is tracked

	Files      []trawl.File // pictures that the document names
	RetryAfter string       // the header, as a fresh page had it

	page *source.Page // nil if it came from the cache
}

// Release must be called once the result is stored or no longer wanted: a large
// page makes others wait until then.
func (r *Result) Release() { r.page.Release() }

// fromCache makes the result of a page in the cache. Its document is remembered, so
// that a page that many ask for is parsed once for each set of options and not once
// for each request.
func (s *Scraper) fromCache(ctx context.Context, plan *Plan, hit *source.Hit) (*Result, error) {
	key := hit.Version + plan.documentKey()
	if d, ok := s.documents.Get(key); ok {
		return s.described(ctx, plan, &hit.Head, &d, "")
	}
	page, err := s.pages.Load(ctx, &plan.Page, hit)
	if err != nil {
		return nil, timedOut(ctx, err)
	}
	defer page.Release()
	d, err := s.document(ctx, plan, page)
	if err != nil {
		return unanswered(plan, &page.Head, d), timedOut(ctx, err)
	}
	s.documents.Put(key, *d, d.size())
	return s.described(ctx, plan, &hit.Head, d, "")
}

// result makes the result of a page that is not in the cache.
func (s *Scraper) result(ctx context.Context, plan *Plan, page *source.Page) (*Result, error) {
	d, err := s.document(ctx, plan, page)
	if err != nil {
		page.Release()
		return unanswered(plan, &page.Head, d), timedOut(ctx, err)
	}
	row := s.pages.Row(&plan.Page, page)
	if row != nil && plan.UsesModel { // the next one is not to ask the model again
		s.documents.Put(row.ID+plan.documentKey(), *d, d.size())
	}
	result, err := s.described(ctx, plan, &page.Head, d, warningOf(page))
	if err != nil {
		page.Release()
		return result, err
	}
	result.Cached, result.RetryAfter, result.page = row, page.RetryAfter, page
	if !s.inline(plan) {
		result.Files = page.Files()
	}
	return result, nil
}

// warningOf says what the reader of a fresh page should know.
func warningOf(page *source.Page) string {
	if page.Challenged() {
		return strings.TrimSpace("The site answered with a check for robots in place of the page. " + page.Warning)
	}
	return page.Warning
}

// described completes a document by what only this request knows.
func (s *Scraper) described(ctx context.Context, plan *Plan, head *source.Head, d *draft, warning string) (*Result, error) {
	if err := ctx.Err(); err != nil {
		return unanswered(plan, head, d), timedOut(ctx, err)
	}
	doc := d.doc
	describe(&doc, plan, head)
	parts := plan.Warnings[:len(plan.Warnings):len(plan.Warnings)]
	if warning != "" {
		parts = append(parts, warning)
	}
	doc.Warning = strings.Join(append(parts, d.notes...), " ")
	return &Result{Document: &doc, Head: d.packed, Links: d.links, Source: d.source, Version: d.version}, nil
}

// unanswered is what there is of a page for which a model failed. It is nil if
// there was no page to begin with.
func unanswered(plan *Plan, head *source.Head, d *draft) *Result {
	if !d.read {
		return nil
	}
	doc := &trawl.Document{}
	describe(doc, plan, head)
	return &Result{Document: doc, Links: d.links, RetryAfter: head.RetryAfter}
}

// describe adds to the document what only this request knows.
func describe(doc *trawl.Document, plan *Plan, head *source.Head) {
	m := &doc.Metadata
	m.ScrapeID = uuid.Must(uuid.NewV7()).String()
	m.SourceURL = plan.URL
	m.URL = head.URL
	m.StatusCode = head.Status
	if !head.OK() {
		m.Error = cmp.Or(http.StatusText(head.Status), "HTTP status "+strconv.Itoa(head.Status))
	}
	m.ContentType = head.ContentType
	m.ProxyUsed = head.Proxy
	switch {
	case head.FromCache:
		m.CacheState, m.CachedAt = trawl.CacheHit, head.FetchedAt
	case plan.Page.Use.Read:
		m.CacheState = trawl.CacheMiss
	}
	m.TimeZone = head.TimeZone
	m.QueueDuration = plan.Waited + head.Waited
	m.CreditsUsed = plan.Price(head.Proxy, m.NumPages)
}

// settled settles a result, if there is one, and returns its document.
func (s *Scraper) settled(ctx context.Context, plan *Plan, result *Result, err error) (*trawl.Document, error) {
	if err != nil {
		return nil, err
	}
	defer result.Release()
	if err := s.settle(ctx, plan, result); err != nil {
		return nil, err
	}
	return result.Document, nil
}

// settle charges for the document, records it and stores the page in the cache.
// Work that is done is paid for: from here on the caller hanging up changes nothing.
func (s *Scraper) settle(ctx context.Context, plan *Plan, result *Result) error {
	if s.commits == nil {
		return nil
	}
	now, m := s.Now(), &result.Document.Metadata
	kind, target := "scrape", trawl.WithoutPassword(plan.URL)
	if plan.Upload {
		kind, target = "parse", plan.URL
	}
	done := store.Finished{Page: result.Cached, Version: result.Version, Files: result.Files, Charge: trawl.Charge{
		ID: m.ScrapeID, TeamID: plan.Caller.Team.ID, KeyID: plan.Caller.Key.ID, Kind: kind, Credits: m.CreditsUsed, At: now,
	}}
	if !plan.Discard {
		done.Record = &store.Record{
			ID: m.ScrapeID, TeamID: plan.Caller.Team.ID, KeyID: plan.Caller.Key.ID, Endpoint: kind, Target: target,
			Head: result.Head, Tail: result.Document.Own(), CreatedAt: now, ExpiresAt: now.Add(s.Retention),
		}
	}
	err := s.commits.finish(context.WithoutCancel(ctx), done)
	if err == nil && done.Page != nil {
		s.pages.Remember(*done.Page)
	}
	return err
}
