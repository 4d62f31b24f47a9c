package docx

import (
	"slices"
	"strings"

	"github.com/trawlhq/trawl/document/tree"
	"github.com/trawlhq/trawl/document/zipped"
)

// line gathers what is in a paragraph.
type line struct {
	*reader
	style   *style
	text    tree.Line    // that is being read
	spans   []tree.Span  // that were
	done    []piece      // text and formulas before the spans
	floats  []tree.Block // pictures that text flows around
	boxed   []tree.Block // what is in text boxes, which stand beside the paragraph
	display bool         // a formula stands on a line of its own
	mono    bool         // all text so far is in a font of equal widths
}

// piece is a part of a paragraph: text, or a block that interrupts it.
type piece struct {
	text  []tree.Span
	block tree.Block
}

// line reads a paragraph.
func (r *reader) line(p *zipped.Node, st *style) *line {
	l := &line{reader: r, style: st, mono: true}
	l.text.Add(r.carry...)
	r.carry = nil
	l.inline(p, "")
	l.spans = l.text.Take()
	return l
}

// inline reads what is in a paragraph, or in something that encloses runs.
func (l *line) inline(n *zipped.Node, link string) {
	for c := range n.All() {
		switch c.Name {
		case "w:r":
			l.run(c, link)
		case "w:hyperlink":
			l.inline(c, l.target(c, link))
		case "w:fldSimple":
			l.simpleField(c, link)
		case "w:sdt":
			l.control(c, link)
		case "w:ins", "w:moveTo", "w:smartTag", "w:customXml", "w:dir", "w:bdo":
			l.inline(c, link)
		case "mc:AlternateContent":
			l.inline(alternative(c), link)
		case "m:oMath":
			if l.visible() {
				l.add(tree.Span{TeX: l.formula(c), Link: link})
			}
		case "m:oMathPara":
			l.displayed(c)
		}
	}
}

// displayed reads formulas that stand on lines of their own.
func (l *line) displayed(n *zipped.Node) {
	if !l.visible() {
		return
	}
	for _, formula := range l.equations(n) {
		l.cut()
		l.done = append(l.done, piece{block: &tree.Formula{TeX: formula}})
		l.display = true
	}
}

// cut makes a piece of the text before something that interrupts it.
func (l *line) cut() {
	if text := tree.Trim(l.text.Take()); len(text) > 0 {
		l.done = append(l.done, piece{text: text})
	}
}

// target returns where a hyperlink leads. Marks that Word made for itself are
// nowhere in what is written.
func (l *line) target(n *zipped.Node, outer string) string {
	rel := l.relations[n.Get("r:id")]
	anchor := n.Get("w:anchor")
	switch {
	case rel.Target != "" && rel.External && !strings.HasPrefix(rel.Target, "#_"):
		if anchor != "" && !strings.Contains(rel.Target, "#") {
			return rel.Target + "#" + anchor
		}
		return rel.Target
	case anchor != "" && !strings.HasPrefix(anchor, "_"):
		return "#" + anchor
	}
	return outer
}

// control reads a content control. One that is a box to tick becomes its sign.
func (l *line) control(sdt *zipped.Node, link string) {
	if checkbox := sdt.Child("w:sdtPr").Child("w14:checkbox"); checkbox != nil {
		checked := checkbox.Child("w14:checked")
		l.write(tree.Box(checked != nil && isOn(checked.Get("w14:val"))), 0, link)
		return
	}
	l.inline(sdt.Child("w:sdtContent"), link)
}

// write adds text, unless it is in an instruction.
func (l *line) write(text string, style tree.Style, link string) {
	if text == "" || !l.visible() {
		return
	}
	if link == "" {
		link = l.fieldLink()
	}
	l.text.Write(text, style, link)
}

// add adds a span that is no text.
func (l *line) add(s tree.Span) {
	if s.Link == "" && s.Note == "" {
		s.Link = l.fieldLink()
	}
	l.text.Add(s)
}

// rest returns all text that was read, for the paragraph that goes on with it.
func (l *line) rest() []tree.Span {
	var all []tree.Span
	for _, p := range l.done {
		if formula, ok := p.block.(*tree.Formula); ok {
			all = append(all, tree.Span{TeX: formula.TeX})
		}
		all = append(all, p.text...)
	}
	return append(all, l.spans...)
}

// hasWords tells whether there is text, and not only pictures.
func (l *line) hasWords() bool {
	return slices.ContainsFunc(l.rest(), func(s tree.Span) bool { return s.TeX != "" || strings.TrimSpace(s.Text) != "" })
}

// length returns how long the text is.
func (l *line) length() int {
	n := 0
	for i := range l.spans {
		n += len(l.spans[i].Text)
	}
	return n
}

// pieces returns the paragraph. Formulas with nothing beside them stand on lines
// of their own.
func (l *line) pieces() []piece {
	text := tree.Trim(l.spans)
	if len(text) == 0 {
		return l.done
	}
	if l.mono {
		unsetMono(text)
	}
	if only := formulasOnly(text); only != nil {
		return append(l.done[:len(l.done):len(l.done)], only...)
	}
	return append(l.done[:len(l.done):len(l.done)], piece{text: text})
}

// unsetMono takes the font from text that is all in it, unless it is a mere word:
// such text is not code within other text.
func unsetMono(text []tree.Span) {
	blank := false
	for i := range text {
		blank = blank || strings.Contains(text[i].Text, " ")
	}
	for i := range text {
		if blank {
			text[i].Style &^= tree.Mono
		}
	}
}

// formulasOnly returns the formulas of a text that has nothing else, else nil.
func formulasOnly(text []tree.Span) []piece {
	var only []piece
	for i := range text {
		switch s := &text[i]; {
		case s.TeX != "":
			only = append(only, piece{block: &tree.Formula{TeX: s.TeX}})
		case s.Image != nil || s.Note != "" || strings.TrimSpace(s.Text) != "":
			return nil
		}
	}
	return only
}
