package layout

import (
	"bytes"
	"cmp"
	"slices"
)

// row is a line across all columns: runs on one baseline, from left to right.
type row struct {
	Box
	base, size float32
	runs       []int32
}

// rows groups runs by their baselines.
func (c *cutter) rows(runs []int32) []row {
	p := c.page
	sorted := slices.Clone(runs)
	slices.SortFunc(sorted, func(a, b int32) int { return cmp.Compare(p.runs[a].base, p.runs[b].base) })
	var list []row
	for i := 0; i < len(sorted); {
		head := &p.runs[sorted[i]]
		j := i + 1
		for j < len(sorted) && p.runs[sorted[j]].base-head.base < 0.35*min(head.size, p.runs[sorted[j]].size) {
			j++
		}
		r := row{Box: head.Box, base: head.base, size: head.size, runs: sorted[i:j:j]}
		for _, k := range r.runs {
			r.Box = r.union(p.runs[k].Box)
			r.size = max(r.size, p.runs[k].size)
		}
		slices.SortFunc(r.runs, func(a, b int32) int { return cmp.Compare(p.runs[a].Left, p.runs[b].Left) })
		list = append(list, r)
		i = j
	}
	return list
}

// aligned finds tables without rules among items: lines with runs that are aligned
// with those of the lines around them. It returns the items with the tables in
// place of their runs. Sure ones are tables of numbers, whatever stands around them.
func (c *cutter) aligned(items []item, sure bool) []item {
	var runs []int32
	for i := range items {
		if items[i].run >= 0 && c.page.runs[items[i].run].turn == 0 {
			runs = append(runs, items[i].run)
		}
	}
	if len(runs) < 6 || len(runs) > maxItems {
		return items
	}
	rows := c.rows(runs)
	taken := map[int32]bool{}
	var found []*table
	done := 0 // rows that are in a table already
	for i := 0; i < len(rows); {
		n := c.alike(rows[i:])
		if n == 0 {
			i++
			continue
		}
		from := max(c.headed(rows, i, n), done)
		if t := c.borderless(rows[from : i+n]); t != nil && !c.crossed(t, items) && (!sure || c.counts(t)) {
			found = append(found, t)
			for _, r := range rows[from : i+n] {
				for _, k := range r.runs {
					for taken[k] = true; c.page.runs[k].of > 0; taken[k] = true {
						k = c.page.runs[k].of - 1
					}
				}
			}
			done = i + n
		}
		i += n
	}
	if len(found) == 0 {
		return items
	}
	items = slices.DeleteFunc(slices.Clone(items), func(i item) bool { return i.run >= 0 && taken[i.run] })
	for _, t := range found {
		items = append(items, item{Box: t.Box, run: -1, table: t})
	}
	return items
}

// counts reports whether a table surely is one: numbers in several columns behind
// names, and no names behind numbers, as two tables beside each other have them.
func (c *cutter) counts(t *table) bool {
	if t.columns < 3 || t.rows < 4 {
		return false
	}
	figures, texts := make([]int, t.columns), make([]int, t.columns)
	for i := range t.cells {
		s := &t.cells[i]
		if s.row < t.header || s.columns > 1 {
			continue
		}
		for _, k := range s.runs {
			if r := &c.page.runs[k]; isFigure(c.page.runText(r)) {
				figures[s.column]++
			} else if r.chars > 5 {
				texts[s.column]++
			}
		}
	}
	if texts[0] <= figures[0] {
		return false
	}
	n := 0
	for i := 1; i < t.columns; i++ {
		if figures[i] > texts[i] {
			n++
		} else if n > 0 && texts[i] > figures[i] {
			return false
		}
	}
	return n > 1
}

// crossed reports whether a ruled table stands where a table would be.
func (c *cutter) crossed(t *table, items []item) bool {
	for i := range items {
		if items[i].run < 0 && items[i].touches(t.Box) {
			return true
		}
	}
	return false
}

