package store

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/riverqueue/river"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/store/database"
)

// Adopt queues pages again that run but that no task holds, and returns how many
// there were. There should be none: a page is made running and put into a task in
// one transaction, and its task ends when it is stored.
func (s *Store) Adopt(ctx context.Context) (pages int, err error) {
	before, err := s.runningPages(ctx, s.db.Read())
	if err != nil || len(before) == 0 {
		return 0, err
	}
	held, err := s.heldPages(ctx, s.db.Read())
	if err != nil {
		return 0, err
	}
	if !slices.ContainsFunc(before, func(p runningPage) bool { return !held[p.id] }) {
		return 0, nil
	}
	err = s.db.Tx(ctx, func(tx database.Tx) error {
		after, err := s.runningPages(ctx, tx) // those that were stored meanwhile are not among them
		if err != nil {
			return err
		}
		var tasks []river.InsertManyParams
		for _, p := range after {
			if !held[p.id] && slices.Contains(before, p) {
				tasks = append(tasks, newTask(p.queue(), PageTask{Job: p.id.job, Pages: []int64{p.id.number}}))
			}
		}
		pages = len(tasks)
		if pages == 0 {
			return nil
		}
		return tx.Enqueue(ctx, tasks)
	})
	if err != nil {
		return 0, fmt.Errorf("adopt pages: %w", err)
	}
	return pages, nil
}

// pageID names a page.
type pageID struct {
	job    string
	number int64
}

// runningPage is a page that a task should hold.
type runningPage struct {
	id      pageID
	kind    string // of the job
	delayed bool
}

func (p *runningPage) queue() string {
	switch {
	case p.delayed:
		return QueueDelayed
	case p.kind == trawl.KindExtract:
		return QueueExtract
	}
	return QueuePage
}

func (s *Store) runningPages(ctx context.Context, q database.Reader) ([]runningPage, error) {
	pages, err := database.Collect(ctx, q, func(r database.Row) (p runningPage, err error) {
		err = r.Scan(&p.id.job, &p.id.number, &p.kind, &p.delayed)
		return p, err
	}, "SELECT p.job_id, p.n, j.kind, p.start_at > 0 FROM pages p JOIN jobs j ON j.id = p.job_id WHERE p.state = 1 AND j.state = 'scraping'")
	if err != nil {
		return nil, fmt.Errorf("list running pages: %w", err)
	}
	return pages, nil
}

// heldPages returns the pages in tasks that are not over.
func (s *Store) heldPages(ctx context.Context, q database.Reader) (map[pageID]bool, error) {
	held := map[pageID]bool{}
	err := q.Query(ctx, func(r database.Row) error {
		var args string
		if err := r.Scan(&args); err != nil {
			return err
		}
		var task PageTask
		if err := json.Unmarshal([]byte(args), &task); err != nil {
			return fmt.Errorf("read task: %w", err)
		}
		for _, n := range task.Pages {
			held[pageID{task.Job, n}] = true
		}
		return nil
	}, "SELECT "+s.db.Dialect().TaskArgs+" FROM river_job WHERE kind = $1 AND state IN ('available', 'running', 'retryable', 'scheduled', 'pending')", PageTask{}.Kind())
	if err != nil {
		return nil, fmt.Errorf("list tasks: %w", err)
	}
	return held, nil
}

// TasksOf returns the ids of the tasks that a node is said to work on.
func (s *Store) TasksOf(ctx context.Context, node string) ([]int64, error) {
	ids, err := database.Collect(ctx, s.db.Read(), scanInt,
		"SELECT id FROM river_job WHERE state = 'running' AND "+s.db.Dialect().TaskNode+" = $1", node)
	if err != nil {
		return nil, fmt.Errorf("list tasks of a node: %w", err)
	}
	return ids, nil
}

// HandBack makes tasks available that a node is said to work on, and does not.
func (s *Store) HandBack(ctx context.Context, node string, ids []int64) error {
	if len(ids) == 0 {
		return nil
	}
	in, args := database.List(2, ids)
	err := s.db.Tx(ctx, func(tx database.Tx) error {
		_, err := tx.Exec(ctx, "UPDATE river_job SET state = 'available' WHERE state = 'running' AND "+s.db.Dialect().TaskNode+" = $1 AND id IN "+in,
			append([]any{node}, args...)...)
		return err
	})
	if err != nil {
		return fmt.Errorf("hand back tasks: %w", err)
	}
	return nil
}

// Hasten makes tasks due that would wait for longer than any but those of monitors and mail is told
// to: the clock went back since. It returns how many there were.
func (s *Store) Hasten(ctx context.Context) (tasks int64, err error) {
	err = s.db.Tx(ctx, func(tx database.Tx) (err error) {
		tasks, err = tx.Exec(ctx, "UPDATE river_job SET scheduled_at = "+s.db.Dialect().TaskNow+
			" WHERE state IN ('available', 'retryable', 'scheduled') AND queue NOT IN ($1, $2) AND "+s.db.Dialect().TaskLate, QueueMonitor, QueueMail)
		return err
	})
	if err != nil {
		return 0, fmt.Errorf("hasten tasks: %w", err)
	}
	return tasks, nil
}
