package markdown

import (
	"strings"
	"unicode/utf8"

	"github.com/trawlhq/trawl/content/chars"
)

// How text is copied, byte by byte.
const (
	plainByte  = iota
	spaceByte  // a space
	blankByte  // other white space and control characters
	leadByte   // the first byte of a character that may be blank or invisible
	escapeByte // may have to be escaped
)

var textBytes = textTable()

func textTable() (table [256]uint8) {
	for _, c := range []byte("\\`*_[]<&~|$") {
		table[c] = escapeByte
	}
	for c := range byte(' ') {
		table[c] = blankByte
	}
	table[' '], table[0x7f] = spaceByte, blankByte
	for _, c := range []byte{0xc2, 0xe1, 0xe2, 0xe3, 0xef} {
		table[c] = leadByte
	}
	return table
}

// text writes text with its white space collapsed, escaped where it would be
// taken for markup.
func (w *writer) text(s string) {
	i := 0
	if c := w.last(); c == ']' || c == '[' {
		i = w.afterBracket(s)
	}
	i += w.endNumber(s[i:])
	for i < len(s) {
		switch textBytes[s[i]] {
		case spaceByte, blankByte:
			w.space = true
			i++
			continue
		case leadByte:
			if size := blank(s[i:]); size > 0 {
				w.space = true
				i += size
				continue
			}
			if size := joint(s[i:]); size > 0 {
				i += size
				i += w.endNumber(s[i:])
				continue
			}
		}
		w.beginText(s[i:])
		if w.fresh() {
			i = w.lineStart(s, i)
		}
		i = w.run(s, i)
	}
}

// beginText pays what is owed before text.
func (w *writer) beginText(s string) {
	if w.gap|w.breaks != 0 || w.open != len(w.marks) || w.closedAt == len(w.out) {
		next, _ := utf8.DecodeRuneInString(s)
		w.begin(next)
	} else if w.space {
		if !w.fresh() {
			w.out = append(w.out, ' ')
		}
		w.space = false
	}
}

