package chars

import (
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// UnescapeJSON returns what a JSON string, given without its quotes, stands for.
// Escapes that are none stand for themselves.
func UnescapeJSON(s string) string {
	i := strings.IndexByte(s, '\\')
	if i < 0 {
		return s
	}
	var b strings.Builder
	b.Grow(len(s))
	for ; i >= 0 && i+1 < len(s); i = strings.IndexByte(s, '\\') {
		b.WriteString(s[:i])
		c := s[i+1]
		s = s[i+2:]
		switch c {
		case 'n':
			b.WriteByte('\n')
		case 'r', 't', 'f', 'b':
			b.WriteByte(' ')
		case 'u':
			var r rune
			r, s = unescapeRune(s)
			b.WriteRune(r)
		default:
			b.WriteByte(c)
		}
	}
	b.WriteString(s)
	return strings.ToValidUTF8(b.String(), "\ufffd")
}

// unescapeRune reads the digits of an escape, and the second half of a
// character that takes two.
func unescapeRune(s string) (rune, string) {
	r, ok := hexRune(s)
	if !ok {
		return utf8.RuneError, s
	}
	s = s[4:]
	if utf16.IsSurrogate(r) {
		if low, ok := hexRune(strings.TrimPrefix(s, `\u`)); ok && strings.HasPrefix(s, `\u`) {
			return utf16.DecodeRune(r, low), s[6:]
		}
		return utf8.RuneError, s
	}
	return r, s
}

func hexRune(s string) (rune, bool) {
	if len(s) < 4 {
		return 0, false
	}
	v, err := strconv.ParseUint(s[:4], 16, 16)
	return rune(v), err == nil
}
