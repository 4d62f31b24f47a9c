package crawl_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/trawlhq/trawl/crawl"
)

func TestAllowed(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, robots, agent string
		allowed, disallowed []string
	}{
		{"no rules", "", "trawl", []string{"", "/", "https://example.com/x"}, nil},
		{"everything", "User-agent: *\nDisallow: /", "trawl", nil, []string{"", "/", "https://example.com", "https://example.com/x?y"}},
		{"nothing", "User-agent: *\nDisallow:", "trawl", []string{"/", "/x"}, nil},
		{"a prefix", "User-agent: *\nDisallow: /a", "trawl", []string{"/", "/b/a", "/A"}, []string{"/a", "/ab", "/a/b", "/a?b"}},
		{"the longest decides", "User-agent: *\nDisallow: /a/\nAllow: /a/b\nDisallow: /a/b/c", "trawl", []string{"/a/b", "/a/bx"}, []string{"/a/", "/a/c", "/a/b/c"}},
		{"allow wins a draw", "User-agent: *\nDisallow: /a\nAllow: /a", "trawl", []string{"/a", "/ab"}, nil},
		{"a star", "User-agent: *\nDisallow: /*.pdf\nDisallow: /a*b*c", "trawl", []string{"/x.PDF", "/ab", "/acb"}, []string{"/x.pdf", "/x.pdf?y", "/abc", "/a1b2c3"}},
		{"the end", "User-agent: *\nDisallow: /*.pdf$\nDisallow: /x$", "trawl", []string{"/a.pdf?x", "/x/", "/xx"}, []string{"/a.pdf", "/a.pdf.pdf", "/x"}},
		{"a dollar sign within", "User-agent: *\nDisallow: /a$b", "trawl", []string{"/a"}, []string{"/a$b"}},
		{"named groups go before the star", "User-agent: *\nDisallow: /\nUser-agent: Trawl\nDisallow: /x", "trawl", []string{"/", "/y"}, []string{"/x"}},
		{"others keep to the star", "User-agent: *\nDisallow: /y\nUser-agent: Trawl\nDisallow: /x", "other", []string{"/x"}, []string{"/y"}},
		{"groups of one name are one", "User-agent: a\nDisallow: /x\nUser-agent: b\nDisallow: /y\nUser-agent: a\nDisallow: /z", "a", []string{"/y"}, []string{"/x", "/z"}},
		{"names share a group", "User-agent: a\nUser-agent: b\nDisallow: /x", "b", []string{"/"}, []string{"/x"}},
		{"other lines do not end a list of names", "User-agent: a\nSitemap: /s\nUnknown: x\n\nUser-agent: b\nDisallow: /x", "a", nil, []string{"/x"}},
		{"an empty rule ends a list of names", "User-agent: a\nDisallow:\nUser-agent: b\nDisallow: /x", "a", []string{"/x"}, nil},
		{"versions do not count", "User-agent: Trawl/1.0 (x)\nDisallow: /", "TRAWL", nil, []string{"/"}},
		{"rules before any name", "Disallow: /\nUser-agent: *\nAllow: /x", "trawl", []string{"/", "/x"}, nil},
		{"a crawler without a name", "User-agent: a\nDisallow: /", "", []string{"/"}, nil},
		{"byte order mark, line ends, case", "\ufeffUSER-AGENT : *\r\nDISALLOW\t: /x\rdisallow: /y # why\r\n", "trawl", []string{"/"}, []string{"/x", "/y"}},
		{"no colons", "user-agent *\ndisallow /x\nallow this and that", "trawl", []string{"/"}, []string{"/x"}},
		{"misspelt", "useragent: *\ndissalow: /x", "trawl", []string{"/"}, []string{"/x"}},
		{"the index of a folder", "User-agent: *\nAllow: /a/index.html\nDisallow: /", "trawl", []string{"/a/", "/a/index.html"}, []string{"/a", "/a/b", "/"}},
		{"escapes", "User-agent: *\nDisallow: /ü\nDisallow: /%c3%b6", "trawl", []string{"/u"}, []string{"/%C3%BC", "/%c3%bc", "/%C3%B6"}},
		{"addresses", "User-agent: *\nDisallow: /x", "trawl", []string{"https://example.com?/x", "//x.example/", "https://x/#/x"}, []string{"https://example.com/x#y", "//example.com/x", "http://u:p@h:1/x"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			r := crawl.ParseRobots([]byte(c.robots))
			for _, address := range c.allowed {
				if !r.Allowed(c.agent, address) {
					t.Errorf("%q is disallowed", address)
				}
			}
			for _, address := range c.disallowed {
				if r.Allowed(c.agent, address) {
					t.Errorf("%q is allowed", address)
				}
			}
		})
	}
}

