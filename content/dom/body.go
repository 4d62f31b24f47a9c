package dom

import "strings"

// textInBody inserts text by the rules of "in body".
func (p *parser) textInBody(s string) {
	if p.hasNUL {
		s = strings.ReplaceAll(s, "\x00", "")
	}
	if s == "" {
		return
	}
	if len(p.active) > 0 {
		p.reconstruct()
	}
	p.insertText(s)
	if !p.noFrameset && countSpace(s) < len(s) {
		p.noFrameset = true
	}
}

// startInBody has the rules of "in body" for start tags.
func (p *parser) startInBody() bool {
	switch kinds[p.tok.tag].start {
	case startOther:
		p.reconstruct()
		p.insert()
	case startBlock:
		p.closeP()
		p.insert()
	case startFormatting:
		p.reconstruct()
		p.insertFormatting()
	case startA:
		p.startA()
	case startVoid:
		p.reconstruct()
		p.insertClosed()
		p.noFrameset = true
	case startLi:
		p.startItem(tagLi, tagLi)
	case startItem:
		p.startItem(tagDd, tagDt)
	case startHeading:
		p.closeP()
		if kinds[p.top().tag].flags&heading != 0 {
			p.pop()
		}
		p.insert()
	case startHead:
		return p.startInHead()
	case startTable:
		if !p.quirks {
			p.closeP()
		}
		p.noFrameset = true
		if _, opened := p.insert(); opened {
			p.mode = inTable
		}
	case startIgnored:
	default:
		return p.startRareInBody()
	}
	return true
}

// startRareInBody has the rest of these rules.
func (p *parser) startRareInBody() bool {
	switch kinds[p.tok.tag].start {
	case startHTML:
		if p.count[tagTemplate] == 0 {
			p.mergeAttributes(p.open[1])
		}
	case startBody:
		if body := p.body(); body != nil && p.count[tagTemplate] == 0 {
			p.noFrameset = true
			p.mergeAttributes(body)
		}
	case startFrameset:
		p.startFrameset()
	case startPre:
		p.closeP()
		p.insert()
		p.skipNewline()
		p.noFrameset = true
	case startForm:
		p.startForm()
	case startButton:
		if p.has(tagButton, scope) {
			p.popUntil(tagButton)
		}
		p.reconstruct()
		p.insert()
		p.noFrameset = true
	case startNobr:
		p.reconstruct()
		if p.has(tagNobr, scope) {
			p.adopt()
			p.reconstruct()
		}
		p.insertFormatting()
	case startObject:
		p.reconstruct()
		if _, opened := p.insert(); opened {
			p.addMarker()
		}
		p.noFrameset = true
	case startImage:
		p.tok.tag, p.tok.name, p.tok.atom = tagImg, kinds[tagImg].name, kinds[tagImg].atom
		return false
	case startRb:
		if p.has(tagRuby, scope) {
			p.impliedEnds(tagOther)
		}
		p.insert()
	case startRt:
		if p.has(tagRuby, scope) {
			p.impliedEnds(tagRtc)
		}
		p.insert()
	case startForeign:
		p.reconstruct()
		if p.tok.tag == tagSvg {
			p.insertForeign(SVG)
		} else {
			p.insertForeign(MathML)
		}
	default:
		p.startControlInBody()
	}
	return true
}

// startControlInBody has the rules for controls of forms, and for elements
// without markup inside.
func (p *parser) startControlInBody() {
	switch kinds[p.tok.tag].start {
	case startInput:
		if p.has(tagSelect, scope) {
			p.popUntil(tagSelect)
		}
		p.reconstruct()
		p.insertClosed()
		p.noFrameset = p.noFrameset || !p.isHidden()
	case startParam:
		p.insertClosed()
	case startHr:
		p.closeP()
		if p.has(tagSelect, scope) {
			p.impliedEnds(tagOther)
		}
		p.insertClosed()
		p.noFrameset = true
	case startSelect:
		if p.has(tagSelect, scope) {
			p.popUntil(tagSelect)
			return
		}
		p.reconstruct()
		p.insert()
		p.noFrameset = true
	case startOption:
		p.closeOptions(tagOptgroup)
		p.reconstruct()
		p.insert()
	case startOptgroup:
		p.closeOptions(tagOther)
		p.reconstruct()
		p.insert()
	case startTextarea:
		p.skipNewline()
		p.insertRaw()
		p.noFrameset = true
	case startXmp:
		p.closeP()
		p.reconstruct()
		p.insertRaw()
		p.noFrameset = true
	case startIframe:
		p.insertRaw()
		p.noFrameset = true
	case startNoembed:
		p.insertRaw()
	case startPlaintext:
		p.closeP()
		p.insert()
		rest := p.plain(p.src[p.pos:])
		p.pos = len(p.src)
		p.text(rest)
	}
}

