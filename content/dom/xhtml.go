package dom

import (
	"strings"

	"golang.org/x/net/html/atom"

	"github.com/trawlhq/trawl/content/chars"
)

// ParseXHTML parses XHTML, with the forbearance that Parse has with HTML.
func ParseXHTML(text string) *Tree { return Parse(plainHTML(text)) }

// plainHTML rewrites XHTML so that the HTML parser reads it as an XML parser
// would: sections of character data become text, and elements that end in their
// start tag are closed. Everything else is alike in both.
func plainHTML(text string) string {
	if !strings.Contains(text, "/>") && !strings.Contains(text, "<![CDATA[") {
		return text
	}
	w := xhtmlWriter{rest: text}
	w.out.Grow(len(text) + len(text)/8)
	for w.next() {
	}
	return w.out.String()
}

// sectionEscaper escapes what would not be text in HTML.
var sectionEscaper = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;")

type xhtmlWriter struct {
	rest string
	out  strings.Builder
}

// next copies the text up to a tag or section, and that. It returns false at the end.
func (w *xhtmlWriter) next() bool {
	i := strings.IndexByte(w.rest, '<')
	if i < 0 {
		w.out.WriteString(w.rest)
		return false
	}
	w.copy(i)
	switch {
	case strings.HasPrefix(w.rest, "<![CDATA["):
		section, rest, _ := strings.Cut(w.rest[len("<![CDATA["):], "]]>")
		w.out.WriteString(sectionEscaper.Replace(section))
		w.rest = rest
	case strings.HasPrefix(w.rest, "<!--"):
		w.copyThrough("-->")
	case strings.HasPrefix(w.rest, "<?"):
		_, w.rest, _ = strings.Cut(w.rest, "?>")
	case len(w.rest) > 1 && chars.IsLetter(w.rest[1]):
		w.tag()
	default:
		w.copy(1)
	}
	return true
}

func (w *xhtmlWriter) copy(n int) {
	w.out.WriteString(w.rest[:n])
	w.rest = w.rest[n:]
}

func (w *xhtmlWriter) copyThrough(end string) {
	i := strings.Index(w.rest, end)
	if i < 0 {
		w.copy(len(w.rest))
		return
	}
	w.copy(i + len(end))
}

// tag copies a start tag, and the content of scripts and styles with it.
func (w *xhtmlWriter) tag() {
	end := tagEnd(w.rest)
	tag := w.rest[:end]
	name := tag[1:]
	if i := strings.IndexAny(name, " \t\r\n\f/>"); i >= 0 {
		name = name[:i]
	}
	element := atom.Lookup([]byte(name))
	closed := strings.HasSuffix(tag, "/>")
	if closed && !IsVoid(element) {
		w.out.WriteString(strings.TrimRight(tag[:len(tag)-2], "/ "))
		w.out.WriteString("></")
		w.out.WriteString(name)
		w.out.WriteByte('>')
		w.rest = w.rest[end:]
		return
	}
	w.copy(end)
	if !closed && (element == atom.Script || element == atom.Style) {
		i := strings.Index(w.rest, "</"+name)
		if i < 0 {
			i = len(w.rest)
		}
		w.copy(i)
	}
}

// tagEnd returns the length of the tag that text starts with.
func tagEnd(text string) int {
	quote := byte(0)
	for i := range len(text) {
		switch c := text[i]; {
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '"' || c == '\'':
			quote = c
		case c == '>':
			return i + 1
		}
	}
	return len(text)
}
