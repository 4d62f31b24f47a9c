package extract

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/llm"
	"github.com/trawlhq/trawl/schema"
)

// Complete makes a merged finding fit the schema that is wanted: as it is,
// without things in lists that lack what is required, or with the model's help,
// which may move, convert and leave out values but not add any. If that is not
// enough it is an error that names the fields. Tokens are only those that
// Complete itself took; evidence is kept for the values that stay. Without a model
// a finding that says nothing is an error: the text may say a lot.
func (x *Extractor) Complete(ctx context.Context, merged *Finding, want Want) (*Finding, error) {
	f := &Finding{Value: merged.Value, Evidence: merged.Evidence, Warning: merged.Warning}
	if f.Value == nil && (want.Schema == nil || want.Schema.Object()) {
		f.Value = map[string]any{}
	}
	if want.Schema == nil {
		return f, nil
	}
	f.Value = want.Schema.Tidy(f.Value)
	f.Evidence = standing(f.Evidence, f.Value)
	f.settle(want.Schema)
	problems := want.Schema.Check(f.Value)
	missing := missingFields(f.Value, problems)
	switch {
	case len(problems) == 0 && x.Model == nil && empty(merged.Value):
		return nil, NoModel("The pages' own structured data has none of the fields. Reading their text")
	case len(problems) == 0:
		return f, nil
	case x.Model == nil && len(missing) > 0:
		return nil, NoModel("The pages' own structured data lacks " + enumerate(missing) + ". Reading their text")
	case x.Model == nil:
		return nil, NoModel("The pages' own structured data does not fit the schema: " + describe(problems) + ". Reading their text")
	case len(missing) == len(problems):
		return nil, noValue(missing)
	}
	return x.repair(ctx, f, problems, want)
}

// noValue is the error of required fields that no page has.
func noValue(missing []string) *trawl.Error {
	if len(missing) == 1 {
		return trawl.Errorf(trawl.CodeModel, "No page has a value for the required field %s.", missing[0])
	}
	return trawl.Errorf(trawl.CodeModel, "No page has values for the required fields %s.", enumerate(missing))
}

// missingFields returns the paths of problems with what is not there.
func missingFields(value any, problems []schema.Problem) []string {
	var missing []string
	for _, p := range problems {
		if _, ok := schema.Get(value, steps(p.Path)); !ok {
			missing = append(missing, p.Path)
		}
	}
	return missing
}

func describe(problems []schema.Problem) string {
	var list []string
	for _, p := range problems[:min(len(problems), 5)] {
		list = append(list, strings.TrimSpace(p.Path+" "+p.Text))
	}
	return strings.Join(list, "; ")
}

// settle deals with required fields that are missing. Those that may be null or
// empty become so; a thing in a list that lacks another is left out.
func (f *Finding) settle(s *schema.Schema) {
	const rounds, most = 20, 10_000 // what is found missing in one
	f.Value, _ = without(f.Value, "", nil, 0)
	fill := filler{s, map[string]func() any{}}
	var left []string
	for range rounds {
		drop, filled := map[string]bool{}, false
		for _, path := range missingFields(f.Value, s.Problems(f.Value, most)) {
			if fill.in(f.Value, path) {
				filled = true
			} else if item := itemOf(path); item != "" {
				drop[item] = true
				left = append(left, pattern(path))
			}
		}
		if len(drop) > 0 {
			f.drop(drop)
		} else if !filled {
			break
		}
	}
	if len(left) > 0 {
		f.Warning = strings.TrimSpace(f.Warning + " Left out of lists, for want of a required field: what has no " + enumerate(left) + ".")
	}
}

// filler puts null, an empty list or an empty object where something is required
// and that is enough.
type filler struct {
	schema *schema.Schema
	enough map[string]func() any // by the field, once it was tried; nil if nothing is
}

// in fills in a missing value and reports whether that could be done.
func (f filler) in(value any, path string) bool {
	way := steps(path)
	if len(way) == 0 {
		return false
	}
	parent, _ := schema.Get(value, way[:len(way)-1])
	object, ok := parent.(map[string]any)
	name, named := way[len(way)-1].(string)
	if !ok || !named {
		return false
	}
	field := pattern(path)
	nothing, tried := f.enough[field]
	if !tried {
		nothing = f.try(value, object, name, path)
		f.enough[field] = nothing
	}
	if nothing == nil {
		return false
	}
	object[name] = nothing()
	return true
}

