// Package reading reads pages: their text, their tree, their main content and what
// they say for machines. All of it is made when it is first wanted, and once.
//
// A document of another kind, such as a PDF file, is turned into HTML first.
package reading

import (
	"bytes"
	"context"
	"fmt"
	"strings"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/content"
	"github.com/trawlhq/trawl/content/facts"
	"github.com/trawlhq/trawl/content/markdown"
	"github.com/trawlhq/trawl/document"
	"github.com/trawlhq/trawl/extract"
	"github.com/trawlhq/trawl/scrape/source"
)

// Documents turns files into HTML. Its errors are *trawl.Error.
type Documents interface {
	Read(ctx context.Context, kind document.Kind, body []byte, o document.Options) (*document.Result, error)
}

// Options say what is read of a page.
type Options struct {
	OnlyMain     bool     // its main content, instead of all
	Include      []string // only elements that match one of these selectors
	Exclude      []string // no elements that match one of these
	RemoveBase64 bool     // without the pictures that are within it

	Bytes bool          // its bytes as they are: no document is read
	PDF   *trawl.Parser // how PDF files are read; nil: they are not
	Image bool          // the text of pictures is recognised
	Owner string        // team for which documents are read

	Attachments bool // those of messages are read as well

	// Admit says how many pages are read of a document that has so many.
	Admit func(pages int) (int, error)
}

// Reader reads pages. Its Documents may be nil: then it reads none.
type Reader struct {
	Documents Documents
	Memory    *source.Memory
}

// Reading is what a page says. It is for one goroutine.
type Reading struct {
	Page *source.Page
	File *document.Result // of a document that was read

	options   Options
	text      []byte
	tree      *content.Page
	selection *content.Selection
	err       error // of the selection
	markdown  *string
}

// Open begins to read a page. A document is read here, by another process, and so
// before this one counts the page as being parsed. What it returns gives back the
// room that the HTML of a document takes.
func (r *Reader) Open(ctx context.Context, p *source.Page, o Options) (_ *Reading, release func(), err error) {
	reading := &Reading{Page: p, options: o}
	if reading.Unread() || p.Kind != source.File {
		return reading, func() {}, nil
	}
	if reading.File, err = r.file(ctx, p, &o); err != nil {
		return nil, nil, err
	}
	if release, err = r.room(ctx, reading); err != nil {
		return nil, nil, err
	}
	return reading, release, nil
}

// Unread reports whether there is no text to read, only bytes: the page is a file,
// and it is not to be, or cannot be, read.
func (r *Reading) Unread() bool {
	switch r.Page.Kind {
	case source.File:
		switch {
		case r.options.Bytes:
			return true
		case r.Page.File == document.PDF:
			return r.options.PDF == nil
		case r.Page.File == document.Image:
			return !r.options.Image
		}
	case source.Other:
		return true
	}
	return false
}

// Size is how much there is to parse.
func (r *Reading) Size() int {
	if r.File != nil {
		return max(len(r.Page.Body), len(r.File.HTML))
	}
	return len(r.Page.Body)
}

// maxParsedFile is how much is parsed of the HTML of a document, which is not made
// to explode.
const maxParsedFile = 32 << 20

func (r *Reading) parse() {
	if r.tree != nil {
		return
	}
	if r.File == nil {
		r.text, r.tree = r.Page.Tree()
		return
	}
	src := content.Source{Body: r.File.HTML, ContentType: htmlType, URL: r.Page.Base(), Language: r.Page.Language}
	if len(src.Body) > maxParsedFile {
		src.Body = bytes.ToValidUTF8(src.Body[:maxParsedFile], nil)
	}
	r.text, r.tree = r.File.HTML, content.Parse(src)
}

// Text returns the text of the page: its HTML, if it is HTML.
func (r *Reading) Text() []byte {
	r.parse()
	return r.text
}

// Tree returns the parsed page.
func (r *Reading) Tree() *content.Page {
	r.parse()
	return r.tree
}

