package tree

import (
	"cmp"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"
)

// Output is a document as HTML, and where in it the pages and blocks are.
type Output struct {
	HTML  []byte
	Pages []Extent // one for each page of the document
	Cut   bool     // the rest would have been too much
	Empty bool     // there is neither text nor a picture
}

// Extent is where a page is in the HTML, and where its blocks are.
type Extent struct {
	From, To int
	Blocks   [][2]int
}

// Write writes a document as HTML of at most about most bytes. What would go
// beyond is left out, block by block.
func Write(doc *Document, most int) Output {
	w := &writer{most: most, notes: map[string]int{}}
	for i := range doc.Notes {
		w.notes[doc.Notes[i].Name] = i + 1
	}
	w.head(&doc.Info)
	w.blocks(doc.Body)
	extents := make([]Extent, 0, len(doc.Pages))
	for i := range doc.Pages {
		extents = append(extents, w.page(&doc.Pages[i]))
	}
	w.noteList(doc.Notes)
	w.raw("</body>\n</html>\n")
	return Output{HTML: w.out, Pages: extents, Cut: w.cut, Empty: !w.said}
}

type writer struct {
	out   []byte
	most  int
	cut   bool
	said  bool // there was something to read
	depth int
	notes map[string]int // numbers by name
}

// maxDepth bounds how deep blocks are nested; what is deeper is left out.
const maxDepth = 64

func (w *writer) raw(s string)  { w.out = append(w.out, s...) }
func (w *writer) text(s string) { w.out = appendEscaped(w.out, s) }

// prose writes text of the document, of which there may be any amount.
func (w *writer) prose(s string) {
	if room := max(w.most-len(w.out), 0); len(s) > room {
		for room > 0 && !utf8.RuneStart(s[room]) {
			room--
		}
		s, w.cut = s[:room], true
	}
	w.said = w.said || strings.TrimSpace(s) != ""
	w.text(s)
}

// full reports whether there is no room for more, and notes that something is left out.
func (w *writer) full() bool {
	if len(w.out) < w.most {
		return false
	}
	w.cut = true
	return true
}

// attribute writes an attribute, unless it is empty.
func (w *writer) attribute(name, value string) {
	if value != "" {
		w.raw(" " + name + `="`)
		w.text(value)
		w.raw(`"`)
	}
}

// appendEscaped appends text without what would be markup, and without what is no
// text: control characters, and those that Unicode leaves to programs.
func appendEscaped(b []byte, s string) []byte {
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c == '&':
			b = append(b, "&amp;"...)
		case c == '<':
			b = append(b, "&lt;"...)
		case c == '>':
			b = append(b, "&gt;"...)
		case c == '"':
			b = append(b, "&quot;"...)
		case c < ' ' && c != '\t' && c != '\n' && c != '\r' && c != '\f':
		case c == '\xef' && strings.HasPrefix(s[i:], "\ufdd0"):
			i += len("\ufdd0") - 1
		default:
			b = append(b, c)
		}
	}
	return b
}

func (w *writer) head(info *Info) {
	w.raw("<!DOCTYPE html>\n<html")
	w.attribute("lang", clip(info.Language))
	w.raw(">\n<head>\n<meta charset=\"utf-8\">\n")
	if info.Title != "" {
		w.raw("<title>")
		w.text(clip(info.Title))
		w.raw("</title>\n")
	}
	for _, m := range [][2]string{
		{"author", info.Author}, {"description", info.Subject}, {"keywords", info.Keywords}, {"generator", info.Generator}, {"publisher", info.Publisher},
		{"dcterms.created", stamp(info.Created)}, {"dcterms.modified", stamp(info.Modified)},
	} {
		if m[1] != "" {
			w.raw("<meta name=\"" + m[0] + `"`)
			w.attribute("content", clip(m[1]))
			w.raw(">\n")
		}
	}
	w.raw("</head>\n<body>\n")
}

// maxInfo is how much a file may say about itself in one place.
const maxInfo = 10 << 10

func clip(s string) string {
	if len(s) <= maxInfo {
		return s
	}
	return strings.ToValidUTF8(s[:maxInfo], "")
}

func stamp(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Format(time.RFC3339)
}

func (w *writer) page(p *Page) Extent {
	w.raw(`<section data-page="` + strconv.Itoa(p.Number) + "\">\n")
	e := Extent{From: len(w.out), Blocks: make([][2]int, 0, len(p.Blocks))}
	for i := range p.Blocks {
		from := len(w.out)
		w.block(p.Blocks[i].Block)
		e.Blocks = append(e.Blocks, [2]int{from, len(w.out)})
	}
	e.To = len(w.out)
	w.raw("</section>\n")
	return e
}

func (w *writer) blocks(list []Block) {
	if w.depth >= maxDepth {
		w.cut = w.cut || len(list) > 0
		return
	}
	w.depth++
	for _, b := range list {
		w.block(b)
	}
	w.depth--
}

func (w *writer) block(b Block) {
	if w.full() {
		return
	}
	switch b := b.(type) {
	case *Heading:
		w.lines("h"+strconv.Itoa(min(max(b.Level, 1), 6)), b.Text)
	case *Paragraph:
		w.lines("p", b.Text)
	case *List:
		w.list(b.Items)
	case *Table:
		w.table(b)
	case *Code:
		w.code(b)
	case *Quote:
		w.within("blockquote", b.Body)
	case *Image:
		w.raw("<p>")
		w.image(b)
		w.raw("</p>\n")
	case *Formula:
		w.raw("<p>")
		w.formula(b.TeX, true)
		w.raw("</p>\n")
	case *Rule:
		w.raw("<hr>\n")
	case *Group:
		w.within(cmp.Or(b.Name, "section"), b.Body)
	}
}

// within writes blocks in an element.
func (w *writer) within(name string, body []Block) {
	if len(body) == 0 {
		return
	}
	w.raw("<" + name + ">\n")
	w.blocks(body)
	w.raw("</" + name + ">\n")
}

// lines writes a block of spans.
func (w *writer) lines(name string, text []Span) {
	if isBlank(text) {
		return
	}
	w.raw("<" + name + ">")
	w.spans(text)
	w.raw("</" + name + ">\n")
}

func isBlank(text []Span) bool {
	for i := range text {
		s := &text[i]
		if s.Image != nil || s.Note != "" || s.TeX != "" || strings.TrimSpace(s.Text) != "" {
			return false
		}
	}
	return true
}

func (w *writer) code(c *Code) {
	w.raw("<pre><code")
	if c.Language != "" {
		w.attribute("class", "language-"+c.Language)
	}
	w.raw(">")
	w.prose(strings.TrimRight(c.Text, "\n"))
	w.raw("\n</code></pre>\n")
}

func (w *writer) noteList(notes []Note) {
	if len(notes) == 0 {
		return
	}
	w.raw("<section role=\"doc-endnotes\">\n<ol>\n")
	for i := range notes {
		w.raw(`<li id="note-` + strconv.Itoa(i+1) + "\">\n")
		w.blocks(notes[i].Body)
		w.raw("</li>\n")
	}
	w.raw("</ol>\n</section>\n")
}
