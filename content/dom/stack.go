package dom

// maxDepth is how deep elements nest, as in Chrome: what is nested deeper is
// put beside each other.
const maxDepth = 512

// top returns the current node.
func (p *parser) top() *Node { return p.open[len(p.open)-1] }

// push opens an element unless it is too deep; it reports whether it did.
func (p *parser) push(n *Node) bool {
	if len(p.open) > maxDepth/2 && p.tooDeep(n) {
		return false
	}
	p.pushAlways(n)
	return true
}

// pushAlways opens an element whatever its depth.
func (p *parser) pushAlways(n *Node) {
	n.open = true
	p.count[n.tag]++
	p.open = append(p.open, n)
}

// tooDeep reports whether an element is nested too deep to be opened, and
// counts it then. Elements can be taken out of the stack while what is inside
// them stays, so the tree can be deeper than the stack.
func (p *parser) tooDeep(n *Node) bool {
	if top := p.top(); top != p.deepest {
		depth := 0
		for a := top; a != nil; a = a.Parent {
			depth++
		}
		if depth < maxDepth {
			return false
		}
		p.deepest = top
		clear(p.unopened)
	}
	if kinds[n.tag].flags&(implied|formatting) == 0 {
		if p.unopened == nil {
			p.unopened = map[string]int{}
		}
		p.unopened[n.Data]++
	}
	return true
}

// closesUnopened reports whether an end tag belongs to an element that was too
// deep to be opened.
func (p *parser) closesUnopened() bool {
	if p.deepest == nil || p.top() != p.deepest || p.unopened[p.tok.name] == 0 {
		return false
	}
	p.unopened[p.tok.name]--
	return true
}

// pop closes the current node.
func (p *parser) pop() { p.popTo(len(p.open) - 1) }

// popTo closes elements until i are left; the document and the html element
// stay.
func (p *parser) popTo(i int) {
	i = max(i, 2)
	for len(p.open) > i {
		n := p.open[len(p.open)-1]
		n.open = false
		p.count[n.tag]--
		p.open = p.open[:len(p.open)-1]
	}
}

// popUntil closes elements until one of the tag is closed, if one is open.
func (p *parser) popUntil(t tag) {
	if p.count[t] == 0 {
		return
	}
	for i := len(p.open) - 1; i > 0; i-- {
		if p.open[i].tag == t {
			p.popTo(i)
			return
		}
	}
}

// popUntilAny is popUntil for the tags of a set.
func (p *parser) popUntilAny(set flags) {
	for i := len(p.open) - 1; i > 0; i-- {
		if kinds[p.open[i].tag].flags&set != 0 {
			p.popTo(i)
			return
		}
	}
}

// clearTo closes elements until the current node is one of the set: "clear the
// stack back to a table context" and the like.
func (p *parser) clearTo(set flags) {
	i := len(p.open)
	for kinds[p.open[i-1].tag].flags&set == 0 {
		i--
	}
	p.popTo(i)
}

// has reports whether an element of the tag is open with none of the bounds
// inside: "has an element in scope".
func (p *parser) has(t tag, bounds flags) bool {
	if p.count[t] == 0 {
		return false
	}
	for i := len(p.open) - 1; ; i-- {
		n := p.open[i]
		if n.tag == t {
			return true
		}
		if kinds[n.tag].flags&bounds != 0 {
			return false
		}
	}
}

// hasAny is has for the tags of a set.
func (p *parser) hasAny(set, bounds flags) bool {
	for i := len(p.open) - 1; ; i-- {
		f := kinds[p.open[i].tag].flags
		if f&set != 0 {
			return true
		}
		if f&bounds != 0 {
			return false
		}
	}
}

// hasNode is has for one element.
func (p *parser) hasNode(n *Node) bool {
	if !n.open {
		return false
	}
	for i := len(p.open) - 1; ; i-- {
		if p.open[i] == n {
			return true
		}
		if kinds[p.open[i].tag].flags&scope != 0 {
			return false
		}
	}
}

// closeP closes a paragraph that the next element cannot be in.
func (p *parser) closeP() {
	if p.has(tagP, pScope) {
		p.popUntil(tagP)
	}
}

// impliedEnds closes elements whose end tags may be left out: "generate implied
// end tags", except for one tag.
func (p *parser) impliedEnds(except tag) {
	for {
		top := p.top()
		if kinds[top.tag].flags&implied == 0 || top.tag == except {
			return
		}
		p.pop()
	}
}

// index returns where in the stack an element is, or -1.
func (p *parser) index(n *Node) int {
	for i := len(p.open) - 1; i > 0; i-- {
		if p.open[i] == n {
			return i
		}
	}
	return -1
}

// removeOpen takes an element out of the stack; those inside it stay.
func (p *parser) removeOpen(i int) {
	n := p.open[i]
	n.open = false
	p.count[n.tag]--
	p.open = append(p.open[:i], p.open[i+1:]...)
}

// resetMode is "reset the insertion mode appropriately".
func (p *parser) resetMode() {
	for i := len(p.open) - 1; i > 0; i-- {
		switch p.open[i].tag {
		case tagTd, tagTh:
			p.mode = inCell
		case tagTr:
			p.mode = inRow
		case tagTbody, tagThead, tagTfoot:
			p.mode = inTableBody
		case tagCaption:
			p.mode = inCaption
		case tagColgroup:
			p.mode = inColumnGroup
		case tagTable:
			p.mode = inTable
		case tagTemplate:
			p.mode = inTemplate
			if n := len(p.templateModes); n > 0 {
				p.mode = p.templateModes[n-1]
			}
		case tagHead:
			p.mode = inHead
		case tagBody:
			p.mode = inBody
		case tagFrameset:
			p.mode = inFrameset
		case tagHTML:
			p.mode = beforeHead
			if p.head != nil {
				p.mode = afterHead
			}
		default:
			continue
		}
		return
	}
}
