package testtime_test

import (
	"testing"
	"time"

	"github.com/trawlhq/trawl/internal/testtime"
)

func TestLimit(t *testing.T) {
	t.Parallel()
	if d := testtime.Limit(t); d < 20*time.Second || d > 10*time.Minute {
		t.Errorf("limit = %v", d)
	}
	if end, ok := testtime.Context(t).Deadline(); !ok || time.Until(end) > 10*time.Minute {
		t.Errorf("the context ends at %v", end)
	}
}

func TestWaiting(t *testing.T) {
	t.Parallel()
	values := make(chan int)
	go func() { values <- 7 }()
	if got := testtime.Receive(t, "a number comes", values); got != 7 {
		t.Errorf("received %d", got)
	}
	looks := 0
	testtime.Until(t, "it was looked at three times", func() bool { looks++; return looks == 3 })
	if looks != 3 {
		t.Errorf("looked %d times", looks)
	}
}

// What has ended is told by the context of the test; that for its end is not.
func TestEnding(t *testing.T) {
	t.Parallel()
	t.Cleanup(func() {
		ctx, cancel := testtime.Ending(t)
		defer cancel()
		if t.Context().Err() == nil || ctx.Err() != nil {
			t.Errorf("the test's context %v, that of its end %v", t.Context().Err(), ctx.Err())
		}
	})
}
