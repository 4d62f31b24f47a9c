package layout

import (
	"cmp"
	"slices"
	"unicode"
	"unicode/utf8"

	"github.com/trawlhq/trawl/document/tree"
)

// line is a line of text: runs on a baseline.
type line struct {
	Box
	base, size float32
	from, to   int32 // in the order of the page
	chars      int32
	style      tree.Style // that all of it has
	turn       uint8
	rtl        bool
	label      bool
	font       uint32
	dotted     bool // dots lead to a page number
}

// kind is what a block is.
type kind uint8

const (
	textBlock kind = iota
	headingBlock
	itemBlock
	codeBlock
	tableBlock
	captionBlock
	noteBlock
	dropped // stands in the margin of the page
)

// block is a paragraph, or a table.
type block struct {
	Box
	kind     kind
	was      kind  // before it was dropped as a margin
	from, to int32 // lines
	size     float32
	chars    int32
	style    tree.Style
	leaf     int32      // column that it stands in
	edges    [2]float32 // of that column
	above    float32    // white space
	table    *table
	claim    claim // to be a heading
	level    int   // of a heading
	turn     uint8
	font     uint32
	joined   bool // to the block before it on another column or page
	aside    bool // the text before it goes on past it
}

// leaf makes lines and blocks of items that are read from top to bottom.
func (c *cutter) leaf(items []item) {
	if len(items) == 0 {
		return
	}
	p := c.page
	slices.SortStableFunc(items, func(a, b item) int { return cmp.Compare(c.base(&a), c.base(&b)) })
	first := len(p.lines)
	number := int32(len(p.blocks))
	for i := 0; i < len(items); {
		if items[i].run < 0 {
			c.close(first, number)
			first = len(p.lines)
			t := items[i].table
			p.blocks = append(p.blocks, block{Box: t.Box, kind: tableBlock, table: t, leaf: number, edges: [2]float32{t.Left, t.Right}})
			i++
			continue
		}
		i = c.line(items, i)
	}
	c.close(first, number)
}

// line makes a line of the items from i on that stand on one baseline.
func (c *cutter) line(items []item, i int) int {
	p := c.page
	head := &p.runs[items[i].run]
	j := i + 1
	for ; j < len(items) && items[j].run >= 0; j++ {
		r := &p.runs[items[j].run]
		if r.turn != head.turn || r.base-head.base > 0.3*min(r.size, head.size) || head.turn != 0 {
			break
		}
	}
	l := line{Box: items[i].Box, base: head.base, from: int32(len(p.order)), turn: head.turn, style: ^tree.Style(0)}
	var rtl, most int32
	for _, it := range items[i:j] {
		r := &p.runs[it.run]
		p.order = append(p.order, it.run)
		l.Box = l.union(it.Box)
		l.chars += r.chars
		l.style &= r.style
		if r.chars > most {
			most, l.size, l.font = r.chars, r.size, r.font
		}
		if r.rtl {
			rtl += r.chars
		}
	}
	l.to = int32(len(p.order))
	l.rtl = rtl*2 > l.chars
	l.style |= p.listed(p.order[l.from:])
	slices.SortFunc(p.order[l.from:], func(a, b int32) int {
		d := cmp.Compare(p.runs[a].Left, p.runs[b].Left)
		if l.rtl {
			return -d
		}
		return d
	})
	l.label = p.runs[p.order[l.from]].label
	l.dotted = leaders(p.runText(&p.runs[p.order[l.from]])) || l.to-l.from > 1 && leaders(p.runText(&p.runs[p.order[l.to-1]]))
	p.lines = append(p.lines, l)
	return j
}

// listed returns the style of a line of code that begins with its number.
func (p *page) listed(runs []int32) tree.Style {
	number, code := false, false
	for _, k := range runs {
		r := &p.runs[k]
		switch {
		case r.style&tree.Mono != 0:
			code = true
		case !number && isDigits(p.runText(r)) && r.chars < 5:
			number = true
		default:
			return 0
		}
	}
	if number && code {
		return tree.Mono
	}
	return 0
}

// close makes blocks of the lines since first.
func (c *cutter) close(first int, number int32) {
	p := c.page
	lines := p.lines[first:]
	if len(lines) == 0 {
		return
	}
	area := lines[0].Box
	for i := range lines {
		area = area.union(lines[i].Box)
	}
	leading := c.leading(lines)
	from := 0
	for i := 1; i <= len(lines); i++ {
		if i < len(lines) && !c.begins(lines, from, i, area, leading) {
			continue
		}
		b := block{from: int32(first + from), to: int32(first + i), leaf: number, edges: [2]float32{area.Left, area.Right}, above: 1000}
		if from > 0 {
			b.above = lines[from].Top - lines[from-1].Bottom
		}
		p.shape(&b)
		p.blocks = append(p.blocks, b)
		from = i
	}
}

