package pdfium

import (
	"strings"

	"github.com/trawlhq/trawl/document/layout"
)

// TeX wrote fonts as bitmaps for a long time: Type 3 fonts without a name, whose
// characters are named after their codes. What the codes mean is not in the file, but
// TeX has only a few encodings, and which of them a font has can be told from its use.

// bitmapCode is added to the codes of characters in fonts without names until it is
// known what they mean.
const bitmapCode = 0xF0000

// Codes of TeX's encodings for text that are not those of ASCII; 0 is none.
var (
	ot1Low   = []rune("ΓΔΘΛΞΠΣΥΦΨΩ\uFB00\uFB01\uFB02\uFB03\uFB04ıȷ`´ˇ˘¯˚¸ßæœøÆŒØ")
	ot1Other = map[rune]rune{'"': '”', '\'': '’', '`': '‘', '<': '¡', '>': '¿', '\\': '“', '{': '–', '|': '—', '}': '˝', 0x7F: '¨'}
	t1Low    = []rune("`´ˆ˜¨˝˚ˇ˘¯˙¸˛‚‹›“”„«»–—\x00\x00ıȷ\uFB00\uFB01\uFB02\uFB03\uFB04")
	t1Other  = map[rune]rune{'\'': '’', '`': '‘', 0x7F: '-'}
	t1High   = []rune("ĂĄĆČĎĚĘĞĹĽŁŃŇŊŐŔŘŚŠŞŤŢŰŮŸŹŽŻĲİđ§ăąćčďěęğĺľłńňŋőŕřśšşťţűůÿźžżĳ¡¿£" +
		"ÀÁÂÃÄÅÆÇÈÉÊËÌÍÎÏÐÑÒÓÔÕÖŒØÙÚÛÜÝÞ\x00àáâãäåæçèéêëìíîïðñòóôõöœøùúûüýþß")
)

// Codes of its encodings for formulas.
var (
	omlLow   = []rune("ΓΔΘΛΞΠΣΥΦΨΩαβγδεζηθικλμνξπρστυφχψωεϑϖϱςϕ")
	omlOther = map[rune]rune{':': '.', ';': ',', '<': '<', '=': '/', '>': '>', '@': '∂', '`': 'ℓ'}
	omsLow   = []rune("−·×∗÷⋄±∓⊕⊖⊗⊘⊙○◦•≍≡⊆⊇≤≥⪯⪰∼≈⊂⊃≪≫≺≻←→↑↓↔↗↘≃⇐⇒⇑⇓⇔↖↙∝′∞∈∋△▽/↦∀∃¬∅ℜℑ⊤⊥ℵ")
	omsOther = map[rune]rune{'[': '∪', '\\': '∩', '^': '∧', '_': '∨', 'f': '{', 'g': '}', 'h': '⟨', 'i': '⟩', 'j': '|', 'k': '‖', 'n': '\\', 'p': '√', 'r': '∇', 's': '∫', 'x': '§'}
)

// bitmapFont is what is known of a font by its use on a page.
type bitmapFont struct {
	count   [256]int     // of each code
	width   [256]float32 // of each, in parts of the size
	all     int
	words   int // stretches of characters that nothing interrupts
	letters int
	vowels  int
	size    float32
}

// bitmaps finds out what the characters of fonts without names mean. Those of which it
// cannot be told mean nothing.
func (r *textReader) bitmaps() {
	used := r.bitmapFonts()
	if len(used) == 0 {
		return
	}
	letters, vowels, all := 0, 0, 0
	for _, f := range used {
		letters, vowels, all = letters+f.letters, vowels+f.vowels, all+f.all-f.uses('.', '9')
	}
	// Letters that make no words were put into the fonts in some other order. What holds
	// for one page holds for the next, which may have too few to tell.
	if letters >= 40 && letters*2 > all && vowels*100 > letters*25 && vowels*100 < letters*55 {
		r.texBitmaps = true
	}
	decode := map[uint16]func(rune) rune{}
	for i, f := range used {
		decode[i] = unknown
		if r.texBitmaps {
			decode[i] = f.encoding(&r.page.Fonts[i])
		}
	}
	for i := range r.page.Glyphs {
		if g := &r.page.Glyphs[i]; g.Rune >= bitmapCode && g.Rune < bitmapCode+256 && used[g.Font] != nil {
			g.Rune = decode[g.Font](g.Rune - bitmapCode)
		}
	}
}

