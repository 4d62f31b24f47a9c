package layout

import (
	"cmp"
	"slices"
)

// stripes finds tables that only have level rules: several of the same width above
// each other, with aligned text between them.
func (c *cutter) stripes(level []stroke, found []*table) []*table {
	var free []stroke
	for _, s := range level {
		if s.to-s.from > 6*c.size && !slices.ContainsFunc(found, func(t *table) bool {
			return t.Top-2 < s.at && s.at < t.Bottom+2 && t.Left < s.to && t.Right > s.from
		}) {
			free = append(free, s)
		}
	}
	if len(free) > 400 {
		return found
	}
	used := make([]bool, len(free))
	for i := range free {
		if used[i] {
			continue
		}
		chain := []int{i}
		for k := i + 1; k < len(free); k++ {
			if abs(free[k].from-free[i].from) < 5 && abs(free[k].to-free[i].to) < 5 {
				chain = append(chain, k)
			}
		}
		for len(chain) > 1 {
			n, t := c.striped(free, chain)
			for _, k := range chain[:n] {
				used[k] = true
			}
			if t != nil {
				found = append(found, t)
			}
			chain = chain[max(n-1, 1):]
			if t != nil && len(chain) > 0 {
				chain = chain[1:]
			}
		}
	}
	return found
}

// striped tries to make a table of the first rules of a chain, as many as have
// aligned text between them. It returns how many rules it took.
func (c *cutter) striped(free []stroke, chain []int) (int, *table) {
	first := &free[chain[0]]
	var ys []float32
	ys = append(ys, first.at)
	n := 1
	for ; n < len(chain); n++ {
		s := &free[chain[n]]
		band := Box{first.from - 2, ys[len(ys)-1], first.to + 2, s.at}
		runs := c.inside(band)
		if len(runs) == 0 && s.at-ys[len(ys)-1] > 3*c.size || !c.inRows(runs, band) {
			break
		}
		ys = append(ys, s.at)
	}
	if n < 2 {
		return 1, nil
	}
	area := Box{first.from - 2, ys[0], first.to + 2, ys[len(ys)-1]}
	runs := c.inside(area)
	if len(runs) < 4 {
		return n, nil
	}
	if over := c.above(area); len(over) > 0 && len(c.rows(runs)) > 1 {
		runs = append(runs, over...)
		area.Top = c.page.runs[over[0]].Top
		ys = append([]float32{area.Top}, ys...)
	}
	t := c.banded(runs, ys)
	if t != nil {
		t.Box = area
	}
	return n, t
}

// above returns the runs of a line right above a table, if it is the header of its
// columns: several runs, within its sides.
func (c *cutter) above(area Box) []int32 {
	list := c.inside(Box{area.Left, area.Top - 2.4*c.size, area.Right, area.Top})
	rows := c.rows(list)
	if len(rows) != 1 || len(rows[0].runs) < 2 || !c.tabular(&rows[0]) {
		return nil
	}
	for _, k := range rows[0].runs {
		if r := &c.page.runs[k]; r.width() > 0.5*area.width() || r.Left < area.Left-2 || r.Right > area.Right+2 {
			return nil
		}
	}
	return rows[0].runs
}

// inRows reports whether runs between two rules look like rows of a table.
func (c *cutter) inRows(runs []int32, band Box) bool {
	if len(runs) == 0 {
		return true
	}
	rows := c.rows(runs)
	multi := 0
	for i := range rows {
		if len(rows[i].runs) > 1 {
			multi++
		}
	}
	if len(rows) > 4 && c.prose(rows, c.project(rows)) && multi*10 < len(rows)*9 {
		return false
	}
	return multi*2 >= len(rows) || len(rows) <= 2
}

