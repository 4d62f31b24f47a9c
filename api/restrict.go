package api

import (
	"context"
	"net/http"
	"strings"

	"github.com/trawlhq/trawl"
)

// open is the group of what every key may do.
const open = "open"

// family is what the paths below one have in common for keys that are restricted.
type family struct {
	path    string   // after the version
	group   string   // empty: for keys without limits only
	returns []string // formats that it returns pages in, whatever is asked for
}

// families are all that a restricted key can be allowed, the more special ones first.
// What is not below one of them is refused to such a key, whatever else it may do.
var families = []family{
	{path: "/scrape/{id}/interact", group: trawl.GroupBrowser, returns: []string{trawl.FormatRawHTML}},
	{path: "/scrape", group: trawl.GroupScrape},
	{path: "/batch/scrape", group: trawl.GroupBatch},
	{path: "/crawl", group: trawl.GroupCrawl},
	{path: "/map", group: trawl.GroupMap},
	{path: "/search/{id}/feedback", group: open},
	{path: "/search", group: trawl.GroupSearch},
	{path: "/extract", group: trawl.GroupExtract, returns: []string{trawl.FormatJSON}},
	{path: "/agent", group: trawl.GroupAgent, returns: []string{trawl.FormatJSON}},
	{path: "/parse", group: trawl.GroupParse},
	{path: "/browser", group: trawl.GroupBrowser, returns: []string{trawl.FormatRawHTML}},
	{path: "/interact", group: trawl.GroupBrowser, returns: []string{trawl.FormatRawHTML}},
	{path: "/monitor", group: trawl.GroupMonitor, returns: []string{trawl.FormatMarkdown}},
	{path: "/research", group: trawl.GroupResearch, returns: []string{trawl.FormatMarkdown}},
	{path: "/deep-research", group: trawl.GroupDeepResearch, returns: []string{trawl.FormatMarkdown}},
	{path: "/llmstxt", group: trawl.GroupLLMsText, returns: []string{trawl.FormatMarkdown}},
	{path: "/team/api-keys"},
	{path: "/team/webhook-secret"},
	{path: "/team", group: open},
	{path: "/concurrency-check", group: open},
	{path: "/feedback", group: open},
	{path: "/support", group: open},
}

// family returns the family of a route. Versions of the API share it; what is called
// through /mcp is checked as the request that it becomes.
func (r route) family() family {
	if r.path == "/mcp" {
		return family{path: r.path, group: open}
	}
	version, rest, _ := strings.Cut(strings.TrimPrefix(r.path, "/"), "/")
	if version != "v1" && version != "v2" {
		return family{}
	}
	for _, f := range families {
		if after, ok := strings.CutPrefix("/"+rest, f.path); ok && (after == "" || after[0] == '/') {
			return f
		}
	}
	return family{}
}

// permit refuses a route that a key may not use. It is part of the authentication,
// and the one place where endpoints are restricted.
func (r route) permit(key *trawl.Key) error {
	f := r.family()
	if f.group == open {
		return nil
	}
	if err := key.AllowsEndpoint(f.group); err != nil {
		return err
	}
	if f.group == "" && f.path != "" && key.Limited() {
		return trawl.Errorf(trawl.CodeForbidden, "An API key that is limited or expires cannot manage keys and secrets: use one without limits.")
	}
	if r.method == http.MethodPost || r.method == http.MethodPatch {
		return key.AllowsFormats(f.returns...)
	}
	return nil
}

// checkOptions refuses options that this server cannot act on, or that the caller's
// key may not ask for. Whatever takes options of a scrape has them checked here.
func (s *Server) checkOptions(ctx context.Context, o *trawl.ScrapeOptions) error {
	if err := visitOf(ctx).caller.Key.AllowsOptions(o); err != nil {
		return err
	}
	return s.Scraper.Check(o)
}