// run copies text from i up to the next white space that is not a single space,
// and returns where that is.
func (w *writer) run(s string, i int) int {
	from := i
	for i < len(s) {
		switch textBytes[s[i]] {
		case plainByte:
			i++
		case spaceByte:
			if i+1 == len(s) || textBytes[s[i+1]] != plainByte {
				w.out = append(w.out, s[from:i]...)
				return i
			}
			i += 2
		case blankByte:
			w.out = append(w.out, s[from:i]...)
			return i
		case leadByte:
			if blank(s[i:])|joint(s[i:]) != 0 {
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

// blank returns the size of the character at the start of s if it is white
// space, which control characters and spaces of all widths are here.
func blank(s string) int {
	switch c := s[0]; {
	case c <= ' ' || c == 0x7f:
		return 1
	case c == 0xc2 && len(s) > 1 && s[1] <= 0xa0:
		return 2
	case c < 0xe1 || c > 0xe3 || len(s) < 3:
		return 0
	}
	switch r, _ := utf8.DecodeRuneInString(s); {
	case 0x2000 <= r && r <= 0x200a, 0x2028 <= r && r <= 0x2029, r == 0x202f, r == 0x205f, r == 0x3000, r == 0x1680:
		return 3
	}
	return 0
}

// joint returns the size of the character at the start of s if it has no width:
// a soft hyphen, a space of no width or a byte order mark.
func joint(s string) int {
	switch {
	case strings.HasPrefix(s, "\u00ad"):
		return 2
	case strings.HasPrefix(s, "\u200b"), strings.HasPrefix(s, "\ufeff"):
		return 3
	}
	return 0
}

// isWhite reports whether s has nothing but the white space of HTML.
func isWhite(s string) bool {
	for i := range len(s) {
		if !chars.IsSpace(s[i]) {
			return false
		}
	}
	return true
}

// blankAt reports whether white space or the end of s is at i.
func blankAt(s string, i int) bool {
	return i >= len(s) || blank(s[i:]) > 0
}

// byteAt returns the i-th byte of s, or 0 if what comes there is not known:
// behind the end of s, and at characters that are left out.
func byteAt(s string, i int) byte {
	if i >= len(s) || textBytes[s[i]] == leadByte && joint(s[i:]) > 0 {
		return 0
	}
	return s[i]
}

// special copies the byte at i, which has a meaning in markdown, and returns
// where to go on. A backslash goes before it if it would have that meaning here.
func (w *writer) special(s string, i int) int {
	c, next := s[i], byteAt(s, i+1)
	escape := false
	switch c {
	case '\\':
		if end := formula(s, i); end > 0 {
			return w.copyFormula(s, i, end)
		}
		escape = next == 0 || chars.IsPunct(next) || blankAt(s, i+1)
	case '$':
		if end := formula(s, i); end > 0 {
			return w.copyFormula(s, i, end)
		}
	case '`':
		escape = true
	case '*':
		escape = w.last() != ' ' || next == 0 || !blankAt(s, i+1) || len(w.marks) > 0
	case '_':
		return w.underscores(s, i)
	case '~':
		escape = w.last() != ' ' || len(w.marks) > 0
	case '[':
		escape = next == '^' || w.linkOpen()
	case ']':
		escape = w.linkOpen() || next == '(' || next == ':' && w.opensBracket()
		if next == 0 && !escape {
			w.bracketAt = len(w.out) + 1
		}
	case '<':
		escape = next == 0 || chars.IsLetter(next) || next == '/' || next == '!' || next == '?' || isMail(s[i+1:])
	case '&':
		escape = isReference(s[i:])
	case '|':
		escape = w.flat == flatCell
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
	plain := chars.IsWord(last) && chars.IsWord(next) || last == ' ' && next != 0 && blankAt(s, end) && !w.fresh()
	for ; i < end; i++ {
		if !plain {
			w.out = append(w.out, '\\')
		}
		w.out = append(w.out, '_')
	}
	return end
}

// afterBracket escapes the start of a text that would make a link or a reference
// to a note of a bracket at the end of the text before. It returns where to go on.
func (w *writer) afterBracket(s string) int {
	if w.space || s == "" || w.gap|w.breaks != 0 {
		return 0
	}
	switch c := s[0]; {
	case c == '^' && w.last() == '[',
		c == '(' && w.bracketAt == len(w.out),
		c == ':' && w.bracketAt == len(w.out) && w.opensBracket():
		w.out = append(w.out, '\\', c)
		return 1
	}
	return 0
}

// opensBracket reports whether the paragraph starts with an opening bracket, as
// the definition of a reference does.
func (w *writer) opensBracket() bool {
	return w.paragraph < len(w.out) && w.out[w.paragraph] == '['
}

// endNumber escapes the end of a number at the start of a line whose first
// digits are written already, and returns where in s to go on.
func (w *writer) endNumber(s string) int {
	if n := len(w.out) - w.start; n <= 0 || n >= 10 || !chars.IsDigit(w.last()) {
		return 0
	}
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
		escape = end-i <= 6 && (byteAt(s, end) == 0 || blankAt(s, end))
	case '>':
		escape = true
	case '-':
		escape = next == 0 || blankAt(s, i+1) || next == '-' || next == '|' || next == ':'
	case '+', '*':
		escape = c == '*' || next == 0 || blankAt(s, i+1)
	case '~':
		escape = next == '~' || next == 0
	case '=', '|', ':':
		escape = w.broken
	case '[':
		escape = w.inItem && isCheckbox(s[i:])
	default:
		return w.number(s, i)
	}
	if escape && (w.flat == flowing || c == '[') {
		w.out = append(w.out, '\\', c)
		return i + 1
	}
	return i
}

// isCheckbox reports whether s starts with what would be the checkbox of a task,
// or may do so together with text to come.
func isCheckbox(s string) bool {
	rest := skipBlank(s[1:])
	if rest != "" && rest[0]|0x20 == 'x' {
		rest = skipBlank(rest[1:])
	}
	return rest == "" || rest[0] == ']'
}

// skipBlank returns s from the first character that is seen.
func skipBlank(s string) string {
	for s != "" {
		size := max(blank(s), joint(s))
		if size == 0 {
			break
		}
		s = s[size:]
	}
	return s
}

// number escapes a number that would begin an ordered list.
func (w *writer) number(s string, i int) int {
	end := i
	for end < len(s) && chars.IsDigit(s[end]) {
		end++
	}
	switch c := byteAt(s, end); {
	case end == i && w.fresh() || end-i > 9 || w.flat != flowing:
		return i
	case c != '.' && c != ')' || byteAt(s, end+1) != 0 && !blankAt(s, end+1):
		return i
	}
	w.out = append(w.out, s[i:end]...)
	w.out = append(w.out, '\\', s[end])
	return end + 1
}

// isMail reports whether s starts with the name of a mailbox and an at sign, or
// may do so together with text to come.
func isMail(s string) bool {
	for i := range len(s) {
		switch c := byteAt(s, i); {
		case c == '@' || c == 0:
			return i > 0
		case !chars.IsWord(c) && strings.IndexByte(".!#$%&'*+/=?^_`{|}~-", c) < 0:
			return false
		}
	}
	return true
}

// isReference reports whether s starts with something like &amp; or &#39;, or
// may do so together with text to come.
func isReference(s string) bool {
	for i := 1; i < 34; i++ {
		switch c := byteAt(s, i); {
		case c == 0:
			return true
		case c == ';':
			return i > 1
		case !chars.IsWord(c) && (c != '#' || i > 1):
			return false
		}
	}
	return false
}
