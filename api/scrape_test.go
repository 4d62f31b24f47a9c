package api_test

import (
	"bytes"
	"fmt"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/trawlhq/trawl"
)

func TestScrapeFormats(t *testing.T) {
	t.Parallel()
	s := start(t)
	r := s.scrape("/", `"formats":["markdown","html","rawHtml","links","images"]`).want(t, http.StatusOK)
	if got := r.str("data", "markdown"); !strings.Contains(got, "# Heading") || strings.Contains(got, "Footer text") || strings.Contains(got, "Navigation") {
		t.Errorf("markdown: %s", got)
	}
	if got := r.str("data", "html"); !strings.Contains(got, "<h1>Heading</h1>") || strings.Contains(got, "<nav") {
		t.Errorf("html: %s", got)
	}
	if got := r.str("data", "rawHtml"); got != article {
		t.Errorf("rawHtml: %s", got)
	}
	if got := r.at("data", "links"); !reflect.DeepEqual(got, []any{s.site.URL + "/nav", s.site.URL + "/next?a=1"}) {
		t.Errorf("links: %v", got)
	}
	if got := r.at("data", "images"); !reflect.DeepEqual(got, []any{s.site.URL + "/a.png"}) {
		t.Errorf("images: %v", got)
	}
	if r := s.scrape("/", `"formats":[]`).want(t, http.StatusOK); len(r.at("data").(map[string]any)) != 1 {
		t.Errorf("no formats: %s", r.raw)
	}
	if r := s.scrape("/").want(t, http.StatusOK); r.at("data", "html") != nil || r.at("data", "rawHtml") != nil || r.str("data", "markdown") == "" {
		t.Errorf("default formats: %s", r.raw)
	}
	if r := s.scrape("/", `"formats":["rawBase64"]`).want(t, http.StatusOK); !strings.HasPrefix(r.str("data", "rawBase64"), "PCFkb2N0eXBl") {
		t.Errorf("rawBase64: %.200s", r.raw)
	}
	if r := s.scrape("/empty", `"formats":["links","images"]`).want(t, http.StatusOK); !strings.Contains(string(r.raw), `"links":[`) {
		t.Errorf("lists: %s", r.raw)
	}
}

func TestScrapeMetadata(t *testing.T) {
	t.Parallel()
	s := start(t)
	s.site.mux.HandleFunc("/moved", func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, "/", http.StatusFound) })
	r := s.scrape("/moved").want(t, http.StatusOK)
	want := map[string]any{
		"title": "A title", "description": "About things", "language": "en", "ogTitle": "Open title", "og:title": "Open title",
		"sourceURL": s.site.URL + "/moved", "url": s.site.URL + "/", "statusCode": 200.0, "contentType": "text/html; charset=utf-8",
		"proxyUsed": "basic", "cacheState": "miss", "creditsUsed": 1.0, "concurrencyLimited": false,
	}
	for key, value := range want {
		if got := r.at("data", "metadata", key); !reflect.DeepEqual(got, value) {
			t.Errorf("%s is %v, want %v", key, got, value)
		}
	}
	if id := r.str("data", "metadata", "scrapeId"); !regexp.MustCompile(`^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$`).MatchString(id) {
		t.Errorf("scrapeId %q", id)
	}
	s.site.page("/forged", "text/html", `<meta name="statusCode" content="x"><meta name="creditsUsed" content="-5"><meta name="cacheState" content="x">hi`)
	r = s.scrape("/forged").want(t, http.StatusOK)
	if r.at("data", "metadata", "statusCode") != 200.0 || r.at("data", "metadata", "creditsUsed") != 1.0 || r.at("data", "metadata", "cacheState") != "miss" {
		t.Errorf("a page's tags stand for the service's: %s", r.raw)
	}
}

func TestScrapeSelection(t *testing.T) {
	t.Parallel()
	s := start(t)
	markdown := func(fields ...string) string {
		return s.scrape("/", fields...).want(t, http.StatusOK).str("data", "markdown")
	}
	if got := markdown(`"onlyMainContent":false`); !strings.Contains(got, "Footer text") || !strings.Contains(got, "Navigation") {
		t.Errorf("whole page: %s", got)
	}
	if got := markdown(`"includeTags":[".note"]`); !strings.Contains(got, "A note") || strings.Contains(got, "Heading") {
		t.Errorf("includeTags: %s", got)
	}
	if got := markdown(`"excludeTags":["h1",".note"]`); strings.Contains(got, "A note") || strings.Contains(got, "Heading") || !strings.Contains(got, "Some text") {
		t.Errorf("excludeTags: %s", got)
	}
	if got := markdown(); !strings.Contains(got, "Inline") || strings.Contains(got, "AAAA") || !strings.Contains(got, "Picture") {
		t.Errorf("base64 images: %s", got)
	}
	if got := markdown(`"removeBase64Images":false`); !strings.Contains(got, "base64,AAAA") {
		t.Errorf("kept base64 images: %s", got)
	}
}

