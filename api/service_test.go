package api_test

import (
	"encoding/json"
	"net/http"
	"net/netip"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/api"
)

// TestAnswersAreDocumented compares content types with the OpenAPI document.
func TestAnswersAreDocumented(t *testing.T) {
	t.Parallel()
	s := start(t)
	paths, _ := s.get("/openapi.json").want(t, http.StatusOK).at("paths").(map[string]any)
	for path, item := range paths {
		op, _ := item.(map[string]any)["get"].(map[string]any)
		answers, _ := op["responses"].(map[string]any)
		answer, _ := answers["200"].(map[string]any)
		content, _ := answer["content"].(map[string]any)
		if answer != nil && len(content) == 0 {
			t.Errorf("%s: the document does not say what is answered", path)
		}
		if answer == nil || strings.Contains(path, "{") || strings.HasPrefix(path, "/live/") {
			continue
		}
		served, _, _ := strings.Cut(s.get(path).header.Get("Content-Type"), ";")
		if content[served] == nil {
			t.Errorf("%s: %s, documented %v", path, served, content)
		}
	}
}

// TestRoutesAreDocumented compares the route table with the OpenAPI document.
func TestRoutesAreDocumented(t *testing.T) {
	t.Parallel()
	s := start(t)
	document := s.get("/openapi.json").want(t, http.StatusOK)
	if version := document.str("openapi"); !strings.HasPrefix(version, "3.1") {
		t.Errorf("OpenAPI %s", version)
	}
	paths, _ := document.at("paths").(map[string]any)
	documented := map[string]bool{}
	for path, item := range paths {
		for method := range item.(map[string]any) {
			documented[strings.ToUpper(method)+" "+path] = true
		}
	}
	routes := s.api.Routes()
	if len(routes) == 0 {
		t.Fatal("no routes")
	}
	for _, route := range routes {
		if !documented[route] {
			t.Errorf("%s is not in the OpenAPI document", route)
		}
		delete(documented, route)
	}
	for route := range documented {
		t.Errorf("%s is documented but not served", route)
	}
	for _, key := range []string{"ScrapeRequest", "Document", "ErrorBody", "FormatScreenshot"} {
		if document.at("components", "schemas", key) == nil {
			t.Errorf("no schema %s", key)
		}
	}
	request := document.at("components", "schemas", "ScrapeRequest", "properties")
	encoded, _ := json.Marshal(request)
	for _, want := range []string{`"maximum":300000`, `"default":30000`, `"default":true`, `"default":"auto"`} {
		if !strings.Contains(string(encoded), want) {
			t.Errorf("the schema of a scrape lacks %s", want)
		}
	}
	properties := []string{"components", "schemas", "SessionRequest", "properties"}
	for field, want := range map[string]any{"ttl": 600.0, "activityTtl": 300.0, "streamWebView": true} {
		if got := document.at(append(properties, field, "default")...); got != want {
			t.Errorf("%s of a session has the default %v, want %v", field, got, want)
		}
	}
	ended := document.at("paths", "/v2/browser/{id}", "delete", "responses", "200", "content", "application/json", "schema", "$ref")
	if ended != "#/components/schemas/SessionEnded" {
		t.Errorf("the end of a session is answered with %v", ended)
	}
}

func TestDocsLoadNothing(t *testing.T) {
	t.Parallel()
	s := start(t)
	r := s.get("/docs").want(t, http.StatusOK)
	if loads := regexp.MustCompile(`(?i)<(script|link|img|iframe)|@import|url\(|src=`).FindAllString(string(r.raw), -1); loads != nil {
		t.Errorf("the page loads: %q", loads)
	}
	if policy := r.header.Get("Content-Security-Policy"); !strings.Contains(policy, "default-src 'none'") {
		t.Errorf("policy: %s", policy)
	}
	for _, text := range []string{"/v2/scrape", "onlyMainContent", "skipTlsVerification", s.server.URL} {
		if !strings.Contains(string(r.raw), text) {
			t.Errorf("the page lacks %s", text)
		}
	}
}

