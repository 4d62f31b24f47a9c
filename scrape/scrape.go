// Package scrape carries out one scrape from start to end. It is the heart of the
// service: the synchronous endpoint and every page of a job go through it.
//
// A request goes one way through it, and every stage has a type of its own:
//
//	request   what a caller asks for
//	plan      what that means for the work: made once, and read by all that follows (plan.go)
//	page      where it was got: the cache, the network, a browser, an upload (scrape/source)
//	reading   what it says: text, tree, main content (scrape/reading)
//	document  what is made of that, format by format (document.go, scrape/format)
//	result    the document with what only this request knows (result.go), then charged and stored (settle.go)
package scrape

import (
	"context"
	"errors"
	"sync/atomic"
	"time"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/extract"
	"github.com/trawlhq/trawl/internal/lru"
	"github.com/trawlhq/trawl/profile"
	"github.com/trawlhq/trawl/scrape/format"
	"github.com/trawlhq/trawl/scrape/reading"
	"github.com/trawlhq/trawl/scrape/source"
	"github.com/trawlhq/trawl/store"
)

// Store keeps what finished scrapes leave behind.
type Store interface {
	source.Cache
	Finish(ctx context.Context, batch []store.Finished) ([]error, error)
	Pack(data []byte) (store.Packed, error)
}

// Config is what a Scraper works with. Without a Store and Blobs it neither
// caches nor charges, which is how the command line scrapes.
type Config struct {
	Fetch     source.Fetcher
	Browser   source.Browser    // nil where there is none
	Documents reading.Documents // likewise
	Store     Store
	Blobs     source.Blobs
	History   format.History   // nil where Store is
	Profiles  profile.Store    // nil where none are kept
	Node      string           // who locks profiles: they are freed when it is gone
	Extract   format.Extractor // nil: one without a model
	Retention time.Duration    // how long documents can be read again
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
	pages   *source.Source
	maker   *maker
	commits *committer        // nil without a store
	drafts  *lru.Cache[draft] // of documents of cached pages
}

// draftBytes is how much is kept in memory of the documents of cached pages.
const draftBytes = 32 << 20

// Request is one page to scrape for a caller.
type Request struct {
	trawl.ScrapeRequest
	Caller trawl.Caller
	Waited time.Duration // for a slot, before the scrape began
	Links  bool          // the links of the page are wanted beside the document
	Read   bool          // likewise what can be extracted from
	Hidden bool          // no link and no sitemap led to the page
	Base   string        // of this service's own addresses in the document, without a slash at the end

	live   bool // somebody waits for the document
	upload bool // the page comes with the request
}

// ParseRequest is one file to parse for a caller.
type ParseRequest struct {
	trawl.ParseRequest
	Caller      trawl.Caller
	Waited      time.Duration // for a slot, before the work began
	Name        string        // of the file
	ContentType string        // as the sender has it; may be empty
	Body        []byte
}

// New returns a Scraper.
func New(config Config) *Scraper {
	if config.Extract == nil {
		config.Extract = &extract.Extractor{}
	}
	from := source.Config{
		Client: config.Fetch, Browser: config.Browser, Blobs: config.Blobs, Profiles: config.Profiles, Node: config.Node,
		Retention: config.Retention, Now: config.Now,
	}
	with := format.Server{Extract: config.Extract, ModelReady: config.ModelReady, History: config.History}
	s := &Scraper{Config: config, drafts: lru.New[draft](draftBytes)}
	if config.Store != nil {
		from.Cache, with.Pack = config.Store, config.Store.Pack
		s.commits = startCommitter(&config, &s.active)
	}
	s.pages = source.New(from)
	s.maker = &maker{
		reader: &reading.Reader{Documents: config.Documents, Memory: s.pages.Memory}, formats: format.NewServer(with),
		memory: s.pages.Memory, store: config.Store, secret: config.FileSecret,
	}
	return s
}

// Close waits for the scrapes that are being stored.
func (s *Scraper) Close() {
	if s.commits != nil {
		s.commits.stop()
	}
}

// has says what this server can do.
func (s *Scraper) has() has {
	return has{
		Has:   format.Has{Browser: s.Browser != nil, History: s.History != nil, Model: s.ModelReady},
		cache: s.Store != nil, profiles: s.Profiles != nil, enhanced: s.pages.HasEnhanced,
	}
}

