package layout

import (
	"bytes"
	"cmp"
	"slices"
	"unicode"

	"github.com/trawlhq/trawl/document/tree"
)

// tier is a way in which headings are set.
type tier struct {
	size  float32
	bold  bool
	count int
	page  int // on which the first is
}

// headings finds the headings of the document and their levels. What a block looks
// like makes it a candidate; whether headings look like that is told from all that
// look the same.
func (d *document) headings() {
	d.survey()
	for n, p := range d.pages {
		for i := range p.blocks {
			b := &p.blocks[i]
			if b.kind != textBlock && b.kind != itemBlock {
				continue
			}
			if b.claim != noHeading && d.accepts(p, b) {
				b.kind = headingBlock
				d.count(b, n)
			} else if b.kind == textBlock && isCaption(p.blockText(b)) {
				b.kind = captionBlock
			}
		}
	}
	slices.SortStableFunc(d.tiers, func(a, b tier) int {
		if similarTier(a.size, b.size) && a.bold != b.bold {
			if a.bold {
				return -1
			}
			return 1
		}
		return cmp.Compare(b.size, a.size)
	})
	d.levels()
}

func similarTier(a, b float32) bool { return abs(a-b) <= 0.04*max(a, b) }

// count adds a heading to its tier.
func (d *document) count(b *block, page int) {
	bold := b.style&tree.Bold != 0
	for i := range d.tiers {
		if t := &d.tiers[i]; similarTier(t.size, b.size) && t.bold == bold {
			t.count++
			return
		}
	}
	d.tiers = append(d.tiers, tier{b.size, bold, 1, page})
}

// levels gives headings their levels, by their tiers and by their numbers. The
// largest of the first page is the title, if it is the only one of its kind.
func (d *document) levels() {
	level := 1
	levels := make([]int, len(d.tiers))
	for i := range d.tiers {
		levels[i] = level
		// what occurs only once says little about the order below it
		if i == 0 && d.tiers[0].page == 0 || d.tiers[i].count > 1 {
			level++
		}
	}
	base := 0 // of headings with one number
	for _, p := range d.pages {
		for i := range p.blocks {
			b := &p.blocks[i]
			if b.kind != headingBlock {
				continue
			}
			b.level = levels[d.tierOf(b)]
			if depth := numberDepth(p.blockText(b)); depth > 0 {
				if base == 0 {
					base = max(b.level-depth+1, 1)
				}
				b.level = base + depth - 1
			}
			b.level = min(b.level, 6)
		}
	}
}

func (d *document) tierOf(b *block) int {
	for i := range d.tiers {
		if t := &d.tiers[i]; similarTier(t.size, b.size) && t.bold == (b.style&tree.Bold != 0) {
			return i
		}
	}
	return 0
}

// maxBlocks bounds the blocks of a page among which headings and notes are sought.
const maxBlocks = 5000

// claim is what speaks for a block being a heading.
type claim uint8

const (
	noHeading claim = iota
	bySize
	byWeight // it is bold, and not larger than running text
	byForm   // it is italic or in capitals, or numbered
	byFamily // it is in a font of another family
)

// claimOf returns whether a block looks like a heading by itself.
func (d *document) claimOf(p *page, i int) claim {
	b := &p.blocks[i]
	lines := b.to - b.from
	if lines > 4 || b.chars > 200 || b.turn != 0 || d.body == 0 || len(p.blocks) > maxBlocks {
		return noHeading
	}
	text := p.blockText(b)
	if !hasLetters(text) || p.lines[b.from].dotted || isCaption(text) || p.spread(b) || bytes.ContainsAny(text, "=∑∫√∈≤≥∞") {
		return noHeading
	}
	big := b.size > 1.13*d.body && !p.scanned || b.size > 1.3*d.body // recognised sizes vary
	bold := b.style&tree.Bold != 0 && !d.bold
	if b.kind == itemBlock && !d.itemHeading(p, b, text, big, bold) {
		return noHeading
	}
	last := text[len(text)-1]
	ended := last == ',' || last == ';' || last == '-' || last == '.' && b.chars > 25 && (numberDepth(text) == 0 || b.chars > 60)
	led := last != '.' && last != ':' && p.leads(i)
	switch {
	case ended:
	case big && (b.chars < 140 || b.size > 1.4*d.body):
		return bySize
	case big:
	case bold && b.size > 0.93*d.body:
		if last != '.' && lines <= 3 && b.chars < 120 && !p.beside(b) {
			return byWeight
		}
	case b.style&tree.Italic != 0 && !d.italic && lines == 1 && b.size > 0.95*d.body || b.font != d.font && b.size > 1.05*d.body && lines <= 2:
		if led && b.chars < 80 && b.above > 0.1*b.size {
			return byForm
		}
	case d.otherFamily(b) && b.size > 0.95*d.body && lines == 1:
		if led && b.chars < 80 {
			return byFamily
		}
	case upperCase(text) && lines == 1 && b.chars < 50 && b.kind == textBlock && b.size > 0.9*d.body:
		if b.above > 0.6*b.size && p.leads(i) {
			return byForm
		}
	case numberDepth(text) > 0 && lines == 1 && b.chars < 70 && b.kind != itemBlock:
		if b.above > 0.4*b.size && (b.style&tree.Italic != 0 || upperCase(text) || b.size > 1.05*d.body || b.font != d.font) {
			return byForm
		}
	}
	return noHeading
}

