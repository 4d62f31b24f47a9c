package api_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/internal/testtime"
)

// monitorBody is the body of a monitor of pages, with further fields.
func monitorBody(fields ...string) string {
	return "{" + strings.Join(append([]string{`"name":"Prices"`, `"schedule":{"text":"every 30 minutes"}`}, fields...), ",") + "}"
}

func (s *service) pages(paths ...string) string {
	urls := make([]string, len(paths))
	for i, path := range paths {
		urls[i] = fmt.Sprintf("%q", s.site.URL+path)
	}
	return `"targets":[{"type":"scrape","urls":[` + strings.Join(urls, ",") + `]}]`
}

// watch creates a monitor and returns its id.
func (s *service) watch(fields ...string) string {
	s.t.Helper()
	r := s.do(call{path: "/v2/monitor", key: s.key, body: monitorBody(fields...)})
	if r.status != http.StatusOK {
		s.t.Fatalf("create: %d %s", r.status, r.raw)
	}
	return r.str("data", "id")
}

// checked runs a check of a monitor and returns it once it has ended.
func (s *service) checked(id string) reply {
	s.t.Helper()
	run := s.do(call{path: "/v2/monitor/" + id + "/run", key: s.key})
	if run.status != http.StatusOK || run.str("id") == "" || run.str("id") != run.str("data", "id") {
		s.t.Fatalf("run: %d %s", run.status, run.raw)
	}
	return s.ended(id, run.str("id"))
}

// ended waits for the end of a check.
func (s *service) ended(id, check string) (r reply) {
	s.t.Helper()
	testtime.Until(s.t, "the end of a check", func() bool {
		r = s.get("/v2/monitor/" + id + "/checks/" + check + "?limit=100")
		status := r.str("data", "status")
		return status != trawl.CheckQueued && status != trawl.CheckRunning
	})
	return r
}

// statuses returns the statuses of a check's pages by path.
func (s *service) statuses(r reply) map[string]string {
	got := map[string]string{}
	pages, _ := r.at("data", "pages").([]any)
	for _, p := range pages {
		page := p.(map[string]any)
		got[strings.TrimPrefix(page["url"].(string), s.site.URL)] = page["status"].(string)
	}
	return got
}

// text is a page whose text a test changes.
type text struct {
	mu   sync.Mutex
	body string
	code int
}

func (p *text) set(body string, code int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.body, p.code = body, code
}

func (p *text) ServeHTTP(w http.ResponseWriter, _ *http.Request) {
	p.mu.Lock()
	defer p.mu.Unlock()
	w.Header().Set("Content-Type", "text/html")
	w.WriteHeader(p.code)
	_, _ = io.WriteString(w, p.body)
}

func (s *service) text(path, body string) *text {
	p := &text{}
	p.set(body, http.StatusOK)
	s.site.mux.Handle(path, p)
	return p
}

func TestMonitorFields(t *testing.T) {
	t.Parallel()
	s := start(t)
	page := s.pages("/")
	ok := s.do(call{path: "/v2/monitor", key: s.key, body: monitorBody(page, `"origin":"cli"`, `"integration":"cli"`, `"goal":"  "`, `"webhook":"`+s.site.URL+`/hook"`, `"judgeEnabled":null`)}).want(t, 200)
	data := ok.at("data").(map[string]any)
	for _, key := range []string{"id", "name", "status", "schedule", "nextRunAt", "lastRunAt", "currentCheckId", "targets", "webhook", "notification", "emailRecipientSubscriptions",
		"retentionDays", "estimatedCreditsPerMonth", "lastCheckSummary", "goal", "judgeEnabled", "createdAt", "updatedAt"} {
		if _, there := data[key]; !there {
			t.Errorf("%s is missing", key)
		}
	}
	if data["status"] != "active" || data["goal"] != nil || data["judgeEnabled"] != false || data["retentionDays"] != 30.0 || data["estimatedCreditsPerMonth"] != 1440.0 ||
		ok.str("data", "webhook", "url") == "" || ok.str("data", "schedule", "cron") != "*/30 * * * *" || ok.str("data", "schedule", "timezone") != "UTC" || data["lastRunAt"] != nil {
		t.Errorf("got %s", ok.raw)
	}
	if target := data["targets"].([]any)[0].(map[string]any); target["id"] == "" || target["id"] == nil {
		t.Errorf("target %v", target)
	}
	judged := s.do(call{path: "/v2/monitor", key: s.key, body: monitorBody(page, `"goal":"prices"`)}).want(t, 200)
	if judged.at("data", "estimatedCreditsPerMonth") != 2880.0 || judged.at("data", "judgeEnabled") != true || !strings.Contains(judged.str("warning"), "language model") {
		t.Errorf("got %s", judged.raw)
	}
}

