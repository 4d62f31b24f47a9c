package llm_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"log/slog"
	"maps"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/trawlhq/trawl/llm"
	"github.com/trawlhq/trawl/llm/llmtest"
)

func TestNewAddress(t *testing.T) {
	t.Parallel()
	for base, want := range map[string]string{
		"":                        "/v1/chat/completions",
		"/":                       "/v1/chat/completions",
		"/v1":                     "/v1/chat/completions",
		"/v1/":                    "/v1/chat/completions",
		"/openai/v1/":             "/openai/v1/chat/completions",
		"/api/v4":                 "/api/v4/chat/completions",
		"/chat/completions":       "/chat/completions",
		"/v1/chat/completions/":   "/v1/chat/completions",
		"/v1?api-version=2026-01": "/v1/chat/completions?api-version=2026-01",
	} {
		asked := make(chan string, 1)
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			asked <- r.URL.String()
			_, _ = io.WriteString(w, `{"choices":[{"message":{"content":"Kettle."}}]}`)
		}))
		t.Cleanup(server.Close)
		client, _ := connect(t, llm.Config{BaseURL: server.URL + base})
		if _, err := client.Ask(t.Context(), llm.Request{User: "?"}); err != nil {
			t.Fatalf("%s: %v", base, err)
		}
		if got := <-asked; got != want {
			t.Errorf("%q: asked at %s, want %s", base, got, want)
		}
	}
}

func TestNewFails(t *testing.T) {
	t.Parallel()
	for name, config := range map[string]llm.Config{
		"nothing":      {Model: "small"},
		"no scheme":    {BaseURL: "localhost:11434", Model: "small"},
		"other scheme": {BaseURL: "ftp://localhost", Model: "small"},
		"no host":      {BaseURL: "http:///v1", Model: "small"},
		"not a URL":    {BaseURL: "http://me:hidden@local host", Model: "small"},
		"no model":     {BaseURL: "http://localhost"},
		"bad key":      {BaseURL: "http://localhost", Model: "small", APIKey: "hidden\n"},
	} {
		_, err := llm.New(config)
		if err == nil {
			t.Errorf("%s: accepted", name)
		} else if strings.Contains(err.Error(), "hidden") {
			t.Errorf("%s: a secret is in %v", name, err)
		}
	}
}

func TestHeaders(t *testing.T) {
	t.Parallel()
	server := llmtest.New(t)
	for _, test := range []struct {
		base, key, want string
	}{
		{server.URL, key, "Bearer " + key},
		{server.URL, "", ""},
		{strings.Replace(server.URL, "http://", "http://me:pass@", 1), "", "Basic bWU6cGFzcw=="},
		{strings.Replace(server.URL, "http://", "http://me:pass@", 1), key, "Bearer " + key},
	} {
		client, _ := connect(t, llm.Config{BaseURL: test.base, APIKey: test.key})
		if _, err := client.Ask(t.Context(), llm.Request{User: "?"}); err != nil {
			t.Fatal(err)
		}
		calls := server.Calls()
		header := calls[len(calls)-1].Header
		if got := header.Get("Authorization"); got != test.want {
			t.Errorf("authorization %q, want %q", got, test.want)
		}
		if got := header.Get("User-Agent"); !strings.HasPrefix(got, "Trawl/") {
			t.Errorf("user agent %q", got)
		}
	}
}

