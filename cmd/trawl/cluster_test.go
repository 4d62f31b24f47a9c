package main

import (
	"fmt"
	"net/http"
	"reflect"
	"slices"
	"syscall"
	"testing"
	"time"

	"github.com/trawlhq/trawl/internal/testpg"
	"github.com/trawlhq/trawl/internal/testtime"
)

// The tests of this file run several servers on one database.

// startNodes starts servers that share a database. Targets see which is which by
// the user agent: node-0 and so on.
func startNodes(t *testing.T, count int, database string, settings ...string) []*node {
	t.Helper()
	nodes := make([]*node, count)
	for i := range nodes {
		nodes[i] = startNode(t, t.TempDir(), append([]string{
			"TRAWL_DATABASE_URL=" + database, "TRAWL_API_KEY=" + testKey, fmt.Sprintf("TRAWL_USER_AGENT=node-%d", i),
		}, settings...)...)
	}
	return nodes
}

// wantAll fails the test unless all servers took part.
func (s *linkedSite) wantAll(t *testing.T, nodes []*node) {
	t.Helper()
	if visitors := s.visitors(); len(visitors) != len(nodes) {
		t.Errorf("of %d nodes took part: %v", len(nodes), visitors)
	}
}

// TestCrawlOnThreeNodes kills one of three servers in the middle of a crawl.
func TestCrawlOnThreeNodes(t *testing.T) {
	t.Parallel()
	const most = 6
	lost := make(chan struct{}, most) // pages on the node that is killed
	site := newLinkedSite(t, 600, func(r *http.Request, page, requests int) {
		if requests > 250 && r.UserAgent() == "node-2" {
			lost <- struct{}{}
			<-r.Context().Done()
		}
		hold(20*time.Millisecond)(r, page, requests)
	})
	_, blobs := newBucket(t)
	nodes := startNodes(t, 3, testpg.URL(t), "TRAWL_BLOB_URL="+blobs)
	job := nodes[0].order(testKey, "/v2/crawl", map[string]any{"url": site.URL, "maxConcurrency": most})
	receive(t, lost, "the last node takes part")
	_ = nodes[2].stop(syscall.SIGKILL)
	nodes[1].finished(testKey, job)
	site.wantAll(t, nodes)
	if peak := site.load.most(); peak > most {
		t.Errorf("%d pages at a time, want %d at most", peak, most)
	}
	var views []jobView
	for _, n := range nodes[:2] {
		n.wantExact(testKey, job, site.addresses())
		n.wantPaid(testKey, site.size)
		view := n.view(testKey, job, "?limit=1000")
		view.Next = "" // has the address of the node
		views = append(views, view)
	}
	if !reflect.DeepEqual(views[0], views[1]) {
		t.Error("the nodes do not agree about the job")
	}
	t.Logf("%d requests for %d pages: %v", site.served(), site.size, site.visitors())
}

// TestNodeThatWasThoughtDead freezes one of two servers until the other has done
// its pages too. What it then knows about them comes too late.
func TestNodeThatWasThoughtDead(t *testing.T) {
	t.Parallel()
	arrived, awake := make(chan struct{}, 100), make(chan struct{})
	site := newLinkedSite(t, 200, func(r *http.Request, page, requests int) {
		if requests > 50 && r.UserAgent() == "node-1" {
			arrived <- struct{}{}
			select {
			case <-awake:
			case <-r.Context().Done():
			}
		}
		hold(10*time.Millisecond)(r, page, requests)
	})
	nodes := startNodes(t, 2, testpg.URL(t))
	job := nodes[0].order(testKey, "/v2/crawl", map[string]any{
		"url": site.URL, "maxConcurrency": 6, "scrapeOptions": map[string]any{"timeout": 300_000, "maxAge": 0},
	})
	receive(t, arrived, "the second node takes part")
	if err := nodes[1].cmd.Process.Signal(syscall.SIGSTOP); err != nil {
		t.Fatal(err)
	}
	nodes[0].finished(testKey, job)
	if err := nodes[1].cmd.Process.Signal(syscall.SIGCONT); err != nil {
		t.Fatal(err)
	}
	close(awake)
	// Once it has stored pages of another job, it has also tried to store those.
	other := newLinkedSite(t, 300, hold(10*time.Millisecond))
	next := nodes[1].order(testKey, "/v2/crawl", map[string]any{"url": other.URL, "maxConcurrency": 6})
	nodes[1].finished(testKey, next)
	other.wantAll(t, nodes)
	nodes[1].wantExact(testKey, job, site.addresses())
	nodes[0].wantExact(testKey, next, other.addresses())
	nodes[0].wantPaid(testKey, site.size+other.size)
	if served := site.served(); served == site.size {
		t.Error("no page was asked for twice")
	}
}

// receive waits for a signal.
func receive(t *testing.T, signal <-chan struct{}, what string) {
	t.Helper()
	testtime.Receive(t, what, signal)
}

// TestDelayHoldsOverNodes measures when pages of a slow crawl begin. The first
// one begins late, as robots.txt takes its time.
func TestDelayHoldsOverNodes(t *testing.T) {
	t.Parallel()
	const delay, least = 0.1, 90 * time.Millisecond // the way to the site takes more or less time
	site := newLinkedSite(t, 30, hold(20*time.Millisecond))
	site.Config.Handler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/robots.txt" {
			hold(least)(r, 0, 0)
		}
		site.ServeHTTP(w, r)
	})
	nodes := startNodes(t, 2, testpg.URL(t))
	job := nodes[0].order(testKey, "/v2/crawl", map[string]any{"url": site.URL, "delay": delay})
	nodes[1].finished(testKey, job)
	nodes[1].wantExact(testKey, job, site.addresses())
	site.wantAll(t, nodes)
	if peak := site.load.most(); peak != 1 {
		t.Errorf("%d pages at a time", peak)
	}
	starts := site.starts
	slices.SortFunc(starts, time.Time.Compare)
	for i := range starts[1:] {
		if gap := starts[i+1].Sub(starts[i]); gap < least {
			t.Errorf("page %d began %v after the one before", i+1, gap)
		}
	}
}

