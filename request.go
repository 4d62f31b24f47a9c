package trawl

import (
	"encoding/json"
)

// Limits and defaults of jobs.
const (
	DefaultCrawlLimit = 10_000
	MaxDelay          = 60 // seconds
)

// What a crawl does with sitemaps.
const (
	SitemapInclude = "include"
	SitemapSkip    = "skip"
	SitemapOnly    = "only"
)

// CrawlRequest is the body of POST /v2/crawl.
type CrawlRequest struct {
	URL                    string        `json:"url" required:"true" doc:"Address to start from." minLength:"1" maxLength:"16384" example:"https://example.com"`
	Prompt                 string        `json:"prompt,omitempty" doc:"What to crawl, in words; fills in options that are left out." maxLength:"10000"`
	IncludePaths           []string      `json:"includePaths,omitempty" doc:"Crawl only pages whose path matches one of these regular expressions (RE2)." maxItems:"1000" maxLength:"2000"`
	ExcludePaths           []string      `json:"excludePaths,omitempty" doc:"Leave out pages whose path matches one of these regular expressions (RE2)." maxItems:"1000" maxLength:"2000"`
	RegexOnFullURL         bool          `json:"regexOnFullURL,omitempty" doc:"Match the patterns against the whole address."`
	MaxDiscoveryDepth      *int          `json:"maxDiscoveryDepth,omitempty" doc:"How many links away from the start, or from a page of the sitemap, a page may be." minimum:"0" maximum:"1000000"`
	MaxDepth               *int          `json:"maxDepth,omitempty" doc:"The older name of maxDiscoveryDepth." minimum:"0" maximum:"1000000"`
	Limit                  int           `json:"limit,omitempty" doc:"Most pages to crawl." minimum:"1" maximum:"100000000"`
	Sitemap                string        `json:"sitemap,omitempty" doc:"Use the sitemap beside links, not at all, or alone." enum:"skip,include,only"`
	CrawlEntireDomain      bool          `json:"crawlEntireDomain,omitempty" doc:"Follow links to any path of the site, not only to those below the start."`
	AllowExternalLinks     bool          `json:"allowExternalLinks,omitempty" doc:"Follow links to other sites."`
	AllowSubdomains        bool          `json:"allowSubdomains,omitempty" doc:"Follow links to subdomains of the site."`
	IgnoreQueryParameters  bool          `json:"ignoreQueryParameters,omitempty" doc:"Addresses that differ only in their query are one page."`
	DeduplicateSimilarURLs bool          `json:"deduplicateSimilarURLs,omitempty" doc:"Addresses that differ in www, http or https, a slash at the end or index files are one page."`
	IgnoreRobotsTxt        bool          `json:"ignoreRobotsTxt,omitempty" doc:"Crawl what robots.txt forbids. Needs to be enabled for the team."`
	RobotsUserAgent        string        `json:"robotsUserAgent,omitempty" doc:"Obey the rules of robots.txt for this crawler. Needs to be enabled for the team." maxLength:"200"`
	Delay                  float64       `json:"delay,omitempty" doc:"Seconds between two pages; only one is scraped at a time then." exclusiveMinimum:"0" maximum:"60"`
	MaxConcurrency         int           `json:"maxConcurrency,omitempty" doc:"Most pages at a time; the limit of the team unless chosen." minimum:"1" maximum:"100000"`
	Webhook                *Webhook      `json:"webhook,omitempty" doc:"Where to report to."`
	ScrapeOptions          ScrapeOptions `json:"scrapeOptions,omitempty" doc:"How every page is scraped."`
	ZeroDataRetention      bool          `json:"zeroDataRetention,omitempty" doc:"Keep nothing beyond what has to be read. Needs to be enabled for the team."`
	Origin                 string        `json:"origin,omitempty" doc:"Which client sent the request." maxLength:"1000"`
	Integration            string        `json:"integration,omitempty" doc:"Which integration sent the request." maxLength:"1000"`

	given map[string]bool // keys that the caller chose a value for
}

