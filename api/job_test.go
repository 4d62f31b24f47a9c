package api_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/netip"
	"net/url"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/api"
)

// The paths of jobs.
const (
	crawlPath = "/v2/crawl"
	batchPath = "/v2/batch/scrape"
)

// linked serves a small HTML page with links.
func (s *site) linked(path string, links ...string) {
	s.page(path, "text/html", htmlOf(path, links...))
}

func htmlOf(path string, links ...string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "<html><head><title>%s</title></head><body><main><h1>Page %s</h1><p>Words.</p>", path, path)
	for _, link := range links {
		fmt.Fprintf(&b, "<p><a href=%q>%s</a></p>", link, link)
	}
	return b.String() + "</main></body></html>"
}

// gated serves a page that waits for its gate to be opened.
func (s *site) gated(t testing.TB, path string, links ...string) (open func()) {
	gate := make(chan struct{})
	closed := false
	open = func() {
		if !closed {
			closed = true
			close(gate)
		}
	}
	t.Cleanup(open)
	s.mux.HandleFunc(path, func(w http.ResponseWriter, r *http.Request) {
		select {
		case <-gate:
		case <-r.Context().Done():
		}
		w.Header().Set("Content-Type", "text/html")
		_, _ = w.Write([]byte(htmlOf(path, links...)))
	})
	return open
}

// post starts a job with the default team's key and returns its id.
func (s *service) post(path, body string) string {
	s.t.Helper()
	r := s.do(call{path: path, key: s.key, body: body})
	if r.status != http.StatusOK {
		s.t.Fatalf("POST %s: %d %s", path, r.status, r.raw)
	}
	return r.str("id")
}

// batch starts a batch of pages of the local site.
func (s *service) batch(pages ...string) string {
	s.t.Helper()
	return s.post(batchPath, s.urls(pages...))
}

func (s *service) urls(pages ...string) string {
	for i, page := range pages {
		if strings.HasPrefix(page, "/") {
			pages[i] = s.site.URL + page
		}
	}
	encoded, _ := json.Marshal(map[string]any{"urls": pages})
	return string(encoded)
}

// await reads a job until it is as wanted.
func (s *service) await(path string, wanted func(reply) bool) reply {
	s.t.Helper()
	for range 100 {
		r := s.get(path + "?wait=5s")
		if r.status != http.StatusOK {
			s.t.Fatalf("%s: %d %s", path, r.status, r.raw)
		}
		if wanted(r) {
			return r
		}
	}
	s.t.Fatalf("%s never came to what was wanted", path)
	return reply{}
}

// over waits for the end of a job and returns its view.
func (s *service) over(path string) reply {
	s.t.Helper()
	return s.await(path, func(r reply) bool { return r.str("status") != "scraping" })
}

func (s *service) completed(path string, n int) reply {
	s.t.Helper()
	return s.await(path, func(r reply) bool { return r.at("completed") == float64(n) })
}

// data returns the documents of a view as they were sent.
func (r reply) data() []string {
	var view struct{ Data []json.RawMessage }
	_ = json.Unmarshal(r.raw, &view)
	list := make([]string, len(view.Data))
	for i, doc := range view.Data {
		list[i] = string(doc)
	}
	return list
}

func TestCrawl(t *testing.T) {
	t.Parallel()
	s := startWorking(t)
	s.site.linked("/docs/", "/docs/a", "/docs/b", "/other")
	s.site.linked("/docs/a", "/docs/b", "/docs/b#part")
	s.site.linked("/docs/b")
	r := s.do(call{path: crawlPath, key: s.key, body: s.body("/docs/")}).want(t, http.StatusOK)
	id := r.str("id")
	if r.str("url") != s.server.URL+crawlPath+"/"+id || len(id) != 36 {
		t.Errorf("%s", r.raw)
	}
	view := s.over(crawlPath + "/" + id)
	order := `^\{"success":true,"status":"completed","completed":3,"total":3,"creditsUsed":3,"expiresAt":"[^"]+","createdAt":"[^"]+","completedAt":"[^"]+","duration":[0-9.]+,"data":\[\{`
	if !regexp.MustCompile(order).Match(view.raw) {
		t.Errorf("%s", view.raw)
	}
	if docs := view.data(); len(docs) != 3 || !strings.Contains(docs[0], `"markdown":`) || !strings.Contains(docs[0], `"scrapeId":`) {
		t.Errorf("%s", view.raw)
	}
	if upper := s.get(crawlPath+"/"+strings.ToUpper(id)).want(t, http.StatusOK); len(upper.data()) != 3 {
		t.Errorf("%s", upper.raw)
	}
	s.get(batchPath+"/"+id).want(t, http.StatusNotFound) // a crawl is no batch
	errs := s.get(crawlPath+"/"+id+"/errors").want(t, http.StatusOK)
	if string(errs.raw) != `{"success":true,"errors":[],"robotsBlocked":[]}`+"\n" {
		t.Errorf("%s", errs.raw)
	}
	if r := s.do(call{method: http.MethodDelete, path: crawlPath + "/" + id, key: s.key}).want(t, http.StatusConflict); r.str("error") == "" {
		t.Errorf("%s", r.raw)
	}
}

