package job_test

import (
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/job"
)

// mapOf maps the site.
func (s *service) mapOf(path string, change func(*trawl.MapRequest)) (job.MapAnswer, error) {
	req := trawl.DefaultMapRequest()
	req.URL = s.site.at(path)
	if change != nil {
		change(&req)
	}
	return s.Map(s.t.Context(), s.order, req)
}

func TestMap(t *testing.T) {
	t.Parallel()
	s := start(t)
	s.site.text("site.test/", "text/html", `<html><head><title>The Start</title><meta name="description" content="Where it begins"></head><body>
		<a href="/linked">x</a><a href="/linked/">x</a><a href="/linked?page=2">x</a><a href="/blog/go-news">x</a>
		<a href="`+s.site.at("sub.site.test/page")+`">x</a><a href="http://other.example/">x</a><a href="/picture.png">x</a></body></html>`)
	s.site.text("site.test/blog", "text/html", `<a href="/blog/a">x</a><a href="/linked">x</a>`)
	s.site.text("site.test/sitemap.xml", "text/xml", sitemapOf(s.site.at("site.test/listed"), s.site.at("site.test/linked"), s.site.at("site.test/blog/listed")))
	for name, c := range map[string]struct {
		start  string
		change func(*trawl.MapRequest)
		want   string
	}{
		"include":       {"site.test/", nil, "/ /listed /linked /blog/listed /blog/go-news sub.site.test/page"},
		"skip":          {"site.test/", func(r *trawl.MapRequest) { r.Sitemap = trawl.SitemapSkip }, "/ /linked /blog/go-news sub.site.test/page"},
		"only":          {"site.test/", func(r *trawl.MapRequest) { r.Sitemap = trawl.SitemapOnly }, "/ /listed /linked /blog/listed"},
		"no subdomains": {"site.test/", func(r *trawl.MapRequest) { r.IncludeSubdomains, r.Sitemap = false, trawl.SitemapSkip }, "/ /linked /blog/go-news"},
		"with queries": {"site.test/", func(r *trawl.MapRequest) {
			r.IgnoreQueryParameters, r.IncludeSubdomains, r.Sitemap = false, false, trawl.SitemapSkip
		}, "/ /linked /linked?page=2 /blog/go-news"},
		"limit":         {"site.test/", func(r *trawl.MapRequest) { r.Limit = 2 }, "/ /listed"},
		"search":        {"site.test/", func(r *trawl.MapRequest) { r.Search, r.Limit = "go news", 2 }, "/blog/go-news /"},
		"below a path":  {"site.test/blog", nil, "/blog /blog/listed /blog/a"},
		"beside a path": {"site.test/blog", func(r *trawl.MapRequest) { r.FilterByPath = false }, "/blog /listed /linked /blog/listed /blog/a"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := s.on(t).as(trawl.Team{})
			answer, err := s.mapOf(c.start, c.change)
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, link := range answer.Links {
				got = append(got, strings.TrimPrefix(s.site.short(link.URL), "site.test"))
			}
			if want := strings.Fields(c.want); !slices.Equal(got, want) || answer.ID == "" {
				t.Errorf("%q, want %q", got, want)
			}
			if first := answer.Links[0]; got[0] == "/" && (first.Title != "The Start" || first.Description != "Where it begins") {
				t.Errorf("%+v", first)
			}
			if _, used := s.balance(); used != 1 {
				t.Errorf("%d credits", used)
			}
		})
	}
}

func TestMapTrouble(t *testing.T) {
	t.Parallel()
	s, g := start(t), newGate()
	s.site.gated(g, "/hangs")
	s.site.page("/")
	s.site.redirect("/circle", "/circle")
	_, err := s.mapOf("/hangs", func(r *trawl.MapRequest) { r.Timeout = 200 })
	wantCode(t, err, trawl.CodeMapTimeout)
	if err == nil || err.Error() != "Map timed out" {
		t.Error(err)
	}
	_, err = s.mapOf("/circle", nil)
	wantCode(t, err, trawl.CodeMapFailed)
	if _, used := s.balance(); used != 0 {
		t.Errorf("%d credits for nothing", used)
	}
	answer, err := s.mapOf("/", func(r *trawl.MapRequest) { r.Sitemap = trawl.SitemapOnly })
	if err != nil || !strings.Contains(answer.Warning, "sitemap") {
		t.Errorf("%+v, %v", answer, err)
	}
	s.site.text("/sitemap.xml", "text/xml", sitemapOf(s.site.at("/circle/x")))
	if answer, err = s.mapOf("/circle", nil); err != nil || len(answer.Links) != 1 { // the sitemap knows more
		t.Errorf("%+v, %v", answer, err)
	}

	poor := s.grant(1)
	if _, err := poor.mapOf("/", nil); err != nil {
		t.Error(err)
	}
	if answer, err := poor.mapOf("/", nil); err == nil || trawl.ErrorCode(err) != trawl.CodePayment {
		t.Errorf("%+v, %v", answer, err)
	}
	poor.spent(0, 1)
}

// TestMapHeaders sends the caller's headers to the site and to nobody else.
func TestMapHeaders(t *testing.T) {
	t.Parallel()
	s := start(t)
	guarded := func(body string) http.HandlerFunc {
		return func(w http.ResponseWriter, r *http.Request) {
			if r.Header.Get("X-Token") != "abc" {
				http.Error(w, "who are you?", http.StatusForbidden)
				return
			}
			_, _ = w.Write([]byte(body))
		}
	}
	s.site.handle("site.test/", guarded(linked("x", "/a")))
	s.site.handle("site.test/sitemap.xml", guarded(indexOf(s.site.at("other.site.test/map.xml"), s.site.at("site.test/map.xml"))))
	s.site.handle("site.test/map.xml", guarded(sitemapOf(s.site.at("site.test/b"))))
	s.site.handle("other.site.test/map.xml", func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("X-Token") != "" {
			t.Error("another host was told the caller's secret")
		}
		_, _ = w.Write([]byte(sitemapOf(s.site.at("site.test/c"))))
	})
	answer, err := s.mapOf("site.test/", func(r *trawl.MapRequest) { r.Headers = map[string]string{"X-Token": "abc"} })
	if err != nil || len(answer.Links) != 4 {
		t.Errorf("%+v, %v", answer.Links, err)
	}
}
