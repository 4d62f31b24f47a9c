package monitor_test

import (
	"encoding/json"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/internal/testtime"
	"github.com/trawlhq/trawl/llm/llmtest"
	"github.com/trawlhq/trawl/search/searchtest"
	"github.com/trawlhq/trawl/store"
)

// After an outage a monitor that missed runs makes one check, for the first of them.
func TestMissedRuns(t *testing.T) {
	t.Parallel()
	w := open(t, beside{})
	w.site.set("/", "Some text.")
	w.clock.set(-5 * time.Hour)
	m := w.watch(nil, "/")
	w.clock.set(0)
	w.start()
	var checks []trawl.Check
	testtime.Until(t, "the missed check", func() bool {
		var err error
		if checks, err = w.Checks(t.Context(), w.who.Team.ID, m.ID, "", 100, 0); err != nil {
			t.Fatal(err)
		}
		return len(checks) > 0 && checks[0].Done()
	})
	c := checks[0]
	if len(checks) != 1 || c.Status != trawl.CheckCompleted || c.Trigger != trawl.TriggerScheduled || !c.ScheduledFor.Equal(m.NextRunAt) {
		t.Errorf("checks %+v", checks)
	}
	now, err := w.Get(t.Context(), w.who.Team.ID, m.ID)
	if err != nil || !now.NextRunAt.After(time.Now().Add(-time.Minute)) || now.NextRunAt.After(time.Now().Add(31*time.Minute)) {
		t.Errorf("next run %v, %v", now.NextRunAt, err)
	}
}

// Every due time has one check, however often its task is worked on, and by whatever
// clock.
func TestDueOnce(t *testing.T) {
	t.Parallel()
	w := open(t, beside{})
	m := w.watch(nil, "/")
	task := store.DueTask{Team: m.TeamID, Monitor: m.ID, Due: m.DueAt.UnixMilli()}
	for _, offset := range []time.Duration{0, -time.Hour, time.Minute, 0} { // early by this clock, and by one that went back
		w.clock.set(offset)
		if err := w.Start(t.Context(), task); err != nil {
			t.Fatal(err)
		}
	}
	checks, err := w.Checks(t.Context(), w.who.Team.ID, m.ID, "", 100, 0)
	if err != nil || len(checks) != 1 || !checks[0].ScheduledFor.Equal(m.NextRunAt) {
		t.Fatalf("checks %+v, %v", checks, err)
	}
	next, err := w.Get(t.Context(), w.who.Team.ID, m.ID)
	if err != nil || !next.NextRunAt.Equal(m.NextRunAt.Add(30*time.Minute)) {
		t.Fatalf("next run %v, %v", next.NextRunAt, err)
	}
	task.Due = next.DueAt.UnixMilli()
	if err := w.Start(t.Context(), task); err != nil { // while the first one runs
		t.Fatal(err)
	}
	checks, err = w.Checks(t.Context(), w.who.Team.ID, m.ID, trawl.CheckOverlap, 100, 0)
	if err != nil || len(checks) != 1 || checks[0].Error != "Previous monitor check is still running." || checks[0].FinishedAt.IsZero() {
		t.Errorf("overlap %+v, %v", checks, err)
	}
}

// A check that makes no progress for an hour fails, and lets go of its monitor.
func TestCheckTimeout(t *testing.T) {
	t.Parallel()
	w := open(t, beside{})
	m := w.watch(nil, "/")
	c, err := w.Run(t.Context(), w.who.Team.ID, m.ID) // nobody works on it
	if err != nil {
		t.Fatal(err)
	}
	w.clock.set(59 * time.Minute)
	if err := w.Advance(t.Context(), c.ID); err != nil {
		t.Fatal(err)
	}
	w.clock.set(3 * time.Hour)
	if err := w.Advance(t.Context(), c.ID); err != nil {
		t.Fatal(err)
	}
	ended, _ := w.ended(m, c.ID)
	if ended.Status != trawl.CheckFailed || ended.Error != "Monitor check exceeded the running timeout." || *ended.Actual != 0 || ended.Billing != trawl.BillingReleased {
		t.Errorf("check %+v", ended)
	}
	if m, err := w.Get(t.Context(), w.who.Team.ID, m.ID); err != nil || m.CurrentCheck != "" {
		t.Errorf("monitor %+v, %v", m, err)
	}
}

