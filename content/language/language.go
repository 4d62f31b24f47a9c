// Package language tells which language a text is written in.
//
// It looks at the scripts of the letters first, which decides most languages
// that are not written in Latin or Cyrillic letters. Those that are, it tells
// apart by their most frequent words and by the letters that only they have. A
// few hundred words of text are enough; where they are not, it says nothing.
package language

import (
	"unicode"
	"unicode/utf8"
)

// maxText bounds how much of a text is looked at, in bytes.
const maxText = 16 << 10

// minLetters is how many letters it takes to say anything.
const minLetters = 20

// Detect returns the ISO 639-1 code of the language of a text, or "" if it cannot
// tell. The same text always gives the same answer.
func Detect(text string) string {
	if len(text) > maxText {
		text = text[:maxText]
	}
	c := countLetters(text)
	if c.total < minLetters {
		return ""
	}
	s := c.leading()
	switch s {
	case latin, cyrillic:
		return byWords(text, s)
	case han:
		return c.eastAsian()
	case arabic:
		return c.arabic()
	}
	return codes[s]
}

// script is a writing system, or a set of letters that tells languages apart.
type script int

const (
	other script = iota
	latin
	cyrillic
	han
	kana
	hangul
	arabic
	greek
	hebrew
	thai
	devanagari
	bengali
	gurmukhi
	gujarati
	tamil
	telugu
	kannada
	malayalam
	sinhala
	lao
	burmese
	georgian
	armenian
	ethiopic
	khmer
	scripts
)

// codes are the languages of the scripts that stand for one.
var codes = [scripts]string{
	hangul: "ko", kana: "ja", greek: "el", hebrew: "he", thai: "th", devanagari: "hi", bengali: "bn", gurmukhi: "pa",
	gujarati: "gu", tamil: "ta", telugu: "te", kannada: "kn", malayalam: "ml", sinhala: "si", lao: "lo", burmese: "my",
	georgian: "ka", armenian: "hy", ethiopic: "am", khmer: "km",
}

// ranges are the letters of the scripts beyond ASCII, in order.
var ranges = [...]struct {
	low, high rune
	script    script
}{
	{0xC0, 0x24F, latin}, {0x370, 0x3FF, greek}, {0x400, 0x52F, cyrillic},
	{0x530, 0x58F, armenian}, {0x590, 0x5FF, hebrew}, {0x600, 0x6FF, arabic}, {0x750, 0x77F, arabic},
	{0x900, 0x97F, devanagari}, {0x980, 0x9FF, bengali}, {0xA00, 0xA7F, gurmukhi}, {0xA80, 0xAFF, gujarati},
	{0xB80, 0xBFF, tamil}, {0xC00, 0xC7F, telugu}, {0xC80, 0xCFF, kannada}, {0xD00, 0xD7F, malayalam},
	{0xD80, 0xDFF, sinhala}, {0xE00, 0xE7F, thai}, {0xE80, 0xEFF, lao}, {0x1000, 0x109F, burmese},
	{0x10A0, 0x10FF, georgian}, {0x1200, 0x137F, ethiopic}, {0x1780, 0x17FF, khmer}, {0x1E00, 0x1EFF, latin},
	{0x1F00, 0x1FFF, greek}, {0x3041, 0x30FF, kana}, {0x3400, 0x9FFF, han}, {0xAC00, 0xD7A3, hangul},
	{0xF900, 0xFAFF, han}, {0xFB50, 0xFDFF, arabic}, {0xFE70, 0xFEFC, arabic}, {0xFF66, 0xFF9D, kana}, {0x20000, 0x2FFFF, han},
}

func scriptOf(r rune) script {
	if r < utf8.RuneSelf {
		if 'a' <= r|0x20 && r|0x20 <= 'z' {
			return latin
		}
		return other
	}
	low, high := 0, len(ranges)
	for low < high {
		mid := (low + high) / 2
		switch {
		case r < ranges[mid].low:
			high = mid
		case r > ranges[mid].high:
			low = mid + 1
		default:
			return ranges[mid].script
		}
	}
	return other
}

