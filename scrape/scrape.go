// Package scrape carries out one scrape from start to end: cache, fetch,
// content, formats, bill. It is the heart of the service: the synchronous
// endpoint and every page of a job go through [Scraper.Scrape].
//
// A file that is uploaded takes the same way from its content on, through
// [Scraper.Parse].
//
// The steps are plain functions from values to values; only the two ends touch
// the world. A page is found (in the cache, or fetched from the network), turned
// into HTML first if it is a document of another kind (file.go), turned into a
// document of the API (derive), understood (ask.go) and compared with its past
// (track.go) if that is asked for, and finished (the committer: its charge, its record and its place in the cache in one
// transaction).
package scrape

import (
	"cmp"
	"context"
	"errors"
	"net/http"
	"runtime"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"github.com/google/uuid"
	"golang.org/x/sync/semaphore"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/brand"
	"github.com/trawlhq/trawl/browser"
	"github.com/trawlhq/trawl/content"
	"github.com/trawlhq/trawl/document"
	"github.com/trawlhq/trawl/extract"
	"github.com/trawlhq/trawl/fetch"
	"github.com/trawlhq/trawl/profile"
	"github.com/trawlhq/trawl/store"
)

// Fetcher gets pages from the network.
type Fetcher interface {
	Fetch(ctx context.Context, req fetch.Request) (*fetch.Response, error)
	HasEnhanced(country string) bool
}

// Browser renders pages. Its errors are *trawl.Error, or browser.ErrNotPage.
type Browser interface {
	Render(ctx context.Context, req browser.Request) (*browser.Result, error)
}

// Reader turns files into HTML. Its errors are *trawl.Error.
type Reader interface {
	Read(ctx context.Context, kind document.Kind, body []byte, o document.Options) (*document.Result, error)
}

// Extractor makes what takes an understanding of a page. Its errors are
// *trawl.Error, or that of the context.
type Extractor interface {
	JSON(ctx context.Context, src *extract.Source, want extract.Want) (*extract.Finding, error)
	Summary(ctx context.Context, src *extract.Source) (text string, tokens int, warning string, err error)
	Answer(ctx context.Context, src *extract.Source, question string) (text string, tokens int, err error)
	Highlights(ctx context.Context, src *extract.Source, query string) (text string, tokens int, warning string, err error)
	Product(ctx context.Context, src *extract.Source) (value any, tokens int, warning string, err error)
	Menu(ctx context.Context, src *extract.Source) (value any, tokens int, warning string, err error)
	Brand(ctx context.Context, src *extract.Source, kit *brand.Kit) (b *trawl.Branding, tokens int, warning string, err error)
	Changes(ctx context.Context, before, now *extract.Source, want extract.Want) (value any, tokens int, warning string, err error)
}

// Store keeps what finished scrapes leave behind.
type Store interface {
	Cached(ctx context.Context, teamID string, keys []string, from, to time.Time) (store.CachedPage, error)
	Finish(ctx context.Context, batch []store.Finished) ([]error, error)
	Pack(data []byte) (store.Packed, error)
}

// Blobs keep the bodies of cached pages, which the store puts there.
type Blobs interface {
	Get(ctx context.Context, id string) ([]byte, error)
}

// Config is what a Scraper works with. Without a Store and Blobs it neither
// caches nor charges, which is how the command line scrapes.
type Config struct {
	Fetch     Fetcher
	Browser   Browser // nil where there is none
	Documents Reader  // likewise
	Store     Store
	Blobs     Blobs
	History   History       // nil where Store is
	Profiles  profile.Store // nil where none are kept
	Node      string        // who takes profiles: they are freed when it is gone
	Extract   Extractor     // nil: one without a model
	Retention time.Duration // how long documents can be read again
	Now       func() time.Time

	// ModelReady says that Extract has a model to ask: what cannot be done without
	// one is refused otherwise.
	ModelReady bool

	// FileSecret signs the addresses of pictures. Without a Store they are part of
	// the document.
	FileSecret []byte
}

// Scraper scrapes pages. It is safe for concurrent use; Close ends it.
type Scraper struct {
	Config
	active  atomic.Int64
	commits *committer
	derived *memo[derived]          // documents of cached pages
	rows    *memo[store.CachedPage] // rows of the cache that were found lately
	flights flights
	savers  queues              // pages that save to the same profile
	sites   *sites              // what was learned about them
	parsing chan struct{}       // holds a token for each page that is being parsed
	large   chan struct{}       // and for each large page that is in memory
	huge    sync.Mutex          // held while a large page is parsed
	asked   *semaphore.Weighted // bytes of the large pages that a model works on

	comparing chan struct{} // holds a token for each page that is compared with its past
}

// What is remembered in memory, in bytes.
const (
	derivedBytes = 32 << 20
	rowBytes     = 8 << 20
)