func TestExplain(t *testing.T) {
	t.Parallel()
	s := startWorking(t)
	s.site.linked("/docs/", "/docs/a", "/docs/private", "/other")
	s.site.linked("/docs/a", "/docs/gone")
	s.site.page("/robots.txt", "text/plain", "User-agent: *\nDisallow: /docs/private\n")
	id := s.post(crawlPath, s.body("/docs/"))
	view := s.over(crawlPath + "/" + id)
	if !strings.Contains(view.str("warning"), "robots.txt") || !strings.Contains(view.str("warning"), "scrape endpoint") {
		t.Errorf("warning: %q", view.str("warning"))
	}
	path := crawlPath + "/" + id + "/explain"
	all := s.get(path).want(t, http.StatusOK)
	if all.at("counts", "robots") != 1.0 || all.at("counts", "scraped") != 3.0 || all.at("cursor") != nil || all.at("hasMore") != false {
		t.Errorf("%s", all.raw)
	}
	var listed []any
	for cursor := ""; ; {
		page := s.get(path+"?limit=2"+cursor).want(t, http.StatusOK)
		listed = append(listed, page.at("urls").([]any)...)
		if page.at("hasMore") != true {
			break
		}
		cursor = "&cursor=" + page.str("cursor")
	}
	if !reflect.DeepEqual(listed, all.at("urls")) {
		t.Errorf("pages give %v, all at once %v", listed, all.at("urls"))
	}
	robots := s.get(path+"?fate=robots").want(t, http.StatusOK)
	list := robots.at("urls").([]any)
	if len(list) != 1 || list[0].(map[string]any)["url"] != s.site.URL+"/docs/private" || list[0].(map[string]any)["depth"] != 1.0 {
		t.Errorf("%s", robots.raw)
	}
	for _, query := range []string{"fate=x", "limit=0", "limit=1001", "cursor=%00nonsense"} {
		s.get(path+"?"+query).want(t, http.StatusBadRequest)
	}
	if errs := s.get(crawlPath + "/" + id + "/errors"); !reflect.DeepEqual(errs.at("robotsBlocked"), []any{s.site.URL + "/docs/private"}) {
		t.Errorf("%s", errs.raw)
	}
}

func TestFewResultsWarning(t *testing.T) {
	t.Parallel()
	s := startWorking(t)
	s.site.linked("/deep/page", "/elsewhere")
	for fields, warned := range map[string]bool{"": true, `"limit":1`: false, `"crawlEntireDomain":true,"limit":2,"excludePaths":["^/else"]`: false} {
		more := []string{}
		if fields != "" {
			more = append(more, fields)
		}
		view := s.over(crawlPath + "/" + s.post(crawlPath, s.body("/deep/page", more...)))
		if got := strings.Contains(view.str("warning"), "crawlEntireDomain"); got != warned || view.at("completed") != 1.0 {
			t.Errorf("%s: %s", fields, view.raw)
		}
	}
}

