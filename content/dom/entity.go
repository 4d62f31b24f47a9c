package dom

import (
	"html"
	"strings"
	"unicode/utf8"
)

// longestReference is more than the length of any name of a character.
const longestReference = 40

// unescape resolves the character references of a text or an attribute's value.
func (p *parser) unescape(s string, attribute bool) string {
	i := strings.IndexByte(s, '&')
	if i < 0 {
		return s
	}
	start := p.reserve(len(s))
	for ; i >= 0; i = strings.IndexByte(s, '&') {
		p.arena.WriteString(s[:i])
		s = s[i:]
		s = s[p.reference(s, attribute):]
	}
	p.arena.WriteString(s)
	return p.arena.String()[start:]
}

// reference writes what the "&" at the beginning of s stands for, and returns
// how many bytes of s that was.
func (p *parser) reference(s string, attribute bool) int {
	if len(s) > 1 && s[1] == '#' {
		r, n := numericReference(s)
		if n == 0 {
			p.arena.WriteString("&#")
			return 2
		}
		p.arena.WriteRune(r)
		return n
	}
	n := 1
	for n < len(s) && n < longestReference && classes[s[n]]&isWord != 0 {
		n++
	}
	closed := n < len(s) && s[n] == ';'
	if closed {
		n++
		if c := commonReference(s[1 : n-1]); c != "" {
			p.arena.WriteString(c)
			return n
		}
	}
	text := s[:n]
	if n > 1 && !(attribute && n < len(s) && s[n] == '=') {
		text = html.UnescapeString(text)
	}
	if attribute && !isWhole(text, closed) {
		text = s[:n]
	}
	p.arena.WriteString(text)
	return n
}

// isWhole reports whether the whole name of a reference was resolved, not just
// the beginning of it, which does not count in values. A whole name stands for
// at most two characters, one if it may do without its semicolon.
func isWhole(text string, closed bool) bool {
	if closed {
		return utf8.RuneCountInString(text) <= 2
	}
	return utf8.RuneCountInString(text) == 1
}

// commonReference returns the character of the names that most pages use, and
// of the two that the standard library leaves out.
func commonReference(name string) string {
	switch name {
	case "amp":
		return "&"
	case "nbsp":
		return "\u00a0"
	case "quot":
		return `"`
	case "lt":
		return "<"
	case "gt":
		return ">"
	case "apos":
		return "'"
	case "copy":
		return "©"
	case "raquo":
		return "»"
	case "mdash":
		return "—"
	case "ndash":
		return "–"
	case "rsquo":
		return "’"
	case "hellip":
		return "…"
	case "nGt":
		return "≫\u20d2"
	case "nLt":
		return "≪\u20d2"
	}
	return ""
}

// numericReference reads "&#" with a number, and its length, 0 if there is no
// number.
func numericReference(s string) (r rune, n int) {
	n = 2
	base, digits := rune(10), 0
	if n < len(s) && s[n]|0x20 == 'x' {
		base = 16
		n++
	}
	for ; n < len(s); n++ {
		d := digit(s[n])
		if d >= base {
			break
		}
		digits++
		r = min(r*base+d, utf8.MaxRune+1)
	}
	if digits == 0 {
		return 0, 0
	}
	if n < len(s) && s[n] == ';' {
		n++
	}
	switch {
	case r == 0 || r > utf8.MaxRune || 0xD800 <= r && r <= 0xDFFF:
		r = utf8.RuneError
	case 0x80 <= r && r <= 0x9F:
		r = windows1252[r-0x80]
	}
	return r, n
}

func digit(c byte) rune {
	switch {
	case '0' <= c && c <= '9':
		return rune(c - '0')
	case 'a' <= c|0x20 && c|0x20 <= 'f':
		return rune(c|0x20-'a') + 10
	}
	return 99
}

// windows1252 is what the numbers from 0x80 stand for.
var windows1252 = [32]rune{
	'€', 0x81, '‚', 'ƒ', '„', '…', '†', '‡', 'ˆ', '‰', 'Š', '‹', 'Œ', 0x8D, 'Ž', 0x8F,
	0x90, '‘', '’', '“', '”', '•', '–', '—', '˜', '™', 'š', '›', 'œ', 0x9D, 'ž', 'Ÿ',
}

// skipNewline skips a newline at the current position, which is not content at
// the start of some elements.
func (p *parser) skipNewline() {
	rest := p.src[p.pos:]
	switch {
	case strings.HasPrefix(rest, "\n"):
		p.pos++
	case strings.HasPrefix(rest, "&#"):
		if r, n := numericReference(rest); r == '\n' {
			p.pos += n
		}
	case strings.HasPrefix(rest, "&NewLine;"):
		p.pos += len("&NewLine;")
	}
}
