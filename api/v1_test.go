package api_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/coder/websocket"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/api"
	"github.com/trawlhq/trawl/search/searchtest"
)

// first sends a request of the first version with the default team's key.
func (s *service) first(path, body string) reply {
	s.t.Helper()
	return s.do(call{path: "/v1" + path, key: s.key, body: body})
}

func TestV1Scrape(t *testing.T) {
	t.Parallel()
	s := extracting(t, kettleModel(t))
	r := s.first("/scrape", s.body("/kettle", `"formats":["markdown","extract"]`, `"extract":{"schema":`+productSchema+`}`)).want(t, http.StatusOK)
	for _, name := range []string{"json", "extract"} {
		if r.at("data", name, "name") != "Kettle" {
			t.Errorf("%s: %s", name, r.raw)
		}
	}
	if r.at("warning") != nil || !strings.Contains(r.str("data", "markdown"), "Kettle") {
		t.Errorf("%s", r.raw)
	}
	past := s.get("/v1/scrape/"+r.str("data", "metadata", "scrapeId")).want(t, http.StatusOK)
	if past.at("data", "extract", "name") != "Kettle" {
		t.Errorf("%s", past.raw)
	}
	r = s.first("/scrape", s.body("/kettle", `"onlyIncludeTags":["p"]`, `"removeTags":[]`, `"headers":{"X-A":"b"}`)).want(t, http.StatusOK)
	if r.str("warning") != "Ignored, for the v1 API does not know it: onlyIncludeTags, removeTags." {
		t.Errorf("%s", r.raw)
	}
	if s.site.header("X-A") != "b" {
		t.Error("the header is not sent")
	}
	// Pages are read anew unless maxAge is chosen.
	visits := s.site.count("/kettle")
	s.first("/scrape", s.body("/kettle")).want(t, http.StatusOK)
	s.first("/scrape", s.body("/kettle")).want(t, http.StatusOK)
	if n := s.site.count("/kettle") - visits; n != 2 {
		t.Errorf("%d visits", n)
	}
	if r = s.first("/scrape", s.body("/kettle", `"maxAge":60000`)).want(t, http.StatusOK); r.at("data", "metadata", "cacheState") != "hit" {
		t.Errorf("%s", r.raw)
	}
}

func TestV1Changes(t *testing.T) {
	t.Parallel()
	s := start(t)
	text := "One line."
	s.site.mux.HandleFunc("/news", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		_, _ = io.WriteString(w, "<main><p>"+text+"</p></main>")
	})
	body := s.body("/news", `"formats":["markdown","changeTracking"]`, `"changeTrackingOptions":{"modes":["git-diff"]}`)
	if r := s.first("/scrape", body).want(t, http.StatusOK); r.str("data", "changeTracking", "changeStatus") != "new" {
		t.Errorf("%s", r.raw)
	}
	text = "Another line."
	r := s.first("/scrape", body).want(t, http.StatusOK)
	if !strings.Contains(r.str("data", "changeTracking", "diff", "text"), "+Another line.") || r.at("data", "changeTracking", "diff", "json", "files") == nil {
		t.Errorf("%s", r.raw)
	}
}

// TestV1Crawl crawls with all that the first version meant otherwise.
func TestV1Crawl(t *testing.T) {
	t.Parallel()
	s := startWorking(t)
	s.site.linked("/site", "/site/a", "/site/a/b", "/site/a/b/c", "/other")
	for _, path := range []string{"/site/a", "/site/a/b", "/site/a/b/c", "/other"} {
		s.site.linked(path)
	}
	r := s.first("/crawl", s.body("/site", `"maxDepth":2`, `"allowBackwardLinks":true`, `"ignoreSitemap":true`, `"x":1`)).want(t, http.StatusOK)
	path := "/v1/crawl/" + r.str("id")
	if r.str("url") != s.server.URL+path || r.str("warning") != "Ignored, for the v1 API does not know it: x." {
		t.Errorf("%s", r.raw)
	}
	done := s.over(path)
	var found []string
	for _, doc := range done.data() {
		var d trawlDocument
		if err := json.Unmarshal([]byte(doc), &d); err != nil {
			t.Fatal(err)
		}
		found = append(found, strings.TrimPrefix(d.Metadata.URL, s.site.URL))
	}
	slices.Sort(found)
	if want := []string{"/other", "/site", "/site/a"}; !slices.Equal(found, want) {
		t.Errorf("found %q, want %q", found, want)
	}
	for _, key := range []string{"next", "error"} {
		if _, ok := done.json[key]; ok {
			t.Errorf("%s is there: %s", key, done.raw)
		}
	}
	if same := s.get("/v2/crawl/"+r.str("id")).want(t, http.StatusOK); same.at("completed") != done.at("completed") {
		t.Errorf("%s", same.raw)
	}
	failed := s.get(path+"/errors").want(t, http.StatusOK)
	if failed.at("errors") == nil || failed.at("robotsBlocked") == nil {
		t.Errorf("%s", failed.raw)
	}
	if s.first("/crawl", s.body("/site/a/b", `"maxDepth":2`)).want(t, http.StatusBadRequest).str("error") != "URL depth exceeds the specified maxDepth" {
		t.Error("a start that is too deep")
	}
}

