// Package llmtest is a stand-in for a language model: an HTTP server that
// speaks the chat-completions protocol and answers what a test tells it to,
// also in the ways in which real endpoints misbehave.
//
//	server := llmtest.New(t)
//	server.Handle(func(call llmtest.Call) llmtest.Reply {
//		return llmtest.JSON(map[string]any{"name": "Kettle"})
//	})
//	client, err := llm.New(llm.Config{BaseURL: server.URL, Model: "small"})
//
// An answer goes where the request wants it: into the message, or into the
// arguments of the tool that the request forces. So a test says what the model
// answers and need not know how it was asked. What it was asked is kept, see
// [Server.Calls].
//
// Misbehaviour is told in the same way. [Server.Refuse] turns off what an
// endpoint does not know. A [Reply] may have any status and headers (429 with
// Retry-After, 500), content that is prose or cut off (with Finish "length"), a
// body that is no JSON at all, may come as a stream that nobody asked for, or
// never.
package llmtest

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
)

// Server is the stand-in.
type Server struct {
	URL string // of the endpoint; ends in /v1

	closed chan struct{}

	mu      sync.Mutex
	answer  func(Call) Reply
	refused []string
	calls   []Call
}

// Call is one request as the server understood it.
type Call struct {
	System string // all system messages
	User   string // all user messages, with an empty line between them
	Model  string
	Mode   string          // json_schema, tool, json_object or text
	Schema json.RawMessage // of the response format or of the tool's parameters
	Header http.Header
	Body   json.RawMessage // the whole request
}

// Reply is what the server answers. Its zero value is an empty message.
type Reply struct {
	Content          string      // of the message, or the arguments of the tool call
	Status           int         // 0 means 200
	Header           http.Header // sent along, over the server's own
	Body             string      // instead of the whole body
	PromptTokens     int         // both 0 means that usage is not told
	CompletionTokens int
	Finish           string // finish_reason; empty means stop, or tool_calls
	Hang             bool   // no answer until the client leaves
	Stream           bool   // as server-sent events
}

// JSON is a reply with the value as JSON, and with usage.
func JSON(v any) Reply {
	content, err := json.Marshal(v)
	if err != nil {
		return Reply{Status: http.StatusInternalServerError, Body: err.Error()}
	}
	return Text(string(content))
}

// Text is a reply with the text as it is, and with usage.
func Text(s string) Reply {
	return Reply{Content: s, PromptTokens: 100, CompletionTokens: 20}
}

// New starts a server that answers {} until it is told otherwise, and that ends
// with the test.
func New(t testing.TB) *Server {
	t.Helper()
	s := &Server{closed: make(chan struct{}), answer: func(Call) Reply { return Text("{}") }}
	mux := http.NewServeMux()
	mux.HandleFunc("POST /v1/chat/completions", s.serve)
	server := httptest.NewServer(mux)
	s.URL = server.URL + "/v1"
	t.Cleanup(func() {
		close(s.closed)
		server.Close()
	})
	return s
}

// Handle makes f answer from now on. It may be called by several requests at
// once.
func (s *Server) Handle(f func(Call) Reply) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.answer = f
}

// Refuse makes the server answer 400 to requests in these modes, as endpoints do
// that do not know them. It replaces what was refused before.
func (s *Server) Refuse(modes ...string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.refused = modes
}

// Calls returns the requests so far, refused ones among them.
func (s *Server) Calls() []Call {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.calls)
}

func (s *Server) serve(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return // the client left
	}
	call, err := read(body)
	if err != nil {
		fail(w, http.StatusBadRequest, err.Error())
		return
	}
	call.Header = r.Header.Clone()
	s.mu.Lock()
	s.calls = append(s.calls, call)
	answer, refused := s.answer, slices.Contains(s.refused, call.Mode)
	s.mu.Unlock()
	if refused {
		fail(w, http.StatusBadRequest, refusals[call.Mode])
		return
	}
	reply := answer(call)
	if reply.Hang {
		select {
		case <-r.Context().Done():
		case <-s.closed:
		}
		return
	}
	send(w, call, reply)
}

// refusals are sentences such as endpoints use.
var refusals = map[string]string{
	"json_schema": "Invalid parameter: 'response_format' of type 'json_schema' is not supported with this model.",
	"json_object": "Invalid parameter: 'response_format' of type 'json_object' is not supported with this model.",
	"tool":        "This model does not support tools.",
	"text":        "This model is not supported.",
}

func fail(w http.ResponseWriter, status int, message string) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(map[string]any{"error": map[string]any{"message": message, "type": "invalid_request_error"}})
}

// request is the part of the protocol that the server reads.
type request struct {
	Model    string `json:"model"`
	Messages []struct {
		Role    string `json:"role"`
		Content string `json:"content"`
	} `json:"messages"`
	Format struct {
		Type   string `json:"type"`
		Schema struct {
			Schema json.RawMessage `json:"schema"`
		} `json:"json_schema"`
	} `json:"response_format"`
	Tools []struct {
		Function struct {
			Name       string          `json:"name"`
			Parameters json.RawMessage `json:"parameters"`
		} `json:"function"`
	} `json:"tools"`
}

func read(body []byte) (Call, error) {
	var r request
	if err := json.Unmarshal(body, &r); err != nil {
		return Call{}, fmt.Errorf("read request: %w", err)
	}
	call := Call{Model: r.Model, Mode: "text", Body: body}
	switch {
	case len(r.Tools) > 0:
		call.Mode, call.Schema = "tool", r.Tools[0].Function.Parameters
	case r.Format.Type != "":
		call.Mode, call.Schema = r.Format.Type, r.Format.Schema.Schema
	}
	var system, user []string
	for _, m := range r.Messages {
		switch m.Role {
		case "system":
			system = append(system, m.Content)
		case "user":
			user = append(user, m.Content)
		}
	}
	call.System, call.User = strings.Join(system, "\n\n"), strings.Join(user, "\n\n")
	return call, nil
}
