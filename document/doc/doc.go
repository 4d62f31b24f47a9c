// Package doc reads Word's binary files: those of Word 97 to 2007 and, with less
// of their formatting, those of Word 6 and 95.
//
// Such a file is a compound file with a few streams. WordDocument begins with the
// file information block ([fib]), which tells where everything else is: the pieces
// of the text ([text]), pages of 512 bytes with the properties of its characters
// and paragraphs ([runs]), the style sheet ([style]), lists, notes and so on.
// All text is one sequence of characters, addressed by position: the body first,
// then footnotes, headers, comments, endnotes and text boxes. A paragraph ends with
// a mark that carries its properties; a cell of a table is a paragraph that ends
// with another mark, and a row ends with an empty paragraph that tells its shape.
//
// Files may be broken or hostile. Every look into them is checked by [data], lists
// that could be long have limits, and what a file says twice is read once.
package doc

import (
	"fmt"

	"github.com/trawlhq/trawl/document/codepage"
	"github.com/trawlhq/trawl/document/compound"
	"github.com/trawlhq/trawl/document/tree"
)

// reader is a file that is being read.
type reader struct {
	*fib
	*text
	data    data // the stream of the same name
	chars   runs
	paras   runs
	styles  []style
	styling bool
	fonts   fonts
	mono    bool // ordinary text is in a font of one width
	page    int  // the code page of old files
	lists   []override
	oldNext [oldNumbered + 1]int
	oldUsed [oldNumbered + 1]bool

	notes    map[int]int // numbers of notes by where they are referred to
	boxes    map[int][]tree.Block
	work     int
	pictures tree.Pictures
	more     bool // notes and the like than are read
	cache    map[charKey]char

	paragraphCount, spanCount int
}

// Read reads a file. Errors wrap [tree.ErrEncrypted], [tree.ErrDamaged] or
// [tree.ErrTooComplex].
func Read(body []byte) (*tree.Document, error) {
	file, err := compound.Open(body)
	if err != nil {
		return nil, fmt.Errorf("read document: %w", err)
	}
	if file.Has("EncryptedPackage") {
		return nil, fmt.Errorf("read document: %w", tree.ErrEncrypted)
	}
	f, err := readFIB(file)
	if err != nil {
		return nil, err
	}
	r := newReader(f, file.Stream("Data"))
	if r.isLost(len(f.main)) {
		return nil, fmt.Errorf("read text: %w", tree.ErrDamaged)
	}
	out := &tree.Document{Info: file.Info()}
	out.Language = r.language()
	r.readDocument(out)
	if r.cut {
		out.Warn("The document is too long; only its beginning was read.")
	}
	if r.more {
		out.Warn("The document has more notes, headers, text boxes, pictures or fields than can be read; the rest was left out.")
	}
	out.Shown(&r.pictures)
	return out, nil
}

func newReader(f *fib, d data) *reader {
	r := &reader{fib: f, data: d, work: maxWork, cache: map[charKey]char{}}
	if r.page = codepage.OfLanguage(f.language); f.mac {
		r.page = codepage.Macintosh
	}
	r.text = readText(f)
	step := 13
	if f.old {
		step = 7
	}
	r.chars, r.paras = f.readRuns(partChars, 1), f.readRuns(partParas, step)
	r.fonts = f.readFonts()
	r.readStyles()
	r.mono = len(r.styles) > 0 && r.fonts.isMono(r.styles[0].char.font)
	if !f.old {
		r.readLists()
	}
	return r
}
