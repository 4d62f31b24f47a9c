package scrape_test

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/browser"
	"github.com/trawlhq/trawl/browser/chromium"
	"github.com/trawlhq/trawl/egress"
	"github.com/trawlhq/trawl/fetch"
	"github.com/trawlhq/trawl/scrape"
)

// prose is what an article is made of.
const prose = `<p>Nets are hauled at dawn, when the fish come up to feed and the wind has not yet risen over the bay.</p>
	<p>The crew sorts the catch on deck; what is too small goes back, and what is good goes on ice until the boat is in port.</p>`

// later is a script that brings prose into an element after the page has loaded.
func later(id string) string {
	return `<script>setTimeout(() => { document.getElementById('` + id + `').innerHTML = ` + "`" + `<article><h1>Caught by script</h1>` + prose + `</article>` + "`" + ` }, 50)</script>`
}

const (
	header = `<header><nav><a href="/">Home</a> <a href="/about">About</a></nav></header>`
	footer = `<footer>All rights reserved.</footer>`
)

// pages of three kinds: those that are complete as they come, those that a server
// rendered and a script takes over, and those that a script makes.
var pages = []struct {
	name, kind string // static, hydrated, script
	html       string
	want       string // text that the markdown has
}{
	{"article", "static", header + `<main><article><h1>Nets</h1>` + prose + `</article></main>` + footer, "hauled at dawn"},
	{"short", "static", `<h1>Hello</h1><p>Nothing else.</p>`, "Nothing else"},
	{"tracked", "static", `<main><h1>Nets</h1>` + prose + `</main><script>window.dataLayer = []; dataLayer.push({page: 1})</script>`, "hauled at dawn"},
	{"login", "static", `<form><label>Name <input name=name></label><label>Password <input type=password></label><button>Sign in</button></form><script>document.forms[0].onsubmit = () => true</script>`, ""},
	{"list", "static", `<main><h1>Boats</h1><ul><li><a href=/a>Anna</a><li><a href=/b>Bertha</a><li><a href=/c>Clara</a></ul></main><script>console.log(1)</script>`, "Bertha"},
	{"noscript", "static", `<main><h1>Nets</h1>` + prose + `</main><div id=comments><noscript>Please enable JavaScript to view the comments.</noscript></div><script>1</script>`, "hauled at dawn"},
	{"next", "hydrated", `<div id="__next">` + header + `<main><h1>Nets</h1>` + prose + `</main></div><script id="__NEXT_DATA__" type="application/json">{"props":{"text":"state"}}</script><script>window.hydrated = true</script>`, "hauled at dawn"},
	{"nuxt", "hydrated", `<div id="__nuxt"><div id="__layout"><main><h1>Nets</h1>` + prose + `</main></div></div><script>window.__NUXT__ = {data: 1}</script>`, "hauled at dawn"},
	{"root", "hydrated", `<div id="root"><main data-reactroot><h1>Nets</h1>` + prose + `</main></div><script>window.hydrated = true</script>`, "hauled at dawn"},
	{"angular", "hydrated", `<app-root ng-version="19"><main><h1>Nets</h1>` + prose + `</main></app-root><script>window.ng = 1</script>`, "hauled at dawn"},
	{"react", "script", `<div id="root"></div>` + later("root"), "Caught by script"},
	{"vue", "script", `<noscript><strong>We're sorry but this app doesn't work properly without JavaScript enabled.</strong></noscript><div id="app"></div>` + later("app"), "Caught by script"},
	{"notice", "script", `<div id="root">You need to enable JavaScript to run this app.</div>` + later("root"), "Caught by script"},
	{"frame", "script", header + `<main id="content"><div class="spinner">Loading…</div></main>` + footer + later("content"), "Caught by script"},
	{"angular-app", "script", `<app-root id="app"></app-root>` + later("app"), "Caught by script"},
}

// counted is a browser that counts the pages it renders.
type counted struct {
	*browser.Pool
	mu       sync.Mutex
	rendered map[string]int
}

func (c *counted) Render(ctx context.Context, req browser.Request) (*browser.Result, error) {
	c.mu.Lock()
	c.rendered[req.URL]++
	c.mu.Unlock()
	return c.Pool.Render(ctx, req)
}

func (c *counted) count(url string) int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.rendered[url]
}