// Request is one page to scrape for a caller.
type Request struct {
	trawl.ScrapeRequest
	Caller trawl.Caller
	Waited time.Duration // for a slot, before the scrape began
	Links  bool          // the links of the page are wanted beside the document
	Read   bool          // likewise what can be extracted from
	Hidden bool          // no link and no sitemap led to the page
	Base   string        // of this service's own addresses in the document, without a slash at the end

	holder string // of the profile, while the request may save to it
	upload bool   // the page came with the request
	live   bool   // somebody waits for the document
}

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

	page *page
}

// Release must be called once the result is stored or no longer wanted: a large
// page makes others wait until then.
func (r *Result) Release() { r.page.free() }

// New returns a Scraper.
func New(config Config) *Scraper {
	s := &Scraper{
		Config:  config,
		derived: newMemo[derived](derivedBytes),
		rows:    newMemo[store.CachedPage](rowBytes),
		sites:   newSites(config.Now),
		large:   make(chan struct{}, max(mostLarge, runtime.GOMAXPROCS(0))),
		parsing: make(chan struct{}, runtime.GOMAXPROCS(0)), // more at a time would not be faster, only larger
		asked:   semaphore.NewWeighted(mostAsked),

		comparing: make(chan struct{}, mostCompared),
	}
	if config.Extract == nil {
		s.Extract = &extract.Extractor{}
	}
	if config.Store != nil {
		s.commits = startCommitter(config.Store, &s.active)
	}
	return s
}

// Close waits for the scrapes that are being stored.
func (s *Scraper) Close() {
	if s.commits != nil {
		s.commits.stop()
	}
}

// Scrape fetches a page, or finds it in the cache, and returns the document
// that was asked for, charged and recorded. The options must have passed [Scraper.Check].
// An error is a *trawl.Error; nothing is charged for it. The context bounds the
// whole of it.
func (s *Scraper) Scrape(ctx context.Context, req Request) (*trawl.Document, error) {
	s.active.Add(1)
	defer s.active.Add(-1)
	req.live = true
	target, err := trawl.ParseTarget(req.URL)
	if err != nil {
		return nil, invalid(err.Error(), "url")
	}
	page, err := s.cached(ctx, &req, target)
	if err == nil && page == nil {
		return s.fresh(ctx, &req, target)
	}
	if err != nil {
		return nil, timedOut(ctx, err)
	}
	doc, err := s.complete(ctx, &req, page)
	if errors.Is(err, errBodyGone) {
		return s.fresh(ctx, &req, target)
	}
	return doc, err
}

// Prepare scrapes like [Scraper.Scrape], but leaves it to the caller to store the
// result and to charge for it: pages of a job are stored together. If only what a
// model makes of a page failed, a result comes with the error: the page's metadata
// and its links, by which a crawl goes on.
func (s *Scraper) Prepare(ctx context.Context, req Request) (*Result, error) {
	target, err := trawl.ParseTarget(req.URL)
	if err != nil {
		return nil, invalid(err.Error(), "url")
	}
	page, err := s.cached(ctx, &req, target)
	if err != nil {
		return nil, timedOut(ctx, err)
	}
	if page != nil {
		if result, err := s.prepare(ctx, &req, page); !errors.Is(err, errBodyGone) {
			return result, err
		}
	}
	if req.CacheOnly() {
		return nil, missed(&req)
	}
	if page, err = s.fetchPage(ctx, &req, target); err != nil {
		return nil, timedOut(ctx, err)
	}
	if s.eligible(&req) {
		page.cacheState = trawl.CacheMiss
	}
	result, err := s.prepare(ctx, &req, page)
	if err != nil {
		page.free()
	}
	return result, err
}

// InCache reports whether the cache can serve a request without a fetch.
func (s *Scraper) InCache(ctx context.Context, req Request) (bool, error) {
	target, err := trawl.ParseTarget(req.URL)
	if err != nil {
		return false, nil
	}
	page, err := s.cached(ctx, &req, target)
	return page != nil, err
}

// fresh scrapes a page from the network. When the same page is being fetched
// already, or was a moment ago, that one serves.
func (s *Scraper) fresh(ctx context.Context, req *Request, target string) (*trawl.Document, error) {
	if req.CacheOnly() {
		return nil, missed(req)
	}
	eligible := s.eligible(req)
	if eligible && req.StoreInCache {
		key := req.Caller.Team.ID + cacheKey(req, target, req.Proxy)
		if asks(req) { // who only wants the page does not wait for a model
			key += derivation(&req.ScrapeOptions)
		}
		land := s.flights.board(ctx, key)
		defer land()
		if page := s.remembered(req, target); page != nil {
			if doc, err := s.complete(ctx, req, page); !errors.Is(err, errBodyGone) {
				return doc, err
			}
		}
	}
	page, err := s.fetchPage(ctx, req, target)
	if err != nil {
		return nil, timedOut(ctx, err)
	}
	defer page.free()
	if eligible {
		page.cacheState = trawl.CacheMiss
	}
	return s.complete(ctx, req, page)
}

