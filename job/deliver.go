package job

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"sync"
	"time"

	"github.com/riverqueue/river"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/store"
	"github.com/trawlhq/trawl/webhook"
)

// How the events of a job are delivered.
const (
	eventsAtATime = 64
	eventsAtOnce  = 8
	courierTime   = 30 * time.Second // then other jobs have their turn
	courierRest   = 3 * time.Second
)

// deliverWorker delivers the events of a job to its webhook: the first before all
// others, the last after all others, those about pages side by side.
type deliverWorker struct {
	river.WorkerDefaults[store.DeliverTask]
	engine *Engine
}

// Work implements river.Worker.
func (w *deliverWorker) Work(ctx context.Context, task *river.Job[store.DeliverTask]) error {
	e := w.engine
	var errand store.Errand
	err := persist(ctx, func() (err error) {
		errand, err = e.errand(ctx, task.Args.Job)
		return err
	})
	if err != nil {
		return handBack(ctx, err)
	}
	if errand.Courier != task.Args.Courier {
		return nil // it was over before, but a crash kept the queue from knowing
	}
	for end := e.Now().Add(courierTime); ctx.Err() == nil && e.Now().Before(end); {
		var wait time.Duration
		var done bool
		err := persist(ctx, func() (err error) {
			done, wait, err = e.deliverSome(ctx, &errand)
			return err
		})
		switch {
		case err != nil:
			return handBack(ctx, err)
		case done:
			return nil
		case wait > 0:
			return river.JobSnooze(min(wait, courierRest)) // new events may come meanwhile
		}
	}
	return river.JobSnooze(0)
}

// errand reads what is needed to deliver, and gives the team a secret to sign
// with if it has none.
func (e *Engine) errand(ctx context.Context, jobID string) (store.Errand, error) {
	errand, err := e.Store.Errand(ctx, jobID)
	if err != nil {
		return errand, err
	}
	if e.WebhookSecret != "" {
		errand.Secret = e.WebhookSecret
	}
	if errand.Secret == "" {
		errand.Secret, err = e.Store.SetWebhookSecret(ctx, errand.Job.TeamID, webhook.NewSecret())
	}
	return errand, err
}

// deliverSome makes one attempt at each of the events that are due. It reports
// whether there is nothing left at all, and how long nothing will be due.
func (e *Engine) deliverSome(ctx context.Context, errand *store.Errand) (done bool, wait time.Duration, err error) {
	pending, err := e.Store.PendingDeliveries(ctx, errand.Job.ID, eventsAtATime)
	if err != nil {
		return false, 0, err
	}
	if len(pending) == 0 {
		done, err = e.Store.EndErrand(ctx, errand.Job.TeamID, errand.Job.ID, errand.Courier)
		return done, 0, err
	}
	due, wait := dueOf(pending, e.Now())
	if len(due) == 0 {
		return false, wait, nil
	}
	attempts, err := e.attemptAll(ctx, errand, due)
	if len(attempts) == 0 {
		return false, 0, err
	}
	return false, 0, e.Store.RecordAttempts(context.WithoutCancel(ctx), errand.Job.ID, attempts)
}

// dueOf returns the events that may be delivered now, or how long to wait.
func dueOf(pending []store.PendingDelivery, now time.Time) (due []store.PendingDelivery, wait time.Duration) {
	if first := pending[0]; first.Event == trawl.EventStarted && first.Attempts == 0 {
		return pending[:1], 0
	}
	for _, d := range pending {
		last := d.Event != trawl.EventPage && d.Event != trawl.EventStarted
		switch {
		case last && len(pending) > 1:
		case d.NextAt.After(now):
			if left := d.NextAt.Sub(now); wait == 0 || left < wait {
				wait = left
			}
		default:
			due = append(due, d)
		}
	}
	return due, wait
}

// attemptAll makes one attempt at each event, some at once. Those that the end of
// the context or the want of the database interrupted do not count.
func (e *Engine) attemptAll(ctx context.Context, errand *store.Errand, due []store.PendingDelivery) ([]store.Attempt, error) {
	var mu sync.Mutex
	var attempts []store.Attempt
	var failed error
	var wg sync.WaitGroup
	slots := make(chan struct{}, eventsAtOnce)
	for _, d := range due {
		slots <- struct{}{}
		wg.Go(func() {
			defer func() { <-slots }()
			if ctx.Err() != nil {
				return
			}
			a, err := e.deliver(ctx, errand, d)
			if ctx.Err() != nil && !a.Delivered {
				return
			}
			mu.Lock()
			defer mu.Unlock()
			if failed = errors.Join(failed, err); err == nil {
				attempts = append(attempts, a)
			}
		})
	}
	wg.Wait()
	return attempts, errors.Join(failed, ctx.Err())
}

