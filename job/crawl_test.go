package job_test

import (
	"fmt"
	"io"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/trawlhq/trawl"
)

func TestCrawl(t *testing.T) {
	t.Parallel()
	s := start(t)
	s.site.page("/", "/a", "/b", "/a#part", "http://other.example/x")
	s.site.page("/a", "/b/", "/c", "/")
	s.site.page("/b", "/missing")
	s.site.page("/c", "/a")
	j := s.crawl("/")
	s.expect(j, trawl.StateCompleted, "/", "/a", "/b", "/c", "/missing")
	if j.Error != "" || j.Warning != "" || j.FinishedAt.Before(j.CreatedAt) || !j.ExpiresAt.After(j.FinishedAt) || j.Credits != 5 {
		t.Errorf("%+v", j)
	}
	for _, doc := range s.documents(j) {
		want := 200
		if strings.HasSuffix(doc.Metadata.SourceURL, "/missing") {
			want = 404
		}
		if doc.Metadata.StatusCode != want || doc.Metadata.ScrapeID == "" || want == 200 && !strings.Contains(doc.Markdown, "Words of the page.") {
			t.Errorf("%+v", doc)
		}
	}
}

// A page of which no json could be made still leads to others.
func TestCrawlBeyondFailedJSON(t *testing.T) {
	t.Parallel()
	s := start(t)
	s.site.page("/", "/kettle")
	s.site.text("/kettle", "text/html", `<title>Kettle</title><script type="application/ld+json">{"@type":"Product","name":"Kettle"}</script><p>Boils water.`)
	j := s.crawl("/", func(r *trawl.CrawlRequest) {
		r.ScrapeOptions.Formats = []trawl.Format{{Type: trawl.FormatJSON, Schema: map[string]any{
			"type": "object", "properties": map[string]any{"name": map[string]any{"type": "string"}, "kind": map[string]any{"const": "Product"}}, "required": []any{"name"},
		}}}
	})
	s.expect(j, trawl.StateCompleted, "/kettle")
	if codes, _ := s.failures(j); codes["/"] != trawl.CodeNoModel || j.Credits != 5 {
		t.Errorf("failures %v, %d credits", codes, j.Credits)
	}
}

