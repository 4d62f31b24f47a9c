package markdown

import (
	"strings"
	"unicode/utf8"

	"github.com/trawlhq/trawl/content/chars"
)

// How text is copied, byte by byte.
const (
	plainByte  = iota
	stopByte   // white space, or the first byte of a character that may be blank
	escapeByte // may have to be escaped
)

var textBytes = textTable()

func textTable() (table [256]uint8) {
	for _, c := range []byte("\\`*_[]<&~|#") {
		table[c] = escapeByte
	}
	for c := range byte(' ' + 1) {
		table[c] = stopByte
	}
	table[0x7f], table[0xc2], table[0xe2] = stopByte, stopByte, stopByte
	return table
}

// text writes text with its white space collapsed, escaped where it would be
// taken for markup.
func (w *writer) text(s string) {
	s = visible(s)
	w.closeBracket(s)
	i := 0
	if n := len(w.out) - w.start; 0 < n && n < 10 && chars.IsDigit(w.last()) {
		i = w.endNumber(s)
	}
	for i < len(s) {
		if textBytes[s[i]] == stopByte {
			if size := blank(s[i:]); size > 0 {
				w.space = true
				i += size
				continue
			}
		}
		if w.gap|w.breaks != 0 || w.open != len(w.marks) || w.closedAt == len(w.out) {
			next, _ := utf8.DecodeRuneInString(s[i:])
			w.begin(next)
		} else if w.space {
			if !w.fresh() {
				w.out = append(w.out, ' ')
			}
			w.space = false
		}
		if w.fresh() {
			i = w.lineStart(s, i)
		}
		i = w.word(s, i)
	}
}

// visible returns s without soft hyphens and spaces of no width. They go first,
// lest what they part become markup when it is joined.
func visible(s string) string {
	for _, joint := range []string{"\u00ad", "\u200b", "\ufeff"} {
		if strings.Contains(s, joint) {
			s = strings.ReplaceAll(s, joint, "")
		}
	}
	return s
}

// blank returns the size of the character at the start of s if it is white
// space. So are no-break spaces here, line separators and control characters.
func blank(s string) int {
	switch c := s[0]; {
	case c <= ' ' || c == 0x7f:
		return 1
	case c == 0xc2 && len(s) > 1 && (s[1] == 0xa0 || s[1] < 0xa0):
		return 2
	case c == 0xe2 && len(s) > 2 && s[1] == 0x80 && (s[2] == 0xa8 || s[2] == 0xa9):
		return 3
	}
	return 0
}

// blankAt reports whether white space or the end of s is at i.
func blankAt(s string, i int) bool {
	return i >= len(s) || textBytes[s[i]] == stopByte && blank(s[i:]) > 0
}

// word copies text from i up to the next white space and returns where that is.
func (w *writer) word(s string, i int) int {
	from := i
	for i < len(s) {
		switch textBytes[s[i]] {
		case plainByte:
			i++
			continue
		case stopByte:
			if blank(s[i:]) > 0 {
				w.out = append(w.out, s[from:i]...)
				return i
			}
			i++
		case escapeByte:
			w.out = append(w.out, s[from:i]...)
			i = w.special(s, i)
			from = i
		}
	}
	w.out = append(w.out, s[from:]...)
	return i
}

// special copies the byte at i, which has a meaning in markdown, and returns
// where to go on. A backslash goes before it if it would have that meaning here.
func (w *writer) special(s string, i int) int {
	c, next := s[i], byteAt(s, i+1)
	escape := false
	switch c {
	case '\\':
		escape = next == 0 || chars.IsPunct(next)
	case '`':
		escape = true
	case '*':
		escape = w.last() != ' ' || i+1 == len(s) || !blankAt(s, i+1)
	case '_':
		return w.underscores(s, i)
	case '~':
		escape = w.last() != ' '
	case '[':
		escape = w.linkOpen()
	case ']':
		escape = w.linkOpen() || next == '(' || next == ':' && w.opensBracket()
		if next == 0 && !escape {
			w.bracketAt = len(w.out) + 1
		}
	case '<':
		escape = i+1 == len(s) || !blankAt(s, i+1)
	case '&':
		escape = isReference(s[i:])
	case '|':
		escape = w.flat == flatCell
	case '#':
		escape = w.flat == flatLine && (w.last() == ' ' || w.last() == '#')
	}
	if escape {
		w.out = append(w.out, '\\')
	}
	w.out = append(w.out, c)
	return i + 1
}

