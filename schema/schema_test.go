package schema_test

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/trawlhq/trawl/schema"
)

func TestMistakes(t *testing.T) {
	t.Parallel()
	for _, row := range []struct{ name, schema, path, text string }{
		{"not an object", `[]`, `[]`, "must be an object"},
		{"a boolean", `true`, `[]`, "must be an object"},
		{"null", `null`, `[]`, "must be an object"},
		{"misspelt type", `{"properties":{"a":{"type":"strng"}}}`, `["properties","a","type"]`, `type must be one of "array"`},
		{"misspelt type in draft 7", `{"$schema":"http://json-schema.org/draft-07/schema#","properties":{"a":{"type":"strng"}}}`, `["properties","a","type"]`, `type must be one of "array"`},
		{"misspelt type in a list", `{"anyOf":[{},{"type":["string","nul"]}]}`, `["anyOf",1,"type",1]`, "must be one of"},
		{"wrong type of a keyword", `{"properties":{"a":{"minLength":"3"}}}`, `["properties","a","minLength"]`, "minLength must be an integer, not a string"},
		{"negative count", `{"minItems":-1}`, `["minItems"]`, "minItems must be at least 0"},
		{"properties as a list", `{"properties":["a"]}`, `["properties"]`, "properties must be an object, not an array"},
		{"a number for a schema", `{"properties":{"a":5}}`, `["properties","a"]`, "a must be a boolean or an object, not a number"},
		{"null for a schema", `{"properties":{"a":null}}`, `["properties","a"]`, "must be a schema"},
		{"format", `{"format":5}`, `["format"]`, "format must be a string"},
		{"behind a reference", `{"$defs":{"x":{"type":"strng"}},"items":{"$ref":"#/$defs/x"}}`, `["$defs","x","type"]`, "type must be one of"},
		{"required as a boolean", `{"properties":{"a":{"type":"string","required":true}}}`, `["properties","a","required"]`, "required must be an array, not a boolean"},
		{"unknown draft", `{"$schema":"https://example.com/draft"}`, `["$schema"]`, "$schema must be"},
		{"draft that is no text", `{"$schema":7}`, `["$schema"]`, "$schema must be"},
		{"unknown reference", `{"items":{"$ref":"#/$defs/x"}}`, `["items","$ref"]`, "$ref #/$defs/x leads nowhere"},
		{"unknown anchor", `{"items":{"$ref":"#x"}}`, `["items","$ref"]`, "$ref #x leads nowhere"},
		{"index beyond a list", `{"anyOf":[{"type":"string"}],"items":{"$ref":"#/anyOf/1"}}`, `["items","$ref"]`, "leads nowhere"},
		{"broken escape", `{"items":{"$ref":"#/%zz"}}`, `["items","$ref"]`, "leads nowhere"},
		{"remote reference", `{"items":{"$ref":"https://example.com/s.json"}}`, `["items","$ref"]`, "$ref https://example.com/s.json leads out of the schema"},
		{"reference to a file", `{"items":{"$ref":"other.json#/a"}}`, `["items","$ref"]`, "leads out of the schema"},
		{"reference to no schema", `{"title":"t","items":{"$ref":"#/title"}}`, `["items","$ref"]`, "does not lead to a schema"},
		{"reference that is no text", `{"items":{"$ref":5}}`, `["items","$ref"]`, "$ref must be a string"},
		{"recursive", `{"properties":{"child":{"$ref":"#"}}}`, `["properties","child","$ref"]`, "$ref # is recursive"},
		{"recursive at once", `{"$ref":"#"}`, `["$ref"]`, "is recursive"},
		{"recursive by a path", `{"properties":{"a":{"items":{"$ref":"#/properties/a"}}}}`, `["properties","a","items","$ref"]`, "is recursive"},
		{"recursive by an anchor", `{"properties":{"a":{"$anchor":"me","items":{"$ref":"#me"}}}}`, `["properties","a","items","$ref"]`, "is recursive"},
		{"mutually recursive", `{"$defs":{"a":{"items":{"$ref":"#/$defs/b"}},"b":{"items":{"$ref":"#/$defs/a"}}},"$ref":"#/$defs/a"}`, `["$defs","b","items","$ref"]`, "$ref #/$defs/a is recursive"},
		{"a count beyond all bounds", `{"properties":{"a":{"maxLength":1e19}}}`, `["properties","a","maxLength"]`, "maxLength must not be more than"},
		{"dynamic reference", `{"items":{"$dynamicRef":"#x"}}`, `["items","$dynamicRef"]`, "$dynamicRef is not supported"},
		{"broken pattern", `{"properties":{"a":{"pattern":"("}}}`, `["properties","a","pattern"]`, "the pattern cannot be used"},
		{"huge pattern", `{"pattern":"(abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyz){1000}"}`, `["pattern"]`, "it is too large"},
		{"pattern of names", `{"patternProperties":{"[":{}}}`, `["patternProperties","["]`, "the pattern cannot be used"},
		{"pattern of names of another engine", `{"patternProperties":{"^(?!x)":{}}}`, `["patternProperties","^(?!x)"]`, "the pattern cannot be used"},
	} {
		found := mistake(t, decode(t, row.schema))
		path := found.Path
		if path == nil {
			path = []any{}
		}
		if encode(t, path) != row.path || !strings.Contains(found.Text, row.text) {
			t.Errorf("%s: got %s %q, want %s %q", row.name, encode(t, path), found.Text, row.path, row.text)
		}
	}
}

