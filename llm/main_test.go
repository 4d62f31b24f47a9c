package llm_test

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/llm"
	"github.com/trawlhq/trawl/llm/llmtest"
	"github.com/trawlhq/trawl/schema"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

const key = "sk-operators-own-key"

// product is a schema with a required string and a required number.
const product = `{"type": "object", "properties": {
	"name": {"type": "string", "description": "as on the label"},
	"price": {"type": "number"}
}, "required": ["name", "price"], "additionalProperties": false}`

// waits are what a client would have slept.
type waits struct {
	mu   sync.Mutex
	list []time.Duration
}

func (w *waits) sleep(ctx context.Context, d time.Duration) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.list = append(w.list, d)
	return ctx.Err()
}

// connect returns a client of the address that does not really wait.
func connect(t testing.TB, config llm.Config) (*llm.Client, *waits) {
	t.Helper()
	if config.Model == "" {
		config.Model = "small"
	}
	client, err := llm.New(config)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(client.Close)
	w := &waits{}
	client.SetSleep(w.sleep)
	return client, w
}

// start returns a stand-in and a client of it.
func start(t testing.TB) (*llmtest.Server, *llm.Client) {
	t.Helper()
	server := llmtest.New(t)
	client, _ := connect(t, llm.Config{BaseURL: server.URL, APIKey: key})
	return server, client
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

// replies answers one after the other, and the last again and again.
func replies(list ...llmtest.Reply) func(llmtest.Call) llmtest.Reply {
	var mu sync.Mutex
	return func(llmtest.Call) llmtest.Reply {
		mu.Lock()
		defer mu.Unlock()
		reply := list[0]
		if len(list) > 1 {
			list = list[1:]
		}
		return reply
	}
}

// encode writes a value as JSON.
func encode(t testing.TB, value any) string {
	t.Helper()
	text, err := json.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// modes are those of the calls, in their order.
func modes(calls []llmtest.Call) string {
	var list []string
	for _, call := range calls {
		list = append(list, call.Mode)
	}
	return strings.Join(list, " ")
}

// isModelError checks an error that callers get to see.
func isModelError(t testing.TB, err error, want string) {
	t.Helper()
	e, ok := errors.AsType[*trawl.Error](err)
	if !ok || e.Code != trawl.CodeModel || !strings.Contains(e.Message, want) {
		t.Errorf("error %v, want one of the model with %q", err, want)
	}
	if err != nil && strings.Contains(err.Error(), key) {
		t.Errorf("the key is in %v", err)
	}
}
