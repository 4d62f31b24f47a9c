package layout

import (
	"cmp"
	"slices"
)

// Bounds of the rules of a page that are looked at, of which the longest count, and
// of the groups of them.
const (
	maxRules  = 4000
	maxGroups = 300
)

// stroke is a line of a grid: where it is, and from where to where it goes.
type stroke struct {
	at, from, to float32
	shade        bool // the side of a shaded area
}

// items returns what stands on a page: the tables that rules and shades draw, the
// drawings, and all runs that are in none.
func (c *cutter) items(p *Page) []item {
	var found []*table
	if len(c.page.runs) <= maxItems {
		found = c.ruledTables(p)
	}
	taken := make([]bool, len(c.page.runs))
	var items []item
	for _, t := range found {
		items = append(items, item{Box: t.Box, run: -1, table: t})
		for i := range t.cells {
			for _, r := range t.cells[i].runs {
				for taken[r] = true; c.page.runs[r].of > 0; taken[r] = true {
					r = c.page.runs[r].of - 1
				}
			}
		}
	}
	for i := range c.page.runs {
		if !taken[i] && c.page.runs[i].of == 0 {
			items = append(items, item{Box: c.page.runs[i].Box, run: int32(i)})
		}
	}
	return items
}

// ruledTables finds the tables and drawings of a page.
func (c *cutter) ruledTables(p *Page) []*table {
	level, upright := strokes(p)
	c.level = level
	groups := components(level, upright)
	slices.SortStableFunc(groups, func(a, b group) int {
		return cmp.Compare(len(b.level)+len(b.upright), len(a.level)+len(a.upright))
	})
	var found []*table
	for _, g := range groups[:min(len(groups), maxGroups)] {
		if t := c.grid(&g); t != nil && !slices.ContainsFunc(found, func(o *table) bool { return o.touches(t.Box) }) {
			found = append(found, t)
		}
	}
	return c.pictures(p, c.stripes(level, found))
}

// strokes returns the level and the upright lines of a page. The sides of shaded
// areas count as lines.
func strokes(p *Page) (level, upright []stroke) {
	for _, b := range p.Rules {
		if b.width() >= b.height() {
			if b.width() > 1.5 {
				level = append(level, stroke{at: b.centerY(), from: b.Left, to: b.Right})
			}
		} else if b.height() > 1.5 {
			upright = append(upright, stroke{at: b.centerX(), from: b.Top, to: b.Bottom})
		}
	}
	for _, b := range p.Fills {
		if thin := min(b.width(), b.height()); thin < 5 && max(b.width(), b.height()) > 8*thin { // a thick rule
			if b.width() > b.height() {
				level = append(level, stroke{at: b.centerY(), from: b.Left, to: b.Right})
			} else {
				upright = append(upright, stroke{at: b.centerX(), from: b.Top, to: b.Bottom})
			}
			continue
		}
		if b.width() < 8 || b.height() < 5 || b.width()*b.height() > 0.7*p.Width*p.Height {
			continue
		}
		level = append(level, stroke{at: b.Top, from: b.Left, to: b.Right, shade: true}, stroke{at: b.Bottom, from: b.Left, to: b.Right, shade: true})
		upright = append(upright, stroke{at: b.Left, from: b.Top, to: b.Bottom, shade: true}, stroke{at: b.Right, from: b.Top, to: b.Bottom, shade: true})
	}
	short := func(s stroke) bool { return s.to-s.from < 5 } // even when put together
	return slices.DeleteFunc(merge(level), short), slices.DeleteFunc(merge(upright), short)
}

// merge joins lines that go on in one another.
func merge(list []stroke) []stroke {
	if len(list) > maxRules {
		slices.SortFunc(list, func(a, b stroke) int { return cmp.Compare(b.to-b.from, a.to-a.from) })
		list = list[:maxRules]
	}
	slices.SortFunc(list, func(a, b stroke) int { return cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(a.from, b.from)) })
	out := list[:0]
	for i := 0; i < len(list); {
		j := i + 1
		for j < len(list) && list[j].at-list[i].at < 1.6 {
			j++
		}
		band := list[i:j]
		at := (band[0].at + band[len(band)-1].at) / 2
		slices.SortFunc(band, func(a, b stroke) int { return cmp.Compare(a.from, b.from) })
		open := band[0]
		open.at = at
		for _, s := range band[1:] {
			if s.from <= open.to+2 {
				open.to = max(open.to, s.to)
				open.shade = open.shade && s.shade
				continue
			}
			out = append(out, open)
			open = s
			open.at = at
		}
		out = append(out, open)
		i = j
	}
	return out
}