// DefaultCrawlRequest returns a request that only lacks its address.
func DefaultCrawlRequest() CrawlRequest {
	return CrawlRequest{
		Limit: DefaultCrawlLimit, Sitemap: SitemapInclude, DeduplicateSimilarURLs: true,
		ScrapeOptions: DefaultScrapeOptions(), Origin: "api",
	}
}

// UnmarshalJSON decodes a request over the defaults: a field that is absent or
// null keeps its default.
func (r *CrawlRequest) UnmarshalJSON(data []byte) error {
	type plain CrawlRequest
	p := plain(DefaultCrawlRequest())
	if err := json.Unmarshal(data, &p); err != nil {
		return err
	}
	*r = CrawlRequest(p)
	r.given = givenKeys(data)
	if r.MaxDiscoveryDepth == nil {
		r.MaxDiscoveryDepth = r.MaxDepth
	}
	r.given["maxDiscoveryDepth"] = r.MaxDiscoveryDepth != nil
	r.MaxDepth = nil
	r.ScrapeOptions.restoreDefaults()
	return nil
}

// Validate reports what is wrong with the request beyond its schema. Whether its
// patterns are any good is found out by package crawl, which compiles them.
func (r *CrawlRequest) Validate() []Issue {
	var issues []Issue
	if _, err := ParseTarget(r.URL); err != nil {
		issues = append(issues, invalid(err.Error(), "url"))
	}
	if r.Webhook != nil {
		issues = append(issues, r.Webhook.validate(KindCrawl)...)
	}
	for _, issue := range r.ScrapeOptions.Validate() {
		issue.Path = append([]any{"scrapeOptions"}, issue.Path...)
		issues = append(issues, issue)
	}
	return issues
}

// BatchRequest is the body of POST /v2/batch/scrape.
type BatchRequest struct {
	URLs              []string `json:"urls" required:"true" doc:"Addresses of the pages." example:"[\"https://example.com\"]" minItems:"1" maxItems:"100000"`
	Webhook           *Webhook `json:"webhook,omitempty" doc:"Where to report to."`
	AppendToID        string   `json:"appendToId,omitempty" doc:"Add the pages to this batch, which must be running still." format:"uuid"`
	IgnoreInvalidURLs bool     `json:"ignoreInvalidURLs,omitempty" doc:"Leave out invalid addresses and list them in the answer."`
	MaxConcurrency    int      `json:"maxConcurrency,omitempty" doc:"Most pages at a time; the limit of the team unless chosen." minimum:"1" maximum:"100000"`
	ScrapeOptions
	ZeroDataRetention bool `json:"zeroDataRetention,omitempty" doc:"Keep nothing beyond what has to be read. Needs to be enabled for the team."`
}

// DefaultBatchRequest returns a request that only lacks its addresses.
func DefaultBatchRequest() BatchRequest {
	return BatchRequest{IgnoreInvalidURLs: true, ScrapeOptions: DefaultScrapeOptions()}
}

// UnmarshalJSON decodes a request over the defaults: a field that is absent or
// null keeps its default.
func (r *BatchRequest) UnmarshalJSON(data []byte) error {
	type plain BatchRequest
	p := plain(DefaultBatchRequest())
	if err := json.Unmarshal(data, &p); err != nil {
		return err
	}
	*r = BatchRequest(p)
	r.restoreDefaults()
	return nil
}

// Validate reports what is wrong with the request beyond its schema.
func (r *BatchRequest) Validate() []Issue {
	var issues []Issue
	if len(r.URLs) == 0 {
		issues = append(issues, Issue{Code: "required", Message: "is required", Path: []any{"urls"}})
	}
	for i, address := range r.URLs {
		if err := usable(address); err != nil && !r.IgnoreInvalidURLs && len(issues) < mostIssues {
			issues = append(issues, invalid(err.Error(), "urls", i))
		}
	}
	if r.Webhook != nil {
		issues = append(issues, r.Webhook.validate(KindBatch)...)
	}
	return append(issues, r.ScrapeOptions.Validate()...)
}

// Bounds of what a batch may name and what it hears of it.
const (
	maxURL     = 16 << 10
	mostIssues = 100
)

// usable reports whether an address of a batch can be scraped.
func usable(address string) error {
	if len(address) > maxURL {
		return ErrURLInvalid
	}
	_, err := ParseTarget(address)
	return err
}

