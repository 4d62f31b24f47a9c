package document

import (
	"context"
	"fmt"
	"strings"

	"github.com/trawlhq/trawl/document/compound"
	"github.com/trawlhq/trawl/document/doc"
	"github.com/trawlhq/trawl/document/docx"
	"github.com/trawlhq/trawl/document/epub"
	"github.com/trawlhq/trawl/document/mail"
	"github.com/trawlhq/trawl/document/ocr"
	"github.com/trawlhq/trawl/document/odf"
	"github.com/trawlhq/trawl/document/pdf"
	"github.com/trawlhq/trawl/document/picture"
	"github.com/trawlhq/trawl/document/ppt"
	"github.com/trawlhq/trawl/document/rtf"
	"github.com/trawlhq/trawl/document/sheet"
	"github.com/trawlhq/trawl/document/slides"
	"github.com/trawlhq/trawl/document/tree"
)

// reader reads files of one kind.
type reader func(ctx context.Context, d *desk, r request, body []byte) (*tree.Document, error)

// readers are the readers of all kinds that have one.
var readers = map[Kind]reader{
	PDF:  readPDF,
	DOCX: office(docx.Read),
	DOC:  plain(doc.Read),
	ODT:  plain(odf.Read),
	ODS:  plain(odf.Read),
	ODP:  plain(odf.Read),
	RTF:  plain(rtf.Read),
	XLSX: office(sheet.ReadXLSX),
	XLS:  plain(sheet.ReadXLS),
	PPTX: office(slides.Read),
	PPT:  plain(ppt.Read),
	CSV:  plain(sheet.ReadCSV),
	XLSB: office(sheet.ReadXLSB),
	EPUB: plain(epub.Read),
	EML:  message(mail.ReadEML),
	MSG:  message(mail.ReadMSG),

	Image: readImage,
}

func readPDF(ctx context.Context, d *desk, r request, body []byte) (*tree.Document, error) {
	return pdf.Read(ctx, d.engine, body, pdf.Options{Mode: r.Mode, MaxPages: r.MaxPages, PageByPage: r.PageByPage, Tesseract: d.Tesseract, Languages: d.Languages, Admit: d.ask})
}

func readImage(ctx context.Context, d *desk, _ request, body []byte) (*tree.Document, error) {
	return picture.Read(ctx, body, picture.Options{Engine: ocr.Engine{Program: d.Tesseract, Languages: d.Languages}, Admit: d.ask})
}

// plain is a reader that needs the file and nothing else.
func plain(read func([]byte) (*tree.Document, error)) reader {
	return func(_ context.Context, _ *desk, _ request, body []byte) (*tree.Document, error) { return read(body) }
}

// office is the same for archives, in whose place there is a compound file if they
// are encrypted.
func office(read func([]byte) (*tree.Document, error)) reader {
	return plain(func(body []byte) (*tree.Document, error) {
		if strings.HasPrefix(string(body[:min(len(body), len(compound.Magic))]), compound.Magic) {
			return nil, fmt.Errorf("open office file: %w", tree.ErrEncrypted)
		}
		return read(body)
	})
}
