package layout

import "github.com/trawlhq/trawl/document/tree"

// table reads a table. One of a single column is a frame around blocks.
func (r *tagReader) table(e *Element, sink tagSink) {
	t := &tagTable{reader: r, table: &tree.Table{}}
	t.rows(e, false, sink)
	if t.columns < 2 {
		for _, b := range t.blocks {
			sink(b)
		}
		return
	}
	for t.table.Header < len(t.headers) && t.headers[t.table.Header] {
		t.table.Header++
	}
	if t.table.Header == len(t.headers) {
		t.table.Header = min(1, len(t.headers))
	}
	sink(tagBlock{Block: t.table, label: "table", box: t.box})
}

// tagTable is a table that is being read.
type tagTable struct {
	reader  *tagReader
	table   *tree.Table
	headers []bool // which rows have nothing but headers
	columns int    // of the longest row
	blocks  []tagBlock
	box     Box
}

// rows reads the rows of a table or of a part of it.
func (t *tagTable) rows(e *Element, head bool, sink tagSink) {
	for _, child := range e.Children {
		switch child.Type {
		case "TR":
			t.row(child, head)
		case "THead":
			t.rows(child, true, sink)
		case "Caption":
			line := t.reader.line()
			line.element(child)
			t.table.Caption = line.take()
		case "Artifact":
		case "TBody", "TFoot", "Table", "NonStruct", "Div", "Sect", "Part":
			t.rows(child, head, sink)
		default:
			t.reader.block(child, sink)
		}
	}
}

func (t *tagTable) row(e *Element, head bool) {
	var row tree.Row
	headers := true
	columns := 0
	for _, child := range e.Children {
		if child.Type != "TD" && child.Type != "TH" {
			continue
		}
		headers = headers && (head || child.Type == "TH")
		cell := t.cell(child)
		columns += max(int(cell.Columns), 1)
		row.Cells = append(row.Cells, cell)
	}
	if len(row.Cells) > 0 {
		t.columns = max(t.columns, columns)
		t.headers = append(t.headers, headers)
		t.table.Rows = append(t.table.Rows, row)
	}
}

func (t *tagTable) cell(e *Element) tree.Cell {
	c := tree.Cell{Columns: int32(min(e.Columns, tagMaxSpan)), Rows: int32(min(e.Rows, tagMaxSpan)), Header: e.Type == "TH"}
	var inner tagGroup
	t.reader.blocks(e, func(b tagBlock) {
		inner.add(b)
		t.blocks = append(t.blocks, b)
	})
	t.box = tagUnion(t.box, inner.box)
	if len(inner.blocks) == 1 {
		p, ok := inner.blocks[0].(*tree.Paragraph)
		if ok && c.Header {
			tagUnbold(p.Text)
		}
		if ok && len(p.Text) == 1 && p.Text[0].Style == 0 && p.Text[0].Link == "" {
			c.Text = p.Text[0].Text
			return c
		}
	}
	c.Body = inner.blocks
	return c
}
