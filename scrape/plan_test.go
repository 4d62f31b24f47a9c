package scrape_test

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/scrape"
	"github.com/trawlhq/trawl/scrape/format"
)

// spell writes a plan line by line, without what is empty.
func spell(p *scrape.Plan) []string {
	lines := []string{fmt.Sprint("price ", p.Price("", 0))}
	var walk func(path string, v reflect.Value)
	walk = func(path string, v reflect.Value) {
		switch {
		case v.Kind() == reflect.Func || v.IsZero():
		case v.Type() == reflect.TypeFor[[]format.Step]():
			for _, step := range v.Interface().([]format.Step) {
				lines = append(lines, "step "+step.Name)
			}
		case v.Type() == reflect.TypeFor[[]trawl.Action]():
			lines = append(lines, fmt.Sprintf("%s %d", path, v.Len()))
		case v.Kind() == reflect.Pointer:
			walk(path, v.Elem())
		case v.Kind() == reflect.Struct && path != "Caller":
			for i := range v.NumField() {
				if f := v.Type().Field(i); f.IsExported() {
					walk(strings.TrimPrefix(path+"."+f.Name, "."), v.Field(i))
				}
			}
		default:
			lines = append(lines, fmt.Sprintf("%s %v", path, v.Interface()))
		}
	}
	walk("", reflect.ValueOf(p))
	return lines
}

