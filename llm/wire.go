package llm

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/trawlhq/trawl/schema"
)

// toolName is what the schema, and the tool that takes the answer, are called.
const toolName = "answer"

// object is a JSON object in the making.
type object = map[string]any

// message is one turn of the conversation that is sent.
type message struct {
	Role    string `json:"role"`
	Content string `json:"content"`
}

// shape is the schema as it is put to a model. Endpoints and JSON mode know only
// objects, so a schema of anything else becomes the one property of an object.
type shape struct {
	schema  json.RawMessage // nil if the request has none
	wrapped bool
}

// wrapper is the name of that property.
const wrapper = "result"

func newShape(s *schema.Schema) (shape, error) {
	switch {
	case s == nil:
		return shape{}, nil
	case s.Object():
		raw, err := typed(s.JSON())
		return shape{schema: raw}, err
	}
	raw, err := json.Marshal(object{
		"type":                 "object",
		"properties":           object{wrapper: s.JSON()},
		"required":             []string{wrapper},
		"additionalProperties": false,
	})
	if err != nil {
		return shape{}, fmt.Errorf("encode schema: %w", err)
	}
	return shape{schema: raw, wrapped: true}, nil
}

// typed makes a schema of an object say so in the one way that endpoints know.
func typed(raw json.RawMessage) (json.RawMessage, error) {
	var o map[string]json.RawMessage
	if err := json.Unmarshal(raw, &o); err != nil {
		return nil, fmt.Errorf("decode schema: %w", err)
	}
	const want = `"object"`
	if string(o["type"]) == want {
		return raw, nil
	}
	o["type"] = json.RawMessage(want)
	raw, err := json.Marshal(o)
	if err != nil {
		return nil, fmt.Errorf("encode schema: %w", err)
	}
	return raw, nil
}

// unwrap returns the value that the schema is about. A model may have left out
// the wrapper.
func (s *shape) unwrap(value any) any {
	if o, ok := value.(map[string]any); s.wrapped && ok && len(o) == 1 {
		if inner, ok := o[wrapper]; ok {
			return inner
		}
	}
	return value
}

// instruct says in words how to answer. Endpoints that only guide the model's
// hand do not show it the schema and its descriptions, so the words do.
func (s *shape) instruct(m mode) string {
	const only = "and nothing else: no explanation, no code fence."
	switch {
	case m == modeTool:
		return "Give the answer by calling the function " + toolName + " once."
	case s.schema != nil:
		return "Answer with one JSON object that fits the JSON Schema below, " + only + "\n\nJSON Schema:\n" + string(s.schema)
	default:
		return "Answer with one JSON object " + only
	}
}

// format adds to the body of a call how the endpoint is to answer.
func (s *shape) format(body object, m mode) {
	switch m {
	case modeSchema:
		body["response_format"] = object{"type": "json_schema", "json_schema": object{"name": toolName, "schema": s.schema}}
	case modeObject:
		body["response_format"] = object{"type": "json_object"}
	case modeTool:
		body["tools"] = []object{{"type": "function", "function": object{
			"name": toolName, "description": "Takes the answer.", "parameters": s.schema,
		}}}
		body["tool_choice"] = object{"type": "function", "function": object{"name": toolName}}
	}
}

// completion is the body of an answer, or of one event of a stream. Fields that
// endpoints fill differently are read by hand.
type completion struct {
	Choices []struct {
		Message said            `json:"message"`
		Delta   said            `json:"delta"`
		Finish  json.RawMessage `json:"finish_reason"`
	} `json:"choices"`
	Usage json.RawMessage `json:"usage"`
	Error json.RawMessage `json:"error"`
}

// said is a message of the model, or a piece of one.
type said struct {
	Content   json.RawMessage `json:"content"`
	Refusal   json.RawMessage `json:"refusal"`
	ToolCalls []toolCall      `json:"tool_calls"`
}

type toolCall struct {
	Index    int `json:"index"`
	Function struct {
		Arguments json.RawMessage `json:"arguments"`
	} `json:"function"`
}

// reply is what is left of an answer.
type reply struct {
	text          string // of the tool call if there is one, else of the message
	refusal       string
	finish        string
	read, written int // tokens; both 0 if the endpoint does not tell
}

// reply reads a completion that came as a whole. It reports whether it is one.
func (c *completion) reply() (*reply, bool) {
	if len(c.Choices) == 0 {
		return nil, false
	}
	choice := &c.Choices[0]
	r := &reply{text: text(choice.Message.Content), refusal: text(choice.Message.Refusal), finish: text(choice.Finish)}
	if calls := choice.Message.ToolCalls; len(calls) > 0 {
		r.text = argument(calls[0].Function.Arguments)
	}
	r.count(c.Usage)
	return r, true
}

// count takes over what the endpoint says about usage, if it makes sense.
func (r *reply) count(raw json.RawMessage) {
	const most = 1 << 30
	var usage struct {
		Prompt     float64 `json:"prompt_tokens"`
		Completion float64 `json:"completion_tokens"`
	}
	if json.Unmarshal(raw, &usage) != nil || usage.Prompt < 0 || usage.Completion < 0 || usage.Prompt > most || usage.Completion > most {
		return
	}
	r.read, r.written = int(usage.Prompt), int(usage.Completion)
}

// text reads content that is a string, a list of parts, or an object where a
// string with one is meant.
func text(raw json.RawMessage) string {
	raw = bytes.TrimSpace(raw)
	if len(raw) == 0 {
		return ""
	}
	switch raw[0] {
	case '"':
		var s string
		if json.Unmarshal(raw, &s) == nil {
			return s
		}
	case '[':
		return parts(raw)
	case '{':
		return string(raw)
	}
	return ""
}

// argument reads the arguments of a tool call: a string with JSON in it, or the
// JSON itself.
func argument(raw json.RawMessage) string {
	var s string
	if json.Unmarshal(raw, &s) == nil {
		return s
	}
	return string(raw)
}

// parts joins the parts that are text; others hold thoughts.
func parts(raw json.RawMessage) string {
	var list []json.RawMessage
	if json.Unmarshal(raw, &list) != nil {
		return ""
	}
	var b strings.Builder
	for _, raw := range list {
		var plain string
		var part struct {
			Text string `json:"text"`
		}
		switch {
		case json.Unmarshal(raw, &plain) == nil:
			b.WriteString(plain)
		case json.Unmarshal(raw, &part) == nil:
			b.WriteString(part.Text)
		}
	}
	return b.String()
}
