package layout

import (
	"bytes"
	"cmp"
	"slices"

	"github.com/trawlhq/trawl/document/tree"
)

// table is a table that was found: its cells, and the runs in them.
type table struct {
	Box
	columns, rows int
	cells         []cell
	header        int
	figure        bool        // a drawing: its only cell holds the text in it
	parts         []tablePart // on the pages after this, as far as it goes on there
}

// cell is a cell and the runs that stand in it.
type cell struct {
	row, column   int
	rows, columns int // that it spans
	width         float32
	runs          []int32
}

// maxCells bounds the cells of a table.
const maxCells = 40000

// table makes a table with the text of the runs.
func (w *writer) table(p *page, t *table) *tree.Table {
	out := &tree.Table{Header: t.header, Rows: make([]tree.Row, t.rows)}
	for i := range t.cells {
		if c := &t.cells[i]; p.rtl {
			c.column = t.columns - c.column - c.columns
		}
	}
	slices.SortStableFunc(t.cells, func(a, b cell) int {
		return cmp.Or(cmp.Compare(a.row, b.row), cmp.Compare(a.column, b.column))
	})
	for i := range t.cells {
		c := &t.cells[i]
		if c.row >= t.rows {
			continue
		}
		p.sortLines(c.runs)
		var cell tree.Cell
		if p.separate(c) {
			cell.Body = []tree.Block{&tree.Paragraph{Text: []tree.Span{{Text: w.cellText(p, c.runs, true)}}}}
		} else {
			cell.Text = w.cellText(p, c.runs, false)
		}
		if c.columns > 1 {
			cell.Columns = int32(c.columns)
		}
		if c.rows > 1 {
			cell.Rows = int32(c.rows)
		}
		out.Rows[c.row].Cells = append(out.Rows[c.row].Cells, cell)
	}
	for _, more := range t.parts {
		out.Extend(w.table(more.page, more.table))
	}
	return out
}

// cellText joins the runs of a cell, which are in the order of reading. Separate
// lines stay apart.
func (w *writer) cellText(p *page, runs []int32, separate bool) string {
	var text []byte
	for i, at := range runs {
		next := p.runText(&p.runs[at])
		switch {
		case i == 0:
		case p.sameLine(runs[i-1], at):
			text = append(text, ' ')
		case separate:
			text = append(text, '\n')
		default:
			text = w.d.joined(text, next)
		}
		text = append(text, next...)
	}
	return string(text)
}

// separate reports whether the lines of a cell do not go on in one another: each
// ends although the next word would have had room. Two lines may be a matter of
// taste, unless they are names and values, of which some may be long; parts of a
// formula stand closer.
func (p *page) separate(c *cell) bool {
	lines, wide, short := 0, 0, 0
	var before *run
	var line Box
	for i := 0; i < len(c.runs); {
		first, from := &p.runs[c.runs[i]], i
		if before != nil && first.base-before.base < 0.9*first.size {
			return false
		}
		if before != nil && line.width()+p.wordWidth(first)+2*first.size < c.width {
			short++
		}
		before, line = first, first.Box
		for i++; i < len(c.runs) && p.sameLine(c.runs[from], c.runs[i]); i++ {
			line = line.union(p.runs[c.runs[i]].Box)
		}
		if i-from > 1 {
			wide++
		}
		lines++
	}
	if lines > 1 && wide == lines {
		return short*2 >= lines-1
	}
	return lines > 2 && short == lines-1
}

// wordWidth returns about how wide the first word of a run is.
func (p *page) wordWidth(r *run) float32 {
	text := p.runText(r)
	n := bytes.IndexByte(text, ' ')
	if n < 0 {
		return r.width()
	}
	return r.width() * float32(n) / float32(len(text))
}

func (p *page) sameLine(a, b int32) bool {
	x, y := &p.runs[a], &p.runs[b]
	return abs(x.base-y.base) < 0.3*max(x.size, y.size)
}

// sortLines sorts runs by their lines, and within them in the direction of reading.
func (p *page) sortLines(runs []int32) {
	slices.SortStableFunc(runs, func(a, b int32) int { return cmp.Compare(p.runs[a].base, p.runs[b].base) })
	for i := 0; i < len(runs); {
		j := i + 1
		for j < len(runs) && p.sameLine(runs[i], runs[j]) {
			j++
		}
		rtl := p.runs[runs[i]].rtl
		slices.SortStableFunc(runs[i:j], func(a, b int32) int {
			d := cmp.Compare(p.runs[a].Left, p.runs[b].Left)
			if rtl {
				return -d
			}
			return d
		})
		i = j
	}
}

// span is a range from left to right.
type span struct{ left, right float32 }

