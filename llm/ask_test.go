package llm_test

import (
	"encoding/json"
	"errors"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/trawlhq/trawl/llm"
	"github.com/trawlhq/trawl/llm/llmtest"
)

const (
	kettle  = `{"name":"Kettle","price":12.50}`
	inTools = "json_schema tool"
	inText  = "json_schema tool json_object text"
)

func TestAskText(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct{ said, want string }{
		"plain":              {"A kettle.", "A kettle."},
		"space around":       {"\n A kettle. \n", "A kettle."},
		"thoughts":           {"<think>Hm.\n\nA pot?</think>\n\nA kettle.", "A kettle."},
		"thoughts half open": {"Hm. A pot?\n</think>\nA kettle.", "A kettle."},
		"about thoughts":     {"It writes <think> and </think>.", "It writes <think> and </think>."},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			server, client := start(t)
			server.Handle(replies(llmtest.Text(test.said)))
			answer, err := client.Ask(t.Context(), llm.Request{System: "Be brief.", User: "What is it?"})
			if err != nil || answer.Text != test.want || answer.Value != nil || answer.Tokens != 120 {
				t.Errorf("answer %+v, %v, want %q", answer, err, test.want)
			}
			calls := server.Calls()
			if len(calls) != 1 || calls[0].Mode != "text" || calls[0].System != "Be brief." || calls[0].User != "What is it?" || calls[0].Model != "small" {
				t.Errorf("calls %+v", calls)
			}
		})
	}
}

// TestAskWalksDown holds that an answer comes whatever an endpoint lacks, and
// that its lacks are found out once.
func TestAskWalksDown(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		refuse []string
		first  string
		second string
	}{
		"knows schemas":       {nil, "json_schema", "json_schema"},
		"knows tools":         {[]string{"json_schema"}, inTools, "tool"},
		"refuses tools":       {[]string{"tool"}, "json_schema", "json_schema"},
		"knows JSON mode":     {[]string{"json_schema", "tool"}, "json_schema tool json_object", "json_object"},
		"refuses JSON mode":   {[]string{"json_schema", "json_object"}, inTools, "tool"},
		"knows nothing of it": {[]string{"json_schema", "tool", "json_object"}, inText, "text"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			server, client := start(t)
			server.Refuse(test.refuse...)
			server.Handle(replies(llmtest.Text(kettle)))
			request := llm.Request{System: "Extract.", User: "Kettle, 12.50", Schema: compile(t, product)}
			for i, want := range []string{test.first, test.second} {
				before := len(server.Calls())
				answer, err := client.Ask(t.Context(), request)
				if err != nil || encode(t, answer.Value) != kettle || answer.Tokens != 120 {
					t.Fatalf("answer %d: %+v, %v", i, answer, err)
				}
				if got := modes(server.Calls()[before:]); got != want {
					t.Errorf("answer %d was asked for in %s, want %s", i, got, want)
				}
			}
		})
	}
}

// TestAskToolsFail holds that an error of the server which speaks of tools leads
// on, at once, but is not taken for good.
func TestAskToolsFail(t *testing.T) {
	t.Parallel()
	server, client := start(t)
	server.Refuse("json_schema")
	server.Handle(func(call llmtest.Call) llmtest.Reply {
		if call.Mode == "tool" {
			return llmtest.Reply{Status: 500, Content: "tools param requires --jinja flag"}
		}
		return llmtest.Text(kettle)
	})
	for range 2 {
		if _, err := client.Ask(t.Context(), llm.Request{User: "?", Schema: compile(t, product)}); err != nil {
			t.Fatal(err)
		}
	}
	if got, want := modes(server.Calls()), "json_schema tool json_object tool json_object"; got != want {
		t.Errorf("asked in %s, want %s", got, want)
	}
}

