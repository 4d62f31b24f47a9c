package v1_test

import (
	"encoding/json"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/api/v1"
)

// defaults are what every scrape of the first version gets that does not choose.
const defaults = `"maxAge":0,"proxy":"basic","skipTlsVerification":false`

func TestScrapeRequest(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ given, want, warning string }{
		"nothing":            {`{"url":"u"}`, `{"url":"u",` + defaults + `}`, ""},
		"choices":            {`{"url":"u","maxAge":5,"proxy":"stealth","skipTlsVerification":true}`, `{"url":"u","maxAge":5,"proxy":"stealth","skipTlsVerification":true}`, ""},
		"null is absent":     {`{"url":"u","maxAge":null,"formats":null,"extract":null,"jsonOptions":null}`, `{"url":"u",` + defaults + `}`, ""},
		"formats":            {`{"formats":["markdown","content","screenshot@fullPage","links"]}`, `{"formats":["markdown","screenshot@fullPage","links"],` + defaults + `}`, ""},
		"no formats":         {`{"formats":[]}`, `{"formats":[],` + defaults + `}`, ""},
		"json":               {`{"formats":["json"],"jsonOptions":{"prompt":"p","schema":{"type":"object"},"mode":"llm","temperature":1,"agent":{}}}`, `{"formats":[{"type":"json","prompt":"p","schema":{"type":"object"}}],` + defaults + `}`, ""},
		"extract":            {`{"formats":["markdown","extract"],"extract":{"prompt":"p","systemPrompt":"s"}}`, `{"formats":["markdown",{"type":"json","prompt":"s\n\np"}],` + defaults + `}`, ""},
		"both names":         {`{"formats":["json","extract"],"extract":{"prompt":"e"},"jsonOptions":{"prompt":"j"}}`, `{"formats":[{"type":"json","prompt":"j"}],` + defaults + `}`, ""},
		"options of another": {`{"formats":["extract"],"jsonOptions":{"prompt":"j"}}`, `{"formats":[{"type":"json","prompt":"j"}],` + defaults + `}`, ""},
		"options alone":      {`{"jsonOptions":{"prompt":"j"}}`, `{"formats":["markdown",{"type":"json","prompt":"j"}],` + defaults + `}`, ""},
		"options and others": {`{"formats":["html"],"jsonOptions":{"prompt":"j"}}`, `{"formats":["html",{"type":"json","prompt":"j"}],` + defaults + `}`, ""},
		"changes":            {`{"formats":["markdown","changeTracking"],"changeTrackingOptions":{"modes":["git-diff"],"tag":"t","prompt":null}}`, `{"formats":["markdown",{"type":"changeTracking","modes":["git-diff"],"tag":"t"}],` + defaults + `}`, ""},
		"parsePDF":           {`{"parsePDF":true}`, `{"parsers":["pdf"],` + defaults + `}`, ""},
		"no parsePDF":        {`{"parsePDF":false}`, `{"parsers":[],` + defaults + `}`, ""},
		"geolocation":        {`{"geolocation":{"country":"DE"}}`, `{"location":{"country":"DE"},` + defaults + `}`, ""},
		"location wins":      {`{"geolocation":{"country":"DE"},"location":{"country":"FR"}}`, `{"location":{"country":"FR"},` + defaults + `}`, ""},
		"tags in a string":   {`{"includeTags":"main, .a,","excludeTags":"nav"}`, `{"includeTags":["main",".a"],"excludeTags":["nav"],` + defaults + `}`, ""},
		"tags in a list":     {`{"includeTags":["a,b"]}`, `{"includeTags":["a,b"],` + defaults + `}`, ""},
		"dropped":            {`{"agent":{"model":"x"},"useIndex":true,"useMock":"x","__experimental_omce":true}`, `{` + defaults + `}`, ""},
		"unknown":            {`{"url":"u","pageOptions":{},"fetchPageContent":true}`, `{"url":"u",` + defaults + `}`, "Ignored, for the v1 API does not know it: fetchPageContent, pageOptions."},
		"unknown within":     {`{"formats":["markdown","changeTracking"],"changeTrackingOptions":{"x":1}}`, `{"formats":["markdown",{"type":"changeTracking"}],` + defaults + `}`, "Ignored, for the v1 API does not know it: changeTrackingOptions.x."},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			check(t, v1.Scrape, c.given, c.want, c.warning)
		})
	}
}

