package browser

import (
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/internal/testtime"
)

// Pages that hoard memory cost their own scrape and not the page beside them. One
// that was ended for it is not tried again; one that the browser ends may be.
func TestHogs(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("it takes its time")
	}
	pool := newPool(t)
	pool.memory.heap, pool.memory.page = 64, 400<<20
	pool.patience.settle = slower(t, pool, 2*time.Second)
	over := make(chan struct{}) // the hogs are
	var visits atomic.Int32
	hogs := map[string]string{
		"/heap":   "const a = []; for (;;) a.push({x: new Array(1000).fill(a.length)})",
		"/buffer": "const a = []; setInterval(() => a.push(new Uint8Array(100e6).fill(1)), 20)",
		"/tree":   "document.body.hidden = true; const s = '<b>x</b>'.repeat(100000); setInterval(() => document.body.insertAdjacentHTML('beforeend', s), 1)",
	}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		if script, ok := hogs[r.URL.Path]; ok {
			visits.Add(1)
			_, _ = w.Write([]byte("<p>Text</p><script>" + script + "</script>"))
			return
		}
		if r.URL.Path == "/over" {
			select {
			case <-over:
			case <-r.Context().Done():
			}
		}
		_, _ = w.Write([]byte("<p>Text</p>"))
	}))
	defer server.Close()
	var beside, pages sync.WaitGroup
	beside.Go(func() {
		last := trawl.Action{Type: trawl.ActionJavaScript, Script: "fetch('/over').then(() => document.body.append('at last'))"}
		result, err := pool.Render(testtime.Context(t), Request{URL: server.URL + "/beside", Actions: []trawl.Action{last}})
		if err != nil || !strings.Contains(result.HTML, "at last") {
			t.Errorf("the page beside: %v", err)
		}
	})
	for path := range hogs {
		pages.Go(func() {
			_, err := pool.Render(testtime.Context(t), Request{URL: server.URL + path, WaitFor: testtime.Limit(t)})
			if trawl.ErrorCode(err) != trawl.CodeSite {
				t.Errorf("%s: %v", path, err)
			}
		})
	}
	pages.Wait()
	close(over)
	beside.Wait()
	honest(t, pool)
	if stats := pool.Stats(); stats.Started != 1 || stats.Crashed != int64(visits.Load()) || visits.Load() > 4 {
		t.Errorf("stats = %+v after %d visits", stats, visits.Load())
	}
}

// When the browser itself dies, its pages are opened again in a fresh one, unless
// something was done in them.
func TestBrowserDies(t *testing.T) {
	t.Parallel()
	pool := newPool(t)
	var visits atomic.Int32
	opened := make(chan struct{}, 10)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		switch r.URL.Path {
		case "/":
			if visits.Add(1) <= 3 {
				opened <- struct{}{}
				<-r.Context().Done()
				return
			}
		case "/acted":
			opened <- struct{}{}
		}
		_, _ = w.Write([]byte("<p>Text</p>"))
	}))
	defer server.Close()
	var pages sync.WaitGroup
	for i := range 3 {
		pages.Go(func() {
			req := Request{URL: server.URL + "/"}
			if i == 0 { // it does not come to that before
				req.Actions = []trawl.Action{{Type: trawl.ActionWait, Milliseconds: 1}}
			}
			if result, err := pool.Render(testtime.Context(t), req); err != nil || !strings.Contains(result.HTML, "<p>Text</p>") {
				t.Errorf("page %d: %v", i, err)
			}
		})
	}
	pages.Go(func() {
		req := Request{URL: server.URL + "/do", Actions: []trawl.Action{
			{Type: trawl.ActionJavaScript, Script: "fetch('/acted').then(() => 1)"}, {Type: trawl.ActionWait, Milliseconds: 600_000},
		}}
		if _, err := pool.Render(testtime.Context(t), req); trawl.ErrorCode(err) != trawl.CodeEngines {
			t.Errorf("page in which something was done: %v", err)
		}
	})
	for range 4 {
		<-opened
	}
	for _, r := range pool.browsers() {
		_ = syscall.Kill(r.process.PID(), syscall.SIGKILL)
	}
	pages.Wait()
	if stats := pool.Stats(); stats.Started != 2 || visits.Load() != 6 {
		t.Errorf("stats = %+v after %d visits", stats, visits.Load())
	}
}

// Who waits for a place until the time is up is told so.
func TestCrowd(t *testing.T) {
	t.Parallel()
	pool := newPool(t, func(c *Config) { c.Pages = 1 })
	asked := make(chan struct{}, 1)
	server := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		asked <- struct{}{}
		<-r.Context().Done()
	}))
	defer server.Close()
	slow, stop := context.WithCancel(t.Context())
	var pages sync.WaitGroup
	pages.Go(func() { _, _ = pool.Render(slow, Request{URL: server.URL, Owner: "a"}) })
	<-asked
	if _, err := pool.Render(within(t, time.Second), Request{URL: server.URL, Owner: "b"}); trawl.ErrorCode(err) != trawl.CodeQueueTimeout {
		t.Errorf("a page without a place: %v", err)
	}
	stop()
	pages.Wait()
	honest(t, pool)
}

// A browser that does not answer any more is replaced by the next page's.
func TestBrowserHangs(t *testing.T) {
	t.Parallel()
	pool := newPool(t, func(c *Config) { c.Patience = 4 }) // with its end
	honest(t, pool)
	for _, r := range pool.browsers() {
		_ = syscall.Kill(r.process.PID(), syscall.SIGSTOP)
	}
	base := site(t, map[string]string{"/": "<p>Text</p>"})
	if _, err := pool.Render(within(t, time.Second), Request{URL: base}); trawl.ErrorCode(err) != trawl.CodeTimeout {
		t.Errorf("error = %v", err)
	}
	testtime.Until(t, "the browser is gone", func() bool { return pool.Stats().Browsers == 0 })
	honest(t, pool)
}

// browsers returns those that run.
func (p *Pool) browsers() (list []*running) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for r := range p.all {
		list = append(list, r)
	}
	return list
}