// place makes the cells of a table from runs, columns and the bottoms of its rows.
func (c *cutter) place(runs []int32, columns []span, bottoms []float32, header int) *table {
	p := c.page
	t := &table{columns: len(columns), rows: len(bottoms), header: header}
	if t.columns*t.rows > maxCells || t.columns == 0 || t.rows == 0 {
		return nil
	}
	grid := make([]int32, t.columns*t.rows) // index of the cell plus one
	t.Box = p.runs[runs[0]].Box
	for _, at := range runs {
		r := &p.runs[at]
		t.Box = t.union(r.Box)
		row, _ := slices.BinarySearch(bottoms, r.base-0.3*r.size)
		row = min(row, t.rows-1)
		box := r.Box
		if row+1 < header {
			box = c.over(at)
		}
		from, to := touched(columns, box)
		c.put(t, grid, at, row, from, to, columns[to].right-columns[from].left)
	}
	for row := range t.rows {
		for column := range t.columns {
			if grid[row*t.columns+column] == 0 {
				t.cells = append(t.cells, cell{row: row, column: column, rows: 1, columns: 1})
			}
		}
	}
	return t
}

// put puts a run into the cell of a row that covers the columns from from to to.
func (c *cutter) put(t *table, grid []int32, at int32, row, from, to int, width float32) {
	line := grid[row*t.columns : (row+1)*t.columns]
	for i := from; i <= to; i++ {
		if line[i] > 0 { // there is one: it takes this in as well
			got := &t.cells[line[i]-1]
			got.runs = append(got.runs, at)
			return
		}
	}
	t.cells = append(t.cells, cell{row: row, column: from, rows: 1, columns: to - from + 1, width: width, runs: []int32{at}})
	for i := from; i <= to; i++ {
		line[i] = int32(len(t.cells))
	}
}

// touched returns the first and the last column that a box is in.
func touched(columns []span, b Box) (int, int) {
	first, last, best, most := -1, -1, 0, float32(-1e9)
	for i, s := range columns {
		common := min(b.Right, s.right) - max(b.Left, s.left)
		if common > most {
			best, most = i, common
		}
		if common > 0.45*(s.right-s.left) || common > 0.6*b.width() {
			if first < 0 {
				first = i
			}
			last = i
		}
	}
	if first < 0 {
		return best, best
	}
	return first, last
}

// gapsOf returns the wide spaces of a run.
func (p *page) gapsOf(at int32) []gap {
	from, _ := slices.BinarySearchFunc(p.gaps, at, func(g gap, at int32) int { return cmp.Compare(g.run, at) })
	to := from
	for to < len(p.gaps) && p.gaps[to].run == at {
		to++
	}
	return p.gaps[from:to]
}

// inNumber reports whether a gap only groups the digits of a number, as in 12 500.
func (p *page) inNumber(g gap) bool {
	if g.at < 1 || !isDigit(p.text[g.at-1]) || g.right-g.left > 0.6*p.runs[g.run].size {
		return false
	}
	n := g.at + 1
	for int(n) < len(p.text) && isDigit(p.text[n]) {
		n++
	}
	return n-g.at == 4
}

func isDigit(b byte) bool { return b >= '0' && b <= '9' }

// atoms appends the boxes of a run between its wide spaces.
func (p *page) atoms(boxes []Box, at int32) []Box {
	box := p.runs[at].Box
	for _, g := range p.gapsOf(at) {
		if p.inNumber(g) {
			continue
		}
		part := box
		part.Right = g.left
		boxes = append(boxes, part)
		box.Left = g.right
	}
	return append(boxes, box)
}

// cutRun appends a run to a list, or its parts if its wide spaces are between columns.
func (p *page) cutRun(list []int32, at int32, columns []span) []int32 {
	rest := p.runs[at]
	rest.of = at + 1
	for _, g := range p.gapsOf(at) {
		if p.inNumber(g) {
			continue
		}
		left := rest
		left.Right = g.left
		rest.Left = g.right
		_, a := touched(columns, Box{left.Left, left.Top, g.left, left.Bottom})
		b, _ := touched(columns, Box{g.right, rest.Top, min(rest.Right, g.right+2*rest.size), rest.Bottom})
		if a >= b {
			rest.Left = left.Left
			continue
		}
		p.copyPieces(&left, rest.from, rest.to, 0, g.at)
		p.copyPieces(&rest, rest.from, rest.to, g.at+1, int32(len(p.text)))
		p.runs = append(p.runs, left)
		list = append(list, int32(len(p.runs)-1))
	}
	if rest.Left == p.runs[at].Left {
		return append(list, at)
	}
	p.runs = append(p.runs, rest)
	return append(list, int32(len(p.runs)-1))
}

// copyPieces gives a run copies of the pieces from first to last, as far as they are
// within a part of the text.
func (p *page) copyPieces(r *run, first, last, from, to int32) {
	r.from = int32(len(p.pieces))
	r.chars = 0
	for i := first; i < last; i++ {
		c := p.pieces[i]
		c.from, c.to = max(c.from, from), min(c.to, to)
		if c.from < c.to {
			p.pieces = append(p.pieces, c)
			r.chars += c.to - c.from
		}
	}
	r.to = int32(len(p.pieces))
}