type trawlDocument struct {
	Metadata struct{ URL string }
}

// TestV1Status reads a job that runs: next is there for documents that are, only.
func TestV1Status(t *testing.T) {
	t.Parallel()
	s := startWorking(t)
	s.site.gated(t, "/slow")
	id := s.first("/batch/scrape", s.urls("/", "/", "/slow")).want(t, http.StatusOK).str("id")
	for _, base := range []string{"/v1/batch/scrape/", "/v1/crawl/"} {
		r := s.completed(base+id, 2)
		if _, ok := r.json["next"]; ok || r.str("status") != "scraping" {
			t.Errorf("%s", r.raw)
		}
		r = s.get(base+id+"?limit=1").want(t, http.StatusOK)
		if next := r.str("next"); next != s.server.URL+base+id+"?skip=1&limit=1" {
			t.Errorf("next is %q", next)
		}
	}
	for _, base := range []string{"/v1/batch/scrape/", "/v1/crawl/"} {
		s.do(call{method: http.MethodDelete, path: base + id + "/errors", key: s.key}).want(t, http.StatusOK)
	}
	s.get("/v2/crawl/"+id).want(t, http.StatusNotFound)
	s.get("/v1/batch/scrape/"+s.post(crawlPath, s.body("/"))).want(t, http.StatusNotFound)
	if r := s.do(call{method: http.MethodDelete, path: "/v1/crawl/" + id, key: s.key}).want(t, http.StatusOK); r.str("status") != "cancelled" {
		t.Errorf("%s", r.raw)
	}
	s.over("/v1/batch/scrape/" + id)
	s.first("/batch/scrape", `{"urls":["nothing to scrape"]}`).want(t, http.StatusBadRequest)
	if r := s.first("/batch/scrape", `{"urls":["`+s.site.URL+`","nothing to scrape"],"ignoreInvalidURLs":true}`).want(t, http.StatusOK); len(r.at("invalidURLs").([]any)) != 1 {
		t.Errorf("%s", r.raw)
	}
}

// TestV1Watch watches a batch where old clients do.
func TestV1Watch(t *testing.T) {
	t.Parallel()
	s := extracting(t, kettleModel(t))
	open := s.site.gated(t, "/slow", "Kettle 49.5")
	body := `{"urls":["` + s.site.URL + `/kettle","` + s.site.URL + `/slow"],"formats":["extract"],"extract":{"schema":` + productSchema + `}}`
	id := s.first("/batch/scrape", body).want(t, http.StatusOK).str("id")
	s.completed("/v1/crawl/"+id, 1)
	w := s.dial(t, "/v1/crawl/"+id, s.key, nil)
	if first := w.want("catchup").view(); len(first.data()) != 1 || !strings.Contains(first.data()[0], `"extract":{`) {
		t.Errorf("%s", first.raw)
	}
	open()
	if doc := w.want("document"); !strings.Contains(string(doc.Data), `"extract":`) {
		t.Errorf("%s", doc.Data)
	}
	w.want("done") // without another catchup, which old clients would take for the first
	w.wantClose(websocket.StatusNormalClosure)
}