func TestRetention(t *testing.T) {
	t.Parallel()
	w := open(t, beside{}).start()
	w.site.set("/", "Some text.")
	m := w.watch(func(r *trawl.MonitorRequest) { r.RetentionDays = 2 }, "/")
	old, _ := w.check(m)
	w.clock.set(3 * 24 * time.Hour)
	if _, err := w.store.Sweep(t.Context(), w.clock.now(), 0); err != nil {
		t.Fatal(err)
	}
	if _, err := w.Check(t.Context(), w.who.Team.ID, m.ID, old.ID); trawl.ErrorCode(err) != trawl.CodeNotFound {
		t.Errorf("an expired check: %v", err)
	}
	if _, pages := w.check(m); pages[0].Status != trawl.ChangeSame {
		t.Errorf("the newest version is gone: %+v", pages)
	}
}

func judgedBy(goal string) func(*trawl.MonitorRequest) {
	return func(r *trawl.MonitorRequest) { r.Goal = &goal }
}

func TestJudge(t *testing.T) {
	t.Parallel()
	model := llmtest.New(t)
	w := open(t, beside{model: model.URL}).start()
	w.site.set("/", "Prices of today.", "The small plan costs 10 dollars.", "Written by a person.")
	m := w.watch(judgedBy("the price of the small plan"), "/")
	if c, pages := w.check(m); pages[0].Judgment != nil || c.Judged != 0 || *c.Reserved != 2 || *c.Actual != 1 {
		t.Errorf("first check %+v, %+v", c, pages)
	}
	model.Handle(func(c llmtest.Call) llmtest.Reply {
		return llmtest.JSON(map[string]any{"meaningful": true, "confidence": "high", "reason": "The price rose.", "meaningfulChanges": []any{
			map[string]any{"type": "changed", "before": "The small plan costs 10 dollars.", "after": "costs 12  dollars", "reason": "It costs more."},
			map[string]any{"type": "added", "before": nil, "after": "The large plan is free.", "reason": "Which the page does not say."},
		}})
	})
	w.site.set("/", "Prices of today.", "The small plan costs 12 dollars.", "Written by a person.")
	c, pages := w.check(m)
	j := pages[0].Judgment
	if j == nil || !j.Meaningful || j.Confidence != "high" || len(j.Changes) != 1 || *j.Changes[0].After != "costs 12  dollars" || c.Judged != 1 || *c.Actual != 2 {
		t.Fatalf("judgment %+v, check %+v", j, c)
	}
	model.Handle(func(llmtest.Call) llmtest.Reply { return llmtest.Reply{Status: 400, Body: "no"} })
	w.site.set("/", "Prices of today.", "The small plan costs 13 dollars.", "Written by a person.")
	if c, pages = w.check(m); pages[0].Judgment != nil || pages[0].Status != trawl.ChangeChanged || c.Status != trawl.CheckCompleted || *c.Actual != 1 {
		t.Errorf("without an answer: %+v, %+v", pages[0].Judgment, c)
	}
}

// Without a model, what changes all the time in the same place is noise.
func TestNoise(t *testing.T) {
	t.Parallel()
	w := open(t, beside{}).start()
	page := func(advert, price string) {
		w.site.set("/", "The shop of Anna.", advert, "Our offers today are these.", "The small plan costs "+price+" dollars.", "Read 10 minutes ago.")
	}
	page("Buy a car from Bob.", "10")
	m := w.watch(judgedBy("the price"), "/")
	w.check(m)
	for i, advert := range []string{"Drink more tea.", "Eat more bread.", "Sleep in a bed by Carl."} {
		page(advert, "10")
		if _, pages := w.check(m); pages[0].Judgment == nil || !pages[0].Judgment.Meaningful {
			t.Errorf("change %d is noise: %+v", i, pages[0].Judgment)
		}
	}
	page("Fly to the moon.", "10")
	if _, pages := w.check(m); pages[0].Status != trawl.ChangeChanged || pages[0].Judgment.Meaningful {
		t.Errorf("an advertisement matters: %+v", pages[0].Judgment)
	}
	page("Learn to swim.", "12")
	_, pages := w.check(m)
	j := pages[0].Judgment
	if !j.Meaningful || len(j.Changes) != 1 || !strings.Contains(*j.Changes[0].After, "12") {
		t.Errorf("a price is noise: %+v", j)
	}
}

