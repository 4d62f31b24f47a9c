package api_test

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/api"
)

// Execute stands for a browser: it prints what it was told, or fails if that says so.
func (b *browsers) Execute(_ context.Context, id string, order trawl.SessionOrder) (trawl.Execution, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if !b.held[id] {
		return trawl.Execution{}, trawl.ErrSessionOver()
	}
	b.order = order
	switch order.Code {
	case "fail":
		return trawl.Execution{Stdout: "so far\n", Stderr: "✗ wrong\n", ExitCode: 1}, nil
	case "late":
		return trawl.Execution{ExitCode: 124, Killed: true, Truncated: true}, nil
	case "":
		return trawl.Execution{Output: "did " + order.Prompt, Stdout: "$ snapshot\n", Result: "- page"}, b.store.PromptSession(context.Background(), id)
	}
	return trawl.Execution{Stdout: order.Code + "\n", Result: order.Code}, nil
}

// Live has one page.
func (b *browsers) Live(_ context.Context, id string, want trawl.LiveOrder) (trawl.LivePage, error) {
	if !b.Holds(id) {
		return trawl.LivePage{}, trawl.ErrNoSession()
	}
	page := trawl.LivePage{URL: "https://live.example/page", HTML: "<title>Live</title><body><h1>Now</h1><p>As it is.</p></body>", Status: http.StatusOK}
	if want.Picture {
		page.Picture, page.PictureType = []byte("\x89PNG"), trawl.TypePNG
	}
	return page, nil
}

// TestScrapeSession makes a document of what is open in a session.
func TestScrapeSession(t *testing.T) {
	t.Parallel()
	s, _ := startBrowsing(t)
	id := s.browse("").str("id")
	r := s.do(call{path: "/v2/scrape", key: s.key, body: fmt.Sprintf(`{"sessionId":%q,"formats":["markdown","links","html"]}`, id)}).want(t, http.StatusOK)
	if r.str("data", "markdown") != "# Now\n\nAs it is." || r.str("data", "metadata", "sourceURL") != "https://live.example/page" ||
		r.at("data", "metadata", "creditsUsed") != 1.0 {
		t.Errorf("%s", r.raw)
	}
	for _, option := range []string{
		`"url":"https://a.example"`, `"waitFor":1`, `"actions":[{"type":"wait","milliseconds":1}]`, `"location":{"country":"DE"}`, `"proxy":"basic"`, `"mobile":true`,
		`"headers":{"a":"b"}`, `"maxAge":1`,
	} {
		s.do(call{path: "/v2/scrape", key: s.key, body: fmt.Sprintf(`{"sessionId":%q,%s}`, id, option)}).want(t, http.StatusBadRequest)
	}
	s.do(call{path: "/v2/scrape", key: s.key, body: `{"sessionId":"` + unknownID + `"}`}).want(t, http.StatusNotFound)
	s.do(call{path: "/v2/scrape", key: s.key, body: `{"sessionId":"x"}`}).want(t, http.StatusBadRequest)
	_, stranger := s.newTeam(trawl.Team{Name: "stranger"})
	s.do(call{path: "/v2/scrape", key: stranger, body: fmt.Sprintf(`{"sessionId":%q}`, id)}).want(t, http.StatusForbidden)
	s.do(call{method: http.MethodDelete, path: browserPath + "/" + id, key: s.key}).want(t, http.StatusOK)
	s.do(call{path: "/v2/scrape", key: s.key, body: fmt.Sprintf(`{"sessionId":%q}`, id)}).want(t, http.StatusNotFound)
}

// Continue starts a session without a page.
func (b *browsers) Continue(ctx context.Context, who trawl.Caller, page trawl.Replay, req *trawl.SessionRequest) (trawl.Session, error) {
	if page.URL == "" || strings.HasSuffix(page.URL, "/broken") {
		return trawl.Session{}, trawl.Errorf(trawl.CodeConflict, "Failed to initialize browser session from the original scrape context. No.")
	}
	b.mu.Lock()
	b.page, b.scrape = page, page.ScrapeID
	b.mu.Unlock()
	return b.Create(ctx, who, req)
}

