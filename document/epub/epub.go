// Package epub reads books in the EPUB format, versions 2 and 3.
//
// A book is an archive. META-INF/container.xml names the package document, which
// lists the files (manifest), the order in which they are read (spine), and what the
// book says of itself. The chapters are XHTML, which package markup reads. Each file
// is read once, however often the spine lists it.
//
// The table of contents is left out of the text: it gives chapters without a heading
// theirs. Links between chapters lead to places within the document, notes are
// connected with where they are referred to, and pictures are embedded within bounds.
// A book whose chapters are encrypted gives [tree.ErrEncrypted]; fonts may be.
package epub

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"golang.org/x/net/html/atom"

	"github.com/trawlhq/trawl/content/dom"
	"github.com/trawlhq/trawl/document/markup"
	"github.com/trawlhq/trawl/document/tree"
	"github.com/trawlhq/trawl/document/zipped"
)

const (
	maxChapter = 4 << 20  // bytes of a chapter
	maxText    = 24 << 20 // and of all of them
)

// Read reads a book that is held in memory. Errors wrap those of package tree.
func Read(body []byte) (*tree.Document, error) {
	archive, err := zipped.Open(body)
	if err != nil {
		return nil, fmt.Errorf("read book: %w", err)
	}
	r := &reader{archive: archive, doc: &tree.Document{}}
	if err := r.readPackage(); err != nil {
		return nil, fmt.Errorf("read book: %w", err)
	}
	if err := r.readChapters(); err != nil {
		return nil, fmt.Errorf("read book: %w", err)
	}
	r.doc.Incomplete(archive.Damage())
	return r.doc, nil
}

// reader reads one book.
type reader struct {
	archive  *zipped.Archive
	doc      *tree.Document
	pictures tree.Pictures

	spine    []string          // files of the chapters, in their order
	media    map[string]string // types of files
	titles   map[string]title  // of files, by the table of contents
	skipped  map[string]bool   // files that have the table of contents
	plates   map[string]bool   // covers and title pages
	markup   markup.Reader
	places   places
	chapter  string // that is being read
	left     int    // bytes of text that may still be read
	missing  bool   // a chapter is not there
	readable int    // chapters
}

// readChapters reads all chapters twice: for what is linked to, and for their text.
func (r *reader) readChapters() error {
	r.places = newPlaces()
	r.left = maxText
	var failure error
	for _, name := range r.spine {
		page, err := r.open(name)
		if page == nil {
			failure = r.lose(failure, err)
			continue
		}
		r.chapter = name
		r.places.find(r, page.Root)
	}
	r.markup = markup.Reader{
		Link: r.link, Picture: r.picture, Anchor: r.anchor, NoteOf: r.noteOf, IsNote: r.isNote, Skip: r.skips,
		Notes: map[string][]tree.Block{},
	}
	r.left = maxText
	for _, name := range r.spine {
		page, err := r.open(name)
		if page == nil {
			continue
		}
		if errors.Is(err, tree.ErrDamaged) {
			r.missing = true
		}
		r.readable++
		r.read(name, page)
	}
	if r.readable == 0 {
		if failure == nil {
			failure = fmt.Errorf("no chapters: %w", tree.ErrDamaged)
		}
		return failure
	}
	r.finish()
	return nil
}

// lose notes that a chapter could not be read, and why none might be.
func (r *reader) lose(before, err error) error {
	r.missing = r.missing || !errors.Is(err, tree.ErrTooComplex)
	switch {
	case errors.Is(err, tree.ErrEncrypted), errors.Is(err, tree.ErrTooComplex):
		return err
	case before != nil:
		return before
	case errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("%w: %w", err, tree.ErrDamaged)
	}
	return err
}

// open parses a chapter, as far as it may be read.
func (r *reader) open(name string) (*dom.Tree, error) {
	body, err := r.archive.Read(name)
	if len(body) == 0 && err != nil {
		if errors.Is(err, tree.ErrTooComplex) {
			r.doc.Incomplete(err)
		}
		return nil, err
	}
	if most := min(maxChapter, r.left); len(body) > most {
		r.doc.Incomplete(tree.ErrTooComplex)
		body = body[:most]
	}
	r.left -= len(body)
	return dom.ParseXHTML(markup.CutDoctype(markup.Decode(body, ""))), err
}

// read reads a chapter.
func (r *reader) read(name string, page *dom.Tree) {
	r.chapter = name
	blocks := withoutRules(r.markup.Read(page.Body()))
	if r.isContents(name, blocks) {
		return
	}
	if !r.plates[name] && !r.skipped[name] {
		blocks = r.entitle(r.titles[name], blocks)
	}
	r.mark(blocks, r.places.names[name])
	r.doc.Body = append(r.doc.Body, blocks...)
}

// withoutRules takes away the rules at the end, which stood above notes.
func withoutRules(blocks []tree.Block) []tree.Block {
	for len(blocks) > 0 {
		if _, ok := blocks[len(blocks)-1].(*tree.Rule); !ok {
			break
		}
		blocks = blocks[:len(blocks)-1]
	}
	return blocks
}

// finish adds the notes in the order in which they are referred to.
func (r *reader) finish() {
	for _, name := range r.places.notes {
		if body := r.markup.Notes[name]; len(body) > 0 {
			withoutSign(body)
			r.doc.Notes = append(r.doc.Notes, tree.Note{Name: name, Body: body})
		}
	}
	if r.missing {
		r.doc.Warn("A chapter of the book is missing or damaged.")
	}
	r.doc.Formula(r.markup.LongestFormula(), markup.MaxFormula)
	r.doc.Shown(&r.pictures)
}

// isContents tells whether nothing is left of a chapter but the title of the table
// of contents.
func (r *reader) isContents(name string, blocks []tree.Block) bool {
	if !r.skipped[name] || len(blocks) > 2 {
		return false
	}
	for _, b := range blocks {
		switch b := b.(type) {
		case *tree.Heading:
		case *tree.Paragraph:
			if len(plainText(b.Text)) > 50 {
				return false
			}
		default:
			return false
		}
	}
	return true
}

// isLinks tells whether nearly all text of an element is links.
func isLinks(n *dom.Node) bool {
	linked, all := 0, 0
	for c := n.FirstChild; c != nil; c = dom.Following(c, n, true) {
		if c.Type == dom.TextNode {
			size := len(strings.TrimSpace(c.Data))
			all += size
			if c.Inside(atom.A) != nil {
				linked += size
			}
		}
	}
	return 10*linked > 9*all
}

// skips tells what is no text of the book: tables of contents within chapters, and
// the numbers of pages of a printed edition.
func (r *reader) skips(n *dom.Node) bool {
	switch n.Atom {
	case atom.Nav:
		return has(n, "toc", "landmarks", "page-list")
	case atom.A:
		return r.isBacklink(n)
	case atom.Ul, atom.Ol, atom.Table:
		return r.skipped[r.chapter] && isLinks(n)
	}
	return has(n, "pagebreak")
}

// has tells whether an element is said to be of a type, by EPUB's attribute or its
// role on the web.
func has(n *dom.Node, types ...string) bool {
	kind, role := n.Get("epub:type"), n.Get("role")
	if kind == "" && role == "" {
		return false
	}
	for _, t := range types {
		if role == "doc-"+t {
			return true
		}
		for word := range strings.FieldsSeq(kind) {
			if word == t {
				return true
			}
		}
	}
	return false
}
