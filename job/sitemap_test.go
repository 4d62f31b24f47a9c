package job_test

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"strings"
	"testing"

	"github.com/trawlhq/trawl"
)

// sitemapOf is a sitemap that lists pages.
func sitemapOf(addresses ...string) string { return sitemapXML("urlset", "url", addresses) }

// indexOf is a sitemap that lists sitemaps.
func indexOf(addresses ...string) string { return sitemapXML("sitemapindex", "sitemap", addresses) }

func sitemapXML(list, item string, addresses []string) string {
	var b strings.Builder
	fmt.Fprintf(&b, `<?xml version="1.0"?><%s xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">`, list)
	for _, address := range addresses {
		fmt.Fprintf(&b, "<%s><loc>%s</loc></%s>", item, address, item)
	}
	fmt.Fprintf(&b, "</%s>", list)
	return b.String()
}

func zipped(t testing.TB, text string) string {
	t.Helper()
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	if _, err := w.Write([]byte(text)); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestSitemap(t *testing.T) {
	t.Parallel()
	service := start(t)
	listed := func(s *site, path string, pages ...string) {
		for i, page := range pages {
			pages[i] = s.at(page)
		}
		s.text(path, "text/xml", sitemapOf(pages...))
	}
	for name, c := range map[string]struct {
		start, mode string
		change      func(*trawl.CrawlRequest)
		build       func(testing.TB, *site)
		want        string
	}{
		"include": {"/", trawl.SitemapInclude, nil, func(t testing.TB, s *site) {
			listed(s, "/sitemap.xml", "/hidden", "/linked/", "/", "other.site.test/x")
		}, "/ /linked /hidden /below"},
		"skip": {"/", trawl.SitemapSkip, nil, func(t testing.TB, s *site) { listed(s, "/sitemap.xml", "/hidden") }, "/ /linked"},
		"only": {"/", trawl.SitemapOnly, nil, func(t testing.TB, s *site) { listed(s, "/sitemap.xml", "/hidden") }, "/ /hidden"},
		"none": {"/", trawl.SitemapInclude, nil, func(testing.TB, *site) {}, "/ /linked"},
		"rules apply": {"/docs", trawl.SitemapInclude, nil, func(t testing.TB, s *site) {
			listed(s, "/sitemap.xml", "/hidden", "/docs/x")
		}, "/docs /docs/x"},
		"of the folder": {"/docs/", trawl.SitemapInclude, nil, func(t testing.TB, s *site) {
			listed(s, "/docs/sitemap.xml", "/docs/x")
		}, "/docs/ /docs/x"},
		"depth counts from its pages": {"/", trawl.SitemapInclude, func(r *trawl.CrawlRequest) {
			one := 1
			r.MaxDiscoveryDepth = &one
		}, func(t testing.TB, s *site) { listed(s, "/sitemap.xml", "/hidden") }, "/ /linked /hidden /below"},
		"its pages have depth 0": {"/", trawl.SitemapInclude, func(r *trawl.CrawlRequest) {
			none := 0
			r.MaxDiscoveryDepth = &none
		}, func(t testing.TB, s *site) { listed(s, "/sitemap.xml", "/hidden", "/linked") }, "/ /linked /hidden"},
		"even if they are linked": {"/", trawl.SitemapInclude, func(r *trawl.CrawlRequest) {
			one := 1
			r.MaxDiscoveryDepth = &one
		}, func(t testing.TB, s *site) {
			s.page("/", "/linked", "/hidden")
			listed(s, "/sitemap.xml", "/hidden")
		}, "/ /linked /hidden /below"},
		"index": {"/", trawl.SitemapOnly, nil, func(t testing.TB, s *site) {
			s.text("/sitemap.xml", "text/xml", indexOf(s.at("/one.xml"), s.at("/two.xml"), s.at("/gone.xml")))
			listed(s, "/one.xml", "/hidden")
			listed(s, "/two.xml", "/below")
		}, "/ /hidden /below"},
		"circle": {"/", trawl.SitemapOnly, nil, func(t testing.TB, s *site) {
			s.text("/sitemap.xml", "text/xml", indexOf(s.at("/one.xml"), s.at("/sitemap.xml")))
			s.text("/one.xml", "text/xml", indexOf(s.at("/two.xml"), s.at("/sitemap.xml")))
			s.text("/two.xml", "text/xml", indexOf(s.at("/one.xml"), s.at("/pages.xml")))
			listed(s, "/pages.xml", "/hidden")
		}, "/ /hidden"},
		"gzip": {"/", trawl.SitemapOnly, nil, func(t testing.TB, s *site) {
			s.text("/sitemap.xml", "text/xml", indexOf(s.at("/pages.xml.gz")))
			s.text("/pages.xml.gz", "application/octet-stream", zipped(t, sitemapOf(s.at("/hidden"))))
		}, "/ /hidden"},
		"named by robots.txt": {"/", trawl.SitemapOnly, nil, func(t testing.TB, s *site) {
			s.text("/robots.txt", "text/plain", "Sitemap: "+s.at("/maps/pages.txt")+"\nUser-agent: *\nSitemap: "+s.at("/maps/more.xml")+"\n")
			s.text("/maps/pages.txt", "text/plain", s.at("/hidden")+"\n")
			listed(s, "/maps/more.xml", "/below")
		}, "/ /hidden /below"},
		"cut off": {"/", trawl.SitemapOnly, nil, func(t testing.TB, s *site) {
			s.text("/sitemap.xml", "text/xml", strings.TrimSuffix(sitemapOf(s.at("/hidden"), s.at("/below")), s.at("/below")+"</loc></url></urlset>"))
		}, "/ /hidden"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := service.apart(t)
			s.site.page("/", "/linked")
			s.site.page("/linked")
			s.site.page("/hidden", "/below")
			s.site.page("/below")
			for _, path := range []string{"/docs", "/docs/", "/docs/x"} {
				s.site.page(path)
			}
			c.build(t, s.site)
			j := s.crawl(c.start, func(r *trawl.CrawlRequest) {
				r.Sitemap = c.mode
				if c.change != nil {
					c.change(r)
				}
			})
			s.expect(j, trawl.StateCompleted, strings.Fields(c.want)...)
			if n := s.site.count("/sitemap.xml"); c.mode == trawl.SitemapSkip && n != 0 || n > 1 {
				t.Errorf("the sitemap was read %d times", n)
			}
		})
	}
}

