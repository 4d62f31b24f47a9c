package scrape

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"mime"
	"net/http"
	"slices"
	"strings"
	"sync"

	"golang.org/x/sync/errgroup"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/brand"
	"github.com/trawlhq/trawl/content/facts"
	"github.com/trawlhq/trawl/extract"
	"github.com/trawlhq/trawl/fetch"
	"github.com/trawlhq/trawl/llm"
)

// mostAsked bounds the large pages that a model works on at a time, in bytes.
const mostAsked = 256 << 20

// asks reports whether a request asks for what takes an understanding of the page.
func asks(req *Request) bool {
	for i := range req.Formats {
		switch req.Formats[i].Type {
		case trawl.FormatJSON, trawl.FormatDeterministicJSON, trawl.FormatSummary, trawl.FormatQuestion, trawl.FormatHighlights,
			trawl.FormatQuery, trawl.FormatProduct, trawl.FormatMenu, trawl.FormatBranding:
			return true
		case trawl.FormatChangeTracking:
			if reportsJSON(&req.Formats[i]) {
				return true
			}
		}
	}
	return false
}

// goesOn reports whether there is more to a document than can be read from its page.
func goesOn(req *Request) bool { return asks(req) || req.Wants(trawl.FormatChangeTracking) }

// understands reports whether the text of a page is wanted to extract from.
func understands(req *Request) bool { return req.Read || asks(req) }

// sourceOf returns what can be extracted from a page. Pictures within the text say
// nothing to a model.
func sourceOf(req *Request, p *page, markdown string, tags map[string]string) *extract.Source {
	_, parsed := p.source()
	if !req.RemoveBase64Images && strings.Contains(markdown, ";base64,") {
		o := selecting(req, p)
		o.RemoveBase64 = true
		if selection, err := parsed.Select(o); err == nil { // as it did before
			markdown = selection.Markdown()
		}
	}
	src := &extract.Source{URL: p.finalURL, Title: tags["title"], Description: tags["description"], Markdown: markdown}
	if tree := parsed.Tree(); tree != nil {
		src.Facts = facts.Read(tree, p.base())
	}
	return src
}

// errUnread is the error of a file that was not to be read, but understood.
func errUnread(p *page) error {
	if p.upload {
		return trawl.Errorf(trawl.CodeParseOptions, "Parse requests do not extract from a PDF file without the parser pdf.")
	}
	return trawl.Errorf(trawl.CodeUnsupportedFile, "The address serves a PDF file, which is only read with the parser pdf: there is no text to extract from.")
}

// wait makes a page ready for a model to work on it, which takes seconds: its tree
// is let go of, and the room that a large page takes is left to others, as long as
// not too many wait in this way.
func (s *Scraper) wait(ctx context.Context, p *page) error {
	p.tree, p.text, p.file = nil, nil, nil
	size := min(int64(len(p.body)), mostAsked)
	if size <= fetch.LargeBytes {
		return nil
	}
	if err := s.asked.Acquire(ctx, size); err != nil {
		return err
	}
	p.free()
	p.release = sync.OnceFunc(func() { s.asked.Release(size) })
	return nil
}

// ask adds to a document what takes an understanding of its page, and how that has
// changed. All of it is made side by side. It holds no lock, since a model takes
// seconds.
func (s *Scraper) ask(ctx context.Context, req *Request, p *page, d *derived) error {
	ctx = llm.For(ctx, req.Caller.Team.ID, req.live)
	src := d.source
	if !req.Read {
		d.source = nil
	}
	warnings, err := together(ctx, s.steps(req, p, src, d))
	if err != nil {
		return err
	}
	for _, warning := range warnings {
		if warning != "" {
			d.notes = append(d.notes, warning)
		}
	}
	return nil
}

// step makes one part of a document, of which no other step makes anything.
type step func(ctx context.Context) (warning string, err error)

// together takes all steps at once. The first that fails ends the others.
func together(ctx context.Context, steps []step) (warnings []string, err error) {
	warnings = make([]string, len(steps))
	if len(steps) == 1 {
		warnings[0], err = steps[0](ctx)
		return warnings, err
	}
	group, ctx := errgroup.WithContext(ctx)
	for i, step := range steps {
		group.Go(func() (err error) {
			warnings[i], err = step(ctx)
			return err
		})
	}
	return warnings, group.Wait()
}

