package browser

import (
	"errors"
	"fmt"
	"io"
	"log/slog"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/browser/chromium"
	"github.com/trawlhq/trawl/internal/testtime"
)

// hostile is a page that does its worst, and what may come of it: a page with
// some text, or an error of a code.
type hostile struct {
	name    string
	page    string           // what is served, if there is no handler
	handler http.HandlerFunc // or else this serves
	request Request          // beside the address
	path    string           // asked for, if not /
	text    string           // in the page that comes of it
	code    trawl.Code       // or the code of the error,
	notPage bool             // or ErrNotPage
	either  bool             // or it is the page, or no page in time
	timeout time.Duration    // what is given it; 0 means as long as it takes, unless no page in time would do
}

func (h *hostile) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if h.handler != nil {
		h.handler(w, r)
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	_, _ = io.WriteString(w, h.page)
}

// run renders the page.
func (h *hostile) run(t *testing.T, pool *Pool) {
	server := httptest.NewServer(h)
	defer server.Close()
	defer server.CloseClientConnections()
	if h.timeout == 0 {
		h.timeout = testtime.Limit(t)
	}
	if h.either {
		h.timeout = 40 * time.Second
	}
	req := h.request
	req.URL = server.URL + h.path
	began := time.Now()
	result, err := pool.Render(within(t, h.timeout), req)
	if took := time.Since(began); took > h.timeout+time.Minute {
		t.Errorf("%s: it took %v", h.name, took)
	}
	h.check(t, result, err)
}

func (h *hostile) check(t *testing.T, result *Result, err error) {
	t.Helper()
	switch {
	case h.notPage:
		if !errors.Is(err, ErrNotPage) {
			t.Errorf("%s: error = %v, want ErrNotPage", h.name, err)
		}
	case h.code != "" && (err != nil || !h.either):
		if code := trawl.ErrorCode(err); code != h.code && (!h.either || code != trawl.CodeTimeout) {
			t.Errorf("%s: error = %v, want %s: %.200v", h.name, err, h.code, result)
		}
	case err != nil:
		t.Errorf("%s: %v", h.name, err)
	case h.either && result.Partial: // caught on its way from one to the next
	case !strings.Contains(result.HTML, h.text):
		t.Errorf("%s: the page lacks %q: %.300s", h.name, h.text, result.HTML)
	}
}

// honest renders a plain page: whatever was before, it must work.
func honest(t *testing.T, pool *Pool) {
	t.Helper()
	base := site(t, map[string]string{"/": "<p>An honest page</p>"})
	result, err := pool.Render(testtime.Context(t), Request{URL: base})
	if err != nil || !strings.Contains(result.HTML, "<p>An honest page</p>") {
		t.Errorf("the next page: %v, %+v", err, result)
	}
}

// crowd is how many pages are rendered at a time where that matters.
const crowd = 4

// slower multiplies a time by how much slower than a second a crowd of honest pages
// comes at the moment. It is for limits that are to be reached.
func slower(t *testing.T, pool *Pool, usual time.Duration) time.Duration {
	t.Helper()
	base := site(t, map[string]string{"/": "<p>An honest page</p><script>document.body.append('that says more')</script>"})
	honest(t, pool) // it starts the browser
	began := time.Now()
	var all sync.WaitGroup
	for range crowd {
		all.Go(func() {
			if _, err := pool.Render(testtime.Context(t), Request{URL: base}); err != nil {
				t.Errorf("an honest page: %v", err)
			}
		})
	}
	all.Wait()
	return time.Duration(max(1, time.Since(began).Seconds()) * float64(usual))
}

// runAll renders the pages, four at a time, and an honest one after them. They
// are no tests of their own: of those, as many run as there are processors.
func runAll(t *testing.T, pages []hostile) {
	t.Helper()
	pool := newPool(t, func(c *Config) { c.Pages = 2 * crowd }) // none has to wait
	enough := slower(t, pool, 2*time.Second)
	pool.patience = patience{settle: enough, read: enough}
	queue := make(chan *hostile)
	var all sync.WaitGroup
	for range crowd {
		all.Go(func() {
			for page := range queue {
				page.run(t, pool)
			}
		})
	}
	for i := range pages {
		queue <- &pages[i]
	}
	close(queue)
	all.Wait()
	honest(t, pool)
	if stats := pool.Stats(); stats.Started > 2 {
		t.Errorf("it took %d browsers", stats.Started)
	}
}

const spin = "for(;;);"

