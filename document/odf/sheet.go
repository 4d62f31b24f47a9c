package odf

import (
	"slices"
	"strings"

	"github.com/trawlhq/trawl/document/tree"
	"github.com/trawlhq/trawl/document/zipped"
)

// spreadsheet reads the sheets. The headings of those that are hidden say so.
func (r *reader) spreadsheet(n *zipped.Node) {
	if r.doc.Language == "" {
		r.doc.Language = r.styles.defaultLanguage()
	}
	sheets := 0
	for c := range n.All() {
		if c.Name != "table:table" {
			continue
		}
		if sheets++; sheets > maxSheets {
			r.doc.Warn(warnSheets)
			return
		}
		name := c.Get("table:name")
		blocks := append(r.sheet(c), r.shapes(c.Child("table:shapes"))...)
		if st := r.styles.find(key{"table", c.Get("table:style-name")}); st != nil && !st.shown {
			if len(blocks) == 0 {
				continue
			}
			name += " (hidden)"
		}
		r.doc.Body = append(r.doc.Body, &tree.Heading{Level: 2, Text: []tree.Span{{Text: name}}})
		r.doc.Body = append(r.doc.Body, blocks...)
	}
}

// shapes reads text boxes and pictures that lie on a sheet. Charts show what is in
// the cells already.
func (r *reader) shapes(n *zipped.Node) []tree.Block {
	f := &flow{reader: r}
	for c := range n.All() {
		if c.Child("draw:object") == nil {
			f.block(c)
		}
	}
	return f.finish()
}

// sparse is a sheet: its cells that are not empty.
type sparse struct{ rows []sparseRow }

type sparseRow struct {
	at     int // its number on the sheet
	header bool
	cells  []sparseCell
}

type sparseCell struct {
	at   int // its column on the sheet
	cell tree.Cell
}

// sheet reads the tables of a sheet, none if it is empty.
func (r *reader) sheet(n *zipped.Node) []tree.Block {
	var s sparse
	at := 0
	whole := eachRow(n, false, func(row *zipped.Node, header bool) bool {
		times := repeated(row, "table:number-rows-repeated")
		cells := r.cellsOf(row)
		for i := 0; i < times && len(cells) > 0; i++ {
			if r.filled -= len(cells); r.filled < 0 {
				return false
			}
			s.rows = append(s.rows, sparseRow{at + i, header, cells})
		}
		at += times
		return true
	})
	if !whole {
		r.doc.Warn(warnCells)
	}
	var tables []tree.Block
	for _, part := range s.split() {
		if t := r.layOut(&part); t != nil {
			tables = append(tables, t)
		}
	}
	return tables
}

// split takes a sheet apart where a row is empty, unless the rows after it go on in
// the same columns and with numbers, as a group of the same table does.
func (s *sparse) split() []sparse {
	var out []sparse
	from := 0
	for i := 1; i <= len(s.rows); i++ {
		if i < len(s.rows) && (s.rows[i].at == s.rows[i-1].at+1 || s.covers(i) || s.continues(from, i)) {
			continue
		}
		out = append(out, sparse{s.rows[from:i]})
		from = i
	}
	return out
}

// covers tells whether a cell of the row before reaches down to a row.
func (s *sparse) covers(to int) bool {
	for _, c := range s.rows[to-1].cells {
		if s.rows[to-1].at+int(c.cell.Rows) >= s.rows[to].at {
			return true
		}
	}
	return false
}

// continues tells whether a row has a number, and the columns of the table before.
func (s *sparse) continues(from, to int) bool {
	next := s.rows[to].cells
	first := s.rows[from].cells
	return next[0].at == first[0].at && next[len(next)-1].at == first[len(first)-1].at &&
		slices.ContainsFunc(next, func(c sparseCell) bool { return c.cell.Numeric })
}

// maxColumns is how many columns programs know.
const maxColumns = 16384

