package schema

import (
	"maps"
	"slices"
)

// node is a schema in the tree of schemas. Keywords that hold schemas are kept
// apart by how they hold them, so that one walk serves them all.
type node struct {
	path    []any // where it stands in the caller's schema
	verdict *bool // of a schema that is true or false
	odd     any   // what stands where a schema could: names in dependencies, or a mistake

	words map[string]any              // keywords that hold no schemas
	one   map[string]*node            // keywords that hold a schema
	list  map[string][]*node          // keywords that hold a list of them
	named map[string]map[string]*node // keywords that hold schemas with names

	patterns map[string]namePattern // of the names in patternProperties
	pattern  int                    // size of the pattern of a string

	// Derived by settle.
	allowed  kinds
	required map[string]bool
	fixed    []any // the only values it takes, if there are such
	weight   int   // the work of a look at a value
}

// shape is how a keyword holds schemas.
type shape int

const (
	notAtAll shape = iota
	asOne
	asList
	asNamed
	asTarget // it only serves references and does not outlive them
)

func shapeOf(keyword string, value any) shape {
	switch keyword {
	case "additionalProperties", "additionalItems", "not", "if", "then", "else", "contains",
		"propertyNames", "unevaluatedItems", "unevaluatedProperties", "contentSchema":
		return asOne
	case "allOf", "anyOf", "oneOf", "prefixItems":
		if _, ok := value.([]any); ok {
			return asList
		}
	case "items":
		if _, ok := value.([]any); ok {
			return asList
		}
		return asOne
	case "properties", "patternProperties", "dependentSchemas", "dependencies":
		if _, ok := value.(map[string]any); ok {
			return asNamed
		}
	case "$ref", "$defs", "definitions", "$schema", "$id", "id", "$anchor", "$dynamicAnchor",
		"$recursiveAnchor", "$vocabulary", "$comment":
		return asTarget
	}
	return notAtAll
}

func newNode(path []any) *node {
	return &node{
		path: path, words: map[string]any{}, one: map[string]*node{},
		list: map[string][]*node{}, named: map[string]map[string]*node{},
	}
}

// each calls f for every schema right within n.
func (n *node) each(f func(*node)) {
	for _, child := range n.one {
		f(child)
	}
	for _, children := range n.list {
		for _, child := range children {
			f(child)
		}
	}
	for _, children := range n.named {
		for _, child := range children {
			f(child)
		}
	}
}

// render turns the tree back into JSON, without some keywords.
func (n *node) render(without func(keyword string) bool) any {
	switch {
	case n.verdict != nil:
		return *n.verdict
	case n.odd != nil:
		return n.odd
	}
	doc := make(map[string]any, len(n.words)+len(n.one)+len(n.list)+len(n.named))
	maps.Copy(doc, n.words)
	if without != nil {
		maps.DeleteFunc(doc, func(keyword string, _ any) bool { return without(keyword) })
	}
	for keyword, child := range n.one {
		doc[keyword] = child.render(without)
	}
	for keyword, children := range n.list {
		rendered := make([]any, len(children))
		for i, child := range children {
			rendered[i] = child.render(without)
		}
		doc[keyword] = rendered
	}
	for keyword, children := range n.named {
		rendered := make(map[string]any, len(children))
		for name, child := range children {
			rendered[name] = child.render(without)
		}
		doc[keyword] = rendered
	}
	return doc
}

