package job_test

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/extract"
	"github.com/trawlhq/trawl/job"
	"github.com/trawlhq/trawl/llm"
	"github.com/trawlhq/trawl/llm/llmtest"
	"github.com/trawlhq/trawl/scrape"
)

// perCall are the tokens of one answer of the stand-in.
const perCall = 120

// thinking runs an engine with a language model that finds the items of pages.
func thinking(t testing.TB, change ...func(*job.Config)) (*service, *llmtest.Server) {
	t.Helper()
	model := llmtest.New(t)
	model.Handle(findItems)
	return start(t, append([]func(*job.Config){using(t, model)}, change...)...), model
}

// using gives an engine a language model.
func using(t testing.TB, model *llmtest.Server) func(*job.Config) {
	return func(c *job.Config) {
		c.Extract = &extract.Extractor{Model: clientOf(t, model)}
		if scraper, ok := c.Scraper.(*scrape.Scraper); ok {
			config := scraper.Config
			config.Extract, config.ModelReady = c.Extract, true
			thinking := scrape.New(config)
			t.Cleanup(thinking.Close)
			c.Scraper = thinking
		}
	}
}

func clientOf(t testing.TB, model *llmtest.Server) *llm.Client {
	t.Helper()
	client, err := llm.New(llm.Config{BaseURL: model.URL, Model: "stand-in"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(client.Close)
	return client
}

var itemText = regexp.MustCompile(`Item (\w+) costs (\d+) euro`)

// findItems answers with the items that stand in a question.
func findItems(call llmtest.Call) llmtest.Reply {
	items := []any{}
	for _, found := range itemText.FindAllStringSubmatch(call.User, -1) {
		price, _ := strconv.Atoi(found[2])
		items = append(items, map[string]any{"name": found[1], "price": price})
	}
	return llmtest.JSON(map[string]any{"items": items})
}

// items serves a page that names items, with links.
func (s *site) items(path, names string, links ...string) {
	s.text(path, "text/html", itemPage(path, names, links...))
}

func itemPage(path, names string, links ...string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "<html><head><title>%s</title></head><body><main><h1>Shop</h1>", path)
	for name := range strings.FieldsSeq(names) {
		fmt.Fprintf(&b, "<p>Item %s costs %d euro.</p>", name, priceOf(name))
	}
	for _, link := range links {
		fmt.Fprintf(&b, "<p><a href=%q>More</a></p>", link)
	}
	return b.String() + "</main></body></html>"
}

func priceOf(name string) int { return 10 * len(name) }

var itemSchema = map[string]any{
	"type": "object", "required": []any{"items"},
	"properties": map[string]any{"items": map[string]any{"type": "array", "items": map[string]any{
		"type": "object", "required": []any{"name"},
		"properties": map[string]any{"name": map[string]any{"type": "string"}, "price": map[string]any{"type": "number"}},
	}}},
}

// extractRequest asks for the items of addresses, which may be paths of the site.
func (s *service) extractRequest(addresses ...string) trawl.ExtractRequest {
	req := trawl.DefaultExtractRequest()
	req.ScrapeOptions.Timeout = longest
	req.Schema = itemSchema
	for _, address := range addresses {
		if strings.HasPrefix(address, "/") {
			address = s.site.URL + address
		}
		req.URLs = append(req.URLs, address)
	}
	return req
}

// extract runs an extract to its end.
func (s *service) extract(req trawl.ExtractRequest) trawl.Job {
	s.t.Helper()
	return s.finished(trawl.KindExtract, s.ordered(s.Extract(s.t.Context(), s.order, req)).ID)
}

// extracted returns what an extract came to.
func (s *service) extracted(j trawl.Job) *job.Extraction {
	s.t.Helper()
	x, err := s.Extracted(s.t.Context(), &j)
	if err != nil {
		s.t.Fatal(err)
	}
	return x
}

// wantItems checks that an extract has completed with these items.
func (s *service) wantItems(j trawl.Job, names string) {
	s.t.Helper()
	var data struct {
		Items []struct {
			Name  string
			Price int
		}
	}
	x := s.extracted(j)
	if err := json.Unmarshal(x.Data, &data); err != nil {
		s.t.Fatalf("%v: %s %s, %s", err, j.State, j.Error, x.Data)
	}
	var got []string
	for _, item := range data.Items {
		if got = append(got, item.Name); item.Price != priceOf(item.Name) {
			s.t.Errorf("%s costs %d", item.Name, item.Price)
		}
	}
	if strings.Join(got, " ") != names || j.State != trawl.StateCompleted {
		s.t.Errorf("%s with %q, want %q: %s %s", j.State, got, names, j.Error, j.Warning)
	}
}

// wantFailed checks why an extract failed, and that it cost nothing.
func (s *service) wantFailed(j trawl.Job, why string) {
	s.t.Helper()
	if j.State != trawl.StateFailed || !strings.Contains(j.Error, why) || j.Credits != 0 || j.Tokens != 0 {
		s.t.Errorf("%s: %q, %d credits, %d tokens, want %q and nothing paid", j.State, j.Error, j.Credits, j.Tokens, why)
	}
	if x := s.extracted(j); x.Data != nil {
		s.t.Errorf("%s", x.Data)
	}
}

func TestExtractPages(t *testing.T) {
	t.Parallel()
	s, model := thinking(t)
	team := s.grant(1000)
	s.site.items("/a", "Kettle Pot")
	s.site.items("/b", "Pan Kettle")
	req := team.extractRequest("/b", "http://", "/a", "/b#part")
	receipt := team.ordered(team.Extract(t.Context(), team.order, req))
	if !slices.Equal(receipt.Invalid, []string{"http://"}) || receipt.Warning != "" {
		t.Errorf("%+v", receipt)
	}
	j := team.finished(trawl.KindExtract, receipt.ID)
	team.wantItems(j, "Pan Kettle Pot") // in the order of the pages, each once
	if j.Tokens != 2*perCall || j.Credits != 16 || j.Completed != 2 || j.Total != 2 || j.Warning != "" || len(model.Calls()) != 2 {
		t.Errorf("%+v after %d calls", j, len(model.Calls()))
	}
	team.spent(1000-16, 16)
	if x := team.extracted(j); x.Sources != nil || x.Evidence != nil {
		t.Errorf("%+v", x)
	}
	if s.site.count("/a") != 1 || s.site.count("/b") != 1 {
		t.Error("a page was fetched more than once")
	}
	_, err := team.Job(t.Context(), s.order.Caller.Team.ID, trawl.KindExtract, j.ID)
	wantCode(t, err, trawl.CodeNotFound)
}

// The credits of a job are its tokens together, rounded up once.
func TestExtractCredits(t *testing.T) {
	t.Parallel()
	s, model := thinking(t)
	model.Handle(func(call llmtest.Call) llmtest.Reply {
		reply := findItems(call)
		reply.PromptTokens, reply.CompletionTokens = 30, 1
		return reply
	})
	team := s.grant(100)
	for i, name := range []string{"Kettle", "Pot", "Pan"} {
		s.site.items(fmt.Sprint("/p", i), name)
	}
	j := team.extract(team.extractRequest("/p0", "/p1", "/p2"))
	if team.wantItems(j, "Kettle Pot Pan"); j.Tokens != 93 || j.Credits != 7 { // and not three times 3
		t.Errorf("%d tokens, %d credits", j.Tokens, j.Credits)
	}
	team.spent(93, 7)
}

func TestExtractSources(t *testing.T) {
	t.Parallel()
	s, _ := thinking(t)
	s.site.items("/a", "Kettle")
	s.site.items("/b", "Pan")
	req := s.extractRequest("/a", "/b")
	req.ShowSources = true
	j := s.extract(req)
	s.wantItems(j, "Kettle Pan")
	x := s.extracted(j)
	if got := x.Sources["items[1].name"]; !slices.Equal(got, []string{s.site.at("/b")}) {
		t.Errorf("%v", x.Sources)
	}
	verified := 0
	for _, e := range x.Evidence {
		if e.Verified && strings.Contains(e.Quote, "costs") {
			verified++
		}
	}
	if verified != 4 {
		t.Errorf("%+v", x.Evidence)
	}
}

// TestExtractUnfounded has a model that adds an item that no page has. It is returned to
// those who also see that it is not verified.
func TestExtractUnfounded(t *testing.T) {
	t.Parallel()
	s, model := thinking(t)
	model.Handle(func(llmtest.Call) llmtest.Reply {
		return llmtest.Text(`{"items":[{"name":"Kettle","price":60},{"name":"Samovar","price":70}]}`)
	})
	s.site.items("/a", "Kettle")
	req := s.extractRequest("/a")
	j := s.extract(req)
	s.wantItems(j, "Kettle")
	if !strings.Contains(j.Warning, "1 of items") {
		t.Errorf("the warning is %q", j.Warning)
	}
	req.ShowSources = true
	j = s.extract(req)
	s.wantItems(j, "Kettle Samovar")
	for _, e := range s.extracted(j).Evidence {
		if e.Verified == strings.HasPrefix(e.Path, "items[1]") {
			t.Errorf("%+v", e)
		}
	}
}

func TestExtractOrders(t *testing.T) {
	t.Parallel()
	s, model := thinking(t)
	for name, test := range map[string]struct {
		change func(*trawl.ExtractRequest)
		code   trawl.Code
		path   string
	}{
		"only invalid addresses": {func(r *trawl.ExtractRequest) { r.URLs = []string{"http://", "x*"} }, trawl.CodeBadRequest, ""},
		"a schema with a dangling reference": {func(r *trawl.ExtractRequest) {
			r.Schema = map[string]any{"type": "object", "properties": map[string]any{"a": map[string]any{"$ref": "#/$defs/none"}}}
		}, trawl.CodeBadRequest, "schema"},
		"nothing in the cache": {func(r *trawl.ExtractRequest) { r.ScrapeOptions.MinAge = new(int64) }, trawl.CodeNoCachedData, ""},
	} {
		req := s.extractRequest("/a")
		test.change(&req)
		_, err := s.Extract(t.Context(), s.order, req)
		wantCode(t, err, test.code)
		if known, ok := err.(*trawl.Error); test.path != "" && (!ok || len(known.Issues) == 0 || known.Issues[0].Path[0] != test.path || !strings.HasPrefix(known.Message, "Invalid JSON schema. ")) {
			t.Errorf("%s: %+v", name, err)
		}
	}
	poor := s.grant(trawl.ExtractReserve - 1)
	_, err := poor.Extract(t.Context(), poor.order, poor.extractRequest("/a"))
	wantCode(t, err, trawl.CodePayment)
	if len(model.Calls()) != 0 {
		t.Error("a model was asked")
	}

	req := s.extractRequest("/a")
	req.EnableWebSearch, req.URLTrace = true, true
	req.ScrapeOptions.FastMode, req.ScrapeOptions.Formats = true, []trawl.Format{{Type: trawl.FormatHTML}}
	receipt := s.ordered(s.Extract(t.Context(), s.order, req))
	for _, part := range []string{"urlTrace", "fastMode", "formats", "TRAWL_SEARCH_URL"} {
		if !strings.Contains(receipt.Warning, part) {
			t.Errorf("%q does not name %s", receipt.Warning, part)
		}
	}
	again := s.order
	again.Once = "only once"
	s.ordered(s.Extract(t.Context(), again, s.extractRequest("/a")))
	_, err = s.Extract(t.Context(), again, s.extractRequest("/a"))
	wantCode(t, err, trawl.CodeConflict)
}

func TestExtractWithoutModel(t *testing.T) {
	t.Parallel()
	s := start(t).grant(100)
	s.site.text("/a", "text/html", `<html><head><title>Kettle</title><script type="application/ld+json">
		{"@context":"https://schema.org","@type":"Product","name":"Kettle","offers":{"@type":"Offer","price":"60.00","priceCurrency":"EUR"}}
		</script></head><body><main><h1>Kettle</h1><p>Boils water.</p></main></body></html>`)
	req := s.extractRequest("/a")
	req.Schema = map[string]any{"type": "object", "required": []any{"name", "price"}, "properties": map[string]any{
		"name": map[string]any{"type": "string"}, "price": map[string]any{"type": "number"}}}
	j := s.extract(req)
	var data struct {
		Name  string
		Price float64
	}
	if err := json.Unmarshal(s.extracted(j).Data, &data); err != nil || data.Name != "Kettle" || data.Price != 60 {
		t.Errorf("%+v, %v: %s %s", data, err, j.State, j.Error)
	}
	if j.Tokens != 0 || j.Credits != 1 || !strings.Contains(j.Warning, "model") {
		t.Errorf("%+v", j)
	}
	s.spent(99, 1)

	req.Schema, req.Prompt = nil, "What does it cost?"
	_, err := s.Extract(t.Context(), s.order, req)
	wantCode(t, err, trawl.CodeNoModel)

	missing := s.extractRequest("/a")
	missing.Schema = map[string]any{"type": "object", "required": []any{"voltage"}, "properties": map[string]any{"voltage": map[string]any{"type": "number"}}}
	s.wantFailed(s.extract(missing), "lacks voltage. Reading their text needs a language model, and none is configured. Set TRAWL_LLM_BASE_URL and TRAWL_LLM_MODEL.")
	delete(missing.Schema.(map[string]any), "required")
	s.wantFailed(s.extract(missing), "none of the fields. Reading their text needs a language model, and none is configured. Set TRAWL_LLM_BASE_URL and TRAWL_LLM_MODEL.")
	s.spent(99, 1)
}

func TestExtractFailures(t *testing.T) {
	t.Parallel()
	s, model := thinking(t)
	s.site.items("/a", "Kettle")
	s.site.redirect("/circle", "/circle")
	gone := newSite(t)
	gone.Close()

	j := s.extract(s.extractRequest("/missing", "/a", "/circle"))
	s.wantItems(j, "Kettle")
	if j.Warning != fmt.Sprintf("2 of 3 pages could not be read: The page %s answered 404. %s: The site redirects too many times.", s.site.at("/missing"), s.site.at("/circle")) || j.Failed != 2 || j.Tokens != perCall || j.Credits != 8 {
		t.Errorf("%+v", j)
	}
	s.wantFailed(s.extract(s.extractRequest("/missing", "/circle")), "The page "+s.site.at("/missing")+" answered 404.")
	j = s.extract(s.extractRequest(numbered(strings.Replace(s.site.URL, "://", "://me:secret@", 1)+"/missing", 5)...))
	if s.wantFailed(j, "/missing3 answered 404. …"); strings.Contains(j.Error, "secret") || strings.Contains(j.Error, "missing4") {
		t.Errorf("%q", j.Error)
	}
	s.wantFailed(s.extract(s.extractRequest(gone.URL+"/*")), "connect")
	s.wantFailed(s.extract(s.extractRequest("http://nowhere.test/*")), "nowhere.test")
	s.wantFailed(s.extract(s.extractRequest("/none/*")), "/none/*")
	s.wantFailed(s.extract(s.extractRequest("/a/b/x*")), "No page")

	model.Handle(func(llmtest.Call) llmtest.Reply {
		return llmtest.Reply{Status: http.StatusUnauthorized, Content: "out of order"}
	})
	s.wantFailed(s.extract(s.extractRequest("/a")), "out of order")
}

// fatal does not survive a page.
type fatal struct{ job.Scraper }

func (f fatal) Prepare(ctx context.Context, req scrape.Request) (*scrape.Result, error) {
	if strings.HasSuffix(req.URL, "/fatal") {
		panic("a page like no other")
	}
	return f.Scraper.Prepare(ctx, req)
}

func TestExtractSurvives(t *testing.T) {
	t.Parallel()
	s, _ := thinking(t, func(c *job.Config) {
		c.Scraper, c.Log = fatal{c.Scraper}, slog.New(slog.DiscardHandler)
	})
	s.site.items("/", "Start", "/fatal", "/good")
	s.site.items("/good", "Good")
	j := s.extract(s.extractRequest("/*"))
	if s.wantItems(j, "Start Good"); j.Failed != 1 || !strings.Contains(j.Warning, "1 of 3 pages could not be read") {
		t.Errorf("%d failed: %q", j.Failed, j.Warning)
	}
}

// Nothing found is an answer, unless the caller says that there must be one.
func TestExtractNothing(t *testing.T) {
	t.Parallel()
	s, model := thinking(t)
	model.Handle(func(llmtest.Call) llmtest.Reply { return llmtest.JSON(map[string]any{}) })
	s.site.items("/a", "")
	req := s.extractRequest("/a")
	req.Schema = map[string]any{"type": "object", "properties": map[string]any{"color": map[string]any{"type": "string"}}}
	if j := s.extract(req); j.State != trawl.StateCompleted || string(s.extracted(j).Data) != "{}" || j.Warning != "No page has a value for any field." {
		t.Errorf("%s %s: %s, %q", j.State, j.Error, s.extracted(j).Data, j.Warning)
	}
	req.Schema = map[string]any{"type": "object", "required": []any{"color"}, "properties": map[string]any{"color": map[string]any{"type": "string"}}}
	if j := s.extract(req); j.State != trawl.StateFailed || !strings.Contains(j.Error, "color") {
		t.Errorf("%s %q", j.State, j.Error)
	}
}

// A prompt alone makes a schema first, if there are several pages.
func TestExtractPrompt(t *testing.T) {
	t.Parallel()
	s, model := thinking(t)
	s.site.items("/a", "Kettle")
	s.site.items("/b", "Pan")
	model.Handle(func(call llmtest.Call) llmtest.Reply {
		if !itemText.MatchString(call.User) {
			return llmtest.JSON(itemSchema)
		}
		return findItems(call)
	})
	req := s.extractRequest("/a", "/b")
	req.Schema, req.Prompt = nil, "All items with name and price"
	j := s.extract(req)
	if s.wantItems(j, "Kettle Pan"); j.Tokens != 3*perCall || j.Credits != 24 {
		t.Errorf("%+v", j)
	}
	asked := 0
	for _, call := range model.Calls() {
		if strings.Contains(string(call.Schema), `"price"`) && itemText.MatchString(call.User) {
			asked++
		}
	}
	if asked != 2 {
		t.Errorf("%d of %d questions had the schema that was made", asked, len(model.Calls()))
	}
}

func TestExtractRunsOut(t *testing.T) {
	t.Parallel()
	s, _ := thinking(t)
	pages := numbered("/p", 6)
	for _, path := range pages {
		s.site.items(path, "Kettle")
	}
	team := s.grant(20)
	j := team.extract(team.extractRequest(pages...))
	if j.State != trawl.StateFailed || !strings.Contains(j.Error, "Insufficient credits") || j.Credits != 16 || j.Tokens != 2*perCall {
		t.Errorf("%+v", j)
	}
	team.spent(4, 16)
}

func TestExtractWebhook(t *testing.T) {
	t.Parallel()
	r := newReceiver(t, always(http.StatusOK))
	s, model := thinking(t)
	s.site.items("/a", "Kettle")
	req := s.extractRequest("/a")
	req.Webhook = &trawl.Webhook{URL: r.URL, Metadata: map[string]any{"order": "17"}}
	j := s.extract(req)
	events := r.until(t, "extract.completed")
	if len(events) != 2 || events[0].Type != "extract.started" || len(events[0].Data) != 0 {
		t.Fatalf("%+v", events)
	}
	var last struct {
		Success bool
		Data    []struct {
			Success bool
			Data    json.RawMessage
		}
	}
	if err := json.Unmarshal(events[1].body, &last); err != nil || !last.Success || len(last.Data) != 1 || !last.Data[0].Success ||
		string(last.Data[0].Data) != string(s.extracted(j).Data) || events[1].Metadata["order"] != "17" {
		t.Errorf("%v in %s", err, events[1].body)
	}

	model.Handle(func(llmtest.Call) llmtest.Reply {
		return llmtest.Reply{Status: http.StatusBadRequest, Content: "out of order"}
	})
	j = s.extract(req)
	events = r.until(t, "extract.failed")
	if e := events[len(events)-1]; len(events) != 2 || e.Success || e.Error != j.Error || !strings.Contains(e.Error, "out of order") || len(e.Data) != 0 {
		t.Errorf("%s", e.body)
	}
}
