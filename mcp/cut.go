package mcp

import (
	"bytes"
	"encoding/json"
	"errors"
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
func (c *call) fitted(body []byte) (text []byte, data json.RawMessage) {
	text = indented(body)
	length := len(text)
	if length > c.limit {
		length = utf8.RuneCount(text)
	}
	var whole object
	if length <= c.limit || json.Unmarshal(body, &whole) != nil {
		return text, body
	}
	note := truncated{Characters: length, Limit: c.limit, Hint: "Raise " + argLimit + " to get more at once."}
	if c.tool.rest != nil {
		if note.Resources = c.tool.rest(c, body); len(note.Resources) > 0 {
			note.Hint = "Read the resources for the rest, or raise " + argLimit + "."
		}
	}
	room := c.limit - sizeOf(asObject(note), 1) - len(`"truncated": `) - 2
	for {
		short := cut(whole, max(room, 0), 0).(object)
		short["truncated"] = note
		cutBody, err := ejson.Marshal(short, ejson.Deterministic(true))
		if err != nil {
			return text, body
		}
		text = indented(cutBody)
		over := utf8.RuneCount(text) - c.limit
		if over <= 0 || room <= 0 {
			return text, cutBody
		}
		room -= over
	}
}

// asObject is the note as it is counted.
func asObject(note truncated) object {
	list := make([]any, len(note.Resources))
	for i, uri := range note.Resources {
		list[i] = uri
	}
	return object{"characters": 1.0, "limit": 1.0, "resources": list, "hint": note.Hint}
}

// sizeOf is how many characters a value has as JSON, indented by two blanks a level.
// Of numbers it is a guess.
func sizeOf(v any, depth int) int {
	switch v := v.(type) {
	case string:
		return len(`""`) + lengthOf(v)
	case []any:
		size := len("[\n]") + 2*depth
		for _, item := range v {
			size += lineOf(depth) + sizeOf(item, depth+1)
		}
		return size
	case object:
		size := len("{\n}") + 2*depth
		for name, item := range v {
			size += lineOf(depth) + len(`"": `) + lengthOf(name) + sizeOf(item, depth+1)
		}
		return size
	case float64:
		return 12
	}
	return len("false")
}

// lineOf is what a line takes besides its value: the end of the last one, and blanks.
func lineOf(depth int) int { return len(",\n") + 2*(depth+1) }

// lengthOf is how many characters a text has within quotes.
func lengthOf(text string) int {
	length := 0
	for _, c := range text {
		length += widthOf(c)
	}
	return length
}

func widthOf(c rune) int {
	switch {
	case c == '"' || c == '\\' || c == '\n' || c == '\t' || c == '\r' || c == '\b' || c == '\f':
		return 2
	case c < ' ':
		return 6
	}
	return 1
}

// cut returns a value that has about as many characters as given. A list loses its
// last items, a text its end; members of an object get equal shares, and what the
// short ones do not need goes to the long ones.
func cut(v any, room, depth int) any {
	if sizeOf(v, depth) <= room {
		return v
	}
	switch v := v.(type) {
	case string:
		return within(v, room-len(`""`))
	case []any:
		return cutList(v, room, depth)
	case object:
		return cutObject(v, room, depth)
	}
	return v
}

func cutList(list []any, room, depth int) []any {
	out := []any{}
	room -= len("[\n]") + 2*depth
	for _, item := range list {
		size := lineOf(depth) + sizeOf(item, depth+1)
		if size > room {
			if len(out) == 0 && room > 0 { // better a part than nothing
				out = append(out, cut(item, room-lineOf(depth), depth+1))
			}
			break
		}
		room -= size
		out = append(out, item)
	}
	return out
}

func cutObject(members object, room, depth int) object {
	names := slices.Sorted(maps.Keys(members))
	sizes := map[string]int{}
	room -= len("{\n}") + 2*depth
	for _, name := range names {
		sizes[name] = sizeOf(members[name], depth+1)
		room -= lineOf(depth) + len(`"": `) + lengthOf(name)
	}
	slices.SortStableFunc(names, func(a, b string) int { return sizes[a] - sizes[b] })
	out := object{}
	for i, name := range names {
		share := max(room, 0) / (len(names) - i)
		out[name] = cut(members[name], share, depth+1)
		room -= min(sizes[name], share)
	}
	return out
}

// within returns as much of the beginning of a text as has room within quotes.
func within(text string, room int) string {
	for i, c := range text {
		if room -= widthOf(c); room < 0 {
			return text[:i]
		}
	}
	return text
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
	decoder := jsontext.NewDecoder(bytes.NewBuffer(body))
	if _, err := decoder.ReadToken(); err != nil {
		return nil, err
	}
	for decoder.PeekKind() == '"' {
		label, err := decoder.ReadToken()
		if err != nil {
			return nil, err
		}
		found := label.String() == name
		value, err := decoder.ReadValue()
		if err != nil {
			return nil, err
		}
		if end := int(decoder.InputOffset()); found {
			return body[end-len(value) : end], nil
		}
	}
	return nil, errors.New("the answer of the service has no " + name)
}
