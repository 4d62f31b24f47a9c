package browser

import (
	"net/http"
	"net/http/httptest"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/browser/chromium"
	"github.com/trawlhq/trawl/internal/testtime"
)

// Pages that take memory outside of their own processes.
var hoards = map[string]string{
	"/blobs": "const a = []; setInterval(() => a.push(new Blob([new Uint8Array(4 << 20)])), 20)",
	"/cache": "caches.open('x').then(c => { let i = 0; setInterval(() => c.put('/' + i++, new Response(new Uint8Array(8 << 20))), 20) })",
	"/graphics": `const g = document.createElement('canvas').getContext('webgl'), a = [], size = 1024
		setInterval(() => {
			a.push(g.createTexture())
			g.bindTexture(g.TEXTURE_2D, a.at(-1))
			g.texImage2D(g.TEXTURE_2D, 0, g.RGBA, size, size, 0, g.RGBA, g.UNSIGNED_BYTE, new Uint8Array(4 * size * size))
			g.finish()
		}, 10)`,
}

// hoarders serves pages that take memory for as long as they are open, and one that
// takes none but is read late. It counts how often each was opened.
func hoarders(t *testing.T) (base string, visits func(path string) int32) {
	t.Helper()
	var counts sync.Map
	count := func(path string) *atomic.Int32 {
		n, _ := counts.LoadOrStore(path, new(atomic.Int32))
		return n.(*atomic.Int32)
	}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		count(r.URL.Path).Add(1)
		w.Header().Set("Content-Type", "text/html")
		_, _ = w.Write([]byte("<p>Text</p><link rel=icon href=data:><script>" + hoards[r.URL.Path] + "</script>"))
	}))
	t.Cleanup(server.Close)
	return server.URL, func(path string) int32 { return count(path).Load() }
}

// tight is a pool whose browsers may take little beside what pages need.
func tight(t *testing.T) *Pool {
	t.Helper()
	pool := newPool(t)
	pool.memory.main, pool.memory.shared = 100<<20, 160<<20
	pool.patience.settle = time.Second
	return pool
}

// wantHoarder checks the failure of a page that takes too much memory.
func wantHoarder(t *testing.T, path string, err error) {
	t.Helper()
	if public, ok := err.(*trawl.Error); !ok || public.Code != trawl.CodeSite || public.Message != "The page takes more memory than it may." {
		t.Errorf("%s: %v", path, err)
	}
}

// A page that takes memory of the browser, or of a process that works for all pages,
// fails as one that takes its own. It needs no second browser to be found out.
func TestHoardersOfTheBrowser(t *testing.T) {
	t.Parallel()
	for path := range hoards {
		t.Run(path[1:], func(t *testing.T) {
			t.Parallel()
			pool := tight(t)
			base, visits := hoarders(t)
			_, err := pool.Render(within(t, time.Minute), Request{URL: base + path, WaitFor: 50 * time.Second})
			wantHoarder(t, path, err)
			if n := visits(path); n > 2 { // 2 if the machine is so slow that it had to be opened alone
				t.Errorf("it was opened %d times", n)
			}
			honest(t, pool)
		})
	}
}

// Pages beside one that takes memory of the browser are rendered nevertheless:
// those that are older, or in which something was done, go on; others are opened
// again.
func TestPagesBesideHoarders(t *testing.T) {
	t.Parallel()
	pool := tight(t)
	base, visits := hoarders(t)
	var pages sync.WaitGroup
	render := func(path string, req Request, check func(error)) {
		req.URL = base + path
		pages.Go(func() {
			_, err := pool.Render(within(t, time.Minute), req)
			check(err)
		})
		testtime.Until(t, path+" is open", func() bool { return visits(path) > 0 })
	}
	well := func(err error) {
		if err != nil {
			t.Errorf("a page beside: %v", err)
		}
	}
	done := []trawl.Action{{Type: trawl.ActionJavaScript, Script: "fetch('/done').then(() => 1)"}, {Type: trawl.ActionWait, Milliseconds: 8000}}
	render("/older", Request{WaitFor: 8 * time.Second}, well)
	render("/acted", Request{Actions: done}, well)
	testtime.Until(t, "something is done", func() bool { return visits("/done") > 0 })
	render("/blobs", Request{WaitFor: 50 * time.Second}, func(err error) { wantHoarder(t, "/blobs", err) })
	render("/newer", Request{WaitFor: 8 * time.Second}, well)
	pages.Wait()
	honest(t, pool)
}

// A private browser has one page, and that is the cause.
func TestHoarderAlone(t *testing.T) {
	t.Parallel()
	pool := tight(t)
	base, _ := hoarders(t)
	_, err := pool.Render(within(t, time.Minute), Request{URL: base + "/blobs", WaitFor: 50 * time.Second, Private: privately(newHome(t), false)})
	wantHoarder(t, "/blobs", err)
}

// A page that spreads over many processes, each of which takes little, is bounded too.
func TestHoarderInManyProcesses(t *testing.T) {
	t.Parallel()
	const hoard = "<p>Text</p><script>const a = new Uint8Array(80 << 20).fill(1)</script>"
	sites, frames := map[string]http.Handler{}, ""
	for _, host := range []string{"a.example", "b.example", "c.example", "d.example", "e.example"} {
		sites[host] = http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/html")
			_, _ = w.Write([]byte(hoard))
		})
		frames += "<iframe src=http://" + host + "></iframe>"
	}
	pool := newPool(t, func(c *Config) { c.Local = sites })
	pool.memory.tree = 600 << 20
	base := site(t, map[string]string{"/": hoard + frames})
	_, err := pool.Render(within(t, time.Minute), Request{URL: base, WaitFor: 50 * time.Second})
	wantHoarder(t, "frames", err)
	honest(t, pool)
}

// Who took the memory is told by how much comes back.
func TestRelief(t *testing.T) {
	t.Parallel()
	m := usualMemory
	use := func(main, help, all int64) chromium.Memory {
		return chromium.Memory{Main: main << 20, Helpers: []chromium.Part{{Bytes: 9 << 20}, {Bytes: help << 20}}, All: all << 20}
	}
	before := use(1100, 600, 3000)
	for name, tt := range map[string]struct {
		after           chromium.Memory
		relieved, grown bool
	}{
		"on its way back":  {use(1000, 600, 2900), false, false},
		"blobs are gone":   {use(500, 600, 2400), true, false},
		"graphics is gone": {use(1100, 40, 2400), true, false},
		"frames are gone":  {use(1100, 600, 1900), true, false},
		"as before":        {before, false, false},
		"more blobs":       {use(1350, 600, 3250), false, true},
		"more frames":      {use(1100, 600, 3300), false, true},
	} {
		if got := m.relieved(before, tt.after); got != tt.relieved {
			t.Errorf("%s: relieved = %v", name, got)
		}
		if got := m.grown(before, tt.after, 1); got != tt.grown {
			t.Errorf("%s: grown = %v", name, got)
		}
	}
	if m.share(before, 1) < 1.4 || m.share(before, 9) > 1.1 || m.share(use(10, 10, 2000), 1) > 1 {
		t.Errorf("shares are %v, %v", m.share(before, 1), m.share(before, 9))
	}
}
