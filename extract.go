package trawl

import (
	"encoding/json"
	"strings"
)

// Limits and defaults of extracts.
const (
	MaxExtractURLs      = 10
	MaxPrompt           = 10_000 // characters
	DefaultExtractPages = 100
	MaxExtractPages     = 1000

	// ExtractReserve are the credits that a team must have left to start one.
	ExtractReserve = 20
)

// ExtractRequest is the body of POST /v2/extract.
type ExtractRequest struct {
	URLs               []string      `json:"urls" required:"true" doc:"Addresses to extract from. A star stands for anything: https://example.com/blog/* are all pages below /blog." example:"[\"https://example.com/*\"]" minItems:"1"`
	Prompt             string        `json:"prompt,omitempty" doc:"What to extract, in words." maxLength:"10000"`
	SystemPrompt       string        `json:"systemPrompt,omitempty" doc:"How to go about it, in words." maxLength:"10000"`
	Schema             any           `json:"schema,omitempty" doc:"JSON Schema of the result."`
	EnableWebSearch    bool          `json:"enableWebSearch,omitempty" doc:"Look for further pages with a web search."`
	AllowExternalLinks bool          `json:"allowExternalLinks,omitempty" doc:"Follow links to other sites when pages are looked for."`
	IncludeSubdomains  bool          `json:"includeSubdomains,omitempty" doc:"Look at subdomains of the addresses too."`
	IgnoreSitemap      bool          `json:"ignoreSitemap,omitempty" doc:"Do not read sitemaps when pages are looked for."`
	ShowSources        bool          `json:"showSources,omitempty" doc:"Say which page each value comes from."`
	IgnoreInvalidURLs  bool          `json:"ignoreInvalidURLs,omitempty" doc:"Leave out invalid addresses and list them in the answer."`
	ScrapeOptions      ScrapeOptions `json:"scrapeOptions,omitempty" doc:"How every page is scraped. Formats have no effect: what is extracted is the result."`
	Limit              int           `json:"limit,omitempty" doc:"Most pages to read." minimum:"1" maximum:"1000"`
	Timeout            int64         `json:"timeout,omitempty" doc:"Milliseconds the whole extract may take; no limit unless chosen." minimum:"1000" maximum:"86400000"`
	Webhook            *Webhook      `json:"webhook,omitempty" doc:"Where to report to."`
	Agent              any           `json:"agent,omitempty" doc:"Accepted for compatibility."`
	URLTrace           bool          `json:"urlTrace,omitempty" doc:"Accepted for compatibility."`
	ThreatProtection   any           `json:"threatProtection,omitempty" doc:"Accepted for compatibility."`
	Origin             string        `json:"origin,omitempty" doc:"Which client sent the request." maxLength:"1000"`
	Integration        string        `json:"integration,omitempty" doc:"Which integration sent the request." maxLength:"1000"`
}

// DefaultExtractRequest returns a request that only lacks its addresses and what
// to extract.
func DefaultExtractRequest() ExtractRequest {
	return ExtractRequest{
		IncludeSubdomains: true, IgnoreInvalidURLs: true, Limit: DefaultExtractPages,
		ScrapeOptions: DefaultScrapeOptions(), Origin: "api",
	}
}

// UnmarshalJSON decodes a request over the defaults: a field that is absent or
// null keeps its default.
func (r *ExtractRequest) UnmarshalJSON(data []byte) error {
	type plain ExtractRequest
	p := plain(DefaultExtractRequest())
	if err := json.Unmarshal(data, &p); err != nil {
		return err
	}
	*r = ExtractRequest(p)
	r.ScrapeOptions.restoreDefaults()
	return nil
}