// relax returns the tree of [Schema.Relaxed]. What only holds for a whole is
// left out; so are conditions and negations, whose meaning would be turned round
// if they were relaxed inside. Of a oneOf more than one branch may fit a part,
// so it becomes an anyOf.
func (n *node) relax() *node {
	if n.verdict != nil || n.odd != nil {
		return n
	}
	relaxed := *n
	relaxed.words = maps.Clone(n.words)
	for _, keyword := range []string{"required", "minItems", "minProperties", "dependentRequired", "minContains", "maxContains"} {
		delete(relaxed.words, keyword)
	}
	relaxed.one = make(map[string]*node, len(n.one))
	for keyword, child := range n.one {
		switch keyword {
		case "not", "if", "then", "else", "contains":
		default:
			relaxed.one[keyword] = child.relax()
		}
	}
	relaxed.list = make(map[string][]*node, len(n.list))
	for keyword, children := range n.list {
		relaxed.list[keyword] = relaxAll(children)
	}
	if branches := relaxed.list["oneOf"]; branches != nil {
		delete(relaxed.list, "oneOf")
		if relaxed.list["anyOf"] == nil {
			relaxed.list["anyOf"] = branches
		} else {
			either := newNode(n.path)
			either.list["anyOf"] = branches
			relaxed.list["allOf"] = append(relaxed.list["allOf"], either)
		}
	}
	relaxed.named = make(map[string]map[string]*node, len(n.named))
	for keyword, children := range n.named {
		if keyword == "dependencies" || keyword == "dependentSchemas" {
			continue
		}
		relaxed.named[keyword] = make(map[string]*node, len(children))
		for name, child := range children {
			relaxed.named[keyword][name] = child.relax()
		}
	}
	return &relaxed
}

func relaxAll(nodes []*node) []*node {
	relaxed := make([]*node, len(nodes))
	for i, n := range nodes {
		relaxed[i] = n.relax()
	}
	return relaxed
}

// settle derives what the walks ask for again and again. The tree has been
// found to be a valid schema.
func (n *node) settle() {
	n.each((*node).settle)
	n.allowed, n.weight = every, 1
	if n.verdict != nil && !*n.verdict {
		n.allowed = 0
	}
	n.required = map[string]bool{}
	names, _ := n.words["required"].([]any)
	for _, name := range names {
		if name, ok := name.(string); ok {
			n.required[name] = true
		}
	}
	if value, ok := n.words["const"]; ok {
		n.fixed = []any{value}
	} else if values, ok := n.words["enum"].([]any); ok {
		n.fixed = values
	}
	for _, value := range n.fixed {
		n.weight += sizeOf(value)
	}
	for _, keyword := range []string{"minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"} {
		if n.words[keyword] != nil {
			n.weight += exact
		}
	}
	n.settleKinds()
}

// settleKinds derives the types of the values that can fit.
func (n *node) settleKinds() {
	if types, ok := n.words["type"]; ok {
		n.allowed &= kindsNamed(types)
	}
	if n.fixed != nil {
		n.allowed &= kindsOfAll(n.fixed)
	}
	for _, part := range n.list["allOf"] {
		n.allowed &= part.allowed
	}
	for _, keyword := range []string{"anyOf", "oneOf"} {
		if branches := n.list[keyword]; len(branches) > 0 {
			var either kinds
			for _, branch := range branches {
				either |= branch.allowed
			}
			n.allowed &= either
		}
	}
}

// item returns the schema for an element of a list, nil if there is none.
func (n *node) item(i int) *node {
	tuple := n.tuple()
	switch rest := n.one["items"]; {
	case i < len(tuple):
		return tuple[i]
	case rest != nil:
		return rest
	case n.list["items"] != nil:
		return n.one["additionalItems"]
	}
	return nil
}

// tuple returns the schemas of a list whose elements have one each.
func (n *node) tuple() []*node {
	if tuple := n.list["prefixItems"]; tuple != nil {
		return tuple
	}
	return n.list["items"]
}

// branches returns the schemas of which one is to be fitted.
func (n *node) branches() []*node {
	return slices.Concat(n.list["anyOf"], n.list["oneOf"])
}

// requires reports whether an object that fits n must have a property.
func (n *node) requires(name string) bool {
	if n.required[name] {
		return true
	}
	for _, part := range n.list["allOf"] {
		if part.requires(name) {
			return true
		}
	}
	for _, keyword := range []string{"anyOf", "oneOf"} {
		all := len(n.list[keyword]) > 0
		for _, branch := range n.list[keyword] {
			all = all && (branch.allowed&object == 0 || branch.requires(name))
		}
		if all {
			return true
		}
	}
	return false
}
