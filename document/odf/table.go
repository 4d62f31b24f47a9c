package odf

import (
	"strings"

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

func times(n *zipped.Node, attr string, cells ...tree.Cell) int {
	for i := range cells {
		if cells[i].Body != nil {
			return 1
		}
	}
	return min(repeated(n, attr), maxRepeats)
}

// table reads a table of a text.
func (r *reader) table(n *zipped.Node) *tree.Table {
	t := &tree.Table{}
	whole := eachRow(n, false, func(row *zipped.Node, header bool) bool {
		if header && t.Header == len(t.Rows) {
			t.Header++
		}
		made := r.row(row)
		for range times(row, "table:number-rows-repeated", made.Cells...) {
			if r.cells -= len(made.Cells); r.cells < 0 {
				return false
			}
			t.Rows = append(t.Rows, made)
		}
		return true
	})
	if !whole {
		r.warn(warnCells)
	}
	if len(t.Rows) == 0 {
		return nil
	}
	plainHeader(t)
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
		simplify(&cell)
		for range times(c, "table:number-columns-repeated", cell) {
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

// plainHeader takes away the bold of the rows at the top, if all their text is: it
// only says that they are headers.
func plainHeader(t *tree.Table) {
	for i := range t.Rows[:min(max(t.Header, 1), len(t.Rows))] {
		cells := t.Rows[i].Cells
		if !allBold(cells) {
			return
		}
		for j := range cells {
			for _, b := range cells[j].Body {
				if p, ok := b.(*tree.Paragraph); ok {
					unbold(p.Text)
				}
			}
			simplify(&cells[j])
		}
	}
}

// allBold tells whether the text of all cells is bold.
func allBold(cells []tree.Cell) bool {
	for i := range cells {
		if cells[i].Text != "" {
			return false
		}
		for _, b := range cells[i].Body {
			p, ok := b.(*tree.Paragraph)
			if !ok || !isBold(p.Text) {
				return false
			}
		}
	}
	return true
}

func isBold(spans []tree.Span) bool {
	for i := range spans {
		if spans[i].Style&tree.Bold == 0 && strings.TrimSpace(spans[i].Text) != "" {
			return false
		}
	}
	return true
}

func unbold(spans []tree.Span) {
	for i := range spans {
		spans[i].Style &^= tree.Bold
	}
}

// simplify makes a cell with nothing but plain text one of text.
func simplify(c *tree.Cell) {
	if len(c.Body) != 1 {
		return
	}
	p, ok := c.Body[0].(*tree.Paragraph)
	if !ok || len(p.Text) != 1 {
		return
	}
	if s := &p.Text[0]; isText(s) && s.Style == 0 && s.Link == "" && !strings.Contains(s.Text, "\n") {
		c.Text, c.Body = s.Text, nil
	}
}

func isNumber(valueType string) bool {
	return valueType == "float" || valueType == "percentage" || valueType == "currency"
}
