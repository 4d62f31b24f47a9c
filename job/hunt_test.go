package job_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/job"
	"github.com/trawlhq/trawl/search"
	"github.com/trawlhq/trawl/search/searchtest"
)

func TestExtractGlob(t *testing.T) {
	t.Parallel()
	s, _ := thinking(t)
	sitemap := func(paths ...string) string {
		var b strings.Builder
		for _, path := range paths {
			fmt.Fprintf(&b, "<url><loc>%s</loc></url>", path)
		}
		return `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">` + b.String() + "</urlset>"
	}
	for _, test := range []struct {
		name   string
		build  func(*site)
		glob   string
		change func(*trawl.ExtractRequest)
		want   string
		warn   string
	}{
		{name: "sitemap and links", glob: "/*", want: "Start Linked Listed", build: func(w *site) {
			w.items("/", "Start", "/linked", "/picture.png")
			w.items("/linked", "Linked")
			w.items("/listed", "Listed")
			w.text("/sitemap.xml", "text/xml", sitemap(w.at("/listed"), w.at("/")))
		}},
		{name: "no sitemap", glob: "/*", want: "Start Linked", build: func(w *site) {
			w.items("/", "Start", "/linked")
			w.items("/linked", "Linked")
			w.items("/listed", "Listed")
			w.text("/sitemap.xml", "text/xml", sitemap(w.at("/listed")))
		}, change: func(r *trawl.ExtractRequest) { r.IgnoreSitemap = true }},
		{name: "links of links", glob: "/shop/*", want: "Start Near Far", build: func(w *site) {
			w.items("/shop/", "Start", "/shop/near")
			w.items("/shop/near", "Near", "/shop/far", "/shop/")
			w.items("/shop/far", "Far")
		}},
		{name: "few in the folder", glob: "/shop/*", want: "Start Near Far Hidden", build: func(w *site) {
			w.items("/shop/", "Start", "/shop/near", "/elsewhere")
			w.items("/shop/near", "Near", "/shop/far", "/shop/")
			w.items("/shop/far", "Far")
			w.items("/elsewhere", "Elsewhere", "/shop/hidden")
			w.items("/shop/hidden", "Hidden")
		}},
		{name: "pattern", glob: "/p-*.html", want: "One Two", build: func(w *site) {
			w.items("/", "Start", "/p-1.html", "/list", "/p-3.txt")
			w.items("/list", "List", "/p-2.html", "/q-2.html")
			w.items("/p-1.html", "One")
			w.items("/p-2.html", "Two")
		}},
		{name: "query", glob: "/show?item=*", want: "One", build: func(w *site) {
			w.items("/", "Start", "/show?item=1", "/show?person=2")
			w.items("/show", "One")
		}},
		{name: "robots", glob: "/*", want: "Start Open", build: func(w *site) {
			w.items("/", "Start", "/open", "/private/x")
			w.items("/open", "Open")
			w.items("/private/x", "Secret")
			w.text("/robots.txt", "text/plain", "User-agent: *\nDisallow: /private\n")
		}},
		{name: "the best of many", glob: "/*", want: "Kettle Spare", warn: "5 pages matched; the 2 that fit best were read.", build: func(w *site) {
			w.items("/", "Start", "/about", "/imprint", "/teapots/kettle", "/prices/kettle")
			for _, path := range []string{"/about", "/imprint"} {
				w.items(path, "Wrong")
			}
			w.items("/prices/kettle", "Kettle")
			w.items("/teapots/kettle", "Spare")
		}, change: func(r *trawl.ExtractRequest) { r.Limit, r.Prompt = 2, "What are the prices of each kettle?" }},
		{name: "one of two globs", glob: "/a/*", want: "Start", warn: "No page matches", build: func(w *site) {
			w.items("/a/", "Start")
			w.items("/b/", "Other")
		}, change: func(r *trawl.ExtractRequest) { r.URLs = append(r.URLs, strings.Replace(r.URLs[0], "/a/*", "/b/x*", 1)) }},
		{name: "no folder", glob: "/p/*", want: "One Two Three", build: func(w *site) {
			w.items("/", "Start", "/c/1", "/c/2", "/about")
			w.items("/c/1", "List", "/p/1", "/p/2")
			w.items("/c/2", "List", "/p/3", "/private/c")
			w.items("/private/c", "List", "/p/4")
			w.items("/p/1", "One")
			w.items("/p/2", "Two")
			w.items("/p/3", "Three")
			w.items("/p/4", "Hidden")
			w.text("/robots.txt", "text/plain", "User-agent: *\nDisallow: /private\n")
		}},
		{name: "no folder above either", glob: "/a/b/c-*", want: "One", build: func(w *site) {
			w.items("/a/", "Above", "/a/b/c-1", "/x/b/c-2")
			w.items("/a/b/c-1", "One")
		}},
		{name: "items, not lists of items", glob: "/*", want: "One Two Three", warn: "8 pages matched; the 3 that fit best were read.", build: func(w *site) {
			w.items("/", "Start", "/c/1", "/c/2", "/about")
			w.items("/c/1", "List", "/p/1", "/p/2", "/p/3")
			w.items("/c/2", "List", "/p/4")
			for i, name := range []string{"One", "Two", "Three"} {
				w.items(fmt.Sprint("/p/", i+1), name)
			}
			w.items("/p/4", "Four")
		}, change: func(r *trawl.ExtractRequest) { r.Limit, r.Prompt = 3, "products with price" }},
		{name: "titles", glob: "/*", want: "Right", warn: "the 1 that fit best were read.", build: func(w *site) {
			w.items("/", "Start", "/1", "/2")
			w.items("/1", "Wrong")
			w.text("/2", "text/html", strings.Replace(itemPage("/2", "Right"), "<title>/2", "<title>Kettles", 1))
		}, change: func(r *trawl.ExtractRequest) { r.Limit, r.Prompt = 1, "the kettle" }},
		{name: "broken start", glob: "/*", want: "Listed", build: func(w *site) {
			w.items("/listed", "Listed")
			w.text("/sitemap.xml", "text/xml", sitemap(w.at("/listed")))
		}},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			s := s.apart(t)
			test.build(s.site)
			req := s.extractRequest(test.glob)
			if test.change != nil {
				test.change(&req)
			}
			j := s.extract(req)
			var sorted []string
			if err := json.Unmarshal(namesOf(s.extracted(j).Data), &sorted); err != nil {
				t.Fatalf("%v: %s", err, j.Error)
			}
			want := strings.Fields(test.want)
			slices.Sort(sorted)
			slices.Sort(want)
			if !slices.Equal(sorted, want) || !strings.Contains(j.Warning, test.warn) || test.warn == "" && j.Warning != "" {
				t.Errorf("%s with %q, want %q; %q %v", j.State, sorted, want, j.Warning, s.fates(j))
			}
		})
	}
}

