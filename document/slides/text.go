package slides

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/trawlhq/trawl/document/deck"
	"github.com/trawlhq/trawl/document/named"
	"github.com/trawlhq/trawl/document/symbolfont"
	"github.com/trawlhq/trawl/document/tex"
	"github.com/trawlhq/trawl/document/tree"
	"github.com/trawlhq/trawl/document/zipped"
)

// text reads the text of a shape. What it inherits is nil if that is nothing.
func (s *slide) text(body *zipped.Node, of *style, link string) []tree.Block {
	if of == nil {
		of = &style{}
	}
	var own bullets
	own.read(body.Child("a:lstStyle"))
	var lines []deck.Line
	for p := range body.All() {
		if p.Name != "a:p" {
			continue
		}
		pPr := p.Child("a:pPr")
		level, _ := strconv.Atoi(pPr.Get("lvl"))
		level = min(max(level, 0), deck.MaxLevel)
		line := deck.Line{Text: s.spans(p, link), Level: level}
		switch said := bulletOf(pPr); {
		case said.said:
			line.Bullet = said.Bullet
		case own[level].said:
			line.Bullet = own[level].Bullet
		default:
			line.Bullet = of.bullet(level)
		}
		lines = append(lines, line)
	}
	return deck.Blocks(lines)
}

// line reads a text as one line.
func (s *slide) line(body *zipped.Node, link string) []tree.Span {
	var out []tree.Span
	for p := range body.All() {
		if p.Name != "a:p" {
			continue
		}
		if text := tree.Trim(s.spans(p, link)); len(text) > 0 {
			if len(out) > 0 {
				out = append(out, tree.Span{Text: " "})
			}
			out = append(out, text...)
		}
	}
	return out
}

// spans reads a paragraph.
func (s *slide) spans(p *zipped.Node, link string) []tree.Span {
	var l tree.Line
	s.runs(&l, p, link)
	return l.Take()
}

// runs reads what is in a paragraph.
func (s *slide) runs(l *tree.Line, n *zipped.Node, link string) {
	for c := range n.All() {
		switch c.Name {
		case "a:r":
			s.run(l, c, link)
		case "a:fld":
			if kind := c.Get("type"); kind != "slidenum" && !strings.HasPrefix(kind, "datetime") {
				s.run(l, c, link)
			}
		case "a:br":
			l.Write("\n", 0, "")
		case "mc:AlternateContent":
			s.runs(l, alternative(c), link)
		case "a14:m", "m:oMathPara":
			s.runs(l, c, link)
		case "m:oMath":
			formula := tex.Office(c)
			s.doc.Formula(len(formula), tex.MaxLength)
			l.Add(tree.Span{TeX: formula})
		}
	}
}

// run reads text of one look.
func (s *slide) run(l *tree.Line, n *zipped.Node, link string) {
	rPr := n.Child("a:rPr")
	if s.doc.Language == "" {
		s.doc.Language = rPr.Get("lang")
	}
	if own := s.link(rPr.Child("a:hlinkClick")); own != "" {
		link = own
	}
	style := emphasis(rPr)
	if link != "" {
		style &^= tree.Underline
	}
	l.Write(shown(strings.ReplaceAll(n.Child("a:t").Content(), "\n", " "), rPr), style, link)
}

// emphasis returns the style of a run. What layouts and masters give to all text of a
// shape sets nothing in it apart.
func emphasis(rPr *zipped.Node) tree.Style {
	var style tree.Style
	turn := func(on bool, what tree.Style) {
		if on {
			style |= what
		}
	}
	isSet := func(attr, none string) bool { return rPr.Get(attr) != "" && rPr.Get(attr) != none }
	raised, _ := strconv.ParseFloat(strings.TrimSuffix(rPr.Get("baseline"), "%"), 64)
	turn(isOn(rPr, "b"), tree.Bold)
	turn(isOn(rPr, "i"), tree.Italic)
	turn(isSet("u", "none"), tree.Underline)
	turn(isSet("strike", "noStrike"), tree.Strike)
	turn(raised > 0, tree.Super)
	turn(raised < 0, tree.Sub)
	turn(named.IsMono(rPr.Child("a:latin").Get("typeface")), tree.Mono)
	return style
}

// shown returns a text as it is seen. A font for symbols is for all characters that no
// other has; PowerPoint sets a lone one in it also if others do have it.
func shown(text string, rPr *zipped.Node) string {
	font := rPr.Child("a:latin").Get("typeface")
	if sym := rPr.Child("a:sym").Get("typeface"); symbolfont.HasPrivate(text) || utf8.RuneCountInString(strings.TrimSpace(text)) == 1 {
		if symbolfont.Named(sym) != nil {
			font = sym
		}
	}
	return symbolfont.Shown(text, font)
}