func TestAskShowsTheSchema(t *testing.T) {
	t.Parallel()
	server, client := start(t)
	server.Handle(replies(llmtest.Text("I would rather not."), llmtest.Text("Not now."), llmtest.Text("Later."), llmtest.Text(kettle)))
	if _, err := client.Ask(t.Context(), llm.Request{System: "Extract.", User: "Kettle", Schema: compile(t, product)}); err != nil {
		t.Fatal(err)
	}
	calls := server.Calls()
	if got := modes(calls); got != inText {
		t.Fatalf("asked in %s, want %s", got, inText)
	}
	for _, call := range calls {
		if !strings.HasPrefix(call.System, "Extract.") {
			t.Errorf("%s: the rules do not come first in %q", call.Mode, call.System)
		}
		if shown := string(call.Schema) + call.System; !strings.Contains(shown, "as on the label") {
			t.Errorf("%s: the schema is not in %q", call.Mode, shown)
		}
	}
	// That the model gave no JSON says nothing about the endpoint.
	if _, err := client.Ask(t.Context(), llm.Request{User: "Kettle", Schema: compile(t, product)}); err != nil {
		t.Fatal(err)
	}
	if got := server.Calls()[len(calls)].Mode; got != "json_schema" {
		t.Errorf("the next question begins with %s", got)
	}
}

// TestAskTriesAgainLater holds that a refusal is not remembered for ever.
func TestAskTriesAgainLater(t *testing.T) {
	t.Parallel()
	server, client := start(t)
	begin := time.Now()
	now := begin
	client.SetNow(func() time.Time { return now })
	server.Refuse("json_schema")
	server.Handle(replies(llmtest.Text(kettle)))
	for _, test := range []struct {
		after time.Duration
		want  string
	}{{0, inTools}, {59 * time.Minute, "tool"}, {61 * time.Minute, inTools}} {
		now = begin.Add(test.after)
		before := len(server.Calls())
		if _, err := client.Ask(t.Context(), llm.Request{User: "?", Schema: compile(t, product)}); err != nil {
			t.Fatal(err)
		}
		if got := modes(server.Calls()[before:]); got != test.want {
			t.Errorf("after %s: %s, want %s", test.after, got, test.want)
		}
	}
}

// TestAskRefusalOfOneSchema holds that an endpoint which does not take one
// schema is still asked with others.
func TestAskRefusalOfOneSchema(t *testing.T) {
	t.Parallel()
	for name, reply := range map[string]llmtest.Reply{
		"named":        {Status: 400, Content: "Invalid schema for response_format 'answer': In context=(), 'minLength' is not permitted."},
		"by a grammar": {Status: 500, Content: "failed to parse grammar"},
		"for nothing":  {Status: 422, Body: "Unprocessable"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			server, client := start(t)
			server.Handle(func(call llmtest.Call) llmtest.Reply {
				if call.Mode == "json_schema" {
					return reply
				}
				return llmtest.Text(kettle)
			})
			for range 2 {
				if _, err := client.Ask(t.Context(), llm.Request{User: "?", Schema: compile(t, product)}); err != nil {
					t.Fatal(err)
				}
			}
			if got := modes(server.Calls()); got != inTools+" "+inTools {
				t.Errorf("asked in %s", got)
			}
		})
	}
}

// TestAskFindsTheAnswer feeds one answer in all the wrappings that models use.
func TestAskFindsTheAnswer(t *testing.T) {
	t.Parallel()
	for name, reply := range map[string]llmtest.Reply{
		"bare":             llmtest.Text(kettle),
		"prose around":     llmtest.Text("Sure! Here it is:\n\n" + kettle + "\n\nAnything else?"),
		"fence":            llmtest.Text("```json\n" + kettle + "\n```"),
		"fence in prose":   llmtest.Text("Here [1]:\n```\n" + kettle + "\n```\nSee {above}."),
		"thoughts":         llmtest.Text(`<think>Maybe {"name":"A much longer draft of it","price":1}?</think>` + kettle),
		"example first":    llmtest.Text(`It looks like {"name":"x"}. So: ` + kettle),
		"harmless slips":   llmtest.Text(`{"name":"Kettle","price":"12.50","colour":"red"}`),
		"stream":           {Content: kettle, Stream: true, PromptTokens: 100, CompletionTokens: 20},
		"content in parts": body(`[{"type":"thinking","thinking":[{"text":"hm"}]},{"type":"text","text":"{\"name\":\"Kettle\","},{"type":"text","text":"\"price\":12.50}"}]`),
		"content object":   body(kettle),
		"wrong header":     withHeader(body(encode(t, kettle)), "Content-Type", "text/html"),
		"stream unsaid":    {Body: "data: {\"choices\":[{\"delta\":{\"content\":" + encode(t, kettle) + "}}]}\n\ndata: {\"choices\":[],\"usage\":{\"prompt_tokens\":100,\"completion_tokens\":20}}\n\ndata: [DONE]\n\n"},
		"length but whole": {Content: kettle, Finish: "length", PromptTokens: 100, CompletionTokens: 20},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			server, client := start(t)
			server.Handle(replies(reply))
			answer, err := client.Ask(t.Context(), llm.Request{User: "?", Schema: compile(t, product)})
			if err != nil || encode(t, answer.Value) != kettle || answer.Tokens != 120 || answer.Text != "" {
				t.Errorf("answer %+v, %v, want %s", answer, err, kettle)
			}
			if n := len(server.Calls()); n != 1 {
				t.Errorf("%d calls", n)
			}
		})
	}
}

