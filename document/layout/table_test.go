package layout_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/trawlhq/trawl/document/layout"
)

// grid draws the lines of a table.
func (s *sheet) grid(xs, ys []float32) {
	for _, y := range ys {
		s.rule(xs[0], y, xs[len(xs)-1], y+0.5)
	}
	for _, x := range xs {
		s.rule(x, ys[0], x+0.5, ys[len(ys)-1])
	}
}

// cells draws rows of cells, each at the left of its column.
func (s *sheet) cells(xs []float32, y, step float32, rows ...string) {
	for _, r := range rows {
		for i, text := range strings.Split(r, "|") {
			s.put(xs[i], y, 10, regular, text)
		}
		y += step
	}
}

func TestTables(t *testing.T) {
	t.Parallel()
	columns := []float32{60, 200, 340}
	for name, test := range map[string]struct {
		draw func(s *sheet)
		want []string
	}{
		"all lines drawn": {func(s *sheet) {
			s.grid([]float32{50, 190, 330, 470}, []float32{288, 308, 328, 348})
			s.cells(columns, 302, 20, "Name|Size|Colour", "Ball|small|red", "Box|large|")
		}, []string{"table Name|Size|Colour / Ball|small|red / Box|large|"}},
		"cells of several lines": {func(s *sheet) {
			s.grid([]float32{50, 190, 330, 470}, []float32{288, 308, 340, 360})
			s.cells(columns, 302, 20, "Name|Size|Colour", "Ball|very small|red")
			s.put(60, 334, 10, regular, "of wood")
			s.cells(columns, 354, 20, "Box|large|blue")
		}, []string{"table Name|Size|Colour / Ball of wood|very small|red / Box|large|blue"}},
		"cells that span": {func(s *sheet) {
			s.grid([]float32{50, 190}, []float32{288, 308, 328, 348})
			s.rule(190, 288, 470, 288.5)
			s.rule(190, 308, 470, 308.5)
			s.rule(190, 328, 470, 328.5)
			s.rule(190, 348, 470, 348.5)
			s.rule(330, 308, 330.5, 348)
			s.rule(470, 288, 470.5, 348)
			s.cells(columns, 302, 20, "Name|Measures", "Ball|small|red", "Box|large|blue")
		}, []string{"table Name|Measures«2 / Ball|small|red / Box|large|blue"}},
		"several rows between two lines": {func(s *sheet) {
			s.grid([]float32{50, 190, 330, 470}, []float32{288, 308, 368})
			s.cells(columns, 302, 16, "Name|Size|Weight")
			s.cells(columns, 322, 16, "Ball|12.5|1,300", "Box|4.0|2,400", "Bag|7.5|180")
		}, []string{"table Name|Size|Weight / Ball|12.5|1,300 / Box|4.0|2,400 / Bag|7.5|180"}},
		"one name for several rows": {func(s *sheet) {
			s.grid([]float32{50, 190, 330, 470}, []float32{288, 308, 348, 404, 424})
			s.cells(columns, 302, 16, "Name|Size|Weight")
			s.cells(columns, 330, 16, "Toys")
			s.cells(columns[1:], 322, 16, "12.5|1,300", "4.0|2,400")
			s.cells(columns, 378, 16, "Tools")
			s.cells(columns[1:], 362, 16, "7.5|180", "8.5|190", "9.5|200")
			s.cells(columns, 418, 16, "Rest|1.0|10")
		}, []string{"table Name|Size|Weight / Toys^2|12.5|1,300 / 4.0|2,400 / Tools^3|7.5|180 / 8.5|190 / 9.5|200 / Rest|1.0|10"}},
		"lines beside the first column only": {func(s *sheet) {
			s.grid([]float32{50, 190, 470}, []float32{288, 308, 328, 348, 368})
			s.cells(columns, 302, 20, "Name|Size|Weight", "Ball|12.5|1,300", "Box|4.0|2,400", "Bag|7.5|180")
		}, []string{"table Name|Size|Weight / Ball|12.5|1,300 / Box|4.0|2,400 / Bag|7.5|180"}},
		"double borders": {func(s *sheet) {
			for _, x := range []float32{50, 190, 330} {
				for _, y := range []float32{288, 313, 338} {
					s.grid([]float32{x, x + 134}, []float32{y, y + 19})
				}
			}
			s.rule(187, 288, 187.5, 357)
			for _, y := range []float32{288, 313, 338} {
				s.rule(50, y, 464, y+0.5)
			}
			s.cells(columns, 302, 25, "Name|Size|Colour", "Ball|small|red", "Box|large|blue")
		}, []string{"table Name|Size|Colour / Ball|small|red / Box|large|blue"}},
		"digits in groups": {func(s *sheet) {
			s.cells(columns, 302, 16, "Name|1990|2000", "Ball|12 500|1 300", "Box|4 100|22 400", "Bag|7 200|180")
		}, []string{"table Name|1990|2000 / Ball|12 500|1 300 / Box|4 100|22 400 / Bag|7 200|180"}},
		"rows further apart than lines": {func(s *sheet) {
			s.cells(columns, 302, 18, "Name|Use|Who")
			s.cells(columns, 320, 12, "Sampling|Find the|Ann", "frame|households")
			s.cells(columns, 350, 12, "Register|Count the|Bob", "of all|people")
			s.cells(columns, 380, 12, "Survey|Ask|Eve")
		}, []string{"table Name|Use|Who / Sampling frame|Find the households|Ann / Register of all|Count the people|Bob / Survey|Ask|Eve"}},
		"names in the middle above their columns": {func(s *sheet) {
			s.cells([]float32{110, 200, 340}, 302, 16, "Name|1990|2000")
			s.cells(columns, 318, 16, "Ball|12.5|1,300", "Box|4.0|2,400", "Bag|7.5|180", "A very large bag|8.5|190")
		}, []string{"table Name|1990|2000 / Ball|12.5|1,300 / Box|4.0|2,400 / Bag|7.5|180 / A very large bag|8.5|190"}},
		"shaded cells": {func(s *sheet) {
			for y := float32(288); y < 340; y += 20 {
				for x := float32(50); x < 470; x += 140 {
					s.Fills = append(s.Fills, layout.Box{Left: x, Top: y, Right: x + 140, Bottom: y + 20})
				}
			}
			s.cells(columns, 302, 20, "Name|Size|Colour", "Ball|small|red", "Box|large|blue")
		}, []string{"table Name|Size|Colour / Ball|small|red / Box|large|blue"}},
		"level rules only": {func(s *sheet) {
			for _, y := range []float32{288, 308, 350} {
				s.rule(50, y, 470, y+0.5)
			}
			s.cells(columns, 302, 20, "Name|Size|Colour")
			s.cells(columns, 322, 12, "Ball|small|red", "Box|large|blue", "Bag|tiny|black")
		}, []string{"table Name|Size|Colour / Ball|small|red / Box|large|blue / Bag|tiny|black"}},
		"a header above several columns": {func(s *sheet) {
			for _, y := range []float32{276, 308, 350} {
				s.rule(50, y, 470, y+0.5)
			}
			s.put(280, 290, 10, regular, "Measures")
			s.rule(200, 293, 470, 293.5)
			s.cells(columns, 302, 20, "Name|Size|Colour")
			s.cells(columns, 322, 12, "Ball|small|red", "Box|large|blue", "Bag|tiny|black")
		}, []string{"table |Measures«2 / Name|Size|Colour / Ball|small|red / Box|large|blue / Bag|tiny|black"}},
		"no rules at all": {func(s *sheet) {
			s.cells(columns, 302, 14, "Name|Size|Colour", "Ball|small|red", "Box|large|blue", "Bag|tiny|black")
		}, []string{"table Name|Size|Colour / Ball|small|red / Box|large|blue / Bag|tiny|black"}},
		"a cell that goes on, without rules": {func(s *sheet) {
			s.cells(columns, 302, 20, "Name|Size|Colour", "Ball|small|red")
			s.put(340, 334, 10, regular, "and blue")
			s.cells(columns, 354, 20, "Box|large|green", "Bag|tiny|black")
		}, []string{"table Name|Size|Colour / Ball|small|red and blue / Box|large|green / Bag|tiny|black"}},
		"a first cell of many lines, without rules": {func(s *sheet) {
			s.cells([]float32{60, 200, 340}, 300, 12, "What|Count|Price", "Ball|2|30.00", "A fee for|1|75.00")
			s.lines(60, 336, 10, regular, "everything that", "has to be done", "within the year")
			s.put(200, 372, 10, regular, "Total")
			s.put(340, 372, 10, regular, "105.00")
			s.lines(60, 396, 10, regular, "Thank you for your business, and see you again next year!")
		}, []string{"table What|Count|Price / Ball|2|30.00 / A fee for everything that has to be done within the year|1|75.00 / |Total|105.00", "p Thank you for your business, and see you again next year!"}},
		"several cells that go on, without rules": {func(s *sheet) {
			s.cells([]float32{60, 200, 340, 450}, 300, 12, "What|Kind|Count|Price", "The name of a|A description", "thing that wraps|of it that also", "|wraps", "Ball|Round|1|5.00", "Box|Square|2|7.50")
			s.put(340, 312, 10, regular, "3")
			s.put(450, 312, 10, regular, "12.00")
		}, []string{"table What|Kind|Count|Price / The name of a thing that wraps|A description of it that also wraps|3|12.00 / Ball|Round|1|5.00 / Box|Square|2|7.50"}},
		"a first cell that goes on at the end": {func(s *sheet) {
			s.cells(columns, 300, 12, "What|Count|Price", "Ball|2|30.00", "Box|3|15.00", "A fee for|1|75.00")
			s.put(60, 348, 10, regular, "the year")
		}, []string{"table What|Count|Price / Ball|2|30.00 / Box|3|15.00 / A fee for the year|1|75.00"}},
		"names and values within a cell": {func(s *sheet) {
			s.grid([]float32{50, 300, 510}, []float32{268, 288, 308, 360, 380})
			s.cells([]float32{60, 310}, 282, 20, "Form|17", "Customer|Remarks")
			s.cells([]float32{60, 160}, 322, 12, "Name|Ann", "Phone|555-0100", "Town|Springfield")
			s.lines(310, 322, 10, regular, "These lines are running text and so they go on", "in one another, although the last of all three", "is short.")
			s.cells([]float32{60, 310}, 374, 20, "Signed|yes")
		}, []string{"table Form|17 / Customer|Remarks / Name Ann⏎Phone 555-0100⏎Town Springfield|These lines are running text and so they go on in one another, although the last of all three is short. / Signed|yes"}},
		"lines that end early within a cell": {func(s *sheet) {
			s.grid([]float32{50, 300, 550}, []float32{288, 308, 360})
			s.cells([]float32{60, 310}, 302, 20, "Address|Kind")
			s.lines(60, 322, 10, regular, "A company", "1 Road", "Springfield")
			s.put(310, 322, 10, regular, "new")
		}, []string{"table Address|Kind / A company⏎1 Road⏎Springfield|new"}},
		"columns close together": {func(s *sheet) {
			s.cells([]float32{60, 200, 226, 252}, 302, 14, "Task|0.25|0.50|0.75", "Other|1.25|1.50|1.75", "Last|2.25|2.50|2.75", "Sum|3.75|4.50|5.25")
		}, []string{"table Task|0.25|0.50|0.75 / Other|1.25|1.50|1.75 / Last|2.25|2.50|2.75 / Sum|3.75|4.50|5.25"}},
		"numbers beside text of two lines": {func(s *sheet) {
			for _, y := range []float32{288, 308, 400} {
				s.rule(50, y, 470, y+0.5)
			}
			s.cells(columns, 302, 20, "Name|First|Second")
			for i, text := range []string{"Trade", "Transport", "Health"} {
				y := 326 + float32(i)*30
				s.put(60, y-6, 10, regular, text)
				s.put(60, y+6, 10, regular, "and others")
				s.put(200, y, 10, regular, "12.5")
				s.put(340, y, 10, regular, "37.5")
			}
		}, []string{"table Name|First|Second / Trade and others|12.5|37.5 / Transport and others|12.5|37.5 / Health and others|12.5|37.5"}},
		"upright rules only below the header": {func(s *sheet) {
			s.grid([]float32{50, 190, 330, 470}, []float32{288, 308, 370})
			s.cells(columns, 302, 20, "Name|First|Second")
			s.cells(columns, 322, 14, "Ball|1.5|2.5", "Box|3.5|4.5", "Bag|5.5|6.5")
		}, []string{"table Name|First|Second / Ball|1.5|2.5 / Box|3.5|4.5 / Bag|5.5|6.5"}},
		"every other row shaded": {func(s *sheet) {
			s.Fills = append(s.Fills, layout.Box{Left: 50, Top: 308, Right: 470, Bottom: 328})
			s.cells(columns, 302, 20, "Name|Size|Colour", "Ball|small|red", "Box|large|blue")
		}, []string{"table Name|Size|Colour / Ball|small|red / Box|large|blue"}},
		"a frame around text is no table": {func(s *sheet) {
			s.grid([]float32{50, 470}, []float32{288, 330})
			s.lines(60, 302, 10, regular, "Text in a frame that is", "longer than one line.")
		}, []string{"p Text in a frame that is longer than one line."}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newSheet(1)
			test.draw(s)
			expect(t, test.want, s)
		})
	}
}

