package api

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/danielgtaylor/huma/v2"
)

// docs answers GET /docs: the OpenAPI document as one page, and the way to all
// other pages.
func (s *Server) docs(ctx context.Context, _ *none) (*bytesOutput, error) {
	view := describe(s.huma.OpenAPI(), s.readerBase(visitOf(ctx).request))
	return s.manual.write("docs_reference.html", docsFrame{Title: view.Title + " API", Main: view})
}

// The page's view of the document.
type (
	docsView struct {
		Title, Version, Description string
		Groups                      []docsGroup
		Schemas                     []docsSchema
	}
	docsGroup struct {
		Name       string
		Operations []docsOperation
	}
	docsOperation struct {
		ID, Method, Path, Summary, Curl string
		Inputs, Output                  []docsField
	}
	docsSchema struct {
		Name   string
		Fields []docsField
	}
	docsField struct {
		Name, Rules, Description string
		Required                 bool
		Types                    []docsType
	}
	docsType struct{ Text, Schema string } // Schema is the name to link to, if any
)

func describe(document *huma.OpenAPI, base string) docsView {
	view := docsView{
		Title: document.Info.Title, Version: document.Info.Version, Description: document.Info.Description,
	}
	groups := map[string][]docsOperation{}
	for _, path := range slices.Sorted(maps.Keys(document.Paths)) {
		for method, op := range operations(document.Paths[path]) {
			groups[op.Tags[0]] = append(groups[op.Tags[0]], describeOperation(document, base, method, path, op))
		}
	}
	for _, name := range slices.Sorted(maps.Keys(groups)) {
		view.Groups = append(view.Groups, docsGroup{name, groups[name]})
	}
	schemas := document.Components.Schemas.Map()
	for _, name := range slices.Sorted(maps.Keys(schemas)) {
		view.Schemas = append(view.Schemas, docsSchema{name, fieldsOf(schemas[name])})
	}
	return view
}

func operations(item *huma.PathItem) map[string]*huma.Operation {
	all := map[string]*huma.Operation{
		http.MethodGet: item.Get, http.MethodPost: item.Post, http.MethodPut: item.Put,
		http.MethodPatch: item.Patch, http.MethodDelete: item.Delete,
	}
	maps.DeleteFunc(all, func(_ string, op *huma.Operation) bool { return op == nil })
	return all
}

func describeOperation(document *huma.OpenAPI, base, method, path string, op *huma.Operation) docsOperation {
	view := docsOperation{ID: op.OperationID, Method: method, Path: path, Summary: op.Summary}
	curl := []string{"curl " + base + path}
	if len(op.Security) > 0 {
		curl = append(curl, `-H "Authorization: Bearer $TRAWL_API_KEY"`)
	}
	for _, param := range op.Parameters {
		view.Inputs = append(view.Inputs, docsField{
			Name: param.Name, Description: param.Description, Required: param.Required,
			Types: typesOf(param.Schema), Rules: rulesOf(param.Schema),
		})
	}
	if op.RequestBody != nil {
		if form := op.RequestBody.Content[formType]; form != nil {
			view.Inputs = append(view.Inputs, fieldsOf(resolve(document, form.Schema))...)
			curl = append(curl, "-F file=@file.pdf")
		} else if body := op.RequestBody.Content["application/json"]; body != nil {
			schema := resolve(document, body.Schema)
			view.Inputs = append(view.Inputs, fieldsOf(schema)...)
			curl = append(curl, "--json '"+exampleOf(schema)+"'")
		} else {
			curl = append(curl, "-T file.pdf")
		}
	}
	view.Curl = strings.Join(curl, " \\\n  ")
	if ok := op.Responses["200"]; ok != nil && ok.Content["application/json"] != nil {
		view.Output = fieldsOf(resolve(document, ok.Content["application/json"].Schema))
	}
	return view
}

func resolve(document *huma.OpenAPI, schema *huma.Schema) *huma.Schema {
	for schema.Ref != "" {
		schema = document.Components.Schemas.SchemaFromRef(schema.Ref)
	}
	return schema
}

// exampleOf builds a body from the required fields that have an example.
func exampleOf(schema *huma.Schema) string {
	example := map[string]any{}
	for _, name := range schema.Required {
		if examples := schema.Properties[name].Examples; len(examples) > 0 {
			example[name] = examples[0]
		}
	}
	encoded, _ := json.Marshal(example)
	return string(encoded)
}

// fieldsOf lists the fields of an object, the required ones first.
func fieldsOf(schema *huma.Schema) []docsField {
	var fields []docsField
	names := slices.SortedFunc(maps.Keys(schema.Properties), func(a, b string) int {
		first, second := slices.Contains(schema.Required, a), slices.Contains(schema.Required, b)
		if first != second {
			return map[bool]int{true: -1, false: 1}[first]
		}
		return strings.Compare(a, b)
	})
	for _, name := range names {
		property := schema.Properties[name]
		fields = append(fields, docsField{
			Name: name, Description: property.Description, Required: slices.Contains(schema.Required, name),
			Types: typesOf(property), Rules: rulesOf(property),
		})
	}
	return fields
}

// typesOf names the types a value may have.
func typesOf(schema *huma.Schema) []docsType {
	switch {
	case schema.Ref != "":
		name := schema.Ref[strings.LastIndexByte(schema.Ref, '/')+1:]
		return []docsType{{name, name}}
	case schema.Type == huma.TypeArray:
		return append([]docsType{{Text: "array of"}}, typesOf(schema.Items)...)
	case len(schema.OneOf) > 0:
		var types []docsType
		for _, variant := range schema.OneOf {
			types = append(types, typesOf(variant)...)
		}
		return types
	case schema.Type == "":
		return []docsType{{Text: "any"}}
	}
	return []docsType{{Text: schema.Type}}
}

// rulesOf spells out default, bounds and choices.
func rulesOf(schema *huma.Schema) string {
	var rules []string
	add := func(format string, value any) { rules = append(rules, fmt.Sprintf(format, value)) }
	if schema.Default != nil {
		encoded, _ := json.Marshal(schema.Default)
		add("default %s", string(encoded))
	}
	if len(schema.Enum) > 0 {
		add("one of %v", schema.Enum)
	}
	for _, bound := range []struct {
		format string
		value  *float64
	}{{"at least %v", schema.Minimum}, {"at most %v", schema.Maximum}} {
		if bound.value != nil {
			add(bound.format, strconv.FormatFloat(*bound.value, 'f', -1, 64))
		}
	}
	for _, bound := range []struct {
		format string
		value  *int
	}{
		{"at least %d characters", schema.MinLength}, {"at most %d characters", schema.MaxLength},
		{"at least %d items", schema.MinItems}, {"at most %d items", schema.MaxItems},
	} {
		if bound.value != nil {
			add(bound.format, *bound.value)
		}
	}
	return strings.Join(rules, "; ")
}