// TestScrapeTargets says what becomes of targets that are no ordinary page.
func TestScrapeTargets(t *testing.T) {
	t.Parallel()
	s := start(t)
	s.site.mux.HandleFunc("/teapot", func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(http.StatusTeapot)
		fmt.Fprint(w, "<p>short and stout</p>")
	})
	s.site.mux.HandleFunc("/hang", func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() })
	s.site.mux.HandleFunc("/loop", func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, "/loop", http.StatusFound) })
	s.site.mux.HandleFunc("/away", func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, "http://[::1]:2/", http.StatusFound) })
	s.site.mux.HandleFunc("/switch", func(w http.ResponseWriter, r *http.Request) {
		conn, _, _ := http.NewResponseController(w).Hijack()
		fmt.Fprint(conn, "HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n")
		_, _ = conn.Read(make([]byte, 1)) // until the other side closes
		_ = conn.Close()
	})
	s.site.page("/mentions", "text/plain", "A PDF file begins with %PDF-1.4 as you know.")
	s.site.page("/posing", "text/html", "\x89PNG\r\n\x1a\n\x00\x00")
	s.site.page("/data.json", "application/json", `{"a":1}`)
	s.site.page("/plain", "text/plain", "just text")
	s.site.page("/image", "image/png", "\x89PNG\r\n\x1a\n\x00\x00")
	s.site.page("/file.pdf", "application/pdf", "%PDF-1.4\n%%EOF")
	s.site.page("/wrong", "application/octet-stream", article)
	s.site.page("/nothing", "text/html", "")
	for _, row := range []struct {
		page, fields string
		status       int
		code         string
		contains     string
	}{
		{"/teapot", ``, 200, "", "short and stout"},
		{"/data.json", ``, 200, "", `{\"a\":1}`},
		{"/plain", ``, 200, "", "just text"},
		{"/wrong", ``, 200, "", "# Heading"},
		{"/nothing", ``, 200, "", `"markdown":""`},
		{"/image", `"parsers":["pdf"]`, 500, "SCRAPE_UNSUPPORTED_FILE_ERROR", "parser image"},
		{"/file.pdf", `"parsers":[]`, 200, "", "JVBER"},
		{"/hang", `"timeout":1000`, 408, "SCRAPE_TIMEOUT", "timeout"},
		{"/switch", `"timeout":2000`, 500, "SCRAPE_SITE_ERROR", "protocol"},
		{"/mentions", ``, 200, "", "%PDF-1.4"},
		{"/posing", `"parsers":[]`, 500, "SCRAPE_UNSUPPORTED_FILE_ERROR", "parser image"},
		{"/image", ``, 200, "", "The end."},
		{"/", `"includeTags":["p:has(a) > a"]`, 200, "", "link"},
		{"/loop", ``, 500, "SCRAPE_SITE_ERROR", "redirect"},
		{"/away", ``, 403, "UNSUPPORTED_SITE", ""},
	} {
		fields := []string{`"maxAge":0`}
		if row.fields != "" {
			fields = append(fields, row.fields)
		}
		r := s.scrape(row.page, fields...)
		if r.status != row.status || r.str("code") != row.code || !strings.Contains(string(r.raw), row.contains) {
			t.Errorf("%s: %d %.400s", row.page, r.status, r.raw)
		}
	}
	if r := s.scrape("/teapot"); r.at("data", "metadata", "statusCode") != 418.0 || r.str("data", "metadata", "error") != "I'm a teapot" {
		t.Errorf("metadata of an error page: %s", r.raw)
	}
	for url, code := range map[string]string{ // the guard is open to 127.0.0.1 alone
		"http://127.0.0.1:2/": "SCRAPE_SITE_ERROR", "http://127.0.0.2:2/": "UNSUPPORTED_SITE", "http://[::1]:2/": "UNSUPPORTED_SITE",
		"http://0x7f000002:2/": "UNSUPPORTED_SITE", "http://2130706434:2/": "UNSUPPORTED_SITE", "http://[::ffff:127.0.0.2]:2/": "UNSUPPORTED_SITE",
		"http://a.inside.example:2/": "UNSUPPORTED_SITE", "http://127.0.0.1:25/": "UNSUPPORTED_SITE", "http://missing.example/": "SCRAPE_DNS_RESOLUTION_ERROR",
	} {
		if r := s.do(call{key: s.key, body: `{"url":"` + url + `"}`}); r.str("code") != code {
			t.Errorf("%s: %d %s", url, r.status, r.raw)
		}
	}
}