// Split returns the addresses that can be scraped and those that cannot.
func (r *BatchRequest) Split() (valid, unusable []string) {
	unusable = []string{}
	for _, address := range r.URLs {
		if usable(address) != nil {
			unusable = append(unusable, address)
		} else {
			valid = append(valid, address)
		}
	}
	return valid, unusable
}

// MapRequest is the body of POST /v2/map.
type MapRequest struct {
	URL                   string            `json:"url" required:"true" doc:"Address of the site." minLength:"1" maxLength:"16384" example:"https://example.com"`
	Search                string            `json:"search,omitempty" doc:"Order the links by how well they fit these words." maxLength:"1000"`
	Sitemap               string            `json:"sitemap,omitempty" doc:"Use the sitemap beside links, not at all, or alone." enum:"skip,include,only"`
	IncludeSubdomains     bool              `json:"includeSubdomains,omitempty" doc:"List subdomains of the site too."`
	IgnoreQueryParameters bool              `json:"ignoreQueryParameters,omitempty" doc:"Addresses that differ only in their query are one page."`
	IgnoreCache           bool              `json:"ignoreCache,omitempty" doc:"Read the site anew."`
	Limit                 int               `json:"limit,omitempty" doc:"Most links to return." minimum:"1" maximum:"100000"`
	Timeout               int64             `json:"timeout,omitempty" doc:"Milliseconds the whole request may take." minimum:"1" maximum:"300000"`
	Location              *Location         `json:"location,omitempty" doc:"Where the request seems to come from."`
	Headers               map[string]string `json:"headers,omitempty" doc:"Headers sent to the site." maxProperties:"100"`
	FilterByPath          bool              `json:"filterByPath,omitempty" doc:"List only pages at or below the path of the address."`
	UseMock               any               `json:"useMock,omitempty" doc:"Accepted for compatibility."`
	ThreatProtection      any               `json:"threatProtection,omitempty" doc:"Accepted for compatibility."`
	AuditMetadata         any               `json:"auditMetadata,omitempty" doc:"Accepted for compatibility."`
	Origin                string            `json:"origin,omitempty" doc:"Which client sent the request." maxLength:"1000"`
	Integration           string            `json:"integration,omitempty" doc:"Which integration sent the request." maxLength:"1000"`
}

// DefaultMapRequest returns a request that only lacks its address.
func DefaultMapRequest() MapRequest {
	return MapRequest{
		Sitemap: SitemapInclude, IncludeSubdomains: true, IgnoreQueryParameters: true, Limit: 5000, Timeout: 60_000,
		FilterByPath: true, Origin: "api",
	}
}

// UnmarshalJSON decodes a request over the defaults: a field that is absent or
// null keeps its default.
func (r *MapRequest) UnmarshalJSON(data []byte) error {
	type plain MapRequest
	p := plain(DefaultMapRequest())
	if err := json.Unmarshal(data, &p); err != nil {
		return err
	}
	*r = MapRequest(p)
	return nil
}

// Validate reports what is wrong with the request beyond its schema.
func (r *MapRequest) Validate() []Issue {
	var issues []Issue
	if _, err := ParseTarget(r.URL); err != nil {
		issues = append(issues, invalid(err.Error(), "url"))
	}
	issues = append(issues, validateHeaders(r.Headers)...)
	if r.Location != nil {
		issues = append(issues, r.Location.validate()...)
	}
	return issues
}

// Ignored names the options that ask for something this service does not do.
func (r *MapRequest) Ignored() []string {
	var names []string
	for _, option := range []struct {
		name string
		set  bool
	}{{"useMock", isSet(r.UseMock)}, {"threatProtection", isSet(r.ThreatProtection)}, {"auditMetadata", isSet(r.AuditMetadata)}} {
		if option.set {
			names = append(names, option.name)
		}
	}
	return names
}

// MapLink is a page of a site.
type MapLink struct {
	URL         string `json:"url" doc:"Address of the page."`
	Title       string `json:"title,omitempty" doc:"Title of the page, where it is known."`
	Description string `json:"description,omitempty" doc:"Description of the page, where it is known."`
}
