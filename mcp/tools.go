package mcp

import (
	"context"
	"errors"
	"maps"
	"slices"
)

// pageTools are about one page, or about finding pages.
var pageTools = []tool{
	{
		name: "firecrawl_scrape", title: "Scrape a page", openWorld: true,
		about: "Read one page whose address is known, as markdown unless other formats are chosen. Reads PDFs and office files too. " +
			"The format json with jsonOptions returns data that fits a schema, query answers a question about the page, screenshot takes a picture. " +
			"Pages are rendered where they need it; waitFor and actions help with those that load late. Returns the document.",
		route: "POST /v2/scrape", fields: slices.Concat([]string{"url", "timeout", "toolDetail", "domainTools"}, pageFields), required: []string{"url"},
		own:       func(d *spec) object { return pageArguments(d, d.body(d.operation("POST /v2/scrape"))) },
		translate: translateScrape, unwrap: "data", output: truncatedMember, rest: restOfScrape,
	},
	{
		name: "firecrawl_map", title: "List the pages of a site", openWorld: true, readOnly: true,
		about: "List the addresses of a site without reading its pages, from its sitemap and its links. With search, those that fit the words best come first. " +
			"Call it before firecrawl_scrape or firecrawl_crawl when it is not known where on a site something is.",
		route: "POST /v2/map", fields: []string{"url", "search", "sitemap", "includeSubdomains", "limit", "ignoreQueryParameters"}, required: []string{"url"},
		output: truncatedMember,
	},
	{
		name: "firecrawl_search", title: "Search the web", openWorld: true, readOnly: true,
		about: "Search the web when no address is known. Operators such as site: and quotes work as the search engine has them. " +
			"With scrapeOptions the pages that were found are read too. Returns results by source.",
		route: "POST /v2/search", required: []string{"query"},
		fields: []string{
			"query", "limit", "tbs", "filter", "location", "includeDomains", "excludeDomains", "sources", "categories", "highlights", "enterprise", "domainTools", "toolDetail",
		},
		own: nestedPage, needs: func(s *Server) bool { return s.Search }, translate: translateNested, output: truncatedMember,
	},
	{
		name: "firecrawl_parse", title: "Read a file", readOnly: true,
		about: "Read a file of this machine: PDF, Word, Excel, PowerPoint, OpenDocument, RTF, EPUB, HTML, mail or a picture of text. " +
			"Returns it as markdown, or in the formats that are chosen.",
		route: "POST /v2/parse", fields: parseFields, required: []string{"filePath"},
		own: func(d *spec) object {
			return withParse(d, object{
				"filePath":    object{"type": "string", "minLength": 1, "description": "Path of the file, absolute or from where this program was started."},
				"contentType": object{"type": "string", "description": "Media type of the file; told by its content and its name unless given."},
			})
		},
		needs: func(s *Server) bool { return s.Local }, translate: translateScrape, run: parseFile, output: truncatedMember,
	},
	{
		name: "firecrawl_parse", title: "Read a file", readOnly: true,
		about: "Read a file of the caller's machine, in two calls. The first, with filePath, returns a command that uploads the file, and the second call to make: " +
			"the same with uploadRef. That one returns the document as markdown, or in the formats that are chosen.",
		route: uploadRoute, fields: nil,
		own: func(d *spec) object {
			fields := withParse(d, object{
				"filePath":          object{"type": "string", "minLength": 1, "description": "Path of the file on the caller's machine."},
				"uploadRef":         object{"type": "string", "minLength": 1, "description": "What the first call returned; makes this the second."},
				"contentType":       object{"type": "string", "description": "Media type of the file."},
				"declaredSizeBytes": object{"type": "integer", "minimum": 1, "description": "Size of the file."},
			})
			body := properties(d.body(d.operation("POST /v2/parse")))
			for _, name := range parseFields {
				if schema, ok := body[name]; ok {
					fields[name] = d.plain(schema)
				}
			}
			return fields
		},
		needs: func(s *Server) bool { return !s.Local }, translate: translateScrape, run: parseUpload,
		output: with(truncatedMember, looseMembers("mode", "message", "data", "warning", "upload", "nextToolCall", "notes")),
	},
}

var parseFields = []string{
	"onlyMainContent", "redactPII", "includeTags", "excludeTags", "removeBase64Images", "skipTlsVerification", "storeInCache", "zeroDataRetention", "maxAge", "proxy",
}