// deliver makes one attempt at an event. It fails if the event cannot be read now;
// one that is not there any more is given up.
func (e *Engine) deliver(ctx context.Context, errand *store.Errand, d store.PendingDelivery) (store.Attempt, error) {
	a := store.Attempt{Number: d.Number}
	body, err := e.eventBody(ctx, errand, d)
	if trawl.ErrorCode(err) == trawl.CodeNotFound {
		a.Error = "The document is not there any more."
		return a, nil
	}
	if err != nil {
		return a, err
	}
	hook := &errand.Webhook
	outcome := e.Webhooks.Send(ctx, webhook.Message{URL: hook.URL, Headers: hook.Headers, Secret: errand.Secret, ID: d.ID, Body: body})
	a.Status, a.Error, a.Delivered = outcome.Status, outcome.Error, outcome.Delivered()
	e.metrics.attempted(a.Delivered)
	if !a.Delivered {
		a.NextAt = e.retryAt(d, outcome)
	}
	return a, nil
}

// retryAt returns when an event is tried again, or the zero time.
func (e *Engine) retryAt(d store.PendingDelivery, outcome webhook.Outcome) time.Time {
	wait, again := webhook.Backoff(d.Attempts+1, outcome, rand.Float64())
	if !again {
		return time.Time{}
	}
	return e.Now().Add(wait)
}

// eventBody makes what is posted.
func (e *Engine) eventBody(ctx context.Context, errand *store.Errand, d store.PendingDelivery) ([]byte, error) {
	job := &errand.Job
	if job.Kind == trawl.KindMonitor {
		event, err := e.extension.Event(ctx, job, d)
		if err != nil {
			return nil, err
		}
		event.Job, event.ID, event.Metadata = job.ID, d.ID, errand.Webhook.Metadata
		return event.Body()
	}
	event := webhook.Event{
		Type: job.Kind + "." + d.Event, Job: job.ID, ID: d.ID, Success: true, Metadata: errand.Webhook.Metadata,
	}
	switch d.Event {
	case trawl.EventFailed:
		now, err := e.Store.Errand(ctx, job.ID) // it was running when this errand began
		if err != nil {
			return nil, err
		}
		event.Success, event.Error = false, now.Job.Error
	case trawl.EventCompleted:
		if job.Kind != trawl.KindExtract {
			break
		}
		data, err := e.extractionData(ctx, job.ID)
		if err != nil {
			return nil, err
		}
		event.Data = []json.RawMessage{data}
	case trawl.EventPage:
		data, err := e.pageData(ctx, job, d)
		if err != nil {
			return nil, err
		}
		event.Data = []json.RawMessage{data}
		if d.Seq == 0 {
			event.Success, event.Error = false, d.Failure.Text
		}
	}
	return event.Body()
}

// pageData returns the document of a page. Of a page that failed, and under zero
// data retention, where nobody but the caller can read the document, it only says
// which page it is about.
func (e *Engine) pageData(ctx context.Context, job *trawl.Job, d store.PendingDelivery) (json.RawMessage, error) {
	if d.Seq > 0 && !job.ZeroDataRetention {
		result, err := e.Store.Result(ctx, job.ID, d.Seq)
		if err != nil {
			return nil, err
		}
		return e.Store.JSON(result)
	}
	metadata := map[string]any{"sourceURL": d.URL}
	if d.Failure.Text != "" {
		metadata["error"] = d.Failure.Text
	}
	data, err := json.Marshal(map[string]any{"metadata": metadata})
	if err != nil {
		return nil, fmt.Errorf("describe page: %w", err)
	}
	return data, nil
}

// extractionData returns what an extract came to.
func (e *Engine) extractionData(ctx context.Context, jobID string) (json.RawMessage, error) {
	extraction, err := e.extraction(ctx, jobID)
	if err != nil {
		return nil, err
	}
	data, err := json.Marshal(struct {
		Success bool `json:"success"`
		*Extraction
	}{true, extraction})
	if err != nil {
		return nil, fmt.Errorf("describe extract: %w", err)
	}
	return data, nil
}
