package main

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/trawlhq/trawl/internal/testpg"
	"github.com/trawlhq/trawl/internal/testtime"
)

// The tests of this file end servers in the middle of jobs, and then count: every
// page is there once and paid for once.

// linkedSite is a site of small pages: a tree with links across it.
type linkedSite struct {
	*httptest.Server
	size int
	load *gauge

	// visit, if set, is called with the number of a page that was asked for and
	// how many requests for pages there were so far. The page waits for it.
	visit func(r *http.Request, page, requests int)

	mu       sync.Mutex
	requests int
	agents   map[string]int // requests by user agent
	starts   []time.Time
}

// gauge knows how many requests there were at a time.
type gauge struct {
	mu        sync.Mutex
	now, peak int
}

func (g *gauge) enter() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.now++
	g.peak = max(g.peak, g.now)
}

func (g *gauge) leave() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.now--
}

func (g *gauge) most() int {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.peak
}

const branches = 8 // of a page of the tree

func newLinkedSite(t *testing.T, size int, visit func(r *http.Request, page, requests int)) *linkedSite {
	s := &linkedSite{size: size, load: &gauge{}, visit: visit, agents: map[string]int{}}
	s.Server = httptest.NewServer(s)
	t.Cleanup(s.Close)
	return s
}

// ServeHTTP implements http.Handler.
func (s *linkedSite) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	page, ok := 0, r.URL.Path == "/"
	if number, found := strings.CutPrefix(r.URL.Path, "/pages/"); found {
		n, err := strconv.Atoi(number)
		page, ok = n, err == nil && n > 0 && n < s.size
	}
	if !ok { // robots.txt and sitemaps among them
		http.NotFound(w, r)
		return
	}
	s.load.enter()
	defer s.load.leave()
	s.mu.Lock()
	s.requests++
	requests := s.requests
	s.agents[r.UserAgent()]++
	s.starts = append(s.starts, time.Now())
	s.mu.Unlock()
	if s.visit != nil {
		s.visit(r, page, requests)
	}
	w.Header().Set("Content-Type", "text/html")
	fmt.Fprintf(w, "<title>Page %d</title><main><h1>Page %[1]d</h1><p>Some words about the number %[1]d.</p>", page)
	for i := range branches {
		if child := page*branches + 1 + i; child < s.size {
			fmt.Fprintf(w, `<a href="/pages/%d">below</a> `, child)
		}
	}
	for i := range 3 {
		if across := (page*(7+i) + 13*i) % s.size; across > 0 {
			fmt.Fprintf(w, `<a href="/pages/%d">across</a> `, across)
		}
	}
	fmt.Fprint(w, `<a href="/">home</a></main>`)
}

// address returns the URL of a page.
func (s *linkedSite) address(page int) string {
	if page == 0 {
		return s.URL
	}
	return s.URL + "/pages/" + strconv.Itoa(page)
}

func (s *linkedSite) addresses() []string {
	list := make([]string, s.size)
	for i := range list {
		list[i] = s.address(i)
	}
	return list
}

func (s *linkedSite) served() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.requests
}

func (s *linkedSite) visitors() map[string]int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return maps.Clone(s.agents)
}

// hold makes every page take a while.
func hold(d time.Duration) func(*http.Request, int, int) {
	return func(r *http.Request, _, _ int) {
		select {
		case <-time.After(d):
		case <-r.Context().Done():
		}
	}
}

// jobView is the status of a job.
type jobView struct {
	Status           string
	Completed, Total int
	CreditsUsed      int
	Next, Error      string
	Data             []struct {
		Metadata struct{ SourceURL, ScrapeID string }
	}
}

// order starts a job and returns the path of its status. Unless the body says how
// long its pages may take, it is as long as can be.
func (n *node) order(key, path string, body map[string]any) string {
	n.t.Helper()
	switch {
	case path == "/v2/crawl" && body["scrapeOptions"] == nil:
		body["scrapeOptions"] = map[string]any{"timeout": longest}
	case path == "/v2/batch/scrape" && body["timeout"] == nil:
		body["timeout"] = longest
	}
	raw, err := json.Marshal(body)
	if err != nil {
		n.t.Fatal(err)
	}
	status, answer := n.do(http.MethodPost, path, key, string(raw))
	if status != http.StatusOK {
		n.t.Fatalf("%s: %d %v", path, status, answer)
	}
	return path + "/" + answer["id"].(string)
}