// withParse adds to arguments what a file can become.
func withParse(d *spec, fields object) object {
	maps.Copy(fields, pageArguments(d, d.body(d.operation("POST /v2/parse"))))
	delete(fields, "screenshotOptions")
	return fields
}

// with returns members of several lists as one.
func with(lists ...object) object {
	all := object{}
	for _, list := range lists {
		maps.Copy(all, list)
	}
	return all
}

// looseMembers are members of a result of which only the names are known.
func looseMembers(names ...string) object {
	members := object{}
	for _, name := range names {
		members[name] = object{}
	}
	return members
}

// jobTools are about many pages.
var jobTools = []tool{
	{
		name: "firecrawl_crawl", title: "Crawl a site", openWorld: true,
		about: "Read many pages of a site, following its links and its sitemap from an address on. Set limit: a whole site may be large. " +
			"Returns the documents; if the crawl takes long, its id and what there is so far, for firecrawl_check_crawl_status. Cancelling the call cancels the crawl.",
		route: "POST /v2/crawl", required: []string{"url"},
		fields: []string{
			"url", "prompt", "includePaths", "excludePaths", "maxDiscoveryDepth", "sitemap", "limit", "allowExternalLinks", "allowSubdomains", "crawlEntireDomain", "delay",
			"maxConcurrency", "deduplicateSimilarURLs", "ignoreQueryParameters",
		},
		own: func(d *spec) object {
			return with(nestedPage(d), object{
				"webhook":        object{"type": "string", "description": "Address that events of the crawl are posted to."},
				"webhookHeaders": object{"type": "object", "additionalProperties": object{"type": "string"}, "description": "Headers that are sent with them."},
			})
		},
		translate: translateCrawl, run: crawlSite, rest: restOfCrawl,
		output: with(truncatedMember, jobMembers),
	},
	{
		name: "firecrawl_check_crawl_status", title: "State of a crawl", readOnly: true,
		about: "How a crawl does, and the documents that it has so far: at most 100 at a time, from skip on.",
		route: "GET /v2/crawl/{id}", path: map[string]string{argID: "id"}, query: map[string]string{"skip": "skip", "limit": "limit"}, required: []string{argID},
		run: crawlStatus, output: with(truncatedMember, jobMembers), rest: restOfCrawl,
	},
	{
		name: "trawl_crawl_explain", title: "Why a crawl read what it read", readOnly: true,
		about: "What became of every address that a crawl has seen: scraped, failed, filtered, forbidden by robots.txt, a duplicate, or beyond the limit. " +
			"Call it when a crawl returns fewer pages than expected.",
		route: "GET /v2/crawl/{id}/explain", path: map[string]string{argID: "id"}, required: []string{argID},
		query: map[string]string{"fate": "fate", "cursor": "cursor", "limit": "limit"}, output: truncatedMember,
	},
	{
		name: "trawl_crawl_cancel", title: "Cancel a crawl", destructive: true,
		about: "Stop a crawl. What it has read so far stays.",
		route: "DELETE /v2/crawl/{id}", path: map[string]string{argID: "id"}, required: []string{argID},
	},
	{
		name: "firecrawl_extract", title: "Extract data from pages", openWorld: true, readOnly: true,
		about: "Extract data that fits a JSON Schema, or a prompt, from one page or many; a star in an address stands for all pages below it. " +
			"For a single page, firecrawl_scrape with the format json does the same and is quicker. Returns the data; if it takes long, an id for trawl_extract_status.",
		route: "POST /v2/extract", required: []string{"urls"},
		fields: []string{"urls", "prompt", "schema", "allowExternalLinks", "enableWebSearch", "includeSubdomains", "limit", "showSources"},
		run:    extractData, output: with(truncatedMember, extractMembers),
	},
	{
		name: "trawl_extract_status", title: "State of an extract", readOnly: true,
		about: "How an extract does, and its data when it is completed.",
		route: "GET /v2/extract/{id}", path: map[string]string{argID: "id"}, required: []string{argID}, output: truncatedMember,
	},
	{
		name: "firecrawl_agent", title: "Research by an agent", openWorld: true,
		about: "Have an agent find data on the web whose addresses are not known. Returns an id at once; read the result with firecrawl_agent_status.",
		route: "POST /v2/agent", required: []string{"prompt"},
		fields: []string{"prompt", "urls", "schema", "effort", "maxCredits", "strictConstrainToURLs", "threadId", "mode", "exchange"},
	},
	{
		name: "firecrawl_agent_status", title: "State of an agent", readOnly: true,
		about: "How the run of an agent does, and its data when it is completed.",
		route: "GET /v2/agent/{id}", path: map[string]string{argID: "id"}, required: []string{argID}, output: truncatedMember,
	},
}

