package tree

import (
	"strconv"
	"strings"
)

// spans writes the pieces of a line. Neighbours that share a link share its element.
func (w *writer) spans(text []Span) {
	for i := 0; i < len(text); {
		n := 1
		for i+n < len(text) && text[i+n].Link == text[i].Link {
			n++
		}
		if w.full() {
			return
		}
		if link := Address(text[i].Link); link != "" {
			w.raw("<a")
			w.attribute("href", link)
			w.raw(">")
			w.styled(text[i : i+n])
			w.raw("</a>")
		} else {
			w.styled(text[i : i+n])
		}
		i += n
	}
}

// elements are what styles become, from the outside in.
var elements = [...]struct {
	style Style
	name  string
}{{Bold, "strong"}, {Italic, "em"}, {Strike, "s"}, {Underline, "u"}, {Super, "sup"}, {Sub, "sub"}, {Mono, "code"}}

// styled writes spans. An element stays open from one span to the next as long as
// both have it, with all that it stands in.
func (w *writer) styled(text []Span) {
	var open Style
	for i := range text {
		s := &text[i]
		style := s.Style
		if s.Note != "" || s.Image != nil || s.TeX != "" {
			style = 0
		} else if s.Text == "" {
			continue
		}
		if w.full() {
			break
		}
		w.change(open, style)
		open = style
		w.content(s)
	}
	w.change(open, 0)
}

// change closes and opens elements.
func (w *writer) change(from, to Style) {
	kept := 0
	for kept < len(elements) && from&elements[kept].style == to&elements[kept].style {
		kept++
	}
	for i := len(elements) - 1; i >= kept; i-- {
		if from&elements[i].style != 0 {
			w.raw("</" + elements[i].name + ">")
		}
	}
	for _, e := range elements[kept:] {
		if to&e.style != 0 {
			w.raw("<" + e.name + ">")
		}
	}
}

func (w *writer) content(s *Span) {
	if s.Anchor != "" {
		w.raw("<a")
		w.attribute("id", s.Anchor)
		w.raw("></a>")
	}
	switch {
	case s.Image != nil:
		w.image(s.Image)
	case s.TeX != "":
		w.formula(s.TeX, false)
	case s.Note != "":
		if n := strconv.Itoa(w.notes[s.Note]); n != "0" {
			w.raw(`<sup><a href="#note-` + n + `" role="doc-noteref">` + n + "</a></sup>")
		}
	default:
		for i, line := range strings.Split(s.Text, "\n") {
			if i > 0 {
				w.raw("<br>")
			}
			w.prose(line)
		}
	}
}

func (w *writer) image(m *Image) {
	w.said = true
	source := picture(m.Source)
	if source == "" {
		w.text(m.Alt)
		return
	}
	w.raw("<img")
	w.attribute("src", source)
	w.attribute("alt", m.Alt)
	w.raw(">")
}

// formula writes TeX as MathML that carries it.
func (w *writer) formula(tex string, display bool) {
	w.said = true
	w.raw("<math")
	if display {
		w.raw(` display="block"`)
	}
	w.attribute("alttext", tex)
	w.raw("><mtext>")
	w.text(tex)
	w.raw("</mtext></math>")
}
