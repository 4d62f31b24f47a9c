package llm_test

import (
	"bytes"
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/llm"
)

// canned is a transport that gives the same answer to every call.
type canned struct {
	status int
	header http.Header
	body   []byte
	calls  int
}

func (c *canned) RoundTrip(*http.Request) (*http.Response, error) {
	c.calls++
	return &http.Response{StatusCode: c.status, Header: c.header, Body: io.NopCloser(bytes.NewReader(c.body))}, nil
}

// FuzzAnswer holds that whatever an endpoint answers, there is a value that fits
// or an error for callers, after a bounded number of calls and without the key.
func FuzzAnswer(f *testing.F) {
	f.Add(200, "", []byte(`{"choices":[{"message":{"content":"{\"name\":\"Kettle\",\"price\":\"1\"}","tool_calls":null},"finish_reason":"stop"}],"usage":{"prompt_tokens":1}}`))
	f.Add(200, "", []byte(`{"choices":[{"message":{"content":[{"text":"a"},"b"],"tool_calls":[{"function":{"arguments":{"name":1}}}]},"finish_reason":7}]}`))
	f.Add(200, "", []byte("data: {\"choices\":[{\"delta\":{\"content\":\"{\"}}]}\n\ndata: {\"error\":{\"code\":429}}"))
	f.Add(200, "", []byte(`{"error":{"code":"400","message":"no response_format"}}`))
	f.Add(400, "", []byte(`{"error":{"message":"temperature max_tokens system role sk-operators-own-key","code":1,"param":["x"]}}`))
	f.Add(422, "", []byte(`{"detail":[{"loc":["body","response_format"],"msg":"extra"}]}`))
	f.Add(429, "1e9", []byte(`null`))
	f.Add(503, "Sun, 06 Nov 1994 08:49:37 GMT", []byte{0xff, 0})
	s := compile(f, product)
	f.Fuzz(func(t *testing.T, status int, after string, body []byte) {
		transport := &canned{status: status, header: http.Header{"Retry-After": {after}}, body: body}
		client, _ := connect(t, llm.Config{BaseURL: "http://localhost", APIKey: key, MaxTokens: 9, Transport: transport})
		answer, err := client.Ask(t.Context(), llm.Request{System: "Extract.", User: "?", Schema: s})
		if err == nil {
			if problems := s.Check(answer.Value); len(problems) > 0 || answer.Tokens <= 0 {
				t.Errorf("%+v with %v", answer, problems)
			}
		} else if e, ok := errors.AsType[*trawl.Error](err); !ok || e.Code != trawl.CodeModel || strings.Contains(err.Error(), key) {
			t.Errorf("error %v", err)
		}
		if transport.calls > 8*4 {
			t.Errorf("%d calls", transport.calls)
		}
	})
}