func TestLoops(t *testing.T) {
	t.Parallel()
	worker := "new Worker(URL.createObjectURL(new Blob(['" + spin + "'])))"
	runAll(t, []hostile{
		{name: "at load", page: "<p>Text</p><script>" + spin + "</script>", text: "<p>Text</p>"},
		{name: "after load", page: "<p>Text</p><script>onload = () => {" + spin + "}</script>", text: "<p>Text</p>"},
		{name: "in a timer", page: "<p>Text</p><script>setInterval(() => {" + spin + "})</script>", text: "<p>Text</p>", code: trawl.CodeSite, either: true},
		{name: "in promises", page: "<p>Text</p><script>const f = () => Promise.resolve().then(f); f()</script>", text: "<p>Text</p>"},
		{name: "in a worker", page: "<p>Text</p><script>" + worker + "</script>", text: "<p>Text</p>"},
		{name: "when left", page: "<p>Text</p><script>onbeforeunload = onpagehide = onunload = () => {" + spin + "}</script>", text: "<p>Text</p>"},
		{name: "in an observer", page: `<p>Text</p><script>new MutationObserver(() => { document.body.append('x') }).observe(document.body, {childList: true}); document.body.append('x')</script>`,
			text: "<p>Text</p>", code: trawl.CodeSite, either: true},
		{name: "on every frame", page: "<p>Text</p><script>const f = () => { document.body.append('.'); requestAnimationFrame(f) }; f()</script>", text: "<p>Text</p>"},
		{name: "of a regular expression", page: `<p>Text</p><script>/^(a+)+$/.test('a'.repeat(60) + '!')</script>`, text: "<p>Text</p>"},
	})
}

func TestDialogs(t *testing.T) {
	t.Parallel()
	runAll(t, []hostile{
		{name: "some", page: `<script>alert(1); document.write(confirm(2) + '/' + prompt(3)); print()</script><p>Text</p>`, text: "false/null<p>Text</p>"},
		{name: "storm", page: "<p>Text</p><script>for(;;) alert(1)</script>", text: "<p>Text</p>"},
		{name: "storm of prints", page: "<p>Text</p><script>for(let i = 0; i < 1000; i++) print()</script>", text: "<p>Text</p>"},
		{name: "before it is left", page: `<p>Text</p><script>onbeforeunload = e => { e.preventDefault(); return 'Stay!' }; if (!location.hash) setTimeout(() => location = '/next', 50)</script>`, text: "<p>Text</p>",
			code: trawl.CodeSite, either: true},
		{name: "windows", page: `<p>Text</p><a id=a target=_blank href="/">x</a><script>for (let i = 0; i < 200; i++) { window.open('/?' + i, 'w' + i); a.click() }</script>`, text: "<p>Text</p>"},
		{name: "permissions", page: `<p>Text</p><script>
			Notification.requestPermission().then(r => document.body.append('notify ' + r));
			navigator.geolocation.getCurrentPosition(() => {}, e => document.body.append(' place refused'));
			navigator.mediaDevices?.getUserMedia({video: true}).catch(e => document.body.append(' camera refused'));
			document.documentElement.requestFullscreen().catch(() => {});
			</script>`, text: "<p>Text</p>"},
	})
}

