package pdf

import (
	"testing"
	"time"
)

func TestHopeless(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		spent, left time.Duration
		done, all   int
		want        bool
	}{
		"nothing known":    {time.Minute, time.Second, 2, 1000, false},
		"far too slow":     {time.Second, 10 * time.Second, 10, 1000, true},
		"a little slow":    {time.Second, 10 * time.Second, 10, 120, false},
		"in time":          {time.Second, 10 * time.Second, 10, 50, false},
		"all done":         {time.Second, time.Millisecond, 10, 10, false},
		"the time is over": {time.Second, -time.Second, 10, 11, true},
	} {
		if got := hopeless(test.spent, test.left, test.done, test.all); got != test.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}
