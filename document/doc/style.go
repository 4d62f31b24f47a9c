package doc

import (
	"strings"
	"unicode/utf16"

	"github.com/trawlhq/trawl/document/codepage"
	"github.com/trawlhq/trawl/document/named"
)

// Numbers of built-in styles: 1 to 9 are headings.
const (
	styleTitle = 62
	noStyle    = 0xFFF
)

// style is an entry of the style sheet with what its bases give it.
type style struct {
	builtin int
	base    int
	role    named.Role
	paras   data
	chars   data

	done bool // the rest is known
	para para
	char char
}

// readStyles reads the style sheet.
func (r *reader) readStyles() {
	sheet := r.part(partStyles)
	n := sheet.u16(0)
	count, size := sheet.u16(2), sheet.u16(4)
	sheet = sheet.from(2 + n)
	for range min(count, noStyle) {
		n := sheet.u16(0)
		r.styles = append(r.styles, r.readStyle(sheet.cut(2, n), size))
		sheet = sheet.from(2 + n)
	}
	for i := range r.styles {
		r.resolve(i, 0)
	}
}

func (r *reader) readStyle(d data, size int) style {
	s := style{builtin: d.u16(0) & 0xFFF, base: d.u16(2) >> 4}
	kind, at, name := d.u16(2)&15, size, ""
	if r.old {
		n := d.u8(at)
		name = string(d.cut(at+1, n))
		at += n + 2
	} else {
		n := d.u16(at)
		name = wide(d.cut(at+2, 2*n))
		at += 2*n + 4
	}
	s.role = roleOf(s.builtin, name)
	next := func() data {
		at += at & 1
		n := d.u16(at)
		at += 2 + n
		return d.cut(at-n, n)
	}
	if kind == 1 {
		s.paras = next().from(2)
	}
	if kind == 1 || kind == 2 {
		s.chars = next()
	}
	return s
}

func wide(d data) string {
	units := make([]uint16, len(d)/2)
	for i := range units {
		units[i] = uint16(d.u16(2 * i))
	}
	return string(utf16.Decode(units))
}

// resolve fills in what a style has from its bases.
func (r *reader) resolve(i, depth int) *style {
	s := &r.styles[i]
	if s.done || depth > 32 {
		return s
	}
	s.done = true
	s.para.outline = -1
	if s.base < len(r.styles) && s.base != i {
		base := r.resolve(s.base, depth+1)
		s.para, s.char = base.para, base.char
		if s.role == (named.Role{}) {
			s.role = base.role
		}
	}
	if s.role.Level > 0 {
		s.para.outline = s.role.Level - 1
	}
	s.para.style = i
	r.applyPara(&s.para, s.paras, true)
	r.applyChar(&s.char, s.char, s.chars)
	return s
}

// roleOf returns the role of a style. Word keeps the numbers of its own styles in
// all languages; other programs write names alone.
func roleOf(builtin int, name string) named.Role {
	switch {
	case builtin >= 1 && builtin <= 9:
		return named.Role{Level: builtin}
	case builtin == styleTitle:
		return named.Role{Title: true}
	}
	return named.Style(name)
}

// applyStyle changes c by a style of characters. Styles that name others in their
// properties are not followed.
func (r *reader) applyStyle(c *char, i int) {
	if r.styling {
		return
	}
	r.styling = true
	r.applyBases(c, i, 0)
	r.styling = false
}

// applyBases applies what a style's bases say before what it says itself, but not
// the default of all paragraphs.
func (r *reader) applyBases(c *char, i, depth int) {
	if i >= len(r.styles) || depth > 16 {
		return
	}
	s := &r.styles[i]
	r.applyBases(c, s.base, depth+1)
	r.applyChar(c, *c, s.chars)
}

// language returns the language of the normal style.
func (r *reader) language() string {
	if len(r.styles) == 0 {
		return ""
	}
	language, _, _ := strings.Cut(codepage.Language(r.styles[0].char.language), "-")
	return language
}