func TestFailedPages(t *testing.T) {
	t.Parallel()
	s := startWorking(t)
	id := s.post(batchPath, s.urls("/", "http://127.0.0.1:2/"))
	view := s.over(batchPath + "/" + id)
	if view.str("status") != "completed" || view.at("completed") != 1.0 || view.at("total") != 2.0 || view.at("creditsUsed") != 1.0 {
		t.Errorf("%s", view.raw)
	}
	errs := s.get(batchPath+"/"+id+"/errors").want(t, http.StatusOK)
	list := errs.at("errors").([]any)
	if len(list) != 1 {
		t.Fatalf("%s", errs.raw)
	}
	failure := list[0].(map[string]any)
	for _, field := range []string{"id", "timestamp", "error"} {
		if text, _ := failure[field].(string); text == "" {
			t.Errorf("no %s in %s", field, errs.raw)
		}
	}
	if failure["url"] != "http://127.0.0.1:2/" || failure["code"] != "SCRAPE_SITE_ERROR" {
		t.Errorf("%s", errs.raw)
	}
}

func TestBatchAnswers(t *testing.T) {
	t.Parallel()
	s := startWorking(t)
	open := s.site.gated(t, "/slow")
	start := func(fields string) reply { return s.do(call{path: batchPath, key: s.key, body: fields}) }
	bad := fmt.Sprintf(`{"urls":[%q,"mailto:x","no host"]}`, s.site.URL)
	if r := start(bad).want(t, http.StatusOK); !reflect.DeepEqual(r.at("invalidURLs"), []any{"mailto:x", "no host"}) {
		t.Errorf("%s", r.raw)
	}
	r := start(s.urls("/")).want(t, http.StatusOK)
	if list, ok := r.at("invalidURLs").([]any); !ok || len(list) != 0 || r.str("url") != s.server.URL+batchPath+"/"+r.str("id") {
		t.Errorf("%s", r.raw)
	}
	if r := start(fmt.Sprintf(`{"urls":[%q],"ignoreInvalidURLs":false}`, s.site.URL)).want(t, http.StatusOK); strings.Contains(string(r.raw), "invalidURLs") {
		t.Errorf("%s", r.raw)
	}
	r = start(fmt.Sprintf(`{"urls":[%q,"mailto:x"],"ignoreInvalidURLs":false}`, s.site.URL)).want(t, http.StatusBadRequest)
	if r.str("code") != "BAD_REQUEST" || !strings.Contains(string(r.raw), `"path":["urls",1]`) {
		t.Errorf("%s", r.raw)
	}
	if r := start(`{"urls":["mailto:x"]}`).want(t, http.StatusBadRequest); r.str("error") != "No valid URLs provided" {
		t.Errorf("%s", r.raw)
	}
	id := s.batch("/slow")
	more := func(id string) reply {
		return start(fmt.Sprintf(`{"urls":[%q],"appendToId":%q}`, s.site.URL+"/", id))
	}
	if r := more(id).want(t, http.StatusOK); r.str("id") != id {
		t.Errorf("%s", r.raw)
	}
	open()
	if view := s.over(batchPath + "/" + id); view.at("total") != 2.0 || view.at("completed") != 2.0 {
		t.Errorf("%s", view.raw)
	}
	more(id).want(t, http.StatusConflict)
	more("018f0000-0000-7000-8000-000000000000").want(t, http.StatusNotFound)
	more("x").want(t, http.StatusBadRequest)
}

func TestIdempotencyKey(t *testing.T) {
	t.Parallel()
	s := start(t)
	once := map[string]string{"x-idempotency-key": "my own key"}
	_, other := s.newTeam(trawl.Team{Name: "other"})
	for _, c := range []call{
		{path: crawlPath, body: s.body("/")}, {path: batchPath, body: s.urls("/")},
	} {
		c.key, c.header = s.key, map[string]string{"x-idempotency-key": c.path}
		s.do(c).want(t, http.StatusOK)
		if r := s.do(c).want(t, http.StatusConflict); r.str("error") != "Idempotency key already used" {
			t.Errorf("%s", r.raw)
		}
		c.key = other
		s.do(c).want(t, http.StatusOK)
	}
	s.do(call{path: crawlPath, key: s.key, body: `{"url":"x y"}`, header: once}).want(t, http.StatusBadRequest)
	s.do(call{path: crawlPath, key: s.key, body: s.body("/"), header: once}).want(t, http.StatusOK) // a refused request has used nothing
	s.do(call{path: crawlPath, key: s.key, body: s.body("/"), header: map[string]string{"x-idempotency-key": strings.Repeat("k", 501)}}).want(t, http.StatusBadRequest)
}