func TestMonitorRefused(t *testing.T) {
	t.Parallel()
	s := start(t)
	page := s.pages("/")
	long := strings.Repeat("x", 300)
	for body, want := range map[string]string{
		`{}`: "required", `{"name":"x","schedule":{"text":"hourly"}}`: "targets",
		monitorBody(page, `"colour":1`):                                                                                                  "Unrecognized key",
		strings.Replace(monitorBody(page), `"Prices"`, `""`, 1):                                                                          "name",
		strings.Replace(monitorBody(page), `Prices`, long, 1):                                                                            "name",
		strings.Replace(monitorBody(page), `"text":"every 30 minutes"`, ``, 1):                                                           "Schedule must include either cron or text",
		strings.Replace(monitorBody(page), `"text":`, `"colour":1,"text":`, 1):                                                           "Unrecognized key",
		strings.Replace(monitorBody(page), `"text":`, `"cron":"0 * * * *","text":`, 1):                                                   "Schedule must include either cron or text, not both",
		strings.Replace(monitorBody(page), `every 30 minutes`, `every 7 minutes`, 1):                                                     "Minute interval must divide evenly into 60",
		strings.Replace(monitorBody(page), `every 30 minutes`, `every 2 minutes`, 1):                                                     "Monitor schedule must not run more often than every 5 minutes",
		strings.Replace(monitorBody(page), `every 30 minutes`, long, 1):                                                                  "schedule.text",
		strings.Replace(monitorBody(page), `"text":`, `"timezone":"Mars/X","text":`, 1):                                                  "Invalid monitor schedule timezone: Mars/X",
		monitorBody(`"targets":[]`):                                                                                                      "targets",
		monitorBody(`"targets":[{"type":"scrape"}]`):                                                                                     "urls",
		monitorBody(`"targets":[{"type":"scrape","urls":["ftp://a"]}]`):                                                                  "URL",
		monitorBody(`"targets":[{"type":"scrape","urls":["http://a.example"],"queries":["a"]}]`):                                         "Unrecognized key",
		monitorBody(`"targets":[{"type":"rss","url":"http://a.example"}]`):                                                               "type",
		monitorBody(`"targets":[{"type":"crawl"}]`):                                                                                      "url",
		monitorBody(`"targets":[{"type":"crawl","url":"http://a.example","crawlOptions":{"limit":0}}]`):                                  "limit",
		monitorBody(`"targets":[{"type":"crawl","url":"http://a.example","crawlOptions":{"webhook":"http://a.example"}}]`):               "Unrecognized key",
		monitorBody(`"targets":[{"type":"crawl","url":"http://a.example","crawlOptions":{"includePaths":["("]}}]`):                       "includePaths",
		monitorBody(`"targets":[{"type":"scrape","url":"http://a.example","scrapeOptions":{"formats":["smell"]}}]`):                      "formats",
		monitorBody(`"targets":[{"type":"scrape","url":"http://a.example","scrapeOptions":{"formats":["rawBase64"]}}]`):                  "rawBase64",
		monitorBody(`"targets":[{"type":"scrape","url":"http://a.example","scrapeOptions":{"waitFor":50000}}]`):                          "waitFor",
		monitorBody(`"targets":[{"type":"search","queries":[]}]`):                                                                        "queries",
		monitorBody(`"targets":[{"type":"search","queries":["a"],"searchWindow":"2h"}]`):                                                 "searchWindow",
		monitorBody(`"targets":[{"type":"search","queries":["a"],"maxResults":51}]`):                                                     "maxResults",
		monitorBody(`"targets":[{"type":"search","queries":["a"],"includeDomains":["a.example"],"excludeDomains":["b.example"]}]`):       "together",
		monitorBody(`"targets":[{"type":"search","queries":["a"],"includeDomains":["http://a.example/"]}]`):                              "host name",
		monitorBody(page, `"goal":"`+strings.Repeat("x", 2001)+`"`):                                                                      "goal",
		monitorBody(page, `"retentionDays":0`):                                                                                           "retentionDays",
		monitorBody(page, `"retentionDays":366`):                                                                                         "retentionDays",
		monitorBody(page, `"webhook":{"url":"`+s.site.URL+`","events":["page"]}`):                                                        "unknown event",
		monitorBody(page, `"webhook":{"url":"`+s.site.URL+`","colour":1}`):                                                               "Unrecognized key",
		monitorBody(page, `"webhook":"http://127.0.0.2/"`):                                                                               "",
		monitorBody(page, `"notification":{"slack":{"enabled":true}}`):                                                                   "Slack",
		monitorBody(page, `"notification":{"sms":{}}`):                                                                                   "Unrecognized key",
		monitorBody(page, `"notification":{"email":{"enabled":true,"recipients":["a@b.example\r\nBcc: c@d.example"]}}`):                  "mail address",
		monitorBody(page, `"notification":{"email":{"enabled":true,"recipients":["somebody"]}}`):                                         "mail address",
		monitorBody(page, `"notification":{"email":{"recipients":[`+strings.TrimSuffix(strings.Repeat(`"a@b.example",`, 26), ",")+`]}}`): "recipients",
	} {
		r := s.do(call{path: "/v2/monitor", key: s.key, body: body})
		if want == "" && r.status/100 == 4 {
			continue
		}
		if r.status != 400 || !strings.Contains(string(r.raw), want) {
			t.Errorf("%.200s: %d %.300s, want %q", body, r.status, r.raw, want)
		}
	}
	if r := s.do(call{path: "/v2/monitor", key: s.key, body: monitorBody(`"targets":[{"type":"search","queries":["a"]}]`, `"goal":"x"`)}); r.status != 503 {
		t.Errorf("a search without a search engine: %d %s", r.status, r.raw)
	}
	for _, path := range []string{"/v2/monitor?limit=0", "/v2/monitor?limit=101", "/v2/monitor?offset=-1", "/v2/monitor/x", "/v2/monitor/x/checks"} {
		if r := s.get(path); r.status != 400 {
			t.Errorf("%s: %d %s", path, r.status, r.raw)
		}
	}
	poor, key := s.newTeam(trawl.Team{Name: "poor", Credits: new(int64)})
	if r := s.do(call{path: "/v2/monitor", key: key, body: monitorBody(page)}); r.status != 402 {
		t.Errorf("team %s: %d", poor.Name, r.status)
	}
}

