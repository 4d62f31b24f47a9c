package schema_test

import (
	"reflect"
	"strings"
	"testing"
)

func TestTidy(t *testing.T) {
	t.Parallel()
	for _, row := range []struct{ name, schema, value, want string }{
		{"nothing to do", `{"properties":{"a":{"type":"string"}}}`, `{"a":"x"}`, `{"a":"x"}`},
		{"unknown property", `{"properties":{"a":{"type":"string"}}}`, `{"a":"x","b":1}`, `{"a":"x"}`},
		{"unknown property of a closed object", `{"properties":{"a":true},"additionalProperties":false}`, `{"a":"x","b":1}`, `{"a":"x"}`},
		{"others are welcome", `{"properties":{"a":true},"additionalProperties":true}`, `{"a":"x","b":1}`, `{"a":"x","b":1}`},
		{"others have a schema", `{"properties":{"a":true},"additionalProperties":{"type":"number"}}`, `{"a":"x","b":"1"}`, `{"a":"x","b":1}`},
		{"no properties are declared", `{"type":"object"}`, `{"a":"x"}`, `{"a":"x"}`},
		{"no properties are allowed", `{"type":"object","additionalProperties":false}`, `{"a":"x"}`, `{}`},
		{"by a pattern", `{"properties":{"a":true},"patternProperties":{"^x-":{"type":"string"}}}`, `{"x-b":1,"c":1}`, `{"x-b":"1"}`},
		{"null that is not allowed", `{"properties":{"a":{"type":"string"}}}`, `{"a":null}`, `{}`},
		{"null that is allowed", `{"properties":{"a":{"type":["string","null"]},"b":{}}}`, `{"a":null,"b":null}`, `{"a":null,"b":null}`},
		{"null in a nullable union", `{"properties":{"a":{"anyOf":[{"type":"string"},{"type":"null"}]}}}`, `{"a":null}`, `{"a":null}`},
		{"null in a union", `{"properties":{"a":{"anyOf":[{"type":"string"},{"type":"number"}]}}}`, `{"a":null}`, `{}`},
		{"null that is required", `{"properties":{"a":{"type":"string"}},"required":["a"]}`, `{"a":null}`, `{"a":null}`},
		{"null in a list", `{"items":{"type":"string"}}`, `["a",null]`, `["a"]`},
		{"null in a tuple", `{"prefixItems":[{"type":"string"},{"type":"string"}]}`, `[null,"a"]`, `[null,"a"]`},
		{"number as a text", `{"type":"number"}`, `"42"`, `42`},
		{"fraction as a text", `{"type":"number"}`, `" -1.50 "`, `-1.50`},
		{"fraction for a whole number", `{"type":"integer"}`, `"1.5"`, `"1.5"`},
		{"whole number as a text", `{"type":"integer"}`, `"7"`, `7`},
		{"not quite a number", `{"type":"number"}`, `"$42"`, `"$42"`},
		{"ambiguous number", `{"type":"number"}`, `"1,299"`, `"1,299"`},
		{"number with zeros before it", `{"type":"number"}`, `"007"`, `"007"`},
		{"number out of range", `{"type":"number"}`, `"1e999999"`, `"1e999999"`},
		{"text as a number", `{"type":"string"}`, `42`, `"42"`},
		{"text as a large number", `{"type":"string"}`, `1234567890`, `"1234567890"`},
		{"text or null as a number", `{"type":["string","null"]}`, `4.5`, `"4.5"`},
		{"number or text", `{"type":["string","number"]}`, `"42"`, `"42"`},
		{"boolean as a text", `{"type":"boolean"}`, `"True"`, `true`},
		{"not quite a boolean", `{"type":"boolean"}`, `"yes"`, `"yes"`},
		{"one value for a list", `{"type":"array","items":{"type":"string"}}`, `"a"`, `["a"]`},
		{"one converted value for a list", `{"type":"array","items":{"type":"string"}}`, `5`, `["5"]`},
		{"one object for a list", `{"type":"array","items":{"type":"object","properties":{"a":{"type":"string"}}}}`, `{"a":1,"b":2}`, `[{"a":"1"}]`},
		{"another value for a list", `{"type":"array","items":{"type":"object"}}`, `"a"`, `"a"`},
		{"a list or one value", `{"anyOf":[{"type":"string"},{"type":"array","items":{"type":"string"}}]}`, `"a"`, `"a"`},
		{"null for a list", `{"type":"array","items":{"type":"string"}}`, `null`, `null`},
		{"list of lists", `{"type":"array","items":{"type":"array","items":{"type":"number"}}}`, `"1"`, `[[1]]`},
		{"type by the values", `{"enum":[1,2]}`, `"1"`, `1`},
		{"type by the value", `{"const":"1"}`, `1`, `"1"`},
		{"nullable number", `{"anyOf":[{"type":"number"},{"type":"null"}]}`, `"42"`, `42`},
		{"nullable object", `{"anyOf":[{"type":"object","properties":{"a":{"type":"number"}}},{"type":"null"}]}`, `{"a":"1","b":2}`, `{"a":1}`},
		{"unclear union", `{"anyOf":[{"properties":{"a":{"type":"number"}}},{"properties":{"b":{"type":"number"}}}]}`, `{"a":"1","c":2}`, `{"a":"1","c":2}`},
		{"union by what is required", `{"anyOf":[{"properties":{"a":{"type":"number"}},"required":["a"]},{"properties":{"b":{"type":"number"}},"required":["b"]}]}`, `{"a":"1","c":2}`, `{"a":1}`},
		{"union by a constant", `{"oneOf":[{"properties":{"k":{"const":"x"},"v":{"type":"number"}}},{"properties":{"k":{"const":"y"},"v":{"type":"string"}}}]}`, `{"k":"y","v":1,"z":0}`, `{"k":"y","v":"1"}`},
		{"union by a number that is written", `{"oneOf":[{"properties":{"k":{"const":1},"v":{"type":"number"}}},{"properties":{"k":{"const":2},"v":{"type":"string"}}}]}`, `{"k":"2","v":1}`, `{"k":2,"v":"1"}`},
		{"parts", `{"allOf":[{"properties":{"a":{"type":"number"}}},{"properties":{"b":{"type":"string"}}}]}`, `{"a":"1","b":2,"c":3}`, `{"a":1,"b":"2"}`},
		{"parts that contradict", `{"allOf":[{"type":"number"},{"type":"string"}]}`, `"1"`, `"1"`},
		{"required by a part", `{"properties":{"a":{"type":"string"}},"allOf":[{"required":["a"]}]}`, `{"a":null}`, `{"a":null}`},
		{"required and no more", `{"properties":{"a":true},"required":["b"]}`, `{"a":1,"b":2,"c":3}`, `{"a":1,"b":2}`},
		{"it fits as it is", `{"properties":{"a":true},"minProperties":2}`, `{"a":1,"b":2}`, `{"a":1,"b":2}`},
		{"condition", `{"properties":{"a":true},"if":{"required":["a"]},"then":{"properties":{"b":true}}}`, `{"a":1,"b":2}`, `{"a":1,"b":2}`},
		{"open by a part", `{"properties":{"a":true},"allOf":[{"additionalProperties":true}]}`, `{"a":1,"b":2}`, `{"a":1,"b":2}`},
		{"tuple of draft 7", `{"$schema":"http://json-schema.org/draft-07/schema#","items":[{"type":"string"},{"type":"number"}],"additionalItems":{"type":"boolean"}}`, `[1,"2","true"]`, `["1",2,true]`},
		{"true and false", `{"properties":{"a":true,"b":false}}`, `{"a":{"x":1},"b":null}`, `{"a":{"x":1}}`},
		{"Zod", zodProduct, `{"name":"x","price":"9.5","inStock":"true","tags":"a","rating":"4","sku":null,"condition":null,"offers":[{"kind":"sale","percent":"5","gift":null}],"extra":1}`,
			`{"name":"x","price":9.5,"inStock":true,"tags":["a"],"rating":4,"offers":[{"kind":"sale","percent":5}]}`},
		{"Pydantic", pydanticShop, `{"title":null,"items":{"name":5,"category":"toy","count":"3","amount":"1.5","maker":{"name":"m","x":1},"x":1},"labels":{"a":1}}`,
			`{"items":[{"name":"5","category":"toy","count":3,"amount":"1.5","maker":{"name":"m"}}],"labels":{"a":"1"}}`},
	} {
		s := compile(t, row.schema)
		for _, read := range []func(testing.TB, string) any{decode, decodeExact} {
			value := read(t, row.value)
			got := s.Tidy(value)
			if text := encode(t, got); !reflect.DeepEqual(decode(t, text), decode(t, row.want)) {
				t.Errorf("%s: got %s, want %s", row.name, text, row.want)
			}
			if !reflect.DeepEqual(value, read(t, row.value)) {
				t.Errorf("%s: the value was changed to %s", row.name, encode(t, value))
			}
			if again := s.Tidy(got); !reflect.DeepEqual(again, got) {
				t.Errorf("%s: tidied again it is %s", row.name, encode(t, again))
			}
		}
	}
}

func TestTidyIsBounded(t *testing.T) {
	t.Parallel()
	s := compile(t, `{"items":{"allOf":[`+strings.Repeat(`{"properties":{"a":{"type":"string"}}},`, 900)+`{}]}}`)
	value := make([]any, 100_000)
	for i := range value {
		value[i] = map[string]any{"a": 1.0}
	}
	got, ok := s.Tidy(value).([]any)
	if !ok || len(got) != len(value) || !reflect.DeepEqual(got[0], value[0]) {
		t.Error("what takes too long is not left alone")
	}
}
