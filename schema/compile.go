package schema

import (
	"errors"
	"fmt"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// draftOf reads $schema.
func draftOf(doc map[string]any) (*jsonschema.Draft, error) {
	value, ok := doc["$schema"]
	if !ok {
		return jsonschema.Draft2020, nil
	}
	name, _ := value.(string)
	_, name, _ = strings.Cut(strings.TrimSuffix(name, "#"), "://")
	switch name {
	case "json-schema.org/draft-04/schema":
		return jsonschema.Draft4, nil
	case "json-schema.org/draft-06/schema":
		return jsonschema.Draft6, nil
	case "json-schema.org/draft-07/schema":
		return jsonschema.Draft7, nil
	case "json-schema.org/draft/2019-09/schema":
		return jsonschema.Draft2019, nil
	case "json-schema.org/draft/2020-12/schema", "json-schema.org/schema":
		return jsonschema.Draft2020, nil
	}
	return nil, &Error{Path: []any{"$schema"}, Text: "$schema must be the address of a draft of JSON Schema from draft-04 to 2020-12"}
}

// isOld reports whether in a draft what stands beside a $ref does not count.
func isOld(draft *jsonschema.Draft) bool {
	return draft != jsonschema.Draft2019 && draft != jsonschema.Draft2020
}

// nowhere is the loader of a validator that loads nothing.
type nowhere struct{}

func (nowhere) Load(address string) (any, error) {
	return nil, fmt.Errorf("load %s: a schema must be complete", address)
}

// compile makes the validator of a tree. Formats are left out: in older drafts it
// would enforce them.
func compile(root *node, draft *jsonschema.Draft) (*jsonschema.Schema, error) {
	const address = "schema:///root"
	doc := root.render(func(keyword string) bool { return keyword == "format" })
	c := jsonschema.NewCompiler()
	c.DefaultDraft(draft)
	c.UseLoader(nowhere{})
	c.UseRegexpEngine(engine)
	err := c.AddResource(address, doc)
	if err != nil {
		return nil, &Error{Text: "the schema cannot be used"}
	}
	compiled, err := c.Compile(address)
	if err == nil {
		return compiled, nil
	}
	invalid, ok := errors.AsType[*jsonschema.SchemaValidationError](err)
	if !ok {
		return nil, &Error{Text: "the schema cannot be used: " + brief(err.Error(), maxQuote)}
	}
	details, ok := errors.AsType[*jsonschema.ValidationError](invalid.Err)
	if !ok {
		return nil, &Error{Text: "the schema is not a JSON Schema"}
	}
	return nil, mistake(root, doc, details)
}

// mistake says what is wrong with a schema by what the schema of schemas has
// against it.
func mistake(root *node, doc any, details *jsonschema.ValidationError) *Error {
	found := findings(details, maxProblems)
	if len(found) == 0 {
		return &Error{Text: "the schema is not a JSON Schema"}
	}
	first := found[0]
	path := make([]any, 0, len(first.path))
	for value, rest := doc, first.path; len(rest) > 0; rest = rest[1:] {
		step := stepInto(value, rest[0])
		path = append(path, step)
		value, _ = Get(value, []any{step})
	}
	text := first.text
	if len(path) > 0 {
		text = fmt.Sprintf("%s %s", brief(fmt.Sprint(path[len(path)-1]), maxQuote), text)
	}
	return &Error{Path: root.origin(path), Text: text}
}

// origin translates a path in the tree to one in the caller's schema: what came
// by a reference stands elsewhere there.
func (n *node) origin(path []any) []any {
	if len(path) == 0 {
		return n.path
	}
	keyword, _ := path[0].(string)
	if child := n.one[keyword]; child != nil {
		return child.origin(path[1:])
	}
	if len(path) > 1 {
		switch step := path[1].(type) {
		case int:
			if children := n.list[keyword]; step < len(children) {
				return children[step].origin(path[2:])
			}
		case string:
			if child := n.named[keyword][step]; child != nil {
				return child.origin(path[2:])
			}
		}
	}
	return extend(n.path, path...)
}
