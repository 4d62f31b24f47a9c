package gist

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/trawlhq/trawl/extract/notation"
)

// Limits of what is read.
const (
	maxLine     = 64 << 10 // bytes of a paragraph
	maxSentence = 600      // characters; longer ones are no sentences
	minSentence = 4        // words, or so much as they take
	minUnmarked = 150      // bytes before a space that ends a sentence by itself
	maxScan     = 1 << 20  // bytes of a text in which sentences are looked for
)

// sentence is a sentence of a text.
type sentence struct {
	text    string
	place   int  // how many paragraphs were before its own
	leading bool // the first of its paragraph
	weight  int  // about how many words it has
}

// sentences returns the first sentences of a text in markdown: those of its
// paragraphs and list items, without headings, tables, code, pictures and lists
// of links. None comes twice.
func sentences(markdown string, most int) []sentence {
	if len(markdown) > maxScan {
		markdown = strings.ToValidUTF8(markdown[:maxScan], "")
	}
	var list []sentence
	seen := map[string]bool{}
	place := 0
	for paragraph := range paragraphs(markdown) {
		leading := true
		for text := range split(paragraph) {
			weight := weigh(text)
			if weight < minSentence || utf8.RuneCountInString(text) > maxSentence || seen[text] || !worded(text) {
				continue
			}
			if seen[text] = true; len(list) == most {
				return list
			}
			list = append(list, sentence{text, place, leading, weight})
			leading = false
		}
		if !leading {
			place++
		}
	}
	return list
}

// paragraphs yields the running text of markdown, a paragraph or list item at a
// time, without its markup.
func paragraphs(markdown string) func(func(string) bool) {
	return func(yield func(string) bool) {
		fence, done := "", false
		var gathered strings.Builder
		flush := func() {
			if text := gathered.String(); text != "" && !done {
				gathered.Reset()
				done = !yield(text)
			}
		}
		for line := range strings.Lines(markdown) {
			line = strings.TrimRight(line, "\r\n")
			text := strings.TrimSpace(line)
			switch mark := fenceOf(text); {
			case done:
				return
			case fence != "":
				if mark != "" && strings.HasPrefix(mark, fence) && mark == text {
					fence = ""
				}
			case mark != "":
				flush()
				fence = mark
			case text == "" || isMarkup(line, text):
				flush()
			default:
				item, isItem := cutItem(text)
				if isItem {
					flush()
				}
				if running := strip(item); isRunning(item, running) && gathered.Len() < maxLine {
					if gathered.Len() > 0 {
						gathered.WriteByte(' ')
					}
					gathered.WriteString(running)
				}
			}
		}
		flush()
	}
}

// fenceOf returns the mark of a fence of code, or "".
func fenceOf(line string) string {
	for _, c := range []string{"`", "~"} {
		if mark := line[:len(line)-len(strings.TrimLeft(line, c))]; len(mark) >= 3 {
			return mark
		}
	}
	return ""
}

// isMarkup reports whether a line is a heading, a row of a table, code, a rule or
// the definition of a link.
func isMarkup(line, text string) bool {
	switch {
	case strings.HasPrefix(text, "#"), strings.HasPrefix(text, "|"), strings.HasPrefix(line, "    "), strings.HasPrefix(line, "\t"):
		return true
	case strings.Trim(text, "-=*_ ") == "", strings.Contains(text, " | "):
		return true
	}
	return strings.HasPrefix(text, "[") && strings.Contains(text, "]: ")
}

// cutItem returns a line without the marks of a quotation and a list item, and
// whether it begins one.
func cutItem(text string) (string, bool) {
	for strings.HasPrefix(text, ">") {
		text = strings.TrimSpace(text[1:])
	}
	for _, mark := range []string{"- ", "* ", "+ "} {
		if rest, ok := strings.CutPrefix(text, mark); ok {
			return strings.TrimSpace(rest), true
		}
	}
	digits := strings.TrimLeft(text, "0123456789")
	if len(digits) < len(text) && (strings.HasPrefix(digits, ". ") || strings.HasPrefix(digits, ") ")) {
		return strings.TrimSpace(digits[2:]), true
	}
	return text, false
}

// isRunning reports whether a line is text rather than navigation: it has words
// beside those of its links.
func isRunning(line, text string) bool {
	if text == "" {
		return false
	}
	linked := 0
	for rest := line; ; {
		_, after, ok := strings.Cut(rest, "[")
		label, next, closed := strings.Cut(after, "](")
		if !ok || !closed {
			break
		}
		linked += len(label)
		rest = next
	}
	return linked*2 <= len(text)
}

// strip returns a line without the marks of pictures, links, emphasis and code.
func strip(line string) string {
	var b strings.Builder
	for i := 0; i < len(line); i++ {
		switch c := line[i]; c {
		case '\\':
			if i+1 < len(line) && line[i+1] < utf8.RuneSelf {
				i++
				b.WriteByte(line[i])
			}
		case '!':
			if end := linkEnd(line, i+1); end > 0 {
				i = end
			} else {
				b.WriteByte(c)
			}
		case '[':
			if end := linkEnd(line, i); end > 0 {
				label, _, _ := strings.Cut(line[i+1:end], "](")
				b.WriteString(strings.Trim(label, "*_`"))
				i = end
			} else {
				b.WriteByte(c)
			}
		case '*':
			if alone(line, i) {
				b.WriteByte(c)
			}
		case '`':
		case '_':
			if inWord(line, i) {
				b.WriteByte(c)
			}
		default:
			b.WriteByte(c)
		}
	}
	return strings.Join(strings.Fields(b.String()), " ")
}

