package layout

import (
	"slices"
	"strings"

	"github.com/trawlhq/trawl/document/tree"
)

// tagged reads a page by its structure tree, which says what things are and in
// which order they are read. It reports false if the page has none, or one that
// leaves out much of the text or jumps around, or that says nothing of what things are
// and told says that those of the pages before did not either.
func tagged(p *Page, out *page, told bool) bool {
	if p.Root == nil || p.Recognised || p.Width <= 0 || p.Height <= 0 {
		return false
	}
	r := &tagReader{page: p, marks: map[int32][]int32{}}
	r.survey(p.Root)
	if !r.index() {
		return false
	}
	r.measure()
	r.indexLinks()
	r.blocks(p.Root, r.top)
	if !(r.tells || told || r.paragraphs()) || len(r.placed) == 0 || !r.forward() || float64(r.inHeadings) > tagHeadings*float64(r.visible) {
		return false
	}
	if r.left {
		r.rest()
	}
	out.tagged, out.large, out.titled = r.placed, r.large, r.headings
	return true
}

// tagReader reads the structure tree of a page.
type tagReader struct {
	page  *Page
	marks map[int32][]int32 // the glyphs of each mark in the tree, in their order
	links map[int][]int32   // the links of each strip of the page
	body  float32           // the size of most characters

	visible    int // characters
	inHeadings int
	// characters in paragraphs of several lines, which many trees take for one each
	inParagraphs    int
	tells           bool // there are elements that say more than that they are paragraphs
	headings        bool
	whole           bool // nearly all characters away from the margins are in it
	left            bool // not all of them are
	quotes, figures bool
	sections        int // that are open

	placed []tree.Placed
	large  []tagLarge
}

// tagLarge is a paragraph that may be a heading by its looks.
type tagLarge struct {
	at, level int
}

// tagBlock is a block of the tree and what is told of it.
type tagBlock struct {
	tree.Block
	label   string
	box     Box
	size    float32 // of the largest glyph of a paragraph
	letters int     // of a paragraph
}

// tagSink takes the blocks that are found.
type tagSink func(tagBlock)

// top takes the blocks of the page.
func (r *tagReader) top(b tagBlock) {
	if level := r.levelOf(b); level > 0 {
		r.large = append(r.large, tagLarge{len(r.placed), level})
	}
	if b.size > 0 && b.box.height() > 1.8*b.size {
		r.inParagraphs += b.letters
	}
	r.placed = append(r.placed, r.place(b))
}

// place returns a block with the part of the page that it takes.
func (r *tagReader) place(b tagBlock) tree.Placed {
	w, h := float64(r.page.Width), float64(r.page.Height)
	placed := tree.Placed{Block: b.Block, Label: b.label}
	if b.box != (Box{}) {
		clip := func(v float32, whole float64) float64 { return min(max(float64(v)/whole, 0), 1) }
		placed.Box = [4]float64{clip(b.box.Left, w), clip(b.box.Top, h), clip(b.box.Right, w), clip(b.box.Bottom, h)}
	}
	return placed
}

// blocks reads the blocks of an element. Text that stands between them makes
// paragraphs of its own.
func (r *tagReader) blocks(e *Element, sink tagSink) {
	t := r.line()
	t.marks(e)
	for _, child := range e.Children {
		if r.inline(e, child) || tagPhrase(child) && t.continues(r.extent(child)) {
			t.element(child)
			continue
		}
		t.paragraph(sink)
		r.block(child, sink)
	}
	t.paragraph(sink)
}

// tagPhrase reports whether an element that says nothing may be a part of a line, as
// superscripts are in what browsers print. In a paragraph it is; elsewhere it may as
// well be a block.
func tagPhrase(e *Element) bool {
	if e.Type != "NonStruct" {
		return false
	}
	for _, child := range e.Children {
		if !tagInline(child) && !tagPhrase(child) {
			return false
		}
	}
	return true
}

// tagInline reports whether an element is a part of a line.
func tagInline(e *Element) bool {
	switch e.Type {
	case "NonStruct", "Formula":
		return len(e.Children) == 0
	case "Span", "Link", "Reference", "Quote", "BibEntry", "Annot", "Em", "Strong", "Sub", "Ruby", "RB", "RT", "RP", "Warichu", "WT", "WP", "Lbl", "Form":
		return tagAllInline(e)
	}
	return false
}

func tagAllInline(e *Element) bool {
	for _, child := range e.Children {
		if !tagInline(child) && child.Type != "Code" {
			return false
		}
	}
	return true
}

// inline reports whether a child of an element is a part of a line. Code is, if it
// takes only one and there is other text beside it.
func (r *tagReader) inline(e, child *Element) bool {
	if child.Type != "Code" {
		return tagInline(child) || e.Type == "P" && tagPhrase(child)
	}
	t := r.line()
	t.lines = true
	t.element(child)
	if !tagAllInline(child) || t.ended {
		return false
	}
	for _, other := range e.Children {
		if tagInline(other) && r.extent(other) != (Box{}) {
			return true
		}
	}
	return false
}

