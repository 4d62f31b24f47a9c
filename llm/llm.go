// Package llm asks a language model. It is a thin client of the
// chat-completions protocol, which hosted services speak as well as Ollama, vLLM
// and llama.cpp, and it makes up for what such endpoints lack.
//
// A [Request] wants text, any JSON, or JSON that fits a schema. For a schema the
// client walks down what endpoints offer until something works: the JSON-schema
// response format, a tool call that is forced, JSON mode with the schema in the
// prompt, and at last the prompt alone. What the endpoint refuses is remembered
// for an hour, as are parameters that it does not take, so that the price of
// finding out is paid seldom. A model that gives no JSON where the endpoint
// promised some leads one step down for that request only.
//
// No answer is taken on trust. JSON is looked for in prose, code fences and
// after thoughts, harmless slips are tidied, and the value is checked against
// the schema. If it does not fit, or was cut off, the model is shown its answer
// and what is wrong with it, at most twice. An answer that came back without an
// error fits its schema.
//
// Errors are of type *[trawl.Error] with [trawl.CodeModel], whose message tells
// what the endpoint or the model said, but never the key; or the error of the
// context, once that has ended.
//
// The key goes to the configured address and nowhere else: redirects are not
// followed, and nothing in a request chooses where it is sent.
package llm

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"net/http"
	"net/url"
	"strings"
	"time"

	"golang.org/x/net/http/httpguts"

	"github.com/trawlhq/trawl/egress"
	"github.com/trawlhq/trawl/limit"
	"github.com/trawlhq/trawl/schema"
)

// ErrTooLong is in the chain of an error when the question did not fit into the
// model's context. Asking the same with less text may work.
var ErrTooLong = errors.New("the question is too long for the model")

// ErrAnswer is in the chain of an error when the model did answer, but not with
// what was asked for, also after repairs. It says something of the question or of
// the model; other errors are of the way to it.
var ErrAnswer = errors.New("the model's answer is of no use")

const (
	defaultConcurrency = 8
	callTimeout        = 2 * time.Minute
)

// Config says which model to ask.
type Config struct {
	// BaseURL is the address of the endpoint. A bare host stands for its /v1; any
	// other path is taken as it is, also one that ends in /chat/completions.
	BaseURL     string
	APIKey      string            // sent to BaseURL as a bearer token, unless empty
	Model       string            // name of the model
	MaxTokens   int               // most tokens of one answer; 0 leaves it to the endpoint
	Concurrency int               // most calls at once; 0 means 8
	Transport   http.RoundTripper // nil means egress.Infrastructure()
	Log         *slog.Logger      // nil means silence
}

// Request is one question to a model.
type Request struct {
	System string         // the rules
	User   string         // the question and its material
	Schema *schema.Schema // the answer is JSON that fits it
	JSON   bool           // without a schema: the answer is any JSON, preferably an object
}

// structured reports whether the answer is JSON.
func (r *Request) structured() bool { return r.JSON || r.Schema != nil }

// Answer is what a model said.
type Answer struct {
	Text   string `json:"text,omitempty"`  // of a request for text
	Value  any    `json:"value,omitempty"` // of a request for JSON; its numbers are json.Number
	Tokens int    `json:"tokens"`          // that all calls for this answer took, in and out
}

// Model answers questions. [Client] is one.
type Model interface {
	Ask(ctx context.Context, r Request) (Answer, error)
}

// Client asks one model at one endpoint. It is safe for concurrent use.
type Client struct {
	address   string
	user      *url.Userinfo // of the address, sent if there is no key
	key       string
	secrets   []string // that are never told
	model     string
	maxTokens int
	transport http.RoundTripper
	turns     *limit.Turns // of calls
	log       *slog.Logger
	metrics   metrics
	ability   ability

	// What tests replace.
	now     func() time.Time
	sleep   func(ctx context.Context, d time.Duration) error
	jitter  func() float64 // in [0,1)
	timeout time.Duration  // of one call
}

// New returns a client of the endpoint. It fails if the configuration cannot
// work; the endpoint is not called.
func New(config Config) (*Client, error) {
	address, err := endpoint(config.BaseURL)
	if err != nil {
		return nil, fmt.Errorf("language model: %w", err)
	}
	if config.Model == "" {
		return nil, errors.New("language model: no model is named")
	}
	if !httpguts.ValidHeaderFieldValue(config.APIKey) {
		return nil, errors.New("language model: the key has characters that cannot be sent")
	}
	c := &Client{
		secrets:   secrets(config.APIKey, address),
		key:       config.APIKey,
		user:      address.User,
		model:     config.Model,
		maxTokens: config.MaxTokens,
		transport: config.Transport,
		log:       config.Log,
		metrics:   newMetrics(),
		turns:     turnsOf(cmp.Or(max(config.Concurrency, 0), defaultConcurrency)),
		now:       time.Now,
		sleep:     sleep,
		jitter:    rand.Float64,
		timeout:   callTimeout,
	}
	address.User = nil
	c.address = address.String()
	if c.transport == nil {
		c.transport = egress.Infrastructure()
	}
	if c.log == nil {
		c.log = slog.New(slog.DiscardHandler)
	}
	return c, nil
}

// method is the path of the calls below that of the endpoint.
const method = "/chat/completions"

// ModelsURL returns where an endpoint, given by its base URL, lists its models.
func ModelsURL(base string) (string, error) {
	u, err := endpoint(base)
	if err != nil {
		return "", err
	}
	u.Path = strings.TrimSuffix(u.Path, method) + "/models"
	return u.String(), nil
}

// turnsOf keeps a quarter of the calls for those who have none under way: what
// hangs must not stop everybody.
func turnsOf(calls int) *limit.Turns { return limit.NewTurns(calls-calls/4, calls/4) }

// endpoint returns where the calls go.
func endpoint(base string) (*url.URL, error) {
	u, err := url.Parse(strings.TrimSpace(base))
	if err != nil {
		return nil, errors.New("the base URL is not valid") // err would repeat a password
	}
	if u.Scheme != "http" && u.Scheme != "https" {
		return nil, errors.New("the base URL must begin with http:// or https://")
	}
	if u.Hostname() == "" {
		return nil, errors.New("the base URL has no host")
	}
	path := strings.TrimRight(u.Path, "/")
	switch {
	case path == "":
		path = "/v1" + method
	case !strings.HasSuffix(path, method):
		path += method
	}
	u.Path, u.RawPath, u.Fragment = path, "", ""
	return u, nil
}

// Close closes connections that are kept for reuse. Calls under way go on.
func (c *Client) Close() {
	if t, ok := c.transport.(interface{ CloseIdleConnections() }); ok {
		t.CloseIdleConnections()
	}
}

// Ask puts one question and waits for an answer that is what the request wants.
// Tokens are told also with an error, for they were spent.
func (c *Client) Ask(ctx context.Context, r Request) (Answer, error) {
	q := &question{client: c, request: r}
	answer, err := q.walk(ctx)
	answer.Tokens = q.tokens
	return answer, err
}

func sleep(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
