// Package markup reads the HTML that files hold: chapters of books, bodies of
// messages. It makes blocks of a tree of what is in it.
//
// A [Reader] does what is the same for all HTML. What only the file knows is asked of
// it: where a link leads, what a picture is, which elements are notes.
package markup

import (
	"strings"

	"golang.org/x/net/html/atom"

	"github.com/trawlhq/trawl/content/dom"
	"github.com/trawlhq/trawl/document/tree"
)

// Reader reads HTML. All of its functions may be nil.
type Reader struct {
	// Link returns where a link leads, "" if nowhere.
	Link func(href string) string

	// Picture returns the data URI or the address of a picture, "" if it is not to be had.
	Picture func(source string) string

	// Anchor returns the name of an element that is linked to, by its id.
	Anchor func(id string) string

	// NoteOf returns the name of the note that a link refers to, and IsNote that of the
	// note that an element is. Such elements go to Notes and are left out elsewhere.
	NoteOf, IsNote func(*dom.Node) string
	Notes          map[string][]tree.Block

	// Skip tells what to leave out.
	Skip func(*dom.Node) bool

	// Layout says that tables mostly arrange things, as in messages.
	Layout bool

	formula int // bytes of the longest
}

// MaxFormula is how many bytes of TeX a formula may have.
const MaxFormula = 50_000

// LongestFormula is how many bytes the longest formula had, of which no more than
// MaxFormula were kept.
func (r *Reader) LongestFormula() int { return r.formula }

// Read returns what is in an element.
func (r *Reader) Read(n *dom.Node) []tree.Block {
	f := &flow{Reader: r}
	f.children(n, look{})
	return f.finish()
}

// look is how text is set.
type look struct {
	style tree.Style
	link  string
}

// flow gathers blocks, and the line that is to be the next.
type flow struct {
	*Reader
	blocks []tree.Block
	line   tree.Line
	spaced bool   // a space at the end of the line would not be seen
	anchor string // of the text that comes next
}

// begin ends the line and begins another.
func (f *flow) begin() {
	if !f.line.IsEmpty() {
		if text := tree.Trim(f.line.Take()); len(text) > 0 {
			f.blocks = append(f.blocks, &tree.Paragraph{Text: text})
		}
	}
	f.spaced = true
}

func (f *flow) add(b tree.Block) {
	f.begin()
	f.blocks = append(f.blocks, b)
}

func (f *flow) finish() []tree.Block {
	f.begin()
	return f.blocks
}

// within reads the children of an element as blocks of their own.
func (f *flow) within(n *dom.Node, l look) []tree.Block {
	inner := &flow{Reader: f.Reader, anchor: f.anchor, spaced: true}
	inner.children(n, l)
	blocks := inner.finish()
	f.anchor = inner.anchor
	return blocks
}

func (f *flow) children(n *dom.Node, l look) {
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		switch c.Type {
		case dom.TextNode:
			f.text(c.Data, l)
		case dom.ElementNode:
			f.element(c, l)
		}
	}
}

const white = " \t\n\f\r"

// text adds text with its white space collapsed.
func (f *flow) text(s string, l look) {
	var b strings.Builder
	b.Grow(len(s))
	for len(s) > 0 {
		i := strings.IndexAny(s, white)
		if i < 0 {
			i = len(s)
		}
		if i > 0 {
			b.WriteString(s[:i])
			f.spaced = false
		}
		rest := strings.TrimLeft(s[i:], white)
		if len(rest) < len(s)-i && !f.spaced {
			b.WriteByte(' ')
			f.spaced = true
		}
		s = rest
	}
	f.write(b.String(), l)
}

// write adds text as it is.
func (f *flow) write(s string, l look) {
	if s == "" {
		return
	}
	if f.anchor != "" && strings.TrimSpace(s) != "" {
		f.line.Add(tree.Span{Text: s, Style: l.style, Link: l.link, Anchor: f.anchor})
		f.anchor = ""
		return
	}
	f.line.Write(s, l.style, l.link)
}

// span adds what stands in a line in place of text.
func (f *flow) span(s tree.Span) {
	s.Anchor, f.anchor = f.anchor, ""
	f.line.Add(s)
	f.spaced = false
}

// styles are the elements that set text, and how.
var styles = map[atom.Atom]tree.Style{
	atom.B: tree.Bold, atom.Strong: tree.Bold, atom.I: tree.Italic, atom.Em: tree.Italic, atom.Cite: tree.Italic, atom.Dfn: tree.Italic,
	atom.Var: tree.Italic, atom.U: tree.Underline, atom.Ins: tree.Underline, atom.S: tree.Strike, atom.Strike: tree.Strike, atom.Del: tree.Strike,
	atom.Code: tree.Mono, atom.Kbd: tree.Mono, atom.Samp: tree.Mono, atom.Tt: tree.Mono, atom.Sup: tree.Super, atom.Sub: tree.Sub,
}

