package extract

import (
	"cmp"
	"context"
	"math"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/trawlhq/trawl/extract/found"
	"github.com/trawlhq/trawl/extract/gist"
)

// Bounds of highlights.
const (
	maxPassage    = 2000   // bytes of one
	maxHighlights = 20_000 // bytes of all
	maxClaims     = 200    // passages of a model that are looked up
	chosenByWords = 5      // passages, without a model
)

const passageSchema = `{"type":"object","additionalProperties":false,"required":["passages"],"properties":{
	"passages":{"type":"array","maxItems":20,"items":{"type":"string"},"description":"Passages, copied letter by letter. Empty if none fits."}}}`

// highlights returns the passages of a page that fit a query, in their order and
// with an empty line between them; none if nothing fits. They stand in the page so:
// a passage that a model made up is left out. Without a model they are those that
// share most words with the query, and the warning says so.
func (x *Extractor) highlights(ctx context.Context, src *Source, task Task) (*Finding, error) {
	query := task.Want.Prompt
	if x.Model == nil {
		return &Finding{
			Value:   joinPassages(src.Markdown, passagesByWords(src.Markdown, query)),
			Warning: "No language model is configured: the highlights were chosen by the words that they share with the query.",
		}, nil
	}
	if strings.TrimSpace(src.Markdown) == "" {
		return &Finding{Value: ""}, nil
	}
	s, err := compileText(passageSchema)
	if err != nil {
		return nil, err
	}
	_, answers, err := x.readPage(ctx, src, Want{Schema: s, Prompt: "The passages of the text that fit the following query best, in the order of the page. " +
		"Each is a whole sentence, paragraph, item or row, copied letter by letter with its markup. If nothing fits there are none.\n\n" + query})
	if err != nil {
		return nil, err
	}
	var claims []string
	found := &Finding{}
	for _, answer := range answers {
		found.Tokens += answer.Tokens
		object, _ := answer.Value.(map[string]any)
		list, _ := object["passages"].([]any)
		for _, item := range list {
			if claim, ok := item.(string); ok && len(claims) < maxClaims {
				claims = append(claims, claim)
			}
		}
	}
	spans, missing := locatePassages(src.Markdown, claims)
	if missing > 0 && len(spans) == 0 {
		found.Warning = "The model gave no passage that stands in the page."
	}
	found.Value = joinPassages(src.Markdown, spans)
	return found, nil
}

// passage is a piece of markdown.
type passage struct{ from, to int }

// joinPassages returns pieces of a text in their order. Those that overlap become
// one.
func joinPassages(markdown string, list []passage) string {
	slices.SortFunc(list, func(a, b passage) int { return cmp.Or(cmp.Compare(a.from, b.from), cmp.Compare(b.to, a.to)) })
	var merged []passage
	for _, p := range list {
		if n := len(merged); n > 0 && p.from < merged[n-1].to {
			merged[n-1].to = max(merged[n-1].to, p.to)
			continue
		}
		merged = append(merged, p)
	}
	texts := make([]string, len(merged))
	for i, p := range merged {
		texts[i] = strings.TrimSpace(markdown[p.from:p.to])
	}
	return strings.Join(texts, "\n\n")
}

// locatePassages looks passages up in a page, white space aside, and returns where
// they stand and how many do not. One that lacks the markup of the page stands for
// the paragraph, item or row that it is in.
func locatePassages(markdown string, claims []string) (list []passage, missing int) {
	even, at := evenSpaces(markdown)
	var readable []block
	room := maxHighlights
	for _, claim := range claims {
		needle, _ := evenSpaces(claim)
		p, ok := passage{}, false
		if len(needle) > 2 && len(needle) <= maxPassage {
			if i := strings.Index(even, needle); i >= 0 {
				last := i + len(needle) - 1
				p, ok = passage{int(at[i]), int(at[last]) + 1}, true
			} else {
				if readable == nil {
					readable = readBlocks(markdown)
				}
				p, ok = blockWith(readable, foldText(claim))
			}
		}
		if size := p.to - p.from; !ok || size > maxPassage*2 || size > room {
			missing++
		} else {
			room -= size
			list = append(list, p)
		}
	}
	return list, missing
}

// evenSpaces returns a text with one space in place of every run of white space
// and none at its ends, and where each of its bytes was.
func evenSpaces(s string) (string, []int32) {
	b, at := make([]byte, 0, len(s)), make([]int32, 0, len(s))
	space := false
	for i, r := range s {
		if unicode.IsSpace(r) {
			space = len(b) > 0
			continue
		}
		if space {
			b, at, space = append(b, ' '), append(at, int32(i-1)), false
		}
		_, size := utf8.DecodeRuneInString(s[i:])
		for k := range size {
			b, at = append(b, s[i+k]), append(at, int32(i+k))
		}
	}
	return string(b), at
}

// block is a paragraph, item or row, as people read it.
type block struct {
	passage
	text string
}

func readBlocks(markdown string) []block {
	var list []block
	for p := range blocks(markdown) {
		list = append(list, block{p, foldText(markdown[p.from:p.to])})
	}
	return list
}

// blocks yields where the paragraphs, items and rows of a text are that can be a
// passage.
func blocks(markdown string) func(func(passage) bool) {
	return func(yield func(passage) bool) {
		from := 0
		for _, u := range unitsOf(markdown, maxPassage) {
			p := passage{from, from + len(u.text)}
			from = p.to
			if strings.TrimSpace(u.text) != "" && !yield(p) {
				return
			}
		}
	}
}

func blockWith(list []block, needle string) (passage, bool) {
	const least = 12 // bytes; less than that is in a block by chance
	for i := range list {
		if len(needle) >= least && strings.Contains(list[i].text, needle) {
			return list[i].passage, true
		}
	}
	return passage{}, false
}

// passagesByWords returns the blocks that share most with a query. A word counts
// the more the fewer blocks have it, and each once.
func passagesByWords(markdown, query string) []passage {
	wanted := map[string]bool{}
	for _, word := range gist.Terms(query, maxTerms) {
		if !stopWords[word] {
			wanted[found.Singular(word)] = true
		}
	}
	markdown = markdown[:cutAt(markdown, maxPage)]
	having := map[string]int{}
	type candidate struct {
		passage
		words []string
		score float64
	}
	var list []candidate
	for p := range blocks(markdown) {
		c := candidate{passage: p}
		seen := map[string]bool{}
		for _, word := range gist.Terms(markdown[p.from:p.to], maxPassage) {
			if word = found.Singular(word); wanted[word] && !seen[word] {
				seen[word] = true
				having[word]++
				c.words = append(c.words, word)
			}
		}
		if len(c.words) > 0 && headingLevel(markdown[p.from:p.to]) == 0 {
			list = append(list, c)
		}
	}
	for i := range list {
		for _, word := range list[i].words {
			list[i].score += 1 / math.Sqrt(float64(having[word]))
		}
	}
	slices.SortStableFunc(list, func(a, b candidate) int { return cmp.Compare(b.score, a.score) })
	var best []passage
	for _, c := range list[:min(len(list), chosenByWords)] {
		if 2*c.score >= list[0].score {
			best = append(best, c.passage)
		}
	}
	return best
}