// shape fills in what a block is from its lines.
func (p *page) shape(b *block) {
	lines := p.lines[b.from:b.to]
	b.Box, b.style, b.turn = lines[0].Box, ^tree.Style(0), lines[0].turn
	b.chars = 0
	var most int32
	for i := range lines {
		l := &lines[i]
		b.Box = b.union(l.Box)
		b.chars += l.chars
		b.style &= l.style
		if l.chars > most {
			most, b.size, b.font = l.chars, l.size, l.font
		}
	}
	switch {
	case b.style&tree.Mono != 0:
		b.kind = codeBlock
	case lines[0].label && b.chars == 1 && isBullet(p.firstRune(&lines[0])):
		b.kind = dropped
	case lines[0].label:
		b.kind = itemBlock
	default:
		b.kind = textBlock
	}
}

// leading returns the usual distance of lines, in parts of their size.
func (c *cutter) leading(lines []line) float32 {
	var list []float32
	for i := 1; i < len(lines); i++ {
		if d := (lines[i].base - lines[i-1].base) / lines[i].size; d > 0.8 && d < 3 && similar(lines[i].size, lines[i-1].size) {
			list = append(list, d)
		}
	}
	if len(list) < 2 {
		return 1.25
	}
	slices.Sort(list)
	return min(max(list[len(list)*2/5], 1), 2.6)
}

func similar(a, b float32) bool { return abs(a-b) <= 0.09*max(a, b) }

// begins reports whether a block begins with line i, after one from line from on.
func (c *cutter) begins(lines []line, from, i int, area Box, leading float32) bool {
	l, before, head := &lines[i], &lines[i-1], &lines[from]
	const emphasis = tree.Bold | tree.Mono
	gap := (l.base - before.base) / max(l.size, before.size)
	switch {
	case l.turn != 0 || before.turn != 0:
		return true
	case l.dotted != before.dotted && i > from+1, l.dotted && before.dotted:
		return true
	case !similar(l.size, before.size) && !(l.chars < 4 || before.chars < 4):
		return true
	case gap > leading*1.28+0.12, gap < 0.3:
		return true
	case l.label && !c.inline(l, before, head, area):
		return true
	case l.font != before.font && abs(l.size-before.size) > 0.04*l.size && min(l.chars, before.chars) > 3:
		return true
	case l.style&emphasis != before.style&emphasis && min(l.chars, before.chars) > 2:
		return true
	case l.style&tree.Mono != 0:
		return false
	case c.titled(l) && c.titled(before):
		return false
	}
	return !raggedStart(lines, i) && c.indented(lines, from, i, area) || c.short(lines, i, area)
}

// raggedStart reports whether the lines around line i are set flush on the side on
// which they end, so that where they begin says nothing.
func raggedStart(lines []line, i int) bool {
	around := lines[max(i-2, 0):min(i+3, len(lines))]
	start, end := around[0].start(), around[0].end()
	for k := range around {
		start, end = min(start, around[k].start()), max(end, around[k].end())
	}
	flush := 0
	for k := range around {
		l := &around[k]
		if l.rtl != lines[i].rtl || end-l.end() > 0.5*l.size { // a space may follow
			return false
		}
		if l.start()-start < 0.3*l.size {
			flush++
		}
	}
	return len(around) > 2 && flush*2 <= len(around)
}

// inline reports whether what looks like the label of an item is in the middle of a
// sentence: the line before it is full and does not end one.
func (c *cutter) inline(l, before, head *line, area Box) bool {
	first := c.page.firstRune(l)
	if isBullet(first) || before.label || head.label || abs(l.start()-before.start()) > 0.3*l.size || c.page.noteMark(&c.page.runs[c.page.order[l.from]]) != "" {
		return false
	}
	last := c.page.lastRune(before)
	return before.width() > 0.9*area.width() && (unicode.IsLetter(last) || last == ',')
}

// titled reports whether a line looks like one of a heading.
func (c *cutter) titled(l *line) bool { return l.size > 1.15*c.size }

// start and end are where a line begins and ends in the direction of reading, from
// the side on which lines begin.
func (l *line) start() float32 {
	if l.rtl {
		return -l.Right
	}
	return l.Left
}

func (l *line) end() float32 {
	if l.rtl {
		return -l.Left
	}
	return l.Right
}