// view reads the status of a job; query selects the documents.
func (n *node) view(key, path, query string) (view jobView) {
	n.t.Helper()
	status, answer := n.do(http.MethodGet, path+query, key, "")
	raw, err := json.Marshal(answer)
	if err == nil {
		err = json.Unmarshal(raw, &view)
	}
	if status != http.StatusOK || err != nil {
		n.t.Fatalf("%s: %d %v %.300s", path, status, err, raw)
	}
	return view
}

// eventually polls until something is so.
func eventually(t *testing.T, what string, ok func() bool) {
	t.Helper()
	testtime.Until(t, what, ok)
}

// finished waits for the end of a job.
func (n *node) finished(key, path string) jobView {
	n.t.Helper()
	var view jobView
	eventually(n.t, "the job is over", func() bool {
		view = n.view(key, path, "?limit=1")
		return view.Status != "scraping"
	})
	return view
}

// wantExact fails the test unless a job is completed, with every page once, each
// of them paid for once.
func (n *node) wantExact(key, path string, want []string) (scrapes map[string]string) {
	n.t.Helper()
	const portion = 97
	view := n.view(key, path, "?limit=1")
	if view.Status != "completed" || view.Total != len(want) || view.Completed != len(want) || view.CreditsUsed != len(want) {
		n.t.Errorf("%s: %s (%s), %d of %d pages, %d credits; want %d of all", path, view.Status, view.Error, view.Completed, view.Total,
			view.CreditsUsed, len(want))
	}
	times := map[string]int{}
	scrapes = map[string]string{} // address by id
	for skip, more := 0, true; more; skip += len(view.Data) {
		view = n.view(key, path, fmt.Sprintf("?skip=%d&limit=%d", skip, portion))
		more = view.Next != "" && len(view.Data) > 0
		for _, doc := range view.Data {
			address := strings.TrimSuffix(doc.Metadata.SourceURL, "/")
			times[address]++
			scrapes[doc.Metadata.ScrapeID] = address
		}
	}
	for _, address := range want {
		if times[address] != 1 {
			n.t.Errorf("%s is there %d times", address, times[address])
		}
		delete(times, address)
	}
	if len(times) > 0 {
		n.t.Errorf("pages that nobody asked for: %v", times)
	}
	return scrapes
}

// wantPaid fails the test unless the team's account says what was paid.
func (n *node) wantPaid(key string, want int) {
	n.t.Helper()
	_, history := n.do(http.MethodGet, "/v2/team/credit-usage/historical", key, "")
	paid := 0.0
	for _, period := range history["periods"].([]any) {
		paid += period.(map[string]any)["creditsUsed"].(float64)
	}
	if paid != float64(want) {
		n.t.Errorf("the team has paid %v credits, want %d", paid, want)
	}
}

// receiver is where the events of a job go.
type receiver struct {
	*httptest.Server
	mu     sync.Mutex
	events []delivered
}

type delivered struct {
	Type, WebhookID string
	Data            []struct{ Metadata struct{ ScrapeID string } }
	sender          string // user agent
}

func newReceiver(t *testing.T) *receiver {
	r := &receiver{}
	r.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		event := delivered{sender: req.UserAgent()}
		if err := json.NewDecoder(req.Body).Decode(&event); err != nil {
			return // the sender was killed
		}
		r.mu.Lock()
		defer r.mu.Unlock()
		r.events = append(r.events, event)
	}))
	t.Cleanup(r.Close)
	return r
}

func (r *receiver) all() []delivered {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.Clone(r.events)
}

// wantEvents fails the test unless every document was announced, under one id
// however often, after the start and before the end.
func (r *receiver) wantEvents(t *testing.T, kind string, scrapes map[string]string) {
	t.Helper()
	eventually(t, "the end was announced", func() bool {
		events := r.all()
		return len(events) > 0 && events[len(events)-1].Type == kind+".completed"
	})
	ids := map[string]string{} // of events, by id of the scrape
	owners := map[string]string{}
	ended := false
	events := r.all()
	if events[0].Type != kind+".started" {
		t.Errorf("the first event is %s", events[0].Type)
	}
	for _, event := range events {
		subject := event.Type
		if event.Type == kind+".page" {
			subject = event.Data[0].Metadata.ScrapeID
		}
		if id, known := ids[subject]; known && id != event.WebhookID {
			t.Errorf("%s %s came as %s and as %s", event.Type, scrapes[subject], id, event.WebhookID)
		}
		if owner, known := owners[event.WebhookID]; known && owner != subject {
			t.Errorf("%s and %s have the same id", owner, subject)
		}
		ids[subject], owners[event.WebhookID] = event.WebhookID, subject
		if ended = ended || event.Type == kind+".completed"; ended && event.Type != kind+".completed" {
			t.Errorf("%s after the end", event.Type)
		}
	}
	for scrape, address := range scrapes {
		if ids[scrape] == "" {
			t.Errorf("no event about %s", address)
		}
	}
	if len(ids) != len(scrapes)+2 {
		t.Errorf("events about %d things, want %d pages, the start and the end", len(ids), len(scrapes))
	}
}