// steps returns what is to be done for the formats of a request. One that is asked
// for twice is made once.
func (s *Scraper) steps(req *Request, p *page, src *extract.Source, d *derived) []step {
	doc := &d.doc
	makers := []struct {
		kind string
		make func(ctx context.Context, format *trawl.Format) (warning string, err error)
	}{
		{trawl.FormatJSON, func(ctx context.Context, f *trawl.Format) (warning string, err error) {
			doc.JSON, warning, err = s.askJSON(ctx, p, src, f)
			return warning, err
		}},
		{trawl.FormatDeterministicJSON, func(ctx context.Context, f *trawl.Format) (warning string, err error) {
			doc.JSON, warning, err = s.readJSON(ctx, p, src, f)
			return warning, err
		}},
		{trawl.FormatSummary, func(ctx context.Context, _ *trawl.Format) (warning string, err error) {
			doc.Summary, warning, err = s.askSummary(ctx, src)
			return warning, err
		}},
		{trawl.FormatQuestion, func(ctx context.Context, f *trawl.Format) (warning string, err error) {
			doc.Answer, warning, err = s.askAnswer(ctx, src, f.Question)
			return warning, err
		}},
		{trawl.FormatHighlights, func(ctx context.Context, f *trawl.Format) (warning string, err error) {
			doc.Highlights, warning, err = s.askHighlights(ctx, src, f.Query)
			return warning, err
		}},
		{trawl.FormatQuery, func(ctx context.Context, f *trawl.Format) (warning string, err error) {
			if f.Mode == trawl.QueryQuotes {
				doc.Highlights, warning, err = s.askHighlights(ctx, src, f.Prompt)
			} else {
				doc.Answer, warning, err = s.askAnswer(ctx, src, f.Prompt)
			}
			return warning, err
		}},
		{trawl.FormatProduct, func(ctx context.Context, _ *trawl.Format) (warning string, err error) {
			doc.Product, warning, err = object(ctx, src, s.Extract.Product)
			return warning, err
		}},
		{trawl.FormatMenu, func(ctx context.Context, _ *trawl.Format) (warning string, err error) {
			doc.Menu, warning, err = object(ctx, src, s.Extract.Menu)
			return warning, err
		}},
		{trawl.FormatBranding, func(ctx context.Context, _ *trawl.Format) (warning string, err error) {
			doc.Branding, warning, err = s.askBrand(ctx, p, src)
			return warning, err
		}},
		{trawl.FormatChangeTracking, func(ctx context.Context, f *trawl.Format) (string, error) { return s.track(ctx, req, p, d, f) }},
	}
	var steps []step
	for _, maker := range makers {
		if format, ok := req.Format(maker.kind); ok {
			steps = append(steps, func(ctx context.Context) (string, error) { return maker.make(ctx, &format) })
		}
	}
	return steps
}

func (s *Scraper) askJSON(ctx context.Context, p *page, src *extract.Source, format *trawl.Format) (json.RawMessage, string, error) {
	if s.ModelReady && blank(src) && (src.Facts == nil || len(src.Facts.Things) == 0) {
		return nil, "", trawl.Errorf(trawl.CodeModel, "%s", noText(p))
	}
	compiled, err := extract.Compile(format.Schema, "formats", "schema")
	if err != nil {
		return nil, "", err
	}
	want := extract.Want{Prompt: format.Prompt, Schema: compiled}
	finding, err := s.Extract.JSON(ctx, src, want)
	if err != nil {
		if trawl.ErrorCode(err) == trawl.CodeNoModel && blank(src) {
			err = trawl.Errorf(trawl.CodeNoModel, "%s %s", noText(p), err)
		}
		return nil, "", err
	}
	value, err := marshal(finding.Value)
	return value, finding.Warning, err
}

// noText says that a page has no text, and why that may be.
func noText(p *page) string {
	text := "The page has no text to extract from."
	if p.status < 200 || p.status > 299 {
		text += fmt.Sprintf(" The site answered with status %d %s.", p.status, http.StatusText(p.status))
	}
	return text
}

