package docx

import (
	"strconv"

	"github.com/trawlhq/trawl/document/tree"
	"github.com/trawlhq/trawl/document/zipped"
)

// maxSpan bounds how many columns a cell may say that it spans.
const maxSpan = 100

// tableReader reads one table.
type tableReader struct {
	*reader
	rows   []tree.Row
	header int               // rows at the top that say that they are headers
	merged map[int]*mergedIn // by column, cells that may go on in the next row
}

// mergedIn is a cell that spans rows: where it is.
type mergedIn struct{ row, cell int }

// table reads a table, nil if it has no cells.
func (f *flow) table(n *zipped.Node) tree.Block {
	f.end()
	t := &tableReader{reader: f.reader, merged: map[int]*mergedIn{}}
	t.children(n)
	if len(t.rows) == 0 {
		return nil
	}
	return &tree.Table{Header: t.header, Rows: t.rows}
}

// children reads the rows in an element and lets go of them.
func (t *tableReader) children(n *zipped.Node) {
	for c := range n.All() {
		n.First = c
		switch c.Name {
		case "w:tr":
			t.row(c)
		case "w:sdt":
			t.children(c.Child("w:sdtContent"))
		case "w:customXml", "w:ins", "w:moveTo":
			t.children(c)
		case "mc:AlternateContent":
			t.children(alternative(c))
		}
	}
}

func (t *tableReader) row(tr *zipped.Node) {
	trPr := tr.Child("w:trPr")
	if trPr.Child("w:del") != nil {
		return
	}
	row := rowReader{tableReader: t}
	if before := count(trPr.Child("w:gridBefore")); before > 0 {
		row.add(tree.Cell{Columns: before})
	}
	row.children(tr)
	if after := count(trPr.Child("w:gridAfter")); after > 0 && len(row.cells) > 0 {
		row.add(tree.Cell{Columns: after})
	}
	if header := trPr.Child("w:tblHeader"); header != nil && toggleOf(header) == on && t.header == len(t.rows) {
		t.header++
	}
	t.rows = append(t.rows, tree.Row{Cells: row.cells})
}

// count returns a number of columns, 0 if there is none.
func count(n *zipped.Node) int32 {
	i, err := strconv.Atoi(n.Get("w:val"))
	if err != nil || i < 0 {
		return 0
	}
	return int32(min(i, maxSpan))
}

// rowReader reads one row.
type rowReader struct {
	*tableReader
	cells  []tree.Cell
	column int
}

func (r *rowReader) children(n *zipped.Node) {
	for c := range n.All() {
		switch c.Name {
		case "w:tc":
			r.cell(c)
		case "w:sdt":
			r.children(c.Child("w:sdtContent"))
		case "w:customXml", "w:ins", "w:moveTo":
			r.children(c)
		case "mc:AlternateContent":
			r.children(alternative(c))
		}
	}
}

// cell reads a cell. One that goes on from the row above belongs to that.
func (r *rowReader) cell(tc *zipped.Node) {
	tcPr := tc.Child("w:tcPr")
	columns := max(count(tcPr.Child("w:gridSpan")), 1)
	body := r.blocks(tc)
	if beside := tcPr.Child("w:hMerge"); beside != nil && beside.Get("w:val") != "restart" && len(r.cells) > 0 {
		left := &r.cells[len(r.cells)-1]
		left.Columns = min(left.Columns+columns, maxSpan)
		extend(left, body)
		r.column += int(columns)
		return
	}
	merge := tcPr.Child("w:vMerge")
	above := r.merged[r.column]
	delete(r.merged, r.column)
	if merge != nil && merge.Get("w:val") != "restart" && r.reaches(above) {
		top := &r.rows[above.row].Cells[above.cell]
		top.Rows = int32(len(r.rows) - above.row + 1)
		extend(top, body)
		r.merged[r.column] = above
		r.column += int(columns)
		return
	}
	if merge != nil {
		r.merged[r.column] = &mergedIn{len(r.rows), len(r.cells)}
	}
	made := tree.Cell{Body: body, Columns: columns}
	made.Simplify()
	r.add(made)
}

// extend adds what stands in a cell that another one covers.
func extend(c *tree.Cell, body []tree.Block) {
	if len(body) > 0 && c.Text != "" {
		c.Body, c.Text = []tree.Block{&tree.Paragraph{Text: []tree.Span{{Text: c.Text}}}}, ""
	}
	c.Body = append(c.Body, body...)
}

// reaches tells whether a cell comes down to the row above this one.
func (r *rowReader) reaches(above *mergedIn) bool {
	return above != nil && above.row < len(r.rows) && above.row+int(max(r.rows[above.row].Cells[above.cell].Rows, 1)) == len(r.rows)
}

func (r *rowReader) add(c tree.Cell) {
	r.cells = append(r.cells, c)
	r.column += int(c.Columns)
}
