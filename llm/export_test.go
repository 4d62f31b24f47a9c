package llm

import (
	"context"
	"time"
)

// SetSleep replaces the waiting between attempts.
func (c *Client) SetSleep(f func(context.Context, time.Duration) error) { c.sleep = f }

// SetNow replaces the clock.
func (c *Client) SetNow(f func() time.Time) { c.now = f }

// SetTimeout replaces the time that one call may take.
func (c *Client) SetTimeout(d time.Duration) { c.timeout = d }

// Find lets tests see which values are found in a text, and whether it ends
// within one.
func Find(text string) (values []string, cut bool) {
	found := find(text)
	return found.values, found.cut
}

// Assemble lets a fuzz target see what becomes of any stream.
func Assemble(body []byte) (text string, ok bool) {
	r, _, ok := assemble(body)
	if !ok {
		return "", false
	}
	return r.text, true
}
