package markdown

import (
	"bytes"
	"strings"

	"golang.org/x/net/html/atom"

	"github.com/trawlhq/trawl/content/chars"
	"github.com/trawlhq/trawl/content/dom"
)

// pre writes a block of code between fences that are longer than any in it.
func (w *writer) pre(n *dom.Node) {
	if isGutter(n) {
		return
	}
	code := w.codeOf(n)
	if len(code) == 0 {
		return
	}
	w.block(2)
	if w.flat != flowing {
		w.span(code)
		w.block(2)
		return
	}
	w.startLine()
	fence := ticks(max(3, longestRun(code, '`')+1))
	w.out = append(w.out, fence...)
	w.out = append(w.out, languageOf(n)...)
	for line := range bytes.SplitSeq(code, []byte{'\n'}) {
		w.codeLine(bytes.TrimRight(line, " \t"))
	}
	w.out = append(w.out, '\n')
	w.out = append(w.out, w.prefix...)
	w.out = append(w.out, fence...)
	w.block(2)
}

// codeLine writes a line of code. An empty one has no blanks at its end.
func (w *writer) codeLine(line []byte) {
	w.out = append(w.out, '\n')
	if len(line) == 0 {
		w.out = append(w.out, bytes.TrimRight(w.prefix, " ")...)
		return
	}
	w.out = append(w.out, w.prefix...)
	w.out = append(w.out, line...)
}

// ticks returns n backticks.
func ticks(n int) string {
	const some = "````````"
	if n <= len(some) {
		return some[:n]
	}
	return strings.Repeat("`", n)
}

// codeOf returns the text of a block of code without empty lines around it. It
// is valid until the next call.
func (w *writer) codeOf(n *dom.Node) []byte {
	code := bytes.TrimRight(w.rawCode(n), " \t\n")
	for {
		line, rest, found := bytes.Cut(code, []byte{'\n'})
		if !found || len(bytes.TrimSpace(line)) > 0 {
			return code
		}
		code = rest
	}
}

// rawCode returns the text of code as it stands, in scratch.
func (w *writer) rawCode(n *dom.Node) []byte {
	c := codeReader{part: &w.part, out: w.scratch[:0]}
	c.children(n, 0)
	w.scratch = c.out
	return c.out
}

// codeReader collects the text of code. Its lines may be text, or elements
// with or without line ends between them.
type codeReader struct {
	part  *dom.Part
	out   []byte
	ended bool // an element that is a line has ended
}

func (c *codeReader) children(n *dom.Node, depth int) {
	if depth > maxNesting {
		return
	}
	for child := n.FirstChild; child != nil; child = child.NextSibling {
		switch {
		case c.part.Drop.Has(child):
		case child.Type == dom.TextNode:
			c.text(child.Data)
		case child.Type == dom.ElementNode:
			c.element(child, depth)
		}
	}
}

func (c *codeReader) element(n *dom.Node, depth int) {
	switch {
	case n.Atom == atom.Br:
		c.text("\n")
	case n.Atom == atom.Button || isGutter(n) || isLineNumber(n) || isCodeHeader(n) || dom.IsInvisible(n):
	case isCodeLine(n):
		if c.ended || len(c.out) > 0 && c.out[len(c.out)-1] != '\n' {
			c.ended = false
			c.out = append(c.out, '\n')
		}
		from := len(c.out)
		c.children(n, depth+1)
		c.ended = c.ended || len(c.out) == from || c.out[len(c.out)-1] != '\n'
	default:
		c.children(n, depth+1)
	}
}

// text appends text. The line end that an element owes may be there already.
func (c *codeReader) text(s string) {
	if s == "" {
		return
	}
	if c.ended {
		c.ended = false
		if s[0] != '\n' {
			if strings.Trim(s, " \t\n") == "" && strings.Contains(s, "\n") {
				s = s[strings.IndexByte(s, '\n'):]
			} else {
				c.out = append(c.out, '\n')
			}
		}
	}
	from := 0
	for i := 0; i < len(s); {
		if kind := textBytes[s[i]]; kind != leadByte && kind != blankByte || s[i] == '\n' || s[i] == '\t' {
			i++
			continue
		}
		c.out = append(c.out, s[from:i]...)
		i = c.odd(s, i)
		from = i
	}
	c.out = append(c.out, s[from:]...)
}

