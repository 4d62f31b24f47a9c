package docx

import (
	"strings"

	"github.com/trawlhq/trawl/document/ooxml"
	"github.com/trawlhq/trawl/document/tree"
	"github.com/trawlhq/trawl/document/zipped"
)

// flow makes blocks of the paragraphs and tables of an element. Paragraphs that
// belong together, as items of a list do, become one block.
type flow struct {
	*reader
	out   []tree.Block
	lists []openList
	lines []codeLine  // that may be code
	quote *tree.Quote // that may go on
}

// children reads what is in an element, and lets go of what was read: a large
// document would else be there twice.
func (f *flow) children(n *zipped.Node) {
	for c := range n.All() {
		n.First = c
		switch c.Name {
		case "w:p":
			f.paragraph(c)
		case "w:tbl":
			f.flushCarry()
			f.add(f.table(c))
		case "w:sdt":
			f.children(c.Child("w:sdtContent"))
		case "w:customXml", "w:ins", "w:moveTo", "w:smartTag":
			f.children(c)
		case "mc:AlternateContent":
			f.children(alternative(c))
		case "m:oMathPara", "m:oMath":
			f.formulas(c)
		case "w:altChunk":
			f.doc.Warn("The document includes another file, which was not read.")
		}
	}
}

// alternative returns that of several ways to say the same which is understood.
func alternative(n *zipped.Node) *zipped.Node {
	return ooxml.Alternative(n, "wps", "wpg", "wpc", "wp", "w", "a", "c", "dgm", "pic", "v")
}

// add adds a block and ends what could have gone on.
func (f *flow) add(b tree.Block) {
	f.end()
	if b != nil {
		f.caption(b)
		f.out = append(f.out, b)
	}
}

// caption takes the description from a picture that has the same words below it.
func (f *flow) caption(b tree.Block) {
	below, ok := b.(*tree.Paragraph)
	if !ok || len(f.out) == 0 {
		return
	}
	above, ok := f.out[len(f.out)-1].(*tree.Paragraph)
	if !ok || len(above.Text) != 1 || above.Text[0].Image == nil || above.Text[0].Image.Source == "" {
		return
	}
	var words strings.Builder
	for i := range below.Text {
		words.WriteString(below.Text[i].Text)
	}
	if picture := above.Text[0].Image; picture.Alt == strings.TrimSpace(words.String()) {
		picture.Alt = ""
	}
}

// end ends what could have gone on: a list, code or a quote.
func (f *flow) end() {
	f.lists, f.quote = nil, nil
	f.endCode()
}

func (f *flow) finish() []tree.Block {
	f.flushCarry()
	f.end()
	return f.out
}

// flushCarry adds text that waits for a paragraph which does not come.
func (f *flow) flushCarry() {
	if text := tree.Trim(f.carry); len(text) > 0 {
		f.add(&tree.Paragraph{Text: text})
	}
	f.carry = nil
}

// formulas adds the formulas of an element that stands between paragraphs.
func (f *flow) formulas(n *zipped.Node) {
	for _, tex := range f.equations(n) {
		f.add(&tree.Formula{TeX: tex})
	}
}

// paragraph reads a paragraph and adds what it is.
func (f *flow) paragraph(p *zipped.Node) {
	pPr := p.Child("w:pPr")
	st := f.paragraphStyle(pPr)
	l := f.line(p, st)
	if continues(pPr) && len(l.spans) < maxCarry {
		f.carry = l.rest()
		f.addAll(l.floats)
		f.addAll(l.boxed)
		return
	}
	set := layoutOf(pPr)
	num := f.numbered(set, st)
	pieces := l.pieces()
	level := f.level(st, set, l)
	switch {
	case len(pieces) == 0 && st.Code && len(l.floats) == 0:
		f.codeLine(l, true)
	case len(pieces) == 0 && st.Rule && !f.margin:
		f.add(&tree.Rule{})
	case len(pieces) == 0:
		num.next()
		f.addAll(l.floats)
	case level != 0 && l.hasWords():
		f.addAll(l.floats)
		f.heading(pieces, level, num.next())
	case num.shown():
		f.endCode()
		f.quote = nil
		it := tree.Item{Label: num.next(), Check: takeBox(pieces), Body: append(blocksOf(pieces), l.floats...)}
		f.item(it, place{num: num.id, level: num.level, indent: num.indent(set, st)})
	case l.isCode(st, f.styles.mono):
		f.codeLine(l, st.Code)
	default:
		f.addAll(l.floats)
		f.text(pieces, st, set.over(st.layout).indent)
	}
	f.addAll(l.boxed)
}

