package api_test

import (
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/llm/llmtest"
)

// shifting serves a page that a test changes: its text, or nothing for a page that
// is gone.
func (s *site) shifting(path string) (change func(text string)) {
	var now atomic.Value
	now.Store("")
	s.mux.HandleFunc(path, func(w http.ResponseWriter, r *http.Request) {
		text := now.Load().(string)
		if text == "" {
			http.NotFound(w, r)
			return
		}
		w.Header().Set("Content-Type", "text/html")
		_, _ = io.WriteString(w, text)
	})
	return func(text string) { now.Store(text) }
}

// TestChangeTracking follows a page over scrapes and batches.
func TestChangeTracking(t *testing.T) {
	t.Parallel()
	s := startWorking(t)
	change := s.site.shifting("/shop")
	const formats = `"formats":["markdown",{"type":"changeTracking","modes":["git-diff"],"tag":null}]`
	track := func(fields string) reply {
		t.Helper()
		s.clock.advance(time.Minute)
		return s.scrape("/shop", fields).want(t, http.StatusOK)
	}
	status := func(r reply, want string) {
		t.Helper()
		if got := r.str("data", "changeTracking", "changeStatus"); got != want {
			t.Errorf("%s, want %s: %s", got, want, r.raw)
		}
	}
	change("<h1>Shop</h1><p>Tea, 2 euros</p>")
	r := track(formats)
	status(r, "new")
	if at, ok := r.at("data", "changeTracking").(map[string]any)["previousScrapeAt"]; !ok || at != nil || r.str("data", "changeTracking", "visibility") != "visible" {
		t.Errorf("first: %s", r.raw)
	}
	status(track(formats), "same")
	change("<h1>Shop</h1><p>Tea, 3 euros</p>")
	s.clock.advance(time.Minute)
	r = s.over(batchPath + "/" + s.post(batchPath, `{"urls":["`+s.site.URL+`/shop"],`+formats+`}`))
	docs := r.data()
	for _, want := range []string{
		`"changeStatus":"changed"`, `"diff":"--- ` + s.site.URL + `/shop\n+++ ` + s.site.URL + `/shop\n@@ `, `-Tea, 2 euros\n+Tea, 3 euros`,
		`"diffJson":{"files":[{"from":"` + s.site.URL + `/shop",`, `{"type":"del","content":"-Tea, 2 euros","ln":3,"del":true}`, `{"type":"add","content":"+Tea, 3 euros","ln":3,"add":true}`,
	} {
		if len(docs) != 1 || !strings.Contains(docs[0], want) {
			t.Errorf("the batch lacks %s: %s", want, r.raw)
		}
	}
	r = track(formats) // what the batch saw is the past now
	status(r, "same")
	if past := s.get("/v2/scrape/" + r.str("data", "metadata", "scrapeId")); past.str("data", "changeTracking", "changeStatus") != "same" {
		t.Errorf("read again: %s", past.raw)
	}
	change("<h1>Shop</h1><p>Tea, 4 euros</p>")
	if r := track(formats + `,"zeroDataRetention":true`); r.at("data", "changeTracking") != nil || !strings.Contains(r.str("data", "warning"), "zero data retention") {
		t.Errorf("with zero data retention: %s", r.raw)
	}
	status(track(strings.Replace(formats, "null", `"daily"`, 1)), "new")
	_, s.key = s.newTeam(trawl.Team{Name: "other"})
	status(track(formats), "new")
	change("")
	status(track(formats), "removed")
	change("<h1>Shop</h1><p>Tea, 4 euros</p>")
	r = track(formats)
	status(r, "new")
	if r.str("data", "changeTracking", "previousScrapeAt") == "" {
		t.Errorf("back again: %s", r.raw)
	}
}

