package layout

import (
	"slices"

	"github.com/trawlhq/trawl/document/tree"
)

// look is how a block is set.
type look struct {
	size  int // in quarters of a point
	style tree.Style
	font  uint32
}

func lookOf(b *block) look {
	return look{int(b.size*4 + 0.5), b.style & (tree.Bold | tree.Italic), b.font}
}

// usage is what a document does with a look.
type usage struct {
	blocks  int
	claims  int       // of these that may be headings
	led     int       // claims that text of another look follows
	stacked int       // claims that a block of the same look follows
	terms   int       // claims whose text is set in, as the definitions of terms are
	chars   int       // of claims
	above   []float32 // white space above claims, in parts of their size
}

// Bounds of what is a style of headings.
const (
	fewClaims  = 3   // so many say little about a look
	manyClaims = 6   // from here on they follow each other for a reason
	minClaims  = 0.5 // part of the blocks of a look that are claims
	minLed     = 0.6 // part of the claims that lead text
	minTerms   = 0.5 // part of the claims that are terms
	maxChars   = 55  // of bold claims on average
	maxStacked = 0.6 // part of the claims that follow each other
	// white space above headings in another typeface, which may be measured otherwise
	nearlyApart = 0.8
	moreApart   = 1.15 // white space above headings against that above paragraphs
)

// survey finds which blocks may be headings, and how looks are used.
func (d *document) survey() {
	d.looks = map[look]*usage{}
	var gaps []float32
	var before *block
	var used *usage // of the block before, if that is a claim
	sizes := 0
	for _, p := range d.pages {
		for i := range p.blocks {
			b := &p.blocks[i]
			if b.kind == dropped || b.kind == noteBlock {
				continue
			}
			if used != nil {
				if b.kind != tableBlock && lookOf(b) == lookOf(before) && b.claim == noHeading && d.claimOf(p, i) != noHeading {
					used.stacked++
				} else {
					used.led++
				}
				used = nil
			}
			if b.kind != textBlock && b.kind != itemBlock {
				continue
			}
			u := d.looks[lookOf(b)]
			if u == nil {
				u = &usage{}
				d.looks[lookOf(b)] = u
			}
			u.blocks++
			b.claim = d.claimOf(p, i)
			if b.claim == bySize {
				sizes++
			}
			if b.claim != noHeading {
				u.claims++
				u.chars += int(b.chars)
				used, before = u, b
				if p.defined(i) {
					u.terms++
				}
			}
			if b.above < 1000 && b.size > 0 {
				if b.claim != noHeading {
					u.above = append(u.above, b.above/b.size)
				} else if b.kind == textBlock {
					gaps = append(gaps, b.above/b.size)
				}
			}
		}
	}
	d.sized = sizes >= fewClaims
	d.apart = middle(gaps)
}

// defined reports whether the text after block i is set in against it.
func (p *page) defined(i int) bool {
	if i+1 == len(p.blocks) {
		return false
	}
	b, next := &p.blocks[i], &p.blocks[i+1]
	if next.kind != textBlock || next.leaf != b.leaf || next.turn != 0 {
		return false
	}
	step := p.lines[next.from].start() - p.lines[b.from].start()
	return step > b.size && step < 6*b.size && next.style&tree.Bold == 0 && next.above < b.size
}

// middle returns the median of a list, which it sorts.
func middle(list []float32) float32 {
	if len(list) == 0 {
		return 0
	}
	slices.Sort(list)
	return list[len(list)/2]
}

// accepts reports whether headings look like a block that may be one.
func (d *document) accepts(p *page, b *block) bool {
	u := d.looks[lookOf(b)]
	part := func(n int, share float64) bool { return float64(n) >= share*float64(u.claims) }
	if u.claims >= manyClaims && part(u.stacked, maxStacked) {
		return false // lines of a list, or of a paragraph
	}
	if b.claim == bySize || b.claim == byWeight && u.claims >= fewClaims && numberDepth(p.blockText(b)) > 1 {
		return true
	}
	if float64(u.claims) < minClaims*float64(u.blocks) || part(u.terms, minTerms) {
		return false // emphasis, or terms with their definitions
	}
	// Where headings are larger than text, what is only bold stands out in another way.
	other := d.otherFamily(b)
	switch {
	case b.claim == byForm:
		return true
	case !other && u.claims >= fewClaims && u.chars > maxChars*u.claims: // signatures, or sentences
		return false
	case b.claim == byFamily:
		return u.claims >= fewClaims && middle(u.above) >= d.apart || u.claims >= manyClaims && middle(u.above) >= nearlyApart*d.apart
	case p.lastRune(&p.lines[b.to-1]) == ':':
		return d.sized && other
	case !d.sized:
		return true
	}
	return part(u.led, minLed) && (other || middle(u.above) > moreApart*d.apart)
}

// otherFamily reports whether a block is in a font of another family than running text.
func (d *document) otherFamily(b *block) bool {
	own, usual := d.families[b.font], d.families[d.font]
	return own != usual && own != "" && usual != ""
}
