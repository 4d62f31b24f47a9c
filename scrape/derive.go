package scrape

import (
	"bytes"
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/content"
	"github.com/trawlhq/trawl/fetch"
	"github.com/trawlhq/trawl/store"
)

// derived is the document of a page, sealed, and its sealed part as it is stored.
type derived struct {
	doc    trawl.Document
	packed store.Packed
	links  []string // of the page, if they were asked for
	cut    bool     // only the beginning of the page was used
}

// derive makes the document of a page: parsed once, each format from the one
// tree. Documents of cached pages are remembered, so that a page that many ask
// for is parsed once for each set of options and not once for each request.
func (s *Scraper) derive(ctx context.Context, req *Request, p *page) (derived, error) {
	if p.version == "" {
		return s.deriveNow(ctx, req, p)
	}
	key := p.version + derivation(&req.ScrapeOptions)
	if req.Links {
		key += "links"
	}
	if p.picture != nil {
		key += req.Base
	}
	if d, ok := s.derived.get(key); ok {
		return d, nil
	}
	if p.size > fetch.LargeBytes {
		release, err := s.room(ctx)
		if err != nil {
			return derived{}, err
		}
		defer release()
	}
	body, err := s.Blobs.Get(ctx, p.blob)
	if trawl.ErrorCode(err) == trawl.CodeNotFound {
		s.rows.drop(req.Caller.Team.ID + p.key)
		return derived{}, errBodyGone
	}
	if err != nil {
		return derived{}, fmt.Errorf("load cached page: %w", err)
	}
	p.body = body
	d, err := s.deriveNow(ctx, req, p)
	if err == nil {
		s.derived.put(key, d, 2*len(d.doc.Seal())+64*len(d.links)+1024)
	}
	return d, err
}

func (s *Scraper) deriveNow(ctx context.Context, req *Request, p *page) (d derived, err error) {
	if len(p.body) > fetch.LargeBytes {
		s.huge.Lock()
		defer s.huge.Unlock()
	}
	select {
	case s.parsing <- struct{}{}:
		defer func() { <-s.parsing }()
	case <-ctx.Done():
		return d, ctx.Err()
	}
	doc, err := derive(req, p, &d)
	if err != nil {
		return d, err
	}
	if doc.Actions = p.actions; p.picture != nil {
		address := s.addressOf(req, p.picture)
		doc.Screenshot = &address
	}
	sealed := doc.Seal()
	if s.Store != nil && !req.ZeroDataRetention {
		d.packed, err = s.Store.Pack(sealed)
	}
	d.doc = *doc
	return d, err
}

// errBodyGone says that a cached page lost its body: it was evicted meanwhile.
var errBodyGone = errors.New("body of cached page is gone")

// derivation spells out the options that a document depends on, given its page.
func derivation(o *trawl.ScrapeOptions) string {
	var b strings.Builder
	for _, format := range o.Formats {
		b.WriteString(format.Type)
		b.WriteByte(',')
	}
	for _, flag := range []bool{o.OnlyMainContent, o.RemoveBase64Images, o.ParsesPDF()} {
		b.WriteString(strconv.FormatBool(flag))
	}
	if len(o.IncludeTags)+len(o.ExcludeTags) > 0 {
		fmt.Fprintf(&b, "%q%q", o.IncludeTags, o.ExcludeTags)
	}
	return b.String()
}

// derive makes the document, and notes beside it what else the page gave.
func derive(req *Request, p *page, beside *derived) (*trawl.Document, error) {
	_, raw := req.Format(trawl.FormatRawBase64)
	kind := p.kind()
	if raw && (kind != kindText || !req.Links) {
		return rawDocument(p), nil
	}
	switch kind {
	case kindPDF:
		return derivePDF(req, p)
	case kindOther:
		return nil, trawl.Errorf(trawl.CodeUnsupportedFile, "The address serves a file of a type that cannot be scraped.")
	}
	doc, parsed, err := deriveText(req, p, beside)
	if err == nil && req.Links {
		beside.links = parsed.Links()
		if proper := parsed.Canonical(); proper != "" {
			beside.links = append(beside.links, proper)
		}
	}
	if raw {
		doc = rawDocument(p)
	}
	return doc, err
}

func rawDocument(p *page) *trawl.Document {
	encoded := base64.StdEncoding.EncodeToString(p.body)
	return &trawl.Document{RawBase64: &encoded}
}

// derivePDF returns the file itself when the caller wants it unparsed.
func derivePDF(req *Request, p *page) (*trawl.Document, error) {
	if req.ParsesPDF() {
		return nil, trawl.Errorf(trawl.CodeUnsupportedFile,
			"The address serves a PDF file, which this server cannot read yet; an empty parsers list returns it as base64.")
	}
	doc := &trawl.Document{}
	if req.Wants(trawl.FormatMarkdown) {
		encoded := base64.StdEncoding.EncodeToString(p.body)
		doc.Markdown = &encoded
	}
	return doc, nil
}

// mostParsed bounds the text of a page that is parsed: a tree of nothing but tags
// takes some thirty times their memory.
const mostParsed = 10 << 20

// source returns the text of a page and the tree of what is used of it, which
// are made once.
func (p *page) source() (text []byte, tree *content.Page) {
	if p.tree == nil {
		p.text = fetch.Text(p.body, p.contentType)
		used := p.text
		if len(used) > mostParsed {
			used = bytes.ToValidUTF8(used[:mostParsed], nil)
		}
		p.tree = content.Parse(content.Source{Body: used, ContentType: p.contentType, URL: p.finalURL, Language: p.language})
	}
	return p.text, p.tree
}

func deriveText(req *Request, p *page, beside *derived) (*trawl.Document, *content.Page, error) {
	text, parsed := p.source()
	beside.cut = len(text) > mostParsed
	var selection *content.Selection
	if req.Wants(trawl.FormatMarkdown) || req.Wants(trawl.FormatHTML) { // to find the main content is most of the work
		var err error
		selection, err = parsed.Select(content.Options{
			OnlyMain: req.OnlyMainContent, Include: req.IncludeTags, Exclude: req.ExcludeTags,
			RemoveBase64: req.RemoveBase64Images,
		})
		if err != nil {
			return nil, nil, trawl.Wrap(trawl.CodeBadRequest, "The selectors in includeTags and excludeTags are too costly for a page of this size.", err)
		}
	}
	doc := &trawl.Document{}
	for _, format := range req.Formats {
		switch format.Type {
		case trawl.FormatMarkdown:
			markdown := selection.Markdown()
			doc.Markdown = &markdown
		case trawl.FormatHTML:
			html := selection.HTML()
			doc.HTML = &html
		case trawl.FormatRawHTML:
			raw := string(text)
			doc.RawHTML = &raw
		case trawl.FormatLinks:
			links := append([]string{}, parsed.Links()...)
			doc.Links = &links
		case trawl.FormatImages:
			images := append([]string{}, parsed.Images()...)
			doc.Images = &images
		}
	}
	doc.Metadata.Tags, doc.Metadata.OGLocaleAlternate = parsed.Metadata()
	return doc, parsed, nil
}
