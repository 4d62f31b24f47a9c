package extract

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/trawlhq/trawl/schema"
)

// unfounded visits the things in lists that the page says nothing of, outermost ones
// only.
func (j *judge) unfounded(value any, path string, depth int, visit func(path string)) {
	if depth >= maxDepth {
		return
	}
	switch v := value.(type) {
	case map[string]any:
		for _, key := range slices.Sorted(maps.Keys(v)) {
			j.unfounded(v[key], schema.Below(path, key), depth+1, visit)
		}
	case []any:
		for i, item := range v {
			at := schema.At(path, i)
			if thing, ok := item.(map[string]any); ok && j.isUnfounded(thing, at) {
				visit(at)
			} else {
				j.unfounded(item, at, depth+1, visit)
			}
		}
	}
}

// isUnfounded reports whether a thing has facts, and the page has none of them. Where
// it has anything in words of the model's own, such as a point of a summary, nobody
// can tell.
func (j *judge) isUnfounded(thing map[string]any, path string) bool {
	claims, founded := 0, false
	walk(thing, path, 0, func(path string, leaf any) {
		s, isText := leaf.(string)
		switch {
		case j.enums[pattern(path)] || isText && strings.TrimSpace(s) == "":
		case j.text.locate(leaf).ok() || j.isOwn(leaf):
			founded = true
		case j.text.invented(leaf):
			claims++
		case isText && isName(s) && !j.text.knows(s):
			claims++
		case isText:
			founded = true
		}
	})
	return claims > 0 && !founded
}

// mostNameWords is how many words a name has.
const mostNameWords = 6

// isName reports whether a text can only be a name: a few words, of which all but
// small ones are written large.
func isName(s string) bool {
	words := strings.Fields(s)
	for i, word := range words {
		first, size := utf8.DecodeRuneInString(strings.TrimLeft(word, `"'([{«“`))
		small := i > 0 && utf8.RuneCountInString(word) <= 3
		if !small && !unicode.IsUpper(first) && !unicode.IsDigit(first) || size == 0 {
			return false
		}
	}
	return len(words) > 0 && len(words) <= mostNameWords
}

// knows reports whether the page has a word of a name, which it may write in another
// way: with a title, or the family name first.
func (t *text) knows(name string) bool {
	for word := range strings.FieldsFuncSeq(name, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
		if utf8.RuneCountInString(word) > 3 && t.find(word).ok() {
			return true
		}
	}
	return false
}

// leftOut says how many things of which lists were left out.
func leftOut(counts map[string]int) string {
	var list []string
	for _, path := range slices.Sorted(maps.Keys(counts)) {
		list = append(list, fmt.Sprintf("%d of %s", counts[path], path))
	}
	return "Left out, because the page has nothing of them: " + enumerate(list) + ". showSources returns them too."
}
