package layout

import (
	"slices"
	"strings"
	"unicode"

	"github.com/trawlhq/trawl/document/tree"
)

// What a tree leaves out is kept if it says something: numbers of lines, watermarks and
// labels do not.
const (
	tagRestWords   = 3 // with letters
	tagRestLetters = 2 // in each of them, on average
)

// rest adds what the tree leaves out, as paragraphs where they stand. What is above or
// below all that is in the tree is a header or a footer, and stays out.
func (r *tagReader) rest() {
	drawn := r.drawn()
	t := r.line()
	end := func() { t.paragraph(r.insert) }
	for i := range r.page.Glyphs {
		g := &r.page.Glyphs[i]
		_, known := r.marks[g.Mark]
		switch {
		case known && !g.Generated:
			end()
			continue
		case known || g.Hidden || g.Turn != 0 || t.last == nil && (g.Generated || unicode.IsSpace(g.Rune)) || drawn.at(g):
			continue
		}
		if t.last != nil && (g.Y-t.last.Y > 2*g.Size || t.last.Y-g.Y > 0.6*g.Size) {
			end()
		}
		t.glyph(g)
	}
	end()
}

// insert puts a paragraph that the tree leaves out between the blocks around it.
func (r *tagReader) insert(b tagBlock) {
	if !tagSays(b.Block.(*tree.Paragraph)) {
		return
	}
	h, w := float64(r.page.Height), float64(r.page.Width)
	top, bottom := float64(b.box.Top)/h, float64(b.box.Bottom)/h
	above, at := false, -1
	for i := range r.placed {
		switch box := &r.placed[i].Box; {
		case *box == [4]float64{}:
		case box[1] < top:
			above = true
		case at < 0 && box[3] > bottom && box[0] < float64(b.box.Right)/w && box[2] > float64(b.box.Left)/w:
			at = i
		}
	}
	if !above || at < 0 {
		return
	}
	for i := range r.large {
		if r.large[i].at >= at {
			r.large[i].at++
		}
	}
	r.placed = slices.Insert(r.placed, at, r.place(b))
}

// tagSays reports whether a paragraph has words enough to say something.
func tagSays(p *tree.Paragraph) bool {
	words, letters := 0, 0
	for _, span := range p.Text {
		for word := range strings.FieldsSeq(span.Text) {
			n := 0
			for _, c := range word {
				if unicode.IsLetter(c) {
					n++
				}
			}
			if n > 0 {
				words, letters = words+1, letters+n
			}
		}
	}
	return words >= tagRestWords && letters >= tagRestLetters*words
}

// drawing tells which characters of the tree are drawn where.
type drawing map[spot]bool

// spot is a character at a place of some points.
type spot struct {
	rune rune
	x, y int
}

func spotOf(g *Glyph) spot { return spot{g.Rune, int(g.X / 3), int(g.Y / 3)} }

// drawn returns where the characters of the tree are.
func (r *tagReader) drawn() drawing {
	d := drawing{}
	for _, list := range r.marks {
		for _, i := range list {
			d[spotOf(&r.page.Glyphs[i])] = true
		}
	}
	return d
}

// at reports whether a glyph is drawn a second time, as the shadow of one of the tree.
func (d drawing) at(g *Glyph) bool {
	p := spotOf(g)
	for dx := -1; dx <= 1; dx++ {
		for dy := -1; dy <= 1; dy++ {
			if d[spot{p.rune, p.x + dx, p.y + dy}] {
				return true
			}
		}
	}
	return false
}
