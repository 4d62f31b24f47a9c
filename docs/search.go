package docs

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"unicode"

	"github.com/yuin/goldmark/ast"
)

// Bounds of a search.
const (
	MostQuery = 100 // characters
	mostWords = 8
	mostHits  = 30
	around    = 90 // bytes of text on either side of a word that was found
)

// Hit is a section that a search found.
type Hit struct {
	Page    string // title of its page
	Heading string // empty for what stands before the first heading
	Link    string
	Snippet []Piece
}

// Piece is a part of a text; Found if it is a word of the query.
type Piece struct {
	Text  string
	Found bool
}

// section is a part of a page under a heading. Title, name and body are those of the
// page, the heading and the text, in small letters.
type section struct {
	page                *Page
	heading, link, text string
	title, name, body   string
}

// Search returns the sections that have all words of a query, the best first. It
// does not tell capitals from small letters.
func (b *Book) Search(query string) []Hit {
	words := wordsOf(query)
	if len(words) == 0 {
		return nil
	}
	type scored struct {
		section section
		score   int
	}
	var found []scored
	for _, s := range b.search() {
		if score := s.score(words); score > 0 {
			found = append(found, scored{s, score})
		}
	}
	slices.SortStableFunc(found, func(a, b scored) int { return cmp.Compare(b.score, a.score) })
	var hits []Hit
	for _, f := range found[:min(len(found), mostHits)] {
		hits = append(hits, f.section.hit(words))
	}
	return hits
}

// About returns the sections that fit a question best, the best first. Unlike those of
// a search they need not have all its words; rare words count more than common ones.
func (b *Book) About(question string) []Hit {
	words := wordsOf(question)
	sections := b.search()
	weights := map[string]float64{}
	for _, word := range words {
		having := 0
		for _, s := range sections {
			if s.has(word) {
				having++
			}
		}
		if having > 0 {
			weights[word] = math.Log(float64(len(sections)+1) / float64(having))
		}
	}
	type scored struct {
		section section
		score   float64
	}
	var found []scored
	for _, s := range sections {
		f := scored{section: s}
		for word, weight := range weights {
			if n := s.score([]string{word}); n > 0 {
				f.score += weight * math.Log(float64(n+1))
			}
		}
		if f.score > 0 {
			found = append(found, f)
		}
	}
	slices.SortStableFunc(found, func(a, b scored) int { return cmp.Compare(b.score, a.score) })
	var hits []Hit
	for _, f := range found[:min(len(found), mostHits)] {
		hits = append(hits, f.section.hit(words))
	}
	return hits
}

func (s section) has(word string) bool {
	return strings.Contains(s.body, word) || strings.Contains(s.name, word)
}

func (s section) hit(words []string) Hit {
	return Hit{Page: s.page.Title, Heading: s.heading, Link: s.link, Snippet: s.snippet(words)}
}

// wordsOf returns the words of a query in small letters, each once.
func wordsOf(query string) []string {
	var words []string
	for word := range strings.FieldsFuncSeq(strings.ToLower(strings.ToValidUTF8(query, " ")), unicode.IsSpace) {
		if word = strings.Trim(word, "`\"'.,;?!()"); word != "" && !slices.Contains(words, word) {
			words = append(words, word)
		}
	}
	return words[:min(len(words), mostWords)]
}

// score says how well a section fits: not at all, if a word is nowhere in it. A word
// counts most in the heading, less in the title of the page, least in the text.
func (s section) score(words []string) int {
	score := 0
	for _, word := range words {
		n := min(strings.Count(s.body, word), 5)
		if strings.Contains(s.name, word) {
			n += 20
		}
		if n == 0 {
			return 0
		}
		if strings.Contains(s.title, word) {
			n += 10
		}
		score += n
	}
	return score
}

// snippet returns the surroundings of the first word that a section has in its text,
// with all words in them marked.
func (s section) snippet(words []string) []Piece {
	text := s.text
	first, _ := next(s.body, words)
	if len(s.body) != len(text) { // some letters are longer in the other case
		first = 0
	}
	start, end := afterSpace(text, first-around), afterSpace(text, first+2*around)
	var pieces []Piece
	if start > 0 {
		pieces = append(pieces, Piece{Text: "… "})
	}
	for rest := text[start:end]; rest != ""; {
		at, length := next(lower(rest), words)
		if length == 0 {
			at = len(rest)
		}
		pieces = append(pieces, Piece{Text: rest[:at]}, Piece{Text: rest[at : at+length], Found: true})
		rest = rest[at+length:]
	}
	if end < len(text) {
		pieces = append(pieces, Piece{Text: " …"})
	}
	return slices.DeleteFunc(pieces, func(p Piece) bool { return p.Text == "" })
}

// next returns where the first of some words is in a text of small letters, and how
// long it is there; 0 and 0 if none is.
func next(text string, words []string) (at, length int) {
	for _, word := range words {
		if i := strings.Index(text, word); i >= 0 && (length == 0 || i < at) {
			at, length = i, len(word)
		}
	}
	return at, length
}

// lower returns a text in small letters, or nothing if places in it would shift.
func lower(text string) string {
	if small := strings.ToLower(text); len(small) == len(text) {
		return small
	}
	return ""
}

// afterSpace returns where the word after a position begins: where a text can be cut.
func afterSpace(text string, at int) int {
	if at <= 0 {
		return 0
	}
	if space := strings.IndexByte(text[min(at, len(text)):], ' '); space >= 0 {
		return at + space + 1
	}
	return len(text)
}

// index takes all pages apart.
func (b *Book) index() []section {
	var list []section
	for _, group := range b.Groups {
		for _, page := range group.Pages {
			list = append(list, b.sections(page)...)
		}
	}
	return list
}

func (b *Book) sections(p *Page) []section {
	source := []byte(p.text())
	current := section{page: p, link: b.root + "/" + p.Path}
	var list []section
	for node := b.parse(p, source).FirstChild(); node != nil; node = node.NextSibling() {
		heading, ok := node.(*ast.Heading)
		if !ok {
			current.text += " " + plain(node, source)
			continue
		}
		if heading.Level > 1 {
			list = append(list, current.ready())
			current = section{page: p, heading: plain(heading, source), link: b.root + "/" + p.Path + "#" + anchor(heading)}
		}
	}
	return append(list, current.ready())
}

// ready completes a section whose text is.
func (s section) ready() section {
	s.text = strings.TrimSpace(s.text)
	s.title, s.name, s.body = strings.ToLower(s.page.Title), strings.ToLower(s.heading), strings.ToLower(s.text)
	return s
}
