package browser

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/trawlhq/trawl/browser/cdp"
	"github.com/trawlhq/trawl/internal/testtime"
)

// Content that comes late is there, and what never ends does not hold it up.
func TestLateContent(t *testing.T) {
	t.Parallel()
	pages := map[string]string{
		"/static":  "<p>It is here</p>",
		"/fetch":   "<p id=p></p><script>fetch('/late').then(r => r.text()).then(t => p.append(t))</script>",
		"/chain":   "<p id=p></p><script>(async () => { for (let i = 0; i < 4; i++) await fetch('/slow?' + i); p.append(await (await fetch('/late')).text()) })()</script>",
		"/timer":   "<p id=p></p><script>setTimeout(() => p.append('It is here'), 300)</script>",
		"/onload":  "<p id=p></p><img src=/slow><script>onload = () => setTimeout(() => fetch('/slow').then(() => p.append('It is here')), 200)</script>",
		"/steps":   "<p id=p></p><script>let n = 0; const i = setInterval(() => { document.body.append('.'); if (++n === 8) { p.append('It is here'); clearInterval(i) } }, 80)</script>",
		"/goes":    "<script>setTimeout(() => location = '/fetch', 100)</script>",
		"/poll":    "<p id=p></p><script>fetch('/never'); fetch('/late').then(r => r.text()).then(t => p.append(t))</script>",
		"/module":  "<p id=p></p><script type=module>await new Promise(r => setTimeout(r, 100)); p.append('It is here')</script>",
		"/image":   "<p id=p></p><script>const i = new Image; i.onload = i.onerror = () => p.append('It is here'); i.src = '/slow'</script>",
		"/twofold": "<p id=p></p><script>location.hash = 'x'; history.replaceState({}, '', '/other'); setTimeout(() => p.append('It is here'), 200)</script>",
	}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		switch r.URL.Path {
		case "/late":
			time.Sleep(200 * time.Millisecond)
			_, _ = io.WriteString(w, "It is here")
		case "/slow":
			time.Sleep(150 * time.Millisecond)
		case "/never":
			<-r.Context().Done()
		case "/stream":
			for _, part := range []string{"<p>It", " is", " here</p>"} {
				_, _ = io.WriteString(w, part)
				_ = http.NewResponseController(w).Flush()
				time.Sleep(300 * time.Millisecond)
			}
		default:
			_, _ = io.WriteString(w, pages[r.URL.Path])
		}
	}))
	pool := newPool(t)
	defer server.Close()
	pages["/stream"] = ""
	render := func(path string) {
		result, err := pool.Render(testtime.Context(t), Request{URL: server.URL + path})
		if err != nil || !strings.Contains(result.HTML, ">It is here</p>") {
			t.Errorf("%s: %v: %+v", path, err, result)
		}
	}
	for path := range pages {
		if path != "/poll" {
			render(path)
		}
	}
	pool.patience.settle = slower(t, pool, 5*time.Second)
	began := time.Now()
	render("/poll")
	if took := time.Since(began); took > 5*pool.patience.settle {
		t.Errorf("what never ends held it up for %v", took)
	}
	server.CloseClientConnections()
}

func TestLife(t *testing.T) {
	t.Parallel()
	l := &life{changed: make(chan struct{})}
	_, _, _, changed := l.state()
	l.note("A", "init")
	<-changed
	l.note("A", "load")
	l.note("B", "networkIdle") // of a document that is not here
	if loader, loaded, idle, _ := l.state(); loader != "A" || !loaded || idle {
		t.Errorf("state = %s %v %v", loader, loaded, idle)
	}
	l.note("B", "init")
	l.note("A", "commit") // told late
	l.note("", "commit")
	if loader, loaded, idle, _ := l.state(); loader != "B" || loaded || idle {
		t.Errorf("state of the next document = %s %v %v", loader, loaded, idle)
	}
	l.complete("A")
	if _, loaded, _, _ := l.state(); loaded {
		t.Error("a document that is gone is loaded")
	}
	l.complete("B")
	if _, loaded, _, _ := l.state(); !loaded {
		t.Error("the document is not loaded")
	}
	l.crash()
	if !l.dead() {
		t.Error("it lives")
	}
}

func TestIsStale(t *testing.T) {
	t.Parallel()
	if isStale(nil) || isStale(cdp.ErrGone) || isStale(&cdp.Error{Message: "Invalid parameters"}) {
		t.Error("an error that has another reason counts")
	}
	if !isStale(&cdp.Error{Message: "Cannot find context with specified id"}) {
		t.Error("a document that is gone does not count")
	}
}