// TestRetries holds what is tried again, and after how long.
func TestRetries(t *testing.T) {
	t.Parallel()
	second := func(n float64) time.Duration { return time.Duration(n * float64(time.Second)) }
	limited := func(after string) llmtest.Reply {
		return withHeader(llmtest.Reply{Status: 429, Content: "Slow down, " + key}, "Retry-After", after)
	}
	at := func(d time.Duration) string { return time.Now().Add(d).UTC().Format(http.TimeFormat) }
	for name, test := range map[string]struct {
		reply      llmtest.Reply
		low, high  time.Duration // of the first wait
		calls      int
		want       string
		unanswered bool // after 20 s
	}{
		"429":                {reply: llmtest.Reply{Status: 429}, low: second(.5), high: second(1), calls: 4, want: "status 429: Too Many Requests"},
		"429 with seconds":   {reply: limited("7"), low: second(7), high: second(7), calls: 4, want: "status 429: Slow down, [key]"},
		"429 with fraction":  {reply: limited("1.5"), low: second(1.5), high: second(1.5), calls: 4, want: "status 429"},
		"429 with date":      {reply: limited(at(15 * time.Second)), low: second(5), high: second(15), calls: 4, want: "status 429"},
		"429 for an hour":    {reply: limited("3600"), low: second(60), high: second(60), calls: 4, want: "status 429", unanswered: true},
		"429 till a far day": {reply: limited(at(time.Hour)), low: second(60), high: second(60), calls: 4, want: "status 429"},
		"429 with nonsense":  {reply: limited("soon"), low: second(.5), high: second(1), calls: 4, want: "status 429"},
		"429 with the past":  {reply: limited(at(-time.Hour)), low: second(.5), high: second(1), calls: 4, want: "status 429"},
		"empty account":      {reply: llmtest.Reply{Status: 429, Body: `{"error":{"message":"You ran out.","code":"insufficient_quota"}}`}, calls: 1, want: "status 429: You ran out."},
		"500":                {reply: llmtest.Reply{Status: 500, Content: "Oh no."}, low: second(.5), high: second(1), calls: 4, want: "status 500: Oh no."},
		"502":                {reply: llmtest.Reply{Status: 502}, low: second(.5), high: second(1), calls: 4, want: "status 502"},
		"503":                {reply: withHeader(llmtest.Reply{Status: 503}, "Retry-After", "3"), low: second(3), high: second(3), calls: 4, want: "status 503"},
		"504":                {reply: llmtest.Reply{Status: 504}, low: second(.5), high: second(1), calls: 4, want: "status 504"},
		"529":                {reply: llmtest.Reply{Status: 529, Content: "Overloaded"}, low: second(.5), high: second(1), calls: 4, want: "status 529: Overloaded"},
		"error inside":       {reply: llmtest.Reply{Body: `{"error":{"message":"Upstream is gone.","code":503}}`}, low: second(.5), high: second(1), calls: 4, want: "status 503: Upstream is gone."},
		"error in stream":    {reply: llmtest.Reply{Body: "data: {\"error\":\"Upstream is gone.\"}\n\n", Stream: true}, low: second(.5), high: second(1), calls: 4, want: "status 502: Upstream is gone."},
		"401":                {reply: llmtest.Reply{Status: 401, Content: "Incorrect API key: " + key}, calls: 1, want: "refuses the operator's key or model with status 401: Incorrect API key: [key]"},
		"403":                {reply: llmtest.Reply{Status: 403, Content: "No access to this model."}, calls: 1, want: "refuses the operator's key or model with status 403: No access to this model."},
		"400":                {reply: llmtest.Reply{Status: 400, Body: `{"detail":[{"msg":"no"}]}`}, calls: 1, want: `status 400: `},
		"418":                {reply: llmtest.Reply{Status: 418, Body: strings.Repeat("a\n", 9000)}, calls: 1, want: "status 418: a a"},
		"not JSON":           {reply: llmtest.Reply{Body: "<html>Welcome, " + key}, calls: 1, want: "an answer that is none: <html>Welcome, [key]"},
		"no choice":          {reply: llmtest.Reply{Body: `{"choices":[]}`}, calls: 1, want: `an answer that is none: {"choices":[]}`},
		"empty stream":       {reply: llmtest.Reply{Body: "data: [DONE]\n\n", Stream: true}, calls: 1, want: "an answer that is none"},
		"huge":               {reply: llmtest.Reply{Body: `{"choices":[{"message":{"content":"` + strings.Repeat("a", 9<<20) + `"}}]}`}, calls: 1, want: "more than 8 MiB"},
		"just not huge":      {reply: llmtest.Text(strings.Repeat("a", 7<<20)), calls: 1},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			server := llmtest.New(t)
			server.Handle(replies(test.reply))
			client, slept := connect(t, llm.Config{BaseURL: server.URL, APIKey: key})
			_, err := client.Ask(t.Context(), llm.Request{User: "?"})
			if test.want != "" {
				isModelError(t, err, test.want)
			} else if err != nil {
				t.Error(err)
			}
			if err != nil && len([]rune(err.Error())) > 650 {
				t.Errorf("an error of %d characters", len(err.Error()))
			}
			if n := len(server.Calls()); n != test.calls || len(slept.list) != test.calls-1 {
				t.Errorf("%d calls and %v waited, want %d", n, slept.list, test.calls)
			}
			if test.calls > 1 && (slept.list[0] < test.low || slept.list[0] > test.high) {
				t.Errorf("waited %s, want %s to %s", slept.list[0], test.low, test.high)
			}
			if !test.unanswered {
				return
			}
			ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
			defer cancel()
			_, err = client.Ask(ctx, llm.Request{User: "?"})
			isModelError(t, err, test.want)
			if n := len(server.Calls()) - test.calls; n != 1 {
				t.Errorf("%d calls before a deadline that is too near for another, want 1", n)
			}
		})
	}
}

