package slides

import (
	"strconv"

	"github.com/trawlhq/trawl/document/tree"
	"github.com/trawlhq/trawl/document/zipped"
)

// maxSpan bounds how many rows or columns a cell may say that it spans.
const maxSpan = 1000

// table reads a table. Cells that others span are in the file, but empty.
func (s *slide) table(n *zipped.Node) tree.Block {
	t := &tree.Table{}
	if isOn(n.Child("a:tblPr"), "firstRow") {
		t.Header = 1
	}
	for tr := range n.All() {
		if tr.Name != "a:tr" {
			continue
		}
		var row tree.Row
		for tc := range tr.All() {
			if tc.Name != "a:tc" || isOn(tc, "hMerge") || isOn(tc, "vMerge") {
				continue
			}
			cell := tree.Cell{Body: s.text(tc.Child("a:txBody"), nil, ""), Columns: span(tc, "gridSpan"), Rows: span(tc, "rowSpan")}
			cell.Simplify()
			row.Cells = append(row.Cells, cell)
		}
		t.Rows = append(t.Rows, row)
	}
	if len(t.Rows) == 0 {
		return nil
	}
	t.PlainHeader()
	return t
}

func isOn(n *zipped.Node, attr string) bool { return n.Get(attr) == "1" || n.Get(attr) == "true" }

func span(n *zipped.Node, attr string) int32 {
	i, err := strconv.Atoi(n.Get(attr))
	if err != nil {
		return 1
	}
	return int32(min(max(i, 1), maxSpan))
}
