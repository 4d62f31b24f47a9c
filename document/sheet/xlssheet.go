package sheet

import "math"

// readSheet reads the sheet that begins at a place of the stream, and reports
// whether it was there and came to its end.
func (x *workbook) readSheet(g *grid, at int) bool {
	first, ok := x.at(at)
	if !ok || versionOf(first) == 0 {
		return false
	}
	r := recordReader{workbook: x, grid: g}
	defer r.endFormula()
	depth := 1
	for rec, ok := x.at(first.next); ok; rec, ok = x.at(rec.next) {
		switch {
		case versionOf(rec) != 0: // a chart that lies on the sheet
			depth++
		case rec.id == recEOF:
			depth--
		case depth == 1:
			r.read(rec)
		}
		if depth == 0 {
			return true
		}
	}
	return false
}

// recordReader reads the records of a sheet.
type recordReader struct {
	*workbook
	grid    *grid
	formula place // whose text comes in a record of its own
	style   int   // of that
	pending bool
}

// read reads one record.
func (r *recordReader) read(rec record) {
	d := fields(rec.data)
	at := place{int32(d.u16(0)), int32(d.u16(2))}
	style := r.styleOf(d)
	body := 6 // where the value begins
	if r.version == 2 {
		body = 7
	}
	switch rec.id {
	case recLabelSST:
		if i := int(d.u32(6)); i < len(r.strings) && len(d) >= 10 {
			r.add(r.grid, at, r.styles.text(style, r.strings[i]), false)
		}
	case 0x0004, 0x0204, recRString:
		r.add(r.grid, at, r.styles.text(style, r.label(r.pieces(rec), body)), false)
	case 0x0002:
		r.number(at, style, float64(d.u16(body)))
	case 0x0003, 0x0203:
		r.number(at, style, d.float(body))
	case recRK:
		r.number(at, style, rk(d.u32(6)))
	case recMulRK:
		for i := 0; 4+6*i+6 <= len(d)-2; i++ {
			r.number(place{at.row, at.column + int32(i)}, d.u16(4+6*i), rk(d.u32(6+6*i)))
		}
	case 0x0005, 0x0205:
		r.add(r.grid, at, boolError(d.u8(body), d.u8(body+1) != 0), false)
	case 0x0006, 0x0206, 0x0406:
		r.formulaCell(at, style, d, body)
	case 0x0007, 0x0207:
		if r.pending {
			r.pending = false
			r.computed = true
			r.add(r.grid, r.formula, r.styles.text(r.style, r.label(r.pieces(rec), 0)), false)
		}
	case recMerged:
		for i := range min(d.u16(0), (len(d)-2)/8) {
			r.grid.merge(d.area(2 + 8*i))
		}
	case recHLink:
		r.grid.link(d.area(0), linkAddress(d))
	}
}

// styleOf returns the style of a cell. Version 2 has the number of a format instead.
func (r *recordReader) styleOf(d fields) int {
	if r.version > 2 {
		return d.u16(4)
	}
	id := int(d.u8(5) & 0x3F)
	for len(r.styles.cells) <= id { // styles are the formats, one for one
		r.styles.add(len(r.styles.cells))
	}
	return id
}

func (r *recordReader) number(at place, style int, v float64) {
	r.add(r.grid, at, r.styles.format(style).show(v, r.since1904), true)
}

// label returns the text in a record, from a place in it.
func (r *recordReader) label(pieces [][]byte, from int) string {
	d := fields(pieces[0]).from(from)
	switch {
	case r.version == 8:
		pieces[0] = d
		s := stringReader{pieces: pieces}
		return s.string()
	case r.version == 2:
		return r.byteString(d, 1)
	}
	return r.byteString(d, 2)
}

// endFormula counts a formula whose text did not come.
func (r *recordReader) endFormula() {
	if r.pending {
		r.pending = false
		r.uncached++
	}
}

// formulaCell reads a formula by its value. One that is text comes later.
func (r *recordReader) formulaCell(at place, style int, d fields, body int) {
	r.endFormula()
	if d.u16(body+6) != 0xFFFF {
		v := d.float(body)
		if v == 0 && d.u16(body+8)&calculate != 0 {
			r.zeros = append(r.zeros, zero{r.grid, len(r.grid.cells)})
		} else {
			r.computed = true
		}
		r.number(at, style, v)
		return
	}
	switch kind := d.u8(body); kind {
	case 0:
		r.pending, r.formula, r.style = true, at, style
	case 1, 2:
		r.computed = true
		r.add(r.grid, at, boolError(d.u8(body+2), kind == 2), false)
	case 3: // an empty text
		r.blanks++
	}
	if r.version == 8 {
		if address, ok := linkFormula(d.from(22)); ok {
			r.grid.link(area{at, at}, address)
		}
	}
}

// calculate is the flag of a formula that is to be computed when the file is opened.
const calculate = 2

// zero is a formula whose value is 0 but may not be: programs that compute nothing
// write that, and leave the rest to who opens the file.
type zero struct {
	grid *grid
	cell int
}

// dropZeros empties the formulas of a file that has nothing but such values, or
// empty texts.
func (x *workbook) dropZeros() {
	if x.computed {
		return
	}
	x.uncached += x.blanks
	for _, z := range x.zeros {
		if z.cell < len(z.grid.cells) {
			z.grid.cells[z.cell].text = ""
			x.uncached++
		}
	}
}

// linkFormula returns the address in a formula of the function HYPERLINK, given
// its tokens: text first, the function last.
func linkFormula(d fields) (string, bool) {
	n := len(d) - 4
	if n < 3 || d[0] != 0x17 || d[n]&0x1F != 0x02 || d.u16(n+2) != 359 {
		return "", false
	}
	return shortString(d.from(1)), true
}

// rk returns a number that was packed into 30 bits.
func rk(n uint32) float64 {
	v := float64(int32(n) >> 2)
	if n&2 == 0 {
		v = math.Float64frombits(uint64(n&^3) << 32)
	}
	if n&1 != 0 {
		v /= 100
	}
	return v
}

// boolError shows a truth value or an error.
func boolError(code byte, isError bool) string {
	if !isError {
		if code == 0 {
			return "FALSE"
		}
		return "TRUE"
	}
	switch code {
	case 0x00:
		return "#NULL!"
	case 0x07:
		return "#DIV/0!"
	case 0x0F:
		return "#VALUE!"
	case 0x17:
		return "#REF!"
	case 0x1D:
		return "#NAME?"
	case 0x24:
		return "#NUM!"
	}
	return "#N/A"
}

// linkAddress returns the address in the record of a link, if it is one on the web.
func linkAddress(d fields) string {
	flags := d.u32(28)
	rest := d.from(32)
	for _, flag := range []uint32{0x14, 0x80} { // what is shown, and in which frame
		if flags&flag != 0 {
			rest = rest.from(4 + 2*int(min(rest.u32(0), 1<<16)))
		}
	}
	if flags&0x1 == 0 {
		return ""
	}
	if flags&0x100 != 0 {
		return wideText(rest.from(4), int(min(rest.u32(0), 1<<16)))
	}
	if string(rest[:min(16, len(rest))]) != "\xE0\xC9\xEA\x79\xF9\xBA\xCE\x11\x8C\x82\x00\xAA\x00\x4B\xA9\x0B" {
		return "" // a file
	}
	return wideText(rest.from(20), int(min(rest.u32(16), 1<<16))/2)
}
