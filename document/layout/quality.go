package layout

import "unicode"

// Quality is what can be read of a page.
type Quality uint8

// What a page has.
const (
	Text    Quality = iota // text that can be read
	Empty                  // nothing
	Picture                // a picture and hardly any text: a scan
	Garbled                // glyphs of which is not known what they stand for
)

// Readable reports whether the glyphs of a page make text, or whether it has to be
// recognised from its picture.
func Readable(p *Page) Quality {
	var good, bad, space int
	for i := range p.Glyphs {
		switch c := p.Glyphs[i].Rune; {
		case isSpace(c) && c != 0:
			space++
		case c == 0, c == 0xfffd, c == 0xfffe, c == 0xffff, c < ' ' && c != hyphenMark, c >= 0x80 && c < 0xa0, c >= 0xe000 && c < 0xf000, !unicode.IsGraphic(c) && c < 0xf000 && c != hyphenMark:
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
	case bad*10 > (good+bad)*3:
		return Garbled
	case share > 0.4 && good < 40, share > 0.1 && good < 4:
		return Picture
	case good == 0:
		return Empty
	}
	return Text
}
