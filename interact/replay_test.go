package interact_test

import (
	"context"
	"net/http"
	"strings"
	"sync"
	"testing"

	"github.com/trawlhq/trawl"
)

// TestContinue opens the page of a scrape again: with its headers for its own site only,
// on its device, and with what the scrape did in it.
func TestContinue(t *testing.T) {
	t.Parallel()
	var mu sync.Mutex
	seen := map[string]http.Header{}
	note := func(next http.HandlerFunc) http.HandlerFunc {
		return func(w http.ResponseWriter, req *http.Request) {
			mu.Lock()
			seen[req.Host+req.URL.Path] = req.Header.Clone()
			mu.Unlock()
			next(w, req)
		}
	}
	r := newRig(t, map[string]http.HandlerFunc{
		"/form":  note(html(`<input id=n><button id=b onclick="said.textContent = n.value">B</button><p id=said></p><img src="http://other.test/pixel"><script>window.open('/two.html')</script>`)),
		"/pixel": note(func(http.ResponseWriter, *http.Request) {}),
	})
	page := trawl.Replay{
		ScrapeID: "018f0000-0000-7000-8000-000000000001", URL: r.site.URL + "/form", WaitFor: 10, Mobile: true, Country: "DE", Languages: []string{"de-DE"},
		Headers: map[string]string{"X-Own": "yes", "Cookie": "a=b"},
		Actions: []trawl.Action{{Type: "wait", Selector: "#b"}, {Type: "click", Selector: "#n"}, {Type: "write", Text: "hello"}, {Type: "click", Selector: "#b"}},
	}
	request := trawl.DefaultSessionRequest()
	row, err := r.manager.Continue(context.Background(), r.who, page, &request)
	if err != nil {
		t.Fatal(err)
	}
	again, err := r.manager.Continue(context.Background(), r.who, page, &request)
	if err != nil || again.ID != row.ID || row.ScrapeID != page.ScrapeID {
		t.Errorf("another session for the same scrape: %+v, %v", again, err)
	}
	r.id = row.ID
	out := r.run("get url; get text '#said'; eval 'screen.width + navigator.language + Intl.DateTimeFormat().resolvedOptions().timeZone + document.cookie'; tab list")
	if want := "SITE/form\nhello\n\"412de-DEEurope/Berlina=b\"\n→ [t1] Page - SITE/form\n"; out.Stdout != want {
		t.Errorf("%+v, want %s", out, want)
	}
	mu.Lock()
	defer mu.Unlock()
	if h := seen[strings.TrimPrefix(r.site.URL, "http://")+"/form"]; h.Get("X-Own") != "yes" || h.Get("Cookie") != "a=b" || !strings.HasPrefix(h.Get("Accept-Language"), "de-DE") || !strings.Contains(h.Get("User-Agent"), "Mobile") {
		t.Errorf("headers of the page: %v", h)
	}
	if h := seen["other.test/pixel"]; h == nil || h.Get("X-Own") != "" || h.Get("Cookie") != "" {
		t.Errorf("headers of another site: %v", h)
	}
}

// TestContinueFails says why, and leaves no session behind.
func TestContinueFails(t *testing.T) {
	t.Parallel()
	r := newRig(t, nil)
	request := trawl.DefaultSessionRequest()
	for _, page := range []trawl.Replay{
		{ScrapeID: "018f0000-0000-7000-8000-000000000001", URL: "https://nowhere.invalid/"},
		{ScrapeID: "018f0000-0000-7000-8000-000000000002", URL: r.site.URL + "/two.html", Actions: []trawl.Action{{Type: "press", Key: "Bogus"}}},
	} {
		_, err := r.manager.Continue(context.Background(), r.who, page, &request)
		if trawl.ErrorCode(err) != trawl.CodeConflict || !strings.HasPrefix(err.Error(), "Failed to initialize browser session from the original scrape context.") {
			t.Errorf("%s: %v", page.URL, err)
		}
	}
	if list, err := r.manager.List(t.Context(), r.who.Team.ID, ""); err != nil || len(list) != 1 {
		t.Errorf("%d sessions, %v", len(list), err)
	}
}
