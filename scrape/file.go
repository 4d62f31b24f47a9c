package scrape

import (
	"context"
	"errors"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/document"
	"github.com/trawlhq/trawl/fetch"
)

// htmlType is the content type of what files are turned into.
const htmlType = "text/html; charset=utf-8"

// readFile turns a document into HTML, if that is asked for. It happens in
// another process, and so before this one counts the page as being parsed. What
// it returns gives back the room that the HTML takes.
func (s *Scraper) readFile(ctx context.Context, req *Request, p *page) (release func(), err error) {
	if !reads(req, p) || p.file != nil {
		return func() {}, nil
	}
	if s.Documents == nil {
		return nil, trawl.Errorf(trawl.CodeUnsupportedFile, "The address serves a document, and this server reads none.")
	}
	o := document.Options{Owner: req.Caller.Team.ID, Admit: func(total int) (int, error) { return admit(req, p, total) }}
	if parser, ok := req.PDFParser(); ok && p.format == document.PDF {
		o.Mode, o.MaxPages = parser.Mode, parser.MaxPages
	}
	if p.file, err = s.Documents.Read(ctx, p.format, p.body, o); err != nil {
		return nil, fileError(p, err)
	}
	if len(p.file.HTML) > fetch.LargeBytes && len(p.body) <= fetch.LargeBytes { // else it has room already
		return s.room(ctx)
	}
	return func() {}, nil
}

// reads reports whether the page is a document of which more than its bytes are
// asked for.
func reads(req *Request, p *page) bool {
	return p.kind() == kindFile && !req.Wants(trawl.FormatRawBase64) && (p.format != document.PDF || req.ParsesPDF())
}

// admit says how many of its pages are read of a file, before any is: no more than
// were asked for, and none if the team cannot pay for those.
func admit(req *Request, p *page, total int) (int, error) {
	if parser, ok := req.PDFParser(); ok && parser.MaxPages > 0 {
		total = min(total, parser.MaxPages)
	}
	if credits := req.Caller.Team.Credits; credits != nil && p.format == document.PDF && req.Price(p.proxy, total) > *credits {
		return 0, trawl.InsufficientCredits()
	}
	return total, nil
}

// fileError is the failure of a file at the end of an address: there all that may
// be wrong with it has one code.
func fileError(p *page, err error) error {
	known, ok := errors.AsType[*trawl.Error](err)
	if p.upload || !ok {
		return err
	}
	switch known.Code {
	case trawl.CodeFileEncrypted, trawl.CodeFileDamaged, trawl.CodeFileTooComplex, trawl.CodeFileType:
		return &trawl.Error{Code: trawl.CodeUnsupportedFile, Message: known.Message, Err: known.Err}
	}
	return err
}

// addFile adds to a document what only files have: how many pages there are, the
// pages and blocks that were asked for, and what the reader had to say.
func addFile(ctx context.Context, req *Request, p *page, doc *trawl.Document, beside *derived) error {
	beside.notes = append(beside.notes, p.file.Warnings...)
	if modified := doc.Metadata.Tags["dcterms.modified"]; modified != "" {
		doc.Metadata.Tags["modifiedTime"] = modified
	}
	parser, ok := req.PDFParser()
	if !ok || p.format != document.PDF {
		return nil
	}
	doc.Metadata.NumPages, doc.Metadata.TotalPages = len(p.file.Pages), p.file.TotalPages
	w := fileWriter{file: p.file, url: p.base(), options: selecting(req, p)}
	if parser.PageMarkers && doc.Markdown != nil {
		markdown := w.withMarkers()
		doc.Markdown = &markdown
	}
	if parser.Pages || parser.PageMarkdown {
		doc.Pages = make([]trawl.DocumentPage, 0, len(p.file.Pages))
		for i := range p.file.Pages {
			at := &p.file.Pages[i]
			doc.Pages = append(doc.Pages, trawl.DocumentPage{Number: at.Number, Markdown: w.page(at)})
			if err := ctx.Err(); err != nil {
				return err
			}
		}
	}
	if parser.Blocks {
		return w.addBlocks(ctx, doc)
	}
	return nil
}