func TestMonitorUpdate(t *testing.T) {
	t.Parallel()
	s := start(t)
	id := s.watch(s.pages("/"), `"webhook":"`+s.site.URL+`/hook"`, `"notification":{"email":{"enabled":true,"recipients":["A@b.example"]}}`)
	path := "/v2/monitor/" + id
	patch := func(body string) reply {
		return s.do(call{method: http.MethodPatch, path: path, key: s.key, body: body})
	}
	for body, want := range map[string]string{
		`{}`: "Update body cannot be empty", `{"origin":"x"}`: "Update body cannot be empty", `{"name":null}`: "Update body cannot be empty",
		`{"colour":1}`: "Unrecognized key", `{"status":"deleted"}`: "status", `{"schedule":{}}`: "Schedule must include either cron or text",
		`{"targets":[{"type":"search","queries":["a"]}]}`: "",
	} {
		if r := patch(body); r.status/100 == 2 || !strings.Contains(string(r.raw), want) {
			t.Errorf("%s: %d %s", body, r.status, r.raw)
		}
	}
	if r := patch(`{"schedule":{"timezone":"Europe/Berlin"}}`).want(t, 200); r.str("data", "schedule", "timezone") != "Europe/Berlin" || r.str("data", "schedule", "cron") != "*/30 * * * *" {
		t.Errorf("time zone alone: %s", r.raw)
	}
	if r := patch(`{"goal":"prices"}`).want(t, 200); r.at("data", "judgeEnabled") != true {
		t.Errorf("goal alone: %s", r.raw)
	}
	if r := patch(`{"judgeEnabled":false}`).want(t, 200); r.at("data", "judgeEnabled") != false || r.at("data", "goal") != "prices" {
		t.Errorf("judge off: %s", r.raw)
	}
	if r := patch(`{"goal":null,"webhook":null,"notification":{},"name":"Other"}`).want(t, 200); r.at("data", "goal") != nil || r.at("data", "webhook") != nil || r.at("data", "notification", "email", "enabled") != true || r.str("data", "name") != "Other" {
		t.Errorf("cleared: %s", r.raw)
	}
	if list, _ := patch(`{"retentionDays":7}`).at("data", "emailRecipientSubscriptions").([]any); len(list) != 1 || list[0].(map[string]any)["email"] != "a@b.example" || list[0].(map[string]any)["status"] != "pending" {
		t.Errorf("recipients %v", list)
	}
	if r := patch(`{"status":"paused"}`).want(t, 200); r.at("data", "nextRunAt") != nil || r.str("data", "status") != "paused" {
		t.Errorf("paused: %s", r.raw)
	}
	if r := s.do(call{path: path + "/run", key: s.key}).want(t, 409); r.str("error") != "Monitor is paused. Resume it before running a check." {
		t.Errorf("run while paused: %s", r.raw)
	}
	if r := patch(`{"status":"active"}`).want(t, 200); r.at("data", "nextRunAt") == nil {
		t.Errorf("resumed: %s", r.raw)
	}
	s.do(call{method: http.MethodDelete, path: path, key: s.key}).want(t, 200)
	if r := s.do(call{method: http.MethodDelete, path: path, key: s.key}).want(t, 404); r.str("error") != "Monitor not found" {
		t.Errorf("deleted again: %s", r.raw)
	}
	s.get(path).want(t, 404)
	if list := s.get("/v2/monitor").want(t, 200).at("data").([]any); len(list) != 0 {
		t.Errorf("list %v", list)
	}
}

