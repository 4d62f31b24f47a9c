package extract_test

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"testing"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/extract"
	"github.com/trawlhq/trawl/llm/llmtest"
)

func TestPlan(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, answer string
		fields       int // 0: no schema
	}{
		{"schema", `{"type":"object","required":["name"],"properties":{"name":{"type":"string"},"jobs":{"type":"array","items":{"type":"object","properties":{"title":{"type":"string"}}}}}}`, 2},
		{"wrapped", `{"name":"plan","schema":{"type":"object","properties":{"name":{"type":"string"}}}}`, 1},
		{"no properties", `{"type":"object"}`, 0},
		{"no object", `{"type":"string"}`, 0},
		{"broken", `{"type":"object","properties":{"a":{"type":"nonsense"}}}`, 0},
		{"reference", `{"type":"object","properties":{"a":{"$ref":"https://evil.example/schema"}}}`, 0},
		{"no schema", `[1]`, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			x, _ := withModel(t, always(llmtest.Text(c.answer)))
			s, tokens, err := x.Plan(t.Context(), extract.Want{Prompt: "all jobs"})
			if err != nil || tokens != 120 {
				t.Fatalf("%d tokens, %v", tokens, err)
			}
			switch {
			case c.fields == 0 && s != nil:
				t.Errorf("schema is %s", s.JSON())
			case c.fields > 0 && (s == nil || len(s.Fields()) != c.fields || len(s.Check(map[string]any{})) > 0):
				t.Errorf("schema is %+v", s)
			}
		})
	}
	_, _, err := (&extract.Extractor{}).Plan(t.Context(), extract.Want{Prompt: "all jobs"})
	wantError(t, err, trawl.CodeNoModel, "TRAWL_LLM_MODEL")
}

func TestTerms(t *testing.T) {
	t.Parallel()
	got := extract.Terms(extract.Want{
		Prompt: "Find all the open jobs in Berlin, and the jobs' salaries.",
		Schema: compile(t, `{"type":"object","properties":{"jobTitle":{"type":"string","description":"Title of the position"},"salary_eur":{"type":"number"}}}`),
	})
	if got != "open jobs berlin salaries job title salary eur position" {
		t.Errorf("terms are %q", got)
	}
	for prompt, want := range map[string]string{
		"the return policy":                           "return policy",
		"Return the policy, and list all fees":        "policy fees",
		"API reference of scrape":                     "api reference scrape",
		"Please scrape every product and show prices": "product prices",
		"about the company":                           "about company",
		"the about page. All data about prices":       "about prices",
		"all items with price":                        "items price",
	} {
		if got := extract.Terms(extract.Want{Prompt: prompt}); got != want {
			t.Errorf("terms of %q are %q, want %q", prompt, got, want)
		}
	}
	if n := len(strings.Fields(extract.Terms(extract.Want{Prompt: strings.Repeat("zebra1 zebra2 "+got, 3) + longWords(100)}))); n != 40 {
		t.Errorf("%d terms", n)
	}
}

func longWords(n int) string {
	var b strings.Builder
	for i := range n {
		b.WriteString(" w" + strings.Repeat("x", i))
	}
	return b.String()
}

func TestSummary(t *testing.T) {
	t.Parallel()
	x, server := withModel(t, always(llmtest.Text("  Ein Kessel aus Kupfer.\n")))
	text, tokens, warning, err := askSummary(x, t.Context(), &extract.Source{URL: "https://a.example/", Markdown: "Der Kessel ist aus Kupfer."})
	if err != nil || text != "Ein Kessel aus Kupfer." || tokens != 120 || warning != "" {
		t.Errorf("%q, %d, %q, %v", text, tokens, warning, err)
	}
	if call := server.Calls()[0]; call.Mode != "text" || !strings.Contains(call.System, "language of the page") {
		t.Errorf("asked %+v", call)
	}
	if text, tokens, _, err = askSummary(x, t.Context(), &extract.Source{}); text != "" || tokens != 0 || err != nil {
		t.Errorf("of nothing: %q, %d, %v", text, tokens, err)
	}
}

func TestSummaryOfLongPage(t *testing.T) {
	t.Parallel()
	x, server := withModel(t, func(call llmtest.Call) llmtest.Reply {
		if strings.Contains(call.User, "one part of a long page") {
			return llmtest.Text("A part of it.")
		}
		return llmtest.Text(strings.Repeat("All of it in far too many words. ", 100))
	})
	page := strings.Repeat("Words that fill the page. ", 10_000)
	text, tokens, warning, err := askSummary(x, t.Context(), &extract.Source{Markdown: page})
	if err != nil || warning != "" || len(text) > 1500 || !strings.HasSuffix(text, "words.") {
		t.Errorf("%q, %q, %v", text, warning, err)
	}
	calls := server.Calls()
	if last := calls[len(calls)-1].User; !strings.Contains(last, "A part of it.\n\nA part of it.") || len(calls) < 7 || tokens != 120*len(calls) {
		t.Errorf("%d calls, %d tokens, the last: %q", len(calls), tokens, last)
	}
	_, _, warning, err = askSummary(x, t.Context(), &extract.Source{Markdown: strings.Repeat(page, 6)})
	if err != nil || !strings.Contains(warning, "1280000") {
		t.Errorf("%q, %v", warning, err)
	}
}

