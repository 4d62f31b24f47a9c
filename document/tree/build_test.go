package tree_test

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/trawlhq/trawl/document/tree"
)

func TestLine(t *testing.T) {
	t.Parallel()
	var l tree.Line
	began := []bool{l.Write("a", 0, ""), l.Write("b", 0, ""), l.Write("", tree.Bold, ""), l.Write("c", tree.Bold, ""), l.Write("d", tree.Bold, "/x")}
	if want := []bool{true, false, false, true, true}; !slices.Equal(began, want) {
		t.Errorf("began %v, want %v", began, want)
	}
	l.Add(tree.Span{Note: "n"})
	l.Write("e", 0, "")
	want := []tree.Span{{Text: "ab"}, {Text: "c", Style: tree.Bold}, {Text: "d", Style: tree.Bold, Link: "/x"}, {Note: "n"}, {Text: "e"}}
	if got := l.Take(); !slices.Equal(got, want) {
		t.Errorf("got %+v", got)
	}
	if got := l.Take(); !l.IsEmpty() || len(got) != 0 {
		t.Errorf("there is still %+v", got)
	}
}

func TestTrim(t *testing.T) {
	t.Parallel()
	tests := map[string]struct{ text, want []tree.Span }{
		"both ends":    {[]tree.Span{{Text: " \u00a0"}, {Text: "\ta"}, {Text: " "}, {Text: "b \n"}, {Text: "\t"}}, []tree.Span{{Text: "a"}, {Text: " "}, {Text: "b"}}},
		"all white":    {[]tree.Span{{Text: " "}, {Text: "\n"}}, nil},
		"beside notes": {[]tree.Span{{Note: "n"}, {Text: " a "}, {Note: "m"}, {Text: " "}}, []tree.Span{{Note: "n"}, {Text: " a "}, {Note: "m"}}},
		"one":          {[]tree.Span{{Text: " a "}}, []tree.Span{{Text: "a"}}},
	}
	for name, test := range tests {
		before := slices.Clone(test.text)
		if got := tree.Trim(test.text); !slices.Equal(got, test.want) {
			t.Errorf("%s: got %+v", name, got)
		}
		if !slices.Equal(test.text, before) {
			t.Errorf("%s: what was given is now %+v", name, test.text)
		}
	}
}

func TestTakeBox(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		text  []tree.Span
		check tree.Check
		rest  string
	}{
		"open":          {spans("☐ a"), tree.Unchecked, "a"},
		"ticked":        {spans(tree.Box(true) + "\u00a0a"), tree.Checked, "a"},
		"apart":         {[]tree.Span{{Text: "☑"}, {Text: " a"}}, tree.Checked, "a"},
		"two":           {spans("☐ yes ☐ no"), tree.NoBox, "☐ yes ☐ no"},
		"in the middle": {spans("a ☐"), tree.NoBox, "a ☐"},
		"alone":         {spans("☐ "), tree.NoBox, "☐ "},
		"nothing":       {nil, tree.NoBox, ""},
	}
	for name, test := range tests {
		check, rest := tree.TakeBox(test.text)
		got := ""
		for _, s := range rest {
			got += s.Text
		}
		if check != test.check || got != test.rest {
			t.Errorf("%s: got %v and %q", name, check, got)
		}
	}
}

func TestPlainHeading(t *testing.T) {
	t.Parallel()
	const b, i = tree.Bold, tree.Italic
	text := []tree.Span{{Text: "a", Style: b | i}, {Text: " "}, {Text: "b", Style: i | tree.Super}}
	if tree.PlainHeading(text); text[0].Style != 0 || text[2].Style != tree.Super {
		t.Errorf("got %+v", text)
	}
	text = []tree.Span{{Text: "a", Style: b | i}, {Text: "b"}}
	if tree.PlainHeading(text); text[0].Style != i {
		t.Errorf("got %+v", text)
	}
}

func TestPlainHeader(t *testing.T) {
	t.Parallel()
	bold := func(text string) []tree.Block {
		return blocks(&tree.Paragraph{Text: []tree.Span{{Text: text, Style: tree.Bold}}})
	}
	all := &tree.Table{Rows: []tree.Row{cells(bold("a"), bold("b"), nil), cells(bold("c"), nil, nil)}}
	if all.PlainHeader(); all.Rows[0].Cells[0].Text != "a" || all.Rows[0].Cells[1].Text != "b" || all.Rows[1].Cells[0].Text != "" {
		t.Errorf("got %+v", all.Rows)
	}
	some := &tree.Table{Rows: []tree.Row{cells(bold("a"), blocks(para("b")))}}
	if some.PlainHeader(); some.Rows[0].Cells[0].Text != "" {
		t.Errorf("got %+v", some.Rows)
	}
}

