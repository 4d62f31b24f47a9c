package markdown

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/net/html/atom"

	"github.com/trawlhq/trawl/content/chars"
	"github.com/trawlhq/trawl/content/dom"
)

// node writes a node with all beneath it.
func (w *writer) node(n *dom.Node) {
	switch n.Type {
	case dom.TextNode:
		if !w.part.Drop.Has(n) {
			w.text(n.Data)
		}
	case dom.ElementNode:
		switch {
		case w.part.Drop.Has(n):
		case len(w.out) >= maxOutput:
			w.loss.Rest = true
		case n == w.caption:
			w.term(n)
		case n.Atom == atom.Script:
			w.scriptMath(n)
		case w.isNote(n):
			w.note(n)
		case !dom.IsInvisible(n):
			w.element(n)
		}
	case dom.DocumentNode:
		w.children(n)
	}
}

func (w *writer) children(n *dom.Node) {
	if w.depth > maxNesting {
		w.text(n.InnerText(maxOutput))
		return
	}
	w.depth++
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		w.node(c)
	}
	w.depth--
}

// element writes one element.
func (w *writer) element(n *dom.Node) {
	switch n.Atom {
	case atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6:
		w.heading(n)
	case atom.Ul, atom.Menu, atom.Dir:
		w.listOf(n, false)
	case atom.Ol:
		w.listOf(n, true)
	case atom.Li:
		w.item(n)
	case atom.Table:
		w.writeTable(n)
	case atom.Pre, atom.Xmp, atom.Listing, atom.Plaintext:
		w.pre(n)
	case atom.Blockquote:
		w.quote(n)
	case atom.Hr:
		w.rule(n)
	case atom.Dl:
		w.definitions(n)
	case atom.Dt:
		w.definitionTerm(n)
	case atom.Summary:
		w.term(n)
	case atom.Td, atom.Div, atom.Aside, atom.Section:
		w.division(n)
	default:
		if dom.IsBlock(n.Atom) {
			w.plainBlock(n)
		} else {
			w.inline(n)
		}
	}
}

// inline writes an element that stands in a line.
func (w *writer) inline(n *dom.Node) {
	switch n.Atom {
	case atom.A:
		w.link(n)
	case atom.Strong, atom.B:
		w.marked(n, mark{kind: strong})
	case atom.Em, atom.I:
		w.marked(n, mark{kind: emphasis})
	case atom.Del, atom.S, atom.Strike:
		w.marked(n, mark{kind: strike})
	case atom.Code, atom.Kbd, atom.Samp, atom.Tt:
		w.codeSpan(n)
	case atom.Img:
		w.img(n)
	case atom.Br:
		w.breaks++
		w.space = false
	case atom.Q:
		w.quotation(n)
	case atom.Sup:
		w.superscript(n)
	case atom.Rt:
		w.raw("(")
		w.children(n)
		w.raw(")")
	case atom.Rp, atom.Datalist:
	case atom.Button:
		w.button(n)
	case atom.Input:
		w.input(n)
	case atom.Math:
		w.math(n)
	case atom.Noscript:
		if !IsDispensable(n) {
			w.children(n)
		}
	case atom.Span:
		w.spanElement(n)
	default:
		w.children(n)
	}
}

// spanElement writes a span, which may be a formula, or a line by its style.
func (w *writer) spanElement(n *dom.Node) {
	switch {
	case len(n.Attr) == 0:
		w.children(n)
	case isTypeset(n) || w.isBacklink(n):
	case w.givenTeX(n):
	case hasOwnLine(n):
		w.space = true
		w.children(n)
		w.space = true
	default:
		w.space = w.space || w.isApart(n)
		w.children(n)
	}
}

// isApart reports whether a span begins another word than the one right before
// it: both are styled, and a capital would follow a small letter.
func (w *writer) isApart(n *dom.Node) bool {
	before, first := n.PrevSibling, n.FirstChild
	if before == nil || !before.Is(atom.Span) || before.Get("class") == "" || n.Get("class") == "" {
		return false
	}
	for steps := 0; first != nil && first.Type == dom.ElementNode && steps < 4; steps++ {
		first = first.FirstChild
	}
	if first == nil || first.Type != dom.TextNode || !unicode.IsLower(w.lastRune(len(w.out))) {
		return false
	}
	next, _ := utf8.DecodeRuneInString(first.Data)
	return unicode.IsUpper(next)
}

// hasOwnLine reports whether the style of an inline element sets it apart, or
// whether it is only for those who listen to the page.
func hasOwnLine(n *dom.Node) bool {
	if n.HasClass("screen-reader-text", "sr-only", "visually-hidden", "visuallyhidden") {
		return true
	}
	style := n.Get("style")
	i := strings.Index(style, "display:")
	if i < 0 {
		return false
	}
	switch value := strings.TrimLeft(style[i+len("display:"):], " "); {
	case strings.HasPrefix(value, "block"), strings.HasPrefix(value, "flex"), strings.HasPrefix(value, "grid"),
		strings.HasPrefix(value, "table"), strings.HasPrefix(value, "list-item"):
		return true
	}
	return false
}

