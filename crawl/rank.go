package crawl

import (
	"cmp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/trawlhq/trawl"
	"golang.org/x/text/unicode/norm"
)

// How much a word counts by where it stands, and how well it fits.
const (
	inTitle       = 4
	inAddress     = 4
	inDescription = 1
	wholeWord     = 2 // as against a word that only begins so
)

// Rank returns the links ordered by how well they fit some words, best first:
// those with the words as a phrase, then those with all of them, then those with
// some, then the rest. Words are looked for in the address, the title and the
// description, whatever their case and accents. Links that fit equally well keep
// their order, and the list that was passed in stays as it is.
func Rank(links []trawl.MapLink, search string) []trawl.MapLink {
	words := strings.Fields(fold(search))
	if len(words) == 0 {
		return links
	}
	type ranked struct {
		link trawl.MapLink
		rank rank
	}
	list := make([]ranked, len(links))
	for i, link := range links {
		list[i] = ranked{link, rankOf(link, words)}
	}
	slices.SortStableFunc(list, func(a, b ranked) int {
		return cmp.Or(cmp.Compare(b.rank.fit, a.rank.fit), cmp.Compare(b.rank.score, a.rank.score))
	})
	sorted := make([]trawl.MapLink, len(list))
	for i := range list {
		sorted[i] = list[i].link
	}
	return sorted
}

// rank is how well a link fits. The fit decides, the score among equals.
type rank struct{ fit, score int }

const (
	fitNone = iota
	fitSome
	fitAll
	fitPhrase
)

func rankOf(link trawl.MapLink, words []string) rank {
	_, address, found := strings.Cut(link.URL, "://")
	if !found {
		address = link.URL
	}
	var r rank
	fields := [...]string{fold(unescape(address)), fold(link.Title), fold(link.Description)}
	matched := 0
	for _, word := range words {
		score := inAddress*occurs(fields[0], word) + inTitle*occurs(fields[1], word) + inDescription*occurs(fields[2], word)
		r.score += score
		matched += min(score, 1)
	}
	phrase := " " + strings.Join(words, " ") + " "
	switch {
	case matched == 0:
		r.fit = fitNone
	case slices.ContainsFunc(fields[:], func(text string) bool { return strings.Contains(text, phrase) }):
		r.fit = fitPhrase
	case matched == len(words):
		r.fit = fitAll
	default:
		r.fit = fitSome
	}
	return r
}

// occurs says how well a word fits the best of a folded text: wholly, as the
// beginning of a longer word, or not at all.
func occurs(text, word string) int {
	found := 0
	for i := 0; ; {
		k := strings.Index(text[i:], word)
		if k < 0 {
			return found
		}
		i += k
		if text[i-1] == ' ' {
			if text[i+len(word)] == ' ' {
				return wholeWord
			}
			found = 1
		}
		i += len(word)
	}
}

// fold returns the words of a text in lower case and without accents, with a
// space before, between and behind them. Words end where a letter or number is
// followed by something else, and in camelCase. Scripts that write without
// spaces have a word a character.
func fold(text string) string {
	text = decompose(text)
	b := append(make([]byte, 0, len(text)+8), ' ')
	var last rune
	for _, r := range text {
		switch {
		case unicode.Is(unicode.Mn, r):
			continue
		case !unicode.IsLetter(r) && !unicode.IsNumber(r):
			b = space(b)
		case unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana):
			b = append(utf8.AppendRune(space(b), r), ' ')
		default:
			if unicode.IsUpper(r) && unicode.IsLower(last) {
				b = space(b)
			}
			b = utf8.AppendRune(b, unicode.ToLower(r))
		}
		last = r
	}
	return string(space(b))
}

// decompose splits letters from their accents, where there are any.
func decompose(text string) string {
	for i := range len(text) {
		if text[i] >= utf8.RuneSelf {
			return norm.NFKD.String(text)
		}
	}
	return text
}

// space ends a word.
func space(b []byte) []byte {
	if b[len(b)-1] != ' ' {
		b = append(b, ' ')
	}
	return b
}
