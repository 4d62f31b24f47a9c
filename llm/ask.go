package llm

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
)

const (
	maxCalls   = 8        // for one question, attempts not counted
	maxRepairs = 2        // of one question, over all modes
	maxShown   = 32 << 10 // bytes of a bad answer that the model is shown

	// A token is seldom of more than five bytes. An endpoint that counts far fewer
	// tokens than that in a long question has silently cut it.
	mostAdded    = 1 << 12 // tokens that an endpoint may add to a question
	mostWritten  = 1 << 18 // tokens of thoughts that are believed
	suspect      = 8 << 10
	mostPerToken = 8
)

// question is one request on its way to an answer.
type question struct {
	client  *Client
	request Request
	shape   shape
	tokens  int // spent so far
	calls   int
	repairs int
	endless bool // the limit of tokens is left out, as it does not fit beside the question
}

// walk goes down the modes until one brings an answer.
func (q *question) walk(ctx context.Context) (answer Answer, err error) {
	if q.shape, err = newShape(q.request.Schema); err != nil {
		return Answer{}, err
	}
	modes := q.client.modes(&q.request)
	for i, m := range modes {
		var down bool
		answer, down, err = q.try(ctx, m, i == len(modes)-1)
		if !down {
			break
		}
	}
	return answer, err
}

// try asks in one mode, with repairs. With an error it tells whether the next
// mode down may do better; the last has none.
func (q *question) try(ctx context.Context, m mode, last bool) (answer Answer, down bool, err error) {
	var bad *flaw
	for {
		r, err := q.call(ctx, m, bad)
		if err != nil {
			return Answer{}, !last && q.turnedDown(m, err), explain(err)
		}
		if answer, bad, err = q.judge(r, m); err != nil || bad == nil {
			return answer, false, err
		}
		if bad.prose && !last {
			return Answer{}, true, q.client.despair(bad)
		}
		if q.repairs == maxRepairs || q.calls == maxCalls {
			return Answer{}, false, q.client.despair(bad)
		}
		q.repairs++
	}
}

// turnedDown reports whether a call failed for its mode, and learns from it.
func (q *question) turnedDown(m mode, err error) bool {
	f, ok := errors.AsType[*fault](err)
	if !ok || f.tooLong() {
		return false
	}
	down, lasting := f.turnsDown(m)
	if lasting {
		q.client.learn(trait(m))
	}
	return down
}

// call makes one call, again without what the endpoint does not take.
func (q *question) call(ctx context.Context, m mode, bad *flaw) (*reply, error) {
	for {
		q.calls++
		with := q.manner()
		body, err := json.Marshal(q.body(m, with, bad))
		if err != nil {
			return nil, fmt.Errorf("encode question: %w", err)
		}
		r, err := q.client.send(ctx, body, m)
		if err == nil {
			q.spend(r, len(body))
			return r, nil
		}
		f, ok := errors.AsType[*fault](err)
		if !ok || q.calls == maxCalls || !q.adapt(f, with) {
			return nil, err
		}
	}
}

// manner is how a call was put. It is kept with the call, because others may
// learn about the endpoint in the meantime.
type manner struct {
	temperature bool
	system      bool  // the rules are a message of their own
	limit       trait // under which name the limit of tokens is sent; "" if it is not
}

func (q *question) manner() manner {
	c, now := q.client, q.client.now()
	with := manner{temperature: c.ability.takes(traitTemperature, now), system: c.ability.takes(traitSystem, now)}
	switch {
	case c.maxTokens <= 0 || q.endless:
	case c.ability.takes(traitMaxTokens, now):
		with.limit = traitMaxTokens
	case c.ability.takes(traitMaxCompletionTokens, now):
		with.limit = traitMaxCompletionTokens
	}
	return with
}

// adapt learns from a fault which parameter to leave out, and reports whether
// that makes the question another one.
func (q *question) adapt(f *fault, with manner) bool {
	if !f.complains() {
		return false
	}
	switch {
	case with.limit != "" && mentions(f.hints, string(traitMaxTokens), string(traitMaxCompletionTokens)):
		if mentions(f.hints, "too large", "too high", "at most", "exceed", "less than", "maximum") {
			q.endless = true
		} else {
			q.client.learn(with.limit)
		}
	case f.tooLong():
		return false
	case with.temperature && mentions(f.hints, string(traitTemperature)):
		q.client.learn(traitTemperature)
	case with.system && mentions(f.hints, "system role", "system message", "system instruction", "developer instruction"):
		q.client.learn(traitSystem)
	default:
		return false
	}
	return true
}

// body is what is posted.
func (q *question) body(m mode, with manner, bad *flaw) object {
	body := object{"model": q.client.model, "messages": q.messages(m, with, bad), "stream": false}
	if with.temperature {
		body["temperature"] = 0
	}
	if with.limit != "" {
		body[string(with.limit)] = q.client.maxTokens
	}
	q.shape.format(body, m)
	return body
}

// messages is the conversation: the question and, in a repair, the bad answer
// and what is wrong with it.
func (q *question) messages(m mode, with manner, bad *flaw) []message {
	system, user := q.request.System, q.request.User
	structured := q.request.structured()
	if structured {
		system = join(system, q.shape.instruct(m))
	}
	if bad != nil && bad.text == "" {
		user = join(user, bad.complaint(structured))
	}
	var list []message
	switch {
	case !with.system:
		user = join(system, user)
	case system != "":
		list = append(list, message{"system", system})
	}
	list = append(list, message{"user", user})
	if bad != nil && bad.text != "" {
		shown := strings.ToValidUTF8(bad.text[:min(len(bad.text), maxShown)], "")
		list = append(list, message{"assistant", shown}, message{"user", bad.complaint(structured)})
	}
	return list
}

// join puts an empty line between two texts.
func join(a, b string) string {
	if a == "" || b == "" {
		return a + b
	}
	return a + "\n\n" + b
}

// spend counts the tokens of a reply. Four bytes make about one, where the
// endpoint does not tell, or tells what cannot be: more tokens than bytes.
func (q *question) spend(r *reply, asked int) {
	if r.read+r.written == 0 || r.read > mostAdded+asked || r.written > mostWritten+len(r.text) {
		r.read, r.written = (asked+3)/4, (len(r.text)+3)/4
	}
	if c := q.client; asked > suspect && r.read > 0 && asked/r.read > mostPerToken && c.ability.takes(traitLong, c.now()) {
		c.ability.refuse(traitLong, c.now()) // so that it is said once in a while
		c.log.Warn("the language model seems to have read only a part of a long question; its context window may be too small",
			"bytes", asked, "tokens", r.read)
	}
	q.tokens += r.read + r.written
	q.client.metrics.spent(r.read, r.written)
}
