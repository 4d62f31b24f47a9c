package layout

import (
	"bytes"
	"unicode"
	"unicode/utf8"
)

// joined appends to text what belongs between it and the line that follows: mostly a
// space, and nothing in scripts without. A hyphen at the end of the line goes if the
// word was only broken there.
func (d *document) joined(text, next []byte) []byte {
	last, n := utf8.DecodeLastRune(text)
	first, _ := utf8.DecodeRune(next)
	switch {
	case last == ' ':
		return text
	case isIdeograph(last) && isIdeograph(first):
		return text
	case last != '-' || len(text) == n:
		return append(text, ' ')
	}
	hyphen := len(text) - n
	before, _ := utf8.DecodeLastRune(text[:hyphen])
	switch {
	case !unicode.IsLetter(before) && !unicode.IsDigit(before):
		return append(text, ' ') // a dash
	case !unicode.IsLetter(before):
		return text
	}
	start := wordStart(text, hyphen)
	a, b := text[start:hyphen], next[:wordEnd(next, 0)]
	if (unicode.IsLower(first) || capitals(a) && capitals(b) && capitals(text[:start])) && !d.compound(a, b) {
		return text[:hyphen]
	}
	return text
}

// capitals reports whether the last letters of a text, two at least, are capitals.
func capitals(text []byte) bool {
	end := len(text)
	for end > 0 {
		c, n := utf8.DecodeLastRune(text[:end])
		if unicode.IsLetter(c) {
			break
		}
		end -= n
	}
	word := text[wordStart(text, end):end]
	return utf8.RuneCount(word) > 1 && bytes.Equal(word, bytes.ToUpper(word))
}

// compound reports whether two parts of a word keep the hyphen between them: if the
// document has the word with it, or both parts as words but not the whole.
func (d *document) compound(a, b []byte) bool {
	whole := hashWord(hashStart, a)
	if d.words[hashWord(hashWord(whole, []byte{'-'}), b)] {
		return true
	}
	return !d.words[hashWord(whole, b)] && len(a) > 2 && len(b) > 2 && d.words[whole] && d.words[hashWord(hashStart, b)]
}

// collect gathers the words of the document, and those with a hyphen within.
func (d *document) collect() {
	d.words = map[uint64]bool{}
	for _, p := range d.pages {
		for i := range p.runs {
			d.collectRun(p.runText(&p.runs[i]))
		}
	}
}

func (d *document) collectRun(text []byte) {
	for i := 0; i < len(text); {
		end := wordEnd(text, i)
		if end == i {
			_, n := utf8.DecodeRune(text[i:])
			i += n
			continue
		}
		if end < len(text) && text[end] == '-' {
			if next := wordEnd(text, end+1); next > end+1 {
				d.words[hashWord(hashStart, text[i:next])] = true
			}
			if end+1 == len(text) { // only a part
				return
			}
		}
		d.words[hashWord(hashStart, text[i:end])] = true
		i = end
	}
}

const hashStart = 14695981039346656037

// hashWord goes on with the hash of a word, without regard to case.
func hashWord(h uint64, word []byte) uint64 {
	for _, b := range word {
		if b >= 'A' && b <= 'Z' {
			b += 'a' - 'A'
		}
		h = (h ^ uint64(b)) * 1099511628211
	}
	return h
}

// wordStart returns where the word that ends at i begins.
func wordStart(text []byte, i int) int {
	for i > 0 {
		c, n := utf8.DecodeLastRune(text[:i])
		if !unicode.IsLetter(c) {
			break
		}
		i -= n
	}
	return i
}

// wordEnd returns where the word that begins at i ends.
func wordEnd(text []byte, i int) int {
	for i < len(text) {
		c, n := utf8.DecodeRune(text[i:])
		if !unicode.IsLetter(c) {
			break
		}
		i += n
	}
	return i
}
