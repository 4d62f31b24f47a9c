package dom

import "golang.org/x/net/html/atom"

// Nodes and attributes come in chunks, of which an ordinary page fills five or
// so: few allocations, and little room left over.
const (
	nodeSpacing = 256 // bytes of a page per node of a chunk
	attrSpacing = 512 // bytes of a page per attribute of a chunk
	minChunk    = 16
)

// New returns a node that belongs to the tree, without a parent.
func (t *Tree) New(kind NodeType, name atom.Atom, data string) *Node {
	n := t.alloc()
	n.Type, n.Atom, n.Data = kind, name, data
	return n
}

// alloc returns an empty node with the next ID.
func (t *Tree) alloc() *Node {
	if t.used == len(t.nodes) {
		t.nodes, t.used = make([]Node, max(t.chunk, minChunk)), 0
	}
	n := &t.nodes[t.used]
	t.used++
	n.ID = int32(t.Size)
	t.Size++
	return n
}

// NewDocument returns a tree with nothing but a body, and that body.
func NewDocument() (*Tree, *Node) {
	t := &Tree{}
	t.Root = t.New(DocumentNode, 0, "")
	body := t.Element(atom.Body)
	t.Root.AppendChild(t.Element(atom.Html, body))
	return t, body
}

// Element returns a new element with the given children.
func (t *Tree) Element(name atom.Atom, children ...*Node) *Node {
	n := t.New(ElementNode, name, name.String())
	for _, c := range children {
		n.AppendChild(c)
	}
	return n
}

// Text returns a new text.
func (t *Tree) Text(text string) *Node { return t.New(TextNode, 0, text) }

// Body returns the body, or the frameset of a page with frames, or else the
// document.
func (t *Tree) Body() *Node {
	for n := t.Root.FirstChild; n != nil; n = n.NextSibling {
		if !n.Is(atom.Html) {
			continue
		}
		for c := n.LastChild; c != nil; c = c.PrevSibling {
			if c.Is(atom.Body) || c.Is(atom.Frameset) {
				return c
			}
		}
	}
	return t.Root
}

// Graft moves the children of a node of another tree beneath one of this tree.
// The other tree is of no use after that.
func (t *Tree) Graft(to, from *Node) {
	for c := from.FirstChild; c != nil; c = from.FirstChild {
		from.RemoveChild(c)
		to.AppendChild(c)
		for n := c; n != nil; n = Following(n, c, true) {
			n.ID = int32(t.Size)
			t.Size++
		}
	}
}
