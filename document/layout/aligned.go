package layout

import (
	"bytes"
	"cmp"
	"slices"
	"unicode"
	"unicode/utf8"

	"github.com/trawlhq/trawl/document/tree"
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

// isCode reports whether rows are lines of code.
func (c *cutter) isCode(rows []row) bool {
	var mono, all int32
	for i := range rows {
		for _, k := range rows[i].runs {
			all += c.page.runs[k].chars
			if c.page.runs[k].style&tree.Mono != 0 {
				mono += c.page.runs[k].chars
			}
		}
	}
	return mono*2 > all
}

// scattered reports whether rows have one number behind the first column, at no common
// place: those at the ends of the bars of a chart stand like that.
func (c *cutter) scattered(rows []row, columns []span) bool {
	var lefts, rights, middles []float32
	figures := 0
	for i := range rows {
		n := 0
		for _, k := range rows[i].runs {
			if r := &c.page.runs[k]; r.Left > columns[0].right {
				n++
				if isFigure(c.page.runText(r)) {
					figures++
				}
				lefts, rights, middles = append(lefts, r.Left), append(rights, r.Right), append(middles, r.centerX())
			}
		}
		if n > 1 {
			return false
		}
	}
	if len(lefts) < 3 || figures*5 < len(lefts)*4 {
		return false
	}
	spread := func(list []float32) float32 { return slices.Max(list) - slices.Min(list) }
	return min(spread(lefts), spread(rights), spread(middles)) > 4*c.size
}

// contacts reports whether rows are names and addresses beside each other.
func (c *cutter) contacts(rows []row) bool {
	if len(rows) > 8 {
		return false
	}
	n := 0
	for i := range rows {
		for _, k := range rows[i].runs {
			if bytes.IndexByte(c.page.runText(&c.page.runs[k]), '@') >= 0 {
				n++
			}
		}
	}
	return n > 1
}

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

// prose reports whether columns hold running text.
func (c *cutter) prose(rows []row, columns []span) bool {
	flows, share := c.flowing(rows, columns)
	return c.sentences(rows) || flows > 0 && c.even(columns) || flows > 1 || flows == 1 && len(rows) > 4 && (len(columns) == 2 || share > 0.55)
}

// even reports whether columns are wide and of one width, as those of text are.
func (c *cutter) even(columns []span) bool {
	low, high := columns[0].right-columns[0].left, float32(0)
	for _, s := range columns {
		low, high = min(low, s.right-s.left), max(high, s.right-s.left)
	}
	return low > 10*c.size && high < 1.1*low
}

// sentences reports whether most runs go on with a sentence, as cells do not.
func (c *cutter) sentences(rows []row) bool {
	small, all := 0, 0
	for i := range rows {
		for _, k := range rows[i].runs {
			all++
			if first, _ := utf8.DecodeRune(c.page.runText(&c.page.runs[k])); unicode.IsLower(first) {
				small++
			}
		}
	}
	return small*4 > all*3
}

// flowing returns how many columns hold running text, and their share of all text.
func (c *cutter) flowing(rows []row, columns []span) (int, float32) {
	type sum struct {
		n, full int
		width   float32
	}
	sums := make([]sum, len(columns))
	for i := range rows {
		for _, k := range rows[i].runs {
			r := &c.page.runs[k]
			from, to := touched(columns, r.Box)
			if from != to {
				continue
			}
			s := &sums[from]
			s.n++
			s.width += r.width()
			if r.width() > 0.8*(columns[from].right-columns[from].left) {
				s.full++
			}
		}
	}
	flows := 0
	var flowing, all float32
	for i := range sums {
		s := &sums[i]
		all += s.width
		if s.n >= 3 && s.full*2 > s.n && s.width > 10*c.size*float32(s.n) {
			flows++
			flowing += s.width
		}
	}
	return flows, flowing / max(all, 1)
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
