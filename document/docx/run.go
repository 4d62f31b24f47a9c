package docx

import (
	"strconv"
	"strings"

	"github.com/trawlhq/trawl/document/named"
	"github.com/trawlhq/trawl/document/symbolfont"
	"github.com/trawlhq/trawl/document/tree"
	"github.com/trawlhq/trawl/document/zipped"
)

// run reads a run: text of one look, and what stands in it.
func (l *line) run(n *zipped.Node, link string) {
	rPr := n.Child("w:rPr")
	set := lookOf(rPr)
	character := &style{}
	if id := rPr.Child("w:rStyle").Get("w:val"); id != "" {
		character = l.styles.get(id)
		set = set.over(character.look)
	}
	if set.hidden.or(l.style.hidden) == on {
		l.fieldsOf(n)
		return
	}
	if set.font == "" {
		set.font = l.style.font
	}
	mono := named.IsMono(set.font)
	l.runContent(n, set, emphasis(set, character, mono && !l.styles.mono), link)
}

// emphasis returns the style of a run. What the style of the whole paragraph gives
// is no emphasis, as nothing in the paragraph is set apart by it.
func emphasis(set look, character *style, mono bool) tree.Style {
	var s tree.Style
	for _, t := range [...]struct {
		toggle
		style tree.Style
	}{{set.bold, tree.Bold}, {set.italic, tree.Italic}, {set.strike, tree.Strike}, {set.underline, tree.Underline}} {
		if t.toggle == on {
			s |= t.style
		}
	}
	switch set.raise {
	case "superscript":
		s |= tree.Super
	case "subscript":
		s |= tree.Sub
	}
	if mono || character.Code {
		s |= tree.Mono
	}
	return s
}

func (l *line) runContent(n *zipped.Node, set look, style tree.Style, link string) {
	if link != "" {
		style &^= tree.Underline
	}
	for c := range n.All() {
		switch c.Name {
		case "w:t":
			l.plain(c.Content(), set, style, link)
		case "w:tab", "w:ptab":
			l.write("\t", style, link)
		case "w:br", "w:cr":
			l.write("\n", style, link)
		case "w:noBreakHyphen":
			l.write("-", style, link)
		case "w:sym":
			l.write(symbol(c), style, link)
		case "w:drawing", "w:pict", "w:object":
			l.drawing(c, link)
		case "mc:AlternateContent":
			l.runContent(alternative(c), set, style, link)
		case "w:footnoteReference", "w:endnoteReference":
			l.note(c)
		case "w:fldChar", "w:instrText":
			l.fieldPart(c)
		case "w:ruby":
			for base := range c.Child("w:rubyBase").All() {
				if base.Name == "w:r" {
					l.run(base, link)
				}
			}
		}
	}
}

// plain adds the text of a run. Fonts of symbols show their own signs instead.
func (l *line) plain(text string, set look, style tree.Style, link string) {
	text = symbolfont.Shown(strings.ReplaceAll(text, "\n", " "), set.font)
	if style&tree.Mono == 0 && strings.TrimSpace(text) != "" {
		l.mono = false
	}
	l.write(text, style, link)
}

// symbol returns the sign that w:sym stands for.
func symbol(n *zipped.Node) string {
	code, err := strconv.ParseUint(n.Get("w:char"), 16, 32)
	if err != nil {
		return ""
	}
	return symbolfont.Shown(string(rune(code)), n.Get("w:font"))
}
