package markdown

import (
	"strconv"
	"strings"

	"golang.org/x/net/html/atom"

	"github.com/trawlhq/trawl/content/chars"
	"github.com/trawlhq/trawl/content/dom"
)

// notes are the footnotes of a page. A link counts as a reference to one if the
// link looks like it, and what it points to looks like a note that will be
// written. All else is a link like any other.
type notes struct {
	byID   map[string]*dom.Node // what links within the page may point to
	labels map[*dom.Node]string // of the notes that were referred to, "" for what is no note
	used   map[string]bool      // labels
	number int                  // the last one that was made up for a label
}

// maxNoteNodes bounds how far into a note is looked before it is written.
const maxNoteNodes = 2000

// reference writes a link to a footnote, and nothing for a link from a note back
// to the text. It reports whether the link is one of them.
func (w *writer) reference(a *dom.Node) bool {
	href := a.Get("href")
	if len(href) < 2 || href[0] != '#' {
		return false
	}
	if w.inNote && w.isWayBack(a, href[1:]) {
		return true
	}
	if w.inLink || !looksLikeReference(a) {
		return false
	}
	name := w.noteLabel(a, href[1:])
	if name == "" {
		return false
	}
	w.begin('[')
	w.escapeBang()
	w.out = append(w.out, "[^"...)
	w.out = append(w.out, name...)
	w.out = append(w.out, ']')
	w.bracketAt = len(w.out)
	return true
}

// looksLikeReference reports whether a link within the page is set as a
// reference to a note: raised, a mere number, or named so.
func looksLikeReference(a *dom.Node) bool {
	text := label(a)
	if len(text) > 16 {
		return false
	}
	return isNumber(strings.Trim(text, "[]")) || a.Parent.Is(atom.Sup) || a.FirstChild != nil && a.FirstChild.Is(atom.Sup) ||
		a.Get("role") == "doc-noteref" || a.HasClass("footnote-ref", "footnote", "noteref", "footnote-reference")
}

func isNumber(s string) bool { return s != "" && len(s) < 4 && strings.Trim(s, "0123456789") == "" }

// noteLabel returns the label of the note with an id, or "" if there is none.
func (w *writer) noteLabel(a *dom.Node, id string) string {
	if w.notes.byID == nil {
		w.notes.byID = w.identify()
		w.notes.labels = map[*dom.Node]string{}
		w.notes.used = map[string]bool{"": true}
	}
	n := noteAround(w.notes.byID[id])
	if n == nil {
		return ""
	}
	name, known := w.notes.labels[n]
	if !known {
		if w.canBeNote(n, a) {
			name = w.newLabel(label(a))
		}
		w.notes.labels[n] = name
	}
	return name
}

// identify returns the elements that have an id.
func (w *writer) identify() map[string]*dom.Node {
	byID := map[string]*dom.Node{}
	for _, root := range w.part.Roots {
		w.part.Walk(root, func(n *dom.Node) bool {
			for _, key := range []string{"id", "name"} {
				if id := n.Get(key); id != "" && byID[id] == nil {
					byID[id] = n
				}
			}
			return true
		})
	}
	return byID
}

// noteAround returns the block that is or begins with what a reference points to.
func noteAround(n *dom.Node) *dom.Node {
	for up := 0; n != nil && up < 4; n, up = n.Parent, up+1 {
		switch n.Atom {
		case atom.Li, atom.P, atom.Div, atom.Aside, atom.Dd:
			return n
		case atom.A, atom.Span, atom.Sup, atom.B, atom.Strong:
		default:
			return nil
		}
	}
	return nil
}

// canBeNote reports whether n is a footnote: it says so, has a way back to the
// text or the number of its reference, and stands where a note can be written.
func (w *writer) canBeNote(n, reference *dom.Node) bool {
	if n.Inside(atom.Li, atom.Blockquote, atom.Td, atom.Th, atom.Pre, atom.A) != nil || w.part.Drop.Has(n) {
		return false
	}
	for up := reference.Parent; up != nil; up = up.Parent {
		if up == n {
			return false
		}
	}
	if !w.hasText(n) || holdsSeveral(n) {
		return false
	}
	for up, i := n, 0; up != nil && i < 4; up, i = up.Parent, i+1 {
		if isNotesPart(up) {
			return true
		}
	}
	return hasWayBack(n, reference) || n.Is(atom.Li) && isNumbered(n, strings.Trim(label(reference), "[]"))
}

// holdsSeveral reports whether lines of a block are notes of their own: what a
// reference may point to follows a line break.
func holdsSeveral(n *dom.Node) bool {
	broken := false
	for c, i := n.FirstChild, 0; c != nil && i < maxNoteNodes; c, i = c.NextSibling, i+1 {
		switch {
		case c.Is(atom.Br):
			broken = true
		case c.Type == dom.TextNode && strings.Trim(c.Data, " \t\r\n\f") == "":
		case broken && !dom.IsBlock(c.Atom) && (c.Get("id") != "" || c.Get("name") != ""):
			return true
		default:
			broken = false
		}
	}
	return false
}

