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
	several := 0
	for i := range lines {
		if c.numeric(&lines[i], columns) {
			anchors = append(anchors, i)
		}
		if len(lines[i].runs) > 1 {
			several++
		}
	}
	if len(anchors) < 2 || len(anchors)*2 < several { // few rows have numbers
		if bottoms := c.spaced(lines, columns); bottoms != nil {
			return bottoms, 1
		}
		return c.settle(lines, columns), 1
	}
	var bottoms []float32
	first, header := 0, 0
	if headed && anchors[0] > 0 {
		first = widestGap(lines[:anchors[0]+1]) + 1
		bottoms = c.headRows(lines[:first], columns)
		header = len(bottoms)
	}
	if more := c.spaced(lines[first:], columns); more != nil {
		return append(bottoms, more...), max(header, 1)
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

// spaced returns the bottoms of rows that stand further apart than the lines within
// them; nil if the distances do not tell.
func (c *cutter) spaced(lines []row, columns []span) []float32 {
	if len(lines) < 3 {
		return nil
	}
	distances := make([]float32, 0, len(lines)-1)
	for i := 1; i < len(lines); i++ {
		distances = append(distances, lines[i].base-lines[i-1].base)
	}
	sorted := slices.Clone(distances)
	slices.Sort(sorted)
	near, jump := float32(0), float32(rowJump)
	for i := 1; i < len(sorted) && sorted[i-1] < 1.6*c.size; i++ {
		if sorted[i] > jump*sorted[i-1] && sorted[i]-sorted[i-1] > 1 {
			near, jump = (sorted[i]+sorted[i-1])/2, sorted[i]/sorted[i-1]
		}
	}
	if near == 0 {
		return nil
	}
	var bottoms []float32
	from, small := 0, 0
	for i := 1; i <= len(lines); i++ {
		if i < len(lines) && distances[i-1] < near {
			continue
		}
		if i-from > 1 && c.stacked(lines[from:i], columns) > 1 {
			return nil // rows of numbers
		}
		if c.lower(&lines[from]) {
			small++
		}
		bottoms = append(bottoms, lines[i-1].base)
		from = i
	}
	if len(bottoms) < 2 || small*3 > len(bottoms) {
		return nil
	}
	return bottoms
}

// rowJump is how many times as far as lines rows have to stand apart.
const rowJump = 1.12

// lower reports whether all of a line begins with small letters.
func (c *cutter) lower(r *row) bool {
	for _, k := range r.runs {
		if first, _ := utf8.DecodeRune(c.page.runText(&c.page.runs[k])); !unicode.IsLower(first) {
			return false
		}
	}
	return true
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
	return c.lower(r) && len(r.runs) < len(columns)
}

// numeric reports whether a line has numbers behind its first column.
func (c *cutter) numeric(r *row, columns []span) bool {
	for _, k := range r.runs {
		run := &c.page.runs[k]
		if at, _ := touched(columns, run.Box); at == 0 {
			continue
		}
		if isFigure(c.page.runText(run)) {
			return true
		}
	}
	return false
}

// isFigure reports whether text is mostly digits.
func isFigure(text []byte) bool {
	digits := 0
	for _, b := range text {
		switch b {
		case '0', '1', '2', '3', '4', '5', '6', '7', '8', '9':
			digits += 2
		case '.', ',', '%', '-', ' ':
			digits++
		}
	}
	return digits > len(text) && digits > 1
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