func TestActiveAndCancel(t *testing.T) {
	t.Parallel()
	s := startWorking(t)
	s.site.gated(t, "/slow")
	s.batch("/slow") // batches are not listed
	id := s.post(crawlPath, s.body("/slow", `"deduplicateSimilarURLs":false`, `"limit":7`,
		`"webhook":{"url":"`+s.site.URL+`/hook","headers":{"X-Secret":"canary"},"metadata":{"m":"canary"}}`,
		`"scrapeOptions":{"onlyMainContent":false,"headers":{"Cookie":"canary"}}`))
	for _, path := range []string{"/v2/crawl/active", "/v2/crawl/ongoing"} {
		r := s.get(path).want(t, http.StatusOK)
		crawls := r.at("crawls").([]any)
		if len(crawls) != 1 {
			t.Fatalf("%s", r.raw)
		}
		crawl := reply{json: crawls[0].(map[string]any)}
		if crawl.str("id") != id || crawl.str("teamId") != s.team.ID || crawl.str("url") != s.site.URL+"/slow" ||
			!regexp.MustCompile(`^\d{4}-\d\d-\d\dT[\d:]{8}\.\d{3}Z$`).MatchString(crawl.str("created_at")) ||
			crawl.at("options", "limit") != 7.0 || crawl.at("options", "deduplicateSimilarURLs") != false ||
			crawl.at("options", "scrapeOptions", "onlyMainContent") != false || crawl.at("options", "scrapeOptions", "timeout") != 30000.0 {
			t.Errorf("%s", r.raw)
		}
		if strings.Contains(string(r.raw), "canary") || strings.Contains(string(r.raw), "/hook") {
			t.Errorf("secrets are shown: %s", r.raw)
		}
	}
	end := call{method: http.MethodDelete, path: crawlPath + "/" + id, key: s.key}
	for range 2 { // a cancelled job can be cancelled again
		if r := s.do(end).want(t, http.StatusOK); string(r.raw) != `{"success":true,"status":"cancelled"}`+"\n" {
			t.Errorf("%s", r.raw)
		}
	}
	if view := s.get(crawlPath+"/"+id).want(t, http.StatusOK); view.str("status") != "cancelled" || view.str("completedAt") == "" || view.at("next") != nil {
		t.Errorf("%s", view.raw)
	}
	if r := s.get("/v2/crawl/active").want(t, http.StatusOK); len(r.at("crawls").([]any)) != 0 {
		t.Errorf("%s", r.raw)
	}
}

func TestUsageCountsPages(t *testing.T) {
	t.Parallel()
	s := startWorking(t)
	_, key := s.newTeam(trawl.Team{Name: "two at a time", Concurrency: 2})
	open := s.site.gated(t, "/slow/")
	r := s.do(call{path: batchPath, key: key, body: s.urls("/slow/1", "/slow/2", "/slow/3", "/slow/4", "/slow/5")}).want(t, http.StatusOK)
	queue := s.do(call{method: http.MethodGet, path: "/v2/team/queue-status", key: key}).want(t, http.StatusOK)
	if queue.at("jobsInQueue") != 5.0 || queue.at("activeJobsInQueue") != 2.0 || queue.at("waitingJobsInQueue") != 3.0 {
		t.Errorf("%s", queue.raw)
	}
	if check := s.do(call{method: http.MethodGet, path: "/v2/concurrency-check", key: key}); check.at("concurrency") != 2.0 || check.at("maxConcurrency") != 2.0 {
		t.Errorf("%s", check.raw)
	}
	open()
	s.do(call{method: http.MethodDelete, path: batchPath + "/" + r.str("id"), key: key})
}

