package trawl

import (
	"bytes"
	"cmp"
	"encoding/json"
	"slices"
	"strconv"
	"strings"
)

// Sources of search results.
const (
	SourceWeb    = "web"
	SourceNews   = "news"
	SourceImages = "images"

	// sourceTools is sent along by a client that can use more than pages. This
	// service has none, and such a source gives nothing.
	sourceTools = "alexandria"
)

// SearchCredits is the price of every ten results begun.
const SearchCredits = 2

// SearchRequest is the body of POST /v2/search.
type SearchRequest struct {
	Query             string         `json:"query" required:"true" doc:"What to search for." minLength:"1" maxLength:"2000" example:"web crawler"`
	Limit             int            `json:"limit,omitempty" doc:"Most results of each source." minimum:"1" maximum:"100"`
	Sources           []SearchOption `json:"sources,omitempty" doc:"Where to search: web, news, images; web unless chosen." maxItems:"10"`
	Categories        []SearchOption `json:"categories,omitempty" doc:"Only results of these kinds: github, research, pdf, developer." maxItems:"10"`
	IncludeDomains    []string       `json:"includeDomains,omitempty" doc:"Only results from these domains. Not together with excludeDomains." maxItems:"50" maxLength:"253"`
	ExcludeDomains    []string       `json:"excludeDomains,omitempty" doc:"No results from these domains." maxItems:"50" maxLength:"253"`
	TBS               string         `json:"tbs,omitempty" doc:"Time range: qdr:h, qdr:d, qdr:w, qdr:m or qdr:y for the last hour to year." maxLength:"200"`
	Filter            string         `json:"filter,omitempty" doc:"Accepted for compatibility." maxLength:"200"`
	Lang              string         `json:"lang,omitempty" doc:"Language of the results." maxLength:"20"`
	Country           string         `json:"country,omitempty" doc:"Country of the results." maxLength:"20"`
	Location          string         `json:"location,omitempty" doc:"Place that the results are for, in words." maxLength:"500"`
	Timeout           int64          `json:"timeout,omitempty" doc:"Milliseconds the whole request may take." minimum:"1" maximum:"300000"`
	IgnoreInvalidURLs bool           `json:"ignoreInvalidURLs,omitempty" doc:"Leave out results whose address cannot be scraped."`
	Highlights        any            `json:"highlights,omitempty" doc:"Accepted for compatibility."`
	AsyncScraping     bool           `json:"asyncScraping,omitempty" doc:"Accepted for compatibility."`
	Enterprise        []string       `json:"enterprise,omitempty" doc:"Accepted for compatibility." maxItems:"50" maxLength:"200"`
	DomainTools       bool           `json:"domainTools,omitempty" doc:"Accepted for compatibility."`
	ToolDetail        string         `json:"toolDetail,omitempty" doc:"Accepted for compatibility." enum:"compact,summary,full"`
	ThreatProtection  any            `json:"threatProtection,omitempty" doc:"Accepted for compatibility."`
	ScrapeOptions     *ScrapeOptions `json:"scrapeOptions,omitempty" doc:"Scrape the results of the web too, like this."`
	Origin            string         `json:"origin,omitempty" doc:"Which client sent the request." maxLength:"1000"`
	Integration       string         `json:"integration,omitempty" doc:"Which integration sent the request." maxLength:"1000"`
}

// SearchOption is a source or a category: on the wire its name, or an object
// whose type it is.
type SearchOption struct {
	Type     string `json:"type" required:"true" doc:"Name of the source or category." maxLength:"50"`
	TBS      string `json:"tbs,omitempty" doc:"Of a source: its time range, instead of that of the request." maxLength:"200"`
	Location string `json:"location,omitempty" doc:"Of a source: place that its results are for, in words." maxLength:"500"`
}

// UnmarshalJSON also takes the name alone.
func (o *SearchOption) UnmarshalJSON(data []byte) error {
	if bytes.HasPrefix(data, []byte(`"`)) {
		*o = SearchOption{}
		return json.Unmarshal(data, &o.Type)
	}
	type plain SearchOption
	return json.Unmarshal(data, (*plain)(o))
}

// DefaultSearchRequest returns a request that only lacks its query.
func DefaultSearchRequest() SearchRequest {
	return SearchRequest{Limit: 10, Timeout: 60_000, Origin: "api"}
}

// UnmarshalJSON decodes a request over the defaults: a field that is absent or
// null keeps its default.
func (r *SearchRequest) UnmarshalJSON(data []byte) error {
	type plain SearchRequest
	var scraping struct {
		ScrapeOptions *struct {
			Formats []Format `json:"formats"`
		} `json:"scrapeOptions"`
	}
	p := plain(DefaultSearchRequest())
	options := DefaultScrapeOptions()
	p.ScrapeOptions = &options
	if err := json.Unmarshal(data, &p); err != nil {
		return err
	}
	if err := json.Unmarshal(data, &scraping); err != nil {
		return err
	}
	// Without formats there is nothing to scrape for.
	if scraping.ScrapeOptions == nil || len(scraping.ScrapeOptions.Formats) == 0 {
		p.ScrapeOptions = nil
	}
	*r = SearchRequest(p)
	if r.ScrapeOptions != nil {
		r.ScrapeOptions.restoreDefaults()
	}
	r.normalize()
	return nil
}

// normalize takes blanks off domains, and makes what all sources say alike a
// matter of the request.
func (r *SearchRequest) normalize() {
	for _, domains := range [][]string{r.IncludeDomains, r.ExcludeDomains} {
		for i := range domains {
			domains[i] = strings.TrimSpace(domains[i])
		}
	}
	r.TBS = agreed(r.Sources, r.TBS, func(s *SearchOption) string { return s.TBS })
	r.Location = agreed(r.Sources, r.Location, func(s *SearchOption) string { return s.Location })
}

