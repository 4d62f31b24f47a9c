package layout

import (
	"bytes"
	"slices"
	"unicode"
	"unicode/utf8"

	"github.com/trawlhq/trawl/document/tree"
)

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
