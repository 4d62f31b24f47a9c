package scrape

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/content"
	"github.com/trawlhq/trawl/extract"
	"github.com/trawlhq/trawl/fetch"
	"github.com/trawlhq/trawl/store"
)

// derived is the document of a page, sealed, and its sealed part as it is stored.
type derived struct {
	doc    trawl.Document
	packed store.Packed
	links  []string        // of the page, if they were asked for
	notes  []string        // what its reader should know of the content
	source *extract.Source // what can be extracted from, if that was asked for

	version *store.Version // what the next page is compared with; of tracked pages, which are not remembered
}

// size is how much memory a document takes, about.
func (d *derived) size() int {
	size := 2*len(d.doc.Seal()) + 64*len(d.links) + 1024
	if d.source != nil {
		size += 3 * len(d.source.Markdown) // what else is in it comes from the same page
	}
	return size
}

// derive makes the document of a page: parsed once, each format from the one
// tree. Documents of cached pages are remembered, so that a page that many ask
// for is parsed once for each set of options and not once for each request.
func (s *Scraper) derive(ctx context.Context, req *Request, p *page) (derived, error) {
	if p.version == "" {
		return s.deriveNow(ctx, req, p)
	}
	key := derivedKey(req, p.version, p)
	if d, ok := s.derived.get(key); ok {
		return d, nil
	}
	if p.size > fetch.LargeBytes {
		var err error
		if p.release, err = s.room(ctx); err != nil {
			return derived{}, err
		}
		defer p.free()
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
		s.derived.put(key, d, d.size())
	}
	return d, err
}

// derivedKey is the key under which the document of a page in the cache is
// remembered.
func derivedKey(req *Request, version string, p *page) string {
	key := version + derivation(&req.ScrapeOptions)
	if req.Links {
		key += "links"
	}
	if req.Read {
		key += "read"
	}
	if p.picture != nil {
		key += req.Base
	}
	return key
}

// deriveNow makes the document. If a model fails at its part, the links of the
// page are there all the same.
func (s *Scraper) deriveNow(ctx context.Context, req *Request, p *page) (d derived, err error) {
	if err := s.parse(ctx, req, p, &d); err != nil {
		return derived{}, err
	}
	if !goesOn(req) {
		return d, nil
	}
	if err := s.wait(ctx, p); err != nil {
		return d, err
	}
	if err := s.ask(ctx, req, p, &d); err != nil {
		return d, err
	}
	return d, s.seal(req, &d)
}

// parse makes all of the document that can be read from the page, and seals it if
// that is all there is to it.
func (s *Scraper) parse(ctx context.Context, req *Request, p *page, d *derived) error {
	release, err := s.readFile(ctx, req, p)
	if err != nil {
		return err
	}
	defer release()
	if len(p.body) > fetch.LargeBytes || p.file != nil && len(p.file.HTML) > fetch.LargeBytes {
		s.huge.Lock()
		defer s.huge.Unlock()
	}
	select {
	case s.parsing <- struct{}{}:
		defer func() { <-s.parsing }()
	case <-ctx.Done():
		return ctx.Err()
	}
	doc, err := derive(ctx, req, p, d)
	if err != nil {
		return err
	}
	if doc.Actions = p.actions; p.picture != nil {
		address := s.addressOf(req, p.picture)
		doc.Screenshot = &address
	}
	d.doc = *doc
	if goesOn(req) {
		return nil
	}
	return s.seal(req, d)
}

// seal writes the document, and packs it if it is to be stored.
func (s *Scraper) seal(req *Request, d *derived) (err error) {
	sealed := d.doc.Seal()
	if s.Store != nil && !req.ZeroDataRetention {
		d.packed, err = s.Store.Pack(sealed)
	}
	return err
}

// errBodyGone says that a cached page lost its body: it was evicted meanwhile.
var errBodyGone = errors.New("body of cached page is gone")

// derivation spells out the options that a document depends on, given its page.
func derivation(o *trawl.ScrapeOptions) string {
	var b strings.Builder
	for _, format := range o.Formats {
		switch format.Type {
		case trawl.FormatMarkdown, trawl.FormatHTML, trawl.FormatRawHTML, trawl.FormatLinks, trawl.FormatImages, trawl.FormatSummary:
			b.WriteString(format.Type) // they have no options
		default:
			text, _ := json.Marshal(format) // which was JSON
			b.Write(text)
		}
		b.WriteByte(',')
	}
	for _, flag := range []bool{o.OnlyMainContent, o.RemoveBase64Images} {
		b.WriteString(strconv.FormatBool(flag))
	}
	if parser, ok := o.PDFParser(); ok {
		fmt.Fprintf(&b, "%+v", parser)
	}
	if len(o.IncludeTags)+len(o.ExcludeTags) > 0 {
		fmt.Fprintf(&b, "%q%q", o.IncludeTags, o.ExcludeTags)
	}
	return b.String()
}

