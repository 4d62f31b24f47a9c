// Package chars knows which bytes are white space, letters or punctuation, and
// shortens and tidies texts.
package chars

import (
	"iter"
	"strings"
	"unicode"
	"unicode/utf8"
)

// IsSpace reports whether the byte is white space to HTML.
func IsSpace(c byte) bool {
	return c == ' ' || c == '\n' || c == '\t' || c == '\r' || c == '\f'
}

// TrimSpace cuts off what is white space to HTML and CSS. Other white space, such
// as that of Chinese, is part of a name there.
func TrimSpace(s string) string { return strings.Trim(s, " \n\t\r\f") }

// Words returns the words of an attribute that is a list of them, such as class:
// what is between white space to HTML.
func Words(s string) iter.Seq[string] {
	return func(yield func(string) bool) {
		start := 0
		for i := 0; i <= len(s); i++ {
			if i < len(s) && !IsSpace(s[i]) {
				continue
			}
			if i > start && !yield(s[start:i]) {
				return
			}
			start = i + 1
		}
	}
}

// IsLetter reports whether the byte is an ASCII letter.
func IsLetter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }

// IsDigit reports whether the byte is an ASCII digit.
func IsDigit(c byte) bool { return '0' <= c && c <= '9' }

// IsWord reports whether the byte is an ASCII letter or digit.
func IsWord(c byte) bool { return IsLetter(c) || IsDigit(c) }

// IsPunct reports whether the byte is ASCII punctuation.
func IsPunct(c byte) bool {
	return '!' <= c && c <= '/' || ':' <= c && c <= '@' || '[' <= c && c <= '`' || '{' <= c && c <= '~'
}

// IsWordRune reports whether markdown counts the rune neither as white space nor
// as punctuation.
func IsWordRune(r rune) bool {
	if r < utf8.RuneSelf {
		return IsWord(byte(r))
	}
	return !unicode.IsSpace(r) && !unicode.IsPunct(r) && !unicode.IsSymbol(r)
}

// HasPrefixFold reports whether s begins with prefix, in any case.
func HasPrefixFold(s, prefix string) bool {
	return len(s) >= len(prefix) && strings.EqualFold(s[:len(prefix)], prefix)
}

// ContainsFold reports whether s contains the lower-case ASCII string sub in
// any case.
func ContainsFold(s, sub string) bool {
	for i := 0; i+len(sub) <= len(s); i++ {
		if s[i]|0x20 == sub[0]|0x20 && strings.EqualFold(s[i:i+len(sub)], sub) {
			return true
		}
	}
	return false
}

// Collapse returns s with every run of white space made one space and none at
// its ends.
func Collapse(s string) string {
	if collapsed(s) {
		return s
	}
	var b strings.Builder
	b.Grow(len(s))
	for word := range strings.FieldsSeq(s) {
		if b.Len() > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(word)
	}
	return b.String()
}

func collapsed(s string) bool {
	space := true
	for i := range len(s) {
		c := s[i]
		if c >= utf8.RuneSelf || (c < ' ' && IsSpace(c)) || (c == ' ' && space) {
			return false
		}
		space = c == ' '
	}
	return s == "" || !space
}

// Truncate shortens s to at most n bytes without cutting a character.
func Truncate(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n]
}