// TestUnsupported asks for what only a browser or a language model can do.
func TestUnsupported(t *testing.T) {
	t.Parallel()
	s := start(t)
	for fields, code := range map[string]string{
		`"formats":["screenshot"]`:                                          "SCRAPE_FORMAT_NOT_SUPPORTED",
		`"formats":["audio"]`:                                               "SCRAPE_FORMAT_NOT_SUPPORTED",
		`"formats":["markdown",{"type":"json","prompt":"x"}]`:               "LLM_NOT_CONFIGURED",
		`"formats":[{"type":"question","question":"x"}]`:                    "LLM_NOT_CONFIGURED",
		`"formats":[{"type":"query","prompt":"x"}]`:                         "LLM_NOT_CONFIGURED",
		`"formats":["deterministicJson"]`:                                   "LLM_NOT_CONFIGURED",
		`"formats":["markdown",{"type":"changeTracking","modes":["json"]}]`: "LLM_NOT_CONFIGURED",
		`"formats":["branding"]`:                                            "SCRAPE_BRANDING_NOT_SUPPORTED",
		`"actions":[{"type":"wait","milliseconds":1}]`:                      "SCRAPE_ACTIONS_NOT_SUPPORTED",
		`"profile":{"name":"a"}`:                                            "SCRAPE_OPTION_NOT_SUPPORTED",
	} {
		r := s.scrape("/", fields)
		if r.str("code") != code || r.str("error") == "" {
			t.Errorf("%s: %d %s", fields, r.status, r.raw)
		}
	}
	if s.site.count("/") != 0 {
		t.Error("the target was asked although the answer was known")
	}
	r := s.scrape("/", `"waitFor":1000,"fastMode":true,"redactPII":true,"proxy":"enhanced"`).want(t, http.StatusOK)
	for _, name := range []string{"waitFor", "fastMode", "redactPII", "enhanced"} {
		if !strings.Contains(r.str("data", "warning"), name) {
			t.Errorf("the warning does not name %s: %s", name, r.str("data", "warning"))
		}
	}
	if r := s.scrape("/", `"waitFor":0,"fastMode":false,"redactPII":false,"blockAds":true`); r.at("data", "warning") != nil {
		t.Errorf("a warning of nothing: %s", r.str("data", "warning"))
	}
}

func TestScrapeHeaders(t *testing.T) {
	t.Parallel()
	s := start(t)
	s.scrape("/", `"headers":{"X-Mine":"1","Cookie":"a=b","User-Agent":"mine"}`).want(t, http.StatusOK)
	if s.site.header("X-Mine") != "1" || s.site.header("Cookie") != "a=b" || s.site.header("User-Agent") != "mine" {
		t.Errorf("the site saw %v", s.site.last)
	}
	s.scrape("/", `"maxAge":0,"location":{"country":"DE"}`).want(t, http.StatusOK)
	if got := s.site.header("Accept-Language"); !strings.HasPrefix(got, "de-DE") {
		t.Errorf("Accept-Language: %s", got)
	}
	desktop := s.site.header("User-Agent")
	s.scrape("/", `"maxAge":0,"mobile":true`).want(t, http.StatusOK)
	if mobile := s.site.header("User-Agent"); mobile == desktop || !strings.Contains(mobile, "Mobile") {
		t.Errorf("mobile user agent: %s", mobile)
	}
}