// TestScope crawls one site again and again by other rules.
func TestScope(t *testing.T) {
	t.Parallel()
	s := start(t)
	s.site.page("/", "/docs", "/about")
	s.site.page("/docs", "/docs/a", "/docs/b?x=1", "/docs/b?x=2", "/docs/index.html", "/docsother", "/about", "/picture.png",
		"mailto:somebody@site.test", s.site.at("a.site.test/docs"), s.site.at("other.site.test/"), "http://gone.example/docs/x")
	s.site.page("/docs/", "/docs/a")
	s.site.page("/docs/index.html", "/docs/a")
	s.site.page("/docs/a", "/docs/a/deep", "/docs/")
	s.site.page("/docs/a/deep", "/docs/a/deep/er")
	s.site.page("/docs/a/deep/er", "/docs")
	s.site.page("/docs/b")
	s.site.page("/about", "/docs", "/about/us")
	s.site.page("/about/us")
	for _, host := range []string{"site.test", "a.site.test"} {
		s.site.page(host+"/", s.site.at("site.test/docs"))
		s.site.page(host+"/docs", s.site.at("a.site.test/docs"), s.site.at("b.a.site.test/x"), s.site.URL+"/about/us", "http://gone.example/")
	}
	s.site.page("b.a.site.test/x")
	for name, c := range map[string]struct {
		start  string
		change func(*trawl.CrawlRequest)
		want   string
	}{
		"children only":           {"/docs", nil, "/docs /docs/a /docs/a/deep /docs/a/deep/er /docs/b?x=1 /docs/b?x=2"},
		"below a page":            {"/docs/a/deep", nil, "/docs/a/deep /docs/a/deep/er"},
		"beside a file":           {"/docs/index.html", nil, "/docs/index.html /docs/a /docs/a/deep /docs/a/deep/er"},
		"entire domain":           {"/docs/a/deep", func(r *trawl.CrawlRequest) { r.CrawlEntireDomain = true }, "/docs/a/deep /docs/a/deep/er /docs /docs/a /docs/b?x=1 /docs/b?x=2 /docsother /about /about/us"},
		"query ignored":           {"/docs", func(r *trawl.CrawlRequest) { r.IgnoreQueryParameters = true }, "/docs /docs/a /docs/a/deep /docs/a/deep/er /docs/b?x=1"},
		"similar addresses apart": {"/docs", func(r *trawl.CrawlRequest) { r.DeduplicateSimilarURLs = false }, "/docs /docs/ /docs/index.html /docs/a /docs/a/deep /docs/a/deep/er /docs/b?x=1 /docs/b?x=2"},
		"include":                 {"/docs", func(r *trawl.CrawlRequest) { r.IncludePaths = []string{"^/docs$", "deep", "a$"} }, "/docs /docs/a /docs/a/deep /docs/a/deep/er"},
		"include sees the path":   {"/docs", func(r *trawl.CrawlRequest) { r.IncludePaths = []string{"^/docs$", "x=1"} }, "/docs"},
		"include on the address": {"/docs", func(r *trawl.CrawlRequest) {
			r.IncludePaths, r.RegexOnFullURL = []string{"/docs$", "x=1"}, true
		}, "/docs /docs/b?x=1"},
		"exclude": {"/docs", func(r *trawl.CrawlRequest) { r.ExcludePaths = []string{"deep$", "^/docs/b"} }, "/docs /docs/a"},
		"exclude on the address": {"/docs", func(r *trawl.CrawlRequest) {
			r.ExcludePaths, r.RegexOnFullURL = []string{"x=2", "127.0.0.1:[0-9]+/docs/a$"}, true
		}, "/docs /docs/b?x=1"},
		"exclude wins": {"/docs", func(r *trawl.CrawlRequest) {
			r.IncludePaths, r.ExcludePaths = []string{"/docs"}, []string{"/docs/"}
		}, "/docs"},
		"depth 0":         {"/docs/a", func(r *trawl.CrawlRequest) { depth(r, 0) }, "/docs/a"},
		"depth 1":         {"/docs/a", func(r *trawl.CrawlRequest) { depth(r, 1) }, "/docs/a /docs/a/deep"},
		"depth 2":         {"/docs/a", func(r *trawl.CrawlRequest) { depth(r, 2) }, "/docs/a /docs/a/deep /docs/a/deep/er"},
		"own host alone":  {"site.test/docs", nil, "site.test/docs"},
		"subdomains":      {"site.test/docs", func(r *trawl.CrawlRequest) { r.AllowSubdomains = true }, "site.test/docs a.site.test/docs b.a.site.test/x"},
		"not upwards":     {"a.site.test/docs", func(r *trawl.CrawlRequest) { r.AllowSubdomains = true }, "a.site.test/docs b.a.site.test/x"},
		"external links":  {"site.test/docs", func(r *trawl.CrawlRequest) { r.AllowExternalLinks = true }, "site.test/docs a.site.test/docs b.a.site.test/x /about/us"},
		"www is the same": {"www.site.test/docs", nil, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := s.on(t)
			if name == "www is the same" {
				s.site.page("www.site.test/docs", s.site.at("site.test/docs/x"))
				s.site.page("site.test/docs/x")
				c.want = "www.site.test/docs site.test/docs/x"
			}
			j := s.crawl(c.start, func(r *trawl.CrawlRequest) {
				if c.change != nil {
					c.change(r)
				}
				r.URL = s.site.at(c.start)
			})
			s.expect(j, trawl.StateCompleted, strings.Fields(c.want)...)
		})
	}
}

func depth(r *trawl.CrawlRequest, most int) {
	r.MaxDiscoveryDepth, r.Sitemap = &most, trawl.SitemapSkip
}

