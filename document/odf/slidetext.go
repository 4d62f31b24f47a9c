package odf

import (
	"slices"

	"github.com/trawlhq/trawl/document/deck"
	"github.com/trawlhq/trawl/document/tree"
	"github.com/trawlhq/trawl/document/zipped"
)

// texts reads the text of a shape. Programs begin a new list wherever the look of lines
// changes, so that lists say how deep lines are and nothing else.
func (s *slide) texts(n *zipped.Node) []tree.Block {
	t := slideText{reader: s.reader}
	t.children(n, -1, nil)
	t.end()
	return t.out
}

// title reads a text as one line.
func (s *slide) title(n *zipped.Node) []tree.Span {
	t := slideText{reader: s.reader}
	t.children(n, -1, nil)
	var out []tree.Span
	for _, l := range t.lines {
		if text := tree.Trim(l.Text); len(text) > 0 {
			if len(out) > 0 {
				out = append(out, tree.Span{Text: " "})
			}
			out = append(out, text...)
		}
	}
	return out
}

// slideText is the text of a shape while it is read.
type slideText struct {
	*reader
	lines []deck.Line
	out   []tree.Block
}

// end makes blocks of the lines that were read.
func (t *slideText) end() {
	t.out = append(t.out, deck.Blocks(t.lines)...)
	t.lines = nil
}

// children reads the paragraphs in a shape or a list. The level is that of the list
// around, -1 outside of lists.
func (t *slideText) children(n *zipped.Node, level int, style *listStyle) {
	for c := range n.All() {
		switch c.Name {
		case "text:p", "text:h":
			t.paragraph(c, level, style)
			style = bare(style, level) // what follows in the item has no bullet of its own
		case "text:list":
			inner := t.styles.list(c.Get("text:style-name"))
			if inner == nil {
				inner = style
			}
			for item := range c.All() {
				if item.Name == "text:list-header" {
					t.children(item, level+1, bare(inner, level+1))
				} else {
					t.children(item, level+1, inner)
				}
			}
		}
	}
}

// bare returns a style without the bullets of a level.
func bare(style *listStyle, level int) *listStyle {
	if level < 0 || level >= maxLevels {
		return style
	}
	out := listStyle{}
	if style != nil {
		out = *style
	}
	out.levels[level] = listLevel{number: true}
	return &out
}

func (t *slideText) paragraph(n *zipped.Node, level int, style *listStyle) {
	l := &line{reader: t.reader}
	dropFields(n)
	l.children(n)
	made := deck.Line{Text: l.finish(), Level: max(level, 0)}
	if level >= 0 && level < maxLevels {
		made.Bullet = bulletOf(style, level)
	}
	t.lines = append(t.lines, made)
	if beside := slices.Concat(l.before, l.asides); len(beside) > 0 {
		t.end()
		t.out = append(t.out, beside...)
	}
}

// dropFields takes from a paragraph what is not the same whenever it is shown: the number
// of the slide, and times.
func dropFields(n *zipped.Node) {
	for at := &n.First; *at != nil; {
		c := *at
		switch c.Name {
		case "text:page-number", "text:date", "text:time":
			if c.Get("text:fixed") != "true" {
				*at = c.Next
				continue
			}
		default:
			dropFields(c)
		}
		at = &c.Next
	}
}

// bulletOf returns the bullet of a level of a list.
func bulletOf(style *listStyle, level int) deck.Bullet {
	if style == nil {
		return deck.Bullet{Shown: true}
	}
	of := &style.levels[level]
	if !of.number {
		return deck.Bullet{Shown: true}
	}
	name, ok := map[string]string{"1": "arabic", "a": "alphaLc", "A": "alphaUc", "i": "romanLc", "I": "romanUc"}[of.format]
	if !ok {
		return deck.Bullet{}
	}
	switch {
	case of.suffix == ")" && of.prefix == "(":
		name += "ParenBoth"
	case of.suffix == ")":
		name += "ParenR"
	case of.suffix == "":
		name += "Plain"
	default:
		name += "Period"
	}
	return deck.Bullet{Shown: true, Number: name, Start: of.start}
}