func TestV1MapAndSearch(t *testing.T) {
	t.Parallel()
	engine := searchtest.New(t)
	s := startBeside(t, endpoints{search: engine.URL})
	s.site.linked("/start", "/start/a")
	s.site.linked("/start/a")
	engine.Handle(searchtest.Pages(10, searchtest.Result{URL: s.site.URL + "/start", Title: "Start", Content: "Where it starts."}))
	r := s.first("/map", s.body("/start", `"ignoreSitemap":true`)).want(t, http.StatusOK)
	if links := fmt.Sprint(r.at("links")); links != "["+s.site.URL+"/start "+s.site.URL+"/start/a]" {
		t.Errorf("links are %s", links)
	}
	r = s.first("/search", `{"query":"start","scrapeOptions":{"formats":["markdown"]}}`).want(t, http.StatusOK)
	list, _ := r.at("data").([]any)
	if len(list) != 1 {
		t.Fatalf("%s", r.raw)
	}
	found := list[0].(map[string]any)
	if found["url"] != s.site.URL+"/start" || found["title"] != "Start" || found["description"] != "Where it starts." || !strings.Contains(fmt.Sprint(found["markdown"]), "Page /start") {
		t.Errorf("%s", r.raw)
	}
	if r = s.first("/search", `{"query":"start","pageOptions":{}}`).want(t, http.StatusOK); !strings.Contains(r.str("warning"), "pageOptions") {
		t.Errorf("%s", r.raw)
	}
}

func TestV1Extract(t *testing.T) {
	t.Parallel()
	s := extracting(t, kettleModel(t))
	r := s.first("/extract", s.extractOf("/kettle", `"schema":`+productSchema, `"agent":{"model":"x"}`)).want(t, http.StatusOK)
	if fmt.Sprint(r.at("urlTrace")) != "[]" || r.at("invalidURLs") != nil || r.at("warning") != nil {
		t.Errorf("%s", r.raw)
	}
	done := s.await("/v1/extract/"+r.str("id"), func(r reply) bool { return r.str("status") != "processing" })
	if done.str("status") != "completed" || done.at("data", "name") != "Kettle" || done.at("error") != nil {
		t.Errorf("%s", done.raw)
	}
	hang := start(t) // without anybody who works
	id := hang.first("/extract", hang.extractOf("/", `"schema":`+productSchema)).want(t, http.StatusOK).str("id")
	hang.do(call{method: http.MethodDelete, path: "/v2/extract/" + id, key: hang.key}).want(t, http.StatusOK)
	if r := hang.get("/v1/extract/" + id); r.str("status") != "failed" || r.str("error") == "" {
		t.Errorf("%s", r.raw)
	}
}

func TestV1Team(t *testing.T) {
	t.Parallel()
	s := start(t)
	credits := int64(500)
	_, key := s.newTeam(trawl.Team{Name: "paying", Credits: &credits})
	for path, want := range map[string]string{
		"/v1/team/credit-usage": `{"success":true,"data":{"remaining_credits":500,"plan_credits":500}}`,
		"/v1/team/token-usage":  `{"success":true,"data":{"remaining_tokens":7500,"plan_tokens":7500}}`,
	} {
		if r := s.do(call{method: http.MethodGet, path: path, key: key}).want(t, http.StatusOK); strings.TrimSpace(string(r.raw)) != want {
			t.Errorf("%s: %s", path, r.raw)
		}
	}
	for _, path := range []string{"/team/credit-usage/historical", "/team/token-usage/historical", "/team/queue-status", "/concurrency-check", "/crawl/active", "/crawl/ongoing"} {
		first, second := s.get("/v1"+path).want(t, http.StatusOK), s.get("/v2"+path).want(t, http.StatusOK)
		if string(first.raw) != string(second.raw) {
			t.Errorf("%s: %s, %s", path, first.raw, second.raw)
		}
	}
}

// TestV1Gate sees that the first version is behind the same gate.
func TestV1Gate(t *testing.T) {
	t.Parallel()
	s := start(t, func(c *api.Config) { c.Rates[api.ClassScrape] = 2 })
	s.do(call{path: "/v1/scrape", body: s.body("/")}).want(t, http.StatusUnauthorized)
	s.do(call{path: "/v1/scrape", key: s.key, body: `{"url":`}).want(t, http.StatusBadRequest)
	s.first("/scrape", s.body("/")).want(t, http.StatusOK)
	s.do(call{path: "/v2/scrape", key: s.key, body: s.body("/")}).want(t, http.StatusOK)
	s.first("/scrape", s.body("/")).want(t, http.StatusTooManyRequests)
	none := int64(0)
	_, poor := s.newTeam(trawl.Team{Name: "poor", Credits: &none})
	s.do(call{path: "/v1/crawl", key: poor, body: s.body("/")}).want(t, http.StatusPaymentRequired)

	once := map[string]string{"Idempotency-Key": "6ba7b810-9dad-11d1-80b4-00c04fd430c8"}
	s.do(call{path: "/v1/crawl", key: s.key, body: s.body("/"), header: once}).want(t, http.StatusOK)
	s.do(call{path: "/v1/crawl", key: s.key, body: s.body("/"), header: once}).want(t, http.StatusConflict)
	_, stranger := s.newTeam(trawl.Team{Name: "stranger"})
	s.do(call{method: http.MethodGet, path: "/v1/crawl/" + s.post(crawlPath, s.body("/")), key: stranger}).want(t, http.StatusNotFound)
}

