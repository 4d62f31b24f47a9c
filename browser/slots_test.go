package browser

import (
	"context"
	"slices"
	"testing"
	"testing/synctest"
	"time"
)

// TestSlotsAreShared sees who gets a place that becomes free.
func TestSlotsAreShared(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := &slots{free: 2}
		for range 2 {
			if queued, err := s.take(t.Context(), "large", false); queued || err != nil {
				t.Fatal(queued, err)
			}
		}
		order := make(chan string, 10)
		wait := func(name, owner string, patient bool) {
			go func() {
				if _, err := s.take(t.Context(), owner, patient); err == nil {
					order <- name
				}
			}()
			synctest.Wait() // they come one after the other
		}
		wait("crawl of small", "small", true)
		wait("first of large", "large", false)
		wait("second of large", "large", false)
		wait("small", "small", false)
		hasty, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		if queued, err := s.take(hasty, "large", false); !queued || err == nil {
			t.Error("there was a place after all")
		}
		var got []string
		for _, owner := range []string{"large", "large", "small", "large"} {
			s.give(owner)
			synctest.Wait()
			got = append(got, <-order)
		}
		if want := []string{"small", "first of large", "second of large", "crawl of small"}; !slices.Equal(got, want) {
			t.Errorf("order %q, want %q", got, want)
		}
		s.give("large")
		s.give("small")
		if s.used() != 0 || s.free != 2 {
			t.Errorf("%d are taken, %d are free", s.used(), s.free)
		}
	})
}
