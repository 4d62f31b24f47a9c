package api_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/trawlhq/trawl/llm/llmtest"
)

const previewPath = "/v2/crawl/params-preview"

func TestPreview(t *testing.T) {
	t.Parallel()
	model := llmtest.New(t)
	model.Handle(func(llmtest.Call) llmtest.Reply {
		return llmtest.JSON(map[string]any{"includePaths": []string{"^/blog/.*"}, "limit": 20, "maxDiscoveryDepth": 2})
	})
	s := startBeside(t, endpoints{model: model.URL})
	body := `{"url":"` + s.site.URL + `","prompt":"the blog, at most 20 pages","origin":"test"}`
	r := s.do(call{path: previewPath, key: s.key, body: body}).want(t, http.StatusOK)
	if r.str("data", "url") != s.site.URL || r.at("data", "limit") != 20.0 || r.at("data", "maxDiscoveryDepth") != 2.0 || r.at("data", "sitemap") != nil {
		t.Errorf("%s", r.raw)
	}
	if paths, _ := r.at("data", "includePaths").([]any); len(paths) == 0 || paths[0] != "^/blog/.*" {
		t.Errorf("%s", r.raw)
	}
}

func TestPreviewWithoutModel(t *testing.T) {
	t.Parallel()
	s := start(t)
	r := s.do(call{path: previewPath, key: s.key, body: `{"url":"` + s.site.URL + `","prompt":"Crawl at most 20 pages."}`}).want(t, http.StatusOK)
	if r.at("data", "limit") != 20.0 || r.str("warning") == "" {
		t.Errorf("%s", r.raw)
	}
}

func TestPreviewRefuses(t *testing.T) {
	t.Parallel()
	s := start(t)
	for _, body := range []string{
		`{}`, `{"url":"https://a.example"}`, `{"prompt":"x"}`, `{"url":"ftp://a.example","prompt":"x"}`, `{"url":"https://a.example","prompt":""}`,
		`{"url":"https://a.example","prompt":"` + strings.Repeat("x", 10_001) + `"}`, `{"url":"https://a.example","prompt":"x","limit":1}`,
	} {
		r := s.do(call{path: previewPath, key: s.key, body: body}).want(t, http.StatusBadRequest)
		if !strings.HasPrefix(r.str("error"), "Invalid request parameters: ") || r.str("code") != "BAD_REQUEST" || r.at("details") == nil {
			t.Errorf("%.100s: %s", body, r.raw)
		}
	}
}

// What the caller chose wins over what was made of the prompt.
func TestCrawlFromPrompt(t *testing.T) {
	t.Parallel()
	model := llmtest.New(t)
	model.Handle(func(llmtest.Call) llmtest.Reply {
		return llmtest.JSON(map[string]any{"limit": 20, "sitemap": "skip", "excludePaths": []string{"^/private"}})
	})
	s := startBeside(t, endpoints{model: model.URL})
	r := s.do(call{path: crawlPath, key: s.key, body: s.body("/", `"prompt":"not the private parts"`, `"limit":7`)}).want(t, http.StatusOK)
	if r.at("promptGeneratedOptions", "limit") != 20.0 || r.at("finalCrawlerOptions", "limit") != 7.0 || r.at("finalCrawlerOptions", "sitemap") != "skip" {
		t.Errorf("%s", r.raw)
	}
	if paths, _ := r.at("finalCrawlerOptions", "excludePaths").([]any); len(paths) != 1 || paths[0] != "^/private" {
		t.Errorf("%s", r.raw)
	}
	r = s.do(call{path: crawlPath, key: s.key, body: s.body("/")}).want(t, http.StatusOK)
	if r.at("promptGeneratedOptions") != nil || r.at("finalCrawlerOptions") != nil {
		t.Errorf("%s", r.raw)
	}
}
