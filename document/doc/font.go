package doc

import (
	"cmp"
	"strings"

	"github.com/trawlhq/trawl/document/codepage"
)

// font is an entry of the table of fonts.
type font struct {
	name    string
	charset int
	mono    bool // all characters are of one width
}

type fonts []font

func (f *fib) readFonts() fonts {
	var out fonts
	list := f.part(partFonts)
	skip, head := 4, 39 // name after the numbers of a font
	if f.old {
		skip, head = 2, 5
	}
	for list = list.from(skip); len(list) > 0 && len(out) < 4096; {
		n := list.u8(0)
		d := list.cut(1, n)
		name := ""
		if f.old {
			name = string(d.from(head))
		} else {
			name = wide(d.from(head))
		}
		name, _, _ = strings.Cut(name, "\x00")
		out = append(out, font{name, d.u8(3), isMono(name)})
		list = list.from(n + 1)
	}
	return out
}

func isMono(name string) bool {
	name = strings.ToLower(name)
	for _, part := range [...]string{"courier", "consolas", "mono", "menlo", "monaco", "lucida console", "source code", "typewriter", "fixedsys", "terminal"} {
		if strings.Contains(name, part) && !strings.Contains(name, "monotype") {
			return true
		}
	}
	return false
}

func (fs fonts) isMono(i int) bool { return i < len(fs) && fs[i].mono }

// symbol returns a character of a font of symbols, 0 if it has no counterpart.
func (fs fonts) symbol(i int, c rune) rune {
	name := ""
	if i < len(fs) {
		name = strings.ToLower(fs[i].name)
	}
	switch code := c & 0xFF; {
	case c >= 0x100 && (c < 0xF000 || c > 0xF0FF):
		return c
	case name == "symbol":
		return symbolFont(code)
	case strings.HasPrefix(name, "wingdings"):
		return wingdings[code]
	case c >= 0xF000:
		return 0
	}
	return c
}

// isSymbolic tells whether all characters of a font are symbols.
func (fs fonts) isSymbolic(i int) bool { return i < len(fs) && fs[i].charset == 2 }

// symbols are the characters of the font Symbol from 0x22 on.
var symbols = []rune("∀#∃%&∋()∗+,−./0123456789:;<=>?" +
	"≅ΑΒΧ∆ΕΦΓΗΙϑΚΛΜΝΟΠΘΡΣΤΥςΩΞΨΖ[∴]⊥_" + "‾αβχδεφγηιϕκλμνοπθρστυϖωξψζ{|}∼")

var symbols2 = []rune("€ϒ′≤⁄∞ƒ♣♦♥♠↔←↑→↓°±″≥×∝∂•÷≠≡≈…⏐⎯↵ℵℑℜ℘⊗⊕∅∩∪⊃⊇⊄⊂⊆∈∉∠∇®©™∏√⋅¬∧∨⇔⇐⇑⇒⇓◊⟨®©™∑⎛⎜⎝⎡⎢⎣⎧⎨⎩⎪")

func symbolFont(code rune) rune {
	switch {
	case code >= 0x22 && int(code)-0x22 < len(symbols):
		return symbols[code-0x22]
	case code >= 0xA0 && int(code)-0xA0 < len(symbols2):
		return symbols2[code-0xA0]
	case code == 0x20 || code == 0x21:
		return code
	}
	return 0
}

// wingdings are the characters of that font that documents use.
var wingdings = map[rune]rune{
	0x20: ' ', 0x4A: '☺', 0x4C: '☹', 0x6C: '●', 0x6E: '■', 0x6F: '□', 0x71: '❑', 0x72: '❒', 0x73: '⬧', 0x74: '⧫', 0x75: '◆', 0x76: '❖',
	0x77: '⬥', 0x9F: '•', 0xA1: '○', 0xA7: '▪', 0xA8: '◻', 0xD8: '➢', 0xDF: '←', 0xE0: '→', 0xE1: '↑', 0xE2: '↓', 0xE8: '➔', 0xF0: '⇨',
	0xFB: '✗', 0xFC: '✓', 0xFD: '☒', 0xFE: '☑',
}

// decode returns text of an old file, which is in the code page of its font or of
// the file.
func (r *reader) decode(units []uint16, fontIndex int) string {
	bytes := make([]byte, len(units))
	plain := true
	for i, u := range units {
		bytes[i] = byte(u)
		plain = plain && u < 0x80
	}
	if plain {
		return string(bytes)
	}
	page := r.page
	if fontIndex < len(r.fonts) {
		page = cmp.Or(codepage.OfCharset(r.fonts[fontIndex].charset), page)
	}
	return codepage.Decode(page, bytes)
}
