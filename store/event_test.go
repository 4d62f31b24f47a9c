package store_test

import (
	"context"
	"fmt"
	"log/slog"
	"slices"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/riverqueue/river"
	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/internal/testtime"
	"github.com/trawlhq/trawl/store"
)

const hookURL = "https://hook.test/"

// hooked gives a job a webhook for some events; none means all.
func hooked(job store.NewJob, events ...string) store.NewJob {
	job.Webhook = &trawl.Webhook{URL: hookURL, Events: events}
	job.Request = []byte(`{"webhook":{"url":"` + hookURL + `","metadata":{"a":1}}}`)
	return job
}

func (r *rig) wantEvents(t testing.TB, job store.NewJob, want ...string) {
	t.Helper()
	var got []string
	for i, d := range must[[]trawl.Delivery](t)(r.Deliveries(context.Background(), job.ID, 0, 100)) {
		if d.Number != i+1 || d.ID == "" || d.CreatedAt.IsZero() {
			t.Errorf("event %d: %+v", i+1, d)
		}
		got = append(got, d.Type)
	}
	if !slices.Equal(got, want) {
		t.Errorf("events %v, want %v", got, want)
	}
}

// couriers counts the tasks that deliver events of a job.
func (r *rig) couriers(t testing.TB, job store.NewJob) (count int) {
	t.Helper()
	for _, task := range r.tasks(t, job) {
		if task.kind == (store.DeliverTask{}).Kind() {
			count++
		}
	}
	return count
}

func (r *rig) deliver(t testing.TB, job store.NewJob, attempts ...store.Attempt) {
	t.Helper()
	if err := r.RecordAttempts(context.Background(), job.ID, attempts); err != nil {
		t.Fatal(err)
	}
}

func (r *rig) wantEnded(t testing.TB, job store.NewJob, want bool) {
	t.Helper()
	ctx := context.Background()
	courier := must[store.Errand](t)(r.Errand(ctx, job.ID)).Courier
	if got := must[bool](t)(r.EndErrand(ctx, job.TeamID, job.ID, courier)); got != want {
		t.Errorf("errand ended: %v, want %v", got, want)
	}
}

func TestEvents(t *testing.T) {
	conformCases(t, []jobCase{
		{"from start to end", func(t *testing.T, r *rig) {
			ctx := context.Background()
			job := r.create(t, hooked(batch(r.crew(t, 2, -1), 3)))
			r.wantEvents(t, job, "batch_scrape.started")
			r.finish(t, failed(job, 2), done(job, 1))
			r.finish(t, done(job, 1), done(job, 3))
			r.wantEvents(t, job, "batch_scrape.started", "batch_scrape.page", "batch_scrape.page", "batch_scrape.page", "batch_scrape.completed")
			list := must[[]store.PendingDelivery](t)(r.PendingDeliveries(ctx, job.ID, 100))
			if len(list) != 5 || list[0].Event != trawl.EventStarted || list[4].Event != trawl.EventCompleted {
				t.Fatalf("pending %+v", list)
			}
			if d := list[1]; d.Number != 2 || d.Seq != 1 || d.Page != 1 || d.URL != site+"batch/1" || d.Failure.Code != "" {
				t.Errorf("a document: %+v", d)
			}
			if d := list[2]; d.Seq != 0 || d.URL != site+"batch/2" || d.Failure != (store.Failure{Code: trawl.CodeTimeout, Text: "too slow"}) {
				t.Errorf("a failure: %+v", d)
			}
			if some := must[[]store.PendingDelivery](t)(r.PendingDeliveries(ctx, job.ID, 2)); len(some) != 2 || some[1].ID != list[1].ID {
				t.Errorf("the first two: %+v", some)
			}
			if some := must[[]trawl.Delivery](t)(r.Deliveries(ctx, job.ID, 3, 1)); len(some) != 1 || some[0].Number != 4 {
				t.Errorf("the fourth: %+v", some)
			}
		}},
		{"only those that are wanted", func(t *testing.T, r *rig) {
			crew := r.crew(t, 9, 1)
			silent := r.create(t, batch(crew, 1))
			pages := r.create(t, hooked(crawl(crew, 5), "page"))
			ends := r.create(t, hooked(batch(crew, 2), "completed", "batch_scrape.failed", "cancelled"))
			cancelled := r.create(t, hooked(batch(crew, 2), "started", "cancelled"))
			r.finish(t, failed(silent, 1), failed(pages, 1), failed(ends, 1))
			r.finish(t, done(ends, 2))
			if err := r.CancelJob(context.Background(), crew.ID, cancelled.Kind, cancelled.ID); err != nil {
				t.Fatal(err)
			}
			r.wantEvents(t, silent)
			r.wantEvents(t, pages, "crawl.page")
			r.wantEvents(t, ends, "batch_scrape.completed")
			r.wantEvents(t, cancelled, "batch_scrape.started", "batch_scrape.cancelled")
			if n := r.couriers(t, silent); n != 0 {
				t.Errorf("%d tasks without a webhook", n)
			}
			unpaid := r.create(t, hooked(batch(crew, 1), "completed", "failed"))
			r.finish(t, done(unpaid, 1))
			r.wantEvents(t, unpaid, "batch_scrape.failed")
		}},
		{"of a job that ends as it starts", func(t *testing.T, r *rig) {
			job := newJob(r.crew(t, 9, -1), trawl.KindCrawl)
			job.Denied = &store.Failure{Code: trawl.CodeCrawlDenial}
			r.wantEvents(t, r.create(t, hooked(job)), "crawl.started", "crawl.completed")
		}},
		{"not of pages that do not count", func(t *testing.T, r *rig) {
			job := r.create(t, hooked(crawl(r.crew(t, 9, -1), 9)))
			r.finish(t, done(job, 1, link("a"), link("b")))
			r.finish(t, forbidden(job, 2), redirected(job, 3, "a"))
			r.wantEvents(t, job, "crawl.started", "crawl.page", "crawl.completed")
		}},
	})
}