func TestOtherRequests(t *testing.T) {
	t.Parallel()
	const depth = `"excludePaths":["^(/+[^/?#]+){11}"]`
	for name, c := range map[string]struct {
		translate            func([]byte) (v1.Request, error)
		given, want, warning string
	}{
		"batch":            {v1.Batch, `{"urls":["u"]}`, `{"urls":["u"],"ignoreInvalidURLs":false,` + defaults + `}`, ""},
		"crawl":            {v1.Crawl, `{"url":"u"}`, `{"url":"u",` + depth + `,"scrapeOptions":{` + defaults + `}}`, ""},
		"crawl options":    {v1.Crawl, `{"ignoreSitemap":true,"allowBackwardLinks":true,"scrapeOptions":{"parsePDF":false,"x":1},"y":1}`, `{"sitemap":"skip","crawlEntireDomain":true,` + depth + `,"scrapeOptions":{"parsers":[],` + defaults + `}}`, "Ignored, for the v1 API does not know it: scrapeOptions.x, y."},
		"crawl wins":       {v1.Crawl, `{"ignoreSitemap":false,"allowBackwardLinks":true,"crawlEntireDomain":false}`, `{"crawlEntireDomain":false,` + depth + `,"scrapeOptions":{` + defaults + `}}`, ""},
		"crawl depth":      {v1.Crawl, `{"maxDepth":2,"maxDiscoveryDepth":3,"excludePaths":["a"]}`, `{"maxDiscoveryDepth":3,"excludePaths":["a","^(/+[^/?#]+){3}"],"scrapeOptions":{` + defaults + `}}`, ""},
		"crawl addresses":  {v1.Crawl, `{"maxDepth":1,"regexOnFullURL":true}`, `{"regexOnFullURL":true,"excludePaths":["^[a-z]+://[^/?#]*(/+[^/?#]+){2}"],"scrapeOptions":{` + defaults + `}}`, ""},
		"crawl however":    {v1.Crawl, `{"maxDepth":100000}`, `{"scrapeOptions":{` + defaults + `}}`, ""},
		"crawl, no prompt": {v1.Crawl, `{"prompt":"p"}`, `{` + depth + `,"scrapeOptions":{` + defaults + `}}`, "Ignored, for the v1 API does not know it: prompt."},
		"map":              {v1.Map, `{"url":"u","ignoreSitemap":true,"limit":30000,"useIndex":false}`, `{"url":"u","sitemap":"skip","limit":30000}`, ""},
		"map, sitemap":     {v1.Map, `{"sitemapOnly":true,"ignoreSitemap":false}`, `{"sitemap":"only"}`, ""},
		"search":           {v1.Search, `{"query":"q"}`, `{"query":"q","limit":5,"lang":"en","country":"us"}`, ""},
		"search scraped":   {v1.Search, `{"query":"q","limit":3,"lang":"de","country":"at","sources":["news"],"scrapeOptions":{"formats":["markdown"]}}`, `{"query":"q","limit":3,"lang":"de","country":"at","scrapeOptions":{"formats":["markdown"],` + defaults + `}}`, "Ignored, for the v1 API does not know it: sources."},
		"extract":          {v1.Extract, `{"urls":["u"],"prompt":"p","systemPrompt":"s","agent":{"model":"x"},"__experimental_streamSteps":true}`, `{"urls":["u"],"prompt":"p","systemPrompt":"s","ignoreInvalidURLs":false,"scrapeOptions":{` + defaults + `}}`, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			check(t, c.translate, c.given, c.want, c.warning)
		})
	}
}

func check(t *testing.T, translate func([]byte) (v1.Request, error), given, want, warning string) {
	t.Helper()
	got, err := translate([]byte(given))
	if err != nil {
		t.Fatal(err)
	}
	var is, should any
	if json.Unmarshal(got.Body, &is) != nil || json.Unmarshal([]byte(want), &should) != nil {
		t.Fatalf("%s, %s", got.Body, want)
	}
	if !reflect.DeepEqual(is, should) {
		t.Errorf("%s\nwant %s", got.Body, want)
	}
	if got.Warning != warning {
		t.Errorf("warning: %s", got.Warning)
	}
}

