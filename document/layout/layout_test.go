package layout_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/trawlhq/trawl/document/layout"
	"github.com/trawlhq/trawl/document/tree"
)

// expect compares the blocks of pages with what is wanted.
func expect(t *testing.T, want []string, sheets ...*sheet) {
	t.Helper()
	if got := read(sheets...); !slices.Equal(got, want) {
		t.Errorf("got:\n%s\nwant:\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

func TestLines(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		draw func(s *sheet)
		want string
	}{
		"lines of a paragraph are joined": {func(s *sheet) {
			s.lines(50, 300, 10, regular, "The first line goes on", "with the second one.")
		}, "p The first line goes on with the second one."},
		"words without spaces are set apart by distance": {func(s *sheet) {
			x := s.put(50, 300, 10, regular, "Two")
			s.put(x+3, 300, 10, regular, "words")
		}, "p Two words"},
		"kerning is no space": {func(s *sheet) {
			x := s.put(50, 300, 10, regular, "A")
			s.put(x+0.8, 300, 10, regular, "Vow")
		}, "p AVow"},
		"letters set apart are one word": {func(s *sheet) {
			x := float32(50)
			for _, c := range "SPACED" {
				x = s.put(x, 300, 10, regular, string(c)) + 2
			}
			x += 6
			for _, c := range "WORDS" {
				x = s.put(x, 300, 10, regular, string(c)) + 2
			}
		}, "p SPACED WORDS"},
		"text drawn twice to look bold is there once": {func(s *sheet) {
			s.put(50, 300, 10, regular, "Plain and then ")
			x := 50 + widthOf("Plain and then ", 10, regular)
			s.put(x, 300, 10, regular, "heavy")
			s.put(x+0.3, 300, 10, regular, "heavy")
			s.put(x+widthOf("heavy", 10, regular), 300, 10, regular, " words")
		}, "p Plain and then **heavy** words"},
		"glyphs drawn twice one by one": {func(s *sheet) {
			x := float32(50)
			for _, c := range "twice" {
				s.put(x, 300, 10, regular, string(c))
				x = s.put(x+0.2, 300, 10, regular, string(c)) - 0.2
			}
			s.put(x, 300, 10, regular, " and once")
		}, "p **twice** and once"},
		"raised and lowered letters": {func(s *sheet) {
			x := s.put(50, 300, 10, regular, "E = mc")
			x = s.put(x, 296, 6, regular, "2")
			x = s.put(x, 300, 10, regular, " and H")
			x = s.put(x, 302, 6, regular, "2")
			s.put(x, 300, 10, regular, "O")
		}, "p E = mc^2^ and H_2_O"},
		"styles within a line": {func(s *sheet) {
			x := s.put(50, 300, 10, regular, "some ")
			x = s.put(x, 300, 10, bold, "bold")
			x = s.put(x, 300, 10, regular, " and ")
			x = s.put(x, 300, 10, italic, "slanted")
			s.put(x, 300, 10, regular, " text")
		}, "p some **bold** and *slanted* text"},
		"a word broken at the end of a line": {func(s *sheet) {
			s.lines(50, 300, 10, regular, "This is a long docu-", "ment with a broken word.")
		}, "p This is a long document with a broken word."},
		"a compound keeps its hyphen": {func(s *sheet) {
			s.lines(50, 300, 10, regular, "A well-known fact is a well-", "known fact for everybody.")
		}, "p A well-known fact is a well-known fact for everybody."},
		"two words that stand alone elsewhere": {func(s *sheet) {
			s.lines(50, 300, 10, regular, "In the real world there are real-", "world tasks to solve.")
		}, "p In the real world there are real-world tasks to solve."},
		"capitals after a hyphen": {func(s *sheet) {
			s.lines(50, 300, 10, regular, "The trains from Stratford-", "Upon-Avon are late.")
		}, "p The trains from Stratford-Upon-Avon are late."},
		"ideographs are joined without spaces": {func(s *sheet) {
			s.lines(50, 300, 10, regular, "漢字の文章は語の間に", "空白を置かない。")
		}, "p 漢字の文章は語の間に空白を置かない。"},
		"ligatures are letters": {func(s *sheet) {
			s.put(50, 300, 10, regular, "eﬃcient ﬁgures")
		}, "p efficient figures"},
		"accents that are drawn on their own": {func(s *sheet) {
			x := s.put(50, 300, 10, regular, "Min")
			s.put(x+0.7, 300, 10, regular, "´")
			x = s.put(x, 300, 10, regular, "a")
			s.put(x, 300, 10, regular, " Nov")
		}, "p Miná Nov"},
		"an initial belongs to its word": {func(s *sheet) {
			s.put(50, 324, 40, regular, "O")
			s.lines(72, 300, 10, regular, "nce upon a time there was a line", "that went on beside the letter", "and then below it.")
		}, "p Once upon a time there was a line that went on beside the letter and then below it."},
		"links": {func(s *sheet) {
			x := s.put(50, 300, 10, regular, "see ")
			end := s.put(x, 300, 10, regular, "the page")
			s.put(end, 300, 10, regular, " for more")
			s.Links = append(s.Links, layout.Link{Box: layout.Box{Left: x, Top: 290, Right: end, Bottom: 303}, URI: "https://example.com/"})
		}, "p see [the page](https://example.com/) for more"},
		"parts of high brackets are no bullets": {func(s *sheet) {
			s.put(50, 300, 10, regular, "\uf8eb")
			s.put(60, 300, 10, regular, "1 11\uf8f6")
		}, "p 1 11"},
		"generated spaces count if there is room": {func(s *sheet) {
			x := s.put(50, 300, 10, regular, "Two")
			s.Glyphs = append(s.Glyphs, layout.Glyph{Rune: ' ', Generated: true, X: x, Y: 300, Size: 10, Box: layout.Box{Left: x, Right: x, Top: 292, Bottom: 302}})
			s.put(x+1.4, 300, 10, regular, "words")
		}, "p Two words"},
		"what is drawn out of order": {func(s *sheet) {
			x := 50 + widthOf("first ", 10, regular)
			s.put(x, 300, 10, regular, "second")
			s.put(50, 300, 10, regular, "first ")
		}, "p first second"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newSheet(1)
			test.draw(s)
			expect(t, []string{test.want}, s)
		})
	}
}

// backwards draws text of a script that runs from right to left, so that it ends at x.
func (s *sheet) backwards(right, y, size float32, text string) float32 {
	for _, c := range text {
		right -= advance(c, regular) * size
		s.put(right, y, size, regular, string(c))
	}
	return right
}

func TestRightToLeft(t *testing.T) {
	t.Parallel()
	s := newSheet(1)
	x := s.backwards(550, 300, 10, "שלום ")
	x -= widthOf("R2 D2", 10, regular)
	s.put(x, 300, 10, regular, "R2 D2")
	s.backwards(x, 300, 10, " עולם")
	s.backwards(550, 312, 10, "שורה שנייה כאן")
	expect(t, []string{"p שלום R2 D2 עולם שורה שנייה כאן"}, s)
}

func TestColumns(t *testing.T) {
	t.Parallel()
	s := newSheet(1)
	s.put(150, 100, 24, bold, "A title over both columns")
	s.prose(50, 200, 10, 240, "left", 12)
	s.prose(310, 200, 10, 240, "right", 12)
	s.prose(50, 380, 10, 500, "wide", 3)
	s.prose(50, 450, 10, 240, "lower", 8)
	s.prose(310, 450, 10, 240, "last", 8)
	text := strings.Join(read(s), "\n")
	at := -1
	for _, mark := range []string{"h1 A title over both columns", "left0 ", "left11 ", "right0 ", "right11 ", "wide0 ", "wide2 ", "lower0 ", "lower7 ", "last0 ", "last7 "} {
		next := strings.Index(text, mark)
		if next <= at {
			t.Fatalf("%q is not after what comes before it in\n%s", mark, text)
		}
		at = next
	}
}

// Narrow columns whose lines stand beside each other are read one after the other.
func TestNarrowColumns(t *testing.T) {
	words := strings.Fields("Moving companies in New York that You are probably looking for with a good Record and reviews which fit your budget and timeline")
	s := newSheet(1)
	var want []string
	at := 0
	for column := range 4 {
		left := 40 + float32(column)*110
		var text []string
		for n := range 24 {
			y := 80 + float32(n)*14
			if n == 7 {
				name := fmt.Sprintf("Mover %d", column+1)
				s.put(left, y, 12, bold, name)
				want, text = append(want, strings.Join(text, " "), "h1 "+name), nil
				continue
			}
			line := words[at%len(words)]
			for at++; ; at++ {
				longer := line + " " + words[at%len(words)]
				if widthOf(longer, 12, regular) > 90 {
					break
				}
				line = longer
			}
			s.put(left, y, 12, regular, line)
			text = append(text, line)
		}
		want = append(want, strings.Join(text, " "))
	}
	got := strings.Join(read(s), "\n")
	rest := got
	for _, w := range want {
		at := strings.Index(rest, w)
		if at < 0 {
			t.Fatalf("%q is missing, or not where it should be, in %q", w, got)
		}
		rest = rest[at:]
	}
}

// Short columns of names are a table, however many there are.
func TestNamesAreNoColumns(t *testing.T) {
	s := newSheet(1)
	for line := range 9 {
		y := 100 + float32(line)*16
		s.put(60, y, 10, regular, fmt.Sprintf("Ministry of Works %d", line))
		s.put(220, y, 10, regular, fmt.Sprintf("Northern Region %d", line))
		s.put(380, y, 10, regular, fmt.Sprintf("Building of Roads %d", line))
	}
	if got := strings.Join(read(s), "\n"); !strings.Contains(got, "Ministry of Works 3|Northern Region 3|Building of Roads 3") {
		t.Errorf("got %q", got)
	}
}

func TestSidebar(t *testing.T) {
	t.Parallel()
	s := newSheet(1)
	s.prose(50, 200, 10, 350, "main", 20)
	s.prose(430, 207, 8, 130, "side", 9)
	text := strings.Join(read(s), "\n")
	if strings.Index(text, "main19") > strings.Index(text, "side0") {
		t.Errorf("the sidebar interrupts the text:\n%s", text)
	}
}

func TestParagraphs(t *testing.T) {
	t.Parallel()
	s := newSheet(1)
	y := s.lines(50, 300, 10, regular, "The first paragraph is as wide as the column of text", "and ends early.")
	y = s.lines(60, y, 10, regular, "An indented line begins the second paragraph of it,")
	y = s.lines(50, y, 10, regular, "which goes on to the left of it until the whole of it")
	y = s.lines(50, y, 10, regular, "is told.")
	s.lines(50, y+8, 10, regular, "White space begins the third.")
	expect(t, []string{
		"p The first paragraph is as wide as the column of text and ends early.",
		"p An indented line begins the second paragraph of it, which goes on to the left of it until the whole of it is told.",
		"p White space begins the third.",
	}, s)
}

func TestJoins(t *testing.T) {
	t.Parallel()
	one, two := newSheet(1), newSheet(2)
	one.prose(50, 200, 10, 240, "a", 30)
	one.prose(310, 200, 10, 240, "b", 30)
	two.prose(50, 200, 10, 500, "c", 5)
	got := read(one, two)
	if len(got) != 1 || !strings.Contains(got[0], "c4") {
		t.Errorf("a sentence over columns and pages is torn: %q", got)
	}
	three := newSheet(3)
	three.lines(50, 200, 10, regular, "A new sentence begins here.")
	one = newSheet(1)
	one.lines(50, 200, 10, regular, "This sentence ends on its page.")
	expect(t, []string{"p This sentence ends on its page.", "p A new sentence begins here."}, one, three)
}

func TestHeadings(t *testing.T) {
	t.Parallel()
	s := newSheet(1)
	s.lines(50, 80, 24, regular, "The title of the document", "on two lines")
	y := s.prose(50, 160, 10, 500, "a", 4)
	s.put(50, y+20, 14, bold, "1 Introduction")
	y = s.prose(50, y+40, 10, 500, "b", 4)
	s.put(50, y+20, 12, bold, "1.1 Details of it")
	y = s.prose(50, y+40, 10, 500, "c", 4)
	s.put(50, y+16, 10, bold, "A bold line")
	y = s.prose(50, y+30, 10, 500, "d", 4)
	s.put(50, y+16, 10, italic, "A slanted line")
	y = s.prose(50, y+30, 10, 500, "e", 4)
	s.put(50, y+16, 14, bold, "2 Conclusion")
	s.prose(50, y+40, 10, 500, "f", 4)
	var got []string
	for _, b := range read(s) {
		if b[0] == 'h' {
			got = append(got, b)
		}
	}
	want := []string{"h1 The title of the document on two lines", "h2 1 Introduction", "h3 1.1 Details of it", "h3 A bold line", "h3 *A slanted line*", "h2 2 Conclusion"}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestNoHeadings(t *testing.T) {
	t.Parallel()
	s := newSheet(1)
	y := s.prose(50, 200, 10, 500, "a", 4)
	s.put(50, y+16, 10, bold, "This is a sentence in bold letters that only wants to be seen, and so it ends as sentences do.")
	s.put(50, y+40, 14, regular, "12,345")
	for _, b := range read(s) {
		if b[0] == 'h' {
			t.Errorf("%q is no heading", b)
		}
	}
}

func TestLists(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		draw func(s *sheet)
		want string
	}{
		"bullets with lines that go on": {func(s *sheet) {
			s.put(50, 300, 10, regular, "•")
			s.put(65, 300, 10, regular, "the first item, which is longer than")
			s.put(65, 312, 10, regular, "its line")
			s.put(50, 324, 10, regular, "•")
			s.put(65, 324, 10, regular, "the second")
		}, "list - the first item, which is longer than its line / - the second"},
		"numbers keep their labels": {func(s *sheet) {
			s.lines(50, 300, 10, regular, "3. three", "4. four", "b) letter")
		}, "list 3. three / 4. four / b) letter"},
		"nested by indentation": {func(s *sheet) {
			s.put(50, 300, 10, regular, "• outer")
			s.put(70, 312, 10, regular, "– inner")
			s.put(70, 324, 10, regular, "– another")
			s.put(50, 336, 10, regular, "• outer again")
		}, "list - outer [- inner / - another] / - outer again"},
		"boxes to tick": {func(s *sheet) {
			s.lines(50, 300, 10, regular, "☐ to do", "☒ done")
		}, "list ☐ to do / ☑ done"},
		"symbols of a font of pictures": {func(s *sheet) {
			s.put(50, 300, 10, bullets, "n")
			s.put(65, 300, 10, regular, "one")
			s.put(50, 312, 10, bullets, "n")
			s.put(65, 312, 10, regular, "two")
		}, "list - one / - two"},
		"a letter of another font as bullet": {func(s *sheet) {
			for i, text := range []string{"one", "two"} {
				x := s.put(50, 300+float32(i)*12, 10, mono, "o")
				s.put(x+4, 300+float32(i)*12, 10, regular, text)
			}
		}, "list - one / - two"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newSheet(1)
			test.draw(s)
			expect(t, []string{test.want}, s)
		})
	}
}