// odd appends what stands for the character at i in s and returns where to go
// on: line ends of other systems become ours and no-break spaces spaces, and what
// has no width or cannot be seen goes.
func (c *codeReader) odd(s string, i int) int {
	switch size := joint(s[i:]); {
	case size > 0:
		return i + size
	case s[i] == 0xc2 && blank(s[i:]) > 0:
		c.out = append(c.out, ' ')
		return i + 2
	case textBytes[s[i]] == leadByte:
		c.out = append(c.out, s[i])
	case s[i] == '\r' && byteAt(s, i+1) != '\n':
		c.out = append(c.out, '\n')
	}
	return i + 1
}

// isCodeLine reports whether an element in code is a line of it.
func isCodeLine(n *dom.Node) bool {
	switch n.Atom {
	case atom.Tr, atom.Li, atom.Div, atom.P, atom.Pre, atom.Dd:
		return true
	case atom.Span, atom.Code:
		return n.HasClass("line", "code-line", "token-line", "view-line", "react-code-line")
	}
	return false
}

// codeRole is what a class says of an element in or around code.
type codeRole uint8

const (
	noRole    codeRole = iota
	gutter             // numbers of lines or signs that are not part of the code
	codeBlock          // code, line by line, although it is no pre
	fragment           // the same, if its parts are lines
	aside              // a note, warning or tip, maybe
	leftCell           // the type of a member, in a table made by Doxygen
	rightCell          // and its name, which belong on one line
)

// roleOf returns what the words of a class say. It is asked for very many
// elements, so it looks at each byte once.
func roleOf(class string) codeRole {
	for class != "" {
		end := 0
		for end < len(class) && class[end] > ' ' {
			end++
		}
		switch class[:end] {
		case "lineno", "linenos", "linenumber", "linenumbers", "line-number", "line-numbers", "line-numbers-rows",
			"line_number", "linenodiv", "gutter", "rouge-gutter", "gl", "hljs-ln-numbers", "hljs-ln-n", "blob-num",
			"lnt", "ln", "react-syntax-highlighter-line-number", "LineNumber", "code-line-number", "crayon-nums",
			"crayon-toolbar", "CodeMirror-gutter-wrapper", "CodeMirror-linenumber",
			"copy-button", "copybtn", "copy-btn", "btn-copy", "btn-clipboard", "zeroclipboard-container", "ttc":
			return gutter
		case "syntaxhighlighter", "crayon-syntax", "CodeMirror-code", "view-lines":
			return codeBlock
		case "fragment":
			return fragment
		case "memItemLeft", "memTemplItemLeft":
			return leftCell
		case "memItemRight", "memTemplItemRight":
			return rightCell
		case "admonition", "admonitionblock", "markdown-alert", "theme-admonition", "custom-block", "starlight-aside", "callout",
			"note", "warning", "tip", "caution", "important", "danger", "hint", "attention", "error", "info", "remark", "seealso":
			return aside
		}
		class = class[min(end+1, len(class)):]
	}
	return noRole
}

// isGutter reports whether an element holds the numbers of lines or signs that
// are not part of the code. A pre that is numbered is not the numbers, unless
// nothing but them would be called so.
func isGutter(n *dom.Node) bool {
	switch n.Atom {
	case atom.Code:
		return false
	case atom.Pre:
		return n.HasClass("lineno", "linenos") || n.Parent.Is(atom.Td) && isBesideCode(n.Parent) && isNumbers(n)
	}
	return roleOf(n.Get("class")) == gutter
}

// isBesideCode reports whether the next cell has code, so that this may have the
// numbers of its lines.
func isBesideCode(cell *dom.Node) bool {
	next := cell.NextElement()
	return next != nil && holdsPre(next)
}

// isNumbers reports whether an element has nothing but numbers, one below the other.
func isNumbers(n *dom.Node) bool {
	text := n.InnerText(1 << 16)
	return strings.Trim(text, "0123456789 \t\r\n") == "" && strings.TrimSpace(text) != ""
}

// isLineNumber reports whether a span in code is the number of a line: it cannot
// be selected, or stands before the element that is the line.
func isLineNumber(n *dom.Node) bool {
	if n.Atom != atom.Span {
		return false
	}
	next := n.NextElement()
	beside := next != nil && next.Atom == atom.Div && n.Parent.Is(atom.Div)
	if !beside && !strings.Contains(n.Get("style"), "user-select:none") {
		return false
	}
	return isNumber(label(n))
}

// isCodeHeader reports whether a block in code is what stands above it on the
// page: the name of the language and buttons.
func isCodeHeader(n *dom.Node) bool {
	if n.Atom != atom.Div || n.NextElement() == nil {
		return false
	}
	class := n.Get("class")
	return strings.Contains(class, "header") || strings.Contains(class, "toolbar") || n.HasClass("select-none")
}

