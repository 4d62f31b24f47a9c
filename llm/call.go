package llm

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/trawlhq/trawl"
)

const (
	maxAttempts = 4
	firstWait   = time.Second
	maxWait     = time.Minute // also if the endpoint asks for more
	maxBody     = 8 << 20
)

var (
	errBody     = errors.New("not a chat completion")
	errBodySize = errors.New("more than 8 MiB")
)

// send posts a body until it is answered, again after faults that may pass. The
// error is a *fault, or that of the context.
func (c *Client) send(ctx context.Context, body []byte, m mode) (*reply, error) {
	for attempt := 1; ; attempt++ {
		r, f, err := c.attempt(ctx, body, m)
		if err != nil {
			return nil, err
		}
		if f == nil {
			return r, nil
		}
		if !f.again || attempt == maxAttempts {
			return nil, f
		}
		wait := c.wait(attempt, f.after)
		if deadline, ok := ctx.Deadline(); ok && c.now().Add(wait).After(deadline) {
			return nil, f // known now, and no better later
		}
		c.log.Debug("the language model's endpoint failed; trying again", "attempt", attempt, "status", f.status, "wait", wait)
		if err := c.sleep(ctx, wait); err != nil {
			return nil, err
		}
	}
}

// wait is how long to wait after an attempt: as long as the endpoint asks for,
// or twice as long each time, a part of it by chance so that callers do not
// come back together.
func (c *Client) wait(attempt int, asked time.Duration) time.Duration {
	if asked > 0 {
		return min(asked, maxWait)
	}
	full := firstWait << (attempt - 1)
	return full/2 + time.Duration(c.jitter()*float64(full/2))
}

// attempt makes one call when it is its owner's turn. The error is that of the
// context.
func (c *Client) attempt(ctx context.Context, body []byte, m mode) (*reply, *fault, error) {
	owner := ownerOf(ctx)
	if err := c.turns.Wait(ctx, owner); err != nil {
		return nil, nil, err
	}
	defer c.turns.End(owner)
	if !c.ability.takes(trait(m), c.now()) {
		return nil, &fault{stale: true}, nil
	}
	r, f := c.post(ctx, body)
	if f == nil {
		c.metrics.called(outcomeAnswered)
		return r, nil, nil
	}
	c.metrics.called(f.outcome(ctx))
	return nil, f, ctx.Err()
}

// post makes the call and reads what comes back.
func (c *Client) post(ctx context.Context, body []byte) (*reply, *fault) {
	ctx, cancel := context.WithTimeout(ctx, c.timeout)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, c.address, bytes.NewReader(body))
	if err != nil {
		return nil, &fault{err: err}
	}
	c.sign(request)
	// The transport itself, because a client would follow redirects and take the
	// key along.
	response, err := c.transport.RoundTrip(request)
	if err != nil {
		return nil, broken(ctx, err)
	}
	defer response.Body.Close()
	content, err := io.ReadAll(io.LimitReader(response.Body, maxBody+1))
	if err != nil {
		return nil, broken(ctx, err)
	}
	if response.StatusCode != http.StatusOK {
		f := c.newFault(response.StatusCode, content)
		f.after = retryAfter(response.Header, c.now())
		return nil, f
	}
	return c.read(response.Header.Get("Content-Type"), content)
}

// sign sets the headers of a call.
func (c *Client) sign(request *http.Request) {
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("Accept", "application/json")
	request.Header.Set("User-Agent", "Trawl/"+trawl.Version+" (+https://github.com/trawlhq/trawl)")
	switch {
	case c.key != "":
		request.Header.Set("Authorization", "Bearer "+c.key)
	case c.user != nil:
		password, _ := c.user.Password()
		request.SetBasicAuth(c.user.Username(), password)
	}
}

// broken is a call that failed on the way. One that took too long is not made
// again: it would take as long, and cost as much.
func broken(ctx context.Context, err error) *fault {
	timeout := ctx.Err() != nil
	return &fault{err: err, timeout: timeout, again: !timeout}
}

// read reads the body of an answer with status 200.
func (c *Client) read(contentType string, body []byte) (*reply, *fault) {
	if len(body) > maxBody {
		return nil, &fault{status: http.StatusOK, err: errBodySize}
	}
	var failure json.RawMessage
	if streamed(contentType, body) {
		r, inner, ok := assemble(body)
		if ok {
			return r, nil
		}
		failure = inner
	} else {
		var whole completion
		if json.Unmarshal(body, &whole) == nil {
			if r, ok := whole.reply(); ok {
				return r, nil
			}
			failure = whole.Error
		}
	}
	if present(failure) {
		return nil, c.inner(failure)
	}
	return nil, &fault{status: http.StatusOK, text: c.quote(string(body)), err: errBody}
}

// inner is an error that came with status 200: gateways that have already begun
// to answer send the status inside. Without one it is theirs.
func (c *Client) inner(failure json.RawMessage) *fault {
	var with struct {
		Code json.Number `json:"code"`
	}
	status := http.StatusBadGateway
	if json.Unmarshal(failure, &with) == nil {
		if code, err := strconv.Atoi(with.Code.String()); err == nil && code >= 400 && code < 600 {
			status = code
		}
	}
	return c.newFault(status, []byte(`{"error":`+string(failure)+`}`))
}

// retryAfter reads the header, which has seconds or a date. 0 means that it says
// nothing of use.
func retryAfter(header http.Header, now time.Time) time.Duration {
	value := strings.TrimSpace(header.Get("Retry-After"))
	if seconds, err := strconv.ParseFloat(value, 64); err == nil {
		if !(seconds > 0) {
			return 0
		}
		return time.Duration(min(seconds, maxWait.Seconds()) * float64(time.Second))
	}
	if at, err := http.ParseTime(value); err == nil {
		return max(at.Sub(now), 0)
	}
	return 0
}
