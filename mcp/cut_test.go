package mcp

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestFitted(t *testing.T) {
	t.Parallel()
	document := object{"title": "short", "markdown": strings.Repeat("ä", 5000), "html": strings.Repeat("<b>", 5000), "links": []any{}}
	for i := range 500 {
		document["links"] = append(document["links"].([]any), strings.Repeat("x", i%40))
	}
	for name, value := range map[string]object{
		"document": document,
		"list":     {"data": []any{document, document, document}},
		"quotes":   {"markdown": strings.Repeat(`"\`+"\n", 3000)},
		"deep":     {"a": object{"b": object{"c": strings.Repeat("z", 9000)}}},
		"names":    {strings.Repeat("n", 5000): "v"},
	} {
		body, err := json.Marshal(value)
		if err != nil {
			t.Fatal(err)
		}
		for _, limit := range []int{leastText, 3000, 100_000} {
			c := &call{tool: &tool{}, limit: limit}
			text, data := c.fitted(body)
			if length := utf8.RuneCount(text); length > limit && name != "names" {
				t.Errorf("%s: %d characters, limit %d", name, length, limit)
			}
			var told, given object
			if json.Unmarshal(text, &told) != nil || json.Unmarshal(data, &given) != nil {
				t.Fatalf("%s at %d: no JSON: %.100s", name, limit, text)
			}
			if sizeOf(told, 0) != sizeOf(given, 0) {
				t.Errorf("%s at %d: text and data differ", name, limit)
			}
			if cut := told["truncated"] != nil; cut != (utf8.RuneCount(indented(body)) > limit) {
				t.Errorf("%s at %d: truncated is %v", name, limit, cut)
			}
			if name == "document" && told["title"] != "short" {
				t.Errorf("at %d what is short is cut: %v", limit, told["title"])
			}
		}
	}
}

func TestParts(t *testing.T) {
	t.Parallel()
	text := strings.Repeat("Wörter ", 20_000)
	var read strings.Builder
	for part := 1; part <= partsOf(utf8.RuneCountInString(text)); part++ {
		found, err := partOf(text, "trawl://scrape/x/markdown/"+string(rune('0'+part)), "text/markdown", string(rune('0'+part)))
		if err != nil {
			t.Fatal(err)
		}
		piece, _, _ := strings.Cut(found.Text, "\n\n[Part ")
		read.WriteString(piece)
	}
	if read.String() != text {
		t.Errorf("parts have %d bytes, the text %d", read.Len(), len(text))
	}
	for _, part := range []string{"0", "4", "-1", "x", ""} {
		if _, err := partOf(text, "u/"+part, "text/markdown", part); err == nil {
			t.Errorf("there is a part %q", part)
		}
	}
}

func TestMember(t *testing.T) {
	t.Parallel()
	body := []byte(`{"success":true, "data" : {"a":[1,"}"]} ,"more":1}`)
	if got, err := member(body, "data"); err != nil || string(got) != `{"a":[1,"}"]}` {
		t.Errorf("%s, %v", got, err)
	}
	for _, bad := range []string{"", "{}", "[", `{"data"`, `{"data":`, "7"} {
		if got, err := member([]byte(bad), "data"); err == nil {
			t.Errorf("%q has %q", bad, got)
		}
	}
}

// FuzzFitted looks for results that cannot be cut.
func FuzzFitted(f *testing.F) {
	f.Add([]byte(`{"a":[1,"x",{"b":null}],"c":"long"}`), 1000)
	f.Fuzz(func(t *testing.T, body []byte, limit int) {
		if !json.Valid(body) || limit < 0 {
			t.Skip()
		}
		text, _ := (&call{tool: &tool{}, limit: limit % 2000}).fitted(body)
		if !json.Valid(text) {
			t.Errorf("no JSON: %q", text)
		}
	})
}
