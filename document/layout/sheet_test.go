package layout_test

import (
	"fmt"
	"strings"

	"github.com/trawlhq/trawl/document/layout"
	"github.com/trawlhq/trawl/document/tree"
)

// Fonts of a sheet.
const (
	regular = iota
	bold
	italic
	mono
	bullets
)

// sheet is a page that is filled line by line.
type sheet struct{ layout.Page }

func newSheet(number int) *sheet {
	return &sheet{layout.Page{Number: number, Width: 600, Height: 800, Fonts: []layout.Font{
		{Name: "ABCDEF+Body", Serif: true}, {Name: "Body-Bold", Bold: true}, {Name: "Body-Italic", Italic: true},
		{Name: "Code", Mono: true}, {Name: "Wingdings"},
	}}}
}

// advance is the width of a letter in parts of its size.
func advance(c rune, font int) float32 {
	switch {
	case font == mono:
		return 0.6
	case c >= 0x2e80:
		return 1
	case strings.ContainsRune("iljtf.,:;'()I", c):
		return 0.28
	case strings.ContainsRune("mwMW", c):
		return 0.8
	case c == ' ':
		return 0.25
	}
	return 0.5
}

func widthOf(text string, size float32, font int) float32 {
	w := float32(0)
	for _, c := range text {
		w += advance(c, font) * size
	}
	return w
}

// put draws text from x on with its baseline at y, and returns where it ends.
func (s *sheet) put(x, y, size float32, font int, text string) float32 {
	for _, c := range text {
		w := advance(c, font) * size
		s.Glyphs = append(s.Glyphs, layout.Glyph{
			Box: layout.Box{Left: x, Top: y - 0.8*size, Right: x + w, Bottom: y + 0.2*size}, Rune: c, X: x, Y: y, Size: size, Font: uint16(font), Mark: -1,
		})
		x += w
	}
	return x
}

// lines draws lines of the usual distance below each other and returns the baseline
// that the next one would have.
func (s *sheet) lines(x, y, size float32, font int, lines ...string) float32 {
	for _, l := range lines {
		s.put(x, y, size, font, l)
		y += 1.2 * size
	}
	return y
}

// prose draws n lines of running text in a column, each of which begins with a mark.
func (s *sheet) prose(x, y, size, width float32, mark string, n int) float32 {
	words := strings.Fields("the reader of a page sees at once which of its parts belong together and in which order they are to be read while a program has to find that out from where the letters stand")
	at := 0
	for i := range n {
		l := fmt.Sprintf("%s%d", mark, i)
		for widthOf(l+" "+words[at%len(words)], size, regular) < width {
			l += " " + words[at%len(words)]
			at++
		}
		s.put(x, y, size, regular, l)
		y += 1.2 * size
	}
	return y
}

func (s *sheet) rule(left, top, right, bottom float32) {
	s.Rules = append(s.Rules, layout.Box{Left: left, Top: top, Right: right, Bottom: bottom})
}

// read builds the blocks of pages and shows each on a line.
func read(sheets ...*sheet) []string {
	b := layout.NewBuilder()
	for _, s := range sheets {
		b.Add(&s.Page)
	}
	pages, notes := b.Finish()
	var out []string
	for i := range pages {
		for _, placed := range pages[i].Blocks {
			out = append(out, show(placed.Block))
		}
	}
	for _, n := range notes {
		for _, block := range n.Body {
			out = append(out, "note "+n.Name+": "+show(block))
		}
	}
	return out
}

func show(b tree.Block) string {
	switch b := b.(type) {
	case *tree.Heading:
		return fmt.Sprintf("h%d %s", b.Level, spans(b.Text))
	case *tree.Paragraph:
		return "p " + spans(b.Text)
	case *tree.Code:
		return "code " + strings.ReplaceAll(b.Text, "\n", "⏎")
	case *tree.Image:
		return "image " + b.Alt
	case *tree.List:
		return "list " + items(b)
	case *tree.Table:
		return "table " + table(b)
	}
	return fmt.Sprintf("%T", b)
}

func items(l *tree.List) string {
	var parts []string
	for _, item := range l.Items {
		text := item.Label
		if item.Label == "" {
			text = [...]string{"-", "☐", "☑"}[item.Check]
		}
		for _, b := range item.Body {
			if inner, ok := b.(*tree.List); ok {
				text += " [" + items(inner) + "]"
			} else {
				text += " " + strings.TrimPrefix(show(b), "p ")
			}
		}
		parts = append(parts, text)
	}
	return strings.Join(parts, " / ")
}

func table(t *tree.Table) string {
	var rows []string
	for _, r := range t.Rows {
		var cells []string
		for _, c := range r.Cells {
			text := c.Text
			for _, b := range c.Body {
				text += strings.ReplaceAll(strings.TrimPrefix(show(b), "p "), "\n", "⏎")
			}
			if c.Columns > 1 {
				text += fmt.Sprintf("«%d", c.Columns)
			}
			if c.Rows > 1 {
				text += fmt.Sprintf("^%d", c.Rows)
			}
			cells = append(cells, text)
		}
		rows = append(rows, strings.Join(cells, "|"))
	}
	return strings.Join(rows, " / ")
}

func spans(text []tree.Span) string {
	var b strings.Builder
	for _, s := range text {
		open, shut := "", ""
		for _, style := range []struct {
			is   tree.Style
			mark string
		}{{tree.Bold, "**"}, {tree.Italic, "*"}, {tree.Mono, "`"}, {tree.Super, "^"}, {tree.Sub, "_"}} {
			if s.Style&style.is != 0 {
				open, shut = open+style.mark, style.mark+shut
			}
		}
		if s.Link != "" {
			open, shut = "["+open, shut+"]("+s.Link+")"
		}
		if s.Note != "" {
			open = "{" + s.Note + "}"
		}
		b.WriteString(open + s.Text + shut)
	}
	return b.String()
}
