package store

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/store/database"
)

// EndCheck gives a check its final status, once: it is paid for by what it took, its
// monitor is free for the next one, its webhook hears of it, and mail is queued for
// recipients if there is something to tell. The error says why it failed, if it did.
func (s *Store) EndCheck(ctx context.Context, w *CheckWork, failure string, tells func(trawl.CheckSummary, []trawl.CheckPage) bool) error {
	err := s.teamJobs(ctx, w.TeamID, func(t *jobTx) error {
		c, err := scanCheck(t.tx.QueryRow(ctx, "SELECT "+checkColumns+" FROM checks WHERE id = $1", w.ID))
		if err != nil || c.Done() {
			return err
		}
		c.Error = failure
		switch {
		case failure != "":
			c.Status = trawl.CheckFailed
		case c.Summary.Error > 0 || slices.ContainsFunc(c.Targets, func(t trawl.CheckTarget) bool { return t.Error != "" }):
			c.Status = trawl.CheckPartial
		default:
			c.Status = trawl.CheckCompleted
		}
		if err := t.settleCheck(ctx, &c); err != nil {
			return err
		}
		if err := t.freeMonitor(ctx, &c); err != nil {
			return err
		}
		if err := t.checkEvents(ctx, w, event{kind: trawl.EventCheck}); err != nil {
			return err
		}
		return t.queueMails(ctx, w, &c, tells)
	})
	if err != nil {
		return fmt.Errorf("end check: %w", err)
	}
	return nil
}

// settleCheck pays for what a check took, in place of what was reserved for it. If it
// took more than there is, all there is is taken.
func (t *jobTx) settleCheck(ctx context.Context, c *trawl.Check) error {
	var spent int64
	err := t.tx.QueryRow(ctx, "SELECT CAST(COALESCE(SUM(credits), 0) AS BIGINT) FROM jobs WHERE check_id = $1", c.ID).Scan(&spent)
	if err != nil {
		return err
	}
	spent += int64(c.Judged)
	for _, target := range c.Targets {
		if target.Search != nil {
			spent += target.Search.Credits
		}
	}
	reserved := int64(0)
	if c.Reserved != nil {
		reserved = *c.Reserved
	}
	if more := spent - reserved; more > 0 {
		if more, err = t.affordable(ctx, c.KeyID, more); err != nil {
			return err
		}
		spent = reserved + more
	}
	if err := t.bill(ctx, c, spent-reserved, 0); err != nil {
		return err
	}
	c.Actual, c.Billing = &spent, trawl.BillingConfirmed
	if spent == 0 {
		c.Billing = trawl.BillingReleased
	}
	started := t.now
	if !c.StartedAt.IsZero() {
		started = millis(c.StartedAt)
	}
	_, err = t.tx.Exec(ctx, "UPDATE checks SET status = $2, error = $3, actual = $4, billing = $5, started_at = $6, finished_at = $7, updated_at = $7 WHERE id = $1",
		c.ID, c.Status, c.Error, spent, c.Billing, started, t.now)
	return err
}

// freeMonitor lets go of the monitor of a check that has ended.
func (t *jobTx) freeMonitor(ctx context.Context, c *trawl.Check) error {
	summary, err := json.Marshal(c.Summary)
	if err != nil {
		return err
	}
	_, err = t.tx.Exec(ctx, "UPDATE monitors SET current_check = '', summary = $3 WHERE id = $1 AND current_check = $2", c.MonitorID, c.ID, string(summary))
	return err
}

// checkEvents notes events of a check that the webhook of its monitor wants to hear of.
// They belong to a job that is named like the check and does nothing else.
func (t *jobTx) checkEvents(ctx context.Context, w *CheckWork, events ...event) error {
	bits := wanted(trawl.KindMonitor, w.Definition.Webhook)
	if bits == 0 || len(events) == 0 {
		return nil
	}
	j, err := t.job(ctx, w.ID)
	if err != nil {
		return err
	}
	if j == nil {
		if j, err = t.checkJob(ctx, w, bits); err != nil {
			return err
		}
	}
	return t.addEvents(ctx, j, events...)
}

// checkJob adds the job of a check's events.
func (t *jobTx) checkJob(ctx context.Context, w *CheckWork, bits int64) (*jobRow, error) {
	request, err := json.Marshal(map[string]any{"webhook": w.Definition.Webhook})
	if err != nil {
		return nil, err
	}
	var expires int64
	if err := t.tx.QueryRow(ctx, "SELECT expires_at FROM checks WHERE id = $1", w.ID).Scan(&expires); err != nil {
		return nil, err
	}
	_, err = t.tx.Exec(ctx, `INSERT INTO jobs (id, team_id, key_id, kind, state, url, request, zero_data_retention, seal, base, public_url,
		page_limit, concurrency, delay, next_start, discovering, held, webhook, courier, last_page, last_event, queued, total, completed, failed,
		over_limit, sighted, robots_blocked, credits, error, warning, created_at, finished_at, expires_at)
		VALUES ($1, $2, $3, $4, 'completed', '', $5, FALSE, NULL, '', $6, 0, 0, 0, 0, FALSE, FALSE, $7, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, '', '', $8, $8, $9)`,
		w.ID, w.TeamID, w.KeyID, trawl.KindMonitor, string(request), w.PublicURL, bits, t.now, expires)
	if err != nil {
		return nil, err
	}
	return t.job(ctx, w.ID)
}

// Told is how telling of a check went, by one way.
type Told struct {
	Total, Delivered, Failed int
	Status                   int    // of the last answer
	Error                    string // why the last attempt that failed did
	LastAt                   time.Time
}

// Queued is how many are still on their way.
func (t *Told) Queued() int { return t.Total - t.Delivered - t.Failed }

// ToldByWebhook returns how the events of a check do.
func (s *Store) ToldByWebhook(ctx context.Context, checkID string) (Told, error) {
	return s.told(ctx, "SELECT state, status, error, last_at FROM deliveries WHERE job_id = $1 ORDER BY last_at", checkID)
}

// ToldByMail returns how the mail of a check does.
func (s *Store) ToldByMail(ctx context.Context, checkID string) (Told, error) {
	return s.told(ctx, "SELECT state, 0, error, last_at FROM mails WHERE check_id = $1 ORDER BY last_at", checkID)
}

func (s *Store) told(ctx context.Context, query, checkID string) (t Told, err error) {
	err = s.db.Read().Query(ctx, func(r database.Row) error {
		var state, status, last int64
		var text string
		if err := r.Scan(&state, &status, &text, &last); err != nil {
			return err
		}
		t.Total++
		switch state {
		case 1:
			t.Delivered++
		case 2:
			t.Failed++
		}
		if last > 0 {
			t.Status, t.Error, t.LastAt = int(status), text, moment(last)
		}
		return nil
	}, query, checkID)
	if err != nil {
		return t, fmt.Errorf("read what was told: %w", err)
	}
	return t, nil
}
