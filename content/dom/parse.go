package dom

import (
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// maxDepth bounds the trees that the plain builder makes. It is far beyond what
// pages nest on purpose.
const maxDepth = 256

// Parse parses HTML as a browser without scripting would. Pages that the
// HTML5 parser refuses for their nesting, or on which it would take far more
// memory than the page itself, are built by simpler rules.
func Parse(text string) *Tree {
	t := &Tree{}
	t.Root = t.convert(parseTree(text))
	return t
}

// New returns a node that belongs to the tree, without a parent.
func (t *Tree) New(kind NodeType, name atom.Atom, data string) *Node {
	n := &Node{Type: kind, Atom: name, Data: data, ID: int32(t.Size)}
	t.Size++
	return n
}

func (t *Tree) convert(n *html.Node) *Node {
	kind := map[html.NodeType]NodeType{html.DocumentNode: DocumentNode, html.ElementNode: ElementNode, html.TextNode: TextNode, html.CommentNode: CommentNode, html.DoctypeNode: DoctypeNode}[n.Type]
	c := t.New(kind, n.DataAtom, n.Data)
	switch n.Namespace {
	case "svg":
		c.Space = SVG
	case "math":
		c.Space = MathML
	}
	for _, a := range n.Attr {
		key := a.Key
		if a.Namespace != "" {
			key = a.Namespace + ":" + key
		}
		c.Attr = append(c.Attr, Attribute{key, a.Val})
	}
	for k := n.FirstChild; k != nil; k = k.NextSibling {
		c.AppendChild(t.convert(k))
	}
	return c
}

func parseTree(text string) *html.Node {
	if !multiplies(text) {
		doc, err := html.ParseWithOptions(strings.NewReader(text), html.ParseOptionEnableScripting(false))
		if err == nil {
			return doc
		}
	}
	return buildPlainTree(text)
}

// buildPlainTree makes a tree of the tags as they stand: nothing is moved or
// reopened, and what is nested deeper than maxDepth becomes siblings.
func buildPlainTree(text string) *html.Node {
	doc, body := newDocument()
	b := plainBuilder{open: []*html.Node{body}}
	z := html.NewTokenizer(strings.NewReader(text))
	for {
		switch z.Next() {
		case html.ErrorToken:
			return doc
		case html.TextToken:
			b.top().AppendChild(textNode(string(z.Text())))
		case html.StartTagToken, html.SelfClosingTagToken:
			token := z.Token()
			if token.DataAtom == atom.Noscript {
				z.NextIsNotRawText()
			}
			b.start(token)
		case html.EndTagToken:
			name, _ := z.TagName()
			b.end(string(name))
		}
	}
}

// plainBuilder holds the open elements, and how many more are open that were
// too deep to be stacked.
type plainBuilder struct {
	open     []*html.Node
	unopened int
}

func (b *plainBuilder) top() *html.Node { return b.open[len(b.open)-1] }

func (b *plainBuilder) start(token html.Token) {
	switch token.DataAtom {
	case atom.Html, atom.Head, atom.Body:
		return
	}
	if top := b.top(); impliesEnd(token.DataAtom) && top.DataAtom == token.DataAtom {
		b.open = b.open[:len(b.open)-1]
	}
	n := &html.Node{Type: html.ElementNode, DataAtom: token.DataAtom, Data: token.Data, Attr: token.Attr}
	b.top().AppendChild(n)
	switch {
	case IsVoid(token.DataAtom) || token.Type == html.SelfClosingTagToken:
	case len(b.open) < maxDepth && b.unopened == 0:
		b.open = append(b.open, n)
	default:
		b.unopened++
	}
}

func (b *plainBuilder) end(name string) {
	if b.unopened > 0 {
		b.unopened--
		return
	}
	for i := len(b.open) - 1; i > 0; i-- {
		if b.open[i].Data == name {
			b.open = b.open[:i]
			return
		}
	}
}

// impliesEnd reports whether the start of such an element ends one before it.
func impliesEnd(name atom.Atom) bool {
	switch name {
	case atom.P, atom.Li, atom.Dt, atom.Dd, atom.Tr, atom.Td, atom.Th, atom.Option:
		return true
	}
	return false
}

func newDocument() (doc, body *html.Node) {
	body = &html.Node{Type: html.ElementNode, DataAtom: atom.Body, Data: "body"}
	doc = &html.Node{Type: html.DocumentNode}
	h := &html.Node{Type: html.ElementNode, DataAtom: atom.Html, Data: "html"}
	h.AppendChild(body)
	doc.AppendChild(h)
	return doc, body
}

func textNode(text string) *html.Node {
	return &html.Node{Type: html.TextNode, Data: text}
}
