package job_test

import (
	"maps"
	"net/http"
	"strings"
	"testing"

	"github.com/trawlhq/trawl"
)

// track makes a crawl track changes; no page comes from the cache.
func track(req *trawl.CrawlRequest) {
	var none int64
	req.ScrapeOptions.MaxAge = &none
	req.ScrapeOptions.Formats = []trawl.Format{{Type: trawl.FormatMarkdown}, {Type: trawl.FormatChangeTracking}}
}

// gone lets a page disappear.
func (s *site) gone(path string) { s.handle(path, http.NotFound) }

// told returns what a crawl that tracks changes says of the pages.
func (s *service) told(j trawl.Job) map[string]string {
	s.t.Helper()
	told := map[string]string{}
	for _, doc := range s.documents(j) {
		path, text := s.site.short(doc.Metadata.SourceURL), "untracked"
		if c := doc.ChangeTracking; c != nil {
			text = c.ChangeStatus + " " + c.Visibility
		}
		if told[path] != "" {
			s.t.Errorf("%s is there twice", path)
		}
		told[path] = text
	}
	return told
}

func (s *service) wantChanges(want map[string]string, path string, change ...func(*trawl.CrawlRequest)) trawl.Job {
	s.t.Helper()
	j := s.crawl(path, append([]func(*trawl.CrawlRequest){track}, change...)...)
	if told := s.told(j); !maps.Equal(told, want) {
		s.t.Errorf("the crawl says %q, want %q: %v", told, want, s.fates(j))
	}
	if j.State != trawl.StateCompleted || j.Completed != len(want) || j.Total != j.Completed+j.Failed {
		s.t.Errorf("%s with %d of %d pages, %d failed, want %d", j.State, j.Completed, j.Total, j.Failed, len(want))
	}
	return j
}

const (
	isNew     = trawl.ChangeNew + " " + trawl.PageVisible
	isSame    = trawl.ChangeSame + " " + trawl.PageVisible
	isChanged = trawl.ChangeChanged + " " + trawl.PageVisible
	isRemoved = trawl.ChangeRemoved + " " + trawl.PageVisible
	isHidden  = trawl.ChangeSame + " " + trawl.PageHidden
	isGone    = trawl.ChangeRemoved + " " + trawl.PageHidden
)

// TestTrackingCrawl crawls a site again and again while it changes.
func TestTrackingCrawl(t *testing.T) {
	t.Parallel()
	s := start(t).as(trawl.Team{})
	s.site.page("/", "/same", "/changed", "/linked", "/unlinked", "/dropped")
	for _, path := range []string{"/same", "/changed", "/linked", "/unlinked", "/dropped"} {
		s.site.page(path)
	}
	s.wantChanges(map[string]string{
		"/": isNew, "/same": isNew, "/changed": isNew, "/linked": isNew, "/unlinked": isNew, "/dropped": isNew,
	}, "/")

	s.site.page("/", "/same", "/changed", "/linked", "/new")
	s.site.page("/changed", "/new")
	s.site.page("/new")
	s.site.page("/unlinked", "/beyond") // which only a hidden page knows; its text is another
	s.site.page("/beyond")
	s.site.gone("/linked")
	s.site.gone("/dropped")
	s.wantChanges(map[string]string{
		"/": isChanged, "/same": isSame, "/changed": isChanged, "/new": isNew, "/linked": isRemoved,
		"/unlinked": trawl.ChangeChanged + " " + trawl.PageHidden, "/dropped": isGone,
	}, "/")

	// What is gone is not asked for again unless something leads to it.
	s.wantChanges(map[string]string{
		"/": isSame, "/same": isSame, "/changed": isSame, "/new": isSame, "/linked": isRemoved, "/unlinked": isHidden,
	}, "/")
	s.site.page("/dropped")
	s.site.page("/", "/dropped")
	s.wantChanges(map[string]string{
		"/": isChanged, "/dropped": isNew, "/same": isHidden, "/changed": isHidden, "/new": isHidden, "/unlinked": isHidden,
	}, "/")
}