// itemHeading reports whether a block that begins like a list item is a heading.
func (d *document) itemHeading(p *page, b *block, text []byte, big, bold bool) bool {
	c := p.firstRune(&p.lines[b.from])
	if isBullet(c) && c != 'o' {
		return false
	}
	other := b.style&tree.Italic != 0 && !d.italic || d.otherFamily(b) || b.font != d.font && b.size > 1.05*d.body
	return (big || bold || other) && labelLength(text) < len(text)
}

// spread reports whether a line of a block has several pieces far from each other.
func (p *page) spread(b *block) bool {
	for _, l := range p.lines[b.from:b.to] {
		if l.to-l.from > 2 {
			return true
		}
	}
	return false
}

// leads reports whether running text follows a block in its column.
func (p *page) leads(i int) bool {
	if i+1 == len(p.blocks) {
		return false
	}
	b, next := &p.blocks[i], &p.blocks[i+1]
	return next.leaf == b.leaf && next.kind != tableBlock && next.style&tree.Italic == 0 && next.chars > 40
}

// beside reports whether a block shares its lines with another one, as a label in
// front of text does.
func (p *page) beside(b *block) bool {
	for i := range p.blocks {
		o := &p.blocks[i]
		if o.kind != dropped && o.leaf == b.leaf && (o.Left > b.Right || o.Right < b.Left) && o.Top < b.centerY() && o.Bottom > b.centerY() {
			return true
		}
	}
	return false
}

func hasLetters(text []byte) bool {
	for _, c := range string(text) {
		if unicode.IsLetter(c) {
			return true
		}
	}
	return false
}

// numberDepth returns how deep the number of a heading is: 1 for "2 Title", 2 for
// "2.1 Title", 0 if it has none.
func numberDepth(text []byte) int {
	depth, digits, i := 0, 0, 0
	for ; i < len(text); i++ {
		switch c := text[i]; {
		case c >= '0' && c <= '9' || i == 0 && c >= 'A' && c <= 'Z' && len(text) > 1 && text[1] == '.' && len(text) > 2 && text[2] != ' ':
			if digits == 0 {
				depth++
			}
			if digits++; digits > 2 {
				return 0
			}
		case c == '.' && digits > 0:
			digits = 0
		case c == ' ' && i > 0:
			for i < len(text) && text[i] == ' ' {
				i++
			}
			if i == len(text) || !unicode.IsUpper(rune(text[i])) && text[i] < 0x80 {
				return 0
			}
			return depth
		default:
			return 0
		}
	}
	return 0
}

// isCaption reports whether text begins like the caption of a figure or a table.
func isCaption(text []byte) bool {
	for _, word := range []string{"Figure", "Fig.", "FIG.", "FIGURE", "Table", "TABLE", "Tab.", "Listing", "Abbildung", "Abb.", "Tabelle", "Algorithm", "Exhibit", "图", "表", "그림", "표", "[표", "[그림"} {
		rest, ok := bytes.CutPrefix(text, []byte(word))
		if !ok {
			continue
		}
		rest = bytes.TrimLeft(rest, " ")
		n := 0
		for n < len(rest) && (rest[n] >= '0' && rest[n] <= '9' || rest[n] == '.' || rest[n] == '-' || rest[n] >= 'A' && rest[n] <= 'Z' && n == 0) {
			n++
		}
		if n > 0 && (n == len(rest) || rest[n] == ':' || rest[n] == ' ' || rest[n-1] == '.' || rest[n] == ']') {
			return n == len(rest) || rest[n-1] == '.' || rest[n] == ':' || rest[n] == ']' || n+1 < len(rest) && !unicode.IsLower(rune(rest[n+1]))
		}
	}
	return false
}
