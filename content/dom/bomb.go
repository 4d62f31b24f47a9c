package dom

import (
	"strings"

	"github.com/trawlhq/trawl/content/chars"
)

// The HTML5 algorithm reopens formatting elements that were left open in every
// block that follows: five hundred unclosed <b> before a thousand paragraphs
// make half a million elements out of a few kilobytes. multiplies finds such
// pages before they are parsed. It is a rough count in one pass that errs
// towards finding too much; then the page is only built by simpler rules.
const (
	reopenedPerTag = 16      // more than any honest page has open on average
	reopenedFree   = 200_000 // elements that cost nothing worth a thought
)

func multiplies(text string) bool {
	var open formatStack
	tags, reopened := 0, 0
	for {
		i := strings.IndexByte(text, '<')
		if i < 0 || i+1 >= len(text) {
			return false
		}
		text = text[i+1:]
		switch c := text[0]; {
		case chars.IsLetter(c):
			tags++
			reopened += open.formats
			if reopened > reopenedPerTag*tags+reopenedFree {
				return true
			}
			text = open.start(text)
		case c == '/':
			text = open.end(text[1:])
		case strings.HasPrefix(text, "!--"):
			_, text, _ = strings.Cut(text, "-->")
		}
	}
}

// formatStack holds the formatting elements that are open, and the elements
// whose content cannot close those around them.
type formatStack struct {
	names   []string
	formats int
}

// start notes a start tag and returns the text behind it.
func (s *formatStack) start(text string) string {
	name := tagName(text)
	rest := skipAttributes(text[len(name):])
	switch {
	case isFormat(name):
		s.names = append(s.names, name)
		s.formats++
	case isScope(name):
		s.names = append(s.names, name)
	case isRaw(name) && !s.foreign():
		return skipRaw(rest, name)
	}
	return rest
}

// foreign reports whether the innermost noted element is SVG or MathML, where
// no element is without markup.
func (s *formatStack) foreign() bool {
	if len(s.names) == 0 {
		return false
	}
	top := s.names[len(s.names)-1]
	return strings.EqualFold(top, "svg") || strings.EqualFold(top, "math")
}

// end notes an end tag and returns the text behind its name. Only the newest
// names are looked at, which keeps a page of nothing but open tags linear.
func (s *formatStack) end(text string) string {
	name := tagName(text)
	format, scope := isFormat(name), isScope(name)
	if format || scope {
		for i := len(s.names) - 1; i >= 0 && i >= len(s.names)-512; i-- {
			if strings.EqualFold(s.names[i], name) {
				s.remove(i, scope)
				break
			}
			if format && isScope(s.names[i]) {
				break
			}
		}
	}
	return text[len(name):]
}

// remove takes out the i-th name, and with a scope all that follows it.
func (s *formatStack) remove(i int, scope bool) {
	if !scope {
		s.names = append(s.names[:i], s.names[i+1:]...)
		s.formats--
		return
	}
	for _, name := range s.names[i:] {
		if isFormat(name) {
			s.formats--
		}
	}
	s.names = s.names[:i]
}

func tagName(text string) string {
	i := 0
	for i < len(text) && text[i] != '>' && text[i] != '/' && !chars.IsSpace(text[i]) {
		i++
	}
	return text[:i]
}

// skipAttributes returns the text behind the end of a tag.
func skipAttributes(text string) string {
	for i := 0; i < len(text); i++ {
		switch c := text[i]; c {
		case '>':
			return text[i+1:]
		case '=':
			for i+1 < len(text) && chars.IsSpace(text[i+1]) {
				i++
			}
			if i+1 < len(text) && (text[i+1] == '"' || text[i+1] == '\'') {
				end := strings.IndexByte(text[i+2:], text[i+1])
				if end < 0 {
					return ""
				}
				i += 2 + end
			}
		}
	}
	return ""
}

// skipRaw returns the text from the end tag of an element without markup inside.
func skipRaw(text, name string) string {
	for rest := text; ; {
		i := strings.Index(rest, "</")
		if i < 0 {
			return ""
		}
		rest = rest[i+2:]
		if chars.HasPrefixFold(rest, name) && endsName(rest[len(name):]) {
			return rest
		}
	}
}

func isFormat(name string) bool {
	if len(name) > 6 {
		return false
	}
	switch strings.ToLower(name) {
	case "a", "b", "big", "code", "em", "font", "i", "nobr", "s", "small", "strike", "strong", "tt", "u":
		return true
	}
	return false
}

func isScope(name string) bool {
	if len(name) < 2 || len(name) > 8 {
		return false
	}
	switch strings.ToLower(name) {
	case "td", "th", "caption", "object", "applet", "marquee", "template", "select", "svg", "math":
		return true
	}
	return false
}

func isRaw(name string) bool {
	if len(name) < 3 || len(name) > 9 {
		return false
	}
	switch strings.ToLower(name) {
	case "script", "style", "textarea", "title", "iframe", "xmp", "noembed", "noframes", "plaintext":
		return true
	}
	return false
}

func endsName(s string) bool {
	return s == "" || chars.IsSpace(s[0]) || s[0] == '>' || s[0] == '/'
}