func TestTableInColumn(t *testing.T) {
	t.Parallel()
	s := newSheet(1)
	s.prose(50, 100, 10, 240, "a", 10)
	for _, y := range []float32{238, 258, 300} {
		s.rule(50, y, 290, y+0.5)
	}
	s.cells([]float32{55, 150, 230}, 252, 20, "Name|Size|Colour")
	s.cells([]float32{55, 150, 230}, 272, 12, "Ball|small|red", "Box|large|blue", "Bag|tiny|black")
	s.prose(50, 330, 10, 240, "b", 20)
	s.prose(310, 100, 10, 240, "c", 38)
	got := read(s)
	at := slices.Index(got, "table Name|Size|Colour / Ball|small|red / Box|large|blue / Bag|tiny|black")
	if at != 1 || !strings.HasPrefix(got[0], "p a0") {
		t.Errorf("got %q", got)
	}
}

func TestTextBesideText(t *testing.T) {
	t.Parallel()
	s := newSheet(1)
	s.prose(50, 100, 10, 240, "a", 30)
	s.prose(310, 100, 10, 240, "b", 30)
	for _, b := range read(s) {
		if strings.HasPrefix(b, "table") {
			t.Errorf("columns of text are no table: %q", b)
		}
	}
}

func TestDrawing(t *testing.T) {
	t.Parallel()
	s := newSheet(1)
	s.grid([]float32{50, 100, 150, 200, 250, 300, 350}, []float32{300, 320, 340, 360, 380, 400, 420})
	s.put(110, 354, 8, bold, "Start")
	s.put(210, 394, 8, bold, "Stop")
	s.prose(50, 500, 10, 500, "a", 6)
	if got := read(s); len(got) != 2 || got[0] != "image Start Stop" {
		t.Errorf("got %q", got)
	}
}