func TestDeliveries(t *testing.T) {
	conformCases(t, []jobCase{
		{"by one task at a time", func(t *testing.T, r *rig) {
			job := r.create(t, hooked(batch(r.crew(t, 9, -1), 2)))
			r.finish(t, done(job, 1))
			if n := r.couriers(t, job); n != 1 {
				t.Fatalf("%d tasks", n)
			}
			r.wantEnded(t, job, false)
			r.deliver(t, job, store.Attempt{Number: 1, Status: 200, Delivered: true}, store.Attempt{Number: 2, Status: 500, NextAt: r.clock.Now().Add(time.Minute)})
			r.wantEnded(t, job, false)
			r.deliver(t, job, store.Attempt{Number: 2, Status: 200, Delivered: true})
			r.wantEnded(t, job, true)
			r.finish(t, done(job, 2)) // two events, and a new task
			if n := r.couriers(t, job); n != 2 {
				t.Errorf("%d tasks", n)
			}
			r.wantEnded(t, job, false)
		}},
		{"with a log", func(t *testing.T, r *rig) {
			ctx := context.Background()
			job := r.create(t, hooked(batch(r.crew(t, 9, -1), 2)))
			r.finish(t, done(job, 1), done(job, 2))
			now, soon := r.clock.Now(), r.clock.Now().Add(time.Minute)
			r.deliver(t, job, store.Attempt{Number: 2, Error: "refused", NextAt: soon}, store.Attempt{Number: 4, Status: 410, Error: "gone"})
			log := must[[]trawl.Delivery](t)(r.Deliveries(ctx, job.ID, 0, 10))
			if d := log[1]; d.State != trawl.DeliveryPending || d.Attempts != 1 || d.Error != "refused" || !d.LastAt.Equal(now) || !d.NextAt.Equal(soon) {
				t.Errorf("to be repeated: %+v", d)
			}
			if d := log[2]; d.State != trawl.DeliveryPending || d.Attempts != 0 || d.URL != site+"batch/2" || !d.LastAt.IsZero() {
				t.Errorf("not attempted: %+v", d)
			}
			if d := log[3]; d.State != trawl.DeliveryFailed || d.Attempts != 1 || d.Status != 410 || !d.NextAt.IsZero() {
				t.Errorf("given up: %+v", d)
			}
			pending := must[[]store.PendingDelivery](t)(r.PendingDeliveries(ctx, job.ID, 10))
			var order []int64
			for _, d := range pending {
				order = append(order, d.Number)
			}
			if !slices.Equal(order, []int64{1, 3, 2}) || pending[2].Attempts != 1 || !pending[2].NextAt.Equal(soon) {
				t.Errorf("pending %+v", pending)
			}
			r.deliver(t, job, store.Attempt{Number: 4, Delivered: true}) // too late
			if d := must[[]trawl.Delivery](t)(r.Deliveries(ctx, job.ID, 3, 10))[0]; d.State != trawl.DeliveryFailed || d.Attempts != 1 {
				t.Errorf("given up, then delivered: %+v", d)
			}
		}},
		{"again", func(t *testing.T, r *rig) {
			ctx := context.Background()
			crew := r.crew(t, 9, -1)
			job := r.create(t, hooked(batch(crew, 1)))
			r.finish(t, done(job, 1))
			r.deliver(t, job, store.Attempt{Number: 1, Delivered: true}, store.Attempt{Number: 2, Status: 500}, store.Attempt{Number: 3, Status: 500})
			r.wantEnded(t, job, true)
			before := must[[]trawl.Delivery](t)(r.Deliveries(ctx, job.ID, 0, 10))
			replay := func(team, id string, want int) {
				t.Helper()
				if got := must[int](t)(r.Replay(ctx, team, job.ID, id)); got != want {
					t.Errorf("%d deliveries again, want %d", got, want)
				}
			}
			replay(r.crew(t, 9, -1).ID, "", 0)
			_, err := r.Replay(ctx, crew.ID, job.ID, uuid.NewString())
			wantCode(t, err, trawl.CodeNotFound)
			if n := r.couriers(t, job); n != 1 {
				t.Errorf("%d tasks", n)
			}
			replay(crew.ID, "", 2)
			replay(crew.ID, "", 0)
			replay(crew.ID, before[0].ID, 1)
			replay(crew.ID, before[0].ID, 0)
			if n := r.couriers(t, job); n != 2 {
				t.Errorf("%d tasks", n)
			}
			for i, d := range must[[]trawl.Delivery](t)(r.Deliveries(ctx, job.ID, 0, 10)) {
				if d.ID != before[i].ID || d.State != trawl.DeliveryPending || d.Attempts != 0 {
					t.Errorf("event %d: %+v", i+1, d)
				}
			}
		}},
		{"with what they need", func(t *testing.T, r *rig) {
			ctx := context.Background()
			job := r.create(t, hooked(batch(r.crew(t, 9, -1), 1)))
			if got := must[string](t)(r.SetWebhookSecret(ctx, job.TeamID, "first")); got != "first" {
				t.Errorf("secret %q", got)
			}
			if got := must[string](t)(r.SetWebhookSecret(ctx, job.TeamID, "second")); got != "first" {
				t.Errorf("secret %q", got)
			}
			errand := must[store.Errand](t)(r.Errand(ctx, job.ID))
			if errand.Job.ID != job.ID || errand.Secret != "first" || errand.Webhook.URL != hookURL || fmt.Sprint(errand.Webhook.Metadata) != "map[a:1]" {
				t.Errorf("errand %+v", errand)
			}
			_, err := r.Errand(ctx, uuid.NewString())
			wantCode(t, err, trawl.CodeNotFound)
			_, err = r.Spec(ctx, uuid.NewString())
			wantCode(t, err, trawl.CodeNotFound)
			_, err = r.SetWebhookSecret(ctx, "nobody", "x")
			wantCode(t, err, trawl.CodeNotFound)
		}},
	})
}

