package store

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/store/database"
)

// CheckPlan is what a check that is about to begin needs to know.
type CheckPlan struct {
	ID        string
	Next, Due time.Time // of the run after it
	Estimate  int64
	Targets   []trawl.CheckTarget
	Patience  time.Duration // after which it is looked at, whether or not its jobs have ended
}

const checkColumns = `id, monitor_id, team_id, key_id, status, run, scheduled_for, started_at, finished_at, estimated, reserved, actual, billing,
	targets, summary, judged, error, created_at, updated_at`

func scanCheck(r database.Row) (c trawl.Check, err error) {
	err = scanCheckAnd(r, &c)
	return c, err
}

// scanCheckAnd reads a check, and columns behind its own.
func scanCheckAnd(r database.Row, c *trawl.Check, more ...any) error {
	var scheduled, started, finished, created, updated int64
	var targets, summary string
	err := r.Scan(append([]any{&c.ID, &c.MonitorID, &c.TeamID, &c.KeyID, &c.Status, &c.Trigger, &scheduled, &started, &finished, &c.Estimated, &c.Reserved,
		&c.Actual, &c.Billing, &targets, &summary, &c.Judged, &c.Error, &created, &updated}, more...)...)
	if err != nil {
		return err
	}
	c.ScheduledFor, c.StartedAt, c.FinishedAt, c.CreatedAt, c.UpdatedAt = moment(scheduled), moment(started), moment(finished), moment(created), moment(updated)
	if err := json.Unmarshal([]byte(targets), &c.Targets); err != nil {
		return err
	}
	return json.Unmarshal([]byte(summary), &c.Summary)
}

func errNoCheck() error { return trawl.Errorf(trawl.CodeNotFound, "Check not found") }

// StartDue starts the check that a monitor is due for, and sets its clock for the next
// one, in one transaction. A task that is over, because the monitor is due at another
// time by now, starts nothing. While another check runs, or without the credits that the
// check is estimated at, it is noted as skipped.
func (s *Store) StartDue(ctx context.Context, task DueTask, plan func(*trawl.Monitor) (CheckPlan, error)) error {
	err := s.teamJobs(ctx, task.Team, func(t *jobTx) error {
		m, err := t.monitor(ctx, task.Monitor)
		if err != nil {
			return err
		}
		if m.Status != trawl.MonitorActive || millis(m.DueAt) != task.Due {
			return nil
		}
		p, err := plan(&m)
		if err != nil {
			return err
		}
		c := trawl.Check{Trigger: trawl.TriggerScheduled, ScheduledFor: m.NextRunAt}
		m.NextRunAt, m.DueAt = p.Next, p.Due
		t.setClock(&m)
		return t.startCheck(ctx, &m, &c, &p)
	})
	if err != nil {
		return fmt.Errorf("start check: %w", err)
	}
	return nil
}

// RunningError says that a monitor is being checked already, and by which check.
type RunningError struct{ Check string }

// Error implements error.
func (e *RunningError) Error() string { return "Monitor check is already running." }

// Unwrap returns what callers see.
func (e *RunningError) Unwrap() error { return trawl.Errorf(trawl.CodeConflict, "%s", e.Error()) }

// StartNow starts a check out of turn. One that runs, or a paused monitor, gives
// CodeConflict.
func (s *Store) StartNow(ctx context.Context, teamID, id string, plan func(*trawl.Monitor) (CheckPlan, error)) (c trawl.Check, err error) {
	err = s.teamJobs(ctx, teamID, func(t *jobTx) error {
		m, err := t.monitor(ctx, id)
		switch {
		case err != nil:
			return err
		case m.Status == trawl.MonitorPaused:
			return trawl.Errorf(trawl.CodeConflict, "Monitor is paused. Resume it before running a check.")
		case m.CurrentCheck != "":
			return &RunningError{m.CurrentCheck}
		}
		p, err := plan(&m)
		if err != nil {
			return err
		}
		c = trawl.Check{Trigger: trawl.TriggerManual}
		return t.startCheck(ctx, &m, &c, &p)
	})
	if err != nil {
		return c, fmt.Errorf("start check: %w", err)
	}
	return c, nil
}

