package ocr

import (
	"bytes"
	"cmp"
	"image"
	"slices"

	"github.com/trawlhq/trawl/document/layout"
)

const (
	darkPart   = 0.7     // of the mean brightness of a picture, below which a dot is dark
	shortest   = 40      // dots that a rule is long at least
	shortPart  = 1. / 25 // the same as a part of the shorter side of a picture
	thickest   = 1. / 20 // of its length, that a rule is thick; letters are thicker
	maxStrokes = 200_000
	maxRules   = 2000 // beyond which a picture is no page with tables
	paper      = 255
)

// rule is a line that is drawn across or down a picture, in dots.
type rule struct {
	down            bool
	strokes         []stroke
	at              float32 // the middle of it, on the other axis
	from, to, width float32
}

// stroke is an unbroken row of dark dots, across or down.
type stroke struct{ at, from, to int32 }

// Rules returns the lines that are drawn in the picture, as those of tables are;
// scale is how many points a dot is.
func (t *Text) Rules(scale float32) []layout.Box {
	boxes := make([]layout.Box, 0, len(t.rules))
	for i := range t.rules {
		r := &t.rules[i]
		box := layout.Box{Left: r.from, Right: r.to, Top: r.at - r.width/2, Bottom: r.at + r.width/2}
		if r.down {
			box = layout.Box{Left: box.Top, Right: box.Bottom, Top: box.Left, Bottom: box.Right}
		}
		boxes = append(boxes, layout.Box{Left: box.Left * scale, Top: box.Top * scale, Right: box.Right * scale, Bottom: box.Bottom * scale})
	}
	return boxes
}

// withoutRules returns a picture without its rules, which are taken for letters, and
// the rules.
func withoutRules(p *image.Gray) (*image.Gray, []rule) {
	rules := rulesOf(p)
	if len(rules) == 0 {
		return p, nil
	}
	clean := &image.Gray{Pix: bytes.Clone(p.Pix), Stride: p.Stride, Rect: p.Rect}
	for i := range rules {
		for _, s := range rules[i].strokes {
			for at := s.from; at < s.to; at++ {
				x, y := at, s.at
				if rules[i].down {
					x, y = y, x
				}
				clean.Pix[int(y)*clean.Stride+int(x)] = paper
			}
		}
	}
	return clean, rules
}

// rulesOf finds the rules of a picture.
func rulesOf(p *image.Gray) []rule {
	least := max(shortest, int32(shortPart*float64(min(p.Rect.Dx(), p.Rect.Dy()))))
	across, down := strokes(p, least)
	rules := joined(across, false)
	rules = append(rules, joined(down, true)...)
	if len(rules) > maxRules {
		return nil
	}
	return rules
}

// strokes finds all strokes of at least that length. None are returned if there are so
// many that the picture must be a photograph.
func strokes(p *image.Gray, least int32) (across, down []stroke) {
	dark := threshold(p)
	width := int32(p.Rect.Dx())
	lengths := make([]int32, width) // of the strokes downwards that go on
	for y := range int32(p.Rect.Dy()) {
		row := p.Pix[int(y)*p.Stride:][:width]
		length := int32(0)
		for x, value := range row {
			if value < dark {
				length++
				lengths[x]++
				continue
			}
			if length >= least {
				across = append(across, stroke{y, int32(x) - length, int32(x)})
			}
			if lengths[x] >= least {
				down = append(down, stroke{int32(x), y - lengths[x], y})
			}
			length, lengths[x] = 0, 0
		}
		if length >= least {
			across = append(across, stroke{y, width - length, width})
		}
		if len(across)+len(down) > maxStrokes {
			return nil, nil
		}
	}
	for x, length := range lengths {
		if length >= least {
			down = append(down, stroke{int32(x), int32(p.Rect.Dy()) - length, int32(p.Rect.Dy())})
		}
	}
	slices.SortFunc(down, func(a, b stroke) int { return cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(a.from, b.from)) })
	return across, down
}

// threshold returns the brightness below which a dot is dark.
func threshold(p *image.Gray) uint8 { return uint8(darkPart * brightness(p)) }

// joined makes rules of strokes that lie side by side, which are sorted. One that is
// not quite level is made of several that overlap only a little. What is too thick is
// an area or a letter.
func joined(list []stroke, down bool) []rule {
	var open, rules []rule
	finish := func(r rule) {
		dots, places := float32(0), float32(0)
		for _, s := range r.strokes {
			n := float32(s.to - s.from)
			dots += n
			places += n * (float32(s.at) + 0.5)
		}
		length := r.to - r.from
		if r.width = dots / length; r.width <= thickest*length {
			r.at, r.down = places/dots, down
			rules = append(rules, r)
		}
	}
	for _, s := range list {
		var mine *rule
		kept := open[:0]
		for _, r := range open {
			last := r.strokes[len(r.strokes)-1]
			if last.at < s.at-1 {
				finish(r)
				continue
			}
			kept = append(kept, r)
			if mine == nil && last.from <= s.to && s.from <= last.to {
				mine = &kept[len(kept)-1]
			}
		}
		if open = kept; mine == nil {
			open = append(open, rule{from: float32(s.from), to: float32(s.to)})
			mine = &open[len(open)-1]
		}
		mine.strokes = append(mine.strokes, s)
		mine.from, mine.to = min(mine.from, float32(s.from)), max(mine.to, float32(s.to))
	}
	for _, r := range open {
		finish(r)
	}
	return rules
}
