package doc

import (
	"cmp"
	"strings"

	"github.com/trawlhq/trawl/document/codepage"
	"github.com/trawlhq/trawl/document/named"
	"github.com/trawlhq/trawl/document/symbolfont"
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
		out = append(out, font{name, d.u8(3), named.IsMono(name)})
		list = list.from(n + 1)
	}
	return out
}

func (fs fonts) isMono(i int) bool { return i < len(fs) && fs[i].mono }

// symbol returns a character of a font of symbols, 0 if it has no counterpart.
func (fs fonts) symbol(i int, c rune) rune {
	code, private := symbolfont.Private(c)
	if !private {
		code = c
	}
	if i < len(fs) && code < 0x100 {
		if signs := symbolfont.Named(fs[i].name); signs != nil {
			return signs[code]
		}
	}
	if private {
		return 0
	}
	return c
}

// isSymbolic tells whether all characters of a font are symbols.
func (fs fonts) isSymbolic(i int) bool { return i < len(fs) && fs[i].charset == 2 }

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