// derive makes the document, and notes beside it what else the page gave.
func derive(ctx context.Context, req *Request, p *page, beside *derived) (*trawl.Document, error) {
	raw, kind := req.Wants(trawl.FormatRawBase64), p.kind()
	switch {
	case raw && (kind != kindText || !req.Links):
		return rawDocument(p), nil
	case kind == kindOther:
		return nil, trawl.Errorf(trawl.CodeUnsupportedFile, "The address serves a file of a type that cannot be scraped.")
	case kind == kindFile && p.file == nil && understands(req):
		return nil, errUnread(p)
	case kind == kindFile && p.file == nil:
		return unreadDocument(req, p), nil
	}
	doc, parsed, err := deriveText(req, p, beside)
	if err == nil && p.file != nil {
		err = addFile(ctx, req, p, doc, beside)
	}
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

// unreadDocument is the file itself, where the caller wants it unparsed.
func unreadDocument(req *Request, p *page) *trawl.Document {
	doc := &trawl.Document{}
	if req.Wants(trawl.FormatMarkdown) {
		encoded := base64.StdEncoding.EncodeToString(p.body)
		doc.Markdown = &encoded
	}
	return doc
}

// How much of a text is parsed: a tree of nothing but tags takes some thirty times
// their memory. What was written from a document is not made to explode.
const (
	mostParsed     = 10 << 20
	mostParsedFile = 32 << 20
)

// source returns the text of a page and the tree of what is used of it, which
// are made once.
func (p *page) source() (text []byte, tree *content.Page) {
	if p.tree == nil {
		src := content.Source{ContentType: p.contentType, URL: p.base(), Language: p.language}
		if p.file != nil {
			p.text, src.ContentType = p.file.HTML, htmlType
		} else {
			p.text = fetch.Text(p.body, p.contentType)
		}
		src.Body = p.text
		if most := p.mostParsed(); len(src.Body) > most {
			src.Body = bytes.ToValidUTF8(src.Body[:most], nil)
		}
		p.tree = content.Parse(src)
	}
	return p.text, p.tree
}

// base is what addresses in the page are relative to. A file that came with the
// request has only a name.
func (p *page) base() string {
	if p.upload {
		return ""
	}
	return p.finalURL
}

func (p *page) mostParsed() int {
	if p.file != nil {
		return mostParsedFile
	}
	return mostParsed
}

// selecting returns which part of a page is written. All of a document is content.
func selecting(req *Request, p *page) content.Options {
	return content.Options{
		OnlyMain: req.OnlyMainContent && p.file == nil, Include: req.IncludeTags, Exclude: req.ExcludeTags,
		RemoveBase64: req.RemoveBase64Images, Document: p.file != nil,
	}
}

func deriveText(req *Request, p *page, beside *derived) (*trawl.Document, *content.Page, error) {
	text, parsed := p.source()
	if most := p.mostParsed(); len(text) > most {
		beside.notes = append(beside.notes, fmt.Sprintf("The page is very large; only its first %d MiB were used.", most>>20))
	}
	var selection *content.Selection
	if req.Wants(trawl.FormatMarkdown) || req.Wants(trawl.FormatHTML) || understands(req) { // to find the main content is most of the work
		var err error
		if selection, err = parsed.Select(selecting(req, p)); err != nil {
			return nil, nil, tooCostly("includeTags and excludeTags", err)
		}
		if selection.Uncertain() {
			beside.notes = append(beside.notes, "Main content uncertain: it is in doubt which part of the page is its main content, so all of it was kept.")
		}
	}
	var markdown string
	if req.Wants(trawl.FormatMarkdown) || understands(req) {
		markdown = selection.Markdown()
	}
	doc := &trawl.Document{}
	for _, format := range req.Formats {
		switch format.Type {
		case trawl.FormatMarkdown:
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
	if req.Wants(trawl.FormatAttributes) {
		if err := addAttributes(req, parsed, doc, beside); err != nil {
			return nil, nil, err
		}
	}
	doc.Metadata.Tags, doc.Metadata.OGLocaleAlternate = parsed.Metadata()
	if understands(req) {
		beside.source = sourceOf(req, p, markdown, doc.Metadata.Tags)
	}
	return doc, parsed, nil
}

// addAttributes answers the selectors of all formats that have some, which share
// what they may take.
func addAttributes(req *Request, parsed *content.Page, doc *trawl.Document, beside *derived) error {
	list := []trawl.Attribute{}
	var queries []content.Query
	for _, format := range req.Formats {
		for _, s := range format.Selectors {
			list = append(list, trawl.Attribute{Selector: s.Selector, Attribute: s.Attribute})
			queries = append(queries, content.Query{Selector: s.Selector, Attribute: s.Attribute})
		}
	}
	answers, cut, err := parsed.Attributes(queries)
	if err != nil {
		return tooCostly("the format attributes", err)
	}
	for i, values := range answers {
		list[i].Values = values
	}
	if cut {
		beside.notes = append(beside.notes, "The attributes are too large: the last of them are missing.")
	}
	doc.Attributes = &list
	return nil
}

func tooCostly(where string, err error) error {
	return trawl.Wrap(trawl.CodeBadRequest, "The selectors in "+where+" are too costly for a page of this size.", err)
}
