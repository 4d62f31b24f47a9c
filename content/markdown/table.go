package markdown

import (
	"strings"

	"golang.org/x/net/html/atom"

	"github.com/trawlhq/trawl/content/chars"
	"github.com/trawlhq/trawl/content/dom"
)

// Limits of tables.
const (
	maxColumns  = MaxColumns
	maxRepeated = 60      // bytes of a cell that is written in each column that it spans
	maxGrid     = 500_000 // cells that spans and short rows may add up to
)

// writeTable writes a table. Those that only arrange blocks on the page are
// unwrapped, and those whose rows are lines of code become code.
func (w *writer) writeTable(n *dom.Node) {
	switch {
	case n.HasClass("highlight", "js-file-line-container", "diff-table") && n.Inside(atom.Pre) == nil:
		w.pre(n)
		return
	case n.HasClass("memname"): // a signature, in documentation made by Doxygen
		w.block(2)
		w.span(collapse(w.rawCode(n)))
		w.block(2)
		return
	case w.flat != flowing:
		w.plainBlock(n)
		return
	}
	w.surveyTable(n)
	if w.table.layout(w.document) {
		w.plainBlock(n)
		return
	}
	w.block(2)
	if w.table.survey.caption != nil {
		w.node(w.table.survey.caption)
		w.block(2)
	}
	w.fillGrid()
	w.writeRows()
	w.block(2)
}

// tableWork is what a table is made of and what becomes of it. Tables of data
// do not contain each other, so one is enough for all of a page.
type tableWork struct {
	survey tableSurvey
	cells  []*dom.Node // of all rows, nil for those that are left out
	rows   []int       // where in cells each row ends
	grid   []gridCell  // what is written, row by row
	ends   []int       // where in grid each row ends
	head   int         // the row that is written first
	over   []spanning  // by column, what reaches down from above
	text   []byte      // of all cells
}

// tableSurvey is what tells tables of data from those that arrange blocks.
type tableSurvey struct {
	caption      *dom.Node
	columns      int  // cells of the longest row
	filled       int  // cells that have text
	crowded      int  // cells with several paragraphs
	header       bool // some cells are headers
	nested       bool // a table in the table, or code of several lines
	blocks       bool // lists, headings and the like in a cell
	presentation bool // the page says that it only arranges
}

// gridCell is where in the text of all cells that of one is.
type gridCell struct{ from, to int }

// spanning is a cell that reaches down into the rows to come.
type spanning struct {
	gridCell
	rows int
}

// layout reports whether the table is there to arrange blocks.
func (t *tableSurvey) layout(rows int) bool {
	switch {
	case t.nested || t.presentation:
		return true
	case t.columns <= 1:
		return !t.header || t.blocks || t.crowded > 0 || rows < 2
	case t.header:
		return false
	}
	return t.blocks || rows == 1 || t.crowded*4 > t.filled
}

// surveyTable notes the cells of a table and what is in them.
func (w *writer) surveyTable(table *dom.Node) {
	t := &w.table
	t.cells, t.rows, t.survey = t.cells[:0], t.rows[:0], tableSurvey{}
	s := &t.survey
	role := table.Get("role")
	s.presentation = role == "presentation" || role == "none"
	cell := cellSurvey{}
	for n := table.FirstChild; n != nil && !s.nested; {
		gone := w.part.Drop.Has(n)
		switch n.Atom {
		case atom.Td, atom.Th:
			s.addCell(&cell)
			t.addCell(n, gone)
			s.nested = inCell(n, table)
		case atom.Tr:
			if !gone {
				t.rows = append(t.rows, len(t.cells))
			}
			s.nested = inCell(n, table)
		default:
			if !gone {
				w.surveyNode(n, &cell)
			}
		}
		n = dom.Following(n, table, !gone)
	}
	s.addCell(&cell)
}

// inCell reports whether a cell or row is in a cell of the same table, which
// only pages that were too broken for the usual rules have.
func inCell(n, table *dom.Node) bool {
	for n = n.Parent; n != table; n = n.Parent {
		if n.Atom == atom.Td || n.Atom == atom.Th {
			return true
		}
	}
	return false
}

// cellSurvey counts the paragraphs of the cell at hand.
type cellSurvey struct {
	paragraphs int
	ended      bool // a paragraph, so that text begins another
}

