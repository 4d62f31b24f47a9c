package layout

import (
	"cmp"
	"slices"
)

// columnsOf returns the columns of rows more finely. Runs that reach over several columns because
// these stand close to each other are cut.
func (c *cutter) columnsOf(rows []row, columns []span) []span {
	boxes := make([][]Box, len(rows))
	more := false
	for i := range rows {
		for _, k := range rows[i].runs {
			n := len(boxes[i])
			boxes[i] = c.page.atoms(boxes[i], k)
			more = more || len(boxes[i])-n > 1
		}
	}
	if !more || len(rows) < 3 {
		return columns
	}
	finer := projectBoxes(boxes, c.size)
	if len(finer) <= len(columns) {
		return columns
	}
	for i := range rows {
		var runs []int32
		for _, k := range rows[i].runs {
			runs = c.page.cutRun(runs, k, finer)
		}
		rows[i].runs = runs
	}
	return c.strays(rows, finer)
}

// project returns the columns of rows: where runs stand in most of those that have many.
func (c *cutter) project(rows []row) []span {
	boxes := make([][]Box, len(rows))
	for i := range rows {
		for _, k := range rows[i].runs {
			boxes[i] = append(boxes[i], c.page.runs[k].Box)
		}
	}
	return c.labels(rows, c.strays(rows, c.unite(rows, projectBoxes(boxes, c.size))))
}

// unite joins a column that has text in one row only, such as a name that stands in
// the middle above its column, with one beside it that has none there.
func (c *cutter) unite(rows []row, columns []span) []span {
	if len(rows) < 4 {
		return columns
	}
	for i := 0; i < len(columns) && len(columns) > 2; i++ {
		n := 0
		for k := range rows {
			if c.covers(&rows[k], columns[i]) {
				n++
			}
		}
		if n != 1 {
			continue
		}
		rest := slices.Delete(slices.Clone(columns), i, i+1)
		if at := c.alone(rows, rest, columns[i]); at >= 0 {
			rest[at] = span{min(rest[at].left, columns[i].left), max(rest[at].right, columns[i].right)}
			columns = rest
			i--
		}
	}
	return columns
}

// labels joins columns that hold nothing but the bullets of lists with those of
// their text.
func (c *cutter) labels(rows []row, columns []span) []span {
	bullets := make([]int, len(columns))
	for i := range rows {
		for _, k := range rows[i].runs {
			at, _ := touched(columns, c.page.runs[k].Box)
			if text := []rune(string(c.page.runText(&c.page.runs[k]))); bullets[at] >= 0 && len(text) == 1 && isBullet(text[0]) {
				bullets[at]++
			} else {
				bullets[at] = -1
			}
		}
	}
	var out []span
	for i, s := range columns {
		if n := len(out); i > 0 && bullets[i-1] > 0 && n > 0 && s.left-columns[i-1].right < 3*c.size {
			out[n-1].right = s.right
			continue
		}
		out = append(out, s)
	}
	return out
}

// projectBoxes returns where boxes stand in most of the rows that have many.
func projectBoxes(rows [][]Box, size float32) []span {
	counts := make([]int, 0, len(rows))
	for i := range rows {
		counts = append(counts, len(rows[i]))
	}
	slices.Sort(counts)
	many := max(2, counts[len(counts)*8/10]*7/10)
	area := rows[0][0]
	for i := range rows {
		for _, b := range rows[i] {
			area = area.union(b)
		}
	}
	n := int(area.width()) + 3
	if n > 20000 {
		return nil
	}
	bins := make([]float32, n+1)
	used := 0
	for i := range rows {
		if len(rows[i]) < many {
			continue
		}
		used++
		for _, b := range rows[i] {
			bins[int(b.Left-area.Left)]++
			bins[min(int(b.Right-area.Left)+1, n)]--
		}
	}
	limit := float32(used) * 0.08
	var columns []span
	sum := float32(0)
	wide := max(0.3*size, 2)
	for x := range n {
		sum += bins[x]
		if sum <= limit || sum < 0.5 {
			continue
		}
		at := area.Left + float32(x)
		if k := len(columns); k > 0 && at-columns[k-1].right <= wide {
			columns[k-1].right = at + 1
		} else {
			columns = append(columns, span{at, at + 1})
		}
	}
	return columns
}

// strays adds columns for runs that stand in none, if there are several below each
// other or hardly any rows to judge by.
func (c *cutter) strays(rows []row, columns []span) []span {
	var extra []span
	var count []int
	for i := range rows {
		for _, k := range rows[i].runs {
			b := c.over(k)
			if slices.ContainsFunc(columns, func(s span) bool { return b.Left < s.right+2 && b.Right > s.left-2 }) {
				continue
			}
			at := slices.IndexFunc(extra, func(s span) bool { return b.Left < s.right && b.Right > s.left })
			if at < 0 {
				extra, count = append(extra, span{b.Left, b.Right}), append(count, 1)
				continue
			}
			extra[at] = span{min(extra[at].left, b.Left), max(extra[at].right, b.Right)}
			count[at]++
		}
	}
	for i := range extra {
		if at := c.alone(rows, columns, extra[i]); at >= 0 {
			columns[at] = span{min(columns[at].left, extra[i].left), max(columns[at].right, extra[i].right)}
		} else if count[i] > 1 || len(rows) < 4 {
			columns = append(columns, extra[i])
			slices.SortFunc(columns, func(a, b span) int { return cmp.Compare(a.left, b.left) })
		}
	}
	return columns
}

// alone returns the column next to a place that has nothing in the rows that have
// text there: that belongs to it. It is -1 if there is none.
func (c *cutter) alone(rows []row, columns []span, place span) int {
	next, _ := slices.BinarySearchFunc(columns, place.left, func(s span, x float32) int { return cmp.Compare(s.left, x) })
	best := -1
	for _, at := range [2]int{next - 1, next} {
		if at < 0 || at >= len(columns) || slices.ContainsFunc(rows, func(r row) bool {
			return c.covers(&r, place) && c.covers(&r, columns[at])
		}) {
			continue
		}
		if best < 0 || columns[at].left-place.right < place.left-columns[best].right {
			best = at
		}
	}
	return best
}

// covers reports whether a row has text in a column.
func (c *cutter) covers(r *row, s span) bool {
	return slices.ContainsFunc(r.runs, func(k int32) bool { return c.page.runs[k].Left < s.right && c.page.runs[k].Right > s.left })
}
