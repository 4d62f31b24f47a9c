package scrape_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/browser"
	"github.com/trawlhq/trawl/extract"
	"github.com/trawlhq/trawl/fetch"
	"github.com/trawlhq/trawl/scrape"
	"github.com/trawlhq/trawl/store"
)

// observer scrapes a page that changes, with change tracking.
type observer struct {
	*scrape.Scraper
	*depot
	now    time.Time
	answer fetch.Response // the page as it is now
}

// observe returns a scraper with a history. Its time stands still between visits.
func observe(t *testing.T, change ...func(*scrape.Config)) *observer {
	t.Helper()
	o := &observer{depot: &depot{}, now: time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)}
	w := &web{answer: func(req fetch.Request) (*fetch.Response, error) {
		answer := o.answer
		answer.URL = req.URL
		return &answer, nil
	}}
	config := scrape.Config{Fetch: w, Store: o.depot, History: o.depot, Blobs: o.depot, Now: func() time.Time { return o.now }}
	for _, f := range change {
		f(&config)
	}
	o.Scraper = scrape.New(config)
	t.Cleanup(o.Scraper.Close)
	return o
}

// visit scrapes the page a minute later, as it is then.
func (o *observer) visit(t *testing.T, status int, html string, change ...func(*scrape.Request)) *trawl.Document {
	t.Helper()
	o.now = o.now.Add(time.Minute)
	o.answer = fetch.Response{Status: status, ContentType: "text/html", Body: []byte(html)}
	req := request(append([]func(*scrape.Request){tracking(trawl.Format{})}, change...)...)
	if issues := req.Validate(); len(issues) > 0 {
		t.Fatalf("%+v", issues)
	}
	if err := o.Check(&req.ScrapeOptions); err != nil {
		t.Fatal(err)
	}
	doc, err := o.Scrape(t.Context(), req)
	if err != nil {
		t.Fatal(err)
	}
	return doc
}

// tracking asks for markdown and its changes.
func tracking(format trawl.Format) func(*scrape.Request) {
	format.Type = trawl.FormatChangeTracking
	return wanting(trawl.Format{Type: trawl.FormatMarkdown}, format)
}