func (s *tableSurvey) addCell(c *cellSurvey) {
	if c.paragraphs > 0 {
		s.filled++
	}
	if c.paragraphs > 1 {
		s.crowded++
	}
	*c = cellSurvey{ended: true}
}

// surveyNode notes what is in a cell.
func (w *writer) surveyNode(n *dom.Node, c *cellSurvey) {
	s := &w.table.survey
	if n.Type == dom.TextNode {
		if c.ended && !isWhite(n.Data) {
			c.paragraphs++
			c.ended = false
		}
		return
	}
	switch n.Atom {
	case atom.P, atom.Div:
		c.ended = true
	case atom.Table:
		s.nested = true
	case atom.Caption:
		s.caption = n
	case atom.Pre:
		s.nested = !w.isOneLine(n)
	case atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6, atom.Ul, atom.Ol, atom.Dl,
		atom.Blockquote, atom.Hr, atom.Form, atom.Article, atom.Section:
		s.blocks = true
	}
}

// isOneLine reports whether code is small enough for a cell.
func (w *writer) isOneLine(pre *dom.Node) bool {
	code := w.codeOf(pre)
	return len(code) < 200 && !strings.Contains(string(code), "\n")
}

// addCell notes a cell. One that is left out keeps its place in the row.
func (t *tableWork) addCell(n *dom.Node, gone bool) {
	if len(t.rows) == 0 {
		t.rows = append(t.rows, 0)
	}
	if gone {
		t.cells = append(t.cells, nil)
		return
	}
	t.cells = append(t.cells, n)
	t.survey.columns = max(t.survey.columns, len(t.cells)-t.rows[len(t.rows)-1])
	t.survey.header = t.survey.header || n.Atom == atom.Th
}

// layout reports whether the table is there to arrange blocks, which those of
// documents only are if there is no other way to write them.
func (t *tableWork) layout(document bool) bool {
	return t.survey.nested || !document && t.survey.layout(len(t.rows))
}

// row returns the cells of the i-th row.
func (t *tableWork) row(i int) []*dom.Node {
	if i+1 < len(t.rows) {
		return t.cells[t.rows[i]:t.rows[i+1]]
	}
	return t.cells[t.rows[i]:]
}

// fillGrid lays out all cells, rows that are empty left out. A cell that spans
// rows is repeated in each of them. One that spans columns leaves those after it
// empty on pages, where it is often there for the looks; in documents it is
// repeated as well if it is short, since what it says holds for all of its columns.
func (w *writer) fillGrid() {
	t := &w.table
	t.grid, t.ends, t.over, t.text = t.grid[:0], t.ends[:0], t.over[:0], t.text[:0]
	spare := maxGrid // how many more cells spans may take
	for i := range t.rows {
		from := len(t.grid)
		t.reachDown(from)
		for _, cell := range t.row(i) {
			if len(t.grid)-from >= maxColumns {
				w.loss.Columns = w.loss.Columns || cell != nil && !isWhite(cell.InnerText(maxLinkText))
				continue
			}
			columns, rows := span(cell, "colspan"), min(span(cell, "rowspan"), len(t.rows)-i)
			if spare -= columns * rows; spare < 0 {
				columns, rows = 1, 1
			}
			text := w.cell(cell)
			t.add(from, text, columns, rows, w.document && text.to-text.from <= maxRepeated)
			t.reachDown(from)
		}
		if t.isEmpty(from) {
			t.grid = t.grid[:from]
			continue
		}
		if len(t.ends) == 0 {
			t.head = i
		}
		t.ends = append(t.ends, len(t.grid))
	}
}

// add puts a cell at the end of the row that begins at from.
func (t *tableWork) add(from int, cell gridCell, columns, rows int, repeat bool) {
	at := len(t.grid) - from
	for range min(columns, maxColumns-at) {
		for len(t.over) <= at {
			t.over = append(t.over, spanning{})
		}
		t.over[at] = spanning{cell, rows - 1}
		t.grid = append(t.grid, cell)
		if at++; !repeat {
			cell = gridCell{}
		}
	}
}

