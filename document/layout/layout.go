// Package layout finds the text in what is drawn on pages.
//
// A page says only where which glyph stands. From there it goes upwards: glyphs on
// a baseline that stand close together are a run; runs within rules, or aligned
// with each other over several lines, are a table; white space that goes through
// from top to bottom parts columns, which gives the order of reading; lines of a
// column at the usual distance are a paragraph. What can only be told from the
// whole document waits for [Builder.Finish]: which sizes are headings, what repeats
// in the margins of pages, which paragraphs go on over a page.
//
// Everything works on indexes into one text per page, and takes time that grows
// with the number of glyphs, whatever stands where.
package layout

import "github.com/trawlhq/trawl/document/tree"

// Builder makes blocks of text from pages.
type Builder struct {
	// PageByPage says that pages are wanted one by one: tables are not joined over them.
	PageByPage bool

	reader reader
	pages  []*page
	cut    []int // numbers of pages of which something is missing
	told   bool  // the structure tree was believed on a page

	chars, mono int // characters of the pages so far, and those in fonts of one width
}

// page is what is kept of a page.
type page struct {
	number        int
	width, height float32
	recognised    bool
	scanned       bool // recognised now or by who made the file
	confidence    float64
	rtl           bool // columns are read from right to left
	text          []byte
	pieces        []piece
	runs          []run
	gaps          []gap   // by run
	order         []int32 // runs of the lines
	lines         []line
	blocks        []block
	links         []Link
	tagged        []tree.Placed
	isTagged      bool
	large         []tagLarge
	titled        bool // there are headings in the structure tree
}

// NewBuilder returns a builder for one document.
func NewBuilder() *Builder { return &Builder{reader: reader{families: map[uint32]string{}}} }

// Add reads a page, which may be used for another one afterwards. Pages are added
// in their order.
func (b *Builder) Add(p *Page) {
	kept := &page{number: p.Number, width: p.Width, height: p.Height, recognised: p.Recognised, scanned: p.Recognised || hidden(p)}
	b.pages = append(b.pages, kept)
	if kept.isTagged = tagged(p, kept, b.told); kept.isTagged {
		b.told = true
		if p.Cut || len(p.Links) > maxLinks {
			b.cut = append(b.cut, p.Number)
		}
		return
	}
	kept.links = append(kept.links, p.Links[:min(len(p.Links), maxLinks)]...)
	kept.confidence = confidence(p)
	b.reader.runs(p, kept)
	if p.Cut || len(p.Links) > maxLinks || b.reader.budget < 0 {
		b.cut = append(b.cut, p.Number)
	}
	c := &cutter{page: kept}
	chars, mono := kept.measure(c)
	if mono*10 > chars*7 && b.mono*2 >= b.chars { // unless it is a listing after pages of text
		kept.typewritten()
	}
	b.chars, b.mono = b.chars+chars, b.mono+mono
	kept.initials(c.size)
	items := c.items(p)
	c.cut(items, 0)
}

// Cut returns the numbers of the pages that had more on them than was read.
func (b *Builder) Cut() []int { return b.cut }

// Bounds of the links of a page, as each is compared with each run.
const (
	maxLinks    = 2000
	maxCompared = 50_000_000
)

// confidence returns how sure the recognition of a page was; 0 if it was not recognised.
func confidence(p *Page) float64 {
	if !p.Recognised || len(p.Glyphs) == 0 {
		return 0
	}
	sum := 0
	for i := range p.Glyphs {
		sum += int(p.Glyphs[i].Confidence)
	}
	return float64(sum) / float64(len(p.Glyphs)) / 100
}

// hidden reports whether most of the text of a page is behind a picture.
func hidden(p *Page) bool {
	n := 0
	for i := range p.Glyphs {
		if p.Glyphs[i].Hidden {
			n++
		}
	}
	return n*2 > len(p.Glyphs)
}

// runText returns the text of a run.
func (p *page) runText(r *run) []byte {
	if r.to <= r.from {
		return nil
	}
	return p.text[p.pieces[r.from].from:p.pieces[r.to-1].to]
}