// agreed returns the value of an option that all sources have, those that do not
// name one the given one. If they differ, it is the given one.
func agreed(sources []SearchOption, given string, option func(*SearchOption) string) string {
	var values []string
	for i := range sources {
		if sources[i].Type != sourceTools {
			values = append(values, cmp.Or(option(&sources[i]), given))
		}
	}
	slices.Sort(values)
	if values = slices.Compact(values); len(values) == 1 {
		return values[0]
	}
	return given
}

// Validate reports what is wrong with the request beyond its schema.
func (r *SearchRequest) Validate() []Issue {
	var issues []Issue
	if strings.TrimSpace(r.Query) == "" {
		issues = append(issues, invalid("must not be empty", "query"))
	}
	for i, source := range r.Sources {
		if !slices.Contains([]string{SourceWeb, SourceNews, SourceImages, sourceTools}, source.Type) {
			issues = append(issues, invalid("unknown source "+quote(source.Type), "sources", i))
		}
	}
	for i, category := range r.Categories {
		if !slices.Contains([]string{"github", "research", "pdf", "developer"}, category.Type) {
			issues = append(issues, invalid("unknown category "+quote(category.Type), "categories", i))
		} else if category.TBS+category.Location != "" {
			issues = append(issues, invalid("has options that only sources have", "categories", i))
		}
	}
	for _, domains := range []struct {
		name string
		list []string
	}{{"includeDomains", r.IncludeDomains}, {"excludeDomains", r.ExcludeDomains}} {
		for i, domain := range domains.list {
			if !isDomain(domain) {
				issues = append(issues, invalid("must be a domain such as example.com", domains.name, i))
			}
		}
	}
	if slices.Contains(r.Enterprise, "zdr") {
		issues = append(issues, invalid("Zero data retention is not available for searches", "enterprise"))
	}
	if len(r.IncludeDomains) > 0 && len(r.ExcludeDomains) > 0 {
		issues = append(issues, invalid("includeDomains and excludeDomains exclude each other", "excludeDomains"))
	}
	if r.ScrapeOptions != nil {
		for _, issue := range r.ScrapeOptions.Validate() {
			issue.Path = append([]any{"scrapeOptions"}, issue.Path...)
			issues = append(issues, issue)
		}
	}
	return issues
}

// isDomain reports whether a text is the name of a host, and nothing more.
func isDomain(text string) bool {
	target, err := ParseTarget("http://" + text)
	return err == nil && strings.EqualFold(target, "http://"+text+"/") && !strings.ContainsAny(text, ":@")
}

// Groups returns the sources that are asked for, each once.
func (r *SearchRequest) Groups() []string {
	var groups []string
	for _, source := range r.Sources {
		if source.Type != sourceTools && !slices.Contains(groups, source.Type) {
			groups = append(groups, source.Type)
		}
	}
	if len(r.Sources) == 0 {
		groups = []string{SourceWeb}
	}
	return groups
}

// Ignored names the options that ask for something this service does not do.
func (r *SearchRequest) Ignored() []string {
	var names []string
	differs := func(s SearchOption) bool {
		return s.TBS != "" && s.TBS != r.TBS || s.Location != "" && s.Location != r.Location
	}
	for _, option := range []struct {
		name string
		set  bool
	}{
		{"sources", slices.ContainsFunc(r.Sources, differs)},
		{"filter", r.Filter != ""}, {"highlights", isSet(r.Highlights)}, {"asyncScraping", r.AsyncScraping},
		{"enterprise", len(r.Enterprise) > 0}, {"threatProtection", isSet(r.ThreatProtection)},
	} {
		if option.set {
			names = append(names, option.name)
		}
	}
	return names
}

// SearchPrice returns what so many results cost.
func SearchPrice(results int) int64 { return int64((results+9)/10) * SearchCredits }

// SearchResult is a result of a search: of the web, of the news or an image.
type SearchResult struct {
	URL         string
	Title       string
	Description string // of a page
	Snippet     string // of news
	Date        string // of news
	ImageURL    string
	ImageWidth  int
	ImageHeight int
	Position    int
	Category    string
	Document    *Document // of a page that was scraped
}

// MarshalJSON writes the result, and after it the fields of its document.
func (s *SearchResult) MarshalJSON() ([]byte, error) {
	b := []byte{'{'}
	for _, field := range []struct{ name, value string }{
		{"url", s.URL}, {"title", s.Title}, {"description", s.Description}, {"snippet", s.Snippet}, {"date", s.Date},
		{"imageUrl", s.ImageURL}, {"category", s.Category},
	} {
		if field.value != "" || field.name == "url" || field.name == "title" {
			b = append(appendString(appendKey(b, field.name), field.value), ',')
		}
	}
	if s.ImageWidth > 0 {
		b = append(strconv.AppendInt(appendKey(b, "imageWidth"), int64(s.ImageWidth), 10), ',')
	}
	if s.ImageHeight > 0 {
		b = append(strconv.AppendInt(appendKey(b, "imageHeight"), int64(s.ImageHeight), 10), ',')
	}
	b = strconv.AppendInt(appendKey(b, "position"), int64(s.Position), 10)
	if s.Document == nil {
		return append(b, '}'), nil
	}
	b = append(b, ',')
	b = append(b, bytes.TrimPrefix(s.Document.Seal(), []byte{'{'})...)
	return append(b, s.Document.Own()...), nil
}
