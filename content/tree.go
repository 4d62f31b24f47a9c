package content

import (
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// maxDepth bounds the trees that the plain builder makes. It is far beyond what
// pages nest on purpose.
const maxDepth = 256

// parseTree parses HTML as a browser without scripting would. Pages that the
// HTML5 parser refuses for their nesting, or on which it would take far more
// memory than the page itself, are built by simpler rules.
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
	case isVoid(token.DataAtom) || token.Type == html.SelfClosingTagToken:
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

func isVoid(name atom.Atom) bool {
	switch name {
	case atom.Area, atom.Base, atom.Br, atom.Col, atom.Embed, atom.Hr, atom.Img, atom.Input, atom.Link,
		atom.Meta, atom.Param, atom.Source, atom.Track, atom.Wbr:
		return true
	}
	return false
}

// codeTree is the tree of a text that is shown as code.
func codeTree(text, language string) *html.Node {
	doc, body := newDocument()
	if text == "" {
		return doc
	}
	code := element(atom.Code, textNode(text))
	code.Attr = []html.Attribute{{Key: "class", Val: "language-" + language}}
	body.AppendChild(element(atom.Pre, code))
	return doc
}

// newDocument returns a document and its empty body.
func newDocument() (doc, body *html.Node) {
	body = element(atom.Body)
	doc = &html.Node{Type: html.DocumentNode}
	doc.AppendChild(element(atom.Html, body))
	return doc, body
}

func element(name atom.Atom, children ...*html.Node) *html.Node {
	n := &html.Node{Type: html.ElementNode, DataAtom: name, Data: name.String()}
	for _, c := range children {
		n.AppendChild(c)
	}
	return n
}

func textNode(text string) *html.Node {
	return &html.Node{Type: html.TextNode, Data: text}
}

// findBody returns the body, or the frameset of a page with frames, or else the
// document.
func findBody(doc *html.Node) *html.Node {
	for n := doc.FirstChild; n != nil; n = n.NextSibling {
		if !isElement(n, atom.Html) {
			continue
		}
		for c := n.LastChild; c != nil; c = c.PrevSibling {
			if isElement(c, atom.Body) || isElement(c, atom.Frameset) {
				return c
			}
		}
	}
	return doc
}