// TestTracking visits a page as it changes, vanishes and comes back.
func TestTracking(t *testing.T) {
	t.Parallel()
	const robots = `<html><head><title>Just a moment...</title></head><body><div id="challenge-error-text">Enable JavaScript and cookies to continue</div>
		<script src="/cdn-cgi/challenge-platform/h/b/orchestrate/chl_page/v1?ray=1"></script></body></html>`
	o := observe(t)
	var before string // when the page was tracked last
	for i, row := range []struct {
		status int
		html   string
		change func(*scrape.Request)
		want   string // empty if it is not tracked
		first  bool
		warns  string
	}{
		{status: 503, html: "<p>Busy.</p>", warns: "status 503"},
		{status: 200, html: "<p>Tea, 2 euros</p><p>Milk</p>", want: "new", first: true},
		{status: 200, html: "<p>Tea, 2 euros</p><p>Milk</p>", want: "same"},
		{status: 200, html: "<p>Tea,   2\n\neuros</p>\n\n\n<p>Milk </p>", want: "same"},
		{status: 200, html: "<p>Tea, 3 euros</p><p>Milk</p>", want: "changed"},
		{status: 200, html: "<p>Tea, 2 euros</p><p>Milk</p>", want: "changed"},
		{status: 200, html: "<p>Tea, 3 euros</p><p>Milk</p>", want: "changed"},
		{status: 500, html: "<p>Broken.</p>", warns: "status 500"},
		{status: 301, html: "<p>Elsewhere.</p>", warns: "status 301"},
		{status: 403, html: robots, warns: "not the page that the site answered with"},
		{status: 200, html: `<div id="root"></div><noscript>You need to enable JavaScript to run this app.</noscript><script src="/a.js"></script>`, warns: "not all of it is there"},
		{status: 200, html: "<p>Tea, 4 euros</p>", change: func(r *scrape.Request) { r.ZeroDataRetention = true }, warns: "zero data retention"},
		{status: 200, html: "<p>Tea, 3 euros</p><p>Milk</p>", want: "same"}, // nothing of that counted
		{status: 404, html: "<p>No such tea</p>", want: "removed"},
		{status: 410, html: "", want: "removed"},
		{status: 200, html: "<p>Tea, 3 euros</p><p>Milk</p>", want: "new"},
		{status: 204, html: "", want: "changed"},
	} {
		name := fmt.Sprintf("%d: %d %.30q", i, row.status, row.html)
		changes := []func(*scrape.Request){tracking(trawl.Format{Modes: []string{trawl.ModeDiff}})}
		if row.change != nil {
			changes = append(changes, row.change)
		}
		doc := o.visit(t, row.status, row.html, changes...)
		got := doc.ChangeTracking
		if row.want == "" {
			if got != nil || !strings.Contains(doc.Warning, "not tracked") || !strings.Contains(doc.Warning, row.warns) {
				t.Errorf("%s: %+v, warning %q", name, got, doc.Warning)
			}
			continue
		}
		if got == nil || got.ChangeStatus != row.want || got.Visibility != "visible" || doc.Warning != "" {
			t.Fatalf("%s: %+v, warning %q", name, got, doc.Warning)
		}
		if row.first && got.PreviousScrapeAt != nil || !row.first && (got.PreviousScrapeAt == nil || *got.PreviousScrapeAt != before) {
			t.Errorf("%s: previously at %v, want %s", name, got.PreviousScrapeAt, before)
		}
		if (got.Diff != "") != (row.want == "changed") || (got.DiffJSON != nil) != (row.want == "changed") || got.JSON != nil {
			t.Errorf("%s: diff %q, %+v", name, got.Diff, got.DiffJSON)
		}
		if row.want == "changed" && !strings.Contains(got.Diff, "\n-Tea, ") {
			t.Errorf("%s: diff %q", name, got.Diff)
		}
		before = o.now.Format(trawl.TimeFormat)
	}
	for range 2 { // it is never from the cache
		if doc := o.visit(t, 200, "<p>Tea</p>"); doc.Metadata.CacheState != "" || doc.Metadata.CreditsUsed != 1 {
			t.Errorf("cache state %q, %d credits", doc.Metadata.CacheState, doc.Metadata.CreditsUsed)
		}
	}
	doc, err := o.Scrape(t.Context(), request()) // but the next plain request is
	if err != nil || doc.Metadata.CacheState != trawl.CacheHit || *doc.Markdown != "Tea" || doc.ChangeTracking != nil {
		t.Errorf("%+v, %v", doc, err)
	}
}

// TestVanishedUnseen tracks a page for the first time when it is gone.
func TestVanishedUnseen(t *testing.T) {
	t.Parallel()
	o := observe(t)
	if got := o.visit(t, 404, "<p>None</p>").ChangeTracking; got == nil || got.ChangeStatus != "removed" || got.PreviousScrapeAt != nil {
		t.Errorf("%+v", got)
	}
	for _, version := range o.versions {
		if !version.Gone || version.Text != nil {
			t.Errorf("kept %+v", version)
		}
	}
}