// marshal writes a value as JSON: for readers, and not for a page of HTML.
func marshal(value any) (json.RawMessage, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(value); err != nil {
		return nil, fmt.Errorf("encode what was extracted: %w", err)
	}
	return bytes.TrimSpace(b.Bytes()), nil
}

// readJSON takes json from the page's own structured data if that has all that is
// asked for, and only else asks a model.
func (s *Scraper) readJSON(ctx context.Context, p *page, src *extract.Source, format *trawl.Format) (json.RawMessage, string, error) {
	compiled, err := extract.Compile(demanding(format.Schema), "formats", "schema")
	if err != nil {
		return nil, "", err
	}
	if !s.ModelReady || compiled == nil {
		return s.askJSON(ctx, p, src, format)
	}
	finding, err := new(extract.Extractor).JSON(ctx, src, extract.Want{Schema: compiled}) // which has no model
	if trawl.ErrorCode(err) == trawl.CodeNoModel {
		return s.askJSON(ctx, p, src, format)
	}
	if err != nil {
		return nil, "", err
	}
	var warning string
	if format.Prompt != "" {
		warning = "The page's own structured data has all that the schema asks for; the prompt was not used."
	}
	value, err := marshal(finding.Value)
	return value, warning, err
}

// demanding returns a schema that requires all of its fields, if it requires none:
// one that is content with anything would be content with far too little.
func demanding(schema any) any {
	whole, _ := schema.(map[string]any)
	fields, _ := whole["properties"].(map[string]any)
	if required, _ := whole["required"].([]any); len(required) > 0 || len(fields) == 0 {
		return schema
	}
	strict := maps.Clone(whole)
	names := []any{}
	for _, name := range slices.Sorted(maps.Keys(fields)) {
		names = append(names, name)
	}
	strict["required"] = names
	return strict
}

func (s *Scraper) askSummary(ctx context.Context, src *extract.Source) (*string, string, error) {
	if blank(src) {
		return new(string), "The page has no text to sum up.", nil
	}
	text, _, warning, err := s.Extract.Summary(ctx, src)
	if err != nil {
		return nil, "", err
	}
	return &text, warning, nil
}

func (s *Scraper) askAnswer(ctx context.Context, src *extract.Source, question string) (*string, string, error) {
	if blank(src) {
		return new(string), "The page has no text to answer from.", nil
	}
	text, _, err := s.Extract.Answer(ctx, src, question)
	if err != nil {
		return nil, "", err
	}
	return &text, "", nil
}

func (s *Scraper) askHighlights(ctx context.Context, src *extract.Source, query string) (*string, string, error) {
	if blank(src) {
		return new(string), "The page has no text to quote.", nil
	}
	text, _, warning, err := s.Extract.Highlights(ctx, src, query)
	if err != nil {
		return nil, "", err
	}
	return &text, warning, nil
}

// object asks for an object of a kind that is known beforehand. A page that has
// none leaves it out.
func object(ctx context.Context, src *extract.Source, ask func(context.Context, *extract.Source) (any, int, string, error)) (json.RawMessage, string, error) {
	value, _, warning, err := ask(ctx, src)
	if err != nil || value == nil {
		return nil, warning, err
	}
	encoded, err := marshal(value)
	return encoded, warning, err
}

func errNoBrand() error {
	return trawl.Errorf(trawl.CodeBranding, "The address serves no page that a browser shows, so there is no branding.")
}

// askBrand says how a page looks, by what was measured in it.
func (s *Scraper) askBrand(ctx context.Context, p *page, src *extract.Source) (*trawl.Branding, string, error) {
	switch label, _, _ := mime.ParseMediaType(p.contentType); label {
	case "text/html", "application/xhtml+xml":
	default: // a browser shows data and text in a way of its own
		return nil, "", errNoBrand()
	}
	kit, err := brand.Read(p.measured, p.finalURL)
	if err != nil { // the page did not let itself be measured
		return nil, "The branding of the page could not be measured.", ctx.Err()
	}
	b, _, warning, err := s.Extract.Brand(ctx, src, kit)
	return b, warning, err
}

// joined is two warnings, of which each may be empty.
func joined(first, second string) string { return strings.TrimSpace(first + " " + second) }

// blank reports whether a page has no text.
func blank(src *extract.Source) bool { return strings.TrimSpace(src.Markdown) == "" }
