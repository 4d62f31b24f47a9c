package tree_test

import (
	"testing"

	"github.com/trawlhq/trawl/document/tree"
)

func TestExtend(t *testing.T) {
	t.Parallel()
	row := func(cells ...string) tree.Row {
		var r tree.Row
		for _, text := range cells {
			r.Cells = append(r.Cells, tree.Cell{Text: text})
		}
		return r
	}
	head := func() *tree.Table {
		return &tree.Table{Header: 1, Rows: []tree.Row{row("Town", "Men"), row("Aachen", "1")}}
	}
	wide := tree.Row{Cells: []tree.Cell{{Text: "Town", Columns: 2}}}
	tests := map[string]struct {
		more []tree.Row
		want int
	}{
		"header again":   {[]tree.Row{row("Town", "Men"), row("Bonn", "2")}, 3},
		"no header":      {[]tree.Row{row("Bonn", "2"), row("Celle", "3")}, 4},
		"only a header":  {[]tree.Row{row("Town", "Men")}, 2},
		"another header": {[]tree.Row{wide, row("Bonn", "2")}, 4},
		"nothing":        {nil, 2},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := head()
			got.Extend(&tree.Table{Rows: test.more})
			if len(got.Rows) != test.want {
				t.Errorf("%d rows, want %d: %+v", len(got.Rows), test.want, got.Rows)
			}
		})
	}
}
