package extract_test

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/extract"
)

// finding is a page's value; the paths that begin with a plus are verified.
func finding(t testing.TB, page int, value string, paths ...string) *extract.Finding {
	f := &extract.Finding{Value: decode(t, value), Tokens: 10}
	for _, path := range paths {
		name, ok := strings.CutPrefix(path, "+")
		f.Evidence = append(f.Evidence, trawl.Evidence{Path: name, URL: fmt.Sprintf("https://x.example/%d", page), Verified: ok})
	}
	return f
}

func TestMerge(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name   string
		values []string
		merged string
	}{
		{"nothing", nil, `null`},
		{"nothing from some", []string{`null`, `{"a":1}`, `null`}, `{"a":1}`},
		{"objects", []string{`{"a":1,"o":{"x":"1"}}`, `{"b":2,"o":{"y":"2"}}`}, `{"a":1,"b":2,"o":{"x":"1","y":"2"}}`},
		{"first scalar", []string{`{"a":"one"}`, `{"a":"two"}`}, `{"a":"one"}`},
		{"null is nothing", []string{`{"a":null}`, `{"a":"two"}`}, `{"a":"two"}`},
		{"different kinds", []string{`{"a":"one"}`, `{"a":["two"]}`}, `{"a":"one"}`},
		{"scalars", []string{`["Red","blue"]`, `["red","Green "]`}, `["Red","blue","Green "]`},
		{"a series stays", []string{`{"rain":[1,1,2]}`, `{"rain":[1,1,2]}`}, `{"rain":[1,1,2]}`},
		{"numbers", []string{`[1,2.50]`, `[2.5,-1]`}, `[1,2.5,-1]`},
		{"same name", []string{`[{"name":"Ann","age":30}]`, `[{"name":"ann","city":"Bonn"}]`}, `[{"age":30,"city":"Bonn","name":"Ann"}]`},
		{"same url", []string{`[{"url":"https://a.example/x","price":5}]`, `[{"url":"https://a.example/x/","title":"X"}]`}, `[{"price":5,"title":"X","url":"https://a.example/x"}]`},
		{"same name, other id", []string{`[{"id":1,"name":"Ann"}]`, `[{"id":2,"name":"Ann"}]`}, `[{"id":1,"name":"Ann"},{"id":2,"name":"Ann"}]`},
		{"same url, other name", []string{`[{"url":"u","name":"Ann"}]`, `[{"url":"u","name":"Bob"}]`}, `[{"name":"Ann","url":"u"},{"name":"Bob","url":"u"}]`},
		{"one page lists two", []string{`[{"name":"Ann","text":"a"},{"name":"Ann","text":"b"}]`}, `[{"name":"Ann","text":"a"},{"name":"Ann","text":"b"}]`},
		{"two pages list two", []string{`[{"name":"Ann","text":"a"},{"name":"Ann","text":"b"}]`, `[{"name":"Ann","text":"b"},{"name":"Ann","text":"a"}]`},
			`[{"name":"Ann","text":"a"},{"name":"Ann","text":"b"}]`},
		{"nameless", []string{`[{"text":"a"},{"text":"b"}]`, `[{"text":"b"},{"text":"c"}]`}, `[{"text":"a"},{"text":"b"},{"text":"c"}]`},
		{"learned identity", []string{`[{"name":"Ann"}]`, `[{"name":"Ann","email":"a@x.org"}]`, `[{"email":"a@x.org","city":"Bonn"}]`}, `[{"city":"Bonn","email":"a@x.org","name":"Ann"}]`},
		{"lists of lists", []string{`[[1,2],[3]]`, `[[3],[4]]`}, `[[1,2],[3],[4]]`},
		{"lists in things", []string{`[{"name":"Ann","tags":["a"]}]`, `[{"name":"Ann","tags":["A","b"]}]`}, `[{"name":"Ann","tags":["a","b"]}]`},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			var findings []*extract.Finding
			for i, value := range c.values {
				findings = append(findings, finding(t, i, value))
			}
			f := extract.Merge(append(findings, nil), nil)
			if got := encode(t, f.Value); got != c.merged {
				t.Errorf("merged to %s, want %s", got, c.merged)
			}
			if f.Tokens != 10*len(c.values) {
				t.Errorf("%d tokens", f.Tokens)
			}
		})
	}
}

func TestMergeEvidence(t *testing.T) {
	t.Parallel()
	f := extract.Merge([]*extract.Finding{
		finding(t, 1, `{"price":5,"city":"Bonn","items":[{"name":"Ann"}]}`, "price", "city", "+items[0].name"),
		finding(t, 2, `{"price":7,"city":"bonn","items":[{"name":"Bob","age":20},{"name":"Ann","age":30}]}`,
			"+price", "+city", "items[0].name", "items[0].age", "+items[1].name", "items[1].age"),
		finding(t, 3, `{"price":9}`, "+price"),
	}, nil)
	if got := encode(t, f.Value); got != `{"city":"Bonn","items":[{"age":30,"name":"Ann"},{"age":20,"name":"Bob"}],"price":7}` {
		t.Fatalf("merged to %s", got)
	}
	expected := map[string][]string{
		"price": {"https://x.example/2"}, "city": {"https://x.example/1", "https://x.example/2"},
		"items[0].name": {"https://x.example/1", "https://x.example/2"}, "items[0].age": {"https://x.example/2"},
		"items[1].name": {"https://x.example/2"}, "items[1].age": {"https://x.example/2"},
	}
	if got := extract.Sources(f.Evidence); !reflect.DeepEqual(got, expected) {
		t.Errorf("sources are %v", got)
	}
}

func TestMergeWarnings(t *testing.T) {
	t.Parallel()
	f := extract.Merge([]*extract.Finding{{Warning: "One."}, {Warning: "Two."}, {Warning: "One."}}, compile(t, listSchema))
	if f.Warning != "One. Two." || f.Value != nil {
		t.Errorf("merged to %+v", f)
	}
}

// TestMergeManyPages would take for ever if the work grew with the square of
// the items.
func TestMergeManyPages(t *testing.T) {
	t.Parallel()
	var findings []*extract.Finding
	for page := range 500 {
		var items []any
		for i := range 40 {
			items = append(items, map[string]any{"name": fmt.Sprintf("Item %d", page*20+i), "price": float64(i)})
		}
		findings = append(findings, &extract.Finding{Value: map[string]any{"items": items}})
	}
	f := extract.Merge(findings, nil)
	if n := len(f.Value.(map[string]any)["items"].([]any)); n != 500*20+20 {
		t.Errorf("%d items", n)
	}
}

func FuzzMerge(f *testing.F) {
	f.Add(`{"a":[{"name":"x"}],"b":1}`, `{"a":[{"name":"X","c":[1]}],"b":"2"}`)
	f.Add(`[1,[2],{"id":3}]`, `{"":{"a.b":[null]}}`)
	f.Fuzz(func(t *testing.T, a, b string) {
		var one, two extract.Finding
		if one.UnmarshalJSON([]byte(`{"value":`+a+`}`)) != nil || two.UnmarshalJSON([]byte(`{"value":`+b+`}`)) != nil {
			t.Skip()
		}
		merged := extract.Merge([]*extract.Finding{&one, &two}, nil)
		first := encode(t, merged.Value)
		if again := encode(t, extract.Merge([]*extract.Finding{merged}, nil).Value); again != first {
			t.Errorf("%s merged alone is %s", first, again)
		}
	})
}
