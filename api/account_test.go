package api_test

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/api"
	"github.com/trawlhq/trawl/internal/testtime"
)

func TestAccount(t *testing.T) {
	t.Parallel()
	s := start(t, func(c *api.Config) { c.Features = api.Features{Model: true} })
	r := s.get("/v2/team").want(t, http.StatusOK)
	if r.str("data", "name") == "" || r.at("data", "operator") != false || r.at("data", "features", "model") != true || r.at("data", "features", "browser") != false ||
		r.str("data", "key", "hint") != s.key[len(s.key)-4:] || r.at("data", "credits") != nil {
		t.Errorf("%s", r.raw)
	}
}

func TestUsageAndActivity(t *testing.T) {
	t.Parallel()
	s := start(t)
	s.scrape("/").want(t, http.StatusOK)
	s.do(call{key: s.key, body: `{"url":"http://127.0.0.1:1/","maxAge":0}`}).want(t, http.StatusForbidden)
	usage := s.get("/v2/team/usage?days=2").want(t, http.StatusOK)
	if days := usage.at("data").([]any); len(days) != 1 || days[0].(map[string]any)["credits"] != 1.0 || days[0].(map[string]any)["endpoint"] != "scrape" {
		t.Errorf("%s", usage.raw)
	}
	s.get("/v2/team/usage?days=0").want(t, http.StatusBadRequest)
	done := s.get("/v2/team/activity?status=completed").want(t, http.StatusOK).at("data").([]any)
	if len(done) != 1 || done[0].(map[string]any)["credits"] != 1.0 || done[0].(map[string]any)["error_code"] != nil {
		t.Errorf("completed: %v", done)
	}
	var failed []any
	testtime.Until(t, "the failure is listed, for which nobody waits", func() bool {
		failed = s.get("/v2/team/activity?status=failed").want(t, http.StatusOK).at("data").([]any)
		return len(failed) > 0
	})
	if len(failed) != 1 || failed[0].(map[string]any)["error_code"] == nil || failed[0].(map[string]any)["credits"] != 0.0 {
		t.Errorf("failed: %v", failed)
	}
}

func TestJobList(t *testing.T) {
	t.Parallel()
	s := start(t)
	r := s.do(call{method: http.MethodPost, path: "/v2/batch/scrape", key: s.key, body: fmt.Sprintf(`{"urls":["%s/"]}`, s.site.URL)}).want(t, http.StatusOK)
	list := s.get("/v2/team/jobs?kind=batch_scrape").want(t, http.StatusOK)
	if jobs := list.at("data").([]any); len(jobs) != 1 || jobs[0].(map[string]any)["id"] != r.str("id") || list.at("has_more") != false {
		t.Errorf("%s", list.raw)
	}
	if jobs := s.get("/v2/team/jobs?kind=crawl").want(t, http.StatusOK).at("data").([]any); len(jobs) != 0 {
		t.Errorf("crawls: %v", jobs)
	}
	_, stranger := s.newTeam(trawl.Team{Name: "stranger"})
	if jobs := s.do(call{method: http.MethodGet, path: "/v2/team/jobs", key: stranger}).want(t, http.StatusOK).at("data").([]any); len(jobs) != 0 {
		t.Errorf("jobs of another team: %v", jobs)
	}
	s.get("/v2/team/jobs?cursor=x").want(t, http.StatusBadRequest)
	s.get("/v2/team/jobs?status=lost").want(t, http.StatusBadRequest)
}

// process is what an operator is told of.
type process struct{}

func (process) Settings() []api.Setting {
	return []api.Setting{{Name: "TRAWL_X", Value: "1", Source: "env"}}
}

func (process) Check(context.Context) []api.Check {
	return []api.Check{{Part: "disk", State: "ok", Detail: "roomy"}}
}
func (process) Workers() []api.Workers { return []api.Workers{{Kind: "browser", Running: 1}} }

func (process) Refusals() []api.RefusedTarget {
	return []api.RefusedTarget{{Host: "inside.example", Reason: "loopback", Count: 2}}
}

func (process) Disk() (int64, bool) { return 7, true }

func TestServer(t *testing.T) {
	t.Parallel()
	s := start(t, func(c *api.Config) { c.Operation = process{} })
	routes := []string{"/v2/server", "/v2/server/checks", "/v2/server/teams", "/v2/server/refusals"}
	for _, path := range routes {
		if r := s.get(path).want(t, http.StatusForbidden); !strings.Contains(r.str("error"), "operator") {
			t.Errorf("%s: %s", path, r.raw)
		}
	}
	team, _ := s.newTeam(trawl.Team{Name: "operators"})
	secret := s.newKey(trawl.Key{TeamID: team.ID, Operator: true})
	answers := map[string]reply{}
	for _, path := range routes {
		answers[path] = s.do(call{method: http.MethodGet, path: path, key: secret}).want(t, http.StatusOK)
	}
	if r := answers["/v2/server"]; r.at("data", "freeDisk") != 7.0 || len(r.at("data", "settings").([]any)) != 1 || r.at("data", "queue", "oldest") != nil {
		t.Errorf("%s", r.raw)
	}
	if r := answers["/v2/server/refusals"]; len(r.at("data").([]any)) != 1 || len(answers["/v2/server"].at("data", "workers").([]any)) != 1 {
		t.Errorf("%s", r.raw)
	}
	if r := answers["/v2/server/checks"]; len(r.at("data").([]any)) != 1 {
		t.Errorf("%s", r.raw)
	}
	if r := answers["/v2/server/teams"]; len(r.at("data").([]any)) < 2 {
		t.Errorf("%s", r.raw)
	}
}