func TestJobPermissions(t *testing.T) {
	t.Parallel()
	s := start(t)
	broke := int64(0)
	_, plain := s.newTeam(trawl.Team{Name: "plain"})
	_, exempt := s.newTeam(trawl.Team{Name: "exempt", RobotsExempt: true})
	_, poor := s.newTeam(trawl.Team{Name: "poor", Credits: &broke})
	for _, row := range []struct {
		name, path, key, body, message string
		status                         int
	}{
		{"ignoreRobotsTxt", crawlPath, plain, s.body("/", `"ignoreRobotsTxt":true`), "robots.txt", http.StatusForbidden},
		{"robotsUserAgent", crawlPath, plain, s.body("/", `"robotsUserAgent":"me"`), "robots.txt", http.StatusForbidden},
		{"ignoreRobotsTxt allowed", crawlPath, exempt, s.body("/", `"ignoreRobotsTxt":true,"robotsUserAgent":"me"`), "", http.StatusOK},
		{"zero data retention, crawl", crawlPath, plain, s.body("/", `"zeroDataRetention":true`), "Zero data retention", http.StatusForbidden},
		{"zero data retention, batch", batchPath, plain, `{"urls":["` + s.site.URL + `"],"zeroDataRetention":true}`, "Zero data retention", http.StatusForbidden},
		{"zero data retention allowed", crawlPath, s.key, s.body("/", `"zeroDataRetention":true`), "", http.StatusOK},
		{"no credits, crawl", crawlPath, poor, s.body("/"), "credits", http.StatusPaymentRequired},
		{"no credits, batch", batchPath, poor, s.urls("/"), "credits", http.StatusPaymentRequired},
		{"no credits, map", "/v2/map", poor, s.body("/"), "credits", http.StatusPaymentRequired},
		{"no key", crawlPath, "", s.body("/"), "Unauthorized", http.StatusUnauthorized},
		{"nothing cached, crawl", crawlPath, plain, s.body("/", `"scrapeOptions":{"minAge":1000}`), "cached", http.StatusNotFound},
		{"nothing cached, batch", batchPath, plain, `{"urls":["` + s.site.URL + `"],"minAge":1000}`, "cached", http.StatusNotFound},
	} {
		t.Run(row.name, func(t *testing.T) {
			r := s.do(call{path: row.path, key: row.key, body: row.body}).want(t, row.status)
			if !strings.Contains(r.str("error"), row.message) {
				t.Errorf("%s", r.raw)
			}
		})
	}
}

func TestJobRateClasses(t *testing.T) {
	t.Parallel()
	s := start(t, func(c *api.Config) { c.Rates[api.ClassCrawl] = 2 })
	id := s.batch("/")
	s.post(crawlPath, s.body("/"))
	r := s.do(call{path: batchPath, key: s.key, body: s.urls("/")}).want(t, http.StatusTooManyRequests)
	if got := r.header.Get("RateLimit-Policy"); got != `"crawl";q=2;w=60` {
		t.Errorf("RateLimit-Policy: %s", got)
	}
	if r := s.get(batchPath+"/"+id).want(t, http.StatusOK); !strings.HasPrefix(r.header.Get("RateLimit"), `"status"`) {
		t.Errorf("%v", r.header)
	}
	if r := s.do(call{path: "/v2/map", key: s.key, body: s.body("/")}).want(t, http.StatusOK); !strings.HasPrefix(r.header.Get("RateLimit"), `"scrape"`) {
		t.Errorf("%v", r.header)
	}
}

