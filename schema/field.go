package schema

import (
	"cmp"
	"encoding/json"
	"slices"
)

// Field is something to be found: a leaf of a schema.
type Field struct {
	Path        string // such as items[].name
	Name        string // of the property, also for the elements of a list
	Description string // or its title
	Type        string // of the value, if there is one type apart from null
	Format      string
	Enum        []any // the only values it takes
	Required    bool  // by the schema and all the way up
	Repeated    bool  // it stands within a list
}

// Fields returns the leaves of the schema, sorted by name on every level. Where a
// value may have several forms the fields of all of them are listed.
func (s *Schema) Fields() []Field {
	var fields []Field
	gather([]*node{s.root}, Field{Required: true}, &fields)
	return fields
}

// gather lists the leaves of what fits one of some schemas: those of a property
// that several forms of an object have. f is what is known from further up.
func gather(nodes []*node, f Field, fields *[]Field) {
	all := forms(nodes)
	for _, n := range all {
		f.Description = cmp.Or(f.Description, n.say("description"))
		f.Format = cmp.Or(f.Format, n.say("format"))
	}
	properties := map[string][]*node{}
	var elements []*node
	for _, n := range all {
		for name, child := range n.named["properties"] {
			properties[name] = append(properties[name], child)
		}
		if element := n.item(len(n.tuple())); element != nil {
			elements = append(elements, element)
		}
		elements = append(elements, n.tuple()...)
	}
	for _, name := range sortedKeys(properties) {
		gather(properties[name], Field{
			Path: Below(f.Path, name), Name: name, Repeated: f.Repeated,
			Required: f.Required && anyRequires(nodes, name),
		}, fields)
	}
	var allowed kinds
	for _, n := range nodes {
		allowed |= n.allowed
	}
	switch {
	case len(elements) > 0 || allowed&^null == array:
		f.Path, f.Repeated = f.Path+"[]", true
		gather(elements, f, fields)
	case len(properties) == 0:
		*fields = append(*fields, f.leaf(nodes, all, allowed))
	}
}

// leaf completes a field.
func (f Field) leaf(nodes, all []*node, allowed kinds) Field {
	f.Type, f.Enum = allowed.name(), valuesOfAll(nodes)
	for _, n := range all {
		f.Description = cmp.Or(f.Description, n.say("title"))
	}
	return f
}

// say returns a keyword whose value is a text.
func (n *node) say(keyword string) string {
	said, _ := n.words[keyword].(string)
	return said
}

// values returns the only values that fit, apart from null; nil if there are others.
func (n *node) values() []any {
	if n.fixed != nil {
		return slices.DeleteFunc(slices.Clone(n.fixed), func(value any) bool { return value == nil })
	}
	for _, part := range n.list["allOf"] {
		if values := part.values(); values != nil {
			return values
		}
	}
	return valuesOfAll(n.branches())
}

// valuesOfAll returns the only values that fit one of several schemas.
func valuesOfAll(nodes []*node) []any {
	var all []any
	for _, n := range nodes {
		if n.allowed == null {
			continue
		}
		values := n.values()
		if values == nil {
			return nil
		}
		all = append(all, values...)
	}
	return all
}

// forms returns schemas together with all those that the same value may have to
// fit, except those for null alone.
func forms(nodes []*node) []*node {
	var all []*node
	for _, n := range nodes {
		if n.allowed == null {
			continue
		}
		all = append(all, n)
		all = append(all, forms(n.list["allOf"])...)
		all = append(all, forms(n.branches())...)
	}
	return all
}

func anyRequires(nodes []*node, name string) bool {
	for _, n := range nodes {
		if n.requires(name) {
			return true
		}
	}
	return false
}

// Optional reports whether a value could be left out: a property that is not
// required, or an element of a list that need not be so long. The value as a
// whole cannot. What the schema does not know can be left out.
func (s *Schema) Optional(path string) bool {
	steps, ok := Steps(path)
	if !ok || len(steps) == 0 {
		return false
	}
	nodes := []*node{s.root}
	for _, step := range steps[:len(steps)-1] {
		nodes = within(nodes, step)
	}
	name, isName := steps[len(steps)-1].(string)
	if isName {
		return !anyRequires(nodes, name)
	}
	index, _ := steps[len(steps)-1].(int)
	for _, n := range forms(nodes) {
		least, _ := n.words["minItems"].(json.Number)
		if most, err := least.Float64(); err == nil && float64(index) < most || n.tuple() != nil {
			return false
		}
	}
	return true
}

// within returns the schemas for a property or an element.
func within(nodes []*node, step any) []*node {
	var inner []*node
	for _, n := range forms(nodes) {
		var child *node
		switch s := step.(type) {
		case string:
			if child = n.named["properties"][s]; child == nil {
				child = n.one["additionalProperties"]
			}
		case int:
			child = n.item(s)
		}
		if child != nil {
			inner = append(inner, child)
		}
	}
	return inner
}