// Check refuses options that cannot be carried out here and would change the
// result: better a clear error than a document that lacks what was asked for.
// What it lets pass, [Scraper.Scrape] does, or names in the document's warning.
// Callers check as soon as they have the options, before anything is waited for.
func (s *Scraper) Check(o *trawl.ScrapeOptions) error { return check(o, s.has()) }

// Plan works out what a request means on this server. The options must have passed
// [Scraper.Check]. Its error is a *trawl.Error.
func (s *Scraper) Plan(req *Request) (*Plan, error) {
	target, err := trawl.ParseTarget(req.URL)
	if err != nil {
		return nil, invalid(err.Error(), "url")
	}
	return newPlan(req, target, s.has()), nil
}

// Scrape fetches a page, or finds it in the cache, and returns the document
// that was asked for, charged and recorded. The options must have passed [Scraper.Check].
// An error is a *trawl.Error; nothing is charged for it. The context bounds the
// whole of it.
func (s *Scraper) Scrape(ctx context.Context, req Request) (*trawl.Document, error) {
	s.active.Add(1)
	defer s.active.Add(-1)
	req.live = true
	plan, err := s.Plan(&req)
	if err != nil {
		return nil, err
	}
	plan.Began = s.Now()
	result, err := s.cached(ctx, plan)
	if result == nil && err == nil {
		land, shared := s.pages.Share(ctx, &plan.Page, plan.shareKey())
		defer land()
		if shared { // somebody may have fetched it meanwhile
			result, err = s.recent(ctx, plan)
		}
		if result == nil && err == nil {
			result, err = s.fresh(ctx, plan)
		}
	}
	return s.settled(ctx, plan, result, err)
}

// Prepare scrapes like [Scraper.Scrape], but leaves it to the caller to store the
// result and to charge for it: pages of a job are stored together. If only what a
// model makes of a page failed, a result comes with the error: the page's metadata
// and its links, by which a crawl goes on.
func (s *Scraper) Prepare(ctx context.Context, req Request) (*Result, error) {
	plan, err := s.Plan(&req)
	if err != nil {
		return nil, err
	}
	result, err := s.cached(ctx, plan)
	if result != nil || err != nil {
		return result, err
	}
	return s.fresh(ctx, plan)
}

// Parse makes of a file what [Scraper.Scrape] makes of a page: the document that
// was asked for, charged and recorded. The options must have passed
// [trawl.ParseRequest.Unsupported] and [Scraper.Check]. Nothing of it is cached.
func (s *Scraper) Parse(ctx context.Context, req ParseRequest) (*trawl.Document, error) {
	s.active.Add(1)
	defer s.active.Add(-1)
	plan := newPlan(&Request{
		ScrapeRequest: trawl.ScrapeRequest{URL: req.Name, ScrapeOptions: req.ScrapeOptions, ZeroDataRetention: req.ZeroDataRetention},
		Caller:        req.Caller, Waited: req.Waited, live: true, upload: true,
	}, "", s.has())
	plan.Began = s.Now()
	page, err := s.pages.Receive(ctx, source.Upload{Name: req.Name, ContentType: req.ContentType, Body: req.Body})
	if err != nil {
		return nil, timedOut(ctx, err)
	}
	result, err := s.fromPage(ctx, plan, page)
	return s.settled(ctx, plan, result, err)
}

// InCache reports whether the cache can serve a request without a fetch.
func (s *Scraper) InCache(ctx context.Context, req Request) (bool, error) {
	plan, err := s.Plan(&req)
	if err != nil {
		return false, nil
	}
	hit, err := s.pages.Find(ctx, &plan.Page)
	return hit != nil, err
}

// cached makes the result of a page that the cache has. Without one it returns
// neither a result nor an error, if the page may come from elsewhere.
func (s *Scraper) cached(ctx context.Context, plan *Plan) (*Result, error) {
	hit, err := s.pages.Find(ctx, &plan.Page)
	if err != nil {
		return nil, timedOut(ctx, err)
	}
	if hit != nil {
		result, err := s.fromCache(ctx, plan, hit)
		if !errors.Is(err, source.ErrGone) {
			return result, err
		}
	}
	if plan.Page.Use.Only {
		return nil, missed(plan)
	}
	return nil, nil
}

