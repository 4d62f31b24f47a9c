package interact_test

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/browser/chromium"
	"github.com/trawlhq/trawl/egress"
	"github.com/trawlhq/trawl/internal/testtime"
	"github.com/trawlhq/trawl/session"
)

func html(body string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		_, _ = io.WriteString(w, "<!doctype html><title>Page</title>"+body)
	}
}

// TestHostilePages has pages that do not want to be used. Every command answers within
// its time, and the session is of use afterwards.
func TestHostilePages(t *testing.T) {
	t.Parallel()
	var many strings.Builder
	for i := range 100_000 {
		fmt.Fprintf(&many, "<div><a href=/%d>%d</a></div>", i, i)
	}
	r := newRig(t, map[string]http.HandlerFunc{
		"/restless": html(`<div id=d></div><button>B</button><script>setInterval(() => { d.textContent = Math.random(); d.append(document.createElement('p')) }, 1)</script>`),
		"/alerts":   html(`<button>B</button><script>setTimeout(() => { for (;;) alert(1) }, 100)</script>`),
		"/asks":     html(`<button>B</button><script>setTimeout(() => { for (;;) confirm('sure?') }, 100)</script>`),
		"/many":     html(many.String()),
		"/busy":     html(`<button>B</button><script>setTimeout(() => { for (;;); }, 200)</script>`),
		"/moves":    html(`<button>B</button><script>setTimeout(() => { location = '/moves?' + Math.random() }, 200)</script>`),
		"/slow": func(w http.ResponseWriter, req *http.Request) {
			w.Header().Set("Content-Type", "text/html")
			_, _ = io.WriteString(w, "<title>Slow</title><p>begun")
			w.(http.Flusher).Flush()
			<-req.Context().Done()
		},
	})
	const short = 5 * time.Second // for what does not end
	patient := chromium.Patience(testtime.Patience).Limit(30 * time.Second)
	for _, c := range []struct {
		name, script string
		limit        time.Duration
		want         string
	}{
		{"a page that never stops changing", "open SITE/restless; snapshot -i", patient, `button "B"`},
		{"questions in a loop", "open SITE/asks; wait '#never' || get title; dialog dismiss; get title", patient, "blocking the page"},
		{"alerts in a loop", "open SITE/alerts; wait 300; get title", short, ""},
		{"a hundred thousand elements", "open SITE/many; get count a; snapshot -i --max-output 100", 2 * short, ""},
		{"a script that does not end", "open SITE/busy; wait 400; get title", short, ""},
		{"a page that goes on and on", "open SITE/moves; wait 500; snapshot -i; get title", patient, "Page"},
		{"a page that does not end", "open SITE/slow", short, ""},
		{"a script of the caller that does not end", "open SITE/two.html; eval 'for(;;);'", short, ""},
		{"a promise that is never kept", "open SITE/two.html; eval 'new Promise(() => {})'", short, ""},
	} {
		began := time.Now()
		out := r.within(c.script, c.limit)
		if took := time.Since(began); took > c.limit+chromium.Patience(testtime.Patience).Limit(4*time.Second) {
			t.Errorf("%s: took %v", c.name, took)
		}
		if out.Killed != (out.ExitCode == 124) || !strings.Contains(out.Stdout+out.Stderr, c.want) {
			t.Errorf("%s: %+v", c.name, out)
		}
		// Whatever the page does, a fresh tab is of use.
		if out := r.run("tab new SITE/two.html; get title; tab close t1; tab list"); !strings.Contains(out.Stdout, "Two") {
			t.Errorf("after %s: %+v", c.name, out)
		}
	}
}

// TestRefsExpire has refs that mean nothing any more.
func TestRefsExpire(t *testing.T) {
	t.Parallel()
	r := newRig(t, nil)
	out := r.run("open SITE/shop.html && snapshot -i >/dev/null")
	if out.ExitCode != 2 {
		t.Errorf("a file: %+v", out)
	}
	r.run("open SITE/shop.html && snapshot -i && open SITE/two.html")
	if out := r.run("click @e19"); !strings.HasPrefix(out.Stderr, "✗ Element not found: @e19") {
		t.Errorf("a ref of the page before: %+v", out)
	}
	r.run("open SITE/shop.html && snapshot -i && eval 'document.querySelector(\"#go\").remove()'")
	if out := r.run("click @e19"); !strings.HasPrefix(out.Stderr, "✗ Element not found: @e19") {
		t.Errorf("a ref of an element that is gone: %+v", out)
	}
	r.run("snapshot -i -s nav; tab new SITE/two.html")
	if out := r.run("click @e1"); !strings.HasPrefix(out.Stderr, "✗ Unknown ref: e1") {
		t.Errorf("a ref of another tab: %+v", out)
	}
}

