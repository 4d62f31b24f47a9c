package job

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"time"

	"github.com/riverqueue/river"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/store"
)

// How a page is tried. A task that was handed out again this often may hold a
// page that ends the process: its pages are then scraped one by one, and each of
// those attempts is noted before it is made.
const (
	mostTogether = 3
	mostAlone    = 8  // a process may end for other reasons, and often
	mostWaiting  = 20 // of what waits for a language model, which takes longer

	unstoredPause = time.Second // before a page that could not be stored is scraped again
)

// pageWorker scrapes pages that were admitted together.
type pageWorker struct {
	river.WorkerDefaults[store.PageTask]
	engine *Engine
}

// run is a page of a job that is being scraped on this node.
type run struct {
	*spec
	page store.Page
	base string // where the crawl starts, as far as that is known
}

// Work implements river.Worker.
func (w *pageWorker) Work(ctx context.Context, task *river.Job[store.PageTask]) error {
	e := w.engine
	var base string
	var pages []store.Page
	var s *spec
	err := persist(ctx, func() (err error) {
		if base, pages, err = e.Store.RunningPages(ctx, task.Args.Job, task.Args.Pages); err != nil || len(pages) == 0 {
			return err
		}
		s, err = e.spec(ctx, task.Args.Job)
		return err
	})
	if err != nil || len(pages) == 0 {
		return handBack(ctx, err)
	}
	scrape := e.runTogether
	if task.Attempt > mostTogether {
		scrape = e.runAlone
	}
	var wg sync.WaitGroup
	var left atomic.Bool // a page could not be stored
	for _, page := range pages {
		wg.Go(func() {
			if !scrape(ctx, run{s, page, base}) {
				left.Store(true)
			}
		})
	}
	wg.Wait()
	if left.Load() && ctx.Err() == nil {
		return river.JobSnooze(unstoredPause)
	}
	return handBack(ctx, nil)
}

// handBack returns the result of a task: when the node stops before it is done,
// another takes it over at once.
func handBack(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return river.JobSnooze(0)
	}
	if trawl.ErrorCode(err) == trawl.CodeNotFound {
		return nil // the job is gone, and with it the task
	}
	return err
}

// persist does what needs the database until it works or the context ends: an
// outage costs time and nothing else. It is not left to River to try again, which
// would need the database to note that.
func persist(ctx context.Context, f func() error) error {
	pause := 50 * time.Millisecond
	for {
		err := f()
		var known *trawl.Error
		if err == nil || errors.As(err, &known) || !sleep(ctx, pause) {
			return err
		}
		pause = min(2*pause, 2*time.Second)
	}
}

// runTogether scrapes a page beside others and reports whether what became of it is
// stored.
func (e *Engine) runTogether(ctx context.Context, r run) bool { return e.finish(ctx, r, e.retry) }

// runAlone scrapes a page while no other suspect is scraped. Those of extracts do
// not wait for each other: they mostly wait for a language model.
func (e *Engine) runAlone(ctx context.Context, r run) bool {
	if r.extract == nil {
		e.alone.Lock()
		defer e.alone.Unlock()
	}
	return e.finish(ctx, r, e.suspect)
}

// finish stores what an attempt at a page, made when its turn has come, says has
// become of it, and reports whether it did. If the context ends before, nothing is
// stored.
func (e *Engine) finish(ctx context.Context, r run, attempt func(context.Context, run) outcome) bool {
	if !sleep(ctx, min(r.page.StartAt.Sub(e.Now()), 2*trawl.MaxDelay*time.Second)) { // if more is left, the clock went back
		return false
	}
	select {
	case e.slots <- struct{}{}:
	case <-ctx.Done():
		return false
	}
	ctx, done := r.begin(ctx, r.page.Number)
	defer done()
	e.commits.active.Add(1)
	defer e.commits.active.Add(-1)
	if r.ZeroDataRetention {
		ctx = trawl.Discreetly(ctx)
	}
	o := attempt(ctx, r)
	defer o.release()
	<-e.slots
	return ctx.Err() == nil && e.commits.finish(r.spec, o)
}

// suspect scrapes a page that may have ended its process, and notes that before:
// one that did so again and again fails. The note is made at the last moment, since
// a process that ends for another reason must not be held against pages that only
// wait.
func (e *Engine) suspect(ctx context.Context, r run) outcome {
	most := mostAlone
	if r.extract != nil {
		most = mostWaiting
	}
	var attempts int
	err := persist(ctx, func() (err error) {
		attempts, err = e.Store.CountAttempt(ctx, r.ID, r.page.Number)
		return err
	})
	if err == nil && attempts > most {
		e.Log.Error("a page ended the process again and again", "job", r.ID, "page", r.page.Number)
		o := r.outcome()
		o.Failure = &store.Failure{Code: trawl.CodeCrashed, Text: "The page could not be scraped: every attempt ended the process."}
		return o
	}
	return e.retry(ctx, r)
}

// retry scrapes a page, and again when it failed for want of the database: that is
// not the page's fault. It is only if the database was well before and after.
func (e *Engine) retry(ctx context.Context, r run) (o outcome) {
	well := false
	_ = persist(ctx, func() (err error) {
		o.release()
		if o, err = e.attempt(ctx, r); err == nil {
			return nil
		}
		before := well
		well = !store.InTrouble(err) && e.Store.Ping(ctx) == nil
		if before && well {
			e.Log.Error("page failed", "job", r.ID, "page", r.page.Number, "err", err)
			return nil
		}
		return err
	})
	return o
}
