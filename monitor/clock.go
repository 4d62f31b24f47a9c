package monitor

import (
	"context"
	"time"

	"github.com/riverqueue/river"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/store"
)

// dueWorker starts checks when they are due.
type dueWorker struct {
	river.WorkerDefaults[store.DueTask]
	service *Service
}

// Work implements river.Worker.
func (w *dueWorker) Work(ctx context.Context, task *river.Job[store.DueTask]) error {
	s := w.service
	return handBack(ctx, s.Store.StartDue(ctx, task.Args, s.plan))
}

// handBack returns the result of a task: when the node stops before it is done, another
// takes it over at once, and what is gone needs no work.
func handBack(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return river.JobSnooze(0)
	}
	if trawl.ErrorCode(err) == trawl.CodeNotFound {
		return nil
	}
	return err
}

// Run starts a check out of turn.
func (s *Service) Run(ctx context.Context, teamID, id string) (trawl.Check, error) {
	return s.Store.StartNow(ctx, teamID, id, s.plan)
}

// How long checks may make no progress.
const (
	patience       = time.Hour
	searchPatience = 10 * time.Minute
	longestCheck   = 24 * time.Hour
)

// plan is what the next check of a monitor needs. The run after it is the first after
// now, however many were missed: and after the one that is due, whose time may not have
// come yet by the clock of this node.
func (s *Service) plan(m *trawl.Monitor) (store.CheckPlan, error) {
	p := store.CheckPlan{ID: newID(), Estimate: CreditsPerRun(&m.MonitorDefinition), Patience: searchPatience}
	for _, t := range m.Targets {
		target := trawl.CheckTarget{MonitorTarget: t}
		if t.Type != trawl.TargetSearch {
			target.Job, p.Patience = newID(), patience
		}
		p.Targets = append(p.Targets, target)
	}
	after := s.Now()
	if m.NextRunAt.After(after) {
		after = m.NextRunAt
	}
	next := *m
	if err := s.setNext(&next, after); err == nil { // a leap day may be too far off
		p.Next, p.Due = next.NextRunAt, next.DueAt
	}
	return p, nil
}