// body is an answer with any content.
func body(content string) llmtest.Reply {
	return llmtest.Reply{Body: `{"choices":[{"message":{"role":"assistant","content":` + content + `,"refusal":null},"finish_reason":"stop"}],"usage":{"prompt_tokens":100,"completion_tokens":20}}`}
}

func withHeader(reply llmtest.Reply, name, value string) llmtest.Reply {
	reply.Header = http.Header{name: {value}}
	return reply
}

func TestAskToolCalls(t *testing.T) {
	t.Parallel()
	for name, reply := range map[string]llmtest.Reply{
		"string":       llmtest.Text(kettle),
		"object":       {Body: `{"choices":[{"message":{"content":"","tool_calls":[{"function":{"name":"answer","arguments":` + kettle + `}}]}}]}`},
		"stream":       {Content: kettle, Stream: true},
		"in prose":     {Body: `{"choices":[{"message":{"content":` + encode(t, "Of course: "+kettle) + `}}]}`},
		"written down": {Body: `{"choices":[{"message":{"content":` + encode(t, `{"name":"answer","arguments":`+kettle+`}`) + `}}]}`},
		"two of them":  {Body: `{"choices":[{"message":{"tool_calls":[{"function":{"arguments":` + encode(t, kettle) + `}},{"function":{"arguments":"{}"}}]}}]}`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			server, client := start(t)
			server.Refuse("json_schema")
			server.Handle(replies(reply))
			answer, err := client.Ask(t.Context(), llm.Request{User: "?", Schema: compile(t, product)})
			if err != nil || encode(t, answer.Value) != kettle {
				t.Errorf("answer %+v, %v, want %s", answer, err, kettle)
			}
			if got := modes(server.Calls()); got != inTools {
				t.Errorf("asked in %s", got)
			}
		})
	}
}

// TestAskRepairs holds that the model is shown what is wrong, at most twice.
func TestAskRepairs(t *testing.T) {
	t.Parallel()
	cut := llmtest.Reply{Content: `{"name":"Kettle","parts":[{"name":"Lid","price":1},{"na`, Finish: "length", PromptTokens: 100, CompletionTokens: 20}
	for name, test := range map[string]struct {
		bad     llmtest.Reply
		told    string // to the model
		despair string // told to the caller
	}{
		"wrong types": {llmtest.Text(`{"name":"Kettle","price":"cheap"}`), "price: ", "does not fit the schema: price: "},
		"missing":     {llmtest.Text(`{"name":"Kettle"}`), "price", "does not fit the schema: "},
		"cut off":     {cut, "cut off", "was cut off"},
		"stream ends": {llmtest.Reply{Stream: true, Body: "data: {\"choices\":[{\"delta\":{\"content\":\"{\\\"name\\\":\"}}]}\n\n"}, "cut off", "was cut off"},
		"unfinished":  {llmtest.Text(`{"name":"Kettle","price":{"from":1`), "not valid JSON", `no valid JSON: {"name":"Kettle"`},
		"empty cut":   {llmtest.Reply{Finish: "length"}, "cut off", "was cut off"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			server, client := start(t)
			request := llm.Request{System: "Extract.", User: "Kettle for a song", Schema: compile(t, product)}
			server.Handle(replies(test.bad, test.bad, llmtest.Text(kettle)))
			answer, err := client.Ask(t.Context(), request)
			if err != nil || encode(t, answer.Value) != kettle {
				t.Fatalf("answer %+v, %v", answer, err)
			}
			if got := modes(server.Calls()); got != "json_schema json_schema json_schema" {
				t.Errorf("asked in %s", got)
			}
			for i, call := range server.Calls()[1:] {
				if !strings.HasPrefix(call.User, request.User+"\n\n") || !strings.Contains(call.User, test.told) {
					t.Errorf("repair %d asks %q, want %q", i, call.User, test.told)
				}
				if said := encode(t, test.bad.Content); test.bad.Content != "" && !strings.Contains(string(call.Body), said) {
					t.Errorf("repair %d does not show the answer: %s", i, call.Body)
				}
			}
			server.Handle(replies(test.bad))
			before := len(server.Calls())
			_, err = client.Ask(t.Context(), request)
			isModelError(t, err, test.despair)
			if !errors.Is(err, llm.ErrAnswer) {
				t.Errorf("%v is not told from a failure to answer", err)
			}
			if n := len(server.Calls()) - before; n != 3 {
				t.Errorf("gave up after %d calls, want 3", n)
			}
		})
	}
}