// occupy lets a node run the tasks of a job, which another node began before.
func (r *rig) occupy(t testing.TB, job store.NewJob, node string) {
	t.Helper()
	set, where := "ARRAY['first', '"+node+"']", "args->>'job' = $1"
	if r.sqlite() {
		set, where = `jsonb('["first", "`+node+`"]')`, "json_extract(args, '$.job') = $1"
	}
	r.exec(t, "UPDATE river_job SET state = 'running', attempted_by = "+set+" WHERE "+where, job.ID)
}

func (r *rig) taskState(t testing.TB, job store.NewJob) (state string) {
	t.Helper()
	where := "args->>'job' = $1"
	if r.sqlite() {
		where = "json_extract(args, '$.job') = $1"
	}
	if err := r.db.QueryRow("SELECT state FROM river_job WHERE "+where, job.ID).Scan(&state); err != nil {
		t.Fatal(err)
	}
	return state
}

func TestNodes(t *testing.T) {
	conformCases(t, []jobCase{{"hand back what the dead had", func(t *testing.T, r *rig) {
		ctx := context.Background()
		crew := r.crew(t, 9, -1)
		beat := func(nodes ...string) {
			t.Helper()
			for _, node := range nodes {
				if err := r.Beat(ctx, node); err != nil {
					t.Fatal(err)
				}
			}
		}
		jobs := map[string]store.NewJob{}
		for _, node := range []string{"first", "dead", "alive", "leaving"} {
			jobs[node] = r.create(t, batch(crew, 1))
			r.occupy(t, jobs[node], node)
		}
		want := func(states map[string]string) {
			t.Helper()
			for node, state := range states {
				if got := r.taskState(t, jobs[node]); got != state {
					t.Errorf("task of %s is %s, want %s", node, got, state)
				}
			}
		}
		beat("first", "dead", "alive", "leaving")
		r.clock.Advance(10 * time.Second)
		beat("first", "alive", "leaving")
		if dead := must[[]string](t)(r.Bury(ctx, r.silent(10*time.Second))); len(dead) != 0 {
			t.Errorf("buried %v", dead)
		}
		r.clock.Advance(time.Second)
		if dead := must[[]string](t)(r.Bury(ctx, r.silent(10*time.Second))); !slices.Equal(dead, []string{"dead"}) {
			t.Errorf("buried %v", dead)
		}
		want(map[string]string{"dead": "available", "alive": "running", "first": "running", "leaving": "running"})
		if err := r.Leave(ctx, "leaving"); err != nil {
			t.Fatal(err)
		}
		want(map[string]string{"leaving": "available", "alive": "running", "first": "running"})
		if dead := must[[]string](t)(r.Bury(ctx, r.silent(10*time.Second))); len(dead) != 0 {
			t.Errorf("buried %v again", dead)
		}
		if err := r.Reclaim(ctx); err != nil {
			t.Fatal(err)
		}
		want(map[string]string{"alive": "available", "first": "available"})
		if r.Embedded() != r.sqlite() {
			t.Errorf("embedded: %v", r.Embedded())
		}
	}}})
}