// counts are the letters of a text by their scripts.
type counts struct {
	by              [scripts]int
	total           int
	persian, urdu   int // letters that Arabic does not have
	pashto, kurdish int
}

func countLetters(text string) (c counts) {
	for _, r := range text {
		s := scriptOf(r)
		if s == other || s == arabic && !unicode.IsLetter(r) {
			continue
		}
		c.by[s]++
		c.total++
		if s == arabic {
			c.noteArabic(r)
		}
	}
	return c
}

func (c *counts) noteArabic(r rune) {
	switch r {
	case 'پ', 'چ', 'ژ', 'گ', 'ک', 'ی':
		c.persian++
	case 'ٹ', 'ڈ', 'ڑ', 'ے', 'ں', 'ہ':
		c.urdu++
	case 'ښ', 'ځ', 'څ', 'ډ', 'ړ', 'ټ', 'ې', 'ۍ':
		c.pashto++
	case 'ێ', 'ۆ', 'ە', 'ڵ', 'ڕ':
		c.kurdish++
	}
}

// leading returns the script of the text. A sign of Chinese, Japanese or Korean
// says as much as several letters, and pages in those and other scripts are
// full of English names: Latin letters count for less.
func (c *counts) leading() script {
	weight := func(s script) int {
		switch s {
		case latin:
			return c.by[s]
		case han, hangul:
			return 6 * c.by[s]
		case kana:
			return 0 // counted as Han: Japanese is told apart later
		}
		return 2 * c.by[s]
	}
	c.by[han] += c.by[kana]
	best := latin
	for s := latin; s < scripts; s++ {
		if weight(s) > weight(best) {
			best = s
		}
	}
	return best
}

// eastAsian tells Japanese, which mixes its signs with Chinese ones, from Chinese.
func (c *counts) eastAsian() string {
	if c.by[kana]*12 > c.by[han] {
		return "ja"
	}
	return "zh"
}

// arabic tells the languages apart that are written in Arabic letters.
func (c *counts) arabic() string {
	few := c.by[arabic] / 50
	switch {
	case c.urdu > 2*few:
		return "ur"
	case c.pashto > few:
		return "ps"
	case c.kurdish > 2*few:
		return "ckb"
	case c.persian > 2*few:
		return "fa"
	}
	return "ar"
}

// byWords tells languages of one script apart by their frequent words and letters.
func byWords(text string, s script) string {
	var score [languages]int
	known := profiles()
	tokens := 0
	var word [24]byte
	n, tooLong := 0, false
	for i := 0; i <= len(text); {
		r, size := utf8.DecodeRuneInString(text[i:])
		if size > 0 && (scriptOf(r) == s || r == '\'' && n > 0) {
			r = unicode.ToLower(r)
			if r >= utf8.RuneSelf {
				known.letters[r].add(&score, 2)
			}
			if n+utf8.UTFMax > len(word) {
				tooLong = true
			} else {
				n += utf8.EncodeRune(word[n:], r)
			}
			i += size
			continue
		}
		if n > 0 {
			tokens++
			if !tooLong {
				known.words[string(word[:n])].add(&score, 12)
			}
		}
		n, tooLong = 0, false
		i += max(size, 1)
	}
	return decide(&score, tokens)
}

// decide returns the language of the highest score if that is high enough and
// well above the others.
func decide(score *[languages]int, tokens int) string {
	best, second := 0, 0
	for i := range score {
		if score[i] > score[best] {
			best = i
		}
	}
	for i := range score {
		if i != best && score[i] > second {
			second = score[i]
		}
	}
	clear := score[best] >= tokens && score[best]*9 > second*10
	alone := score[best]*3 >= tokens && score[best] > 3*second
	if tokens < 5 || !clear && !alone {
		return ""
	}
	return profileTable[best].code
}
