package schema_test

import (
	"encoding/json"
	"fmt"
	"math"
	"reflect"
	"strings"
	"testing"

	"github.com/trawlhq/trawl/schema"
)

func TestCheck(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		name, schema, value string
		want                []schema.Problem
	}{
		{"fits", `{"type":"object"}`, `{}`, nil},
		{"wrong type", `{"type":"object"}`, `[]`, []schema.Problem{{"", "must be an object, not an array"}}},
		{"wrong type of a property", `{"properties":{"a":{"type":"number"}}}`, `{"a":"x"}`, []schema.Problem{{"a", "must be a number, not a string"}}},
		{"fraction", `{"properties":{"a":{"type":"integer"}}}`, `{"a":1.5}`, []schema.Problem{{"a", "must be an integer, not a fraction"}}},
		{"whole number written as a fraction", `{"type":"integer"}`, `1.0`, nil},
		{"missing", `{"required":["a","b"]}`, `{}`, []schema.Problem{{"a", "is required"}, {"b", "is required"}}},
		{"missing below", `{"properties":{"items":{"items":{"required":["name"]}}}}`, `{"items":[{"name":1},{}]}`, []schema.Problem{{"items[1].name", "is required"}}},
		{"unknown", `{"properties":{"a":true},"additionalProperties":false}`, `{"a":1,"b":2,"c":3}`, []schema.Problem{{"b", "is not a property of the schema"}, {"c", "is not a property of the schema"}}},
		{"unknown beside parts", `{"allOf":[{"properties":{"a":true}}],"unevaluatedProperties":false}`, `{"a":1,"b":2}`, []schema.Problem{{"b", "is not allowed"}}},
		{"other value", `{"enum":["a","b"]}`, `"c"`, []schema.Problem{{"", `must be one of "a", "b"`}}},
		{"constant", `{"const":1}`, `2`, []schema.Problem{{"", "must be 1"}}},
		{"null", `{"properties":{"a":{"type":["string","null"]},"b":{"type":"string"}}}`, `{"a":null,"b":null}`, []schema.Problem{{"b", "must be a string, not null"}}},
		{"nullable union", `{"anyOf":[{"type":"number"},{"type":"null"}]}`, `"x"`, []schema.Problem{{"", "must be a number or null, not a string"}}},
		{"inside a nullable union", `{"anyOf":[{"type":"object","required":["a"]},{"type":"null"}]}`, `{}`, []schema.Problem{{"a", "is required"}}},
		{"by its kind", `{"oneOf":[{"properties":{"k":{"const":"a"}},"required":["x"]},{"properties":{"k":{"const":"b"}},"required":["y"]}]}`, `{"k":"b"}`, []schema.Problem{{"y", "is required"}}},
		{"two of one", `{"oneOf":[{"type":"number"},{"type":"integer"}]}`, `1`, []schema.Problem{{"", "fits more than one of the forms of which it may have one"}}},
		{"excluded", `{"not":{"type":"string"}}`, `"x"`, []schema.Problem{{"", "must not fit what the schema excludes"}}},
		{"lengths", `{"properties":{"a":{"minLength":2},"b":{"maxLength":1},"c":{"minItems":1},"d":{"maxItems":1}}}`, `{"a":"x","b":"xx","c":[],"d":[1,2]}`, []schema.Problem{
			{"a", "must have at least 2 characters, not 1"}, {"b", "must have at most 1 character, not 2"}, {"c", "must have at least 1 element, not 0"}, {"d", "must have at most 1 element, not 2"}}},
		{"bounds", `{"items":{"minimum":1,"exclusiveMaximum":10,"multipleOf":0.5}}`, `[0,10,1.2]`, []schema.Problem{
			{"[0]", "must be at least 1"}, {"[1]", "must be less than 10"}, {"[2]", "must be a multiple of 0.5"}}},
		{"pattern", `{"pattern":"^a+$"}`, `"b"`, []schema.Problem{{"", "must match the pattern ^a+$"}}},
		{"pattern of another engine", `{"pattern":"^(?!x)"}`, `"x"`, nil},
		{"pattern with a count that no engine should try", `{"pattern":"((a{100}){100}){100}"}`, `"b"`, nil},
		{"repeated", `{"uniqueItems":true}`, `[1,2,1]`, []schema.Problem{{"", "must not repeat an element: 0 and 2 are equal"}}},
		{"forbidden", `{"properties":{"a":false}}`, `{"a":1}`, []schema.Problem{{"a", "is not allowed"}}},
		{"formats are annotations", `{"format":"date"}`, `"soon"`, nil},
		{"formats are annotations in draft 7", `{"$schema":"http://json-schema.org/draft-07/schema#","format":"email"}`, `"nobody"`, nil},
		{"pattern as a format in draft 7", `{"$schema":"http://json-schema.org/draft-07/schema#","format":"regex"}`, `"("`, nil},
		{"draft 4", `{"$schema":"http://json-schema.org/draft-04/schema#","minimum":1,"exclusiveMinimum":true}`, `1`, []schema.Problem{{"", "must be more than 1"}}},
		{"tuple of draft 7", `{"$schema":"http://json-schema.org/draft-07/schema#","items":[{"type":"string"}],"additionalItems":false}`, `["a",1]`, []schema.Problem{{"", "has 1 element too many"}}},
		{"tuple", `{"prefixItems":[{"type":"string"}],"items":{"type":"number"}}`, `["a","b"]`, []schema.Problem{{"[1]", "must be a number, not a string"}}},
		{"in the order of a list", `{"items":{"type":"string"}}`, `["","","","","","","","","","",1,"",2]`, []schema.Problem{{"[10]", "must be a string, not a number"}, {"[12]", "must be a string, not a number"}}},
		{"names that would be misread", `{"additionalProperties":{"type":"string"}}`, `{"a.b":1,"":2,"0":3}`, []schema.Problem{{`[""]`, "must be a string, not a number"}, {"0", "must be a string, not a number"}, {`["a.b"]`, "must be a string, not a number"}}},
		{"Zod", zodProduct, `{"name":"x","price":1,"inStock":true,"tags":["a"],"rating":null,"offers":[{"kind":"gift","gift":"pen"}]}`, nil},
		{"wrong Zod", zodProduct, `{"name":"","price":1,"inStock":true,"tags":["a"],"rating":6,"offers":[{"kind":"gift"}],"x":1}`, []schema.Problem{
			{"name", "must have at least 1 character, not 0"}, {"offers[0].gift", "is required"}, {"rating", "must be at most 5"}, {"x", "is not a property of the schema"}}},
		{"Pydantic", pydanticShop, `{"title":"t","items":[{"name":"x","amount":"1.5","category":"toy","maker":null}],"labels":{"a":"b"}}`, nil},
		{"wrong Pydantic", pydanticShop, `{"items":[{"name":1,"category":"car","maker":{"name":"m","country":"DE"}}],"labels":{"a":1}}`, []schema.Problem{
			{"items[0].category", `must be one of "book", "toy"`}, {"items[0].maker.country", `must be "FR"`}, {"items[0].name", "must be a string, not a number"}, {"labels.a", "must be a string, not a number"}}},
	} {
		s := compile(t, row.schema)
		for _, value := range []any{decode(t, row.value), decodeExact(t, row.value)} {
			got := s.Check(value)
			if len(got) == 0 && len(row.want) == 0 {
				continue
			}
			if !reflect.DeepEqual(got, row.want) {
				t.Errorf("%s: got %q, want %q", row.name, got, row.want)
			}
		}
	}
}