// pageWorker finishes the pages of its tasks.
type pageWorker struct {
	river.WorkerDefaults[store.PageTask]
	rig  *rig
	job  store.NewJob
	over chan struct{} // closed when the job is over
}

func (w *pageWorker) Work(ctx context.Context, task *river.Job[store.PageTask]) error {
	var items []store.FinishedPage
	for _, n := range task.Args.Pages {
		items = append(items, done(w.job, n))
	}
	if _, err := w.rig.FinishPages(ctx, items); err != nil {
		return err
	}
	job, err := w.rig.Job(ctx, w.job.TeamID, w.job.Kind, w.job.ID)
	if err == nil && job.Done() {
		close(w.over)
	}
	return err
}

// Every task that a commit leaves is handed to a worker soon: without news of
// it, the next page would wait for a poll.
func TestQueue(t *testing.T) {
	conformCases(t, []jobCase{{"runs a job to its end", func(t *testing.T, r *rig) {
		job := batch(r.crew(t, 1, -1), 20) // one page after the other
		worker := &pageWorker{rig: r, job: job, over: make(chan struct{})}
		workers := river.NewWorkers()
		river.AddWorker(workers, worker)
		queue := must[store.Queue](t)(r.Queue(&river.Config{
			ID: "node", Workers: workers, Queues: map[string]river.QueueConfig{store.QueuePage: {MaxWorkers: 2}},
			FetchCooldown: time.Millisecond, FetchPollInterval: time.Minute, Logger: slog.New(slog.DiscardHandler),
		}))
		if err := queue.Start(context.Background()); err != nil {
			t.Fatal(err)
		}
		r.create(t, job)
		testtime.Receive(t, "pages do not wait for the next poll", worker.over)
		if err := queue.StopAndCancel(context.Background()); err != nil {
			t.Error(err)
		}
		r.wantJob(t, job, trawl.StateCompleted, 20, 20, 0)
	}}})
}
