package api_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/trawlhq/trawl"
)

func TestFeedback(t *testing.T) {
	t.Parallel()
	s := start(t)
	id := s.scrape("/").want(t, http.StatusOK).str("data", "metadata", "scrapeId")
	say := func(key, body string) reply { return s.do(call{path: "/v2/feedback", key: key, body: body}) }
	about := func(fields string) string { return fmt.Sprintf(`{"endpoint":"scrape","jobId":%q%s}`, id, fields) }
	first := say(s.key, about(`,"issues":["missing-text"],"tags":["a_b"],"note":"n","url":"https://a.example","pageNumbers":[1],"metadata":{"a":[1]},"origin":"x"`)).want(t, http.StatusOK)
	if first.str("feedbackId") == "" || first.at("creditsRefunded") != 0.0 || first.at("creditsRefundedToday") != 0.0 || first.at("dailyRefundCap") != 0.0 || first.at("alreadySubmitted") != nil {
		t.Errorf("%s", first.raw)
	}
	again := say(s.key, about(`,"rating":"bad"`)).want(t, http.StatusOK)
	if again.at("alreadySubmitted") != true || again.str("feedbackId") != first.str("feedbackId") {
		t.Errorf("%s", again.raw)
	}
	say(s.key, `{"endpoint":"alexandria","note":"no job"}`).want(t, http.StatusOK)
	say(s.key, `{"endpoint":"alexandria","note":"no job"}`).want(t, http.StatusOK)
	refused := func(status int, code string, r reply) {
		t.Helper()
		if r.status != status || r.str("feedbackErrorCode") != code {
			t.Errorf("%d %s, want %d %s", r.status, r.raw, status, code)
		}
	}
	for _, body := range []string{
		about(``), about(`,"note":" "`), about(`,"rating":"fine"`), about(`,"issues":["Upper"]`), about(`,"tags":["` + strings.Repeat(`a","`, 20) + `a"]`),
		about(`,"note":"` + strings.Repeat("x", 4001) + `"`), about(`,"metadata":{"a":"` + strings.Repeat("x", 8<<10) + `"}`), about(`,"more":1`),
		`{"endpoint":"scrape","note":"x"}`, `{"endpoint":"scrape","jobId":"1","note":"x"}`, `{"endpoint":"crawl","jobId":"` + id + `","note":"x"}`, `{"jobId":"` + id + `","note":"x"}`, `{`,
	} {
		refused(http.StatusBadRequest, "INVALID_BODY", say(s.key, body))
	}
	refused(http.StatusNotFound, "JOB_NOT_FOUND", say(s.key, strings.Replace(about(`,"note":"x"`), id, unknownID, 1)))
	refused(http.StatusNotFound, "JOB_NOT_FOUND", say(s.key, strings.Replace(about(`,"note":"x"`), `"scrape"`, `"map"`, 1)))
	_, stranger := s.newTeam(trawl.Team{Name: "stranger"})
	refused(http.StatusNotFound, "JOB_NOT_FOUND", say(stranger, about(`,"note":"x"`)))

	operator := s.newKey(trawl.Key{TeamID: s.team.ID, Operator: true})
	list := s.do(call{method: http.MethodGet, path: "/v2/server/feedback", key: operator}).want(t, http.StatusOK)
	if all := list.at("data").([]any); len(all) != 3 || !strings.Contains(string(list.raw), `"missing-text"`) || strings.Contains(string(list.raw), `"bad"`) {
		t.Errorf("%s", list.raw)
	}
	s.get("/v2/server/feedback").want(t, http.StatusForbidden)

	s.clock.advance(25 * time.Hour)
	refused(http.StatusConflict, "FEEDBACK_WINDOW_EXPIRED", say(s.key, about(`,"note":"late"`)))
}

func TestSearchFeedback(t *testing.T) {
	t.Parallel()
	s, _ := startSearching(t, many(3))
	id := s.do(call{path: "/v2/search", key: s.key, body: `{"query":"anything"}`}).want(t, http.StatusOK).str("id")
	path := "/v2/search/" + id + "/feedback"
	for _, body := range []string{
		`{"rating":"good"}`, `{"rating":"partial"}`, `{"rating":"bad"}`, `{"rating":"bad","valuableSources":[{"url":"https://a.example"}]}`, `{}`,
		`{"rating":"good","valuableSources":[{"reason":"x"}]}`, `{"rating":"bad","missingContent":[{"topic":""}]}`,
	} {
		if r := s.do(call{path: path, key: s.key, body: body}).want(t, http.StatusBadRequest); r.str("feedbackErrorCode") != "INVALID_BODY" {
			t.Errorf("%s: %s", body, r.raw)
		}
	}
	s.do(call{path: "/v2/search/1/feedback", key: s.key, body: `{"rating":"bad","querySuggestions":"x"}`}).want(t, http.StatusBadRequest)
	r := s.do(call{path: path, key: s.key, body: `{"rating":"partial","missingContent":[{"topic":"t","description":"d"}],"integration":"x"}`}).want(t, http.StatusOK)
	if r.str("feedbackId") == "" {
		t.Errorf("%s", r.raw)
	}
	if r := s.do(call{path: "/v2/feedback", key: s.key, body: `{"endpoint":"search","jobId":"` + id + `","note":"x"}`}).want(t, http.StatusOK); r.at("alreadySubmitted") != true {
		t.Errorf("%s", r.raw)
	}
}

func TestSupport(t *testing.T) {
	t.Parallel()
	s := startWorking(t)
	ask := func(fields string) reply {
		return s.do(call{path: "/v2/support/ask", key: s.key, body: `{"question":"What happened?"` + fields + `}`})
	}
	id := s.scrape("/").want(t, http.StatusOK).str("data", "metadata", "scrapeId")
	r := ask(`,"rationale":"because","jobId":"`+id+`"`).want(t, http.StatusOK)
	if a := r.str("answer"); !strings.Contains(a, s.site.URL) || !strings.Contains(a, "is completed") || !strings.Contains(a, "1 credits") || r.at("success") != nil || r.str("confidence") == "" {
		t.Errorf("%s", r.raw)
	}
	batch := s.batch("/", "/missing-host")
	s.over(batchPath + "/" + batch)
	if a := ask(`,"jobId":"`+batch+`"`).want(t, http.StatusOK).str("answer"); !strings.Contains(a, "2 of 2 pages are done") {
		t.Errorf("%s", a)
	}
	ask(``).want(t, http.StatusServiceUnavailable)
	ask(`,"jobId":"`+unknownID+`"`).want(t, http.StatusServiceUnavailable)
	ask(`,"jobId":"x"`).want(t, http.StatusBadRequest)
	s.do(call{path: "/v2/support/ask", key: s.key, body: `{}`}).want(t, http.StatusBadRequest)
	s.do(call{path: "/v2/support/ask", body: `{"question":"x"}`}).want(t, http.StatusUnauthorized)

	docs := s.do(call{path: "/v2/support/docs-search", key: s.key, body: `{"question":"How do I verify the signature of a webhook?"}`}).want(t, http.StatusOK)
	evidence := docs.at("evidence").([]any)
	if len(evidence) == 0 || !strings.Contains(strings.ToLower(docs.str("answer")), "webhook") || docs.at("usage") == nil || docs.str("requestId") == "" {
		t.Fatalf("%s", docs.raw)
	}
	address := evidence[0].(map[string]any)["pathOrUrl"].(string)
	s.do(call{method: http.MethodGet, path: strings.TrimPrefix(address, s.server.URL)}).want(t, http.StatusOK)
}
