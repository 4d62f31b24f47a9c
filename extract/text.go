package extract

import (
	"html"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"github.com/trawlhq/trawl/extract/notation"
)

// Bounds of looking values up in one page. They are far beyond what an honest
// answer needs; past them a value counts as neither found nor missing.
const (
	maxText    = 4 << 20   // bytes of a page that are looked at
	lookBudget = 4_000_000 // places that are compared with
	maxQuote   = 160       // characters
)

// text is the text of a page, ready to have many values looked up in it. It is
// kept twice: as people read it, for quotes, and folded, for comparisons.
type text struct {
	plain  string
	folded string
	at     []int32            // where each byte of folded is in plain
	words  map[string][]int32 // where each word begins in folded
	budget int
	found  map[string]span // what was looked up before
	alone  map[string]bool // and whether it stands alone

	numbers map[string]span // see number.go
	stream  digitStream
	dates   map[string]span
	times   map[string]bool // of the day
	host    string          // of the page
}

// span is a piece of the folded text. The zero span is nowhere.
type span struct{ from, to int32 }

func (s span) ok() bool { return s.to > s.from }

// newText prepares pieces of markdown and other text, each on lines of its own.
func newText(pieces ...string) *text {
	var c cleaner
	for _, piece := range pieces {
		c.out.Grow(min(len(piece), maxText) + 1)
		c.clean(piece)
	}
	c.cleanTargets()
	t := &text{plain: c.out.String(), budget: lookBudget, found: map[string]span{}, alone: map[string]bool{}}
	t.folded, t.at = foldAll(t.plain, true)
	t.words = indexWords(t.folded)
	return t
}

// find looks a text up, whole words only.
func (t *text) find(value string) span {
	needle := foldText(value)
	if needle == "" {
		return span{}
	}
	if s, ok := t.found[needle]; ok {
		return s
	}
	s := t.lookUp(needle, t.bounded)
	t.found[needle] = s
	return s
}

// lookUp compares at the places where the rarest word of the needle stands. What
// is around it must be fitting, too.
func (t *text) lookUp(needle string, fitting func(from, to int) bool) span {
	var places []int32
	offset, known := 0, false
	for from, to := range notation.Words(needle) {
		list := t.words[needle[from:to]]
		if len(list) == 0 {
			return span{}
		}
		if !known || len(list) < len(places) {
			places, offset, known = list, from, true
		}
	}
	if !known {
		return t.lookUpMarks(needle)
	}
	for _, place := range places {
		if t.budget--; t.budget < 0 {
			return span{}
		}
		from := int(place) - offset
		if from >= 0 && strings.HasPrefix(t.folded[from:], needle) && fitting(from, from+len(needle)) {
			return span{int32(from), int32(from + len(needle))}
		}
	}
	return span{}
}

// lookUpMarks finds a text without any word in it.
func (t *text) lookUpMarks(needle string) span {
	if t.budget -= len(t.folded) / 16; t.budget < 0 {
		return span{}
	}
	i := strings.Index(t.folded, needle)
	if i < 0 {
		return span{}
	}
	return span{int32(i), int32(i + len(needle))}
}

// spent reports whether too much was looked up: what is not found may be there.
func (t *text) spent() bool { return t.budget < 0 }

// bounded reports whether a piece begins and ends where words do.
func (t *text) bounded(from, to int) bool {
	before, _ := utf8.DecodeLastRuneInString(t.folded[:from])
	first, _ := utf8.DecodeRuneInString(t.folded[from:])
	last, _ := utf8.DecodeLastRuneInString(t.folded[:to])
	after, _ := utf8.DecodeRuneInString(t.folded[to:])
	return !notation.SameWord(before, first) && !notation.SameWord(last, after)
}

// quote returns a piece as it stands in the page, with the words around it.
func (t *text) quote(s span) string {
	from, to := int(t.at[s.from]), int(t.at[s.to-1])
	_, size := utf8.DecodeRuneInString(t.plain[to:])
	to += size
	if n := utf8.RuneCountInString(t.plain[from:to]); n < maxQuote {
		room := (maxQuote - n) / 2
		from = t.expand(from, room, -1)
		to = t.expand(to, room, +1)
	}
	return cut(strings.Join(strings.Fields(t.plain[from:to]), " "), maxQuote)
}

