package scrape

import (
	"context"
	"encoding/json"
	"errors"
	"sync/atomic"
	"time"

	"github.com/google/uuid"

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

	failurePatience = 5 * time.Second // that the record of a failure may take to be taken
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
	m := &result.Document.Metadata
	record := c.record(plan, m.ScrapeID)
	record.Head, record.Tail, record.Credits = result.Head, result.Document.Own(), m.CreditsUsed
	done := store.Finished{Page: result.Cached, Version: result.Version, Files: result.Files, Charge: trawl.Charge{
		ID: m.ScrapeID, TeamID: record.TeamID, KeyID: record.KeyID, Kind: record.Endpoint, Credits: m.CreditsUsed, At: record.CreatedAt,
	}}
	if !plan.Discard {
		done.Record = record
	}
	return c.finish(context.WithoutCancel(ctx), done)
}

// fail records that a scrape failed. The caller does not wait until that is stored, only
// until it is taken, and not long for that. What was refused before it began is not
// worth a record.
func (c *committer) fail(plan *Plan, err error) {
	code := trawl.ErrorCode(err)
	if plan.Discard || errors.Is(err, context.Canceled) || code == trawl.CodePayment || code == trawl.CodeFileType && plan.Upload {
		return
	}
	id, err := uuid.NewV7()
	if err != nil {
		return
	}
	record := c.record(plan, id.String())
	record.Code = code
	failed := store.Finished{Charge: trawl.Charge{TeamID: record.TeamID}, Record: record}
	ctx, cancel := context.WithTimeout(context.Background(), failurePatience)
	defer cancel()
	c.queue.Put(ctx, pending{failed, make(chan error, 1)})
}

// record says what a scrape was about, who asked for it and how long it took.
func (c *committer) record(plan *Plan, id string) *store.Record {
	now := c.now()
	r := &store.Record{
		ID: id, TeamID: plan.Caller.Team.ID, KeyID: plan.Caller.Key.ID, Endpoint: "scrape", Target: trawl.WithoutPassword(plan.URL),
		Duration: plan.Waited + now.Sub(plan.Began), CreatedAt: now, ExpiresAt: now.Add(c.retention),
	}
	if replay, err := json.Marshal(plan.replay); err == nil && plan.replay.URL != "" {
		r.Replay = string(replay)
	}
	if plan.Upload {
		r.Replay = ""
		r.Endpoint, r.Target = "parse", plan.URL
	}
	return r
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
