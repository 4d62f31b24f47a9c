package schema_test

import (
	"reflect"
	"testing"

	"github.com/trawlhq/trawl/schema"
)

func TestFields(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		name, schema string
		want         []schema.Field
	}{
		{"Zod", zodProduct, []schema.Field{
			{Path: "condition", Name: "condition", Type: "string", Enum: []any{"new", "used"}},
			{Path: "inStock", Name: "inStock", Type: "boolean", Required: true},
			{Path: "name", Name: "name", Type: "string", Description: "What it is called", Required: true},
			{Path: "offers[].gift", Name: "gift", Type: "string", Repeated: true},
			{Path: "offers[].kind", Name: "kind", Type: "string", Enum: []any{"sale", "gift"}, Repeated: true},
			{Path: "offers[].percent", Name: "percent", Type: "integer", Repeated: true},
			{Path: "price", Name: "price", Type: "number", Required: true},
			{Path: "rating", Name: "rating", Type: "number", Required: true},
			{Path: "sku", Name: "sku", Type: "string"},
			{Path: "tags[]", Name: "tags", Type: "string", Required: true, Repeated: true},
			{Path: "url", Name: "url", Type: "string", Format: "uri"},
		}},
		{"Pydantic", pydanticShop, []schema.Field{
			{Path: "items[].amount", Name: "amount", Description: "Amount", Repeated: true},
			{Path: "items[].category", Name: "category", Description: "Category", Type: "string", Enum: []any{"book", "toy"}, Required: true, Repeated: true},
			{Path: "items[].count", Name: "count", Description: "Count", Type: "integer", Repeated: true},
			{Path: "items[].maker.country", Name: "country", Description: "Where it is made", Type: "string", Enum: []any{"FR"}, Repeated: true},
			{Path: "items[].maker.name", Name: "name", Description: "Name", Type: "string", Repeated: true},
			{Path: "items[].name", Name: "name", Description: "Name of the item", Type: "string", Required: true, Repeated: true},
			{Path: "labels", Name: "labels", Description: "Labels", Type: "object"},
			{Path: "title", Name: "title", Description: "Title", Type: "string"},
		}},
		{"list at the root", `{"type":"array","items":{"properties":{"a":{"type":"string"}},"required":["a"]}}`, []schema.Field{{Path: "[].a", Name: "a", Type: "string", Required: true, Repeated: true}}},
		{"plain root", `{"type":"string"}`, []schema.Field{{Type: "string", Required: true}}},
		{"list of anything", `{"properties":{"a":{"type":"array","description":"d"}}}`, []schema.Field{{Path: "a[]", Name: "a", Description: "d", Repeated: true}}},
		{"anything", `{"properties":{"a":{},"b":true}}`, []schema.Field{{Path: "a", Name: "a"}, {Path: "b", Name: "b"}}},
		{"parts", `{"allOf":[{"properties":{"a":{"type":"string"}}},{"required":["a"]}]}`, []schema.Field{{Path: "a", Name: "a", Type: "string", Required: true}}},
		{"branches", `{"anyOf":[{"properties":{"a":{"type":"string"}},"required":["a"]},{"properties":{"a":{"type":"string"},"b":{"type":"number"}},"required":["a","b"]}]}`, []schema.Field{{Path: "a", Name: "a", Type: "string", Required: true}, {Path: "b", Name: "b", Type: "number"}}},
		{"constants", `{"properties":{"a":{"anyOf":[{"const":"x"},{"const":"y"},{"type":"null"}]}}}`, []schema.Field{{Path: "a", Name: "a", Type: "string", Enum: []any{"x", "y"}}}},
		{"a constant or any text", `{"properties":{"a":{"anyOf":[{"const":"x"},{"type":"string"}]}}}`, []schema.Field{{Path: "a", Name: "a", Type: "string"}}},
		{"names that would be misread", `{"properties":{"a.b":{"properties":{"c":{"type":"string"}}}}}`, []schema.Field{{Path: `["a.b"].c`, Name: "c", Type: "string"}}},
		{"optional all the way up", `{"properties":{"a":{"properties":{"b":{"type":"string"}},"required":["b"]}}}`, []schema.Field{{Path: "a.b", Name: "b", Type: "string"}}},
	} {
		got := compile(t, row.schema).Fields()
		if !reflect.DeepEqual(got, row.want) {
			t.Errorf("%s:\ngot  %+v\nwant %+v", row.name, got, row.want)
		}
	}
}

func TestOptional(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		schema string
		paths  map[string]bool
	}{
		{zodProduct, map[string]bool{"": false, "name": false, "sku": true, "tags": false, "tags[0]": true, "rating": false, "offers": true, "offers[3].kind": false, "offers[0].gift": true, "other": true}},
		{pydanticShop, map[string]bool{"title": true, "items": false, "items[0]": true, "items[0].name": false, "items[12].maker": true, "items[0].maker.name": false, "items[0].maker.country": true, "labels.x": true}},
		{`{"type":"array","minItems":2,"items":{"required":["a"]}}`, map[string]bool{"[0]": false, "[1]": false, "[2]": true, "[5].a": false, "[5].b": true}},
		{`{"prefixItems":[{},{}]}`, map[string]bool{"[0]": false}},
		{`{"properties":{"a.b":{"required":["c"]}},"required":["a.b"]}`, map[string]bool{`["a.b"]`: false, `["a.b"].c`: false, `["a.b"].d`: true}},
		{`{"properties":{"a\"]b":{"required":["c"]}}}`, map[string]bool{`["a\"]b"].c`: false, `["a\"]b"].d`: true, `["a"`: false}},
		{`{"properties":{"a":{}}}`, map[string]bool{"a": true, "a[": false, "a[x]": false, `["a`: false, "a..b": false, ".": false}},
	} {
		s := compile(t, row.schema)
		for path, want := range row.paths {
			if got := s.Optional(path); got != want {
				t.Errorf("%s in %.60s: got %v", path, row.schema, got)
			}
		}
	}
}

// A path leads back to the names and indexes that it was made of.
func TestSteps(t *testing.T) {
	t.Parallel()
	for _, steps := range [][]any{
		{"a"}, {"a", 0, "b"}, {"a.b", "c"}, {`x"].y`, 3}, {"", "z"}, {`[0]`}, {"<&>."}, {"ü", 12, 3}, {`\`, `"`},
	} {
		path := ""
		for _, step := range steps {
			switch step := step.(type) {
			case string:
				path = schema.Below(path, step)
			case int:
				path = schema.At(path, step)
			}
		}
		if got, ok := schema.Steps(path); !ok || !reflect.DeepEqual(got, steps) {
			t.Errorf("%s leads to %q, want %q", path, got, steps)
		}
	}
	for _, path := range []string{".", "a..b", "a[", "a[x]", `["a`, `["a"`, "a[]", "[ 1]"} {
		if got, ok := schema.Steps(path); ok {
			t.Errorf("%s leads to %q", path, got)
		}
	}
}