func TestCache(t *testing.T) {
	t.Parallel()
	s := start(t)
	state := func(fields ...string) string {
		t.Helper()
		return s.scrape("/", fields...).want(t, http.StatusOK).str("data", "metadata", "cacheState")
	}
	if got := state(); got != "miss" {
		t.Errorf("first: %q", got)
	}
	r := s.scrape("/", `"formats":["markdown","html","links","rawHtml"]`).want(t, http.StatusOK)
	if r.str("data", "metadata", "cacheState") != "hit" || r.str("data", "metadata", "cachedAt") == "" || r.str("data", "rawHtml") != article {
		t.Errorf("a hit serves other formats: %s", r.raw)
	}
	if got := s.site.count("/"); got != 1 {
		t.Errorf("%d visits after a hit", got)
	}
	for fields, want := range map[string]string{
		`"maxAge":0`: "", `"headers":{"X":"1"}`: "", `"mobile":true`: "miss", `"location":{"country":"DE"}`: "miss",
		`"location":{"languages":["fr"]}`: "miss", `"skipTlsVerification":false`: "miss", `"blockAds":false`: "miss",
		`"proxy":"basic"`: "hit", `"onlyMainContent":false`: "hit", `"includeTags":["p"]`: "hit", `"timeout":5000`: "hit",
		`"zeroDataRetention":true`: "",
	} {
		if got := state(fields); got != want {
			t.Errorf("%s: %q, want %q", fields, got, want)
		}
	}
	s.clock.advance(time.Hour)
	if got := state(`"maxAge":1800000`); got != "miss" {
		t.Errorf("older than maxAge: %q", got)
	}
	if got := state(`"maxAge":60000`); got != "hit" {
		t.Errorf("the page fetched just now: %q", got)
	}
	s.clock.advance(49 * time.Hour) // the machine's own clock may be set back meanwhile
	if got := state(); got != "miss" {
		t.Errorf("older than two days: %q", got)
	}
	if r := s.scrape("/#other").want(t, http.StatusOK); r.str("data", "metadata", "cacheState") != "hit" || r.str("data", "metadata", "url") != s.site.URL+"/#other" {
		t.Errorf("another fragment: %s", r.raw)
	}
	_, stranger := s.newTeam(trawl.Team{Name: "stranger"})
	if r := s.do(call{key: stranger, body: s.body("/")}); r.str("data", "metadata", "cacheState") != "miss" {
		t.Errorf("another team's cache serves: %s", r.raw)
	}
}

// TestDeclaredLanguage asks for a page whose language only the server declares,
// fresh and from the cache.
func TestDeclaredLanguage(t *testing.T) {
	t.Parallel()
	s := start(t)
	s.site.mux.HandleFunc("/language", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		w.Header().Set("Content-Language", "cy")
		fmt.Fprint(w, "<p>42</p>")
	})
	for _, state := range []string{"miss", "hit"} {
		r := s.scrape("/language").want(t, http.StatusOK)
		if r.str("data", "metadata", "language") != "cy" || r.str("data", "metadata", "cacheState") != state {
			t.Errorf("%s: %s", state, r.raw)
		}
	}
}

func TestCacheOnly(t *testing.T) {
	t.Parallel()
	s := start(t)
	refused := func(code string, fields ...string) {
		t.Helper()
		if r := s.scrape("/", fields...).want(t, http.StatusNotFound); r.str("code") != code {
			t.Errorf("%v: %s", fields, r.raw)
		}
	}
	refused("SCRAPE_NO_CACHED_DATA", `"minAge":1`)
	refused("SCRAPE_LOCKDOWN_CACHE_MISS", `"lockdown":true`)
	if s.site.count("/") != 0 {
		t.Error("a cache-only request went to the site")
	}
	s.scrape("/").want(t, http.StatusOK)
	s.clock.advance(time.Minute)
	s.scrape("/", `"minAge":1`).want(t, http.StatusOK)
	s.scrape("/", `"minAge":30000`).want(t, http.StatusOK)
	refused("SCRAPE_NO_CACHED_DATA", `"minAge":120000`)
	refused("SCRAPE_NO_CACHED_DATA", `"minAge":1,"headers":{"X":"1"}`)
	s.clock.advance(72 * time.Hour)
	s.scrape("/", `"minAge":1`).want(t, http.StatusOK) // of any age
	s.scrape("/", `"minAge":1,"maxAge":60000`).want(t, http.StatusOK)
	if r := s.scrape("/", `"lockdown":true`).want(t, http.StatusOK); r.at("data", "metadata", "creditsUsed") != 5.0 {
		t.Errorf("lockdown: %s", r.raw)
	}
	if got := s.site.count("/"); got != 1 {
		t.Errorf("%d visits", got)
	}
}

