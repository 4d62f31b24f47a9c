package rtf

import (
	"strings"
	"unicode"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/japanese"
	"golang.org/x/text/encoding/korean"
	"golang.org/x/text/encoding/simplifiedchinese"
	"golang.org/x/text/encoding/traditionalchinese"
)

// font is an entry of the font table.
type font struct {
	number   int
	name     strings.Builder
	codepage int  // 0 for that of the file
	symbols  bool // its characters are pictures
	decoder  *encoding.Decoder
	named    bool
}

// decode turns bytes in the code page of the font into text.
func (r *reader) decode(b []byte) string {
	if isASCII(b) && !r.isSymbolFont() {
		return string(b)
	}
	if r.isSymbolFont() {
		var out strings.Builder
		for _, c := range b {
			out.WriteString(r.symbolText(c))
		}
		return out.String()
	}
	decoder := r.decoder()
	if decoder == nil {
		return strings.ToValidUTF8(string(b), "\uFFFD")
	}
	out, err := decoder.Bytes(b)
	if err != nil {
		return strings.ToValidUTF8(string(b), "\uFFFD")
	}
	return string(out)
}

func (r *reader) isSymbolFont() bool {
	f := r.fonts[r.state.font]
	return f != nil && f.symbols && r.state.into != intoFonts && r.state.into != intoStyles
}

// decoder returns the decoder for the font in use; nil for UTF-8.
func (r *reader) decoder() *encoding.Decoder {
	f := r.fonts[r.state.font]
	if f == nil || r.state.into == intoStyles {
		return pageDecoder(r.codepage)
	}
	if f.decoder == nil {
		page := f.codepage
		if page == 0 {
			page = r.codepage
		}
		f.decoder = pageDecoder(page)
	}
	return f.decoder
}

// charsets are the code pages of \fcharset. ANSI, 0, is what the file says of
// itself: many writers use it for every font.
var charsets = map[int]int{
	77: 10000, 78: 932, 79: 949, 80: 936, 81: 950, 83: 1255, 84: 1256, 85: 1253, 86: 1254, 87: 874, 88: 1250, 89: 1251,
	128: 932, 129: 949, 134: 936, 136: 950, 161: 1253, 162: 1254, 163: 1258, 177: 1255, 178: 1256,
	186: 1257, 204: 1251, 222: 874, 238: 1250, 254: 437, 255: 850,
}

// pages are the code pages by their numbers; those not here are read as 1252.
var pages = map[int]encoding.Encoding{
	437: charmap.CodePage437, 850: charmap.CodePage850, 852: charmap.CodePage852, 855: charmap.CodePage855,
	858: charmap.CodePage858, 860: charmap.CodePage860, 862: charmap.CodePage862, 863: charmap.CodePage863,
	865: charmap.CodePage865, 866: charmap.CodePage866, 874: charmap.Windows874,
	932: japanese.ShiftJIS, 936: simplifiedchinese.GBK, 949: korean.EUCKR, 950: traditionalchinese.Big5,
	1250: charmap.Windows1250, 1251: charmap.Windows1251, 1252: charmap.Windows1252, 1253: charmap.Windows1253,
	1254: charmap.Windows1254, 1255: charmap.Windows1255, 1256: charmap.Windows1256, 1257: charmap.Windows1257,
	1258: charmap.Windows1258, 10000: charmap.Macintosh, 10001: japanese.ShiftJIS, 10002: traditionalchinese.Big5,
	10003: korean.EUCKR, 10007: charmap.MacintoshCyrillic, 10008: simplifiedchinese.GBK, 20866: charmap.KOI8R,
	21866: charmap.KOI8U, 28591: charmap.Windows1252, 28592: charmap.ISO8859_2, 28595: charmap.ISO8859_5,
	28597: charmap.ISO8859_7, 28605: charmap.ISO8859_15, 54936: simplifiedchinese.GB18030,
}

const pageUTF8 = 65001

func pageDecoder(page int) *encoding.Decoder {
	if page == pageUTF8 {
		return nil
	}
	if e := pages[page]; e != nil {
		return e.NewDecoder()
	}
	return charmap.Windows1252.NewDecoder()
}

