package source

import (
	"context"
	"sync"
	"time"
)

// clock is a context with a deadline whose time stands still while its page waits
// for a browser.
type clock struct {
	context.Context
	done chan struct{}

	mu       sync.Mutex
	timer    *time.Timer
	deadline time.Time
	err      error
}

type clockKey struct{}

// Patiently returns a context for a page that nobody waits for, such as one of a
// job: it may take its time, not counted what it waits for a browser, and others
// go first.
func Patiently(ctx context.Context, budget time.Duration) (context.Context, context.CancelFunc) {
	c := &clock{Context: ctx, done: make(chan struct{}), deadline: time.Now().Add(budget)}
	c.timer = time.AfterFunc(budget, func() { c.end(context.DeadlineExceeded) })
	stop := context.AfterFunc(ctx, func() { c.end(ctx.Err()) })
	return c, func() {
		stop()
		c.end(context.Canceled)
	}
}

// hold stops the clock until resume is called.
func (c *clock) hold() (resume func()) {
	c.mu.Lock()
	defer c.mu.Unlock()
	left := time.Until(c.deadline)
	c.timer.Stop()
	return func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		c.deadline = time.Now().Add(left)
		if c.err == nil {
			c.timer.Reset(left)
		}
	}
}

func (c *clock) end(err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.err == nil {
		c.err = err
		c.timer.Stop()
		close(c.done)
	}
}

func (c *clock) Deadline() (time.Time, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.deadline, true
}

func (c *clock) Done() <-chan struct{} { return c.done }

func (c *clock) Err() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.err
}

func (c *clock) Value(key any) any {
	if key == (clockKey{}) {
		return c
	}
	return c.Context.Value(key)
}
