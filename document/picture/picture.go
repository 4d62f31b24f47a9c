// Package picture reads pictures of text: photographs of pages, scans, screenshots.
// They are recognised by Tesseract and then read as the page of a PDF is.
package picture

import (
	"context"
	"fmt"
	"image"
	"time"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/document/layout"
	"github.com/trawlhq/trawl/document/ocr"
	"github.com/trawlhq/trawl/document/tree"
)

const (
	maxPages = 100 // of a TIFF file that are read

	resolution = 300 // that Tesseract is told; what the file says of it is often wrong
	textSize   = 10  // in points, that the usual letters of a picture are taken to have
)

// Options say how a picture is read.
type Options struct {
	Engine ocr.Engine

	// Admit is asked once with the number of pages, before any is read, and says
	// how many may be. Its error is returned as it is. Nil admits all.
	Admit func(total int) (int, error)
}

// Read reads a picture: a page of text, or as many as a TIFF file has. The error
// wraps one of package tree's if it cannot be read, and is a *trawl.Error if there is
// too little time.
func Read(ctx context.Context, body []byte, o Options) (*tree.Document, error) {
	file, err := open(body)
	if err != nil {
		return nil, err
	}
	total := file.pages()
	n := min(total, maxPages)
	if o.Admit != nil {
		admitted, err := o.Admit(total)
		if err != nil {
			return nil, err
		}
		n = max(min(n, admitted), 0)
	}
	if deadline, ok := ctx.Deadline(); ok && n > 1 && time.Until(deadline) < time.Duration(n)*ocr.TimePerPage {
		return nil, trawl.Errorf(trawl.CodePDFTime, "Insufficient time: %d pages cannot be recognised before the timeout.", n)
	}
	r := reader{engine: o.Engine, builder: layout.NewBuilder()}
	for i := range n {
		picture, err := file.decode(i)
		if err != nil {
			return nil, err
		}
		if err := r.add(ctx, i+1, picture); err != nil {
			return nil, err
		}
	}
	doc := r.document()
	doc.TotalPages = total
	if n == maxPages && total > n {
		doc.Warn(fmt.Sprintf("The file has %d pages, of which the first %d were read.", total, n))
	}
	return doc, nil
}

// reader reads the pages of a file.
type reader struct {
	engine  ocr.Engine
	builder *layout.Builder
	status  []string
}

// add recognises a page.
func (r *reader) add(ctx context.Context, number int, picture *image.Gray) error {
	text, err := r.recognise(ctx, picture)
	if err != nil {
		return fmt.Errorf("recognise page %d: %w", number, err)
	}
	status, scale := tree.PageEmpty, float32(1)
	if !text.Empty() {
		status, scale = tree.PageOCR, textSize/text.Size()
	}
	r.status = append(r.status, status)
	r.builder.Add(&layout.Page{
		Number: number, Width: float32(text.Width) * scale, Height: float32(text.Height) * scale,
		Glyphs: text.Glyphs(scale), Fonts: []layout.Font{{Name: "recognised"}}, Rules: text.Rules(scale), Recognised: true,
	})
	return nil
}

// recognise reads a picture, and once more at twice its size if its letters are so
// small that Tesseract mistakes them.
func (r *reader) recognise(ctx context.Context, picture *image.Gray) (*ocr.Text, error) {
	text, err := r.engine.Recognise(ctx, picture, resolution)
	if err != nil || text.Empty() && !smallPicture(picture) || text.Size() > smallText || picture.Rect.Dx()*picture.Rect.Dy() > maxDoubled {
		return text, err
	}
	if again, err := r.engine.Recognise(ctx, doubled(picture), resolution); err == nil && again.Sum() > text.Sum() {
		return again, nil
	}
	return text, nil
}

func (r *reader) document() *tree.Document {
	doc := &tree.Document{}
	doc.Pages, doc.Notes = r.builder.Finish()
	empty := 0
	for i := range doc.Pages {
		doc.Pages[i].Status = r.status[i]
		if r.status[i] == tree.PageEmpty {
			empty++
		}
	}
	if empty == len(doc.Pages) {
		doc.Warn("No text was recognised in the picture.")
	}
	return doc
}
