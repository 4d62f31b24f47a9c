package llm

import (
	"bytes"
	"cmp"
	"encoding/json"
	"strings"
)

// streamed reports whether a body came as server-sent events, whatever was asked
// for and whatever the header says.
func streamed(contentType string, body []byte) bool {
	return strings.HasPrefix(strings.ToLower(contentType), "text/event-stream") || bytes.HasPrefix(bytes.TrimSpace(body), []byte("data:"))
}

// assembly puts a stream together.
type assembly struct {
	content, refusal, arguments strings.Builder
	called                      bool // there was a tool call
	tool                        int  // index of the first one; others are left out
	finish                      string
	usage, failure              json.RawMessage
	ended                       bool
	any                         bool
}

// assemble reads the events of a stream. It returns the error that the endpoint
// sent within, if any, and reports whether this was an answer at all.
func assemble(body []byte) (r *reply, failure json.RawMessage, ok bool) {
	var a assembly
	for line := range bytes.Lines(body) {
		data, isData := bytes.CutPrefix(bytes.TrimSpace(line), []byte("data:"))
		if !isData {
			continue
		}
		if data = bytes.TrimSpace(data); string(data) == "[DONE]" {
			a.ended = true
			break
		}
		var event completion
		if json.Unmarshal(data, &event) == nil {
			a.add(&event)
		}
	}
	if a.failure != nil || !a.any {
		return nil, a.failure, false
	}
	return a.reply(), nil, true
}

func (a *assembly) add(event *completion) {
	if present(event.Error) {
		a.failure = event.Error
	}
	if present(event.Usage) {
		a.usage = event.Usage
	}
	if len(event.Choices) == 0 {
		return
	}
	a.any = true
	choice := &event.Choices[0]
	a.finish = cmp.Or(text(choice.Finish), a.finish)
	// Some send whole messages as events.
	for _, piece := range []*said{&choice.Delta, &choice.Message} {
		a.content.WriteString(text(piece.Content))
		a.refusal.WriteString(text(piece.Refusal))
		for _, call := range piece.ToolCalls {
			if !a.called {
				a.called, a.tool = true, call.Index
			}
			if call.Index == a.tool {
				a.arguments.WriteString(argument(call.Function.Arguments))
			}
		}
	}
}

func (a *assembly) reply() *reply {
	r := &reply{text: a.content.String(), refusal: a.refusal.String(), finish: a.finish}
	if a.called {
		r.text = a.arguments.String()
	}
	if r.finish == "" && !a.ended {
		r.finish = finishLength // it stopped in the middle
	}
	r.count(a.usage)
	return r
}

// present reports whether a field is there and is not null.
func present(raw json.RawMessage) bool { return len(raw) > 0 && string(raw) != "null" }