// reachDown appends the cells from above that come next in the row.
func (t *tableWork) reachDown(from int) {
	for at := len(t.grid) - from; at < len(t.over) && t.over[at].rows > 0; at++ {
		t.over[at].rows--
		t.grid = append(t.grid, t.over[at].gridCell)
	}
}

func (t *tableWork) isEmpty(from int) bool {
	for _, cell := range t.grid[from:] {
		if cell.to > cell.from {
			return false
		}
	}
	return true
}

// span returns how many columns or rows a cell takes.
func span(cell *dom.Node, key string) int {
	if cell == nil {
		return 1
	}
	n, ok := number(cell, key)
	if !ok || n < 1 {
		return 1
	}
	return min(n, maxColumns)
}

// cell writes the content of a cell as one line and sets it aside.
func (w *writer) cell(n *dom.Node) gridCell {
	if n == nil {
		return gridCell{}
	}
	outer, from := w.state, len(w.out)
	w.state = state{flat: flatCell, start: from, closedAt: -1, bracketAt: -1,
		depth: outer.depth, inLink: outer.inLink, inNote: outer.inNote, marks: outer.marks[len(outer.marks):]}
	w.children(n)
	w.closeMarks(0)
	at := len(w.table.text)
	w.table.text = append(w.table.text, w.out[from:]...)
	w.out = w.out[:from]
	w.state = outer
	return gridCell{at, len(w.table.text)}
}

// headless reports whether the rows have headings and the columns do not: the
// first row begins with a heading that is followed by data.
func (t *tableWork) headless() bool {
	if len(t.ends) == 0 || t.ends[0] == 0 || t.grid[0].from == t.grid[0].to {
		return false
	}
	row := t.row(t.head)
	if row[0] == nil || row[0].Atom != atom.Th || row[0].Parent.Parent.Is(atom.Thead) {
		return false
	}
	for _, cell := range row[1:] {
		if cell != nil && cell.Atom == atom.Td {
			return true
		}
	}
	return false
}

// writeRows writes the grid; its first row becomes the header that a table must
// have, if it can be one.
func (w *writer) writeRows() {
	t := &w.table
	columns, from := 0, 0
	for _, end := range t.ends {
		columns = max(columns, end-from)
		from = end
	}
	pad := columns*len(t.ends) <= maxGrid
	from = 0
	headless := t.headless()
	if headless {
		w.writeRow(make([]gridCell, columns))
		w.writeAlignments(columns)
	}
	for i, end := range t.ends {
		if len(w.out) > maxOutput {
			w.loss.Rest = true
			return
		}
		w.writeRow(t.grid[from:end])
		if pad || i == 0 && !headless {
			for range columns - (end - from) {
				w.out = append(w.out, "  |"...)
			}
		}
		if i == 0 && !headless {
			w.writeAlignments(columns)
		}
		from = end
	}
}

// writeRow writes one line of a table.
func (w *writer) writeRow(row []gridCell) {
	w.block(1)
	w.startLine()
	w.out = append(w.out, '|')
	for _, cell := range row {
		w.out = append(w.out, ' ')
		w.out = append(w.out, w.table.text[cell.from:cell.to]...)
		w.out = append(w.out, " |"...)
	}
}

// writeAlignments writes the line below the header: how columns are aligned,
// by the cells of the header.
func (w *writer) writeAlignments(columns int) {
	w.block(1)
	w.startLine()
	w.out = append(w.out, '|')
	for _, cell := range w.table.row(w.table.head) {
		for range min(span(cell, "colspan"), columns) {
			w.out = append(w.out, alignment(cell)...)
			columns--
		}
	}
	for range columns {
		w.out = append(w.out, " --- |"...)
	}
}

func alignment(cell *dom.Node) string {
	if cell == nil {
		return " --- |"
	}
	align := cell.Get("align")
	if style := cell.Get("style"); style != "" {
		if i := strings.Index(style, "text-align"); i >= 0 {
			value, _, _ := strings.Cut(style[i+len("text-align"):], ";")
			align = strings.Trim(value, " \t\n:")
		}
	}
	switch {
	case chars.HasPrefixFold(align, "left"):
		return " :--- |"
	case chars.HasPrefixFold(align, "center"):
		return " :---: |"
	case chars.HasPrefixFold(align, "right"):
		return " ---: |"
	}
	return " --- |"
}
