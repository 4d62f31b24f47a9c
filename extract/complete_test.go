package extract_test

import (
	"encoding/json"
	"net/http"
	"strconv"
	"strings"
	"testing"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/extract"
	"github.com/trawlhq/trawl/llm/llmtest"
)

func TestComplete(t *testing.T) {
	t.Parallel()
	const object = `{"type":"object","required":["name","price"],"properties":{"name":{"type":"string"},"price":{"type":"number"}}}`
	for _, c := range []struct {
		name, schema, value, complete string
		warning                       string
	}{
		{"fits", object, `{"name":"A","price":1}`, `{"name":"A","price":1}`, ""},
		{"is tidied", object, `{"name":"A","price":"1","x":2}`, `{"name":"A","price":1}`, ""},
		{"null will do", `{"type":"object","required":["a","b"],"properties":{"a":{"type":["string","null"]},"b":{"type":"string"}}}`, `{"b":"x"}`, `{"a":null,"b":"x"}`, ""},
		{"an empty list will do", `{"type":"object","required":["a"],"properties":{"a":{"type":"array","items":{"type":"string"}}}}`, `null`, `{"a":[]}`, ""},
		{"nothing is required", `{"type":"object","properties":{"a":{"type":"string"}}}`, `null`, `{}`, ""},
		{"nested", `{"type":"object","required":["a"],"properties":{"a":{"type":"object","required":["b"],"properties":{"b":{"type":["integer","null"]}}}}}`, `null`, `{"a":{"b":null}}`, ""},
		{"incomplete items go", listSchema, `{"shop":"S","items":[{"price":1},{"name":"A","price":2},{"price":3}]}`, `{"items":[{"name":"A","price":2}],"shop":"S"}`, "what has no items[].name."},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			x, _ := withModel(t, always(llmtest.Reply{Status: http.StatusForbidden, Content: "not to be asked"}))
			f, err := x.Complete(t.Context(), &extract.Finding{Value: decode(t, c.value), Tokens: 7}, extract.Want{Schema: compile(t, c.schema)})
			if err != nil {
				t.Fatal(err)
			}
			if got := encode(t, f.Value); got != c.complete || f.Tokens != 0 {
				t.Errorf("completed to %s with %d tokens, want %s", got, f.Tokens, c.complete)
			}
			if !strings.Contains(f.Warning, c.warning) || c.warning == "" && f.Warning != "" {
				t.Errorf("warning is %q", f.Warning)
			}
		})
	}
}

func TestCompleteMovesEvidence(t *testing.T) {
	t.Parallel()
	merged := finding(t, 1, `{"shop":"S","items":[{"price":1},{"name":"A","price":2}]}`, "+shop", "items[0].price", "+items[1].name", "+items[1].price")
	f, err := (&extract.Extractor{}).Complete(t.Context(), merged, extract.Want{Schema: compile(t, listSchema)})
	if err != nil {
		t.Fatal(err)
	}
	quotes := extract.Sources(f.Evidence)
	if len(quotes) != 3 || quotes["items[0].name"] == nil || quotes["items[0].price"] == nil || !f.Evidence[2].Verified {
		t.Errorf("evidence is %+v", f.Evidence)
	}
}

func TestCompleteManyItems(t *testing.T) {
	t.Parallel()
	items := make([]any, 500)
	for i := range items {
		items[i] = map[string]any{"price": float64(i)}
	}
	items[123].(map[string]any)["name"] = "A"
	f, err := (&extract.Extractor{}).Complete(t.Context(), &extract.Finding{Value: map[string]any{"shop": "S", "items": items}}, extract.Want{Schema: compile(t, listSchema)})
	if err != nil {
		t.Fatal(err)
	}
	if got := encode(t, f.Value); got != `{"items":[{"name":"A","price":123}],"shop":"S"}` {
		t.Errorf("completed to %.200s", got)
	}
}

func TestCompleteMissing(t *testing.T) {
	t.Parallel()
	want := extract.Want{Schema: compile(t, `{"type":"object","required":["name","price"],"properties":{"name":{"type":"string"},"price":{"type":"number"}}}`)}
	x, server := withModel(t, always(llmtest.JSON(map[string]any{"name": "A", "price": 5})))
	_, err := x.Complete(t.Context(), finding(t, 1, `{"name":"A"}`), want)
	wantError(t, err, trawl.CodeModel, "No page has a value for the required field price.")
	_, err = x.Complete(t.Context(), &extract.Finding{}, want)
	wantError(t, err, trawl.CodeModel, "No page has values for the required fields name, price.")
	if len(server.Calls()) > 0 {
		t.Error("the model was asked for what no page has")
	}
	_, err = (&extract.Extractor{}).Complete(t.Context(), finding(t, 1, `{"name":"A"}`), want)
	wantError(t, err, trawl.CodeNoModel, "price", "TRAWL_LLM_BASE_URL")
	for _, schema := range []string{`{"type":"object","properties":{"a":{"type":"string"}}}`, `{"type":"object","required":["a"],"properties":{"a":{"type":"array"}}}`} {
		_, err = (&extract.Extractor{}).Complete(t.Context(), &extract.Finding{}, extract.Want{Schema: compile(t, schema)})
		wantError(t, err, trawl.CodeNoModel, "none of the fields", "TRAWL_LLM_MODEL")
	}
}

