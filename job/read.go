package job

import (
	"context"
	"runtime"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/trawlhq/trawl"
)

// How many documents one answer has, and how much JSON.
const (
	mostAtOnce    = 1000
	mostDocuments = 10 << 20
)

// readGrace is how long a job under zero data retention can still be read after
// all of it was.
const readGrace = 5 * time.Minute

// Document is the JSON of a document.
type Document []byte

// Job returns a job of the team; CodeNotFound if it has none, or not any more.
func (e *Engine) Job(ctx context.Context, teamID, kind, id string) (trawl.Job, error) {
	return e.Store.Job(ctx, teamID, kind, id)
}

// Documents returns documents of a job behind the given number of them: at most
// limit, at most 1000 and at most 10 MiB, but at least one if there is one. Under zero data
// retention it takes the API key that started the job, and a job that is over
// expires soon after its last document was read.
func (e *Engine) Documents(ctx context.Context, job *trawl.Job, secret string, skip, limit int) ([]Document, error) {
	results, err := e.Store.Results(ctx, job.ID, skip, min(limit, mostAtOnce), mostDocuments)
	if err != nil {
		return nil, err
	}
	docs := make([]Document, len(results))
	group := errgroup.Group{}
	group.SetLimit(runtime.GOMAXPROCS(0))
	for i, r := range results {
		group.Go(func() (err error) {
			if job.ZeroDataRetention {
				docs[i], err = unseal(secret, job.ID, r.Head)
			} else {
				docs[i], err = e.Store.JSON(r)
			}
			return err
		})
	}
	if err := group.Wait(); err != nil {
		return nil, err
	}
	if job.ZeroDataRetention && job.Done() && skip+len(docs) >= job.Completed {
		err = e.Store.ExpireSoon(ctx, job.ID, e.Now().Add(readGrace).UnixMilli())
	}
	return docs, err
}

// Cancel ends a job; CodeConflict if it is over already.
func (e *Engine) Cancel(ctx context.Context, teamID, kind, id string) error {
	if err := e.Store.CancelJob(ctx, teamID, kind, id); err != nil {
		return err
	}
	e.specs.cancel(id)
	e.hub.tell(id)
	return nil
}

// Active returns the crawls of a team that run.
func (e *Engine) Active(ctx context.Context, teamID string) ([]trawl.Job, error) {
	return e.Store.ActiveJobs(ctx, teamID, trawl.KindCrawl)
}

// Errors returns the pages of a job that failed, and the addresses that
// robots.txt forbids.
func (e *Engine) Errors(ctx context.Context, jobID string) (failed []trawl.PageError, robots []string, err error) {
	return e.Store.PageErrors(ctx, jobID)
}

// Explain lists the addresses that a job has seen with their fates, and counts
// them. The cursor continues the list and is empty at its end.
func (e *Engine) Explain(ctx context.Context, jobID, fate, cursor string, limit int) (list []trawl.Sighting, next string, counts map[string]int, err error) {
	if list, next, err = e.Store.Sightings(ctx, jobID, fate, cursor, limit); err == nil {
		counts, err = e.Store.Fates(ctx, jobID)
	}
	return list, next, counts, err
}

// Deliveries returns the log of what was sent to the webhook of a job.
func (e *Engine) Deliveries(ctx context.Context, jobID string, after, limit int) ([]trawl.Delivery, error) {
	return e.Store.Deliveries(ctx, jobID, after, limit)
}

// Replay delivers an event of a job again, or all that failed if no id is given,
// and returns how many that are.
func (e *Engine) Replay(ctx context.Context, teamID, jobID, deliveryID string) (int, error) {
	return e.Store.Replay(ctx, teamID, jobID, deliveryID)
}

// Usage returns how many pages of a team's jobs run and how many wait.
func (e *Engine) Usage(ctx context.Context, teamID string) (running, queued int, err error) {
	return e.Store.JobUsage(ctx, teamID)
}