func TestExecute(t *testing.T) {
	t.Parallel()
	s, b := startBrowsing(t)
	id := s.browse("").str("id")
	for _, base := range []string{browserPath, "/v2/interact"} {
		r := s.do(call{path: base + "/" + id + "/execute", key: s.key, body: `{"code":"get url","language":"bash","timeout":7,"origin":"cli","integration":"cli"}`}).want(t, http.StatusOK)
		for field, want := range map[string]any{"success": true, "stdout": "get url\n", "result": "get url", "stderr": "", "exitCode": 0.0, "killed": false, "error": nil, "truncated": nil} {
			if r.at(field) != want {
				t.Errorf("%s is %v, want %v", field, r.at(field), want)
			}
		}
		if b.order.Time != 7*time.Second || b.order.Language != "bash" || !strings.HasPrefix(b.order.CDPURL, "ws") || !strings.HasPrefix(b.order.Base, "http") {
			t.Errorf("%+v", b.order)
		}
	}
	// A command that fails is a success of the request, and says so in error.
	r := s.do(call{path: browserPath + "/" + id + "/execute", key: s.key, body: `{"code":"fail"}`}).want(t, http.StatusOK)
	if r.at("success") != true || r.str("error") != "✗ wrong\n" || r.at("exitCode") != 1.0 || r.str("stdout") != "so far\n" || b.order.Language != "node" || b.order.Time != 30*time.Second {
		t.Errorf("%s", r.raw)
	}
	r = s.do(call{path: browserPath + "/" + id + "/execute", key: s.key, body: `{"code":"late","language":null,"timeout":null}`}).want(t, http.StatusOK)
	if r.at("killed") != true || r.at("truncated") != true || r.str("error") != "Execution failed" {
		t.Errorf("%s", r.raw)
	}
	for _, bad := range []string{
		`{`, `{}`, `{"code":""}`, `{"code":1}`, `{"code":"x","timeout":0}`, `{"code":"x","timeout":301}`, `{"code":"x","language":"ruby"}`, `{"code":"x","else":1}`,
		`{"code":"` + strings.Repeat("x", trawl.MaxCode+1) + `"}`,
	} {
		s.do(call{path: browserPath + "/" + id + "/execute", key: s.key, body: bad}).want(t, http.StatusBadRequest)
	}
	s.do(call{method: http.MethodDelete, path: browserPath + "/" + id, key: s.key}).want(t, http.StatusOK)
	if r := s.do(call{path: browserPath + "/" + id + "/execute", body: `{"code":"x"}`, key: s.key}).want(t, http.StatusGone); r.str("error") != "Browser session has been destroyed." {
		t.Errorf("%s", r.raw)
	}
}

