package browser

import (
	"context"
	"log/slog"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/browser/chromium"
	"github.com/trawlhq/trawl/internal/testtime"
)

// holdings are what a pool must give back.
type holdings struct{ processes, descriptors, goroutines, folders int }

// within reports whether there is not more than before, but for what a page that
// is just being closed holds.
func (h holdings) within(before holdings) bool {
	return h.processes <= before.processes+1 && h.descriptors <= before.descriptors+2 && h.goroutines <= before.goroutines+4 && h.folders <= before.folders
}

// take counts what this process holds on account of browsers.
func take(t testing.TB) holdings {
	t.Helper()
	files, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		t.Skip("no /proc to look into")
	}
	folders, _ := filepath.Glob(filepath.Join(os.TempDir(), "trawl-browser-"+strconv.Itoa(os.Getpid())+"-*"))
	return holdings{len(chromium.Descendants(os.Getpid())), len(files), runtime.NumGoroutine(), len(folders)}
}

// TestNothingIsLeft is not parallel: it counts what the whole process holds.
func TestNothingIsLeft(t *testing.T) {
	base := site(t, map[string]string{"/": "<p>Text</p><img src=/x><script>fetch('/y')</script>"})
	before := take(t)
	pool := newPool(t, func(c *Config) { c.Log = slog.New(slog.DiscardHandler) })
	render := func(ctx context.Context) { _, _ = pool.Render(ctx, Request{URL: base}) }
	render(testtime.Context(t))
	if stats := pool.Stats(); stats.Started != 1 || stats.Rendered != 1 {
		t.Fatalf("stats = %+v", stats)
	}
	http.DefaultClient.CloseIdleConnections()
	testtime.Until(t, "the first page is closed", func() bool { return pool.Stats().Pages == 0 })
	one := take(t)

	var pages sync.WaitGroup
	for range 4 {
		pages.Go(func() {
			for range 10 {
				render(testtime.Context(t))
			}
		})
	}
	for range 4 {
		pages.Go(func() {
			for range 12 {
				ctx, cancel := context.WithTimeout(t.Context(), rand.N(1200*time.Millisecond))
				render(ctx)
				cancel()
			}
		})
	}
	pages.Wait()
	testtime.Until(t, "all is as after one page", func() bool { return take(t).within(one) })
	if t.Failed() {
		t.Logf("after one page %+v, after many %+v", one, take(t))
	}
	pool.Close()
	testtime.Until(t, "all is as before", func() bool {
		now := take(t)
		return now.processes == before.processes && now.descriptors <= before.descriptors+2 && now.folders == before.folders
	})
	if t.Failed() {
		t.Logf("before %+v, after %+v", before, take(t))
	}
}

func TestPoolRests(t *testing.T) {
	t.Parallel()
	pool := newPool(t, func(c *Config) { c.Idle = 50 * time.Millisecond })
	if pool.Stats().Browsers != 0 {
		t.Error("a browser was started before there was a page")
	}
	for want := range int64(2) {
		honest(t, pool)
		testtime.Until(t, "the browser is gone", func() bool { return pool.Stats().Browsers == 0 })
		if started := pool.Stats().Started; started != want+1 {
			t.Errorf("%d browsers were started, want %d", started, want+1)
		}
	}
}

func TestPoolRecycles(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]func(*Pool){
		"by pages":  func(p *Pool) { p.lifetime.pages = 2 },
		"by age":    func(p *Pool) { p.lifetime.age = time.Nanosecond },
		"by memory": func(p *Pool) { p.memory.main = 1 },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			pool := newPool(t)
			change(pool)
			base := site(t, map[string]string{"/": "<p>Text</p>"})
			for range 4 {
				if _, err := pool.Render(testtime.Context(t), Request{URL: base, WaitFor: 2 * watchEvery}); err != nil {
					t.Error(err)
				}
			}
			testtime.Until(t, "at most one browser is left", func() bool { return pool.Stats().Browsers <= 1 && pool.Stats().Pages == 0 })
			if stats := pool.Stats(); stats.Started < 2 || stats.Recycled < 2 || stats.Crashed != 0 {
				t.Errorf("stats = %+v", stats)
			}
		})
	}
}

