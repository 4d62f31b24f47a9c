package sheet

import (
	"slices"

	"github.com/trawlhq/trawl/document/tree"
)

// table makes a table of cells. It has the rows and columns in which one of them
// is filled. budget is how many cells may still be made, empty ones included; the
// table is not complete if they were not enough.
func (g *grid) table(cells []cell, budget *int) (*tree.Table, bool) {
	var rows, columns []int32
	seen := map[int32]bool{}
	for _, c := range cells {
		if n := len(rows); n == 0 || rows[n-1] != c.row {
			rows = append(rows, c.row)
		}
		if !seen[c.column] {
			seen[c.column] = true
			columns = append(columns, c.column)
		}
	}
	slices.Sort(columns)
	fits := min(len(rows), *budget/len(columns))
	*budget -= fits * len(columns)
	t := &tree.Table{Header: 1, Sheet: true, Rows: make([]tree.Row, 0, fits)}
	covered := covered(cells, rows, columns)
	for _, row := range rows[:fits] {
		n := 1
		for n < len(cells) && cells[n].row == row {
			n++
		}
		t.Rows = append(t.Rows, tree.Row{Cells: g.row(cells[:n], columns, covered)})
		cells = cells[n:]
	}
	return t, fits == len(rows)
}

// row makes a row, up to its last cell that is filled.
func (g *grid) row(cells []cell, columns []int32, covered map[place]place) []tree.Cell {
	row := cells[0].row
	last, _ := slices.BinarySearch(columns, cells[len(cells)-1].column)
	out := make([]tree.Cell, 0, last+1)
	for _, column := range columns {
		at := place{row, column}
		span, isCovered := covered[at]
		var c *cell
		if len(cells) > 0 && cells[0].column == column {
			c, cells = &cells[0], cells[1:]
		}
		switch {
		case isCovered && span == place{}: // by a cell before it or above
		case c != nil:
			out = append(out, g.cell(c, span))
		case len(cells) > 0:
			out = append(out, tree.Cell{})
		}
	}
	return out
}

func (g *grid) cell(c *cell, span place) tree.Cell {
	out := tree.Cell{Text: c.text, Numeric: c.numeric}
	if text := g.span(c); text.Link != "" {
		out.Text = ""
		out.Body = []tree.Block{&tree.Paragraph{Text: []tree.Span{text}}}
	}
	if span.row > 1 {
		out.Rows = span.row
	}
	if span.column > 1 {
		out.Columns = span.column
	}
	return out
}

// span returns the text of a cell with the link that it is.
func (g *grid) span(c *cell) tree.Span { return tree.Span{Text: c.text, Link: g.links[c.place]} }

// maxCovered bounds how many cells of a table may be covered by others.
const maxCovered = 500_000

// covered returns how many rows and columns of the table the merged cells span,
// and the places that they cover, with nothing.
func covered(cells []cell, rows, columns []int32) map[place]place {
	out := map[place]place{}
	spare := maxCovered
	for i := range cells {
		c := &cells[i]
		if c.to == c.place {
			continue
		}
		down, across := between(rows, c.row, c.to.row), between(columns, c.column, c.to.column)
		spare -= len(down) * len(across)
		if spare < 0 {
			break
		}
		if overlaps(out, down, across) {
			continue
		}
		for _, row := range down {
			for _, column := range across {
				out[place{row, column}] = place{}
			}
		}
		out[c.place] = place{int32(len(down)), int32(len(across))}
	}
	return out
}

func overlaps(covered map[place]place, rows, columns []int32) bool {
	for _, row := range rows {
		for _, column := range columns {
			if _, ok := covered[place{row, column}]; ok {
				return true
			}
		}
	}
	return false
}

// between returns those of a sorted list that are from first to last.
func between(list []int32, first, last int32) []int32 {
	from, _ := slices.BinarySearch(list, first)
	to, _ := slices.BinarySearch(list, last+1)
	return list[from:to]
}