func TestRetriesSucceed(t *testing.T) {
	t.Parallel()
	server := llmtest.New(t)
	server.Handle(replies(llmtest.Reply{Status: 500}, llmtest.Reply{Status: 429}, llmtest.Reply{Status: 503}, llmtest.Text("Kettle.")))
	client, slept := connect(t, llm.Config{BaseURL: server.URL})
	if answer, err := client.Ask(t.Context(), llm.Request{User: "?"}); err != nil || answer.Text != "Kettle." {
		t.Fatalf("answer %+v, %v", answer, err)
	}
	for i, wait := range slept.list {
		if full := time.Second << i; wait < full/2 || wait > full {
			t.Errorf("wait %d is %s, want %s to %s", i, wait, full/2, full)
		}
	}
	want := map[string]float64{
		"trawl_llm_requests_total answered": 1, "trawl_llm_requests_total failed": 2, "trawl_llm_requests_total throttled": 1,
		"trawl_llm_tokens_total read": 100, "trawl_llm_tokens_total written": 20,
	}
	if got := counted(t, client); !maps.Equal(got, want) {
		t.Errorf("counted %v, want %v", got, want)
	}
}

// counted reads the collectors of a client, by name and label.
func counted(t *testing.T, client *llm.Client) map[string]float64 {
	t.Helper()
	registry := prometheus.NewPedanticRegistry()
	registry.MustRegister(client.Collectors()...)
	families, err := registry.Gather()
	if err != nil {
		t.Fatal(err)
	}
	counts := map[string]float64{}
	for _, family := range families {
		for _, metric := range family.GetMetric() {
			counts[family.GetName()+" "+metric.GetLabel()[0].GetValue()] = metric.GetCounter().GetValue()
		}
	}
	return counts
}

// TestRetriesConnections holds that a connection that breaks is tried again.
func TestRetriesConnections(t *testing.T) {
	t.Parallel()
	var calls atomic.Int32
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if calls.Add(1) < 3 {
			w.Header().Set("Content-Length", "1000")
			_, _ = io.WriteString(w, `{"choices":`)
			return
		}
		_, _ = io.WriteString(w, `{"choices":[{"message":{"content":"Kettle."}}]}`)
	}))
	t.Cleanup(server.Close)
	client, slept := connect(t, llm.Config{BaseURL: server.URL})
	if answer, err := client.Ask(t.Context(), llm.Request{User: "?"}); err != nil || answer.Text != "Kettle." || len(slept.list) != 2 {
		t.Errorf("answer %+v, %v after %v", answer, err, slept.list)
	}
}

func TestUnreachable(t *testing.T) {
	t.Parallel()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := listener.Addr().String()
	_ = listener.Close()
	client, slept := connect(t, llm.Config{BaseURL: "http://" + address, APIKey: key})
	_, err = client.Ask(t.Context(), llm.Request{User: "?"})
	isModelError(t, err, "could not be reached")
	if len(slept.list) != 3 {
		t.Errorf("waited %v, want three times", slept.list)
	}
}

// TestRedirects holds that the key stays where it belongs.
func TestRedirects(t *testing.T) {
	t.Parallel()
	var strayed atomic.Int32
	other := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { strayed.Add(1) }))
	t.Cleanup(other.Close)
	for _, status := range []int{301, 302, 303, 307, 308} {
		server, client := start(t)
		server.Handle(replies(withHeader(llmtest.Reply{Status: status}, "Location", other.URL+"/v1/chat/completions")))
		_, err := client.Ask(t.Context(), llm.Request{User: "?", Schema: compile(t, product)})
		isModelError(t, err, "redirects elsewhere")
		if n := len(server.Calls()); n != 1 {
			t.Errorf("status %d: %d calls, want 1", status, n)
		}
	}
	if n := strayed.Load(); n != 0 {
		t.Errorf("%d calls went to another host", n)
	}
}

