package main

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/trawlhq/trawl/internal/testpg"
)

const bareVariable = "TRAWL_TEST_BARE"

// TestBareServer is no test but a server on a machine without a browser, which would
// give every page that is tracked some seconds.
func TestBareServer(t *testing.T) {
	if os.Getenv(bareVariable) == "" {
		t.Skip("this is what others run in a process of its own")
	}
	p := &program{
		env: parseEnv(os.Environ()), stdin: strings.NewReader(""), stdout: os.Stdout, stderr: os.Stderr, now: time.Now, machine: bareMachine(),
	}
	delete(p.env, bareVariable)
	os.Exit(p.run(t.Context(), []string{"serve"}))
}

func startBare(t *testing.T, dir string, settings ...string) *node {
	t.Helper()
	n, err := launch(t, dir, exec.Command(os.Args[0], "-test.run=^TestBareServer$"), append(settings, bareVariable+"=on")...)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// shiftingSite is a site that is another one at the second visit: of its pages some
// stay, some change, some are gone, and to some nothing leads any more.
type shiftingSite struct {
	*httptest.Server
	points map[int]bool  // requests at which somebody is killed
	kill   chan struct{} // says so; the request waits until somebody listens

	mu       sync.Mutex
	again    bool // it is the second visit
	requests int
	asked    map[string]bool // at this visit
}

const shiftingPages = 80

func newShiftingSite(t *testing.T, kills int) *shiftingSite {
	s := &shiftingSite{points: killPoints(t, kills), kill: make(chan struct{}), asked: map[string]bool{}}
	s.Server = httptest.NewServer(s)
	t.Cleanup(s.Close)
	return s
}

// shift begins the second visit.
func (s *shiftingSite) shift() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.again, s.asked = true, map[string]bool{}
}

// What becomes of a page, by its number.
func changes(n int) bool { return n%5 == 1 }
func goes(n int) bool    { return n%5 == 2 || n%5 == 3 }
func hides(n int) bool   { return n%5 == 3 || n%5 == 4 }

// want is what a crawl has to say of every page.
func (s *shiftingSite) want() map[string]string {
	list := map[string]string{s.URL: "new visible"}
	if s.again {
		list[s.URL] = "changed visible"
	}
	for n := range shiftingPages {
		status, visibility := "new", "visible"
		if s.again {
			switch status = "same"; {
			case goes(n):
				status = "removed"
			case changes(n):
				status = "changed"
			}
			if hides(n) {
				visibility = "hidden"
			}
		}
		list[fmt.Sprint(s.URL, "/", n)] = status + " " + visibility
	}
	return list
}

// note counts a request for a page, and says whether it is one to be killed at: also
// the first for a page that is hidden, and the last for one that is not.
func (s *shiftingSite) note(path string, hidden bool) (kill bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.requests++
	first := !s.asked[path]
	s.asked[path] = true
	visible := 1 + shiftingPages - 2*shiftingPages/5
	turn := s.again && first && (!hidden && len(s.asked) == visible || hidden && len(s.asked) == visible+1)
	return s.points[s.requests] || turn
}

// ServeHTTP implements http.Handler.
func (s *shiftingSite) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	n := -1
	if _, err := fmt.Sscanf(r.URL.Path, "/%d", &n); err != nil && r.URL.Path != "/" { // robots.txt and sitemaps
		http.NotFound(w, r)
		return
	}
	s.mu.Lock()
	again := s.again
	s.mu.Unlock()
	if s.note(r.URL.Path, again && n >= 0 && hides(n)) {
		select {
		case s.kill <- struct{}{}:
		case <-r.Context().Done():
		}
	}
	if again && n >= 0 && goes(n) {
		http.NotFound(w, r)
		return
	}
	w.Header().Set("Content-Type", "text/html")
	fmt.Fprintf(w, "<title>Page %d</title><main><h1>Page %[1]d</h1><p>Some words about it.</p>", n)
	if again && n >= 0 && changes(n) {
		fmt.Fprint(w, "<p>They are other words now.</p>")
	}
	for i := 0; i < shiftingPages && n < 0; i++ {
		if !again || !hides(i) {
			fmt.Fprintf(w, `<p><a href="/%d">page</a></p>`, i)
		}
	}
}

