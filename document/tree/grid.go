package tree

import "slices"

// GridRow is a row of a table whose cells say where they end and not which columns
// they are in, as word processors have it.
type GridRow struct {
	Header bool
	Cells  []GridCell
}

// GridCell is a cell of such a row.
type GridCell struct {
	Body      []Block
	Right     int  // where it ends, in twentieths of a point
	Loose     bool // where it ends is not known
	Merged    bool // with the cell before
	Continued bool // from the row above
}

// slack is how far apart two edges may be that are meant to be one.
const slack = 60

// maxEdges is how many columns a table may have; with more, none are known.
const maxEdges = 1000

// LayOut makes a table of rows whose cells may end at different places.
func LayOut(rows []GridRow) *Table {
	g := grid{edges: edges(rows)}
	for i := range rows {
		if rows[i].Header && g.Header == i {
			g.Header++
		}
		g.add(rows[i].Cells)
	}
	for _, row := range g.Rows {
		for i := range row.Cells {
			row.Cells[i].Simplify()
		}
	}
	return &g.Table
}

// edges returns where cells end, without what is as good as the edge before. There
// are none if there are too many.
func edges(rows []GridRow) []int {
	var all []int
	for i := range rows {
		for _, c := range rows[i].Cells {
			if !c.Loose {
				all = append(all, c.Right)
			}
		}
		if len(all) > 1<<16 {
			slices.Sort(all)
			all = slices.Compact(all)
		}
	}
	slices.Sort(all)
	var out []int
	for _, e := range all {
		if len(out) == 0 || e-out[len(out)-1] > slack {
			out = append(out, e)
		}
	}
	if len(out) > maxEdges {
		return nil
	}
	return out
}

// grid is a table that grows row by row.
type grid struct {
	Table
	edges []int
	open  map[int]place // cells that may go on below, by their first columns
}

// place is a cell by its row and its number in that.
type place struct{ row, cell int }

// width returns how many columns a cell has that begins in one. It has none if it
// ends where that before it does.
func (g *grid) width(c *GridCell, at int) int {
	if c.Loose || len(g.edges) == 0 {
		return 1
	}
	n, _ := slices.BinarySearch(g.edges, c.Right-slack)
	return max(min(n, len(g.edges)-1)-at+1, 0)
}

// add adds a row, with cells that belong to others joined to them.
func (g *grid) add(cells []GridCell) {
	var row []Cell
	open := map[int]place{}
	at := 0 // the column that the next cell begins in
	for i := range cells {
		c := &cells[i]
		width := g.width(c, at)
		above, ok := g.open[at]
		switch {
		case len(row) > 0 && (c.Merged || width == 0):
			last := &row[len(row)-1]
			last.Columns += int32(width)
			last.Body = append(last.Body, c.Body...)
		case c.Continued && ok:
			top := &g.Rows[above.row].Cells[above.cell]
			top.Rows = int32(len(g.Rows) - above.row + 1)
			top.Body = append(top.Body, c.Body...)
			open[at] = above
		default:
			open[at] = place{len(g.Rows), len(row)}
			row = append(row, Cell{Body: c.Body, Columns: int32(max(width, 1))})
		}
		at += width
	}
	g.open = open
	g.Rows = append(g.Rows, Row{Cells: row})
}