func TestTooLong(t *testing.T) {
	t.Parallel()
	for name, reply := range map[string]llmtest.Reply{
		"hosted":     {Status: 400, Body: `{"error":{"message":"Too much.","code":"context_length_exceeded"}}`},
		"spelled":    {Status: 400, Content: "This model's maximum context length is 4097 tokens. However, your messages resulted in 5000 tokens."},
		"llama.cpp":  {Status: 400, Content: "the request exceeds the available context size, try increasing it"},
		"as 500":     {Status: 500, Content: "input is too long: token limit of 4096"},
		"413":        {Status: 413, Body: "<html>Entity Too Large"},
		"per minute": {Status: 429, Content: "Request too large for model on tokens per min (TPM): Limit 30000, Requested 40000."},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			server, client := start(t)
			server.Handle(replies(reply))
			_, err := client.Ask(t.Context(), llm.Request{User: "?", Schema: compile(t, product)})
			isModelError(t, err, "too long for the language model: ")
			if !errors.Is(err, llm.ErrTooLong) {
				t.Errorf("error %v is not ErrTooLong", err)
			}
			if n := len(server.Calls()); n != 1 {
				t.Errorf("%d calls, want 1", n)
			}
		})
	}
}

func TestHang(t *testing.T) {
	t.Parallel()
	server := llmtest.New(t)
	server.Handle(replies(llmtest.Reply{Hang: true}))
	client, slept := connect(t, llm.Config{BaseURL: server.URL})
	client.SetTimeout(20 * time.Millisecond)
	_, err := client.Ask(t.Context(), llm.Request{User: "?"})
	isModelError(t, err, "did not answer in time")
	if len(slept.list) != 0 {
		t.Errorf("waited %v for another attempt", slept.list)
	}
}

func TestCancel(t *testing.T) {
	t.Parallel()
	server, client := start(t)
	ctx, cancel := context.WithCancel(t.Context())
	server.Handle(func(llmtest.Call) llmtest.Reply {
		cancel()
		return llmtest.Reply{Hang: true}
	})
	if _, err := client.Ask(ctx, llm.Request{User: "?"}); err != context.Canceled {
		t.Errorf("error %v, want that of the context", err)
	}
	if _, err := client.Ask(ctx, llm.Request{User: "?"}); err != context.Canceled || len(server.Calls()) != 1 {
		t.Errorf("error %v after %d calls", err, len(server.Calls()))
	}
}

// signal is a log that calls a function for every line.
type signal struct {
	slog.Handler
	call func()
}

func (s signal) Enabled(context.Context, slog.Level) bool { return true }

func (s signal) Handle(context.Context, slog.Record) error {
	s.call()
	return nil
}

// TestCancelWhileWaiting holds that the pause between attempts ends with the
// context, with the real clock.
func TestCancelWhileWaiting(t *testing.T) {
	t.Parallel()
	server := llmtest.New(t)
	server.Handle(replies(withHeader(llmtest.Reply{Status: 429}, "Retry-After", "60")))
	ctx, cancel := context.WithCancel(t.Context())
	client, err := llm.New(llm.Config{BaseURL: server.URL, Model: "small", Log: slog.New(signal{slog.DiscardHandler, cancel})})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(client.Close)
	if _, err := client.Ask(ctx, llm.Request{User: "?"}); err != context.Canceled || len(server.Calls()) != 1 {
		t.Errorf("error %v after %d calls, want that of the context", err, len(server.Calls()))
	}
}

// held is a transport whose calls wait until they are released.
type held struct {
	now, calls atomic.Int32
	release    chan struct{}
}

func (h *held) RoundTrip(*http.Request) (*http.Response, error) {
	h.calls.Add(1)
	h.now.Add(1)
	defer h.now.Add(-1)
	<-h.release
	const body = `{"choices":[{"message":{"content":"Kettle."}}]}`
	return &http.Response{StatusCode: http.StatusOK, Body: io.NopCloser(strings.NewReader(body))}, nil
}

// TestConcurrency holds that there are never more calls than allowed, and that
// waiting for a turn ends with the context.
func TestConcurrency(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		transport := &held{release: make(chan struct{})}
		client, _ := connect(t, llm.Config{BaseURL: "http://localhost", Concurrency: 2, Transport: transport})
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		ask := func(ctx context.Context, want error) {
			if _, err := client.Ask(ctx, llm.Request{User: "?"}); err != want {
				t.Errorf("error %v, want %v", err, want)
			}
		}
		var all sync.WaitGroup
		for range 6 {
			all.Go(func() { ask(t.Context(), nil) })
		}
		for calls := int32(2); calls <= 6; calls += 2 {
			synctest.Wait()
			if now, got := transport.now.Load(), transport.calls.Load(); now != 2 || got != calls {
				t.Errorf("%d calls under way of %d so far, want 2 of %d", now, got, calls)
			}
			if calls == 2 {
				all.Go(func() { ask(ctx, context.Canceled) })
				synctest.Wait()
				cancel()
			}
			transport.release <- struct{}{}
			transport.release <- struct{}{}
		}
		all.Wait()
	})
}