// TestRecallRules crawls a site whose pages nothing leads to any more, in ways that
// find all of them hidden, or some, or none.
func TestRecallRules(t *testing.T) {
	t.Parallel()
	s := start(t).as(trawl.Team{ZeroDataRetention: true})
	s.site.page("/", "/docs/a", "/docs/b", "/docs/c/d", "/private/e")
	for _, path := range []string{"/docs/a", "/docs/b", "/docs/c/d", "/private/e"} {
		s.site.page(path)
	}
	s.site.text("/robots.txt", "text/plain", "User-agent: *\nDisallow: /private/")
	s.crawl("/", track, func(r *trawl.CrawlRequest) { r.IgnoreRobotsTxt = true })
	s.site.page("/")
	for _, c := range []struct {
		name   string
		path   string
		want   map[string]string
		change func(*trawl.CrawlRequest)
	}{
		{"excludePaths", "/", map[string]string{"/": isChanged, "/docs/a": isHidden, "/docs/b": isHidden},
			func(r *trawl.CrawlRequest) { r.ExcludePaths = []string{"^/docs/c/"} }},
		{"not deep", "/", map[string]string{"/": isSame}, func(r *trawl.CrawlRequest) { r.MaxDiscoveryDepth = new(int) }},
		{"below the start", "/docs/c", map[string]string{"/docs/c": isRemoved, "/docs/c/d": isHidden}, func(*trawl.CrawlRequest) {}},
		{"slowly", "/", map[string]string{"/": isSame, "/docs/a": isHidden, "/docs/b": isHidden},
			func(r *trawl.CrawlRequest) { r.Delay, r.ExcludePaths = 0.01, []string{"^/docs/c/"} }},
		{"the limit leaves room for one", "/", map[string]string{"/": isSame, "/docs/c/d": isHidden}, func(r *trawl.CrawlRequest) { r.Limit = 2 }},
		{"the limit is reached", "/", map[string]string{"/": isSame}, func(r *trawl.CrawlRequest) { r.Limit = 1 }},
		{"another tag", "/", map[string]string{"/": isNew}, func(r *trawl.CrawlRequest) { r.ScrapeOptions.Formats[1].Tag = "other" }},
		{"zero data retention", "/", map[string]string{"/": "untracked"}, func(r *trawl.CrawlRequest) { r.ZeroDataRetention = true }},
	} {
		t.Run(c.name, func(t *testing.T) { s.on(t).wantChanges(c.want, c.path, c.change) })
	}
	if s.site.count("/private/e") != 1 {
		t.Error("a page that robots.txt forbids was asked for")
	}
}

// TestRecallMovedSite begins at an address that leads to another host, and finds the
// pages of that.
func TestRecallMovedSite(t *testing.T) {
	t.Parallel()
	s := start(t).as(trawl.Team{})
	s.site.redirect("/", "site.test/home")
	s.site.page("site.test/home", "/home/a", "http://blog.site.test:"+s.site.port()+"/b")
	s.site.page("site.test/home/a")
	s.site.page("blog.site.test/b")
	wide := func(r *trawl.CrawlRequest) { r.CrawlEntireDomain, r.AllowSubdomains = true, true }
	s.wantChanges(map[string]string{"/": isNew, "site.test/home/a": isNew, "blog.site.test/b": isNew}, "/", wide)
	s.site.page("site.test/home")
	s.wantChanges(map[string]string{"/": isChanged, "site.test/home/a": isHidden, "blog.site.test/b": isHidden}, "/", wide)
	s.wantChanges(map[string]string{"/": isSame, "site.test/home/a": isHidden}, "/")
}

