package dom

import "strings"

// textInTable inserts text by the rules of "in table" and "in table text".
func (p *parser) textInTable(s string) {
	if p.hasNUL {
		s = strings.ReplaceAll(s, "\x00", "")
	}
	top := p.top()
	if countSpace(s) == len(s) && (kinds[top.tag].flags&fosters != 0 || top.tag == tagTemplate) {
		p.insertText(s)
		return
	}
	p.foster = true
	p.textInBody(s)
	p.foster = false
}

// startFostered uses the rules of "in body" with foster parenting.
func (p *parser) startFostered() bool {
	p.foster = true
	done := p.startInBody()
	p.foster = false
	return done
}

func (p *parser) endFostered() bool {
	p.foster = true
	done := p.endInBody()
	p.foster = false
	return done
}

// enter inserts an element of a table and changes to the mode inside it.
func (p *parser) enter(context flags, m mode) {
	p.clearTo(context)
	n := p.newElement()
	p.place(n)
	p.pushAlways(n)
	p.mode = m
}

// leave closes the current element of a table, back to the context, and
// changes to the mode outside of it.
func (p *parser) leave(context flags, m mode) {
	p.clearTo(context)
	p.pop()
	p.mode = m
}

func (p *parser) startInTable() bool {
	switch p.tok.tag {
	case tagCaption:
		p.enter(tableScope, inCaption)
		p.addMarker()
	case tagColgroup:
		p.enter(tableScope, inColumnGroup)
	case tagCol:
		p.clearTo(tableScope)
		p.insertTag(tagColgroup)
		p.mode = inColumnGroup
		return false
	case tagTbody, tagTfoot, tagThead:
		p.enter(tableScope, inTableBody)
	case tagTd, tagTh, tagTr:
		p.clearTo(tableScope)
		p.insertTag(tagTbody)
		p.mode = inTableBody
		return false
	case tagTable:
		return !p.closeTable()
	case tagStyle, tagScript, tagTemplate:
		return p.startInHead()
	case tagInput:
		if !p.isHidden() {
			return p.startFostered()
		}
		p.insertClosed()
	case tagForm:
		if p.form == nil && p.count[tagTemplate] == 0 {
			p.form = p.insertClosed()
		}
	default:
		return p.startFostered()
	}
	return true
}

// closeTable closes the innermost table; it reports false if none is in scope.
func (p *parser) closeTable() bool {
	if !p.has(tagTable, tableScope) {
		return false
	}
	p.popUntil(tagTable)
	p.resetMode()
	return true
}

func (p *parser) endInTable() bool {
	switch p.tok.tag {
	case tagTable:
		p.closeTable()
	case tagBody, tagCaption, tagCol, tagColgroup, tagHTML, tagTbody, tagTd, tagTfoot, tagTh, tagThead, tagTr:
	case tagTemplate:
		p.endTemplate()
	default:
		return p.endFostered()
	}
	return true
}

// closeCaption closes the caption; it reports false if none is in scope.
func (p *parser) closeCaption() bool {
	if !p.has(tagCaption, tableScope) {
		return false
	}
	p.popUntil(tagCaption)
	p.clearActive()
	p.mode = inTable
	return true
}

func (p *parser) startInCaption() bool {
	switch p.tok.tag {
	case tagCaption, tagCol, tagColgroup, tagTbody, tagTd, tagTfoot, tagTh, tagThead, tagTr:
		return !p.closeCaption()
	}
	return p.startInBody()
}

func (p *parser) endInCaption() bool {
	switch p.tok.tag {
	case tagCaption:
		p.closeCaption()
	case tagTable:
		return !p.closeCaption()
	case tagBody, tagCol, tagColgroup, tagHTML, tagTbody, tagTd, tagTfoot, tagTh, tagThead, tagTr:
	default:
		return p.endInBody()
	}
	return true
}

func (p *parser) startInColumnGroup() bool {
	switch p.tok.tag {
	case tagHTML:
		return p.startInBody()
	case tagCol:
		p.insertClosed()
		return true
	case tagTemplate:
		return p.startInHead()
	}
	return !p.leaveHeadMode()
}

func (p *parser) endInColumnGroup() bool {
	switch p.tok.tag {
	case tagColgroup:
		p.leaveHeadMode()
	case tagCol:
	case tagTemplate:
		p.endTemplate()
	default:
		return !p.leaveHeadMode()
	}
	return true
}

func (p *parser) startInTableBody() bool {
	switch p.tok.tag {
	case tagTr:
		p.enter(bodyContext, inRow)
		return true
	case tagTd, tagTh:
		p.clearTo(bodyContext)
		p.insertTag(tagTr)
		p.mode = inRow
		return false
	case tagCaption, tagCol, tagColgroup, tagTbody, tagTfoot, tagThead:
		return !p.closeRowGroup()
	}
	return p.startInTable()
}

// closeRowGroup closes the innermost tbody, thead or tfoot; it reports false if
// none is in scope.
func (p *parser) closeRowGroup() bool {
	if !p.hasAny(rowGroup, tableScope) {
		return false
	}
	p.leave(bodyContext, inTable)
	return true
}

func (p *parser) endInTableBody() bool {
	switch p.tok.tag {
	case tagTbody, tagTfoot, tagThead:
		if p.has(p.tok.tag, tableScope) {
			p.leave(bodyContext, inTable)
		}
	case tagTable:
		return !p.closeRowGroup()
	case tagBody, tagCaption, tagCol, tagColgroup, tagHTML, tagTd, tagTh, tagTr:
	default:
		return p.endInTable()
	}
	return true
}

func (p *parser) startInRow() bool {
	switch p.tok.tag {
	case tagTd, tagTh:
		p.enter(rowContext, inCell)
		p.addMarker()
		return true
	case tagCaption, tagCol, tagColgroup, tagTbody, tagTfoot, tagThead, tagTr:
		return !p.closeRow()
	}
	return p.startInTable()
}

// closeRow closes the innermost row; it reports false if none is in scope.
func (p *parser) closeRow() bool {
	if !p.has(tagTr, tableScope) {
		return false
	}
	p.leave(rowContext, inTableBody)
	return true
}

func (p *parser) endInRow() bool {
	switch p.tok.tag {
	case tagTr:
		p.closeRow()
	case tagTable:
		return !p.closeRow()
	case tagTbody, tagTfoot, tagThead:
		return !p.has(p.tok.tag, tableScope) || !p.closeRow()
	case tagBody, tagCaption, tagCol, tagColgroup, tagHTML, tagTd, tagTh:
	default:
		return p.endInTable()
	}
	return true
}

func (p *parser) startInCell() bool {
	switch p.tok.tag {
	case tagCaption, tagCol, tagColgroup, tagTbody, tagTd, tagTfoot, tagTh, tagThead, tagTr:
		return !p.closeCell()
	}
	return p.startInBody()
}

// closeCell closes the innermost cell; it reports false if none is in scope.
func (p *parser) closeCell() bool {
	if !p.hasAny(cell, tableScope) {
		return false
	}
	p.popUntilAny(cell)
	p.clearActive()
	p.mode = inRow
	return true
}

func (p *parser) endInCell() bool {
	switch p.tok.tag {
	case tagTd, tagTh:
		if p.has(p.tok.tag, tableScope) {
			p.popUntil(p.tok.tag)
			p.clearActive()
			p.mode = inRow
		}
	case tagBody, tagCaption, tagCol, tagColgroup, tagHTML:
	case tagTable, tagTbody, tagTfoot, tagThead, tagTr:
		return !p.has(p.tok.tag, tableScope) || !p.closeCell()
	default:
		return p.endInBody()
	}
	return true
}
