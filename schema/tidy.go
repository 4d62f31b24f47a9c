package schema

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Tidy mends what a model easily gets wrong and what has one obvious remedy. It
// drops properties that the schema does not know, unless it says that there may
// be others or names none; nulls where null is not allowed and nothing is
// required; and it corrects types: "42" for a number, 42 for a string, "true" for
// a boolean, one value for a list of such values. Of several forms that a value
// may have it follows the one that is meant beyond doubt. All else is left as it
// is, for [Schema.Check] to judge. The given value is not changed; the result
// may share parts with it. What fits still fits, and to tidy twice is to tidy
// once.
func (s *Schema) Tidy(value any) any {
	tidied, changed := s.tidy(value)
	if changed && len(s.Check(tidied)) > 0 && len(s.Check(value)) == 0 {
		return value // it counts its properties, say
	}
	return tidied
}

// tidy goes over a value until there is nothing to do, since one remedy can make
// way for another. What does not settle is left alone.
func (s *Schema) tidy(value any) (tidied any, changed bool) {
	tidied = value
	for range 4 {
		t := &tidier{left: maxWork}
		tidied = t.value([]*node{s.root}, tidied)
		if t.left < 0 {
			return value, false
		}
		if !t.changed {
			return tidied, changed
		}
		changed = true
	}
	return value, false
}

// tidier goes as deep as the schema, which is bounded, and as far as its work lasts.
type tidier struct {
	left    int
	changed bool
}

// value tidies a value that is to fit all of some schemas.
func (t *tidier) value(nodes []*node, value any) any {
	parts, sure := t.parts(nodes, value)
	if t.left < 0 || len(parts) == 0 {
		return value
	}
	allowed := every
	for _, part := range parts {
		allowed &= part.allowed
	}
	if allowed&kindOf(value) == 0 {
		return t.convert(parts, allowed, value)
	}
	switch v := value.(type) {
	case map[string]any:
		return t.object(parts, sure, v)
	case []any:
		return t.array(parts, v)
	}
	return value
}

// parts returns the schemas with what they consist of and with the branches that
// are meant. sure is false if there are others whose say is not known.
func (t *tidier) parts(nodes []*node, value any) (parts []*node, sure bool) {
	sure = true
	for _, n := range nodes {
		if t.left--; t.left < 0 {
			return nil, false
		}
		parts = append(parts, n)
		inner := slices.Clone(n.list["allOf"])
		for _, keyword := range []string{"anyOf", "oneOf"} {
			branches := n.list[keyword]
			if branch := t.branch(branches, value); branch != nil {
				inner = append(inner, branch)
			} else if len(branches) > 0 {
				sure = false
			}
		}
		more, alsoSure := t.parts(inner, value)
		parts = append(parts, more...)
		sure = sure && alsoSure && n.one["if"] == nil && n.named["dependencies"] == nil && n.named["dependentSchemas"] == nil
	}
	return parts, sure
}

// branch returns the one branch that a value is meant to fit, nil if that is not
// clear: the only one of its type, the only one whose fixed and required
// properties it has, or the only one at all apart from null.
func (t *tidier) branch(branches []*node, value any) *node {
	t.left -= len(branches)
	is := kindOf(value)
	fit := slices.DeleteFunc(slices.Clone(branches), func(n *node) bool { return n.allowed&is == 0 })
	if len(fit) == 0 {
		fit = slices.DeleteFunc(slices.Clone(branches), func(n *node) bool { return n.allowed&^null == 0 })
	} else if v, ok := value.(map[string]any); ok && len(fit) > 1 {
		fit = slices.DeleteFunc(fit, func(n *node) bool { return !t.resembles(n, v) })
	}
	if len(fit) != 1 {
		return nil
	}
	return fit[0]
}

// resembles reports whether an object has the required properties of a schema,
// and the values of those that are fixed.
func (t *tidier) resembles(n *node, v map[string]any) bool {
	t.left -= len(n.required) + len(n.named["properties"])
	for name := range n.required {
		if _, ok := v[name]; !ok {
			return false
		}
	}
	for name, child := range n.named["properties"] {
		value, ok := v[name]
		if !ok || child.fixed == nil {
			continue
		}
		t.left -= len(child.fixed)
		if !slices.ContainsFunc(child.fixed, func(want any) bool { return alike(value, want) }) {
			return false
		}
	}
	return true
}