func TestSitemaps(t *testing.T) {
	t.Parallel()
	r := crawl.ParseRobots([]byte("Sitemap: https://example.com/a.xml\nUser-agent: x\nsitemap:/b.xml # b\nSite-map: https://example.com/a.xml\nSitemap:"))
	if got, want := r.Sitemaps(), []string{"https://example.com/a.xml", "/b.xml"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestDelay(t *testing.T) {
	t.Parallel()
	const robots = "User-agent: *\nCrawl-delay: 10\nDisallow:\nUser-agent: a\nUser-agent: b\nCrawl-delay: 1.5\nDisallow: /x\n" +
		"User-agent: huge\nCrawl-delay: 1e300\nDisallow:\nUser-agent: odd\nCrawl-delay: -1\nCrawl-delay: NaN\nCrawl-delay: soon\nDisallow:\nUser-agent: none\nDisallow: /"
	r := crawl.ParseRobots([]byte(robots))
	for agent, want := range map[string]time.Duration{
		"other": 10 * time.Second, "A": 1500 * time.Millisecond, "b": 1500 * time.Millisecond, "huge": 24 * time.Hour, "odd": 0, "none": 0,
	} {
		if got := r.Delay(agent); got != want {
			t.Errorf("%s: got %v, want %v", agent, got, want)
		}
	}
}

// TestRobotsIsBounded checks that what is beyond the limit does not count, and
// that patterns made to be slow are not.
func TestRobotsIsBounded(t *testing.T) {
	t.Parallel()
	long := "User-agent: *\nDisallow: /x\n" + strings.Repeat("# padding\n", 60_000) + "Disallow: /y\n"
	if r := crawl.ParseRobots([]byte(long)); !r.Allowed("a", "/y") || r.Allowed("a", "/x") {
		t.Error("the first 500 KiB count, and nothing behind them")
	}
	slow := crawl.ParseRobots([]byte("User-agent: *\nDisallow: /" + strings.Repeat("a*", 8000) + "b\n"))
	if !slow.Allowed("x", "/"+strings.Repeat("a", 1<<20)) {
		t.Error("a path that does not match is disallowed")
	}
}

// TestVectors reads robots_vectors.json in the folder TRAWL_VECTORS: the
// decisions of a widely used parser.
func TestVectors(t *testing.T) {
	t.Parallel()
	folder := os.Getenv("TRAWL_VECTORS")
	if folder == "" {
		t.Skip("TRAWL_VECTORS is not set")
	}
	data, err := os.ReadFile(filepath.Join(folder, "robots_vectors.json"))
	if err != nil {
		t.Fatal(err)
	}
	var vectors []struct {
		Test, Robots, UA, URL string
		Allow                 bool
	}
	if err := json.Unmarshal(data, &vectors); err != nil {
		t.Fatal(err)
	}
	if len(vectors) < 140 {
		t.Errorf("only %d vectors", len(vectors))
	}
	for _, v := range vectors {
		if got := crawl.ParseRobots([]byte(v.Robots)).Allowed(v.UA, v.URL); got != v.Allow {
			t.Errorf("%s: %q may fetch %q by %q: got %v", v.Test, v.UA, v.URL, v.Robots, got)
		}
	}
}

// FuzzRobots checks that a page which may be fetched by a plain rule may be
// fetched whatever else is allowed, and that nothing makes it fail.
func FuzzRobots(f *testing.F) {
	f.Add("User-agent: *\nDisallow: /*a$\nAllow: /b", "trawl", "https://example.com/ba")
	f.Add("\ufeffuser-agent a\r\ndisallow /%e3*\nCrawl-delay: 1e9\nSitemap: x", "a", "//x?%e3")
	f.Fuzz(func(t *testing.T, body, agent, address string) {
		r := crawl.ParseRobots([]byte(body))
		for _, sitemap := range r.Sitemaps() {
			if sitemap == "" {
				t.Error("a sitemap without address")
			}
		}
		if d := r.Delay(agent); d < 0 || d > 24*time.Hour {
			t.Errorf("a delay of %v", d)
		}
		if r.Allowed(agent, address) {
			return
		}
		if !strings.Contains(strings.ToLower(body), "dis") && !strings.Contains(strings.ToLower(body), "dia") {
			t.Errorf("%q is disallowed by %q, which disallows nothing", address, body)
		}
		if open := crawl.ParseRobots([]byte("User-agent: *\nAllow: /")); !open.Allowed(agent, address) {
			t.Errorf("%q is disallowed where everything is allowed", address)
		}
	})
}