// jobMembers and extractMembers are what results have beyond the API's answer.
var (
	jobMembers = object{
		"id": object{"type": []any{"string", "null"}, "description": "Id of the crawl, for firecrawl_check_crawl_status."}, "message": messageMember,
		"status": text("How the crawl does: scraping, completed, failed or cancelled."), "completed": number("Pages that have a document."),
		"total": number("Pages that were attempted."), "creditsUsed": number("What it has cost so far."), "expiresAt": text("When its documents are deleted."),
		"next": text("Where the API has more documents."), "data": object{"description": "Documents, in the order in which they came about."},
	}
	extractMembers = object{
		"id": text("Id of the extract, for trawl_extract_status."), "message": messageMember, "status": text("How the extract does: processing, completed, failed or cancelled."),
		"data": object{"description": "What was extracted."}, "sources": object{"description": "Pages that each value comes from."},
		"creditsUsed": number("What it has cost so far."), "tokensUsed": number("Tokens of the language model that it has used so far."),
	}
	messageMember = text("What to call next, if it is not over yet.")
)

func text(about string) object {
	return object{"type": []any{"string", "null"}, "description": about}
}

func number(about string) object {
	return object{"type": []any{"number", "null"}, "description": about}
}

// teamTools are about the caller's team.
var teamTools = []tool{
	{
		name: "firecrawl_credit_usage", title: "Credits", readOnly: true,
		about: "How many credits the team has left, or with the view historical how many it used by month.",
		route: "GET /v2/team/credit-usage", run: creditUsage,
		own: func(*spec) object {
			return object{
				"view":     object{"type": "string", "enum": []any{"current", "historical"}, "description": "What is left, or what was used; current unless chosen."},
				"byApiKey": object{"type": "boolean", "description": "Tell the keys of the team apart; implies historical."},
			}
		},
		output: with(looseMembers("periods"), object{
			"remainingCredits": number("Credits left."), "planCredits": number("Credits granted in all."),
			"billingPeriodStart": text("Always null: credits do not expire."), "billingPeriodEnd": text("Always null: credits do not expire."),
		}),
	},
}

// feedbackTools tell the operator what callers think of results.
var feedbackTools = []tool{
	{
		name: "firecrawl_search_feedback", title: "Feedback on a search", openWorld: true,
		about: "Say how good the results of a search were, by the id that it returned.",
		route: "POST /v2/search/{id}/feedback", path: map[string]string{"searchId": "id"}, required: []string{"searchId", "rating"},
		fields: []string{"rating", "valuableSources", "missingContent", "querySuggestions"}, run: giveFeedback, output: feedbackMembers,
	},
	{
		name: "firecrawl_feedback", title: "Feedback on a result", openWorld: true,
		about: "Say how good the result of a search, scrape, parse or map was, by the id that it returned.",
		route: "POST /v2/feedback", required: []string{"endpoint", "rating"}, run: giveFeedback, output: feedbackMembers,
		fields: []string{
			"endpoint", "rating", "jobId", "issues", "tags", "note", "valuableSources", "missingContent", "querySuggestions", "url", "pageNumbers", "metadata",
		},
	},
}

var feedbackMembers = object{
	"error": text("Why it was not taken."), "status": number("HTTP status of a refusal."), "feedbackErrorCode": text("Kind of refusal."),
	"retryable": object{"type": []any{"boolean", "null"}, "description": "Whether trying again can help."},
}

// creditUsage reads what is left, or what was used.
func creditUsage(ctx context.Context, c *call) ([]byte, error) {
	var view string
	var byKey bool
	if err := errors.Join(c.take("view", &view), c.take("byApiKey", &byKey)); err != nil {
		return nil, err
	}
	switch {
	case view != "" && view != "current" && view != "historical":
		return nil, errors.New("the view is current or historical")
	case view == "current" && byKey:
		return nil, errors.New("byApiKey goes with the view historical only")
	case view != "historical" && !byKey:
		body, err := c.get(ctx, "/v2/team/credit-usage")
		if err != nil {
			return nil, err
		}
		return member(body, "data")
	}
	path := "/v2/team/credit-usage/historical"
	if byKey {
		path += "?byApiKey=true"
	}
	return c.get(ctx, path)
}
