package layout

import (
	"bytes"

	"github.com/trawlhq/trawl/document/tree"
)

// document is what is told from all pages together.
type document struct {
	pages  []*page
	body   float32 // size of running text
	bold   bool    // running text is bold
	italic bool
	font   uint32 // of running text
	notes  []note
	words  map[uint64]bool // that are in it, for what to do with hyphens
	tiers  []tier
}

// note is a footnote.
type note struct {
	page  *page
	block int
	name  string
}

// Finish returns the pages that were added, with their blocks in the order of
// reading, and the footnotes that they refer to.
func (b *Builder) Finish() ([]tree.Page, []tree.Note) {
	d := &document{pages: b.pages}
	d.measure()
	d.margins()
	d.measure()
	d.footnotes()
	d.headings()
	d.collect()
	return d.write()
}

// measure finds the size of running text.
func (d *document) measure() {
	var count [400]int
	var bold, italic, long int
	fonts := map[uint32]int{}
	for _, p := range d.pages {
		for i := range p.blocks {
			b := &p.blocks[i]
			if b.kind == tableBlock || b.kind == dropped || b.kind == codeBlock || b.turn != 0 {
				continue
			}
			count[min(int(b.size*4+0.5), len(count)-1)] += int(b.chars)
			fonts[b.font] += int(b.chars)
			if b.to-b.from < 2 && b.chars < 80 { // a heading, perhaps
				continue
			}
			long += int(b.chars)
			if b.style&tree.Bold != 0 {
				bold += int(b.chars)
			}
			if b.style&tree.Italic != 0 {
				italic += int(b.chars)
			}
		}
	}
	best := 0
	for i := range count {
		if count[i]+around(count[:], i) > count[best]+around(count[:], best) {
			best = i
		}
	}
	d.body = float32(best) / 4
	d.bold, d.italic = bold*10 > long*7, italic*10 > long*7
	most := 0
	for font, n := range fonts {
		if n > most || n == most && font < d.font {
			d.font, most = font, n
		}
	}
}

// around returns half of what the neighbours of an entry count.
func around(count []int, i int) int {
	n := 0
	if i > 0 {
		n += count[i-1] / 2
	}
	if i+1 < len(count) {
		n += count[i+1] / 2
	}
	return n
}

// blockText returns the text of a block with its lines joined by spaces.
func (p *page) blockText(b *block) []byte {
	var text []byte
	for i := b.from; i < b.to; i++ {
		if len(text) > 0 {
			text = append(text, ' ')
		}
		text = p.appendLine(text, &p.lines[i])
	}
	return text
}

func (p *page) appendLine(text []byte, l *line) []byte {
	for k, at := range p.order[l.from:l.to] {
		if k > 0 {
			text = append(text, ' ')
		}
		text = append(text, p.runText(&p.runs[at])...)
	}
	return text
}

// noteMark returns the number or sign of a footnote that a run begins with, raised.
func (p *page) noteMark(r *run) string {
	first := &p.pieces[r.from]
	if first.style&tree.Super == 0 || r.to-r.from < 2 {
		return ""
	}
	return noteName(p.text[first.from:first.to])
}

// noteName returns the number or sign that refers to a footnote; "" if text is none.
func noteName(text []byte) string {
	text = bytes.Trim(text, " .)(")
	if len(text) == 0 || len(text) > 4 {
		return ""
	}
	if isDigits(text) && len(text) <= 3 {
		return string(text)
	}
	for _, c := range string(text) {
		if c != '*' && c != '†' && c != '‡' && c != '§' && c != '¶' {
			return ""
		}
	}
	return string(text)
}

func isDigits(text []byte) bool {
	for _, b := range text {
		if b < '0' || b > '9' {
			return false
		}
	}
	return len(text) > 0
}

// footnotes finds small text at the bottom of pages that begins with a number to
// which a raised number in the text refers.
func (d *document) footnotes() {
	for _, p := range d.pages {
		if len(p.blocks) > maxBlocks {
			continue
		}
		marks := map[string]int32{}
		for i := range p.blocks {
			b := &p.blocks[i]
			if b.kind != textBlock && b.kind != itemBlock || b.size > 0.94*d.body || b.Top < 0.45*p.height || b.turn != 0 {
				continue
			}
			if name := p.noteStart(b); name != "" && marks[name] == 0 && p.lowest(i, d.body) {
				d.notes = append(d.notes, note{p, i, name})
				marks[name] = int32(len(d.notes))
			}
		}
		if len(marks) > 0 {
			d.refer(p, marks)
		}
	}
}

// noteStart returns the name of the footnote that a block may be.
func (p *page) noteStart(b *block) string {
	r := &p.runs[p.order[p.lines[b.from].from]]
	if name := p.noteMark(r); name != "" {
		return name
	}
	text := p.runText(r)
	if n := bytes.IndexByte(text, ' '); n > 0 {
		text = text[:n]
	}
	return noteName(text)
}

// lowest reports whether nothing but small text stands below a block in its column.
func (p *page) lowest(i int, body float32) bool {
	b := &p.blocks[i]
	for k := range p.blocks {
		o := &p.blocks[k]
		if o.kind != dropped && o.Top > b.Bottom && o.size > 0.94*body && overlap(o.Left, o.Right, b.Left, b.Right) > 0.2 {
			return false
		}
	}
	return true
}

// refer connects the raised numbers of a page with its footnotes. Those that
// nothing refers to stay where they are.
func (d *document) refer(p *page, marks map[string]int32) {
	seen := map[int32]bool{}
	for i := range p.blocks {
		b := &p.blocks[i]
		if b.kind == tableBlock || b.kind == dropped || b.size <= 0.94*d.body {
			continue
		}
		for _, l := range p.lines[b.from:b.to] {
			for _, at := range p.order[l.from:l.to] {
				for k := p.runs[at].from; k < p.runs[at].to; k++ {
					piece := &p.pieces[k]
					if piece.style&tree.Super == 0 {
						continue
					}
					if n := marks[noteName(p.text[piece.from:piece.to])]; n > 0 && !seen[n] {
						piece.note = n
						seen[n] = true
					}
				}
			}
		}
	}
	for _, n := range marks {
		if seen[n] {
			p.blocks[d.notes[n-1].block].kind = noteBlock
		}
	}
}
