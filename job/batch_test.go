package job_test

import (
	"context"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/fetch"
	"github.com/trawlhq/trawl/job"
	"github.com/trawlhq/trawl/scrape"
)

func TestBatch(t *testing.T) {
	t.Parallel()
	s := start(t)
	for _, path := range []string{"/a", "/b", "/forbidden"} {
		s.site.page(path, "/linked")
	}
	s.site.text("/robots.txt", "text/plain", "User-agent: *\nDisallow: /forbidden\n") // who names pages wants them
	s.site.redirect("/circle", "/circle")
	s.site.redirect("/moved", "/a")
	req := s.batchRequest("/a", "/b", "/a", "/a#part", "/missing", "/circle", "/moved", "/forbidden", "not a url", "ftp://site.test/")
	receipt := s.ordered(s.Batch(t.Context(), s.order, req))
	if !slices.Equal(receipt.Invalid, []string{"not a url", "ftp://site.test/"}) {
		t.Errorf("invalid: %q", receipt.Invalid)
	}
	j := s.finished(trawl.KindBatch, receipt.ID)
	s.expect(j, trawl.StateCompleted, "/a", "/b", "/a", "/a#part", "/missing", "/moved", "/forbidden")
	codes, robots := s.failures(j)
	if len(codes) != 1 || codes["/circle"] == "" || j.Failed != 1 || len(robots) != 0 {
		t.Errorf("failed %v, robots %q", codes, robots)
	}
	if n := s.site.count("/linked") + s.site.count("/robots.txt"); n != 0 {
		t.Errorf("a batch looked at %d other addresses", n)
	}
	if _, used := s.balance(); used != 7 || j.Credits != 7 {
		t.Errorf("%d credits used, the job says %d", used, j.Credits)
	}
	if receipt := s.ordered(s.Batch(t.Context(), s.order, s.batchRequest("/a"))); receipt.Invalid == nil || len(receipt.Invalid) != 0 {
		t.Errorf("invalid: %#v", receipt.Invalid)
	}
	_, err := s.Batch(t.Context(), s.order, s.batchRequest("no", "::"))
	wantCode(t, err, trawl.CodeBadRequest)
}

func TestAppend(t *testing.T) {
	t.Parallel()
	s, g := start(t), newGate()
	s.site.gated(g, "/a")
	for _, path := range []string{"/b", "/c"} {
		s.site.page(path)
	}
	first := s.ordered(s.Batch(t.Context(), s.order, s.batchRequest("/a")))
	receive(t, g.entered)
	more := s.batchRequest("/b", "/c", "nonsense")
	more.AppendToID, more.MaxConcurrency, more.Formats = strings.ToUpper(first.ID), 1, []trawl.Format{{Type: trawl.FormatRawHTML}}
	receipt := s.ordered(s.Batch(t.Context(), s.order, more))
	if receipt.ID != first.ID || !slices.Equal(receipt.Invalid, []string{"nonsense"}) || !strings.Contains(receipt.Warning, "maxConcurrency") {
		t.Errorf("%+v", receipt)
	}
	other := s.as(trawl.Team{})
	_, err := other.Batch(t.Context(), other.order, more)
	wantCode(t, err, trawl.CodeNotFound)
	g.open()
	j := s.finished(trawl.KindBatch, first.ID)
	s.expect(j, trawl.StateCompleted, "/a", "/b", "/c")
	for _, doc := range s.documents(j) { // each as its own order asked for
		if own := strings.HasSuffix(doc.Metadata.SourceURL, "/a"); own != (doc.Markdown != "") {
			t.Errorf("%+v", doc)
		}
	}
	_, err = s.Batch(t.Context(), s.order, more)
	wantCode(t, err, trawl.CodeConflict)
	more.AppendToID = "01a1ded0-f26a-7af4-ac62-d1dcd2e102fb"
	_, err = s.Batch(t.Context(), s.order, more)
	wantCode(t, err, trawl.CodeNotFound)
	more.AppendToID = s.crawl("/b").ID
	_, err = s.Batch(t.Context(), s.order, more)
	wantCode(t, err, trawl.CodeNotFound)
}

