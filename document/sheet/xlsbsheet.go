package sheet

import (
	"strings"
	"unicode/utf16"
)

// utf16Text returns n characters of UTF-16.
func utf16Text(d fields, n int) string {
	units := make([]uint16, min(n, len(d)/2))
	for i := range units {
		units[i] = uint16(d.u16(2 * i))
	}
	return strings.ToValidUTF8(string(utf16.Decode(units)), "\uFFFD")
}

// readSheet reads the part of a sheet, and reports whether it came to its end.
func (b *binaryPack) readSheet(g *grid, name string) bool {
	r, err := b.records(name)
	if r == nil {
		return false
	}
	relations := b.relations(name)
	at, whole := place{row: -1, column: -1}, false
	for r.next() {
		switch d := r.data; {
		case r.id == binRow:
			at = place{far(d.u32(0)), -1}
		case r.id >= binBlank && r.id <= binFmlaError, r.id == binRichString:
			at.column = far(d.u32(0))
			b.cell(g, at, int(d.u32(4)&0xFFFFFF), r.id, d.from(8))
		case r.id >= binShortBlank && r.id <= binShortShared: // without a column: the next one
			at.column++
			b.cell(g, at, int(d.u32(0)&0xFFFFFF), r.id-binShortBlank+binBlank, d.from(4))
		case r.id == binMerged:
			g.merge(d.wideArea())
		case r.id == binLink:
			id, _ := d.wide(16)
			if target := relations[id]; target.external {
				g.link(d.wideArea(), target.target)
			}
		case r.id == binDrawing:
			id, _ := d.wide(0)
			b.drawing(g, relations[id].target)
		case r.id == binEndSheet:
			whole = true
		}
	}
	return whole && !r.cut && err == nil
}

// far returns the number of a row or column. Those that are too large stay so.
func far(n uint32) int32 { return int32(min(n, maxRow)) }

// wideArea reads an area: its rows, then its columns.
func (d fields) wideArea() area {
	return area{place{far(d.u32(0)), far(d.u32(8))}, place{far(d.u32(4)), far(d.u32(12))}}
}

// cell reads the value of a cell.
func (b *binaryPack) cell(g *grid, at place, style, id int, d fields) {
	switch id {
	case binRK:
		b.number(g, at, style, rk(d.u32(0)))
	case binReal, binFmlaNumber:
		b.number(g, at, style, d.float(0))
	case binBool, binFmlaBool:
		b.add(g, at, boolError(d.u8(0), false), false)
	case binError, binFmlaError:
		b.add(g, at, boolError(d.u8(0), true), false)
	case binString, binFmlaString:
		text, _ := d.wide(0)
		b.add(g, at, b.styles.text(style, text), false)
	case binRichString:
		text, _ := d.wide(1)
		b.add(g, at, b.styles.text(style, text), false)
	case binShared:
		if i := int(d.u32(0)); i < len(b.strings) && len(d) >= 4 {
			b.add(g, at, b.styles.text(style, b.strings[i]), false)
		}
	}
}

func (b *binaryPack) number(g *grid, at place, style int, v float64) {
	b.add(g, at, b.styles.format(style).show(v, b.since1904), true)
}