// newBrowsing returns a scraper with the real fetcher and a real browser, for
// pages on this machine.
func newBrowsing(t *testing.T, change ...func(*scrape.Config)) (*scrape.Scraper, *counted) {
	t.Helper()
	guard := egress.New(egress.Config{Allow: []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}, Log: slog.New(slog.DiscardHandler)})
	client, err := fetch.New(fetch.Config{Guard: guard})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(client.Close)
	programs, err := chromium.Find("", "")
	if err != nil {
		t.Fatalf("%v: run scripts/setup", err)
	}
	pool := browser.New(browser.Config{Guard: guard, Programs: programs, Log: slog.New(slog.DiscardHandler)})
	t.Cleanup(pool.Close)
	counting := &counted{Pool: pool, rendered: map[string]int{}}
	config := scrape.Config{Fetch: client, Browser: counting, Now: time.Now}
	for _, c := range change {
		c(&config)
	}
	scraper := scrape.New(config)
	t.Cleanup(scraper.Close)
	return scraper, counting
}

// newSite serves a handler on a host of its own: what is learned about a site is
// learned by host.
func newSite(t *testing.T, handler http.HandlerFunc) string {
	t.Helper()
	server := httptest.NewServer(handler)
	t.Cleanup(server.Close)
	return server.URL
}

func write(w http.ResponseWriter, body string) {
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	_, _ = io.WriteString(w, "<!doctype html><html lang=en><title>Page</title><body>"+body)
}

func TestAdaptiveRendering(t *testing.T) {
	t.Parallel()
	scraper, counting := newBrowsing(t)
	for _, page := range pages {
		t.Run(page.name, func(t *testing.T) {
			t.Parallel()
			base := newSite(t, func(w http.ResponseWriter, _ *http.Request) { write(w, page.html) })
			ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
			defer cancel()
			doc, err := scraper.Scrape(ctx, request(func(r *scrape.Request) { r.URL = base + "/" }))
			if err != nil {
				t.Fatal(err)
			}
			if !strings.Contains(*doc.Markdown, page.want) {
				t.Errorf("markdown = %q", *doc.Markdown)
			}
			if got := counting.count(base + "/"); got != map[string]int{"script": 1}[page.kind] {
				t.Errorf("a %s page was rendered %d times", page.kind, got)
			}
			if doc.Warning != "" || doc.Metadata.CreditsUsed != 1 || doc.Metadata.ProxyUsed != "basic" {
				t.Errorf("warning %q, %d credits, %s", doc.Warning, doc.Metadata.CreditsUsed, doc.Metadata.ProxyUsed)
			}
		})
	}
}

// TestSiteIsLearned sees that a site of scripts is not asked twice for each page,
// and that one of ordinary pages never meets a browser.
func TestSiteIsLearned(t *testing.T) {
	t.Parallel()
	scraper, counting := newBrowsing(t)
	var mu sync.Mutex
	asked := map[string]int{}
	base := newSite(t, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/favicon.ico" {
			mu.Lock()
			asked[r.URL.Path]++
			mu.Unlock()
		}
		if r.URL.Path == "/file.txt" {
			w.Header().Set("Content-Disposition", "attachment")
			_, _ = io.WriteString(w, "a plain file")
			return
		}
		write(w, `<div id="root"></div>`+later("root"))
	})
	for i := range 5 {
		path := fmt.Sprintf("/%d", i)
		doc, err := scraper.Scrape(t.Context(), request(func(r *scrape.Request) { r.URL = base + path }))
		if err != nil || !strings.Contains(*doc.Markdown, "Caught by script") {
			t.Fatalf("page %d: %v, %v", i, doc, err)
		}
		want := 1
		if i < 2 {
			want = 2 // plainly, and in the browser
		}
		if asked[path] != want || counting.count(base+path) != 1 {
			t.Errorf("page %d was asked for %d times and rendered %d times", i, asked[path], counting.count(base+path))
		}
	}
	doc, err := scraper.Scrape(t.Context(), request(func(r *scrape.Request) { r.URL = base + "/file.txt" }))
	if err != nil || !strings.Contains(*doc.Markdown, "a plain file") {
		t.Errorf("a file of the site: %v, %v", doc, err)
	}
}