func TestJobInput(t *testing.T) {
	t.Parallel()
	s := start(t)
	batch := func(fields string) string { return `{"urls":["` + s.site.URL + `"],` + fields + `}` }
	for _, row := range []struct{ name, path, body, want string }{
		{"unknown key", crawlPath, s.body("/", `"depth":1`), `"error":"Unrecognized key in body -- please review the v2 API documentation for request body changes: depth"`},
		{"unknown scrape option", crawlPath, s.body("/", `"scrapeOptions":{"x":1}`), `"path":["scrapeOptions","x"]`},
		{"address in scrape options", crawlPath, s.body("/", `"scrapeOptions":{"url":"http://x.example"}`), `"path":["scrapeOptions","url"]`},
		{"no address", crawlPath, `{}`, `"path":["url"]`},
		{"no address", "/v2/map", `{}`, `"path":["url"]`},
		{"address", crawlPath, `{"url":"ftp://x.example"}`, "URL uses unsupported protocol"},
		{"address", "/v2/map", `{"url":"x y"}`, `"path":["url"]`},
		{"limit", crawlPath, s.body("/", `"limit":-1`), `"path":["limit"]`},
		{"limit", crawlPath, s.body("/", `"limit":0`), `"path":["limit"]`},
		{"limit", "/v2/map", s.body("/", `"limit":100001`), `"path":["limit"]`},
		{"delay", crawlPath, s.body("/", `"delay":0`), `"path":["delay"]`},
		{"delay", crawlPath, s.body("/", `"delay":61`), `"path":["delay"]`},
		{"concurrency", batchPath, batch(`"maxConcurrency":0`), `"path":["maxConcurrency"]`},
		{"depth", crawlPath, s.body("/", `"maxDiscoveryDepth":-1`), `"path":["maxDiscoveryDepth"]`},
		{"sitemap", crawlPath, s.body("/", `"sitemap":"maybe"`), `"path":["sitemap"]`},
		{"pattern", crawlPath, s.body("/", `"includePaths":["/ok","("]`), `"path":["includePaths",1]`},
		{"pattern", crawlPath, s.body("/", `"excludePaths":["(?<!x)y"]`), `"path":["excludePaths",0]`},
		{"action", crawlPath, s.body("/", `"scrapeOptions":{"actions":[{"type":"scrape"}]}`), `"path":["scrapeOptions","actions"]`},
		{"format", crawlPath, s.body("/", `"scrapeOptions":{"formats":["markdown","audio"]}`), `"path":["scrapeOptions","formats",1]`},
		{"selector", crawlPath, s.body("/", `"scrapeOptions":{"includeTags":["p","["]}`), `"path":["scrapeOptions","includeTags",1]`},
		{"format of a batch", batchPath, batch(`"formats":["audio"]`), `"path":["formats",0]`},
		{"no addresses", batchPath, `{"urls":[]}`, `"path":["urls"]`},
		{"address instead of a list", batchPath, `{"urls":"http://x.example"}`, `"path":["urls"]`},
		{"webhook", crawlPath, s.body("/", `"webhook":5`), "webhook: is neither an address nor an object"},
		{"webhook", crawlPath, s.body("/", `"webhook":""`), `"path":["webhook","url"]`},
		{"webhook", batchPath, batch(`"webhook":"ftp://x.example/"`), `"path":["webhook","url"]`},
		{"webhook without address", batchPath, batch(`"webhook":{}`), `"path":["webhook","url"]`},
		{"webhook's unknown key", batchPath, batch(`"webhook":{"url":"http://x.example/","secret":"x"}`), "Unrecognized key in body -- please review the v2 API documentation for request body changes: webhook.secret"},
		{"webhook's headers", batchPath, batch(`"webhook":{"url":"http://x.example/","headers":{"a":1}}`), `"path":["webhook","headers","a"]`},
		{"webhook's own header", batchPath, batch(`"webhook":{"url":"http://x.example/","headers":{"x-firecrawl-signature":"1"}}`), `"path":["webhook","headers","x-firecrawl-signature"]`},
		{"webhook's event", batchPath, batch(`"webhook":{"url":"http://x.example/","events":["page","crawl.page"]}`), `"path":["webhook","events",1]`},
		{"webhook on a private address", batchPath, batch(`"webhook":"http://10.0.0.1/hook"`), `"path":["webhook","url"]`},
		{"webhook on a private address", crawlPath, s.body("/", `"webhook":{"url":"http://[::1]/hook"}`), `"path":["webhook","url"]`},
		{"map's header", "/v2/map", s.body("/", `"headers":{"a b":"x"}`), `"path":["headers","a b"]`},
	} {
		t.Run(row.name, func(t *testing.T) {
			r := s.do(call{path: row.path, key: s.key, body: row.body}).want(t, http.StatusBadRequest)
			if !strings.Contains(string(r.raw), row.want) {
				t.Errorf("%s\nlacks %s", r.raw, row.want)
			}
		})
	}
	for _, fields := range []string{
		`"webhook":null`, `"webhook":"` + s.site.URL + `/hook"`, `"webhook":{"url":"` + s.site.URL + `/hook","headers":null,"metadata":{"a":1},"events":["completed"]}`,
		`"origin":"js-sdk@4.42.0","integration":"cli"`, `"maxConcurrency":null`,
	} {
		s.do(call{path: batchPath, key: s.key, body: batch(fields)}).want(t, http.StatusOK)
		s.do(call{path: crawlPath, key: s.key, body: s.body("/", fields)}).want(t, http.StatusOK)
	}
}

