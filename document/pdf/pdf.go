// Package pdf reads PDF files: every page is taken apart by PDFium and put
// together as text by package layout.
//
// Pages that are pictures of text, or whose text has lost its meaning, are drawn
// and recognised by Tesseract, where that is installed and the mode allows it.
// Whatever cannot be read is named in a warning and does not keep the rest from
// being read.
package pdf

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/document/layout"
	"github.com/trawlhq/trawl/document/pdfium"
	"github.com/trawlhq/trawl/document/tree"
)

// Modes of reading.
const (
	ModeFast = "fast" // only text that the file has
	ModeAuto = "auto" // recognise the pages that need it; the default
	ModeOCR  = "ocr"  // recognise every page
)

// maxPages is how many pages of a file are read at most.
const maxPages = 5000

// Options say how a file is read.
type Options struct {
	Mode       string   // one of the Mode constants; "" is ModeAuto
	MaxPages   int      // to read; 0 is all
	PageByPage bool     // tables are not joined over pages
	Tesseract  string   // the program that recognises text; "" if there is none
	Languages  []string // that it looks for, as it names them; none is English

	// Admit is asked once with the number of pages, before any is read, and says
	// how many may be. Its error is returned as it is. Nil admits all.
	Admit func(total int) (int, error)
}

// Read reads a file. The error wraps one of package tree's if the file cannot be
// read. It is a *trawl.Error if the pages need to be recognised and the mode does
// not allow that, or if there is too little time for it.
func Read(ctx context.Context, engine *pdfium.Engine, body []byte, o Options) (*tree.Document, error) {
	file, err := engine.Open(ctx, body)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	r := &reader{file: file, options: o, clock: newClock(ctx), builder: layout.NewBuilder(), failed: map[int]error{}}
	r.builder.PageByPage = o.PageByPage
	if r.pages, err = r.admitted(); err != nil {
		return nil, err
	}
	r.clock.begin = time.Now()
	if err := r.read(ctx); err != nil {
		return nil, err
	}
	return r.document()
}

// reader reads one file.
type reader struct {
	file    *pdfium.Document
	options Options
	clock   *clock
	builder *layout.Builder
	pages   int // to be read

	status   []string      // of the pages
	failed   map[int]error // pages that could not be read, by index
	pictures []int         // numbers of pages that are pictures of text
	garbled  []int         // and of those whose text has lost its meaning
	refused  []int         // those that could not be recognised, though it was tried
	repeated []int         // numbers of pages that were read before in another place
	capped   bool          // the file has more pages than are ever read
}

// admitted returns how many pages are to be read.
func (r *reader) admitted() (int, error) {
	total := r.file.Pages()
	if total == 0 {
		return 0, fmt.Errorf("open pdf: %w: it has no pages", tree.ErrDamaged)
	}
	n := total
	if r.options.Admit != nil {
		admitted, err := r.options.Admit(total)
		if err != nil {
			return 0, err
		}
		n = max(min(n, admitted), 0)
	}
	if r.options.MaxPages > 0 {
		n = min(n, r.options.MaxPages)
	}
	n = min(n, maxPages)
	r.capped = n == maxPages && total > maxPages && r.options.MaxPages != maxPages
	return n, nil
}

// read reads the pages. Up to the first that must be recognised they go straight to
// the builder. From there on they are only looked at, so that it is known how much
// is to be recognised before that begins.
func (r *reader) read(ctx context.Context) error {
	r.status = make([]string, r.pages)
	first, count := -1, 0
	for i := range r.pages {
		if err := ctx.Err(); err != nil {
			return fmt.Errorf("read pdf: %w", err)
		}
		page, err := r.file.Page(i)
		if err != nil {
			r.fail(i, err)
			page = &layout.Page{Number: i + 1}
		}
		if page.Repeats {
			r.repeated = append(r.repeated, i+1)
		}
		if err == nil && r.judge(i, page) {
			if count++; first < 0 {
				first = i
			}
			if err := r.clock.recognising(count); err != nil { // whatever the others are
				return err
			}
		}
		if err := r.clock.going(i+1, r.pages); err != nil {
			return err
		}
		if first < 0 {
			r.builder.Add(page)
		}
	}
	if first < 0 {
		return r.readable()
	}
	return r.recognise(ctx, first)
}

func (r *reader) fail(i int, err error) {
	r.status[i] = tree.PageFailed
	r.failed[i] = err
}

// toRecognise is the status of pages until they are recognised.
const toRecognise = "to recognise"

// judge finds out what is to become of a page and reports whether it is to be
// recognised. A page that stays unread keeps the little text that a picture may have,
// and of one that is garbled what is not.
func (r *reader) judge(i int, page *layout.Page) bool {
	quality := layout.Readable(page)
	r.status[i] = tree.PageText
	switch quality {
	case layout.Empty:
		r.status[i] = tree.PageEmpty
		return false
	case layout.Text:
		if r.options.Mode != ModeOCR || r.options.Tesseract == "" {
			return false
		}
	}
	if r.options.Mode != ModeFast && r.options.Tesseract != "" {
		r.status[i] = toRecognise
		return true
	}
	r.status[i] = tree.PageUnread
	if quality == layout.Picture {
		r.pictures = append(r.pictures, i+1)
	} else {
		r.garbled = append(r.garbled, i+1)
		layout.Legible(page)
	}
	return false
}

// readable returns an error if nothing can be read without recognising it, and the
// caller does not want that.
func (r *reader) readable() error {
	if r.options.Mode != ModeFast || len(r.pictures)+len(r.garbled) == 0 {
		return nil
	}
	for _, status := range r.status {
		if status == tree.PageText {
			return nil
		}
	}
	return trawl.Errorf(trawl.CodeOCRRequired,
		"The PDF has no text of its own: its pages are pictures. Use the mode auto or ocr to recognise them.")
}

// document puts together what was read.
func (r *reader) document() (*tree.Document, error) {
	if r.pages > 0 && len(r.failed) == r.pages {
		return nil, r.failed[0]
	}
	doc := &tree.Document{Info: r.file.Info(), TotalPages: r.file.Pages()}
	doc.Pages, doc.Notes = r.builder.Finish()
	for i := range doc.Pages {
		doc.Pages[i].Status = r.status[doc.Pages[i].Number-1]
		_, doc.Pages[i].Repeated = slices.BinarySearch(r.repeated, doc.Pages[i].Number)
	}
	join(doc.Pages)
	doc.Warnings = r.warnings()
	return doc, nil
}