// banded makes a table of text between level rules at ys.
func (c *cutter) banded(runs []int32, ys []float32) *table {
	rows := c.rows(runs)
	multi := 0
	for i := range rows {
		if len(rows[i].runs) > 1 {
			multi++
		}
	}
	if len(rows) < 2 || multi == 0 || multi*3 < len(rows) {
		return nil
	}
	columns := c.project(rows)
	if len(columns) < 2 || c.prose(rows, columns) && len(ys) < 5 {
		return nil
	}
	columns = c.columnsOf(rows, columns)
	bands := c.bands(rows, ys)
	var bottoms []float32
	header := 1
	most := 0
	for _, b := range bands {
		most = max(most, len(b))
	}
	single := len(bands) >= 4 && most <= 4 // each band is a row
	for i, band := range bands {
		switch {
		case i == 0 && len(bands) > 1 && len(band) <= 4:
			bottoms = append(bottoms, c.headRows(band, columns)...)
			header = len(bottoms)
		case single:
			bottoms = append(bottoms, band[len(band)-1].base)
		default:
			bottoms = append(bottoms, c.settle(band, columns)...)
		}
	}
	return c.tabulate(rows, columns, bottoms, header)
}

// bands groups rows by the rules between which they stand.
func (c *cutter) bands(rows []row, ys []float32) [][]row {
	var list [][]row
	last := -1
	for i := range rows {
		at, _ := slices.BinarySearch(ys, rows[i].base-0.3*rows[i].size)
		if at != last {
			list = append(list, nil)
			last = at
		}
		list[len(list)-1] = append(list[len(list)-1], rows[i])
	}
	return list
}

// headRows returns the bottoms of the rows of a header: lines with a cell above
// several columns are rows of their own, all else is one.
func (c *cutter) headRows(band []row, columns []span) []float32 {
	var bottoms []float32
	for i := range band {
		for _, k := range band[i].runs {
			if from, to := touched(columns, c.over(k)); to > from && i+1 < len(band) {
				bottoms = append(bottoms, band[i].base)
				break
			}
		}
	}
	return append(bottoms, band[len(band)-1].base)
}

// over returns the box of a run, or of the rule below it that tells which columns it
// is the header of.
func (c *cutter) over(k int32) Box {
	r := &c.page.runs[k]
	for _, s := range c.level {
		if s.at > r.base && s.at < r.base+0.9*r.size && s.from < r.Left+2 && s.to > r.Right-2 {
			return Box{s.from, r.Top, s.to, r.Bottom}
		}
	}
	return r.Box
}

// refine splits the rows of a grid that hold many lines of data.
func (c *cutter) refine(t *table) *table {
	if t.rows > 3 {
		return t
	}
	cells := t.cells
	for i := range cells {
		if cells[i].rows > 1 || cells[i].columns > 1 && cells[i].row > 0 {
			return t
		}
	}
	var out []cell
	shift := 0
	for y := range t.rows {
		parts := c.lines(cells, y)
		for i := range cells {
			if cells[i].row != y {
				continue
			}
			if len(parts) < 3 {
				cell := cells[i]
				cell.row += shift
				out = append(out, cell)
				continue
			}
			for k := range parts {
				cell := cells[i]
				cell.row, cell.runs = y+shift+k, nil
				for _, r := range cells[i].runs {
					if at := c.page.runs[r].base; at <= parts[k]+1 && (k == 0 || at > parts[k-1]+1) {
						cell.runs = append(cell.runs, r)
					}
				}
				out = append(out, cell)
			}
		}
		if len(parts) >= 3 {
			shift += len(parts) - 1
		}
	}
	t.cells, t.rows = out, t.rows+shift
	return t
}

// lines returns the baselines of a row of a grid if at least two cells share most of them.
func (c *cutter) lines(cells []cell, y int) []float32 {
	var all []float32
	filled, most := 0, 0
	for i := range cells {
		if cells[i].row != y || len(cells[i].runs) == 0 {
			continue
		}
		filled++
		most = max(most, len(cells[i].runs))
		for _, r := range cells[i].runs {
			all = append(all, c.page.runs[r].base)
		}
	}
	slices.SortFunc(all, func(a, b float32) int { return cmp.Compare(a, b) })
	var lines []float32
	shared, count := 0, 0
	for i, b := range all {
		if i > 0 && b-lines[len(lines)-1] < 0.35*c.size {
			if count++; count == 2 {
				shared++
			}
			continue
		}
		lines = append(lines, b)
		count = 1
	}
	if filled < 2 || shared*10 < len(lines)*7 {
		return nil
	}
	return lines
}