// Links are followed for as long as pages are wanted, and each page is fetched
// once. If some are left that were not followed, the caller is told.
func TestExtractManyPages(t *testing.T) {
	t.Parallel()
	s, _ := thinking(t)
	const lists, each = 40, 5
	s.site.items("/", "Start", numbered("/list-", lists)...)
	for _, list := range numbered("/list-", lists) {
		s.site.items(list, "List", numbered(list+"/item-", each)...)
		for _, item := range numbered(list+"/item-", each) {
			s.site.items(item, "Item"+strings.NewReplacer("/", "", "-", "").Replace(item), "/")
		}
	}
	req := s.extractRequest("/*")
	req.Limit = 1000
	j := s.extract(req)
	if j.State != trawl.StateCompleted || j.Completed != 1+lists+lists*each || j.Warning != "" {
		t.Errorf("%s with %d pages: %q", j.State, j.Completed, j.Warning)
	}
	for _, path := range append(numbered("/list-", lists), numbered("/list-7/item-", each)...) {
		if n := s.site.count(path); n != 1 {
			t.Errorf("%s was fetched %d times", path, n)
		}
	}

	s.site.items("/chain/", "Start", "/chain/1")
	for i := range 40 {
		s.site.items(fmt.Sprint("/chain/", i+1), "Link", fmt.Sprint("/chain/", i+2))
	}
	req = s.extractRequest("/chain/*")
	req.Limit = 30
	if j := s.extract(req); j.Completed != 30 || strings.Contains(j.Warning, "may be more") {
		t.Errorf("%d pages: %q", j.Completed, j.Warning)
	}
	req = s.extractRequest("/chain/*0")
	req.Limit = 5
	if j := s.extract(req); j.Completed != 2 || !strings.Contains(j.Warning, "There may be more pages that match "+req.URLs[0]+": the links of 25 pages were followed, and not of all.") {
		t.Errorf("%d pages: %q", j.Completed, j.Warning)
	}
}

