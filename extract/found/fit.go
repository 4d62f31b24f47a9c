package found

import (
	"slices"
	"sort"

	"github.com/trawlhq/trawl/schema"
)

// Limits of making a value fit.
const (
	fitWork    = 1_000_000 // values that are checked, each as often as it is
	maxMisfits = 20_000    // that are taken out at once
)

// fit takes out what does not fit the schema.
func fit(value any, s *schema.Schema) any {
	relaxed := s.Relaxed()
	for work := fitWork; work > 0 && !empty(value); work -= size(value) {
		problems := relaxed.Problems(value, maxMisfits)
		if len(problems) == 0 {
			return value
		}
		blanked := false
		for _, problem := range problems {
			path, ok := schema.Steps(problem.Path)
			if !ok || len(path) == 0 {
				return nil
			}
			blanked = blank(value, path) || blanked
		}
		if !blanked {
			return nil
		}
		value = swept(value)
	}
	return nil
}

// blank makes what is at a path nil, and reports whether it was something else.
// It leaves places in lists what they are, so that other paths stay right.
func blank(value any, path []any) bool {
	for i, step := range path {
		last := i == len(path)-1
		switch v := value.(type) {
		case map[string]any:
			name, _ := step.(string)
			if value = v[name]; last && value != nil {
				v[name] = nil
				return true
			}
		case []any:
			at, ok := step.(int)
			if !ok || at < 0 || at >= len(v) {
				return false
			}
			if value = v[at]; last && value != nil {
				v[at] = nil
				return true
			}
		default:
			return false
		}
	}
	return false
}

// swept returns a value without what is nil or empty.
func swept(value any) any {
	switch v := value.(type) {
	case map[string]any:
		for name, part := range v {
			if v[name] = swept(part); empty(v[name]) {
				delete(v, name)
			}
		}
	case []any:
		for i, part := range v {
			v[i] = swept(part)
		}
		return slices.DeleteFunc(v, empty)
	}
	return value
}

func size(value any) int {
	count := 1
	switch v := value.(type) {
	case map[string]any:
		for _, part := range v {
			count += size(part)
		}
	case []any:
		for _, part := range v {
			count += size(part)
		}
	}
	return count
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

// nothing returns what says that a field was not found, if the schema has room
// for that: null, or an object of nothing else.
func (s *shape) nothing() (any, bool) {
	if s == nil || s.nullable {
		return nil, s != nil
	}
	if s.kind() != "object" || len(s.required) == 0 {
		return nil, false
	}
	object := make(map[string]any, len(s.required))
	for name := range s.required {
		part, ok := s.properties[name].nothing()
		if !ok {
			return nil, false
		}
		object[name] = part
	}
	return object, true
}

// needs reports whether an object is of no use without a property.
func (s *shape) needs(name string) bool {
	if !s.required[name] {
		return false
	}
	_, ok := s.properties[name].nothing()
	return !ok
}

// addNulls says of required fields that they were not found.
func addNulls(s *shape, value any) {
	switch v := value.(type) {
	case map[string]any:
		for name, property := range s.properties {
			if part, found := v[name]; found {
				addNulls(property, part)
			} else if s.required[name] && !s.needs(name) {
				v[name], _ = property.nothing()
			}
		}
	case []any:
		for _, element := range v {
			if s.items != nil {
				addNulls(s.items, element)
			}
		}
	}
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
				missing = lacking(missing, property, part, schema.Below(path, name))
			} else if s.needs(name) {
				missing = lackingAll(missing, property, schema.Below(path, name))
			}
		}
		return append(missing, undeclared(s, object, path)...)
	case "array":
		list, _ := value.([]any)
		for i, element := range list {
			missing = lacking(missing, s.items, element, schema.At(path, i))
		}
	}
	return missing
}

// undeclared returns what is required without being described.
func undeclared(s *shape, object map[string]any, path string) []string {
	var missing []string
	for name := range s.required {
		if s.properties[name] == nil && object[name] == nil {
			missing = append(missing, schema.Below(path, name))
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