func TestNumberOutOfRange(t *testing.T) {
	t.Parallel()
	found := mistake(t, decodeExact(t, `{"items":{"minimum":1e999999}}`))
	if encode(t, found.Path) != `["items","minimum"]` || found.Text != "the number is out of range" {
		t.Errorf("got %v %q", found.Path, found.Text)
	}
}

// bomb doubles in size with each of its levels.
func bomb(levels int) map[string]any {
	defs := map[string]any{"d0": map[string]any{"type": "string"}}
	for i := 1; i <= levels; i++ {
		before := map[string]any{"$ref": fmt.Sprintf("#/$defs/d%d", i-1)}
		defs[fmt.Sprintf("d%d", i)] = map[string]any{"type": "object", "properties": map[string]any{"a": before, "b": before}}
	}
	return map[string]any{"$defs": defs, "$ref": fmt.Sprintf("#/$defs/d%d", levels)}
}

func deep(levels int) any {
	var inner any = map[string]any{"type": "string"}
	for range levels {
		inner = map[string]any{"type": "array", "items": inner}
	}
	return inner
}

func chain(levels int) any {
	defs := map[string]any{"d0": map[string]any{"type": "string"}}
	for i := 1; i <= levels; i++ {
		defs[fmt.Sprintf("d%d", i)] = map[string]any{"$ref": fmt.Sprintf("#/$defs/d%d", i-1)}
	}
	return map[string]any{"$defs": defs, "$ref": fmt.Sprintf("#/$defs/d%d", levels)}
}