// TestInteract goes on from a scrape, again and again.
func TestInteract(t *testing.T) {
	t.Parallel()
	s, b := startBrowsing(t, func(c *api.Config) { c.Prompts = true })
	scrape := s.scrape("/", `"waitFor":5,"headers":{"X-A":"b"},"mobile":true,"location":{"country":"DE"}`).want(t, http.StatusOK).str("data", "metadata", "scrapeId")
	path := "/v2/scrape/" + scrape + "/interact"
	if r := s.do(call{method: http.MethodDelete, path: path, key: s.key}).want(t, http.StatusNotFound); r.str("error") != "Browser session not found." {
		t.Errorf("%s", r.raw)
	}
	first := s.do(call{path: path, key: s.key, body: `{"code":"get url","language":"bash","ttl":60,"activityTtl":20,"origin":"x","integration":"y"}`}).want(t, http.StatusOK)
	id := first.str("sessionId")
	for field, want := range map[string]any{"success": true, "stdout": "get url\n", "result": "get url", "stderr": "", "exitCode": 0.0, "killed": false, "error": nil, "output": nil} {
		if first.at(field) != want {
			t.Errorf("%s is %v, want %v", field, first.at(field), want)
		}
	}
	if first.str("cdpUrl") == "" || first.str("liveViewUrl") == "" || first.str("interactiveLiveViewUrl") == "" {
		t.Errorf("%s", first.raw)
	}
	if p := b.page; p.WaitFor != 5 || p.Headers["X-A"] != "b" || !p.Mobile || p.Country != "DE" || p.Languages[0] != "de-DE" || p.URL == "" || p.ScrapeID != scrape {
		t.Errorf("%+v", p)
	}
	if b.request.TTL != 60 || b.request.ActivityTTL != 20 {
		t.Errorf("%+v", b.request)
	}
	// It is the same session as long as it lasts, also for words, which cost more.
	words := s.do(call{path: path, key: s.key, body: `{"prompt":"look"}`}).want(t, http.StatusOK)
	if words.str("sessionId") != id || words.str("output") != "did look" || words.str("result") != "- page" || b.order.Time != 120*time.Second {
		t.Errorf("%s %+v", words.raw, b.order)
	}
	failed := s.do(call{path: path, key: s.key, body: `{"code":"fail","prompt":"both","language":"bash"}`})
	if failed.status != http.StatusOK || failed.at("success") != false || failed.str("error") != "✗ wrong\n" || failed.str("sessionId") != id {
		t.Errorf("%s", failed.raw)
	}
	if list := s.get(browserPath).at("sessions").([]any); len(list) != 1 {
		t.Errorf("%d sessions", len(list))
	}
	ended := s.do(call{method: http.MethodDelete, path: path, key: s.key}).want(t, http.StatusOK)
	if ended.at("creditsBilled") != float64(trawl.SessionPromptMinute) || ended.at("cleanupQueued") != true {
		t.Errorf("%s", ended.raw)
	}
	s.do(call{method: http.MethodDelete, path: path, key: s.key}).want(t, http.StatusOK) // again
	if r := s.do(call{path: path, key: s.key, body: `{"code":"x"}`}).want(t, http.StatusGone); r.str("error") != "Browser session has been destroyed." {
		t.Errorf("%s", r.raw)
	}
}

// TestInteractAfterExpiry opens the page again.
func TestInteractAfterExpiry(t *testing.T) {
	t.Parallel()
	s, b := startBrowsing(t)
	path := "/v2/scrape/" + s.scrape("/").want(t, http.StatusOK).str("data", "metadata", "scrapeId") + "/interact"
	first := s.do(call{path: path, key: s.key, body: `{"code":"x"}`}).want(t, http.StatusOK).str("sessionId")
	if _, err := b.store.EndSession(t.Context(), first, trawl.EndIdle, s.clock.now()); err != nil {
		t.Fatal(err)
	}
	s.clock.advance(time.Second)
	second := s.do(call{path: path, key: s.key, body: `{"code":"x"}`}).want(t, http.StatusOK).str("sessionId")
	if second == first {
		t.Error("a session that is over goes on")
	}
	other := s.browse("").str("id")
	r := s.do(call{path: path, key: s.key, body: fmt.Sprintf(`{"code":"x","existingSessionId":%q}`, other)}).want(t, http.StatusOK)
	if r.str("sessionId") != other {
		t.Errorf("%s", r.raw)
	}
}