// isNotesPart reports whether an element says that it holds footnotes.
func isNotesPart(n *dom.Node) bool {
	for i := range n.Attr {
		value := n.Attr[i].Val
		switch n.Attr[i].Key {
		case "role":
			if value == "doc-endnotes" || value == "doc-endnote" || value == "doc-footnote" {
				return true
			}
		case "class", "id":
			if strings.Contains(value, "footnote") || strings.Contains(value, "endnote") {
				return true
			}
		}
	}
	return n.HasClass("references", "reflist")
}

// hasWayBack reports whether a note has a link to the place of its reference, or
// one that says that it is a way back.
func hasWayBack(n, reference *dom.Node) bool {
	for c, i := n.FirstChild, 0; c != nil && i < maxNoteNodes; c, i = dom.Following(c, n, true), i+1 {
		href := c.Get("href")
		if !c.Is(atom.A) || len(href) < 2 || href[0] != '#' {
			continue
		}
		if saysWayBack(c) {
			return true
		}
		for up, i := reference, 0; up != nil && i < 3; up, i = up.Parent, i+1 {
			if up.Get("id") == href[1:] || up.Get("name") == href[1:] {
				return true
			}
		}
	}
	return false
}

func saysWayBack(a *dom.Node) bool {
	return a.Get("role") == "doc-backlink" || a.HasClass("footnote-backref", "data-footnote-backref", "footnote-back", "reversefootnote", "backlink")
}

// isNumbered reports whether an item is the one of a number in an ordered list.
func isNumbered(li *dom.Node, number string) bool {
	if !li.Parent.Is(atom.Ol) || !isNumber(number) {
		return false
	}
	count, _ := orderOf(li.Parent)
	for c, i := li.PrevSibling, 0; c != nil && i < maxNoteNodes; c, i = c.PrevSibling, i+1 {
		if c.Is(atom.Li) {
			count++
		}
	}
	return strconv.Itoa(count) == number
}

// hasText reports whether something of a note is written, ways back aside.
func (w *writer) hasText(n *dom.Node) bool {
	for c, i := n.FirstChild, 0; c != nil && i < maxNoteNodes; i++ {
		descend := !w.part.Drop.Has(c) && !(c.Is(atom.A) && strings.HasPrefix(c.Get("href"), "#"))
		if descend && c.Type == dom.TextNode && strings.IndexFunc(c.Data, isLetterOrDigit) >= 0 {
			return true
		}
		c = dom.Following(c, n, descend)
	}
	return false
}

func isLetterOrDigit(r rune) bool { return r != '^' && chars.IsWordRune(r) }

// newLabel returns the text of a reference as a label if it can be one that is
// not in use, else a number that is not.
func (w *writer) newLabel(text string) string {
	text = strings.Trim(text, "[]() ")
	used := w.notes.used
	if len(text) > 8 || used[text] || strings.IndexFunc(text, func(r rune) bool { return r >= 0x80 || !chars.IsWord(byte(r)) }) >= 0 {
		n := max(len(used), w.notes.number+1)
		for used[strconv.Itoa(n)] {
			n++
		}
		text, w.notes.number = strconv.Itoa(n), n
	}
	used[text] = true
	return text
}

// isNote reports whether an element is a footnote that was referred to.
func (w *writer) isNote(n *dom.Node) bool {
	return w.notes.labels != nil && w.notes.labels[n] != "" && w.flat == flowing && !w.inNote
}

// note writes a footnote.
func (w *writer) note(n *dom.Node) {
	w.block(2)
	f := w.push("[^"+w.notes.labels[n]+"]: ", "    ")
	w.inNote = true
	w.children(n)
	w.block(2)
	w.inNote = false
	w.pop(f)
}

// isWayBack reports whether a link of a note leads back to the text.
func (w *writer) isWayBack(a *dom.Node, id string) bool {
	if saysWayBack(a) {
		return true
	}
	if place := w.notes.byID[id]; place != nil && (place.Is(atom.Sup) || place.Is(atom.A) && looksLikeReference(place)) {
		return true
	}
	return strings.IndexFunc(label(a), isLetterOrDigit) < 0
}

// isOwnNumber reports whether an element at the start of a note is its number.
func (w *writer) isOwnNumber(text string) bool {
	return w.inNote && w.pending && isNumber(strings.Trim(text, "[].: "))
}

// isBacklink reports whether an element of a note holds nothing but ways back.
func (w *writer) isBacklink(n *dom.Node) bool {
	return w.inNote && n.HasClass("mw-cite-backlink", "footnote-backlink", "backlink")
}
