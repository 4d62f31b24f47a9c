package markdown

import (
	"strings"

	"golang.org/x/net/html/atom"

	"github.com/trawlhq/trawl/content/chars"
	"github.com/trawlhq/trawl/content/dom"
)

// markKind is a way in which inline content is set off.
type markKind uint8

const (
	noMark markKind = iota
	strong
	emphasis
	strike
	linked
)

// mark is emphasis or a link around inline content.
type mark struct {
	kind  markKind
	url   string // of a link
	once  bool   // a link around blocks is written once, not in each of them
	spent bool   // it was
	texts bool   // such a link waits for text and passes over images
}

// sign returns what opens and closes emphasis.
func (k markKind) sign() string {
	switch k {
	case strong:
		return "**"
	case emphasis:
		return "*"
	case strike:
		return "~~"
	}
	return ""
}

// marked writes what is beneath n with a mark around it.
func (w *writer) marked(n *dom.Node, m mark) {
	if m.kind != linked && w.has(m.kind) {
		w.children(n)
		return
	}
	w.marks = append(w.marks, m)
	w.children(n)
	last := len(w.marks) - 1
	w.closeMarks(last)
	w.marks = w.marks[:last]
}

// has reports whether a mark is around the content at hand already, or would
// say nothing: all of a heading is strong.
func (w *writer) has(kind markKind) bool {
	if kind == strong && w.flat == flatLine {
		return true
	}
	for i := range w.marks {
		if w.marks[i].kind == kind {
			return true
		}
	}
	return false
}

// linkOpen reports whether the next byte would be part of a link's text.
func (w *writer) linkOpen() bool {
	for i := range w.open {
		if w.marks[i].kind == linked && !w.marks[i].spent {
			return true
		}
	}
	return false
}

// openMark writes the sign of the next mark that is not open. The same mark
// closed just before goes on instead.
func (w *writer) openMark(next rune) {
	m := &w.marks[w.open]
	switch {
	case m.spent:
	case m.kind == linked:
		w.openLink()
	case w.closed.kind == m.kind && w.closedAt == len(w.out):
		w.out = w.out[:len(w.out)-len(m.kind.sign())]
		if c := w.last(); c == '*' || c == '~' {
			w.out = append(w.out, ' ')
		}
	default:
		if w.needsSpace(m.kind, next) {
			w.out = append(w.out, ' ')
		}
		w.out = append(w.out, m.kind.sign()...)
		w.openedAt = len(w.out)
	}
	w.open++
}

// openLink keeps an exclamation mark before a link from making it an image,
// and two links apart.
func (w *writer) openLink() {
	if w.last() == '!' {
		w.out[len(w.out)-1] = '\\'
		w.out = append(w.out, '!')
	}
	if w.closed.kind == linked && w.closedAt == len(w.out) {
		w.out = append(w.out, ' ')
	}
	w.out = append(w.out, '[')
	w.openedAt = len(w.out)
}

// needsSpace reports whether the sign of the mark that opens next would not
// open it where it stands: next to the same sign that just closed, between a
// word and punctuation, or between punctuation within the same sign.
func (w *writer) needsSpace(kind markKind, next rune) bool {
	last := w.lastRune(len(w.out))
	if last == ' ' || w.openedAt == len(w.out) {
		return false
	}
	if w.closedAt == len(w.out) && w.closed.kind.alike(kind) {
		return true
	}
	return !chars.IsWordRune(w.firstAfter(w.open, next)) && (chars.IsWordRune(last) || w.within(kind))
}

// within reports whether a mark with such a sign is open.
func (w *writer) within(kind markKind) bool {
	for i := range w.open {
		if w.marks[i].kind.alike(kind) {
			return true
		}
	}
	return false
}

// alike reports whether the signs of two marks would become one.
func (k markKind) alike(other markKind) bool {
	return k.sign() != "" && other.sign() != "" && k.sign()[0] == other.sign()[0]
}

// firstAfter returns the rune that will follow the signs of emphasis that open
// with mark i.
func (w *writer) firstAfter(i int, next rune) rune {
	for _, m := range w.marks[i+1:] {
		switch {
		case m.spent || m.kind.alike(w.marks[i].kind):
		case m.kind == linked:
			return '['
		default:
			return rune(m.kind.sign()[0])
		}
	}
	return next
}

