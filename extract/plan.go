package extract

import (
	"context"
	"slices"
	"strings"
	"unicode"

	"github.com/trawlhq/trawl/llm"
	"github.com/trawlhq/trawl/schema"
)

// Plan returns a schema for a prompt that has none, so that many pages answer
// alike, and the tokens that it took. Nothing in it is required. It is nil if
// the model gives none that is of use, which is no error.
func (x *Extractor) Plan(ctx context.Context, want Want) (*schema.Schema, int, error) {
	if x.Model == nil {
		return nil, 0, NoModel("Extraction by a prompt alone")
	}
	answer, err := x.Model.Ask(ctx, llm.Request{
		System: system(planRules, want), User: "The caller wants this from every page:\n\n" + want.Prompt, JSON: true,
	})
	if err != nil {
		return nil, 0, err
	}
	raw := answer.Value
	if object, ok := raw.(map[string]any); ok && object["properties"] == nil {
		if inner, ok := object["schema"]; ok {
			raw = inner
		}
	}
	s, err := schema.Compile(raw)
	if err != nil || !s.Object() || !slices.ContainsFunc(s.Fields(), func(f schema.Field) bool { return f.Name != "" }) {
		return nil, answer.Tokens, nil
	}
	return s.Relaxed(), answer.Tokens, nil
}

// maxTerms bounds the words that addresses are ranked by.
const maxTerms = 40

// Terms returns the words that addresses can be ranked by: those of the prompt,
// then the names and descriptions of the schema's fields, each once and without
// words that say nothing of the matter.
func Terms(want Want) string {
	var words []string
	for sentence := range strings.FieldsFuncSeq(want.Prompt, isStop) {
		words = append(words, told(nameWords(sentence))...)
	}
	if want.Schema != nil {
		fields := want.Schema.Fields()
		for _, f := range fields {
			words = append(words, nameWords(f.Path)...)
		}
		for _, f := range fields {
			words = append(words, nameWords(f.Description)...)
		}
	}
	var terms []string
	seen := map[string]bool{}
	for _, word := range words {
		if len(terms) < maxTerms && len(word) > 1 && !seen[word] && !stopWords[word] {
			seen[word] = true
			terms = append(terms, word)
		}
	}
	return strings.Join(terms, " ")
}

// isStop reports whether a sentence, or a part of one, ends with a sign.
func isStop(r rune) bool { return strings.ContainsRune(".,;:!?\n。！？", r) }

// told returns what of the words of a sentence is about the matter, and not about
// what is to be done. "Return the prices" is an order, "the return policy" is not;
// "about us" is a page, "all about prices" is not.
func told(words []string) []string {
	var list []string
	for i, word := range words {
		before, after := "", ""
		if i > 0 {
			before = words[i-1]
		}
		if i+1 < len(words) {
			after = words[i+1]
		}
		ordered := orders[word] && (i == 0 || beforeOrders[before])
		if !ordered && (word != "about" || i == 0 || before == "the" || after == "us" || after == "page") {
			list = append(list, word)
		}
	}
	return list
}

// nameWords returns the words of a text in lower case. Words also end in
// camelCase.
func nameWords(text string) []string {
	var b strings.Builder
	last := ' '
	for _, r := range text {
		if unicode.IsUpper(r) && unicode.IsLower(last) {
			b.WriteByte(' ')
		}
		if unicode.IsLetter(r) || unicode.IsNumber(r) || unicode.Is(unicode.M, r) {
			b.WriteRune(unicode.ToLower(r))
		} else {
			b.WriteByte(' ')
		}
		last = r
	}
	return strings.Fields(b.String())
}

// stopWords say nothing of what is looked for.
var stopWords = wordSet(`a an and any are as at be been but by can could do does each every for from get give had has have how i if in
	into is it its like me more most my no not of on only or our out please same should so some such than that the their them then there
	these they this those to up us use was we were what when where which who whose why will with would you your all also other
	extract data information info details detail page pages site website web url urls
	link links value values field fields name names description type number text string include including contains
	der die das den dem des ein eine einen einer eines und oder aber auf aus bei mit nach von vom zu zum zur für im am ist sind wird
	alle alles sowie nicht nur seite seiten daten finde liste
	le la les un une des du de et ou dans pour par sur avec sans ce cette ces est sont tous toutes que qui
	el los las una unos unas del y o en para por con sin que es son todos todas il lo gli e di da per che sono o os um uma e do da`)

// orders say what is to be done, if they stand where verbs do: at the beginning,
// or behind beforeOrders.
var (
	orders       = wordSet(`find list return show tell fetch collect scrape crawl read report search gather look`)
	beforeOrders = wordSet(`and then please to you also me just`)
)

func wordSet(list string) map[string]bool {
	set := map[string]bool{}
	for word := range strings.FieldsSeq(list) {
		set[word] = true
	}
	return set
}
