package layout

import (
	"strings"
	"unicode"

	"github.com/trawlhq/trawl/document/tree"
)

// tagMaxIndent bounds how far a line of code is set in.
const tagMaxIndent = 80

// tagStrip is how high the strips of the page are for which links are known.
const tagStrip = 16

// indexLinks makes it quick to find the link at a place.
func (r *tagReader) indexLinks() {
	r.links = map[int][]int32{}
	for i := range r.page.Links[:min(len(r.page.Links), maxLinks)] {
		l := &r.page.Links[i]
		top, bottom := max(l.Top, 0), min(l.Bottom, r.page.Height)
		for strip := int(top / tagStrip); strip <= int(bottom/tagStrip); strip++ {
			r.links[strip] = append(r.links[strip], int32(i))
		}
	}
}

// link returns the address to which the place of a glyph leads.
func (r *tagReader) link(g *Glyph) string {
	x, y := (g.Left+g.Right)/2, (g.Top+g.Bottom)/2
	for _, i := range r.links[int(y/tagStrip)] {
		l := &r.page.Links[i]
		if x >= l.Left && x <= l.Right && y >= l.Top && y <= l.Bottom {
			return l.URI
		}
	}
	return ""
}

// tagLine puts glyphs together to a line of text.
type tagLine struct {
	reader  *tagReader
	lines   bool // ends of lines and all spaces are kept
	ended   bool // there was one
	spans   []tree.Span
	text    []byte // of the span that is being written
	style   tree.Style
	link    string
	space   bool // there is one before the next glyph
	likely  bool // there may be one, as the next glyph stands apart
	last    *Glyph
	full    *Glyph // the last one that is not raised or lowered
	box     Box
	size    float32 // of the largest glyph
	letters int
}

func (r *tagReader) line() *tagLine { return &tagLine{reader: r} }

// element adds all text of an element, or what the file says that it stands for.
func (t *tagLine) element(e *Element) {
	switch {
	case e.Type == "Artifact":
		return
	case e.Actual != "" || e.Type == "Formula" && e.Alt != "":
		t.instead(e)
		return
	}
	t.marks(e)
	for _, child := range e.Children {
		t.element(child)
	}
}

// instead adds a text in place of the glyphs of an element.
func (t *tagLine) instead(e *Element) {
	covered := t.reader.line()
	plain := *e
	plain.Actual, plain.Alt = "", ""
	covered.element(&plain)
	if len(covered.take()) == 0 {
		return
	}
	g := *covered.last
	if t.last != nil && t.last.Y != g.Y {
		t.space = true
	}
	text := e.Actual
	if text == "" {
		text = e.Alt
	}
	t.begin(&g)
	t.text = append(t.text, text...)
	t.box = tagUnion(t.box, covered.box)
	t.last, t.size, t.letters = &g, max(t.size, covered.size), t.letters+covered.letters
}

// marks adds the glyphs of an element's own.
func (t *tagLine) marks(e *Element) {
	for _, mark := range e.Marks {
		for _, i := range t.reader.marks[mark] {
			t.glyph(&t.reader.page.Glyphs[i])
		}
	}
}

func (t *tagLine) glyph(g *Glyph) {
	switch {
	case g.Generated:
		t.likely = t.likely || g.Rune == ' '
		return
	case unicode.IsSpace(g.Rune):
		t.blank(g)
		return
	}
	if t.last != nil {
		t.join(g)
	}
	t.begin(g)
	t.text = append(t.text, string(g.Rune)...)
	t.last, t.size, t.box = g, max(t.size, g.Size), tagUnion(t.box, g.Box)
	t.letters++
}

// blank adds a space that is drawn. At the ends of lines it does not count.
func (t *tagLine) blank(g *Glyph) {
	if t.last == nil || t.below(g) {
		return
	}
	if t.lines {
		t.text = append(t.text, ' ')
	}
	t.space = !t.lines
	t.last = g
}

// indent begins a new line of code, set in by as many characters as it is drawn.
func (t *tagLine) indent(g *Glyph) {
	t.ended = true
	t.text = append(t.text, '\n')
	if width := g.Right - g.Left; width > 0 {
		for range min(int((g.Left-t.box.Left)/width+0.5), tagMaxIndent) {
			t.text = append(t.text, ' ')
		}
	}
}