func TestRefusals(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		translate     func([]byte) (v1.Request, error)
		given, reason string
	}{
		{v1.Scrape, `{"formats":["json"]}`, "When 'extract' or 'json' format is specified, corresponding options must be provided, and vice versa"},
		{v1.Scrape, `{"formats":["extract"]}`, "When 'extract' or 'json' format is specified, corresponding options must be provided, and vice versa"},
		{v1.Scrape, `{"formats":"markdown"}`, "formats: must be a list"},
		{v1.Scrape, `{"jsonOptions":"x"}`, "jsonOptions: must be an object with a prompt, a schema or both"},
		{v1.Scrape, `{"extract":{"prompt":1}}`, "extract: must be an object with a prompt, a schema or both"},
		{v1.Scrape, `{"changeTrackingOptions":[]}`, "changeTrackingOptions: must be an object"},
		{v1.Scrape, `{"parsePDF":"yes"}`, "parsePDF: must be true or false"},
		{v1.Crawl, `{"scrapeOptions":{"parsePDF":1}}`, "scrapeOptions.parsePDF: must be true or false"},
		{v1.Crawl, `{"allowBackwardLinks":"yes"}`, "allowBackwardLinks: must be true or false"},
		{v1.Crawl, `{"maxDepth":-1}`, "maxDepth: must be a whole number from 0 on"},
		{v1.Crawl, `{"maxDepth":1.5}`, "maxDepth: must be a whole number from 0 on"},
		{v1.Crawl, `{"maxDepth":"1"}`, "maxDepth: must be a whole number from 0 on"},
		{v1.Crawl, `{"maxDepth":1,"url":"https://example.com/a/b"}`, "URL depth exceeds the specified maxDepth"},
		{v1.Crawl, `{"maxDepth":1,"url":"example.com/a/b/"}`, "URL depth exceeds the specified maxDepth"},
		{v1.Map, `{"limit":30001}`, "limit: must be at most 30000"},
		{v1.Map, `{"sitemapOnly":1}`, "sitemapOnly: must be true or false"},
	} {
		_, err := c.translate([]byte(c.given))
		if err == nil || err.Error() != c.reason || trawl.ErrorCode(err) != trawl.CodeBadRequest {
			t.Errorf("%s: %v", c.given, err)
		}
	}
}

// TestDepthPattern holds the pattern of a depth against paths.
func TestDepthPattern(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		body    string
		in, out []string
	}{
		{`{"maxDepth":0}`, []string{"/"}, []string{"/a", "/a/b"}},
		{`{"maxDepth":1}`, []string{"/", "/a", "/a/", "//a"}, []string{"/a/b", "/a/b/c", "//a//b"}},
		{`{"maxDepth":999}`, []string{strings.Repeat("/a", 999)}, []string{strings.Repeat("/a", 1000)}},
		{`{"maxDepth":1,"regexOnFullURL":true}`, []string{"http://x.example/", "https://x.example/a?b=/c/d"}, []string{"https://x.example/a/b"}},
	} {
		r, err := v1.Crawl([]byte(c.body))
		if err != nil {
			t.Fatal(err)
		}
		var body struct{ ExcludePaths []string }
		if err := json.Unmarshal(r.Body, &body); err != nil || len(body.ExcludePaths) != 1 {
			t.Fatalf("%s: %v", r.Body, err)
		}
		pattern := regexp.MustCompile(body.ExcludePaths[0])
		for _, path := range c.in {
			if pattern.MatchString(path) {
				t.Errorf("%s leaves %.50s out", c.body, path)
			}
		}
		for _, path := range c.out {
			if !pattern.MatchString(path) {
				t.Errorf("%s lets %.50s in", c.body, path)
			}
		}
	}
}

// FuzzTranslate sees that whatever is sent becomes one JSON object or is refused.
func FuzzTranslate(f *testing.F) {
	for _, seed := range []string{
		`{}`, `[]`, `null`, `1`, `""`, `{"formats":[null,1,{},[]]}`, `{"formats":["json"],"jsonOptions":{"schema":{"a":[1e400]}}}`,
		`{"scrapeOptions":null}`, `{"scrapeOptions":[]}`, `{"scrapeOptions":{"formats":{}}}`, `{"excludePaths":"a","maxDepth":3}`, `{"url":1,"maxDepth":1e300}`,
		`{"":1,"\u0000":2}`, `{"includeTags":",,","excludeTags":1}`,
	} {
		f.Add([]byte(seed))
	}
	all := []func([]byte) (v1.Request, error){v1.Scrape, v1.Batch, v1.Crawl, v1.Map, v1.Search, v1.Extract}
	f.Fuzz(func(t *testing.T, body []byte) {
		if !json.Valid(body) {
			return // refused before
		}
		for _, translate := range all {
			r, err := translate(body)
			if err == nil && !json.Valid(r.Body) {
				t.Errorf("%s became %s", body, r.Body)
			}
		}
		if doc := v1.Document(body); !json.Valid(doc) {
			t.Errorf("the document %s became %s", body, doc)
		}
	})
}