// TestAskBrokenJSON holds that a part of a broken answer is not the answer.
func TestAskBrokenJSON(t *testing.T) {
	t.Parallel()
	server, client := start(t)
	server.Handle(replies(llmtest.Text(`{"list":[{"name":"Lid","price":1,},{"name":"Handle","price":2}]}`)))
	answer, err := client.Ask(t.Context(), llm.Request{User: "?", Schema: compile(t, product)})
	isModelError(t, err, "no valid JSON: ")
	if answer.Value != nil || answer.Tokens != 6*120 {
		t.Errorf("answer %+v, want none, for the tokens of six calls", answer)
	}
	if got, want := modes(server.Calls()), inText+" text text"; got != want {
		t.Errorf("asked in %s, want %s", got, want)
	}
}

func TestAskCallsAreBounded(t *testing.T) {
	t.Parallel()
	server := llmtest.New(t)
	client, _ := connect(t, llm.Config{BaseURL: server.URL, MaxTokens: 100})
	server.Refuse("json_schema", "tool", "json_object")
	server.Handle(replies(
		llmtest.Reply{Status: 400, Content: "temperature is not supported"},
		llmtest.Reply{Status: 400, Content: "Unsupported parameter: max_tokens"},
		llmtest.Reply{Status: 400, Content: "Unsupported parameter: max_completion_tokens"},
		llmtest.Reply{Status: 400, Content: "System role not supported"},
		llmtest.Text("No."),
	))
	_, err := client.Ask(t.Context(), llm.Request{System: "Extract.", User: "?", Schema: compile(t, product)})
	isModelError(t, err, "no valid JSON: No.")
	if n := len(server.Calls()); n != 8 {
		t.Errorf("%d calls, want 8", n)
	}
}

// TestAskPickyEndpoint holds that the bound is enough for an endpoint that takes
// nothing but the prompt.
func TestAskPickyEndpoint(t *testing.T) {
	t.Parallel()
	server := llmtest.New(t)
	client, _ := connect(t, llm.Config{BaseURL: server.URL, MaxTokens: 100})
	refuse := func(message string) llmtest.Reply { return llmtest.Reply{Status: 400, Content: message} }
	server.Handle(replies(
		refuse("temperature is not supported"), refuse("Unsupported: max_tokens"), refuse("max_completion_tokens is too large"),
		refuse("System role not supported"), refuse("No."),
	))
	_, err := client.Ask(t.Context(), llm.Request{System: "Extract.", User: "?", Schema: compile(t, product)})
	isModelError(t, err, "status 400: No.")
	if got, want := modes(server.Calls()), "json_schema json_schema json_schema json_schema "+inText; got != want {
		t.Errorf("asked in %s, want %s", got, want)
	}
}

