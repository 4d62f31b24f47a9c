package layout

import (
	"bytes"
	"cmp"
	"slices"

	"github.com/trawlhq/trawl/document/tree"
)

// tablePart is a table on another page that goes on with one.
type tablePart struct {
	page  *page
	table *table
}

// joinTables finds tables that go on on the next page: the last thing of a page, and
// one with the same columns that is the first thing of the next.
func (d *document) joinTables() {
	var head, open *block // the table that may go on, and its last part
	var from *page
	for _, p := range d.pages {
		if p.isTagged {
			open = nil
			continue
		}
		var again []*block // what says that the table goes on
		for i := range p.blocks {
			b := &p.blocks[i]
			switch {
			case b.kind == dropped || b.kind == noteBlock:
				continue
			case open != nil && b.kind != tableBlock && p.saysContinued(b):
				again = append(again, b)
				continue
			case open != nil && from != p && b.kind == tableBlock && d.tableGoesOn(from, open, p, b):
				head.table.parts = append(head.table.parts, tablePart{p, b.table})
				b.joined = true
				for _, said := range again {
					said.joined = true
				}
				open, from = b, p
			case b.kind == tableBlock && !b.table.figure:
				head, open, from = b, b, p
			default:
				open = nil
			}
			again = nil
		}
	}
}

// saysContinued reports whether a short line says that a table goes on, as in
// "Table 3 (continued)".
func (p *page) saysContinued(b *block) bool {
	if b.to-b.from != 1 || b.chars > 120 {
		return false
	}
	text := bytes.ToLower(p.blockText(b))
	return slices.ContainsFunc([]string{"continued", "cont’d", "cont'd", "(cont.)", "fortsetzung", "(suite", "continuación"}, func(word string) bool {
		return bytes.Contains(text, []byte(word))
	})
}

// Where on a page the parts of a table that goes on over it end and begin.
const (
	lowestPart = 0.6
	highestTop = 0.35
)

// tableGoesOn reports whether table b, at the top of a page, goes on with table a at
// the bottom of the one before.
func (d *document) tableGoesOn(pa *page, a *block, pb *page, b *block) bool {
	if b.table.figure || a.table.columns != b.table.columns || a.table.columns < 2 || a.Bottom < lowestPart*pa.height || b.Top > highestTop*pb.height {
		return false
	}
	if sameForm(pa.labels(a.table), pb.labels(b.table)) {
		return false
	}
	text, bold := pa.firstRow(a.table)
	next, nextBold := pb.firstRow(b.table)
	if bytes.Equal(text, next) {
		return true
	}
	if nextBold && (bold || len(a.table.parts) > 0) {
		return false // it has a header of its own
	}
	above, below := pa.columnsOf(a.table), pb.columnsOf(b.table)
	return under(above, below, 0, d.body) || under(above, below, b.Left-a.Left, d.body)
}

// A form that is filled in again has so many rows at least, and most of their labels
// again.
const formRows = 6

// sameForm reports whether two tables have the same labels, as a form has on every page.
// Those of a form come once on it; those of a statistic again and again.
func sameForm(a, b []string) bool {
	slices.Sort(b)
	all := len(b)
	if b = slices.Compact(b); len(b)*5 < all*4 {
		return false
	}
	again := 0
	for _, label := range b {
		if slices.Contains(a, label) {
			again++
		}
	}
	return again >= formRows && again*2 > len(b)
}

// mostLabels is how many labels of a table are compared.
const mostLabels = 60

// labels returns what stands in the first column of a table.
func (p *page) labels(t *table) []string {
	var labels []string
	for i := range t.cells {
		c := &t.cells[i]
		if c.column != 0 || len(c.runs) == 0 || len(labels) == mostLabels {
			continue
		}
		var text []byte
		for _, k := range c.runs {
			text = append(text, p.runText(&p.runs[k])...)
		}
		if len(bytes.TrimLeft(text, "0123456789.,-–+ ")) > 0 { // numbers may well come again
			labels = append(labels, string(text))
		}
	}
	return labels
}

// firstRow returns the text of the first row of a table and whether all of it is bold.
func (p *page) firstRow(t *table) ([]byte, bool) {
	var row []*cell
	for i := range t.cells {
		if t.cells[i].row == 0 {
			row = append(row, &t.cells[i])
		}
	}
	slices.SortFunc(row, func(a, b *cell) int { return cmp.Compare(a.column, b.column) })
	var text []byte
	bold := true
	for _, c := range row {
		for _, k := range c.runs {
			text = append(append(text, p.runText(&p.runs[k])...), ' ')
			bold = bold && p.runs[k].style&tree.Bold != 0
		}
	}
	return text, bold && len(text) > 0
}

// columnsOf returns from where to where the text in the columns of a table stands;
// nothing for those without.
func (p *page) columnsOf(t *table) []span {
	columns := make([]span, t.columns)
	for i := range t.cells {
		c := &t.cells[i]
		if c.columns > 1 || c.column >= t.columns {
			continue
		}
		for _, k := range c.runs {
			r, s := &p.runs[k], &columns[c.column]
			if s.right == 0 {
				*s = span{r.Left, r.Right}
			}
			s.left, s.right = min(s.left, r.Left), max(s.right, r.Right)
		}
	}
	return columns
}

// under reports whether columns stand below others, moved by shift: all of them in
// part, and most aligned on the left, on the right or in the middle.
func under(above, below []span, shift, size float32) bool {
	n, same := 0, 0
	for i, a := range above {
		b := below[i]
		if a.right == 0 || b.right == 0 {
			continue
		}
		b.left, b.right = b.left-shift, b.right-shift
		if b.left > a.right || b.right < a.left {
			return false
		}
		n++
		if left, right := b.left-a.left, b.right-a.right; min(abs(left), abs(right), abs(left+right)/2) < 0.6*size {
			same++
		}
	}
	return n > 1 && same*4 >= n*3
}