// Selection returns the part of the page that the options choose. To find the main
// content is most of the work of a page.
func (r *Reading) Selection() (*content.Selection, error) {
	if r.selection == nil && r.err == nil {
		if r.selection, r.err = r.Tree().Select(r.selecting()); r.err != nil {
			r.err = TooCostly("includeTags and excludeTags", r.err)
		}
	}
	return r.selection, r.err
}

// selecting returns which part of the page is written. All of a document is content.
func (r *Reading) selecting() content.Options {
	return content.Options{
		OnlyMain: r.options.OnlyMain && r.File == nil, Include: r.options.Include, Exclude: r.options.Exclude,
		RemoveBase64: r.options.RemoveBase64, Document: r.File != nil,
	}
}

// TooCostly is the error of selectors that take too long.
func TooCostly(where string, err error) error {
	return trawl.Wrap(trawl.CodeBadRequest, "The selectors in "+where+" are too costly for a page of this size.", err)
}

// Markdown returns the selection as markdown.
func (r *Reading) Markdown() (string, error) {
	if r.markdown == nil {
		selection, err := r.Selection()
		if err != nil {
			return "", err
		}
		text := selection.Markdown()
		r.markdown = &text
	}
	return *r.markdown, nil
}

// Source returns what can be extracted from the page. Pictures within the text say
// nothing to a model.
func (r *Reading) Source(tags map[string]string) (*extract.Source, error) {
	markdown, err := r.Markdown()
	if err != nil {
		return nil, err
	}
	if !r.options.RemoveBase64 && strings.Contains(markdown, ";base64,") {
		o := r.selecting()
		o.RemoveBase64 = true
		if selection, err := r.Tree().Select(o); err == nil { // as it did before
			markdown = selection.Markdown()
		}
	}
	src := &extract.Source{URL: r.Page.URL, Title: tags["title"], Description: tags["description"], Markdown: markdown}
	if tree := r.Tree().Tree(); tree != nil {
		src.Facts = facts.Read(tree, r.Page.Base())
	}
	return src, nil
}

// Notes returns what the reader of the page should know of what was read so far.
func (r *Reading) Notes() []string {
	var notes []string
	most := source.MaxParsed
	if r.File != nil {
		most = maxParsedFile
	}
	if len(r.text) > most {
		notes = append(notes, fmt.Sprintf("The page is very large; only its first %d MiB were used.", most>>20))
	}
	notes = append(notes, r.losses()...)
	if r.selection != nil && r.selection.Uncertain() {
		notes = append(notes, "Main content uncertain: it is in doubt which part of the page is its main content, so all of it was kept.")
	}
	return notes
}

// losses says what limits left out of what was written so far.
func (r *Reading) losses() []string {
	notes := r.lostBlocks()
	if r.tree != nil && r.tree.Partial() {
		notes = append(notes, "A frame of the page, or its linked data, holds more than is read; the rest is missing.")
	}
	if r.selection == nil {
		return notes
	}
	loss := r.selection.Loss()
	if loss.Columns {
		notes = append(notes, fmt.Sprintf("A table has more than %d columns; those after are missing in markdown.", markdown.MaxColumns))
	}
	if loss.Formula {
		notes = append(notes, "A formula is too long or nested too deeply; a part of it is missing in markdown.")
	}
	if loss.Rest {
		notes = append(notes, "The page is longer than can be returned; the rest of it is missing.")
	}
	return notes
}

// lostBlocks says if pages have text, but more than were listed the blocks of.
func (r *Reading) lostBlocks() []string {
	if r.File == nil || r.options.PDF == nil || !r.options.PDF.Blocks {
		return nil
	}
	for i := range r.File.Pages {
		if p := &r.File.Pages[i]; len(p.Blocks) == 0 && p.From < p.To {
			return []string{fmt.Sprintf("There are more blocks than can be listed; pages from %d on have none.", p.Number)}
		}
	}
	return nil
}