func TestCode(t *testing.T) {
	t.Parallel()
	s := newSheet(1)
	y := s.prose(50, 200, 10, 500, "a", 6)
	y += 12
	for _, l := range []string{"func main() {", "    for i := range 3 {", "        print(i)", "    }", "}"} {
		trimmed := strings.TrimLeft(l, " ")
		s.put(50+float32(len(l)-len(trimmed))*6, y, 10, mono, trimmed)
		y += 12
	}
	got := read(s)
	if want := "code func main() {⏎    for i := range 3 {⏎        print(i)⏎    }⏎}"; len(got) != 2 || got[1] != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestTypewritten(t *testing.T) {
	t.Parallel()
	s := newSheet(1)
	s.lines(50, 300, 10, mono, "A letter that was written on a machine", "is no code.")
	expect(t, []string{"p A letter that was written on a machine is no code."}, s)
}

func TestContents(t *testing.T) {
	t.Parallel()
	s := newSheet(1)
	s.lines(50, 300, 10, regular, "Preface . . . . . . . . . . . . . . iv", "Chapter 1 Beginnings . . . . . . . . 1", "Chapter 2 Endings . . . . . . . . . 23")
	expect(t, []string{"list - Preface iv / - Chapter 1 Beginnings 1 / - Chapter 2 Endings 23"}, s)
}

func TestFootnotes(t *testing.T) {
	t.Parallel()
	s := newSheet(1)
	x := s.put(50, 200, 10, regular, "A claim")
	x = s.put(x, 196, 6, regular, "1")
	s.put(x, 200, 10, regular, " and another")
	s.put(x+widthOf(" and another", 10, regular), 196, 6, regular, "2")
	s.prose(50, 212, 10, 500, "a", 6)
	for i, text := range []string{"where it was found.", "a different source."} {
		y := 700 + float32(i)*10
		x = s.put(50, y-3, 5, regular, string(rune('1'+i)))
		s.put(x+2, y, 8, regular, text)
	}
	got := read(s)
	want := []string{"note 1-1: p where it was found.", "note 1-2: p a different source."}
	if len(got) != 4 || got[0] != "p A claim{1-1} and another{1-2}" || !slices.Equal(got[2:], want) {
		t.Errorf("got %q", got)
	}
}

func TestMargins(t *testing.T) {
	t.Parallel()
	var sheets []*sheet
	for i := range 4 {
		s := newSheet(i + 1)
		s.put(50, 40, 9, regular, "Annual Report")
		s.put(500, 40, 9, regular, "Chapter "+string(rune('1'+i)))
		s.prose(50, 100, 10, 500, strings.Repeat(string(rune('a'+i)), 2), 40)
		s.put(290, 770, 9, regular, "Page "+string(rune('1'+i))+" of 4")
		sheets = append(sheets, s)
	}
	for _, b := range read(sheets...) {
		if strings.Contains(b, "Annual") || strings.Contains(b, "of 4") {
			t.Errorf("a header or footer is left in %q", b)
		}
	}
}

// What stands in the margins is left out only where there is something else.
func TestNothingButMargins(t *testing.T) {
	t.Parallel()
	line := func(number int, text string) *sheet {
		s := newSheet(number)
		s.put(50, 40, 10, regular, text)
		return s
	}
	text := newSheet(3)
	text.prose(50, 100, 10, 500, "a", 40)
	badge := line(1, "Visitor")
	badge.put(290, 770, 9, regular, "1")
	other := line(2, "Visitor")
	other.put(290, 770, 9, regular, "2")
	for name, test := range map[string]struct {
		sheets []*sheet
		want   []string
	}{
		"two pages":             {[]*sheet{line(1, "Same line."), line(2, "Same line.")}, []string{"p Same line.", "p Same line."}},
		"three pages":           {[]*sheet{line(1, "Label 1"), line(2, "Label 2"), line(3, "Label 3")}, []string{"p Label 1", "p Label 2", "p Label 3"}},
		"a number":              {[]*sheet{line(1, "42")}, []string{"p 42"}},
		"numbers":               {[]*sheet{line(1, "1"), line(2, "2")}, []string{"p 1", "p 2"}},
		"with numbers of pages": {[]*sheet{badge, other}, []string{"p Visitor", "p Visitor"}},
		"pages of another kind": {[]*sheet{line(1, "Same line."), line(2, "Same line."), text}, append([]string{"p Same line.", "p Same line."}, read(text)...)},
	} {
		if got := read(test.sheets...); !slices.Equal(got, test.want) {
			t.Errorf("%s: %q, want %q", name, got, test.want)
		}
	}
}

func TestSinglePageMargins(t *testing.T) {
	t.Parallel()
	for text, dropped := range map[string]bool{
		"17":                                  true,
		"- 17 -":                              true,
		"Downloaded from example.org in 2020": true,
		"A last line of the text":             false,
	} {
		s := newSheet(1)
		s.prose(50, 100, 10, 500, "a", 40)
		s.put(290, 770, 10, regular, text)
		if got := !slices.Contains(read(s), "p "+text); got != dropped {
			t.Errorf("%q dropped: %v, want %v", text, got, dropped)
		}
	}
}

func TestCaption(t *testing.T) {
	t.Parallel()
	s := newSheet(1)
	s.put(50, 300, 9, bold, "Figure 3: What can be seen")
	s.prose(50, 330, 10, 500, "a", 5)
	b := layout.NewBuilder()
	b.Add(&s.Page)
	pages, _ := b.Finish()
	if got := pages[0].Blocks[0]; got.Label != "caption" || show(got.Block) != "p Figure 3: What can be seen" {
		t.Errorf("got %s %q", got.Label, show(got.Block))
	}
}

func TestPlaces(t *testing.T) {
	t.Parallel()
	s := newSheet(7)
	s.put(60, 208, 10, regular, "A line")
	b := layout.NewBuilder()
	b.Add(&s.Page)
	empty := newSheet(8)
	b.Add(&empty.Page)
	pages, _ := b.Finish()
	if len(pages) != 2 || pages[0].Number != 7 || pages[0].Status != tree.PageText || pages[1].Status != tree.PageEmpty {
		t.Fatalf("pages: %+v", pages)
	}
	box := pages[0].Blocks[0].Box
	for i, want := range []float64{0.1, 0.25, 0.143, 0.2625} {
		if d := box[i] - want; d > 0.01 || d < -0.01 {
			t.Errorf("box %v, want about %v at %d", box, want, i)
		}
	}
}

func TestRecognised(t *testing.T) {
	t.Parallel()
	s := newSheet(1)
	s.Recognised = true
	s.prose(50, 100, 10, 500, "a", 5)
	for i := range s.Glyphs {
		s.Glyphs[i].Confidence = 90
		s.Glyphs[i].Y += float32(i%3) * 0.4
	}
	b := layout.NewBuilder()
	b.Add(&s.Page)
	pages, _ := b.Finish()
	if p := pages[0]; p.Status != tree.PageOCR || len(p.Blocks) != 1 || p.Blocks[0].Confidence != 0.9 {
		t.Errorf("got %+v", p)
	}
}

func TestReadable(t *testing.T) {
	t.Parallel()
	whole := []layout.Box{{Right: 600, Bottom: 800}}
	for name, test := range map[string]struct {
		text     string
		pictures []layout.Box
		want     layout.Quality
	}{
		"text":              {"a page with words", nil, layout.Text},
		"nothing":           {"", nil, layout.Empty},
		"a scan":            {"", whole, layout.Picture},
		"a scan with stamp": {"page 3", whole, layout.Picture},
		"a scan with text":  {strings.Repeat("text behind it ", 10), whole, layout.Text},
		"unknown glyphs":    {"\ufffd\ufffd\ufffdab", nil, layout.Garbled},
	} {
		s := newSheet(1)
		s.put(50, 100, 10, regular, test.text)
		s.Pictures = test.pictures
		if got := layout.Readable(&s.Page); got != test.want {
			t.Errorf("%s: %v, want %v", name, got, test.want)
		}
	}
}

func TestFlushParagraphs(t *testing.T) {
	t.Parallel()
	flush := func(s *sheet, y float32, text string) {
		s.put(550-widthOf(text, 10, regular), y, 10, regular, text)
	}
	for name, test := range map[string]struct {
		draw func(s *sheet)
		want []string
	}{
		"a line on the right and one on the left": {func(s *sheet) {
			flush(s, 300, "Date: 2025-03-04")
			s.lines(50, 312, 10, regular, "Bill to:", "A company")
		}, []string{"p Date: 2025-03-04", "p Bill to:", "p A company"}},
		"text that is read from right to left on the left": {func(s *sheet) {
			for i, text := range []string{"שורה אחת", strings.Repeat("מילה ארוכה ", 9) + "ועוד", "סוף הפסקה.", strings.Repeat("עוד פסקה ", 9) + "כאן"} {
				glyphs := []rune(text)
				slices.Reverse(glyphs)
				s.put(50, 300+float32(i)*12, 10, regular, string(glyphs))
			}
		}, []string{"p שורה אחת", "p " + strings.Repeat("מילה ארוכה ", 9) + "ועוד סוף הפסקה.", "p " + strings.Repeat("עוד פסקה ", 9) + "כאן"}},
		"lines that are ragged where they begin": {func(s *sheet) {
			for i, text := range []string{strings.Repeat("מילה ארוכה ", 8) + "ועוד", strings.Repeat("מילה ארוכה ", 8) + "כן", strings.Repeat("מילה ארוכה ", 8) + "שתיים", strings.Repeat("עוד פסקה ", 6) + "כאן."} {
				glyphs := []rune(text)
				slices.Reverse(glyphs)
				s.put(50, 300+float32(i)*12, 10, regular, string(glyphs))
			}
		}, []string{"p " + strings.Repeat("מילה ארוכה ", 8) + "ועוד " + strings.Repeat("מילה ארוכה ", 8) + "כן " + strings.Repeat("מילה ארוכה ", 8) + "שתיים " + strings.Repeat("עוד פסקה ", 6) + "כאן."}},
		"a sentence set around a picture": {func(s *sheet) {
			s.put(250, 300, 10, regular, "A sentence that begins beside a picture at the left,")
			s.lines(50, 312, 10, regular, "and goes on below it over the whole width of the column, which is far more than that.")
		}, []string{"p A sentence that begins beside a picture at the left, and goes on below it over the whole width of the column, which is far more than that."}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newSheet(1)
			test.draw(s)
			expect(t, test.want, s)
		})
	}
}

