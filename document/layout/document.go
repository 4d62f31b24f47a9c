package layout

import "github.com/trawlhq/trawl/document/tree"

// document is what is told from all pages together.
type document struct {
	pageByPage bool // tables are not joined over pages
	pages      []*page
	body       float32 // size of running text
	bold       bool    // running text is bold
	italic     bool
	font       uint32 // of running text
	notes      []note
	words      map[uint64]bool // that are in it, for what to do with hyphens
	tiers      []tier
	looks      map[look]*usage
	families   map[uint32]string // of fonts
	apart      float32           // usual white space between paragraphs, in parts of their size
	sized      bool              // headings are set larger than running text
}

// Finish returns the pages that were added, with their blocks in the order of
// reading, and the footnotes that they refer to.
func (b *Builder) Finish() ([]tree.Page, []tree.Note) {
	d := &document{pages: b.pages, pageByPage: b.PageByPage, families: b.reader.families}
	d.measure()
	d.margins()
	d.measure()
	d.footnotes()
	d.headings()
	d.promote()
	d.collect()
	return d.write()
}

// mostlyTables is how much more text there is in tables where they have the running text.
const mostlyTables = 2

// measure finds the size of running text.
func (d *document) measure() {
	var count, tabled [400]int
	var bold, italic, long, all, inTables int
	fonts := map[uint32]int{}
	at := func(size float32) int { return min(int(size*4+0.5), len(count)-1) }
	for _, p := range d.pages {
		for i := range p.blocks {
			b := &p.blocks[i]
			if b.kind == tableBlock {
				for k := range b.table.cells {
					for _, r := range b.table.cells[k].runs {
						tabled[at(p.runs[r].size)] += int(p.runs[r].chars)
						inTables += int(p.runs[r].chars)
					}
				}
			}
			if b.kind == tableBlock || b.kind == dropped || b.kind == codeBlock || b.turn != 0 {
				continue
			}
			count[at(b.size)] += int(b.chars)
			all += int(b.chars)
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
	if all*mostlyTables < inTables { // then what is outside of them is hardly running text
		for i := range count {
			count[i] += tabled[i]
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