// namesOf returns the names of items, as JSON.
func namesOf(data json.RawMessage) json.RawMessage {
	var items struct{ Items []struct{ Name string } }
	_ = json.Unmarshal(data, &items)
	names := []string{}
	for _, item := range items.Items {
		names = append(names, item.Name)
	}
	list, _ := json.Marshal(names)
	return list
}

func TestExtractSubdomains(t *testing.T) {
	t.Parallel()
	s, _ := thinking(t)
	s.site.items("site.test/", "Start", s.site.at("docs.site.test/x"), s.site.at("/elsewhere"))
	s.site.items("docs.site.test/x", "Below")
	s.site.items("/elsewhere", "Outside")
	for _, test := range []struct {
		host                string
		subdomains, outside bool
		want                string
	}{
		{"site.test", true, false, "Start Below"}, {"site.test", false, false, "Start"},
		{"*.site.test", false, false, "Start Below"}, {"site.test", false, true, "Start Below Outside"},
	} {
		req := s.extractRequest("http://" + test.host + ":" + s.site.port() + "/*")
		req.IncludeSubdomains, req.AllowExternalLinks = test.subdomains, test.outside
		s.wantItems(s.extract(req), test.want)
	}
}

func TestExtractWebSearch(t *testing.T) {
	t.Parallel()
	engine := searchtest.New(t)
	provider, err := search.NewSearXNG(engine.URL, http.DefaultTransport)
	if err != nil {
		t.Fatal(err)
	}
	s, _ := thinking(t, func(c *job.Config) { c.Search = provider })
	s.site.items("/a", "Kettle")
	s.site.items("site.test/found", "Pan")
	s.site.items("site.test/private", "Secret")
	s.site.text("site.test/robots.txt", "text/plain", "User-agent: *\nDisallow: /private\n")
	engine.Handle(func(url.Values) searchtest.Reply {
		return searchtest.Reply{Results: []searchtest.Result{
			{URL: s.site.at("/a"), Title: "known"}, {URL: "ftp://nowhere.test/", Title: "no page"}, {URL: s.site.at("site.test/private"), Title: "forbidden"}, {URL: s.site.at("site.test/found"), Title: "new"},
		}}
	})
	req := s.extractRequest("/a")
	req.Prompt, req.EnableWebSearch = "Items  of the\nshop", true
	j := s.extract(req)
	if s.wantItems(j, "Kettle Pan"); j.Completed != 2 || j.Warning != "" {
		t.Errorf("%+v", j)
	}
	if calls := engine.Calls(); len(calls) == 0 || calls[0].Get("q") != "Items of the shop" {
		t.Errorf("%v", calls)
	}
	req.Limit = 1 // the caller's own page goes first
	s.wantItems(s.extract(req), "Kettle")
	engine.Handle(func(url.Values) searchtest.Reply { return searchtest.Reply{Status: http.StatusInternalServerError} })
	j = s.extract(req)
	if s.wantItems(j, "Kettle"); !strings.Contains(j.Warning, "web search failed") {
		t.Errorf("%q", j.Warning)
	}
}

// What a caller sends to a site goes to no other.
func TestExtractHeaders(t *testing.T) {
	t.Parallel()
	s, _ := thinking(t)
	serve := func(path, names string, secret bool, links ...string) {
		s.site.handle(path, func(w http.ResponseWriter, r *http.Request) {
			if got := r.Header.Get("X-Secret"); (got != "") != secret {
				t.Errorf("%s was sent the secret %q", path, got)
			}
			w.Header().Set("Content-Type", "text/html")
			_, _ = io.WriteString(w, itemPage(path, names, links...))
		})
	}
	serve("site.test/", "Start", true, "/near", s.site.at("docs.site.test/"), s.site.at("/far"))
	serve("site.test/near", "Near", true)
	serve("docs.site.test/", "Below", true)
	serve("/far", "Far", false, "/further")
	serve("/further", "Further", false)
	req := s.extractRequest(s.site.at("site.test/*"))
	req.AllowExternalLinks, req.ScrapeOptions.Headers = true, map[string]string{"X-Secret": "abc"}
	s.wantItems(s.extract(req), "Start Near Below Far Further")
}
