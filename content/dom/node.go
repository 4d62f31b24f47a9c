// Package dom is the tree of a page: its nodes, how to walk them, and the parser
// that makes it from HTML.
//
// The parser does what the HTML standard says under "Parsing HTML documents",
// with scripting disabled, so that a page has the tree it has in a browser; the
// html5lib vectors hold it to that. It goes over the page once and makes few
// allocations: nodes and attributes come in chunks, and names, values and texts
// are slices of the page unless they had to be changed. The names in it are
// those of the standard:
//
//   - tokenize.go, declaration.go and entity.go are the tokenizer: tags and text,
//     comments and doctypes, character references.
//   - parse.go hands the tokens to the rules of the insertion modes, which are in
//     head.go, body.go, table.go and after.go; foreign.go has those for SVG and
//     MathML. tag.go is the table of elements and the sets they belong to.
//   - stack.go is the stack of open elements, format.go the list of active
//     formatting elements with the adoption agency algorithm, and insert.go the
//     appropriate place for inserting a node, with foster parenting.
//
// It departs from the standard on purpose: the content of a template is its
// children; comments are left out; a selected option is not repeated in a
// selectedcontent. And it bounds what a page can ask for: elements nested deeper
// than 512 are put beside each other, an element has at most 256 attributes, and
// formatting elements that are never closed are not reopened without end. Time
// and memory stay in proportion to the size of the page, and no text is lost.
package dom

import (
	"strings"

	"golang.org/x/net/html/atom"

	"github.com/trawlhq/trawl/content/chars"
)

// NodeType is what a node is.
type NodeType uint8

// The types of nodes. Parse makes no comments.
const (
	DocumentNode NodeType = iota
	DoctypeNode
	ElementNode
	TextNode
	CommentNode
)

// Namespace is where the name of an element comes from.
type Namespace uint8

// The namespaces of elements.
const (
	HTML Namespace = iota
	SVG
	MathML
)

// Node is a node of a tree. Walk it through its links and leave them alone.
type Node struct {
	Parent, FirstChild, LastChild, PrevSibling, NextSibling *Node

	Data  string      // an element's name (in lower case, but for SVG's), or a text
	Attr  []Attribute // each key once
	Atom  atom.Atom   // an element's name, 0 for names that are not HTML's
	ID    int32       // counts the nodes of a tree from 0, as they were made
	Type  NodeType
	Space Namespace

	tag  tag  // an element's name for the parser
	open bool // whether the parser has it on its stack of open elements
}

// Attribute is an attribute of an element.
type Attribute struct{ Key, Val string }

// Tree is a parsed page.
type Tree struct {
	Root *Node
	Size int // how many IDs are in use

	nodes []Node // the newest chunk of nodes
	used  int    // how many of them are in use
	chunk int    // how many nodes the next chunk has
}

// Get returns the value of an attribute, or "".
func (n *Node) Get(key string) string {
	value, _ := n.Lookup(key)
	return value
}

// Lookup returns the value of an attribute and whether there is one.
func (n *Node) Lookup(key string) (string, bool) {
	for i := range n.Attr {
		if n.Attr[i].Key == key {
			return n.Attr[i].Val, true
		}
	}
	return "", false
}

// HasClass reports whether one of the words of the class attribute is one of names.
func (n *Node) HasClass(names ...string) bool {
	class, ok := n.Lookup("class")
	if !ok {
		return false
	}
	for word := range chars.Words(class) {
		for _, name := range names {
			if word == name {
				return true
			}
		}
	}
	return false
}

// Is reports whether n is an element of the given name.
func (n *Node) Is(name atom.Atom) bool {
	return n.Type == ElementNode && n.Atom == name
}

// Inside returns the nearest ancestor of n with one of the names, or nil.
func (n *Node) Inside(names ...atom.Atom) *Node {
	for a := n.Parent; a != nil; a = a.Parent {
		for _, name := range names {
			if a.Is(name) {
				return a
			}
		}
	}
	return nil
}

// PreviousElement returns the nearest element before n with the same parent, or nil.
func (n *Node) PreviousElement() *Node {
	for n = n.PrevSibling; n != nil && n.Type != ElementNode; n = n.PrevSibling {
	}
	return n
}

// NextElement returns the nearest element behind n with the same parent, or nil.
func (n *Node) NextElement() *Node {
	for n = n.NextSibling; n != nil && n.Type != ElementNode; n = n.NextSibling {
	}
	return n
}

// Following returns the node after n in document order that is still beneath
// root, or nil. With descend, the children of n come first.
func Following(n, root *Node, descend bool) *Node {
	if descend && n.FirstChild != nil {
		return n.FirstChild
	}
	for n != root && n != nil {
		if n.NextSibling != nil {
			return n.NextSibling
		}
		n = n.Parent
	}
	return nil
}

// InnerText returns the text beneath n, at most limit bytes of it.
func (n *Node) InnerText(limit int) string {
	if c := n.FirstChild; c != nil && c.NextSibling == nil && c.Type == TextNode {
		return chars.Truncate(c.Data, limit)
	}
	var b strings.Builder
	for c := n.FirstChild; c != nil && b.Len() < limit; c = Following(c, n, true) {
		if c.Type == TextNode {
			b.WriteString(c.Data)
		}
	}
	return chars.Truncate(b.String(), limit)
}

// ShortText returns the text beneath an element that is expected to be small,
// collapsed: at most limit bytes from its first nodes.
func (n *Node) ShortText(limit int) string {
	var b strings.Builder
	steps := 0
	for c := n.FirstChild; c != nil && b.Len() < limit && steps < 200; c = Following(c, n, true) {
		if c.Type == TextNode {
			b.WriteString(chars.Truncate(c.Data, limit))
		}
		steps++
	}
	return chars.Collapse(chars.Truncate(b.String(), limit))
}

// AppendChild makes c, which has no parent, the last child of n.
func (n *Node) AppendChild(c *Node) {
	c.Parent, c.PrevSibling = n, n.LastChild
	if n.LastChild != nil {
		n.LastChild.NextSibling = c
	} else {
		n.FirstChild = c
	}
	n.LastChild = c
}

// InsertBefore puts c, which has no parent, before a child of n, or last if
// that is nil.
func (n *Node) InsertBefore(c, before *Node) {
	if before == nil {
		n.AppendChild(c)
		return
	}
	c.Parent, c.NextSibling, c.PrevSibling = n, before, before.PrevSibling
	if before.PrevSibling != nil {
		before.PrevSibling.NextSibling = c
	} else {
		n.FirstChild = c
	}
	before.PrevSibling = c
}

// RemoveChild takes a child from n.
func (n *Node) RemoveChild(c *Node) {
	if c.PrevSibling != nil {
		c.PrevSibling.NextSibling = c.NextSibling
	} else {
		n.FirstChild = c.NextSibling
	}
	if c.NextSibling != nil {
		c.NextSibling.PrevSibling = c.PrevSibling
	} else {
		n.LastChild = c.PrevSibling
	}
	c.Parent, c.PrevSibling, c.NextSibling = nil, nil, nil
}