// linkEnd returns where the link that begins at i ends, or 0. Links are short:
// looking for their ends takes bounded time.
func linkEnd(line string, i int) int {
	if i >= len(line) || line[i] != '[' {
		return 0
	}
	near := line[i:min(len(line), i+2000)]
	middle := strings.Index(near, "](")
	if middle < 0 || near[middle-1] == '\\' || strings.IndexByte(near[1:middle], '[') >= 0 {
		return 0
	}
	end := strings.IndexByte(near[middle:], ')')
	if end < 0 {
		return 0
	}
	return i + middle + end
}

// alone reports whether the byte at i has spaces on both sides.
func alone(line string, i int) bool {
	return i > 0 && i+1 < len(line) && line[i-1] == ' ' && line[i+1] == ' '
}

func inWord(line string, i int) bool {
	before, _ := utf8.DecodeLastRuneInString(line[:i])
	after, _ := utf8.DecodeRuneInString(line[i+1:])
	return unicode.IsLetter(before) && unicode.IsLetter(after)
}

// split yields the sentences of a paragraph. What has no end is not one, but in
// Thai and Lao, where a space may be all the end there is.
func split(text string) func(func(string) bool) {
	return func(yield func(string) bool) {
		start, end := 0, 0
		last := ' '
		for i, r := range text {
			before := last
			last = r
			if r == ' ' && unmarked(before) && i-start >= minUnmarked {
				if !yield(strings.TrimSpace(text[start:i])) {
					return
				}
				start, end = i, i
				continue
			}
			if !isEnd(r) || i < end {
				continue
			}
			end = afterQuotes(text, i+utf8.RuneLen(r))
			wide := r > unicode.MaxLatin1 && r != '…'
			if !wide && !ends(text, start, i, end) {
				continue
			}
			if s := strings.TrimSpace(text[start:end]); s != "" && !yield(s) {
				return
			}
			start = end
		}
		if s := strings.TrimSpace(text[start:]); s != "" && unmarked(last) {
			yield(s)
		}
	}
}

// unmarked reports whether a character is of a script whose sentences have no
// mark at their end.
func unmarked(r rune) bool { return unicode.In(r, unicode.Thai, unicode.Lao) }

func isEnd(r rune) bool {
	switch r {
	case '.', '!', '?', '…', '。', '！', '？', '｡', '؟', '۔', '।', '॥', '។', '။', '።', '։':
		return true
	}
	return false
}

// afterQuotes returns where further ends and closing quotes and brackets stop.
func afterQuotes(text string, i int) int {
	for i < len(text) {
		r, size := utf8.DecodeRuneInString(text[i:])
		if !isEnd(r) && !strings.ContainsRune(`"'”’»)]」』`, r) {
			break
		}
		i += size
	}
	return i
}

// ends reports whether the mark at i, with what belongs to it up to end, ends a
// sentence: white space follows and then no small letter, and what is before a
// dot is no abbreviation, initial or number of a list.
func ends(text string, start, i, end int) bool {
	if end < len(text) && text[end] != ' ' {
		return false
	}
	if next := strings.TrimLeft(text[end:], " \"'“‘«([¿¡"); next != "" {
		if r, _ := utf8.DecodeRuneInString(next); unicode.IsLower(r) {
			return false
		}
	}
	if text[i] != '.' || end == len(text) {
		return true
	}
	word := text[start:i]
	word = strings.TrimLeft(word[strings.LastIndexByte(word, ' ')+1:], "(\"'“")
	if utf8.RuneCountInString(word) < 2 || strings.Contains(word, ".") && len(word) < 6 {
		return false
	}
	return !isAbbreviation(strings.ToLower(word))
}

func isAbbreviation(word string) bool {
	switch word {
	case "mr", "mrs", "ms", "dr", "prof", "st", "vs", "etc", "inc", "ltd", "co", "corp", "jr", "sr", "no", "nr", "vol", "fig", "approx",
		"dept", "est", "e.g", "i.e", "z.b", "d.h", "u.a", "bzw", "ca", "usw", "vgl", "hr", "fr", "str", "abs", "art", "bspw", "evtl", "ggf",
		"sra", "srta", "dra", "ud", "uds", "pág", "núm", "mme", "mlle", "jan", "feb", "apr", "aug", "sept", "sep", "oct", "nov", "dec", "okt", "dez",
		"gen", "col", "lt", "sgt", "rev", "hon", "al", "pp", "ed", "eds":
		return true
	}
	return false
}

// weigh returns about how many words a text has.
func weigh(text string) int {
	count, characters := strings.Count(text, " ")+1, 0
	for _, r := range text {
		if notation.Dense(r) {
			characters++
		}
	}
	return count + characters/2
}

// worded reports whether a text is mostly letters.
func worded(text string) bool {
	letters, all := 0, 0
	for _, r := range text {
		if all++; unicode.IsLetter(r) || unicode.IsMark(r) || r == ' ' {
			letters++
		}
	}
	return letters*10 >= all*7
}
