package odf

import (
	"strconv"
	"strings"

	"github.com/trawlhq/trawl/document/tree"
	"github.com/trawlhq/trawl/document/zipped"
)

// line is the text of a paragraph while it is read.
type line struct {
	reader  *reader
	words   tree.Line
	before  []tree.Block // pictures that stand before the paragraph
	asides  []tree.Block // text boxes and charts, which stand behind the paragraph
	style   tree.Style
	without tree.Style // that is not told
	mono    bool       // the paragraph is monospaced: to say so of a word says nothing
	hidden  bool
	link    string
	spaced  bool // the text ends with a space
}

func (l *line) children(n *zipped.Node) {
	for c := range n.All() {
		l.element(c)
	}
}

// maxSpaces bounds how many spaces one element stands for.
const maxSpaces = 32

// element reads a piece of a line. Of elements that are not known the text is read:
// most are fields, and their text is what they show.
func (l *line) element(n *zipped.Node) {
	switch n.Name {
	case "":
		l.text(n.Text)
	case "text:span":
		l.span(n)
	case "text:a", "draw:a":
		l.anchor(n)
	case "text:s":
		l.put(strings.Repeat(" ", min(max(whole(n.Get("text:c"), 1), 1), maxSpaces)))
	case "text:tab":
		l.put("\t")
	case "text:line-break":
		l.put("\n")
		l.spaced = true
	case "text:note":
		l.note(n)
	case "text:ruby":
		l.children(n.Child("text:ruby-base"))
	case "text:hidden-text":
		if n.Get("text:is-hidden") == "false" {
			l.text(n.Get("text:string-value"))
		}
	case "office:annotation", "office:annotation-end", "text:script", "text:tracked-changes", "text:note-citation", "office:forms",
		"text:hidden-paragraph", "text:database-next", "svg:title", "svg:desc", "office:event-listeners", "draw:enhanced-geometry",
		"draw:glue-point", "draw:control":
	case "draw:frame":
		l.frame(n)
	case "draw:g":
		l.children(n)
	case "draw:custom-shape", "draw:rect", "draw:ellipse", "draw:circle", "draw:polygon", "draw:path", "draw:caption":
		l.aside(l.reader.blocks(n))
	default:
		l.children(n)
	}
}

func (l *line) aside(blocks []tree.Block) {
	if !l.hidden {
		l.asides = append(l.asides, blocks...)
	}
}

// text adds text of the file, in which many spaces are one.
func (l *line) text(s string) {
	if l.hidden || s == "" {
		return
	}
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case ' ', '\t', '\n', '\r':
			if !l.spaced && (b.Len() > 0 || !l.words.IsEmpty()) {
				b.WriteByte(' ')
				l.spaced = true
			}
		default:
			b.WriteByte(s[i])
			l.spaced = false
		}
	}
	spaced := l.spaced
	l.put(b.String())
	l.spaced = spaced
}

// put adds text as it is.
func (l *line) put(s string) {
	if l.hidden || s == "" {
		return
	}
	l.spaced = false
	style := l.style &^ l.without
	if l.mono {
		style &^= tree.Mono
	}
	l.words.Write(s, style, l.link)
}

// add adds a span that is no text.
func (l *line) add(s tree.Span) {
	if !l.hidden {
		s.Link = l.link
		l.words.Add(s)
		l.spaced = false
	}
}

func (l *line) span(n *zipped.Node) {
	style, hidden := l.style, l.hidden
	if name := n.Get("text:style-name"); name != "" {
		st := l.reader.styles.resolve("text", name)
		l.style = l.style&^st.off | st.set
		if st.set&(tree.Super|tree.Sub) != 0 {
			l.style = l.style&^(tree.Super|tree.Sub) | st.set&(tree.Super|tree.Sub)
		}
		switch st.hidden {
		case yes:
			l.hidden = true
		case no:
			l.hidden = false
		}
	}
	l.children(n)
	l.style, l.hidden = style, hidden
}

// anchor reads a link. How links look says nothing.
func (l *line) anchor(n *zipped.Node) {
	link, without := l.link, l.without
	if href := strings.TrimSpace(n.Get("xlink:href")); href != "" {
		l.link = target(href)
	}
	l.without |= tree.Underline
	l.children(n)
	l.link, l.without = link, without
}

// target makes a link within the document one of HTML: "#Heading|outline" and the
// like name what the link leads to, and what kind of thing that is.
func target(href string) string {
	if !strings.HasPrefix(href, "#") {
		return href
	}
	name, _, _ := strings.Cut(href, "|")
	return strings.ReplaceAll(name, " ", "%20")
}

// note reads a footnote or an endnote.
func (l *line) note(n *zipped.Node) {
	if l.hidden {
		return
	}
	r := l.reader
	name := strconv.Itoa(len(r.doc.Notes) + 1)
	at := len(r.doc.Notes)
	r.doc.Notes = append(r.doc.Notes, tree.Note{Name: name})
	r.doc.Notes[at].Body = r.blocks(n.Child("text:note-body"))
	l.add(tree.Span{Note: name})
}

// finish returns the spans without white space at the ends; none if all is white.
func (l *line) finish() []tree.Span { return tree.Trim(l.words.Take()) }