// TestFilteredStart crawls sites whose start the crawl's own patterns keep out: it is
// scraped for its links, which are followed, and neither stored nor paid for.
func TestFilteredStart(t *testing.T) {
	t.Parallel()
	s := start(t)
	s.site.page("/", "/docs/linked", "/other")
	s.site.page("/docs/linked")
	s.site.page("/docs/listed")
	s.site.text("/sitemap.xml", "text/xml", sitemapOf(s.site.at("/docs/listed")))
	for _, row := range []struct {
		name   string
		change func(*trawl.CrawlRequest)
		want   []string
		warns  string
	}{
		{"included are others", func(r *trawl.CrawlRequest) { r.IncludePaths = []string{"^/docs"} }, []string{"/docs/linked", "/docs/listed"}, ""},
		{"excluded", func(r *trawl.CrawlRequest) { r.ExcludePaths = []string{"^/$", "other"} }, []string{"/docs/linked", "/docs/listed"}, ""},
		{"without the sitemap", func(r *trawl.CrawlRequest) {
			r.IncludePaths, r.Sitemap = []string{"^/docs"}, trawl.SitemapSkip
		}, []string{"/docs/linked"}, ""},
		{"the sitemap alone", func(r *trawl.CrawlRequest) {
			r.IncludePaths, r.Sitemap = []string{"^/docs"}, trawl.SitemapOnly
		}, []string{"/docs/listed"}, ""},
		{"nothing is included", func(r *trawl.CrawlRequest) { r.IncludePaths = []string{"^/news"} }, nil,
			"No page was scraped. The rules of the crawl left URLs out: 4 by includePaths."},
	} {
		before := s.site.count("/")
		j := s.crawl("/", row.change, func(r *trawl.CrawlRequest) { r.ScrapeOptions.MaxAge = new(int64) })
		s.expect(j, trawl.StateCompleted, row.want...)
		if fate := s.fates(j)["/"]; !strings.HasPrefix(fate, "filtered") || int(j.Credits) != len(row.want) || j.Warning != row.warns || s.site.count("/") != before+1 {
			t.Errorf("%s: the start is %s, %d credits, warning %q, %d requests", row.name, fate, j.Credits, j.Warning, s.site.count("/")-before)
		}
	}
}

// TestStrangeStarts has starts that are addresses, but none a crawl can have.
func TestStrangeStarts(t *testing.T) {
	t.Parallel()
	s := start(t)
	for name, address := range map[string]string{
		"no address": "::",
		"password":   strings.Replace(s.site.URL, "://", "://me:secret@", 1),
		"too long":   s.site.URL + "/" + strings.Repeat("x", 3000),
	} {
		_, err := s.Crawl(t.Context(), s.order, s.crawlRequest("", func(r *trawl.CrawlRequest) { r.URL = address }))
		if err != nil && trawl.ErrorCode(err) != trawl.CodeBadRequest {
			t.Errorf("crawl of %s: %v (%s)", name, err, trawl.ErrorCode(err))
		}
		req := trawl.DefaultMapRequest()
		req.URL = address
		if _, err := s.Map(t.Context(), s.order, req); err != nil && trawl.ErrorCode(err) != trawl.CodeBadRequest {
			t.Errorf("map of %s: %v (%s)", name, err, trawl.ErrorCode(err))
		}
	}
	_, err := s.Crawl(t.Context(), s.order, s.crawlRequest("/", func(r *trawl.CrawlRequest) { r.IncludePaths = []string{"("} }))
	wantCode(t, err, trawl.CodeBadRequest)
	receipt := s.ordered(s.Crawl(t.Context(), s.order, s.crawlRequest("/", func(r *trawl.CrawlRequest) { r.Prompt = "all of it" })))
	if !strings.Contains(receipt.Warning, "prompt") {
		t.Errorf("%+v", receipt)
	}
}

