package markup

import (
	"strings"

	"golang.org/x/net/html/atom"

	"github.com/trawlhq/trawl/content/dom"
	"github.com/trawlhq/trawl/document/tex"
	"github.com/trawlhq/trawl/document/tree"
	"github.com/trawlhq/trawl/document/zipped"
)

// link reads a link: a reference to a note, or text that leads somewhere.
func (f *flow) link(n *dom.Node, l look) {
	if f.NoteOf != nil {
		if name := f.NoteOf(n); name != "" {
			f.span(tree.Span{Note: name})
			return
		}
	}
	if href, ok := n.Lookup("href"); ok {
		address := href
		if f.Link != nil {
			address = f.Link(href)
		}
		l.link = tree.Address(address)
	}
	f.plain(n, l)
}

// picture adds a picture, or what describes it.
func (f *flow) picture(source, alt string, l look) {
	alt = strings.Join(strings.Fields(alt), " ")
	address := ""
	switch {
	case f.Picture != nil:
		address = f.Picture(source)
	case strings.HasPrefix(source, "http:") || strings.HasPrefix(source, "https:"):
		address = source
	}
	if address != "" || alt != "" {
		f.span(tree.Span{Image: &tree.Image{Source: address, Alt: alt}, Link: l.link})
	}
}

// object reads a picture, or what stands in its place.
func (f *flow) object(n *dom.Node, l look) {
	if strings.HasPrefix(n.Get("type"), "image/") && n.Get("data") != "" {
		f.picture(n.Get("data"), n.InnerText(1000), l)
		return
	}
	f.plain(n, l)
}

// drawing takes the pictures of a drawing, else its title.
func (f *flow) drawing(n *dom.Node, l look) {
	title, found := "", false
	for c := n.FirstChild; c != nil; c = dom.Following(c, n, true) {
		if c.Type != dom.ElementNode {
			continue
		}
		switch c.Data {
		case "image":
			source := c.Get("xlink:href")
			if source == "" {
				source = c.Get("href")
			}
			f.picture(source, title, l)
			found = true
		case "title", "desc":
			if title == "" {
				title = c.ShortText(1000)
			}
		}
	}
	if !found && title != "" {
		f.span(tree.Span{Image: &tree.Image{Alt: title}, Link: l.link})
	}
}

// input shows the box of an item that is to be ticked.
func (f *flow) input(n *dom.Node, l look) {
	if strings.EqualFold(n.Get("type"), "checkbox") {
		_, ticked := n.Lookup("checked")
		f.write(tree.Box(ticked)+" ", l)
		f.spaced = true
	}
}

// reading puts how a word is read behind it.
func (f *flow) reading(n *dom.Node, l look) {
	f.write("(", l)
	f.children(n, l)
	f.write(")", l)
}

// heading reads a heading. What is more than text in it comes after it.
func (f *flow) heading(n *dom.Node, l look) {
	f.begin()
	var text []tree.Span
	var others []tree.Block
	for _, b := range f.within(n, l) {
		p, ok := b.(*tree.Paragraph)
		if !ok {
			others = append(others, b)
			continue
		}
		if len(text) > 0 {
			text = append(text, tree.Span{Text: " "})
		}
		text = append(text, p.Text...)
	}
	if len(text) > 0 {
		tree.PlainHeading(text)
		f.add(&tree.Heading{Level: int(n.Data[1] - '0'), Text: text})
	}
	f.blocks = append(f.blocks, others...)
}

// code reads text whose spaces and line ends matter.
func (f *flow) code(n *dom.Node) {
	var b strings.Builder
	for c := n.FirstChild; c != nil; c = dom.Following(c, n, true) {
		switch {
		case c.Type == dom.TextNode:
			b.WriteString(c.Data)
		case c.Is(atom.Br):
			b.WriteByte('\n')
		}
	}
	if text := strings.TrimRight(b.String(), "\n"); strings.TrimSpace(text) != "" {
		f.add(&tree.Code{Language: language(n), Text: text})
	}
}

// language returns the language that code is in, if a class says so.
func language(n *dom.Node) string {
	inner := n.FirstChild
	for inner != nil && inner.Type != dom.ElementNode {
		inner = inner.NextSibling
	}
	for _, e := range []*dom.Node{n, inner} {
		if e == nil {
			continue
		}
		words := strings.Fields(e.Get("class"))
		for _, word := range words {
			if name, ok := strings.CutPrefix(word, "language-"); ok {
				return name
			}
		}
		if len(words) > 1 && words[0] == "sourceCode" {
			return words[1]
		}
	}
	return ""
}

// math reads a formula: the TeX that it carries, else what its parts say.
func (f *flow) math(n *dom.Node) {
	formula := carried(n)
	if formula == "" {
		formula = strings.TrimSpace(n.Get("alttext"))
	}
	if formula == "" {
		formula = tex.MathML(node(n, 0))
	}
	f.formula = max(f.formula, len(formula))
	if len(formula) > MaxFormula {
		formula = strings.ToValidUTF8(formula[:MaxFormula], "")
	}
	switch {
	case formula == "":
	case n.Get("display") == "block":
		f.add(&tree.Formula{TeX: formula})
	default:
		f.span(tree.Span{TeX: formula})
	}
}

// carried returns the TeX that a formula carries.
func carried(n *dom.Node) string {
	for c := n.FirstChild; c != nil; c = dom.Following(c, n, true) {
		if c.Type == dom.ElementNode && c.Data == "annotation" && strings.Contains(c.Get("encoding"), "tex") {
			return strings.TrimSpace(c.InnerText(MaxFormula + 1))
		}
	}
	return ""
}

// maxMath is how deep a formula may be nested.
const maxMath = 64

// node makes of a formula what the writer of TeX reads.
func node(n *dom.Node, depth int) *zipped.Node {
	out := &zipped.Node{Name: "math:" + n.Data}
	for _, a := range n.Attr {
		out.Attr = append(out.Attr, zipped.Attr{Name: a.Key, Value: a.Val})
	}
	last := &out.First
	for c := n.FirstChild; c != nil && depth < maxMath; c = c.NextSibling {
		switch c.Type {
		case dom.TextNode:
			*last = &zipped.Node{Text: c.Data}
		case dom.ElementNode:
			*last = node(c, depth+1)
		default:
			continue
		}
		last = &(*last).Next
	}
	return out
}