// TestChangeTrackingUnpaid tracks a page for a team that cannot pay: its history
// stays as it was.
func TestChangeTrackingUnpaid(t *testing.T) {
	t.Parallel()
	s := start(t)
	credits := int64(1)
	_, s.key = s.newTeam(trawl.Team{Name: "poor", Credits: &credits})
	change := s.site.shifting("/shop")
	change("<p>Tea</p>")
	const formats = `"formats":["markdown","changeTracking"]`
	s.scrape("/shop", formats).want(t, http.StatusOK)
	change("<p>Coffee</p>")
	s.clock.advance(time.Minute)
	s.scrape("/shop", formats).want(t, http.StatusPaymentRequired)
	teams, err := s.store.Teams(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	at := slices.IndexFunc(teams, func(team trawl.Team) bool { return team.Name == "poor" })
	version, err := s.store.LastVersion(t.Context(), teams[at].ID, s.site.URL+"/shop", "")
	if err != nil || version.Markdown != "Tea" {
		t.Errorf("%+v, %v", version, err)
	}
}

// TestAttributes reads attributes of elements that are there, and that are not.
func TestAttributes(t *testing.T) {
	t.Parallel()
	s := start(t)
	s.site.page("/list", "text/html", `<ul><li data-id=1>a<li data-id="2 &amp; 3">b<li>c</ul>`)
	r := s.scrape("/list", `"formats":[{"type":"attributes","selectors":[{"selector":"li","attribute":"data-id"},{"selector":"table td","attribute":"id"},{"selector":"li","attribute":"title"}]}]`).want(t, http.StatusOK)
	want := `"attributes":[{"selector":"li","attribute":"data-id","values":["1","2 & 3"]},{"selector":"table td","attribute":"id","values":[]},{"selector":"li","attribute":"title","values":[]}]`
	if !strings.Contains(string(r.raw), want) || r.at("data", "markdown") != nil {
		t.Errorf("%s", r.raw)
	}
	for _, path := range []string{"/", "/list"} {
		r := s.scrape(path, fmt.Sprintf(`"formats":["markdown",{"type":"attributes","selectors":[{"selector":"li","attribute":"id"},{"selector":%q,"attribute":"id"}]}]`, "li:nonsense(")).want(t, http.StatusBadRequest)
		if got := firstPath(t, r); len(got) != 5 || got[3] != 1 || got[4] != "selector" {
			t.Errorf("%s: %s", path, r.raw)
		}
	}
}

// TestAnswersOverHTTP has a model answer questions and tell of changes.
func TestAnswersOverHTTP(t *testing.T) {
	t.Parallel()
	model := llmtest.New(t)
	model.Handle(func(call llmtest.Call) llmtest.Reply {
		switch {
		case strings.Contains(call.User+call.System, "What does tea cost?"):
			return llmtest.Text(`{"answer":"Two euros."}`)
		case strings.Contains(call.User, "3 euros"):
			return llmtest.Text(`{"price":3}`)
		}
		return llmtest.Text(`{"price":2}`)
	})
	s := startBeside(t, endpoints{model: model.URL})
	change := s.site.shifting("/shop")
	change("<h1>Shop</h1><p>Tea, 2 euros a cup.</p>")
	r := s.scrape("/shop", `"formats":[{"type":"question","question":"What does tea cost?"}]`).want(t, http.StatusOK)
	if r.str("data", "answer") != "Two euros." || r.at("data", "metadata", "creditsUsed") != 5.0 {
		t.Errorf("%s", r.raw)
	}
	const formats = `"formats":["markdown",{"type":"changeTracking","modes":["json"],"schema":{"type":"object","properties":{"price":{"type":"number"}}}}]`
	if r := s.scrape("/shop", formats).want(t, http.StatusOK); r.at("data", "changeTracking", "json") != nil || r.at("data", "metadata", "creditsUsed") != 5.0 {
		t.Errorf("%s", r.raw)
	}
	change("<h1>Shop</h1><p>Tea, 3 euros a cup.</p>")
	s.clock.advance(time.Minute)
	r = s.scrape("/shop", formats).want(t, http.StatusOK)
	if r.at("data", "changeTracking", "json", "price", "previous") != 2.0 || r.at("data", "changeTracking", "json", "price", "current") != 3.0 || r.at("data", "changeTracking", "diff") != nil {
		t.Errorf("%s", r.raw)
	}
}
