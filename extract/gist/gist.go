// Package gist finds the sentences that say most of a text.
//
// It knows no language. A sentence is central if it shares its words with many
// others, the words that occur in every sentence counting little, and if it
// stands where texts say what they are about: at the beginning. The best
// sentences are returned as they stand in the text and in its order, without
// those that repeat one another.
//
// Time and memory are in proportion to the text, of which only the first
// sentences are compared; sentence.go finds them in markdown.
package gist

import (
	"math"
	"sort"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/trawlhq/trawl/extract/notation"
)

const (
	maxSentences = 400
	maxWords     = 60  // of a sentence that are compared
	redundant    = 0.6 // how alike two sentences of a summary may be
)

// Summarize returns the most central sentences of a text in markdown, in their
// order and at most so many. It is empty for a text without sentences.
func Summarize(markdown string, most int) string {
	list := sentences(markdown, maxSentences)
	if len(list) == 0 || most <= 0 {
		return ""
	}
	vectors, center := vectorize(list)
	order := make([]int, len(list))
	scores := make([]float64, len(list))
	for i := range list {
		order[i] = i
		scores[i] = score(vectors[i], center, &list[i])
	}
	sort.SliceStable(order, func(a, b int) bool { return scores[order[a]] > scores[order[b]] })
	var chosen []int
	for _, i := range order {
		if len(chosen) == most {
			break
		}
		if !repeats(vectors, chosen, i) {
			chosen = append(chosen, i)
		}
	}
	sort.Ints(chosen)
	texts := make([]string, len(chosen))
	for k, i := range chosen {
		texts[k] = list[i].text
	}
	return joinSentences(texts)
}

// Plain returns the running text of markdown if it has no more than so many
// bytes, else nothing.
func Plain(markdown string, most int) string {
	var b strings.Builder
	for paragraph := range paragraphs(markdown[:min(len(markdown), maxScan)]) {
		if b.Len() > 0 {
			b.WriteByte(' ')
		}
		if b.WriteString(paragraph); b.Len() > most {
			return ""
		}
	}
	return b.String()
}

// joinSentences puts spaces between sentences, but not between those of scripts
// that have none.
func joinSentences(texts []string) string {
	var b strings.Builder
	for i, text := range texts {
		if i > 0 {
			if last, _ := utf8.DecodeLastRuneInString(strings.TrimRight(texts[i-1], "”’」』")); !strings.ContainsRune("。！？｡", last) {
				b.WriteByte(' ')
			}
		}
		b.WriteString(text)
	}
	return b.String()
}

// vector is what a sentence is about: its words with their weights, of length 1.
type vector map[string]float64

// vectorize returns the vectors of sentences and their sum. A word weighs more
// the fewer sentences have it.
func vectorize(list []sentence) (vectors []vector, center vector) {
	having := map[string]int{}
	vectors = make([]vector, len(list))
	for i := range list {
		vectors[i] = vector{}
		for _, word := range Terms(list[i].text, maxWords) {
			if vectors[i][word]++; vectors[i][word] == 1 {
				having[word]++
			}
		}
	}
	center = vector{}
	for _, v := range vectors {
		for word, count := range v {
			v[word] = (1 + math.Log(count)) * math.Log(1+float64(len(list))/float64(having[word]))
		}
		v.normalize()
		for word, weight := range v {
			// A word of one sentence alone connects it with nothing.
			if having[word] > 1 || len(list) == 1 {
				center[word] += weight
			}
		}
	}
	center.normalize()
	return vectors, center
}

// normalize gives a vector the length 1.
func (v vector) normalize() {
	squares := make([]float64, 0, len(v))
	for _, weight := range v {
		squares = append(squares, weight*weight)
	}
	length := math.Sqrt(total(squares))
	for word := range v {
		v[word] /= max(length, 1e-9)
	}
}

// total adds numbers up, the small ones first: maps have no order, and the same
// text must always have the same summary.
func total(list []float64) float64 {
	sort.Float64s(list)
	sum := 0.0
	for _, x := range list {
		sum += x
	}
	return sum
}

// dot returns how alike two vectors are, from 0 to 1.
func (v vector) dot(other vector) float64 {
	if len(other) < len(v) {
		v, other = other, v
	}
	products := make([]float64, 0, len(v))
	for word, weight := range v {
		if known, ok := other[word]; ok {
			products = append(products, weight*known)
		}
	}
	return total(products)
}

// score returns how much a sentence says of the text.
func score(v, center vector, s *sentence) float64 {
	place := 1 / (1 + 0.15*float64(s.place))
	size := 1.0
	switch {
	case s.weight < 6:
		size = 0.5
	case s.weight > 50:
		size = 0.7
	}
	if s.leading {
		place += 0.15
	}
	return size*v.dot(center) + 0.4*place
}

// repeats reports whether a sentence says again what a chosen one does.
func repeats(vectors []vector, chosen []int, i int) bool {
	for _, k := range chosen {
		if vectors[k].dot(vectors[i]) > redundant {
			return true
		}
	}
	return false
}

// Terms returns the first words of a text: runs of letters and digits in lower
// case and, of scripts without spaces, pairs of characters.
func Terms(text string, most int) []string {
	var list []string
	var word []rune
	var before rune
	flush := func() {
		if len(word) > 1 {
			list = append(list, string(word))
		}
		word = word[:0]
	}
	for _, r := range text {
		if len(list) == most {
			return list
		}
		switch {
		case notation.Dense(r):
			flush()
			if before != 0 {
				list = append(list, string([]rune{before, r}))
			}
			before = r
			continue
		case unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r):
			word = append(word, unicode.ToLower(r))
		default:
			flush()
		}
		before = 0
	}
	flush()
	return list
}
