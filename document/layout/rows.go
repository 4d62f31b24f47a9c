package layout

import (
	"slices"
	"unicode"
	"unicode/utf8"
)

// group returns the bottoms of the rows of a table, whose cells may have several
// lines each, and how many of the rows are headers. Lines with numbers are taken for
// one row each; what stands between them belongs to the nearer one.
func (c *cutter) group(lines []row, columns []span, headed bool) ([]float32, int) {
	var anchors []int
	for i := range lines {
		if c.numeric(&lines[i], columns) {
			anchors = append(anchors, i)
		}
	}
	if len(anchors) < 2 {
		return c.settle(lines, columns), 1
	}
	var bottoms []float32
	first, header := 0, 0
	if headed && anchors[0] > 0 {
		first = widestGap(lines[:anchors[0]+1]) + 1
		bottoms = c.headRows(lines[:first], columns)
		header = len(bottoms)
	}
	usual := rowDistance(lines, anchors)
	for i := first; i < len(lines); i++ {
		if i == first || c.opens(lines, anchors, i, usual, columns) {
			bottoms = append(bottoms, lines[i].base)
			continue
		}
		bottoms[len(bottoms)-1] = lines[i].base
	}
	return bottoms, max(header, 1)
}

// rowDistance returns the usual distance of lines with numbers that have nothing
// between them; 0 if there are none.
func rowDistance(lines []row, anchors []int) float32 {
	var list []float32
	for i := 1; i < len(anchors); i++ {
		if anchors[i] == anchors[i-1]+1 {
			list = append(list, lines[anchors[i]].base-lines[anchors[i-1]].base)
		}
	}
	if len(list) == 0 {
		return 0
	}
	slices.Sort(list)
	return list[len(list)/2]
}

// widestGap returns after which line the widest gap is; the last of equal ones.
func widestGap(lines []row) int {
	best, widest := 0, float32(0)
	for i := 0; i+1 < len(lines); i++ {
		if gap := lines[i+1].base - lines[i].base; gap > 0.95*widest {
			best, widest = i, max(gap, widest)
		}
	}
	return best
}

// opens reports whether a row begins with line i.
func (c *cutter) opens(lines []row, anchors []int, i int, usual float32, columns []span) bool {
	next, is := slices.BinarySearch(anchors, i)
	if next == 0 {
		return false // before the first line with numbers
	}
	before := anchors[next-1]
	if is && before == i-1 {
		return true
	}
	if usual > 0 && usual < 1.35*lines[i].size { // rows are as close as lines
		return is || !c.continues(&lines[i-1], &lines[i], columns) && !c.wraps(&lines[i], columns)
	}
	gap := lines[i].base - lines[i-1].base
	if usual > 0 && gap > 0.85*usual {
		return true
	}
	if next == len(anchors) {
		return false // after the last one
	}
	return before+widestGap(lines[before:anchors[next]+1])+1 == i
}

// wraps reports whether in a line without numbers several cells go on: all begin
// with small letters, and there are not as many as columns.
func (c *cutter) wraps(r *row, columns []span) bool {
	for _, k := range r.runs {
		if first, _ := utf8.DecodeRune(c.page.runText(&c.page.runs[k])); !unicode.IsLower(first) {
			return false
		}
	}
	return len(r.runs) < len(columns)
}

// numeric reports whether a line has numbers behind its first column.
func (c *cutter) numeric(r *row, columns []span) bool {
	for _, k := range r.runs {
		run := &c.page.runs[k]
		if at, _ := touched(columns, run.Box); at == 0 {
			continue
		}
		digits, all := 0, 0
		for _, b := range c.page.runText(run) {
			all++
			if b >= '0' && b <= '9' {
				digits += 2
			} else if b == '.' || b == ',' || b == '%' || b == '-' || b == ' ' {
				digits++
			}
		}
		if digits > all && digits > 1 {
			return true
		}
	}
	return false
}

// settle returns the bottoms of the rows of a table without numbers: lines in which
// a cell only goes on belong to the row above.
func (c *cutter) settle(lines []row, columns []span) []float32 {
	var bottoms []float32
	for i := range lines {
		if i > 0 && c.continues(&lines[i-1], &lines[i], columns) {
			bottoms[len(bottoms)-1] = lines[i].base
			continue
		}
		bottoms = append(bottoms, lines[i].base)
	}
	return bottoms
}

// continues reports whether a line goes on with the row above it.
func (c *cutter) continues(before, r *row, columns []span) bool {
	if r.base-before.base > 1.45*max(r.size, before.size) {
		return false
	}
	first, _ := touched(columns, c.page.runs[r.runs[0]].Box)
	text := c.page.runText(&c.page.runs[r.runs[0]])
	if first > 0 {
		return len(r.runs)*2 <= len(columns) && len(r.runs) <= len(before.runs)
	}
	return len(r.runs) == 1 && len(text) > 0 && text[0] >= 'a' && text[0] <= 'z' && len(columns) > 2 && labelLength(text) == 0
}