// maxCarry bounds how many spans may be waiting for the paragraph that they are in.
const maxCarry = 50

// continues tells whether the next paragraph goes on with this one: its end was
// deleted, or it is but the large first letter.
func continues(pPr *zipped.Node) bool {
	rPr := pPr.Child("w:rPr")
	if rPr.Child("w:del") != nil || rPr.Child("w:moveFrom") != nil {
		return true
	}
	drop := pPr.Child("w:framePr").Get("w:dropCap")
	return drop != "" && drop != "none"
}

func (f *flow) addAll(blocks []tree.Block) {
	for _, b := range blocks {
		f.add(b)
	}
}

func (r *reader) paragraphStyle(pPr *zipped.Node) *style {
	if id := pPr.Child("w:pStyle").Get("w:val"); id != "" {
		return r.styles.get(id)
	}
	return r.styles.get(r.styles.paragraph)
}

// maxHeading is how many bytes a paragraph may have that is a heading only by an
// outline level of its own.
const maxHeading = 300

// level returns the level of a heading, 0 for other paragraphs.
func (f *flow) level(st *style, set layout, l *line) int {
	switch {
	case f.margin:
		return 0
	case st.Title:
		return tree.Title
	case set.outline == bodyText:
		return 0
	case set.outline > 0 && l.length() <= maxHeading:
		return set.outline
	case st.Level > 0:
		return st.Level
	}
	return 0
}

// heading adds a heading, its number before it.
func (f *flow) heading(pieces []piece, level int, label string) {
	for _, p := range pieces {
		switch {
		case p.block != nil:
			f.add(p.block)
		case level == 0: // what comes after a formula
			f.add(&tree.Paragraph{Text: p.text})
		default:
			if label = strings.TrimSuffix(label, "."); label != "" {
				p.text = append([]tree.Span{{Text: label + " "}}, p.text...)
			}
			f.add(&tree.Heading{Level: level, Text: p.text})
			level = 0
		}
	}
}

// numbered returns the numbering of a paragraph and its level in it. A style may
// have its level from the numbering.
func (f *flow) numbered(set layout, st *style) counter {
	whole := set.over(st.layout)
	c := counter{f.numbering.instances[whole.number.id], whole.number}
	if c.instance != nil && !set.levels {
		if level, ok := c.levelOfStyle(st.id); ok {
			c.level = level
		}
	}
	return c
}

// text adds a paragraph that has no number: a box to tick, a quote or just text. Some
// type their bullets.
func (f *flow) text(pieces []piece, st *style, indent int) {
	check := takeBox(pieces)
	switch {
	case check != tree.NoBox || takeBullet(pieces):
		f.endCode()
		f.quote = nil
		f.item(tree.Item{Check: check, Body: blocksOf(pieces)}, place{level: indent, indent: indent})
	case st.Quote && !f.margin:
		quote := f.quote
		f.end()
		if quote == nil {
			quote = &tree.Quote{}
			f.out = append(f.out, quote)
		}
		f.quote = quote
		quote.Body = append(quote.Body, blocksOf(pieces)...)
	default:
		f.addAll(blocksOf(pieces))
	}
}

// blocksOf makes paragraphs of the text among the pieces.
func blocksOf(pieces []piece) []tree.Block {
	blocks := make([]tree.Block, 0, len(pieces))
	for _, p := range pieces {
		if p.block != nil {
			blocks = append(blocks, p.block)
		} else {
			blocks = append(blocks, &tree.Paragraph{Text: p.text})
		}
	}
	return blocks
}
