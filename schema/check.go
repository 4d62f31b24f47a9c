package schema

import (
	"errors"
	"slices"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

const (
	maxProblems = 20
	maxWork     = 1_000_000 // looks at a value, of some microseconds at most
)

// Problem is something that is wrong with a value.
type Problem struct {
	Path string // such as items[0].name, empty for the value itself
	Text string // what is wrong: "must be a number, not a string"
}

// Check says what is wrong with a JSON value, as package json decodes it, in
// order of its paths and at most 20 things. Nothing is wrong with a value that
// fits. The time it takes is bounded: one that would take too long does not fit.
func (s *Schema) Check(value any) []Problem { return s.Problems(value, maxProblems) }

// Problems is Check with another number of things at most, for those who mean to
// mend them all: a check of a long list takes its time, however few are named.
func (s *Schema) Problems(value any, most int) []Problem {
	if odd := examine(value, nil); odd != nil {
		if odd.deep {
			return []Problem{{Text: "is nested too deeply"}}
		}
		return []Problem{{Path: brief(pathText(odd.path), maxPath), Text: "is a number out of range"}}
	}
	m := &meter{left: maxWork}
	if m.visit(s.root, value); m.left < 0 {
		return []Problem{{Text: "is too large to be checked"}}
	}
	err := s.compiled.Validate(value)
	if err == nil {
		return nil
	}
	details, ok := errors.AsType[*jsonschema.ValidationError](err)
	if !ok {
		return []Problem{{Text: "does not fit the schema"}}
	}
	found := findings(details, most)
	problems := make([]Problem, 0, len(found))
	for _, f := range found {
		problems = append(problems, Problem{Path: concrete(value, f.path), Text: f.text})
	}
	return slices.Compact(problems)
}

// meter measures the work of a check by going the ways of the validator, which
// cannot be interrupted, without doing it.
type meter struct{ left int }

func (m *meter) visit(n *node, value any) {
	if m.left -= n.weight; m.left < 0 {
		return
	}
	for _, keyword := range []string{"not", "if", "then", "else"} {
		if child := n.one[keyword]; child != nil {
			m.visit(child, value)
		}
	}
	for _, keyword := range []string{"allOf", "anyOf", "oneOf"} {
		for _, child := range n.list[keyword] {
			m.visit(child, value)
		}
	}
	switch v := value.(type) {
	case map[string]any:
		m.object(n, v)
	case []any:
		m.array(n, v)
	case string:
		m.left -= len(v)/64 + len(v)*n.pattern/16
	}
}

func (m *meter) object(n *node, v map[string]any) {
	m.left -= len(v)
	for _, keyword := range []string{"dependencies", "dependentSchemas"} {
		for _, child := range n.named[keyword] {
			m.visit(child, v)
		}
	}
	for name, element := range v {
		child := n.named["properties"][name]
		known := child != nil
		if known {
			m.visit(child, element)
		}
		for text, pattern := range n.patterns {
			m.left -= pattern.cost(name)
			if m.left >= 0 && pattern.MatchString(name) {
				known = true
				m.visit(n.named["patternProperties"][text], element)
			}
		}
		if rest := n.one["additionalProperties"]; rest != nil && !known {
			m.visit(rest, element)
		}
		if rest := n.one["unevaluatedProperties"]; rest != nil {
			m.visit(rest, element)
		}
		if names := n.one["propertyNames"]; names != nil {
			m.visit(names, name)
		}
		if m.left < 0 {
			return
		}
	}
}

func (m *meter) array(n *node, v []any) {
	if n.words["uniqueItems"] == true {
		m.size(v, 20) // so many elements are compared with each other
	}
	for i, element := range v {
		if child := n.item(i); child != nil {
			m.visit(child, element)
		}
		for _, keyword := range []string{"contains", "unevaluatedItems"} {
			if child := n.one[keyword]; child != nil {
				m.visit(child, element)
			}
		}
		if m.left < 0 {
			return
		}
	}
}

// size counts a value, each part of it several times.
func (m *meter) size(value any, times int) {
	if m.left -= times; m.left < 0 {
		return
	}
	switch v := value.(type) {
	case []any:
		for _, element := range v {
			m.size(element, times)
		}
	case map[string]any:
		for _, element := range v {
			m.size(element, times)
		}
	case string:
		m.left -= times * len(v) / 64
	}
}