func TestOnce(t *testing.T) {
	t.Parallel()
	s := start(t)
	s.site.page("/")
	s.order.Once = "the only one"
	id := s.ordered(s.Crawl(t.Context(), s.order, s.crawlRequest("/"))).ID
	_, err := s.Crawl(t.Context(), s.order, s.crawlRequest("/"))
	wantCode(t, err, trawl.CodeConflict)
	_, err = s.Batch(t.Context(), s.order, s.batchRequest("/"))
	wantCode(t, err, trawl.CodeConflict)
	other := s.as(trawl.Team{})
	other.order.Once = "the only one"
	other.expect(other.batch(other.batchRequest("/")), trawl.StateCompleted, "/")
	s.expect(s.finished(trawl.KindCrawl, id), trawl.StateCompleted, "/")
	if _, used := s.balance(); used != 1 {
		t.Errorf("%d credits used", used)
	}
}

func TestMinAge(t *testing.T) {
	t.Parallel()
	s := start(t)
	s.site.page("/", "/new")
	s.site.page("/new")
	s.site.page("/old")
	age := int64(0)
	cached := func(r *trawl.CrawlRequest) { r.ScrapeOptions.MinAge = &age }
	both := s.batchRequest("/new", "/old")
	both.MinAge = &age
	_, err := s.Crawl(t.Context(), s.order, s.crawlRequest("/", cached))
	wantCode(t, err, trawl.CodeNoCachedData)
	_, err = s.Batch(t.Context(), s.order, both)
	wantCode(t, err, trawl.CodeNoCachedData)
	if n := s.site.count("/") + s.site.count("/old"); n != 0 {
		t.Errorf("the site was asked %d times", n)
	}

	s.batch(s.batchRequest("/", "/old"))
	for kind, j := range map[string]trawl.Job{"/": s.crawl("/", cached), "/old": s.batch(both)} {
		s.expect(j, trawl.StateCompleted, kind)
		if codes, _ := s.failures(j); len(codes) != 1 || codes["/new"] != trawl.CodeNoCachedData {
			t.Errorf("%v", codes)
		}
	}
	if n := s.site.count("/") + s.site.count("/old"); n != 2 || s.site.count("/new") != 0 {
		t.Errorf("the site was asked %d times", n)
	}
}

// panicky is a scraper that cannot take one page.
type panicky struct {
	job.Scraper
	calls atomic.Int64
}

func (p *panicky) Prepare(ctx context.Context, req scrape.Request) (*scrape.Result, error) {
	if strings.HasSuffix(req.URL, "/bad") {
		p.calls.Add(1)
		panic("a page that nobody thought of")
	}
	return p.Scraper.Prepare(ctx, req)
}

func TestPanic(t *testing.T) {
	t.Parallel()
	p := &panicky{}
	s := start(t, func(c *job.Config) { p.Scraper, c.Scraper = c.Scraper, p })
	s.site.page("/", "/a", "/bad", "/b")
	s.site.page("/a")
	s.site.page("/b")
	for _, j := range []trawl.Job{s.crawl("/"), s.batch(s.batchRequest("/", "/a", "/bad", "/b"))} {
		s.expect(j, trawl.StateCompleted, "/", "/a", "/b")
		if codes, _ := s.failures(j); len(codes) != 1 || codes["/bad"] != trawl.CodeUnknown {
			t.Errorf("%v", codes)
		}
	}
	if n := p.calls.Load(); n != 2 {
		t.Errorf("%d attempts", n)
	}
}

// panickyFetcher cannot take sitemaps.
type panickyFetcher struct{ job.Fetcher }

func (p panickyFetcher) Fetch(ctx context.Context, req fetch.Request) (*fetch.Response, error) {
	if strings.HasSuffix(req.URL, "/sitemap.xml") {
		panic("a sitemap that nobody thought of")
	}
	return p.Fetcher.Fetch(ctx, req)
}

// TestPanicInSitemap has a sitemap that is the end of whoever reads it: the
// crawl does without.
func TestPanicInSitemap(t *testing.T) {
	t.Parallel()
	s := start(t, func(c *job.Config) { c.Fetch = panickyFetcher{c.Fetch} })
	s.site.page("/", "/a")
	s.site.page("/a")
	id := s.ordered(s.Crawl(t.Context(), s.order, s.crawlRequest("/"))).ID
	eventually(t, func() bool { j := s.get(trawl.KindCrawl, id); return j.Done() })
	s.expect(s.get(trawl.KindCrawl, id), trawl.StateCompleted, "/", "/a")
}