// TestAskOtherThanObjects holds that any schema works, though endpoints know
// only objects.
func TestAskOtherThanObjects(t *testing.T) {
	t.Parallel()
	const list = `{"type":"array","items":{"type":"string"},"minItems":1}`
	for name, test := range map[string]struct{ schema, said, want string }{
		"list":      {list, `{"result":["a","b"]}`, `["a","b"]`},
		"unwrapped": {list, `["a","b"]`, `["a","b"]`},
		"number":    {`{"type":"number"}`, `{"result":1.10}`, `1.10`},
		"no type":   {`{"properties":{"result":{"type":"string"}},"required":["result"]}`, `{"result":"a"}`, `{"result":"a"}`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			server, client := start(t)
			server.Handle(replies(llmtest.Text(test.said)))
			answer, err := client.Ask(t.Context(), llm.Request{User: "?", Schema: compile(t, test.schema)})
			if err != nil || encode(t, answer.Value) != test.want {
				t.Errorf("answer %+v, %v, want %s", answer, err, test.want)
			}
			var sent struct{ Type string }
			if err := json.Unmarshal(server.Calls()[0].Schema, &sent); err != nil || sent.Type != "object" {
				t.Errorf("the endpoint got %s", server.Calls()[0].Schema)
			}
		})
	}
}

func TestAskAnyJSON(t *testing.T) {
	t.Parallel()
	for said, want := range map[string]string{
		`{"a":1.0}`:               `{"a":1.0}`,
		`[1,2]`:                   `[1,2]`,
		`Of [1]: {"a":[{"b":2}]}`: `{"a":[{"b":2}]}`,
	} {
		server, client := start(t)
		server.Refuse("json_schema", "tool")
		server.Handle(replies(llmtest.Text(said)))
		answer, err := client.Ask(t.Context(), llm.Request{User: "?", JSON: true})
		if err != nil || encode(t, answer.Value) != want {
			t.Errorf("%s: answer %+v, %v, want %s", said, answer, err, want)
		}
		if calls := server.Calls(); modes(calls) != "json_object" || !strings.Contains(calls[0].System, "JSON") {
			t.Errorf("asked %+v", calls)
		}
	}
}

func TestAskParameters(t *testing.T) {
	t.Parallel()
	server := llmtest.New(t)
	client, _ := connect(t, llm.Config{BaseURL: server.URL, MaxTokens: 300})
	sent := func() string {
		calls := server.Calls()
		var body map[string]any
		if err := json.Unmarshal(calls[len(calls)-1].Body, &body); err != nil {
			t.Fatal(err)
		}
		return encode(t, []any{body["temperature"], body["max_tokens"], body["max_completion_tokens"]})
	}
	ask := func(want string, list ...llmtest.Reply) {
		t.Helper()
		server.Handle(replies(append(list, llmtest.Text("Kettle."))...))
		if _, err := client.Ask(t.Context(), llm.Request{User: "?"}); err != nil {
			t.Fatal(err)
		}
		if got := sent(); got != want {
			t.Errorf("sent %s, want %s", got, want)
		}
	}
	refuse := func(message string) llmtest.Reply { return llmtest.Reply{Status: 400, Content: message} }
	ask(`[0,300,null]`)
	ask(`[0,null,null]`, refuse("max_tokens is too large: 300. This model supports at most 200 completion tokens."))
	ask(`[0,300,null]`) // that was about one question
	ask(`[null,null,300]`,
		refuse("Unsupported value: 'temperature' does not support 0 with this model. Only the default (1) value is supported."),
		refuse("Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead."))
	ask(`[null,null,300]`)
	ask(`[null,null,null]`, refuse("Unknown field: max_completion_tokens"))
}