// fontWord reads a word within the font table.
func (r *reader) fontWord(t *token) {
	switch string(t.name) {
	case "f":
		r.font = nil
		if len(r.fonts) < maxEntries {
			r.font = &font{number: t.value}
			r.fonts[t.value] = r.font
		}
	case "fcharset":
		if r.font != nil {
			r.font.codepage = charsets[t.value]
			r.font.symbols = t.value == 2
		}
	case "cpg":
		if r.font != nil && pages[t.value] != nil {
			r.font.codepage = t.value
		}
	}
}

// nameFont takes text of the font table: names, each ended by a semicolon.
func (r *reader) nameFont(s string) {
	if r.font == nil || r.font.named || r.font.name.Len() > 256 {
		return
	}
	name, _, ended := strings.Cut(s, ";")
	r.font.name.WriteString(name)
	r.font.named = ended
	key := strings.ToLower(strings.TrimSpace(r.font.name.String()))
	if _, known := r.fontNames[key]; ended && !known {
		r.fontNames[key] = r.font.number
	}
}

// symbolText returns what a character of a symbol font looks like. Most such
// fonts hold ornaments; the two that come with every program are known.
func (r *reader) symbolText(c byte) string {
	name := ""
	if f := r.fonts[r.state.font]; f != nil {
		name = strings.ToLower(strings.TrimSpace(f.name.String()))
	}
	switch {
	case strings.HasPrefix(name, "wingdings"):
		return wingdings[c]
	case c < ' ':
		return ""
	case strings.HasPrefix(name, "symbol") && c >= 0xA0:
		return nth(symbolHigh, int(c)-0xA0)
	case strings.HasPrefix(name, "symbol") && c >= '@':
		return nth(symbolLow, int(c)-'@')
	case c == 0xB7:
		return "•"
	case c < 0x7F:
		return string(rune(c))
	}
	return ""
}

// nth returns a character of a table, in which a space stands for none.
func nth(table string, n int) string {
	for _, c := range table {
		if n == 0 {
			if c == ' ' {
				return ""
			}
			return string(c)
		}
		n--
	}
	return ""
}

// The font Symbol from @ and from 0xA0 on.
const (
	symbolLow  = "≅ΑΒΧΔΕΦΓΗΙϑΚΛΜΝΟΠΘΡΣΤΥςΩΞΨΖ[∴]⊥_ αβχδεφγηιϕκλμνοπθρστυϖωξψζ{|}~ "
	symbolHigh = "€ϒ′≤⁄∞ƒ♣♦♥♠↔←↑→↓°±″≥×∝∂•÷≠≡≈…⏐⎯↵ℵℑℜ℘⊗⊕∅∩∪⊃⊇⊄⊂⊆∈∉∠∇®©™∏√⋅¬∧∨⇔⇐⇑⇒⇓◊〈®©™∑⎛⎜⎝⎡⎢⎣⎧⎨⎩⎪ 〉∫⌠⎮⌡⎞⎟⎠⎤⎥⎦⎫⎬⎭ "
)

// wingdings are the ornaments that say something.
var wingdings = map[byte]string{
	' ': " ", '(': "☎", '*': "✉", 'J': "☺", 'L': "☹", 'l': "●", 'm': "❍", 'n': "■", 'o': "□", 'q': "❑", 'r': "❒", 'u': "◆", 'v': "❖",
	'w': "⬥", 'x': "☒", 0x9F: "•", 0xA7: "▪", 0xA8: "☐", 0xB7: "•", 0xD8: "➢", 0xE0: "→", 0xDF: "←", 0xE8: "➔", 0xF0: "⇨",
	0xFB: "✗", 0xFC: "✓", 0xFD: "☒", 0xFE: "☑",
}

// isOrnament reports whether a label is a bullet: it has no letter and no number.
func isOrnament(label string) bool {
	return !strings.ContainsFunc(label, func(c rune) bool { return unicode.IsLetter(c) || unicode.IsNumber(c) })
}