func TestMonitorChecks(t *testing.T) {
	t.Parallel()
	s := startWorking(t)
	price := s.text("/price", "<main><h1>Plans</h1><p>The small plan costs 10 dollars.</p><p>All plans are good.</p></main>")
	s.text("/still", "<main><p>This never changes at all.</p></main>")
	credits := int64(100)
	team, key := s.newTeam(trawl.Team{Name: "watchers", Credits: &credits})
	s.key = key
	id := s.watch(s.pages("/price", "/still"))
	first := s.checked(id)
	if got := s.statuses(first); got["/price"] != "new" || got["/still"] != "new" || first.str("data", "status") != "completed" {
		t.Fatalf("first check: %s", first.raw)
	}
	for _, p := range first.at("data", "pages").([]any) {
		page := p.(map[string]any)
		if page["diff"] != nil || page["previousScrapeId"] != nil || page["currentScrapeId"] == nil || page["statusCode"] != 200.0 || page["judgment"] != nil {
			t.Errorf("first page: %v", page)
		}
	}
	price.set("<main><h1>Plans</h1><p>The small plan costs 12 dollars.</p><p>All plans are good.</p></main>", 200)
	second := s.checked(id)
	if got := s.statuses(second); got["/price"] != "changed" || got["/still"] != "same" {
		t.Fatalf("second check: %s", second.raw)
	}
	changed := s.get("/v2/monitor/"+id+"/checks/"+second.str("data", "id")+"?status=changed").at("data", "pages").([]any)[0].(map[string]any)
	diff := changed["diff"].(map[string]any)
	if text := diff["text"].(string); !strings.HasPrefix(text, "--- previous\n+++ current\n") || !strings.Contains(text, "+The small plan costs 12 dollars.") || diff["json"].(map[string]any)["files"] == nil {
		t.Errorf("diff %v", diff)
	}
	if changed["previousScrapeId"] == nil {
		t.Errorf("page %v", changed)
	}
	price.set("down", 503)
	third := s.checked(id)
	if got := s.statuses(third); got["/price"] != "error" || third.str("data", "status") != "partial" {
		t.Errorf("third check: %s", third.raw)
	}
	price.set("<main><h1>Plans</h1><p>The small plan costs 12 dollars.</p><p>All plans are good.</p></main>", 200)
	fourth := s.checked(id)
	if got := s.statuses(fourth); got["/price"] != "same" {
		t.Errorf("an error is no version: %s", fourth.raw)
	}
	if fourth.at("data", "billingStatus") != "confirmed" || fourth.at("data", "reservedCredits") != 2.0 || fourth.at("data", "actualCredits") != 2.0 || fourth.at("data", "trigger") != "manual" || fourth.at("data", "scheduledFor") != nil {
		t.Errorf("check: %s", fourth.raw)
	}
	s.balances(team.ID, 100, id)
	checks := s.get("/v2/monitor/" + id + "/checks?limit=2").at("data").([]any)
	if len(checks) != 2 || checks[0].(map[string]any)["id"] != fourth.str("data", "id") {
		t.Errorf("checks %v", checks)
	}
	m := s.get("/v2/monitor/" + id)
	if m.at("data", "lastCheckSummary", "same") != 2.0 || m.at("data", "currentCheckId") != nil || m.at("data", "lastRunAt") == nil {
		t.Errorf("monitor: %s", m.raw)
	}
	page := s.get("/v2/monitor/" + id + "/checks/" + fourth.str("data", "id") + "?limit=1")
	if next := page.str("next"); next == "" || next != page.str("data", "next") || !strings.HasPrefix(next, s.server.URL+"/v2/monitor/"+id+"/checks/") {
		t.Errorf("next %q", next)
	} else if last := s.get(strings.TrimPrefix(next, s.server.URL)); strings.Contains(string(last.raw), `"next"`) || len(last.at("data", "pages").([]any)) != 1 {
		t.Errorf("last page: %s", last.raw)
	}
}

