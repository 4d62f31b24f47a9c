package trawl_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"testing"

	"github.com/trawlhq/trawl"
)

func TestSearchRequest(t *testing.T) {
	t.Parallel()
	for body, c := range map[string]struct {
		groups  []string
		limit   int
		scrapes bool
		ignored []string
	}{
		`{"query":"x"}`: {[]string{"web"}, 10, false, nil},
		`{"query":"x","limit":3,"sources":["news",{"type":"web"},"news"]}`: {[]string{"news", "web"}, 3, false, nil},
		`{"query":"x","sources":["alexandria"]}`:                           {nil, 10, false, nil},
		`{"query":"x","limit":null,"sources":null,"scrapeOptions":null}`:   {[]string{"web"}, 10, false, nil},
		`{"query":"x","scrapeOptions":{}}`:                                 {[]string{"web"}, 10, false, nil},
		`{"query":"x","scrapeOptions":{"formats":[]}}`:                     {[]string{"web"}, 10, false, nil},
		`{"query":"x","scrapeOptions":{"formats":["markdown"]}}`:           {[]string{"web"}, 10, true, nil},
		`{"query":"x","filter":"0","highlights":false,"enterprise":["z"]}`: {[]string{"web"}, 10, false, []string{"filter", "enterprise"}},
	} {
		var req trawl.SearchRequest
		if err := json.Unmarshal([]byte(body), &req); err != nil {
			t.Errorf("%s: %v", body, err)
			continue
		}
		if issues := req.Validate(); len(issues) > 0 {
			t.Errorf("%s: %v", body, issues)
		}
		if !slices.Equal(req.Groups(), c.groups) || req.Limit != c.limit || (req.ScrapeOptions != nil) != c.scrapes || !slices.Equal(req.Ignored(), c.ignored) {
			t.Errorf("%s: %v, %+v, ignored %v", body, req.Groups(), req, req.Ignored())
		}
		if req.ScrapeOptions != nil && (!req.ScrapeOptions.OnlyMainContent || req.ScrapeOptions.Timeout == 0) {
			t.Errorf("%s: the usual options are lost: %+v", body, req.ScrapeOptions)
		}
	}
}

func TestSearchRequestMistakes(t *testing.T) {
	t.Parallel()
	for body, path := range map[string]string{
		`{"query":"  "}`:                                                         "query",
		`{"query":"x","sources":["web","maps"]}`:                                 "sources.1",
		`{"query":"x","categories":[{"type":"poem"}]}`:                           "categories.0",
		`{"query":"x","categories":[{"type":"pdf","tbs":"qdr:d"}]}`:              "categories.0",
		`{"query":"x","includeDomains":["a.com","!g"]}`:                          "includeDomains.1",
		`{"query":"x","excludeDomains":["a.com/path"]}`:                          "excludeDomains.0",
		`{"query":"x","includeDomains":["a.com:8080"]}`:                          "includeDomains.0",
		`{"query":"x","enterprise":["zdr"]}`:                                     "enterprise",
		`{"query":"x","includeDomains":["a.com"],"excludeDomains":["b.com"]}`:    "excludeDomains",
		`{"query":"x","scrapeOptions":{"formats":["markdown",{"type":"poem"}]}}`: "scrapeOptions.formats.1",
	} {
		var req trawl.SearchRequest
		if err := json.Unmarshal([]byte(body), &req); err != nil {
			t.Errorf("%s: %v", body, err)
			continue
		}
		if issues := req.Validate(); len(issues) != 1 || trawl.DottedPath(issues[0].Path) != path {
			t.Errorf("%s: %v, want something about %s", body, issues, path)
		}
	}
	var option trawl.SearchOption
	if err := json.Unmarshal([]byte(`7`), &option); err == nil {
		t.Error("a number is a source")
	}
}

// TestSearchSources puts options into sources instead of the request.
func TestSearchSources(t *testing.T) {
	t.Parallel()
	for body, want := range map[string]string{
		`{"sources":[{"type":"web","tbs":"qdr:d","location":"Berlin"}]}`:                               "qdr:d Berlin []",
		`{"sources":[{"type":"web","tbs":"qdr:d"}],"tbs":"qdr:w"}`:                                     "qdr:d  []",
		`{"sources":["web","news"],"tbs":"qdr:w"}`:                                                     "qdr:w  []",
		`{"sources":[{"type":"web","tbs":"qdr:d"},{"type":"news","tbs":"qdr:d"},"alexandria"]}`:        "qdr:d  []",
		`{"sources":[{"type":"web","tbs":"qdr:d"},"news"],"tbs":"qdr:d"}`:                              "qdr:d  []",
		`{"sources":[{"type":"web","tbs":"qdr:d"},"news"],"tbs":"qdr:w"}`:                              "qdr:w  [sources]",
		`{"sources":[{"type":"web","location":"Berlin"},{"type":"news","location":"Rome"}],"lang":""}`: "  [sources]",
	} {
		var req trawl.SearchRequest
		if err := json.Unmarshal([]byte(body), &req); err != nil {
			t.Errorf("%s: %v", body, err)
			continue
		}
		if got := fmt.Sprint(req.TBS, " ", req.Location, " ", req.Ignored()); got != want {
			t.Errorf("%s: %s, want %s", body, got, want)
		}
	}
}

func TestSearchPrice(t *testing.T) {
	t.Parallel()
	for results, want := range map[int]int64{0: 0, 1: 2, 10: 2, 11: 4, 100: 20} {
		if got := trawl.SearchPrice(results); got != want {
			t.Errorf("%d results cost %d, want %d", results, got, want)
		}
	}
}

func TestSearchResultJSON(t *testing.T) {
	t.Parallel()
	markdown := "# \"A\""
	for want, result := range map[string]trawl.SearchResult{
		`{"url":"https://a.example/","title":"","position":1}`:                               {URL: "https://a.example/", Position: 1},
		`{"url":"u","title":"t","description":"d","category":"pdf","position":2}`:            {URL: "u", Title: "t", Description: "d", Category: "pdf", Position: 2},
		`{"url":"u","title":"t","snippet":"s","date":"1 May","imageUrl":"i","position":3}`:   {URL: "u", Title: "t", Snippet: "s", Date: "1 May", ImageURL: "i", Position: 3},
		`{"url":"u","title":"t","imageUrl":"i","imageWidth":8,"imageHeight":6,"position":4}`: {URL: "u", Title: "t", ImageURL: "i", ImageWidth: 8, ImageHeight: 6, Position: 4},
	} {
		if got, err := json.Marshal(&result); err != nil || string(got) != want {
			t.Errorf("%s, %v\nwant %s", got, err, want)
		}
	}
	scraped := []trawl.SearchResult{{URL: "u", Title: "t", Position: 1, Document: &trawl.Document{Markdown: &markdown, Warning: "w"}}}
	encoded, err := json.Marshal(scraped)
	var decoded []struct {
		URL, Title, Markdown, Warning string
		Position                      int
		Metadata                      map[string]any
	}
	if err == nil {
		err = json.Unmarshal(encoded, &decoded)
	}
	if err != nil || len(decoded) != 1 {
		t.Fatalf("%s: %v", encoded, err)
	}
	if d := decoded[0]; d.URL != "u" || d.Markdown != markdown || d.Position != 1 || d.Warning != "w" || d.Metadata == nil {
		t.Errorf("%s", encoded)
	}
}
