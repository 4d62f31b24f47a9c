package markdown

import (
	"slices"
	"strconv"
	"strings"

	"golang.org/x/net/html/atom"

	"github.com/trawlhq/trawl/content/dom"
)

// Limits of tables.
const (
	maxColumns = 1000
	maxGrid    = 500_000 // cells that spans and short rows may add up to
)

// table writes a table. Those that only arrange blocks on the page are
// unwrapped, and those whose rows are lines of code become code.
func (w *writer) table(n *dom.Node) {
	switch {
	case n.HasClass("highlight", "js-file-line-container", "diff-table") && n.Inside(atom.Pre) == nil:
		w.pre(n)
		return
	case w.flat != flowing:
		w.plainBlock(n)
		return
	}
	t := w.surveyTable(n)
	if t.layout() {
		w.plainBlock(n)
		return
	}
	w.block(2)
	if t.caption != nil {
		w.node(t.caption)
	}
	w.writeRows(w.grid(&t), t.alignments())
	w.block(2)
}

// tableSurvey is what a table is made of.
type tableSurvey struct {
	rows         [][]*dom.Node
	caption      *dom.Node
	columns      int  // cells of the longest row
	header       bool // some cells are headers
	nested       bool // a table in the table
	blocks       bool // lists, headings or several paragraphs in a cell
	presentation bool // the page says that it only arranges
}

// layout reports whether the table is there to arrange blocks.
func (t *tableSurvey) layout() bool {
	switch {
	case t.nested || t.presentation || t.columns <= 1:
		return true
	case t.header:
		return false
	}
	return t.blocks || len(t.rows) == 1
}

func (w *writer) surveyTable(table *dom.Node) tableSurvey {
	var t tableSurvey
	role := table.Get("role")
	t.presentation = role == "presentation" || role == "none"
	var cell *dom.Node
	paragraphs := 0
	for n, gone := table.FirstChild, false; n != nil && !t.nested; n = dom.Following(n, table, !gone) {
		if gone = w.part.Drop.Has(n); gone {
			continue
		}
		switch n.Atom {
		case atom.Table:
			t.nested = true
		case atom.Caption:
			t.caption = n
		case atom.Tr:
			t.rows = append(t.rows, nil)
		case atom.Td, atom.Th:
			t.addCell(n)
			cell, paragraphs = n, 0
		case atom.P, atom.Div:
			if cell != nil {
				paragraphs++
				t.blocks = t.blocks || paragraphs > 1
			}
		case atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6, atom.Ul, atom.Ol, atom.Dl, atom.Pre,
			atom.Blockquote, atom.Hr, atom.Form, atom.Article, atom.Section:
			t.blocks = true
			if n.Atom == atom.Pre {
				t.nested = true
			}
		}
	}
	return t
}

func (t *tableSurvey) addCell(n *dom.Node) {
	if len(t.rows) == 0 {
		t.rows = append(t.rows, nil)
	}
	last := len(t.rows) - 1
	t.rows[last] = append(t.rows[last], n)
	t.columns = max(t.columns, len(t.rows[last]))
	t.header = t.header || n.Atom == atom.Th
}

// grid returns the text of all cells, rows that are empty left out. A cell that
// spans rows is repeated in each of them, one that spans columns leaves those
// after it empty.
func (w *writer) grid(t *tableSurvey) [][]string {
	var grid [][]string
	g := gridBuilder{spare: maxGrid}
	for i, cells := range t.rows {
		g.row = make([]string, 0, max(len(cells), len(g.over)))
		g.reachDown()
		for _, cell := range cells {
			if len(g.row) >= maxColumns {
				break
			}
			g.add(w.cell(cell), span(cell, "colspan"), min(span(cell, "rowspan"), len(t.rows)-i))
			g.reachDown()
		}
		if !isEmptyRow(g.row) {
			grid = append(grid, g.row)
		}
	}
	return grid
}