// wantOnce fails the test unless no process sent an event twice: what arrived is
// sent again only if its sender died before it could note that.
func (r *receiver) wantOnce(t *testing.T) {
	t.Helper()
	sent, again := map[[2]string]bool{}, 0
	for _, event := range r.all() {
		by := [2]string{event.sender, event.WebhookID}
		if sent[by] {
			again++
		}
		sent[by] = true
	}
	if again > 0 {
		t.Errorf("%d times a process sent an event again", again)
	}
}

// killPoints are seeded random numbers of requests at which a server is killed,
// the very first among them. Some requests lie between them: a page that ends its
// process again and again fails, and here none is to blame.
func killPoints(t *testing.T, count int) map[int]bool {
	t.Helper()
	seed := uint64(4)
	if text := os.Getenv("TRAWL_TEST_SEED"); text != "" {
		var err error
		if seed, err = strconv.ParseUint(text, 10, 64); err != nil {
			t.Fatal(err)
		}
	}
	t.Cleanup(func() {
		if t.Failed() {
			t.Logf("the seed was %d: set TRAWL_TEST_SEED to it", seed)
		}
	})
	random := rand.New(rand.NewPCG(seed, seed))
	points := map[int]bool{1: true}
	for at := 1; len(points) < count; points[at] = true {
		at += 6 + random.IntN(26)
	}
	return points
}

// surviveKills runs a job over a site of 1,000 pages and kills its server again
// and again.
func surviveKills(t *testing.T, kind, path string, kills int, body func(*linkedSite) map[string]any) {
	points := killPoints(t, kills)
	kill := make(chan struct{}, kills)
	site := newLinkedSite(t, 1000, func(_ *http.Request, _, requests int) {
		if points[requests] {
			kill <- struct{}{}
		}
	})
	hook := newReceiver(t)
	dir := t.TempDir()
	start := func(life int) *node {
		return startNode(t, dir, "TRAWL_API_KEY="+testKey, "TRAWL_CONCURRENCY=8", fmt.Sprintf("TRAWL_USER_AGENT=life-%d", life))
	}
	n := start(0)
	request := body(site)
	request["webhook"] = hook.URL
	job := n.order(testKey, path, request)
	for life := range kills {
		testtime.Receive(t, fmt.Sprintf("the job goes on after %d kills", life), kill)
		_ = n.stop(syscall.SIGKILL)
		n = start(life + 1)
	}
	n.finished(testKey, job)
	scrapes := n.wantExact(testKey, job, site.addresses())
	n.wantPaid(testKey, site.size)
	hook.wantEvents(t, kind, scrapes)
	hook.wantOnce(t)
	t.Logf("%d kills, %d requests for %d pages, %d events", kills, site.served(), site.size, len(hook.all()))
}

func TestCrawlSurvivesKills(t *testing.T) {
	t.Parallel()
	kills := 50
	if testing.Short() {
		kills = 10
	}
	surviveKills(t, "crawl", "/v2/crawl", kills, func(s *linkedSite) map[string]any {
		return map[string]any{"url": s.URL, "limit": 5000}
	})
}

func TestBatchSurvivesKills(t *testing.T) {
	t.Parallel()
	surviveKills(t, "batch_scrape", "/v2/batch/scrape", 15, func(s *linkedSite) map[string]any {
		return map[string]any{"urls": s.addresses()}
	})
}

// TestPageThatKillsItsWorker kills the server whenever it asks for a certain page.
func TestPageThatKillsItsWorker(t *testing.T) {
	t.Parallel()
	const bad = 11
	kill := make(chan struct{}, 1)
	site := newLinkedSite(t, 40, func(r *http.Request, page, _ int) {
		if page == bad {
			kill <- struct{}{}
			<-r.Context().Done()
		}
	})
	dir := t.TempDir()
	n := startNode(t, dir, "TRAWL_API_KEY="+testKey)
	job := n.order(testKey, "/v2/crawl", map[string]any{"url": site.URL})
	kills := 0
	var view jobView
	eventually(t, "the job is over", func() bool {
		select {
		case <-kill:
			_ = n.stop(syscall.SIGKILL)
			n = startNode(t, dir)
			kills++
		default:
			view = n.view(testKey, job, "?limit=100")
		}
		return view.Status != "" && view.Status != "scraping" || kills > 20
	})
	if want := site.size - 1; kills < 3 || kills > 14 || view.Status != "completed" || view.Total != site.size || view.Completed != want ||
		view.CreditsUsed != want || len(view.Data) != want {
		t.Errorf("after %d kills: %+v", kills, view)
	}
	n.wantPaid(testKey, site.size-1)
	_, answer := n.do(http.MethodGet, job+"/errors", testKey, "")
	failed := answer["errors"].([]any)
	if len(failed) != 1 {
		t.Fatalf("errors: %v", failed)
	}
	if failure := failed[0].(map[string]any); failure["url"] != site.address(bad) || failure["code"] != "SCRAPE_RETRY_LIMIT" {
		t.Errorf("%v", failure)
	}
}

