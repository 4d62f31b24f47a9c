// Package markdown writes a part of a page as GitHub-flavoured markdown.
package markdown

import (
	"bytes"
	"sync"
	"unicode/utf8"

	"github.com/trawlhq/trawl/content/address"
	"github.com/trawlhq/trawl/content/dom"
)

// Limits of the writer.
const (
	maxOutput  = 64 << 20 // bytes written
	maxNesting = 2000     // elements within each other; deeper ones count as text
	maxPrefix  = 64       // bytes of indentation and quote signs before a line
)

// writer writes the chosen part of a page in one pass over its tree.
//
// Nothing is written before it is known to be needed. White space, line breaks,
// blank lines, list markers and the signs that open emphasis and links are only
// owed; they are written when the next piece of content arrives. So empty
// elements leave no trace, white space never ends up inside emphasis or at the
// end of a line, and emphasis around several blocks is opened in each of them.
type writer struct {
	base         *address.Base
	part         dom.Part
	removeBase64 bool
	document     bool

	out     []byte
	target  []byte    // where the link at hand leads
	title   string    // and what is written as its title
	scratch []byte    // for code and for addresses of images, reused
	caption *dom.Node // the title of the admonition at hand
	termAt  int       // where in out a term ended that the next text belongs to
	table   tableWork
	notes   notes
	loss    Loss

	twinSteps int // nodes that were looked at for links beside each other
	state
}

// state is all of the writer that a table cell has for itself.
type state struct {
	// Lines.
	prefix    []byte // begins every line
	first     []byte // begins the next line instead of prefix, while pending
	pending   bool
	gap       int  // line ends owed before the next content: 2 for a blank line
	gapPrefix int  // how much of prefix a blank line keeps
	breaks    int  // br elements owed
	space     bool // white space owed
	start     int  // where in out the content of this line begins
	paragraph int  // and that of this paragraph
	broken    bool // this line follows a hard break in its paragraph
	flat      flatness

	// Inline.
	marks     []mark // that the content at hand has, outermost first
	open      int    // how many of them are written
	closed    mark   // the mark closed last
	closedAt  int    // where in out it ended
	openedAt  int    // where in out the sign that opened last ended
	bracketAt int    // where in out a text ended in a closing bracket

	// Structure.
	list     list // that items at hand belong to
	lastList lastList
	inItem   bool      // in a list item
	inLink   bool      // beneath a link
	inNote   bool      // in a footnote
	focus    *dom.Node // the heading that carries the link around it
	depth    int
}

// flatness says whether blocks can have lines of their own.
type flatness int

const (
	flowing  flatness = iota // they can
	flatLine                 // all is one line: in headings
	flatCell                 // all is one line, breaks are written as tags: in table cells
)

// Options say how to write.
type Options struct {
	Base         *address.Base // what relative addresses are relative to
	RemoveBase64 bool          // replace images that are embedded as data by a placeholder
	Document     bool          // the page was made from a file, so that its tables hold data
	Loss         *Loss         // is told what was left out; may be nil
}

// MaxColumns is how many columns of a table are written.
const MaxColumns = 1000

// Loss is what the limits of the writer left out.
type Loss struct {
	Columns bool // those of a table beyond MaxColumns
	Formula bool // the end of a formula
	Rest    bool // what comes after the most that is written
}

// Add adds what another part lost.
func (l *Loss) Add(other Loss) {
	l.Columns = l.Columns || other.Columns
	l.Formula = l.Formula || other.Formula
	l.Rest = l.Rest || other.Rest
}

// Write returns a part of a page as markdown.
func Write(part dom.Part, o Options) string {
	if o.Base == nil {
		o.Base = address.NewBase("", "")
	}
	buffer := buffers.Get().(*[]byte)
	w := &writer{base: o.Base, part: part, removeBase64: o.RemoveBase64, document: o.Document, out: (*buffer)[:0]}
	w.state, w.termAt = state{gap: 2, closedAt: -1, bracketAt: -1}, -1
	for _, root := range w.part.Roots {
		w.node(root)
		w.block(2)
	}
	if o.Loss != nil {
		*o.Loss = w.loss
	}
	text := string(w.out)
	if cap(w.out) <= maxReused {
		*buffer = w.out
		buffers.Put(buffer)
	}
	return text
}

// buffers keeps what was written into, for the next page.
var buffers = sync.Pool{New: func() any {
	buffer := make([]byte, 0, 16<<10)
	return &buffer
}}

// maxReused is how large a buffer may have become to be used again.
const maxReused = 1 << 20