// Validate reports what is wrong with the request beyond its schema. Whether the
// caller's schema is one is found out by package schema, which compiles it.
func (r *ExtractRequest) Validate() []Issue {
	var issues []Issue
	switch {
	case len(r.URLs) == 0:
		issues = append(issues, Issue{Code: "required", Message: "is required", Path: []any{"urls"}})
	case len(r.URLs) > MaxExtractURLs:
		issues = append(issues, invalid("An extract takes at most 10 addresses: use a star for many pages of a site", "urls"))
	}
	for i, address := range r.URLs {
		if _, err := ParseGlob(address); err != nil && !r.IgnoreInvalidURLs && len(issues) < mostIssues {
			issues = append(issues, invalid(err.Error(), "urls", i))
		}
	}
	if strings.TrimSpace(r.Prompt) == "" && r.Schema == nil {
		issues = append(issues, invalid("Either 'prompt' or 'schema' must be provided.", "prompt"))
	}
	if schema, ok := r.Schema.(map[string]any); r.Schema != nil && (!ok || openObject(schema)) {
		issues = append(issues, invalid("Invalid JSON schema.", "schema"))
	}
	if r.Webhook != nil {
		issues = append(issues, r.Webhook.validate(KindExtract)...)
	}
	for _, issue := range r.ScrapeOptions.Validate() {
		issue.Path = append([]any{"scrapeOptions"}, issue.Path...)
		issues = append(issues, issue)
	}
	return issues
}

// Ignored names the options that ask for something this service does not do.
func (r *ExtractRequest) Ignored() []string {
	var names []string
	for _, option := range []struct {
		name string
		set  bool
	}{{"agent", isSet(r.Agent)}, {"urlTrace", r.URLTrace}, {"threatProtection", isSet(r.ThreatProtection)}} {
		if option.set {
			names = append(names, option.name)
		}
	}
	return names
}

// Split returns the addresses that can be used and those that cannot.
func (r *ExtractRequest) Split() (valid []Glob, unusable []string) {
	unusable = []string{}
	for _, address := range r.URLs {
		if glob, err := ParseGlob(address); err != nil {
			unusable = append(unusable, address)
		} else {
			valid = append(valid, glob)
		}
	}
	return valid, unusable
}

// Glob is an address of an extract: one page, or a pattern of many.
type Glob struct {
	Text       string // as it was typed
	Base       string // canonical address of the page, or of where pages are looked for
	Pattern    string // of the paths, with stars for anything; empty for a single page
	Subdomains bool   // the host began with a star
}

// Single reports whether the glob is the address of one page.
func (g *Glob) Single() bool { return g.Pattern == "" }

// maxStars bounds the stars of a glob: each makes it harder to match.
const maxStars = 20

// ParseGlob reads an address in which stars stand for anything: in the path, and
// as the first label of the host. What is before the first star of the path, up
// to its last slash, is where pages are looked for. One with stars must not carry
// a password, which links would not carry along.
func ParseGlob(raw string) (Glob, error) {
	text := strings.TrimSpace(raw)
	if len(text) > maxURL || strings.Count(text, "*") > maxStars {
		return Glob{}, ErrURLInvalid
	}
	scheme, rest, found := strings.Cut(text, "://")
	if !found {
		scheme, rest = "", text
	} else {
		scheme += "://"
	}
	g := Glob{Text: raw}
	rest, g.Subdomains = strings.CutPrefix(rest, "*.")
	slash := strings.IndexByte(rest, '/')
	if slash < 0 {
		slash = len(rest)
	}
	host, path := rest[:slash], rest[slash:]
	if pattern, _, _ := strings.Cut(path, "#"); strings.Contains(pattern, "*") {
		g.Pattern = pattern
		path = folderOf(pattern)
	} else if g.Subdomains {
		g.Pattern = strings.TrimSuffix(pattern, "/") + "/*"
	}
	base, err := ParseTarget(scheme + host + path)
	if err != nil || strings.Contains(host, "*") || !g.Single() && CarriesPassword(base) {
		return Glob{}, firstError(err, ErrURLInvalid)
	}
	g.Base = base
	return g, nil
}

// folderOf returns the folder that all pages of a pattern are in.
func folderOf(pattern string) string {
	fixed := pattern[:strings.IndexAny(pattern, "*?")]
	return fixed[:strings.LastIndexByte(fixed, '/')+1]
}

func firstError(errs ...error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

// Evidence is where a value of an extract comes from.
type Evidence struct {
	Path     string `json:"path" doc:"Path of the value in the data, such as items[0].name."`
	URL      string `json:"url" doc:"Page that the value comes from."`
	Verified bool   `json:"verified" doc:"Whether the value stands in the page word for word."`
	Quote    string `json:"quote,omitempty" doc:"Where it stands there, with the words around it."`
}
