package trawl

import (
	"cmp"
	"encoding/json"
	"strings"
)

// PreviewRequest is the body of POST /v2/crawl/params-preview.
type PreviewRequest struct {
	URL         string `json:"url" required:"true" doc:"Address to start from." minLength:"1" maxLength:"16384" example:"https://example.com"`
	Prompt      string `json:"prompt" required:"true" doc:"What to crawl, in words." minLength:"1" maxLength:"10000"`
	Origin      string `json:"origin,omitempty" doc:"Which client sent the request." maxLength:"1000"`
	Integration string `json:"integration,omitempty" doc:"Which integration sent the request." maxLength:"1000"`
}

// Validate reports what is wrong with the request beyond its schema.
func (r *PreviewRequest) Validate() []Issue {
	var issues []Issue
	if _, err := ParseTarget(r.URL); err != nil {
		issues = append(issues, invalid(err.Error(), "url"))
	}
	if strings.TrimSpace(r.Prompt) == "" {
		issues = append(issues, invalid("must not be empty", "prompt"))
	}
	return issues
}

// CrawlChoices are options of a crawl that were made from words. What is nil or
// empty was left open.
type CrawlChoices struct {
	IncludePaths           []string `json:"includePaths,omitempty" doc:"Crawl only pages whose path matches one of these regular expressions (RE2)."`
	ExcludePaths           []string `json:"excludePaths,omitempty" doc:"Leave out pages whose path matches one of these regular expressions (RE2)."`
	MaxDepth               *int     `json:"maxDepth,omitempty" doc:"The older name of maxDiscoveryDepth."`
	MaxDiscoveryDepth      *int     `json:"maxDiscoveryDepth,omitempty" doc:"How many links away from the start, or from a page of the sitemap, a page may be."`
	CrawlEntireDomain      *bool    `json:"crawlEntireDomain,omitempty" doc:"Follow links to any path of the site, not only to those below the start."`
	AllowExternalLinks     *bool    `json:"allowExternalLinks,omitempty" doc:"Follow links to other sites."`
	AllowSubdomains        *bool    `json:"allowSubdomains,omitempty" doc:"Follow links to subdomains of the site."`
	Sitemap                string   `json:"sitemap,omitempty" doc:"Use the sitemap beside links, not at all, or alone." enum:"skip,include,only"`
	IgnoreQueryParameters  *bool    `json:"ignoreQueryParameters,omitempty" doc:"Addresses that differ only in their query are one page."`
	DeduplicateSimilarURLs *bool    `json:"deduplicateSimilarURLs,omitempty" doc:"Addresses that differ in nothing that matters are one page."`
	Delay                  *float64 `json:"delay,omitempty" doc:"Seconds between two pages."`
	Limit                  *int     `json:"limit,omitempty" doc:"Most pages to crawl."`
}

// Fill takes over those choices that the caller of the crawl left open: what was
// sent with the request stays, and what differs from the defaults.
func (r *CrawlRequest) Fill(c *CrawlChoices) {
	if !r.given["includePaths"] && len(r.IncludePaths) == 0 {
		r.IncludePaths = c.IncludePaths
	}
	if !r.given["excludePaths"] && len(r.ExcludePaths) == 0 {
		r.ExcludePaths = c.ExcludePaths
	}
	if !r.given["maxDiscoveryDepth"] && r.MaxDiscoveryDepth == nil {
		r.MaxDiscoveryDepth = cmp.Or(c.MaxDiscoveryDepth, c.MaxDepth)
	}
	usual := DefaultCrawlRequest()
	if c.Sitemap != "" {
		fill(r.given["sitemap"], &r.Sitemap, usual.Sitemap, &c.Sitemap)
	}
	fill(r.given["crawlEntireDomain"], &r.CrawlEntireDomain, usual.CrawlEntireDomain, c.CrawlEntireDomain)
	fill(r.given["allowExternalLinks"], &r.AllowExternalLinks, usual.AllowExternalLinks, c.AllowExternalLinks)
	fill(r.given["allowSubdomains"], &r.AllowSubdomains, usual.AllowSubdomains, c.AllowSubdomains)
	fill(r.given["ignoreQueryParameters"], &r.IgnoreQueryParameters, usual.IgnoreQueryParameters, c.IgnoreQueryParameters)
	fill(r.given["deduplicateSimilarURLs"], &r.DeduplicateSimilarURLs, usual.DeduplicateSimilarURLs, c.DeduplicateSimilarURLs)
	fill(r.given["delay"], &r.Delay, usual.Delay, c.Delay)
	fill(r.given["limit"], &r.Limit, usual.Limit, c.Limit)
}

func fill[T comparable](given bool, field *T, usual T, choice *T) {
	if !given && *field == usual && choice != nil {
		*field = *choice
	}
}

// givenKeys returns the keys of an object whose value is not null.
func givenKeys(data []byte) map[string]bool {
	var object map[string]json.RawMessage
	given := map[string]bool{}
	if json.Unmarshal(data, &object) != nil {
		return given
	}
	for key, value := range object {
		given[key] = string(value) != "null"
	}
	return given
}