// TestStrays asks for what is not there.
func TestStrays(t *testing.T) {
	t.Parallel()
	s := start(t)
	for _, path := range []string{"/nothing", "/v2", "/v2/", "/v2/agent", "/v1", "/v1/agent", "/docs/x", "//healthz", "/./healthz", "/v2/../healthz", "/v2//../healthz"} {
		if r := s.get(path).want(t, http.StatusNotFound); r.str("error") == "" {
			t.Errorf("%s: %s", path, r.raw)
		}
	}
	for _, c := range []call{
		{method: http.MethodGet, path: "/v2/scrape"}, {method: http.MethodDelete, path: "/v2/scrape"},
		{method: http.MethodPost, path: "/healthz"}, {method: http.MethodPut, path: "/v2/team/activity"},
	} {
		r := s.do(c).want(t, http.StatusMethodNotAllowed)
		if r.header.Get("Allow") == "" {
			t.Errorf("%s %s: no Allow header", c.method, c.path)
		}
	}
	for _, id := range []string{"x", "1234", strings.Repeat("a", 36), "{00000000-0000-0000-0000-000000000000}"} {
		if r := s.get("/v2/scrape/"+url.PathEscape(id)).want(t, http.StatusBadRequest); r.str("error") != "Invalid job ID format. Job ID must be a valid UUID." {
			t.Errorf("%s: %s", id, r.raw)
		}
	}
}

func TestHealth(t *testing.T) {
	t.Parallel()
	s := start(t, func(c *api.Config) { c.Browser = func() string { return "does not start" } })
	s.do(call{method: http.MethodGet, path: "/healthz"}).want(t, http.StatusOK)
	if r := s.do(call{method: http.MethodGet, path: "/readyz"}).want(t, http.StatusOK); r.str("status") != "ready" || r.str("browser") != "does not start" {
		t.Errorf("%s", r.raw)
	}
	s.scrape("/").want(t, http.StatusOK)
	metrics := string(s.do(call{method: http.MethodGet, path: "/metrics"}).want(t, http.StatusOK).raw)
	for _, line := range []string{`trawl_scrapes_total{outcome="ok"} 1`, `trawl_http_request_seconds_count{route="POST /v2/scrape",status="200"} 1`, "go_goroutines"} {
		if !strings.Contains(metrics, line) {
			t.Errorf("metrics lack %s", line)
		}
	}
	s.api.Drain()
	s.do(call{method: http.MethodGet, path: "/healthz"}).want(t, http.StatusOK)
	s.do(call{method: http.MethodGet, path: "/readyz"}).want(t, http.StatusServiceUnavailable)
	s.scrape("/").want(t, http.StatusOK) // what still arrives is served
	_ = s.store.Close()
	s.do(call{method: http.MethodGet, path: "/readyz"}).want(t, http.StatusServiceUnavailable)
}

func TestStoreFailureIsOpaque(t *testing.T) {
	t.Parallel()
	s := start(t)
	_ = s.store.Close()
	r := s.scrape("/").want(t, http.StatusInternalServerError)
	if r.str("code") != "UNKNOWN_ERROR" || !strings.Contains(r.str("error"), r.header.Get("X-Request-Id")) {
		t.Errorf("%s", r.raw)
	}
	if strings.Contains(string(r.raw), "sql") {
		t.Errorf("the answer tells of the inside: %s", r.raw)
	}
}

func TestRequestID(t *testing.T) {
	t.Parallel()
	s := start(t)
	for given, kept := range map[string]bool{"abc-123": true, "": false, "a b": false, strings.Repeat("x", 200): false} {
		r := s.do(call{method: http.MethodGet, path: "/healthz", header: map[string]string{"X-Request-Id": given}})
		if got := r.header.Get("X-Request-Id"); got == "" || (got == given) != kept {
			t.Errorf("request id %q becomes %q", given, got)
		}
	}
}

func TestCORS(t *testing.T) {
	t.Parallel()
	s := start(t)
	r := s.do(call{method: http.MethodOptions, path: "/v2/scrape", header: map[string]string{
		"Origin": "https://app.example", "Access-Control-Request-Method": "POST", "Access-Control-Request-Headers": "authorization",
	}})
	if r.status != http.StatusNoContent || r.header.Get("Access-Control-Allow-Origin") != "*" ||
		!strings.Contains(r.header.Get("Access-Control-Allow-Headers"), "Authorization") {
		t.Errorf("%d %v", r.status, r.header)
	}
}