func TestLimits(t *testing.T) {
	t.Parallel()
	wide := map[string]any{}
	for i := range 2100 {
		wide[fmt.Sprint(i)] = true
	}
	copies := map[string]any{}
	for i := range 100 {
		copies[fmt.Sprint(i)] = map[string]any{"$ref": "#/$defs/long"}
	}
	long := map[string]any{"enum": []any{strings.Repeat("x", 10_000)}}
	self := map[string]any{}
	self["items"] = self
	for _, row := range []struct {
		name string
		raw  any
		text string
	}{
		{"1 MB", map[string]any{"description": strings.Repeat("x", 1<<20)}, "larger than 256 KiB"},
		{"10,000 deep", deep(10_000), "nested deeper than 32 levels"},
		{"40 deep", deep(40), "nested deeper than 32 levels"},
		{"10,000 deep beside the schemas", map[string]any{"default": deep(10_000)}, "nested deeper"},
		{"a chain of references", chain(1000), "nested deeper"},
		{"2100 properties", map[string]any{"properties": wide}, "more than 2000 parts"},
		{"reference bomb", bomb(30), "more than 2000 parts"},
		{"copies of something large", map[string]any{"$defs": map[string]any{"long": long}, "properties": copies}, "larger than 256 KiB when its references are followed"},
		{"in itself", self, "is not JSON"},
		{"not JSON", map[string]any{"default": func() {}}, "is not JSON"},
	} {
		if found := mistake(t, row.raw); !strings.Contains(found.Text, row.text) {
			t.Errorf("%s: got %q, want %q", row.name, found.Text, row.text)
		}
	}
	for name, raw := range map[string]any{"30 deep": deep(30), "small bomb": bomb(8), "short chain": chain(20)} {
		if _, err := schema.Compile(raw); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestJSON(t *testing.T) {
	t.Parallel()
	for _, row := range []struct{ name, schema, want string }{
		{"nothing to do", `{"type":"object","properties":{"a":{"type":"string"}}}`, `{"type":"object","properties":{"a":{"type":"string"}}}`},
		{"identifiers", `{"$schema":"https://json-schema.org/draft/2020-12/schema","$id":"https://example.com/x","$comment":"c","type":"array"}`, `{"type":"array"}`},
		{"properties with names of keywords", `{"properties":{"id":{"type":"string"},"$ref":{"type":"string"},"definitions":true}}`, `{"properties":{"id":{"type":"string"},"$ref":{"type":"string"},"definitions":true}}`},
		{"definition", `{"$defs":{"x":{"type":"string"}},"items":{"$ref":"#/$defs/x"}}`, `{"items":{"type":"string"}}`},
		{"old definition", `{"definitions":{"x":{"type":"string"}},"items":{"$ref":"#/definitions/x"}}`, `{"items":{"type":"string"}}`},
		{"root behind a reference", `{"$schema":"http://json-schema.org/draft-07/schema#","$ref":"#/definitions/x","definitions":{"x":{"type":"object"}}}`, `{"type":"object"}`},
		{"escapes", `{"$defs":{"a/b~c d":{"type":"string"}},"items":{"$ref":"#/$defs/a~1b~0c%20d"}}`, `{"items":{"type":"string"}}`},
		{"index", `{"anyOf":[{"type":"array","items":{"$ref":"#/anyOf/1"}},{"type":"string"}]}`, `{"anyOf":[{"type":"array","items":{"type":"string"}},{"type":"string"}]}`},
		{"anchor", `{"$defs":{"x":{"$anchor":"here","type":"string"}},"items":{"$ref":"#here"}}`, `{"items":{"type":"string"}}`},
		{"old anchor", `{"$schema":"http://json-schema.org/draft-07/schema#","definitions":{"x":{"$id":"#here","type":"string"}},"items":{"$ref":"#here"}}`, `{"items":{"type":"string"}}`},
		{"annotations beside a reference", `{"$defs":{"x":{"type":"string","description":"general"}},"items":{"$ref":"#/$defs/x","description":"special"}}`, `{"items":{"type":"string","description":"special"}}`},
		{"demands beside a reference", `{"$defs":{"x":{"type":"string"}},"items":{"$ref":"#/$defs/x","minLength":2}}`, `{"items":{"minLength":2,"allOf":[{"type":"string"}]}}`},
		{"demands beside an old reference", `{"$schema":"http://json-schema.org/draft-07/schema#","definitions":{"x":{"type":"string"}},"items":{"$ref":"#/definitions/x","minLength":2,"title":"t"}}`, `{"items":{"type":"string","title":"t"}}`},
		{"reference to a boolean", `{"$defs":{"x":true},"items":{"$ref":"#/$defs/x","title":"t"}}`, `{"items":{"title":"t","allOf":[true]}}`},
		{"markup", `{"description":"a < b & c"}`, `{"description":"a < b & c"}`},
		{"twice the same definition", `{"$defs":{"x":{"type":"string"}},"properties":{"a":{"$ref":"#/$defs/x","title":"A"},"b":{"$ref":"#/$defs/x"}}}`, `{"properties":{"a":{"type":"string","title":"A"},"b":{"type":"string"}}}`},
		{"a recursive definition that is not used", `{"$defs":{"x":{"items":{"$ref":"#/$defs/x"}}},"type":"string"}`, `{"type":"string"}`},
	} {
		got := compile(t, row.schema).JSON()
		if !reflect.DeepEqual(decode(t, string(got)), decode(t, row.want)) {
			t.Errorf("%s: got %s, want %s", row.name, got, row.want)
		}
	}
	if text := string(compile(t, `{"description":"a < b & c"}`).JSON()); !strings.Contains(text, "a < b & c") {
		t.Errorf("markup is escaped: %s", text)
	}
}

func TestRawIsNotKept(t *testing.T) {
	t.Parallel()
	raw := map[string]any{"type": "object", "required": []string{"a"}, "properties": map[string]any{"a": map[string]any{"type": "string", "maxLength": 3}}}
	s, err := schema.Compile(raw)
	if err != nil {
		t.Fatal(err)
	}
	raw["properties"].(map[string]any)["a"].(map[string]any)["type"] = "number"
	if problems := s.Check(map[string]any{"a": "x"}); len(problems) > 0 || !json.Valid(s.JSON()) {
		t.Errorf("the schema changed with its source: %v", problems)
	}
	if problems := s.Check(map[string]any{}); len(problems) != 1 {
		t.Errorf("a list of Go strings is not read: %v", problems)
	}
}

func TestObject(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{
		`{"type":"object"}`:             true,
		`{"properties":{"a":true}}`:     true,
		`{"allOf":[{"type":"object"}]}`: true,
		`{"type":["object","null"]}`:    false,
		`{"type":"array"}`:              false,
		`{}`:                            false,
		zodProduct:                      true,
		pydanticShop:                    true,
		`{"$defs":{"x":{"type":"object"}},"$ref":"#/$defs/x"}`: true,
	} {
		if got := compile(t, text).Object(); got != want {
			t.Errorf("%s: got %v", text, got)
		}
	}
}

func TestRelaxed(t *testing.T) {
	t.Parallel()
	for _, row := range []struct{ name, schema, fits, not string }{
		{"required", `{"properties":{"a":{"type":"string"}},"required":["a"]}`, `{}`, `{"a":1}`},
		{"within a list", `{"items":{"type":"object","properties":{"a":{"type":"string"}},"required":["a"]},"minItems":2}`, `[{}]`, `[1]`},
		{"contains", `{"contains":{"const":1},"minContains":2,"items":{"type":"number"}}`, `[3]`, `["x"]`},
		{"properties", `{"minProperties":2,"dependentRequired":{"a":["b"]},"additionalProperties":{"type":"string"}}`, `{"a":"x"}`, `{"a":1}`},
		{"one of", `{"type":"object","oneOf":[{"required":["a"]},{"required":["b"]}]}`, `{}`, `1`},
		{"any of and one of", `{"anyOf":[{"required":["a"]},{"required":["b"]}],"oneOf":[{"type":"object"},{"type":"string"}]}`, `{}`, `1`},
		{"negation", `{"type":"object","not":{"required":["a"]}}`, `{}`, `1`},
		{"condition", `{"type":"object","if":{"required":["a"]},"then":{"required":["b"]},"else":{"required":["c"]}}`, `{"a":1}`, `1`},
		{"all of", `{"allOf":[{"type":"object","required":["a"]}]}`, `{}`, `1`},
		{"Zod", zodProduct, `{"price":3}`, `{"price":"x"}`},
		{"Pydantic", pydanticShop, `{"items":[{"maker":{}}]}`, `{"items":[{"category":"car"}]}`},
	} {
		s := compile(t, row.schema)
		relaxed := s.Relaxed()
		if problems := relaxed.Check(decode(t, row.fits)); len(problems) > 0 {
			t.Errorf("%s: %v", row.name, problems)
		}
		if len(relaxed.Check(decode(t, row.not))) == 0 {
			t.Errorf("%s: %s fits", row.name, row.not)
		}
		if relaxed != s.Relaxed() || relaxed.Relaxed() != relaxed {
			t.Errorf("%s: made more than once", row.name)
		}
	}
	if text := string(compile(t, zodProduct).Relaxed().JSON()); strings.Contains(text, `"required"`) {
		t.Errorf("something is still required: %s", text)
	}
}