func TestLimit(t *testing.T) {
	t.Parallel()
	service := start(t)
	for name, c := range map[string]struct {
		limit  int
		failed int // of the limit
		build  func(*site)
	}{
		"one page": {1, 0, func(s *site) { s.page("/", numbered("/p", 20)...) }},
		"many":     {7, 0, func(s *site) { s.page("/", numbered("/p", 20)...) }},
		"exact":    {21, 0, func(s *site) { s.page("/", numbered("/p", 20)...) }},
		"failing": {7, 2, func(s *site) {
			s.page("/", numbered("/p", 20)...)
			s.redirect("/p1", "other.site.test/")
			s.redirect("/p3", "/p3")
		}},
		"duplicate": {7, 0, func(s *site) {
			s.page("/", numbered("/p", 20)...)
			s.redirect("/p1", "/p9")
			s.redirect("/p2", "/")
			s.redirect("/p3", "/p4")
		}},
		"blocked": {7, 0, func(s *site) {
			s.page("/", numbered("/p", 20)...)
			s.text("/robots.txt", "text/plain", "User-agent: *\nDisallow: /p1\n")
		}},
		"all blocked but the start, with sitemap": {5, 0, func(s *site) {
			s.page("/", numbered("/p", 20)...)
			s.text("/robots.txt", "text/plain", "User-agent: *\nDisallow: /p\nAllow: /p7\nAllow: /p8$\nAllow: /p9\nAllow: /p11\nAllow: /p12\n")
			s.text("/sitemap.xml", "text/xml", sitemapOf(s.at("/p1"), s.at("/p2"), s.at("/p8")))
		}},
		"endless": {30, 0, func(s *site) {
			s.page("/", "/calendar?month=1")
			s.handle("/calendar", func(w http.ResponseWriter, r *http.Request) {
				month, _ := strconv.Atoi(r.URL.Query().Get("month"))
				w.Header().Set("Content-Type", "text/html")
				_, _ = io.WriteString(w, linked("month", fmt.Sprint("/calendar?month=", month+1), fmt.Sprint("/calendar?month=", month+2)))
			})
		}},
		"on the way": {6, 0, func(s *site) {
			s.page("/", "/p1")
			for i, path := range numbered("/p", 20) {
				s.page(path, numbered("/p", 20)[i:]...)
			}
		}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := service.apart(t)
			for _, path := range numbered("/p", 20) {
				s.site.page(path)
			}
			c.build(s.site)
			j := s.crawl("/", func(r *trawl.CrawlRequest) { r.Limit = c.limit })
			if j.State != trawl.StateCompleted || j.Completed+j.Failed != c.limit || j.Total != c.limit || j.Failed != c.failed {
				t.Errorf("%+v: %v", j, s.fates(j))
			}
			if list := s.paths(j); len(slices.Compact(list)) != c.limit-c.failed || j.Credits != int64(c.limit-c.failed) {
				t.Errorf("%q for %d credits", list, j.Credits)
			}
		})
	}
}

// TestShorterWay finds a page by a way that is too long first, and then by one
// that is not.
func TestShorterWay(t *testing.T) {
	t.Parallel()
	s, slow := start(t), newGate()
	s.site.page("/", "/slow", "/1")
	s.site.page("/1", "/2")
	s.site.page("/2", "/far", "/too-far")
	s.site.page("/far")
	s.site.handle("/slow", func(w http.ResponseWriter, r *http.Request) {
		if slow.hold(r) {
			w.Header().Set("Content-Type", "text/html")
			_, _ = io.WriteString(w, linked("/slow", "/far"))
		}
	})
	receipt := s.ordered(s.Crawl(t.Context(), s.order, s.crawlRequest("/", func(r *trawl.CrawlRequest) { depth(r, 2) })))
	for j := s.get(trawl.KindCrawl, receipt.ID); j.Completed < 3; {
		var err error
		if j, err = s.Wait(t.Context(), j); err != nil {
			t.Fatal(err)
		}
	}
	slow.open()
	j := s.finished(trawl.KindCrawl, receipt.ID)
	s.expect(j, trawl.StateCompleted, "/", "/slow", "/1", "/2", "/far")
	if fates := s.fates(j); fates["/far"] != "scraped" || fates["/too-far"] != "filtered maxDiscoveryDepth" {
		t.Errorf("%v", fates)
	}
}
