package rtf

import (
	"slices"

	"github.com/trawlhq/trawl/document/tree"
)

// table is a table that is open.
type table struct {
	content []entry // of the cell that is open
	cells   [][]entry
	rows    []tableRow
}

type tableRow struct {
	form  rowForm
	cells [][]entry
}

// rowForm is what \trowd and the words behind it say of a row.
type rowForm struct {
	header bool
	first  bool // \irow0: a table begins
	cells  []tree.GridCell
	next   tree.GridCell // whose \cellx is yet to come
}

// tableWord handles ends and properties of cells and rows.
func (r *reader) tableWord(t *token) {
	f := r.state.flow
	form := &f.row
	if r.state.nested {
		form = &f.inner
	}
	switch string(t.name) {
	case "cell":
		f.endCell(1, &r.state)
	case "nestcell":
		f.endCell(max(r.state.paragraph.tables(), 2), &r.state)
	case "row":
		f.endRow(1, &f.row)
	case "nestrow":
		f.endRow(max(len(f.tables), 2), &f.inner)
	case "trowd":
		*form = rowForm{}
	case "trhdr":
		form.header = true
	case "irow":
		form.first = t.value == 0
	case "clmrg":
		form.next.Merged = true
	case "clvmrg":
		form.next.Continued = true
	case "cellx":
		if len(form.cells) < maxCells {
			form.next.Right = t.value
			form.cells = append(form.cells, form.next)
		}
		form.next = tree.GridCell{}
	}
}

// descend opens or closes tables until as many are open.
func (f *flow) descend(depth int) {
	for len(f.tables) > depth {
		last := f.tables[len(f.tables)-1]
		f.tables = f.tables[:len(f.tables)-1]
		for _, b := range last.finish(f) {
			f.append(entry{block: b})
		}
	}
	for len(f.tables) < depth {
		f.tables = append(f.tables, &table{})
	}
}

func (f *flow) endCell(depth int, st *state) {
	f.descend(depth)
	f.endIn(st)
	t := f.tables[len(f.tables)-1]
	t.cells = append(t.cells, t.content)
	t.content = nil
}

func (f *flow) endRow(depth int, form *rowForm) {
	if len(f.tables) < depth {
		return // there was no cell
	}
	f.descend(depth)
	f.tables[depth-1].endRow(form, f.reader)
}

func (t *table) endRow(form *rowForm, r *reader) {
	if len(t.content) > 0 {
		t.cells = append(t.cells, t.content)
	}
	if len(t.cells) > 0 {
		r.pieces += max(len(t.cells), len(form.cells))
		copied := *form
		copied.cells = slices.Clone(form.cells)
		t.rows = append(t.rows, tableRow{form: copied, cells: t.cells})
	}
	t.cells, t.content = nil, nil
}

// tableWeight is how many pieces a table is worth besides its cells.
const tableWeight = 8

// finish returns the table, or several if the file says that another begins.
func (t *table) finish(f *flow) []tree.Block {
	t.endRow(&f.row, f.reader)
	var out []tree.Block
	for from, i := 0, 1; i <= len(t.rows); i++ {
		if i == len(t.rows) || t.rows[i].form.first {
			f.reader.pieces += tableWeight
			out = append(out, layOut(t.rows[from:i]))
			from = i
		}
	}
	return out
}

// layOut makes a table of rows. Some have fewer cells than they speak of, or more.
func layOut(rows []tableRow) *tree.Table {
	list := make([]tree.GridRow, len(rows))
	for i := range rows {
		cells := rows[i].form.cells
		for len(cells) < len(rows[i].cells) {
			cells = append(cells, tree.GridCell{Loose: true})
		}
		for j, content := range rows[i].cells {
			cells[j].Body = blocks(content)
		}
		list[i] = tree.GridRow{Header: rows[i].form.header, Cells: cells}
	}
	out := tree.LayOut(list)
	out.PlainHeader()
	return out
}