func TestCheckOfOddValues(t *testing.T) {
	t.Parallel()
	s := compile(t, `{"items":{"type":"number","minimum":0,"multipleOf":2},"uniqueItems":true}`)
	var nested any = "x"
	for range 10_000 {
		nested = []any{nested}
	}
	for _, row := range []struct {
		name  string
		value any
		want  schema.Problem
	}{
		{"deep", nested, schema.Problem{Text: "is nested too deeply"}},
		{"large number", []any{json.Number("1e999999999")}, schema.Problem{Path: "[0]", Text: "is a number out of range"}},
		{"small number", []any{json.Number("1e-999999")}, schema.Problem{Path: "[0]", Text: "is a number out of range"}},
		{"no number", []any{json.Number("inf")}, schema.Problem{Path: "[0]", Text: "is a number out of range"}},
		{"not a number", []any{math.NaN()}, schema.Problem{Path: "[0]", Text: "is not a JSON value"}},
		{"not JSON", []string{"a"}, schema.Problem{Text: "is not a JSON value"}},
	} {
		if got := s.Check(row.value); len(got) == 0 || got[0] != row.want {
			t.Errorf("%s: got %v", row.name, got)
		}
	}
}

func TestCheckIsBounded(t *testing.T) {
	t.Parallel()
	numbers := make([]any, 250_000)
	for i := range numbers {
		numbers[i] = float64(i)
	}
	enum, parts := make([]any, 30_000), make([]any, 1500)
	for i := range enum {
		enum[i] = float64(-i)
	}
	for i := range parts {
		parts[i] = map[string]any{"maximum": i}
	}
	for name, raw := range map[string]map[string]any{
		"many values": {"items": map[string]any{"enum": enum}},
		"many parts":  {"items": map[string]any{"allOf": parts}},
		"in a branch": {"items": true, "anyOf": []any{map[string]any{"items": map[string]any{"enum": enum}}}},
		"contains":    {"contains": map[string]any{"enum": enum}},
	} {
		s, err := schema.Compile(raw)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if got := s.Check(numbers); len(got) != 1 || got[0].Text != "is too large to be checked" {
			t.Errorf("%s: %v", name, got)
		}
	}
	s := compile(t, `{"properties":{"a":{"pattern":"(x+x+x+x+)+y{900}"}}}`)
	if got := s.Check(map[string]any{"a": strings.Repeat("x", 1<<20)}); len(got) != 1 {
		t.Errorf("a pattern: %v", got)
	}
	wrong := compile(t, `{"items":{"type":"string"}}`)
	if got := wrong.Check(numbers); len(got) != 20 || got[19].Path != "[19]" {
		t.Errorf("many problems: %v", got)
	}
}

// TestCheckOfMuch is what an extract of a thousand pages comes to.
func TestCheckOfMuch(t *testing.T) {
	t.Parallel()
	s := compile(t, pydanticShop)
	items := make([]any, 20_000)
	for i := range items {
		items[i] = decode(t, fmt.Sprintf(`{"name":"item %d","amount":1,"category":"toy","maker":{"name":"m","country":"FR"},"count":%d}`, i, i))
	}
	if got := s.Check(map[string]any{"items": items}); len(got) > 0 {
		t.Error(got)
	}
	if got := s.Tidy(map[string]any{"items": items, "x": 1}).(map[string]any); got["x"] != nil || len(got["items"].([]any)) != len(items) {
		t.Error("much is not tidied")
	}
}

// Problems names as many as are asked for.
func TestProblems(t *testing.T) {
	t.Parallel()
	s := compile(t, `{"type":"array","items":{"type":"string"}}`)
	wrong := make([]any, 100)
	for _, most := range []int{1, 20, 70, 1000} {
		if n := len(s.Problems(wrong, most)); n != min(most, 100) {
			t.Errorf("%d problems, at most %d of 100 were asked for", n, most)
		}
	}
}