// TestWhatNeedsABrowser sees that requests go there without a plain request before.
func TestWhatNeedsABrowser(t *testing.T) {
	t.Parallel()
	scraper, counting := newBrowsing(t)
	for name, change := range map[string]func(*scrape.Request){
		"waitFor":    func(r *scrape.Request) { r.WaitFor = 100 },
		"mobile":     func(r *scrape.Request) { r.Mobile = true },
		"screenshot": func(r *scrape.Request) { r.Formats = append(r.Formats, trawl.Format{Type: trawl.FormatScreenshot}) },
		"actions":    func(r *scrape.Request) { r.Actions = []trawl.Action{{Type: trawl.ActionScrape}} },
		"enhanced":   func(r *scrape.Request) { r.Proxy = trawl.ProxyEnhanced },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			asked := make(chan string, 100)
			base := newSite(t, func(w http.ResponseWriter, r *http.Request) {
				if r.URL.Path == "/" {
					asked <- r.UserAgent()
				}
				write(w, "<main><h1>Nets</h1>"+prose+"</main>")
			})
			doc, err := scraper.Scrape(t.Context(), request(func(r *scrape.Request) { r.URL = base + "/"; change(r) }))
			if err != nil {
				t.Fatal(err)
			}
			if len(asked) != 1 || counting.count(base+"/") != 1 || !strings.Contains(*doc.Markdown, "hauled at dawn") {
				t.Errorf("asked %d times, rendered %d times: %v", len(asked), counting.count(base+"/"), *doc.Markdown)
			}
			if doc.Metadata.TimeZone != "America/New_York" || doc.Warning != "" {
				t.Errorf("time zone %q, warning %q", doc.Metadata.TimeZone, doc.Warning)
			}
			agent := <-asked
			switch {
			case strings.Contains(agent, "Headless"):
				t.Errorf("user agent %q", agent)
			case name == "mobile" && !strings.Contains(agent, "Mobile"):
				t.Errorf("user agent %q", agent)
			case strings.Contains(agent, "Trawl/") == (name == "enhanced"):
				t.Errorf("user agent %q", agent)
			}
			if stealth := doc.Metadata.ProxyUsed == "stealth"; stealth != (name == "enhanced") || stealth != (doc.Metadata.CreditsUsed == 5) {
				t.Errorf("proxy %s for %d credits", doc.Metadata.ProxyUsed, doc.Metadata.CreditsUsed)
			}
			if name == "screenshot" && (doc.Screenshot == nil || !strings.HasPrefix(*doc.Screenshot, "data:image/png;base64,iVBOR")) {
				t.Error("no picture")
			}
			if name == "actions" && (doc.Actions == nil || len(doc.Actions.Scrapes) != 1 || !strings.Contains(doc.Actions.Scrapes[0].HTML, "hauled")) {
				t.Errorf("actions = %+v", doc.Actions)
			}
		})
	}
}

// TestTurnedAway follows proxy auto at a site that only lets real browsers in.
func TestTurnedAway(t *testing.T) {
	t.Parallel()
	scraper, counting := newBrowsing(t)
	picky := newSite(t, func(w http.ResponseWriter, r *http.Request) {
		if strings.Contains(r.UserAgent(), "Trawl") {
			w.WriteHeader(http.StatusForbidden)
		}
		write(w, "<main><h1>Nets</h1>"+prose+"</main>")
	})
	doc, err := scraper.Scrape(t.Context(), request(func(r *scrape.Request) { r.URL = picky + "/" }))
	if err != nil || doc.Metadata.StatusCode != 200 || doc.Metadata.ProxyUsed != "stealth" || doc.Metadata.CreditsUsed != 5 {
		t.Errorf("%+v, %v", doc, err)
	}
	closed := newSite(t, func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(http.StatusForbidden)
		write(w, "<h1>Forbidden</h1>")
	})
	for i := range 3 {
		path := fmt.Sprintf("/%d", i)
		doc, err = scraper.Scrape(t.Context(), request(func(r *scrape.Request) { r.URL = closed + path }))
		if err != nil || doc.Metadata.StatusCode != 403 || doc.Metadata.ProxyUsed != "basic" || doc.Metadata.CreditsUsed != 1 {
			t.Errorf("%+v, %v", doc, err)
		}
		if rendered := counting.count(closed + path); rendered != max(0, 1-i) {
			t.Errorf("page %d of a closed site was rendered %d times", i, rendered)
		}
	}
}

// TestUnfinished has a page that never finishes loading: what there is of it is
// taken, and that is said.
func TestUnfinished(t *testing.T) {
	t.Parallel()
	scraper, _ := newBrowsing(t)
	base := newSite(t, func(w http.ResponseWriter, r *http.Request) {
		write(w, "<p>The first half</p>")
		_ = http.NewResponseController(w).Flush()
		<-r.Context().Done()
	})
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
	defer cancel()
	doc, err := scraper.Scrape(ctx, request(func(r *scrape.Request) { r.URL, r.WaitFor = base+"/", 1 }))
	if err != nil || !strings.Contains(*doc.Markdown, "The first half") || !strings.Contains(doc.Warning, "not finished loading") {
		t.Errorf("%+v, %v", doc, err)
	}
}
