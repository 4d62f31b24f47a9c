package llm

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/trawlhq/trawl"
)

const (
	maxQuote = 500     // characters of foreign text that a message repeats
	maxHints = 4 << 10 // bytes of it that are searched for what it is about
)

// fault is a call that brought no answer.
type fault struct {
	status  int           // 0 if there was no answer at all
	text    string        // what the endpoint says, without the key, cut
	hints   string        // more of it and its codes, in lower case, to judge by; never shown
	after   time.Duration // when to come back; 0 if it does not say
	again   bool          // another attempt may work
	timeout bool          // it took too long
	stale   bool          // it was not made: others have found out meanwhile that its mode is refused
	err     error         // what happened on the way
}

// Error implements error; callers get to see [fault.explain].
func (f *fault) Error() string {
	if f.err != nil {
		return f.err.Error()
	}
	return fmt.Sprintf("status %d: %s", f.status, f.text)
}

// newFault reads an answer that says that something is wrong.
func (c *Client) newFault(status int, body []byte) *fault {
	message, codes := complaint(body)
	f := &fault{status: status, text: c.quote(message)}
	f.hints = strings.ToLower(message[:min(len(message), maxHints)] + " " + codes)
	switch status {
	case http.StatusTooManyRequests:
		// An empty account and a question above the limit stay so.
		f.again = !mentions(f.hints, "insufficient_quota", "request too large")
	case http.StatusInternalServerError, http.StatusBadGateway, http.StatusServiceUnavailable, http.StatusGatewayTimeout, statusOverloaded:
		f.again = !f.tooLong() && !mentions(f.hints, modeWords[modeSchema]...) && !mentions(f.hints, "tools param")
	}
	return f
}

// statusOverloaded is what some services answer while they are overloaded.
const statusOverloaded = 529

// complaint takes the message out of an error body, and the words beside it that
// tell what it is about. Endpoints agree on little here.
func complaint(body []byte) (message, codes string) {
	var o map[string]json.RawMessage
	if json.Unmarshal(body, &o) != nil {
		return string(body), ""
	}
	if raw := o["error"]; present(raw) {
		var inner map[string]json.RawMessage
		if json.Unmarshal(raw, &inner) != nil {
			return text(raw), ""
		}
		o = inner
	}
	for _, name := range []string{"message", "detail"} {
		if raw := o[name]; present(raw) {
			if message = text(raw); message == "" {
				message = string(raw)
			}
			return message, text(o["param"]) + " " + text(o["code"]) + " " + text(o["type"])
		}
	}
	return string(body), ""
}

// secrets are what an endpoint might repeat of how it was asked: the key, a password
// in its address, also as it is sent, and what the address has behind its path.
func secrets(key string, address *url.URL) []string {
	list := []string{key}
	if password, ok := address.User.Password(); ok {
		list = append(list, base64.StdEncoding.EncodeToString([]byte(address.User.Username()+":"+password)), password, url.QueryEscape(password))
	}
	for _, values := range address.Query() {
		list = append(list, values...)
	}
	return slices.DeleteFunc(list, func(secret string) bool { return len(secret) < leastSecret })
}

// leastSecret is the length in bytes below which a text is no secret.
const leastSecret = 4

// quote makes foreign text fit for a message: one line, cut, and without the key.
func (c *Client) quote(s string) string {
	s = strings.ToValidUTF8(s, "")
	for _, secret := range c.secrets {
		s = strings.ReplaceAll(s, secret, "[key]") // before a cut could leave half of it
	}
	s = strings.ToValidUTF8(s[:min(len(s), maxHints)], "")
	s = strings.Join(strings.FieldsFunc(s, func(r rune) bool { return unicode.IsSpace(r) || unicode.IsControl(r) }), " ")
	if runes := []rune(s); len(runes) > maxQuote {
		s = string(runes[:maxQuote]) + "…"
	}
	return s
}