func TestSimplify(t *testing.T) {
	t.Parallel()
	for want, body := range map[string][]tree.Block{
		"a": blocks(para("a")),
		"":  blocks(para("a\nb")),
	} {
		c := tree.Cell{Body: body}
		if c.Simplify(); c.Text != want || (len(c.Body) == 0) != (want != "") {
			t.Errorf("got %+v, want %q", c, want)
		}
	}
}

func TestMargins(t *testing.T) {
	t.Parallel()
	var m tree.Margins
	for _, text := range []string{"Report", "Page 3 of 5", "– 7 –", "report ", "", "Seite 2"} {
		m.AddHeader(blocks(para(text)))
	}
	m.AddHeader(blocks(&tree.Image{Source: "/logo.png"}))
	m.AddHeader(blocks(&tree.Table{Rows: []tree.Row{row("Draft", "2")}}))
	m.AddFooter(blocks(para("Report")))
	if len(m.Headers) != 2 || len(m.Footers) != 1 {
		t.Errorf("%d headers, %d footers", len(m.Headers), len(m.Footers))
	}
}

func TestPageNumberInMargin(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"Institute\t\tPage 3 of 7":   "Institute",
		"Page \tof\tReport":          "Report",
		"Report 2025\t04.03.2025":    "Report 2025\t04.03.2025",
		"Page of the year\tSeite 12": "Page of the year",
	} {
		half := len(text) / 2
		var m tree.Margins
		m.AddFooter(blocks(&tree.Paragraph{Text: []tree.Span{{Text: text[:half]}, {Text: text[half:], Style: tree.Bold}}}))
		got := ""
		for _, span := range m.Footers[0].(*tree.Group).Body[0].(*tree.Paragraph).Text {
			got += span.Text
		}
		if strings.TrimSpace(got) != want {
			t.Errorf("%q becomes %q, want %q", text, got, want)
		}
	}
}

func TestPictures(t *testing.T) {
	t.Parallel()
	for kind, body := range map[string]string{
		"image/png": "\x89PNG\r\n\x1a\n", "image/jpeg": "\xff\xd8\xff\xe0", "image/gif": "GIF89a", "image/bmp": "BM..", "image/webp": "RIFF....WEBPVP8 ",
		"image/svg+xml": "\ufeff<?xml version='1.0'?><svg/>", "": "\xd7\xcd\xc6\x9a",
	} {
		got := new(tree.Pictures).Embed([]byte(body))
		if got != "" != (kind != "") || !strings.HasPrefix(got, "data:"+kind) && kind != "" {
			t.Errorf("%q became %s", body, got)
		}
	}
	var p tree.Pictures
	large := append([]byte("GIF89a"), bytes.Repeat([]byte{0}, tree.MaxPicture-6)...)
	if p.Embed(append(large, 0)) != "" {
		t.Error("too large, but embedded")
	}
	reads, embedded := 0, 0
	for range 12 {
		if p.EmbedPart("a.gif", func(string) ([]byte, error) { reads++; return large, nil }) != "" {
			embedded++
		}
	}
	if reads != 1 || embedded < 7 || embedded > 8 {
		t.Errorf("read %d times and embedded %d times", reads, embedded)
	}
	if p.EmbedPart("b.gif", func(string) ([]byte, error) { return nil, errors.New("gone") }) != "" {
		t.Error("embedded what cannot be read")
	}
}

func TestRank(t *testing.T) {
	t.Parallel()
	heading := func(level int) *tree.Heading { return &tree.Heading{Level: level, Text: spans("a")} }
	levels := func(title bool) []int {
		inner, deep, first, note := heading(1), heading(6), heading(2), heading(3)
		doc := body(first, deep, &tree.Table{Rows: []tree.Row{cells(blocks(&tree.Quote{Body: blocks(inner)}))}})
		doc.Notes = []tree.Note{{Body: blocks(note)}}
		if title {
			doc.Body = append(doc.Body, heading(tree.Title))
		}
		doc.Rank()
		return []int{first.Level, deep.Level, inner.Level, note.Level}
	}
	if got, want := levels(false), []int{2, 6, 1, 3}; !slices.Equal(got, want) {
		t.Errorf("without a title %v", got)
	}
	if got, want := levels(true), []int{3, 6, 2, 4}; !slices.Equal(got, want) {
		t.Errorf("below a title %v", got)
	}
}