// recent does the same with a page that was stored a moment ago.
func (s *Scraper) recent(ctx context.Context, plan *Plan) (*Result, error) {
	hit := s.pages.Recent(&plan.Page)
	if hit == nil {
		return nil, nil
	}
	result, err := s.fromCache(ctx, plan, hit)
	if errors.Is(err, source.ErrGone) {
		return nil, nil
	}
	return result, err
}

// fresh makes the result of a page from the network.
func (s *Scraper) fresh(ctx context.Context, plan *Plan) (*Result, error) {
	page, err := s.pages.Fetch(ctx, &plan.Page)
	if err != nil {
		return nil, timedOut(ctx, err)
	}
	return s.fromPage(ctx, plan, page)
}

// fromCache makes the result of a page in the cache. Its document is remembered, so
// that a page that many ask for is parsed once for each set of options and not once
// for each request.
func (s *Scraper) fromCache(ctx context.Context, plan *Plan, hit *source.Hit) (*Result, error) {
	key := hit.Version + plan.documentKey()
	if d, ok := s.drafts.Get(key); ok && ctx.Err() == nil {
		return newResult(plan, &hit.Head, &d, ""), nil
	}
	page, err := s.pages.Load(ctx, &plan.Page, hit)
	if err != nil {
		return nil, timedOut(ctx, err)
	}
	defer page.Release()
	d, err := s.document(ctx, plan, page)
	if err != nil {
		return unanswered(plan, &page.Head, d), err
	}
	s.remember(key, d)
	return newResult(plan, &hit.Head, d, ""), nil
}

// fromPage makes the result of a page that is not in the cache.
func (s *Scraper) fromPage(ctx context.Context, plan *Plan, page *source.Page) (*Result, error) {
	d, err := s.document(ctx, plan, page)
	if err != nil {
		page.Release()
		return unanswered(plan, &page.Head, d), err
	}
	result := newResult(plan, &page.Head, d, warningOf(page))
	result.page, result.Cached = page, s.pages.Row(&plan.Page, page)
	if !s.maker.inline(plan) {
		result.Files = page.Files()
	}
	if result.Cached != nil && plan.Page.Use.Read && plan.UsesModel { // the next one is not to ask the model again
		s.remember(result.Cached.ID+plan.documentKey(), d)
	}
	return result, nil
}

// remember keeps the document of a page in the cache, if it is what was asked for.
func (s *Scraper) remember(key string, d *draft) {
	if !d.degraded {
		s.drafts.Put(key, *d, d.size())
	}
}

// document makes the document of a page within the time of its request.
func (s *Scraper) document(ctx context.Context, plan *Plan, page *source.Page) (*draft, error) {
	d, err := s.maker.document(ctx, plan, page)
	if err == nil {
		err = ctx.Err()
	}
	return d, timedOut(ctx, err)
}

// settled settles a result, if there is one, and returns its document.
func (s *Scraper) settled(ctx context.Context, plan *Plan, result *Result, err error) (*trawl.Document, error) {
	if err != nil {
		if s.commits != nil {
			s.commits.fail(plan, err)
		}
		return nil, err
	}
	defer result.Release()
	if s.commits == nil {
		return result.Document, nil
	}
	if err := s.commits.settle(ctx, plan, result); err != nil {
		return nil, err
	}
	if result.Cached != nil {
		s.pages.Remember(*result.Cached)
	}
	return result.Document, nil
}

// missed is the answer to a cache-only request that the cache cannot serve.
func missed(plan *Plan) error {
	if plan.Lockdown {
		return trawl.Errorf(trawl.CodeLockdownMiss, "The page is not in the cache, and lockdown forbids fetching it.")
	}
	return trawl.Errorf(trawl.CodeNoCachedData, "No cached data is available that satisfies minAge.")
}

// timedOut turns whatever a passed deadline caused into the one error for it.
func timedOut(ctx context.Context, err error) error {
	if err != nil && errors.Is(ctx.Err(), context.DeadlineExceeded) && trawl.ErrorCode(err) != trawl.CodeQueueTimeout {
		return trawl.Wrap(trawl.CodeTimeout, "The scrape did not finish within its timeout. Raise timeout or ask for less.", err)
	}
	return err
}
