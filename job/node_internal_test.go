package job

import (
	"testing"
	"time"

	"github.com/trawlhq/trawl/store"
)

// A node is silent while its sign of life stays the same, whatever its clock says.
func TestSilence(t *testing.T) {
	t.Parallel()
	seen, noticed := signs{}, time.Now()
	for i, step := range []struct {
		node  string
		clock time.Duration // of the node, against ours
		at    time.Duration
		want  time.Duration
	}{
		{"a", 0, 0, 0},
		{"a", time.Hour, 3 * time.Second, 0}, // it was set forth
		{"b", -time.Hour, 3 * time.Second, 0},
		{"a", -time.Hour, 6 * time.Second, 0}, // and back
		{"a", -time.Hour, 9 * time.Second, 3 * time.Second},
		{"b", -time.Hour, 20 * time.Second, 17 * time.Second},
		{"b", time.Second - time.Hour, 23 * time.Second, 0},
	} {
		sign := store.Sign{Node: step.node, SeenAt: noticed.Add(step.clock)}
		if got := seen.silent(sign, noticed.Add(step.at)); got != step.want {
			t.Errorf("step %d: silent for %v, want %v", i, got, step.want)
		}
	}
}