func unknown(rune) rune { return '\uFFFD' }

// bitmapFonts counts how fonts without names are used.
func (r *textReader) bitmapFonts() map[uint16]*bitmapFont {
	var used map[uint16]*bitmapFont
	last := -1 // font of the glyph before
	for i := range r.page.Glyphs {
		g := &r.page.Glyphs[i]
		if g.Rune < bitmapCode || g.Rune >= bitmapCode+256 || r.page.Fonts[g.Font].Name != "" {
			last = -1
			continue
		}
		f := used[g.Font]
		if f == nil {
			if used == nil {
				used = map[uint16]*bitmapFont{}
			}
			f = &bitmapFont{size: g.Size}
			used[g.Font] = f
		}
		if last != int(g.Font) {
			f.words++
		}
		last = int(g.Font)
		f.add(byte(g.Rune), (g.Right-g.Left)/max(g.Size, 0.1))
	}
	return used
}

func (f *bitmapFont) add(code byte, width float32) {
	f.count[code]++
	f.width[code] = width
	f.all++
	if c := code | 0x20; c >= 'a' && c <= 'z' && code < 0x80 {
		f.letters++
		if strings.IndexByte("aeiouy", c) >= 0 {
			f.vowels++
		}
	}
}

// uses returns how often codes of a range are used.
func (f *bitmapFont) uses(from, to int) (n int) {
	for _, count := range f.count[from : to+1] {
		n += count
	}
	return n
}

// encoding returns the meaning of the codes of a font, and completes what is known of
// the font.
func (f *bitmapFont) encoding(font *layout.Font) func(rune) rune {
	switch {
	case f.mono():
		font.Mono = true
		return func(c rune) rune { return or(c, c, nil, nil, nil) }
	case f.uses('a', 'e')+f.uses('l', 'o')+f.uses('t', 'w')+f.uses('.', '.')+f.uses(0x80, 0xFF) == 0 && f.uses(0, 0x1F)+f.uses('f', 'k') > 0:
		return func(c rune) rune {
			if c >= 'A' && c <= 'Z' { // of a script alphabet
				return c
			}
			return or(c, 0, omsLow, omsOther, nil)
		}
	case f.all < 3*f.words && f.uses(' ', '9') == 0:
		return func(c rune) rune { return or(c, c, omlLow, omlOther, nil) }
	}
	// Computer Modern is a sixth wider where it is bold.
	font.Bold = f.count['e'] > 0 && f.width['e'] > 0.505 && f.size > 7.9
	if f.uses(0x80, 0xFF) > 0 || f.uses(11, 15) == 0 && f.uses(27, 31) > 0 {
		return func(c rune) rune { return or(c, c, t1Low, t1Other, t1High) }
	}
	return func(c rune) rune { return or(c, c, ot1Low, ot1Other, nil) }
}

// mono reports whether the characters of a font are as wide as each other.
func (f *bitmapFont) mono() bool {
	most, kinds, same := 0, 0, 0
	for code, n := range f.count {
		if n > f.count[most] {
			most = code
		}
		if n > 0 {
			kinds++
		}
	}
	for code, n := range f.count {
		if abs(f.width[code]-f.width[most]) < 0.04*f.width[most] {
			same += n
		}
	}
	return kinds > 4 && same*20 >= f.all*19
}

// or returns the character of a code: of a list of the first ones, of one of those from
// 128 on or of a few others, else the given one.
func or(c, otherwise rune, low []rune, other map[rune]rune, high []rune) rune {
	found := otherwise
	switch o, ok := other[c]; {
	case int(c) < len(low):
		found = low[c]
	case ok:
		found = o
	case c >= 0x80:
		found = 0
		if i := int(c) - 0x80; i < len(high) {
			found = high[i]
		}
	}
	if found == 0 {
		return '\uFFFD'
	}
	return found
}