// block ends the block at hand and owes n line ends.
func (w *writer) block(n int) {
	w.space = false
	if w.flat != flowing {
		w.breaks = 1
		return
	}
	w.closeMarks(0)
	w.breaks = 0
	switch {
	case w.gap == 0:
		w.gap, w.gapPrefix = n, len(w.prefix)
	case !w.pending: // what is the first in an item stands by its marker
		w.gap = max(w.gap, n)
	}
}

// frame remembers the prefix of lines around a list item, quote or heading.
type frame struct {
	prefix, first int
	pending       bool
}

// push makes the next line begin with marker and those after it with more.
func (w *writer) push(marker, more string) frame {
	f, ok := w.deepen(len(more))
	if ok {
		w.first = append(w.first, marker...)
		w.prefix = append(w.prefix, more...)
	}
	return f
}

// deepen makes ready for a marker of some bytes at the start of the next line.
// Beyond maxPrefix it refuses: deeper structure is flattened.
func (w *writer) deepen(more int) (f frame, ok bool) {
	f = frame{len(w.prefix), len(w.first), w.pending}
	if len(w.prefix)+more > maxPrefix {
		return f, false
	}
	if !w.pending {
		w.first = append(w.first[:0], w.prefix...)
		w.pending = true
	}
	return f, true
}

// pop undoes a push. A marker that no content followed disappears.
func (w *writer) pop(f frame) {
	w.prefix = w.prefix[:f.prefix]
	w.gapPrefix = min(w.gapPrefix, f.prefix)
	if w.pending {
		w.pending = f.pending
		if f.pending {
			w.first = w.first[:f.first]
		}
	}
}

// startLine pays the line ends that are owed and begins a new line.
func (w *writer) startLine() {
	if len(w.out) > 0 {
		w.out = append(w.out, '\n')
		if w.gap > 1 {
			w.out = append(w.out, bytes.TrimRight(w.prefix[:w.gapPrefix], " ")...)
			w.out = append(w.out, '\n')
		}
	}
	if w.pending {
		w.out = append(w.out, w.first...)
		w.pending = false
	} else {
		w.out = append(w.out, w.prefix...)
	}
	w.gap, w.breaks, w.space, w.broken = 0, 0, false, false
	w.start, w.paragraph = len(w.out), len(w.out)
}

// lineBreak pays the br elements that are owed: one is a hard break, more end
// the paragraph. Where there is but one line, they are white space.
func (w *writer) lineBreak() {
	breaks := w.breaks
	w.breaks, w.space = 0, false
	switch {
	case w.fresh():
	case w.linkOpen() || w.flat == flatLine:
		w.out = append(w.out, ' ')
	case w.flat == flatCell:
		w.out = append(w.out, "<br>"...)
	case breaks == 1:
		w.nameBackslashes()
		w.out = append(w.out, '\\', '\n')
		w.out = append(w.out, w.prefix...)
		w.start = len(w.out)
		w.broken = true
	default:
		w.block(2)
		w.startLine()
	}
}

// nameBackslashes writes those at the end of a line in another way, lest they
// change the meaning of the one that breaks the line.
func (w *writer) nameBackslashes() {
	text := bytes.TrimRight(w.out, "\\")
	n := len(w.out) - len(text)
	w.out = text
	for range (n + 1) / 2 {
		w.out = append(w.out, "&#92;"...)
	}
}

// fresh reports whether nothing is on the line yet.
func (w *writer) fresh() bool { return len(w.out) == w.start }

// begin makes ready for content that starts with the rune next: it pays all
// that is owed and opens the marks.
func (w *writer) begin(next rune) {
	switch {
	case w.gap > 0 && w.termAt == len(w.out) && !w.pending:
		w.gap, w.breaks = 0, 1
		w.lineBreak()
	case w.gap > 0:
		if !w.pending { // what follows an item and is none would be taken for more of it
			w.gap = 2
		}
		w.startLine()
	case w.breaks > 0:
		w.lineBreak()
	case w.space && !w.fresh():
		w.out = append(w.out, ' ')
	}
	w.space = false
	if w.closedAt == len(w.out) {
		w.separate(next)
	}
	for w.open < len(w.marks) {
		w.openMark(next)
	}
}

// raw writes a piece of markup that starts with an ASCII byte.
func (w *writer) raw(s string) {
	w.begin(rune(s[0]))
	w.out = append(w.out, s...)
}

// last returns the byte before the content to come, a space at the start of a line.
func (w *writer) last() byte {
	if w.fresh() {
		return ' '
	}
	return w.out[len(w.out)-1]
}

// lastRune is last for a whole character that ends at position end of out.
func (w *writer) lastRune(end int) rune {
	if end <= w.start {
		return ' '
	}
	r, _ := utf8.DecodeLastRune(w.out[w.start:end])
	return r
}