func TestNoPages(t *testing.T) {
	t.Parallel()
	with := func(status int, kind, disposition, body string) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", kind)
			if disposition != "" {
				w.Header().Set("Content-Disposition", disposition)
			}
			w.WriteHeader(status)
			_, _ = io.WriteString(w, body)
		}
	}
	to := func(address string) http.HandlerFunc {
		return func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Location", address)
			w.WriteHeader(http.StatusFound)
		}
	}
	for _, enhanced := range []bool{false, true} {
		t.Run(fmt.Sprintf("enhanced %v", enhanced), func(t *testing.T) {
			t.Parallel()
			if enhanced && testing.Short() {
				t.Skip("it takes its time")
			}
			pages := []hostile{
				{name: "attachment", handler: with(200, "text/html", "attachment; filename=a.html", "<p>x</p>"), notPage: true},
				{name: "octets", handler: with(200, "application/octet-stream", "", "\x00\x01\x02"), notPage: true},
				{name: "PDF", handler: with(200, "application/pdf", "", "%PDF-1.4\n%%EOF\n"), notPage: true},
				{name: "archive", handler: with(200, "application/zip", "", "PK\x03\x04"), notPage: true},
				{name: "no content", handler: with(204, "text/html", "", ""), notPage: true},
				{name: "empty 404", handler: with(404, "text/html", "", ""), notPage: enhanced},
				{name: "empty 500", handler: with(500, "text/html", "", ""), notPage: enhanced},
				{name: "404 with text", handler: with(404, "text/html", "", "<p>Not here</p>"), text: "<p>Not here</p>"},
				{name: "empty 200", handler: with(200, "text/html", "", ""), text: "<body></body>"},
				{name: "redirects for ever", handler: to("/"), code: trawl.CodeSite},
				{name: "to a file", handler: to("file:///etc/passwd"), code: trawl.CodeSite},
				{name: "to the browser", handler: to("chrome://version"), code: trawl.CodeSite},
				{name: "to a script", handler: to("javascript:alert(1)"), notPage: true},
				{name: "to data", handler: to("data:text/html,<p>data</p>"), code: trawl.CodeSite},
				{name: "to nobody", handler: to("http://nobody.test/"), code: trawl.CodeDNS},
				{name: "to a closed port", handler: to("http://127.0.0.1:9/"), code: trawl.CodeUnsupportedSite},
				{name: "to a refused address", handler: to("http://0.0.0.0:8080/"), code: trawl.CodeUnsupportedSite},
				{name: "no headers", handler: func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }, code: trawl.CodeTimeout, timeout: 3 * time.Second},
				{name: "no HTTP", handler: func(w http.ResponseWriter, _ *http.Request) {
					conn, _, _ := w.(http.Hijacker).Hijack()
					_, _ = io.WriteString(conn, "SSH-2.0-OpenSSH_9.2\r\n")
					_ = conn.Close()
				}, code: trawl.CodeSite},
				{name: "cut off", handler: func(w http.ResponseWriter, _ *http.Request) {
					conn, _, _ := w.(http.Hijacker).Hijack()
					_ = conn.Close()
				}, code: trawl.CodeSite},
				{name: "asks for a password", handler: func(w http.ResponseWriter, _ *http.Request) {
					w.Header().Set("WWW-Authenticate", `Basic realm="x"`)
					w.WriteHeader(http.StatusUnauthorized)
					_, _ = io.WriteString(w, "<p>Who are you?</p>")
				}, text: "<p>Who are you?</p>", notPage: enhanced},
			}
			if enhanced { // it takes its time
				pages = slices.DeleteFunc(pages, func(h hostile) bool { return !h.notPage && h.code == "" })
			}
			for i := range pages {
				pages[i].request.Enhanced = enhanced
			}
			runAll(t, pages)
		})
	}
}

func TestRestlessPages(t *testing.T) {
	t.Parallel()
	step := func(next string) http.HandlerFunc {
		return func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", "text/html")
			_, _ = fmt.Fprintf(w, next, rand.Int())
		}
	}
	drip := func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		_, _ = io.WriteString(w, "<p>Text</p>")
		for {
			_, _ = io.WriteString(w, "<i>.</i>")
			_ = http.NewResponseController(w).Flush()
			select {
			case <-r.Context().Done():
				return
			case <-time.After(50 * time.Millisecond):
			}
		}
	}
	hang := func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		_, _ = io.WriteString(w, "<p>Text</p>"+strings.Repeat(" ", 2000))
		_ = http.NewResponseController(w).Flush()
		<-r.Context().Done()
	}
	runAll(t, []hostile{
		{name: "states", page: "<p>Text</p><script>setInterval(() => history.pushState({}, '', '/' + Math.random()), 1)</script>", text: "<p>Text</p>"},
		{name: "states in a loop", page: "<p>Text</p><script>for(;;) history.pushState({}, '', '/' + Math.random())</script>", text: "<p>Text</p>"},
		{name: "reloads", page: "<p>Text</p><script>onload = () => location.reload()</script>", text: "<p>Text</p>", code: trawl.CodeSite, either: true},
		{name: "refreshes", page: `<meta http-equiv=refresh content=0><p>Text</p>`, text: "<p>Text</p>", code: trawl.CodeSite, either: true},
		{name: "goes on for ever", handler: step("<p>Text</p><script>location = '/%d'</script>"), code: trawl.CodeSite, either: true},
		{name: "goes on after load", handler: step("<p>Text</p><script>onload = () => setTimeout(() => location = '/%d', 20)</script>"), code: trawl.CodeSite, either: true},
		{name: "drips", handler: drip, text: "<p>Text</p>"},
		{name: "never ends", handler: hang, text: "<p>Text</p>"},
		{name: "opens itself", page: "<p>Text</p><script>setInterval(() => { document.open(); document.write('<p>Text</p>'); document.close() }, 1)</script>", text: "<p>Text</p>"},
		{name: "messages", page: "<p>Text</p><script>onmessage = () => { postMessage('x', '*'); postMessage(1, '*') }; postMessage('x', '*'); setTimeout(() => onmessage = null, 1000)</script>", text: "<p>Text</p>"},
		{name: "log", page: "<p>Text</p><script>setInterval(() => { for (let i = 0; i < 1000; i++) console.log('x'.repeat(1000)) }, 1)</script>", text: "<p>Text</p>"},
		{name: "sockets", page: "<p>Text</p><script>for (let i = 0; i < 300; i++) new WebSocket('ws://' + location.host + '/' + i)</script>", text: "<p>Text</p>"},
		{name: "requests", page: "<p>Text</p><script>for (let i = 0; i < 2000; i++) fetch('/' + i)</script>", text: "<p>Text</p>", request: Request{Headers: map[string]string{"X-Key": "1"}},
			code: trawl.CodeSite, either: true},
	})
}

