package doc

import (
	"slices"

	"github.com/trawlhq/trawl/document/tree"
)

// tableRow is a row: the paragraphs of its cells, and what its end says of it, nil if
// there is none.
type tableRow struct {
	cells [][]paragraph
	end   *row
}

// makeTable makes a table of paragraphs; one of a single cell is what is in it.
func (r *reader) makeTable(list []paragraph, depth int) []tree.Block {
	rows := r.rows(list, depth)
	switch {
	case len(rows) == 0:
		return nil
	case len(rows) == 1 && len(rows[0].cells) == 1:
		return r.frame(rows[0].cells[0], depth-1)
	}
	out := make([]tree.GridRow, len(rows))
	for i := range rows {
		out[i] = r.shape(rows[i].end, len(rows[i].cells))
		for j, content := range rows[i].cells {
			out[i].Cells[j].Body = r.blocks(content, depth)
		}
	}
	table := tree.LayOut(out)
	table.PlainHeader()
	return []tree.Block{table}
}

// frame makes blocks of paragraphs that stand in a table for its lines alone. They
// are taken as what surrounds it.
func (r *reader) frame(list []paragraph, depth int) []tree.Block {
	for i := range list {
		list[i].depth--
	}
	return r.blocks(list, depth)
}

// rows divides paragraphs into rows and cells.
func (r *reader) rows(list []paragraph, depth int) []tableRow {
	var out []tableRow
	var now tableRow
	start := 0
	endCell := func(end int) {
		now.cells = append(now.cells, list[start:end])
		start = end
	}
	for i := range list {
		p := &list[i]
		switch {
		case p.depth != depth:
		case p.rowEnd:
			if i > start {
				endCell(i)
			}
			start = i + 1
			if now.end = p.row; len(now.cells) > 0 {
				out = append(out, now)
			}
			now = tableRow{}
		case p.cellEnd:
			endCell(i + 1)
		}
	}
	if start < len(list) {
		endCell(len(list))
	}
	if len(now.cells) > 0 {
		out = append(out, now)
	}
	return out
}

// shape returns a row with as many cells, and where they end as far as that is known.
func (r *reader) shape(end *row, cells int) tree.GridRow {
	out := tree.GridRow{Cells: slices.Repeat([]tree.GridCell{{Loose: true}}, cells)}
	if end == nil {
		return out
	}
	out.Header = end.header
	d, size := end.cells, 20
	if r.old {
		size = 10
	}
	if d.u8(0) != cells || len(d) < 1+2*(cells+1) {
		return out
	}
	for i := range out.Cells {
		flags := d.u16(1 + 2*(cells+1) + size*i)
		out.Cells[i] = tree.GridCell{Right: d.i16(3 + 2*i), Merged: flags&3 == 2, Continued: !r.old && flags&0x60 == 0x20}
	}
	for _, v := range end.vertical {
		if i := v.u8(0); i < cells {
			out.Cells[i].Continued = v.u8(1) == 1
		}
	}
	return out
}
