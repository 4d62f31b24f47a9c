package scrape

import (
	"context"
	"sync/atomic"
	"time"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/gather"
	"github.com/trawlhq/trawl/store"
)

// How finished scrapes are stored: those that finish while one transaction runs
// share the next one, and as long as more are about to finish, it waits a moment
// for them.
const (
	mostPerCommit  = 128
	linger         = 2 * time.Millisecond
	commitAttempts = 4
	commitPause    = 50 * time.Millisecond // after the first failure, doubling
)

// committer stores finished scrapes in batches.
type committer struct {
	store     Store
	retention time.Duration
	now       func() time.Time
	queue     *gather.Queue[pending]
}

type pending struct {
	item   store.Finished
	result chan<- error
}

func startCommitter(config *Config, active *atomic.Int64) *committer {
	c := &committer{store: config.Store, retention: config.Retention, now: config.Now}
	c.queue = gather.Start(gather.Config[pending]{Most: mostPerCommit, Linger: linger, Active: active, Commit: c.commit})
	return c
}

// settle charges for the document, records it and stores the page in the cache.
// Work that is done is paid for: from here on the caller hanging up changes nothing.
func (c *committer) settle(ctx context.Context, plan *Plan, result *Result) error {
	now, m := c.now(), &result.Document.Metadata
	kind, target := "scrape", trawl.WithoutPassword(plan.URL)
	if plan.Upload {
		kind, target = "parse", plan.URL
	}
	done := store.Finished{Page: result.Cached, Version: result.Version, Files: result.Files, Charge: trawl.Charge{
		ID: m.ScrapeID, TeamID: plan.Caller.Team.ID, KeyID: plan.Caller.Key.ID, Kind: kind, Credits: m.CreditsUsed, At: now,
	}}
	if !plan.Discard {
		done.Record = &store.Record{
			ID: m.ScrapeID, TeamID: plan.Caller.Team.ID, KeyID: plan.Caller.Key.ID, Endpoint: kind, Target: target,
			Head: result.Head, Tail: result.Document.Own(), CreatedAt: now, ExpiresAt: now.Add(c.retention),
		}
	}
	return c.finish(context.WithoutCancel(ctx), done)
}

// stop waits until everything that was taken on is stored. What comes later is
// refused.
func (c *committer) stop() { c.queue.Stop() }

// finish stores one scrape and returns when it is on disk.
func (c *committer) finish(ctx context.Context, item store.Finished) error {
	result := make(chan error, 1)
	if c.queue.Put(ctx, pending{item, result}) {
		return <-result
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	return trawl.Errorf(trawl.CodeUnavailable, "The server is shutting down.")
}

// commit tries a batch again when the database does not take it, so that a
// short outage costs time and not the work.
func (c *committer) commit(batch []pending) {
	items := make([]store.Finished, len(batch))
	for i, p := range batch {
		items[i] = p.item
	}
	pause := commitPause
	var errs []error
	var err error
	for attempt := range commitAttempts {
		if attempt > 0 {
			time.Sleep(pause)
			pause *= 2
		}
		if errs, err = c.store.Finish(context.Background(), items); err == nil {
			break
		}
	}
	for i, p := range batch {
		if err != nil {
			p.result <- trawl.Wrap(trawl.CodeUnknown, "The result could not be stored.", err)
		} else {
			p.result <- errs[i]
		}
	}
}