// alike compares plain values by how they are written.
func alike(a, b any) bool {
	return kindOf(a)&(array|object) == 0 && kindOf(b)&(array|object) == 0 && written(a) == written(b)
}

func written(value any) string {
	if f, ok := value.(float64); ok {
		return strconv.FormatFloat(f, 'f', -1, 64)
	}
	return fmt.Sprint(value)
}

func (t *tidier) object(parts []*node, sure bool, v map[string]any) any {
	drop := sure && closed(parts)
	tidied := make(map[string]any, len(v))
	for name, value := range v {
		if t.left -= len(parts); t.left < 0 {
			return v
		}
		children, required := t.property(parts, name)
		switch {
		case len(children) == 0 && drop && !required:
			t.changed = true
		case value == nil && len(children) > 0 && !required && !allow(children, null):
			t.changed = true
		default:
			tidied[name] = t.value(children, value)
		}
	}
	return tidied
}

// closed reports whether an object can have no properties but those that its
// schemas name.
func closed(parts []*node) bool {
	named := false
	for _, n := range parts {
		named = named || len(n.named["properties"]) > 0
		for _, keyword := range []string{"additionalProperties", "unevaluatedProperties"} {
			if rest := n.one[keyword]; rest != nil {
				if rest.verdict == nil || *rest.verdict {
					return false
				}
				named = true
			}
		}
	}
	return named
}

// property returns the schemas of a property, and whether it is required.
func (t *tidier) property(parts []*node, name string) (children []*node, required bool) {
	for _, n := range parts {
		required = required || n.required[name]
		child := n.named["properties"][name]
		if child != nil {
			children = append(children, child)
		}
		matched := child != nil
		for _, text := range sortedKeys(n.patterns) {
			pattern := n.patterns[text]
			t.left -= pattern.cost(name)
			if t.left >= 0 && pattern.MatchString(name) {
				matched = true
				children = append(children, n.named["patternProperties"][text])
			}
		}
		if rest := n.one["additionalProperties"]; rest != nil && rest.verdict == nil && !matched {
			children = append(children, rest)
		}
	}
	return children, required
}

func allow(nodes []*node, kind kinds) bool {
	for _, n := range nodes {
		if n.allowed&kind == 0 {
			return false
		}
	}
	return true
}

func (t *tidier) array(parts []*node, v []any) any {
	tuple := slices.ContainsFunc(parts, func(n *node) bool { return n.tuple() != nil })
	tidied := make([]any, 0, len(v))
	for i, value := range v {
		if t.left -= len(parts); t.left < 0 {
			return v
		}
		elements := items(parts, i)
		if value == nil && !tuple && !allow(elements, null) {
			t.changed = true
			continue
		}
		tidied = append(tidied, t.value(elements, value))
	}
	return tidied
}

// items returns the schemas of an element of a list.
func items(parts []*node, i int) []*node {
	var elements []*node
	for _, n := range parts {
		if element := n.item(i); element != nil {
			elements = append(elements, element)
		}
	}
	return elements
}

// convert turns a value of a wrong type into one of an allowed type, if that is
// only another way to write it.
func (t *tidier) convert(parts []*node, allowed kinds, value any) any {
	switch v := value.(type) {
	case string:
		if converted := fromText(strings.TrimSpace(v), allowed); converted != nil {
			t.changed = true
			return converted
		}
	case json.Number, float64:
		if allowed&text != 0 {
			t.changed = true
			return written(v)
		}
	}
	if allowed&array == 0 || value == nil {
		return value
	}
	was := t.changed
	elements := items(parts, 0)
	element := t.value(elements, value)
	if allow(elements, kindOf(element)) {
		t.changed = true
		return []any{element}
	}
	t.changed = was
	return value
}

// fromText reads a number or a boolean from a text, nil if it is not only that.
func fromText(s string, allowed kinds) any {
	switch strings.ToLower(s) {
	case "true", "false":
		if allowed&boolean != 0 {
			return strings.EqualFold(s, "true")
		}
		return nil
	}
	if n := json.Number(s); usable(s) && allowed&kindOf(n) != 0 {
		return n
	}
	return nil
}
