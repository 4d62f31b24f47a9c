// Package notation knows how texts write words, numbers and dates.
//
// The same number is 1,299.50 in one country and 1.299,50 in another, and 1.299 is
// one number here and another there; with days and months it is no better. So what
// stands in a text is a [Mention] with all its readings, each in one canonical
// form: 1299.5, 2024-03-31. Whoever looks a number up takes any of them, whoever
// wants to know the one that is meant can see that it is not clear.
//
// Texts are given in lower case, with digits of ASCII, plain hyphens and plain
// spaces.
package notation

import (
	"unicode"
	"unicode/utf8"
)

// Mention is a number or a date in a text, from one byte to before another, with
// everything that it can mean.
type Mention struct {
	From, To int
	Readings []string
}

// Words yields where the words of a text begin and end. In scripts that write
// without spaces every character is one.
func Words(s string) func(yield func(from, to int) bool) {
	return func(yield func(from, to int) bool) {
		from, last := -1, rune(0)
		for i, r := range s {
			if from >= 0 && !SameWord(last, r) {
				if !yield(from, i) {
					return
				}
				from = -1
			}
			if from < 0 && IsWord(r) {
				from = i
			}
			last = r
		}
		if from >= 0 {
			yield(from, len(s))
		}
	}
}

// SameWord reports whether two characters beside one another are of one word.
func SameWord(a, b rune) bool {
	return IsWord(a) && IsWord(b) && !Dense(a) && !Dense(b)
}

// IsWord reports whether a character can be of a word: a letter, a digit or a mark
// above or below one.
func IsWord(r rune) bool {
	if r < utf8.RuneSelf {
		return 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9'
	}
	return r != utf8.RuneError && (unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.Is(unicode.M, r))
}

// Dense reports whether a character is of a script that is written without spaces
// between words.
func Dense(r rune) bool {
	return r >= 0x0e00 && unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar)
}
