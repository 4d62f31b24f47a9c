package schema_test

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/trawlhq/trawl/schema"
)

// decode reads JSON as a request is read: numbers become float64.
func decode(t testing.TB, text string) any {
	t.Helper()
	var value any
	if err := json.Unmarshal([]byte(text), &value); err != nil {
		t.Fatalf("%v in %s", err, text)
	}
	return value
}

// decodeExact reads JSON as a model's answer is read: numbers stay as written.
func decodeExact(t testing.TB, text string) any {
	t.Helper()
	var value any
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()
	if err := d.Decode(&value); err != nil {
		t.Fatalf("%v in %s", err, text)
	}
	return value
}

func compile(t testing.TB, text string) *schema.Schema {
	t.Helper()
	s, err := schema.Compile(decode(t, text))
	if err != nil {
		t.Fatalf("compile %s: %v", text, err)
	}
	return s
}

// mistake compiles a schema that has one.
func mistake(t testing.TB, raw any) *schema.Error {
	t.Helper()
	_, err := schema.Compile(raw)
	var found *schema.Error
	if !errors.As(err, &found) {
		t.Fatalf("got %v, want an error of the package", err)
	}
	return found
}

func encode(t testing.TB, value any) string {
	t.Helper()
	text, err := json.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// zodProduct is what a JavaScript client makes of
// z.object({name, price, sku?, inStock, tags, rating: nullable, offers: [union]}).
const zodProduct = `{
	"$schema": "http://json-schema.org/draft-07/schema#",
	"type": "object",
	"properties": {
		"name": {"type": "string", "minLength": 1, "description": "What it is called"},
		"price": {"type": "number", "exclusiveMinimum": 0},
		"sku": {"type": "string"},
		"inStock": {"type": "boolean"},
		"url": {"type": "string", "format": "uri"},
		"tags": {"type": "array", "items": {"type": "string"}},
		"rating": {"anyOf": [{"type": "number", "minimum": 0, "maximum": 5}, {"type": "null"}]},
		"condition": {"type": "string", "enum": ["new", "used"]},
		"offers": {"type": "array", "items": {"anyOf": [
			{"type": "object", "properties": {"kind": {"type": "string", "const": "sale"}, "percent": {"type": "integer"}}, "required": ["kind", "percent"], "additionalProperties": false},
			{"type": "object", "properties": {"kind": {"type": "string", "const": "gift"}, "gift": {"type": "string"}}, "required": ["kind", "gift"], "additionalProperties": false}
		]}}
	},
	"required": ["name", "price", "inStock", "tags", "rating"],
	"additionalProperties": false
}`

// pydanticShop is what a Python client makes of models with submodels, enums,
// optional fields and a decimal.
const pydanticShop = `{
	"$defs": {
		"Category": {"enum": ["book", "toy"], "title": "Category", "type": "string"},
		"Item": {
			"properties": {
				"name": {"title": "Name", "type": "string", "description": "Name of the item"},
				"amount": {"anyOf": [{"type": "number"}, {"pattern": "^(?!^[-+.]*$)[+-]?0*\\d*\\.?\\d*$", "type": "string"}, {"type": "null"}], "default": null, "title": "Amount"},
				"category": {"$ref": "#/$defs/Category"},
				"maker": {"anyOf": [{"$ref": "#/$defs/Maker"}, {"type": "null"}], "default": null},
				"count": {"anyOf": [{"type": "integer"}, {"type": "null"}], "default": null, "title": "Count"}
			},
			"required": ["name", "category"], "title": "Item", "type": "object"
		},
		"Maker": {"properties": {"name": {"title": "Name", "type": "string"}, "country": {"$ref": "#/$defs/Country", "description": "Where it is made"}}, "required": ["name"], "title": "Maker", "type": "object"},
		"Country": {"const": "FR", "title": "Country", "type": "string"}
	},
	"properties": {
		"title": {"default": "", "title": "Title", "type": "string"},
		"items": {"items": {"$ref": "#/$defs/Item"}, "title": "Items", "type": "array", "description": "All items"},
		"labels": {"additionalProperties": {"type": "string"}, "title": "Labels", "type": "object"}
	},
	"required": ["items"], "title": "Shop", "type": "object"
}`
