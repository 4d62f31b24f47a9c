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
//   - shape.go reads the schema; name.go compares names and knows synonyms;
//   - source.go finds the values of a field, list.go those of a list of objects;
//   - convert.go, number.go and duration.go turn them into the schema's types.
package found

import (
	"encoding/json"
	"sort"
	"strconv"
	"strings"

	"github.com/trawlhq/trawl/content/facts"
	"github.com/trawlhq/trawl/schema"
)

// Map fills the schema with the facts of a page. The value is nil if nothing at
// all was found. Missing are the paths of required fields that have no value;
// where there are none, the value fits the schema.
func Map(f *facts.Facts, s *schema.Schema) (value any, missing []string) {
	root := readShape(s.JSON())
	if f == nil {
		f = &facts.Facts{}
	}
	m := &mapper{facts: f, subjects: f.Subjects(), work: maxWork, folded: map[string]string{}}
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
	if value != nil && len(missing) == 0 {
		for _, problem := range s.Check(value) {
			missing = append(missing, problem.Path)
		}
	}
	return value, missing
}

// mapper fills the schema of one page.
type mapper struct {
	facts    *facts.Facts
	subjects []map[string]any  // what the page is about; several if that is not clear
	work     int               // names and values that may still be looked at
	folded   map[string]string // names that were folded before
}

// maxWork bounds what is looked at: a page of very many facts meets a
// schema of very many fields only in attacks.
const maxWork = 2_000_000

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

// fit takes out what does not fit the schema.
func fit(value any, s *schema.Schema) any {
	relaxed := s.Relaxed()
	for range 5 {
		problems := relaxed.Check(value)
		if value == nil || len(problems) == 0 {
			return value
		}
		// From behind, so that places in lists stay what they are.
		for i := len(problems) - 1; i >= 0; i-- {
			if problems[i].Path == "" {
				return nil
			}
			value = without(value, steps(problems[i].Path))
		}
		if empty(value) {
			return nil
		}
	}
	return nil
}

// steps splits a path such as items[0].name or ["a.b"] into its parts.
func steps(path string) []string {
	var list []string
	for path != "" {
		var step string
		if rest, ok := strings.CutPrefix(path, `["`); ok {
			var found bool
			if step, path, found = strings.Cut(rest, `"]`); !found || json.Unmarshal([]byte(`"`+step+`"`), &step) != nil {
				return nil
			}
		} else {
			path = strings.TrimLeft(path, ".[")
			end := strings.IndexAny(path, ".[]")
			if end < 0 {
				end = len(path)
			}
			step, path = path[:end], strings.TrimPrefix(path[end:], "]")
		}
		list = append(list, step)
	}
	return list
}

// without returns a value without what is at a path, and without what is empty then.
func without(value any, path []string) any {
	if len(path) == 0 {
		return nil
	}
	switch v := value.(type) {
	case map[string]any:
		if part, ok := v[path[0]]; ok {
			if part = without(part, path[1:]); empty(part) {
				delete(v, path[0])
			} else {
				v[path[0]] = part
			}
		}
	case []any:
		i, err := strconv.Atoi(path[0])
		if err != nil || i < 0 || i >= len(v) {
			return value
		}
		if part := without(v[i], path[1:]); !empty(part) {
			v[i] = part
			return v
		}
		return append(v[:i:i], v[i+1:]...)
	}
	return value
}

func empty(value any) bool {
	switch v := value.(type) {
	case nil:
		return true
	case map[string]any:
		return len(v) == 0
	case []any:
		return len(v) == 0
	}
	return false
}

// lacking appends the paths of required fields without a value.
func lacking(missing []string, s *shape, value any, path string) []string {
	if len(missing) >= 100 {
		return missing
	}
	switch s.kind() {
	case "object":
		object, _ := value.(map[string]any)
		for _, name := range s.order {
			part, property := object[name], s.properties[name]
			if part != nil {
				missing = lacking(missing, property, part, join(path, name))
			} else if s.required[name] {
				missing = lackingAll(missing, property, join(path, name))
			}
		}
		return append(missing, undeclared(s, object, path)...)
	case "array":
		list, _ := value.([]any)
		for i, element := range list {
			missing = lacking(missing, s.items, element, path+"["+strconv.Itoa(i)+"]")
		}
	}
	return missing
}

// undeclared returns what is required without being described.
func undeclared(s *shape, object map[string]any, path string) []string {
	var missing []string
	for name := range s.required {
		if s.properties[name] == nil && object[name] == nil {
			missing = append(missing, join(path, name))
		}
	}
	sort.Strings(missing)
	return missing
}

// lackingAll appends what is required of an object that is not there at all: its
// own required fields, or itself if it has none.
func lackingAll(missing []string, s *shape, path string) []string {
	before := len(missing)
	if s.kind() == "object" {
		missing = lacking(missing, s, nil, path)
	}
	if len(missing) == before {
		missing = append(missing, path)
	}
	return missing
}

// join adds a name to a path, in quotes if it would be misread.
func join(path, name string) string {
	if name == "" || strings.ContainsAny(name, `.[]"`) {
		quoted, _ := json.Marshal(name)
		return path + "[" + string(quoted) + "]"
	}
	if path == "" {
		return name
	}
	return path + "." + name
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
			if key := keyOf(converted); !seen[key] && len(list) < maxList {
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
