package sheet

import (
	"strconv"
	"strings"

	"github.com/trawlhq/trawl/document/zipped"
)

// readSheet reads the part of a sheet.
func (p *pack) readSheet(g *grid, name string) error {
	s, err := p.archive.Scan(name)
	if s == nil {
		return err
	}
	relations := p.relations(name)
	r := &sheetReader{pack: p, Scanner: s, grid: g, row: -1, column: -1}
	for k := s.Next(); k != zipped.AtEnd; k = s.Next() {
		if k != zipped.AtOpen {
			continue
		}
		switch s.Name() {
		case "row":
			r.row, r.column = r.row+1, -1
			if n := parseInt(s.Raw("r")); n > 0 {
				r.row = int32(n - 1)
			}
		case "c":
			r.cell()
		case "mergeCell":
			if a, ok := parseArea(s.Raw("ref")); ok {
				g.merge(a)
			}
		case "hyperlink":
			if a, ok := parseArea(s.Raw("ref")); ok {
				if target := relations[s.Get("id")]; target.external {
					g.link(a, target.target)
				}
			}
		case "drawing":
			p.drawing(g, relations[s.Get("id")].target)
		}
	}
	return err
}

// sheetReader reads the cells of a sheet.
type sheetReader struct {
	*pack
	*zipped.Scanner
	grid        *grid
	row, column int32
}

// cell reads a cell.
func (r *sheetReader) cell() {
	at := place{r.row, r.column + 1}
	if p, ok := parsePlace(r.Raw("r")); ok {
		at = p
	}
	r.row, r.column = at.row, at.column
	style, typ := parseInt(r.Raw("s")), r.Raw("t")
	var value, formula string
	var hasFormula, hasValue bool
	for depth := 1; depth > 0; {
		switch r.Next() {
		case zipped.AtEnd:
			depth = 0
		case zipped.AtClose:
			depth--
		case zipped.AtOpen:
			switch r.Name() {
			case "v":
				value, hasValue = r.Inner(""), true
			case "f":
				formula, hasFormula = r.Inner(""), true
			case "is":
				value, hasValue = richText(r.Scanner), true
			default:
				depth++
			}
		}
	}
	if hasFormula && (!hasValue || value == "" && typ != "str") {
		r.uncached++
		return
	}
	if hasValue {
		text, numeric := r.show(typ, value, style)
		r.add(r.grid, at, text, numeric)
		if address, ok := hyperlink(formula); ok {
			r.grid.link(area{at, at}, address)
		}
	}
}

// show returns the value of a cell as it is shown, and whether it is a number. The text
// does not share the memory of the sheet's part.
func (r *sheetReader) show(typ, value string, style int) (string, bool) {
	switch typ {
	case "s":
		i := parseInt(strings.TrimSpace(value))
		if i < 0 || i >= len(r.strings) {
			return "", false
		}
		return r.styles.text(style, r.strings[i]), false
	case "str", "inlineStr":
		return strings.Clone(r.styles.text(style, plain(value))), false
	case "b":
		if strings.TrimSpace(value) == "0" {
			return "FALSE", false
		}
		return "TRUE", false
	case "d":
		if f := r.styles.format(style); f != nil {
			if days, ok := daysOf(value); ok {
				return f.show(days, false), true
			}
		}
		return strings.Clone(value), false
	case "e":
		return strings.Clone(value), false
	}
	return r.styles.number(style, value, r.since1904)
}

// text shows text in a style.
func (s *styles) text(style int, text string) string {
	if f := s.format(style); f != nil {
		return f.string(text)
	}
	return text
}

// number shows what should be a number in a style.
func (s *styles) number(style int, value string, since1904 bool) (string, bool) {
	f := s.format(style)
	if f == nil && len(value) <= precision && isWhole(value) {
		return strings.Clone(value), true
	}
	v, err := strconv.ParseFloat(strings.TrimSpace(value), 64)
	if err != nil {
		return strings.Clone(value), false
	}
	return f.show(v, since1904), true
}

// isWhole reports whether text is a whole number in its shortest form.
func isWhole(text string) bool {
	if text == "" || text[0] == '0' && len(text) > 1 {
		return false
	}
	for i := range len(text) {
		if text[i] < '0' || text[i] > '9' {
			return false
		}
	}
	return true
}

// hyperlink returns the address in a formula that is nothing but a link to it.
func hyperlink(formula string) (string, bool) {
	rest, ok := strings.CutPrefix(strings.TrimLeft(formula, "= "), `HYPERLINK("`)
	if !ok {
		return "", false
	}
	address, _, ok := strings.Cut(rest, `"`)
	return address, ok
}

// parsePlace reads the name of a cell, like B7.
func parsePlace(name string) (place, bool) {
	column, i := 0, 0
	for ; i < len(name) && i < 4; i++ {
		c := name[i] &^ 0x20
		if c < 'A' || c > 'Z' {
			break
		}
		column = column*26 + int(c-'A') + 1
	}
	row := parseInt(name[i:])
	if i == 0 || row < 1 || row > maxRow || column > maxColumn {
		return place{}, false
	}
	return place{int32(row - 1), int32(column - 1)}, true
}

// parseArea reads the name of a cell or an area, like B7:C9.
func parseArea(name string) (area, bool) {
	from, to, ok := strings.Cut(name, ":")
	if !ok {
		to = from
	}
	a, okA := parsePlace(from)
	b, okB := parsePlace(to)
	return area{a, b}, okA && okB && a.row <= b.row && a.column <= b.column
}

// parseInt returns a number of up to nine digits, or -1.
func parseInt(text string) int {
	if text == "" || len(text) > 9 {
		return -1
	}
	n := 0
	for i := range len(text) {
		c := text[i]
		if c < '0' || c > '9' {
			return -1
		}
		n = n*10 + int(c-'0')
	}
	return n
}

// isTrue reports whether an attribute says yes.
func isTrue(text string) bool { return text == "1" || text == "true" }