// underscores copies a run of them: between letters they mean nothing.
func (w *writer) underscores(s string, i int) int {
	end := i
	for end < len(s) && s[end] == '_' {
		end++
	}
	next, last := byteAt(s, end), w.last()
	plain := chars.IsWord(last) && chars.IsWord(next) || last == ' ' && end < len(s) && blankAt(s, end) && !w.fresh()
	for ; i < end; i++ {
		if !plain {
			w.out = append(w.out, '\\')
		}
		w.out = append(w.out, '_')
	}
	return end
}

// closeBracket escapes the closing bracket that ended the text before, if the
// text to come would make it the end of a link.
func (w *writer) closeBracket(s string) {
	if w.bracketAt != len(w.out) || w.space || s == "" || w.gap|w.breaks != 0 {
		return
	}
	if s[0] == '(' || s[0] == ':' && w.opensBracket() {
		w.out[len(w.out)-1] = '\\'
		w.out = append(w.out, ']')
	}
}

// opensBracket reports whether the paragraph starts with an opening bracket, as
// the definition of a reference does.
func (w *writer) opensBracket() bool {
	return w.paragraph < len(w.out) && w.out[w.paragraph] == '['
}

// endNumber escapes the end of a number at the start of a line whose digits
// came in texts before this one, and returns where in s to go on.
func (w *writer) endNumber(s string) int {
	if w.space || w.gap|w.breaks != 0 || w.open != len(w.marks) || w.flat != flowing {
		return 0
	}
	for _, c := range w.out[w.start:] {
		if !chars.IsDigit(c) {
			return 0
		}
	}
	return w.number(s, 0)
}

// lineStart escapes what would begin a block at the start of a line, and
// returns where in s to go on.
func (w *writer) lineStart(s string, i int) int {
	c, next := s[i], byteAt(s, i+1)
	escape := false
	switch c {
	case '#':
		end := i
		for end < len(s) && s[end] == '#' {
			end++
		}
		escape = end-i <= 6 && blankAt(s, end)
	case '>':
		escape = true
	case '-':
		escape = blankAt(s, i+1) || next == '-' || next == '|' || next == ':'
	case '+', '*':
		escape = c == '*' || blankAt(s, i+1)
	case '~':
		escape = next == '~'
	case '=', '|', ':':
		escape = w.broken
	case '[':
		escape = w.inItem && isCheckbox(s[i:])
	default:
		return w.number(s, i)
	}
	if escape && w.flat == flowing {
		w.out = append(w.out, '\\', c)
		return i + 1
	}
	return i
}

// isCheckbox reports whether s starts with what would be the checkbox of a task.
func isCheckbox(s string) bool {
	inner, _, found := strings.Cut(s[1:], "]")
	inner = strings.TrimSpace(inner)
	return found && (inner == "" || inner == "x" || inner == "X")
}

// number escapes a number that would begin an ordered list.
func (w *writer) number(s string, i int) int {
	end := i
	for end < len(s) && chars.IsDigit(s[end]) {
		end++
	}
	if c := byteAt(s, end); end == i && w.fresh() || end-i > 9 || c != '.' && c != ')' || !blankAt(s, end+1) || w.flat != flowing {
		return i
	}
	w.out = append(w.out, s[i:end]...)
	w.out = append(w.out, '\\', s[end])
	return end + 1
}

// isReference reports whether s starts with something like &amp; or &#39;.
func isReference(s string) bool {
	for i := 1; i < len(s) && i < 34; i++ {
		switch c := s[i]; {
		case c == ';':
			return i > 1
		case !chars.IsWord(c) && (c != '#' || i > 1):
			return false
		}
	}
	return false
}

// byteAt returns the i-th byte of s, or 0 behind its end.
func byteAt(s string, i int) byte {
	if i < len(s) {
		return s[i]
	}
	return 0
}
