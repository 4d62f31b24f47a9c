package pdfium

import "github.com/trawlhq/trawl/document/layout"

// Fonts that are drawings say by a matrix of their own how large they are, which the
// library does not give. Where text seems to be far too small for it, as in what
// Ghostscript makes of TeX's bitmaps, its size is told from how wide its letters are.

// leastSize is the size below which nobody writes, in points.
const leastSize = 1

// usualWidths are those of the letters from a to z in Computer Modern, and of digits, in
// parts of the size. In the typewriter font all are equally wide.
var usualWidths = [26]float32{.5, .556, .444, .556, .444, .306, .5, .556, .278, .306, .528, .278, .833, .556, .5, .556, .528, .392, .394, .389, .556, .528, .722, .528, .528, .444}

const (
	digitWidth      = 0.5
	typewriterWidth = 0.525
)

// unscaled is how wide the letters of a font are.
type unscaled struct {
	n                 int
	sum, usual        float32
	narrowest, widest float32
	size              float32
}

// rescale gives the characters of fonts without names that seem to be too small the size
// that they most likely have.
func (r *textReader) rescale() {
	var fonts map[uint16]*unscaled
	for i := range r.page.Glyphs {
		g := &r.page.Glyphs[i]
		if g.Size >= leastSize || g.Generated || r.page.Fonts[g.Font].Name != "" {
			continue
		}
		if fonts == nil {
			fonts = map[uint16]*unscaled{}
		}
		f := fonts[g.Font]
		if f == nil {
			f = &unscaled{}
			fonts[g.Font] = f
		}
		f.add(g)
	}
	if fonts == nil {
		return
	}
	for _, f := range fonts {
		f.guess()
	}
	for i := range r.page.Glyphs {
		g := &r.page.Glyphs[i]
		if f := fonts[g.Font]; f != nil && f.size > 0 && g.Size < leastSize {
			resize(g, f.size)
		}
	}
}

func (f *unscaled) add(g *layout.Glyph) {
	c, width := g.Rune, g.Right-g.Left
	if c >= bitmapCode {
		c -= bitmapCode
	}
	if g.Turn&1 != 0 {
		width = g.Bottom - g.Top
	}
	switch {
	case c >= 'a' && c <= 'z':
		f.usual += usualWidths[c-'a']
	case c >= '0' && c <= '9':
		f.usual += digitWidth
	default:
		return
	}
	if f.n == 0 {
		f.narrowest = width
	}
	f.n++
	f.sum += width
	f.narrowest, f.widest = min(f.narrowest, width), max(f.widest, width)
}

func (f *unscaled) guess() {
	if f.n == 0 || f.sum <= 0 {
		return
	}
	if f.n > 3 && f.widest < 1.05*f.narrowest {
		f.size = f.widest / typewriterWidth
		return
	}
	f.size = f.sum / f.usual
}

// resize gives a character a size, and a box that is as high as that.
func resize(g *layout.Glyph, size float32) {
	const ascent, descent = 0.8, 0.2
	switch g.Size = size; g.Turn {
	case 0:
		g.Top, g.Bottom = g.Y-ascent*size, g.Y+descent*size
	case 1:
		g.Left, g.Right = g.X-descent*size, g.X+ascent*size
	case 2:
		g.Top, g.Bottom = g.Y-descent*size, g.Y+ascent*size
	case 3:
		g.Left, g.Right = g.X-ascent*size, g.X+descent*size
	}
}