// try returns what makes a value that is enough for a field of an object, or nil.
func (f filler) try(value any, object map[string]any, name, path string) func() any {
	defer delete(object, name)
	for _, nothing := range []func() any{
		func() any { return nil }, func() any { return []any{} }, func() any { return map[string]any{} },
	} {
		object[name] = nothing()
		if !slices.ContainsFunc(f.schema.Check(value), func(p schema.Problem) bool { return p.Path == path }) {
			return nothing
		}
	}
	return nil
}

// itemOf returns the path of the innermost item of a list that a path is in, or
// nothing.
func itemOf(path string) string {
	item, prefix := "", ""
	for _, step := range steps(path) {
		switch s := step.(type) {
		case string:
			prefix = schema.Below(prefix, s)
		case int:
			prefix = schema.At(prefix, s)
			item = prefix
		}
	}
	return item
}

// drop takes items out of their lists. The evidence of those behind them moves
// up with them: the leaves that stay keep their order.
func (f *Finding) drop(items map[string]bool) {
	less, _ := without(f.Value, "", items, 0)
	var stay []string
	for _, path := range paths(f.Value) {
		if !items[path] && !within(path, items) {
			stay = append(stay, path)
		}
	}
	moved := make(map[string]string, len(stay))
	for i, path := range paths(less) {
		if i < len(stay) {
			moved[stay[i]] = path
		}
	}
	var evidence []trawl.Evidence
	for _, e := range f.Evidence {
		if path, ok := moved[e.Path]; ok {
			e.Path = path
			evidence = append(evidence, e)
		}
	}
	f.Value, f.Evidence = less, evidence
}

// within reports whether a path is below one of some items.
func within(path string, items map[string]bool) bool {
	for i, c := range path {
		if (c == '.' || c == '[') && items[path[:i]] {
			return true
		}
	}
	return false
}

// maxRepaired is how much the model can be asked to bring into another form, in
// bytes. It would have to write about as much.
const maxRepaired = 64 << 10

// repair asks the model to bring a value into the form of the schema.
func (x *Extractor) repair(ctx context.Context, f *Finding, problems []schema.Problem, want Want) (*Finding, error) {
	data, err := json.Marshal(f.Value)
	if err != nil {
		return nil, fmt.Errorf("encode what was found: %w", err)
	}
	if len(data) > maxRepaired {
		return nil, trawl.Errorf(trawl.CodeContentTooLarge, "What the pages say is too much to be brought into the form of the schema: %s.", describe(problems))
	}
	mark := markOf(string(data))
	answer, err := x.Model.Ask(ctx, llm.Request{
		System: system(repairRules, want),
		User: want.ask() + "\n\nThis was found, on several pages:\n\n" + fence("DATA", mark, string(data)) +
			"\n\nIt does not fit the schema yet: " + describe(problems) + ". Bring it into the form of the schema.",
		Schema: want.Schema,
	})
	if err != nil {
		return nil, err
	}
	value := supported(answer.Value, f.Value, mark, want.Schema)
	if problems = want.Schema.Check(value); len(problems) > 0 {
		return nil, trawl.Errorf(trawl.CodeModel, "What the pages say does not fit the schema: %s.", describe(problems))
	}
	return &Finding{Value: value, Evidence: follow(f, value), Tokens: answer.Tokens, Warning: f.Warning}, nil
}

// supported takes out of a repaired value what was not there before, where it may
// be absent.
func supported(value, before any, mark string, s *schema.Schema) any {
	var lines []string
	walk(before, "", 0, func(_ string, leaf any) { lines = append(lines, written(leaf)) })
	j := newJudge(&Source{Markdown: strings.Join(lines, "\n")}, s)
	j.mark = mark
	drop := map[string]bool{}
	walk(value, "", 0, func(path string, leaf any) {
		if _, isBool := leaf.(bool); !isBool && j.optional(path) && !j.enums[pattern(path)] && !j.text.locate(leaf).ok() {
			drop[path] = true
		}
	})
	return remove(value, drop, s)
}

// follow returns the evidence of a finding for the same values elsewhere.
func follow(f *Finding, value any) []trawl.Evidence {
	byPath := map[string][]trawl.Evidence{}
	for _, e := range f.Evidence {
		byPath[e.Path] = append(byPath[e.Path], e)
	}
	byValue, keys := map[string]string{}, map[string]string{}
	walk(f.Value, "", 0, func(path string, leaf any) {
		key := leafKey(leaf)
		keys[path] = key
		if _, ok := byValue[key]; !ok {
			byValue[key] = path
		}
	})
	var list []trawl.Evidence
	walk(value, "", 0, func(path string, leaf any) {
		key, from := leafKey(leaf), path
		if keys[path] != key {
			from = byValue[key]
		}
		for _, e := range byPath[from] {
			e.Path = path
			list = append(list, e)
		}
	})
	return list
}
