package mcp

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"
	"unicode/utf8"

	ejson "github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// Bounds of how long a result may be that the caller sets.
const (
	leastText = 1000
	mostText  = 20_000_000
)

// truncated is the member of a result that was cut.
type truncated struct {
	Characters int      `json:"characters"`
	Limit      int      `json:"limit"`
	Resources  []string `json:"resources,omitempty"`
	Hint       string   `json:"hint"`
}

// truncatedMember describes it in the schemas of results.
var truncatedMember = object{"truncated": object{
	"type":        []any{"object", "null"},
	"description": "Only if the result was too long and has been cut: how long it was, the limit, and the resources that have the rest.",
}}

// fitted returns a result as text and as data, within the limit of the call. What is
// too long is cut where it is longest, so that short members stay whole.
func (c *call) fitted(body []byte) (string, any) {
	text := indented(body)
	length := len(text)
	if length > c.limit {
		length = utf8.RuneCountInString(text)
	}
	var whole object
	if length <= c.limit || json.Unmarshal(body, &whole) != nil {
		return text, json.RawMessage(body)
	}
	note := truncated{Characters: length, Limit: c.limit, Hint: "Raise " + argLimit + " to get more at once."}
	if c.tool.rest != nil {
		if note.Resources = c.tool.rest(c, body); len(note.Resources) > 0 {
			note.Hint = "Read the resources for the rest, or raise " + argLimit + "."
		}
	}
	for budget := c.limit; ; {
		short := cut(whole, max(budget, 0)).(object)
		short["truncated"] = note
		cutBody, err := json.Marshal(short)
		if err != nil {
			return text, json.RawMessage(body)
		}
		text = indented(cutBody)
		over := utf8.RuneCountInString(text) - c.limit
		if over <= 0 || budget <= 0 {
			return text, json.RawMessage(cutBody)
		}
		budget -= over
	}
}

// sizeOf is how many characters a value has as JSON.
func sizeOf(v any) int {
	switch v := v.(type) {
	case string:
		return utf8.RuneCountInString(v) + 2
	case nil, bool:
		return 5
	case float64:
		return 8
	case []any:
		size := 2
		for _, item := range v {
			size += sizeOf(item) + 1
		}
		return size
	case object:
		size := 2
		for name, item := range v {
			size += len(name) + 4 + sizeOf(item)
		}
		return size
	}
	return 0
}

// cut returns a value that has about as many characters as given. A list loses its
// last items, a text its end; members of an object get equal shares, and what the
// short ones do not need goes to the long ones.
func cut(v any, budget int) any {
	if sizeOf(v) <= budget {
		return v
	}
	switch v := v.(type) {
	case string:
		return prefix(v, budget-2)
	case []any:
		return cutList(v, budget)
	case object:
		return cutObject(v, budget)
	}
	return v
}

func cutList(list []any, budget int) []any {
	out := []any{}
	for _, item := range list {
		size := sizeOf(item) + 1
		if size > budget {
			if len(out) == 0 && budget > 0 { // better a part than nothing
				out = append(out, cut(item, budget))
			}
			break
		}
		budget -= size
		out = append(out, item)
	}
	return out
}

func cutObject(members object, budget int) object {
	names := slices.Collect(maps.Keys(members))
	sizes := map[string]int{}
	for _, name := range names {
		sizes[name] = sizeOf(members[name])
		budget -= len(name) + 4
	}
	slices.SortFunc(names, func(a, b string) int { return sizes[a] - sizes[b] })
	out := object{}
	for i, name := range names {
		share := max(budget, 0) / (len(names) - i)
		out[name] = cut(members[name], share)
		budget -= min(sizes[name], share)
	}
	return out
}

// prefix returns the first characters of a text.
func prefix(text string, count int) string {
	for i := range text {
		if count <= 0 {
			return text[:i]
		}
		count--
	}
	return text
}

// member returns a member of a JSON object as it is written there.
func member(body []byte, name string) ([]byte, error) {
	var members map[string]jsontext.Value
	if err := ejson.Unmarshal(body, &members); err != nil {
		return nil, err
	}
	return bytes.TrimSpace(members[name]), nil
}
