package trawl_test

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/trawlhq/trawl"
)

func TestParseGlob(t *testing.T) {
	t.Parallel()
	for typed, want := range map[string]trawl.Glob{
		"https://a.b":                 {Base: "https://a.b/"},
		" a.b/x ":                     {Base: "http://a.b/x"},
		"https://a.b/x?q=1#part":      {Base: "https://a.b/x?q=1#part"},
		"https://a.b/*":               {Base: "https://a.b/", Pattern: "/*"},
		"a.b/*":                       {Base: "http://a.b/", Pattern: "/*"},
		"https://a.b/blog/*":          {Base: "https://a.b/blog/", Pattern: "/blog/*"},
		"https://a.b/blog/2*/x":       {Base: "https://a.b/blog/", Pattern: "/blog/2*/x"},
		"https://a.b/p-*.html#x":      {Base: "https://a.b/", Pattern: "/p-*.html"},
		"https://a.b/x/?tag=/y*":      {Base: "https://a.b/x/", Pattern: "/x/?tag=/y*"},
		"https://*.a.b":               {Base: "https://a.b/", Pattern: "/*", Subdomains: true},
		"*.a.b/docs/":                 {Base: "http://a.b/docs/", Pattern: "/docs/*", Subdomains: true},
		"https://*.a.b/docs/v*":       {Base: "https://a.b/docs/", Pattern: "/docs/v*", Subdomains: true},
		"https://user:pw@a.b:8080/in": {Base: "https://user:pw@a.b:8080/in"},
	} {
		want.Text = typed
		got, err := trawl.ParseGlob(typed)
		if err != nil || got != want || got.Single() != (want.Pattern == "") {
			t.Errorf("%q: %+v, %v, want %+v", typed, got, err, want)
		}
	}
	for typed, want := range map[string]error{
		"": trawl.ErrURLInvalid, "*": nil, "https://a.*/": nil, "https://a*.b/": trawl.ErrURLInvalid,
		"https://*.*.b/": trawl.ErrURLInvalid, "ftp://a.b/*": trawl.ErrURLProtocol, "nodots/*": trawl.ErrURLHost, "/blog/*": nil,
		"https://a.b?x=*": nil, "https://user:pw@a.b/*": trawl.ErrURLInvalid, "https://a.b/" + strings.Repeat("*a", 21): trawl.ErrURLInvalid,
		"https://a.b/" + strings.Repeat("a", 1<<15): trawl.ErrURLInvalid,
	} {
		if g, err := trawl.ParseGlob(typed); err == nil || want != nil && !errors.Is(err, want) {
			t.Errorf("%.40q: %+v, %v, want %v", typed, g, err, want)
		}
	}
}

// A glob's base is an address that can be asked for, and never has a star in its
// path that was not there.
func FuzzParseGlob(f *testing.F) {
	for _, seed := range []string{"https://a.b/*", "*.a.b/x*?y#z", "://*/", "a.b/?*", "https://a.b/x/../*"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, typed string) {
		g, err := trawl.ParseGlob(typed)
		if err != nil {
			return
		}
		if base, err := trawl.ParseTarget(g.Base); err != nil || base != g.Base {
			t.Errorf("%q begins at %q, which is %q, %v", typed, g.Base, base, err)
		}
		if !g.Single() && (!strings.HasPrefix(g.Pattern, "/") || !strings.Contains(g.Pattern, "*")) {
			t.Errorf("%q has the pattern %q", typed, g.Pattern)
		}
	})
}

func TestExtractDefaults(t *testing.T) {
	t.Parallel()
	for _, body := range []string{
		`{"urls":["a.b"],"prompt":"x"}`, `null`,
		`{"urls":null,"includeSubdomains":null,"ignoreInvalidURLs":null,"limit":null,"scrapeOptions":null,"timeout":null,"schema":null,"origin":null}`,
	} {
		var req trawl.ExtractRequest
		if err := json.Unmarshal([]byte(body), &req); err != nil {
			t.Fatal(err)
		}
		if !req.IncludeSubdomains || !req.IgnoreInvalidURLs || req.Limit != 100 || req.Timeout != 0 || req.Origin != "api" || req.ShowSources ||
			len(req.ScrapeOptions.Formats) != 1 || !req.ScrapeOptions.OnlyMainContent || req.ScrapeOptions.Timeout != 30_000 || req.Schema != nil {
			t.Errorf("%s: %+v", body, req)
		}
	}
	var req trawl.ExtractRequest
	body := `{"urls":["a.b"],"includeSubdomains":false,"ignoreInvalidURLs":false,"limit":3,"webhook":"https://c.d/hook",
		"agent":{"model":"x"},"urlTrace":true,"scrapeOptions":{"onlyMainContent":false}}`
	if err := json.Unmarshal([]byte(body), &req); err != nil {
		t.Fatal(err)
	}
	if req.IncludeSubdomains || req.IgnoreInvalidURLs || req.Limit != 3 || req.Webhook.URL != "https://c.d/hook" || req.ScrapeOptions.OnlyMainContent {
		t.Errorf("%+v", req)
	}
	if got := strings.Join(req.Ignored(), " "); got != "agent urlTrace" {
		t.Errorf("ignored: %s", got)
	}
}

func TestExtractValidate(t *testing.T) {
	t.Parallel()
	object := map[string]any{"type": "object", "properties": map[string]any{"a": map[string]any{}}}
	for want, change := range map[string]func(*trawl.ExtractRequest){
		"":                  func(*trawl.ExtractRequest) {},
		"urls: is required": func(r *trawl.ExtractRequest) { r.URLs = nil },
		"An extract takes at most 10 addresses: use a star for many pages of a site": func(r *trawl.ExtractRequest) { r.URLs = make([]string, 11) },
		"Invalid URL": func(r *trawl.ExtractRequest) { r.URLs, r.IgnoreInvalidURLs = []string{"a.b", "http://"}, false },
		"Either 'prompt' or 'schema' must be provided.": func(r *trawl.ExtractRequest) { r.Prompt, r.Schema = "  ", nil },
		"Invalid JSON schema.":                          func(r *trawl.ExtractRequest) { r.Schema = []any{} },
		"webhook.events.0: unknown event \"scraped\"":   func(r *trawl.ExtractRequest) { r.Webhook = &trawl.Webhook{URL: "a.b", Events: []string{"scraped"}} },
	} {
		req := trawl.DefaultExtractRequest()
		req.URLs, req.Prompt, req.Schema = []string{"a.b", "http://"}, "x", object
		change(&req)
		err := trawl.Invalid(req.Validate())
		if got := message(err); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	req := trawl.DefaultExtractRequest()
	req.URLs, req.Schema, req.Prompt = []string{"a.b"}, map[string]any{"type": "object", "additionalProperties": true}, "x"
	if got := message(trawl.Invalid(req.Validate())); got != "Invalid JSON schema." {
		t.Errorf("a schema that says nothing: %q", got)
	}
	req.URLs = []string{"https://a.b/*", "http://", "x.y"}
	if valid, unusable := req.Split(); len(valid) != 2 || valid[1].Base != "http://x.y/" || len(unusable) != 1 || unusable[0] != "http://" {
		t.Errorf("%+v, %q", valid, unusable)
	}
}

func message(err error) string {
	if known, ok := errors.AsType[*trawl.Error](err); ok {
		return known.Message
	}
	return ""
}
