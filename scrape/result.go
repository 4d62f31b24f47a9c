package scrape

import (
	"cmp"
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

// newResult completes a document by what only this request knows. The warning is
// about its page.
func newResult(plan *Plan, head *source.Head, d *draft, warning string) *Result {
	doc := d.doc
	describe(&doc, plan, head, d.failed)
	parts := plan.Warnings[:len(plan.Warnings):len(plan.Warnings)]
	if warning != "" {
		parts = append(parts, warning)
	}
	doc.Warning = strings.Join(append(parts, d.notes...), " ")
	return &Result{Document: &doc, Head: d.packed, Links: d.links, Source: d.source, Version: d.version, RetryAfter: head.RetryAfter}
}

// warningOf says what the reader of a fresh page should know.
func warningOf(page *source.Page) string {
	if page.Challenged() {
		return strings.TrimSpace("The site answered with a check for robots in place of the page. " + page.Warning)
	}
	return page.Warning
}

// unanswered is what there is of a page for which a model failed. It is nil if
// there was no page to begin with.
func unanswered(plan *Plan, head *source.Head, d *draft) *Result {
	if !d.read {
		return nil
	}
	doc := &trawl.Document{}
	describe(doc, plan, head, nil)
	return &Result{Document: doc, Links: d.links, RetryAfter: head.RetryAfter}
}

// paidProxy is the proxy that a page is charged for. A page from the cache costs no
// more than the request would have cost by itself, whoever brought the page.
func paidProxy(plan *Plan, head *source.Head) string {
	if head.FromCache && plan.Page.Route != source.Enhanced {
		return trawl.ProxyBasic
	}
	return head.Proxy
}

// describe adds to the document what only this request knows.
func describe(doc *trawl.Document, plan *Plan, head *source.Head, failed []string) {
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
	m.CreditsUsed = plan.Price(paidProxy(plan, head), m.NumPages, failed...)
}
