// Package rtf reads Rich Text Format, from Word's first versions to what word
// processors, mail programs and report generators write today.
//
// RTF is a stream of text, control words and braces. A brace saves the state
// (fonts, paragraph properties, where text goes) and its partner brings it back;
// a control word changes the state or stands for a character. Some words at the
// start of a group make it a destination, so that its text goes elsewhere: into
// the font table, a footnote, a picture. [Read] walks over the stream once with a
// stack of its own, so that neither depth nor length of a file can hurt it.
//
// What a reader of the document would see is kept: text in its code pages,
// emphasis, headings, lists with the numbers they show, tables with merged and
// nested cells, notes, links, pictures and text boxes. Hidden and deleted text,
// comments, and the headers and footers of pages are left out.
package rtf

import (
	"bytes"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/trawlhq/trawl/document/tree"
)

const (
	maxDepth    = 1000      // of groups; what is deeper is left out
	maxPieces   = 2_000_000 // of spans, blocks and cells in all
	maxCells    = 1000      // in a row
	maxTableTop = 32        // how deep tables are nested
	maxEntries  = 10_000    // of fonts, styles and lists
)

// What is said of files that were not read to the end.
const (
	warnDeep = "The file nests groups deeper than can be read; what is deeper was left out."
	warnLong = "The file holds more than can be read; the rest was left out."
	warnCut  = "The file ends in the middle; what there is of it was read."
)

// Read reads an RTF file. A file that is cut off gives what there is of it.
func Read(body []byte) (*tree.Document, error) {
	start := bytes.Index(body[:min(len(body), 1024)], []byte(`{\rtf`))
	if start < 0 {
		return nil, fmt.Errorf("read rtf: no header: %w", tree.ErrDamaged)
	}
	body = body[start:]
	r := newReader(body)
	r.read()
	if len(r.doc.Body) == 0 && (r.deep || r.full()) {
		return nil, fmt.Errorf("read rtf: %w", tree.ErrTooComplex)
	}
	return &r.doc, nil
}

// reader is a file while it is read.
type reader struct {
	in    tokens
	doc   tree.Document
	state state
	stack []state
	over  int  // open groups beyond maxDepth
	deep  bool // there were such groups

	codepage  int  // of the file
	wholeUTF8 bool // bytes that are no escapes are UTF-8, whatever the file says
	fonts     map[int]*font
	fontNames map[string]int
	font      *font // that is being defined
	styles    map[int]style
	styleNow  int
	lists     lists
	languages map[int]int // how many characters are in each
	defLang   int

	bytes    []byte // text that was not decoded yet, in the code page of the font
	raw      bool   // it was written as it is, not as escapes
	high     rune   // first half of a surrogate pair
	skip     int    // characters to skip: the fallback of the last \u
	pieces   int
	pictures tree.Pictures
	mathLeft int  // bytes that the formula may still have
	labels   bool // the file shows the labels of its lists itself
	first    bool // nothing was read of the group that is open
	ignore   bool // its first word was \*
	when     date
}

func newReader(body []byte) *reader {
	r := &reader{
		in: tokens{in: body}, codepage: 1252, fonts: map[int]*font{}, fontNames: map[string]int{}, styles: map[int]style{},
		lists: lists{byID: map[int]*list{}, overrides: map[int]int{}}, languages: map[int]int{}, wholeUTF8: !isASCII(body) && utf8.Valid(body),
	}
	r.state = state{flow: &flow{reader: r}, unicode: 1, font: -1}
	r.state.paragraph.reset()
	return r
}

func (r *reader) full() bool { return r.pieces >= maxPieces }

func (r *reader) read() {
	// Behind the last brace there may be another document, or the rest of this one
	// if there is a brace too many.
	last := max(bytes.LastIndex(r.in.in, []byte(`{\rtf`)), bytes.LastIndex(r.in.in, []byte(`\par`)))
	for !r.full() {
		t := r.in.next()
		if t.kind == end {
			break
		}
		r.token(&t)
		if t.kind == closed && len(r.stack) == 0 && r.in.at > last {
			break
		}
	}
	r.flush()
	if len(r.stack) > 0 && !r.full() {
		r.doc.Warn(warnCut)
	}
	for len(r.stack) > 0 {
		r.close()
	}
	if r.full() {
		r.doc.Warn(warnLong)
	}
	if r.deep {
		r.doc.Warn(warnDeep)
	}
	r.doc.Body = r.state.flow.finish()
	r.doc.Rank()
	r.doc.Language = r.language()
	r.doc.Shown(&r.pictures)
}

