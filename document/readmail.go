package document

import (
	"context"
	"fmt"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/content/dom"
	"github.com/trawlhq/trawl/document/mail"
	"github.com/trawlhq/trawl/document/markup"
	"github.com/trawlhq/trawl/document/pdf"
	"github.com/trawlhq/trawl/document/tree"
)

// maxAttachedPages is how many pages are read of a PDF file that is attached. No text
// is recognised in it.
const maxAttachedPages = 50

func isMail(kind Kind) bool { return kind == EML || kind == MSG }

// message is a reader of messages, which reads what is attached to them if that was
// asked for.
func message(read func([]byte, mail.Options) (*tree.Document, error)) reader {
	return func(ctx context.Context, d *desk, r request, body []byte) (*tree.Document, error) {
		var o mail.Options
		if r.Attachments {
			o.Attachment = func(name, contentType string, body []byte) (*tree.Document, error) {
				return d.attachment(ctx, name, contentType, body)
			}
		}
		return read(body, o)
	}
}

// attachment reads a file that is attached to a message. Messages among them are read
// without what is attached to them.
func (d *desk) attachment(ctx context.Context, name, contentType string, body []byte) (*tree.Document, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	kind := Sniff(body, name, contentType)
	switch kind {
	case Unknown:
		return nil, nil
	case HTML:
		body = body[:min(len(body), maxAttachedPage)]
		r := markup.Reader{Layout: true}
		return &tree.Document{Body: r.Read(dom.Parse(markup.Decode(body, "")).Body())}, nil
	case PDF:
		return d.attachedPDF(ctx, body)
	case EML:
		return mail.ReadEML(body, mail.Options{})
	case MSG:
		return mail.ReadMSG(body, mail.Options{})
	}
	read, ok := d.readers[kind]
	if !ok {
		return nil, nil
	}
	return read(ctx, d, request{Kind: kind}, body)
}

// maxAttachedPage is how many bytes are read of a page that is attached.
const maxAttachedPage = 4 << 20

func (d *desk) attachedPDF(ctx context.Context, body []byte) (*tree.Document, error) {
	if d.engine == nil {
		return nil, nil
	}
	pages := 0
	doc, err := pdf.Read(ctx, d.engine, body, pdf.Options{Mode: "fast", MaxPages: maxAttachedPages, Admit: func(total int) (int, error) {
		pages = total
		return min(total, maxAttachedPages), nil
	}})
	if trawl.ErrorCode(err) == trawl.CodeOCRRequired {
		return &tree.Document{Warnings: []string{"Its pages are pictures whose text was not recognised."}}, nil
	}
	if err == nil && pages > maxAttachedPages {
		doc.Warn(fmt.Sprintf("It has %d pages, of which the first %d were read.", pages, maxAttachedPages))
	}
	return doc, err
}
