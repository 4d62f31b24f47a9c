// Package odf reads OpenDocument: texts, spreadsheets and presentations, their
// templates, and the flat form in which a document is one XML file.
//
// An OpenDocument file is an archive in which content.xml holds the text,
// styles.xml the styles that have names and the headers and footers of pages, and
// meta.xml what the document says of itself. How text looks is said by styles
// alone: [Read] follows them to what they mean, as headings, emphasis, numbers of
// lists, hidden text.
//
// A spreadsheet becomes a heading for each sheet that is shown, and a table for each
// block of rows on it. Sheets are sparse: columns that are empty all over a table
// are left out.
package odf

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"

	"github.com/trawlhq/trawl/document/tree"
	"github.com/trawlhq/trawl/document/zipped"
)

const (
	maxSheets  = 200
	maxCells   = 1_000_000 // that are not empty
	maxEmitted = 2_000_000 // with the empty ones
)

// What is said of files that were not read as a whole.
const (
	warnCells  = "The file has more cells than can be read; the rest was left out."
	warnSheets = "The file has more sheets than can be read; the rest was left out."

	warnColumns = "The file has more columns than can be read; the rest was left out."
	warnRepeats = "A table repeats rows or cells more often than can be written; the rest of them was left out."
	warnObjects = "The file has more embedded objects than can be read; the rest was left out."
	warnPages   = "The file has more kinds of pages than can be read; headers and footers of the rest were left out."
)

// Read reads a text, a spreadsheet or a presentation that is held in memory, packed or flat. Errors
// wrap those of package tree.
func Read(body []byte) (*tree.Document, error) {
	r := &reader{
		doc: &tree.Document{}, cells: maxEmitted, filled: maxCells,
		lists: lists{byID: map[string]*counter{}, byStyle: map[string]*counter{}},
	}
	content, err := r.open(body)
	if err != nil {
		return nil, fmt.Errorf("read opendocument: %w", err)
	}
	main := content.Child("office:body")
	switch {
	case main.Child("office:text") != nil:
		r.text(main.Child("office:text"))
	case main.Child("office:spreadsheet") != nil:
		r.spreadsheet(main.Child("office:spreadsheet"))
	case main.Child("office:presentation") != nil:
		r.presentation(main.Child("office:presentation"))
	default:
		return nil, fmt.Errorf("read opendocument: neither text, spreadsheet nor presentation: %w", tree.ErrDamaged)
	}
	r.doc.Shown(&r.pictures)
	return r.doc, nil
}

// reader is a file while it is read.
type reader struct {
	archive *zipped.Archive // nil if the file is flat
	doc     *tree.Document
	styles  *sheet       // in force: those of the text, or those of headers and footers
	pages   *zipped.Node // office:master-styles
	margins *sheet       // styles of headers and footers
	lists   lists

	pictures tree.Pictures
	cells    int // that may still be made
	filled   int // that may still have something in them
	objects  int // embedded documents that were opened
}

// open finds the parts of the file, and reads all but the text.
func (r *reader) open(body []byte) (*zipped.Node, error) {
	if !bytes.HasPrefix(body, []byte("PK")) {
		return r.flat(body)
	}
	archive, err := zipped.Open(body)
	if err != nil {
		return nil, err
	}
	r.archive = archive
	if encrypted(archive) {
		return nil, tree.ErrEncrypted
	}
	content, err := archive.XML("content.xml")
	if content == nil {
		if errors.Is(err, fs.ErrNotExist) {
			err = fmt.Errorf("no content: %w", tree.ErrDamaged)
		}
		return nil, err
	}
	r.doc.Incomplete(errors.Join(err, archive.Damage()))
	styles, err := archive.XML("styles.xml")
	if styles != nil {
		r.doc.Incomplete(err)
	}
	if meta, _ := archive.XML("meta.xml"); meta != nil {
		r.info(meta.Child("office:meta"))
	}
	common := newSheet(nil)
	common.read(styles)
	r.margins = newSheet(common)
	r.margins.automatic(styles)
	r.styles = newSheet(common)
	r.styles.read(content)
	r.styles.automatic(content)
	r.pages = styles.Child("office:master-styles")
	return content, nil
}

// flat reads a document that is a single XML file.
func (r *reader) flat(body []byte) (*zipped.Node, error) {
	root, err := zipped.Parse(body)
	if root == nil || root.Name != "office:document" {
		if err == nil {
			err = fmt.Errorf("no opendocument: %w", tree.ErrDamaged)
		}
		return nil, err
	}
	r.doc.Incomplete(err)
	r.info(root.Child("office:meta"))
	r.styles = newSheet(nil)
	r.styles.read(root)
	r.styles.automatic(root)
	r.margins = r.styles
	r.pages = root.Child("office:master-styles")
	return root, nil
}

// encrypted tells whether the manifest says how to decrypt a part.
func encrypted(archive *zipped.Archive) bool {
	manifest, _ := archive.XML("META-INF/manifest.xml")
	for entry := range manifest.All() {
		if entry.Child("manifest:encryption-data") != nil {
			return true
		}
	}
	return false
}
