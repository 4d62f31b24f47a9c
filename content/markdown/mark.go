package markdown

import (
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
	once  bool // a link around blocks is written once, not in each of them
	spent bool // it was
	texts bool // such a link waits for text and passes over images
	tied  bool // its sign was opened in one with that of the mark within it
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
		if m.tied = false; w.open > 0 && w.openedAt == len(w.out) {
			w.marks[w.open-1].tied = true
		}
		w.out = append(w.out, m.kind.sign()...)
		w.openedAt = len(w.out)
	}
	w.open++
}

// openLink keeps two links apart.
func (w *writer) openLink() {
	w.escapeBang()
	if w.closed.kind == linked && w.closedAt == len(w.out) {
		w.out = append(w.out, ' ')
	}
	w.out = append(w.out, '[')
	w.openedAt = len(w.out)
}

// escapeBang keeps an exclamation mark from making an image of the link to come.
func (w *writer) escapeBang() {
	if w.last() == '!' {
		w.out[len(w.out)-1] = '\\'
		w.out = append(w.out, '!')
	}
}

// needsSpace reports whether the sign of the mark that opens next would not
// open it where it stands: next to the same sign that just closed, between a
// word and punctuation, or between punctuation within the same sign.
func (w *writer) needsSpace(kind markKind, next rune) bool {
	last := w.lastRune(len(w.out))
	if last == ' ' || w.openedAt == len(w.out) {
		return false
	}
	if w.closedAt == len(w.out) && w.closed.kind.alike(kind) || kind == strike && last == '~' {
		return true
	}
	if chars.IsWordRune(w.firstAfter(w.open, next)) {
		return chars.IsWordRune(last) && w.within(kind, true)
	}
	return chars.IsWordRune(last) || w.within(kind, false)
}

// within reports whether a mark with such a sign is open. Only those count that
// were tied, if that is asked for: within a word, the next sign would close them.
func (w *writer) within(kind markKind, tied bool) bool {
	for _, m := range w.marks[:w.open] {
		if m.kind.alike(kind) && (m.tied || !tied) {
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
			w.destination(w.target)
			w.writeTitle(w.title)
			w.out = append(w.out, ')')
			m.spent = m.once
		} else {
			w.closeSign(m.kind)
		}
		w.closed, w.closedAt = *m, len(w.out)
	}
}

// closeSign writes the sign that closes emphasis. Some readers do not see that a
// tilde right before those of strikethrough is escaped.
func (w *writer) closeSign(kind markKind) {
	if n := len(w.out); kind == strike && w.last() == '~' && n > 1 && w.out[n-2] == '\\' {
		w.out = append(w.out[:n-2], "&#126;"...)
	}
	w.out = append(w.out, kind.sign()...)
}

// separate puts a space between a closing sign and a word where the sign would
// not count as closing otherwise, as after **Note:** in front of a letter.
func (w *writer) separate(next rune) {
	sign := w.closed.kind.sign()
	if sign == "" || !chars.IsWordRune(next) || w.opensSame() {
		return
	}
	end := len(w.out)
	for end > w.start && w.out[end-1] == sign[0] { // signs that closed together count as one
		end--
	}
	if !chars.IsWordRune(w.lastRune(end)) {
		w.out = append(w.out, ' ')
	}
}

// opensSame reports whether the mark closed last is the next to open.
func (w *writer) opensSame() bool {
	return w.open < len(w.marks) && w.marks[w.open].kind == w.closed.kind
}