// TestV1BadInput sends what is wrong in every way; nothing may be a 5xx.
func TestV1BadInput(t *testing.T) {
	t.Parallel()
	s := start(t)
	for _, path := range []string{"/scrape", "/batch/scrape", "/crawl", "/map", "/search", "/extract"} {
		for _, body := range []string{
			`[]`, `1`, `"x"`, `null`, `{}`, `{"url":1,"urls":1,"query":1}`, `{"url":"","urls":[""],"query":""}`,
			`{"url":"http://a.example","urls":["http://a.example"],"query":"q","scrapeOptions":[],"formats":[1],"limit":"x"}`,
			s.body("/", `"urls":["`+s.site.URL+`"]`, `"query":"q"`, `"limit":0`, `"formats":["nothing"]`, `"prompt":1`),
			s.body("/", `"urls":["`+s.site.URL+`"]`, `"query":"q"`, `"limit":0`, `"jsonOptions":{"schema":"x"}`, `"scrapeOptions":{"jsonOptions":[]}`),
			s.body("/", `"urls":1`, `"query":"q"`, `"limit":-1`, `"actions":[{"type":"wait","x":1}]`, `"webhook":1`, `"maxDepth":1e400`),
		} {
			if r := s.first(path, body); r.status < 400 || r.status >= 500 || r.str("error") == "" {
				t.Errorf("%s %s: %d %s", path, body, r.status, r.raw)
			}
		}
	}
	r := s.first("/scrape", s.body("/", `"location":{"planet":"Mars"}`)).want(t, http.StatusBadRequest)
	if !strings.HasPrefix(r.str("error"), "Unrecognized key in body -- please review the v1 API documentation") {
		t.Errorf("%s", r.raw)
	}
	s.get("/v1/crawl/x").want(t, http.StatusBadRequest)
}

// TestPaths asks for paths that are nearly right, and for what there was once.
func TestPaths(t *testing.T) {
	t.Parallel()
	s := start(t)
	for _, path := range []string{"//v2/scrape", "/v2/scrape/", "/v2//scrape", "//v2///scrape//", "//v1/scrape", "/v1/scrape/"} {
		s.do(call{path: path, key: s.key, body: s.body("/")}).want(t, http.StatusOK)
	}
	for _, c := range []struct {
		method, path string
		status       int
		says         string
	}{
		{"POST", "/v2/v2/scrape", 404, "begins with /v2/v2"}, {"GET", "/v2/v2/team/credit-usage", 404, "without /v2"},
		{"POST", "//v2//v2/scrape/", 404, "begins with /v2/v2"}, {"POST", "/v2/v1/scrape", 404, "begins with /v2/v1"},
		{"POST", "/v0/scrape", 410, "The v0 API is not offered; use /v2."}, {"GET", "/v0/crawl/status/x", 410, "use /v2."}, {"GET", "/v0", 410, "use /v2."},
		{"POST", "/v1/llmstxt", 410, "/v2/crawl"}, {"GET", "/v1/llmstxt/" + unknownID, 404, "nothing at this path"},
		{"POST", "/v1/deep-research", 410, "/v2/search"}, {"GET", "/v1/deep-research/" + unknownID, 404, "nothing at this path"},
	} {
		if r := s.do(call{method: c.method, path: c.path, body: "{}"}).want(t, c.status); !strings.Contains(r.str("error"), c.says) {
			t.Errorf("%s %s: %s", c.method, c.path, r.raw)
		}
	}
}

// TestV1IsDocumented looks for every route in the documentation.
func TestV1IsDocumented(t *testing.T) {
	t.Parallel()
	s := start(t)
	for _, file := range []string{"../docs/compatibility.md", "../docs/api/v1.md"} {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		routes := s.api.RoutesV1()
		if len(routes) < 20 {
			t.Errorf("%d routes", len(routes))
		}
		for _, route := range routes {
			if !strings.Contains(string(text), "`"+route+"`") {
				t.Errorf("%s lacks %s", file, route)
			}
		}
		for _, named := range regexp.MustCompile("`((?:GET|POST|DELETE) /v1/[^`]*)`").FindAllStringSubmatch(string(text), -1) {
			if !slices.Contains(routes, named[1]) {
				t.Errorf("%s names %s, which is not there", file, named[1])
			}
		}
	}
}
