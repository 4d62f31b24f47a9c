package doc

import (
	"github.com/trawlhq/trawl/document/named"
	"github.com/trawlhq/trawl/document/tree"
)

// paragraph is a paragraph with its text and where it belongs.
type paragraph struct {
	spans   []tree.Span
	heading int
	role    named.Role
	level   int    // in a list
	label   string // in a list
	check   tree.Check
	mono    bool // all in a font of one width
	isItem  bool
	depth   int // of the table that it is in; 0 for none
	cellEnd bool
	rowEnd  bool
	row     *row         // of the mark of a row's end
	boxes   []tree.Block // that hang on it
}

// maxDepth bounds how deep tables are nested.
const maxDepth = 16

// How many paragraphs and spans are read of a file.
const (
	maxParagraphs = 400_000
	maxSpans      = 1_000_000
)

// full counts a paragraph and tells whether there are too many.
func (r *reader) full() bool {
	r.paragraphCount++
	r.cut = r.cut || r.paragraphCount > maxParagraphs
	return r.paragraphCount > maxParagraphs
}

// paragraphs reads the text between two positions.
func (r *reader) paragraphs(from, to int) []paragraph {
	to = min(to, len(r.units))
	var out []paragraph
	var fields fieldStack
	for from < to && !r.full() {
		end := from
		for end < to-1 && !isEnd(r.units[end]) {
			end++
		}
		p := r.paraAt(end)
		line := &line{r: r, fields: &fields, style: p.style, base: r.base(p.style), mono: true}
		mark := end
		if !isEnd(r.units[end]) {
			mark++
		}
		for cp := from; cp < mark; {
			cp = line.add(cp, mark)
		}
		next := r.paragraph(line, &p, r.units[end])
		if !next.isBlank() || next.cellEnd || next.rowEnd || len(out) > 0 && out[len(out)-1].depth != next.depth {
			out = append(out, next)
		}
		from = end + 1
	}
	r.more = r.more || fields.lost
	return out
}

func isEnd(u uint16) bool { return u == markParagraph || u == markCell || u == markPage }

// paragraph puts together what is known of a paragraph.
func (r *reader) paragraph(l *line, p *para, mark uint16) paragraph {
	out := paragraph{spans: l.text.Take(), boxes: l.boxes, depth: min(max(p.depth, 0), maxDepth)}
	if p.inTable && out.depth == 0 {
		out.depth = 1
	}
	switch {
	case out.depth > 1:
		out.cellEnd, out.rowEnd = p.innerCell, p.innerRow
	case out.depth == 1:
		out.cellEnd, out.rowEnd = mark == markCell, p.rowEnd
	}
	if out.rowEnd {
		out.row = &p.row
		return out
	}
	if len(out.spans) > 0 || mark == markParagraph { // empty items count, but not what is left before a page break
		out.label, out.isItem = r.label(p)
		out.level = p.level
	}
	if len(out.spans) > 0 {
		out.setRole(r.styles, p, l.mono)
	}
	return out
}

// maxHeading is how many bytes a paragraph may have that is a heading only by a
// property of its own.
const maxHeading = 300

// setRole tells what a paragraph is by its style and properties. Mono is whether
// all of it is in a font of one width.
func (p *paragraph) setRole(styles []style, set *para, mono bool) {
	own := true
	if set.style < len(styles) {
		p.role = styles[set.style].role
		own = set.outline != styles[set.style].para.outline
	}
	switch {
	case p.role.Title:
		p.heading = tree.Title
	case set.outline >= 0 && set.outline < 9 && !(own && len(shown([]paragraph{*p})) > maxHeading):
		p.heading = set.outline + 1
	}
	if mono && p.heading == 0 {
		p.takeMono()
	}
	if p.label == "" && p.heading == 0 {
		p.takeBox()
	}
}

// takeBox makes a paragraph that begins with a box to tick an item of a list.
func (p *paragraph) takeBox() {
	if check, rest := tree.TakeBox(tree.Trim(p.spans)); check != tree.NoBox {
		p.spans, p.check, p.isItem = rest, check, true
	}
}

// paraAt returns the properties of the paragraph whose mark is at cp.
func (r *reader) paraAt(cp int) para {
	out := para{outline: -1}
	piece := r.piece(cp)
	if piece == nil {
		return out
	}
	style, list := r.fib.paras(r.paras.find(piece.at(cp)))
	if style < len(r.styles) {
		out = r.styles[style].para
	}
	out.style = style
	r.applyPara(&out, list, true)
	r.applyPara(&out, r.changed(piece.prm, r.old), true)
	return out
}

// base returns how characters are set by a style of paragraphs.
func (r *reader) base(style int) char {
	if style < len(r.styles) {
		return r.styles[style].char
	}
	return char{}
}