// closeMarks writes the closing signs of the open marks from the i-th on. The
// marks stay those of the content at hand and open again with the next of it.
func (w *writer) closeMarks(i int) {
	for w.open > i {
		w.open--
		m := &w.marks[w.open]
		if m.spent {
			continue
		}
		if m.kind == linked {
			w.out = append(w.out, "]("...)
			w.destination(m.url)
			w.out = append(w.out, ')')
			m.spent = m.once
		} else {
			w.out = append(w.out, m.kind.sign()...)
		}
		w.closed, w.closedAt = *m, len(w.out)
	}
}

// separate puts a space between a closing sign and a word where the sign would
// not count as closing otherwise, as after **Note:** in front of a letter.
func (w *writer) separate(next rune) {
	sign := w.closed.kind.sign()
	if sign == "" || !chars.IsWordRune(next) || w.opensSame() {
		return
	}
	if !chars.IsWordRune(w.lastRune(len(w.out) - len(sign))) {
		w.out = append(w.out, ' ')
	}
}

// opensSame reports whether the mark closed last is the next to open.
func (w *writer) opensSame() bool {
	return w.open < len(w.marks) && w.marks[w.open].kind == w.closed.kind
}

// link writes an a element. A link around blocks goes to the heading among
// them, or else to the first of them.
func (w *writer) link(a *dom.Node) {
	if w.flat == flatLine && isPermalink(a) {
		return
	}
	target := w.base.LinkTarget(a)
	if target == "" || w.inLink {
		w.children(a)
		return
	}
	w.inLink = true
	defer func() { w.inLink = false }()
	content := surveyLink(a)
	if w.flat != flowing || !content.blocks {
		w.marked(a, mark{kind: linked, url: target})
		return
	}
	if content.heading != nil {
		w.focus, w.focusURL = content.heading, target
		w.children(a)
		w.focus = nil
		return
	}
	w.marked(a, mark{kind: linked, url: target, once: true, texts: content.text})
}

// linkContent is what a link has beneath it.
type linkContent struct {
	blocks, text bool
	heading      *dom.Node // the first with text
}

func surveyLink(a *dom.Node) linkContent {
	var content linkContent
	for n := a.FirstChild; n != nil; n = dom.Following(n, a, true) {
		switch n.Type {
		case dom.TextNode:
			if strings.Trim(n.Data, " \t\r\n\f\u00a0") != "" {
				content.text = true
				if content.heading == nil {
					content.heading = headingAround(n, a)
				}
			}
		case dom.ElementNode:
			content.blocks = content.blocks || dom.IsBlock(n.Atom) || n.Atom == atom.Br
		}
	}
	return content
}

// headingAround returns the heading between n and root, or nil.
func headingAround(n, root *dom.Node) *dom.Node {
	for n = n.Parent; n != root && n != nil; n = n.Parent {
		if headingLevel(n.Atom) > 0 {
			return n
		}
	}
	return nil
}

// isPermalink reports whether a link in a heading only points at the heading.
func isPermalink(a *dom.Node) bool {
	if !strings.Contains(a.Get("href"), "#") {
		return false
	}
	text := a.ShortText(60)
	switch text {
	case "", "#", "¶", "§", "🔗", "link", "Link", "Anchor":
		return a.Inside(atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6) != nil && !holdsImage(a)
	}
	return chars.HasPrefixFold(text, "permalink") || chars.HasPrefixFold(text, "link to this") || chars.HasPrefixFold(text, "direct link to")
}

// destination writes the address of a link or an image. Parentheses that do
// not pair up would end it early.
func (w *writer) destination(url string) {
	escape := !pairsUp(url)
	for i := range len(url) {
		switch c := url[i]; {
		case c == '\\', escape && (c == '(' || c == ')'):
			w.out = append(w.out, '\\', c)
		case c == '|' && w.flat == flatCell:
			w.out = append(w.out, "%7C"...)
		case c <= ' ':
			w.out = append(w.out, "%20"...)
		case c == '<':
			w.out = append(w.out, "%3C"...)
		case c == '>':
			w.out = append(w.out, "%3E"...)
		default:
			w.out = append(w.out, c)
		}
	}
}

// pairsUp reports whether every parenthesis has its counterpart, not too deep.
func pairsUp(s string) bool {
	depth := 0
	for i := range len(s) {
		switch s[i] {
		case '(':
			depth++
		case ')':
			depth--
		}
		if depth < 0 || depth > 20 {
			return false
		}
	}
	return depth == 0
}