func TestIncomplete(t *testing.T) {
	t.Parallel()
	var doc tree.Document
	for _, err := range []error{nil, tree.ErrDamaged, fmt.Errorf("a: %w", tree.ErrTooComplex), errors.New("b")} {
		doc.Incomplete(err)
	}
	if len(doc.Warnings) != 2 || !strings.Contains(doc.Warnings[1], "larger") {
		t.Errorf("got %q", doc.Warnings)
	}
}

func TestMoment(t *testing.T) {
	t.Parallel()
	for s, want := range map[string]string{
		"2024-05-06T07:08:09Z": "2024-05-06T07:08:09Z", " 2024-05-06T07:08:09.5 ": "2024-05-06T07:08:09.5Z", "2024-05-06": "2024-05-06T00:00:00Z", "soon": "0001-01-01T00:00:00Z",
	} {
		if got := tree.Moment(s).UTC().Format("2006-01-02T15:04:05.999Z07:00"); got != want {
			t.Errorf("%s is %s", s, got)
		}
	}
}

func TestLayOut(t *testing.T) {
	t.Parallel()
	cell := func(text string, right int) tree.GridCell {
		return tree.GridCell{Body: blocks(para(text)), Right: right}
	}
	merged, below, loose := cell("m", 2000), cell("t", 1000), cell("z", 0)
	merged.Merged, below.Continued, loose.Loose = true, true, true
	tests := map[string]struct {
		rows []tree.GridRow
		want string
	}{
		"edges that are nearly one": {[]tree.GridRow{{Cells: []tree.GridCell{cell("a", 1000), cell("b", 2000)}}, {Cells: []tree.GridCell{cell("c", 1040), cell("d", 1990)}}}, "a b / c d"},
		"a wide cell":               {[]tree.GridRow{{Cells: []tree.GridCell{cell("a", 1000), cell("b", 2000)}}, {Cells: []tree.GridCell{cell("c", 2000)}}}, "a b / c2x1"},
		"merged with that before":   {[]tree.GridRow{{Cells: []tree.GridCell{cell("a", 1000), merged}}, {Cells: []tree.GridCell{cell("c", 1000), cell("d", 2000)}}}, "am2x1 / c d"},
		"merged with that above":    {[]tree.GridRow{{Cells: []tree.GridCell{cell("a", 1000), cell("b", 2000)}}, {Cells: []tree.GridCell{below, cell("d", 2000)}}}, "at1x2 b / d"},
		"nothing above":             {[]tree.GridRow{{Cells: []tree.GridCell{below, cell("b", 2000)}}}, "t b"},
		"more than was said":        {[]tree.GridRow{{Cells: []tree.GridCell{cell("a", 1000), loose}}}, "a z"},
		"of no width":               {[]tree.GridRow{{Cells: []tree.GridCell{cell("a", 1000), cell("b", 1000), cell("c", 2000)}}}, "ab c"},
	}
	for name, test := range tests {
		if got := showGrid(tree.LayOut(test.rows)); got != test.want {
			t.Errorf("%s: got %s, want %s", name, got, test.want)
		}
	}
	header := tree.LayOut([]tree.GridRow{{Header: true}, {Header: true}, {}, {Header: true}}).Header
	if header != 2 {
		t.Errorf("%d rows are headers", header)
	}
}

// showGrid writes the cells of a table and how many columns and rows they span.
func showGrid(t *tree.Table) string {
	var rows []string
	for _, row := range t.Rows {
		var cells []string
		for _, c := range row.Cells {
			text := c.Text
			for _, b := range c.Body {
				text += b.(*tree.Paragraph).Text[0].Text
			}
			if c.Columns > 1 || c.Rows > 1 {
				text += fmt.Sprintf("%dx%d", c.Columns, max(c.Rows, 1))
			}
			cells = append(cells, text)
		}
		rows = append(rows, strings.Join(cells, " "))
	}
	return strings.Join(rows, " / ")
}

func TestNest(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		levels []int
		want   string
	}{
		"flat":         {[]int{1, 1}, "<ul><li>1</li><li>1</li></ul>"},
		"deeper":       {[]int{0, 1, 3, 1, 0}, "<ul><li>0<ul><li>1<ul><li>3</li></ul></li><li>1</li></ul></li><li>0</li></ul>"},
		"deeper first": {[]int{2, 1, 0}, "<ul><li>2</li><li>1</li><li>0</li></ul>"},
		"none":         {nil, ""},
	} {
		var list []tree.LevelItem
		for _, level := range test.levels {
			list = append(list, tree.LevelItem{Level: level, Item: tree.Item{Body: blocks(para(fmt.Sprint(level)))}})
		}
		if got := write(body(tree.Nest(list))); got != test.want {
			t.Errorf("%s: got %s", name, got)
		}
	}
}
