package browser

import (
	"context"
	"maps"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/trawlhq/trawl/internal/testtime"
)

// TestSlotsAreShared sees who gets a place that becomes free.
func TestSlotsAreShared(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := &slots{size: 2}
		for range 2 {
			if _, queued, err := s.take(t.Context(), "large", false); queued || err != nil {
				t.Fatal(queued, err)
			}
		}
		order := make(chan string, 10)
		wait := func(name, owner string, patient bool) {
			go func() {
				if _, _, err := s.take(t.Context(), owner, patient); err == nil {
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
		if _, queued, err := s.take(hasty, "large", false); !queued || err == nil {
			t.Error("there was a place after all")
		}
		var got []string
		for _, owner := range []string{"large", "large", "small", "large"} {
			s.giveOf(owner)
			synctest.Wait()
			got = append(got, <-order)
		}
		if want := []string{"small", "first of large", "second of large", "crawl of small"}; !slices.Equal(got, want) {
			t.Errorf("order %q, want %q", got, want)
		}
		s.giveOf("large")
		s.giveOf("small")
		if s.used() != 0 {
			t.Errorf("%d are taken", s.used())
		}
	})
}

// giveOf gives a place of an owner back.
func (s *slots) giveOf(owner string) {
	s.mu.Lock()
	i := slices.IndexFunc(s.places, func(p *place) bool { return p.owner == owner })
	mine := s.places[i]
	s.mu.Unlock()
	mine.give()
}

// TestSlotsAreLent sees that nobody is kept out by those who hold places for long.
func TestSlotsAreLent(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := &slots{size: 2}
		came, began := map[string]time.Duration{}, time.Now()
		var mu sync.Mutex
		come := func(name, owner string, patient bool) {
			go func() {
				mine, _, err := s.take(t.Context(), owner, patient)
				if err != nil {
					t.Errorf("%s: %v", name, err)
					return
				}
				mu.Lock()
				came[name] = time.Since(began)
				mu.Unlock()
				time.Sleep(55 * time.Second)
				mine.give()
			}()
			synctest.Wait() // they come one after the other
		}
		for _, name := range []string{"slow 1", "slow 2", "slow 3", "slow 4"} {
			come(name, "slow", false)
		}
		come("crawl", "crawler", true)
		come("first", "first", false)
		come("second of first", "first", false)
		time.Sleep(10 * time.Second)
		come("other", "other", false)
		come("more than twice", "last", false)
		if n := s.used(); n != 4 {
			t.Errorf("%d places are taken", n)
		}
		time.Sleep(10 * time.Minute)
		synctest.Wait()
		want := map[string]time.Duration{
			"slow 1": 0, "slow 2": 0, // there is room
			"first": 5 * time.Second, "other": 10 * time.Second, // the slow ones have been there for long
			"more than twice": 55 * time.Second, "slow 3": 55 * time.Second, "second of first": 60 * time.Second, // their owners have none any more
			"slow 4": 110 * time.Second, "crawl": 115 * time.Second, // there is room
		}
		if !maps.Equal(came, want) {
			t.Errorf("they came at\n%v, want\n%v", came, want)
		}
	})
}

// A team whose pages take long, in all places, does not keep another from rendering.
func TestNobodyIsLockedOut(t *testing.T) {
	t.Parallel()
	pool := newPool(t, func(c *Config) { c.Pages = 2 })
	base := site(t, map[string]string{"/": "<p>Text</p>"})
	slow, stop := context.WithCancel(t.Context())
	var pages sync.WaitGroup
	for range 4 {
		pages.Go(func() { _, _ = pool.Render(slow, Request{URL: base, Owner: "slow", WaitFor: 55 * time.Second}) })
	}
	testtime.Until(t, "all places are taken", func() bool { return pool.Stats().Pages == 2 })
	result, err := pool.Render(within(t, 30*time.Second), Request{URL: base, Owner: "other"})
	if err != nil || result.Waited == 0 || result.Waited > 2*long {
		t.Errorf("the page of another team: %v, %+v", err, result)
	}
	stop()
	pages.Wait()
}
