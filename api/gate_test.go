package api_test

import (
	"fmt"
	"io"
	"net/http"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/api"
)

func TestAuthentication(t *testing.T) {
	t.Parallel()
	s := start(t)
	expired := s.newKey(trawl.Key{TeamID: s.team.ID, Name: "expired", ExpiresAt: s.clock.now().Add(-time.Second)})
	revoked := s.newKey(trawl.Key{TeamID: s.team.ID, Name: "revoked"})
	s.revoke("revoked")
	for _, row := range []struct{ name, header, message string }{
		{"no header", "", "Unauthorized"},
		{"no token", "Bearer", "Unauthorized: Token missing"},
		{"blank token", "Bearer   ", "Unauthorized: Token missing"},
		{"other scheme", "Basic " + s.key, "Unauthorized: Token missing"},
		{"unknown", "Bearer " + trawl.NewSecret(), "Unauthorized: Invalid token"},
		{"expired", "Bearer " + expired, "Unauthorized: Invalid token"},
		{"revoked", "Bearer " + revoked, "Unauthorized: Invalid token"},
		{"hash instead of key", "Bearer " + trawl.HashSecret(s.key), "Unauthorized: Invalid token"},
	} {
		t.Run(row.name, func(t *testing.T) {
			r := s.do(call{body: s.body("/"), header: map[string]string{"Authorization": row.header}}).want(t, http.StatusUnauthorized)
			if r.str("error") != row.message || r.json["code"] != nil {
				t.Errorf("%s", r.raw)
			}
		})
	}
	s.twice("Authorization", "Bearer "+s.key, "Bearer "+s.key)
	s.twice("Authorization", "Bearer "+s.key, "Bearer fc-wrong")
	s.twice("Authorization", "", "Bearer "+s.key)
	s.twice("X-Idempotency-Key", "one", "two")
	s.twice("Content-Type", "application/json", "text/plain")
	for _, header := range []string{"Bearer " + s.key, "bearer " + s.key} {
		s.do(call{body: s.body("/"), header: map[string]string{"Authorization": header}}).want(t, http.StatusOK)
	}
}

// twice sends a request that has a header twice, and wants it refused.
func (s *service) twice(name string, values ...string) {
	s.t.Helper()
	req, err := http.NewRequestWithContext(s.t.Context(), http.MethodPost, s.server.URL+"/v2/batch/scrape", strings.NewReader(`{"urls":["http://127.0.0.1:2/"]}`))
	if err != nil {
		s.t.Fatal(err)
	}
	req.Header.Set("Authorization", "Bearer "+s.key)
	req.Header[name] = values
	resp, err := s.server.Client().Do(req)
	if err != nil {
		s.t.Fatal(err)
	}
	defer resp.Body.Close()
	if body, _ := io.ReadAll(resp.Body); resp.StatusCode != http.StatusBadRequest || !strings.Contains(string(body), name+" is given twice.") {
		s.t.Errorf("%s %q: %d %s", name, values, resp.StatusCode, body)
	}
}

// revoke revokes a key of the default team by its name.
func (s *service) revoke(name string) {
	s.t.Helper()
	keys, err := s.store.Keys(s.t.Context(), s.team.ID)
	if err != nil {
		s.t.Fatal(err)
	}
	for _, key := range keys {
		if key.Name == name {
			if err := s.store.RevokeKey(s.t.Context(), key.ID); err != nil {
				s.t.Fatal(err)
			}
		}
	}
}

func TestRevokedKeyStops(t *testing.T) {
	t.Parallel()
	s := start(t)
	s.scrape("/").want(t, http.StatusOK)
	s.revoke("test")
	s.get("/v2/team/credit-usage").want(t, http.StatusUnauthorized)
	s.clock.advance(api.KeyMemory)
	s.scrape("/").want(t, http.StatusUnauthorized)
}

func TestGrantActsAtOnce(t *testing.T) {
	t.Parallel()
	s := start(t)
	one := int64(1)
	team, key := s.newTeam(trawl.Team{Name: "one", Credits: &one})
	s.do(call{key: key, body: s.body("/")}).want(t, http.StatusOK)
	s.do(call{key: key, body: s.body("/")}).want(t, http.StatusPaymentRequired)
	if _, err := s.store.Grant(t.Context(), team.ID, 1); err != nil {
		t.Fatal(err)
	}
	s.do(call{key: key, body: s.body("/")}).want(t, http.StatusOK)
}

// TestOrderOfChecks sends requests that are wrong in several ways at once.
func TestOrderOfChecks(t *testing.T) {
	t.Parallel()
	s := start(t, func(c *api.Config) { c.Rates[api.ClassScrape] = 1 })
	broke := int64(0)
	_, poor := s.newTeam(trawl.Team{Name: "poor", Credits: &broke})
	s.do(call{body: "{"}).want(t, http.StatusBadRequest)                              // syntax before key
	s.do(call{body: `{"nonsense":1}`}).want(t, http.StatusUnauthorized)               // key before validation
	s.do(call{key: poor, body: `{"nonsense":1}`}).want(t, http.StatusPaymentRequired) // credits before validation
	s.do(call{key: poor, body: `{"nonsense":1}`}).want(t, http.StatusTooManyRequests) // rate before credits
	large := `{"url":"` + strings.Repeat("a", 1<<20) + `"}`
	s.do(call{body: large}).want(t, http.StatusUnauthorized) // a large body is not read for strangers
}

