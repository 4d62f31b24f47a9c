package dom

// This file has the modes inside of templates, behind the body, and of pages
// with frames.

func (p *parser) startInTemplate() bool {
	m := inBody
	switch p.tok.tag {
	case tagBase, tagBasefont, tagBgsound, tagLink, tagMeta, tagNoframes, tagScript, tagStyle, tagTemplate, tagTitle:
		return p.startInHead()
	case tagCaption, tagColgroup, tagTbody, tagTfoot, tagThead:
		m = inTable
	case tagCol:
		m = inColumnGroup
	case tagTr:
		m = inTableBody
	case tagTd, tagTh:
		m = inRow
	}
	p.templateModes[len(p.templateModes)-1] = m
	p.mode = m
	return false
}

func (p *parser) endInTemplate() bool {
	if p.tok.tag == tagTemplate {
		p.endTemplate()
	}
	return true
}

// startAfterBody has the rules of "after body" and "after after body".
func (p *parser) startAfterBody() bool {
	if p.tok.tag == tagHTML {
		return p.startInBody()
	}
	p.mode = inBody
	return false
}

func (p *parser) endAfterBody() bool {
	if p.tok.tag == tagHTML && p.mode == afterBody {
		p.mode = afterAfterBody
		return true
	}
	p.mode = inBody
	return false
}

// startInFrames has the rules of "in frameset" and the modes that follow.
func (p *parser) startInFrames(m mode) bool {
	switch p.tok.tag {
	case tagHTML:
		return p.startInBody()
	case tagNoframes:
		return p.startInHead()
	case tagFrameset:
		if m == inFrameset {
			p.insert()
		}
	case tagFrame:
		if m == inFrameset {
			p.insertClosed()
		}
	}
	return true
}

func (p *parser) endInFrames(m mode) bool {
	switch {
	case m == inFrameset && p.tok.tag == tagFrameset && p.top().tag == tagFrameset:
		p.pop()
		if p.top().tag != tagFrameset {
			p.mode = afterFrameset
		}
	case m == afterFrameset && p.tok.tag == tagHTML:
		p.mode = afterAfterFrameset
	}
	return true
}
