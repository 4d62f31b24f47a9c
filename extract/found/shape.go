package found

import (
	"encoding/json"
	"slices"
	"sort"
)

// Limits of what is filled.
const (
	maxDepth = 32
	maxList  = 500
)

// shape is what a schema says of a field, as far as it guides the search; whether
// a value fits in the end is for package schema to say.
type shape struct {
	name       string // as the schema has it
	key        string // its name, folded
	words      string // its title and description
	types      []string
	format     string
	enum       []any
	properties map[string]*shape
	order      []string // the names of the properties
	required   map[string]bool
	items      *shape
}

// readShape reads a schema.
func readShape(raw json.RawMessage) *shape {
	var decoded any
	if json.Unmarshal(raw, &decoded) != nil {
		return &shape{}
	}
	return newShape("", decoded, 0)
}

func newShape(name string, raw any, depth int) *shape {
	s := &shape{name: name, key: fold(name)}
	object, ok := raw.(map[string]any)
	if !ok || depth > maxDepth {
		return s
	}
	if plain := alternative(object); plain != nil {
		*s = *newShape(name, plain, depth+1)
	}
	s.read(object, depth)
	return s
}

// read adds what a schema object says.
func (s *shape) read(object map[string]any, depth int) {
	for _, key := range []string{"title", "description"} {
		if text, ok := object[key].(string); ok {
			s.words += " " + text
		}
	}
	switch kind := object["type"].(type) {
	case string:
		s.types = []string{kind}
	case []any:
		for _, k := range kind {
			if text, ok := k.(string); ok && text != "null" {
				s.types = append(s.types, text)
			}
		}
	}
	if format, ok := object["format"].(string); ok {
		s.format = format
	}
	if enum, ok := object["enum"].([]any); ok {
		s.enum = enum
	} else if value, ok := object["const"]; ok {
		s.enum = []any{value}
	}
	if items, ok := object["items"]; ok {
		s.items = newShape("", items, depth+1)
	}
	if list, ok := object["required"].([]any); ok {
		s.required = map[string]bool{}
		for _, name := range list {
			if text, ok := name.(string); ok {
				s.required[text] = true
			}
		}
	}
	s.readProperties(object, depth)
}

func (s *shape) readProperties(object map[string]any, depth int) {
	properties, ok := object["properties"].(map[string]any)
	if !ok {
		return
	}
	s.properties = make(map[string]*shape, len(properties))
	for name, raw := range properties {
		s.properties[name] = newShape(name, raw, depth+1)
	}
	s.order = make([]string, 0, len(properties))
	for name := range s.properties {
		s.order = append(s.order, name)
	}
	sort.Strings(s.order)
}

// alternative returns the one schema beside null that a value may fit, if that is
// all that anyOf, oneOf or allOf say, or one of all the types that it may have.
func alternative(object map[string]any) any {
	for _, key := range []string{"anyOf", "oneOf", "allOf"} {
		list, _ := object[key].([]any)
		var options, types []any
		for _, raw := range list {
			option, _ := raw.(map[string]any)
			if kind, ok := option["type"].(string); ok && kind != "null" {
				types = append(types, kind)
			}
			if option["type"] != "null" {
				options = append(options, raw)
			}
		}
		switch {
		case len(options) == 1:
			return options[0]
		case len(options) > 1 && len(types) == len(options) && key != "allOf":
			return map[string]any{"type": types}
		}
	}
	return nil
}

// kind returns "object", "array" or "" for what is neither.
func (s *shape) kind() string {
	switch {
	case s == nil:
		return ""
	case s.properties != nil && (len(s.types) == 0 || s.allows("object")):
		return "object"
	case s.items != nil && (len(s.types) == 0 || s.allows("array")):
		return "array"
	}
	return ""
}

// allows reports whether a value may be of a type.
func (s *shape) allows(kind string) bool {
	return len(s.types) == 0 || slices.Contains(s.types, kind)
}
