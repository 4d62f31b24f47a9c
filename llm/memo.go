package llm

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"time"
)

// keepTimeout bounds how long an answer is kept waiting for its memo.
const keepTimeout = 10 * time.Second

// Memo keeps answers, so that work that is done again after a crash does not
// pay for them again.
type Memo interface {
	// Answer returns what is kept under a key, and whether there is anything.
	Answer(ctx context.Context, key string) ([]byte, bool, error)
	// KeepAnswer keeps body under a key.
	KeepAnswer(ctx context.Context, key string, body []byte) error
}

// Remember returns a model that asks m only what the memo has no answer to. An
// answer is kept before it is returned. One from the memo has the tokens that it
// took the first time. Failures are not kept.
func Remember(m Model, memo Memo) Model { return &remembering{m, memo} }

type remembering struct {
	model Model
	memo  Memo
}

// Ask implements [Model].
func (m *remembering) Ask(ctx context.Context, r Request) (Answer, error) {
	key, err := memoKey(&r)
	if err != nil {
		return Answer{}, err
	}
	body, ok, err := m.memo.Answer(ctx, key)
	if err != nil {
		return Answer{}, fmt.Errorf("look up answer: %w", err)
	}
	if ok {
		if answer, ok := recall(body, &r); ok {
			return answer, nil
		}
	}
	answer, err := m.model.Ask(ctx, r)
	if err != nil {
		return answer, err
	}
	return answer, m.keep(ctx, key, answer)
}

// keep stores an answer also when nobody waits for it any more: it is paid for.
func (m *remembering) keep(ctx context.Context, key string, answer Answer) error {
	body, err := json.Marshal(answer)
	if err != nil {
		return fmt.Errorf("encode answer: %w", err)
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), keepTimeout)
	defer cancel()
	if err := m.memo.KeepAnswer(ctx, key, body); err != nil {
		return fmt.Errorf("keep answer: %w", err)
	}
	return nil
}

// recall reads an answer that was kept. It is of no use if it is damaged or does
// not answer the request.
func recall(body []byte, r *Request) (Answer, bool) {
	var answer Answer
	decoder := json.NewDecoder(bytes.NewReader(body))
	decoder.UseNumber()
	if err := decoder.Decode(&answer); err != nil || answer.Tokens <= 0 {
		return Answer{}, false
	}
	switch {
	case r.Schema != nil:
		return answer, len(r.Schema.Check(answer.Value)) == 0
	case r.JSON:
		return answer, answer.Text == ""
	default:
		return answer, answer.Text != ""
	}
}

// memoKey is the same for requests that ask the same.
func memoKey(r *Request) (string, error) {
	asked := struct {
		System, User string
		Schema       json.RawMessage
		JSON         bool
	}{System: r.System, User: r.User, JSON: r.JSON}
	if r.Schema != nil {
		asked.Schema = r.Schema.JSON()
	}
	body, err := json.Marshal(asked)
	if err != nil {
		return "", fmt.Errorf("encode request: %w", err)
	}
	sum := sha256.Sum256(body)
	return hex.EncodeToString(sum[:]), nil
}