// startCheck stores a check with its reservation and the task that takes it on, or why
// there is none.
func (t *jobTx) startCheck(ctx context.Context, m *trawl.Monitor, c *trawl.Check, p *CheckPlan) error {
	now := moment(t.now)
	c.ID, c.MonitorID, c.TeamID, c.KeyID, c.Targets, c.Estimated = p.ID, m.ID, m.TeamID, m.KeyID, p.Targets, p.Estimate
	c.Billing, c.CreatedAt, c.UpdatedAt = trawl.BillingNone, now, now
	unpaid := t.unpaid(ctx, c.KeyID, p.Estimate)
	switch {
	case unpaid != nil && trawl.ErrorCode(unpaid) != trawl.CodePayment:
		return unpaid
	case m.CurrentCheck != "":
		c.Status, c.Error, c.FinishedAt = trawl.CheckOverlap, "Previous monitor check is still running.", now
	case unpaid != nil:
		none := int64(0)
		c.Status, c.Error, c.FinishedAt, c.Actual = trawl.CheckNoCredits, "Monitor check skipped: insufficient credits.", now, &none
		m.LastRunAt = now
	default:
		c.Status, c.Billing, c.Reserved = trawl.CheckQueued, trawl.BillingReserved, &c.Estimated
		if err := t.bill(ctx, c, c.Estimated, 1); err != nil {
			return err
		}
		m.CurrentCheck, m.LastRunAt = c.ID, now
		t.tasks = append(t.tasks, newTask(QueueExtract, CheckTask{Check: c.ID}), taskAt(now.Add(p.Patience), CheckTask{Check: c.ID}))
	}
	if err := t.insertCheck(ctx, m, c); err != nil {
		return err
	}
	return t.saveMonitor(ctx, m)
}

func (t *jobTx) insertCheck(ctx context.Context, m *trawl.Monitor, c *trawl.Check) error {
	definition, err := json.Marshal(m.MonitorDefinition)
	if err != nil {
		return err
	}
	targets, err := json.Marshal(c.Targets)
	if err != nil {
		return err
	}
	summary, err := json.Marshal(c.Summary)
	if err != nil {
		return err
	}
	expires := t.now + int64(m.RetentionDays)*24*time.Hour.Milliseconds()
	_, err = t.tx.Exec(ctx, "INSERT INTO checks ("+checkColumns+`, definition, expires_at)
		VALUES ($1, $2, $3, $4, $5, $6, $7, 0, $8, $9, $10, $11, $12, $13, $14, 0, $15, $16, $16, $17, $18)`,
		c.ID, c.MonitorID, c.TeamID, c.KeyID, c.Status, c.Trigger, millis(c.ScheduledFor), millis(c.FinishedAt), c.Estimated, c.Reserved, c.Actual, c.Billing,
		string(targets), string(summary), c.Error, t.now, string(definition), expires)
	return err
}

// bill takes credits for a check, or gives them back if they are negative, and notes
// that in the ledger. The balance covers them.
func (t *jobTx) bill(ctx context.Context, c *trawl.Check, credits int64, requests int) error {
	if credits == 0 && requests == 0 {
		return nil
	}
	t.keys.spend(c.KeyID, moment(t.now), credits)
	if t.credits != nil {
		left := *t.credits - credits
		t.credits = &left
		if _, err := t.tx.Exec(ctx, "UPDATE teams SET credits = credits - $2 WHERE id = $1", t.team, credits); err != nil {
			return err
		}
	}
	id, err := newID()
	if err != nil {
		return err
	}
	if err := insertLedger.Run(ctx, t.tx, []any{t.team, id, c.KeyID, trawl.KindMonitor, credits, t.now}); err != nil {
		return err
	}
	return insertUsage.Run(ctx, t.tx, []any{t.team, dayOf(moment(t.now)), c.KeyID, trawl.KindMonitor, credits, requests})
}

// Check returns a check of a monitor; CodeNotFound if it has none.
func (s *Store) Check(ctx context.Context, monitorID, id string) (trawl.Check, error) {
	c, err := scanCheck(s.db.Read().QueryRow(ctx, "SELECT "+checkColumns+" FROM checks WHERE id = $1 AND monitor_id = $2", id, monitorID))
	if noRows(err) {
		return c, errNoCheck()
	}
	if err != nil {
		return c, fmt.Errorf("read check: %w", err)
	}
	return c, nil
}

