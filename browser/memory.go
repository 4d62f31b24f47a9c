package browser

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/browser/chromium"
)

const (
	// watchEvery is how often the memory of a browser's processes is looked at.
	watchEvery = 250 * time.Millisecond

	// How long a page that was closed may take to give its memory back, and how often
	// that is looked at.
	relief     = 2 * time.Second
	relieveGap = 20 * time.Millisecond

	// growth is the share of its memory by which a browser has grown if a page in it
	// still takes more, farTooMuch that beyond which it ends at once.
	growth     = 0.1
	farTooMuch = 3
)

// memory is what pages may take, in bytes unless it says otherwise.
type memory struct {
	heap   int   // megabytes of what the scripts of a page keep
	page   int64 // a process that runs pages: pictures, buffers, the tree as well
	main   int64 // the main process of a browser, which then takes no more pages
	shared int64 // a process that works for all pages, the main one among them
	tree   int64 // all processes of a browser with one page
	more   int64 // and for each further page
}

var usualMemory = memory{heap: 512, page: 1 << 30, main: 768 << 20, shared: 1 << 30, tree: 2 << 30, more: 512 << 20}

// share returns how much a browser takes of what it may with so many pages, apart
// from single processes of pages. More than 1 is too much.
func (m memory) share(use chromium.Memory, pages int) float64 {
	largest, tree := max(use.Main, chromium.Largest(use.Helpers).Bytes), m.tree+int64(max(pages-1, 0))*m.more
	return max(float64(largest)/float64(m.shared), float64(use.All)/float64(tree))
}

// relieved reports whether so much was given back, by the end of one page, that
// this page took too much.
func (m memory) relieved(before, after chromium.Memory) bool {
	return before.Main-after.Main >= m.shared/2 || before.All-after.All >= m.tree/2 ||
		chromium.Largest(before.Helpers).Bytes-chromium.Largest(after.Helpers).Bytes >= m.shared/2
}

// grown reports whether a browser takes so much more after the end of a page that
// another page must still be taking it.
func (m memory) grown(before, after chromium.Memory, pages int) bool {
	return m.share(after, pages) > m.share(before, pages)+growth
}

// errSuspect is the failure of a page that was closed because its browser took too
// much memory, and that may not have been the cause. It is opened again alone.
var errSuspect = fmt.Errorf("its memory ran out: %w", errLost)

// errHoards is the failure of a page that takes too much memory, and would again.
func errHoards() error {
	return trawl.Errorf(trawl.CodeSite, "The page takes more memory than it may.")
}

// trial is what a page waits for that was closed because its browser took too much
// memory: whether it was the cause.
type trial struct {
	over   chan struct{}
	guilty bool // once over
}

// watch ends pages that take too much memory, and retires a browser that has
// grown, until the browser ends.
func (p *Pool) watch(r *running) {
	ticker := time.NewTicker(watchEvery)
	defer ticker.Stop()
	for {
		select {
		case <-r.process.Exited():
			p.mu.Lock()
			if !r.retired {
				p.config.Log.Warn("browser is gone", "program", r.program)
			}
			p.retire(r)
			p.end(r)
			p.mu.Unlock()
			return
		case <-ticker.C:
		}
		p.mu.Lock()
		busy := r.open > 0 && !p.closed
		p.mu.Unlock()
		if busy {
			p.inspect(r)
		}
	}
}

// inspect looks at the memory of a browser once.
func (p *Pool) inspect(r *running) {
	use := r.process.Memory()
	if chromium.End(use.Pages, p.memory.page) > 0 {
		p.config.Log.Warn("a page takes too much memory and is ended")
		p.mu.Lock()
		r.hoarded = time.Now()
		p.mu.Unlock()
		return // the rest is looked at without it
	}
	p.mu.Lock()
	pages := r.open
	if use.Main > p.memory.main && !r.retired {
		p.recycled++
		p.retire(r)
	}
	p.mu.Unlock()
	if p.memory.share(use, pages) > 1 {
		p.config.Log.Warn("a browser takes too much memory and pages of it are closed", "program", r.program, "bytes", use.All)
		p.relieve(r, use, pages)
	}
}

// relieve closes pages of a browser that takes too much memory, the newest first,
// until it does not any more. Which page is the cause the browser does not tell, so
// it is the one whose end gives the memory back. If none does, or there is no time
// to find out, the browser ends. A page that is alone in it needs no proof.
func (p *Pool) relieve(r *running, before chromium.Memory, pages int) {
	for !r.alone && p.memory.share(before, pages) < farTooMuch {
		t := p.suspect(r)
		if t == nil {
			break
		}
		pages--
		t.expel()
		after := p.await(r, before, pages)
		p.judge(t, p.memory.relieved(before, after))
		if p.memory.share(after, pages) <= 1 {
			return
		}
		before = after
	}
	p.condemn(r)
}

// await looks at a browser until the end of a page shows, for a moment at most. That
// its memory is within bounds does not end it: it may be on the way back.
func (p *Pool) await(r *running, before chromium.Memory, pages int) (after chromium.Memory) {
	for began := time.Now(); ; {
		after = r.process.Memory()
		if p.memory.relieved(before, after) || p.memory.grown(before, after, pages) || time.Since(began) > relief {
			return after
		}
		select {
		case <-r.process.Exited():
			return after
		case <-time.After(relieveGap):
		}
	}
}

// suspect returns the next page of a browser that goes on trial; nil if all are.
// Pages in which something was done cannot be opened again, and come last.
func (p *Pool) suspect(r *running) (next *tab) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, t := range slices.Backward(r.tabs) {
		if t.trial == nil && (next == nil || next.acted.Load() && !t.acted.Load()) {
			next = t
		}
	}
	if next != nil {
		next.trial = &trial{over: make(chan struct{})}
	}
	return next
}

// judge ends the trial of a page.
func (p *Pool) judge(t *tab, guilty bool) {
	t.trial.guilty = guilty
	close(t.trial.over)
}

// condemn ends a browser with the pages that are left in it.
func (p *Pool) condemn(r *running) {
	for t := p.suspect(r); t != nil; t = p.suspect(r) {
		p.judge(t, r.alone)
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.retire(r)
	p.end(r)
}

// host adds a page to those of a browser: from now on it may take memory.
func (p *Pool) host(r *running, t *tab) {
	p.mu.Lock()
	defer p.mu.Unlock()
	r.tabs = append(r.tabs, t)
}

// forget takes a page that is closed from those of a browser.
func (p *Pool) forget(r *running, t *tab) {
	p.mu.Lock()
	defer p.mu.Unlock()
	r.tabs = slices.DeleteFunc(r.tabs, func(other *tab) bool { return other == t })
}

// blame finds out whether a page failed because of the memory it took.
func (p *Pool) blame(ctx context.Context, r *running, t *tab, began time.Time, err error) error {
	p.mu.Lock()
	trial, hoarded := t.trial, r.hoarded.After(began)
	p.mu.Unlock()
	if trial == nil {
		if errors.Is(err, errCrashed) && hoarded {
			return errHoards()
		}
		return err
	}
	select {
	case <-trial.over:
	case <-ctx.Done():
		return ctx.Err()
	}
	if trial.guilty {
		return errHoards()
	}
	return fmt.Errorf("%w: %w", errSuspect, err)
}