// TestHistoriesApart tracks a page under several names: each has a past of its own.
func TestHistoriesApart(t *testing.T) {
	t.Parallel()
	o := observe(t)
	o.visit(t, 200, "<p>Tea</p>")
	team := func(r *scrape.Request) { r.Caller.Team.ID = "other" }
	at := func(address string) func(*scrape.Request) { return func(r *scrape.Request) { r.URL = address } }
	for _, row := range []struct {
		name   string
		change func(*scrape.Request)
		want   string
	}{
		{"another tag", tracking(trawl.Format{Tag: "daily"}), "new"},
		{"another team", team, "new"},
		{"another page", at("http://a.example/b"), "new"},
		{"another query", at("http://a.example/?b"), "new"},
		{"a route of a script", at("http://a.example/#/b"), "new"},
		{"the same", at("http://a.example/"), "same"},
		{"as somebody types it", at("a.example"), "same"},
		{"a place in the page", at("http://a.example/#b"), "same"},
		{"with a password", at("http://name:secret@a.example/"), "same"},
		{"the tag again", tracking(trawl.Format{Tag: "daily"}), "same"},
	} {
		if got := o.visit(t, 200, "<p>Tea</p>", row.change).ChangeTracking; got == nil || got.ChangeStatus != row.want {
			t.Errorf("%s: %+v", row.name, got)
		}
	}
	for key, version := range o.versions {
		if strings.Contains(key+version.URL, "secret") {
			t.Errorf("a password is kept: %s", key)
		}
	}
}

// TestVersionForJobs looks at what a job gets to store, and that nothing is stored
// of a page that fails.
func TestVersionForJobs(t *testing.T) {
	t.Parallel()
	model := &reporter{err: trawl.Errorf(trawl.CodeModel, "The model is tired.")}
	o := observe(t, func(c *scrape.Config) { c.Extract, c.ModelReady = model, true })
	o.answer = fetch.Response{Status: 200, ContentType: "text/html", Body: []byte("<p>Tea</p>")}
	daily := tracking(trawl.Format{Modes: []string{trawl.ModeJSON}, Tag: "daily"})
	hidden := func(r *scrape.Request) { r.Hidden, r.Caller.Team.ID = true, "team" }
	result, err := o.Prepare(t.Context(), request(daily, hidden))
	if err != nil {
		t.Fatal(err)
	}
	v := result.Version
	if v == nil || v.TeamID != "team" || v.URL != "http://a.example/" || v.Tag != "daily" || !v.Hidden || v.Gone || string(v.Text) != "Tea" || v.Size != 3 ||
		!v.ScrapedAt.Equal(o.now) || v.Digest == [32]byte{} || result.Document.ChangeTracking.Visibility != "hidden" {
		t.Fatalf("%+v, %+v", v, result.Document.ChangeTracking)
	}
	result.Release()
	if len(o.versions) != 0 {
		t.Error("it was stored")
	}
	if _, err := o.Finish(t.Context(), []store.Finished{{Version: v}}); err != nil {
		t.Fatal(err)
	}
	o.answer.Body = []byte("<p>Coffee</p>")
	result, err = o.Prepare(t.Context(), request(daily, hidden))
	if err != nil || result.Version != nil || result.Document.ChangeTracking != nil || !strings.Contains(result.Document.Warning, "changeTracking is missing") {
		t.Errorf("%+v, %v", result, err)
	}
}

// reporter is an extractor that tells of changes as a test has it.
type reporter struct {
	extract.Extractor
	before, now *extract.Source
	want        extract.Want
	err         error
}

func (r *reporter) Do(ctx context.Context, now *extract.Source, task extract.Task) (*extract.Finding, error) {
	if task.Kind != extract.Changes {
		return r.Extractor.Do(ctx, now, task)
	}
	r.before, r.now, r.want = task.Before, now, task.Want
	value := map[string]any{"price": map[string]any{"previous": json.Number("2"), "current": json.Number("3")}}
	return &extract.Finding{Value: value, Warning: "Roughly."}, r.err
}

