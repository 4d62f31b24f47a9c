package llmtest_test

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"

	"go.uber.org/goleak"

	"github.com/trawlhq/trawl/llm/llmtest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// requests are one of each mode.
var requests = map[string]string{
	"text":        `{"model":"small","messages":[{"role":"system","content":"S"},{"role":"user","content":"U"},{"role":"assistant","content":"A"},{"role":"user","content":"V"}]}`,
	"json_object": `{"response_format":{"type":"json_object"}}`,
	"json_schema": `{"response_format":{"type":"json_schema","json_schema":{"schema":{"type":"object"}}}}`,
	"tool":        `{"tools":[{"type":"function","function":{"name":"take","parameters":{"type":"object"}}}]}`,
}

func post(t *testing.T, s *llmtest.Server, body string) (*http.Response, string) {
	t.Helper()
	client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	response, err := client.Post(s.URL+"/chat/completions", "application/json", strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	content, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	return response, string(content)
}

func TestModes(t *testing.T) {
	t.Parallel()
	for mode, request := range requests {
		s := llmtest.New(t)
		s.Handle(func(call llmtest.Call) llmtest.Reply { return llmtest.JSON(map[string]string{"mode": call.Mode}) })
		response, body := post(t, s, request)
		// The JSON is a string in the message, or in the arguments.
		if want := `"{\"mode\":\"` + mode + `\"}"`; response.StatusCode != 200 || !strings.Contains(body, want) || !strings.Contains(body, `"total_tokens":120`) {
			t.Errorf("%s: %d %s, want %s", mode, response.StatusCode, body, want)
		}
		if got := strings.Contains(body, `"name":"take"`); got != (mode == "tool") {
			t.Errorf("%s: %s", mode, body)
		}
		call := s.Calls()[0]
		if got := string(call.Schema) != ""; call.Mode != mode || got != (mode == "tool" || mode == "json_schema") {
			t.Errorf("%s: call %+v", mode, call)
		}
		s.Refuse(mode)
		if response, body = post(t, s, request); response.StatusCode != 400 || !strings.Contains(body, "support") {
			t.Errorf("%s: refused with %d %s", mode, response.StatusCode, body)
		}
		if n := len(s.Calls()); n != 2 {
			t.Errorf("%s: %d calls", mode, n)
		}
	}
}

func TestCall(t *testing.T) {
	t.Parallel()
	s := llmtest.New(t)
	post(t, s, requests["text"])
	if c := s.Calls()[0]; c.Model != "small" || c.System != "S" || c.User != "U\n\nV" || c.Header.Get("Content-Type") != "application/json" || string(c.Body) != requests["text"] {
		t.Errorf("call %+v", c)
	}
	if response, _ := post(t, s, "{"); response.StatusCode != 400 || len(s.Calls()) != 1 {
		t.Errorf("status %d for what is not JSON", response.StatusCode)
	}
}

func TestReplies(t *testing.T) {
	t.Parallel()
	s := llmtest.New(t)
	for name, test := range map[string]struct {
		reply  llmtest.Reply
		status int
		want   string
	}{
		"status":        {llmtest.Reply{Status: 500}, 500, "Internal Server Error"},
		"status, words": {llmtest.Reply{Status: 429, Content: "Slow down"}, 429, `"message":"Slow down"`},
		"body":          {llmtest.Reply{Status: 502, Body: "<html>"}, 502, "<html>"},
		"finish":        {llmtest.Reply{Content: "{", Finish: "length"}, 200, `"finish_reason":"length"`},
		"not encodable": {llmtest.JSON(make(chan int)), 500, "unsupported type"},
	} {
		test.reply.Header = http.Header{"Retry-After": {"7"}}
		s.Handle(func(llmtest.Call) llmtest.Reply { return test.reply })
		response, body := post(t, s, requests["text"])
		if response.StatusCode != test.status || !strings.Contains(body, test.want) || response.Header.Get("Retry-After") != "7" || strings.Contains(body, "usage") {
			t.Errorf("%s: %d %s", name, response.StatusCode, body)
		}
	}
}

func TestStream(t *testing.T) {
	t.Parallel()
	for mode, request := range requests {
		s := llmtest.New(t)
		const content = `{"a":"a text of some length"}`
		s.Handle(func(llmtest.Call) llmtest.Reply { return llmtest.Reply{Content: content, Stream: true} })
		response, body := post(t, s, request)
		if got := response.Header.Get("Content-Type"); got != "text/event-stream" {
			t.Errorf("%s: type %s", mode, got)
		}
		var got strings.Builder
		for line := range strings.Lines(strings.TrimSuffix(body, "data: [DONE]\n\n")) {
			data, ok := strings.CutPrefix(line, "data: ")
			if !ok {
				continue
			}
			var event struct {
				Choices []struct {
					Delta struct {
						Content string
						Calls   []struct{ Function struct{ Arguments string } } `json:"tool_calls"`
					}
				}
			}
			if err := json.Unmarshal([]byte(data), &event); err != nil {
				t.Fatalf("%s: %v in %s", mode, err, line)
			}
			delta := event.Choices[0].Delta
			got.WriteString(delta.Content)
			for _, call := range delta.Calls {
				got.WriteString(call.Function.Arguments)
			}
		}
		if got.String() != content {
			t.Errorf("%s: streamed %s", mode, body)
		}
	}
}

func TestHang(t *testing.T) {
	t.Parallel()
	s := llmtest.New(t)
	ctx, cancel := context.WithCancel(t.Context())
	s.Handle(func(llmtest.Call) llmtest.Reply {
		cancel()
		return llmtest.Reply{Hang: true}
	})
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, s.URL+"/chat/completions", strings.NewReader("{}"))
	if err != nil {
		t.Fatal(err)
	}
	transport := &http.Transport{DisableKeepAlives: true}
	if response, err := transport.RoundTrip(request); err == nil {
		response.Body.Close()
		t.Errorf("status %d from a server that hangs", response.StatusCode)
	}
}
