package layout

import (
	"bytes"
	"cmp"
	"slices"
	"unicode"
	"unicode/utf8"

	"github.com/trawlhq/trawl/document/tree"
)

// Parts of the height of a page in which headers and footers may stand.
const (
	repeatZone = 0.14 // if they are on other pages as well
	numberZone = 0.1
)

// margins drops running headers, footers and page numbers. A document that has
// nothing else keeps them: then they are what it says.
func (d *document) margins() {
	lists := d.running()
	over := map[*page]int{} // blocks of a page that are no running headers
	for _, p := range d.pages {
		for i := range p.blocks {
			if p.blocks[i].kind != dropped {
				over[p]++
			}
		}
	}
	for _, list := range lists {
		for _, at := range list {
			over[at.page]--
		}
	}
	for _, list := range lists {
		if slices.ContainsFunc(list, func(at place) bool { return over[at.page] > 0 }) {
			for _, at := range list {
				at.page.blocks[at.block].drop()
			}
		}
	}
	for _, p := range d.pages {
		d.edges(p)
	}
	if d.bare() {
		d.restore()
	}
}

// place is where a block is.
type place struct {
	page  *page
	block int
}

// running returns the blocks that stand at the same place of several pages, text by
// text.
func (d *document) running() [][]place {
	seen := map[string][]place{}
	for _, p := range d.pages {
		for _, i := range p.outer() {
			key := repeated(p.blockText(&p.blocks[i]))
			if key != "" && p.blocks[i].kind != dropped {
				seen[key] = append(seen[key], place{p, i})
			}
		}
	}
	var lists [][]place
	for _, list := range seen {
		if len(list) < 2 || len(list) < 3 && len(d.pages) > 6 {
			continue
		}
		var kept []place
		for _, at := range list {
			if at.repeats(list[:min(len(list), 200)]) {
				kept = append(kept, at)
			}
		}
		lists = append(lists, kept)
	}
	return lists
}

// repeats reports whether one of the others stands at the same height of another page.
func (at place) repeats(others []place) bool {
	y := at.page.blocks[at.block].centerY() / at.page.height
	return slices.ContainsFunc(others, func(other place) bool {
		return other.page != at.page && abs(other.page.blocks[other.block].centerY()/other.page.height-y) < 0.02
	})
}

// drop takes a block for a margin.
func (b *block) drop() { b.was, b.kind = b.kind, dropped }

// bare reports whether nothing is left of a document but its margins.
func (d *document) bare() bool {
	for _, p := range d.pages {
		if len(p.tagged) > 0 || slices.ContainsFunc(p.blocks, func(b block) bool { return b.kind != dropped }) {
			return false
		}
	}
	return true
}

// restore undoes [block.drop].
func (d *document) restore() {
	for _, p := range d.pages {
		for i := range p.blocks {
			if b := &p.blocks[i]; b.kind == dropped {
				b.kind = b.was
			}
		}
	}
}

// outer returns the blocks at the top and the bottom of a page.
func (p *page) outer() []int {
	var list []int
	for i := range p.blocks {
		b := &p.blocks[i]
		if b.kind == tableBlock || b.to-b.from > 4 || b.chars > 300 {
			continue
		}
		if b.Bottom < repeatZone*p.height || b.Top > (1-repeatZone)*p.height {
			list = append(list, i)
		}
	}
	return list
}

// repeated returns what of a text is the same from page to page: all but its numbers.
func repeated(text []byte) string {
	out := text[:0:0]
	for _, c := range string(text) {
		switch {
		case unicode.IsDigit(c):
			if n := len(out); n == 0 || out[n-1] != '#' {
				out = append(out, '#')
			}
		case c != ' ':
			out = utf8.AppendRune(out, unicode.ToLower(c))
		}
	}
	return string(out)
}

// edges drops what stands alone at the top and the bottom of a page and is clearly
// no part of its text.
func (d *document) edges(p *page) {
	var order []int
	lines := 0
	for i := range p.blocks {
		b := &p.blocks[i]
		if b.turn != 0 {
			if (b.Right < 0.09*p.width || b.Left > 0.91*p.width) && b.kind != tableBlock {
				b.drop()
			}
			continue
		}
		if b.kind != dropped {
			order = append(order, i)
			lines += int(b.to - b.from)
		}
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Compare(p.blocks[a].Top, p.blocks[b].Top) })
	for n := 0; n < 5 && n < len(order); n++ {
		b := &p.blocks[order[n]]
		gap := d.below(p, order, n)
		if !isLonePageNumber(p, b, gap, b.Bottom/p.height) && (b.Bottom > 0.13*p.height || !d.stray(p, b, gap, lines, b.Bottom/p.height)) {
			break
		}
		b.drop()
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Compare(p.blocks[b].Bottom, p.blocks[a].Bottom) })
	references := d.references(p)
	for n := 0; n < 6 && n < len(order); n++ {
		b := &p.blocks[order[n]]
		if b.kind == dropped {
			continue
		}
		if p.annotates(b, references) {
			break
		}
		gap := d.above(p, order, n)
		if !isLonePageNumber(p, b, gap, 1-b.Top/p.height) && (b.Top < 0.87*p.height || !d.stray(p, b, gap, lines, 1-b.Top/p.height)) {
			break
		}
		b.drop()
	}
}

