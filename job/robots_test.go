package job_test

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/internal/testtime"
)

func TestRobots(t *testing.T) {
	t.Parallel()
	service := start(t)
	const rules = "User-agent: *\nDisallow: /private\nAllow: /private/open\n\nUser-agent: friend\nDisallow: /b\n\nUser-agent: trawl\nDisallow: /a\nDisallow: /private\nAllow: /private/open\n"
	filler := strings.Repeat("# filler\n", 500<<10/9)
	for name, c := range map[string]struct {
		robots  string
		status  int
		change  func(*trawl.CrawlRequest)
		want    string
		blocked string
	}{
		"rules":         {rules, 200, nil, "/ /b /private/open", "/a /private"},
		"for everybody": {"User-agent: *\nDisallow: /private\n", 200, nil, "/ /a /b", "/private /private/open"},
		"for others":    {"User-agent: other\nDisallow: /\n", 200, nil, "/ /a /b /private /private/open", ""},
		"another agent": {rules, 200, func(r *trawl.CrawlRequest) { r.RobotsUserAgent = "friend" }, "/ /a /private /private/open", "/b"},
		"ignored":       {"User-agent: *\nDisallow: /\n", 200, func(r *trawl.CrawlRequest) { r.IgnoreRobotsTxt = true }, "/ /a /b /private /private/open", ""},
		"missing":       {"", 404, nil, "/ /a /b /private /private/open", ""},
		"forbidden":     {"", 403, nil, "/ /a /b /private /private/open", ""},
		"broken":        {"", 500, nil, "", "/"},
		"nothing":       {"User-agent: *\nDisallow: /\n", 200, nil, "", "/"},
		"long": {"User-agent: *\nDisallow: /a\n" + filler + strings.Repeat("# filler\n", 12<<10) + "Disallow: /b\n", 200, nil,
			"/ /b /private /private/open", "/a"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := service.apart(t)
			s.site.page("/", "/a", "/b", "/private", "/private/open")
			for _, path := range []string{"/a", "/b", "/private", "/private/open"} {
				s.site.page(path, "/", "/a")
			}
			s.site.handle("/robots.txt", func(w http.ResponseWriter, _ *http.Request) {
				w.WriteHeader(c.status)
				_, _ = fmt.Fprint(w, c.robots)
			})
			j := s.crawl("/", func(r *trawl.CrawlRequest) {
				if c.change != nil {
					c.change(r)
				}
			})
			s.expect(j, trawl.StateCompleted, strings.Fields(c.want)...)
			blocked := strings.Fields(c.blocked)
			failed, robots := s.failures(j)
			if !slices.Equal(robots, blocked) || len(failed) != 0 || j.RobotsBlocked != len(blocked) || j.Failed != 0 {
				t.Errorf("blocked %q (%d), want %q; failed %v", robots, j.RobotsBlocked, blocked, failed)
			}
			fates := s.fates(j)
			for _, path := range blocked {
				if fates[path] != trawl.FateRobots || s.site.count(path) != 0 {
					t.Errorf("%s is %q and was asked for %d times", path, fates[path], s.site.count(path))
				}
			}
			if n := s.site.count("/robots.txt"); c.status == 200 && n != 1 {
				t.Errorf("robots.txt was asked for %d times", n)
			}
		})
	}
}

// TestRobotsOfSitemapPages has pages that only the sitemap lists.
func TestRobotsOfSitemapPages(t *testing.T) {
	t.Parallel()
	s := start(t)
	s.site.page("/")
	s.site.page("/open")
	s.site.text("/sitemap.xml", "text/xml", sitemapOf(s.site.at("/open"), s.site.at("/secret/a"), s.site.at("/secret/b")))
	s.site.text("/robots.txt", "text/plain", "User-agent: *\nDisallow: /secret\n")
	j := s.crawl("/")
	s.expect(j, trawl.StateCompleted, "/", "/open")
	if _, robots := s.failures(j); !slices.Equal(robots, []string{"/secret/a", "/secret/b"}) || j.RobotsBlocked != 2 {
		t.Errorf("%q", robots)
	}
}

// TestRobotsOfEveryHost asks each host for its own rules.
func TestRobotsOfEveryHost(t *testing.T) {
	t.Parallel()
	s := start(t)
	s.site.page("site.test/", s.site.at("a.site.test/x"), s.site.at("a.site.test/y"), "/x")
	s.site.page("site.test/x")
	s.site.page("a.site.test/y")
	s.site.text("a.site.test/robots.txt", "text/plain", "User-agent: *\nDisallow: /x\n")
	j := s.crawl("/", func(r *trawl.CrawlRequest) { r.URL, r.AllowSubdomains = s.site.at("site.test/"), true })
	s.expect(j, trawl.StateCompleted, "site.test/", "site.test/x", "a.site.test/y")
	if n := s.site.count("a.site.test/x"); n != 0 {
		t.Errorf("asked for %d times", n)
	}
}

// TestRedirectIntoForbidden has a page that leads to where robots.txt lets nobody.
func TestRedirectIntoForbidden(t *testing.T) {
	t.Parallel()
	s := start(t)
	s.site.page("/", "/door")
	s.site.redirect("/door", "/private/room")
	s.site.page("/private/room", "/private/more")
	s.site.text("/robots.txt", "text/plain", "User-agent: *\nDisallow: /private\n")
	j := s.crawl("/")
	s.expect(j, trawl.StateCompleted, "/")
	if j.RobotsBlocked == 0 {
		t.Errorf("%v", s.fates(j))
	}
}

// times notes when the site is asked for pages.
type times struct{ at chan time.Time }

func (n times) note() { n.at <- time.Now() }

// gaps returns the times between pages.
func (n times) gaps() (list []time.Duration) {
	close(n.at)
	var last time.Time
	for at := range n.at {
		if !last.IsZero() {
			list = append(list, at.Sub(last))
		}
		last = at
	}
	return list
}

// timed serves pages and notes when.
func (s *site) timed(paths ...string) times {
	n := times{make(chan time.Time, 1000)}
	for i, path := range paths {
		var links []string
		if i == 0 {
			links = paths[1:]
		}
		s.handle(path, func(w http.ResponseWriter, _ *http.Request) {
			n.note()
			w.Header().Set("Content-Type", "text/html")
			_, _ = fmt.Fprint(w, linked(path, links...))
		})
	}
	return n
}

func TestCrawlDelay(t *testing.T) {
	t.Parallel()
	s := start(t)
	asked := s.site.timed(append([]string{"/"}, numbered("/p", 4)...)...)
	s.site.text("/robots.txt", "text/plain", "User-agent: *\nCrawl-delay: 0.2\n")
	j := s.crawl("/")
	s.expect(j, trawl.StateCompleted, append([]string{"/"}, numbered("/p", 4)...)...)
	gaps := asked.gaps()
	for i, gap := range gaps {
		if gap < 150*time.Millisecond {
			t.Errorf("page %d came %v after the one before: %v", i+2, gap, gaps)
		}
	}
}

// TestStopWhileRobotsHang stops an engine that waits for a robots.txt.
func TestStopWhileRobotsHang(t *testing.T) {
	t.Parallel()
	s, hang := start(t), newGate()
	s.site.page("/")
	s.site.gated(hang, "/robots.txt")
	s.ordered(s.Crawl(t.Context(), s.order, s.crawlRequest("/")))
	receive(t, hang.entered)
	if err := s.Stop(testtime.Context(t)); err != nil {
		t.Error(err)
	}
	hang.open()
}