// TestTermHandsPagesBack stops servers gently while all their pages hang. However
// often that happens, it is not the fault of the pages.
func TestTermHandsPagesBack(t *testing.T) {
	t.Parallel()
	const atATime, restarts = 10, 8
	for name, database := range map[string]func(*testing.T) string{
		"sqlite":   func(*testing.T) string { return "" },
		"postgres": func(t *testing.T) string { return testpg.URL(t) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			open, arrived := make(chan struct{}), make(chan struct{}, 10_000)
			site := newLinkedSite(t, 60, func(r *http.Request, page, _ int) {
				if page == 0 {
					return
				}
				arrived <- struct{}{}
				select {
				case <-open:
				case <-r.Context().Done():
				}
			})
			dir := t.TempDir()
			settings := []string{"TRAWL_API_KEY=" + testKey, "TRAWL_DATABASE_URL=" + database(t)}
			n := startNode(t, dir, settings...)
			job := n.order(testKey, "/v2/batch/scrape", map[string]any{"urls": site.addresses(), "maxConcurrency": atATime, "timeout": 300_000})
			for range restarts {
				eventually(t, "pages hang", func() bool { return len(arrived) >= atATime-1 }) // the first page is let through
				if err := n.stop(syscall.SIGTERM); err != nil {
					t.Errorf("exit: %v: %s", err, n.log)
				}
				for len(arrived) > 0 {
					<-arrived
				}
				n = startNode(t, dir, settings...)
			}
			close(open)
			n.finished(testKey, job)
			n.wantExact(testKey, job, site.addresses())
			n.wantPaid(testKey, site.size)
			if strings.Contains(n.log.String(), "a node is gone") {
				t.Error("the tasks were left behind")
			}
		})
	}
}

// TestFairness lets one team crawl a large and slow site, and counts how far it
// got when another has what it wants.
func TestFairness(t *testing.T) {
	t.Parallel()
	large := newLinkedSite(t, 2000, hold(20*time.Millisecond))
	small := newLinkedSite(t, 9, hold(20*time.Millisecond))
	dir := t.TempDir()
	n := startNode(t, dir, "TRAWL_API_KEY="+testKey, "TRAWL_CONCURRENCY=4")
	other := newTeam(t, n, dir, "other")
	crawl := n.order(testKey, "/v2/crawl", map[string]any{"url": large.URL})
	eventually(t, "the crawl is under way", func() bool { return large.served() > 20 })
	batch := n.order(other, "/v2/batch/scrape", map[string]any{"urls": small.addresses()[1:]})
	n.scrape(other, small.URL)
	n.finished(other, batch)
	if view := n.view(testKey, crawl, "?limit=1"); view.Status != "scraping" || view.Completed >= large.size/4 {
		t.Errorf("when the other team had its pages, the crawl was %s with %d", view.Status, view.Completed)
	}
	n.wantExact(other, batch, small.addresses()[1:])
	n.wantPaid(other, small.size)
	if peak := large.load.most(); peak > 4 {
		t.Errorf("%d pages at a time", peak)
	}
	if status, answer := n.do(http.MethodDelete, crawl, testKey, ""); status != http.StatusOK {
		t.Errorf("cancel: %d %v", status, answer)
	}
}

// newTeam makes a team beside a running server and returns a key of it.
func newTeam(t *testing.T, n *node, dir, name string) string {
	t.Helper()
	var created struct{ Secret string }
	for _, args := range [][]string{{"teams", "create", name}, {"keys", "create", "--team", name, "--json"}} {
		cmd := exec.Command(n.cmd.Path, args...)
		cmd.Env = []string{"TRAWL_DATA_DIR=" + dir}
		out, err := cmd.Output()
		if err != nil {
			t.Fatalf("trawl %v: %v", args, err)
		}
		_ = json.Unmarshal(out, &created) // the last one answers in JSON
	}
	if created.Secret == "" {
		t.Fatal("no key")
	}
	return created.Secret
}
