package api_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/api"
	"github.com/trawlhq/trawl/search/searchtest"
)

func TestWebhookSecret(t *testing.T) {
	t.Parallel()
	s := start(t)
	const path = "/v2/team/webhook-secret"
	first := s.get(path).want(t, http.StatusOK).str("data", "secret")
	if first == "" || s.get(path).str("data", "secret") != first {
		t.Errorf("secret %q", first)
	}
	second := s.do(call{path: path, key: s.key}).want(t, http.StatusOK).str("data", "secret")
	if second == first || s.get(path).str("data", "secret") != second {
		t.Errorf("secret %q after %q", second, first)
	}
	_, stranger := s.newTeam(trawl.Team{Name: "stranger"})
	if s.do(call{method: http.MethodGet, path: path, key: stranger}).want(t, http.StatusOK).str("data", "secret") == second {
		t.Error("two teams have one secret")
	}
	narrow := s.newKey(trawl.Key{TeamID: s.team.ID, SpendLimit: &trawl.SpendLimit{Credits: 1, Interval: trawl.SpendDaily}})
	s.do(call{method: http.MethodGet, path: path, key: narrow}).want(t, http.StatusForbidden)

	shared := start(t, func(c *api.Config) { c.SharedSecret = true })
	shared.get(path).want(t, http.StatusForbidden)
	shared.do(call{path: path, key: shared.key}).want(t, http.StatusForbidden)
}

func TestJobOrder(t *testing.T) {
	t.Parallel()
	s := start(t)
	id := s.post(crawlPath, s.body("/", `"limit":7`, `"excludePaths":["private"]`, `"scrapeOptions":{"headers":{"Authorization":"Basic x"}}`))
	r := s.get("/v2/team/jobs/"+id).want(t, http.StatusOK)
	if r.at("data", "request", "limit") != 7.0 || r.str("data", "request", "url") == "" || !strings.Contains(string(r.raw), `"Authorization":"Basic x"`) || r.str("data", "status") == "" {
		t.Errorf("%s", r.raw)
	}
	again := s.do(call{path: crawlPath, key: s.key, body: string(mustJSON(t, r.at("data", "request")))})
	again.want(t, http.StatusOK)
	batch := s.batch("/", "/other")
	if r := s.get("/v2/team/jobs/"+batch).want(t, http.StatusOK); len(r.at("data", "request", "urls").([]any)) != 2 {
		t.Errorf("%s", r.raw)
	}
	narrow := s.newKey(trawl.Key{TeamID: s.team.ID, AllowedEndpoints: []string{trawl.GroupCrawl}})
	if r := s.do(call{method: http.MethodGet, path: "/v2/team/jobs/" + id, key: narrow}).want(t, http.StatusOK); r.at("data", "request") != nil {
		t.Errorf("a limited key sees the request of another: %s", r.raw)
	}
	own := s.do(call{path: crawlPath, key: narrow, body: s.body("/")}).want(t, http.StatusOK).str("id")
	if r := s.do(call{method: http.MethodGet, path: "/v2/team/jobs/" + own, key: narrow}).want(t, http.StatusOK); r.at("data", "request") == nil {
		t.Errorf("a limited key does not see its own request: %s", r.raw)
	}
	zero := s.post(crawlPath, s.body("/", `"zeroDataRetention":true`))
	if r := s.get("/v2/team/jobs/"+zero).want(t, http.StatusOK); r.at("data", "request") != nil {
		t.Errorf("%s", r.raw)
	}
	_, stranger := s.newTeam(trawl.Team{Name: "stranger"})
	s.do(call{method: http.MethodGet, path: "/v2/team/jobs/" + id, key: stranger}).want(t, http.StatusNotFound)
	s.get("/v2/team/jobs/x").want(t, http.StatusBadRequest)
}

// Maps and searches that failed are listed, as scrapes that did.
func TestFailedMapsAndSearches(t *testing.T) {
	t.Parallel()
	s, engine := startSearching(t, nil)
	engine.Handle(func(url.Values) searchtest.Reply { return searchtest.Reply{Status: http.StatusInternalServerError} })
	if r := s.search(`{"query":"nothing works"}`); r.status == http.StatusOK {
		t.Fatalf("%s", r.raw)
	}
	if r := s.do(call{path: "/v2/map", key: s.key, body: `{"url":"http://127.0.0.1:2/","sitemap":"skip"}`}); r.status == http.StatusOK {
		t.Fatalf("%s", r.raw)
	}
	s.do(call{path: "/v2/map", key: s.key, body: `{"url":"not an address"}`}).want(t, http.StatusBadRequest)
	list := s.get("/v2/team/activity?status=failed").want(t, http.StatusOK)
	found := map[string]string{}
	for _, one := range list.at("data").([]any) {
		item := one.(map[string]any)
		found[item["endpoint"].(string)], _ = item["error_code"].(string)
	}
	if len(found) != 2 || found["search"] == "" || found["map"] == "" {
		t.Errorf("%s", list.raw)
	}
}