func TestJSONMode(t *testing.T) {
	t.Parallel()
	model := llmtest.New(t)
	model.Handle(func(c llmtest.Call) llmtest.Reply {
		plan := map[string]any{"price": "10 euros"}
		if strings.Contains(c.User, "12 euros") {
			plan["price"] = "12 euros"
		}
		return llmtest.JSON(map[string]any{"plans": []any{plan}})
	})
	w := open(t, beside{model: model.URL}).start()
	w.site.set("/", "The plan costs 10 euros.")
	schema := `{"formats":[{"type":"changeTracking","modes":["json"],"schema":{"type":"object","properties":{"plans":{"type":"array","items":{"type":"object","properties":{"price":{"type":"string"}}}}}}},"markdown"]}`
	m := w.watch(func(r *trawl.MonitorRequest) { r.Targets[0].ScrapeOptions = json.RawMessage(schema) }, "/")
	if c, pages := w.check(m); pages[0].Status != trawl.ChangeNew || string(pages[0].Snapshot) != `{"json":{"plans":[{"price":"10 euros"}]}}` || *c.Reserved != 5 || *c.Actual != 5 {
		t.Fatalf("first check %s of %+v", pages[0].Snapshot, pages)
	}
	w.site.set("/", "The plan still costs 10 euros.")
	if _, pages := w.check(m); pages[0].Status != trawl.ChangeSame || pages[0].Diff != nil {
		t.Errorf("only the data counts: %+v", pages[0])
	}
	w.site.set("/", "The plan costs 12 euros.")
	if _, pages := w.check(m); pages[0].Status != trawl.ChangeChanged || string(pages[0].Diff) != `{"json":{"plans[0].price":{"previous":"10 euros","current":"12 euros"}}}` {
		t.Errorf("diff %s", pages[0].Diff)
	}
	model.Handle(func(llmtest.Call) llmtest.Reply { return llmtest.Reply{Status: 400, Body: "no"} })
	w.site.set("/", "The plan costs 13 euros.")
	if _, pages := w.check(m); pages[0].Status != trawl.ChangeError || pages[0].Error == "" {
		t.Errorf("without data: %+v", pages[0])
	}
}

func TestSearchTarget(t *testing.T) {
	t.Parallel()
	model, engine := llmtest.New(t), searchtest.New(t)
	w := open(t, beside{model: model.URL, search: engine.URL}).start()
	results := []searchtest.Result{{URL: "https://a.example/x", Title: "A launch", Content: "It is there."}, {URL: "https://b.example/y", Title: "A recipe", Content: "Bread."}}
	engine.Handle(searchtest.Pages(10, results...))
	model.Handle(func(c llmtest.Call) llmtest.Reply {
		return llmtest.JSON(map[string]any{"meaningful": strings.Contains(c.User, "A launch"), "confidence": "high", "reason": "So it is.", "meaningfulChanges": []any{}})
	})
	goal := "launches"
	m := w.watch(func(r *trawl.MonitorRequest) {
		r.Goal = &goal
		r.Targets = []trawl.MonitorTarget{{Type: trawl.TargetSearch, Queries: []string{"one", "two"}}}
	})
	statuses := func(pages []trawl.CheckPage) (list []string) {
		for _, p := range pages {
			var meta struct{ SearchStatus string }
			_ = json.Unmarshal(p.Metadata, &meta)
			list = append(list, p.Status+" "+meta.SearchStatus)
		}
		return list
	}
	c, pages := w.check(m)
	if got := statuses(pages); !slices.Equal(got, []string{"new alert", "same ignored"}) {
		t.Errorf("first check: %v", got)
	}
	if c.Targets[0].Search == nil || c.Targets[0].Search.Matches != 1 || *c.Actual != 2*2+2 || c.Judged != 2 {
		t.Errorf("check %+v %+v", c, c.Targets[0].Search)
	}
	if c, pages = w.check(m); !slices.Equal(statuses(pages), []string{"same already_seen", "same ignored"}) || c.Judged != 0 {
		t.Errorf("second check: %v", statuses(pages))
	}
	goal = "food or launches"
	if _, err := w.Update(t.Context(), w.who, m.ID, trawl.MonitorUpdate{Goal: &goal}); err != nil {
		t.Fatal(err)
	}
	if c, pages = w.check(m); c.Judged != 2 || statuses(pages)[0] != "new alert" {
		t.Errorf("another goal: %v", statuses(pages))
	}
	engine.Handle(func(url.Values) searchtest.Reply { return searchtest.Reply{Status: 500} })
	if c, _ = w.check(m); c.Status != trawl.CheckFailed || c.Error == "" {
		t.Errorf("a search that fails: %+v", c)
	}
}