// group is lines that touch each other.
type group struct{ level, upright []stroke }

// components groups the lines that touch.
func components(level, upright []stroke) []group {
	parent := make([]int32, len(level)+len(upright))
	for i := range parent {
		parent[i] = int32(i)
	}
	find := func(i int32) int32 {
		for parent[i] != i {
			parent[i] = parent[parent[i]]
			i = parent[i]
		}
		return i
	}
	const slack = 2.5
	for i := range level {
		h := &level[i]
		from, _ := slices.BinarySearchFunc(upright, h.from-slack, func(s stroke, x float32) int { return cmp.Compare(s.at, x) })
		for k := from; k < len(upright) && upright[k].at <= h.to+slack; k++ {
			if v := &upright[k]; v.from-slack <= h.at && h.at <= v.to+slack {
				parent[find(int32(len(level)+k))] = find(int32(i))
			}
		}
	}
	index := map[int32]int{}
	var list []group
	at := func(i int32) *group {
		root := find(i)
		n, ok := index[root]
		if !ok {
			n = len(list)
			index[root] = n
			list = append(list, group{})
		}
		return &list[n]
	}
	for i := range level {
		g := at(int32(i))
		g.level = append(g.level, level[i])
	}
	for i := range upright {
		g := at(int32(len(level) + i))
		g.upright = append(g.upright, upright[i])
	}
	return slices.DeleteFunc(list, func(g group) bool { return len(g.level) == 0 || len(g.upright) == 0 })
}

// positions returns where lines are, with those at nearly the same place as one.
func positions(list []stroke, low, high float32) []float32 {
	at := []float32{low, high}
	for i := range list {
		at = append(at, list[i].at)
	}
	slices.Sort(at)
	out := at[:1]
	for _, x := range at[1:] {
		if x-out[len(out)-1] > 4 {
			out = append(out, x)
		}
	}
	return out
}

// reach returns from where to where lines go.
func reach(list []stroke) (float32, float32) {
	low, high := list[0].from, list[0].to
	for i := range list {
		low, high = min(low, list[i].from), max(high, list[i].to)
	}
	return low, high
}

// grid makes a table of lines that touch each other; nil if they draw something else.
func (c *cutter) grid(g *group) *table {
	left, right := reach(g.level)
	top, bottom := reach(g.upright)
	xs := positions(g.upright, min(left, g.upright[0].at), max(right, g.upright[len(g.upright)-1].at))
	xs = c.bare(xs, g)
	ys := positions(g.level, min(top, g.level[0].at), max(bottom, g.level[len(g.level)-1].at))
	columns, rows := len(xs)-1, len(ys)-1
	if columns < 1 || rows < 1 || columns*rows > maxCells || columns*rows < 2 {
		return nil
	}
	if rows < 2 && g.shaded() {
		return nil // one shaded row of a table that goes on around it
	}
	area := Box{xs[0], ys[0], xs[columns], ys[rows]}
	inside := c.inside(area)
	if len(inside) < 2 || g.shaded() && c.isCode(c.rows(inside)) {
		return nil
	}
	if columns == 1 {
		if !g.framed(area) {
			return nil
		}
		return c.banded(inside, ys)
	}
	xs, inside = c.subdivide(xs, ys, inside)
	columns = len(xs) - 1
	t := &table{Box: area, columns: columns, rows: rows}
	index := t.draw(g, xs, ys)
	for i := range t.cells {
		t.cells[i].width = xs[t.cells[i].column+t.cells[i].columns] - xs[t.cells[i].column]
	}
	for _, i := range inside {
		r := &c.page.runs[i]
		x, _ := slices.BinarySearch(xs, r.centerX())
		y, _ := slices.BinarySearch(ys, r.base-0.3*r.size)
		if r.turn != 0 {
			y, _ = slices.BinarySearch(ys, r.centerY())
		}
		x, y = min(max(x-1, 0), columns-1), min(max(y-1, 0), rows-1)
		cell := &t.cells[index[y*columns+x]]
		cell.runs = append(cell.runs, i)
	}
	c.part(t, xs)
	return c.judge(t, xs, len(inside))
}

// shaded reports whether only shades draw the sides of a grid.
func (g *group) shaded() bool {
	return !slices.ContainsFunc(g.upright, func(s stroke) bool { return !s.shade })
}

