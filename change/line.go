package change

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// line is a line with words in it. Empty ones are not kept: they are known by the
// numbers that are missing.
type line struct {
	text   string // without its end
	number int32  // from 1, the empty ones counted
	word   int32  // the same for lines with the same words
}

// lines are the lines of a text.
type lines struct {
	list []line
	all  int32 // how many there are, with the empty ones
}

// number returns that of a line with words; behind the last one, that of the line
// that would follow the text.
func (l *lines) number(i int) int32 {
	if i < len(l.list) {
		return l.list[i].number
	}
	return l.all + 1
}

// vocabulary numbers lines by their words.
type vocabulary map[string]int32

// read takes a text apart.
func (v vocabulary) read(text string) *lines {
	// A line with words has two bytes or more.
	l := &lines{list: make([]line, 0, min(strings.Count(text, "\n"), len(text)/2)+1)}
	for raw := range strings.Lines(text) {
		l.all++
		folded := fold(raw)
		if folded == "" {
			continue
		}
		word, known := v[folded]
		if !known {
			word = int32(len(v))
			v[folded] = word
		}
		l.list = append(l.list, line{strings.TrimRight(raw, "\r\n"), l.all, word})
	}
	return l
}

// fold returns the words of a line with one space between them. Most lines are so
// already and need no copy.
func fold(s string) string {
	s = strings.TrimSpace(s)
	space := false
	for _, r := range s {
		odd := r != ' ' && unicode.IsSpace(r)
		if odd || space && r == ' ' {
			return squeeze(s)
		}
		space = r == ' '
	}
	return s
}

func squeeze(s string) string {
	b := make([]byte, 0, len(s))
	space := false
	for i, r := range s {
		if unicode.IsSpace(r) {
			space = true
			continue
		}
		if space {
			b, space = append(b, ' '), false
		}
		_, size := utf8.DecodeRuneInString(s[i:])
		b = append(b, s[i:i+size]...) // also what is no character stays what it is
	}
	return string(b)
}
