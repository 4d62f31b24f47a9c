package dom

import "strings"

// mode is an insertion mode of the standard. "Text" and "in table text" are
// missing: the parser takes the content of an element without markup, and a
// run of text, in one piece. So is "in select", which the standard gave up.
type mode uint8

const (
	initial mode = iota
	beforeHTML
	beforeHead
	inHead
	inHeadNoscript
	afterHead
	inBody
	inTable
	inCaption
	inColumnGroup
	inTableBody
	inRow
	inCell
	inTemplate
	afterBody
	inFrameset
	afterFrameset
	afterAfterBody
	afterAfterFrameset
)

// parser holds the state of one parse. The tokenizer reads a token and hands
// it to the rules at once; only the newest tag is kept.
type parser struct {
	src    string // without carriage returns
	pos    int
	hasNUL bool // src has U+0000 somewhere
	tok    tagToken
	attrs  []Attribute     // slab of attributes; the tokens' are cut from it
	arena  strings.Builder // holds the strings that are not in src

	tree          *Tree
	mode          mode
	templateModes []mode           // the stack of template insertion modes
	open          []*Node          // the stack of open elements, on top of the document
	count         [tagCount]uint16 // how many elements of a tag are open
	active        []*Node          // the list of active formatting elements; nil is a marker
	head, form    *Node            // the head and form element pointers
	noFrameset    bool             // the frameset-ok flag is "not ok"
	foster        bool             // foster parenting is enabled
	quirks        bool             // the document is in quirks mode
	keepComments  bool

	reopened int                        // elements made by reconstruction
	grown    map[*Node]*strings.Builder // texts that were appended to
	sealed   *Node                      // a text before a comment, not to be appended to
	deepest  *Node                      // the open element at maxDepth, if known
	unopened map[string]int             // elements in deepest that could not be opened
}

// Parse parses HTML as a browser without scripting does. It takes any valid
// UTF-8 and never fails. Comments are left out.
func Parse(text string) *Tree { return parse(text, false) }

func parse(text string, keepComments bool) *Tree {
	src := normalizeNewlines(text)
	p := &parser{
		src:          src,
		hasNUL:       strings.IndexByte(src, 0) >= 0,
		tree:         &Tree{chunk: len(src)/nodeSpacing + minChunk},
		open:         make([]*Node, 0, 64),
		keepComments: keepComments,
	}
	p.attrs = make([]Attribute, 0, len(src)/attrSpacing+minChunk)
	p.tree.Root = p.tree.New(DocumentNode, 0, "")
	p.tree.Root.tag = tagDocument
	p.open = append(p.open, p.tree.Root)
	for p.pos < len(p.src) {
		if p.src[p.pos] != '<' || !p.markup() {
			p.characters()
		}
	}
	p.endOfFile()
	for n, text := range p.grown {
		n.Data = text.String()
	}
	return p.tree
}

// normalizeNewlines makes every newline one line feed.
func normalizeNewlines(s string) string {
	i := strings.IndexByte(s, '\r')
	if i < 0 {
		return s
	}
	var b strings.Builder
	b.Grow(len(s))
	for ; i >= 0; i = strings.IndexByte(s, '\r') {
		b.WriteString(s[:i])
		b.WriteByte('\n')
		s = s[i+1:]
		if s != "" && s[0] == '\n' {
			s = s[1:]
		}
	}
	b.WriteString(s)
	return b.String()
}

// startTag hands a start tag to the rules of the current mode, and again to
// those of the next as long as the standard says "reprocess".
func (p *parser) startTag() {
	for {
		done := false
		if p.isForeignStart() {
			done = p.startInForeign()
		} else {
			done = p.startIn(p.mode)
		}
		if done {
			return
		}
	}
}

