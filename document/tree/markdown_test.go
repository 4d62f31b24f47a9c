package tree_test

import (
	"strings"
	"testing"

	"github.com/trawlhq/trawl/document/tree"
)

func row(cells ...string) tree.Row {
	var r tree.Row
	for _, c := range cells {
		r.Cells = append(r.Cells, tree.Cell{Text: c})
	}
	return r
}

func cells(bodies ...[]tree.Block) tree.Row {
	var r tree.Row
	for _, b := range bodies {
		r.Cells = append(r.Cells, tree.Cell{Body: b})
	}
	return r
}

func blocks(list ...tree.Block) []tree.Block { return list }

// TestMarkdown has what documents are made of, and what becomes of it in the end.
func TestMarkdown(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("some words ", 40)
	checks := &tree.List{Items: []tree.Item{{Check: tree.Checked, Body: blocks(para("done"))}, {Check: tree.Unchecked, Body: blocks(para("open"))}}}
	tests := map[string]struct {
		doc  *tree.Document
		want string
	}{
		"notes": {&tree.Document{
			Body:  blocks(&tree.Paragraph{Text: []tree.Span{{Text: "a"}, {Note: "f2"}, {Text: ", b"}, {Note: "f1"}}}),
			Notes: []tree.Note{{Name: "f2", Body: blocks(para("First note."))}, {Name: "f1", Body: blocks(para("Second note."), para("More."))}},
		}, "a[^1], b[^2]\n\n[^1]: First note.\n\n[^2]: Second note.\n\n    More."},
		"boxes":                 {body(checks), "- [x] done\n- [ ] open"},
		"labels":                {body(items("1.1.", "(a)")), "- 1.1. x\n- (a) x"},
		"numbers go on":         {body(items("1.", "2."), para("text"), items("3.")), "1. x\n2. x\n\ntext\n\n3. x"},
		"formulas":              {body(&tree.Paragraph{Text: []tree.Span{{Text: "so "}, {TeX: `x^{2}`}}}, &tree.Formula{TeX: `\frac{a}{b}`}), "so $x^{2}$\n\n$$\\frac{a}{b}$$"},
		"a table":               {body(&tree.Table{Rows: []tree.Row{row("a", "b"), row("1", "2|3")}}), "| a | b |\n| --- | --- |\n| 1 | 2\\|3 |"},
		"a caption":             {body(&tree.Table{Caption: spans("Sizes"), Rows: []tree.Row{row("a", "b"), row("1", "2")}}), "Sizes\n\n| a | b |\n| --- | --- |\n| 1 | 2 |"},
		"spans of rows":         {body(&tree.Table{Rows: []tree.Row{row("a", "b"), {Cells: []tree.Cell{{Text: "1", Rows: 2}, {Text: "2"}}}, row("3")}}), "| a | b |\n| --- | --- |\n| 1 | 2 |\n| 1 | 3 |"},
		"lists in cells":        {body(&tree.Table{Rows: []tree.Row{row("a", "b"), cells(blocks(para("one"), items("", "2.")), blocks(checks))}}), "| a | b |\n| --- | --- |\n| one<br>- x<br>2. x | - [x] done<br>- [ ] open |"},
		"a table in a cell":     {body(&tree.Table{Rows: []tree.Row{row("a", "b"), cells(blocks(&tree.Table{Rows: []tree.Row{row("1", "", "2"), row("3")}}), blocks(para("c")))}}), "| a | b |\n| --- | --- |\n| 1, 2<br>3 | c |"},
		"a formula in a cell":   {body(&tree.Table{Rows: []tree.Row{row("a", "b"), cells(blocks(&tree.Formula{TeX: "x"}), blocks(para("c")))}}), "| a | b |\n| --- | --- |\n| $x$ | c |"},
		"one column":            {body(&tree.Table{Rows: []tree.Row{row("a"), cells(blocks(para("b"), para("c")))}}), "| a |\n| --- |\n| b<br>c |"},
		"a frame":               {body(&tree.Table{Rows: []tree.Row{cells(blocks(para("b"), items("")))}}), "b\n\n- x"},
		"a table that arranges": {body(&tree.Table{Rows: []tree.Row{cells(blocks(para("b"), para(long)), blocks(para("c")))}}), "b\n\n" + strings.TrimSpace(long) + "\n\nc"},
		"a table in a frame":    {body(&tree.Table{Rows: []tree.Row{cells(blocks(para("b"), &tree.Table{Rows: []tree.Row{row("1", "2"), row("3", "4")}}))}}), "b\n\n| 1 | 2 |\n| --- | --- |\n| 3 | 4 |"},
		"code in a list":        {body(&tree.List{Items: []tree.Item{{Label: "1.", Body: blocks(para("a"), &tree.Code{Text: "b"})}}}), "1. a\n\n   ```\n   b\n   ```"},
		"signs of markdown":     {body(para("# no *heading* _here_")), `\# no \*heading\* \_here\_`},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := strings.TrimSpace(markdown(t, test.doc)); got != test.want {
				t.Errorf("got\n%s\nwant\n%s", got, test.want)
			}
		})
	}
}