// TestTeamConcurrencyHoldsOverNodes runs two crawls of one team on two servers.
func TestTeamConcurrencyHoldsOverNodes(t *testing.T) {
	t.Parallel()
	const most = 5
	load := &gauge{}
	visit := func(r *http.Request, page, requests int) {
		for requests > 2*branches && load.most() < most && r.Context().Err() == nil {
			hold(20*time.Millisecond)(r, page, requests) // until there are as many as there may be
		}
		hold(20*time.Millisecond)(r, page, requests)
	}
	one, two := newLinkedSite(t, 150, visit), newLinkedSite(t, 150, visit)
	one.load, two.load = load, load
	nodes := startNodes(t, 2, testpg.URL(t), fmt.Sprintf("TRAWL_CONCURRENCY=%d", most))
	first := nodes[0].order(testKey, "/v2/crawl", map[string]any{"url": one.URL})
	second := nodes[1].order(testKey, "/v2/crawl", map[string]any{"url": two.URL})
	nodes[1].finished(testKey, first)
	nodes[0].finished(testKey, second)
	nodes[0].wantExact(testKey, first, one.addresses())
	nodes[1].wantExact(testKey, second, two.addresses())
	nodes[0].wantPaid(testKey, one.size+two.size)
	one.wantAll(t, nodes)
	two.wantAll(t, nodes)
	if peak := load.most(); peak != most {
		t.Errorf("at most %d pages at a time, want %d", peak, most)
	}
}

// TestPostgresOutage takes the database away for a while, when one crawl is under
// way and another has its first page.
func TestPostgresOutage(t *testing.T) {
	t.Parallel()
	const outage = 10 * time.Second
	database := testpg.Start(t)
	half, begun, stopped := make(chan struct{}), make(chan struct{}), make(chan struct{})
	sites := []*linkedSite{
		newLinkedSite(t, 300, func(r *http.Request, page, requests int) {
			if requests == 100 {
				close(half)
			}
			if requests > 150 { // it must not be over before
				select {
				case <-stopped:
				case <-r.Context().Done():
				}
			}
			hold(20*time.Millisecond)(r, page, requests)
		}),
		newLinkedSite(t, 100, func(r *http.Request, _, requests int) {
			if requests == 1 {
				close(begun)
				select {
				case <-stopped:
				case <-r.Context().Done():
				}
			}
		}),
	}
	nodes, hook := startNodes(t, 2, database.URL()), newReceiver(t)
	jobs := []string{nodes[0].order(testKey, "/v2/crawl", map[string]any{"url": sites[0].URL, "maxConcurrency": 4, "webhook": hook.URL})}
	receive(t, half, "a crawl is under way")
	jobs = append(jobs, nodes[1].order(testKey, "/v2/crawl", map[string]any{"url": sites[1].URL}))
	receive(t, begun, "another crawl begins")
	database.Stop()
	close(stopped)
	time.Sleep(outage)
	if served := sites[0].served(); served >= sites[0].size {
		t.Errorf("the crawl was over before the outage: %d requests", served)
	}
	database.Restart()
	for i, n := range nodes {
		eventually(t, "the node is ready again", func() bool {
			status, _ := n.do(http.MethodGet, "/readyz", "", "")
			return status == http.StatusOK
		})
		n.finished(testKey, jobs[i])
	}
	scrapes := nodes[1].wantExact(testKey, jobs[0], sites[0].addresses())
	nodes[0].wantExact(testKey, jobs[1], sites[1].addresses())
	nodes[0].wantPaid(testKey, sites[0].size+sites[1].size)
	hook.wantEvents(t, "crawl", scrapes)
}

// TestRoles has one node take the orders and another do the work.
func TestRoles(t *testing.T) {
	t.Parallel()
	site := newLinkedSite(t, 20, func(*http.Request, int, int) {})
	database := testpg.URL(t)
	orders := startNodes(t, 1, database, "TRAWL_ROLES=api")[0]
	job := orders.order(testKey, "/v2/crawl", map[string]any{"url": site.URL})
	if view := orders.view(testKey, job, ""); view.Status != "scraping" || site.served() > 0 {
		t.Errorf("without a worker: %+v, %d pages served", view, site.served())
	}
	work := startNode(t, t.TempDir(), "TRAWL_DATABASE_URL="+database, "TRAWL_ROLES=worker", "TRAWL_USER_AGENT=worker")
	orders.finished(testKey, job)
	orders.wantExact(testKey, job, site.addresses())
	if visitors := site.visitors(); len(visitors) != 1 || visitors["worker"] == 0 {
		t.Errorf("the work was done by %v", visitors)
	}
	if status, _ := work.do(http.MethodGet, "/healthz", "", ""); status != http.StatusOK {
		t.Errorf("health of the worker: %d", status)
	}
	if status, body := work.do(http.MethodGet, "/v2/team/credit-usage", testKey, ""); status != http.StatusNotFound {
		t.Errorf("the worker answers %d %v", status, body)
	}
}
