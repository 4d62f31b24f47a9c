package dom

import "slices"

const (
	// maxActive bounds the formatting elements that are active in one scope.
	maxActive = 64
	// Formatting elements that are left open are reopened in every block that
	// follows, so that a few kilobytes could make millions of elements. Beyond
	// reopenedFree, at most one element per reopenedSpacing bytes of the page is
	// reopened.
	reopenedFree    = 10_000
	reopenedSpacing = 8
)

// insertFormatting inserts a formatting element and puts it on the list of
// active formatting elements.
func (p *parser) insertFormatting() {
	n, opened := p.insert()
	if !opened {
		return
	}
	p.pushActive(n)
}

// pushActive puts an element on the list. Of elements that are alike, three
// may be there (the "Noah's Ark clause").
func (p *parser) pushActive(n *Node) {
	alike, earliest, first := 0, 0, 0
	for i := len(p.active) - 1; i >= 0; i-- {
		other := p.active[i]
		if other == nil {
			first = i + 1
			break
		}
		if other.tag == n.tag && sameAttributes(other.Attr, n.Attr) {
			alike++
			earliest = i
		}
	}
	switch {
	case alike >= 3:
		p.active = slices.Delete(p.active, earliest, earliest+1)
	case len(p.active)-first >= maxActive:
		p.active = slices.Delete(p.active, first, first+1)
	}
	p.active = append(p.active, n)
}

// sameAttributes reports whether two elements have the same attributes in any
// order. With many attributes it takes another order for a difference.
func sameAttributes(a, b []Attribute) bool {
	if len(a) != len(b) {
		return false
	}
	if slices.Equal(a, b) {
		return true
	}
	if len(a) == 1 || len(a) > 16 {
		return false
	}
	for _, attr := range a {
		if !slices.Contains(b, attr) {
			return false
		}
	}
	return true
}

// clearActive takes all elements up to the last marker from the list.
func (p *parser) clearActive() {
	for i := len(p.active) - 1; i >= 0; i-- {
		if p.active[i] == nil {
			p.active = p.active[:i]
			return
		}
	}
	p.active = p.active[:0]
}

// addMarker puts a marker on the list.
func (p *parser) addMarker() { p.active = append(p.active, nil) }

// reconstruct is "reconstruct the active formatting elements".
func (p *parser) reconstruct() {
	i := len(p.active)
	for i > 0 && p.active[i-1] != nil && !p.active[i-1].open {
		i--
	}
	for ; i < len(p.active); i++ {
		p.reopened++
		if p.reopened > reopenedFree+p.pos/reopenedSpacing {
			p.active = p.active[:i]
			return
		}
		n := p.clone(p.active[i])
		p.place(n)
		if !p.push(n) {
			p.active = p.active[:i]
			return
		}
		p.active[i] = n
	}
}

// clone returns a new element with the name and the attributes of another.
func (p *parser) clone(n *Node) *Node {
	c := p.tree.alloc()
	c.Type, c.Atom, c.Data, c.tag, c.Attr = ElementNode, n.Atom, n.Data, n.tag, n.Attr
	return c
}

// findActive returns the last element of a tag behind the last marker, or nil.
func (p *parser) findActive(t tag) *Node {
	for i := len(p.active) - 1; i >= 0 && p.active[i] != nil; i-- {
		if p.active[i].tag == t {
			return p.active[i]
		}
	}
	return nil
}

// removeActive takes an element from the list if it is there.
func (p *parser) removeActive(n *Node) {
	if i := slices.Index(p.active, n); i >= 0 {
		p.active = slices.Delete(p.active, i, i+1)
	}
}

// adopt is the "adoption agency algorithm" for the end tag of a formatting
// element.
func (p *parser) adopt() {
	t := p.tok.tag
	if top := p.top(); top.tag == t && !slices.Contains(p.active, top) {
		p.pop()
		return
	}
	for range 8 {
		element := p.findActive(t)
		if element == nil {
			p.endAnyOther()
			return
		}
		if !element.open {
			p.removeActive(element)
			return
		}
		if !p.hasNode(element) {
			return
		}
		at := p.index(element)
		block := at + 1
		for block < len(p.open) && kinds[p.open[block].tag].flags&special == 0 {
			block++
		}
		if block == len(p.open) {
			p.popTo(at)
			p.removeActive(element)
			return
		}
		p.adoptBlock(element, at, block)
	}
}

// adoptBlock moves the furthest block out of a formatting element, with copies
// of the formatting elements between them. The arguments at and block are the
// places of both in the stack.
func (p *parser) adoptBlock(element *Node, at, block int) {
	furthest := p.open[block]
	last, bookmark := furthest, slices.Index(p.active, element)
	for i, round := block-1, 1; i > at; i, round = i-1, round+1 {
		node := p.open[i]
		listed := slices.Index(p.active, node)
		if listed >= 0 && round > 3 {
			p.active = slices.Delete(p.active, listed, listed+1)
			if listed < bookmark {
				bookmark--
			}
			listed = -1
		}
		if listed < 0 {
			p.removeOpen(i)
			block--
			continue
		}
		c := p.clone(node)
		p.active[listed], p.open[i] = c, c
		node.open, c.open = false, true
		if last == furthest {
			bookmark = listed + 1
		}
		last.detach()
		c.AppendChild(last)
		last = c
	}
	last.detach()
	parent, before := p.placeIn(p.open[at-1])
	parent.InsertBefore(last, before)

	c := p.clone(element)
	for child := furthest.FirstChild; child != nil; child = child.NextSibling {
		child.Parent = c
	}
	c.FirstChild, c.LastChild = furthest.FirstChild, furthest.LastChild
	furthest.FirstChild, furthest.LastChild = nil, nil
	furthest.AppendChild(c)

	if was := slices.Index(p.active, element); was >= 0 {
		p.active = slices.Delete(p.active, was, was+1)
		if was < bookmark {
			bookmark--
		}
	}
	p.active = slices.Insert(p.active, bookmark, c)
	p.open = slices.Insert(p.open, block+1, c)
	c.open = true
	p.count[c.tag]++
	p.removeOpen(at)
}

// detach takes a node from its parent, if it has one.
func (n *Node) detach() {
	if n.Parent != nil {
		n.Parent.RemoveChild(n)
	}
}