func TestTabClosesUnderCommand(t *testing.T) {
	t.Parallel()
	waiting := make(chan struct{})
	var once sync.Once
	r := newRig(t, map[string]http.HandlerFunc{
		"/waiting": func(http.ResponseWriter, *http.Request) { once.Do(func() { close(waiting) }) },
		"/hold": func(_ http.ResponseWriter, req *http.Request) { // until a command runs in the tab
			select {
			case <-waiting:
			case <-req.Context().Done():
			}
		},
	})
	r.run("open SITE/two.html; eval 'window.open(\"/frame.html\"), 0'; wait 300; wait --text Inner")
	out := r.run(`eval 'fetch("/hold").then(() => close()), 0'; wait --fn 'fetch("/waiting") && false'; get title`)
	if !strings.Contains(out.Stderr, "tab was closed") || !strings.Contains(out.Stdout, "Two") {
		t.Errorf("%+v", out)
	}
}

func TestSessionEndsUnderCommand(t *testing.T) {
	t.Parallel()
	reached := make(chan struct{}, 1)
	r := newRig(t, map[string]http.HandlerFunc{"/reached": func(http.ResponseWriter, *http.Request) { reached <- struct{}{} }})
	r.run("open SITE/two.html")
	failed := make(chan error, 1)
	go func() {
		_, err := r.manager.Execute(context.Background(), r.id, trawl.SessionOrder{
			Language: "bash", Code: "eval 'fetch(\"/reached\"), 0'; wait '#never'", Time: time.Minute,
		})
		failed <- err
	}()
	testtime.Receive(t, "the command runs", reached)
	row, err := r.manager.Destroy(context.Background(), r.id)
	if err != nil || row.Credits != trawl.SessionMinute {
		t.Errorf("%+v, %v", row, err)
	}
	if err := testtime.Receive(t, "the command ends", failed); trawl.ErrorCode(err) != trawl.CodeGone {
		t.Errorf("error %v", err)
	}
	if _, err := r.manager.Execute(context.Background(), r.id, trawl.SessionOrder{Language: "bash", Code: "get url"}); trawl.ErrorCode(err) != trawl.CodeGone {
		t.Errorf("afterwards: %v", err)
	}
}

// TestCodeIsOff says what works instead.
func TestCodeIsOff(t *testing.T) {
	t.Parallel()
	r := newRig(t, nil)
	for _, language := range []string{trawl.LanguageNode, trawl.LanguagePython} {
		out, err := r.manager.Execute(context.Background(), r.id, trawl.SessionOrder{Language: language, Code: "1"})
		if err != nil || out.ExitCode != 1 || !strings.Contains(out.Stderr, language) || !strings.Contains(out.Stderr, "bash") {
			t.Errorf("%s: %+v, %v", language, out, err)
		}
	}
}

// TestNoWayIn has a service on loopback that nothing may reach, by no command.
func TestNoWayIn(t *testing.T) {
	t.Parallel()
	var hits atomic.Int32
	canary := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { hits.Add(1) }))
	t.Cleanup(canary.Close)
	pages := http.NewServeMux()
	pages.HandleFunc("/", html("<h1>Page</h1><a id=link href="+canary.URL+"/link>link</a><form action="+canary.URL+"/form><button id=send>Send</button></form>"))
	pages.HandleFunc("/redirect", func(w http.ResponseWriter, req *http.Request) {
		http.Redirect(w, req, canary.URL+"/redirect", http.StatusFound)
	})
	r := newRig(t, nil, func(c *session.Config) {
		c.Local = map[string]http.Handler{"page.test": pages}
		c.Guard = egress.New(egress.Config{Resolver: noNames{}, Log: slog.New(slog.DiscardHandler)})
	})
	address := strings.TrimPrefix(canary.URL, "http://")
	port := address[strings.LastIndex(address, ":"):]
	for _, script := range []string{
		"open http://ADDRESS/", "open http://localhostPORT/", "open http://0.0.0.0PORT/", "open http://[::1]PORT/", "open http://2130706433PORT/",
		"open http://page.test/redirect", "tab new http://ADDRESS/tab", "read http://ADDRESS/read", "scrape http://ADDRESS/scrape",
		"open http://page.test/; click '#link'", "open http://page.test/; click '#link' --new-tab", "open http://page.test/; click '#send'",
		"open http://page.test/; eval 'fetch(\"http://ADDRESS/fetch\", {mode: \"no-cors\"}).then(() => 1, () => 0)'",
		"open http://page.test/; eval 'location = \"http://ADDRESS/eval\"'; wait 200",
		"open http://page.test/; eval 'new Image().src = \"http://ADDRESS/image\"'; wait 200",
		"open http://page.test/; eval 'window.open(\"http://ADDRESS/window\"), 0'; wait 200",
		"open http://page.test/; eval 'new WebSocket(\"ws://ADDRESS/socket\"), 0'; wait 200",
		"open http://page.test/; eval 'navigator.sendBeacon(\"http://ADDRESS/beacon\")'; wait 200",
	} {
		r.run("tab t1; " + strings.NewReplacer("ADDRESS", address, "PORT", port).Replace(script))
	}
	if n := hits.Load(); n != 0 {
		t.Errorf("%d requests reached the canary", n)
	}
	// And the canary is one.
	if response, err := canary.Client().Get(canary.URL); err != nil || hits.Load() != 1 {
		t.Error(err, hits.Load())
	} else {
		_ = response.Body.Close()
	}
}
