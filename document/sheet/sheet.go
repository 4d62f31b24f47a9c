// Package sheet reads spreadsheets: the workbooks of Excel, new (xlsx, xlsm, and
// xlsb in records) and old (xls, and the XML of 2003), and tables as plain text (csv).
//
// Every sheet becomes a heading with its name and a table for each block of cells
// on it. Sheets are sparse: what is empty over a whole table is left out, so that a
// cell far out costs nothing. What is hidden is kept, as it is data that a filter, an
// outline or an author happens to hide; the headings of hidden sheets say so.
//
// Cells read as they are shown: numbers and dates by their formats, formulas by
// the value that the file has kept of them. There is one difference. The width of
// a column is no format, so General shows the fifteen digits that Excel keeps of
// a number and not the ten that happen to fit.
package sheet

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/trawlhq/trawl/document/tree"
)

// What a file may have. What goes beyond is left out, with a warning.
const (
	maxCells   = 1_000_000 // that are not empty, in all sheets
	maxEmitted = 2_000_000 // with the empty ones between them
	maxSheets  = 200
	maxMerged  = 100_000 // areas in a sheet
	maxLinks   = 100_000 // cells with links in a sheet
	maxRow     = 1 << 20
	maxColumn  = 1 << 14
	maxText    = 1 << 17 // bytes of a cell; Excel allows 32,767 characters
)

// place is where a cell is, from 0.
type place struct{ row, column int32 }

func compare(a, b place) int {
	return cmp.Or(cmp.Compare(a.row, b.row), cmp.Compare(a.column, b.column))
}

// area is a rectangle of cells, both corners included.
type area struct{ first, last place }

// cell is a cell that is not empty.
type cell struct {
	place
	to      place // how far it reaches, if it is merged with others; else its place
	numeric bool
	text    string
}

// grid is a sheet while it is read.
type grid struct {
	name   string
	hidden bool
	cells  []cell
	merged []area
	links  map[place]string
	linked int  // how often a link was noted
	lost   bool // there are more links or merged areas than were noted
	charts []figure
}

// figure is what lies on a sheet from some row on.
type figure struct {
	row    int32
	blocks []tree.Block
}

// book collects what a reader finds in a workbook.
type book struct {
	info        tree.Info
	sheets      []*grid
	cells       int // of all sheets
	full        bool
	uncached    int  // formulas without a value
	far         bool // cells lie beyond the last row or column
	clipped     bool // texts of cells are too long
	manyStrings bool // there are too many strings
	manyCharts  bool // there are too many charts, series or points
	warnings    []string
}

// sheet begins a sheet.
func (b *book) sheet(name string) *grid {
	g := &grid{name: strings.TrimSpace(name), links: map[place]string{}}
	b.sheets = append(b.sheets, g)
	return g
}

// allowed returns how many of n sheets may be read, and warns if it is not all.
func (b *book) allowed(n int) int {
	if n > maxSheets {
		b.warnings = append(b.warnings, fmt.Sprintf("The file has %d sheets; those after the first %d are left out.", n, maxSheets))
	}
	return min(n, maxSheets)
}

// add adds a cell to a sheet, if it is not empty and within what a file may have.
func (b *book) add(g *grid, at place, text string, numeric bool) {
	if text == "" {
		return
	}
	if uint32(at.row) >= maxRow || uint32(at.column) >= maxColumn {
		b.far = true
		return
	}
	if b.cells >= maxCells {
		b.full = true
		return
	}
	if len(text) > maxText {
		text, b.clipped = strings.ToValidUTF8(text[:maxText], ""), true
	}
	b.cells++
	g.cells = append(g.cells, cell{at, at, numeric, text})
}

// merge notes that an area is one cell.
func (g *grid) merge(a area) {
	if a.first.row > a.last.row || a.first.column > a.last.column || a.first == a.last {
		return
	}
	if len(g.merged) >= maxMerged {
		g.lost = true
		return
	}
	g.merged = append(g.merged, a)
}

// link notes where the cells of an area lead to. Only addresses that lead out of
// the file count.
func (g *grid) link(a area, address string) {
	scheme, _, ok := strings.Cut(address, ":")
	if !ok || !slices.Contains([]string{"http", "https", "mailto", "ftp", "tel"}, strings.ToLower(scheme)) {
		return
	}
	last := place{min(a.last.row, a.first.row+1000), min(a.last.column, a.first.column+100)}
	g.lost = g.lost || last != a.last
	for row := a.first.row; row <= last.row; row++ {
		for column := a.first.column; column <= last.column; column++ {
			if g.linked >= maxLinks {
				g.lost = true
				return
			}
			g.linked++
			g.links[place{row, column}] = address
		}
	}
}