// framed reports whether lines go along both sides of an area.
func (g *group) framed(area Box) bool {
	var sides [2]float32
	for i := range g.upright {
		s := &g.upright[i]
		if abs(s.at-area.Left) < 4 {
			sides[0] += s.to - s.from
		} else if abs(s.at-area.Right) < 4 {
			sides[1] += s.to - s.from
		}
	}
	return min(sides[0], sides[1]) > 0.6*area.height()
}

// bare leaves out a first or last column that has no line on its outer side and no
// text: level lines that only reach a little further.
func (c *cutter) bare(xs []float32, g *group) []float32 {
	first, last := g.upright[0].at, g.upright[len(g.upright)-1].at
	top, bottom := reach(g.upright)
	if n := len(xs); n > 2 && xs[n-1] > last+3 && len(c.inside(Box{last, top, xs[n-1], bottom})) == 0 {
		xs = xs[:n-1]
	}
	if len(xs) > 2 && xs[0] < first-3 && len(c.inside(Box{xs[0], top, first, bottom})) == 0 {
		xs = xs[1:]
	}
	return xs
}

// inside returns the runs within an area.
func (c *cutter) inside(area Box) []int32 {
	var list []int32
	for i := range c.page.runs {
		r := &c.page.runs[i]
		if r.of == 0 && (area.holds(r.centerX(), r.base-0.3*r.size) || r.turn != 0 && area.holds(r.centerX(), r.centerY())) {
			list = append(list, int32(i))
		}
	}
	return list
}

// draw makes the cells: places between which no line goes are one cell. It returns
// the index of the cell for each place.
func (t *table) draw(g *group, xs, ys []float32) []int32 {
	columns, rows := t.columns, t.rows
	below := make([]bool, columns*rows)  // a line goes below the place
	beside := make([]bool, columns*rows) // a line goes to the right of it
	for i := range g.level {
		s := &g.level[i]
		y := nearest(ys, s.at) - 1
		for x := 0; x < columns && y >= 0 && y < rows; x++ {
			if overlap(s.from, s.to, xs[x], xs[x+1]) > 0.6 && min(s.to, xs[x+1])-max(s.from, xs[x]) > 0.6*(xs[x+1]-xs[x]) {
				below[y*columns+x] = true
			}
		}
	}
	for i := range g.upright {
		s := &g.upright[i]
		x := nearest(xs, s.at) - 1
		for y := 0; y < rows && x >= 0 && x < columns; y++ {
			if min(s.to, ys[y+1])-max(s.from, ys[y]) > 0.6*(ys[y+1]-ys[y]) {
				beside[y*columns+x] = true
			}
		}
	}
	index := make([]int32, columns*rows)
	for i := range index {
		index[i] = -1
	}
	for y := range rows {
		for x := range columns {
			if index[y*columns+x] < 0 {
				t.spread(index, below, beside, x, y)
			}
		}
	}
	return index
}

// spread makes the cell that begins at a place, as far as no line ends it.
func (t *table) spread(index []int32, below, beside []bool, x, y int) {
	columns := t.columns
	right := x
	for right+1 < columns && !beside[y*columns+right] && index[y*columns+right+1] < 0 {
		right++
	}
	last := y
	for last+1 < t.rows && open(below[last*columns+x:last*columns+right+1]) && free(index[(last+1)*columns+x:(last+1)*columns+right+1]) &&
		open(beside[(last+1)*columns+x:(last+1)*columns+right]) == open(beside[y*columns+x:y*columns+right]) {
		last++
	}
	t.cells = append(t.cells, cell{row: y, column: x, rows: last - y + 1, columns: right - x + 1})
	for j := y; j <= last; j++ {
		for i := x; i <= right; i++ {
			index[j*columns+i] = int32(len(t.cells) - 1)
		}
	}
}

// open reports whether there is no line.
func open(lines []bool) bool { return !slices.Contains(lines, true) }

func free(index []int32) bool {
	for _, i := range index {
		if i >= 0 {
			return false
		}
	}
	return true
}

func nearest(list []float32, x float32) int {
	best := 0
	for i := range list {
		if abs(list[i]-x) < abs(list[best]-x) {
			best = i
		}
	}
	return best
}

