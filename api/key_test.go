package api_test

import (
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/api"
)

func TestKeys(t *testing.T) {
	t.Parallel()
	s := start(t)
	created := s.do(call{method: http.MethodPost, path: "/v2/team/api-keys", key: s.key, body: `{"name":"robot"}`}).want(t, http.StatusOK)
	secret, id := created.str("apiKey", "token"), int64(created.at("apiKey", "id").(float64))
	if !strings.HasPrefix(secret, "fc-") || id <= 0 || created.str("apiKey", "name") != "robot" || created.at("apiKey", "spendLimit") != nil {
		t.Fatalf("%s", created.raw)
	}
	s.do(call{method: http.MethodPost, path: "/v2/team/api-keys", key: secret}).want(t, http.StatusOK) // works at once, and needs no name
	s.do(call{key: secret, body: s.body("/")}).want(t, http.StatusOK)
	one := fmt.Sprintf("/v2/team/api-keys/%d", id)
	renamed := s.do(call{method: http.MethodPatch, path: one, key: s.key, body: `{"name":"other"}`}).want(t, http.StatusOK)
	if renamed.str("apiKey", "name") != "other" || renamed.at("apiKey", "creditsUsed") != 1.0 || renamed.at("apiKey", "lastUsedOn") == nil {
		t.Errorf("%s", renamed.raw)
	}
	list := s.get("/v2/team/api-keys").want(t, http.StatusOK)
	keys := list.at("data").([]any)
	mine := keys[1].(map[string]any)
	if len(keys) != 3 || mine["name"] != "other" || mine["creditsUsed"] != 1.0 || mine["lastUsedOn"] == nil || mine["operator"] != false || strings.Contains(string(list.raw), secret) {
		t.Errorf("%s", list.raw)
	}
	for _, body := range []string{`{"name":""}`, `{"name":7}`, `{"name":"` + strings.Repeat("x", 256) + `"}`} {
		s.do(call{method: http.MethodPost, path: "/v2/team/api-keys", key: s.key, body: body}).want(t, http.StatusBadRequest)
	}
	s.do(call{method: http.MethodPatch, path: one, key: s.key, body: `{}`}).want(t, http.StatusBadRequest)
	_, stranger := s.newTeam(trawl.Team{Name: "stranger"})
	for _, method := range []string{http.MethodPatch, http.MethodDelete} {
		s.do(call{method: method, path: one, key: stranger, body: `{"name":"theirs"}`}).want(t, http.StatusNotFound)
		s.do(call{method: method, path: "/v2/team/api-keys/x", key: s.key, body: `{"name":"x"}`}).want(t, http.StatusBadRequest)
	}
	s.do(call{method: http.MethodDelete, path: one, key: s.key}).want(t, http.StatusOK)
	s.clock.advance(2 * api.KeyMemory)
	s.do(call{key: secret, body: s.body("/")}).want(t, http.StatusUnauthorized)
}

// change sends a PATCH for a key, or a POST for a new one if it has no id.
func (s *service) change(id any, key, body string) reply {
	s.t.Helper()
	if id == nil {
		return s.do(call{method: http.MethodPost, path: "/v2/team/api-keys", key: key, body: body})
	}
	return s.do(call{method: http.MethodPatch, path: fmt.Sprintf("/v2/team/api-keys/%.0f", id), key: key, body: body})
}