// expand moves an end of a quote by up to so many characters, not past the line
// and not into a word.
func (t *text) expand(i, room, step int) int {
	edge := i
	for range room {
		r, size := utf8.DecodeRuneInString(t.plain[i:])
		if step < 0 {
			r, size = utf8.DecodeLastRuneInString(t.plain[:i])
		}
		if size == 0 || r == '\n' {
			return i
		}
		if r == ' ' {
			edge = i
		}
		i += step * size
	}
	return edge
}

// standsAlone reports whether a text is all of a line, of a cell of a table, or
// of what follows a colon.
func (t *text) standsAlone(value string) bool {
	needle := foldText(value)
	if needle == "" {
		return false
	}
	alone, known := t.alone[needle]
	if !known {
		alone = t.searchAlone(needle)
		t.alone[needle] = alone
	}
	return alone
}

func (t *text) searchAlone(needle string) bool {
	for from := 0; ; {
		i := strings.Index(t.folded[from:], needle)
		if i < 0 {
			return false
		}
		if t.budget -= 1 + i/16; t.budget < 0 {
			return false
		}
		from += i
		last := int(t.at[from+len(needle)-1])
		_, size := utf8.DecodeRuneInString(t.plain[last:])
		before := strings.TrimRight(t.plain[:t.at[from]], " ")
		after := strings.TrimLeft(t.plain[last+size:], " ")
		if (before == "" || strings.IndexByte("\n|:", before[len(before)-1]) >= 0) &&
			(after == "" || strings.IndexByte("\n|.,;", after[0]) >= 0) {
			return true
		}
		from += len(needle)
	}
}

// cleaner writes markdown as people read it: without escapes, emphasis and the
// like. The targets of links come at the end.
type cleaner struct {
	out     strings.Builder
	last    rune // written last
	targets []string
	scanned int // bytes in search of the end of a target
}

func (c *cleaner) clean(s string) {
	s = norm.NFC.String(s)
	if room := maxText - c.out.Len(); len(s) > room {
		s = s[:cutAt(s, max(room, 0))]
	}
	c.write('\n')
	for i := 0; i < len(s); {
		i += c.step(s[i:])
	}
}

func (c *cleaner) cleanTargets() {
	targets := c.targets
	for _, target := range targets {
		c.clean(target)
	}
}

// step writes what a text begins with and returns how much that was.
func (c *cleaner) step(s string) int {
	switch b := s[0]; b {
	case '\\':
		if len(s) > 1 && isPunctuation(s[1]) {
			c.write(rune(s[1]))
			return 2
		}
	case '*', '_', '`', '~':
		return c.marks(s)
	case '!':
		if strings.HasPrefix(s, "![") {
			return 2
		}
	case '[':
		c.part(s[1:])
		return 1
	case ']':
		size := 1
		if target, ok := c.target(s); ok {
			c.targets = append(c.targets, target)
			size = len("](") + len(target) + len(")")
		}
		c.part(s[size:])
		return size
	case '#', '>':
		if c.last == '\n' {
			return 1
		}
	case '&':
		if end := strings.IndexByte(s[:min(len(s), 12)], ';'); end > 0 {
			for _, r := range html.UnescapeString(s[:end+1]) {
				c.write(r)
			}
			return end + 1
		}
	}
	r, size := utf8.DecodeRuneInString(s)
	if r != ' ' || c.last != '\n' {
		c.write(r)
	}
	return size
}

// part keeps the number of a footnote apart from one that it stands behind.
func (c *cleaner) part(after string) {
	if after != "" && notation.IsDigit(after[0]) && '0' <= c.last && c.last <= '9' {
		c.write(' ')
	}
}

// marks drops signs of emphasis, but not those inside a word, or inside an
// address such as /Mercury_(planet).
func (c *cleaner) marks(s string) int {
	n := len(s) - len(strings.TrimLeft(s, s[:1]))
	after, _ := utf8.DecodeRuneInString(s[n:])
	if notation.IsWord(c.last) && (notation.IsWord(after) || s[0] == '_' && after == '(') {
		for _, r := range s[:n] {
			c.write(r)
		}
	}
	return n
}

func (c *cleaner) write(r rune) {
	if !unseen(r) {
		c.out.WriteRune(r)
		c.last = r
	}
}

