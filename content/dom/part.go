package dom

// Set is a set of nodes of one tree. The nil set is empty and cannot grow.
type Set []uint64

// NewSet returns an empty set of nodes of a tree.
func (t *Tree) NewSet() Set { return make(Set, (t.Size+63)/64) }

// Add adds a node.
func (s Set) Add(n *Node) { s[n.ID>>6] |= 1 << (n.ID & 63) }

// Has reports whether a node is in the set.
func (s Set) Has(n *Node) bool { return s != nil && s[n.ID>>6]&(1<<(n.ID&63)) != 0 }

// Part is the part of a page that is to be written: the subtrees of Roots in the
// order of the document, without the subtrees of Drop.
type Part struct {
	Roots []*Node
	Drop  Set
}

// Walk calls visit for root and every element beneath it that is not dropped,
// in document order; visit says whether to go on beneath the element.
func (p *Part) Walk(root *Node, visit func(*Node) bool) {
	for n := root; n != nil; {
		descend := true
		if n.Type == ElementNode {
			descend = !p.Drop.Has(n) && visit(n)
		}
		n = Following(n, root, descend)
	}
}
