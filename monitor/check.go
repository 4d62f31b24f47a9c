package monitor

import (
	"context"
	"fmt"
	"time"

	"github.com/riverqueue/river"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/job"
	"github.com/trawlhq/trawl/store"
)

// Why checks fail.
const (
	monitorGone = "Monitor no longer exists."
	tooLong     = "Monitor check exceeded the running timeout."
	notScraped  = "The page was not scraped."
)

// checkWorker takes checks as far as they go: it is called when one begins, when one of
// its jobs has ended, and when nothing may have happened for too long.
type checkWorker struct {
	river.WorkerDefaults[store.CheckTask]
	service *Service
}

// Work implements river.Worker.
func (w *checkWorker) Work(ctx context.Context, task *river.Job[store.CheckTask]) error {
	s := w.service
	wake, err := s.advance(ctx, task.Args.Check)
	if err == nil && !wake.IsZero() && task.Queue == store.QueueMonitor {
		err = s.Store.WakeCheck(ctx, task.Args.Check, wake)
	}
	return handBack(ctx, err)
}

// advance takes a check as far as it goes. If it has to wait for its jobs, it returns
// until when they may make no progress.
func (s *Service) advance(ctx context.Context, id string) (wake time.Time, err error) {
	w, err := s.Store.CheckWork(ctx, id)
	if err != nil || w.Done() {
		return wake, err
	}
	if w.Deleted {
		return wake, s.abort(ctx, &w, monitorGone)
	}
	if w.Status == trawl.CheckQueued {
		if err := s.Store.BeginCheck(ctx, &w.Check); err != nil {
			return wake, err
		}
	}
	late, wake, err := s.overdue(ctx, &w)
	if err != nil {
		return wake, err
	}
	if late {
		return time.Time{}, s.abort(ctx, &w, tooLong)
	}
	jobs, err := s.startTargets(ctx, &w)
	if err != nil {
		return wake, err
	}
	for _, t := range w.Targets {
		if j := jobs[t.Job]; t.Job != "" && t.Error == "" && !j.Done() {
			return wake, nil
		}
	}
	if failure := neverStarted(&w.Check); failure != "" {
		return time.Time{}, s.Store.EndCheck(ctx, &w, failure, tells)
	}
	if done, err := s.compareAll(ctx, &w, jobs); err != nil || !done {
		return time.Time{}, err
	}
	return time.Time{}, s.Store.EndCheck(ctx, &w, neverStarted(&w.Check), tells)
}

// overdue reports whether nothing has happened to a check for too long, and when to look
// next.
func (s *Service) overdue(ctx context.Context, w *store.CheckWork) (late bool, wake time.Time, err error) {
	last, err := s.Store.LastProgress(ctx, w.ID)
	if err != nil {
		return false, wake, err
	}
	most := searchPatience
	for _, t := range w.Targets {
		if t.Job != "" {
			most = patience
		}
	}
	now := s.Now()
	wake = last.Add(most)
	if end := w.CreatedAt.Add(longestCheck); end.Before(wake) {
		wake = end
	}
	return !now.Before(wake), wake, nil
}

// abort ends a check and what runs of it.
func (s *Service) abort(ctx context.Context, w *store.CheckWork, why string) error {
	for _, t := range w.Targets {
		if t.Job == "" {
			continue
		}
		err := s.Jobs.Cancel(ctx, w.TeamID, kindOf(t.Type), t.Job)
		if code := trawl.ErrorCode(err); err != nil && code != trawl.CodeNotFound && code != trawl.CodeConflict {
			return err
		}
	}
	return s.Store.EndCheck(ctx, w, why, tells)
}

// kindOf is the kind of the jobs that look at targets of a type.
func kindOf(target string) string {
	if target == trawl.TargetCrawl {
		return trawl.KindCrawl
	}
	return trawl.KindBatch
}

