package extract_test

import (
	"testing"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/crawl"
	"github.com/trawlhq/trawl/llm/llmtest"
)

// What a model includes can be reached from the start, wherever that is, unless
// the model wants it otherwise.
func TestChoicesReach(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, start, answer string
		in, out             []string
	}{
		{"elsewhere", "/docs/", `{"includePaths":["^/blog/.*"]}`, []string{"/docs/", "/blog/a"}, []string{"/docs/a", "/shop"}},
		{"anywhere", "/docs/", `{"includePaths":["blog"]}`, []string{"/docs/", "/blog/a", "/en/blog"}, []string{"/docs/a"}},
		{"one of two", "/docs/", `{"includePaths":["^/(docs|blog)/.*"]}`, []string{"/docs/a", "/blog/a"}, []string{"/shop"}},
		{"above", "/blog/2024/", `{"includePaths":["^/blog/.*"]}`, []string{"/blog/2024/a", "/blog/2023/a"}, []string{"/docs"}},
		{"below", "/docs/", `{"includePaths":["^/docs/api/.*"]}`, []string{"/docs/", "/docs/api/a"}, []string{"/docs/a", "/api/a"}},
		{"every page", "/docs/", `{"includePaths":[".*"]}`, []string{"/docs/a"}, []string{"/blog/a"}},
		{"by choice", "/docs/", `{"includePaths":["blog"],"crawlEntireDomain":false}`, []string{"/docs/", "/docs/blog/a"}, []string{"/blog/a"}},
		{"no patterns", "/docs/", `{"limit":5}`, []string{"/docs/a"}, []string{"/blog/a"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			x, _ := withModel(t, always(llmtest.Text(c.answer)))
			start := "https://a.example" + c.start
			choices, _, err := x.Choices(t.Context(), start, "the blog")
			if err != nil {
				t.Fatal(err)
			}
			req := trawl.DefaultCrawlRequest()
			req.URL = start
			req.Fill(&choices)
			rules, err := crawl.NewRules(&req, start)
			if err != nil {
				t.Fatal(err)
			}
			for i, path := range append(c.in, c.out...) {
				if v := rules.Judge("https://a.example"+path, 1); (v.Rule == "") != (i < len(c.in)) {
					t.Errorf("%s is judged by %q: %s", path, v.Rule, encode(t, choices))
				}
			}
		})
	}
}
