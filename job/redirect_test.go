package job_test

import (
	"net"
	"net/http"
	"strings"
	"testing"

	"github.com/trawlhq/trawl"
)

func TestStartRedirects(t *testing.T) {
	t.Parallel()
	service := start(t)
	for name, c := range map[string]struct {
		to   string
		want string
	}{
		"to another host":        {"new.site.test/home", "/old new.site.test/home/x"},
		"to its own page":        {"/new", "/old"},
		"by way of another host": {"hop.site.test/", "/old new.site.test/home/x"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := service.apart(t)
			s.site.redirect("/old", c.to)
			s.site.redirect("hop.site.test/", "new.site.test/home")
			s.site.page("new.site.test/home", "/home/x", "/home", s.site.at("/old/y"))
			s.site.page("new.site.test/home/x", s.site.at("/old"))
			s.site.page("/new", "/new/x")
			j := s.crawl("/old")
			s.expect(j, trawl.StateCompleted, strings.Fields(c.want)...)
			if used := int64(len(strings.Fields(c.want))); j.Credits != used {
				t.Errorf("%d credits, want %d", j.Credits, used)
			}
			if docs := s.documents(j); docs[0].Metadata.URL == docs[0].Metadata.SourceURL {
				t.Errorf("where the start is: %+v", docs[0].Metadata)
			}
		})
	}
}

// TestRedirects has pages that lead elsewhere.
func TestRedirects(t *testing.T) {
	t.Parallel()
	s := start(t)
	s.site.page("/", "/outside", "/again", "/home", "/circle", "/chain", "/moved", "/also-moved", "/other-way", "/a")
	s.site.redirect("/outside", "other.site.test/")
	s.site.page("other.site.test/")
	s.site.redirect("/again", "/a")
	s.site.redirect("/home", "/")
	s.site.redirect("/circle", "/circle2")
	s.site.redirect("/circle2", "/circle")
	s.site.redirect("/chain", "/again")
	s.site.redirect("/moved", "/new")
	s.site.redirect("/also-moved", "/new")
	s.site.redirect("/other-way", "/gone/away")
	s.site.page("/a")
	s.site.page("/new", "/from-new")
	s.site.page("/from-new", "/new")
	j := s.crawl("/", func(r *trawl.CrawlRequest) { r.ExcludePaths = []string{"^/gone"} })
	codes, _ := s.failures(j)
	if len(codes) != 3 || codes["/outside"] != trawl.CodeCrawlDenial || codes["/other-way"] != trawl.CodeCrawlDenial || codes["/circle"] == "" || codes["/circle"] == trawl.CodeUnknown {
		t.Errorf("failed: %v", codes)
	}
	first := "/moved"
	fates := s.fates(j)
	if fates["/moved"] != "scraped" {
		first = "/also-moved"
	}
	s.expect(j, trawl.StateCompleted, "/", "/a", "/from-new", first)
	if j.Credits != 4 || j.Failed != 3 {
		t.Errorf("%d credits, %d failed", j.Credits, j.Failed)
	}
	for path, want := range map[string]string{"/again": "duplicate /a", "/home": "duplicate /", "/chain": "duplicate /a", "/outside": "failed CRAWL_DENIAL"} {
		if fates[path] != want {
			t.Errorf("%s is %s, want %s", path, fates[path], want)
		}
	}
	if _, used := s.balance(); used != 4 {
		t.Errorf("%d credits used", used)
	}
}

func TestTroubledTargets(t *testing.T) {
	t.Parallel()
	s := start(t)
	hang := newGate()
	s.site.page("/", "/busy", "/recovers", "/later", "/missing", "/broken")
	s.site.gated(hang, "/hangs")
	s.site.handle("/busy", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusServiceUnavailable) })
	for _, path := range []string{"/recovers", "/later"} {
		once := make(chan struct{}, 1)
		once <- struct{}{}
		s.site.handle(path, func(w http.ResponseWriter, _ *http.Request) {
			select {
			case <-once:
				w.Header().Set("Retry-After", "1")
				w.WriteHeader(map[string]int{"/recovers": http.StatusServiceUnavailable, "/later": http.StatusTooManyRequests}[path])
			default:
				w.Header().Set("Content-Type", "text/html")
				_, _ = w.Write([]byte(linked(path)))
			}
		})
	}
	s.site.handle("/broken", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusInternalServerError) })
	hanging := s.crawl("/hangs", func(r *trawl.CrawlRequest) { r.ScrapeOptions.Timeout = 1000 })
	s.expect(hanging, trawl.StateCompleted)
	if codes, _ := s.failures(hanging); len(codes) != 1 || codes["/hangs"] != trawl.CodeTimeout {
		t.Errorf("failed: %v", codes)
	}
	j := s.crawl("/")
	s.expect(j, trawl.StateCompleted, "/", "/busy", "/recovers", "/later", "/missing", "/broken")
	want := map[string]int{"/": 200, "/busy": 503, "/recovers": 200, "/later": 200, "/missing": 404, "/broken": 500}
	for _, doc := range s.documents(j) {
		path := s.site.short(doc.Metadata.SourceURL)
		if doc.Metadata.StatusCode != want[path] || (want[path] >= 400) != (doc.Metadata.Error != "") {
			t.Errorf("%s: %+v", path, doc.Metadata)
		}
	}
	for path, visits := range map[string]int{"/busy": 2, "/recovers": 2, "/later": 2, "/missing": 1, "/broken": 1} {
		if n := s.site.count(path); n != visits {
			t.Errorf("%s was asked for %d times, want %d", path, n, visits)
		}
	}
}

func TestNobodyThere(t *testing.T) {
	t.Parallel()
	s := start(t)
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	refused := "http://" + l.Addr().String() + "/"
	_ = l.Close()
	for address, want := range map[string]trawl.Code{refused: trawl.CodeSite, "http://nowhere.example/": trawl.CodeDNS} {
		j := s.crawl("", func(r *trawl.CrawlRequest) { r.URL = address })
		codes, robots := s.failures(j)
		if j.Completed != 0 || j.Failed != 1 || j.Total != 1 || j.Credits != 0 || len(robots) != 0 || codes[s.site.short(address)] != want {
			t.Errorf("%s: %+v, %v, %v", address, j, codes, robots)
		}
		b := s.batch(s.batchRequest(address))
		if codes, _ := s.failures(b); b.State != trawl.StateCompleted || b.Failed != 1 || codes[s.site.short(address)] != want {
			t.Errorf("%s: %+v, %v", address, b, codes)
		}
	}
}
