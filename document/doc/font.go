package doc

import (
	"strings"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/japanese"
	"golang.org/x/text/encoding/korean"
	"golang.org/x/text/encoding/simplifiedchinese"
	"golang.org/x/text/encoding/traditionalchinese"
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

// charsets are the code pages of Windows' character sets.
var charsets = map[int]encoding.Encoding{
	77: charmap.Macintosh, 128: japanese.ShiftJIS, 129: korean.EUCKR, 134: simplifiedchinese.GBK, 136: traditionalchinese.Big5,
	161: charmap.Windows1253, 162: charmap.Windows1254, 163: charmap.Windows1258, 177: charmap.Windows1255, 178: charmap.Windows1256,
	186: charmap.Windows1257, 204: charmap.Windows1251, 222: charmap.Windows874, 238: charmap.Windows1250,
}

// codePages are charsets by their numbers.
var codePages = map[int]encoding.Encoding{
	874: charmap.Windows874, 932: japanese.ShiftJIS, 936: simplifiedchinese.GBK, 949: korean.EUCKR, 950: traditionalchinese.Big5,
	1250: charmap.Windows1250, 1251: charmap.Windows1251, 1252: charmap.Windows1252, 1253: charmap.Windows1253, 1254: charmap.Windows1254,
	1255: charmap.Windows1255, 1256: charmap.Windows1256, 1257: charmap.Windows1257, 1258: charmap.Windows1258, 10000: charmap.Macintosh,
}

// codePage returns the code page that Windows has for a language.
func codePage(language int) encoding.Encoding {
	switch language & 0x3FF {
	case 0x02, 0x19, 0x22, 0x23, 0x2F:
		return charmap.Windows1251
	case 0x05, 0x0E, 0x15, 0x18, 0x1A, 0x1B, 0x1C, 0x24:
		return charmap.Windows1250
	case 0x08:
		return charmap.Windows1253
	case 0x1F, 0x2C:
		return charmap.Windows1254
	case 0x0D:
		return charmap.Windows1255
	case 0x01, 0x20, 0x29:
		return charmap.Windows1256
	case 0x25, 0x26, 0x27:
		return charmap.Windows1257
	case 0x2A:
		return charmap.Windows1258
	case 0x1E:
		return charmap.Windows874
	case 0x11:
		return japanese.ShiftJIS
	case 0x12:
		return korean.EUCKR
	case 0x04:
		if language == 0x0404 || language == 0x0C04 {
			return traditionalchinese.Big5
		}
		return simplifiedchinese.GBK
	}
	return charmap.Windows1252
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
	if fontIndex < len(r.fonts) && charsets[r.fonts[fontIndex].charset] != nil {
		page = charsets[r.fonts[fontIndex].charset]
	}
	out, err := page.NewDecoder().Bytes(bytes)
	if err != nil {
		return ""
	}
	return string(out)
}
