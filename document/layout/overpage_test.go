package layout_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/trawlhq/trawl/document/layout"
)

// tableAt draws rows of cells with lines around all of them.
func (s *sheet) tableAt(x, y float32, font int, rows ...string) {
	const width, height = 120, 20
	columns := 0
	for i, row := range rows {
		cells := strings.Split(row, "|")
		columns = len(cells)
		for k, text := range cells {
			s.put(x+float32(k)*width+4, y+float32(i)*height+14, 10, font, text)
		}
		font = regular
	}
	bottom, right := y+float32(len(rows))*height, x+float32(columns)*width
	for i := range len(rows) + 1 {
		s.rule(x, y+float32(i)*height, right, y+float32(i)*height+0.5)
	}
	for k := range columns + 1 {
		s.rule(x+float32(k)*width, y, x+float32(k)*width+0.5, bottom)
	}
}

func TestTableOverPages(t *testing.T) {
	t.Parallel()
	top := []string{"Town|Men|Women", "Aachen|12|14", "Bonn|22|24"}
	tests := map[string]struct {
		second func(s *sheet)
		want   []string
	}{
		"header once": {func(s *sheet) { s.tableAt(50, 60, regular, "Celle|32|34", "Emden|42|44") },
			[]string{"table Town|Men|Women / Aachen|12|14 / Bonn|22|24 / Celle|32|34 / Emden|42|44"}},
		"header again": {func(s *sheet) { s.tableAt(50, 60, bold, "Town|Men|Women", "Celle|32|34", "Emden|42|44") },
			[]string{"table Town|Men|Women / Aachen|12|14 / Bonn|22|24 / Celle|32|34 / Emden|42|44"}},
		"on the other side of the sheet": {func(s *sheet) { s.tableAt(90, 60, regular, "Celle|32|34", "Emden|42|44") },
			[]string{"table Town|Men|Women / Aachen|12|14 / Bonn|22|24 / Celle|32|34 / Emden|42|44"}},
		"said to be continued": {func(s *sheet) {
			s.put(50, 60, 10, regular, "Table 1 (continued)")
			s.tableAt(50, 70, bold, "Town|Men|Women", "Celle|32|34", "Emden|42|44")
		}, []string{"table Town|Men|Women / Aachen|12|14 / Bonn|22|24 / Celle|32|34 / Emden|42|44"}},
		"another header": {func(s *sheet) { s.tableAt(50, 60, bold, "River|Ships|Boats", "Elbe|32|34", "Rhine|42|44") },
			[]string{"table Town|Men|Women / Aachen|12|14 / Bonn|22|24", "table River|Ships|Boats / Elbe|32|34 / Rhine|42|44"}},
		"another number of columns": {func(s *sheet) { s.tableAt(50, 60, regular, "Celle|32", "Emden|42") },
			[]string{"table Town|Men|Women / Aachen|12|14 / Bonn|22|24", "table Celle|32 / Emden|42"}},
		"text before it": {func(s *sheet) {
			s.put(50, 60, 10, regular, "The rivers of the country are these.")
			s.tableAt(50, 70, regular, "Celle|32|34", "Emden|42|44")
		}, []string{"table Town|Men|Women / Aachen|12|14 / Bonn|22|24", "p The rivers of the country are these.", "table Celle|32|34 / Emden|42|44"}},
		"far down": {func(s *sheet) { s.tableAt(50, 500, regular, "Celle|32|34", "Emden|42|44") },
			[]string{"table Town|Men|Women / Aachen|12|14 / Bonn|22|24", "table Celle|32|34 / Emden|42|44"}},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			first, second := newSheet(1), newSheet(2)
			first.put(50, 100, 10, regular, "How many people live where is told below.")
			first.tableAt(50, 680, bold, top...)
			test.second(second)
			want := append([]string{"p How many people live where is told below."}, test.want...)
			if got := read(first, second); !slices.Equal(got, want) {
				t.Errorf("got  %q\nwant %q", got, want)
			}
		})
	}
}

func TestTableOverThreePages(t *testing.T) {
	t.Parallel()
	var sheets []*sheet
	for i := range 3 {
		s := newSheet(i + 1)
		rows := []string{"Town|Men|Women"}
		for k := range 32 {
			rows = append(rows, strings.Repeat("x", 1+k%7)+"|"+string(rune('1'+i))+"0|20")
		}
		s.tableAt(50, 60, bold, rows...)
		sheets = append(sheets, s)
	}
	got := read(sheets...)
	if len(got) != 1 || strings.Count(got[0], "Town") != 1 || strings.Count(got[0], " / ") != 96 {
		t.Errorf("got %q", got)
	}
}

// A form that is filled in on every page is a table on every page.
func TestFormAgain(t *testing.T) {
	t.Parallel()
	var sheets []*sheet
	for i := range 2 {
		s := newSheet(i + 1)
		rows := []string{"Claim|Entry|Remark"}
		for k := range 32 {
			rows = append(rows, "Label "+strings.Repeat(string(rune('a'+k%26)), 2+k/26)+"|"+string(rune('1'+i))+"0|20")
		}
		s.tableAt(50, 60, bold, rows...)
		sheets = append(sheets, s)
	}
	if got := read(sheets...); len(got) != 2 {
		t.Errorf("got %q", got)
	}
}

// Who wants pages one by one gets the rows of a table with their pages.
func TestTablePageByPage(t *testing.T) {
	t.Parallel()
	b := layout.NewBuilder()
	b.PageByPage = true
	for i := range 2 {
		s := newSheet(i + 1)
		rows := []string{"Town|Men|Women"}
		for k := range 32 {
			rows = append(rows, strings.Repeat("x", 1+k%7)+"|10|20")
		}
		s.tableAt(50, 60, bold, rows...)
		b.Add(&s.Page)
	}
	pages, _ := b.Finish()
	for _, p := range pages {
		if len(p.Blocks) != 1 {
			t.Errorf("page %d has %d blocks", p.Number, len(p.Blocks))
		}
	}
}

func TestFlowChart(t *testing.T) {
	t.Parallel()
	s := newSheet(1)
	for i, label := range []string{"Reader", "Parser", "Writer"} {
		y := 300 + 60*float32(i)
		s.put(120, y+18, 10, regular, label)
		s.rule(100, y, 200, y+0.5)
		s.rule(100, y+30, 200, y+30.5)
		s.rule(100, y, 100.5, y+30)
		s.rule(200, y, 200.5, y+30)
		if i < 2 {
			s.rule(150, y+30, 150.5, y+60)
		}
	}
	if got, want := read(s), []string{"image Reader Parser Writer"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}
