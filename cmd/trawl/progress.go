package main

import (
	"fmt"
	"io"
	"math"
	"os"
	"strings"
	"sync"
	"time"

	"golang.org/x/term"

	"github.com/trawlhq/trawl"
)

// How often progress is told, and over which time the speed is measured.
const (
	drawEvery  = 100 * time.Millisecond
	plainEvery = 5 * time.Second
	markEvery  = 500 * time.Millisecond
	markedFor  = 10 * time.Second
)

// progress tells how a crawl goes, or other work of many parts: on a terminal in one line that is written
// again and again in its place, elsewhere in a plain line every few seconds. The
// log goes through it, so that the two do not mix. It is safe for concurrent use.
type progress struct {
	now   func() time.Time
	width func() int // columns of the terminal; nil if it is none
	unit  string     // what is counted

	mu    sync.Mutex
	w     io.Writer
	line  string    // what stands on the terminal
	told  time.Time // when the last line was written
	marks []mark
}

// mark is how many pages were done at a time.
type mark struct {
	at   time.Time
	done int
}

func newProgress(w io.Writer, now func() time.Time) *progress {
	p := &progress{w: w, now: now, told: now(), unit: "pages"}
	if file, ok := w.(*os.File); ok && term.IsTerminal(int(file.Fd())) {
		p.width = func() int {
			columns, _, err := term.GetSize(int(file.Fd()))
			if err != nil {
				return 80
			}
			return columns
		}
	}
	return p
}

// show tells how the crawl is doing, unless it was told a moment ago.
func (p *progress) show(crawl *trawl.Job) {
	p.mu.Lock()
	defer p.mu.Unlock()
	now := p.now()
	done := crawl.Completed + crawl.Failed
	p.mark(now, done)
	every := plainEvery
	if p.width != nil {
		every = drawEvery
	}
	if now.Sub(p.told) < every {
		return
	}
	p.told = now
	line := progressLine(crawl, p.unit, p.rate(now, done))
	if p.width == nil {
		fmt.Fprintln(p.w, line)
		return
	}
	if most := p.width() - 1; most > 0 && len(line) > most {
		line = line[:most] // it is plain ASCII
	}
	p.line = line
	fmt.Fprint(p.w, "\r", line, eraseRest)
}

const eraseRest = "\x1b[K" // of the line, from the cursor on

// clear takes the line off the terminal.
func (p *progress) clear() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.line != "" {
		fmt.Fprint(p.w, "\r", eraseRest)
		p.line = ""
	}
}

// Write writes lines of a log above the line of progress.
func (p *progress) Write(text []byte) (int, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.line == "" {
		return p.w.Write(text)
	}
	fmt.Fprint(p.w, "\r", eraseRest)
	n, err := p.w.Write(text)
	fmt.Fprint(p.w, p.line)
	return n, err
}

// mark remembers how many pages are done, and forgets what is long past.
func (p *progress) mark(now time.Time, done int) {
	if n := len(p.marks); n > 0 && now.Sub(p.marks[n-1].at) < markEvery {
		return
	}
	p.marks = append(p.marks, mark{now, done})
	for len(p.marks) > 2 && now.Sub(p.marks[0].at) > markedFor {
		p.marks = p.marks[1:]
	}
}

// rate returns the pages a second of the last few seconds.
func (p *progress) rate(now time.Time, done int) float64 {
	first := p.marks[0]
	if passed := now.Sub(first.at).Seconds(); passed > 0 {
		return float64(done-first.done) / passed
	}
	return 0
}

// progressLine says how a crawl is doing that does so many units a second.
func progressLine(crawl *trawl.Job, unit string, rate float64) string {
	done := crawl.Completed + crawl.Failed
	switch {
	case crawl.Kind != trawl.KindExtract:
	case crawl.Total == 0:
		return "looking for pages"
	case done == crawl.Total:
		return "putting together what the pages say"
	}
	parts := []string{fmt.Sprintf("%s: %d/%d %s", crawl.State, done, crawl.Total, unit), fmt.Sprintf("%.1f/s", rate)}
	if crawl.Failed > 0 {
		parts = append(parts, fmt.Sprintf("%d failed", crawl.Failed))
	}
	if left := crawl.Total - done; left > 0 && rate > 0 {
		seconds := min(math.Ceil(float64(left)/rate), mostLeft.Seconds())
		parts = append(parts, "about "+shortDuration(time.Duration(seconds)*time.Second)+" left")
	}
	return strings.Join(parts, ", ")
}

// mostLeft is the longest time left that is told; anything beyond is a guess.
const mostLeft = 100 * 24 * time.Hour
