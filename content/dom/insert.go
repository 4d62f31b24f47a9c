package dom

import "strings"

// newElement makes an HTML element of the current tag.
func (p *parser) newElement() *Node {
	n := p.tree.alloc()
	n.Type, n.Atom, n.Data, n.tag, n.Attr = ElementNode, p.tok.atom, p.tok.name, p.tok.tag, p.tok.attr
	return n
}

// insert inserts an HTML element for the current tag and opens it. At the
// greatest depth it stays closed, and insert reports false.
func (p *parser) insert() (n *Node, opened bool) {
	n = p.newElement()
	p.place(n)
	return n, p.push(n)
}

// insertClosed inserts an HTML element that has no content.
func (p *parser) insertClosed() *Node {
	n := p.newElement()
	p.place(n)
	return n
}

// insertTag inserts and opens an HTML element without attributes that belongs
// to the structure of every document or table.
func (p *parser) insertTag(t tag) *Node {
	n := p.tree.alloc()
	n.Type, n.Atom, n.Data, n.tag = ElementNode, kinds[t].atom, kinds[t].name, t
	p.place(n)
	p.pushAlways(n)
	return n
}

// place puts a new node at the appropriate place for inserting a node.
func (p *parser) place(n *Node) {
	if !p.foster {
		p.top().AppendChild(n)
		return
	}
	parent, before := p.placeIn(p.top())
	parent.InsertBefore(n, before)
}

// placeIn returns the appropriate place for inserting a node with target as
// the override target: before a child, or last if that is nil.
func (p *parser) placeIn(target *Node) (parent, before *Node) {
	if !p.foster || kinds[target.tag].flags&fosters == 0 {
		return target, nil
	}
	for i := len(p.open) - 1; i > 0; i-- {
		switch n := p.open[i]; n.tag {
		case tagTemplate:
			return n, nil
		case tagTable:
			if n.Parent != nil {
				return n.Parent, n
			}
			return p.open[i-1], nil
		}
	}
	return p.open[1], nil
}

// insertText inserts text, as a part of the text before it if there is one.
func (p *parser) insertText(s string) {
	if s == "" {
		return
	}
	parent, before := p.top(), (*Node)(nil)
	if p.foster {
		parent, before = p.placeIn(parent)
	}
	last := parent.LastChild
	if before != nil {
		last = before.PrevSibling
	}
	if last != nil && last.Type == TextNode && last != p.sealed {
		p.appendText(last, s)
		return
	}
	n := p.tree.alloc()
	n.Type, n.Data = TextNode, s
	parent.InsertBefore(n, before)
}

// appendText appends to a text. Texts that grow often would take quadratic
// time, so they grow apart and are put in place in the end.
func (p *parser) appendText(n *Node, s string) {
	b := p.grown[n]
	if b == nil {
		if p.grown == nil {
			p.grown = map[*Node]*strings.Builder{}
		}
		b = &strings.Builder{}
		b.WriteString(n.Data)
		p.grown[n] = b
	}
	b.WriteString(s)
}

// comment inserts a comment. A comment that is not kept still parts the texts
// around it.
func (p *parser) comment(s string) {
	parent := p.top()
	switch p.mode {
	case initial, beforeHTML, afterAfterBody, afterAfterFrameset:
		parent = p.tree.Root
	case afterBody:
		parent = p.open[1]
	}
	if p.keepComments {
		parent.AppendChild(p.tree.New(CommentNode, 0, p.plain(s)))
	} else if last := parent.LastChild; last != nil && last.Type == TextNode {
		p.sealed = last
	}
}

// mergeAttributes adds the attributes of the current tag that an element does
// not have yet.
func (p *parser) mergeAttributes(n *Node) {
	for _, a := range p.tok.attr {
		if len(n.Attr) < maxAttributes && !hasKey(n.Attr, a.Key) {
			n.Attr = append(n.Attr, a)
		}
	}
}