func TestSummaryLearnsSize(t *testing.T) {
	t.Parallel()
	x, _ := withModel(t, refuseLong(4_500, func(call llmtest.Call) llmtest.Reply {
		return llmtest.Text(strings.Repeat("Ein kurzer Satz. ", 60))
	}))
	text, _, _, err := askSummary(x, t.Context(), &extract.Source{Markdown: strings.Repeat("Wörter, die eine Seite füllen. ", 3000)})
	if err != nil || !strings.HasSuffix(text, "Satz.") {
		t.Errorf("%q, %v", text, err)
	}
}

func TestCancelled(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	x, _ := withModel(t, func(llmtest.Call) llmtest.Reply {
		cancel()
		return llmtest.Reply{Hang: true}
	})
	if _, err := askJSON(x, ctx, &extract.Source{Markdown: "x"}, extract.Want{Prompt: "y"}); !errors.Is(err, context.Canceled) {
		t.Errorf("error is %v", err)
	}
}

func TestChoices(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, start, answer, choices string
		warning                      string
	}{
		{"some", "https://a.example/", `{"includePaths":["^/blog/.*"],"limit":50,"sitemap":"skip","delay":0.5,"allowSubdomains":null}`,
			`{"includePaths":["^/blog/.*","^/$"],"sitemap":"skip","delay":0.5,"limit":50}`, ""},
		{"the start fits", "https://a.example/blog/2024", `{"includePaths":["^/blog/.*"],"maxDiscoveryDepth":0}`, `{"includePaths":["^/blog/.*"],"maxDiscoveryDepth":0,"crawlEntireDomain":true}`, ""},
		{"no path", "https://a.example", `{"includePaths":["docs"]}`, `{"includePaths":["docs","^/$"]}`, ""},
		{"signs", "https://a.example/a.b(c)", `{"includePaths":["docs"]}`, `{"includePaths":["docs","^/a\\.b\\(c\\)/?$"],"crawlEntireDomain":true}`, ""},
		{"exclusions", "https://a.example/", `{"excludePaths":[".*","^/tag/"]}`, `{"excludePaths":["^/tag/"]}`, "start"},
		{"nothing", "https://a.example/", `{}`, `{}`, ""},
		{"unknown options", "https://a.example/", `{"webhook":"https://evil.example/","limit":5}`, `{"limit":5}`, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			x, server := withModel(t, always(llmtest.Text(c.answer)))
			choices, warning, err := x.Choices(t.Context(), c.start, "the blog")
			if err != nil {
				t.Fatal(err)
			}
			if got := encode(t, choices); got != c.choices {
				t.Errorf("choices are %s", got)
			}
			if !strings.Contains(warning, c.warning) || c.warning == "" && warning != "" {
				t.Errorf("warning is %q", warning)
			}
			if user := server.Calls()[0].User; !strings.Contains(user, c.start) || !strings.Contains(user, "the blog") {
				t.Errorf("the question is %q", user)
			}
		})
	}
}

func TestBadChoices(t *testing.T) {
	t.Parallel()
	for _, answer := range []string{
		`{"limit":0}`, `{"limit":100000001}`, `{"limit":1e30}`, `{"maxDiscoveryDepth":-1}`, `{"delay":0}`, `{"delay":61}`, `{"sitemap":"sometimes"}`,
		`{"includePaths":["("]}`, `{"excludePaths":["(?=x)"]}`, `{"includePaths":["` + strings.Repeat("x", 501) + `"]}`,
		`{"excludePaths":["a"` + strings.Repeat(`,"a"`, 100) + `]}`, `{"limit":"many"}`, `I would rather write a poem.`, ``,
	} {
		x, _ := withModel(t, always(llmtest.Text(answer)))
		choices, _, err := x.Choices(t.Context(), "https://a.example/", "the blog")
		wantError(t, err, trawl.CodeBadRequest, "Rephrase it")
		if encode(t, choices) != "{}" {
			t.Errorf("choices are %s", encode(t, choices))
		}
	}
	x, _ := withModel(t, always(llmtest.Reply{Status: http.StatusForbidden, Content: "no"}))
	_, _, err := x.Choices(t.Context(), "https://a.example/", "the blog")
	wantError(t, err, trawl.CodeModel)
}