// TestAskParametersTogether holds that questions which learn the same at the
// same time all get their answers, and learn no more than that.
func TestAskParametersTogether(t *testing.T) {
	t.Parallel()
	server := llmtest.New(t)
	client, _ := connect(t, llm.Config{BaseURL: server.URL, MaxTokens: 300, Concurrency: 6})
	var first sync.WaitGroup
	first.Add(4)
	server.Handle(func(call llmtest.Call) llmtest.Reply {
		if body := string(call.Body); !strings.Contains(body, `"max_tokens"`) {
			if strings.Contains(body, `"temperature"`) {
				return llmtest.Reply{Status: 400, Content: "temperature is not supported"}
			}
			return llmtest.Text("Kettle.")
		}
		first.Done()
		first.Wait() // until all have asked the wrong way
		return llmtest.Reply{Status: 400, Content: "Unsupported parameter: max_tokens"}
	})
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() {
			if _, err := client.Ask(t.Context(), llm.Request{User: "?"}); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	calls := server.Calls()
	if body := string(calls[len(calls)-1].Body); !strings.Contains(body, `"max_completion_tokens":300`) {
		t.Errorf("the limit got lost: %s", body)
	}
}

// TestAskWithoutSystemRole holds that the rules get to models that know no
// system messages.
func TestAskWithoutSystemRole(t *testing.T) {
	t.Parallel()
	server, client := start(t)
	server.Handle(replies(llmtest.Reply{Status: 400, Content: "System role not supported"}, llmtest.Text("Kettle.")))
	if _, err := client.Ask(t.Context(), llm.Request{System: "Be brief.", User: "What is it?"}); err != nil {
		t.Fatal(err)
	}
	if call := server.Calls()[1]; call.System != "" || call.User != "Be brief.\n\nWhat is it?" {
		t.Errorf("asked %+v", call)
	}
}

func TestAskCountsTokens(t *testing.T) {
	t.Parallel()
	server, client := start(t)
	request := llm.Request{User: strings.Repeat("word ", 400), Schema: compile(t, product)}
	server.Handle(replies(llmtest.Text(`{}`), llmtest.Text(kettle)))
	if answer, err := client.Ask(t.Context(), request); err != nil || answer.Tokens != 240 {
		t.Errorf("tokens %d, %v, want those of both calls", answer.Tokens, err)
	}
	for _, usage := range []string{`null`, `{}`, `"many"`, `{"prompt_tokens":-5,"completion_tokens":20}`, `{"prompt_tokens":5,"completion_tokens":1e300}`} {
		server.Handle(replies(llmtest.Reply{Body: `{"choices":[{"message":{"content":` + encode(t, kettle) + `}}],"usage":` + usage + `}`}))
		answer, err := client.Ask(t.Context(), request)
		if err != nil || answer.Tokens < 500 || answer.Tokens > 1000 {
			t.Errorf("usage %s: tokens %d, %v, want about one for four bytes", usage, answer.Tokens, err)
		}
	}
}

func TestAskRefusals(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		reply llmtest.Reply
		want  string
	}{
		"refusal":         {llmtest.Reply{Body: `{"choices":[{"message":{"content":null,"refusal":"I will not, sk-operators-own-key."}}]}`}, "refuses to answer: I will not, [key]."},
		"streamed":        {llmtest.Reply{Body: "data: {\"choices\":[{\"delta\":{\"refusal\":\"I will \"}}]}\n\ndata: {\"choices\":[{\"delta\":{\"refusal\":\"not.\"}}]}\n\ndata: [DONE]\n"}, "refuses to answer: I will not."},
		"filtered":        {llmtest.Reply{Finish: "content_filter"}, "filtered"},
		"no such model":   {llmtest.Reply{Status: 404, Content: "model 'small' not found"}, "status 404: model 'small' not found"},
		"no such address": {llmtest.Reply{Status: 404, Body: "<html>404 page not found"}, "status 404: <html>404 page not found"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			server, client := start(t)
			server.Handle(replies(test.reply))
			_, err := client.Ask(t.Context(), llm.Request{User: "?", Schema: compile(t, product)})
			isModelError(t, err, test.want)
			if n := len(server.Calls()); n != 1 {
				t.Errorf("%d calls, want 1", n)
			}
		})
	}
}

func TestAskEmptyText(t *testing.T) {
	t.Parallel()
	server, client := start(t)
	server.Handle(replies(llmtest.Text("<think>Hm, hm, hm"), llmtest.Text("Kettle.")))
	if answer, err := client.Ask(t.Context(), llm.Request{User: "?"}); err != nil || answer.Text != "Kettle." {
		t.Errorf("answer %+v, %v", answer, err)
	}
	server.Handle(replies(llmtest.Text(" ")))
	_, err := client.Ask(t.Context(), llm.Request{User: "?"})
	isModelError(t, err, "empty answer")
}
