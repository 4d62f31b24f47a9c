package deck_test

import (
	"strconv"
	"strings"
	"testing"

	"github.com/trawlhq/trawl/document/deck"
	"github.com/trawlhq/trawl/document/tree"
)

// shape makes a shape of a name at a place.
func shape(name string, left, top, width, height float64) deck.Shape {
	return deck.Shape{
		Box:  deck.Box{Left: left, Top: top, Right: left + width, Bottom: top + height},
		Body: []tree.Block{&tree.Paragraph{Text: []tree.Span{{Text: name}}}},
	}
}

func TestArrange(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		shapes []deck.Shape
		want   string
	}{
		"nothing":              {nil, ""},
		"rows":                 {[]deck.Shape{shape("c", 0, 20, 90, 5), shape("a", 0, 0, 90, 5), shape("b", 0, 10, 90, 5)}, "abc"},
		"columns":              {[]deck.Shape{shape("c", 60, 1, 30, 80), shape("b", 30, 0, 25, 80), shape("a", 0, 2, 25, 80)}, "abc"},
		"a heading each":       {[]deck.Shape{shape("a", 0, 0, 40, 9), shape("c", 50, 0, 40, 9), shape("b", 0, 10, 40, 50), shape("d", 50, 10, 40, 50)}, "abcd"},
		"pairs far apart":      {[]deck.Shape{shape("a", 0, 0, 40, 9), shape("b", 42, 0, 40, 9), shape("c", 0, 50, 40, 9), shape("d", 42, 50, 40, 9)}, "abcd"},
		"frames that overlap":  {[]deck.Shape{shape("b", 0, 19, 90, 20), shape("a", 0, 0, 90, 20)}, "ab"},
		"a heading above both": {[]deck.Shape{shape("c", 50, 20, 40, 50), shape("b", 0, 22, 40, 50), shape("a", 0, 0, 90, 9)}, "abc"},
		"all over each other":  {[]deck.Shape{shape("c", 1, 9, 9, 9), shape("b", 8, 1, 9, 9), shape("a", 0, 0, 9, 10)}, "abc"},
		"nowhere":              {[]deck.Shape{{Body: shape("c", 0, 0, 0, 0).Body}, shape("b", 0, 9, 9, 9), shape("a", 0, 0, 9, 9)}, "abc"},
		"empty":                {[]deck.Shape{{Box: deck.Box{Right: 1}}}, ""},
	} {
		got := ""
		for _, s := range deck.Arrange(test.shapes) {
			got += s.Body[0].(*tree.Paragraph).Text[0].Text
		}
		if got != test.want {
			t.Errorf("%s: got %s, want %s", name, got, test.want)
		}
	}
}

// TestArrangeMany is about slides that are drawings of many shapes.
func TestArrangeMany(t *testing.T) {
	t.Parallel()
	for _, n := range []int{400, 100_000} {
		var shapes []deck.Shape
		for i := range n {
			shapes = append(shapes, shape(strconv.Itoa(i), float64(i), float64(n-i), 1.5, 1.5))
		}
		got := deck.Arrange(shapes)
		if len(got) != n {
			t.Errorf("%d of %d shapes are left", len(got), n)
		}
	}
}

func TestBlocks(t *testing.T) {
	t.Parallel()
	line := func(text string, level int, bullet deck.Bullet) deck.Line {
		return deck.Line{Text: []tree.Span{{Text: text}}, Level: level, Bullet: bullet}
	}
	dot := deck.Bullet{Shown: true}
	number := func(name string) deck.Bullet { return deck.Bullet{Shown: true, Number: name} }
	for name, test := range map[string]struct {
		lines []deck.Line
		want  string
	}{
		"empty lines":       {[]deck.Line{line(" ", 0, dot), line("a", 0, dot), line("", 0, deck.Bullet{}), line("b", 0, dot)}, "<ul><li>a</li><li>b</li></ul>"},
		"a deep beginning":  {[]deck.Line{line("a", 3, dot), line("b", 0, dot)}, "<ul><li>a</li><li>b</li></ul>"},
		"levels beyond all": {[]deck.Line{line("a", -5, dot), line("b", 99, dot)}, "<ul><li>a<ul><li>b</li></ul></li></ul>"},
		"boxes":             {[]deck.Line{line("☐ a", 0, dot)}, `<ul><li><input type="checkbox" disabled> a</li></ul>`},
		"schemes": {[]deck.Line{line("a", 0, number("romanUcPeriod")), line("b", 0, number("arabicParenBoth")), line("c", 0, number("arabicPlain")), line("d", 0, number("circleNumDbPlain"))},
			"<ul><li>I. a</li><li>(1) b</li></ul><ol><li>c</li><li value=\"1\">d</li></ol>"},
	} {
		out := tree.Write(&tree.Document{Body: deck.Blocks(test.lines)}, 1<<20)
		_, got, _ := strings.Cut(strings.ReplaceAll(string(out.HTML), "\n", ""), "<body>")
		if got = strings.TrimSuffix(got, "</body></html>"); got != test.want {
			t.Errorf("%s: got %s, want %s", name, got, test.want)
		}
	}
}
