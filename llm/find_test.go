package llm_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/trawlhq/trawl/llm"
)

func TestFind(t *testing.T) {
	t.Parallel()
	for text, test := range map[string]struct {
		want []string
		cut  bool
	}{
		``:                                   {nil, false},
		`No.`:                                {nil, false},
		`{"a":1}`:                            {[]string{`{"a":1}`}, false},
		` "a" `:                              {[]string{`"a"`}, false},
		"```json\n[1, 2]\n```":               {[]string{`[1, 2]`}, false},
		"```\n{\"a\":\"```\"}\n```":          {[]string{"{\"a\":\"```\"}"}, false},
		"Here:\n```json\n{\"a\":1}\n```\n:)": {[]string{`{"a":1}`}, false},
		`As in [1], {x} and {"a":"}]\"{"}.`:  {[]string{`{"a":"}]\"{"}`}, false},
		`["a"] then {"b":1}`:                 {[]string{`{"b":1}`, `["a"]`}, false},
		`{"a":1} then {"a":1,"b":2}`:         {[]string{`{"a":1,"b":2}`, `{"a":1}`}, false},
		`{"a":[{"b":1},{"b":2`:               {nil, true},
		`It is {"a":[{"b":1}]`:               {nil, true},
		`{"a":{"b":1},}`:                     {nil, false},
		`So {"b":1}: {"a":{"b":1},}`:         {nil, false},
		`So {'a'} is {"a":{"b":1}}`:          {[]string{`{"a":{"b":1}}`}, false},
		`<think>{"a":1}</think>{"b":1}.`:     {[]string{`{"b":1}`}, false},
		`{"a":1}</think>So: {"b":1}`:         {[]string{`{"b":1}`}, false},
		`<think>{"a":1}`:                     {nil, false},
		`{"a":"</think>"}`:                   {[]string{`{"a":"</think>"}`}, false},
		`null`:                               {[]string{`null`}, false},
		`{`:                                  {nil, true},
	} {
		got, cut := llm.Find(text)
		if !slices.Equal(got, test.want) || cut != test.cut {
			t.Errorf("%s: found %q, cut %t, want %q, %t", text, got, cut, test.want, test.cut)
		}
	}
}

// FuzzFind holds that what is found is JSON that stands in the text, and that an
// object after harmless words is found.
func FuzzFind(f *testing.F) {
	f.Add("Sure: ", `{"a":[1,{"b":"}"}]}`, " Bye.")
	f.Add("<think>[", `{"a":1}`, "]")
	f.Add("```json\n", `{"a":{"b":1},}`, "\n```")
	f.Add("{\"[", `{}`, "\\")
	f.Fuzz(func(t *testing.T, before, object, after string) {
		text := before + object + after
		values, _ := llm.Find(text)
		for _, value := range values {
			if !json.Valid([]byte(value)) || !strings.Contains(text, value) {
				t.Errorf("found %q in %q", value, text)
			}
		}
		if harmful := "{[<`"; strings.ContainsAny(before+after, harmful) || !strings.HasPrefix(object, "{") || !json.Valid([]byte(object)) {
			return
		}
		if want := strings.TrimSpace(object); len(values) != 1 || values[0] != want {
			t.Errorf("found %q in %q, want %q", values, text, want)
		}
	})
}

// FuzzAssemble holds that any stream is read, and that an answer cut into events
// comes out whole.
func FuzzAssemble(f *testing.F) {
	f.Add([]byte("data: {\"choices\":[{\"delta\":{\"tool_calls\":[{\"index\":1,\"function\":{\"arguments\":\"{}\"}}]}}]}\n\n"), "Kettle.")
	f.Add([]byte("data: {\"choices\":[{\"delta\":{\"content\":[{\"text\":\"a\"}]}}]}\r\n\r\ndata: [DONE]"), "{\"a\":1}")
	f.Add([]byte(": ping\nevent: x\ndata:{\"error\":{\"message\":\"no\"}}\n"), "ö")
	f.Fuzz(func(t *testing.T, body []byte, text string) {
		llm.Assemble(body)
		text = strings.ToValidUTF8(text, "")
		var stream strings.Builder
		for _, r := range text {
			stream.WriteString(`data: {"choices":[{"delta":{"content":` + encode(t, string(r)) + "}}]}\n\n")
		}
		if got, ok := llm.Assemble([]byte(stream.String())); ok != (text != "") || got != text {
			t.Errorf("assembled %q, %t, want %q", got, ok, text)
		}
	})
}