func TestFootnotesAfterSentences(t *testing.T) {
	t.Parallel()
	first, second := newSheet(1), newSheet(2)
	y := first.prose(50, 200, 10, 500, "a", 6)
	x := first.put(50, y+20, 10, regular, "A sentence with a note.")
	first.put(x+2, y+16, 6, regular, "1")
	y = first.prose(50, y+40, 10, 500, "b", 6)
	x = first.put(50, y, 10, regular, "This ends here.")
	x = first.put(x, y-4, 6, regular, "2")
	first.put(x, y, 10, regular, " And this sentence of the text is one that goes on, as its last words show, with the next")
	y = first.lines(50, 680, 8, regular, "1The number is not raised.", "This note has a second paragraph, the last line of which is as long as it can be here,", "2and this stands directly below.")
	first.put(50, y+12, 8, regular, "Small text that nothing refers to.")
	second.put(50, 100, 10, regular, "page of it.")
	got := read(first, second)
	if len(got) != 7 || got[1] != "p A sentence with a note.{1-1}" || !strings.HasSuffix(got[2], "This ends here.{1-2} And this sentence of the text is one that goes on, as its last words show, with the next page of it.") {
		t.Fatalf("got %q", got)
	}
	if want := []string{"p Small text that nothing refers to.", "note 1-1: p The number is not raised.", "note 1-1: p This note has a second paragraph, the last line of which is as long as it can be here,", "note 1-2: p and this stands directly below."}; !slices.Equal(got[3:], want) {
		t.Errorf("got %q, want %q", got[3:], want)
	}
}
