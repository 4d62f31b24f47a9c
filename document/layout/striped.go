package layout

import "slices"

// stripes finds tables that only have level rules: several of the same width above
// each other, with aligned text between them.
func (c *cutter) stripes(level []stroke, found []*table) []*table {
	var free []stroke
	for i, s := range level {
		if s.to-s.from > 6*c.size && !c.sibling(level, i) && !slices.ContainsFunc(found, func(t *table) bool {
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
			if t != nil && !slices.ContainsFunc(found, func(o *table) bool { return o.touches(t.Box) }) {
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

// sibling reports whether a rule goes on after a small gap, as those below each
// number of a table do.
func (c *cutter) sibling(level []stroke, i int) bool {
	s := &level[i]
	for k := max(i-20, 0); k < min(i+21, len(level)); k++ {
		o := &level[k]
		if k != i && abs(o.at-s.at) < 2 && o.from < s.to+1.2*c.size && o.to > s.from-1.2*c.size {
			return true
		}
	}
	return false
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
		runs := c.inside(Box{first.from - 2, ys[len(ys)-1], first.to + 2, s.at})
		if len(runs) == 0 && s.at-ys[len(ys)-1] > 3*c.size || !c.inRows(runs) {
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
func (c *cutter) inRows(runs []int32) bool {
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
	if flows, _ := c.flowing(rows, c.project(rows)); len(rows) > 4 && flows > 1 && multi*10 < len(rows)*9 {
		return false
	}
	return multi*4 >= len(rows) || len(rows) <= 2
}

// pageRows is how many lines two rules have between them that are the head and the foot of
// a page.
const pageRows = 25

// banded makes a table of text between level rules at ys.
func (c *cutter) banded(runs []int32, ys []float32) *table {
	rows := c.rows(runs)
	multi := 0
	for i := range rows {
		if len(rows[i].runs) > 1 {
			multi++
		}
	}
	if len(rows) < 2 || multi == 0 || multi*5 < len(rows) || c.isCode(rows) {
		return nil
	}
	columns := c.project(rows)
	if flows, _ := c.flowing(rows, columns); len(columns) < 2 || len(ys) < 5 && (flows > 1 || flows > 0 && len(rows) > pageRows && c.even(columns)) {
		return nil
	}
	columns = c.columnsOf(rows, columns)
	bands := c.bands(rows, ys)
	var bottoms []float32
	header := 1
	most, deep := 0, 0
	for _, b := range bands {
		most = max(most, len(b))
		deep = max(deep, c.stacked(b, columns))
	}
	single := len(bands) >= 4 && most <= 4 && deep < 3 // each band is a row
	named := map[int]int{}                             // bands with one name, by their first rows, and how many these are
	for i, band := range bands {
		switch {
		case i == 0 && len(bands) > 1 && len(band) <= 4:
			bottoms = append(bottoms, c.headRows(band, columns)...)
			header = len(bottoms)
		case single:
			bottoms = append(bottoms, band[len(band)-1].base)
		default:
			lines := c.unnamed(band, columns)
			more, n := c.group(lines, columns, i == 0)
			if i == 0 {
				header = n
			}
			if len(lines) > 0 && len(more) > 1 && len(bands) > 3 {
				named[len(bottoms)] = len(more)
			}
			bottoms = append(bottoms, more...)
		}
	}
	t := c.tabulate(rows, columns, bottoms, header)
	if t != nil {
		t.stretch(named)
	}
	return t
}

// unnamed returns the lines of a band without the text of the first column, if that
// is one name for several rows of numbers.
func (c *cutter) unnamed(band []row, columns []span) []row {
	inFirst := func(k int32) bool { at, _ := touched(columns, c.page.runs[k].Box); return at == 0 }
	var names, rest []int32
	for i := range band {
		for _, k := range band[i].runs {
			if inFirst(k) {
				names = append(names, k)
			} else {
				rest = append(rest, k)
			}
		}
	}
	if n := len(c.rows(names)); n != 1 || c.stacked(band, columns) < 2 {
		return band
	}
	return c.rows(rest)
}

// stretch makes the only cell of the first column that has text, in rows that belong
// together, span them all. The rows are given by the first of them and their number.
func (t *table) stretch(named map[int]int) {
	for first, n := range named {
		var name *cell
		filled := 0
		for i := range t.cells {
			if s := &t.cells[i]; s.column == 0 && s.row >= first && s.row < first+n {
				if len(s.runs) > 0 {
					name = s
					filled++
				}
				if s.columns > 1 {
					filled = n
				}
			}
		}
		if filled != 1 {
			continue
		}
		name.row, name.rows = first, n
		t.cells = slices.DeleteFunc(t.cells, func(s cell) bool {
			return s.column == 0 && s.row >= first && s.row < first+n && len(s.runs) == 0
		})
	}
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