func TestOddPages(t *testing.T) {
	t.Parallel()
	spoiled := `<p>Text</p><script>
		Object.prototype.toJSON = () => 'spoiled'; Object.defineProperty(Object.prototype, 'html', {set() { throw 1 }});
		JSON = Promise = MutationObserver = Set = XMLSerializer = Node = undefined;
		performance.getEntriesByType = () => { throw 2 }; Array.prototype.push = () => { throw 3 }; String.prototype.replace = () => 'spoiled';
		Object.defineProperty(document, 'documentElement', {get() { throw 4 }});
		Object.defineProperty(Element.prototype, 'outerHTML', {get() { return 'spoiled' }});
		window.trawlConsent = window.trawl = () => { throw 5 };
		setTimeout = () => { throw 6 };
		</script>`
	tall := `<p>Text</p><div style="height:300000px;background:linear-gradient(red,blue)"></div><p>End</p>`
	frames := `<p>Text</p><iframe srcdoc="<iframe srcdoc='<iframe src=/></iframe>'></iframe>"></iframe><object data="/x.pdf" type="application/pdf"></object><embed src="/x.pdf">`
	runAll(t, []hostile{
		{name: "spoiled", page: spoiled, text: "<p>Text</p>", request: Request{BlockAds: true}},
		{name: "300,000 pixels tall", page: tall, text: "<p>End</p>", request: Request{Screenshot: &trawl.Format{Type: trawl.FormatScreenshot, FullPage: true}}},
		{name: "frames in frames", page: frames, text: "<p>Text</p>"},
		{name: "half of a pair", page: "<p>Text</p><script>document.body.append('\\ud800')</script>", text: "<p>Text</p>"},
		{name: "no root", page: "<p>Text</p><script>onload = () => document.documentElement.remove()</script>", text: ""},
		{name: "500,000 nodes", page: "<p>Text</p><script>document.body.insertAdjacentHTML('beforeend', '<b>x</b>'.repeat(250000))</script>", text: "<p>Text</p>"},
		{name: "10,000 deep", page: "<p>Text</p><script>let e = document.body; for (let i = 0; i < 10000; i++) e = e.appendChild(document.createElement('div'))</script>", text: "<p>Text</p>",
			code: trawl.CodeSite, either: true},
		{name: "60 MB", page: "<p>Text</p><div hidden id=d></div><script>d.append('x'.repeat(60e6))</script>", text: "<p>Text</p>"},
		{name: "service worker", page: "<p>Text</p><script>navigator.serviceWorker?.register('/')</script>", text: "<p>Text</p>"},
	})
}

// flood sends half a gigabyte.
func flood(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "text/html")
	_, _ = io.WriteString(w, "<p>Text</p><div hidden>")
	part := []byte(strings.Repeat("water", 10000))
	for sent := 0; sent < 500e6; sent += len(part) {
		if _, err := w.Write(part); err != nil {
			return
		}
	}
}

func TestPageTooLarge(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("it takes its time")
	}
	server := httptest.NewServer(http.HandlerFunc(flood))
	defer server.Close()
	pool := newPool(t)
	_, err := pool.Render(testtime.Context(t), Request{URL: server.URL})
	if public, ok := errors.AsType[*trawl.Error](err); !ok || public.Message != "The page is larger than 100 MiB." {
		t.Errorf("error = %v", err)
	}
	honest(t, pool)
}

func TestAddressesThatAreNoPages(t *testing.T) {
	t.Parallel()
	pool := New(Config{Guard: loopback(), Programs: chromium.Programs{Shell: "/bin/false"}, Log: slog.New(slog.DiscardHandler)})
	defer pool.Close()
	for _, address := range []string{
		"file:///etc/passwd", "chrome://version", "about:blank", "view-source:http://127.0.0.1/", "javascript:alert(1)",
		"data:text/html,x", "devtools://devtools/bundled/inspector.html", "ftp://127.0.0.1/", "blob:http://127.0.0.1/x", "", "http://",
	} {
		if _, err := pool.Render(testtime.Context(t), Request{URL: address}); trawl.ErrorCode(err) != trawl.CodeBadRequest {
			t.Errorf("%s: %v", address, err)
		}
	}
	if started := pool.Stats().Started; started != 0 {
		t.Errorf("%d browsers were started", started)
	}
}
