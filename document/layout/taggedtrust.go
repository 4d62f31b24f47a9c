package layout

import (
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
	r.left = bodyCovered < body
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
