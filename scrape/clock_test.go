package scrape_test

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/trawlhq/trawl/browser"
	"github.com/trawlhq/trawl/fetch"
	"github.com/trawlhq/trawl/scrape"
	"github.com/trawlhq/trawl/scrape/source"
)

// crowded is a browser for which a page has to wait.
type crowded struct{ queue time.Duration }

func (c crowded) Render(ctx context.Context, req browser.Request) (*browser.Result, error) {
	if req.Hold != nil {
		defer req.Hold()()
	}
	select {
	case <-time.After(c.queue):
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	if req.Hold == nil {
		<-ctx.Done()
	}
	return &browser.Result{URL: req.URL, Status: 200, ContentType: "text/html", HTML: "<p>hello"}, nil
}

// TestPatience sees that the time of a page that nobody waits for does not run
// while it waits for a browser, and that it runs otherwise.
func TestPatience(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		w := &web{answer: func(fetch.Request) (*fetch.Response, error) { return page(200) }}
		s := scrape.New(scrape.Config{Fetch: w, Browser: crowded{queue: time.Hour}, Now: time.Now})
		defer s.Close()
		req := request(func(r *scrape.Request) { r.WaitFor = 1 })
		ctx, cancel := source.Patiently(t.Context(), time.Second)
		result, err := s.Prepare(ctx, req)
		if err != nil || result.Document.Markdown == nil {
			t.Fatalf("a patient page: %v", err)
		}
		if left, ok := ctx.Deadline(); !ok || time.Until(left) != time.Second {
			t.Errorf("%v are left", time.Until(left))
		}
		time.Sleep(2 * time.Second)
		if !errors.Is(ctx.Err(), context.DeadlineExceeded) {
			t.Errorf("after the time: %v", ctx.Err())
		}
		cancel()

		child, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		if _, err := s.Prepare(child, req); err == nil {
			t.Error("a page that somebody waits for waited for ever")
		}

		outer, stop := context.WithCancel(t.Context())
		ctx, cancel = source.Patiently(outer, time.Hour)
		defer cancel()
		inner, cancel2 := context.WithTimeout(ctx, time.Minute)
		defer cancel2()
		stop()
		<-inner.Done()
		if !errors.Is(ctx.Err(), context.Canceled) || !errors.Is(inner.Err(), context.Canceled) {
			t.Errorf("after the end of what it is part of: %v, %v", ctx.Err(), inner.Err())
		}
	})
}
