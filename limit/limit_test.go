package limit_test

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/trawlhq/trawl/limit"
)

func TestRateCountsPerTeamAndClass(t *testing.T) {
	t.Parallel()
	now := time.Unix(1_000, 0)
	rate := limit.NewRate(func() time.Time { return now })

	for i := range 3 {
		if d := rate.Take("a", "scrape", 3); !d.Allowed || d.Remaining != 2-i {
			t.Fatalf("request %d: %+v", i, d)
		}
	}
	now = now.Add(20 * time.Second)
	if d := rate.Take("a", "scrape", 3); d.Allowed || d.Remaining != 0 || d.Reset != 40*time.Second {
		t.Errorf("over the limit: %+v", d)
	}
	if d := rate.Take("b", "scrape", 3); !d.Allowed {
		t.Error("another team is refused")
	}
	if d := rate.Take("a", "status", 3); !d.Allowed {
		t.Error("another class is refused")
	}
	now = now.Add(40 * time.Second)
	if d := rate.Take("a", "scrape", 3); !d.Allowed || d.Remaining != 2 {
		t.Errorf("a new window: %+v", d)
	}
}

func TestSlotsNeverExceedTheLimit(t *testing.T) {
	t.Parallel()
	slots := limit.NewSlots(time.Now)
	var running, peak atomic.Int64
	var wg sync.WaitGroup
	for range 200 {
		wg.Go(func() {
			release, _, err := slots.Acquire(context.Background(), "a", 7)
			if err != nil {
				t.Error(err)
				return
			}
			n := running.Add(1)
			for p := peak.Load(); n > p && !peak.CompareAndSwap(p, n); p = peak.Load() {
			}
			running.Add(-1)
			release()
		})
	}
	wg.Wait()
	if peak.Load() > 7 {
		t.Errorf("%d ran at the same time", peak.Load())
	}
	if running, waiting := slots.Usage("a"); running != 0 || waiting != 0 {
		t.Errorf("left over: %d running, %d waiting", running, waiting)
	}
}

func TestSlotsServeInOrderAndMeasureTheWait(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		slots := limit.NewSlots(time.Now)
		first, waited, err := slots.Acquire(t.Context(), "a", 1)
		if err != nil || waited != 0 {
			t.Fatalf("first: waited %v, %v", waited, err)
		}
		var order []int
		var wg sync.WaitGroup
		for i := range 3 {
			wg.Go(func() {
				release, waited, err := slots.Acquire(t.Context(), "a", 1)
				if err != nil || waited < 5*time.Second {
					t.Errorf("%d: waited %v, %v", i, waited, err)
				}
				order = append(order, i)
				release()
			})
			synctest.Wait()
		}
		if other, waited, err := slots.Acquire(t.Context(), "b", 1); err != nil || waited != 0 {
			t.Errorf("another team waited %v, %v", waited, err)
		} else {
			other()
		}
		time.Sleep(5 * time.Second)
		first()
		wg.Wait()
		for i, got := range order {
			if got != i {
				t.Fatalf("served in order %v", order)
			}
		}
	})
}

func TestSlotsGiveUpWithTheContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		slots := limit.NewSlots(time.Now)
		release, _, _ := slots.Acquire(t.Context(), "a", 1)
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		if _, waited, err := slots.Acquire(ctx, "a", 1); !errors.Is(err, context.DeadlineExceeded) || waited != time.Second {
			t.Errorf("waited %v: %v", waited, err)
		}
		if running, waiting := slots.Usage("a"); running != 1 || waiting != 0 {
			t.Errorf("%d running, %d waiting", running, waiting)
		}
		release()
		if release, _, err := slots.Acquire(t.Context(), "a", 1); err != nil {
			t.Error(err)
		} else {
			release()
		}
	})
}
