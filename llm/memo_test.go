package llm_test

import (
	"context"
	"errors"
	"testing"

	"github.com/trawlhq/trawl/llm"
	"github.com/trawlhq/trawl/llm/llmtest"
)

// notes is a memo in memory.
type notes struct {
	kept       map[string][]byte
	look, keep error
	live       bool // the last KeepAnswer came with a context that had not ended
}

func (n *notes) Answer(_ context.Context, key string) ([]byte, bool, error) {
	body, ok := n.kept[key]
	return body, ok, n.look
}

func (n *notes) KeepAnswer(ctx context.Context, key string, body []byte) error {
	n.kept[key] = body
	n.live = ctx.Err() == nil
	return n.keep
}

func TestRemember(t *testing.T) {
	t.Parallel()
	server, client := start(t)
	memo := &notes{kept: map[string][]byte{}}
	requests := []llm.Request{
		{User: "?"},
		{User: "?", System: "Be brief."},
		{User: "?", JSON: true},
		{User: "?", Schema: compile(t, product)},
		{User: "?", Schema: compile(t, `{"type":"object"}`)},
	}
	server.Handle(replies(llmtest.Text(`{"name":"Kettle","price":12.50,"id":12345678901234567890}`)))
	var first []llm.Answer
	for range 2 {
		for i, r := range requests {
			answer, err := llm.Remember(client, memo).Ask(t.Context(), r)
			if err != nil || answer.Tokens != 120 {
				t.Fatalf("answer %+v, %v", answer, err)
			}
			if len(first) <= i {
				first = append(first, answer)
			} else if encode(t, answer) != encode(t, first[i]) {
				t.Errorf("remembered %+v, was %+v", answer, first[i])
			}
		}
	}
	if n := len(server.Calls()); n != len(requests) || len(memo.kept) != n {
		t.Errorf("%d calls and %d answers kept, want %d", n, len(memo.kept), len(requests))
	}
}

// TestRememberDamaged holds that what cannot be an answer is asked for again.
func TestRememberDamaged(t *testing.T) {
	t.Parallel()
	const some = `{"value":{"name":7},"tokens":120}`
	for _, test := range []struct {
		request llm.Request
		bodies  []string
	}{
		{llm.Request{User: "?", Schema: compile(t, product)}, []string{"", "null", "{", `{"tokens":120}`, some, "\x00"}},
		{llm.Request{User: "?", JSON: true}, []string{"", "null", "[]", `{"text":"Kettle.","tokens":120}`}},
		{llm.Request{User: "?"}, []string{"", "{}", some}},
	} {
		server, client := start(t)
		server.Handle(replies(llmtest.Text(kettle)))
		memo := &notes{kept: map[string][]byte{}}
		model := llm.Remember(client, memo)
		first, err := model.Ask(t.Context(), test.request)
		if err != nil {
			t.Fatal(err)
		}
		for i, body := range test.bodies {
			for key := range memo.kept {
				memo.kept[key] = []byte(body)
			}
			answer, err := model.Ask(t.Context(), test.request)
			if err != nil || encode(t, answer) != encode(t, first) {
				t.Errorf("%q: answer %+v, %v", body, answer, err)
			}
			if n := len(server.Calls()); n != i+2 {
				t.Errorf("%q: %d calls, want %d", body, n, i+2)
			}
		}
	}
}

func TestRememberFails(t *testing.T) {
	t.Parallel()
	server, client := start(t)
	broken := errors.New("the store is gone")
	if _, err := llm.Remember(client, &notes{look: broken}).Ask(t.Context(), llm.Request{User: "?"}); !errors.Is(err, broken) || len(server.Calls()) != 0 {
		t.Errorf("error %v after %d calls, want no call while nobody knows what was paid", err, len(server.Calls()))
	}
	if _, err := llm.Remember(client, &notes{kept: map[string][]byte{}, keep: broken}).Ask(t.Context(), llm.Request{User: "?"}); !errors.Is(err, broken) {
		t.Errorf("error %v", err)
	}
	server.Handle(replies(llmtest.Reply{Status: 401}))
	memo := &notes{kept: map[string][]byte{}}
	_, err := llm.Remember(client, memo).Ask(t.Context(), llm.Request{User: "?"})
	isModelError(t, err, "status 401")
	if len(memo.kept) != 0 {
		t.Errorf("kept %v", memo.kept)
	}
}

// leaving is a model whose caller leaves while it answers.
type leaving struct{ leave func() }

func (m leaving) Ask(context.Context, llm.Request) (llm.Answer, error) {
	m.leave()
	return llm.Answer{Text: "Kettle.", Tokens: 120}, nil
}

// TestRememberWhenNobodyWaits holds that an answer that is paid for is kept.
func TestRememberWhenNobodyWaits(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	memo := &notes{kept: map[string][]byte{}}
	if _, err := llm.Remember(leaving{cancel}, memo).Ask(ctx, llm.Request{User: "?"}); err != nil || len(memo.kept) != 1 || !memo.live {
		t.Errorf("kept %v, live %t, %v", memo.kept, memo.live, err)
	}
}
