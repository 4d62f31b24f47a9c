package found_test

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/trawlhq/trawl/content/facts"
	"github.com/trawlhq/trawl/extract/found"
)

// What does not fit is left out, and nothing else.
func TestFit(t *testing.T) {
	t.Parallel()
	names := func(list ...string) *facts.Facts {
		table := facts.Table{Header: []string{"Name", "Code"}}
		for _, name := range list {
			table.Rows = append(table.Rows, []string{name, "c" + name})
		}
		return &facts.Facts{Tables: []facts.Table{table}}
	}
	list := func(name string) string {
		return object(`"items":{"type":"array","items":` + object(`"name":`+name+`,"code":`+text) + `}`)
	}
	codes := func(value any) string {
		object, _ := value.(map[string]any)
		items, _ := object["items"].([]any)
		var b strings.Builder
		for _, item := range items {
			fmt.Fprint(&b, item.(map[string]any)["name"], " ")
		}
		return strings.TrimSpace(b.String())
	}
	column := &facts.Facts{Tables: []facts.Table{{Header: []string{"Size", "Code"}, Rows: [][]string{{"xx", "1"}, {"good", "2"}, {"fine", "3"}}}}}
	value, _ := found.Map(column, compile(t, object(`"size":{"type":"array","items":{"type":"string","minLength":3,"pattern":"^[a-w]+$"}}`)))
	if got := fmt.Sprint(value); got != "map[size:[good fine]]" {
		t.Errorf("one element is wrong in two ways: %s", got)
	}
	value, _ = found.Map(names("x1", "good", "x2", "fine"), compile(t, list(`{"type":"string","minLength":3,"pattern":"^[a-w]+$"}`)))
	if got := codes(value); got != "<nil> good <nil> fine" {
		t.Errorf("two are wrong in two ways each: %s", got)
	}
	var many []string
	for i := range 400 {
		many = append(many, fmt.Sprintf("%c%d", 'a'+i%2, i))
	}
	value, _ = found.Map(names(many...), compile(t, list(`{"type":"string","pattern":"^a"}`)))
	if got := codes(value); strings.Count(got, "a") != 200 || strings.Contains(got, "b") {
		t.Errorf("every second of 400 is wrong: %.100s", got)
	}
}

// A required field that may be null is null once something else was found.
func TestNull(t *testing.T) {
	t.Parallel()
	const maybe = `{"anyOf":[{"type":"string"},{"type":"null"}]}`
	page := facted(t, "product.html")
	tests := []struct{ name, schema, want, missing string }{
		{"a type", object(`"name":`+text+`,"mood":{"type":["string","null"]}`, "name", "mood"), `{"mood":null,"name":"Copper kettle"}`, ""},
		{"an alternative", object(`"name":`+maybe+`,"mood":`+maybe, "name", "mood"), `{"mood":null,"name":"Copper kettle"}`, ""},
		{"a value", object(`"name":`+text+`,"mood":{"enum":["good",null]}`, "name", "mood"), `{"mood":null,"name":"Copper kettle"}`, ""},
		{"in an object", object(`"name":`+text+`,"moods":`+object(`"first":`+maybe, "first"), "name", "moods"), `{"moods":{"first":null},"name":"Copper kettle"}`, ""},
		{"nothing else", object(`"mood":`+maybe, "mood"), `null`, ""},
		{"not required", object(`"name":`+text+`,"mood":`+maybe, "name"), `{"name":"Copper kettle"}`, ""},
		{"another is missing", object(`"name":`+text+`,"mood":`+maybe+`,"planet":`+text, "name", "mood", "planet"), `{"name":"Copper kettle"}`, "planet"},
		{"not null after all", object(`"name":`+text+`,"mood":{"allOf":[`+maybe+`,{"type":"string"}]}`, "name", "mood"), `{"mood":null,"name":"Copper kettle"}`, "mood"},
		{"a whole that does not fit", `{"type":"object","properties":{"name":` + text + `},"minProperties":2}`, `null`, ""},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			value, missing := found.Map(page, compile(t, tc.schema))
			got, err := json.Marshal(value)
			if err != nil {
				t.Fatal(err)
			}
			if string(got) != tc.want || strings.Join(missing, " ") != tc.missing {
				t.Errorf("got %s, missing %q", got, missing)
			}
		})
	}
}

// The parts of an allOf make one object.
func TestAllOf(t *testing.T) {
	t.Parallel()
	s := compile(t, `{"allOf":[`+object(`"name":`+text+`,"brand":{"type":"string"}`, "name")+`,`+
		object(`"price":`+number+`,"brand":{"description":"who makes it"}`, "price")+`]}`)
	value, missing := found.Map(facted(t, "product.html"), s)
	if got, _ := json.Marshal(value); string(got) != `{"brand":"Acme","name":"Copper kettle","price":1299}` || len(missing) > 0 {
		t.Errorf("got %s, missing %q", got, missing)
	}
	if _, missing := found.Map(&facts.Facts{}, s); !reflect.DeepEqual(missing, []string{"name", "price"}) {
		t.Errorf("missing %q", missing)
	}
}

// Names that have the marks of paths in them are names.
func TestOddPaths(t *testing.T) {
	t.Parallel()
	const odd = `a"].b[0`
	f := &facts.Facts{Pairs: []facts.Pair{{Name: odd, Value: "zzz"}, {Name: "Colour", Value: "red"}}}
	properties, _ := json.Marshal(map[string]any{odd: map[string]any{"type": "string", "pattern": "^a"}, "colour": map[string]any{"type": "string"}})
	value, missing := found.Map(f, compile(t, `{"type":"object","properties":`+string(properties)+`}`))
	if got, _ := json.Marshal(value); string(got) != `{"colour":"red"}` || len(missing) > 0 {
		t.Errorf("got %s, missing %q", got, missing)
	}
}

// Tags come in an order that is always the same.
func TestTagOrder(t *testing.T) {
	t.Parallel()
	f := &facts.Facts{Tags: map[string]string{"og:mood": "a", "product:mood": "b", "article:mood": "c", "video:mood": "d", "mood": "e"}}
	s := compile(t, object(`"mood":`+texts))
	for range 20 {
		if value, _ := found.Map(f, s); fmt.Sprint(value) != "map[mood:[c e a b d]]" {
			t.Fatalf("got %v", value)
		}
	}
}