// indented reports whether the indentation of a line says that a paragraph begins.
func (c *cutter) indented(lines []line, from, i int, area Box) bool {
	l, before, head := &lines[i], &lines[i-1], &lines[from]
	step := l.start() - before.start()
	if step > 0.8*l.size && step < 6*l.size && !head.label {
		// the line after it goes back, or the one before ends early
		if i+1 < len(lines) && lines[i+1].start() < l.start()-0.5*l.size && similar(lines[i+1].size, l.size) {
			return true
		}
		right := area.Right
		if l.rtl {
			right = -area.Left
		}
		if from < i-1 && before.end() < right-2*l.size {
			return true
		}
	}
	if from < i-1 && step < -0.8*l.size && lines[from+1].start() > l.start()+0.8*l.size {
		return true // back to the left, and not as the second line of an indented paragraph
	}
	return head.label && i == from+1 && step < -0.6*l.size
}

// short reports whether the line before i ends although the first word of line i
// would have had room there.
func (c *cutter) short(lines []line, i int, area Box) bool {
	l, before := &lines[i], &lines[i-1]
	left, right := area.Left, area.Right
	if l.rtl {
		left, right = -area.Right, -area.Left
	}
	room := right - before.end()
	if raggedStart(lines, i) {
		room = before.start() - left
	} else if lead := before.start() - l.start(); lead > 6*l.size && !unicode.IsLower(c.page.firstRune(l)) {
		room = max(room, lead) // more than an indentation: set flush on the other side
	}
	if room < 2*l.size || l.chars == 0 {
		return false
	}
	word := float32(c.page.firstWord(l)) * l.width() / float32(l.chars)
	if room < word+1.2*l.size {
		return false
	}
	last := c.page.lastRune(before)
	if room > 0.25*area.width() || last == '.' || last == ':' || last == '!' || last == '?' || last == '。' {
		centered := abs(l.centerX()-before.centerX()) < 0.6*l.size && abs(l.Left-before.Left) > l.size
		return !centered
	}
	return false
}

// firstWord returns how many letters the first word of a line has.
func (p *page) firstWord(l *line) int {
	n := 0
	for _, c := range string(p.runText(&p.runs[p.order[l.from]])) {
		if c == ' ' || isIdeograph(c) {
			break
		}
		n++
	}
	return n
}

// lastRune returns the last character of a line.
func (p *page) lastRune(l *line) rune {
	c, _ := utf8.DecodeLastRune(p.runText(&p.runs[p.order[l.to-1]]))
	return c
}

// firstRune returns the first character of a line.
func (p *page) firstRune(l *line) rune {
	c, _ := utf8.DecodeRune(p.runText(&p.runs[p.order[l.from]]))
	return c
}

// leaders reports whether text has a row of dots that leads to a number.
func leaders(text []byte) bool {
	dots := 0
	for i := len(text) - 1; i >= 0; i-- {
		switch c := text[i]; {
		case c == '.' || c == '_':
			dots++
		case c == ' ' || dots == 0 && (c >= '0' && c <= '9' || c == 'i' || c == 'v' || c == 'x'):
		default:
			return dots >= 5
		}
	}
	return dots >= 5
}

// bulletOrNumber reports whether text begins with the label of a list item.
func bulletOrNumber(text []byte) bool { return labelLength(text) > 0 }

// labelLength returns the length of the label that text begins with; 0 for none.
func labelLength(text []byte) int {
	c, n := utf8.DecodeRune(text)
	if isBullet(c) {
		if n == len(text) || text[n] == ' ' && c != 'o' || c != '-' && c != '–' && c != '—' && c != '*' && c != 'o' && c != '·' {
			return n
		}
		return 0
	}
	i := 0
	if c == '(' || c == '[' {
		i = 1
	}
	digits := i
	for digits < len(text) && text[digits] >= '0' && text[digits] <= '9' {
		digits++
	}
	switch {
	case digits > i && digits-i <= 3-i:
		i = digits
	case digits > i:
		return 0
	case i < len(text) && isRoman(text[i:]) > 0:
		i += isRoman(text[i:])
	case i < len(text) && unicode.IsLetter(rune(text[i])) && text[i] < 0x80:
		i++
	default:
		return 0
	}
	if i >= len(text) || text[i] != '.' && text[i] != ')' && text[i] != ']' || text[0] == '[' && text[i] != ']' {
		return 0
	}
	i++
	initial := text[0] >= 'A' && text[0] <= 'Z' && text[i-1] == '.' // of a name, perhaps
	if i < len(text) && (text[i] != ' ' || initial) {
		return 0
	}
	return i
}

// isRoman returns the length of the small Roman number that text begins with.
func isRoman(text []byte) int {
	n := 0
	for n < len(text) && n < 6 && (text[n] == 'i' || text[n] == 'v' || text[n] == 'x') {
		n++
	}
	return n
}

func isBullet(c rune) bool {
	switch c {
	case '•', '◦', '▪', '■', '●', '○', '□', '▫', '‣', '∙', '·', '–', '—', '-', '*', '➢', '➤', '►', '▶', '✓', '✔', '❖', '◆', '◇', '☐', '☒', '☑', '❑', '❏', '⁃', 'o':
		return true
	}
	return false
}
