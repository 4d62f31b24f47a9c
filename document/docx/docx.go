// Package docx reads Word documents: .docx, .docm and .dotx, in the transitional
// and in the strict kind of Office Open XML.
//
// A Word document says little of what things are. A paragraph is a heading because
// its style, or one that the style is based on, has an outline level; it is an item
// of a list because it refers to a numbering, whose numbers the reader has to
// count itself. So the package reads styles and numberings first (style.go,
// numbering.go), then walks the body (flow.go) paragraph by paragraph (line.go,
// run.go) and joins what belongs together.
//
// Tracked changes are read as if they had been accepted. Hidden text and comments
// are left out. Headers come before the body and footers after it, each once.
package docx

import (
	"errors"
	"fmt"
	"slices"

	"github.com/trawlhq/trawl/document/ooxml"
	"github.com/trawlhq/trawl/document/tree"
	"github.com/trawlhq/trawl/document/zipped"
)

// Read reads a document that is held in memory. Errors wrap those of package tree.
func Read(body []byte) (*tree.Document, error) {
	archive, err := zipped.Open(body)
	if err != nil {
		return nil, err
	}
	r := &reader{archive: archive, doc: &tree.Document{Info: ooxml.Info(archive)}}
	main := ooxml.MainPart(archive, "word/document.xml")
	root, err := archive.XML(main)
	content := root.Child("w:body")
	if content == nil {
		if err == nil {
			err = fmt.Errorf("no body: %w", tree.ErrDamaged)
		}
		return nil, fmt.Errorf("read document: %w", err)
	}
	r.doc.Incomplete(errors.Join(err, archive.Damage()))
	r.enter(main)
	r.readStyles()
	r.readNumbering()
	r.readNotes()
	r.read(content)
	return r.doc, nil
}

// reader reads one document.
type reader struct {
	archive *zipped.Archive
	doc     *tree.Document

	styles    styles
	numbering numbering
	notes     notes
	pictures  tree.Pictures

	story
}

// story is the part that is being read, and where in it: the document, a header,
// a note.
type story struct {
	part      string
	relations map[string]ooxml.Relation
	fields    []field
	carry     []tree.Span // of a paragraph whose end was deleted
	margin    bool        // it is a header or footer
	boxes     int         // how many text boxes are around
}

// read reads the body and what stands around it.
func (r *reader) read(content *zipped.Node) {
	margins := r.margins(content)
	body := r.blocks(content)
	r.doc.Body = slices.Concat(margins.Headers, body, margins.Footers)
	r.doc.Rank()
	r.doc.Shown(&r.pictures)
}

// blocks reads what is in an element as blocks.
func (r *reader) blocks(n *zipped.Node) []tree.Block {
	f := &flow{reader: r}
	f.children(n)
	return f.finish()
}

// within reads another part as a story of its own.
func (r *reader) within(part string, read func()) {
	outer := r.story
	r.story = story{boxes: outer.boxes}
	r.enter(part)
	read()
	r.story = outer
}