func TestManyURLs(t *testing.T) {
	t.Parallel()
	s := start(t)
	pages := slices.Repeat([]string{"/"}, 10_000)
	id := s.batch(pages...)
	if view := s.get(batchPath+"/"+id).want(t, http.StatusOK); view.at("total") != 10_000.0 {
		t.Errorf("%.300s", view.raw)
	}
	s.do(call{path: batchPath, key: s.key, body: `{"urls":[` + strings.Repeat(`"x",`, 100_000) + `"x"]}`}).want(t, http.StatusBadRequest)
}

func TestMap(t *testing.T) {
	t.Parallel()
	s := start(t)
	s.site.linked("/shop/", "/shop/shoes", "/shop/hats", "/about")
	s.site.gated(t, "/slow")
	r := s.do(call{path: "/v2/map", key: s.key, body: s.body("/shop/", `"sitemap":"skip"`)}).want(t, http.StatusOK)
	if len(r.str("id")) != 36 || !strings.Contains(string(r.raw), `{"url":"`+s.site.URL+`/shop/shoes"`) || strings.Contains(string(r.raw), "/about") {
		t.Errorf("%s", r.raw)
	}
	r = s.do(call{path: "/v2/map", key: s.key, body: s.body("/shop/", `"search":"hats","limit":1`)}).want(t, http.StatusOK)
	if links := r.at("links").([]any); len(links) != 1 || links[0].(map[string]any)["url"] != s.site.URL+"/shop/hats" {
		t.Errorf("%s", r.raw)
	}
	r = s.do(call{path: "/v2/map", key: s.key, body: s.body("/slow", `"timeout":1000`)}).want(t, http.StatusRequestTimeout)
	if r.str("code") != "MAP_TIMEOUT" || r.str("error") != "Map timed out" {
		t.Errorf("%s", r.raw)
	}
	s.do(call{path: "/v2/map", key: s.key, body: s.body("/slow", `"timeout":1`)}).want(t, http.StatusRequestTimeout)
	s.do(call{path: "/v2/map", key: s.key, body: s.body("/slow", `"timeout":0`)}).want(t, http.StatusBadRequest)
}

// TestMapOffLimits maps a site that the guard is closed to.
func TestMapOffLimits(t *testing.T) {
	t.Parallel()
	s := start(t)
	for _, address := range []string{"http://site.inside.example/", "http://[::1]/"} {
		scrape := s.do(call{key: s.key, body: `{"url":"` + address + `"}`}).want(t, http.StatusForbidden)
		site := s.do(call{path: "/v2/map", key: s.key, body: `{"url":"` + address + `"}`}).want(t, http.StatusForbidden)
		if site.str("code") != "UNSUPPORTED_SITE" || site.str("error") != scrape.str("error") {
			t.Errorf("%s: %s", address, site.raw)
		}
	}
	r := s.do(call{path: "/v2/map", key: s.key, body: `{"url":"http://nowhere.example/"}`}).want(t, http.StatusInternalServerError)
	if r.str("code") != "MAP_FAILED" {
		t.Errorf("%s", r.raw)
	}
}