// block reads an element that is a block, or a group of blocks.
func (r *tagReader) block(e *Element, sink tagSink) {
	switch {
	case e.Type == "Artifact":
	case tagHeading(e.Type):
		r.heading(e, sink)
	case e.Type == "L" || e.Type == "TOC":
		r.list(e, sink)
	case e.Type == "Table":
		r.table(e, sink)
	case e.Type == "Figure" && e.Alt != "":
		sink(tagBlock{Block: &tree.Image{Alt: e.Alt}, label: "picture", box: r.extent(e)})
	case e.Type == "BlockQuote":
		r.quote(e, sink)
	case e.Type == "Code":
		r.code(e, sink)
	case tagText(e.Type) && !r.nested(e):
		t := r.line()
		t.element(e)
		t.named(e.Type, sink)
	case e.Type == "Sect" || e.Type == "Art":
		r.sections++
		r.blocks(e, sink)
		r.sections--
	default:
		if table := r.grid(e); table != nil {
			r.table(table, sink)
			return
		}
		r.blocks(e, sink)
	}
}

// tagText reports whether an element is one paragraph.
func tagText(name string) bool {
	switch name {
	case "P", "Caption", "Note", "FENote", "Formula", "TOCI", "LBody":
		return true
	}
	return false
}

// nested reports whether there are blocks in an element.
func (r *tagReader) nested(e *Element) bool {
	for _, child := range e.Children {
		if !r.inline(e, child) {
			return true
		}
	}
	return false
}

func (r *tagReader) heading(e *Element, sink tagSink) {
	t := r.line()
	t.element(e)
	text := t.take()
	if len(text) == 0 {
		return
	}
	level, label := max(r.sections, 1), "heading"
	switch {
	case e.Type == "Title":
		level, label = 1, "title"
	case len(e.Type) == 2:
		level = int(e.Type[1] - '0')
	}
	r.inHeadings += t.letters
	sink(tagBlock{Block: &tree.Heading{Level: min(level, 6), Text: tagUnbold(text)}, label: label, box: t.box})
}

func (r *tagReader) quote(e *Element, sink tagSink) {
	var inner tagGroup
	r.blocks(e, inner.add)
	if len(inner.blocks) > 0 {
		sink(tagBlock{Block: &tree.Quote{Body: inner.blocks}, label: "text", box: inner.box})
	}
}

func (r *tagReader) code(e *Element, sink tagSink) {
	t := r.line()
	t.lines = true
	t.element(e)
	var text strings.Builder
	for _, s := range t.take() {
		text.WriteString(s.Text)
	}
	if text.Len() > 0 {
		sink(tagBlock{Block: &tree.Code{Text: text.String()}, label: "code", box: t.box})
	}
}

// extent returns the place of all text of an element.
func (r *tagReader) extent(e *Element) Box {
	t := r.line()
	t.element(e)
	return t.box
}

// tagGroup collects blocks.
type tagGroup struct {
	blocks []tree.Block
	box    Box
}

func (g *tagGroup) add(b tagBlock) {
	g.blocks = append(g.blocks, b.Block)
	g.box = tagUnion(g.box, b.box)
}

// tagUnion returns the box around two, of which an empty one does not count.
func tagUnion(a, b Box) Box {
	switch {
	case a == Box{}:
		return b
	case b == Box{}:
		return a
	}
	return Box{min(a.Left, b.Left), min(a.Top, b.Top), max(a.Right, b.Right), max(a.Bottom, b.Bottom)}
}

// Headings that are not marked as such are so much larger than the text, and have
// at most so many characters.
const (
	tagLargerThanText = 1.15
	tagLarger         = 1.3
	tagLargest        = 1.6
	tagShort          = 150
)

// levelOf returns the level that a paragraph would have as a heading, by its size and
// weight; 0 if it does not look like one.
func (r *tagReader) levelOf(b tagBlock) int {
	p, ok := b.Block.(*tree.Paragraph)
	if !ok || b.label != "text" || b.letters > tagShort {
		return 0
	}
	switch ratio := b.size / max(r.body, 1); {
	case ratio >= tagLargest:
		return 1
	case ratio >= tagLarger:
		return 2
	case ratio >= tagLargerThanText, tagBold(p.Text):
		return 3
	}
	return 0
}

// promote makes headings of short lines in a large or bold font, if the trees of the
// pages have none, and of those in a very large one also if they have: titles often
// are not marked.
func (d *document) promote() {
	titled := slices.ContainsFunc(d.pages, func(p *page) bool { return p.titled })
	for _, p := range d.pages {
		for _, l := range p.large {
			if titled && l.level > 1 {
				continue
			}
			b := &p.tagged[l.at]
			if text, ok := b.Block.(*tree.Paragraph); ok {
				b.Block, b.Label = &tree.Heading{Level: l.level, Text: tagUnbold(text.Text)}, "heading"
			}
		}
	}
}

// tagBold reports whether a text is all bold and not a sentence.
func tagBold(text []tree.Span) bool {
	for i := range text {
		if text[i].Style&tree.Bold == 0 && strings.TrimSpace(text[i].Text) != "" {
			return false
		}
	}
	return len(text) > 0 && !strings.HasSuffix(text[len(text)-1].Text, ".")
}

// tagUnbold returns the text of a heading, of which it need not be said that it is bold.
func tagUnbold(text []tree.Span) []tree.Span {
	for i := range text {
		text[i].Style &^= tree.Bold
	}
	return text
}
