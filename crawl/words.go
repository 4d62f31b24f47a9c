package crawl

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"github.com/trawlhq/trawl"
)

// Words are words that pages are chosen by when little more than their addresses
// is known. Unlike those of [Rank] they come from a whole text, of which no page
// has them all.
type Words struct {
	stems []string
	many  bool // there is a plural among them: pages that are alike are wanted
}

// WordsOf returns the words of a text, each once.
func WordsOf(text string) Words {
	var w Words
	for word := range strings.FieldsSeq(fold(text)) {
		stem := singular(word)
		w.many = w.many || stem != word
		if !slices.Contains(w.stems, stem) {
			w.stems = append(w.stems, stem)
		}
	}
	return w
}

// Fit says how well a page fits the words by the path of its address, its title
// and its description.
func (w Words) Fit(link trawl.MapLink) int {
	t := textOf(link, false)
	sum := 0
	for _, word := range w.stems {
		sum += t.fit(word)
	}
	return sum
}

// Best returns the pages with those in front that are most worth reading, of which
// there are to be so many. A word counts the more the fewer pages have it; the
// name of the host counts only if there are several. Of pages that fit equally
// well, those are chosen that have many like them, which are items more often than
// lists of items, and then those that are deeper in the site. Where no word fits,
// the home page is chosen before them, unless the words are of many things. Those
// in front that fit equally well keep their order, and the list that was passed in
// stays as it is.
func (w Words) Best(links []trawl.MapLink, most int) []trawl.MapLink {
	list := w.candidates(links)
	slices.SortStableFunc(list, func(a, b candidate) int {
		return cmp.Or(cmp.Compare(b.score, a.score), first(a.home, b.home), first(b.listing, a.listing),
			cmp.Compare(b.alike, a.alike), cmp.Compare(b.depth, a.depth))
	})
	slices.SortFunc(list[:min(len(list), most)], func(a, b candidate) int {
		return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(a.place, b.place))
	})
	sorted := make([]trawl.MapLink, len(list))
	for i, c := range list {
		sorted[i] = links[c.place]
	}
	return sorted
}

// candidate is a page to choose, and what decides among those that fit equally.
type candidate struct {
	place         int
	score         float64
	shape         string
	alike, depth  int // pages of the same score and shape, and segments of the path
	home, listing bool
}

func (w Words) candidates(links []trawl.MapLink) []candidate {
	type kind struct {
		score float64
		shape string
	}
	alike := map[kind]int{}
	list := make([]candidate, len(links))
	for i, score := range w.scores(links) {
		c := candidate{place: i, score: score, shape: Shape(links[i].URL)}
		for segment := range strings.SplitSeq(split(links[i].URL).path, "/") {
			if segment != "" {
				c.depth++
				c.listing = c.listing || isListing(segment)
			}
		}
		c.home = c.depth == 0 && c.score == 0 && !w.many
		alike[kind{c.score, c.shape}]++
		list[i] = c
	}
	for i := range list {
		list[i].alike = alike[kind{list[i].score, list[i].shape}]
	}
	return list
}

// scores weighs what fits by how rare it is among the pages.
func (w Words) scores(links []trawl.MapLink) []float64 {
	hosts := slices.ContainsFunc(links, func(link trawl.MapLink) bool { return hostOf(link) != hostOf(links[0]) })
	fits := make([][]int, len(links))
	having := make([]float64, len(w.stems))
	for i, link := range links {
		t := textOf(link, hosts)
		fits[i] = make([]int, len(w.stems))
		for k, word := range w.stems {
			if fits[i][k] = t.fit(word); fits[i][k] > 0 {
				having[k]++
			}
		}
	}
	scores := make([]float64, len(links))
	for i := range links {
		for k, fit := range fits[i] {
			rare := math.Log1p((float64(len(links)) - having[k] + 0.5) / (having[k] + 0.5))
			scores[i] += rare * float64(fit)
		}
	}
	return scores
}

func hostOf(link trawl.MapLink) string { return split(link.URL).host }

// first orders what has something before what has not.
func first(a, b bool) int {
	switch {
	case a == b:
		return 0
	case a:
		return -1
	}
	return 1
}

// isListing reports whether a segment of a path is that of pages that list others
// or are there for visitors only.
func isListing(segment string) bool {
	switch strings.ToLower(segment) {
	case "tag", "tags", "category", "categories", "archive", "archives", "author", "authors", "page", "search", "login", "cart", "account":
		return true
	}
	return false
}

// Shape returns what the addresses of pages of one kind have in common: the host,
// the folder, in which segments with a number are one, and the names of the
// parameters.
func Shape(address string) string {
	a := split(address)
	var b strings.Builder
	b.WriteString(a.authority)
	segments := strings.Split(strings.Trim(a.path, "/"), "/")
	for i, segment := range segments {
		switch {
		case segment == "":
		case i == len(segments)-1:
			segment = "*"
		case strings.ContainsAny(segment, "0123456789"):
			segment = "#"
		}
		b.WriteByte('/')
		b.WriteString(segment)
	}
	if a.query == "" {
		return b.String()
	}
	for parameter := range strings.SplitSeq(a.query, "&") {
		name, _, _ := strings.Cut(parameter, "=")
		b.WriteByte('?')
		b.WriteString(name)
	}
	return b.String()
}

// text is the words of a page, in the singular.
type text struct{ strong, weak []string }

func textOf(link trawl.MapLink, host bool) text {
	a := split(link.URL)
	address := a.path + " " + a.query
	if host {
		address = a.host + " " + address
	}
	return text{strong: stemsOf(unescape(address) + " " + link.Title), weak: stemsOf(link.Description)}
}

func stemsOf(s string) []string {
	words := strings.Fields(fold(s))
	for i, word := range words {
		words[i] = singular(word)
	}
	return words
}

// fit says how well a word fits.
func (t text) fit(word string) int {
	return max(inAddress*likeness(t.strong, word), inDescription*likeness(t.weak, word))
}

// likeness says how well a word fits the best of some others: wholly, or so that
// one of the two begins with the other, or not at all.
func likeness(words []string, word string) int {
	const long = 4 // bytes that say enough of a word
	best := 0
	for _, other := range words {
		switch {
		case other == word:
			return wholeWord
		case len(word) >= long && strings.HasPrefix(other, word), len(other) >= long && strings.HasPrefix(word, other):
			best = 1
		}
	}
	return best
}

// singular returns a word without the ending of an English plural, whether it is
// one or not: it is compared to others of which the same was made.
func singular(word string) string {
	const short = 3 // bytes of words that are left as they are
	switch {
	case len(word) <= short || !strings.HasSuffix(word, "s"):
	case strings.HasSuffix(word, "ies") && len(word) > short+1:
		return word[:len(word)-3] + "y"
	case strings.HasSuffix(word, "sses"), strings.HasSuffix(word, "shes"), strings.HasSuffix(word, "ches"), strings.HasSuffix(word, "xes"):
		return word[:len(word)-2]
	case strings.HasSuffix(word, "ss"), strings.HasSuffix(word, "us"), strings.HasSuffix(word, "is"):
	default:
		return word[:len(word)-1]
	}
	return word
}
