package layout

import (
	"slices"
	"unicode"
)

// Quality is what can be read of a page.
type Quality uint8

// What a page has.
const (
	Text    Quality = iota // text that can be read
	Empty                  // nothing
	Picture                // a picture and hardly any text: a scan
	Garbled                // glyphs of which is not known what they stand for
)

// tolerable is the part of the characters, one in so many, that may mean nothing.
const tolerable = 10.0 / 3

// meaningless reports whether a character stands for nothing that is known.
func meaningless(c rune) bool {
	switch {
	case c == hyphenMark:
		return false
	case c < ' ', c >= 0x80 && c < 0xa0, c >= 0xe000 && c < 0xf000, c == 0xfffd, c == 0xfffe, c == 0xffff:
		return true
	}
	return !unicode.IsGraphic(c) && c < 0xf000
}

// Legible removes the text of a page whose fonts do not say what their characters mean.
// What others say stays.
func Legible(p *Page) {
	good, bad := make([]int, len(p.Fonts)), make([]int, len(p.Fonts))
	for i := range p.Glyphs {
		if g := &p.Glyphs[i]; isSpace(g.Rune) || int(g.Font) >= len(p.Fonts) {
			continue
		} else if meaningless(g.Rune) {
			bad[g.Font]++
		} else {
			good[g.Font]++
		}
	}
	p.Glyphs = slices.DeleteFunc(p.Glyphs, func(g Glyph) bool {
		return int(g.Font) >= len(p.Fonts) || float64(bad[g.Font])*tolerable > float64(good[g.Font]+bad[g.Font])
	})
	p.Root = nil
}

// Readable reports whether the glyphs of a page make text, or whether it has to be
// recognised from its picture.
func Readable(p *Page) Quality {
	var good, bad int
	for i := range p.Glyphs {
		switch c := p.Glyphs[i].Rune; {
		case isSpace(c) && c != 0:
		case meaningless(c):
			bad++
		default:
			good++
		}
	}
	covered := float32(0)
	for _, b := range p.Pictures {
		w, h := min(b.Right, p.Width)-max(b.Left, 0), min(b.Bottom, p.Height)-max(b.Top, 0)
		if w > 0 && h > 0 {
			covered += w * h
		}
	}
	share := float32(0)
	if p.Width*p.Height > 0 {
		share = covered / (p.Width * p.Height)
	}
	switch {
	case float64(bad)*tolerable > float64(good+bad):
		return Garbled
	case share > 0.4 && good < 40, share > 0.1 && good < 4:
		return Picture
	case good == 0:
		return Empty
	}
	return Text
}
