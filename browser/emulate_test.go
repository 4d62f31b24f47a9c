package browser

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/trawlhq/trawl/fetch"
	"github.com/trawlhq/trawl/internal/testtime"
)

// mirror is a page that tells what it knows of its visitor.
const mirror = `<!doctype html><meta name=viewport content="width=device-width"><pre id=out></pre><script>
(async () => {
	const tell = {
		agent: navigator.userAgent, languages: navigator.languages.join(), webdriver: !!navigator.webdriver,
		zone: Intl.DateTimeFormat().resolvedOptions().timeZone, number: (1234.5).toLocaleString(), locale: Intl.DateTimeFormat().resolvedOptions().locale,
		width: innerWidth, ratio: devicePixelRatio, touch: navigator.maxTouchPoints > 0 && 'ontouchstart' in window,
		platform: navigator.platform, hints: JSON.stringify(await navigator.userAgentData.getHighEntropyValues(['platform', 'model', 'fullVersionList', 'mobile'])),
		mobile: navigator.userAgentData.mobile,
		worker: await new Promise(done => {
			const w = new Worker(URL.createObjectURL(new Blob(['postMessage(navigator.userAgent + " " + navigator.languages)'])));
			w.onmessage = e => done(e.data);
		}),
	};
	out.textContent = JSON.stringify(tell);
})()
</script>`

type reflection struct {
	Agent, Languages, Zone, Number, Locale, Platform, Hints, Worker string
	Webdriver, Touch, Mobile                                        bool
	Width, Ratio                                                    float64
}

// look renders the mirror and returns what it saw, and the request for it.
func look(t *testing.T, pool *Pool, req Request) (saw reflection, asked *http.Request) {
	t.Helper()
	seen := &log{}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		seen.add(r)
		w.Header().Set("Content-Type", "text/html")
		_, _ = w.Write([]byte(mirror))
	}))
	defer server.Close()
	req.URL = server.URL + "/"
	result, err := pool.Render(testtime.Context(t), req)
	if err != nil {
		t.Fatal(err)
	}
	_, text, _ := strings.Cut(result.HTML, `<pre id="out">`)
	text, _, _ = strings.Cut(text, "</pre>")
	if err := json.Unmarshal([]byte(text), &saw); err != nil {
		t.Fatalf("%q: %v", text, err)
	}
	return saw, seen.find(strings.TrimPrefix(server.URL, "http://"), "/")[0]
}

func TestEmulation(t *testing.T) {
	t.Parallel()
	pool := newPool(t)
	for _, c := range []struct {
		name                                        string
		req                                         Request
		zone, languages, accept, number, agent, not string
		width                                       float64
	}{
		{"as it comes", Request{}, "America/New_York", "en-US,en", "en-US,en;q=0.9", "1,234.5", "Safari/537.36 " + fetch.Product(), "Mobile", 1280},
		{"Germany", Request{Country: "DE", Languages: []string{"de-DE", "fr"}}, "Europe/Berlin", "de-DE,de,fr", "de-DE,de;q=0.9,fr;q=0.8", "1.234,5", "Trawl", "Mobile", 1280},
		{"Japan on a phone", Request{Country: "jp", Languages: []string{"ja"}, Mobile: true}, "Asia/Tokyo", "ja", "ja", "1,234.5", "Mobile Safari/537.36 " + fetch.Product(), "X11", 412},
		{"no such language", Request{Country: "US", Languages: []string{"xx-Nowhere-q"}}, "America/New_York", "xx-Nowhere-q,xx", "xx-Nowhere-q,xx;q=0.9", "", "Trawl", "Mobile", 1280},
		{"enhanced", Request{Enhanced: true, Country: "DE", Languages: []string{"de"}}, "Europe/Berlin", "de", "de", "1.234,5", "Safari/537.36", "Trawl", 1280},
		{"enhanced phone", Request{Enhanced: true, Mobile: true}, "America/New_York", "en-US,en", "en-US,en;q=0.9", "1,234.5", "Mobile Safari/537.36", "Trawl", 412},
		{"own agent", Request{Headers: map[string]string{"user-agent": "Mine/2"}}, "America/New_York", "en-US,en", "en-US,en;q=0.9", "1,234.5", "Mine/2", "Trawl", 1280},
	} {
		saw, asked := look(t, pool, c.req)
		if saw.Zone != c.zone || saw.Languages != c.languages || c.number != "" && saw.Number != c.number || saw.Width != c.width || saw.Webdriver {
			t.Errorf("%s: the page sees %+v", c.name, saw)
		}
		if saw.Touch != c.req.Mobile || saw.Mobile != c.req.Mobile || (saw.Ratio > 1) != c.req.Mobile {
			t.Errorf("%s: the page sees a phone: %v, %+v", c.name, saw.Touch, saw)
		}
		agent := asked.Header.Get("User-Agent")
		if agent != saw.Agent || !strings.Contains(agent, c.agent) || strings.Contains(agent, c.not) || asked.Header.Get("Accept-Language") != c.accept {
			t.Errorf("%s: the server saw %v, the page %q", c.name, asked.Header, saw.Agent)
		}
		if want := agent + " en-US,en"; saw.Worker != want { // the browser does not tell them otherwise
			t.Errorf("%s: a worker sees %q, want %q", c.name, saw.Worker, want)
		}
		if all := agent + saw.Hints + saw.Worker + asked.Header.Get("Sec-Ch-Ua"); strings.Contains(all, "Headless") {
			t.Errorf("%s: headless shows: %s", c.name, all)
		}
	}
}