func TestKeyLimits(t *testing.T) {
	t.Parallel()
	s := start(t)
	made := s.change(nil, s.key, `{"name":"agent","spendLimit":{"credits":3,"interval":"month"},"allowedEndpoints":["scrape","crawl","scrape"],
		"allowedFormats":["markdown","extract","screenshot@fullPage"],"expiresAt":"2099-01-02T03:04:05Z","origin":"test","integration":"test"}`).want(t, http.StatusOK)
	want := map[string]string{
		"allowedEndpoints": "[scrape crawl]", "allowedFormats": "[markdown json screenshot]", "spendLimit": "map[credits:3 interval:month]", "expiresAt": "2099-01-02T03:04:05.000Z",
	}
	for name, value := range want {
		if got := fmt.Sprint(made.at("apiKey", name)); got != value {
			t.Errorf("%s is %s, want %s", name, got, value)
		}
	}
	id, secret := made.at("apiKey", "id"), made.str("apiKey", "token")
	s.do(call{key: secret, body: s.body("/")}).want(t, http.StatusOK)
	changed := s.change(id, s.key, `{"spendLimit":{"credits":1,"interval":"day"}}`).want(t, http.StatusOK)
	if changed.at("apiKey", "spent") != 1.0 || changed.str("apiKey", "name") != "agent" || fmt.Sprint(changed.at("apiKey", "allowedEndpoints")) != "[scrape crawl]" {
		t.Errorf("%s", changed.raw)
	}
	s.clock.advance(2 * api.KeyMemory)
	refused := s.do(call{key: secret, body: s.body("/")}).want(t, http.StatusPaymentRequired)
	if !strings.Contains(refused.str("error"), "spend limit of 1 credits per day") {
		t.Errorf("%s", refused.raw)
	}
	s.clock.advance(25 * time.Hour)
	s.do(call{key: secret, body: s.body("/")}).want(t, http.StatusOK) // another day
	if r := s.do(call{method: http.MethodGet, path: "/v2/team", key: secret}).want(t, http.StatusOK); r.at("data", "key", "spendLimit", "credits") != 1.0 {
		t.Errorf("%s", r.raw)
	}
	open := s.change(id, s.key, `{"spendLimit":null,"allowedEndpoints":[],"allowedFormats":null,"expiresAt":null,"name":null}`).want(t, http.StatusOK)
	if open.at("apiKey", "spendLimit") != nil || fmt.Sprint(open.at("apiKey", "allowedFormats")) != "[]" || open.at("apiKey", "expiresAt") != nil || open.at("apiKey", "spent") != 2.0 {
		t.Errorf("%s", open.raw)
	}
	for _, body := range []string{
		`{"spendLimit":{"credits":0,"interval":"day"}}`, `{"spendLimit":{"credits":1,"interval":"year"}}`, `{"spendLimit":{"credits":1.5,"interval":"day"}}`,
		`{"spendLimit":{"credits":1}}`, `{"spendLimit":{"credits":1,"interval":"day","more":1}}`, `{"spendLimit":5}`, `{"allowedEndpoints":["team"]}`,
		`{"allowedEndpoints":"scrape"}`, `{"allowedFormats":["word"]}`, `{"expiresAt":"2001-01-01T00:00:00Z"}`, `{"expiresAt":"soon"}`, `{"scopes":[]}`,
	} {
		s.change(nil, s.key, body).want(t, http.StatusBadRequest)
		s.change(id, s.key, body).want(t, http.StatusBadRequest)
	}
	s.change(id, s.key, `{"origin":"test"}`).want(t, http.StatusBadRequest)
}

// A key that may do less than its team makes none that may do more.
func TestLimitedKeysManageNone(t *testing.T) {
	t.Parallel()
	s := start(t)
	for name, key := range map[string]trawl.Key{
		"endpoints": {AllowedEndpoints: []string{trawl.GroupScrape}}, "formats": {AllowedFormats: []string{trawl.FormatMarkdown}},
		"spend": {SpendLimit: &trawl.SpendLimit{Credits: 100, Interval: trawl.SpendDaily}}, "expiry": {ExpiresAt: s.clock.now().Add(time.Hour)},
	} {
		key.TeamID = s.team.ID
		secret := s.newKey(key)
		for _, method := range []string{http.MethodGet, http.MethodPost} {
			if r := s.do(call{method: method, path: "/v2/team/api-keys", key: secret}); r.status != http.StatusForbidden {
				t.Errorf("%s: %s %d %s", name, method, r.status, r.raw)
			}
		}
		s.do(call{method: http.MethodGet, path: "/v2/team/usage", key: secret}).want(t, http.StatusOK)
	}
	s.change(nil, s.key, `{"operator":true}`).want(t, http.StatusForbidden)
	operator := s.newKey(trawl.Key{TeamID: s.team.ID, Operator: true})
	if r := s.change(nil, operator, `{"operator":true}`).want(t, http.StatusOK); r.at("apiKey", "operator") != true {
		t.Errorf("%s", r.raw)
	}
}

func TestRestrictedEndpoints(t *testing.T) {
	t.Parallel()
	s := start(t)
	secret := s.newKey(trawl.Key{TeamID: s.team.ID, AllowedEndpoints: []string{trawl.GroupScrape, trawl.GroupMap}})
	s.do(call{key: secret, body: s.body("/")}).want(t, http.StatusOK)
	r := s.do(call{path: "/v2/crawl", key: secret, body: s.body("/")}).want(t, http.StatusForbidden)
	if !strings.HasPrefix(r.str("error"), "Request blocked: this API key is restricted to the following endpoints: scrape, map.") {
		t.Errorf("%s", r.raw)
	}
	operator := s.newKey(trawl.Key{TeamID: s.team.ID, AllowedEndpoints: []string{trawl.GroupScrape}, Operator: true})
	s.do(call{method: http.MethodGet, path: "/v2/server", key: operator}).want(t, http.StatusForbidden)
	for pattern, group := range s.api.Groups() {
		method, path, _ := strings.Cut(pattern, " ")
		path = strings.NewReplacer("{id}", "0197a3c4-0000-7000-8000-000000000000", "{name}", "x", "{key}", "x").Replace(path)
		r := s.do(call{method: method, path: path, key: secret, body: "{}"})
		blocked := strings.HasPrefix(r.str("error"), "Request blocked")
		if want := !slices.Contains([]string{"open", trawl.GroupScrape, trawl.GroupMap}, group); blocked != want {
			t.Errorf("%s of group %q: %d %s", pattern, group, r.status, r.raw)
		}
	}
}