// TestChangesAsJSON has a model tell of changes.
func TestChangesAsJSON(t *testing.T) {
	t.Parallel()
	model := &reporter{}
	o := observe(t, func(c *scrape.Config) { c.Extract, c.ModelReady = model, true })
	both := tracking(trawl.Format{Modes: []string{trawl.ModeJSON, trawl.ModeDiff}, Prompt: "prices", Schema: kettleSchema()})
	for _, html := range []string{"<p>Tea, 2</p>", "<p>Tea, 2 </p>"} {
		if doc := o.visit(t, 200, html, both); doc.ChangeTracking.JSON != nil || model.now != nil || doc.Metadata.CreditsUsed != 5 {
			t.Errorf("%+v for %d credits", doc.ChangeTracking, doc.Metadata.CreditsUsed)
		}
	}
	doc := o.visit(t, 200, "<title>Shop</title><p>Tea, 3</p>", both)
	got := doc.ChangeTracking
	if string(got.JSON) != `{"price":{"current":3,"previous":2}}` || got.Diff == "" || doc.Warning != "Roughly." {
		t.Errorf("%+v, warning %q", got, doc.Warning)
	}
	if model.before.Markdown != "Tea, 2" || model.now.Markdown != "Tea, 3" || model.want.Prompt != "prices" || model.want.Schema == nil {
		t.Errorf("the model saw %+v, %+v, %+v", model.before, model.now, model.want)
	}
	doc = o.visit(t, 200, "<p>Tea, 4</p>", tracking(trawl.Format{Modes: []string{trawl.ModeDiff}, Prompt: "prices"}))
	if doc.ChangeTracking.JSON != nil || !strings.Contains(doc.Warning, "without the mode json") || doc.Metadata.CreditsUsed != 1 {
		t.Errorf("%+v for %d credits, warning %q", doc.ChangeTracking, doc.Metadata.CreditsUsed, doc.Warning)
	}
	model.err = trawl.Errorf(trawl.CodeModel, "The model is tired.")
	o.answer.Body = []byte("<p>Tea, 5</p>")
	if doc, err := o.Scrape(t.Context(), request(both)); err != nil || doc.ChangeTracking != nil || doc.Metadata.CreditsUsed != 1 || !strings.Contains(doc.Warning, "tired") {
		t.Errorf("%+v, %v", doc, err)
	}
	model.err = trawl.Errorf(trawl.CodeContentTooLarge, "Too much.")
	doc = o.visit(t, 200, "<p>Tea, 4.5</p>", both)
	if got := doc.ChangeTracking; got.ChangeStatus != trawl.ChangeChanged || got.JSON != nil || got.Diff == "" || !strings.Contains(doc.Warning, "too much text") {
		t.Errorf("%+v, warning %q", got, doc.Warning)
	}
	model.err = nil
	if o.visit(t, 200, "<p>Tea, 5</p>", both); model.before.Markdown != "Tea, 4.5" {
		t.Errorf("a page that failed became the past: %q", model.before.Markdown)
	}
}

// TestLongDiff tracks large pages of which everything changes.
func TestLongDiff(t *testing.T) {
	t.Parallel()
	o := observe(t)
	html := func(word string) string {
		var b strings.Builder
		for i := range 40_000 {
			fmt.Fprintf(&b, "<p>%s number %d</p>", word, i)
		}
		return b.String()
	}
	diff := tracking(trawl.Format{Modes: []string{trawl.ModeDiff}})
	o.visit(t, 200, html("tea"), diff)
	doc := o.visit(t, 200, html("coffee"), diff)
	if got := doc.ChangeTracking; got.ChangeStatus != "changed" || len(got.Diff) > 1<<20 || got.Diff == "" || !strings.Contains(doc.Warning, "diff is too long") {
		t.Errorf("%s, a diff of %d bytes, warning %q", got.ChangeStatus, len(got.Diff), doc.Warning)
	}
}

// painter is a browser that a test plays.
type painter struct {
	orders []browser.Request
	result browser.Result
	err    error
}

func (p *painter) Render(_ context.Context, req browser.Request) (*browser.Result, error) {
	p.orders = append(p.orders, req)
	result := p.result
	result.URL = req.URL
	return &result, p.err
}