// closeOptions closes what a new option, or group of options, cannot be in.
func (p *parser) closeOptions(except tag) {
	if p.has(tagSelect, scope) {
		p.impliedEnds(except)
	} else if p.top().tag == tagOption {
		p.pop()
	}
}

// body returns the body if it is the second element of the stack.
func (p *parser) body() *Node {
	if len(p.open) > 2 && p.open[2].tag == tagBody {
		return p.open[2]
	}
	return nil
}

// isHidden reports whether the current tag is of a hidden control.
func (p *parser) isHidden() bool {
	for _, a := range p.tok.attr {
		if a.Key == "type" {
			return strings.EqualFold(a.Val, "hidden")
		}
	}
	return false
}

func (p *parser) startA() {
	if a := p.findActive(tagA); a != nil {
		p.adopt()
		p.removeActive(a)
		if i := p.index(a); i > 0 {
			p.removeOpen(i)
		}
	}
	p.reconstruct()
	p.insertFormatting()
}

// startItem inserts an item of a list and closes the one before it.
func (p *parser) startItem(a, b tag) {
	p.noFrameset = true
	for i := len(p.open) - 1; i > 0; i-- {
		t := p.open[i].tag
		if t == a || t == b {
			p.popTo(i)
			break
		}
		if kinds[t].flags&special != 0 && t != tagAddress && t != tagDiv && t != tagP {
			break
		}
	}
	p.closeP()
	p.insert()
}

func (p *parser) startForm() {
	inTemplate := p.count[tagTemplate] > 0
	if p.form != nil && !inTemplate {
		return
	}
	p.closeP()
	if n, opened := p.insert(); opened && !inTemplate {
		p.form = n
	}
}

// startFrameset replaces a body without content by a frameset.
func (p *parser) startFrameset() {
	body := p.body()
	if body == nil || p.noFrameset {
		return
	}
	body.detach()
	p.popTo(2)
	p.insert()
	p.mode = inFrameset
}

// endInBody has the rules of "in body" for end tags.
func (p *parser) endInBody() bool {
	switch kinds[p.tok.tag].end {
	case endOther:
		p.endAnyOther()
	case endBlock, endItem:
		p.endScoped(scope)
	case endFormatting:
		p.adopt()
	case endP:
		if !p.has(tagP, pScope) {
			p.tok.attr = nil
			p.insertClosed()
			return true
		}
		p.popUntil(tagP)
	case endLi:
		p.endScoped(listScope)
	case endHeading:
		if p.hasAny(heading, scope) {
			p.popUntilAny(heading)
		}
	case endForm:
		p.endForm()
	case endObject:
		if p.has(p.tok.tag, scope) {
			p.popUntil(p.tok.tag)
			p.clearActive()
		}
	case endBr:
		p.tok.attr = nil
		return p.startInBody()
	case endBody, endHTML:
		if !p.has(tagBody, scope) {
			return true
		}
		p.mode = afterBody
		return p.tok.tag == tagBody
	case endTemplate:
		p.endTemplate()
	}
	return true
}

// endScoped closes an element, and all in it, if it is in scope.
func (p *parser) endScoped(bounds flags) {
	if p.has(p.tok.tag, bounds) {
		p.popUntil(p.tok.tag)
	}
}

// endAnyOther is "any other end tag".
func (p *parser) endAnyOther() {
	t := p.tok.tag
	if p.count[t] == 0 {
		return
	}
	for i := len(p.open) - 1; i > 0; i-- {
		n := p.open[i]
		if n.tag == t && (t != tagOther || n.Data == p.tok.name) {
			p.popTo(i)
			return
		}
		if kinds[n.tag].flags&special != 0 {
			return
		}
	}
}

func (p *parser) endForm() {
	if p.count[tagTemplate] > 0 {
		p.endScoped(scope)
		return
	}
	form := p.form
	p.form = nil
	if form == nil || !p.hasNode(form) {
		return
	}
	p.impliedEnds(tagOther)
	p.removeOpen(p.index(form))
}
