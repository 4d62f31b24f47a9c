package layout

import (
	"cmp"
	"slices"
)

// subdivide adds the places between which text is aligned to the upright lines of a
// grid, where these leave several columns together. It returns the runs with those
// cut that stand in several of the columns.
func (c *cutter) subdivide(xs, ys []float32, inside []int32) ([]float32, []int32) {
	var more []float32
	for i := 1; i < len(xs); i++ {
		var runs []int32
		for _, k := range inside {
			if r := &c.page.runs[k]; r.turn == 0 && r.Left > xs[i-1]-2 && r.Right < xs[i]+2 {
				runs = append(runs, k)
			}
		}
		more = append(more, c.between(c.rows(runs), ys)...)
	}
	if len(more) == 0 {
		return xs, inside
	}
	xs = slices.Concat(xs, more)
	slices.Sort(xs)
	columns := make([]span, 0, len(xs))
	for i := 1; i < len(xs); i++ {
		columns = append(columns, span{xs[i-1], xs[i]})
	}
	var cut []int32
	for _, k := range inside {
		cut = c.page.cutRun(cut, k, columns)
	}
	return xs, cut
}

// between returns the places between the columns of lines, most of which have several
// in most of the rows that are drawn.
func (c *cutter) between(lines []row, ys []float32) (places []float32) {
	several := 0
	boxes := make([][]Box, len(lines))
	for i := range lines {
		for _, k := range lines[i].runs {
			boxes[i] = c.page.atoms(boxes[i], k)
		}
		if len(lines[i].runs) > 1 {
			several++
		}
	}
	if several < 3 || several*2 < len(lines) {
		return nil
	}
	bands := c.bands(lines, ys)
	several = 0
	for _, band := range bands {
		if slices.ContainsFunc(band, func(r row) bool { return len(r.runs) > 1 }) {
			several++
		}
	}
	if len(bands) > 3 && several*2 < len(bands) {
		return nil // pairs within a cell
	}
	columns := c.unite(lines, projectBoxes(boxes, c.size))
	if len(columns) < 2 || c.prose(lines, columns) {
		return nil
	}
	for i := 1; i < len(columns); i++ {
		places = append(places, (columns[i-1].right+columns[i].left)/2)
	}
	return places
}

// part splits the cells that no upright line parts, but that have text in several
// columns on one line.
func (c *cutter) part(t *table, xs []float32) {
	columns := make([]span, 0, t.columns)
	for i := range t.columns {
		columns = append(columns, span{xs[i], xs[i+1]})
	}
	var out []cell
	for i := range t.cells {
		whole := &t.cells[i]
		if whole.columns == 1 || !c.parted(whole, columns) {
			out = append(out, *whole)
			continue
		}
		out = c.partCell(out, whole, columns)
	}
	t.cells = out
}

// parted reports whether a cell has text in several columns on one line.
func (c *cutter) parted(whole *cell, columns []span) bool {
	lines := c.rows(whole.runs)
	for i := range lines {
		last := -1
		for _, k := range lines[i].runs {
			from, to := touched(columns, c.page.runs[k].Box)
			if last >= 0 && from > last {
				return true
			}
			last = to
		}
	}
	return false
}

// partCell appends the parts of a cell, one for each column or for those that a run
// reaches over alone.
func (c *cutter) partCell(out []cell, whole *cell, columns []span) []cell {
	at := make([]int, whole.columns) // index in out plus one
	runs := slices.Clone(whole.runs)
	slices.SortStableFunc(runs, func(a, b int32) int { return cmp.Compare(c.page.runs[a].width(), c.page.runs[b].width()) })
	for _, k := range runs {
		from, to := touched(columns, c.page.runs[k].Box)
		from = min(max(from-whole.column, 0), whole.columns-1)
		to = min(max(to-whole.column, from), whole.columns-1)
		taken := slices.IndexFunc(at[from:to+1], func(n int) bool { return n > 0 })
		if taken >= 0 {
			got := &out[at[from+taken]-1]
			got.runs = append(got.runs, k)
			continue
		}
		first, last := whole.column+from, whole.column+to
		out = append(out, cell{row: whole.row, rows: whole.rows, column: first, columns: to - from + 1, width: columns[last].right - columns[first].left, runs: []int32{k}})
		for i := from; i <= to; i++ {
			at[i] = len(out)
		}
	}
	for i, n := range at {
		if n == 0 {
			out = append(out, cell{row: whole.row, rows: whole.rows, column: whole.column + i, columns: 1})
		}
	}
	return out
}
