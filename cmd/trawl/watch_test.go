package main

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
)

func TestWatch(t *testing.T) {
	t.Parallel()
	var looks atomic.Int64
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/" {
			http.NotFound(w, r)
			return
		}
		w.Header().Set("Content-Type", "text/html")
		switch looks.Add(1) {
		case 2:
			w.WriteHeader(http.StatusServiceUnavailable)
		case 1:
			fmt.Fprint(w, "<main><p>The plan costs 10 euros.</p></main>")
		default:
			fmt.Fprint(w, "<main><p>The plan costs 12 euros.\x1b]0;x\x07</p></main>")
		}
	}))
	t.Cleanup(site.Close)
	env := map[string]string{"TRAWL_ALLOW_PRIVATE": "127.0.0.1/32", "FORCE_COLOR": "1"}
	got := execute(t, env, "watch", site.URL, "--every", "1s", "--count", "4")
	if got.code != 0 || !strings.Contains(got.stdout, "watching "+site.URL) || !strings.Contains(got.stdout, "\x1b[31m-The plan costs 10 euros.\x1b[0m\n\x1b[32m+The plan costs 12 euros.") {
		t.Errorf("code %d, stdout %q, stderr %q", got.code, got.stdout, got.stderr)
	}
	if strings.Count(got.stdout, "changed") != 1 || !strings.Contains(got.stderr, "503") || !strings.Contains(got.stderr, "same") || strings.Contains(got.stdout, "\x1b]") {
		t.Errorf("stdout %q, stderr %q", got.stdout, got.stderr)
	}
	if got := execute(t, env, "watch", site.URL, "--every", "1ms"); got.code != exitUsage {
		t.Errorf("code %d", got.code)
	}
}

func TestMonitorCommands(t *testing.T) {
	t.Parallel()
	env := map[string]string{"TRAWL_DATA_DIR": t.TempDir()}
	run := func(args ...string) string {
		t.Helper()
		got := execute(t, env, append([]string{"monitor"}, args...)...)
		if got.code != 0 {
			t.Fatalf("%q: code %d, %s", args, got.code, got.stderr)
		}
		return got.stdout
	}
	id := strings.TrimSpace(run("add", "https://example.com/prices", "--schedule", "daily at 9am", "--timezone", "Europe/Berlin", "--goal", "prices"))
	if list := run("list"); !strings.Contains(list, id) || !strings.Contains(list, "0 9 * * * Europe/Berlin") || !strings.Contains(list, "active") {
		t.Errorf("list:\n%s", list)
	}
	if check := run("run", id); len(strings.TrimSpace(check)) != 36 {
		t.Errorf("run: %q", check)
	}
	if shown := run("show", id, "--diff"); !strings.Contains(shown, "Monitor https://example.com/prices (active)") || !strings.Contains(shown, "queued") {
		t.Errorf("show:\n%s", shown)
	}
	run("pause", id)
	if list := run("list", "--json"); !strings.Contains(list, `"status": "paused"`) {
		t.Errorf("list:\n%s", list)
	}
	run("pause", id, "--resume")
	run("add", "--crawl", "https://example.com", "--limit", "5", "--schedule", "0 * * * *")
	run("rm", id)
	for _, args := range [][]string{{"add"}, {"add", "https://example.com", "--schedule", "now and then"}, {"add", "--search", "a"}, {"rm", id}, {"show", id}, {"add", "ftp://a"}} {
		if got := execute(t, env, append([]string{"monitor"}, args...)...); got.code == 0 || got.stderr == "" {
			t.Errorf("%q: code %d, %s", args, got.code, got.stderr)
		}
	}
}