// element reads an element.
func (f *flow) element(n *dom.Node, l look) {
	if f.IsNote != nil {
		if name := f.IsNote(n); name != "" && f.takeNote(name, n) {
			return
		}
	}
	if f.isHidden(n) {
		return
	}
	f.mark(n)
	l.style |= styles[n.Atom] | declared(n)
	if n.Space == dom.MathML && n.Data == "math" {
		f.math(n)
		return
	}
	if n.Space == dom.SVG {
		f.drawing(n, l)
		return
	}
	switch n.Atom {
	case atom.A:
		f.link(n, l)
	case atom.Br:
		f.write("\n", l)
		f.spaced = true
	case atom.Img:
		f.picture(n.Get("src"), n.Get("alt"), l)
	case atom.Object:
		f.object(n, l)
	case atom.Input:
		f.input(n, l)
	case atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6:
		f.heading(n, l)
	case atom.Ul, atom.Ol, atom.Menu, atom.Dir:
		if list := f.list(n, l); len(list.Items) > 0 {
			f.add(list)
		}
	case atom.Blockquote:
		f.begin()
		if body := f.within(n, l); len(body) > 0 {
			f.add(&tree.Quote{Body: body})
		}
	case atom.Pre, atom.Listing, atom.Xmp, atom.Plaintext:
		f.code(n)
	case atom.Table:
		f.table(n, l)
	case atom.Hr:
		f.add(&tree.Rule{})
	case atom.Dt:
		f.begin()
		l.style |= tree.Bold
		f.children(n, l)
		f.begin()
	case atom.Rt:
		f.reading(n, l)
	default:
		f.plain(n, l)
	}
}

// plain reads an element that means nothing by itself.
func (f *flow) plain(n *dom.Node, l look) {
	block := dom.IsBlock(n.Atom)
	if block {
		f.begin()
	}
	f.children(n, l)
	if block {
		f.begin()
	}
}

// mark notes that an element is linked to.
func (f *flow) mark(n *dom.Node) {
	if f.Anchor == nil {
		return
	}
	id := n.Get("id")
	if id == "" && n.Atom == atom.A {
		id = n.Get("name")
	}
	if id != "" {
		if name := f.Anchor(id); name != "" {
			f.anchor = name
		}
	}
}

// takeNote reads an element as a note, if there is none of that name.
func (f *flow) takeNote(name string, n *dom.Node) bool {
	if _, known := f.Notes[name]; known || f.Notes == nil {
		return false
	}
	f.Notes[name] = nil // also for what is in it
	inner := &flow{Reader: f.Reader, spaced: true}
	inner.children(n, look{})
	f.Notes[name] = inner.finish()
	return true
}

// isHidden tells whether an element is not shown.
func (f *flow) isHidden(n *dom.Node) bool {
	if f.Skip != nil && f.Skip(n) {
		return true
	}
	if _, hidden := n.Lookup("hidden"); hidden || n.Data == "epub:case" {
		return true
	}
	if n.Space != dom.HTML {
		return false
	}
	return dom.IsInvisible(n) || n.Atom == atom.Rp || hides(n.Get("style"))
}

// hides tells whether a style leaves an element out.
func hides(style string) bool {
	if len(style) < len("display:none") {
		return false
	}
	style = strings.ToLower(strings.Join(strings.Fields(style), ""))
	return strings.Contains(style, "display:none") || strings.Contains(style, "mso-hide:all")
}

// declared returns what the style of an element says about its text.
func declared(n *dom.Node) tree.Style {
	value := n.Get("style")
	if value == "" || dom.IsBlock(n.Atom) && n.Atom != atom.P {
		return 0
	}
	value = strings.ToLower(strings.Join(strings.Fields(value), ""))
	var style tree.Style
	for declaration := range strings.SplitSeq(value, ";") {
		switch declaration {
		case "font-weight:bold", "font-weight:600", "font-weight:700", "font-weight:800", "font-weight:900", "font-weight:bolder":
			style |= tree.Bold
		case "font-style:italic", "font-style:oblique":
			style |= tree.Italic
		case "text-decoration:line-through":
			style |= tree.Strike
		case "vertical-align:super":
			style |= tree.Super
		case "vertical-align:sub":
			style |= tree.Sub
		}
	}
	return style
}