func TestNotCached(t *testing.T) {
	t.Parallel()
	s := start(t)
	s.site.mux.HandleFunc("/broken", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusBadGateway) })
	for page, fields := range map[string]string{"/": `"storeInCache":false`, "/broken": `"storeInCache":true`, "/?h": `"headers":{"X":"1"}`} {
		for range 2 {
			s.scrape(page, fields).want(t, http.StatusOK)
		}
		if r := s.scrape(page, `"minAge":0`); r.status != http.StatusNotFound {
			t.Errorf("%s with %s is in the cache", page, fields)
		}
	}
}

// TestOneFetchForMany asks for a page many times at once.
func TestOneFetchForMany(t *testing.T) {
	t.Parallel()
	s := start(t)
	arrived, proceed := make(chan struct{}, 100), make(chan struct{})
	s.site.mux.HandleFunc("/popular", func(w http.ResponseWriter, _ *http.Request) {
		arrived <- struct{}{}
		<-proceed
		fmt.Fprint(w, "<p>popular</p>")
	})
	var wg sync.WaitGroup
	for range 20 {
		wg.Go(func() { s.scrape("/popular", `"timeout":300000`).want(t, http.StatusOK) })
	}
	<-arrived
	for s.get("/v2/concurrency-check").at("concurrency") != 20.0 {
		time.Sleep(time.Millisecond)
	}
	close(proceed)
	wg.Wait()
	if got := s.site.count("/popular"); got != 1 {
		t.Errorf("%d visits for 20 requests at once", got)
	}
	if got := s.get("/v2/team/credit-usage/historical").at("periods").([]any)[0].(map[string]any)["creditsUsed"]; got != 20.0 {
		t.Errorf("%v credits for 20 requests", got)
	}
}

func TestPastScrape(t *testing.T) {
	t.Parallel()
	s := start(t)
	first := s.scrape("/", `"formats":["markdown","links"]`).want(t, http.StatusOK)
	path := "/v2/scrape/" + first.str("data", "metadata", "scrapeId")
	if again := s.get(path).want(t, http.StatusOK); !reflect.DeepEqual(again.at("data"), first.at("data")) {
		t.Errorf("%s, first it was %s", again.raw, first.raw)
	}
	if r := s.get("/v2/scrape/018f0000-0000-7000-8000-000000000000").want(t, http.StatusNotFound); r.str("error") != "Job not found." {
		t.Errorf("%s", r.raw)
	}
	s.clock.advance(25 * time.Hour)
	s.get(path).want(t, http.StatusNotFound)
}

func TestTeamEndpoints(t *testing.T) {
	t.Parallel()
	s := start(t)
	hundred := int64(100)
	team, key := s.newTeam(trawl.Team{Name: "hundred", Credits: &hundred, Granted: 100})
	read := func(path string) reply {
		t.Helper()
		return s.do(call{method: http.MethodGet, path: path, key: key}).want(t, http.StatusOK)
	}
	var ids []any
	for i := range 5 {
		r := s.do(call{key: key, body: s.body(fmt.Sprintf("/?%d", i))}).want(t, http.StatusOK)
		ids = append([]any{r.at("data", "metadata", "scrapeId")}, ids...)
	}
	if r := read("/v2/team/credit-usage"); r.at("data", "remainingCredits") != 95.0 || r.at("data", "planCredits") != 100.0 {
		t.Errorf("%s", r.raw)
	}
	if r := read("/v2/team/token-usage"); r.at("data", "remainingTokens") != 95.0*15 || r.at("data", "planTokens") != 1500.0 {
		t.Errorf("%s", r.raw)
	}
	if r := s.get("/v2/team/credit-usage"); r.at("data", "remainingCredits").(float64) < 1e6 {
		t.Errorf("unlimited: %s", r.raw)
	}
	second := s.newKey(trawl.Key{TeamID: team.ID, Name: "second"})
	s.do(call{key: second, body: s.body("/")}).want(t, http.StatusOK)
	r := read("/v2/team/credit-usage/historical?byApiKey=true")
	used := map[string]float64{}
	for _, p := range r.at("periods").([]any) {
		used[p.(map[string]any)["apiKey"].(string)] += p.(map[string]any)["creditsUsed"].(float64)
	}
	if used["test"] != 5 || used["second"] != 1 {
		t.Errorf("%s", r.raw)
	}
	if r := read("/v2/team/token-usage/historical"); r.at("periods").([]any)[0].(map[string]any)["tokensUsed"] != 90.0 {
		t.Errorf("%s", r.raw)
	}
	var seen []any
	for path := "/v2/team/activity?limit=2&endpoint=scrape"; path != ""; {
		page := read(path)
		for _, item := range page.at("data").([]any) {
			item := item.(map[string]any)
			if item["endpoint"] != "scrape" || item["api_version"] != "v2" || !strings.HasPrefix(item["target"].(string), s.site.URL) {
				t.Errorf("%v", item)
			}
			seen = append(seen, item["id"])
		}
		path = ""
		if page.at("has_more") == true {
			path = "/v2/team/activity?limit=2&endpoint=scrape&cursor=" + page.str("cursor")
		}
	}
	if len(seen) != 6 || !reflect.DeepEqual(seen[1:], ids) {
		t.Errorf("activity %v, want %v", seen, ids)
	}
	if r := read("/v2/team/activity?endpoint=crawl"); len(r.at("data").([]any)) != 0 {
		t.Errorf("%s", r.raw)
	}
	for _, query := range []string{"limit=0", "limit=101", "limit=x", "cursor=nonsense"} {
		s.do(call{method: http.MethodGet, path: "/v2/team/activity?" + query, key: key}).want(t, http.StatusBadRequest)
	}
}