// TestPlan shows what each option means for the work: what the plan has more (+) and
// less (-) than that of a request without options.
func TestPlan(t *testing.T) {
	t.Parallel()
	kept := &depot{}
	s := scrape.New(scrape.Config{
		Fetch: &web{enhanced: true}, Browser: &painter{}, Store: kept, Blobs: kept, History: kept, Profiles: newShelf(), ModelReady: true, Now: time.Now,
	})
	defer s.Close()
	plan := func(t *testing.T, body string) []string {
		req := scrape.Request{}
		if err := json.Unmarshal([]byte(body), &req.ScrapeRequest); err != nil {
			t.Fatal(err)
		}
		p, err := s.Plan(&req)
		if err != nil {
			t.Fatal(err)
		}
		return spell(p)
	}
	const ignored = "+Warnings [These options have no effect on this server: %s.]"
	const fresh = "-Page.Use.Oldest 48h0m0s -Page.Use.Read true"
	const uncached = "-Page.Use.Oldest 48h0m0s -Page.Use.Read true -Page.Use.Write true"
	plain := plan(t, `{"url": "http://a.example/"}`)
	seen := map[string]bool{}
	for _, row := range []struct{ option, value, want string }{
		{"formats", `["markdown"]`, ""},
		{"formats", `["html", "rawHtml", "links", "images"]`, "+step html +step images +step links +step rawHtml -step markdown"},
		{"formats", `["rawBase64"]`, "+Page.RawBytes true +Reading.Bytes true +step rawBase64 -step markdown"},
		{"formats", `["markdown", {"type": "screenshot", "quality": 80}]`, "+Page.Rendered true +Page.Screenshot.Quality 80 +Page.Screenshot.Type screenshot +step screenshot"},
		{"formats", `[{"type": "attributes", "selectors": [{"selector": "a", "attribute": "b"}]}]`, "+step attributes -step markdown"},
		{"formats", `[{"type": "json", "prompt": "p"}]`, "+NeedsAsk true +NeedsText true +UsesModel true +price 5 +step json -price 1 -step markdown"},
		{"formats", `[{"type": "deterministicJson", "prompt": "p"}]`, "+NeedsAsk true +NeedsText true +UsesModel true +price 5 +step deterministicJson -price 1 -step markdown"},
		{"formats", `["summary"]`, "+NeedsAsk true +NeedsText true +UsesModel true +step summary -step markdown"},
		{"formats", `[{"type": "question", "question": "q"}]`, "+NeedsAsk true +NeedsText true +UsesModel true +price 5 +step question -price 1 -step markdown"},
		{"formats", `[{"type": "highlights", "query": "q"}]`, "+NeedsAsk true +NeedsText true +UsesModel true +price 5 +step highlights -price 1 -step markdown"},
		{"formats", `[{"type": "query", "prompt": "q"}]`, "+NeedsAsk true +NeedsText true +UsesModel true +price 5 +step query -price 1 -step markdown"},
		{"formats", `["product", "menu"]`, "+NeedsAsk true +NeedsText true +UsesModel true +step menu +step product -step markdown"},
		{"formats", `["markdown", "changeTracking"]`, "+NeedsAsk true +Page.Rendered true +Page.Settle 5s +Page.Verified true +step changeTracking " + fresh},
		{"formats", `["markdown", {"type": "changeTracking", "modes": ["json"]}]`,
			"+NeedsAsk true +NeedsText true +Page.Rendered true +Page.Settle 5s +Page.Verified true +UsesModel true +price 5 +step changeTracking " + fresh + " -price 1"},
		{"onlyMainContent", `false`, "-Reading.OnlyMain true"},
		{"onlyCleanContent", `true`, fmt.Sprintf(ignored, "onlyCleanContent")},
		{"includeTags", `["main"]`, "+Reading.Include [main]"},
		{"excludeTags", `["nav"]`, "+Reading.Exclude [nav]"},
		{"maxAge", `1000`, "+Page.Use.Oldest 1s -Page.Use.Oldest 48h0m0s"},
		{"maxAge", `0`, fresh},
		{"minAge", `1000`, "+Page.Use.Oldest 17520h0m0s +Page.Use.Only true +Page.Use.Youngest 1s -Page.Use.Oldest 48h0m0s"},
		{"headers", `{"A": "b"}`, "+Page.Headers map[A:b] -Page.SkipTLS true " + uncached},
		{"waitFor", `100`, "+Page.Rendered true +Page.Settle 100ms +Page.WaitFor 100"},
		{"mobile", `true`, "+Page.Mobile true +Page.Rendered true"},
		{"skipTlsVerification", `false`, "-Page.SkipTLS true"},
		{"timeout", `1000`, ""},
		{"parsers", `[]`, "-Reading.Image true -Reading.PDF.Mode auto -Reading.PDF.Type pdf"},
		{"parsers", `[{"type": "pdf", "mode": "fast", "maxPages": 3}]`, "+Reading.PDF.MaxPages 3 +Reading.PDF.Mode fast -Reading.Image true -Reading.PDF.Mode auto"},
		{"actions", `[{"type": "scrape"}]`, "+Page.Actions 1 +Page.Rendered true -Page.SkipTLS true " + uncached},
		{"location", `{"country": "DE"}`, "+Page.Country DE +Page.Languages [de-DE] -Page.Country US -Page.Languages [en-US]"},
		{"removeBase64Images", `false`, "-Reading.RemoveBase64 true"},
		{"blockAds", `false`, "-Page.BlockAds true"},
		{"fastMode", `true`, fmt.Sprintf(ignored, "fastMode")},
		{"proxy", `"basic"`, "-Page.Route auto"},
		{"proxy", `"enhanced"`, "+Page.Route enhanced -Page.Route auto"},
		{"proxy", `"stealth"`, "+Page.Route enhanced -Page.Route auto"},
		{"storeInCache", `false`, "-Page.Use.Write true"},
		{"lockdown", `true`, "+Lockdown true +Page.Use.Oldest 17520h0m0s +Page.Use.Only true +price 5 -Page.Use.Oldest 48h0m0s -price 1"},
		{"profile", `{"name": "p"}`, "+Page.Profile.Name p +Page.Profile.Save true +Page.Rendered true " + uncached},
		{"profile", `{"name": "p", "saveChanges": false}`, "+Page.Profile.Name p +Page.Rendered true " + uncached},
		{"redactPII", `true`, fmt.Sprintf(ignored, "redactPII")},
		{"checkPromptInjection", `true`, fmt.Sprintf(ignored, "checkPromptInjection")},
		{"safeMode", `true`, fmt.Sprintf(ignored, "safeMode")},
		{"threatProtection", `true`, fmt.Sprintf(ignored, "threatProtection")},
		{"auditMetadata", `{"a": 1}`, fmt.Sprintf(ignored, "auditMetadata")},
		{"domainTools", `true`, fmt.Sprintf(ignored, "domainTools")},
		{"toolDetail", `"full"`, fmt.Sprintf(ignored, "toolDetail")},
		{"useMock", `"a"`, fmt.Sprintf(ignored, "useMock")},
		{"origin", `"a"`, ""},
		{"integration", `"a"`, ""},
		{"zeroDataRetention", `true`, "+Discard true +price 2 " + uncached + " -price 1"},
	} {
		seen[row.option] = true
		lines := plan(t, fmt.Sprintf(`{"url": "http://a.example/", %q: %s}`, row.option, row.value))
		if got := difference(plain, lines); got != row.want {
			t.Errorf("%s %s:\n got %s\nwant %s", row.option, row.value, got, row.want)
		}
	}
	for _, of := range []reflect.Type{reflect.TypeFor[trawl.ScrapeOptions](), reflect.TypeFor[trawl.ScrapeRequest]()} {
		for i := range of.NumField() {
			name, _, _ := strings.Cut(of.Field(i).Tag.Get("json"), ",")
			if name != "" && name != "url" && name != "sessionId" && !seen[name] {
				t.Errorf("the plan of %s is not shown", name)
			}
		}
	}
}

