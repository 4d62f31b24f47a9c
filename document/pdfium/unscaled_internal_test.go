package pdfium

import (
	"testing"

	"github.com/trawlhq/trawl/document/layout"
)

// Text in fonts without names that seems to be too small has the size of its letters.
func TestRescale(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		text  string
		width func(c rune) float32 // at a size of 10
	}{
		"letters of many widths":      {"drawn", func(c rune) float32 { return 10 * usualWidths[c-'a'] }},
		"letters that are as wide":    {"typed", func(rune) float32 { return 5.25 }},
		"the same, not known by name": {"\U000F0074\U000F0079\U000F0070\U000F0065", func(rune) float32 { return 5.25 }},
	} {
		p := &layout.Page{Fonts: []layout.Font{{Name: "Named"}, {}}}
		p.Glyphs = append(p.Glyphs, layout.Glyph{Rune: 'x', Size: 0.12})
		x := float32(50)
		for _, c := range test.text {
			w := test.width(c)
			p.Glyphs = append(p.Glyphs, layout.Glyph{Rune: c, Box: layout.Box{Left: x, Right: x + w, Top: 99.9, Bottom: 100}, X: x, Y: 100, Size: 0.12, Font: 1})
			x += w
		}
		(&textReader{page: p}).rescale()
		if got := p.Glyphs[0].Size; got != 0.12 {
			t.Errorf("%s: a font with a name has size %v", name, got)
		}
		for _, g := range p.Glyphs[1:] {
			if abs(g.Size-10) > 0.01 || abs(g.Top-92) > 0.01 || abs(g.Bottom-102) > 0.01 {
				t.Errorf("%s: %+v", name, g)
			}
		}
	}
}
