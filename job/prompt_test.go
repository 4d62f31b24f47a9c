package job_test

import (
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/llm/llmtest"
)

func TestCrawlPrompt(t *testing.T) {
	t.Parallel()
	s, model := thinking(t)
	s.site.page("/", "/blog/a", "/blog/b", "/shop")
	s.site.page("/blog/a")
	s.site.page("/blog/b")
	s.site.page("/shop")
	model.Handle(func(llmtest.Call) llmtest.Reply {
		return llmtest.JSON(map[string]any{"includePaths": []string{"^/blog/"}, "limit": 50, "sitemap": "skip"})
	})
	req := s.crawlRequest("/", func(r *trawl.CrawlRequest) { r.Prompt, r.Limit = "Read the blog", 40 })
	receipt := s.ordered(s.Crawl(t.Context(), s.order, req))
	s.expect(s.finished(trawl.KindCrawl, receipt.ID), trawl.StateCompleted, "/", "/blog/a", "/blog/b")
	var final trawl.CrawlRequest
	if err := json.Unmarshal(receipt.Final, &final); err != nil {
		t.Fatal(err)
	}
	if receipt.Generated == nil || !slices.Equal(receipt.Generated.IncludePaths, final.IncludePaths) || *receipt.Generated.Limit != 50 ||
		final.Limit != 40 || final.Sitemap != trawl.SitemapSkip || receipt.Warning != "" {
		t.Errorf("%+v, %s", receipt.Generated, receipt.Final)
	}
	plain := s.ordered(s.Crawl(t.Context(), s.order, s.crawlRequest("/shop")))
	if plain.Generated != nil || plain.Final != nil {
		t.Errorf("%+v", plain)
	}
	s.finished(trawl.KindCrawl, plain.ID)

	choices, warning, err := s.Preview(t.Context(), s.order, trawl.PreviewRequest{URL: s.site.URL, Prompt: "Read the blog"})
	if err != nil || !slices.Contains(choices.IncludePaths, "^/blog/") || *choices.Limit != 50 || warning != "" {
		t.Errorf("%+v, %q, %v", choices, warning, err)
	}
}

// What is made of a prompt is held to the same rules as what a caller sends.
func TestPromptRefused(t *testing.T) {
	t.Parallel()
	s, model := thinking(t)
	for _, answer := range []llmtest.Reply{
		llmtest.JSON(map[string]any{"includePaths": []string{"(unclosed"}}),
		llmtest.JSON(map[string]any{"includePaths": slices.Repeat([]string{"(\\w+x){1000}"}, 20)}),
	} {
		model.Handle(func(llmtest.Call) llmtest.Reply { return answer })
		_, err := s.Crawl(t.Context(), s.order, s.crawlRequest("/", func(r *trawl.CrawlRequest) { r.Prompt = "Read the blog" }))
		wantCode(t, err, trawl.CodeBadRequest)
		if err == nil || !strings.Contains(err.Error(), "Rephrase it") {
			t.Errorf("%v", err)
		}
		_, _, err = s.Preview(t.Context(), s.order, trawl.PreviewRequest{URL: s.site.URL, Prompt: "Read the blog"})
		wantCode(t, err, trawl.CodeBadRequest)
	}
	model.Handle(func(llmtest.Call) llmtest.Reply {
		return llmtest.Reply{Status: http.StatusBadRequest, Content: "out of order"}
	})
	_, err := s.Crawl(t.Context(), s.order, s.crawlRequest("/", func(r *trawl.CrawlRequest) { r.Prompt = "Read the blog" }))
	if wantCode(t, err, trawl.CodeModel); err == nil || !strings.Contains(err.Error(), "out of order") {
		t.Errorf("%v", err)
	}
	_, _, err = s.Preview(t.Context(), s.order, trawl.PreviewRequest{URL: "http://", Prompt: "x"})
	wantCode(t, err, trawl.CodeBadRequest)
}

// Without a language model, rules do what they can and say so.
func TestPromptWithoutModel(t *testing.T) {
	t.Parallel()
	s := start(t)
	s.site.page("/", "/a", "/b", "/c")
	for _, path := range []string{"/a", "/b", "/c"} {
		s.site.page(path)
	}
	receipt := s.ordered(s.Crawl(t.Context(), s.order, s.crawlRequest("/", func(r *trawl.CrawlRequest) { r.Prompt = "At most 2 pages" })))
	j := s.finished(trawl.KindCrawl, receipt.ID)
	if j.Completed != 2 || receipt.Warning == "" || j.Warning != receipt.Warning || receipt.Generated == nil || *receipt.Generated.Limit != 2 {
		t.Errorf("%+v, %+v", j, receipt)
	}
}
