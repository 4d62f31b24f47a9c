package scrape

import (
	"errors"
	"strings"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/content"
)

// supported are the formats that this build can make.
var supported = map[string]bool{
	trawl.FormatMarkdown:  true,
	trawl.FormatHTML:      true,
	trawl.FormatRawHTML:   true,
	trawl.FormatRawBase64: true,
	trawl.FormatLinks:     true,
	trawl.FormatImages:    true,
}

// Check refuses options that cannot be carried out here and would change the
// result: better a clear error than a document that lacks what was asked for.
// What it lets pass, [Scraper.Scrape] does, or names in the document's warning.
// Callers ask it as soon as they have the options, before anything is waited for.
func Check(o *trawl.ScrapeOptions) error {
	if len(o.Actions) > 0 {
		return refuse(trawl.CodeActionsUnsupported, "Actions need a browser, which this server does not drive.", "actions")
	}
	if o.Profile != nil {
		return refuse(trawl.CodeOptionUnsupported, "A profile needs a browser, which this server does not drive.", "profile")
	}
	for i, format := range o.Formats {
		if supported[format.Type] {
			continue
		}
		code := trawl.CodeFormatUnsupported
		if format.Type == trawl.FormatBranding {
			code = trawl.CodeBranding
		}
		return refuse(code, "The format "+format.Type+" is not supported by this server.", "formats", i)
	}
	return errors.Join(checkSelectors("includeTags", o.IncludeTags), checkSelectors("excludeTags", o.ExcludeTags))
}

func checkSelectors(field string, list []string) error {
	var bad *content.SelectorError
	if !errors.As(content.CheckSelectors(list), &bad) {
		return nil
	}
	return refuse(trawl.CodeBadRequest, bad.Error(), field, bad.Index)
}

func refuse(code trawl.Code, message string, path ...any) error {
	return &trawl.Error{Code: code, Message: message, Issues: []trawl.Issue{{Code: "unsupported", Message: message, Path: path}}}
}

// warning names what was asked for and did not act.
func warning(req *Request, page *page, cut bool) string {
	ignored := req.Ignored()
	if req.WaitFor > 0 {
		ignored = append(ignored, "waitFor")
	}
	var parts []string
	if len(ignored) > 0 {
		parts = append(parts, "These options have no effect on this server: "+strings.Join(ignored, ", ")+".")
	}
	if req.UsesEnhanced() && page.proxy != trawl.ProxyStealth {
		parts = append(parts, "No enhanced proxy is configured; the page was fetched without one.")
	}
	if cut {
		parts = append(parts, "The page is very large; only its first 10 MiB were used.")
	}
	return strings.Join(parts, " ")
}