// complete makes the document of a page, charges for it and records it.
func (s *Scraper) complete(ctx context.Context, req *Request, page *page) (*trawl.Document, error) {
	result, err := s.prepare(ctx, req, page)
	if err != nil {
		return nil, err
	}
	if err := s.finish(ctx, req, result); err != nil {
		return nil, err
	}
	return result.Document, nil
}

// prepare makes the document of a page.
func (s *Scraper) prepare(ctx context.Context, req *Request, page *page) (*Result, error) {
	d, err := s.derive(ctx, req, page)
	if err == nil {
		err = ctx.Err()
	}
	if err != nil {
		return unanswered(req, page, &d), timedOut(ctx, err)
	}
	result := &Result{Document: &d.doc, Head: d.packed, Links: d.links, Source: d.source, Version: d.version, Files: page.files, RetryAfter: page.retryAfter, page: page}
	if s.Store != nil && page.version == "" && !page.faulty && page.sign != content.Challenge && req.Cacheable() && req.StoreInCache && page.status >= 200 && page.status <= 299 {
		result.Cached = cacheRow(req, page)
		if asks(req) { // the next one is not to ask the model again
			s.derived.put(derivedKey(req, result.Cached.ID, page), d, d.size())
		}
	}
	describe(&d.doc, req, page)
	d.doc.Warning = s.warning(req, page, d.notes)
	return result, nil
}

// unanswered is what there is of a page for which a model failed. It is nil if
// there was no page to begin with.
func unanswered(req *Request, page *page, d *derived) *Result {
	if d.doc.Metadata.Tags == nil {
		return nil
	}
	doc := &trawl.Document{}
	describe(doc, req, page)
	return &Result{Document: doc, Links: d.links, RetryAfter: page.retryAfter, page: page}
}

// describe adds to the document what only this request knows.
func describe(doc *trawl.Document, req *Request, page *page) {
	m := &doc.Metadata
	m.ScrapeID = uuid.Must(uuid.NewV7()).String()
	m.SourceURL = req.URL
	m.URL = page.finalURL
	m.StatusCode = page.status
	if page.status < 200 || page.status > 299 {
		m.Error = cmp.Or(http.StatusText(page.status), "HTTP status "+strconv.Itoa(page.status))
	}
	m.ContentType = page.contentType
	m.ProxyUsed = page.proxy
	m.CacheState = page.cacheState
	if page.cacheState == trawl.CacheHit {
		m.CachedAt = page.fetchedAt
	}
	m.TimeZone = page.timeZone
	m.QueueDuration = req.Waited + page.waited
	m.CreditsUsed = req.Price(page.proxy, m.NumPages)
}

// finish charges for the document, records it and stores the page in the cache.
// Work that is done is paid for: from here on the caller hanging up changes nothing.
func (s *Scraper) finish(ctx context.Context, req *Request, result *Result) error {
	if s.commits == nil {
		return nil
	}
	now, m := s.Now(), &result.Document.Metadata
	kind, target := "scrape", trawl.WithoutPassword(req.URL)
	if req.upload {
		kind, target = "parse", req.URL
	}
	done := store.Finished{Page: result.Cached, Version: result.Version, Files: result.Files, Charge: trawl.Charge{
		ID: m.ScrapeID, TeamID: req.Caller.Team.ID, KeyID: req.Caller.Key.ID, Kind: kind, Credits: m.CreditsUsed, At: now,
	}}
	if !req.ZeroDataRetention {
		done.Record = &store.Record{
			ID: m.ScrapeID, TeamID: req.Caller.Team.ID, KeyID: req.Caller.Key.ID, Endpoint: kind, Target: target,
			Head: result.Head, Tail: result.Document.Own(), CreatedAt: now, ExpiresAt: now.Add(s.Retention),
		}
	}
	err := s.commits.finish(context.WithoutCancel(ctx), done)
	if err == nil && done.Page != nil {
		s.remember(*done.Page)
	}
	return err
}

// cacheRow returns the row of a fresh page in the cache, with its body.
func cacheRow(req *Request, page *page) *store.CachedPage {
	id := uuid.Must(uuid.NewV7()).String()
	row := &store.CachedPage{
		ID: id, TeamID: req.Caller.Team.ID, Key: cacheKey(req, page.target, page.proxy),
		URL: page.target, FinalURL: withoutFragment(page.finalURL, page.target), ContentType: page.contentType,
		Language: page.language, Proxy: page.proxy,
		Status: page.status, BlobID: id, Size: int64(len(page.body)), FetchedAt: page.fetchedAt, Body: page.body,
	}
	if page.picture != nil {
		row.FileID, row.FileType, row.FileExpiresAt = page.picture.ID, page.picture.ContentType, page.picture.ExpiresAt
	}
	return row
}

// timedOut turns whatever a passed deadline caused into the one error for it.
func timedOut(ctx context.Context, err error) error {
	if errors.Is(ctx.Err(), context.DeadlineExceeded) && trawl.ErrorCode(err) != trawl.CodeQueueTimeout {
		return trawl.Wrap(trawl.CodeTimeout, "The scrape did not finish within its timeout. Raise timeout or ask for less.", err)
	}
	return err
}