// TestZeroDataRetention looks for traces of a request that asked to leave none.
func TestZeroDataRetention(t *testing.T) {
	t.Parallel()
	s := start(t)
	const canary = "canary-5f0c1b"
	s.site.page("/"+canary, "text/html", "<title>"+canary+"</title><p>"+canary+"</p>")
	r := s.scrape("/"+canary, `"zeroDataRetention":true`, `"formats":["markdown","rawHtml"]`).want(t, http.StatusOK)
	if !strings.Contains(r.str("data", "markdown"), canary) || r.at("data", "metadata", "creditsUsed") != 2.0 {
		t.Errorf("%s", r.raw)
	}
	s.do(call{key: s.key, body: `{"url":"http://` + canary + `.localhost:2/","zeroDataRetention":true}`})
	s.do(call{key: s.key, body: `{"url":"http://` + canary + `.inside.example:2/","zeroDataRetention":true}`}).want(t, http.StatusForbidden)
	s.do(call{key: s.key, body: `{"url":"http://127.0.0.2:2/` + canary + `","zeroDataRetention":true}`}).want(t, http.StatusForbidden)
	s.get("/v2/scrape/"+r.str("data", "metadata", "scrapeId")).want(t, http.StatusNotFound)
	if strings.Contains(string(s.get("/v2/team/activity").raw), canary) {
		t.Error("the activity shows it")
	}
	if strings.Contains(s.log.String(), canary) {
		t.Errorf("the log shows it: %s", s.log)
	}
	checked := 0
	err := filepath.WalkDir(s.dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		checked++
		data, err := os.ReadFile(path)
		if bytes.Contains(data, []byte(canary)) {
			t.Errorf("%s holds it", path)
		}
		return err
	})
	if err != nil || checked == 0 {
		t.Errorf("%d files read: %v", checked, err)
	}
	_, key := s.newTeam(trawl.Team{Name: "without"})
	s.do(call{key: key, body: s.body("/", `"zeroDataRetention":true`)}).want(t, http.StatusForbidden)
}

// TestShellIsNotCached has a page that this server cannot complete: one with a
// browser must not be served what came of it.
func TestShellIsNotCached(t *testing.T) {
	t.Parallel()
	s := start(t)
	s.site.page("/shell", "text/html", `<div id="root"></div><script src="/app.js"></script>`)
	for range 2 {
		r := s.scrape("/shell").want(t, http.StatusOK)
		if r.str("data", "metadata", "cacheState") != "miss" || !strings.Contains(r.str("data", "warning"), "without a browser") {
			t.Errorf("%s", r.raw)
		}
	}
}

// TestChallengeIsNotCached has a site that checks for robots: that is not the page,
// which is said, and the next request may have more luck.
func TestChallengeIsNotCached(t *testing.T) {
	t.Parallel()
	s := start(t)
	s.site.page("/checked", "text/html", `<title>Just a moment...</title><div id="cf-chl-widget"></div><p>Checking your browser before you go on.</p><script src="/cdn-cgi/challenge-platform/x.js"></script>`)
	for range 2 {
		r := s.scrape("/checked").want(t, http.StatusOK)
		if r.str("data", "metadata", "cacheState") != "miss" || !strings.Contains(r.str("data", "warning"), "check for robots") {
			t.Errorf("%s", r.raw)
		}
	}
}