// cellsOf returns the cells of a row that are not empty.
func (r *reader) cellsOf(row *zipped.Node) []sparseCell {
	var cells []sparseCell
	at := 0
	for c := range row.All() {
		if c.Name != "table:table-cell" && c.Name != "table:covered-table-cell" {
			continue
		}
		times := repeated(c, "table:number-columns-repeated")
		if c.Name == "table:table-cell" && c.Attr != nil {
			if cell, ok := r.sheetCell(c); ok {
				for i := 0; i < times && at+i < maxColumns; i++ {
					cells = append(cells, sparseCell{at + i, cell})
				}
				if times > maxColumns-at {
					r.doc.Warn(warnColumns)
				}
			}
		}
		at = min(at+times, maxColumns)
	}
	return cells
}

// sheetCell reads a cell as it is shown, and tells whether it shows something.
func (r *reader) sheetCell(n *zipped.Node) (tree.Cell, bool) {
	cell := tree.Cell{
		Columns: span(n, "table:number-columns-spanned"), Rows: span(n, "table:number-rows-spanned"),
		Numeric: isNumber(n.Get("office:value-type")),
	}
	var lines []tree.Span
	shown := false
	for c := range n.All() {
		if c.Name != "text:p" {
			continue
		}
		l := &line{reader: r, mono: true, without: ^tree.Style(0)}
		l.children(c)
		if shown {
			lines = append(lines, tree.Span{Text: "\n"})
		}
		lines = append(lines, l.finish()...)
		shown = true
	}
	if !shown {
		cell.Text = value(n)
		return cell, cell.Text != ""
	}
	if lines = tree.Trim(lines); len(lines) == 0 {
		return cell, false
	}
	cell.Body = []tree.Block{&tree.Paragraph{Text: lines}}
	cell.Simplify()
	return cell, true
}

// value returns the value of a cell that does not say how it is shown.
func value(n *zipped.Node) string {
	switch n.Get("office:value-type") {
	case "float", "percentage", "currency":
		return n.Get("office:value")
	case "date":
		return n.Get("office:date-value")
	case "time":
		return n.Get("office:time-value")
	case "boolean":
		return strings.ToUpper(n.Get("office:boolean-value"))
	}
	return n.Get("office:string-value")
}

// layOut makes a table of the rows and columns that have something in them.
func (r *reader) layOut(s *sparse) *tree.Table {
	columns := s.columns()
	if len(columns) == 0 {
		return nil
	}
	t := &tree.Table{Sheet: true}
	covered := make([]int, len(columns)) // up to which row a cell above covers each column
	for i := range s.rows {
		from := &s.rows[i]
		if r.cells -= len(columns); r.cells < 0 {
			r.doc.Warn(warnCells)
			break
		}
		if from.header && t.Header == i {
			t.Header++
		}
		t.Rows = append(t.Rows, s.row(i, columns, covered))
	}
	return t
}

// columns returns the numbers of the columns that have something in them.
func (s *sparse) columns() []int {
	used := map[int]bool{}
	for _, row := range s.rows {
		for i := range row.cells {
			used[row.cells[i].at] = true
		}
	}
	out := make([]int, 0, len(used))
	for c := range used {
		out = append(out, c)
	}
	slices.Sort(out)
	return out
}

// row makes a row of the table. Cells cover as many columns and rows as are left of
// those that they cover on the sheet.
func (s *sparse) row(number int, columns, covered []int) tree.Row {
	out := tree.Row{Cells: make([]tree.Cell, 0, len(columns))}
	from := &s.rows[number]
	next := 0
	for i := 0; i < len(columns); {
		for next < len(from.cells) && from.cells[next].at < columns[i] {
			next++ // covered by the cell before
		}
		if covered[i] > number {
			i++
			continue
		}
		if next == len(from.cells) || from.cells[next].at > columns[i] {
			out.Cells = append(out.Cells, tree.Cell{})
			i++
			continue
		}
		cell := from.cells[next].cell
		wide, _ := slices.BinarySearch(columns, columns[i]+int(cell.Columns))
		last := from.at + int(cell.Rows)
		high, _ := slices.BinarySearchFunc(s.rows, last, func(r sparseRow, at int) int { return r.at - at })
		cell.Columns, cell.Rows = int32(wide-i), int32(max(high-number, 1))
		for ; i < wide; i++ {
			covered[i] = max(high, number+1)
		}
		out.Cells = append(out.Cells, cell)
	}
	return out
}
