// Package found fills a caller's JSON Schema with what a page says of itself in
// forms that machines read, without a language model.
//
// It is honest rather than complete. A field gets a value if the page names it:
// by the field's own name, or by the name that schema.org, OpenGraph or the page
// has for the same. The value is converted to the type that the schema wants, and
// what does not convert or does not fit is not found. Where two different values
// have equal claim to a field, it gets none. Whatever comes out stands in the
// page, and what was looked for and not found is said.
//
//   - shape.go reads the schema, and fit.go holds values against it; name.go compares names and knows synonyms;
//   - source.go finds the values of a field, list.go those of a list of objects;
//   - convert.go, number.go and duration.go turn them into the schema's types.
package found

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"github.com/trawlhq/trawl/content/facts"
	"github.com/trawlhq/trawl/schema"
)

// Map fills the schema with the facts of a page. The value is nil if nothing at
// all was found, or nothing that can be a part of what fits. Missing are the
// paths of required fields that have no value; where there are none, the value
// fits the schema. A required field that may be null is null if other fields
// were found, and not missing.
func Map(f *facts.Facts, s *schema.Schema) (value any, missing []string) {
	root := readShape(s.JSON())
	if f == nil {
		f = &facts.Facts{}
	}
	m := &mapper{
		facts: f, subjects: f.Subjects(), tags: slices.Sorted(maps.Keys(f.Tags)),
		work: maxWork, folded: map[string]string{},
	}
	switch root.kind() {
	case "object":
		if object := m.object(root, m.page()); len(object) > 0 {
			value = object
		}
	case "array":
		value = m.field(root, m.page())
	}
	value = fit(value, s)
	missing = lacking(nil, root, value, "")
	if value == nil || len(missing) > 0 {
		return value, missing
	}
	addNulls(root, value)
	for _, problem := range s.Check(value) {
		if problem.Path == "" {
			return nil, nil // it is not a field that it lacks
		}
		missing = append(missing, problem.Path)
	}
	return value, slices.Compact(missing)
}

// mapper fills the schema of one page.
type mapper struct {
	facts    *facts.Facts
	subjects []map[string]any  // what the page is about; several if that is not clear
	tags     []string          // the names of the meta tags, sorted
	work     int               // names and values that may still be looked at
	folded   map[string]string // names that were folded before
}

// maxWork bounds what is looked at: a page of very many facts meets a
// schema of very many fields only in attacks.
const maxWork = 10_000_000

// is reports whether a name, folded, is the other one.
func (m *mapper) is(name, key string) bool { return m.fold(name) == key }

func (m *mapper) fold(name string) string {
	m.work--
	folded, ok := m.folded[name]
	if !ok {
		folded = fold(name)
		m.folded[name] = folded
	}
	return folded
}

// object fills an object from a scope.
func (m *mapper) object(s *shape, in scope) map[string]any {
	object := make(map[string]any, len(s.properties))
	for _, name := range s.order {
		if value := m.field(s.properties[name], in); !empty(value) {
			object[name] = value
		}
	}
	return object
}

// field finds the value of a field, or nil.
func (m *mapper) field(s *shape, in scope) any {
	switch s.kind() {
	case "object":
		return m.nested(s, in)
	case "array":
		if s.items.kind() == "object" {
			return m.list(s, in)
		}
		return m.values(s, in)
	}
	return m.scalar(s, in)
}

// scalar returns the one value that the best source has for a field. A source
// that has several decides nothing, and none after it is asked: they would only
// seem to be clear.
func (m *mapper) scalar(s *shape, in scope) any {
	for _, values := range m.candidates(s, in) {
		values = one(s, values)
		var distinct []any
		seen := map[string]bool{}
		for _, value := range values {
			converted := convert(value, s)
			if converted == nil {
				continue
			}
			if key := keyOf(converted); !seen[key] {
				seen[key] = true
				distinct = append(distinct, converted)
			}
		}
		switch {
		case len(distinct) == 1:
			return distinct[0]
		case len(distinct) > 1:
			return together(s, distinct)
		}
	}
	return nil
}

// one returns the first of several pictures: by convention it is the main one.
func one(s *shape, values []any) []any {
	if len(values) > 1 && isPicture(s.key) {
		return values[:1]
	}
	return values
}

// together returns several values as one text, for fields of which a page may
// have several and still be clear; else nil.
func together(s *shape, values []any) any {
	if !isShared(s.key) || !s.allows("string") {
		return nil
	}
	texts := make([]string, 0, len(values))
	for _, value := range values {
		text, ok := value.(string)
		if !ok {
			return nil
		}
		texts = append(texts, text)
	}
	return convert(strings.Join(texts, ", "), s)
}

// values fills a list of scalars from the best source that has some.
func (m *mapper) values(s *shape, in scope) any {
	element := *s.items
	element.name, element.key, element.words = s.name, s.key, s.words
	for _, values := range m.candidates(s, in) {
		var list []any
		seen := map[string]bool{}
		for _, value := range apart(values, s) {
			converted := convert(value, &element)
			if converted == nil {
				continue
			}
			if key := keyOf(converted); !seen[key] {
				seen[key] = true
				list = append(list, converted)
			}
		}
		if len(list) > 0 {
			return list
		}
	}
	return nil
}

// keyOf returns a text by which values are compared.
func keyOf(value any) string {
	if text, ok := value.(string); ok {
		return "s" + strings.ToLower(text)
	}
	text, _ := json.Marshal(value)
	return string(text)
}
