package trawl_test

import (
	"encoding/json"
	"reflect"
	"slices"
	"testing"

	"github.com/trawlhq/trawl"
)

func ptr[T any](v T) *T { return &v }

// all is a choice for everything, none of which is a default.
func all() *trawl.CrawlChoices {
	return &trawl.CrawlChoices{
		IncludePaths: []string{"/in"}, ExcludePaths: []string{"/out"}, MaxDiscoveryDepth: ptr(3), CrawlEntireDomain: ptr(true),
		AllowExternalLinks: ptr(true), AllowSubdomains: ptr(true), Sitemap: trawl.SitemapSkip, IgnoreQueryParameters: ptr(true),
		DeduplicateSimilarURLs: ptr(false), Delay: ptr(2.5), Limit: ptr(7),
	}
}

func TestFill(t *testing.T) {
	t.Parallel()
	var open trawl.CrawlRequest
	for _, body := range []string{`{"url":"a.b"}`, `{"url":"a.b","limit":null,"includePaths":null,"maxDepth":null,"sitemap":null}`} {
		if err := json.Unmarshal([]byte(body), &open); err != nil {
			t.Fatal(err)
		}
		open.Fill(all())
		if !slices.Equal(open.IncludePaths, []string{"/in"}) || !slices.Equal(open.ExcludePaths, []string{"/out"}) || *open.MaxDiscoveryDepth != 3 ||
			!open.CrawlEntireDomain || !open.AllowExternalLinks || !open.AllowSubdomains || open.Sitemap != trawl.SitemapSkip ||
			!open.IgnoreQueryParameters || open.DeduplicateSimilarURLs || open.Delay != 2.5 || open.Limit != 7 {
			t.Errorf("%s: %+v", body, open)
		}
	}

	// What the caller said stays, even if it is the default.
	var given trawl.CrawlRequest
	body := `{"url":"a.b","includePaths":[],"excludePaths":["x"],"maxDepth":0,"sitemap":"include","crawlEntireDomain":false,"allowExternalLinks":false,
		"allowSubdomains":false,"ignoreQueryParameters":false,"deduplicateSimilarURLs":true,"delay":1,"limit":10000}`
	if err := json.Unmarshal([]byte(body), &given); err != nil {
		t.Fatal(err)
	}
	before := given
	given.Fill(all())
	if !reflect.DeepEqual(given, before) {
		t.Errorf("%+v, want %+v", given, before)
	}

	// So does what a program set, which nobody decoded.
	made := trawl.DefaultCrawlRequest()
	made.IncludePaths, made.Limit, made.AllowSubdomains = []string{"mine"}, 5, true
	made.Fill(&trawl.CrawlChoices{IncludePaths: []string{"/in"}, Limit: ptr(7), AllowSubdomains: ptr(false), MaxDepth: ptr(2)})
	if made.IncludePaths[0] != "mine" || made.Limit != 5 || !made.AllowSubdomains || *made.MaxDiscoveryDepth != 2 || made.Sitemap != trawl.SitemapInclude {
		t.Errorf("%+v", made)
	}
}

func TestCrawlDefaults(t *testing.T) {
	t.Parallel()
	for _, body := range []string{`null`, `{}`, `{"limit":null,"sitemap":null,"deduplicateSimilarURLs":null,"scrapeOptions":null,"maxDepth":null}`} {
		var req trawl.CrawlRequest
		if err := json.Unmarshal([]byte(body), &req); err != nil {
			t.Fatal(err)
		}
		if req.Limit != 10_000 || req.Sitemap != trawl.SitemapInclude || !req.DeduplicateSimilarURLs || req.MaxDiscoveryDepth != nil ||
			len(req.ScrapeOptions.Formats) != 1 {
			t.Errorf("%s: %+v", body, req)
		}
	}
}