// A route that belongs to no group is refused to restricted keys. Those that are meant
// to be so are listed here; any other needs its family in restrict.go.
func TestEveryRouteHasGroup(t *testing.T) {
	t.Parallel()
	s := start(t)
	groups := append(trawl.EndpointGroups(), "open")
	for pattern, group := range s.api.Groups() {
		_, path, _ := strings.Cut(pattern, " ")
		without := slices.ContainsFunc([]string{"/v2/server", "/v2/team/api-keys", "/v2/team/webhook-secret"}, func(p string) bool { return strings.HasPrefix(path, p) })
		if without != (group == "") || group != "" && !slices.Contains(groups, group) {
			t.Errorf("%s has the group %q", pattern, group)
		}
	}
	for pattern, want := range map[string]string{
		"POST /v2/scrape": trawl.GroupScrape, "GET /v2/batch/scrape/{id}/errors": trawl.GroupBatch, "DELETE /v2/crawl/{id}": trawl.GroupCrawl,
		"POST /v2/scrape/{id}/interact": trawl.GroupBrowser, "POST /v2/interact": trawl.GroupBrowser, "GET /v2/browser/profiles": trawl.GroupBrowser,
		"GET /v2/parse/formats": trawl.GroupParse, "GET /v2/team/usage": "open", "GET /v2/concurrency-check": "open",
	} {
		if got := s.api.Groups()[pattern]; got != want {
			t.Errorf("%s has the group %q, want %q", pattern, got, want)
		}
	}
}

func TestRestrictedFormats(t *testing.T) {
	t.Parallel()
	s := start(t)
	secret := s.newKey(trawl.Key{TeamID: s.team.ID, AllowedFormats: []string{trawl.FormatMarkdown, trawl.FormatLinks}})
	const blocked = "Request blocked: this API key is restricted to the following formats: markdown, links. Requested formats not allowed: "
	for _, c := range []struct{ path, body, want string }{
		{"/v2/scrape", s.body("/"), ""},
		{"/v2/scrape", s.body("/", `"formats":["links",{"type":"markdown"}]`), ""},
		{"/v2/scrape", s.body("/", `"formats":["markdown","rawHtml","html","rawHtml"]`), blocked + "rawHtml, html."},
		{"/v2/scrape", s.body("/", `"actions":[{"type":"wait","milliseconds":1},{"type":"pdf"}]`), `Request blocked: the "pdf" action returns page content`},
		{"/v2/scrape", s.body("/", `"actions":[{"type":"scrape"}]`), `Request blocked: the "scrape" action`},
		{"/v2/scrape", s.body("/", `"actions":[{"type":"executeJavascript","script":"1"}]`), `Request blocked: the "executeJavascript" action`},
		{"/v2/scrape", s.body("/", `"actions":[{"type":"screenshot"}]`), `Request blocked: the "screenshot" action`},
		{"/v2/batch/scrape", `{"urls":["` + s.site.URL + `"],"formats":["html"]}`, blocked + "html."},
		{"/v2/crawl", s.body("/", `"scrapeOptions":{"formats":["screenshot"]}`), blocked + "screenshot."},
		{"/v2/crawl", s.body("/"), ""},
		{"/v2/search", `{"query":"x","scrapeOptions":{"formats":["html"]}}`, blocked + "html."},
		{"/v2/map", s.body("/"), ""},
		{"/v2/extract", `{"urls":["` + s.site.URL + `"],"prompt":"x"}`, blocked + "json."},
		{"/v2/browser", `{}`, blocked + "rawHtml."},
		{"/v2/monitor", `{"name":"x","schedule":{"text":"hourly"},"targets":[{"type":"scrape","urls":["` + s.site.URL + `"],"scrapeOptions":{"formats":["html"]}}]}`, blocked + "html."},
	} {
		r := s.do(call{path: c.path, key: secret, body: c.body})
		if c.want == "" && r.status != http.StatusOK || c.want != "" && (r.status != http.StatusForbidden || !strings.HasPrefix(r.str("error"), c.want)) {
			t.Errorf("%s %s: %d %s, want %q", c.path, c.body, r.status, r.raw, c.want)
		}
	}
	upload := s.newKey(trawl.Key{TeamID: s.team.ID, AllowedFormats: []string{trawl.FormatScreenshot}})
	s.do(call{key: upload, body: s.body("/", `"formats":[],"actions":[{"type":"screenshot"}]`)}).want(t, http.StatusBadRequest) // there is no browser
	other := s.in(t)
	if other.key = upload; other.parse(part{"file", "report.pdf", twoPages}).status != http.StatusForbidden {
		t.Error("a file becomes markdown with a key for screenshots")
	}
}

// Whatever takes options of a scrape has them checked against the key.
func TestOptionsAreCheckedInOnePlace(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	check := regexp.MustCompile(`Scraper\.Check\(`)
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if check.Match(text) && name != "restrict.go" && !strings.HasSuffix(name, "_test.go") {
			t.Errorf("%s checks options itself: checkOptions also knows what the key may ask for", name)
		}
	}
}
