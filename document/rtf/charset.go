package rtf

import (
	"cmp"
	"strings"
	"unicode"

	"github.com/trawlhq/trawl/document/codepage"
	"github.com/trawlhq/trawl/document/symbolfont"
)

// font is an entry of the font table.
type font struct {
	number   int
	name     strings.Builder
	codepage int  // 0 for that of the file
	symbols  bool // its characters are pictures
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
	return codepage.Decode(r.page(), b)
}

func (r *reader) isSymbolFont() bool {
	f := r.fonts[r.state.font]
	return f != nil && f.symbols && r.state.into != intoFonts && r.state.into != intoStyles
}

// page returns the code page of the font in use.
func (r *reader) page() int {
	page := r.codepage
	if f := r.fonts[r.state.font]; f != nil && r.state.into != intoStyles {
		page = cmp.Or(f.codepage, page)
	}
	if page == codepage.UTF16 { // which some write, although their text is in bytes
		return codepage.Western
	}
	return page
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
			r.font.codepage = codepage.OfCharset(t.value)
			r.font.symbols = t.value == 2
		}
	case "cpg":
		if r.font != nil && codepage.Known(t.value) && t.value != codepage.UTF16 {
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
// fonts hold ornaments; only some are known.
func (r *reader) symbolText(c byte) string {
	var signs symbolfont.Font
	if f := r.fonts[r.state.font]; f != nil {
		signs = symbolfont.Named(f.name.String())
	}
	switch sign, ok := signs[rune(c)]; {
	case ok:
		return string(sign)
	case signs != nil:
	case c == 0xB7:
		return "•"
	case c >= ' ' && c < 0x7F:
		return string(rune(c))
	}
	return ""
}

// isOrnament reports whether a label is a bullet: it has no letter and no number.
func isOrnament(label string) bool {
	return !strings.ContainsFunc(label, func(c rune) bool { return unicode.IsLetter(c) || unicode.IsNumber(c) })
}