// maxWrapped bounds the lines that a cell takes beyond those of its row.
const maxWrapped = 6

// alike returns how many rows from the first on have runs in the same columns.
func (c *cutter) alike(rows []row) int {
	if !c.tabular(&rows[0]) {
		return 0
	}
	var columns []aligned
	n, single, last := 0, 0, 0
	for i := range rows {
		r := &rows[i]
		if i > 0 && r.base-rows[i-1].base > 2.9*max(r.size, rows[i-1].size) {
			break
		}
		multi := c.tabular(r)
		if !multi && len(r.runs) > 1 {
			break
		}
		next, ok := c.fit(columns, r, i)
		if !multi && ok && len(columns) > 2 {
			multi = c.tight(columns, r)
		}
		if !ok && i+1 < len(rows) && c.section(columns, r, &rows[i+1]) {
			continue
		}
		if !ok {
			break
		}
		if multi {
			columns, n, last, single = next, n+1, i+1, 0
			continue
		}
		// text of one cell that goes on: below another cell, and no wider
		if single++; single > maxWrapped || len(next) != len(columns) || r.base-rows[i-1].base > 1.6*r.size {
			break
		}
	}
	if n < 3 && !(n == 2 && last == 2 && len(rows[0].runs) > 3 && len(rows[1].runs) == len(rows[0].runs)) {
		return 0
	}
	return c.tail(rows, last, columns)
}

// tight reports whether a row that is one run is several that stand close to each
// other, in at least half of the columns.
func (c *cutter) tight(columns []aligned, r *row) bool {
	parts := c.page.atoms(nil, r.runs[0])
	if len(parts) < 3 || len(parts)*2 < len(columns) {
		return false
	}
	last := -1
	for _, b := range parts {
		at := slices.IndexFunc(columns, func(s aligned) bool { return b.Left < s.right-1 && b.Right > s.left+1 })
		if at <= last {
			return false
		}
		last = at
	}
	return true
}

// section reports whether a row is the name of the rows below it: one run from the
// left on, and a row of the table after it.
func (c *cutter) section(columns []aligned, r, next *row) bool {
	if len(r.runs) != 1 || len(columns) < 2 || abs(r.Left-columns[0].left) > c.size || r.Right > columns[len(columns)-1].left || next.base-r.base > 2*r.size || !c.tabular(next) {
		return false
	}
	_, ok := c.fit(columns, next, -1)
	return ok
}

// tail adds the lines at the end in which the text of a cell goes on.
func (c *cutter) tail(rows []row, last int, columns []aligned) int {
	spans := make([]span, len(columns))
	for i := range columns {
		spans[i] = columns[i].span
	}
	for last < len(rows) && len(rows[last].runs) == 1 && rows[last].base-rows[last-1].base < 1.4*rows[last].size {
		from, _ := touched(spans, rows[last].Box)
		if next, ok := c.fit(columns, &rows[last], last); !ok || len(next) != len(columns) || from == 0 && !c.continues(&rows[last-1], &rows[last], spans) {
			break
		}
		last++
	}
	return last
}

// tabular reports whether a row may be one of a table: several runs, and not just a
// label and its text.
func (c *cutter) tabular(r *row) bool {
	if len(r.runs) < 2 {
		return false
	}
	first := &c.page.runs[r.runs[0]]
	text := c.page.runText(first)
	alone := labelLength(text) == len(text) || len(text) < 12 && isSectionNumber(text)
	return !(len(r.runs) == 2 && alone)
}

// aligned is a column of rows that may be a table, and the rows that have text in it.
type aligned struct {
	span
	rows []int
}

// beside reports whether a row has text in both of two columns. If none has, they
// are one, in which text stands to the left and to the right.
func (a *aligned) beside(b *aligned) bool {
	return slices.ContainsFunc(a.rows, func(row int) bool { return slices.Contains(b.rows, row) })
}