// sort brings the cells in order, and says of each how far it reaches. Of two in
// one place the later counts.
func (g *grid) sort() {
	less := func(a, b cell) int { return compare(a.place, b.place) }
	if !slices.IsSortedFunc(g.cells, less) {
		slices.SortStableFunc(g.cells, less)
	}
	kept := g.cells[:0]
	for i, c := range g.cells {
		if i+1 < len(g.cells) && g.cells[i+1].place == c.place || strings.TrimSpace(c.text) == "" {
			continue
		}
		kept = append(kept, c)
	}
	g.cells = kept
	for _, m := range g.merged {
		if i, ok := slices.BinarySearchFunc(kept, m.first, func(c cell, p place) int { return compare(c.place, p) }); ok {
			kept[i].to = m.last
		}
	}
}

// document makes the document of all that was found.
func (b *book) document() *tree.Document {
	doc := &tree.Document{Info: b.info, Warnings: b.warnings}
	budget := maxEmitted
	cut, lost := false, false
	for _, g := range b.sheets {
		blocks, complete := g.blocks(&budget)
		if g.name != "" && !(g.hidden && len(blocks) == 0) {
			doc.Body = append(doc.Body, &tree.Heading{Level: 2, Text: []tree.Span{{Text: g.title()}}})
		}
		doc.Body = append(doc.Body, blocks...)
		cut, lost = cut || !complete, lost || g.lost
		*g = grid{} // its memory is worth having back
	}
	if b.full {
		doc.Warnings = append(doc.Warnings, fmt.Sprintf("The file has more than %d cells; those after are left out.", maxCells))
	}
	if cut {
		doc.Warnings = append(doc.Warnings, "The cells of a sheet lie too far apart; rows at its end are left out.")
	}
	if b.uncached > 0 {
		doc.Warnings = append(doc.Warnings, fmt.Sprintf("The file keeps no value for %d of its formulas; their cells are empty.", b.uncached))
	}
	if lost {
		doc.Warnings = append(doc.Warnings, "A sheet has more links or merged cells than are read; some are left out.")
	}
	b.warn(doc)
	return doc
}

// title returns the heading of a sheet.
func (g *grid) title() string {
	if g.hidden {
		return g.name + " (hidden)"
	}
	return g.name
}

// warn says what limits left out.
func (b *book) warn(doc *tree.Document) {
	if b.far {
		doc.Warn(fmt.Sprintf("The file has cells beyond row %d or column %d; those are left out.", maxRow, maxColumn))
	}
	if b.clipped {
		doc.Warn(fmt.Sprintf("The file has cells of more than %d KiB; the ends of their texts are left out.", maxText>>10))
	}
	if b.manyStrings {
		doc.Warn(fmt.Sprintf("The file has more than %d texts; cells with those after are empty.", maxStrings))
	}
	if b.manyCharts {
		doc.Warn(fmt.Sprintf("The file has more than %d charts, or charts of more than %d series or %d points; their numbers are left out.", maxCharts, maxSeries, maxPoints))
	}
}

// blocks returns what is on a sheet, from the top down, and whether it is all.
// budget is how many cells may be made.
func (g *grid) blocks(budget *int) ([]tree.Block, bool) {
	g.sort()
	slices.SortStableFunc(g.charts, func(a, b figure) int { return cmp.Compare(a.row, b.row) })
	var blocks []tree.Block
	all := true
	for _, cells := range regions(g.cells) {
		for len(g.charts) > 0 && g.charts[0].row < cells[0].row {
			blocks = append(blocks, g.charts[0].blocks...)
			g.charts = g.charts[1:]
		}
		parts := [][]cell{cells}
		if hasTitle(cells) {
			parts = [][]cell{cells[:1], cells[1:]}
		}
		for _, part := range parts {
			table, complete := g.table(part, budget)
			all = all && complete
			blocks = append(blocks, table)
		}
	}
	for _, c := range g.charts {
		blocks = append(blocks, c.blocks...)
	}
	return blocks, all
}

// hasTitle reports whether the first cell stands over a table and is no part of
// it: alone in its row, with a row of names below.
func hasTitle(cells []cell) bool {
	if len(cells) < 5 || cells[0].numeric || cells[1].row == cells[0].row {
		return false
	}
	n := 1
	for n < len(cells) && cells[n].row == cells[1].row {
		if cells[n].numeric {
			return false
		}
		n++
	}
	return n > 2 && n < len(cells) && cells[0].column <= cells[1].column
}
