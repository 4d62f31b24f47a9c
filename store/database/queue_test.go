package database_test

import (
	"context"
	"errors"
	"log/slog"
	"testing"
	"time"

	"github.com/riverqueue/river"
	"github.com/trawlhq/trawl/internal/testtime"
	"github.com/trawlhq/trawl/store/database"
)

// greet is a task that says its name.
type greet struct {
	Name string `json:"name"`
}

func (greet) Kind() string { return "greet" }

type greeter struct {
	river.WorkerDefaults[greet]
	heard chan string
}

func (g *greeter) Work(_ context.Context, task *river.Job[greet]) error {
	g.heard <- task.Args.Name
	return nil
}

func enqueue(db database.DB, name string, result error) error {
	ctx := context.Background()
	return db.Tx(ctx, func(tx database.Tx) error {
		err := tx.Enqueue(ctx, []river.InsertManyParams{{Args: greet{name}, InsertOpts: &river.InsertOpts{Queue: "greetings"}}})
		return errors.Join(err, result)
	})
}

// A task belongs to its transaction: workers get it if that is committed, and only then.
func TestEnqueue(t *testing.T) {
	onBoth(t, func(t *testing.T, open func() database.DB) {
		ctx := context.Background()
		db := withThings(t, open)
		for range 2 { // the second time it has nothing to do
			if err := database.MigrateQueue(ctx, db, time.Now()); err != nil {
				t.Fatal(err)
			}
		}
		worker := &greeter{heard: make(chan string, 10)}
		workers := river.NewWorkers()
		river.AddWorker(workers, worker)
		queue, err := db.Queue(&river.Config{
			ID: "node", Workers: workers, Queues: map[string]river.QueueConfig{"greetings": {MaxWorkers: 1}},
			FetchCooldown: time.Millisecond, FetchPollInterval: time.Second, Logger: slog.New(slog.DiscardHandler),
		})
		if err != nil {
			t.Fatal(err)
		}
		if err := queue.Start(ctx); err != nil {
			t.Fatal(err)
		}
		failure := errors.New("no")
		if err := enqueue(db, "lost", failure); !errors.Is(err, failure) {
			t.Errorf("got %v", err)
		}
		if err := enqueue(db, "kept", nil); err != nil {
			t.Error(err)
		}
		if name := testtime.Receive(t, "the worker gets its task", worker.heard); name != "kept" {
			t.Errorf("a worker got the task %q", name)
		}
		if err := queue.StopAndCancel(ctx); err != nil {
			t.Error(err)
		}
	})
}