// TestJobAddressesBehindProxy takes the addresses in answers through a proxy.
func TestJobAddressesBehindProxy(t *testing.T) {
	t.Parallel()
	s := start(t, func(c *api.Config) { c.TrustedProxies = []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")} })
	forwarded := map[string]string{"X-Forwarded-Proto": "https", "X-Forwarded-Host": "api.example.com"}
	r := s.do(call{path: batchPath, key: s.key, body: s.urls("/"), header: forwarded}).want(t, http.StatusOK)
	want := "https://api.example.com/v2/batch/scrape/" + r.str("id")
	if r.str("url") != want {
		t.Errorf("%s", r.raw)
	}
	view := s.do(call{method: http.MethodGet, path: batchPath + "/" + r.str("id") + "?limit=7", key: s.key, header: forwarded}).want(t, http.StatusOK)
	if view.str("next") != want+"?skip=0&limit=7" {
		t.Errorf("%s", view.raw)
	}
}

func TestJobSchema(t *testing.T) {
	t.Parallel()
	s := start(t)
	document := s.do(call{method: http.MethodGet, path: "/openapi.json"}).want(t, http.StatusOK)
	for schema, fields := range map[string]map[string]any{
		"CrawlRequest":  {"limit": 10000.0, "sitemap": "include", "deduplicateSimilarURLs": true},
		"BatchRequest":  {"ignoreInvalidURLs": true, "timeout": 30000.0},
		"MapRequest":    {"limit": 5000.0, "includeSubdomains": true, "timeout": 60000.0},
		"ScrapeOptions": {"onlyMainContent": true},

		"ExtractRequest": {"limit": 100.0, "includeSubdomains": true, "ignoreInvalidURLs": true},
		"SearchRequest":  {"limit": 10.0, "timeout": 60000.0},
	} {
		for field, value := range fields {
			if got := document.at("components", "schemas", schema, "properties", field, "default"); got != value {
				t.Errorf("default of %s.%s is %v, want %v", schema, field, got, value)
			}
		}
	}
	webhook := document.at("components", "schemas", "CrawlRequest", "properties", "webhook", "oneOf")
	if variants, _ := webhook.([]any); len(variants) != 2 || document.at("components", "schemas", "Webhook", "properties", "url") == nil {
		t.Errorf("webhook: %v", webhook)
	}
	for schema, fields := range map[string]string{
		"StartedCrawl": "id url promptGeneratedOptions finalCrawlerOptions", "CrawlPlan": "url includePaths limit sitemap",
		"StartedExtract": "id invalidURLs warning", "ExtractStatus": "status data sources evidence creditsUsed tokensUsed", "Evidence": "path verified",
		"SearchBody": "data creditsUsed", "SearchData": "web news images", "SearchResult": "url position snippet imageUrl markdown metadata",
	} {
		for field := range strings.FieldsSeq(fields) {
			if document.at("components", "schemas", schema, "properties", field) == nil {
				t.Errorf("%s has no %s", schema, field)
			}
		}
	}
	data := document.at("components", "schemas", "JobStatus", "properties", "data", "items", "$ref")
	if data != "#/components/schemas/Document" {
		t.Errorf("data: %v", data)
	}
	s.do(call{method: http.MethodGet, path: "/docs"}).want(t, http.StatusOK)
}

// FuzzJobBody sends bodies to the routes that start jobs: whatever they are, the
// answer is one that a caller can understand.
func FuzzJobBody(f *testing.F) {
	s := start(f)
	f.Add(`{"url":"http://a.example/","webhook":{"url":"http://b.example/"},"includePaths":["("]}`)
	f.Add(`{"urls":["http://a.example/","x"],"appendToId":"018f0000-0000-7000-8000-000000000000"}`)
	f.Add(`{"url":"http://a.example/","scrapeOptions":{"formats":[{"type":"json"}]},"webhook":[{}]}`)
	f.Add(`{"urls":["http://*.a.example/*"],"schema":{"type":"object","properties":{"a":{"$ref":"#/$defs/a"}},"$defs":{"a":{"enum":[1]}}}}`)
	f.Add(`{"query":"x","sources":["web",{"type":"news"}],"categories":[{}],"scrapeOptions":{"formats":["markdown"]}}`)
	f.Add(`{"url":"http://a.example/","prompt":"the first 3 pages of /docs, not /docs/old"}`)
	f.Fuzz(func(t *testing.T, body string) {
		s := s.in(t)
		for _, path := range []string{crawlPath, batchPath, extractPath, searchPath, previewPath} {
			r := s.do(call{path: path, key: s.key, body: body})
			missing := r.status == http.StatusServiceUnavailable && strings.HasSuffix(r.str("code"), "_NOT_CONFIGURED")
			if r.status != http.StatusOK && (r.status >= 500 && !missing || r.str("error") == "") {
				t.Errorf("%d %s", r.status, r.raw)
			}
		}
	})
}

// FuzzStatusQuery asks for pages of a job that make no sense.
func FuzzStatusQuery(f *testing.F) {
	s := start(f)
	path := batchPath + "/" + s.batch("/")
	f.Add("1", "2", "1")
	f.Add("-1", "1e3", "x")
	f.Fuzz(func(t *testing.T, skip, limit, wait string) {
		s := s.in(t)
		wait += "ns" // nobody waits for long
		query := url.Values{"skip": {skip}, "limit": {limit}, "wait": {wait}}.Encode()
		for _, rest := range []string{"", "/webhooks"} {
			r := s.get(path + rest + "?" + query)
			if r.status != http.StatusOK && r.status != http.StatusBadRequest {
				t.Errorf("%s: %d %s", query, r.status, r.raw)
			}
		}
	})
}
