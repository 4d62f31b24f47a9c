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
	cells  []cellForm
	next   cellForm // whose \cellx is yet to come
}

// cellForm is where a cell ends and how it is merged.
type cellForm struct {
	right                  int
	goesOn, top, continued bool
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
		form.next.goesOn = true
	case "clvmgf":
		form.next.top = true
	case "clvmrg":
		form.next.continued = true
	case "cellx":
		if len(form.cells) < maxCells {
			form.next.right = t.value
			form.cells = append(form.cells, form.next)
		}
		form.next = cellForm{}
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

// layOut makes a table of rows whose cells may end at different places.
func layOut(rows []tableRow) *tree.Table {
	g := grid{edges: edges(rows)}
	out := &tree.Table{}
	for i := range rows {
		if rows[i].form.header && out.Header == i {
			out.Header++
		}
		g.row(out, &rows[i])
	}
	for _, row := range out.Rows {
		for i := range row.Cells {
			row.Cells[i].Simplify()
		}
	}
	out.PlainHeader()
	return out
}

// slack is how far apart, in twips, two edges may be that are meant to be one.
const slack = 60

// edges returns the right edges of all cells, without those that are as good as
// the one before.
func edges(rows []tableRow) []int {
	var all []int
	for i := range rows {
		for _, c := range rows[i].form.cells {
			all = append(all, c.right)
		}
		if len(all) > 1<<16 {
			slices.Sort(all)
			all = slices.Compact(all)
		}
	}
	slices.Sort(all)
	var out []int
	for _, e := range all {
		if len(out) == 0 || e-out[len(out)-1] > slack {
			out = append(out, e)
		}
	}
	return out
}

// grid places the cells of a table in its columns.
type grid struct {
	edges []int
	tops  map[int]place // cells that go on below, by their first columns
}

// place is a cell by row and number in it.
type place struct{ row, cell int }

// column returns the number of the first edge that is not left of x.
func (g *grid) column(x int) int {
	n, _ := slices.BinarySearch(g.edges, x-slack)
	return min(n, max(len(g.edges)-1, 0))
}

func (g *grid) row(out *tree.Table, from *tableRow) {
	row, tops := tree.Row{}, map[int]place{}
	number, at := len(out.Rows), 0 // at: the column that the next cell begins in
	for i := range max(len(from.cells), len(from.form.cells)) {
		var body []tree.Block
		if i < len(from.cells) {
			body = blocks(from.cells[i])
		}
		form := cellForm{}
		width := 1
		if i < len(from.form.cells) {
			form = from.form.cells[i]
			width = max(g.column(form.right)-at+1, 0)
		}
		top, open := g.tops[at]
		switch {
		case form.goesOn && len(row.Cells) > 0 || width == 0 && len(row.Cells) > 0:
			last := &row.Cells[len(row.Cells)-1]
			last.Columns += int32(width)
			last.Body = append(last.Body, body...)
		case form.continued && open:
			cell := &out.Rows[top.row].Cells[top.cell]
			cell.Rows = int32(number - top.row + 1)
			cell.Body = append(cell.Body, body...)
			tops[at] = top
		default:
			if form.top {
				tops[at] = place{number, len(row.Cells)}
			}
			row.Cells = append(row.Cells, tree.Cell{Body: body, Columns: int32(max(width, 1))})
		}
		at += max(width, 0)
	}
	g.tops = tops
	out.Rows = append(out.Rows, row)
}
