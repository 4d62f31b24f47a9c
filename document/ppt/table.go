package ppt

import (
	"math"
	"slices"

	"github.com/trawlhq/trawl/document/deck"
	"github.com/trawlhq/trawl/document/tree"
)

// maxCells is how many cells a table may have.
const maxCells = 10_000

// tableCell is a cell of a table: a shape at a place.
type tableCell struct {
	deck.Box
	body []tree.Block
}

// cells reads the cells of a table, which is a group of shapes with text, and of lines
// that are drawn between them.
func (s *page) cells(d data) []tableCell {
	var out []tableCell
	first := true
	for rec := range d.records() {
		if rec.kind != shape || first {
			first = false
			continue
		}
		f := s.readFigure(rec.data)
		if f.text == nil || f.Right <= f.Left || f.Bottom <= f.Top {
			continue
		}
		if len(out) == maxCells {
			s.cut = true
			break
		}
		cell := tableCell{Box: f.Box}
		for _, t := range s.textsOf(&f) {
			cell.body = append(cell.body, deck.Blocks(t.lines(s.master, ""))...)
		}
		out = append(out, cell)
	}
	return out
}

// table makes a table of cells by where they are: nil if there are none.
func table(cells []tableCell) *tree.Table {
	var lefts, tops []float64
	for _, c := range cells {
		lefts, tops = append(lefts, c.Left), append(tops, c.Top)
	}
	lefts, tops = edges(lefts), edges(tops)
	if len(lefts) == 0 {
		return nil
	}
	slices.SortStableFunc(cells, func(a, b tableCell) int {
		if n := place(tops, a.Top) - place(tops, b.Top); n != 0 {
			return n
		}
		return place(lefts, a.Left) - place(lefts, b.Left)
	})
	t := &tree.Table{Rows: make([]tree.Row, len(tops))}
	for _, c := range cells {
		row, column := place(tops, c.Top), place(lefts, c.Left)
		made := tree.Cell{
			Body: c.body, Columns: int32(max(place(lefts, c.Right-slack)-column+1, 1)), Rows: int32(max(place(tops, c.Bottom-slack)-row+1, 1)),
		}
		made.Simplify()
		t.Rows[row].Cells = append(t.Rows[row].Cells, made)
	}
	t.PlainHeader()
	return t
}

// slack is how far apart two edges may be that are meant to be one.
const slack = 4

// edges returns where columns or rows begin.
func edges(all []float64) []float64 {
	slices.Sort(all)
	return slices.CompactFunc(all, func(a, b float64) bool { return math.Abs(a-b) < slack })
}

// place returns the column or row that something at a place is in.
func place(edges []float64, at float64) int {
	n, _ := slices.BinarySearch(edges, at+slack)
	return max(n-1, 0)
}
