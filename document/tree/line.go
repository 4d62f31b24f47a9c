package tree

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// Line gathers the spans of a line. Text often comes in pieces, cut in the midst of
// a word; those that look alike become one span.
type Line struct {
	spans []Span
	text  []byte // of the last span
}

// Write adds text, and tells whether a new span began with it.
func (l *Line) Write(text string, style Style, link string) bool {
	if text == "" {
		return false
	}
	last := len(l.spans) - 1
	begins := len(l.text) == 0 || l.spans[last].Style != style || l.spans[last].Link != link
	if begins {
		l.Add(Span{Style: style, Link: link})
	}
	l.text = append(l.text, text...)
	return begins
}

// Add adds spans that text before and after them does not go on with.
func (l *Line) Add(spans ...Span) {
	l.settle()
	l.spans = append(l.spans, spans...)
}

// settle gives the last span its text.
func (l *Line) settle() {
	if len(l.text) > 0 {
		l.spans[len(l.spans)-1].Text = string(l.text)
		l.text = l.text[:0]
	}
}

// IsEmpty tells whether nothing was added yet.
func (l *Line) IsEmpty() bool { return len(l.spans) == 0 }

// Take returns what was added and begins anew.
func (l *Line) Take() []Span {
	l.settle()
	spans := l.spans
	l.spans = nil
	return spans
}

// IsText tells whether a span is text and nothing that stands in its place.
func (s *Span) IsText() bool { return s.Image == nil && s.Note == "" && s.TeX == "" }

// white is what is not seen at the ends of a line.
const white = " \t\n\f\v\u00a0"

// Trim returns spans without white space at both ends: none if all is white. The
// spans that it was given stay as they are.
func Trim(text []Span) []Span {
	for len(text) > 0 && text[0].IsText() {
		if rest := strings.TrimLeft(text[0].Text, white); rest != "" {
			text = withText(text, 0, rest)
			break
		}
		text = text[1:]
	}
	for n := len(text) - 1; n >= 0 && text[n].IsText(); n-- {
		if rest := strings.TrimRight(text[n].Text, white); rest != "" {
			return withText(text, n, rest)
		}
		text = text[:n:n]
	}
	return text
}

// withText returns spans of which one has another text.
func withText(spans []Span, at int, text string) []Span {
	if spans[at].Text != text {
		spans = slices.Clone(spans)
		spans[at].Text = text
	}
	return spans
}

// Box returns the sign of a box to tick, as [TakeBox] knows it.
func Box(ticked bool) string {
	if ticked {
		return "☒"
	}
	return "☐"
}

// TakeBox takes the box from the beginning of a line: a line with one box and
// something behind it is an item of a list of things to tick.
func TakeBox(text []Span) (Check, []Span) {
	count := 0
	for i := range text {
		count += strings.Count(text[i].Text, "☐") + strings.Count(text[i].Text, "☑") + strings.Count(text[i].Text, "☒")
	}
	if count != 1 {
		return NoBox, text
	}
	check := NoBox
	sign, size := utf8.DecodeRuneInString(text[0].Text)
	switch sign {
	case '☐':
		check = Unchecked
	case '☑', '☒':
		check = Checked
	default:
		return NoBox, text
	}
	rest := Trim(withText(text, 0, text[0].Text[size:]))
	if len(rest) == 0 {
		return NoBox, text
	}
	return check, rest
}

// isBold tells whether all text is bold.
func isBold(text []Span) bool {
	return !slices.ContainsFunc(text, func(s Span) bool { return s.Style&Bold == 0 && strings.TrimSpace(s.Text) != "" })
}

// unbold takes the bold from text.
func unbold(text []Span) {
	for i := range text {
		text[i].Style &^= Bold
	}
}

// PlainHeading takes away what says no more than that a text is a heading: bold
// letters, and other styles that all of it has.
func PlainHeading(text []Span) {
	all := Italic | Underline
	for i := range text {
		if strings.TrimSpace(text[i].Text) != "" {
			all &= text[i].Style
		}
	}
	for i := range text {
		text[i].Style &^= all | Bold
	}
}
