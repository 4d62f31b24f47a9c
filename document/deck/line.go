package deck

import (
	"strings"

	"github.com/trawlhq/trawl/document/numeral"
	"github.com/trawlhq/trawl/document/tree"
)

// MaxLevel is the deepest level of a line.
const MaxLevel = 8

// Line is a paragraph of a shape.
type Line struct {
	Text  []tree.Span
	Level int // 0 to MaxLevel
	Bullet
}

// Bullet is what stands in front of a line.
type Bullet struct {
	Shown  bool
	Number string // the name of its numbering; "" for a mere bullet
	Start  int    // of the numbering; 0 stands for 1
}

// Blocks makes blocks of the lines of a shape.
func Blocks(lines []Line) []tree.Block {
	var f flow
	for i := range lines {
		f.add(&lines[i])
	}
	f.end()
	return f.out
}

// Title returns a text as the title of a slide: on one line, and without what says no
// more than that it is one.
func Title(text []tree.Span) []tree.Span {
	for i := range text {
		text[i].Text = strings.Join(strings.Split(text[i].Text, "\n"), " ")
	}
	text = tree.Trim(text)
	tree.PlainHeading(text)
	return text
}

// flow makes blocks of lines.
type flow struct {
	out   []tree.Block
	items []tree.LevelItem // of the list that may go on
	count [MaxLevel + 1]int
	kind  [MaxLevel + 1]string // of the numbers of a level
}

func (f *flow) add(l *Line) {
	text := tree.Trim(l.Text)
	if len(text) == 0 {
		return
	}
	level := min(max(l.Level, 0), MaxLevel)
	clear(f.kind[level+1:])
	if l.Shown {
		item := tree.Item{Label: f.label(l, level)}
		item.Check, text = tree.TakeBox(text)
		item.Body = []tree.Block{paragraph(text)}
		f.items = append(f.items, tree.LevelItem{Level: level, Item: item})
		return
	}
	if n := len(f.items); n > 0 && level > f.items[n-1].Level { // it goes on with the item
		f.items[n-1].Body = append(f.items[n-1].Body, paragraph(text))
		return
	}
	f.kind[level] = ""
	f.end()
	f.out = append(f.out, paragraph(text))
}

// end ends the list that was going on.
func (f *flow) end() {
	if len(f.items) > 0 {
		f.out = append(f.out, tree.Nest(f.items))
		f.items = nil
	}
}

// paragraph makes a block of a line, which may be a formula and nothing else.
func paragraph(text []tree.Span) tree.Block {
	if len(text) == 1 && text[0].TeX != "" {
		return &tree.Formula{TeX: text[0].TeX}
	}
	return &tree.Paragraph{Text: text}
}

// label counts a line and returns its number. A numbering goes on as long as nothing
// else stands on its level or above.
func (f *flow) label(l *Line, level int) string {
	if l.Number == "" {
		f.kind[level] = ""
		return ""
	}
	if f.kind[level] != l.Number {
		f.kind[level], f.count[level] = l.Number, max(l.Start, 1)-1
	}
	f.count[level]++
	form, before, after := scheme(l.Number)
	return before + form.Text(f.count[level]) + after
}

// scheme tells what a numbering looks like by its name, such as alphaLcParenR.
func scheme(name string) (form numeral.Form, before, after string) {
	rest := name
	for _, known := range [...]struct {
		name string
		form numeral.Form
	}{
		{"alphaLc", numeral.LowerLetter}, {"alphaUc", numeral.UpperLetter}, {"romanLc", numeral.LowerRoman}, {"romanUc", numeral.UpperRoman}, {"arabic", numeral.Arabic},
	} {
		if cut, ok := strings.CutPrefix(name, known.name); ok {
			form, rest = known.form, cut
		}
	}
	switch rest {
	case "ParenBoth":
		return form, "(", ")"
	case "ParenR":
		return form, "", ")"
	case "Plain":
		return form, "", ""
	}
	return form, "", "."
}
