package layout

import (
	"slices"
	"strings"
	"unicode"

	"github.com/trawlhq/trawl/document/tree"
)

// What the structure tree of a page must be like to be believed.
const (
	tagCoverage  = 0.75 // of all characters are in it
	tagBodyCover = 0.92 // of those away from the margins
	tagMargin    = 0.1  // of the height of the page
	tagBackward  = 0.1  // of its steps may lead upwards
	tagHeadings  = 0.5  // of all characters may be in headings
	// if it says of nothing what it is: of all characters are in paragraphs of several
	// lines, and of those away from the margins in it
	tagParagraphs = 0.7
	tagWhole      = 0.995
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

// survey notes which marks and kinds of elements a tree has.
func (r *tagReader) survey(e *Element) {
	switch {
	case tagHeading(e.Type):
		r.tells, r.headings = true, true
	case e.Type == "Table" || e.Type == "L":
		r.tells = true
	case e.Type == "BlockQuote":
		r.quotes = true
	case e.Type == "Figure":
		r.figures = true
	case e.Type == "Artifact":
		return
	}
	for _, mark := range e.Marks {
		r.marks[mark] = nil
	}
	for _, child := range e.Children {
		r.survey(child)
	}
}

func tagHeading(name string) bool {
	return name == "H" || name == "Title" || len(name) == 2 && name[0] == 'H' && name[1] >= '1' && name[1] <= '6'
}

// index finds the glyphs of the marks, and reports whether they are enough of all.
func (r *tagReader) index() bool {
	var covered, body, bodyCovered int
	low, high := tagMargin*r.page.Height, (1-tagMargin)*r.page.Height
	for i := range r.page.Glyphs {
		g := &r.page.Glyphs[i]
		list, known := r.marks[g.Mark]
		if known && !g.Hidden {
			r.marks[g.Mark] = append(list, int32(i))
		}
		if g.Hidden || g.Generated || unicode.IsSpace(g.Rune) {
			continue
		}
		inside := g.Y > low && g.Y < high
		r.visible++
		if inside {
			body++
		}
		if known {
			covered++
			if inside {
				bodyCovered++
			}
		}
	}
	r.whole = float64(bodyCovered) >= tagWhole*float64(body)
	return covered > 0 && float64(covered) > tagCoverage*float64(r.visible) && float64(bodyCovered) >= tagBodyCover*float64(body)
}

// measure finds the size of most characters.
func (r *tagReader) measure() {
	counts := map[float32]int{}
	for i := range r.page.Glyphs {
		size := float32(int(r.page.Glyphs[i].Size*2+0.5)) / 2
		if counts[size]++; counts[size] > counts[r.body] {
			r.body = size
		}
	}
}

// paragraphs reports whether a tree knows which lines are a paragraph, though it says of
// nothing else what it is. What stands in figures it may leave out.
func (r *tagReader) paragraphs() bool {
	return r.whole && !r.figures && (r.quotes || float64(r.inParagraphs) > tagParagraphs*float64(r.visible))
}

// forward reports whether the blocks go down the page, or to the right where the
// next column begins.
func (r *tagReader) forward() bool {
	steps, back := 0, 0
	var last *tree.Placed
	for i := range r.placed {
		b := &r.placed[i]
		if b.Box == [4]float64{} {
			continue
		}
		if last != nil {
			steps++
			if b.Box[3] <= last.Box[1] && b.Box[0] < last.Box[2] && last.Box[0] < b.Box[2] {
				back++
			}
		}
		last = b
	}
	return float64(back) <= max(1, tagBackward*float64(steps))
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
	w, h := float64(r.page.Width), float64(r.page.Height)
	placed := tree.Placed{Block: b.Block, Label: b.label}
	if b.box != (Box{}) {
		clip := func(v float32, whole float64) float64 { return min(max(float64(v)/whole, 0), 1) }
		placed.Box = [4]float64{clip(b.box.Left, w), clip(b.box.Top, h), clip(b.box.Right, w), clip(b.box.Bottom, h)}
	}
	r.placed = append(r.placed, placed)
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

// list reads a list. A list within it that is no part of an item belongs to the
// one before.
func (r *tagReader) list(e *Element, sink tagSink) {
	list := &tree.List{}
	var box Box
	for _, child := range e.Children {
		switch child.Type {
		case "LI", "TOCI":
			item, place := r.item(child)
			if item.Label != "" || len(item.Body) > 0 {
				list.Items = append(list.Items, item)
				box = tagUnion(box, place)
			}
		case "Caption":
			r.block(child, sink)
		default:
			var inner tagGroup
			r.blocks(&Element{Children: []*Element{child}}, inner.add)
			if n := len(list.Items); n > 0 {
				list.Items[n-1].Body = append(list.Items[n-1].Body, inner.blocks...)
			} else if len(inner.blocks) > 0 {
				list.Items = append(list.Items, tree.Item{Body: inner.blocks})
			}
			box = tagUnion(box, inner.box)
		}
	}
	if len(list.Items) > 0 {
		sink(tagBlock{Block: list, label: "list", box: box})
	}
}

// item reads an item of a list: its label, and what follows.
func (r *tagReader) item(e *Element) (tree.Item, Box) {
	var item tree.Item
	label := r.line()
	rest := &Element{Marks: e.Marks}
	for _, child := range e.Children {
		if child.Type == "Lbl" {
			label.element(child)
			continue
		}
		rest.Children = append(rest.Children, child)
	}
	for _, s := range label.take() {
		item.Label += s.Text
	}
	if !strings.ContainsFunc(item.Label, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }) || len(item.Label) > 20 {
		item.Label = "" // a bullet
	}
	var inner tagGroup
	r.blocks(rest, inner.add)
	item.Body = inner.blocks
	if len(item.Body) > 0 {
		trimBullet(item.Body[0])
	}
	return item, tagUnion(label.box, inner.box)
}

// trimBullet removes a bullet from the beginning of an item's text.
func trimBullet(b tree.Block) {
	if p, ok := b.(*tree.Paragraph); ok && len(p.Text) > 0 {
		p.Text[0].Text = strings.TrimLeft(p.Text[0].Text, "•◦▪●○■□–·\uf0b7\uf0a7 ")
	}
}

// tagMaxSpan bounds how many rows and columns a cell may take.
const tagMaxSpan = 1000

// table reads a table. One of a single column is a frame around blocks.
func (r *tagReader) table(e *Element, sink tagSink) {
	t := &tagTable{reader: r, table: &tree.Table{}}
	t.rows(e, false, sink)
	if t.columns < 2 {
		for _, b := range t.blocks {
			sink(b)
		}
		return
	}
	for t.table.Header < len(t.headers) && t.headers[t.table.Header] {
		t.table.Header++
	}
	if t.table.Header == len(t.headers) {
		t.table.Header = min(1, len(t.headers))
	}
	sink(tagBlock{Block: t.table, label: "table", box: t.box})
}

// tagTable is a table that is being read.
type tagTable struct {
	reader  *tagReader
	table   *tree.Table
	headers []bool // which rows have nothing but headers
	columns int    // of the longest row
	blocks  []tagBlock
	box     Box
}

// rows reads the rows of a table or of a part of it.
func (t *tagTable) rows(e *Element, head bool, sink tagSink) {
	for _, child := range e.Children {
		switch child.Type {
		case "TR":
			t.row(child, head)
		case "THead":
			t.rows(child, true, sink)
		case "Caption":
			line := t.reader.line()
			line.element(child)
			t.table.Caption = line.take()
		case "Artifact":
		case "TBody", "TFoot", "Table", "NonStruct", "Div", "Sect", "Part":
			t.rows(child, head, sink)
		default:
			t.reader.block(child, sink)
		}
	}
}

func (t *tagTable) row(e *Element, head bool) {
	var row tree.Row
	headers := true
	columns := 0
	for _, child := range e.Children {
		if child.Type != "TD" && child.Type != "TH" {
			continue
		}
		headers = headers && (head || child.Type == "TH")
		cell := t.cell(child)
		columns += max(int(cell.Columns), 1)
		row.Cells = append(row.Cells, cell)
	}
	if len(row.Cells) > 0 {
		t.columns = max(t.columns, columns)
		t.headers = append(t.headers, headers)
		t.table.Rows = append(t.table.Rows, row)
	}
}

func (t *tagTable) cell(e *Element) tree.Cell {
	c := tree.Cell{Columns: int32(min(e.Columns, tagMaxSpan)), Rows: int32(min(e.Rows, tagMaxSpan)), Header: e.Type == "TH"}
	var inner tagGroup
	t.reader.blocks(e, func(b tagBlock) {
		inner.add(b)
		t.blocks = append(t.blocks, b)
	})
	t.box = tagUnion(t.box, inner.box)
	if len(inner.blocks) == 1 {
		p, ok := inner.blocks[0].(*tree.Paragraph)
		if ok && c.Header {
			tagUnbold(p.Text)
		}
		if ok && len(p.Text) == 1 && p.Text[0].Style == 0 && p.Text[0].Link == "" {
			c.Text = p.Text[0].Text
			return c
		}
	}
	c.Body = inner.blocks
	return c
}
