package doc

import (
	"slices"
	"sort"

	"github.com/trawlhq/trawl/document/tree"
)

// tolerance is how far apart two edges of cells may be that are meant to be one,
// in twentieths of a point.
const tolerance = 30

// tableRow is a row: its cells with their paragraphs, and where they stand.
type tableRow struct {
	cells  [][]paragraph
	shape  []cellShape // empty if not known
	header bool
}

// cellShape is where a cell stands and whether it is part of another.
type cellShape struct {
	left, right int
	merged      bool // with the one before
	continued   bool // from the row above
}

// makeTable makes a table of paragraphs; one of a single cell is what is in it.
func (r *reader) makeTable(list []paragraph, depth int) []tree.Block {
	rows := r.rows(list, depth)
	switch {
	case len(rows) == 0:
		return nil
	case len(rows) == 1 && len(rows[0].cells) == 1:
		return r.frame(rows[0].cells[0], depth-1)
	}
	g := grid{r: r, depth: depth, edges: edges(rows), open: map[int]place{}}
	for i := range rows {
		g.add(&rows[i])
	}
	for g.table.Header < len(rows) && rows[g.table.Header].header {
		g.table.Header++
	}
	return []tree.Block{&g.table}
}

// frame makes blocks of paragraphs that stand in a table for its lines alone. They
// are taken as what surrounds it.
func (r *reader) frame(list []paragraph, depth int) []tree.Block {
	for i := range list {
		list[i].depth--
	}
	return r.blocks(list, depth)
}

// rows divides paragraphs into rows and cells.
func (r *reader) rows(list []paragraph, depth int) []tableRow {
	var out []tableRow
	var now tableRow
	start := 0
	endCell := func(end int) {
		now.cells = append(now.cells, list[start:end])
		start = end
	}
	for i := range list {
		p := &list[i]
		switch {
		case p.depth != depth:
		case p.rowEnd:
			if i > start {
				endCell(i)
			}
			start = i + 1
			now.header, now.shape = p.row.header, r.shape(p.row, len(now.cells))
			if len(now.cells) > 0 {
				out = append(out, now)
			}
			now = tableRow{}
		case p.cellEnd:
			endCell(i + 1)
		}
	}
	if start < len(list) {
		endCell(len(list))
	}
	if len(now.cells) > 0 {
		out = append(out, now)
	}
	return out
}

// shape reads where the cells of a row stand.
func (r *reader) shape(d *row, cells int) []cellShape {
	count := d.cells.u8(0)
	size := 20
	if r.old {
		size = 10
	}
	if count != cells || len(d.cells) < 1+2*(count+1) {
		return nil
	}
	out := make([]cellShape, count)
	for i := range out {
		flags := d.cells.u16(1 + 2*(count+1) + size*i)
		out[i] = cellShape{
			left: d.cells.i16(1 + 2*i), right: d.cells.i16(3 + 2*i),
			merged: flags&3 == 2, continued: !r.old && flags&0x60 == 0x20,
		}
	}
	for _, v := range d.vertical {
		if i := v.u8(0); i < count {
			out[i].continued = v.u8(1) == 1
		}
	}
	return out
}

// edges returns where the columns of a table begin and end.
func edges(rows []tableRow) []int {
	var all []int
	for i := range rows {
		for _, c := range rows[i].shape {
			all = append(all, c.left, c.right)
		}
	}
	slices.Sort(all)
	var out []int
	for _, e := range all {
		if len(out) == 0 || e-out[len(out)-1] > tolerance {
			out = append(out, e)
		}
	}
	if len(out) > maxEdges {
		return nil
	}
	return out
}

// maxEdges is how many edges a table may have; Word's have up to 64 in a row.
const maxEdges = 256

// grid is a table that grows row by row.
type grid struct {
	r     *reader
	depth int
	edges []int
	table tree.Table
	open  map[int]place // cells that may go on below, by their first column
}

type place struct{ row, cell int }

// column returns the number of the column that begins at an edge.
func (g *grid) column(edge int) int {
	return max(0, sort.SearchInts(g.edges, edge+1)-1)
}

// add adds a row, with cells that belong to others joined to them.
func (g *grid) add(row *tableRow) {
	var cells []tree.Cell
	number := len(g.table.Rows)
	open := map[int]place{}
	for i, list := range row.cells {
		c := tree.Cell{Body: g.r.blocks(list, g.depth)}
		if row.shape == nil || g.edges == nil {
			cells = append(cells, c)
			continue
		}
		s := row.shape[i]
		from, to := g.column(s.left), g.column(s.right)
		if i == 0 {
			from = 0
		}
		above, ok := g.open[from]
		switch {
		case s.merged && len(cells) > 0:
			last := &cells[len(cells)-1]
			last.Columns = max(last.Columns, 1) + int32(max(0, to-from))
			last.Body = append(last.Body, c.Body...)
			continue
		case s.continued && ok:
			cell := &g.table.Rows[above.row].Cells[above.cell]
			cell.Rows = int32(number - above.row + 1)
			cell.Body = append(cell.Body, c.Body...)
			open[from] = above
			continue
		}
		c.Columns = int32(max(1, to-from))
		open[from] = place{number, len(cells)}
		cells = append(cells, c)
	}
	g.open = open
	g.table.Rows = append(g.table.Rows, tree.Row{Cells: cells})
}
