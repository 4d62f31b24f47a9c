// Package schema reads the JSON Schemas that callers send, and holds values
// against them.
//
// A schema comes from a stranger and a value from a language model or a web
// page, so both are taken for hostile: sizes, depths and the work of a check
// are bounded, nothing is ever loaded from elsewhere, and what a caller did
// wrong is an [*Error] that says where.
//
// [Compile] replaces every local reference by what it refers to. What is left
// is a tree, which a model can read without looking anything up ([Schema.JSON])
// and which the other methods walk: [Schema.Tidy] mends the harmless slips of a
// value, [Schema.Check] says what is still wrong with it, [Schema.Relaxed] is
// what a part of the whole must fit, [Schema.Fields] lists what there is to be
// found. A schema that contains itself has no such tree and is refused.
//
// Paths in values are written items[0].name, those of fields items[].name. A
// name that would be misread stands in quotes: ["a.b"].
package schema

import (
	"bytes"
	"encoding/json"
	"fmt"
	"sync"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// Limits of a schema. Those of its size hold before and after its references are
// replaced.
const (
	maxSize    = 256 << 10 // bytes as JSON
	maxDepth   = 32        // schemas within schemas, and references that lead to references
	maxParts   = 2000      // schemas within it
	maxNesting = 200       // of the JSON, which is deeper than that of the schemas
	maxCount   = 1 << 31   // of characters, elements and properties that it speaks of
)

// Schema is a JSON Schema that can be used. It does not change and may be used
// by many at once.
type Schema struct {
	root     *node
	text     json.RawMessage
	compiled *jsonschema.Schema
	relaxed  func() *Schema
}

// Error says what is wrong with a schema, and where in it.
type Error struct {
	Path []any  // names and indexes from the root of the schema
	Text string // a sentence for callers
}

// Error returns the text with the path before it.
func (e *Error) Error() string {
	var b bytes.Buffer
	for _, step := range e.Path {
		fmt.Fprintf(&b, "/%v", step)
	}
	if b.Len() > 0 {
		b.WriteString(": ")
	}
	return b.String() + e.Text
}

// Compile reads a schema of any draft from 4 to 2020-12, which is the one if
// $schema does not name another. raw is decoded JSON; it is not kept. Formats
// are annotations in all drafts. So are patterns with features of ECMAScript
// that take more than linear time (lookaround, back-references). Any error is an
// [*Error].
func Compile(raw any) (*Schema, error) {
	doc, err := load(raw)
	if err != nil {
		return nil, err
	}
	draft, err := draftOf(doc)
	if err != nil {
		return nil, err
	}
	root, err := read(doc, isOld(draft))
	if err != nil {
		return nil, err
	}
	return build(root, draft)
}

// build makes a schema of a tree.
func build(root *node, draft *jsonschema.Draft) (*Schema, error) {
	compiled, err := compile(root, draft)
	if err != nil {
		return nil, err
	}
	root.settle()
	s := &Schema{root: root, compiled: compiled}
	if s.text, err = encode(root.render(nil)); err != nil {
		return nil, &Error{Text: "the schema is not JSON"}
	}
	s.relaxed = sync.OnceValue(func() *Schema {
		relaxed, err := build(root.relax(), draft)
		if err != nil {
			return s // what fits the whole fits a part
		}
		relaxed.relaxed = func() *Schema { return relaxed }
		return relaxed
	})
	return s, nil
}

// load brings a schema into the types of package json, with its numbers as they
// were written, and refuses what is too large to look at.
func load(raw any) (map[string]any, error) {
	text, err := encode(raw)
	if err != nil {
		return nil, &Error{Text: "the schema is not JSON"}
	}
	if len(text) > maxSize {
		return nil, &Error{Text: fmt.Sprintf("the schema is larger than %d KiB", maxSize>>10)}
	}
	var decoded any
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	if d.Decode(&decoded) != nil {
		return nil, tooDeep(nil)
	}
	doc, ok := decoded.(map[string]any)
	if !ok {
		return nil, &Error{Text: "the schema must be an object"}
	}
	if problem := examine(doc, nil); problem != nil {
		if problem.deep {
			return nil, tooDeep(nil)
		}
		return nil, &Error{Path: problem.path, Text: "the number is out of range"}
	}
	return doc, nil
}

func tooDeep(path []any) *Error {
	return &Error{Path: path, Text: fmt.Sprintf("the schema is nested deeper than %d levels", maxDepth)}
}

// encode is json.Marshal that leaves <, > and & as they are.
func encode(value any) (json.RawMessage, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(value); err != nil {
		return nil, fmt.Errorf("encode: %w", err)
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), nil
}

// JSON returns the schema for a model to read: the same schema without
// references, definitions and identifiers. It must not be changed.
func (s *Schema) JSON() json.RawMessage { return s.text }

// Object reports whether the schema describes an object: it says so, or it has
// properties.
func (s *Schema) Object() bool {
	return s.root.allowed == object || len(s.root.named["properties"]) > 0
}

// Relaxed returns what a part of a value must fit if the whole is to fit the
// schema: nothing is required any more, and no list must have a length. What is
// there must still be of its type.
func (s *Schema) Relaxed() *Schema { return s.relaxed() }