// Checks lists the checks of a monitor, newest first; of one status unless it is empty.
func (s *Store) Checks(ctx context.Context, monitorID, status string, limit, offset int) ([]trawl.Check, error) {
	list, err := database.Collect(ctx, s.db.Read(), scanCheck, "SELECT "+checkColumns+` FROM checks
		WHERE monitor_id = $1 AND ($2 = '' OR status = $2) ORDER BY id DESC LIMIT $3 OFFSET $4`, monitorID, status, limit, offset)
	if err != nil {
		return nil, fmt.Errorf("list checks: %w", err)
	}
	return list, nil
}

// CheckWork is a check as whoever works on it sees it.
type CheckWork struct {
	trawl.Check
	Definition trawl.MonitorDefinition // when it began
	Progress   string                  // up to where its pages were compared
	Deleted    bool                    // its monitor is gone
	PublicURL  string
	Name       string // of the monitor
}

// CheckWork returns a check to be worked on; CodeNotFound if there is none.
func (s *Store) CheckWork(ctx context.Context, id string) (w CheckWork, err error) {
	var definition string
	err = scanCheckAnd(s.db.Read().QueryRow(ctx, "SELECT "+checkColumns+", definition, progress FROM checks WHERE id = $1", id), &w.Check, &definition, &w.Progress)
	if noRows(err) {
		return w, errNoCheck()
	}
	if err == nil {
		err = json.Unmarshal([]byte(definition), &w.Definition)
	}
	if err == nil {
		var status string
		err = s.db.Read().QueryRow(ctx, "SELECT status, public_url, name FROM monitors WHERE id = $1", w.MonitorID).Scan(&status, &w.PublicURL, &w.Name)
		w.Deleted = noRows(err) || status == trawl.MonitorDeleted
		if noRows(err) {
			err = nil
		}
	}
	if err != nil {
		return w, fmt.Errorf("read check: %w", err)
	}
	return w, nil
}

// BeginCheck notes that the targets of a check are being looked at, with what is known
// of them.
func (s *Store) BeginCheck(ctx context.Context, c *trawl.Check) error {
	targets, err := json.Marshal(c.Targets)
	if err != nil {
		return fmt.Errorf("begin check: %w", err)
	}
	_, err = s.exec(ctx, `UPDATE checks SET status = 'running', targets = $2, updated_at = $3,
		started_at = CASE started_at WHEN 0 THEN $3 ELSE started_at END WHERE id = $1 AND finished_at = 0`, c.ID, string(targets), millis(s.now()))
	if err != nil {
		return fmt.Errorf("begin check: %w", err)
	}
	return nil
}

// CheckJobs returns the jobs of a check that exist, by id.
func (s *Store) CheckJobs(ctx context.Context, c *trawl.Check) (map[string]trawl.Job, error) {
	jobs := map[string]trawl.Job{}
	for _, target := range c.Targets {
		if target.Job == "" {
			continue
		}
		j, err := scanJob(s.db.Read().QueryRow(ctx, "SELECT "+jobColumns+" FROM jobs WHERE id = $1 AND team_id = $2", target.Job, c.TeamID))
		if noRows(err) {
			continue
		}
		if err != nil {
			return nil, fmt.Errorf("read jobs of a check: %w", err)
		}
		jobs[j.ID] = j
	}
	return jobs, nil
}

// LastProgress returns when something last happened to a check or to a page of it.
func (s *Store) LastProgress(ctx context.Context, checkID string) (time.Time, error) {
	var at int64
	err := s.db.Read().QueryRow(ctx, `SELECT COALESCE(MAX(at), 0) FROM (SELECT updated_at AS at FROM checks WHERE id = $1
		UNION ALL SELECT p.finished_at FROM pages p JOIN jobs j ON j.id = p.job_id WHERE j.check_id = $1) AS seen`, checkID).Scan(&at)
	if err != nil {
		return time.Time{}, fmt.Errorf("read progress of a check: %w", err)
	}
	return moment(at), nil
}

// WakeCheck has a check looked at again at a time.
func (s *Store) WakeCheck(ctx context.Context, id string, at time.Time) error {
	err := s.db.Tx(ctx, func(tx database.Tx) error {
		return tx.Enqueue(ctx, []riverTask{taskAt(at, CheckTask{Check: id})})
	})
	if err != nil {
		return fmt.Errorf("wake check: %w", err)
	}
	return nil
}
