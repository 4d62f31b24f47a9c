package schema_test

import (
	"fmt"
	"testing"

	"github.com/trawlhq/trawl/schema"
)

// thirty is a schema of thirty fields of all types and a value that fits it.
func thirty() (raw, value map[string]any) {
	properties, value := map[string]any{}, map[string]any{}
	var required []any
	for i := range 10 {
		text, number, list := fmt.Sprint("text", i), fmt.Sprint("number", i), fmt.Sprint("list", i)
		properties[text] = map[string]any{"type": "string", "description": "A text of the page", "minLength": 1}
		properties[number] = map[string]any{"anyOf": []any{map[string]any{"type": "number", "minimum": 0}, map[string]any{"type": "null"}}}
		properties[list] = map[string]any{"type": "array", "items": map[string]any{"type": "string"}}
		value[text], value[number], value[list] = "some text", 12.5, []any{"a", "b", "c"}
		required = append(required, text, number)
	}
	return map[string]any{"type": "object", "properties": properties, "required": required, "additionalProperties": false}, value
}

func BenchmarkCompile(b *testing.B) {
	raw, _ := thirty()
	for b.Loop() {
		if _, err := schema.Compile(raw); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkCheck(b *testing.B) {
	raw, value := thirty()
	s, err := schema.Compile(raw)
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if problems := s.Check(value); len(problems) > 0 {
			b.Fatal(problems)
		}
	}
}

func BenchmarkTidy(b *testing.B) {
	raw, value := thirty()
	s, err := schema.Compile(raw)
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		s.Tidy(value)
	}
}