// explain turns a fault into the error of an Ask.
func (f *fault) explain() error {
	switch {
	case f.tooLong():
		return trawl.Wrap(trawl.CodeModel, sentence("The text is too long for the language model", f.text), ErrTooLong)
	case f.timeout:
		return trawl.Wrap(trawl.CodeModel, "The language model did not answer in time.", f.err)
	case f.status == 0:
		return trawl.Wrap(trawl.CodeModel, "The language model's endpoint could not be reached.", f.err)
	case errors.Is(f.err, errBodySize):
		return trawl.Wrap(trawl.CodeModel, "The language model's endpoint gave an answer of more than 8 MiB.", f.err)
	case f.err != nil:
		return trawl.Wrap(trawl.CodeModel, sentence("The language model's endpoint gave an answer that is none", f.text), f.err)
	case f.status == http.StatusUnauthorized || f.status == http.StatusForbidden:
		return trawl.Errorf(trawl.CodeModel, "%s", sentence(fmt.Sprintf("The language model's endpoint refuses the operator's key or model with status %d", f.status), f.text))
	case f.status >= 300 && f.status < 400:
		return trawl.Errorf(trawl.CodeModel, "The language model's endpoint redirects elsewhere with status %d, which is not followed.", f.status)
	}
	return trawl.Errorf(trawl.CodeModel, "%s", sentence(fmt.Sprintf("The language model's endpoint answered with status %d", f.status), f.text))
}

// sentence joins what happened and what the other side says about it.
func sentence(what, said string) string {
	if said == "" {
		return what + "."
	}
	return what + ": " + said
}

// tooLong reports whether the question does not fit into the model's context.
func (f *fault) tooLong() bool {
	switch f.status {
	case http.StatusRequestEntityTooLarge:
		return true
	case http.StatusTooManyRequests:
		return mentions(f.hints, "request too large")
	case http.StatusBadRequest, http.StatusUnprocessableEntity, http.StatusInternalServerError:
		return mentions(f.hints, "context length", "context_length", "context size", "context_size", "context window", "context limit",
			"maximum context", "available context", "too many tokens", "too many input tokens", "token limit", "input token count", "number of tokens",
			"prompt is too long", "prompt too long", "input is too long", "input too long", "reduce the length", "string_above_max_length")
	}
	return false
}

// complains reports whether the endpoint turned the call down for what is in it.
func (f *fault) complains() bool {
	switch f.status {
	case http.StatusBadRequest, http.StatusNotFound, http.StatusUnprocessableEntity, http.StatusInternalServerError, http.StatusNotImplemented:
		return !f.again
	}
	return false
}

// outcome is how the fault is counted.
func (f *fault) outcome(ctx context.Context) string {
	switch {
	case ctx.Err() != nil:
		return outcomeCancelled
	case f.status == http.StatusTooManyRequests:
		return outcomeThrottled
	case f.status >= 400 && f.status < 500:
		return outcomeRefused
	}
	return outcomeFailed
}

// modeWords are what endpoints call the modes when they complain about them.
var modeWords = map[mode][]string{
	modeSchema: {"response_format", "response format", "json_schema", "json schema", "structured output", "guided", "grammar"},
	modeTool:   {"tool", "function"},
	modeObject: {"response_format", "response format", "json_object", "json mode"},
}

// turnsDown reports whether the fault is about the mode. lasting tells that it
// is so for any request, rather than for this one's schema or for no reason that
// is given.
func (f *fault) turnsDown(m mode) (down, lasting bool) {
	if f.stale {
		return true, false
	}
	if m == modeText || !f.complains() {
		return false, false
	}
	spoken := mentions(f.hints, modeWords[m]...) || mentions(f.hints, "requested parameters")
	if f.status == http.StatusNotFound && !spoken {
		return false, false // no such model, or no such address
	}
	particular := mentions(f.hints, "invalid schema", "schema contains", "in context=", "grammar", "keyword", "invalid_function_parameters")
	return true, spoken && !particular && f.status != http.StatusInternalServerError
}

// mentions reports whether the text has one of the words.
func mentions(text string, words ...string) bool {
	for _, word := range words {
		if strings.Contains(text, word) {
			return true
		}
	}
	return false
}

// explain makes a fault the error that callers see; others are as they are.
func explain(err error) error {
	if f, ok := errors.AsType[*fault](err); ok {
		return f.explain()
	}
	return err
}