// startIn uses the rules of a mode for a start tag. It reports whether the tag
// is dealt with; otherwise the mode has changed and the tag is to be reprocessed.
func (p *parser) startIn(m mode) bool {
	switch m {
	case inBody:
		return p.startInBody()
	case initial:
		p.quirks = true
		p.mode = beforeHTML
		return false
	case beforeHTML:
		return p.startBeforeHTML()
	case beforeHead:
		return p.startBeforeHead()
	case inHead:
		return p.startInHead()
	case inHeadNoscript:
		return p.startInHeadNoscript()
	case afterHead:
		return p.startAfterHead()
	case inTable:
		return p.startInTable()
	case inCaption:
		return p.startInCaption()
	case inColumnGroup:
		return p.startInColumnGroup()
	case inTableBody:
		return p.startInTableBody()
	case inRow:
		return p.startInRow()
	case inCell:
		return p.startInCell()
	case inTemplate:
		return p.startInTemplate()
	case inFrameset, afterFrameset, afterAfterFrameset:
		return p.startInFrames(m)
	}
	return p.startAfterBody()
}

// endTag is startTag for end tags.
func (p *parser) endTag() {
	if p.closesUnopened() {
		return
	}
	if p.top().Space != HTML && p.endInForeign() {
		return
	}
	for !p.endIn(p.mode) {
	}
}

// endIn is startIn for end tags.
func (p *parser) endIn(m mode) bool {
	switch m {
	case inBody:
		return p.endInBody()
	case initial:
		p.quirks = true
		p.mode = beforeHTML
		return false
	case beforeHTML, beforeHead, afterHead:
		return p.endAroundHead()
	case inHead:
		return p.endInHead()
	case inHeadNoscript:
		return p.endInHeadNoscript()
	case inTable:
		return p.endInTable()
	case inCaption:
		return p.endInCaption()
	case inColumnGroup:
		return p.endInColumnGroup()
	case inTableBody:
		return p.endInTableBody()
	case inRow:
		return p.endInRow()
	case inCell:
		return p.endInCell()
	case inTemplate:
		return p.endInTemplate()
	case inFrameset, afterFrameset, afterAfterFrameset:
		return p.endInFrames(m)
	}
	return p.endAfterBody()
}

// text hands a run of text to the rules of the current mode, which may take
// only the white space before it and leave the rest to the next mode.
func (p *parser) text(s string) {
	if p.isForeignText() {
		p.textInForeign(s)
		return
	}
	for s != "" {
		switch p.mode {
		case initial, beforeHTML, beforeHead:
			if s = s[countSpace(s):]; s != "" {
				p.leaveHeadMode()
			}
		case inHead, inHeadNoscript, afterHead, inColumnGroup:
			n := countSpace(s)
			p.insertText(s[:n])
			if s = s[n:]; s != "" && !p.leaveHeadMode() {
				return
			}
		case inTable, inTableBody, inRow:
			p.textInTable(s)
			return
		case inFrameset, afterFrameset:
			p.insertText(onlySpace(s))
			return
		case afterAfterFrameset:
			p.textInBody(onlySpace(s))
			return
		case afterBody, afterAfterBody:
			if countSpace(s) < len(s) {
				p.mode = inBody
			}
			p.textInBody(s)
			return
		default:
			p.textInBody(s)
			return
		}
	}
}

// endOfFile adds the elements that every document has, and leaves templates
// that are still open, which may lead to a mode that adds such elements.
func (p *parser) endOfFile() {
	for {
		switch p.mode {
		case initial, beforeHTML, beforeHead, inHead, inHeadNoscript, afterHead:
			p.leaveHeadMode()
		case inFrameset, afterFrameset, afterAfterFrameset, afterBody, afterAfterBody:
			return
		default:
			if len(p.templateModes) == 0 {
				return
			}
			p.closeTemplate()
		}
	}
}

// countSpace returns how many bytes of white space s begins with.
func countSpace(s string) int {
	for i := range len(s) {
		if classes[s[i]]&isSpace == 0 {
			return i
		}
	}
	return len(s)
}

// onlySpace returns the white space of s.
func onlySpace(s string) string {
	if countSpace(s) == len(s) {
		return s
	}
	return strings.Map(func(r rune) rune {
		if r < 0x80 && classes[r]&isSpace != 0 {
			return r
		}
		return -1
	}, s)
}