const choosySchema = `{"type":"object","required":["best"],"properties":{"note":{"type":"string"},"best":{"type":"array","maxItems":2,"items":{"type":"object",
	"properties":{"name":{"type":"string"},"price":{"type":"number"}}}}}}`

func TestCompleteWithModel(t *testing.T) {
	t.Parallel()
	x, server := withModel(t, always(llmtest.Text(`{"note":"as told by nobody","best":[{"name":"C","price":3},{"name":"A","price":77.5}]}`)))
	merged := finding(t, 1, `{"best":[{"name":"A","price":1},{"name":"B"},{"name":"C","price":3}]}`,
		"+best[0].name", "best[0].price", "best[1].name", "+best[2].name", "+best[2].price")
	f, err := x.Complete(t.Context(), merged, extract.Want{Prompt: "the best two", Schema: compile(t, choosySchema)})
	if err != nil {
		t.Fatal(err)
	}
	if got := encode(t, f.Value); got != `{"best":[{"name":"C","price":3},{"name":"A"}]}` || f.Tokens != 120 {
		t.Errorf("completed to %s with %d tokens", got, f.Tokens)
	}
	if quotes := extract.Sources(f.Evidence); len(quotes) != 3 || quotes["best[0].price"] == nil || quotes["best[1].name"] == nil {
		t.Errorf("sources are %v", quotes)
	}
	if user := server.Calls()[0].User; !strings.Contains(user, "the best two") || !strings.Contains(user, "best must have at most 2 elements") {
		t.Errorf("the question is %q", user)
	}
}

func TestCompleteFails(t *testing.T) {
	t.Parallel()
	want := extract.Want{Schema: compile(t, choosySchema)}
	merged := finding(t, 1, `{"best":[{"name":"A"},{"name":"B"},{"name":"C"}]}`)
	x, server := withModel(t, always(llmtest.JSON(merged.Value)))
	_, err := x.Complete(t.Context(), merged, want)
	wantError(t, err, trawl.CodeModel, "does not fit the schema", "best")
	if n := len(server.Calls()); n != 3 {
		t.Errorf("asked %d times", n)
	}
	x, _ = withModel(t, always(llmtest.Reply{Status: http.StatusForbidden, Content: "out of money"}))
	_, err = x.Complete(t.Context(), merged, want)
	wantError(t, err, trawl.CodeModel, "out of money")
	_, err = (&extract.Extractor{}).Complete(t.Context(), merged, want)
	wantError(t, err, trawl.CodeNoModel, "best", "TRAWL_LLM_MODEL")
}

func TestCompleteWithoutSchema(t *testing.T) {
	t.Parallel()
	f, err := (&extract.Extractor{}).Complete(t.Context(), &extract.Finding{}, extract.Want{Prompt: "anything"})
	if err != nil || encode(t, f.Value) != `{}` {
		t.Errorf("completed to %+v, %v", f, err)
	}
}

// Lists of many pages are long. All that lack what is required are left out.
func TestCompleteLongList(t *testing.T) {
	t.Parallel()
	var items []any
	for i := range 12_000 {
		item := map[string]any{"name": "kettle " + strconv.Itoa(i)}
		if i%2 == 0 {
			item["price"] = json.Number("5")
		}
		items = append(items, item)
	}
	s := compile(t, `{"type":"object","properties":{"items":{"type":"array","items":{"type":"object","required":["name","price"],
		"properties":{"name":{"type":"string"},"price":{"type":"number"}}}}}}`)
	f, err := (&extract.Extractor{}).Complete(t.Context(), &extract.Finding{Value: map[string]any{"items": items}}, extract.Want{Schema: s})
	if err != nil {
		t.Fatal(err)
	}
	if got := f.Value.(map[string]any)["items"].([]any); len(got) != 6000 || len(s.Check(f.Value)) > 0 {
		t.Errorf("%d items are left", len(got))
	}
}

// What is too much to be mended is not sent to the model.
func TestCompleteTooLarge(t *testing.T) {
	t.Parallel()
	x, server := withModel(t, always(llmtest.JSON(map[string]any{"names": []any{}})))
	var names []any
	for i := range 20_000 {
		names = append(names, map[string]any{"first": strconv.Itoa(i)})
	}
	want := extract.Want{Schema: compile(t, `{"type":"object","properties":{"names":{"type":"array","items":{"type":"object","properties":{"first":{"type":"integer","minimum":50000}}}}}}`)}
	_, err := x.Complete(t.Context(), &extract.Finding{Value: map[string]any{"names": names}}, want)
	if trawl.ErrorCode(err) != trawl.CodeContentTooLarge || len(server.Calls()) != 0 {
		t.Errorf("%v after %d calls", err, len(server.Calls()))
	}
}