// judge reports whether a grid holds a table and not the frames of a page or a
// drawing, and splits rows that hold several lines of data.
func (c *cutter) judge(t *table, xs []float32, runs int) *table {
	filled, longest := 0, 0
	var big *cell
	for i := range t.cells {
		n := len(t.cells[i].runs)
		if n == 0 {
			continue
		}
		filled++
		if n > longest {
			longest, big = n, &t.cells[i]
		}
	}
	switch {
	case filled < 2:
		return nil
	case filled == 2 && len(t.cells) > 8:
		return t.asFigure()
	case longest > 14 && longest*10 > runs*7 && filled < 5, longest > 24 && filled < 7, t.Box.height() > 0.5*c.page.height && longest*10 > runs*8:
		return nil
	case filled*8 < len(t.cells) && len(t.cells) > 30:
		return t.asFigure()
	case t.columns < 2 || t.rows < 2 && (t.columns < 3 || big == nil):
		return nil
	}
	if t.drawn(filled) || t.boxes() {
		return t.asFigure()
	}
	return c.refine(t, xs).dropGhosts()
}

// dropGhosts removes columns and rows in which no text begins, such as those between
// the two lines of a double border.
func (t *table) dropGhosts() *table {
	columns, rows := make([]bool, t.columns), make([]bool, t.rows)
	for i := range t.cells {
		if s := &t.cells[i]; len(s.runs) > 0 {
			columns[s.column], rows[s.row] = true, true
		}
	}
	x, y := places(columns), places(rows)
	if x[t.columns] < 2 {
		return t
	}
	t.cells = slices.DeleteFunc(t.cells, func(s cell) bool { return x[s.column] == x[s.column+s.columns] || y[s.row] == y[s.row+s.rows] })
	for i := range t.cells {
		s := &t.cells[i]
		s.column, s.columns = x[s.column], x[s.column+s.columns]-x[s.column]
		s.row, s.rows = y[s.row], y[s.row+s.rows]-y[s.row]
	}
	t.columns, t.rows = x[t.columns], y[t.rows]
	return t
}

// places returns where each of a list is if only those that are kept count, and how
// many these are.
func places(kept []bool) []int {
	list := make([]int, len(kept)+1)
	for i, ok := range kept {
		list[i+1] = list[i]
		if ok {
			list[i+1]++
		}
	}
	return list
}

// asFigure makes a drawing of a grid.
func (t *table) asFigure() *table {
	all := cell{rows: 1, columns: 1}
	for i := range t.cells {
		all.runs = append(all.runs, t.cells[i].runs...)
	}
	return &table{Box: t.Box, columns: 1, rows: 1, cells: []cell{all}, figure: true}
}

// pictures adds the small text within pictures as figures, so that it does not
// interrupt the text around.
func (c *cutter) pictures(p *Page, found []*table) []*table {
	if c.page.scanned || len(p.Pictures) > maxPictures {
		return found
	}
	for _, b := range p.Pictures {
		if area := b.width() * b.height(); area < 0.005*p.Width*p.Height || area > 0.5*p.Width*p.Height {
			continue
		}
		var runs []int32
		for _, i := range c.inside(b) {
			if c.page.runs[i].size < 0.95*c.size {
				runs = append(runs, i)
			}
		}
		t := &table{Box: b, columns: 1, rows: 1, cells: []cell{{rows: 1, columns: 1, runs: runs}}, figure: true}
		if len(runs) > 0 && !slices.ContainsFunc(found, func(o *table) bool { return o.touches(b) }) {
			found = append(found, t)
		}
	}
	return found
}

// maxPictures bounds the pictures of a page that are looked into.
const maxPictures = 100

func (b Box) touches(o Box) bool {
	return b.Left < o.Right && b.Right > o.Left && b.Top < o.Bottom && b.Bottom > o.Top
}

// boxes reports whether a grid is boxes with a label each that stand below each other,
// as in a flow chart, whose only upright lines within are those that connect them.
func (t *table) boxes() bool {
	for i := range t.cells {
		if c := &t.cells[i]; len(c.runs) > 1 || len(c.runs) == 1 && c.columns < t.columns {
			return false
		}
	}
	return true
}

// drawn reports whether a grid is more likely a drawing of boxes: mostly empty with
// no full row or column at its side, or of cells of all sizes.
func (t *table) drawn(filled int) bool {
	row, column, odd := 0, 0, 0
	for i := range t.cells {
		c := &t.cells[i]
		if len(c.runs) > 0 && c.row == 0 {
			row += c.columns
		}
		if len(c.runs) > 0 && c.column == 0 {
			column += c.rows
		}
		if c.row > 0 && (c.columns > 1 || c.rows > 1) {
			odd++
		}
	}
	empty := filled*3 < len(t.cells) && row*5 < t.columns*3 && column*5 < t.rows*3
	return empty || odd*2 > len(t.cells) && filled*2 < len(t.cells)
}
