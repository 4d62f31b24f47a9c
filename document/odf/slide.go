package odf

import (
	"cmp"
	"strconv"
	"strings"

	"github.com/trawlhq/trawl/document/deck"
	"github.com/trawlhq/trawl/document/tree"
	"github.com/trawlhq/trawl/document/zipped"
)

// presentation reads the slides of a presentation.
func (r *reader) presentation(n *zipped.Node) {
	if r.doc.Language == "" {
		r.doc.Language = r.styles.defaultLanguage()
	}
	for page := range n.All() {
		if page.Name != "draw:page" {
			continue
		}
		s := &slide{reader: r}
		style := r.styles.find(key{"drawing-page", page.Get("draw:style-name")})
		s.Hidden = style != nil && !style.shown
		s.Shapes = s.shapes(page, "")
		s.Notes = s.notes(page.Child("presentation:notes"))
		deck.Add(r.doc, &s.Slide)
	}
}

// slide is a slide that is being read.
type slide struct {
	*reader
	deck.Slide
}

// notes reads what the speaker is to say.
func (s *slide) notes(n *zipped.Node) []tree.Block {
	var out []tree.Block
	for frame := range n.All() {
		if frame.Get("presentation:class") == "notes" && frame.Get("presentation:placeholder") != "true" {
			out = append(out, s.texts(frame.Child("draw:text-box"))...)
		}
	}
	return out
}

// shapes reads what is on a slide or in a group.
func (s *slide) shapes(n *zipped.Node, link string) []deck.Shape {
	var out []deck.Shape
	for c := range n.All() {
		if !strings.HasPrefix(c.Name, "draw:") || c.Get("presentation:placeholder") == "true" {
			continue
		}
		shape := deck.Shape{Box: boxOf(c)}
		switch c.Name {
		case "draw:a":
			out = append(out, s.shapes(c, cmp.Or(target(strings.TrimSpace(c.Get("xlink:href"))), link))...)
			continue
		case "draw:g":
			for _, inner := range deck.Arrange(s.shapes(c, link)) {
				shape.Body = append(shape.Body, inner.Body...)
				shape.Box = around(shape.Box, inner.Box)
			}
		case "draw:frame":
			shape.Body = s.place(c, link)
		default: // the many kinds of drawn shapes
			shape.Body = s.texts(c)
		}
		if len(shape.Body) > 0 {
			out = append(out, shape)
		}
	}
	return out
}

// place reads a frame, which may be the place of the title.
func (s *slide) place(n *zipped.Node, link string) []tree.Block {
	text := n.Child("draw:text-box")
	switch n.Get("presentation:class") {
	case "header", "footer", "date-time", "page-number", "page", "handout":
		return nil
	case "subtitle":
		s.Opening = true
	case "title":
		if title := s.title(text); len(s.Title) == 0 && len(title) > 0 {
			s.Title = title
			return nil
		}
	}
	if text != nil {
		return s.texts(text)
	}
	if table := n.Child("table:table"); table != nil {
		if t := s.table(table); t != nil {
			if table.Get("table:use-first-row-styles") == "true" {
				t.Header = max(t.Header, 1)
			}
			return []tree.Block{t}
		}
		return nil
	}
	if object := n.Child("draw:object"); object != nil {
		formula, blocks := s.object(object)
		if formula != "" {
			return []tree.Block{&tree.Formula{TeX: formula}}
		}
		if len(blocks) > 0 {
			return blocks
		}
	}
	var out []tree.Block
	if image := s.image(n); image != nil {
		out = append(out, &tree.Paragraph{Text: []tree.Span{{Image: image, Link: link}}})
	}
	return append(out, s.texts(n.Child("draw:image"))...) // which is written over it
}

// boxOf returns where a shape is. One that is turned says so in a list of movements, of
// which the last is what counts here.
func boxOf(n *zipped.Node) deck.Box {
	left, top := length(n.Get("svg:x")), length(n.Get("svg:y"))
	if _, moved, ok := strings.Cut(n.Get("draw:transform"), "translate"); ok {
		at := strings.FieldsFunc(moved, func(r rune) bool { return strings.ContainsRune("() ,", r) })
		if len(at) >= 2 {
			left, top = length(at[0]), length(at[1])
		}
	}
	if n.Get("svg:x1") != "" { // a line
		left, top = min(length(n.Get("svg:x1")), length(n.Get("svg:x2"))), min(length(n.Get("svg:y1")), length(n.Get("svg:y2")))
	}
	return deck.Box{Left: left, Top: top, Right: left + length(n.Get("svg:width")), Bottom: top + length(n.Get("svg:height"))}
}

// around returns the box around two, of which the first may be none.
func around(a, b deck.Box) deck.Box {
	if a == (deck.Box{}) {
		return b
	}
	return deck.Box{Left: min(a.Left, b.Left), Top: min(a.Top, b.Top), Right: max(a.Right, b.Right), Bottom: max(a.Bottom, b.Bottom)}
}

// length reads a length, in points; 0 if it is none.
func length(s string) float64 {
	s = strings.TrimSpace(s)
	for unit, points := range map[string]float64{"cm": 72 / 2.54, "mm": 72 / 25.4, "in": 72, "pt": 1, "pc": 12, "px": 0.75} {
		if number, ok := strings.CutSuffix(s, unit); ok {
			if f, err := strconv.ParseFloat(number, 64); err == nil && f > -1e9 && f < 1e9 {
				return f * points
			}
		}
	}
	return 0
}
