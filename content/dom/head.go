package dom

import "strings"

// This file has the modes up to the start of the body, and what they have in
// common with later ones: elements without markup, and templates.

// leaveHeadMode is what these modes, and "in column group", do with all that
// they have no rule for: add the element that is missing or close the one that
// is done, and change the mode. It reports false if the token is to be ignored.
func (p *parser) leaveHeadMode() bool {
	switch p.mode {
	case initial:
		p.quirks = true
		p.mode = beforeHTML
	case beforeHTML:
		p.insertTag(tagHTML)
		p.mode = beforeHead
	case beforeHead:
		p.head = p.insertTag(tagHead)
		p.mode = inHead
	case inHead:
		p.pop()
		p.mode = afterHead
	case inHeadNoscript:
		p.pop()
		p.mode = inHead
	case afterHead:
		p.insertTag(tagBody)
		p.mode = inBody
	case inColumnGroup:
		if p.top().tag != tagColgroup {
			return false
		}
		p.pop()
		p.mode = inTable
	}
	return true
}

func (p *parser) startBeforeHTML() bool {
	if p.tok.tag == tagHTML {
		p.insert()
		p.mode = beforeHead
		return true
	}
	p.leaveHeadMode()
	return false
}

func (p *parser) startBeforeHead() bool {
	switch p.tok.tag {
	case tagHTML:
		return p.startInBody()
	case tagHead:
		p.head, _ = p.insert()
		p.mode = inHead
		return true
	}
	p.leaveHeadMode()
	return false
}

// endAroundHead has the rules for end tags before and behind the head.
func (p *parser) endAroundHead() bool {
	switch p.tok.tag {
	case tagHead:
		if p.mode == afterHead {
			return true
		}
	case tagBody, tagHTML, tagBr:
	case tagTemplate:
		if p.mode == afterHead {
			p.endTemplate()
		}
		return true
	default:
		return true
	}
	p.leaveHeadMode()
	return false
}

func (p *parser) startInHead() bool {
	switch p.tok.tag {
	case tagHTML:
		return p.startInBody()
	case tagBase, tagBasefont, tagBgsound, tagLink, tagMeta:
		p.insertClosed()
	case tagTitle:
		p.insertRaw()
	case tagNoscript:
		if _, opened := p.insert(); opened {
			p.mode = inHeadNoscript
		}
	case tagNoframes, tagStyle, tagScript:
		p.insertRaw()
	case tagTemplate:
		p.startTemplate()
	case tagHead:
	default:
		p.leaveHead()
		return false
	}
	return true
}

// leaveHead closes the head.
func (p *parser) leaveHead() {
	p.pop()
	p.mode = afterHead
}

func (p *parser) endInHead() bool {
	switch p.tok.tag {
	case tagHead:
		p.leaveHead()
	case tagBody, tagHTML, tagBr:
		p.leaveHead()
		return false
	case tagTemplate:
		p.endTemplate()
	}
	return true
}

func (p *parser) startInHeadNoscript() bool {
	switch p.tok.tag {
	case tagHTML:
		return p.startInBody()
	case tagBasefont, tagBgsound, tagLink, tagMeta, tagNoframes, tagStyle:
		return p.startInHead()
	case tagHead, tagNoscript:
		return true
	}
	p.leaveHeadMode()
	return false
}

func (p *parser) endInHeadNoscript() bool {
	switch p.tok.tag {
	case tagNoscript:
		p.leaveHeadMode()
	case tagBr:
		p.leaveHeadMode()
		return false
	}
	return true
}

func (p *parser) startAfterHead() bool {
	switch p.tok.tag {
	case tagHTML:
		return p.startInBody()
	case tagBody:
		p.insert()
		p.noFrameset = true
		p.mode = inBody
	case tagFrameset:
		p.insert()
		p.mode = inFrameset
	case tagBase, tagBasefont, tagBgsound, tagLink, tagMeta, tagNoframes, tagScript, tagStyle, tagTemplate, tagTitle:
		p.pushAlways(p.head)
		p.startInHead()
		p.removeOpen(p.index(p.head))
	case tagHead:
	default:
		p.leaveHeadMode()
		return false
	}
	return true
}

// startTemplate inserts a template. Its content becomes its children.
func (p *parser) startTemplate() {
	if _, opened := p.insert(); !opened {
		return
	}
	p.addMarker()
	p.noFrameset = true
	p.mode = inTemplate
	p.templateModes = append(p.templateModes, inTemplate)
}

func (p *parser) endTemplate() {
	if p.count[tagTemplate] > 0 {
		p.closeTemplate()
	}
}

// closeTemplate closes the innermost open template.
func (p *parser) closeTemplate() {
	p.popUntil(tagTemplate)
	p.clearActive()
	p.templateModes = p.templateModes[:max(len(p.templateModes)-1, 0)]
	p.resetMode()
}

// insertRaw inserts an element without markup inside, and its text.
func (p *parser) insertRaw() {
	n := p.insertClosed()
	end := p.pos + rawLength(p.src[p.pos:], n.tag)
	text := p.plain(p.src[p.pos:end])
	if n.tag == tagTitle || n.tag == tagTextarea {
		text = p.unescape(text, false)
	}
	if text != "" {
		n.AppendChild(p.tree.New(TextNode, 0, text))
	}
	p.pos = end
	if end < len(p.src) {
		used := len(p.attrs)
		p.readTag(end + len("</"))
		p.attrs = p.attrs[:min(used, len(p.attrs))]
	}
}

// rawLength returns the length of the text before the end tag of an element
// without markup inside.
func rawLength(s string, t tag) int {
	if t == tagScript {
		return scriptLength(s)
	}
	for i := 0; ; i++ {
		n := strings.IndexByte(s[i:], '<')
		if n < 0 {
			return len(s)
		}
		i += n
		if isTag(s[i+1:], "/", kinds[t].name) {
			return i
		}
	}
}

// isTag reports whether s begins with the prefix and the name, and the name
// ends there.
func isTag(s, prefix, name string) bool {
	if !strings.HasPrefix(s, prefix) {
		return false
	}
	s = s[len(prefix):]
	return len(s) > len(name) && equalLower(s[:len(name)], name) && classes[s[len(name)]]&endsName != 0
}

// scriptLength is rawLength for scripts. Inside of "<!--" and "-->", which is
// called escaped, the end tag of a script belongs to it if a start tag stands
// before it, which is called double escaped.
func scriptLength(s string) int {
	escaped, double, escapeEnd := false, false, 0
	for i := 0; ; i++ {
		n := strings.IndexByte(s[i:], '<')
		if n < 0 {
			return len(s)
		}
		i += n
		if escaped && escapeEnd <= i {
			escaped, double = false, false
		}
		switch rest := s[i+1:]; {
		case isTag(rest, "/", "script"):
			if !double {
				return i
			}
			double = false
		case !escaped && strings.HasPrefix(rest, "!--"):
			escaped, escapeEnd = true, len(s)
			if n := strings.Index(s[i+2:], "-->"); n >= 0 {
				escapeEnd = i + 2 + n + 3
			}
		case escaped && isTag(rest, "", "script"):
			double = true
		}
	}
}
