package consent_test

import (
	"context"
	"testing"
	"testing/synctest"

	"github.com/trawlhq/trawl/consent"
)

const (
	start = `{"type": "start", "url": "http://harbour.example/"}`
	busy  = `{"type": "busy"}`
	idle  = `{"type": "idle"}`
)

// waits reports whether Wait holds the caller up after these messages.
func waits(t *testing.T, watch *consent.Watch) bool {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	returned := make(chan struct{})
	go func() {
		defer close(returned)
		watch.Wait(ctx)
	}()
	synctest.Wait()
	held := true
	select {
	case <-returned:
		held = false
	default:
	}
	cancel()
	<-returned // also when it was held: the context is over
	return held
}

func TestWatch(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name     string
		messages []string
		want     bool
	}{
		{"nothing was said", nil, false},
		{"a page without a dialog", []string{start}, false},
		{"a dialog is being answered", []string{start, busy}, true},
		{"a dialog was answered", []string{start, busy, idle}, false},
		{"one of two is left", []string{start, busy, busy, idle}, true},
		{"a frame says too often that it is done", []string{start, idle, idle, busy}, true},
		{"the page went elsewhere", []string{start, busy, start}, false},
		{"noise", []string{"", "{", `{"type": "load"}`, "[]"}, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				var watch consent.Watch
				for _, message := range tt.messages {
					watch.Note(message)
				}
				if got := waits(t, &watch); got != tt.want {
					t.Errorf("waits: %v, want %v", got, tt.want)
				}
			})
		})
	}
}

func TestWatchWakes(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var watch consent.Watch
		watch.Note(busy)
		done := make(chan struct{}, 2)
		for range 2 {
			go func() {
				watch.Wait(t.Context())
				done <- struct{}{}
			}()
		}
		synctest.Wait()
		if len(done) != 0 {
			t.Fatal("Wait returned while a dialog was being answered")
		}
		watch.Note(idle)
		synctest.Wait()
		if len(done) != 2 {
			t.Errorf("%d of 2 were woken", len(done))
		}
	})
}

func TestWatchIgnoresAFlood(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var watch consent.Watch
		answered := 0
		for range 10_000 {
			if watch.Note(busy) {
				answered++
			}
		}
		if answered == 0 || answered > 1000 {
			t.Errorf("%d messages of a flood are answered", answered)
		}
		if waits(t, &watch) {
			t.Error("a flood holds the scrape up")
		}
	})
}
