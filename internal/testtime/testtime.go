// Package testtime lets tests wait for what is to happen, however slow the machine
// is that they run on. A test that waits a second for something fails beside a
// compiler; one that waits for the thing itself takes as long as that takes, and
// fails where it never comes.
package testtime

import (
	"context"
	"testing"
	"time"
)

const (
	most  = 10 * time.Minute      // no machine is so slow
	spare = 20 * time.Second      // before the run of all tests is ended, to say what was waited for
	every = 10 * time.Millisecond // between two looks
)

// Patience is how many times as long as usual what is tested may wait, where it has
// limits of its own that a test is not about.
const Patience = 20

// Limit returns how long a test may wait for something: so long that what has not
// happened by then never will. It must not be called within a bubble.
func Limit(t testing.TB) time.Duration {
	if run, ok := t.(interface{ Deadline() (time.Time, bool) }); ok {
		if end, ok := run.Deadline(); ok {
			return max(min(most, time.Until(end)-spare), spare)
		}
	}
	return most
}

// Context returns a context that ends with the test, or at the limit.
func Context(t testing.TB) context.Context {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), Limit(t))
	t.Cleanup(cancel)
	return ctx
}

// Ending returns a context for what is done at the end of a test, when that of the
// test has ended.
func Ending(t testing.TB) (context.Context, context.CancelFunc) {
	return context.WithTimeout(context.Background(), Limit(t))
}

// Until waits until something holds. If it never does, the test fails.
func Until(t testing.TB, what string, holds func() bool) {
	t.Helper()
	for end := time.Now().Add(Limit(t)); !holds(); time.Sleep(every) {
		if time.Now().After(end) {
			t.Fatalf("never: %s", what)
		}
	}
}

// Receive returns the next that comes out of a channel, or its zero value if that
// is closed. If nothing ever comes, the test fails.
func Receive[T any](t testing.TB, what string, from <-chan T) T {
	t.Helper()
	timer := time.NewTimer(Limit(t))
	defer timer.Stop()
	select {
	case value := <-from:
		return value
	case <-timer.C:
		t.Fatalf("never: %s", what)
		panic("unreachable")
	}
}
