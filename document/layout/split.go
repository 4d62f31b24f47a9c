package layout

import "slices"

// refine splits the rows of a grid that hold several lines of data, as no lines are
// drawn between them.
func (c *cutter) refine(t *table, xs []float32) *table {
	columns := make([]span, 0, t.columns)
	for i := range t.columns {
		columns = append(columns, span{xs[i], xs[i+1]})
	}
	stacked := 0
	for y := range t.rows {
		stacked = max(stacked, c.stacked(c.rows(t.texts(y, 0)), columns))
	}
	if stacked < 3 && t.rows > 3 { // two numbers in a cell are meant to be there
		return t
	}
	first := make([]int, t.rows+1) // where each row begins that is split
	parts := make([][]float32, t.rows)
	names := make([]int, t.rows) // cells at the left that stand for all of its rows
	for y := range t.rows {
		if t.rows > 3 {
			names[y] = c.names(t, y)
		}
		parts[y] = c.dataRows(t, y, names[y], columns)
		first[y+1] = first[y] + len(parts[y])
	}
	if first[t.rows] == t.rows || first[t.rows]*t.columns > maxCells {
		return t
	}
	var out []cell
	for i := range t.cells {
		whole := &t.cells[i]
		y := whole.row
		if whole.rows == 1 && len(parts[y]) > 1 && whole.column >= names[y] {
			out = c.divide(out, whole, first[y], parts[y])
			continue
		}
		whole.rows, whole.row = first[y+whole.rows]-first[y], first[y]
		out = append(out, *whole)
	}
	t.cells, t.rows = out, first[t.rows]
	return t
}

// texts returns the runs of the cells of a row, from a column on.
func (t *table) texts(y, column int) (runs []int32) {
	for i := range t.cells {
		if s := &t.cells[i]; s.row == y && s.rows == 1 && s.column >= column {
			runs = append(runs, s.runs...)
		}
	}
	return runs
}

// names returns how many columns at the left hold one text each, beside several lines
// of others: these stand for all of the rows there.
func (c *cutter) names(t *table, y int) int {
	n := 0
	for i := range t.cells {
		if s := &t.cells[i]; s.row == y && s.rows == 1 && s.column == n && s.columns == 1 && len(c.rows(s.runs)) == 1 {
			n++
		}
	}
	return n
}

// dataRows returns the bottoms of the rows that a row of a grid holds, without the
// cells that stand for all of them.
func (c *cutter) dataRows(t *table, y, names int, columns []span) []float32 {
	one := []float32{1e9}
	if y == 0 && t.rows > 1 || names > t.columns-2 {
		return one
	}
	lines := c.rows(t.texts(y, names))
	if len(lines) < 2 {
		return one
	}
	shared := 0
	for i := range lines {
		if len(lines[i].runs) > 1 {
			shared++
		}
	}
	if c.stacked(lines, columns) < 2 {
		if t.rows > 3 {
			return one
		}
		if bottoms := c.spaced(lines, columns); bottoms != nil {
			return bottoms
		}
		if shared < 3 || shared*10 < len(lines)*7 || c.wrapped(lines, columns) {
			return one
		}
	}
	bottoms, _ := c.group(lines, columns, false)
	return bottoms
}

// stacked returns how many numbers stand below each other in most of the columns that have
// any. Each is in a row of its own, since a number never goes on in the next line.
func (c *cutter) stacked(lines []row, columns []span) int {
	count := make([]int, len(columns))
	for i := range lines {
		for _, k := range lines[i].runs {
			if at, _ := touched(columns, c.page.runs[k].Box); at > 0 && isFigure(c.page.runText(&c.page.runs[k])) {
				count[at]++
			}
		}
	}
	slices.Sort(count)
	for len(count) > 0 && count[0] == 0 {
		count = count[1:]
	}
	if len(count) == 0 {
		return 0
	}
	return count[len(count)/2]
}

// wrapped reports whether most lines go on in the next one of their column.
func (c *cutter) wrapped(lines []row, columns []span) bool {
	last := make([]*run, len(columns))
	full, all := 0, 0
	for i := range lines {
		for _, k := range lines[i].runs {
			r := &c.page.runs[k]
			at, _ := touched(columns, r.Box)
			if before := last[at]; before != nil {
				all++
				if before.width()+c.page.wordWidth(r)+0.5*r.size > columns[at].right-columns[at].left-0.5*r.size {
					full++
				}
			}
			last[at] = r
		}
	}
	return full*2 > all
}

// divide appends the parts of a cell whose row becomes several.
func (c *cutter) divide(out []cell, whole *cell, first int, bottoms []float32) []cell {
	at := len(out)
	for k := range bottoms {
		part := *whole
		part.row, part.runs = first+k, nil
		out = append(out, part)
	}
	for _, r := range whole.runs {
		k, _ := slices.BinarySearch(bottoms, c.page.runs[r].base-0.1*c.page.runs[r].size)
		part := &out[at+min(k, len(bottoms)-1)]
		part.runs = append(part.runs, r)
	}
	return out
}