// join sees to what is between the last glyph and the next.
func (t *tagLine) join(g *Glyph) {
	switch below := t.below(g); {
	case below && t.lines:
		t.indent(g)
	case t.lines:
	case below && t.hyphen() && unicode.IsLower(g.Rune):
		t.text = t.text[:len(t.text)-1]
		t.space = false
	case below:
		t.space = true
	default:
		limit := float32(0.2)
		if t.likely {
			limit = 0.1
		}
		t.space = t.space || t.gap(g) > limit*g.Size
	}
	t.likely = false
}

// below reports whether a glyph is on another line than the last one.
func (t *tagLine) below(g *Glyph) bool {
	distance := g.Y - t.last.Y
	if g.Turn%2 == 1 {
		distance = g.X - t.last.X
	}
	return max(distance, -distance) > 0.6*max(g.Size, t.last.Size)
}

// continues reports whether what has a place goes on where the text ends.
func (t *tagLine) continues(b Box) bool {
	return t.last != nil && b.Top < t.last.Bottom && b.Bottom > t.last.Top && b.Left > t.last.Left && b.Left-t.last.Right < t.last.Size
}

// gap returns how much is free between the last glyph and the next.
func (t *tagLine) gap(g *Glyph) float32 {
	if g.Turn%2 == 1 {
		return max(g.Top-t.last.Bottom, t.last.Top-g.Bottom)
	}
	return max(g.Left-t.last.Right, t.last.Left-g.Right)
}

// hyphen reports whether the text ends with a hyphen that parts a word.
func (t *tagLine) hyphen() bool {
	n := len(t.text)
	if n < 2 || t.text[n-1] != '-' {
		return false
	}
	before := []rune(string(t.text[max(n-5, 0) : n-1]))
	return unicode.IsLetter(before[len(before)-1])
}

// begin begins a new span if the style or the link of the next glyph is another.
func (t *tagLine) begin(g *Glyph) {
	style, link := t.styleOf(g)|t.raised(g), t.reader.link(g)
	if style&(tree.Super|tree.Sub) == 0 {
		t.full = g
	}
	changed := style != t.style || link != t.link
	written := len(t.text) > 0 || len(t.spans) > 0
	after := changed && t.link != "" && link == "" // a link does not end with a space
	if t.space && written && !after {
		t.text = append(t.text, ' ')
	}
	if changed {
		t.flush()
		t.style, t.link = style, link
	}
	if t.space && written && after {
		t.text = append(t.text, ' ')
	}
	t.space = false
}

// raised tells whether a glyph is small and stands higher or lower than the text
// before it.
func (t *tagLine) raised(g *Glyph) tree.Style {
	if t.full == nil || t.lines || g.Turn != 0 || t.full.Turn != 0 || g.Size > 0.85*t.full.Size {
		return 0
	}
	switch rise := (t.full.Y - g.Y) / t.full.Size; {
	case rise > 0.15 && rise < 0.6:
		return tree.Super
	case rise < -0.05 && rise > -0.4:
		return tree.Sub
	}
	return 0
}

func (t *tagLine) styleOf(g *Glyph) tree.Style {
	if int(g.Font) >= len(t.reader.page.Fonts) {
		return 0
	}
	var style tree.Style
	f := &t.reader.page.Fonts[g.Font]
	if f.Bold {
		style |= tree.Bold
	}
	if f.Italic {
		style |= tree.Italic
	}
	if f.Mono {
		style |= tree.Mono
	}
	return style
}

func (t *tagLine) flush() {
	if len(t.text) > 0 {
		t.spans = append(t.spans, tree.Span{Text: string(t.text), Style: t.style, Link: t.link})
		t.text = t.text[:0]
	}
}

// take returns the text, without the box and what else is known of it being lost.
func (t *tagLine) take() []tree.Span {
	t.flush()
	spans := t.spans
	t.spans = nil
	if len(spans) > 0 {
		spans[0].Text = strings.TrimLeft(spans[0].Text, " ")
		last := &spans[len(spans)-1]
		last.Text = strings.TrimRight(last.Text, " ")
	}
	return spans
}

// paragraph ends a paragraph, if there is text for one.
func (t *tagLine) paragraph(sink tagSink) { t.named("P", sink) }

// named ends a paragraph of an element with the given name.
func (t *tagLine) named(name string, sink tagSink) {
	text := t.take()
	if len(text) > 0 {
		label := "text"
		switch name {
		case "Caption":
			label = "caption"
		case "Note", "FENote":
			label = "footnote"
		case "Formula":
			label = "formula"
		}
		sink(tagBlock{Block: &tree.Paragraph{Text: text}, label: label, box: t.box, size: t.size, letters: t.letters})
	}
	*t = tagLine{reader: t.reader}
}
