package llmtest

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
)

// send writes a reply in the shape that the call asked for.
func send(w http.ResponseWriter, call Call, reply Reply) {
	status := cmp.Or(reply.Status, http.StatusOK)
	w.Header().Set("Content-Type", "application/json")
	if reply.Stream {
		w.Header().Set("Content-Type", "text/event-stream")
	}
	maps.Copy(w.Header(), reply.Header)
	switch {
	case reply.Body != "":
		w.WriteHeader(status)
		_, _ = io.WriteString(w, reply.Body)
	case reply.Status >= 300:
		fail(w, status, cmp.Or(reply.Content, http.StatusText(status)))
	case reply.Stream:
		w.WriteHeader(status)
		stream(w, call, reply)
	default:
		w.WriteHeader(status)
		_ = json.NewEncoder(w).Encode(completion(call, reply, "message", message(call, reply.Content)))
	}
}

// object is a JSON object in the making.
type object = map[string]any

// message puts the content where the call wants it.
func message(call Call, content string) object {
	if call.Mode != "tool" {
		return object{"role": "assistant", "content": content}
	}
	return object{"role": "assistant", "content": nil, "tool_calls": []object{{
		"index": 0, "id": "call_1", "type": "function",
		"function": object{"name": tool(call), "arguments": content},
	}}}
}

// tool is the name of the tool that the call offers.
func tool(call Call) string {
	var r request
	if err := json.Unmarshal(call.Body, &r); err != nil || len(r.Tools) == 0 {
		return ""
	}
	return r.Tools[0].Function.Name
}

// completion is the body of an answer, or of one event of a stream, in which the
// message is under the name delta.
func completion(call Call, reply Reply, name string, message object) object {
	finish := "stop"
	if call.Mode == "tool" {
		finish = "tool_calls"
	}
	body := object{
		"id": "chatcmpl-1", "object": "chat.completion", "created": 1700000000, "model": call.Model,
		"choices": []object{{"index": 0, name: message, "finish_reason": cmp.Or(reply.Finish, finish)}},
	}
	if reply.PromptTokens+reply.CompletionTokens > 0 {
		body["usage"] = object{
			"prompt_tokens": reply.PromptTokens, "completion_tokens": reply.CompletionTokens,
			"total_tokens": reply.PromptTokens + reply.CompletionTokens,
		}
	}
	return body
}

// stream sends the content in pieces, the last of them with usage.
func stream(w io.Writer, call Call, reply Reply) {
	const size = 7
	rest := []rune(reply.Content)
	for first := true; first || len(rest) > 0; first = false {
		piece := rest[:min(size, len(rest))]
		rest = rest[len(piece):]
		event := completion(call, Reply{}, "delta", message(call, string(piece)))
		event["choices"].([]object)[0]["finish_reason"] = nil
		emit(w, event)
	}
	emit(w, completion(call, reply, "delta", object{}))
	_, _ = io.WriteString(w, "data: [DONE]\n\n")
}

func emit(w io.Writer, event object) {
	line, err := json.Marshal(event)
	if err != nil {
		return // of nothing but strings and numbers
	}
	_, _ = fmt.Fprintf(w, "data: %s\n\n", line)
}