func TestRateLimit(t *testing.T) {
	t.Parallel()
	s := start(t, func(c *api.Config) { c.Rates[api.ClassScrape] = 2 })
	for remaining := 1; remaining >= 0; remaining-- {
		r := s.scrape("/").want(t, http.StatusOK)
		if got := r.header.Get("RateLimit-Policy"); got != `"scrape";q=2;w=60` {
			t.Errorf("RateLimit-Policy: %s", got)
		}
		if got := r.header.Get("RateLimit"); !strings.HasPrefix(got, fmt.Sprintf(`"scrape";r=%d;t=`, remaining)) {
			t.Errorf("RateLimit: %s", got)
		}
	}
	r := s.scrape("/").want(t, http.StatusTooManyRequests)
	if retry := r.header.Get("Retry-After"); !regexp.MustCompile(`^([1-9]|[1-5]\d|60)$`).MatchString(retry) {
		t.Errorf("Retry-After: %q", retry)
	}
	_, other := s.newTeam(trawl.Team{Name: "other"})
	s.do(call{key: other, body: s.body("/")}).want(t, http.StatusOK) // teams do not share a limit
	s.get("/v2/concurrency-check").want(t, http.StatusOK)            // nor do classes
	s.clock.advance(time.Minute)
	s.scrape("/").want(t, http.StatusOK)
}

func TestCredits(t *testing.T) {
	t.Parallel()
	s := start(t)
	three := int64(3)
	_, key := s.newTeam(trawl.Team{Name: "three", Credits: &three, Granted: 3})
	usage := func() any {
		return s.do(call{method: http.MethodGet, path: "/v2/team/credit-usage", key: key}).want(t, http.StatusOK).at("data", "remainingCredits")
	}
	s.do(call{key: key, body: s.body("/missing")}).want(t, http.StatusOK) // an error page of the target costs
	if got := usage(); got != 2.0 {
		t.Errorf("%v credits left, want 2", got)
	}
	s.do(call{key: key, body: `{"url":"http://127.0.0.1:2/"}`}).want(t, http.StatusInternalServerError) // a failed scrape does not
	if got := usage(); got != 2.0 {
		t.Errorf("%v credits left, want 2", got)
	}
	var wg sync.WaitGroup
	var mu sync.Mutex
	statuses := map[int]int{}
	for i := range 8 {
		wg.Go(func() {
			r := s.do(call{key: key, body: s.body(fmt.Sprintf("/?n=%d", i))})
			mu.Lock()
			statuses[r.status]++
			mu.Unlock()
		})
	}
	wg.Wait()
	if statuses[http.StatusOK] != 2 || statuses[http.StatusPaymentRequired] != 6 {
		t.Errorf("eight requests on two credits: %v", statuses)
	}
	if got := usage(); got != 0.0 {
		t.Errorf("%v credits left, want 0", got)
	}
}

func TestConcurrency(t *testing.T) {
	t.Parallel()
	s := start(t)
	_, key := s.newTeam(trawl.Team{Name: "one at a time", Concurrency: 1})
	arrived, proceed := make(chan struct{}, 10), make(chan struct{})
	s.site.mux.HandleFunc("/slow", func(http.ResponseWriter, *http.Request) { arrived <- struct{}{}; <-proceed })
	check := func() reply {
		return s.do(call{method: http.MethodGet, path: "/v2/team/queue-status", key: key}).want(t, http.StatusOK)
	}
	release := sync.OnceFunc(func() { close(proceed) })
	var wg sync.WaitGroup
	defer wg.Wait()
	defer release()
	results := make([]reply, 2)
	wg.Go(func() { results[0] = s.do(call{key: key, body: s.body("/slow?1", `"timeout":300000`)}) })
	<-arrived
	r := s.do(call{key: key, body: s.body("/slow?2", `"timeout":3000`)})
	if r.status != http.StatusRequestTimeout || r.str("code") != "CONCURRENCY_QUEUE_TIMEOUT" {
		t.Errorf("%d %s", r.status, r.raw)
	}
	wg.Go(func() { results[1] = s.do(call{key: key, body: s.body("/slow?3", `"timeout":300000`)}) })
	for check().at("waitingJobsInQueue") != 1.0 {
		time.Sleep(time.Millisecond)
	}
	if c := s.do(call{method: http.MethodGet, path: "/v2/concurrency-check", key: key}); c.at("concurrency") != 1.0 || c.at("maxConcurrency") != 1.0 {
		t.Errorf("%s", c.raw)
	}
	s.scrape("/").want(t, http.StatusOK) // another team is not held up
	release()
	wg.Wait()
	if results[0].at("data", "metadata", "concurrencyLimited") != false {
		t.Errorf("first: %s", results[0].raw)
	}
	if results[1].at("data", "metadata", "concurrencyLimited") != true || results[1].at("data", "metadata", "concurrencyQueueDurationMs").(float64) < 1 {
		t.Errorf("second: %s", results[1].raw)
	}
	if q := check(); q.at("jobsInQueue") != 0.0 || q.at("mostRecentSuccess") == nil {
		t.Errorf("%s", q.raw)
	}
}

func TestWithoutKeys(t *testing.T) {
	t.Parallel()
	s := start(t, func(c *api.Config) { c.AuthOff = true })
	r := s.do(call{body: s.body("/")}).want(t, http.StatusOK)
	if r.header.Get("Access-Control-Allow-Origin") != "" {
		t.Error("pages of other origins may call a server without keys")
	}
	for _, header := range []map[string]string{
		{"Host": "evil.example"}, {"Host": "evil.example:80"}, {"Origin": "https://evil.example"}, {"Origin": "null"},
		{"Origin": "https://127.0.0.1.evil.example"},
	} {
		s.do(call{body: s.body("/"), header: header}).want(t, http.StatusForbidden)
	}
	s.do(call{body: s.body("/"), header: map[string]string{"Origin": s.server.URL}}).want(t, http.StatusOK)
}