func TestSitemapOnlyWithoutSitemap(t *testing.T) {
	t.Parallel()
	s := start(t)
	s.site.page("/", "/linked")
	s.site.page("/sitemap.xml", "/linked") // a page, as some sites answer to anything
	j := s.crawl("/", func(r *trawl.CrawlRequest) { r.Sitemap = trawl.SitemapOnly })
	if j.State != trawl.StateFailed || !strings.Contains(j.Error, "sitemap") || j.Total != j.Completed+j.Failed {
		t.Errorf("%+v", j)
	}
	if codes, _ := s.failures(j); codes["/"] != trawl.CodeSitemap {
		t.Errorf("%v", codes)
	}
}

// TestSitemapFollowsTheStart has the sitemap of where the start redirects to.
func TestSitemapFollowsTheStart(t *testing.T) {
	t.Parallel()
	s := start(t)
	s.site.redirect("/", "new.site.test/")
	s.site.page("new.site.test/", "/linked")
	s.site.page("new.site.test/linked")
	s.site.page("new.site.test/hidden")
	s.site.text("new.site.test/sitemap.xml", "text/xml", sitemapOf(s.site.at("new.site.test/hidden")))
	s.site.text("/sitemap.xml", "text/xml", sitemapOf(s.site.at("/old")))
	s.expect(s.crawl("/"), trawl.StateCompleted, "/", "new.site.test/linked", "new.site.test/hidden")
}
