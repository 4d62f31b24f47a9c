package extract_test

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/extract"
	"github.com/trawlhq/trawl/llm"
	"github.com/trawlhq/trawl/llm/llmtest"
	"github.com/trawlhq/trawl/schema"
)

// withModel returns an extractor that asks a stand-in over HTTP.
func withModel(t testing.TB, answer func(llmtest.Call) llmtest.Reply) (*extract.Extractor, *llmtest.Server) {
	t.Helper()
	server := llmtest.New(t)
	server.Handle(answer)
	client, err := llm.New(llm.Config{BaseURL: server.URL, Model: "stand-in"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(client.Close)
	return &extract.Extractor{Model: client}, server
}

// always answers the same.
func always(reply llmtest.Reply) func(llmtest.Call) llmtest.Reply {
	return func(llmtest.Call) llmtest.Reply { return reply }
}

func compile(t testing.TB, text string) *schema.Schema {
	t.Helper()
	var raw any
	if err := json.Unmarshal([]byte(text), &raw); err != nil {
		t.Fatal(err)
	}
	s, err := schema.Compile(raw)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func decode(t testing.TB, text string) any {
	t.Helper()
	var value any
	if err := json.Unmarshal([]byte(text), &value); err != nil {
		t.Fatal(err)
	}
	return value
}

// encode returns a value as JSON, with the names in order.
func encode(t testing.TB, value any) string {
	t.Helper()
	text, err := json.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func wantError(t *testing.T, err error, code trawl.Code, parts ...string) {
	t.Helper()
	var e *trawl.Error
	if !errors.As(err, &e) || e.Code != code {
		t.Fatalf("error is %v, want one with code %s", err, code)
	}
	for _, part := range parts {
		if !strings.Contains(e.Message, part) {
			t.Errorf("message %q lacks %q", e.Message, part)
		}
	}
}

// verified returns the quotes of verified values by path.
func verified(evidence []trawl.Evidence) map[string]string {
	quotes := map[string]string{}
	for _, e := range evidence {
		if e.Verified {
			quotes[e.Path] = e.Quote
		}
	}
	return quotes
}

const productSchema = `{"type":"object","required":["name"],"additionalProperties":false,"properties":{
	"name":{"type":"string"},"price":{"type":"number"},"email":{"type":"string"},"website":{"type":"string"},
	"phone":{"type":"string"},"sku":{"type":"string"},"color":{"type":"string"},"year":{"type":"integer"},
	"inStock":{"type":"boolean"},"kind":{"enum":["model 9000","other"]}}}`

// fixed is a model that needs no time. It gives its answer to the first part of
// a page and nothing to the others.
type fixed struct{ value any }

func (m fixed) Ask(_ context.Context, r llm.Request) (llm.Answer, error) {
	if strings.Contains(r.User, "## Product 0\n") {
		return llm.Answer{Value: m.value}, nil
	}
	return llm.Answer{Value: map[string]any{}}, nil
}