// difference lists what is only in the second list (+) and only in the first (-).
func difference(before, after []string) string {
	var list []string
	for _, line := range after {
		if !slices.Contains(before, line) {
			list = append(list, "+"+line)
		}
	}
	for _, line := range before {
		if !slices.Contains(after, line) {
			list = append(list, "-"+line)
		}
	}
	slices.Sort(list)
	return strings.Join(list, " ")
}

func TestPrice(t *testing.T) {
	t.Parallel()
	formats := func(kinds ...string) trawl.ScrapeOptions {
		o := trawl.DefaultScrapeOptions()
		for _, kind := range kinds {
			o.Formats = append(o.Formats, trawl.Format{Type: kind})
		}
		return o
	}
	tracking := formats()
	tracking.Formats = append(tracking.Formats, trawl.Format{Type: "changeTracking", Modes: []string{"json"}})
	unparsed := formats()
	unparsed.Parsers = []trawl.Parser{}
	locked := formats()
	locked.Lockdown = true
	for _, row := range []struct {
		name  string
		req   trawl.ScrapeRequest
		proxy string
		pages int
		want  int64
	}{
		{"page", trawl.ScrapeRequest{ScrapeOptions: formats()}, "basic", 0, 1},
		{"json", trawl.ScrapeRequest{ScrapeOptions: formats("json")}, "basic", 0, 5},
		{"change tracking", trawl.ScrapeRequest{ScrapeOptions: formats("changeTracking")}, "basic", 0, 1},
		{"change tracking with a model", trawl.ScrapeRequest{ScrapeOptions: tracking}, "basic", 0, 5},
		{"question and highlights", trawl.ScrapeRequest{ScrapeOptions: formats("question", "highlights")}, "basic", 0, 9},
		{"enhanced", trawl.ScrapeRequest{ScrapeOptions: formats()}, "stealth", 0, 5},
		{"PDF of seven pages", trawl.ScrapeRequest{ScrapeOptions: formats()}, "basic", 7, 7},
		{"PDF unparsed", trawl.ScrapeRequest{ScrapeOptions: unparsed}, "basic", 0, 1},
		{"zero data retention", trawl.ScrapeRequest{ScrapeOptions: formats(), ZeroDataRetention: true}, "basic", 0, 2},
		{"lockdown", trawl.ScrapeRequest{ScrapeOptions: locked}, "basic", 0, 5},
	} {
		if got := priceOf(t, row.req, row.proxy, row.pages); got != row.want {
			t.Errorf("%s: %d credits, want %d", row.name, got, row.want)
		}
	}
}

func priceOf(t *testing.T, req trawl.ScrapeRequest, proxy string, pages int) int64 {
	t.Helper()
	req.URL = "http://a.example/"
	s := scrape.New(scrape.Config{Now: time.Now})
	defer s.Close()
	plan, err := s.Plan(&scrape.Request{ScrapeRequest: req})
	if err != nil {
		t.Fatal(err)
	}
	return plan.Price(proxy, pages)
}
