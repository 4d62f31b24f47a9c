package mcp

import (
	"context"
	"encoding/json"
	"maps"
	"net/http"
	"slices"
	"strings"
)

// object is a JSON object, mostly a JSON Schema.
type object = map[string]any

// spec is the OpenAPI document of the service.
type spec struct {
	Paths      map[string]map[string]*operation
	Components struct{ Schemas map[string]object }
}

// operation is what a method does at a path.
type operation struct {
	Summary    string
	Parameters []struct {
		Name, In string
		Schema   object
	}
	RequestBody struct {
		Content map[string]struct{ Schema object }
	}
	Responses map[string]struct {
		Content map[string]struct{ Schema object }
	}
}

// unfinished ends the summary of a route that only says that it is not there yet.
const unfinished = "(not implemented)"

func (s *Server) readSpec(ctx context.Context) (*spec, error) {
	found, err := s.do(ctx, s.visitor(nil), request{method: http.MethodGet, path: "/openapi.json"})
	if err != nil {
		return nil, err
	}
	body, err := found.ok()
	if err != nil {
		return nil, err
	}
	document := &spec{}
	return document, json.Unmarshal(body, document)
}

// operation returns what a route such as "POST /v2/scrape" does, or nil if the
// service has none that works.
func (d *spec) operation(route string) *operation {
	method, path, _ := strings.Cut(route, " ")
	op := d.Paths[path][strings.ToLower(method)]
	if op == nil || strings.HasSuffix(op.Summary, unfinished) {
		return nil
	}
	return op
}

// body returns the schema of what an operation takes: of a form, that of its options.
func (d *spec) body(op *operation) object {
	if form, ok := op.RequestBody.Content["multipart/form-data"]; ok {
		return d.resolved(properties(d.resolved(form.Schema))["options"])
	}
	return d.resolved(op.RequestBody.Content["application/json"].Schema)
}

// answer returns the schema of what it answers.
func (d *spec) answer(op *operation) object {
	return d.resolved(op.Responses["200"].Content["application/json"].Schema)
}

// parameter returns the schema of a parameter in the query.
func (op *operation) parameter(name string) object {
	for _, p := range op.Parameters {
		if p.Name == name && p.In == "query" {
			return p.Schema
		}
	}
	return nil
}

// resolved follows the reference of a schema, if it is one. What stands beside the
// reference counts more than what it refers to.
func (d *spec) resolved(schema any) object {
	s, _ := schema.(object)
	reference, ok := s["$ref"].(string)
	if !ok {
		return s
	}
	full := maps.Clone(d.Components.Schemas[strings.TrimPrefix(reference, "#/components/schemas/")])
	for name, value := range s {
		if name != "$ref" {
			full[name] = value
		}
	}
	return full
}

func properties(schema object) object {
	p, _ := schema["properties"].(object)
	return p
}

// plain returns a schema for models: whole, without references, without what only
// programs need, and with a union of objects as one object that has the fields of
// all of them, told apart by type.
func (d *spec) plain(schema any) object {
	source := d.resolved(schema)
	if variants, ok := source["oneOf"].([]any); ok && source["discriminator"] != nil {
		return d.merged(variants)
	}
	out := object{}
	for name, value := range source {
		switch name {
		case "examples", "discriminator", "format", "default":
		case "type":
			out["type"] = withoutNull(value)
		case "properties":
			inner := object{}
			for field, s := range properties(source) {
				inner[field] = d.plain(s)
			}
			out["properties"] = inner
		case "items":
			out["items"] = d.plain(value)
		case "oneOf", "anyOf":
			list := []any{}
			for _, s := range value.([]any) {
				list = append(list, d.plain(s))
			}
			out[name] = list
		default:
			out[name] = value
		}
	}
	if value, ok := source["default"]; ok && scalar(value) {
		out["default"] = value
	}
	return out
}

// merged returns the union of objects as one. Names that stand for an object
// without options are all there is if there are any.
func (d *spec) merged(variants []any) object {
	fields, types := object{}, []any{}
	for _, v := range variants {
		variant := d.resolved(v)
		if names, ok := variant["enum"]; ok && variant["type"] == "string" {
			return object{"type": "string", "enum": names}
		}
		for name, schema := range properties(variant) {
			if name != "type" {
				fields[name] = d.plain(schema)
				continue
			}
			values, _ := d.resolved(schema)["enum"].([]any)
			types = append(types, values...)
		}
	}
	fields["type"] = object{"type": "string", "enum": types}
	return object{"type": "object", "properties": fields, "required": []any{"type"}, "additionalProperties": false}
}

func withoutNull(kind any) any {
	list, ok := kind.([]any)
	if !ok {
		return kind
	}
	rest := slices.DeleteFunc(slices.Clone(list), func(k any) bool { return k == "null" })
	if len(rest) == 1 {
		return rest[0]
	}
	return rest
}

func scalar(value any) bool {
	switch value.(type) {
	case string, float64, bool:
		return true
	}
	return false
}

// loose returns the members of an answer for a model: texts, numbers and truth values
// by their types, what is larger only by its description. All may be missing or null.
func (d *spec) loose(schema object) object {
	members := object{}
	for name, s := range properties(schema) {
		full := d.resolved(s)
		member := object{}
		if text, ok := full["description"]; ok {
			member["description"] = text
		}
		switch kind := withoutNull(full["type"]); kind {
		case "string", "boolean", "number", "integer":
			member["type"] = []any{kind, "null"}
		}
		members[name] = member
	}
	return members
}