// balances checks that what a team paid is what its checks cost.
func (s *service) balances(teamID string, granted float64, ids ...string) {
	s.t.Helper()
	spent := 0.0
	for _, id := range ids {
		for _, c := range s.get("/v2/monitor/" + id + "/checks?limit=100").at("data").([]any) {
			cost, _ := c.(map[string]any)["actualCredits"].(float64)
			spent += cost
		}
	}
	left, _ := s.get("/v2/team/credit-usage").at("data", "remainingCredits").(float64)
	used := int64(0)
	periods, err := s.store.Usage(s.t.Context(), teamID, false)
	if err != nil {
		s.t.Fatal(err)
	}
	for _, p := range periods {
		used += p.Credits
	}
	if left != granted-spent || float64(used) != spent {
		s.t.Errorf("%v left of %v after checks of %v; the ledger says %d", left, granted, spent, used)
	}
}

func TestMonitorCrawl(t *testing.T) {
	t.Parallel()
	s := startWorking(t)
	root := s.text("/docs/", `<main><p>Start here.</p><a href="/docs/a">A</a> <a href="/docs/b">B</a></main>`)
	s.text("/docs/a", "<main><p>Page A has text.</p></main>")
	s.text("/docs/b", "<main><p>Page B has text.</p></main>")
	s.text("/docs/c", "<main><p>Page C has text.</p></main>")
	id := s.watch(`"targets":[{"type":"crawl","url":"` + s.site.URL + `/docs/","crawlOptions":{"limit":10,"maxDepth":3,"sitemap":"skip"}}]`)
	if got := s.statuses(s.checked(id)); len(got) != 3 || got["/docs/b"] != "new" {
		t.Fatalf("first check: %v", got)
	}
	root.set(`<main><p>Start here, with another page.</p><a href="/docs/a">A</a> <a href="/docs/c">C</a></main>`, 200)
	check := s.checked(id)
	if got := s.statuses(check); got["/docs/b"] != "removed" || got["/docs/c"] != "new" || got["/docs/a"] != "same" || got["/docs/"] != "changed" {
		t.Errorf("second check: %v", got)
	}
	if check.at("data", "summary", "removed") != 1.0 || check.at("data", "summary", "totalPages") != 4.0 {
		t.Errorf("summary: %v", check.at("data", "summary"))
	}
	root.set(`<main><p>Start here.</p><a href="/docs/a">A</a> <a href="/docs/b">B</a> <a href="/docs/c">C</a></main>`, 200)
	if got := s.statuses(s.checked(id)); got["/docs/b"] != "new" || got["/docs/c"] != "same" {
		t.Errorf("third check: %v", got)
	}
	root.set("gone", 500)
	if got := s.statuses(s.checked(id)); got["/docs/a"] == "removed" {
		t.Errorf("a site that is down: %v", got)
	}
}

