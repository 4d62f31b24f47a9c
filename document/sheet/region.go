package sheet

import (
	"cmp"
	"slices"
)

// A sheet often holds more than one table, with some empty rows or columns
// between them. A table is taken apart where one of these holds:
//
//   - a row is empty, unless the rows after it go on with the same columns and
//     with numbers, as a group of the same table does;
//   - a column is empty, and left and right of it mostly different rows are
//     filled, or the gap is wide and the sides begin or end in different rows;
//   - all rows above a line are filled in other columns than all below.
//
// One spacer column between labels and values thus keeps both in one table.

// maxCuts bounds how often parts of a sheet are taken apart once more.
const maxCuts = 32

// regions returns the cells of each table of a sheet, in reading order.
func regions(cells []cell) [][]cell {
	if len(cells) == 0 {
		return nil
	}
	return cut(cells, maxCuts)
}

func cut(cells []cell, depth int) [][]cell {
	if depth == 0 {
		return [][]cell{cells}
	}
	parts := byRows(cells)
	if len(parts) == 1 {
		parts = byColumns(cells)
	}
	if len(parts) == 1 {
		return parts
	}
	var all [][]cell
	for _, part := range parts {
		all = append(all, cut(part, depth-1)...)
	}
	return all
}

// bounds is how far cells reach to the left and right, with those that are merged.
type bounds struct{ left, right int32 }

func (b bounds) join(o bounds) bounds { return bounds{min(b.left, o.left), max(b.right, o.right)} }

func (c *cell) across() bounds { return bounds{c.column, c.to.column} }

// band is a run of rows without an empty one between them.
type band struct {
	from, to int // of the cells
	bounds
}

// byRows takes cells apart between rows.
func byRows(cells []cell) [][]cell {
	bands := []band{}
	for i, end := 0, int32(-2); i < len(cells); {
		row := cells[i].row
		next := band{i, i, bounds{cells[i].column, cells[i].column}}
		down := row
		for next.to < len(cells) && cells[next.to].row == row {
			c := &cells[next.to]
			next.bounds = next.join(c.across())
			down = max(down, c.to.row)
			next.to++
		}
		i = next.to
		last := len(bands) - 1
		if last >= 0 && (row <= end+1 || continues(bands[last], next, cells)) {
			bands[last].bounds = bands[last].join(next.bounds)
			bands[last].to = next.to
		} else {
			bands = append(bands, next)
		}
		end = max(end, down)
	}
	if len(bands) == 1 {
		return diagonal(cells)
	}
	parts := make([][]cell, 0, len(bands))
	for _, b := range bands {
		parts = append(parts, cells[b.from:b.to])
	}
	return parts
}

// continues reports whether a row after a gap belongs to the table before it.
func continues(before, row band, cells []cell) bool {
	if before.right-before.left < 1 || before.bounds != row.bounds || before.to-before.from < 4 {
		return false
	}
	return slices.ContainsFunc(cells[row.from:row.to], func(c cell) bool { return c.numeric })
}

// diagonal takes cells apart where all above a row stand left or right of all below.
func diagonal(cells []cell) [][]cell {
	after := make([]bounds, len(cells)) // of the cells from here on
	all := bounds{maxColumn, -1}
	for i := len(cells) - 1; i >= 0; i-- {
		all = all.join(cells[i].across())
		after[i] = all
	}
	before, down := bounds{maxColumn, -1}, int32(-1)
	for i := range cells {
		if i > 0 && cells[i].row > cells[i-1].row && cells[i].row > down &&
			(before.right < after[i].left || after[i].right < before.left) {
			return [][]cell{cells[:i], cells[i:]}
		}
		before = before.join(cells[i].across())
		down = max(down, cells[i].to.row)
	}
	return [][]cell{cells}
}

// side is a run of columns without an empty one between them.
type side struct {
	bounds
	rows        []int32 // that are filled
	first, last int32
}

// byColumns takes cells apart between columns.
func byColumns(cells []cell) [][]cell {
	sides := runs(cells)
	groups := sides[:0:0]
	for _, s := range sides {
		if n := len(groups); n > 0 && together(&groups[n-1], &s) {
			groups[n-1] = side{groups[n-1].join(s.bounds), union(groups[n-1].rows, s.rows), min(groups[n-1].first, s.first), max(groups[n-1].last, s.last)}
		} else {
			groups = append(groups, s)
		}
	}
	if len(groups) == 1 {
		return [][]cell{cells}
	}
	parts := make([][]cell, len(groups))
	for _, c := range cells {
		i, _ := slices.BinarySearchFunc(groups, c.column, func(s side, column int32) int { return cmp.Compare(s.right, column) })
		parts[i] = append(parts[i], c)
	}
	return parts
}

// runs finds the runs of columns.
func runs(cells []cell) []side {
	spans := make([]bounds, len(cells))
	for i := range cells {
		spans[i] = cells[i].across()
	}
	slices.SortFunc(spans, func(a, b bounds) int { return cmp.Compare(a.left, b.left) })
	var sides []side
	for _, s := range spans {
		if n := len(sides); n > 0 && s.left <= sides[n-1].right+1 {
			sides[n-1].right = max(sides[n-1].right, s.right)
		} else {
			sides = append(sides, side{bounds: s})
		}
	}
	for _, c := range cells {
		i, _ := slices.BinarySearchFunc(sides, c.column, func(s side, column int32) int { return cmp.Compare(s.right, column) })
		s := &sides[i]
		if n := len(s.rows); n == 0 || s.rows[n-1] != c.row {
			s.rows = append(s.rows, c.row)
		}
	}
	for i := range sides {
		sides[i].first, sides[i].last = sides[i].rows[0], sides[i].rows[len(sides[i].rows)-1]
	}
	return sides
}

// together reports whether two runs of columns are one table.
func together(a, b *side) bool {
	if b.left-a.right > 2 && (a.first != b.first || a.last != b.last) {
		return false
	}
	shared := len(a.rows) + len(b.rows) - len(union(a.rows, b.rows))
	return 2*shared >= max(len(a.rows), len(b.rows))
}

// union merges two sorted lists.
func union(a, b []int32) []int32 {
	out := slices.Concat(a, b)
	slices.Sort(out)
	return slices.Compact(out)
}
