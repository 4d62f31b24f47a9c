package odf

import (
	"github.com/trawlhq/trawl/document/tree"
	"github.com/trawlhq/trawl/document/zipped"
)

// eachRow visits the rows of a table, which may be in groups, until visit returns
// false.
func eachRow(n *zipped.Node, header bool, visit func(row *zipped.Node, header bool) bool) bool {
	for c := range n.All() {
		ok := true
		switch c.Name {
		case "table:table-header-rows":
			ok = eachRow(c, true, visit)
		case "table:table-rows", "table:table-row-group":
			ok = eachRow(c, header, visit)
		case "table:table-row":
			ok = visit(c, header)
		}
		if !ok {
			return false
		}
	}
	return true
}

// maxRepeats bounds how often a row or cell of a text's table is repeated. Only those
// of plain text are: what holds tables itself would grow with each table around it.
const maxRepeats = 64

func (r *reader) times(n *zipped.Node, attr string, cells ...tree.Cell) int {
	most, filled := maxRepeats, false
	for i := range cells {
		if cells[i].Body != nil {
			most = 1
		}
		filled = filled || cells[i].Body != nil || cells[i].Text != ""
	}
	wanted := repeated(n, attr)
	if filled && wanted > most {
		r.doc.Warn(warnRepeats)
	}
	return min(wanted, most)
}

// table reads a table of a text.
func (r *reader) table(n *zipped.Node) *tree.Table {
	t := &tree.Table{}
	whole := eachRow(n, false, func(row *zipped.Node, header bool) bool {
		if header && t.Header == len(t.Rows) {
			t.Header++
		}
		made := r.row(row)
		for range r.times(row, "table:number-rows-repeated", made.Cells...) {
			if r.cells -= len(made.Cells); r.cells < 0 {
				return false
			}
			t.Rows = append(t.Rows, made)
		}
		return true
	})
	if !whole {
		r.doc.Warn(warnCells)
	}
	if len(t.Rows) == 0 {
		return nil
	}
	t.PlainHeader()
	return t
}

func (r *reader) row(n *zipped.Node) tree.Row {
	var row tree.Row
	for c := range n.All() {
		if c.Name != "table:table-cell" {
			continue // those that are covered by others have nothing to show
		}
		cell := tree.Cell{
			Body: r.blocks(c), Columns: span(c, "table:number-columns-spanned"), Rows: span(c, "table:number-rows-spanned"),
			Numeric: isNumber(c.Get("office:value-type")),
		}
		cell.Simplify()
		for range r.times(c, "table:number-columns-repeated", cell) {
			row.Cells = append(row.Cells, cell)
		}
	}
	return row
}

// repeated returns how often an element stands there.
func repeated(n *zipped.Node, attr string) int { return max(whole(n.Get(attr), 1), 1) }

// maxSpan bounds how many rows or columns a cell covers.
const maxSpan = 1000

func span(n *zipped.Node, attr string) int32 {
	return int32(min(max(whole(n.Get(attr), 1), 1), maxSpan))
}

func isNumber(valueType string) bool {
	return valueType == "float" || valueType == "percentage" || valueType == "currency"
}