func TestMonitorOverlapAndCredits(t *testing.T) {
	t.Parallel()
	s := startWorking(t)
	gate := make(chan struct{})
	open := sync.OnceFunc(func() { close(gate) })
	defer open()
	s.site.mux.HandleFunc("/slow", func(w http.ResponseWriter, r *http.Request) {
		select {
		case <-gate:
		case <-r.Context().Done():
		}
		_, _ = io.WriteString(w, "slow")
	})
	credits := int64(1)
	_, key := s.newTeam(trawl.Team{Name: "few", Credits: &credits})
	s.key = key
	id := s.watch(`"targets":[{"type":"scrape","url":"` + s.site.URL + `/slow","scrapeOptions":{"timeout":300000}}]`)
	run := s.do(call{path: "/v2/monitor/" + id + "/run", key: s.key, body: "{}"}).want(t, 200)
	again := s.do(call{path: "/v2/monitor/" + id + "/run", key: s.key}).want(t, 409)
	if again.str("error") != "Monitor check is already running." || again.str("checkId") != run.str("id") {
		t.Errorf("twice: %s", again.raw)
	}
	open()
	if c := s.ended(id, run.str("id")); c.str("data", "status") != "completed" {
		t.Errorf("check: %s", c.raw)
	}
	if c := s.checked(id); c.str("data", "status") != "skipped_no_credits" || c.at("data", "actualCredits") != 0.0 || c.str("data", "error") != "Monitor check skipped: insufficient credits." {
		t.Errorf("without credits: %s", c.raw)
	}
	if m := s.get("/v2/monitor/" + id); m.str("data", "status") != "active" {
		t.Errorf("monitor: %s", m.raw)
	}
}

func TestMonitorDeletedWhileChecked(t *testing.T) {
	t.Parallel()
	s := startWorking(t)
	gate := make(chan struct{})
	defer close(gate)
	s.site.mux.HandleFunc("/slow", func(w http.ResponseWriter, r *http.Request) {
		select {
		case <-gate:
		case <-r.Context().Done():
		}
	})
	id := s.watch(`"targets":[{"type":"scrape","url":"` + s.site.URL + `/slow","scrapeOptions":{"timeout":300000}}]`)
	check := s.do(call{path: "/v2/monitor/" + id + "/run", key: s.key}).want(t, 200).str("id")
	testtime.Until(t, "the page is requested", func() bool { return s.site.count("/slow") > 0 })
	s.do(call{method: http.MethodDelete, path: "/v2/monitor/" + id, key: s.key}).want(t, 200)
	testtime.Until(t, "the check fails", func() bool {
		w, err := s.store.CheckWork(t.Context(), check)
		return err == nil && w.Status == trawl.CheckFailed && w.Error == "Monitor no longer exists."
	})
	if _, err := s.store.Sweep(t.Context(), time.Now(), 0); err != nil {
		t.Fatal(err)
	}
	if _, err := s.store.CheckWork(t.Context(), check); trawl.ErrorCode(err) != trawl.CodeNotFound {
		t.Errorf("a check of a deleted monitor: %v", err)
	}
}

func TestMonitorWebhook(t *testing.T) {
	t.Parallel()
	s := startWorking(t)
	page := s.text("/news", "<main><p>One story is here.</p></main>")
	events := make(chan map[string]any, 20)
	s.site.mux.HandleFunc("/hook", func(_ http.ResponseWriter, r *http.Request) {
		var event map[string]any
		if err := json.NewDecoder(r.Body).Decode(&event); err != nil || r.Header.Get("X-Firecrawl-Signature") == "" {
			t.Errorf("event: %v, %v", err, r.Header)
		}
		events <- event
	})
	id := s.watch(s.pages("/news"), `"webhook":{"url":"`+s.site.URL+`/hook","metadata":{"a":"b"}}`)
	next := func(kind string) map[string]any {
		t.Helper()
		event := testtime.Receive(t, kind, events)
		if event["type"] != kind || event["metadata"].(map[string]any)["a"] != "b" {
			t.Fatalf("event %v, want %s", event, kind)
		}
		return event
	}
	first := s.checked(id).str("data", "id")
	event := next("monitor.page")
	data := event["data"].([]any)[0].(map[string]any)
	if event["id"] != first || event["success"] != true || data["monitorId"] != id || data["checkId"] != first || data["status"] != "new" || data["url"] != s.site.URL+"/news" {
		t.Errorf("event %v", event)
	}
	for _, key := range []string{"previousScrapeId", "error", "isMeaningful", "judgment", "diff"} {
		if value, ok := data[key]; !ok || value != nil {
			t.Errorf("%s is %v", key, value)
		}
	}
	if done := next("monitor.check.completed"); done["success"] != true || done["data"].([]any)[0].(map[string]any)["summary"].(map[string]any)["new"] != 1.0 {
		t.Errorf("event %v", done)
	}
	page.set("<main><p>Two stories are here.</p></main>", 200)
	second := s.checked(id)
	data = next("monitor.page")["data"].([]any)[0].(map[string]any)
	if data["status"] != "changed" || data["diff"].(map[string]any)["text"] == nil || data["diff"].(map[string]any)["json"] != nil {
		t.Errorf("data %v", data)
	}
	next("monitor.check.completed")
	log := "/v2/monitor/" + id + "/checks/" + second.str("data", "id") + "/webhooks"
	testtime.Until(t, "the log of both", func() bool {
		list := s.get(log).at("deliveries").([]any)
		return len(list) == 2 && list[0].(map[string]any)["state"] == "delivered" && list[1].(map[string]any)["state"] == "delivered"
	})
	if told := s.get("/v2/monitor/" + id + "/checks/" + second.str("data", "id")); told.at("data", "notificationStatus", "webhook", "success") != true {
		t.Errorf("told: %s", told.raw)
	}
	delivery := s.get(log).at("deliveries").([]any)[0].(map[string]any)
	if delivery["url"] != s.site.URL+"/news" || delivery["type"] != "monitor.page" {
		t.Errorf("delivery %v", delivery)
	}
	s.do(call{path: log + "/replay", key: s.key, body: `{"deliveryId":"` + delivery["id"].(string) + `"}`}).want(t, 200)
	if again := next("monitor.page"); again["webhookId"] != delivery["id"] {
		t.Errorf("replayed %v", again)
	}
}

