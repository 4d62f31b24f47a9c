package gather_test

import (
	"context"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/trawlhq/trawl/gather"
)

// batches collects what a queue passes on.
type batches struct {
	mu   sync.Mutex
	list [][]int
}

func (b *batches) add(batch []int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.list = append(b.list, slices.Sorted(slices.Values(batch)))
}

func start(active int64, b *batches) *gather.Queue[int] {
	count := &atomic.Int64{}
	count.Store(active)
	return gather.Start(gather.Config[int]{Most: 3, Linger: time.Second, Active: count, Commit: b.add})
}

func TestQueue(t *testing.T) {
	for _, c := range []struct {
		name   string
		active int64
		items  []int
		want   [][]int
		after  time.Duration
	}{
		{"one alone is not kept waiting", 1, []int{1}, [][]int{{1}}, 0},
		{"all that is under way goes together", 2, []int{1, 2}, [][]int{{1, 2}}, 0},
		{"nobody waits for ever", 9, []int{1, 2}, [][]int{{1, 2}}, time.Second},
		{"a batch has a bound", 9, []int{1, 2, 3}, [][]int{{1, 2, 3}}, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				got := &batches{}
				q := start(c.active, got)
				begin := time.Now()
				for _, item := range c.items {
					if !q.Put(t.Context(), item) {
						t.Errorf("%d was not taken", item)
					}
				}
				time.Sleep(c.after)
				synctest.Wait()
				if len(got.list) != len(c.want) || !slices.Equal(got.list[0], c.want[0]) {
					t.Errorf("after %v: %v, want %v", time.Since(begin), got.list, c.want)
				}
				q.Stop()
			})
		})
	}
}

func TestQueueStops(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		got := &batches{}
		q := start(9, got)
		q.Put(t.Context(), 1)
		q.Stop() // waits for what was taken
		if len(got.list) != 1 {
			t.Errorf("passed on %v", got.list)
		}
		if q.Put(t.Context(), 2) {
			t.Error("something was taken after the end")
		}
		select {
		case <-q.Stopping():
		default:
			t.Error("it does not say that it stops")
		}
	})
}

func TestPutGivesUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		busy := make(chan struct{})
		count := &atomic.Int64{}
		q := gather.Start(gather.Config[int]{Most: 1, Active: count, Commit: func([]int) { <-busy }})
		q.Put(t.Context(), 1)
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		if q.Put(ctx, 2) {
			t.Error("taken by a queue that is busy")
		}
		close(busy)
		q.Stop()
	})
}