// TestInteractRefused has every reason against it.
func TestInteractRefused(t *testing.T) {
	t.Parallel()
	s, _ := startBrowsing(t)
	scrape := s.scrape("/").want(t, http.StatusOK).str("data", "metadata", "scrapeId")
	path := "/v2/scrape/" + scrape + "/interact"
	if r := s.do(call{path: path, key: s.key, body: `{}`}).want(t, http.StatusBadRequest); !strings.Contains(string(r.raw), "Either 'code' or 'prompt' must be provided.") {
		t.Errorf("%s", r.raw)
	}
	for _, bad := range []string{
		`{"code":"x","ttl":29}`, `{"code":"x","ttl":3601}`, `{"code":"x","activityTtl":9}`, `{"code":"x","timeout":301}`, `{"code":"x","existingSessionId":"x"}`,
		`{"code":"x","profile":{"name":"x"}}`, `{"prompt":"` + strings.Repeat("x", trawl.MaxInteractPrompt+1) + `"}`,
	} {
		s.do(call{path: path, key: s.key, body: bad}).want(t, http.StatusBadRequest)
	}
	if r := s.do(call{path: "/v2/scrape/x/interact", key: s.key, body: `{"code":"x"}`}).want(t, http.StatusBadRequest); !strings.Contains(string(r.raw), "Invalid job ID format. Job ID must be a valid UUID.") {
		t.Errorf("%s", r.raw)
	}
	if r := s.do(call{path: "/v2/scrape/" + unknownID + "/interact", key: s.key, body: `{"code":"x"}`}).want(t, http.StatusNotFound); r.str("error") != "Job not found." {
		t.Errorf("%s", r.raw)
	}
	s.do(call{path: path, key: s.key, body: `{"prompt":"x"}`}).want(t, http.StatusServiceUnavailable) // no model
	_, key := s.newTeam(trawl.Team{Name: "discreet", ZeroDataRetention: true})
	hidden := s.do(call{path: "/v2/scrape", key: key, body: s.body("/", `"zeroDataRetention":true`)}).want(t, http.StatusOK).str("data", "metadata", "scrapeId")
	if r := s.do(call{path: "/v2/scrape/" + hidden + "/interact", key: key, body: `{"code":"x"}`}).want(t, http.StatusConflict); !strings.HasPrefix(r.str("error"), "Replay context is unavailable") {
		t.Errorf("%s", r.raw)
	}
	credits := int64(15) // a session of ten minutes may cost 20
	_, poor := s.newTeam(trawl.Team{Name: "poor", Credits: &credits})
	own := s.do(call{path: "/v2/scrape", key: poor, body: s.body("/")}).want(t, http.StatusOK).str("data", "metadata", "scrapeId")
	s.do(call{path: "/v2/scrape/" + own + "/interact", key: poor, body: `{"code":"x"}`}).want(t, http.StatusPaymentRequired)
	s.do(call{path: "/v2/scrape/" + own + "/interact", key: poor, body: `{"code":"x","ttl":60}`}).want(t, http.StatusOK)
}

// TestInteractOfOthers has the scrapes of a team be nobody else's, as if there were none.
func TestInteractOfOthers(t *testing.T) {
	t.Parallel()
	s, _ := startBrowsing(t)
	scrape := s.scrape("/").want(t, http.StatusOK).str("data", "metadata", "scrapeId")
	session := s.browse("").str("id")
	_, stranger := s.newTeam(trawl.Team{Name: "stranger"})
	for _, method := range []string{http.MethodPost, http.MethodDelete} {
		ask := func(id string) string {
			c := call{method: method, path: "/v2/scrape/" + id + "/interact", key: stranger}
			if method == http.MethodPost {
				c.body = `{"code":"x"}`
			}
			return string(s.do(c).want(t, http.StatusNotFound).raw)
		}
		if own, unknown := ask(scrape), ask(unknownID); own != unknown {
			t.Errorf("%s tells another team's scrape from an unknown one: %s, %s", method, own, unknown)
		}
	}
	mine := s.do(call{path: "/v2/scrape", key: stranger, body: s.body("/")}).want(t, http.StatusOK).str("data", "metadata", "scrapeId")
	s.do(call{path: "/v2/scrape/" + mine + "/interact", key: stranger, body: fmt.Sprintf(`{"code":"x","existingSessionId":%q}`, session)}).want(t, http.StatusForbidden)
}