func TestChart(t *testing.T) {
	t.Parallel()
	s := newSheet(1)
	s.prose(50, 100, 10, 500, "a", 6)
	for i, x := range []float32{180, 320, 240, 420, 150} {
		y := 302 + float32(i)*16
		s.put(60, y, 10, regular, []string{"Ball", "Box", "Bag", "Hat", "Pen"}[i])
		s.put(x, y, 10, regular, []string{"18", "32", "24", "42", "15"}[i])
	}
	if got := read(s); slices.ContainsFunc(got, func(b string) bool { return strings.HasPrefix(b, "table") }) {
		t.Errorf("got %q", got)
	}
}

func TestPictureText(t *testing.T) {
	t.Parallel()
	s := newSheet(1)
	s.prose(50, 100, 10, 500, "a", 6)
	s.Pictures = append(s.Pictures, layout.Box{Left: 100, Top: 200, Right: 400, Bottom: 400})
	s.put(120, 250, 7, regular, "label")
	s.put(300, 350, 7, regular, "other")
	s.prose(50, 430, 10, 500, "b", 6)
	if got := read(s); !slices.Contains(got, "image label other") {
		t.Errorf("got %q", got)
	}
}

func TestShadedCode(t *testing.T) {
	t.Parallel()
	s := newSheet(1)
	y := s.prose(50, 100, 10, 500, "a", 6)
	for i, text := range []string{"for i in range(3):", "print(i)  # comment"} {
		base := y + 20 + float32(i)*12
		end := s.put(50+float32(i)*24, base, 10, mono, text)
		s.Fills = append(s.Fills, layout.Box{Left: 50, Top: base - 9, Right: end, Bottom: base + 3})
	}
	if got := read(s); len(got) != 2 || got[1] != "code for i in range(3):⏎    print(i)  # comment" {
		t.Errorf("got %q", got)
	}
}

func TestTableFromRight(t *testing.T) {
	t.Parallel()
	s := newSheet(1)
	s.grid([]float32{50, 190, 330}, []float32{288, 308, 328})
	for i, text := range []string{"שם", "גודל", "כדור", "קטן"} {
		s.backwards(320-float32(i%2)*140, 302+float32(i/2)*20, 10, text)
	}
	expect(t, []string{"table שם|גודל / כדור|קטן"}, s)
}