// startTargets starts the jobs of a check that do not exist yet, and returns all. They
// have their ids since the check began, so that none is started twice.
func (s *Service) startTargets(ctx context.Context, w *store.CheckWork) (map[string]trawl.Job, error) {
	jobs, err := s.Store.CheckJobs(ctx, &w.Check)
	if err != nil {
		return nil, err
	}
	started, failed := false, false
	for i := range w.Targets {
		t := &w.Targets[i]
		if _, exists := jobs[t.Job]; t.Job == "" || t.Error != "" || exists {
			continue
		}
		started = true
		if err := s.startTarget(ctx, w, t); err != nil {
			if trawl.ErrorCode(err) == trawl.CodeUnknown {
				return nil, err
			}
			t.Error, failed = err.Error(), true
		}
	}
	if failed {
		if err := s.Store.BeginCheck(ctx, &w.Check); err != nil {
			return nil, err
		}
	}
	if started {
		return s.Store.CheckJobs(ctx, &w.Check)
	}
	return jobs, nil
}

// startTarget starts the job that scrapes a target. What it costs is reserved.
func (s *Service) startTarget(ctx context.Context, w *store.CheckWork, t *trawl.CheckTarget) error {
	order := job.Order{
		Caller: trawl.Caller{Team: trawl.Team{ID: w.TeamID}, Key: trawl.Key{ID: w.KeyID, TeamID: w.TeamID}},
		ID:     t.Job, Check: w.ID, PublicURL: w.PublicURL,
	}
	if t.Type == trawl.TargetCrawl {
		req, _, err := crawlOf(&t.MonitorTarget)
		if err == nil {
			_, err = s.Jobs.Crawl(ctx, order, req)
		}
		return err
	}
	req, _, err := batchOf(&t.MonitorTarget)
	if err == nil {
		_, err = s.Jobs.Batch(ctx, order, req)
	}
	return err
}

// neverStarted says why a check has no job at all, if it should have.
func neverStarted(c *trawl.Check) (why string) {
	for _, t := range c.Targets {
		if t.Error == "" {
			return ""
		}
		if why == "" {
			why = t.Error
		}
	}
	return why
}

// tells reports whether a check has something to tell by mail: changes that were judged
// to be noise are nothing.
func tells(sum trawl.CheckSummary, changed []trawl.CheckPage) bool {
	if sum.New+sum.Removed+sum.Error > 0 {
		return true
	}
	for _, p := range changed {
		if p.Judgment == nil || p.Judgment.Meaningful {
			return true
		}
	}
	return false
}

// Check returns a check of a monitor of the team.
func (s *Service) Check(ctx context.Context, teamID, monitorID, id string) (trawl.Check, error) {
	m, err := s.Store.Monitor(ctx, teamID, monitorID)
	if err != nil {
		return trawl.Check{}, err
	}
	return s.Store.Check(ctx, m.ID, id)
}

// Checks lists the checks of a monitor of the team, newest first.
func (s *Service) Checks(ctx context.Context, teamID, monitorID, status string, limit, offset int) ([]trawl.Check, error) {
	m, err := s.Store.Monitor(ctx, teamID, monitorID)
	if err != nil {
		return nil, err
	}
	return s.Store.Checks(ctx, m.ID, status, limit, offset)
}

// Pages lists pages of a check, oldest first.
func (s *Service) Pages(ctx context.Context, c *trawl.Check, status string, limit, skip int) ([]trawl.CheckPage, error) {
	return s.Store.CheckPages(ctx, c.ID, status, limit, skip)
}

// place is how far a check has been compared: which target, which part of it, and how
// much of that.
type place struct {
	target int
	part   string
	done   int
}

// Parts of a target, in order.
const (
	partDocuments = "documents"
	partFailures  = "failures"
	partMissing   = "missing"
	partRemoved   = "removed"
)

func (p place) String() string { return fmt.Sprintf("%d %s %d", p.target, p.part, p.done) }

func parsePlace(text string) place {
	p := place{part: partDocuments}
	_, _ = fmt.Sscanf(text, "%d %s %d", &p.target, &p.part, &p.done) // nothing is the beginning
	return p
}
