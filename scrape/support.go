package scrape

import (
	"errors"
	"strings"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/content"
	"github.com/trawlhq/trawl/extract"
)

// supported are the formats that this build can make.
var supported = map[string]bool{
	trawl.FormatMarkdown:   true,
	trawl.FormatHTML:       true,
	trawl.FormatRawHTML:    true,
	trawl.FormatRawBase64:  true,
	trawl.FormatLinks:      true,
	trawl.FormatImages:     true,
	trawl.FormatAttributes: true,
	trawl.FormatScreenshot: true, // given a browser
	trawl.FormatBranding:   true, // likewise
	trawl.FormatJSON:       true, // given a model, or a schema
	trawl.FormatSummary:    true,
	trawl.FormatProduct:    true,
	trawl.FormatMenu:       true,
	trawl.FormatHighlights: true,
	trawl.FormatQuestion:   true, // given a model
	trawl.FormatQuery:      true, // likewise, unless it is for quotes

	trawl.FormatDeterministicJSON: true, // as json
	trawl.FormatChangeTracking:    true, // given a history
}

// Check refuses options that cannot be carried out here and would change the
// result: better a clear error than a document that lacks what was asked for.
// What it lets pass, [Scraper.Scrape] does, or names in the document's warning.
// Callers ask it as soon as they have the options, before anything is waited for.
func (s *Scraper) Check(o *trawl.ScrapeOptions) error {
	if len(o.Actions) > 0 && s.Browser == nil {
		return refuse(trawl.CodeActionsUnsupported, "Actions need a browser, which this server does not have.", "actions")
	}
	if o.Profile != nil && s.Browser == nil {
		return refuse(trawl.CodeOptionUnsupported, "Profiles need a browser, which this server does not have.", "profile")
	}
	if o.Profile != nil && s.Profiles == nil {
		return refuse(trawl.CodeOptionUnsupported, "Profiles need a server that keeps them.", "profile")
	}
	for i, format := range o.Formats {
		switch {
		case format.Type == trawl.FormatBranding && s.Browser == nil:
			return refuse(trawl.CodeBranding, "The format branding needs a browser, which this server does not have.", "formats", i)
		case format.Type == trawl.FormatChangeTracking && s.History == nil:
			return refuse(trawl.CodeFormatUnsupported, "The format changeTracking needs a server that keeps what pages were like.", "formats", i)
		case !supported[format.Type]:
			return refuse(trawl.CodeFormatUnsupported, "The format "+format.Type+" is not supported by this server.", "formats", i)
		case format.Type == trawl.FormatScreenshot && s.Browser == nil:
			return refuse(trawl.CodeFormatUnsupported, "The format screenshot needs a browser, which this server does not have.", "formats", i)
		}
		if err := errors.Join(checkAttributes(i, format.Selectors), s.checkModel(i, &format)); err != nil {
			return err
		}
	}
	return errors.Join(checkSelectors("includeTags", o.IncludeTags), checkSelectors("excludeTags", o.ExcludeTags))
}

func checkAttributes(format int, list []trawl.Selector) error {
	for i, s := range list {
		if err := content.CheckSelectors([]string{s.Selector}); err != nil {
			return invalid(err.Error(), "formats", format, "selectors", i, "selector")
		}
	}
	return nil
}

// checkModel refuses what only a model could do where there is none, and a schema
// that is none.
func (s *Scraper) checkModel(at int, format *trawl.Format) error {
	if what := onlyByModel(format); what != "" && !s.ModelReady {
		err := extract.NoModel(what)
		err.Issues = []trawl.Issue{{Code: "unsupported", Message: err.Message, Path: []any{"formats", at}}}
		return err
	}
	_, err := extract.Compile(format.Schema, "formats", at, "schema")
	return err
}

// onlyByModel names what a format asks for, if nothing but a model can do it.
func onlyByModel(format *trawl.Format) string {
	switch kind := format.Type; {
	case (kind == trawl.FormatJSON || kind == trawl.FormatDeterministicJSON) && format.Schema == nil:
		return "The format " + kind + " without a schema"
	case kind == trawl.FormatQuestion, kind == trawl.FormatQuery && format.Mode != trawl.QueryQuotes:
		return "The format " + kind
	case reportsJSON(format):
		return "The mode json of the format changeTracking"
	}
	return ""
}

func checkSelectors(field string, list []string) error {
	var bad *content.SelectorError
	if !errors.As(content.CheckSelectors(list), &bad) {
		return nil
	}
	return invalid(bad.Error(), field, bad.Index)
}

func invalid(message string, path ...any) error {
	return trawl.Invalid([]trawl.Issue{{Code: "invalid_value", Message: message, Path: path}})
}

func refuse(code trawl.Code, message string, path ...any) error {
	return &trawl.Error{Code: code, Message: message, Issues: []trawl.Issue{{Code: "unsupported", Message: message, Path: path}}}
}

// warning names what was asked for and did not act; notes are about the content.
func (s *Scraper) warning(req *Request, page *page, notes []string) string {
	ignored := req.Ignored()
	if req.WaitFor > 0 && s.Browser == nil {
		ignored = append(ignored, "waitFor")
	}
	var parts []string
	if text := trawl.WithoutEffect(ignored); text != "" {
		parts = append(parts, text)
	}
	if req.UsesEnhanced() && !s.strong(req) {
		parts = append(parts, "This server has neither a browser nor an enhanced proxy; the page was fetched plainly.")
	}
	if page.sign == content.Challenge {
		parts = append(parts, "The site answered with a check for robots in place of the page.")
	}
	if req.Profile.Saves() && !saves(req) {
		parts = append(parts, "The profile was not saved, because zero data retention keeps nothing.")
	}
	if page.warning != "" {
		parts = append(parts, page.warning)
	}
	return strings.Join(append(parts, notes...), " ")
}