// TestRecallFailures has a page that cannot be scraped, one that leads to a page that
// is there anyway, and a site that is down: none of them touches the history.
func TestRecallFailures(t *testing.T) {
	t.Parallel()
	s := start(t).as(trawl.Team{})
	s.site.page("/", "/slow", "/moved", "/error")
	s.site.page("/slow")
	s.site.page("/moved")
	s.site.page("/error")
	s.crawl("/", track)
	s.site.page("/")
	s.site.redirect("/moved", "/")
	s.site.handle("/slow", func(w http.ResponseWriter, _ *http.Request) {
		hijacked, _, err := w.(http.Hijacker).Hijack()
		if err == nil {
			_ = hijacked.Close()
		}
	})
	s.site.handle("/error", func(w http.ResponseWriter, _ *http.Request) { http.Error(w, "broken", http.StatusTeapot) })
	j := s.wantChanges(map[string]string{"/": isChanged, "/error": "untracked"}, "/")
	if codes, _ := s.failures(j); j.Failed != 1 || codes["/slow"] == "" {
		t.Errorf("%d pages failed: %v", j.Failed, codes)
	}
	if fate := s.fates(j)["/moved"]; !strings.HasPrefix(fate, trawl.FateDuplicate) {
		t.Errorf("the page that moved is %q", fate)
	}
	visits := s.site.count("/error")
	start := s.site.pages["/"]
	s.site.handle("/", s.site.pages["/slow"])
	if down := s.crawl("/", track); down.Total != 1 || down.Failed != 1 || s.site.count("/error") != visits {
		t.Errorf("while the site was down: %d pages", down.Total)
	}
	s.site.handle("/", start)
	for _, path := range []string{"/slow", "/moved", "/error"} {
		s.site.page(path)
	}
	s.wantChanges(map[string]string{"/": isSame, "/slow": isHidden, "/moved": isHidden, "/error": isHidden}, "/")
}

// TestRecallAfterBatch has a page that only a batch tracked.
func TestRecallAfterBatch(t *testing.T) {
	t.Parallel()
	s := start(t).as(trawl.Team{})
	s.site.page("/")
	s.site.page("/secret")
	req := s.batchRequest("/secret")
	crawl := s.crawlRequest("/", track)
	req.ScrapeOptions = crawl.ScrapeOptions
	s.batch(req)
	s.wantChanges(map[string]string{"/": isNew, "/secret": isHidden}, "/")
}

// TestCancelWhileRecalling ends a crawl when it is at its hidden pages.
func TestCancelWhileRecalling(t *testing.T) {
	t.Parallel()
	s := start(t).as(trawl.Team{})
	s.site.page("/", "/a", "/b")
	s.site.page("/a")
	s.site.page("/b")
	s.crawl("/", track)
	s.site.page("/")
	g := newGate()
	s.site.gated(g, "/a", "/b")
	receipt := s.ordered(s.Crawl(t.Context(), s.order, s.crawlRequest("/", track, func(r *trawl.CrawlRequest) { r.MaxConcurrency = 1 })))
	receive(t, g.entered)
	if err := s.Cancel(t.Context(), s.order.Caller.Team.ID, trawl.KindCrawl, receipt.ID); err != nil {
		t.Fatal(err)
	}
	receive(t, g.left)
	if j := s.finished(trawl.KindCrawl, receipt.ID); j.State != trawl.StateCancelled || j.Completed != 1 || len(s.documents(j)) != 1 {
		t.Errorf("%s with %d pages", j.State, j.Completed)
	}
	if len(g.entered) > 0 {
		t.Error("another page was asked for")
	}
}

// TestRecallDoubt crawls a site in ways that cannot tell which pages are hidden: its
// start fails for once, or only a part of it is looked at.
func TestRecallDoubt(t *testing.T) {
	t.Parallel()
	s := start(t).as(trawl.Team{})
	s.site.page("/", "/a")
	s.site.page("/a", "/b")
	s.site.page("/b")
	s.wantChanges(map[string]string{"/": isNew, "/a": isNew, "/b": isNew}, "/")

	shallow := 1
	for name, change := range map[string]func(*trawl.CrawlRequest){
		"depth":   func(r *trawl.CrawlRequest) { r.MaxDiscoveryDepth = &shallow },
		"sitemap": func(r *trawl.CrawlRequest) { r.Sitemap = trawl.SitemapOnly },
	} {
		visits := s.site.count("/b")
		s.crawl("/", track, change)
		if s.site.count("/b") != visits {
			t.Errorf("%s: a page was looked at that the crawl was not to look for", name)
		}
	}
	whole := s.site.pages["/"]
	s.site.handle("/", func(w http.ResponseWriter, _ *http.Request) { http.Error(w, "broken", http.StatusInternalServerError) })
	s.wantChanges(map[string]string{"/": "untracked", "/a": isSame, "/b": isSame}, "/")
	s.site.handle("/", whole)
	s.wantChanges(map[string]string{"/": isSame, "/a": isSame, "/b": isSame}, "/")
}
