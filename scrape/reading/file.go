package reading

import (
	"context"
	"errors"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/document"
	"github.com/trawlhq/trawl/fetch"
	"github.com/trawlhq/trawl/scrape/source"
)

// htmlType is the content type of what documents are turned into.
const htmlType = "text/html; charset=utf-8"

// file turns a document into HTML.
func (r *Reader) file(ctx context.Context, p *source.Page, o *Options) (*document.Result, error) {
	if r.Documents == nil {
		return nil, trawl.Errorf(trawl.CodeUnsupportedFile, "The address serves a document, and this server reads none.")
	}
	options := document.Options{Owner: o.Owner, Admit: o.Admit, Attachments: o.Attachments}
	if p.File == document.PDF {
		options.Mode, options.MaxPages = o.PDF.Mode, o.PDF.MaxPages
		options.PageByPage = o.PDF.Pages || o.PDF.PageMarkdown || o.PDF.Blocks || o.PDF.PageMarkers
	}
	file, err := r.Documents.Read(ctx, p.File, p.Body, options)
	return file, fileError(p, err)
}

// room waits for the room that the HTML of a document takes, unless the page is a
// large one, which has it already.
func (r *Reader) room(ctx context.Context, reading *Reading) (release func(), err error) {
	if len(reading.File.HTML) > fetch.LargeBytes && len(reading.Page.Body) <= fetch.LargeBytes {
		return r.Memory.Room(ctx)
	}
	return func() {}, nil
}

// fileError is the failure of a file at the end of an address: there all that may
// be wrong with it has one code.
func fileError(p *source.Page, err error) error {
	known, ok := errors.AsType[*trawl.Error](err)
	if p.IsUpload() || !ok {
		return err
	}
	switch known.Code {
	case trawl.CodeFileEncrypted, trawl.CodeFileDamaged, trawl.CodeFileTooComplex, trawl.CodeFileType:
		return &trawl.Error{Code: trawl.CodeUnsupportedFile, Message: known.Message, Err: known.Err}
	}
	return err
}

// Describe adds to a document what only files have: how many pages there are, and
// the pages and blocks that were asked for.
func (r *Reading) Describe(ctx context.Context, doc *trawl.Document) error {
	if modified := doc.Metadata.Tags["dcterms.modified"]; modified != "" {
		doc.Metadata.Tags["modifiedTime"] = modified
	}
	if !r.Page.File.HasPages() {
		return nil
	}
	doc.Metadata.NumPages, doc.Metadata.TotalPages = r.File.Read(), r.File.TotalPages
	parser := r.options.PDF
	if parser == nil || r.Page.File != document.PDF {
		return nil
	}
	w := writer{file: r.File, url: r.Page.Base(), options: r.selecting()}
	if parser.PageMarkers && doc.Markdown != nil {
		markdown := w.withMarkers()
		doc.Markdown = &markdown
	}
	if parser.Pages || parser.PageMarkdown {
		doc.Pages = make([]trawl.DocumentPage, 0, len(r.File.Pages))
		for i := range r.File.Pages {
			at := &r.File.Pages[i]
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
