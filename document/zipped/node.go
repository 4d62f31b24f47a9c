package zipped

import (
	"iter"
	"strings"
)

// Node is an element or a piece of text. Names are "prefix:local" with the prefixes
// of this package, whatever prefixes the file uses; a name of an unknown namespace
// is "?:local". Text has no name.
type Node struct {
	Name        string
	Text        string
	Attr        []Attr
	First, Next *Node // the first child, the next sibling
}

// Attr is an attribute. Most formats give their attributes a namespace; those
// without have no prefix.
type Attr struct{ Name, Value string }

// Get returns the value of an attribute, "" if there is none. It may be asked of a
// nil node.
func (n *Node) Get(name string) string {
	value, _ := n.Lookup(name)
	return value
}

// Lookup returns the value of an attribute and whether there is one.
func (n *Node) Lookup(name string) (string, bool) {
	if n != nil {
		for i := range n.Attr {
			if n.Attr[i].Name == name {
				return n.Attr[i].Value, true
			}
		}
	}
	return "", false
}

// Child returns the first child of that name, nil if there is none. It may be asked
// of a nil node.
func (n *Node) Child(name string) *Node {
	if n == nil {
		return nil
	}
	for c := n.First; c != nil; c = c.Next {
		if c.Name == name {
			return c
		}
	}
	return nil
}

// All returns the children, text among them. It may be asked of a nil node.
func (n *Node) All() iter.Seq[*Node] {
	return func(yield func(*Node) bool) {
		if n == nil {
			return
		}
		for c := n.First; c != nil; c = c.Next {
			if !yield(c) {
				return
			}
		}
	}
}

// maxContent bounds what Content returns.
const maxContent = 1 << 20

// Content returns all text beneath the node, at most about a megabyte.
func (n *Node) Content() string {
	if n == nil {
		return ""
	}
	if n.Name == "" {
		return n.Text
	}
	if n.First != nil && n.First.Next == nil && n.First.Name == "" {
		return n.First.Text
	}
	var b strings.Builder
	n.content(&b)
	return b.String()
}

func (n *Node) content(b *strings.Builder) {
	for c := n.First; c != nil && b.Len() < maxContent; c = c.Next {
		b.WriteString(c.Text)
		c.content(b)
	}
}