// division writes a block that may be more than that: code, or a part of a page
// that goes along with code or formulas and is not for readers.
func (w *writer) division(n *dom.Node) {
	class := n.Get("class")
	switch role := roleOf(class); {
	case class == "":
		w.plainBlock(n)
	case role == gutter || isTypeset(n) || w.givenTeX(n):
	case role == codeBlock && n.Inside(atom.Pre) == nil, role == fragment && isFragment(n):
		w.pre(n)
	case role == aside:
		w.aside(n)
	case role == leftCell:
		w.block(2)
		w.children(n)
		w.space = true
	case role == rightCell:
		w.children(n)
		w.block(2)
	default:
		w.plainBlock(n)
	}
}

func (w *writer) plainBlock(n *dom.Node) {
	w.block(2)
	w.children(n)
	w.block(2)
}

// headingLevel returns 1 to 6 for headings and 0 for everything else.
func headingLevel(name atom.Atom) int {
	switch name {
	case atom.H1:
		return 1
	case atom.H2:
		return 2
	case atom.H3:
		return 3
	case atom.H4:
		return 4
	case atom.H5:
		return 5
	case atom.H6:
		return 6
	}
	return 0
}

func (w *writer) heading(n *dom.Node) {
	w.block(2)
	if w.flat == flowing {
		f := w.push("######"[:headingLevel(n.Atom)]+" ", "")
		w.flat = flatLine
		w.headingText(n)
		w.closeMarks(0)
		w.escapeHashes()
		w.flat = flowing
		w.pop(f)
	} else {
		w.headingText(n)
	}
	w.block(2)
}

// headingText writes what is in a heading, with the link around it if it has one.
func (w *writer) headingText(n *dom.Node) {
	if w.focus == n {
		w.focus = nil
		w.marked(n, mark{kind: linked})
		return
	}
	w.children(n)
}

// escapeHashes keeps signs at the end of a heading from being taken for the
// closing ones that a heading may have.
func (w *writer) escapeHashes() {
	end := len(w.out)
	for end > w.start && w.out[end-1] == '#' {
		end--
	}
	if end < len(w.out) && (end <= w.start || w.out[end-1] == ' ') {
		w.out[len(w.out)-1] = '\\'
		w.out = append(w.out, '#')
	}
}

func (w *writer) quote(n *dom.Node) {
	if w.flat != flowing {
		w.plainBlock(n)
		return
	}
	w.block(2)
	f := w.push("> ", "> ")
	w.children(n)
	w.block(2)
	w.pop(f)
}

// rule writes a thematic break; in lists dashes or stars would be one with the
// bullet.
// The one above footnotes goes, for readers of markdown draw their own.
func (w *writer) rule(n *dom.Node) {
	w.block(2)
	if w.flat != flowing || w.notes.labels != nil && isNotesPart(n.Parent) {
		return
	}
	w.startLine()
	if len(w.prefix) > 0 {
		w.out = append(w.out, "___"...)
	} else {
		w.out = append(w.out, "---"...)
	}
	w.block(2)
}

// quotation puts quotation marks around an inline quotation.
func (w *writer) quotation(n *dom.Node) {
	w.raw(`"`)
	w.children(n)
	w.space = false
	w.raw(`"`)
}

// superscript writes exponents with a caret; ordinals, marks and references to
// notes go without.
func (w *writer) superscript(n *dom.Node) {
	text := label(n)
	switch {
	case w.isOwnNumber(text):
	case text == "" || len(text) > 30 || holdsLink(n) || !w.takesExponent() || !isExponent(text):
		w.children(n)
	case len(text) == 1 || isInteger(text):
		w.raw("^")
		w.children(n)
	default:
		w.raw("^(")
		w.children(n)
		w.raw(")")
	}
}

// takesExponent reports whether what was written last can have an exponent: a
// letter, a digit or a closing parenthesis right before.
func (w *writer) takesExponent() bool {
	c := w.last()
	return !w.inLink && !w.space && w.gap|w.breaks == 0 && (c >= 0x80 || chars.IsWord(c) || c == ')')
}

// holdsLink reports whether a link is in a small element, as in references to notes.
func holdsLink(n *dom.Node) bool {
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		if c.Is(atom.A) {
			return true
		}
	}
	return false
}

// isExponent reports whether a text is a number, a letter or a small term.
func isExponent(text string) bool {
	letters, run := 0, 0
	for i := range len(text) {
		c := text[i]
		switch {
		case chars.IsLetter(c):
			letters++
			run = max(run, letters)
		case chars.IsDigit(c) || strings.IndexByte("+-*/=. ()", c) >= 0:
			letters = 0
		default:
			return false
		}
	}
	return run <= 1
}

func isInteger(text string) bool {
	text = strings.TrimPrefix(text, "-")
	return text != "" && strings.Trim(text, "0123456789") == ""
}

// button writes the text of a button apart from what is beside it. Buttons that
// copy the code next to them are no part of the text.
func (w *writer) button(n *dom.Node) {
	for _, key := range []string{"class", "aria-label", "title"} {
		if says := n.Get(key); chars.ContainsFold(says, "copy") || chars.ContainsFold(says, "clipboard") {
			return
		}
	}
	if chars.HasPrefixFold(label(n), "copy") {
		return
	}
	w.space = true
	w.children(n)
	w.space = true
}

// input writes the checkbox of a task; other inputs have nothing to read.
func (w *writer) input(n *dom.Node) {
	if !strings.EqualFold(n.Get("type"), "checkbox") || !w.inItem || !w.pending || w.flat != flowing {
		return
	}
	w.raw("[ ]")
	if _, checked := n.Lookup("checked"); checked {
		w.out[len(w.out)-2] = 'x'
	}
	w.space = true
}