// told returns what a crawl says of every page.
func (n *node) told(job string) map[string]string {
	n.t.Helper()
	status, answer := n.do(http.MethodGet, job+"?limit=1000", testKey, "")
	var view struct {
		Data []struct {
			Metadata       struct{ SourceURL string }
			ChangeTracking struct{ ChangeStatus, Visibility string }
		}
	}
	raw, err := json.Marshal(answer)
	if err == nil {
		err = json.Unmarshal(raw, &view)
	}
	if status != http.StatusOK || err != nil {
		n.t.Fatalf("%d, %v", status, err)
	}
	list := map[string]string{}
	for _, doc := range view.Data {
		list[strings.TrimSuffix(doc.Metadata.SourceURL, "/")] = doc.ChangeTracking.ChangeStatus + " " + doc.ChangeTracking.Visibility
	}
	return list
}

// crawlTwice crawls a site before and after it changes. Whenever the site says so,
// restart kills a server; it returns the one to be asked from then on.
func crawlTwice(t *testing.T, site *shiftingSite, n *node, restart func() *node) {
	t.Helper()
	kills := 0
	for visit := range 2 {
		job := n.order(testKey, "/v2/crawl", map[string]any{"url": site.URL, "scrapeOptions": map[string]any{
			"maxAge": 0, "formats": []string{"markdown", "changeTracking"},
		}})
		eventually(t, "the crawl is over", func() bool {
			select {
			case <-site.kill:
				n = restart()
				kills++
			default:
			}
			return n.view(testKey, job, "?limit=1").Status != "scraping"
		})
		want := site.want()
		n.wantExact(testKey, job, slices.Collect(maps.Keys(want)))
		n.wantPaid(testKey, (visit+1)*len(want))
		told := n.told(job)
		for address, text := range want {
			if told[address] != text {
				t.Errorf("visit %d: %s is %q, want %q", visit+1, address, told[address], text)
			}
		}
		if !maps.Equal(told, want) {
			t.Errorf("visit %d: %d pages, want %d", visit+1, len(told), len(want))
		}
		site.shift()
	}
	t.Logf("%d kills, %d requests", kills, site.requests)
	if kills < 3 {
		t.Errorf("only %d kills", kills)
	}
}

// TestTrackingSurvivesKills kills the server again and again while it crawls a site
// for the second time, and also for the first.
func TestTrackingSurvivesKills(t *testing.T) {
	t.Parallel()
	site, dir := newShiftingSite(t, 8), t.TempDir()
	settings := []string{"TRAWL_API_KEY=" + testKey, "TRAWL_CONCURRENCY=4"}
	n := startBare(t, dir, settings...)
	crawlTwice(t, site, n, func() *node {
		_ = n.stop(syscall.SIGKILL)
		n = startBare(t, dir, settings...)
		return n
	})
}

// TestTrackingOnTwoNodes kills one of two servers now and then.
func TestTrackingOnTwoNodes(t *testing.T) {
	t.Parallel()
	site, database := newShiftingSite(t, 3), testpg.URL(t)
	settings := []string{"TRAWL_API_KEY=" + testKey, "TRAWL_CONCURRENCY=4", "TRAWL_DATABASE_URL=" + database}
	nodes := []*node{startBare(t, t.TempDir(), settings...), startBare(t, t.TempDir(), settings...)}
	crawlTwice(t, site, nodes[0], func() *node {
		_ = nodes[1].stop(syscall.SIGKILL)
		nodes[1] = startBare(t, t.TempDir(), settings...)
		return nodes[0]
	})
}