func TestTimeZones(t *testing.T) {
	t.Parallel()
	for country, zone := range map[string]string{"DE": "Europe/Berlin", "gb": "Europe/London", "": "America/New_York", "XX": "America/New_York"} {
		if got := TimeZone(country); got != zone {
			t.Errorf("time zone of %q = %s", country, got)
		}
	}
	for country, zone := range zonesByCountry() {
		if _, err := time.LoadLocation(zone); err != nil || len(country) != 2 {
			t.Errorf("%q %q: %v", country, zone, err)
		}
	}
}

// A context shares nothing with another, not even at the same time.
func TestContextsAreStrangers(t *testing.T) {
	t.Parallel()
	pool := newPool(t)
	both := make(chan struct{})
	var visits atomic.Int32
	seen := &log{}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		seen.add(r)
		switch r.URL.Path {
		case "/cached.js":
			w.Header().Set("Cache-Control", "max-age=3600")
			w.Header().Set("Content-Type", "text/javascript")
		case "/worker.js":
			w.Header().Set("Content-Type", "text/javascript")
			_, _ = w.Write([]byte("onfetch = e => {}"))
		case "/wait":
			if visits.Add(1) == 2 {
				close(both)
			}
			<-both
		default:
			w.Header().Set("Content-Type", "text/html")
			_, _ = w.Write([]byte(`<script src=/cached.js></script><pre id=out></pre><script>(async () => {
				const workers = (await navigator.serviceWorker.getRegistrations()).length;
				const before = [document.cookie, localStorage.length, sessionStorage.length, (await indexedDB.databases()).length, (await caches.keys()).length, workers];
				document.cookie = 'a=1'; localStorage.a = sessionStorage.a = 1; indexedDB.open('a'); await caches.open('a');
				await navigator.serviceWorker.register('/worker.js');
				await fetch('/wait');
				out.textContent = JSON.stringify(before);
			})()</script>`))
		}
	}))
	defer server.Close()
	results := make(chan string, 3)
	visit := func() {
		result, err := pool.Render(testtime.Context(t), Request{URL: server.URL})
		if err != nil {
			results <- err.Error()
			return
		}
		results <- result.HTML
	}
	go visit()
	go visit()
	first, second := <-results, <-results
	visit()
	for _, html := range []string{first, second, <-results} {
		if !strings.Contains(html, `>["",0,0,0,0,0]<`) {
			t.Errorf("a page found: %s", html)
		}
	}
	if n := len(seen.find(strings.TrimPrefix(server.URL, "http://"), "/cached.js")); n != 3 {
		t.Errorf("the script was asked for %d times", n)
	}
}
