package schema_test

import (
	"encoding/json"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"github.com/trawlhq/trawl/schema"
)

// FuzzSchema lets strangers write both the schema and the value.
func FuzzSchema(f *testing.F) {
	for _, seed := range [][2]string{
		{zodProduct, `{"name":"x","price":"9.5","tags":"a","offers":[{"kind":"sale","percent":"5"}],"extra":1}`},
		{pydanticShop, `{"title":null,"items":{"name":5,"category":"toy","maker":{"name":"m"}}}`},
		{`{"$schema":"http://json-schema.org/draft-04/schema#","minimum":1,"exclusiveMinimum":true}`, `1`},
		{`{"oneOf":[{"properties":{"k":{"const":1}}},{"properties":{"k":{"const":"2"}}}]}`, `{"k":"2"}`},
		{`{"allOf":[{"type":"array","items":{"type":"number"}},{"anyOf":[{"type":"string"},{"type":"array"}]}]}`, `"1"`},
		{`{"if":{"required":["a"]},"then":{"minProperties":1},"dependencies":{"a":["b"]},"patternProperties":{"^a":{"type":"string"}}}`, `{"a":1,"b":null}`},
		{`{"contains":{"const":1},"uniqueItems":true,"prefixItems":[{"type":"string"}],"unevaluatedItems":false}`, `[1,1,"a"]`},
		{`{"$defs":{"a":{"$ref":"#/$defs/b","minLength":1},"b":{"$anchor":"x"}},"items":{"$ref":"#x"},"not":{"$ref":"#/$defs/a"}}`, `["x"]`},
	} {
		f.Add(seed[0], seed[1])
	}
	f.Fuzz(func(t *testing.T, text, valueText string) {
		raw, ok := parse(text)
		value, valueOK := parse(valueText)
		if !ok || !valueOK {
			return
		}
		s, err := schema.Compile(raw)
		if err != nil {
			return
		}
		again, err := schema.Compile(s.JSON())
		if err != nil && !strings.Contains(err.Error(), "nested deeper") {
			// What stands behind old references comes without its draft.
			if !strings.Contains(text, "$schema") {
				t.Fatalf("%s does not compile: %v", s.JSON(), err)
			}
		} else if err == nil && !strings.Contains(text, "$schema") && (len(again.Check(value)) > 0) != (len(s.Check(value)) > 0) {
			t.Fatalf("%s says something else", s.JSON())
		}
		inspect(t, s, value)
		inspect(t, s.Relaxed(), value)
		if len(s.Check(value)) == 0 && len(s.Relaxed().Check(value)) > 0 {
			t.Errorf("%s fits, but not as a part", valueText)
		}
	})
}

// FuzzTree makes up schemas and values that have more to do with each other than
// those that come of changed letters.
func FuzzTree(f *testing.F) {
	for seed := range uint64(200) {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, seed uint64) {
		m := maker{rand.New(rand.NewPCG(seed, 1))}
		raw := m.schema(4)
		s, err := schema.Compile(raw)
		if err != nil {
			t.Fatalf("%s: %v", encode(t, raw), err)
		}
		for range 10 {
			value := m.value(4)
			inspect(t, s, value)
			inspect(t, s.Relaxed(), value)
			if len(s.Check(value)) == 0 && len(s.Relaxed().Check(value)) > 0 {
				t.Errorf("%s fits %s, but not as a part", encode(t, value), encode(t, raw))
			}
		}
	})
}

// maker makes things up.
type maker struct{ *rand.Rand }

func (m maker) schema(depth int) map[string]any {
	made := map[string]any{}
	for range 1 + m.IntN(3) {
		switch choice := m.IntN(16); {
		case choice < 4:
			made["type"] = m.pick("string", "number", "integer", "boolean", "array", "object", []any{"string", "null"}, []any{"object", "null"})
		case choice == 4:
			made["enum"] = []any{m.scalar(), m.scalar()}
		case choice == 5:
			made["const"] = m.scalar()
		case choice == 6:
			made["required"] = []any{m.name()}
		case choice == 7:
			made[m.pick("minItems", "minProperties", "maxItems", "maxProperties", "minLength").(string)] = m.IntN(3)
		case depth == 0:
		case choice < 11:
			made["properties"] = map[string]any{m.name(): m.inner(depth), m.name(): m.inner(depth)}
		case choice == 11:
			made[m.pick("items", "additionalProperties", "not", "contains", "unevaluatedProperties").(string)] = m.inner(depth)
		case choice == 12:
			made["prefixItems"] = []any{m.inner(depth)}
		case choice == 13:
			made["patternProperties"] = map[string]any{"[ab]": m.inner(depth)}
		default:
			made[m.pick("allOf", "anyOf", "oneOf").(string)] = []any{m.inner(depth), m.inner(depth)}
		}
	}
	return made
}

func (m maker) inner(depth int) any {
	if m.IntN(10) == 0 {
		return m.IntN(2) == 0
	}
	return m.schema(depth - 1)
}

func (m maker) value(depth int) any {
	switch choice := m.IntN(6); {
	case depth == 0 || choice < 2:
		return m.scalar()
	case choice == 2:
		list := make([]any, m.IntN(4))
		for i := range list {
			list[i] = m.value(depth - 1)
		}
		return list
	}
	made := map[string]any{}
	for range m.IntN(4) {
		made[m.name()] = m.value(depth - 1)
	}
	return made
}

func (m maker) scalar() any {
	return m.pick(nil, true, "true", "1", 1.0, json.Number("1"), json.Number("1.5"), "1.5", "x", "", 0.0)
}

func (m maker) name() string { return m.pick("a", "b", "c", "d").(string) }

func (m maker) pick(choices ...any) any { return choices[m.IntN(len(choices))] }

// inspect asks a schema everything about a value.
func inspect(t *testing.T, s *schema.Schema, value any) {
	t.Helper()
	before := encode(t, value)
	tidied := s.Tidy(value)
	if encode(t, value) != before {
		t.Errorf("Tidy changed %s", before)
	}
	if again := s.Tidy(tidied); !reflect.DeepEqual(again, tidied) {
		t.Errorf("tidied twice: %s, then %s", encode(t, tidied), encode(t, again))
	}
	problems := s.Check(tidied)
	if len(problems) > 0 && len(s.Check(value)) == 0 {
		t.Errorf("%s fits %s, %s does not", before, s.JSON(), encode(t, tidied))
	}
	if len(problems) > 20 || len(problems) != len(s.Check(s.Tidy(value))) {
		t.Errorf("%d problems, then others", len(problems))
	}
	for _, problem := range problems {
		if problem.Text == "" {
			t.Error("a problem without a text")
		}
		s.Optional(problem.Path)
	}
	for _, field := range s.Fields() {
		s.Optional(strings.ReplaceAll(field.Path, "[]", "[0]"))
	}
}

func parse(text string) (value any, ok bool) {
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()
	err := d.Decode(&value)
	return value, err == nil
}