func TestPoolCapsPages(t *testing.T) {
	t.Parallel()
	var open, most atomic.Int32
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if now := open.Add(1); now > most.Load() {
			most.Store(now)
		}
		defer open.Add(-1)
		time.Sleep(50 * time.Millisecond) // so that others would be seen
		w.Header().Set("Content-Type", "text/html")
		_, _ = w.Write([]byte("<p>Text</p><link rel=icon href=data:>"))
	}))
	defer server.Close()
	pool := newPool(t, func(c *Config) { c.Pages = 2 })
	var pages sync.WaitGroup
	for range 6 {
		pages.Go(func() {
			if _, err := pool.Render(testtime.Context(t), Request{URL: server.URL}); err != nil {
				t.Error(err)
			}
		})
	}
	pages.Wait()
	if most.Load() > 2 {
		t.Errorf("%d pages were open at a time", most.Load())
	}
}

func TestCloseWithPagesOpen(t *testing.T) {
	t.Parallel()
	opened := make(chan struct{}, 10)
	server := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		opened <- struct{}{}
		<-r.Context().Done()
	}))
	defer server.Close()
	pool, other := newPool(t), newPool(t)
	var pages sync.WaitGroup
	for range 6 { // two of them wait for their turn
		pages.Go(func() {
			if _, err := pool.Render(testtime.Context(t), Request{URL: server.URL}); trawl.ErrorCode(err) == trawl.CodeTimeout || err == nil {
				t.Errorf("error = %v", err)
			}
		})
	}
	for range 4 {
		<-opened
	}
	pool.Close()
	if stats := pool.Stats(); stats.Pages != 0 || stats.Browsers != 0 {
		t.Errorf("stats after the end = %+v", stats)
	}
	pages.Wait()
	if _, err := pool.Render(testtime.Context(t), Request{URL: server.URL}); trawl.ErrorCode(err) != trawl.CodeEngines {
		t.Errorf("error after the end = %v", err)
	}
	pool.Close()
	honest(t, other)
}

// Programs that are no browsers give an error each time, and soon.
func TestProgramsThatDoNotStart(t *testing.T) {
	t.Parallel()
	dir, err := os.MkdirTemp("", "programs")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	if err := os.Chmod(dir, 0o755); err != nil { // the browser runs as another user
		t.Fatal(err)
	}
	script := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte("#!/bin/sh\n"+text+"\n"), 0o755); err != nil {
			t.Fatal(err)
		}
		return path
	}
	for name, program := range map[string]string{
		"none":            "",
		"not there":       filepath.Join(dir, "nothing"),
		"not a program":   "/etc/passwd",
		"fails":           "/bin/false",
		"another program": "/bin/sleep",
		"ends at once":    script("ends", `[ "$1" = --version ] && echo Chromium 1.2.3; exit 0`),
		"speaks garbage":  script("garbage", `[ "$1" = --version ] && echo Chromium 1.2.3 && exit; echo garbage >&4; printf '\0' >&4; exec sleep 100`),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			pool := New(Config{Guard: loopback(), Programs: chromium.Programs{Shell: program}, Log: slog.New(slog.DiscardHandler)})
			defer pool.Close()
			for range 2 {
				ctx := testtime.Context(t)
				if _, err := pool.Render(ctx, Request{URL: "http://127.0.0.1/"}); trawl.ErrorCode(err) != trawl.CodeEngines || ctx.Err() != nil {
					t.Errorf("error = %v", err)
				}
			}
			testtime.Until(t, "nothing runs", func() bool { return pool.Stats().Browsers == 0 && pool.Stats().Pages == 0 })
		})
	}
	t.Run("never answers", func(t *testing.T) {
		t.Parallel()
		silent := script("silent", `[ "$1" = --version ] && echo Chromium 1.2.3 && exit; exec sleep 100`)
		pool := New(Config{Guard: loopback(), Programs: chromium.Programs{Shell: silent}, Log: slog.New(slog.DiscardHandler)})
		defer pool.Close()
		ctx, cancel := context.WithTimeout(t.Context(), 200*time.Millisecond)
		defer cancel()
		if _, err := pool.Render(ctx, Request{URL: "http://127.0.0.1/"}); trawl.ErrorCode(err) != trawl.CodeTimeout {
			t.Errorf("error = %v", err)
		}
	})
}
