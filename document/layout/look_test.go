package layout_test

import (
	"slices"
	"testing"

	"github.com/trawlhq/trawl/document/layout"
)

// lead is a line of a test in front of some text.
type lead struct {
	size float32
	font int
	text string
	gap  float32 // white space above
	in   float32 // how far the text after it is set in
}

// TestLooks draws three large headings, and after each of them what is to be judged.
func TestLooks(t *testing.T) {
	t.Parallel()
	const sans = bullets + 1
	for name, test := range map[string]struct {
		leads []lead
		want  []string
	}{
		"a colon":                     {[]lead{{10, bold, "Costs may include:", 30, 0}}, nil},
		"spaced like paragraphs":      {[]lead{{10, bold, "Note", 16, 0}}, nil},
		"more space than paragraphs":  {[]lead{{10, bold, "Details", 30, 0}}, []string{"h2 Details", "h2 Details", "h2 Details"}},
		"terms and their definitions": {[]lead{{10, bold, "--verbose", 30, 20}}, nil},
		"signatures":                  {[]lead{{10, bold, "int import_frozen_module_object(object name, object globals, object locals)", 30, 0}}, nil},
		"another family":              {[]lead{{10, sans, "Details", 16, 0}}, []string{"h2 Details", "h2 Details", "h2 Details"}},
		"a colon in another family":   {[]lead{{10, sans, "Pros:", 16, 0}}, []string{"h2 Pros:", "h2 Pros:", "h2 Pros:"}},
		"lines that follow each other": {[]lead{
			{10, bold, "Average Rating 4.85", 30, -1}, {10, bold, "Total Reviews 106", 30, -1}, {10, bold, "Open since 1982", 30, 0}}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newSheet(1)
			s.Fonts = append(s.Fonts, layout.Font{Name: "Sans-Bold", Bold: true})
			y := float32(60)
			for _, mark := range []string{"One", "Two", "Three"} {
				s.put(50, y, 16, bold, mark)
				y = s.prose(50, y+24, 10, 500, mark, 3)
				y = s.prose(50, y+10, 10, 500, mark, 2)
				for _, l := range test.leads {
					y += l.gap - 12
					s.put(50, y, l.size, l.font, l.text)
					if y += 12; l.in >= 0 {
						y = s.prose(50+l.in, y+4, 10, 480, mark, 2)
					}
				}
				y += 40
			}
			want := []string{}
			for i, mark := range []string{"One", "Two", "Three"} {
				want = append(want, "h1 "+mark)
				if test.want != nil {
					want = append(want, test.want[i])
				}
			}
			got := []string{}
			for _, b := range read(s) {
				if b[0] == 'h' {
					got = append(got, b)
				}
			}
			if !slices.Equal(got, want) {
				t.Errorf("got %q, want %q", got, want)
			}
		})
	}
}