// TestTurns holds that nobody waits behind all that another asks, nor behind
// all that oneself has asked for later.
func TestTurns(t *testing.T) {
	t.Parallel()
	t.Run("of two owners", func(t *testing.T) { testTurns(t, "one", false) })
	t.Run("of one who waits", func(t *testing.T) { testTurns(t, "many", true) })
}

func testTurns(t *testing.T, last string, live bool) {
	synctest.Test(t, func(t *testing.T) {
		transport := &held{release: make(chan struct{})}
		client, _ := connect(t, llm.Config{BaseURL: "http://localhost", Concurrency: 2, Transport: transport})
		var all sync.WaitGroup
		order := make(chan string, 10)
		ask := func(owner, name string, live bool) {
			all.Go(func() {
				_, _ = client.Ask(llm.For(t.Context(), owner, live), llm.Request{User: "?"})
				order <- name
			})
			synctest.Wait()
		}
		for range 5 {
			ask("many", "many", false)
		}
		ask(last, "one", live)
		for range 6 {
			transport.release <- struct{}{}
			synctest.Wait()
		}
		all.Wait()
		close(order)
		place := 0
		for name := range order {
			if place++; name == "one" {
				break
			}
		}
		if place > 3 {
			t.Errorf("the one question was answered as number %d", place)
		}
	})
}

// TestCutQuestion holds that operators hear of an endpoint that reads only the
// end of long questions, but not with every one.
func TestCutQuestion(t *testing.T) {
	t.Parallel()
	for long, want := range map[int]int{1000: 0, 100_000: 1} {
		var said bytes.Buffer
		server := llmtest.New(t)
		server.Handle(func(llmtest.Call) llmtest.Reply { return llmtest.Text("fine") })
		client, err := llm.New(llm.Config{BaseURL: server.URL, Model: "small", Log: slog.New(slog.NewTextHandler(&said, nil))})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(client.Close)
		for range 3 {
			if _, err := client.Ask(t.Context(), llm.Request{User: strings.Repeat("words ", long/6)}); err != nil {
				t.Fatal(err)
			}
		}
		if got := strings.Count(said.String(), "context window"); got != want {
			t.Errorf("%d bytes: said %d times, want %d: %s", long, got, want, &said)
		}
	}
}

// TestImplausibleUsage holds that nobody is charged what cannot have been used.
func TestImplausibleUsage(t *testing.T) {
	t.Parallel()
	for _, reply := range []llmtest.Reply{
		{Content: "fine", PromptTokens: 1_000_000, CompletionTokens: 1}, {Content: "fine", PromptTokens: 10, CompletionTokens: 1_000_000},
	} {
		server, client := start(t)
		server.Handle(func(llmtest.Call) llmtest.Reply { return reply })
		if answer, err := client.Ask(t.Context(), llm.Request{User: "?"}); err != nil || answer.Tokens > 100 {
			t.Errorf("%+v, %v", answer, err)
		}
	}
}

// TestSecretsInAddress holds that what is secret in an address is not told.
func TestSecretsInAddress(t *testing.T) {
	t.Parallel()
	server := llmtest.New(t)
	server.Handle(func(call llmtest.Call) llmtest.Reply {
		return llmtest.Reply{Status: http.StatusUnauthorized, Content: "not with " + call.Header.Get("Authorization") + " or passw0rd or hushhush"}
	})
	address := strings.Replace(server.URL, "://", "://user:passw0rd@", 1) + "?api-key=hushhush"
	client, _ := connect(t, llm.Config{BaseURL: address})
	_, err := client.Ask(t.Context(), llm.Request{User: "?"})
	if err == nil || !strings.Contains(err.Error(), "not with Basic [key] or [key] or [key]") {
		t.Errorf("%v", err)
	}
}

// endless is a body without an end, as far as one should read.
type endless struct{ read int }

func (e *endless) Read(p []byte) (int, error) {
	if e.read > 64<<20 {
		return 0, io.EOF
	}
	e.read += len(p)
	return len(p), nil
}

func (e *endless) Close() error { return nil }

// RoundTrip makes it a transport, too.
func (e *endless) RoundTrip(*http.Request) (*http.Response, error) {
	return &http.Response{StatusCode: http.StatusOK, Body: e}, nil
}

func TestEndlessBody(t *testing.T) {
	t.Parallel()
	body := &endless{}
	client, _ := connect(t, llm.Config{BaseURL: "http://localhost", Transport: body})
	_, err := client.Ask(t.Context(), llm.Request{User: "?"})
	isModelError(t, err, "more than 8 MiB")
	if body.read > 9<<20 {
		t.Errorf("%d bytes were read", body.read)
	}
}
