package score

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/cases"
	"golang.org/x/text/language"
)

// Words returns the words of a text in lower case: runs of letters and digits,
// and each character of Chinese, Japanese and Korean by itself, their marks
// included. Accents that are characters of their own end a word.
func Words(text string) []string {
	text = cases.Lower(language.Und).String(text)
	var words []string
	start := -1 // of the word that is being read
	for i, r := range text {
		single := alone(r)
		if start >= 0 && (single || !wordly(r)) {
			words, start = append(words, text[start:i]), -1
		}
		switch {
		case single:
			words = append(words, text[i:i+utf8.RuneLen(r)])
		case start < 0 && wordly(r):
			start = i
		}
	}
	if start >= 0 {
		words = append(words, text[start:])
	}
	return words
}

// alone tells whether a character counts as a word: scripts without spaces.
func alone(r rune) bool {
	return r >= 0x2e80 && r <= 0x9fff || r >= 0xac00 && r <= 0xd7af || r >= 0xf900 && r <= 0xfaff
}

func wordly(r rune) bool { return unicode.IsLetter(r) || unicode.IsNumber(r) }

// Links and images of markdown. The second pattern has those whose text has
// brackets of its own, a picture that is a link for instance.
const (
	blank  = `\t-\r\x1c-\x20\x{85}\x{a0}\x{1680}\x{2000}-\x{200a}\x{2028}\x{2029}\x{202f}\x{205f}\x{3000}`
	bare   = `[^()` + blank + `]*`
	target = `\((?:<[^<>\n]*>|` + bare + `(?:\(` + bare + `\)` + bare + `)*)(?:[` + blank + `]+"[^"]*")?\)`
)

var (
	link       = regexp.MustCompile(`!?\[((?:[^\[\]\\]|\\.)*)\]` + target)
	linkNested = regexp.MustCompile(`!?\[((?:[^\[\]\\]|\\.|\[[^\[\]]*\])*)\]` + target)
	tag        = regexp.MustCompile(`^</?[a-z]+>`)
	spaces     = regexp.MustCompile(`^[` + blank + `]`)
)

// Plain returns the text of markdown: links without their addresses, and neither
// escapes, emphasis, ticks nor tags.
func Plain(markdown string) string {
	markdown = link.ReplaceAllString(markdown, "$1")
	markdown = linkNested.ReplaceAllString(markdown, "$1")
	var b strings.Builder
	for rest := markdown; rest != ""; {
		if n := marks(rest); n > 0 {
			rest = rest[n:]
			continue
		}
		n := len(rest)
		if next := strings.IndexAny(rest[1:], "\\`*<"); next >= 0 {
			n = 1 + next
		}
		b.WriteString(rest[:n])
		rest = rest[n:]
	}
	return b.String()
}

// marks returns how many bytes of markup a text begins with.
func marks(text string) int {
	switch text[0] {
	case '`', '*':
		return 1
	case '<':
		return len(tag.FindString(text))
	case '\\':
		next, size := utf8.DecodeRuneInString(text[1:])
		if size > 0 && next != '_' && !wordly(next) && !spaces.MatchString(text[1:]) {
			return 1
		}
	}
	return 0
}