func TestAbsoluteURLs(t *testing.T) {
	t.Parallel()
	forwarded := map[string]string{"X-Forwarded-Proto": "https", "X-Forwarded-Host": "api.example.com"}
	loopback := []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}
	for _, row := range []struct {
		name    string
		public  string
		trusted []netip.Prefix
		header  map[string]string
		want    string
	}{
		{"from the request", "", nil, map[string]string{"Host": "here.example"}, "http://here.example/docs"},
		{"strangers' headers do not count", "", nil, map[string]string{"Host": "here.example", "X-Forwarded-Host": "evil.example"}, "http://here.example/docs"},
		{"a trusted proxy's do", "", loopback, forwarded, "https://api.example.com/docs"},
		{"unless they are no host", "", loopback, map[string]string{"Host": "here.example", "X-Forwarded-Host": `x"/><script>`}, "http://here.example/docs"},
		{"the setting wins", "https://public.example/base/", loopback, forwarded, "https://public.example/base/docs"},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			s := start(t, func(c *api.Config) {
				c.TrustedProxies = row.trusted
				if row.public != "" {
					c.PublicURL, _ = url.Parse(row.public)
				}
			})
			r := s.do(call{method: http.MethodGet, path: "/", header: row.header}).want(t, http.StatusOK)
			if got := r.str("documentation_url"); got != row.want {
				t.Errorf("%s, want %s", got, row.want)
			}
		})
	}
}

// TestOtherTeamsAreInvisible takes ids of one team to every route that has one,
// with the key of another.
func TestOtherTeamsAreInvisible(t *testing.T) {
	t.Parallel()
	s := start(t)
	ids := map[string]string{
		"/v2/scrape/": s.scrape("/").want(t, http.StatusOK).str("data", "metadata", "scrapeId"),
		"/v2/crawl/":  s.post(crawlPath, s.body("/")), "/v2/batch/": s.batch("/"),
		"/v2/extract/": s.post(extractPath, s.extractOf("/", `"schema":`+productSchema)),
	}
	_, stranger := s.newTeam(trawl.Team{Name: "stranger"})
	found := 0
	for _, route := range s.api.Routes() {
		method, pattern, _ := strings.Cut(route, " ")
		if !strings.Contains(pattern, "{id}") { // a file is for everyone who has its signed address
			continue
		}
		if tested := strings.HasPrefix(pattern, "/v2/browser/") || strings.HasPrefix(pattern, "/v2/interact/"); tested {
			continue // by TestSessionOfOthers
		}
		if strings.HasSuffix(pattern, "/interact") {
			continue // by TestInteractOfOthers
		}
		found++
		var id string
		for prefix := range ids {
			if strings.HasPrefix(pattern, prefix) {
				id = ids[prefix]
			}
		}
		if id == "" {
			continue // keys have numbers: TestKeys
		}
		path := regexp.MustCompile(`\{[^}]*\}`).ReplaceAllString(pattern, id)
		body := ""
		if method == http.MethodPost {
			body = "{}"
		}
		own := s.do(call{method: method, path: path, key: stranger, body: body}).want(t, http.StatusNotFound)
		unknown := s.do(call{method: method, path: strings.ReplaceAll(path, id, unknownID), key: stranger, body: body})
		if string(own.raw) != string(unknown.raw) {
			t.Errorf("%s tells another team's id from an unknown one: %s, %s", route, own.raw, unknown.raw)
		}
		if r := s.do(call{method: method, path: path, key: s.key, body: body}); r.status != http.StatusOK && r.status != http.StatusNotImplemented {
			t.Errorf("%s: %d %s", route, r.status, r.raw)
		}
	}
	if found == 0 {
		t.Error("no route has an id")
	}
	if list := s.do(call{method: http.MethodGet, path: "/v2/crawl/active", key: stranger}); len(list.at("crawls").([]any)) != 0 {
		t.Errorf("crawls of another team: %s", list.raw)
	}
	if list := s.do(call{method: http.MethodGet, path: "/v2/team/activity", key: stranger}); len(list.at("data").([]any)) != 0 {
		t.Errorf("activity of another team: %s", list.raw)
	}
}