// isLonePageNumber reports whether the first or last block of a page is its number.
// Where the text does not reach to the edges of the page, it stands further in.
func isLonePageNumber(p *page, b *block, gap, edge float32) bool {
	if b.kind == tableBlock || b.to-b.from != 1 || b.chars > 20 || !isPageNumber(p.blockText(b)) {
		return false
	}
	return gap > 0.3*b.size && edge < numberZone || gap > 1.5*b.size && gap < 999
}

// below and above return the white space to the next block that is kept.
func (d *document) below(p *page, order []int, n int) float32 {
	gap := float32(1000)
	for _, i := range order[n+1:] {
		if o := &p.blocks[i]; o.Top > p.blocks[order[n]].centerY() {
			gap = min(gap, o.Top-p.blocks[order[n]].Bottom)
		}
	}
	return gap
}

func (d *document) above(p *page, order []int, n int) float32 {
	gap := float32(1000)
	for _, i := range order[n+1:] {
		if o := &p.blocks[i]; o.Bottom < p.blocks[order[n]].centerY() && o.kind != dropped {
			gap = min(gap, p.blocks[order[n]].Top-o.Bottom)
		}
	}
	return gap
}

// stray reports whether a block at the edge of a page is a header or a footer.
func (d *document) stray(p *page, b *block, gap float32, lines int, edge float32) bool {
	if b.kind == tableBlock || b.to-b.from > 3 || b.chars > 220 || lines < 3 {
		return false
	}
	text := p.blockText(b)
	if mentions(text) {
		return true
	}
	if isSentence(text) {
		return false
	}
	first, last := fields(text)
	numbered := b.to-b.from == 1 && (isPageNumber(first) && len(first) < 5 || isPageNumber(last) && len(last) < 5)
	small := b.size < 0.93*d.body
	spread := p.lines[b.from].to-p.lines[b.from].from > 1
	if p.scanned && numbered && (spread || upperCase(text)) && edge < 0.11 {
		return true
	}
	if gap < 0.9*d.body || b.to-b.from > 2 || b.size > 1.12*d.body && !spread || b.size > 1.45*d.body || b.style&tree.Bold != 0 && !small && !spread {
		return false
	}
	if lines < 8 {
		return small && edge < 0.07 && gap > 3*d.body && b.chars < 60 && lines > 3
	}
	signed := bytes.ContainsAny(text, "|©") || bytes.Contains(text, []byte("www.")) || bytes.Contains(text, []byte("http"))
	switch {
	case edge < 0.075 && gap > 1.5*d.body:
		return numbered || small || spread || signed || upperCase(text)
	case edge < 0.11:
		return numbered && (small || spread || upperCase(text)) || small && (signed || spread) || small && gap > 2*d.body && b.chars < 90
	}
	return false
}

// mentions reports whether text is one of the lines that archives print on pages.
func mentions(text []byte) bool {
	low := bytes.ToLower(text)
	for _, s := range []string{"downloaded from", "download date", "downloaded by", "this content downloaded", "all use subject to"} {
		if bytes.Contains(low, []byte(s)) {
			return true
		}
	}
	return false
}

// isSentence reports whether text says something, as footnotes do, and is not one of the
// lines in which publishers name themselves.
func isSentence(text []byte) bool {
	if !bytes.ContainsAny(text[len(text)-1:], ".?!") || bytes.ContainsAny(text, "|©") || bytes.Contains(bytes.ToLower(text), []byte("rights reserved")) {
		return false
	}
	words, small := bytes.Fields(text), 0
	for _, word := range words {
		if c, _ := utf8.DecodeRune(word); unicode.IsLower(c) {
			small++
		}
	}
	return len(words) >= 6 && small*2 > len(words)
}

// fields returns the first and the last word.
func fields(text []byte) ([]byte, []byte) {
	list := bytes.Fields(text)
	if len(list) == 0 {
		return nil, nil
	}
	return list[0], list[len(list)-1]
}

// isPageNumber reports whether text is nothing but the number of a page.
func isPageNumber(text []byte) bool {
	low := bytes.ToLower(bytes.Trim(text, " -–—|[]().,·•"))
	for _, word := range []string{"page", "seite", "p.", "pg.", "página", "страница", "of", "von", "de", "/"} {
		low = bytes.ReplaceAll(low, []byte(word), []byte(" "))
	}
	parts := bytes.Fields(low)
	if len(parts) == 0 || len(parts) > 2 || len(text) > 24 {
		return false
	}
	for _, part := range parts {
		if !isDigits(part) && isRoman(part) != len(part) && !(bytes.ContainsAny(part, "0123456789") && isDigits(bytes.ReplaceAll(part, []byte("-"), nil))) {
			return false
		}
		if len(part) > 5 {
			return false
		}
	}
	return true
}

// upperCase reports whether all letters of a text are capitals.
func upperCase(text []byte) bool {
	n := 0
	for _, c := range string(text) {
		if unicode.IsLower(c) {
			return false
		}
		if unicode.IsUpper(c) {
			n++
		}
	}
	return n > 3
}