func (r *reader) token(t *token) {
	first := r.first
	r.first = t.kind == opened
	switch t.kind {
	case opened:
		r.flush()
		r.open()
		return
	case closed:
		r.flush()
		r.close()
		return
	}
	if r.over > 0 {
		return
	}
	switch t.kind {
	case text:
		r.plain(t.text)
	case escaped:
		r.escape(t.char)
	case binary:
		r.binary(t.text)
	case symbol:
		r.flush()
		r.symbol(t.char, first)
	case word:
		r.command(t)
	}
}

func (r *reader) open() {
	r.skip = 0
	if len(r.stack) >= maxDepth {
		r.over++
		r.deep = true
		return
	}
	r.stack = append(r.stack, r.state)
	r.ignore = false
	if r.state.into == intoUpright { // the form for readers that know no Unicode
		r.state.into = intoNothing
	}
	switch r.state.into {
	case intoStyles:
		r.styleNow = 0
	case intoMath:
		r.openMath()
	}
}

func (r *reader) close() {
	r.skip, r.ignore = 0, false
	if r.over > 0 {
		r.over--
		return
	}
	if len(r.stack) == 0 {
		return
	}
	ended := r.state
	r.state = r.stack[len(r.stack)-1]
	r.stack = r.stack[:len(r.stack)-1]
	if ended.capture != r.state.capture && ended.capture.done != nil {
		ended.capture.done(ended.capture.text.String())
	}
	if ended.flow != r.state.flow {
		ended.flow.done(ended.flow.finish())
	}
	if ended.picture != r.state.picture {
		r.endPicture(&ended)
	}
	if ended.into == intoMath && r.state.into != intoMath {
		r.endMath(ended.math)
	}
	if ended.field != r.state.field {
		r.endField(ended.field)
	}
}

// plain takes text as it stands in the file.
func (r *reader) plain(b []byte) {
	if r.skip > 0 {
		n := min(r.skip, len(b))
		r.skip -= n
		b = b[n:]
	}
	if len(b) == 0 {
		return
	}
	if r.state.into == intoPicture {
		r.state.picture.hex(b)
		return
	}
	if r.wholeUTF8 && !r.raw {
		r.flush()
	}
	r.raw = true
	r.bytes = append(r.bytes, b...)
}

// escape takes a byte that was written as an escape.
func (r *reader) escape(c byte) {
	if r.skip > 0 {
		r.skip--
		return
	}
	if r.wholeUTF8 && r.raw {
		r.flush()
	}
	r.raw = false
	r.bytes = append(r.bytes, c)
}

func (r *reader) binary(b []byte) {
	if r.skip > 0 {
		r.skip--
		return
	}
	if r.state.into == intoPicture {
		r.state.picture.bytes(b)
	}
}

// flush decodes the text that was collected.
func (r *reader) flush() {
	if len(r.bytes) == 0 {
		return
	}
	decoded := ""
	if r.wholeUTF8 && r.raw && !r.isSymbolFont() {
		decoded = string(r.bytes)
	} else {
		decoded = r.decode(r.bytes)
	}
	r.bytes = r.bytes[:0]
	r.raw = false
	r.put(decoded)
}

// put adds text where text goes at present.
func (r *reader) put(s string) {
	r.high = 0
	st := &r.state
	switch st.into {
	case intoText:
		if st.hidden || st.deleted {
			return
		}
		r.languages[st.language] += len(s)
		if st.field != nil {
			st.field.shown = true
		}
		st.flow.text(s, st)
	case intoCapture:
		if st.capture.text.Len() < 1<<20 {
			st.capture.text.WriteString(s)
		}
	case intoMath:
		r.addMath(s)
	case intoFonts:
		r.nameFont(s)
	case intoStyles:
		r.nameStyle(s)
	}
}

// unicode adds a character of Unicode, of which two may be halves of one.
func (r *reader) unicode(value int) {
	c := rune(value)
	if value < 0 {
		c = rune(value + 1<<16)
	}
	switch {
	case c >= 0xD800 && c < 0xDC00:
		r.high = c
		return
	case c >= 0xDC00 && c < 0xE000:
		if r.high == 0 {
			return
		}
		c = (r.high-0xD800)<<10 + (c - 0xDC00) + 0x10000
	case c >= 0xF020 && c < 0xF100: // characters of symbol fonts
		r.put(r.symbolText(byte(c)))
		return
	case c == '\n' || c == '\r' || c == '\v':
		r.put("\n")
		return
	case c < ' ' && c != '\t':
		return
	}
	if utf8.ValidRune(c) {
		r.put(string(c))
	}
}

func isASCII(b []byte) bool {
	for _, c := range b {
		if c >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

func trim(s string) string { return strings.Join(strings.Fields(s), " ") }
