package job_test

import (
	"net/http"
	"testing"

	"github.com/trawlhq/trawl"
)

// A redirect does not choose who is sent the caller's headers: not the page it
// leads to, nor what is looked for there.
func TestHeadersAndRedirects(t *testing.T) {
	t.Parallel()
	s, _ := thinking(t)
	told := func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("X-Token") != "" {
			t.Errorf("%s%s was told the caller's secret", r.Host, r.URL)
		}
		http.NotFound(w, r)
	}
	s.site.redirect("site.test/shop/", "/shop/")
	s.site.handle("/shop/", func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("X-Token") != "" {
			t.Errorf("%s was told the caller's secret", r.URL)
		}
		w.Header().Set("Content-Type", "text/html")
		_, _ = w.Write([]byte(itemPage("/shop/", "Kettle")))
	})
	for _, path := range []string{"/robots.txt", "/sitemap.xml", "/shop/sitemap.xml"} {
		s.site.handle(path, told)
	}
	secret := map[string]string{"X-Token": "abc"}
	if _, err := s.mapOf("site.test/shop/", func(r *trawl.MapRequest) { r.Headers = secret }); err != nil {
		t.Error(err)
	}
	req := s.extractRequest(s.site.at("site.test/shop/") + "*")
	req.ScrapeOptions.Headers = secret
	s.wantItems(s.extract(req), "Kettle")
}

// Pages of a crawl beyond the site do not get what is meant for it.
func TestCrawlHeaders(t *testing.T) {
	t.Parallel()
	s := start(t)
	serve := func(path string, secret bool, links ...string) {
		s.site.handle(path, func(w http.ResponseWriter, r *http.Request) {
			if got := r.Header.Get("X-Token"); (got != "") != secret {
				t.Errorf("%s was sent %q", path, got)
			}
			w.Header().Set("Content-Type", "text/html")
			_, _ = w.Write([]byte(linked("x", links...)))
		})
	}
	serve("site.test/", true, "/a", s.site.at("/"), s.site.at("docs.site.test/"))
	serve("site.test/a", true)
	serve("docs.site.test/", true)
	serve("/", false)
	j := s.crawl("/", func(r *trawl.CrawlRequest) {
		r.URL = s.site.at("site.test/")
		r.AllowExternalLinks, r.AllowSubdomains = true, true
		r.ScrapeOptions.Headers = map[string]string{"X-Token": "abc"}
	})
	if j.Completed != 4 {
		t.Errorf("%+v", j)
	}
}