// unseen reports whether a character takes no room: marks of direction, joiners,
// controls, letters that only machines see. A page may have them anywhere, and
// nobody who reads it would know.
func unseen(r rune) bool {
	switch {
	case r < utf8.RuneSelf:
		return (r < ' ' || r == 0x7f) && r != '\n' && r != '\t' && r != '\r'
	case '\ufe00' <= r && r <= '\ufe0f': // variants of the character before
		return true
	}
	return unicode.In(r, unicode.Cf, unicode.Cc)
}

// target returns the target that follows the text of a link. The search is
// bounded, for each of them and for all together.
func (c *cleaner) target(s string) (string, bool) {
	s, ok := strings.CutPrefix(s, "](")
	if !ok || c.scanned > 4*maxText {
		return "", false
	}
	depth := 1
	for i := range min(len(s), 4096) {
		c.scanned++
		switch s[i] {
		case '(':
			depth++
		case ')':
			if depth--; depth == 0 {
				return s[:i], true
			}
		case '\n':
			return "", false
		}
	}
	return "", false
}

func isPunctuation(b byte) bool {
	return b > ' ' && b < 0x7f && !notation.IsWord(rune(b))
}

// foldText returns a value as it is compared.
func foldText(s string) string {
	var c cleaner
	c.last = '\n'
	for s = norm.NFC.String(s); s != ""; {
		s = s[c.step(s):]
	}
	folded, _ := foldAll(c.out.String(), false)
	return strings.TrimSpace(folded)
}

// foldAll returns a text in lower case, with one kind of quotes, dashes and
// spaces, and where each of its bytes was.
func foldAll(s string, places bool) (string, []int32) {
	b := make([]byte, 0, len(s))
	var at []int32
	if places {
		at = make([]int32, 0, len(s))
	}
	space := false
	for i, r := range s {
		r = foldRune(r)
		if r == ' ' && space {
			continue
		}
		space = r == ' '
		if letters := ligatures[r]; letters != "" {
			b = append(b, letters...)
		} else {
			b = utf8.AppendRune(b, r)
		}
		for places && len(at) < len(b) {
			at = append(at, int32(i))
		}
	}
	return string(b), at
}

// ligatures are characters that stand for several. Texts from print have them.
var ligatures = map[rune]string{'…': "...", 'ﬀ': "ff", 'ﬁ': "fi", 'ﬂ': "fl", 'ﬃ': "ffi", 'ﬄ': "ffl"}

func foldRune(r rune) rune {
	if r < utf8.RuneSelf {
		switch {
		case 'A' <= r && r <= 'Z':
			return r | 0x20
		case r == '\n' || r == '\t' || r == '\r' || r == '\f' || r == '\v':
			return ' '
		}
		return r
	}
	switch r {
	case '‘', '’', '‚', '‛', '´', '′':
		return '\''
	case '“', '”', '„', '‟', '«', '»', '″':
		return '"'
	case '‐', '‑', '‒', '–', '—', '―', '−':
		return '-'
	case '٫':
		return '.'
	case '٬':
		return ','
	}
	switch {
	case unicode.IsSpace(r):
		return ' '
	case '！' <= r && r <= '～': // ASCII as wide as a Chinese character
		return foldRune(r - '！' + '!')
	case unicode.IsDigit(r):
		return digitOf(r)
	}
	return unicode.ToLower(r)
}

// digitOf returns the digit of any script as ASCII has it. Unicode has those of
// one script in a row, from zero to nine.
func digitOf(r rune) rune {
	for _, row := range unicode.Nd.R16 {
		if lo := rune(row.Lo); lo <= r && r <= rune(row.Hi) {
			return '0' + (r-lo)%10
		}
	}
	for _, row := range unicode.Nd.R32 {
		if lo := rune(row.Lo); lo <= r && r <= rune(row.Hi) {
			return '0' + (r-lo)%10
		}
	}
	return r
}

// indexWords returns where the words of a folded text begin.
func indexWords(folded string) map[string][]int32 {
	words := make(map[string][]int32, len(folded)/64)
	for from, to := range notation.Words(folded) {
		word := folded[from:to]
		words[word] = append(words[word], int32(from))
	}
	return words
}

// cut returns the first characters of a text.
func cut(s string, most int) string {
	n := 0
	for i := range s {
		if n++; n > most {
			return strings.TrimSpace(s[:i])
		}
	}
	return s
}
