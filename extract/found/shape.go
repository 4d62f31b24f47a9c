package found

import (
	"encoding/json"
	"maps"
	"slices"
)

// maxDepth bounds how deep a schema is read.
const maxDepth = 32

// shape is what a schema says of a field, as far as it guides the search; whether
// a value fits in the end is for package schema to say.
type shape struct {
	name       string   // as the schema has it
	key        string   // its name, folded
	words      string   // its title and description
	types      []string // but null
	nullable   bool     // null is one of its types or values
	format     string
	enum       []option // the only values it takes; not nil, even if empty, where there are such
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
	s.read(raw, depth)
	return s
}

// read adds what a schema says to what is known: an allOf has several that speak
// of the same value.
func (s *shape) read(raw any, depth int) {
	object, ok := raw.(map[string]any)
	if !ok || depth > maxDepth {
		return
	}
	parts, _ := object["allOf"].([]any)
	for _, part := range append(parts[:len(parts):len(parts)], s.alternative(object)) {
		s.read(part, depth+1)
	}
	for _, key := range []string{"title", "description"} {
		if text, ok := object[key].(string); ok {
			s.words += " " + text
		}
	}
	s.readTypes(object["type"])
	if format, ok := object["format"].(string); ok {
		s.format = format
	}
	s.readEnum(object)
	if items, ok := object["items"]; ok {
		if s.items == nil {
			s.items = newShape("", nil, depth)
		}
		s.items.read(items, depth+1)
	}
	s.readProperties(object, depth)
}

// option is one of the values that a field may have.
type option struct {
	value         any
	plain, folded string
}

// readEnum reads the only values of a field. Null is kept apart.
func (s *shape) readEnum(object map[string]any) {
	enum, ok := object["enum"].([]any)
	if value, single := object["const"]; !ok && single {
		enum, ok = []any{value}, true
	}
	if !ok {
		return
	}
	s.enum = make([]option, 0, len(enum))
	for _, value := range enum {
		if value == nil {
			s.nullable = true
		}
		if text := plain(value); text != "" {
			s.enum = append(s.enum, option{value, text, fold(text)})
		}
	}
}

// readTypes reads the keyword type. Null is kept apart.
func (s *shape) readTypes(raw any) {
	list, ok := raw.([]any)
	if !ok && raw != nil {
		list = []any{raw}
	}
	if len(list) > 0 {
		s.types = nil
	}
	for _, kind := range list {
		if kind == "null" {
			s.nullable = true
		} else if text, ok := kind.(string); ok {
			s.types = append(s.types, text)
		}
	}
}

// readProperties reads the properties of an object, and which of them it must
// have.
func (s *shape) readProperties(object map[string]any, depth int) {
	list, _ := object["required"].([]any)
	for _, name := range list {
		if text, ok := name.(string); ok {
			if s.required == nil {
				s.required = map[string]bool{}
			}
			s.required[text] = true
		}
	}
	properties, ok := object["properties"].(map[string]any)
	if !ok {
		return
	}
	if s.properties == nil {
		s.properties = make(map[string]*shape, len(properties))
	}
	for name, raw := range properties {
		if s.properties[name] == nil {
			s.properties[name] = newShape(name, nil, depth)
		}
		s.properties[name].read(raw, depth+1)
	}
	s.order = slices.Sorted(maps.Keys(s.properties))
}

// alternative returns the one schema beside null that a value may fit, if that is
// all that anyOf or oneOf say, or one of all the types that it may have.
func (s *shape) alternative(object map[string]any) any {
	for _, key := range []string{"anyOf", "oneOf"} {
		list, _ := object[key].([]any)
		var options, types []any
		for _, raw := range list {
			option, _ := raw.(map[string]any)
			kind, ok := option["type"].(string)
			switch {
			case kind == "null":
				s.nullable = true
				continue
			case ok:
				types = append(types, kind)
			}
			options = append(options, raw)
		}
		switch {
		case len(options) == 1:
			return options[0]
		case len(options) > 1 && len(types) == len(options):
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
