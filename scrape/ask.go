package scrape

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"sync"

	"golang.org/x/sync/errgroup"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/content/facts"
	"github.com/trawlhq/trawl/extract"
	"github.com/trawlhq/trawl/fetch"
	"github.com/trawlhq/trawl/llm"
)

// mostAsked bounds the large pages that a model works on at a time, in bytes.
const mostAsked = 256 << 20

// asks reports whether a request asks for what a model makes.
func asks(req *Request) bool {
	for i := range req.Formats {
		switch req.Formats[i].Type {
		case trawl.FormatJSON, trawl.FormatSummary:
			return true
		}
	}
	return false
}

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
		return trawl.Errorf(trawl.CodeParseOptions, "Parse requests do not support json and summary of a PDF file without the parser pdf.")
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

// ask adds json and summary to a document, which are made side by side. It holds
// no lock, since a model takes seconds.
func (s *Scraper) ask(ctx context.Context, req *Request, p *page, d *derived) error {
	ctx = llm.For(ctx, req.Caller.Team.ID, req.live)
	src := d.source
	if !req.Read {
		d.source = nil
	}
	var found, told string // warnings
	var steps []func(context.Context) error
	if format, ok := req.Format(trawl.FormatJSON); ok {
		steps = append(steps, func(ctx context.Context) (err error) {
			d.doc.JSON, found, err = s.askJSON(ctx, p, src, &format)
			return err
		})
	}
	if req.Wants(trawl.FormatSummary) {
		steps = append(steps, func(ctx context.Context) (err error) {
			d.doc.Summary, told, err = s.askSummary(ctx, src)
			return err
		})
	}
	if err := together(ctx, steps); err != nil {
		return err
	}
	for _, note := range []string{found, told} {
		if note != "" {
			d.notes = append(d.notes, note)
		}
	}
	return nil
}

// together takes all steps at once. The first that fails ends the others.
func together(ctx context.Context, steps []func(context.Context) error) error {
	if len(steps) == 1 {
		return steps[0](ctx)
	}
	group, ctx := errgroup.WithContext(ctx)
	for _, step := range steps {
		group.Go(func() error { return step(ctx) })
	}
	return group.Wait()
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

// blank reports whether a page has no text.
func blank(src *extract.Source) bool { return strings.TrimSpace(src.Markdown) == "" }
