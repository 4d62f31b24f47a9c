package extract_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/content/facts"
	"github.com/trawlhq/trawl/extract"
)

func TestWithoutModel(t *testing.T) {
	t.Parallel()
	x := &extract.Extractor{}
	src := &extract.Source{
		URL: "https://shop.example/kettle", Markdown: "# Kettle\n\nOnly 49.90.",
		Facts: &facts.Facts{Things: []map[string]any{{
			"@type": []any{"Product"}, "name": "Kettle", "offers": map[string]any{"@type": []any{"Offer"}, "price": json.Number("49.90")},
		}}},
	}
	s := compile(t, `{"type":"object","required":["name"],"properties":{"name":{"type":"string"},"price":{"type":"number"}}}`)
	f, err := askJSON(x, t.Context(), src, extract.Want{Prompt: "the kettle", Schema: s})
	if err != nil {
		t.Fatal(err)
	}
	if len(s.Check(f.Value)) > 0 || f.Value.(map[string]any)["name"] != "Kettle" || f.Tokens != 0 {
		t.Errorf("found %+v", f)
	}
	if !strings.Contains(f.Warning, "No language model") || !strings.Contains(f.Warning, "prompt was not used") {
		t.Errorf("warning is %q", f.Warning)
	}
	if verified(f.Evidence)["name"] == "" {
		t.Errorf("evidence is %+v", f.Evidence)
	}

	more := compile(t, `{"type":"object","required":["name","warranty"],"properties":{"name":{"type":"string"},"warranty":{"type":"string"}}}`)
	_, err = askJSON(x, t.Context(), src, extract.Want{Schema: more})
	wantError(t, err, trawl.CodeNoModel, "warranty", "TRAWL_LLM_BASE_URL", "TRAWL_LLM_MODEL")
	f, err = x.Part(t.Context(), src, extract.Want{Schema: more})
	if err != nil || encode(t, f.Value) != `{"name":"Kettle"}` || f.Warning == "" || strings.Contains(f.Warning, "prompt") {
		t.Errorf("part is %+v, %v", f, err)
	}
	f, err = x.Part(t.Context(), &extract.Source{URL: "https://shop.example/", Markdown: "words"}, extract.Want{Schema: compile(t, `{"type":"object","properties":{"warranty":{"type":"string"}}}`)})
	if err != nil || f.Value != nil {
		t.Errorf("part of a page without facts is %+v, %v", f, err)
	}
	for _, err := range []error{
		func() error { _, err := askJSON(x, t.Context(), src, extract.Want{Prompt: "the kettle"}); return err }(),
		func() error { _, err := x.Part(t.Context(), src, extract.Want{Prompt: "the kettle"}); return err }(),
	} {
		wantError(t, err, trawl.CodeNoModel, "TRAWL_LLM_BASE_URL", "TRAWL_LLM_MODEL")
	}
}

// A strict schema requires every field and lets it be null. What the page does not
// say is null then.
func TestNullWithoutModel(t *testing.T) {
	t.Parallel()
	src := &extract.Source{URL: "https://shop.example/kettle", Facts: &facts.Facts{Things: []map[string]any{{"@type": []any{"Product"}, "name": "Kettle"}}}}
	s := compile(t, `{"type":"object","required":["name","warranty"],"additionalProperties":false,"properties":{
		"name":{"type":["string","null"]},"warranty":{"anyOf":[{"type":"string"},{"type":"null"}]}}}`)
	f, err := askJSON((&extract.Extractor{}), t.Context(), src, extract.Want{Schema: s})
	if err != nil || encode(t, f.Value) != `{"name":"Kettle","warranty":null}` || len(f.Evidence) != 1 {
		t.Errorf("found %+v, %v", f, err)
	}
	_, err = askJSON((&extract.Extractor{}), t.Context(), &extract.Source{URL: src.URL, Facts: &facts.Facts{}}, extract.Want{Schema: s})
	wantError(t, err, trawl.CodeNoModel)
}

func TestSummaryWithoutModel(t *testing.T) {
	t.Parallel()
	const sentence = "The kettle is made of copper and boils water faster than any other kettle."
	text, tokens, warning, err := askSummary((&extract.Extractor{}), t.Context(), &extract.Source{Markdown: "# Kettle\n\n" + sentence + " The kettle has a handle of wood that stays cool while the water boils."})
	if err != nil || tokens != 0 || !strings.Contains(text, "kettle") || !strings.Contains(warning, "No language model") {
		t.Errorf("%q, %d, %q, %v", text, tokens, warning, err)
	}
}

// A page without sentences has its description or little text for a summary, or
// none; the warning says which.
func TestSummaryWithoutSentences(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct{ markdown, description, want, warning string }{
		{"Hi.", "", "Hi.", "its text"},
		{"- [Home](/)\n- [News](/news)\n", "", "", "no sentences"},
		{"- tea\n- milk\n", "", "tea milk", "its text"},
		{"- [Home](/)\n", "All about tea.", "All about tea.", "its description"},
		{strings.Repeat("- one of very many words\n", 30), "", "", "no sentences"},
	} {
		text, _, warning, err := askSummary((&extract.Extractor{}), t.Context(), &extract.Source{Markdown: tc.markdown, Description: tc.description})
		if err != nil || text != tc.want || !strings.Contains(warning, tc.warning) || strings.Contains(warning, "consists of sentences") {
			t.Errorf("%.30q: %q, %q, %v", tc.markdown, text, warning, err)
		}
	}
}

func TestLargeTableWithoutModel(t *testing.T) {
	t.Parallel()
	src := &extract.Source{URL: "https://shop.example/", Facts: &facts.Facts{Title: "Kettles", Cut: true}}
	f, err := askJSON((&extract.Extractor{}), t.Context(), src, extract.Want{Schema: compile(t, `{"type":"object","properties":{"title":{"type":"string"}}}`)})
	if err != nil || !strings.Contains(f.Warning, "may lack their ends") {
		t.Errorf("found %+v, %v", f, err)
	}
}

func TestChoicesWithoutModel(t *testing.T) {
	t.Parallel()
	x := &extract.Extractor{}
	choices, warning, err := x.Choices(t.Context(), "https://a.example/", "Crawl only the blog, at most 50 pages")
	if err != nil {
		t.Fatal(err)
	}
	if choices.Limit == nil || *choices.Limit != 50 || len(choices.IncludePaths) == 0 || !strings.Contains(warning, "read by rules") {
		t.Errorf("choices are %s, %q", encode(t, choices), warning)
	}
	_, _, err = x.Choices(t.Context(), "https://a.example/", "Wherever the wind blows.")
	wantError(t, err, trawl.CodeNoModel, "TRAWL_LLM_BASE_URL")
}