// holdsPre reports whether a block of code is in an element for inline code.
func holdsPre(n *dom.Node) bool {
	for c, steps := n.FirstChild, 0; c != nil && steps < 10; c, steps = dom.Following(c, n, true), steps+1 {
		if c.Is(atom.Pre) {
			return true
		}
	}
	return false
}

// keepsLines reports whether inline code is shown line by line all the same.
func keepsLines(n *dom.Node) bool {
	_, value, found := strings.Cut(n.Get("style"), "white-space:")
	return found && strings.HasPrefix(strings.TrimLeft(value, " "), "pre") || n.Atom == atom.Code && n.HasClass("block")
}

// codeSpan writes inline code. A link that is all of it goes around it.
func (w *writer) codeSpan(n *dom.Node) {
	switch {
	case holdsPre(n):
		w.plainBlock(n)
		return
	case keepsLines(n) && w.flat == flowing && !w.inLink && bytes.IndexByte(w.codeOf(n), '\n') >= 0:
		w.pre(n)
		return
	}
	if c := n.FirstChild; c != nil && c.NextSibling == nil && c.Is(atom.A) && !w.inLink && w.aim(c) {
		w.marks, w.inLink = append(w.marks, mark{kind: linked}), true
		w.span(w.rawCode(c))
		w.closeMarks(len(w.marks) - 1)
		w.marks, w.inLink = w.marks[:len(w.marks)-1], false
		return
	}
	w.span(w.rawCode(n))
}

// span writes inline code with as many backticks as it takes.
func (w *writer) span(code []byte) {
	text, leads, trails := oneLine(code)
	blank := len(bytes.TrimSpace(text)) == 0
	w.space = w.space || leads || blank && len(text) > 0
	if blank {
		return
	}
	if (w.inLink || w.opensBracket()) && bytes.Contains(text, []byte("]:")) { // it would be taken for a definition
		w.text(string(text))
		w.space = w.space || trails
		return
	}
	w.begin('`')
	if w.last() == '`' { // two spans in a row would share their backticks
		w.out = append(w.out, ' ')
	}
	fence := ticks(longestRun(text, '`') + 1)
	pad := needsPad(text)
	w.out = append(w.out, fence...)
	if pad {
		w.out = append(w.out, ' ')
	}
	for _, c := range text {
		if c == '|' && w.flat == flatCell {
			w.out = append(w.out, '\\')
		}
		w.out = append(w.out, c)
	}
	if pad {
		w.out = append(w.out, ' ')
	}
	w.out = append(w.out, fence...)
	w.space = trails
}

// needsPad reports whether a space must go between code and its backticks: next
// to backticks of its own, and where readers would take one space off both ends.
func needsPad(text []byte) bool {
	first, last := text[0], text[len(text)-1]
	return first == '`' || last == '`' || first == ' ' && last == ' '
}

// oneLine makes one line of code, in place. A line break is a space with all the
// white space around it, and none at the ends; other spaces are part of the code. It
// tells whether there was a line break at an end.
func oneLine(s []byte) (text []byte, leads, trails bool) {
	if bytes.IndexByte(s, '\n') < 0 {
		return s, false, false
	}
	to := 0
	for i := 0; i < len(s); {
		end, broken := i, false
		for end < len(s) && chars.IsSpace(s[end]) {
			broken = broken || s[end] == '\n'
			end++
		}
		switch {
		case broken && (i == 0 || end == len(s)):
			leads, trails = leads || i == 0, trails || end == len(s)
		case broken:
			s[to] = ' '
			to++
		case end > i:
			to += copy(s[to:], s[i:end])
		}
		if i = end; i < len(s) {
			s[to] = s[i]
			to++
			i++
		}
	}
	return s[:to], leads, trails
}

// isFragment reports whether an element holds lines of code, as Doxygen has them.
func isFragment(n *dom.Node) bool {
	first := firstElement(n)
	return first != nil && first.HasClass("line")
}

// collapse makes every run of white space one space and cuts off those at the
// ends, in place.
func collapse(s []byte) []byte {
	to := 0
	for _, c := range s {
		if chars.IsSpace(c) {
			if to == 0 || s[to-1] == ' ' {
				continue
			}
			c = ' '
		}
		s[to] = c
		to++
	}
	return bytes.TrimRight(s[:to], " ")
}

// longestRun returns the length of the longest run of b in s, counting only
// runs: code with one backtick needs two around it.
func longestRun(s []byte, b byte) int {
	longest, run := 0, 0
	for _, c := range s {
		if c == b {
			run++
			longest = max(longest, run)
		} else {
			run = 0
		}
	}
	return longest
}