// fit puts the runs of a row into columns, which grow by that. It reports whether
// none of them stands in two columns; one that does may be several, close to each other.
func (c *cutter) fit(columns []aligned, r *row, number int) ([]aligned, bool) {
	next := slices.Clone(columns)
	for _, k := range r.runs {
		list := [1]Box{c.page.runs[k].Box}
		got, ok := fitBoxes(next, list[:], number)
		if !ok {
			parts := c.page.atoms(nil, k)
			if len(parts) == 1 {
				return nil, false
			}
			if got, ok = fitBoxes(next, parts, number); !ok {
				return nil, false
			}
		}
		next = got
	}
	slices.SortFunc(next, func(a, b aligned) int { return cmp.Compare(a.left, b.left) })
	for i := 1; i < len(next); i++ {
		if next[i].left < next[i-1].right {
			return nil, false
		}
	}
	return next, true
}

func fitBoxes(columns []aligned, boxes []Box, number int) ([]aligned, bool) {
	next := slices.Clone(columns)
	for _, b := range boxes {
		hit := -1
		for i := 0; i < len(next); i++ {
			s := &next[i]
			if b.Left >= s.right-1 || b.Right <= s.left+1 {
				continue
			}
			if hit < 0 {
				hit = i
				continue
			}
			if next[hit].beside(s) {
				return nil, false
			}
			next[hit] = aligned{span{min(next[hit].left, s.left), max(next[hit].right, s.right)}, slices.Concat(next[hit].rows, s.rows)}
			next = slices.Delete(next, i, i+1)
			i--
		}
		if hit < 0 {
			next = append(next, aligned{span{b.Left, b.Right}, []int{number}})
			continue
		}
		next[hit].span = span{min(next[hit].left, b.Left), max(next[hit].right, b.Right)}
		next[hit].rows = append(slices.Clip(next[hit].rows), number)
	}
	return next, true
}

// headed returns the first row above row i that belongs to the header of the table
// of n rows which begins there.
func (c *cutter) headed(rows []row, i, n int) int {
	area := rows[i].Box
	for k := range n {
		area = area.union(rows[i+k].Box)
	}
	for range 3 {
		if i == 0 {
			break
		}
		r := &rows[i-1]
		if rows[i].base-r.base > 2.2*r.size || r.Left < area.Left-r.size || r.Right > area.Right+2*r.size {
			break
		}
		alone := len(r.runs) == 1 && r.width() < 0.5*area.width() && r.Left > area.Left+0.2*area.width() && similar(r.size, rows[i].size)
		if !alone && !c.tabular(r) && len(c.page.atoms(nil, r.runs[0])) < 3 {
			break
		}
		i--
	}
	return i
}

// borderless makes a table of rows, unless they are columns of running text.
func (c *cutter) borderless(rows []row) *table {
	columns := c.project(rows)
	if len(columns) > 1 && c.prose(rows, columns) {
		return nil
	}
	if columns = c.columnsOf(rows, columns); len(columns) < 2 || c.prose(rows, columns) || c.contacts(rows) || c.isCode(rows) || c.scattered(rows, columns) {
		return nil
	}
	bottoms, header := c.group(rows, columns, true)
	return c.tabulate(rows, columns, bottoms, header)
}

// tabulate makes a table of rows, columns and the bottoms of its rows.
func (c *cutter) tabulate(rows []row, columns []span, bottoms []float32, header int) *table {
	var runs []int32
	for i := range rows {
		runs = append(runs, rows[i].runs...)
	}
	return c.place(runs, columns, bottoms, header)
}

// isSectionNumber reports whether text is a number such as 2.1 or 3.
func isSectionNumber(text []byte) bool {
	digits := false
	for _, b := range text {
		switch {
		case b >= '0' && b <= '9':
			digits = true
		case b != '.' && b != ')':
			return false
		}
	}
	return digits && (bytes.IndexByte(text, '.') >= 0 || len(text) < 3)
}