// TestTrackingWaits says how long a browser gives a page that is tracked.
func TestTrackingWaits(t *testing.T) {
	t.Parallel()
	waiting := func(wait, timeout int64) func(*scrape.Request) {
		return func(r *scrape.Request) { r.WaitFor, r.Timeout = wait, timeout }
	}
	for _, row := range []struct {
		name   string
		change []func(*scrape.Request)
		want   time.Duration
	}{
		{"untracked", []func(*scrape.Request){wanting(trawl.Format{Type: trawl.FormatMarkdown}), waiting(100, 30_000)}, 100 * time.Millisecond},
		{"tracked", nil, 5 * time.Second},
		{"a little longer", []func(*scrape.Request){waiting(100, 30_000)}, 5 * time.Second},
		{"much longer", []func(*scrape.Request){waiting(7000, 30_000)}, 7 * time.Second},
		{"hardly any time", []func(*scrape.Request){waiting(0, 3000)}, 1500 * time.Millisecond},
		{"zero data retention", []func(*scrape.Request){waiting(100, 30_000), func(r *scrape.Request) { r.ZeroDataRetention = true }}, 100 * time.Millisecond},
	} {
		p := &painter{result: browser.Result{Status: 200, ContentType: "text/html", HTML: "<p>Tea</p>"}}
		o := observe(t, func(c *scrape.Config) { c.Browser = p })
		doc := o.visit(t, 200, "", row.change...)
		if len(p.orders) != 1 || p.orders[0].WaitFor != row.want || p.orders[0].Measure != "" || !strings.Contains(*doc.Markdown, "Tea") {
			t.Errorf("%s: %+v", row.name, p.orders)
		}
	}
	for _, partial := range []bool{true, false} { // a picture that never comes changes no text
		p := &painter{result: browser.Result{Status: 200, ContentType: "text/html", HTML: "<p>Tea</p>", Unfinished: true, Partial: partial}}
		o := observe(t, func(c *scrape.Config) { c.Browser = p })
		doc := o.visit(t, 200, "")
		if tracked := doc.ChangeTracking != nil; tracked == partial || len(o.versions) == 0 != partial || strings.Contains(doc.Warning, "not all of it is there") != partial {
			t.Errorf("partial is %t: %+v, warning %q", partial, doc.ChangeTracking, doc.Warning)
		}
	}
}

// TestTrackingHistoryFails has a history that cannot be read.
func TestTrackingHistoryFails(t *testing.T) {
	t.Parallel()
	o := observe(t, func(c *scrape.Config) { c.History = amnesia{} })
	o.answer = fetch.Response{Status: 200, ContentType: "text/html", Body: []byte("<p>Tea</p>")}
	if _, err := o.Scrape(t.Context(), request(tracking(trawl.Format{}))); err == nil || len(o.charges) != 0 {
		t.Errorf("%v, charges %v", err, o.charges)
	}
}

type amnesia struct{}

func (amnesia) LastVersion(context.Context, string, string, string) (store.Version, error) {
	return store.Version{}, errors.New("database is away")
}

// TestTrackingLeavesRoom has more pages wait for their past than can be parsed at a
// time: others are scraped meanwhile.
func TestTrackingLeavesRoom(t *testing.T) {
	t.Parallel()
	pages := 4 + 2*runtime.GOMAXPROCS(0)
	past := &archive{asked: make(chan struct{}, pages), open: make(chan struct{})}
	o := observe(t, func(c *scrape.Config) { c.History = past })
	o.answer = fetch.Response{Status: 200, ContentType: "text/html", Body: []byte("<p>Tea</p>")}
	ended := make(chan error, pages)
	for i := range pages {
		go func() {
			_, err := o.Scrape(t.Context(), request(tracking(trawl.Format{}), func(r *scrape.Request) { r.URL = fmt.Sprintf("http://a.example/%d", i) }))
			ended <- err
		}()
	}
	for range pages {
		<-past.asked
	}
	if _, err := o.Scrape(t.Context(), request()); err != nil {
		t.Error(err)
	}
	close(past.open)
	for range pages {
		if err := <-ended; err != nil {
			t.Error(err)
		}
	}
}

// archive is a history that takes its time.
type archive struct{ asked, open chan struct{} }

func (a *archive) LastVersion(context.Context, string, string, string) (store.Version, error) {
	a.asked <- struct{}{}
	<-a.open
	return store.Version{}, trawl.Errorf(trawl.CodeNotFound, "none")
}
