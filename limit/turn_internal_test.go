package limit

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
)

// TestTurns has two places, and work that is never done by itself.
func TestTurns(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		turns := NewTurns(2, 2)
		var order []string
		come := func(ctx context.Context, owner string) {
			go func() {
				if turns.Wait(ctx, owner) == nil {
					order = append(order, owner)
				}
			}()
			synctest.Wait()
		}
		expect := func(when string, want ...string) {
			t.Helper()
			synctest.Wait()
			if len(order) != len(want) {
				t.Fatalf("%s: %q have a place, want %q", when, order, want)
			}
			for i := range want {
				if order[i] != want[i] {
					t.Fatalf("%s: %q have a place, want %q", when, order, want)
				}
			}
		}
		for range 4 {
			come(t.Context(), "a")
		}
		expect("a fills the places", "a", "a")
		come(t.Context(), "b")
		expect("b has none yet", "a", "a", "b")
		come(t.Context(), "b")
		come(t.Context(), "c")
		expect("and c", "a", "a", "b", "c")
		come(t.Context(), "d")
		expect("all extra places are taken", "a", "a", "b", "c")
		turns.End("a")
		expect("who has none is first", "a", "a", "b", "c", "d")
		turns.End("c")
		turns.End("d")
		expect("the extra places are for nobody else", "a", "a", "b", "c", "d")
		turns.End("b")
		expect("then who came first of those with least", "a", "a", "b", "c", "d", "b")
		turns.End("a")
		expect("then a", "a", "a", "b", "c", "d", "b", "a")
		turns.End("a")
		turns.End("b")
		expect("and the last", "a", "a", "b", "c", "d", "b", "a", "a")
		turns.End("a")
		if turns.taken != 0 || len(turns.having) != 0 || len(turns.waiting) != 0 {
			t.Errorf("left behind: %+v", turns)
		}
	})
}

func TestTurnsGivenUp(t *testing.T) {
	t.Parallel()
	turns := NewTurns(1, 0)
	if err := turns.Wait(t.Context(), "a"); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	context.AfterFunc(t.Context(), cancel)
	done := make(chan error)
	go func() { done <- turns.Wait(ctx, "a") }()
	cancel()
	if err := <-done; !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
	turns.End("a")
	if turns.taken != 0 || len(turns.waiting) != 0 {
		t.Errorf("left behind: %+v", turns)
	}
}
