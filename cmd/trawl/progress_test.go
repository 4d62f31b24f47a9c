package main

import (
	"bytes"
	"testing"
	"time"

	"github.com/trawlhq/trawl"
)

func TestProgressLine(t *testing.T) {
	t.Parallel()
	tests := []struct {
		crawl trawl.Job
		rate  float64
		want  string
	}{
		{trawl.Job{State: "scraping", Total: 1}, 0, "scraping: 0/1 pages, 0.0/s"},
		{trawl.Job{State: "scraping", Total: 100, Completed: 8, Failed: 2}, 1.5, "scraping: 10/100 pages, 1.5/s, 2 failed, about 1m left"},
		{trawl.Job{State: "scraping", Total: 11, Completed: 10}, 100, "scraping: 10/11 pages, 100.0/s, about 1s left"},
		{trawl.Job{State: "scraping", Total: 1e8}, 1e-9, "scraping: 0/100000000 pages, 0.0/s, about 2400h left"},
		{trawl.Job{State: "completed", Total: 7, Completed: 7}, 3, "completed: 7/7 pages, 3.0/s"},
	}
	for _, tt := range tests {
		if got := progressLine(&tt.crawl, "pages", tt.rate); got != tt.want {
			t.Errorf("%+v: %q, want %q", tt.crawl, got, tt.want)
		}
	}
}

// clock is a time that tests set.
type clock struct{ at time.Time }

func (c *clock) now() time.Time          { return c.at }
func (c *clock) advance(d time.Duration) { c.at = c.at.Add(d) }

// TestProgressTerminal looks at what a terminal gets: one line in its place, cut
// to the width, with the log above it.
func TestProgressTerminal(t *testing.T) {
	t.Parallel()
	var w bytes.Buffer
	c := &clock{at: time.Unix(1, 0)}
	p := newProgress(&w, c.now)
	p.width = func() int { return 37 }
	expect := func(want string) {
		t.Helper()
		if got := w.String(); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
		w.Reset()
	}

	p.show(&trawl.Job{State: "scraping", Total: 9})
	expect("") // it has only just begun
	c.advance(time.Second)
	p.show(&trawl.Job{State: "scraping", Total: 9, Completed: 3})
	expect("\rscraping: 3/9 pages, 3.0/s, about 2s\x1b[K")
	_, _ = p.Write([]byte("careful\n"))
	expect("\r\x1b[Kcareful\nscraping: 3/9 pages, 3.0/s, about 2s")
	c.advance(time.Millisecond)
	p.show(&trawl.Job{State: "scraping", Total: 9, Completed: 4})
	expect("")

	for range 100 { // the speed is that of the last seconds
		c.advance(time.Second)
		p.show(&trawl.Job{State: "scraping", Total: 9, Completed: 4})
	}
	w.Reset()
	c.advance(time.Second)
	p.show(&trawl.Job{State: "scraping", Total: 9, Completed: 9})
	expect("\rscraping: 9/9 pages, 0.5/s\x1b[K")
	p.clear()
	p.clear()
	expect("\r\x1b[K")
	_, _ = p.Write([]byte("done\n"))
	expect("done\n")
}

// TestProgressPlain looks at what a file gets: a line every few seconds.
func TestProgressPlain(t *testing.T) {
	t.Parallel()
	var w bytes.Buffer
	c := &clock{at: time.Unix(1, 0)}
	p := newProgress(&w, c.now)
	for i := range 12 {
		p.show(&trawl.Job{State: "scraping", Total: 20, Completed: i})
		c.advance(time.Second)
	}
	p.clear()
	want := "scraping: 5/20 pages, 1.0/s, about 15s left\nscraping: 10/20 pages, 1.0/s, about 10s left\n"
	if got := w.String(); got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
