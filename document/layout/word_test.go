package layout_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/trawlhq/trawl/document/layout"
)

// spaced draws each word to the width that it has if all letters are equally wide, as
// listings do, and a space between words that nobody draws.
func (s *sheet) spaced(x, y, size float32, line string) {
	const pitch = 0.6
	for _, word := range strings.Split(line, " ") {
		letters := []rune(word)
		room := pitch*size*float32(len(letters)) - widthOf(word, size, regular)
		part := room / float32(len(letters))
		at := x + part/2
		for i, c := range letters {
			if i > 0 {
				s.Glyphs = append(s.Glyphs, layout.Glyph{Rune: ' ', Generated: true, Box: layout.Box{Left: at, Right: at, Top: y, Bottom: y}, X: at, Y: y, Size: size, Mark: -1})
			}
			at = s.put(at, y, size, regular, string(c)) + part
		}
		x += pitch * size * float32(len(letters)+1)
	}
}

func TestListing(t *testing.T) {
	t.Parallel()
	s := newSheet(1)
	y := s.prose(50, 100, 10, 500, "a", 4)
	for i, line := range []string{"template list of little strings", "until the first is found", "{"} {
		s.put(50, y+20+float32(i)*10, 6, regular, string(rune('1'+i)))
		s.spaced(70, y+20+float32(i)*10, 8, line)
	}
	got := read(s)
	if want := "code 1    template list of little strings⏎2    until the first is found⏎3    {"; len(got) != 2 || got[1] != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestWords(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		draw func(s *sheet)
		want string
	}{
		"a letter that is lowered and pushed in": {func(s *sheet) {
			x := s.put(50, 300, 10, regular, "set by T")
			x = s.put(x-1.5, 302, 10, regular, "E")
			s.put(x-1.2, 300, 10, regular, "X for all")
		}, "p set by TEX for all"},
		"an accent on a letter without a dot": {func(s *sheet) {
			x := s.put(50, 300, 10, regular, "monol")
			s.put(x, 300, 10, regular, "´")
			s.put(x+1, 300, 10, regular, "ı")
			s.put(x+5, 300, 10, regular, "tico")
		}, "p monolítico"},
		"a word in capitals that is broken": {func(s *sheet) {
			s.lines(50, 300, 10, regular, "PROVIDED AS IS WITHOUT ANY WARRANTY OF ANY KIND, EI-", "THER EXPRESSED, IMPLIED, OR STATUTORY")
		}, "p PROVIDED AS IS WITHOUT ANY WARRANTY OF ANY KIND, EITHER EXPRESSED, IMPLIED, OR STATUTORY"},
		"a code that is broken": {func(s *sheet) {
			s.lines(50, 300, 10, regular, "this is how the parts of it are numbered by all: AB-", "CDE is the name of the first")
		}, "p this is how the parts of it are numbered by all: AB-CDE is the name of the first"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newSheet(1)
			test.draw(s)
			expect(t, []string{test.want}, s)
		})
	}
}

// A note right above the foot of a page is none of its margins.
func TestFootnoteIsNoFooter(t *testing.T) {
	t.Parallel()
	s := newSheet(1)
	y := s.prose(50, 100, 10, 500, "a", 40)
	x := s.put(50, y, 10, regular, "A sentence with a note.")
	s.put(x, y-4, 6, regular, "6")
	s.put(50, 735, 8, regular, "6 This is important")
	s.put(300, 770, 8, regular, "11")
	got := read(s)
	if want := "note 1-6: p This is important"; got[len(got)-1] != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// Fonts without names are told apart by their letters.
func TestNamelessFonts(t *testing.T) {
	t.Parallel()
	s := newSheet(1)
	s.Fonts = make([]layout.Font, len(s.Fonts))
	y := float32(60)
	for _, title := range []string{"Ease of use", "One screen", "The rest"} {
		from := len(s.Glyphs)
		s.put(50, y+10, 10, bold, title)
		for i := range s.Glyphs[from:] {
			s.Glyphs[from+i].Right += 0.6
		}
		y = s.prose(50, y+28, 10, 500, "a", 4)
		y = s.prose(50, y+6, 10, 500, "b", 4)
	}
	var got []string
	for _, b := range read(s) {
		if b[0] == 'h' {
			got = append(got, b)
		}
	}
	if want := []string{"h1 Ease of use", "h1 One screen", "h1 The rest"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestLegible(t *testing.T) {
	t.Parallel()
	s := newSheet(1)
	s.put(50, 100, 10, regular, "Text that can be read")
	s.put(50, 120, 10, bold, strings.Repeat("\ue050\ue051", 30))
	if q := layout.Readable(&s.Page); q != layout.Garbled {
		t.Fatalf("quality %d", q)
	}
	layout.Legible(&s.Page)
	expect(t, []string{"p Text that can be read"}, s)
}

// A page that is all in a font of one width is typewritten, unless it comes after text.
func TestListingOfAPage(t *testing.T) {
	t.Parallel()
	lines := []string{"if found {", "return the first", "}"}
	first, code := newSheet(1), newSheet(2)
	first.prose(50, 100, 10, 500, "a", 20)
	code.lines(50, 100, 10, mono, lines...)
	if got := read(first, code); len(got) != 2 || got[1] != "code if found {⏎return the first⏎}" {
		t.Errorf("got %q", got)
	}
	alone := newSheet(1)
	alone.lines(50, 100, 10, mono, lines...)
	if got := read(alone); strings.HasPrefix(got[0], "code") {
		t.Errorf("alone: got %q", got)
	}
}