func TestMonitorSubscriptions(t *testing.T) {
	t.Parallel()
	s := start(t)
	id := s.watch(s.pages("/"), `"notification":{"email":{"enabled":true,"recipients":["a@b.example"]}}`)
	all, err := s.store.Recipients(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	token := all["a@b.example"].Token
	for _, c := range []struct {
		path, body, want string
		status           int
	}{
		{"confirm", `{"token":"short"}`, "invalid_token", 400},
		{"confirm", ``, "invalid_token", 400},
		{"confirm", `[]`, "invalid_token", 400},
		{"confirm", `{"token":"` + strings.Repeat("a", 65) + `"}`, "invalid_token", 400},
		{"confirm?token=" + token, `{"token":"` + token + `"}`, "invalid_token", 400},
		{"unsubscribe", `{"token":"` + strings.Repeat("a", 32) + `"}`, "not_found", 404},
		{"confirm", `{"token":"` + token + `"}`, "confirmed", 200},
		{"confirm", `{"token":"` + token + `"}`, "already_confirmed", 200},
		{"unsubscribe", `{"token":"` + token + `"}`, "unsubscribed", 200},
		{"unsubscribe", `{"token":"` + token + `"}`, "already_unsubscribed", 200},
	} {
		r := s.do(call{path: "/v2/monitor/email/" + c.path, body: c.body}).want(t, c.status)
		if got := r.str("result") + r.str("error"); got != c.want || c.status == 200 && (r.str("email") != "a@b.example" || r.str("monitorName") != "Prices") {
			t.Errorf("%s %s: %s", c.path, c.body, r.raw)
		}
	}
	for _, path := range []string{"/monitor/confirm", "/monitor/unsubscribe"} {
		if r := s.do(call{method: http.MethodGet, path: path}); r.status != 200 || !strings.Contains(r.header.Get("Content-Security-Policy"), "sha256-") {
			t.Errorf("%s: %d %v", path, r.status, r.header)
		}
	}
}

func TestMonitorFeed(t *testing.T) {
	t.Parallel()
	s := startWorking(t)
	id := s.watch(s.pages("/"))
	s.checked(id)
	address := strings.TrimPrefix(s.get("/v2/monitor/"+id).str("data", "feedUrl"), s.server.URL)
	feed := s.do(call{method: http.MethodGet, path: address})
	if feed.status != 200 || !strings.HasPrefix(feed.header.Get("Content-Type"), "application/atom+xml") || !strings.Contains(string(feed.raw), "<title>new: "+s.site.URL+"/</title>") {
		t.Errorf("feed: %d %s", feed.status, feed.raw)
	}
	for _, wrong := range []string{"/v2/feeds/" + id, address + "x"} {
		s.do(call{method: http.MethodGet, path: wrong}).want(t, 404)
	}
}