// gridBuilder lays out one row after the other.
type gridBuilder struct {
	row   []string
	over  []spanning // by column, what reaches down from above
	spare int        // how many more cells spans may take
}

// spanning is a cell that reaches down into the rows to come.
type spanning struct {
	text string
	rows int
}

// add puts a cell at the end of the row.
func (g *gridBuilder) add(text string, columns, rows int) {
	if g.spare -= columns * rows; g.spare < 0 {
		columns, rows = 1, 1
	}
	for range min(columns, maxColumns-len(g.row)) {
		for len(g.over) <= len(g.row) {
			g.over = append(g.over, spanning{})
		}
		g.over[len(g.row)] = spanning{text, rows - 1}
		g.row = append(g.row, text)
		text = ""
	}
}

// reachDown appends the cells from above that come next in the row.
func (g *gridBuilder) reachDown() {
	for len(g.row) < len(g.over) && g.over[len(g.row)].rows > 0 {
		above := &g.over[len(g.row)]
		above.rows--
		g.row = append(g.row, above.text)
	}
}

func isEmptyRow(row []string) bool {
	return !slices.ContainsFunc(row, func(s string) bool { return s != "" })
}

// span returns how many columns or rows a cell takes.
func span(cell *dom.Node, key string) int {
	value, ok := cell.Lookup(key)
	if !ok {
		return 1
	}
	n, err := strconv.Atoi(strings.TrimSpace(value))
	if err != nil || n < 1 {
		return 1
	}
	return min(n, maxColumns)
}

// cell returns the content of a cell as one line.
func (w *writer) cell(n *dom.Node) string {
	outer, from := w.state, len(w.out)
	w.state = state{flat: flatCell, start: from, closedAt: -1, bracketAt: -1, depth: outer.depth, inLink: outer.inLink}
	w.children(n)
	w.closeMarks(0)
	text := string(w.out[from:])
	w.out = w.out[:from]
	w.state = outer
	return text
}

// alignments returns how the columns are aligned, by the cells of the first row.
func (t *tableSurvey) alignments() []string {
	var list []string
	if len(t.rows) == 0 {
		return nil
	}
	for _, cell := range t.rows[0] {
		for range min(span(cell, "colspan"), maxColumns-len(list)) {
			list = append(list, alignment(cell))
		}
	}
	return list
}

func alignment(cell *dom.Node) string {
	align := strings.ToLower(cell.Get("align"))
	if style := cell.Get("style"); style != "" {
		if i := strings.Index(style, "text-align"); i >= 0 {
			value, _, _ := strings.Cut(style[i+len("text-align"):], ";")
			align = strings.ToLower(strings.Trim(value, " \t\n:"))
		}
	}
	switch align {
	case "left":
		return ":---"
	case "center":
		return ":---:"
	case "right":
		return "---:"
	}
	return "---"
}

// writeRows writes a grid; its first row becomes the header that a table must have.
func (w *writer) writeRows(grid [][]string, aligned []string) {
	columns := 0
	for _, row := range grid {
		columns = max(columns, len(row))
	}
	if columns == 0 {
		return
	}
	pad := columns*len(grid) <= maxGrid
	for i, row := range grid {
		if len(w.out) > maxOutput {
			return
		}
		width := len(row)
		if pad || i == 0 {
			width = columns
		}
		w.row(width, func(c int) string { return at(row, c, "") })
		if i == 0 {
			w.row(columns, func(c int) string { return at(aligned, c, "---") })
		}
	}
}

// row writes one line of a table.
func (w *writer) row(columns int, cell func(int) string) {
	w.block(1)
	w.startLine()
	for c := range columns {
		w.out = append(w.out, '|', ' ')
		w.out = append(w.out, cell(c)...)
		w.out = append(w.out, ' ')
	}
	w.out = append(w.out, '|')
}

func at(list []string, i int, otherwise string) string {
	if i < len(list) {
		return list[i]
	}
	return otherwise
}
