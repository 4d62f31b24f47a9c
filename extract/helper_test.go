package extract_test

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/brand"
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

// parts takes a finding apart. Its value is a T, if it has one.
func parts[T any](f *extract.Finding, err error) (value T, tokens int, warning string, _ error) {
	if f == nil {
		return value, 0, "", err
	}
	value, _ = f.Value.(T)
	return value, f.Tokens, f.Warning, err
}

func askJSON(x *extract.Extractor, ctx context.Context, src *extract.Source, want extract.Want) (*extract.Finding, error) {
	return x.Do(ctx, src, extract.Task{Kind: extract.JSON, Want: want})
}

func askSummary(x *extract.Extractor, ctx context.Context, src *extract.Source) (string, int, string, error) {
	return parts[string](x.Do(ctx, src, extract.Task{Kind: extract.Summary}))
}

func askAnswer(x *extract.Extractor, ctx context.Context, src *extract.Source, question string) (string, int, error) {
	text, tokens, _, err := parts[string](x.Do(ctx, src, extract.Task{Kind: extract.Answer, Want: extract.Want{Prompt: question}}))
	return text, tokens, err
}

func askHighlights(x *extract.Extractor, ctx context.Context, src *extract.Source, query string) (string, int, string, error) {
	return parts[string](x.Do(ctx, src, extract.Task{Kind: extract.Highlights, Want: extract.Want{Prompt: query}}))
}

func askProduct(x *extract.Extractor, ctx context.Context, src *extract.Source) (any, int, string, error) {
	return parts[any](x.Do(ctx, src, extract.Task{Kind: extract.Product}))
}

func askMenu(x *extract.Extractor, ctx context.Context, src *extract.Source) (any, int, string, error) {
	return parts[any](x.Do(ctx, src, extract.Task{Kind: extract.Menu}))
}

func askBrand(x *extract.Extractor, ctx context.Context, src *extract.Source, kit *brand.Kit) (*trawl.Branding, int, string, error) {
	return parts[*trawl.Branding](x.Do(ctx, src, extract.Task{Kind: extract.Brand, Kit: kit}))
}

func askChanges(x *extract.Extractor, ctx context.Context, before, now *extract.Source, want extract.Want) (any, int, string, error) {
	return parts[any](x.Do(ctx, now, extract.Task{Kind: extract.Changes, Want: want, Before: before}))
}
