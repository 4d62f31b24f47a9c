package store

import (
	"context"
	"fmt"
	"time"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/store/database"
)

// addRecipients adds those who do not get mail of the monitor yet, and asks them.
func (t *jobTx) addRecipients(ctx context.Context, m *trawl.Monitor, recipients []trawl.Recipient) error {
	for _, r := range recipients {
		added, err := t.tx.Exec(ctx, `INSERT INTO recipients (monitor_id, email, status, token, created_at) VALUES ($1, $2, $3, $4, $5)
			ON CONFLICT (monitor_id, email) DO NOTHING`, m.ID, r.Email, trawl.RecipientPending, r.Token, t.now)
		if err != nil {
			return err
		}
		if added > 0 {
			if err := t.queueMail(ctx, m.TeamID, m.ID, "", r.Email); err != nil {
				return err
			}
		}
	}
	return nil
}

// queueMail stores a mail and adds the task that sends it.
func (t *jobTx) queueMail(ctx context.Context, team, monitor, check, email string) error {
	id, err := newID()
	if err != nil {
		return err
	}
	if _, err := t.tx.Exec(ctx, "INSERT INTO mails (id, team_id, monitor_id, check_id, email, created_at) VALUES ($1, $2, $3, $4, $5, $6)",
		id, team, monitor, check, email, t.now); err != nil {
		return err
	}
	t.tasks = append(t.tasks, newTask(QueueMail, MailTask{Mail: id}))
	return nil
}

// queueMails queues a mail about a check for everybody who has confirmed, if there is
// something to tell.
func (t *jobTx) queueMails(ctx context.Context, w *CheckWork, c *trawl.Check, tells func(trawl.CheckSummary, []trawl.CheckPage) bool) error {
	email, ok := w.Definition.Mail()
	if !ok || w.Deleted || tells == nil {
		return nil
	}
	changed, err := database.Collect(ctx, t.tx, t.s.scanCheckPage, "SELECT "+checkPageColumns+" FROM check_pages WHERE check_id = $1 AND status = 'changed' ORDER BY n", c.ID)
	if err != nil || !tells(c.Summary, changed) {
		return err
	}
	for _, address := range email.Recipients {
		address = trawl.MailAddress(address)
		status, err := scanString(t.tx.QueryRow(ctx, "SELECT status FROM recipients WHERE monitor_id = $1 AND email = $2", c.MonitorID, address))
		if err != nil && !noRows(err) {
			return err
		}
		if status == trawl.RecipientConfirmed {
			if err := t.queueMail(ctx, c.TeamID, c.MonitorID, c.ID, address); err != nil {
				return err
			}
		}
	}
	return nil
}

// Recipients returns everybody who was ever to get mail of a monitor, by address.
func (s *Store) Recipients(ctx context.Context, monitorID string) (map[string]trawl.Recipient, error) {
	all := map[string]trawl.Recipient{}
	err := s.db.Read().Query(ctx, func(r database.Row) error {
		var x trawl.Recipient
		err := r.Scan(&x.Email, &x.Status, &x.Token, &x.Sent)
		all[x.Email] = x
		return err
	}, "SELECT email, status, token, asked_at > 0 FROM recipients WHERE monitor_id = $1", monitorID)
	if err != nil {
		return nil, fmt.Errorf("list recipients: %w", err)
	}
	return all, nil
}

// Subscribe gives the recipient with a token another status, and returns the one
// before, the address and the name of the monitor; CodeNotFound if there is no such
// token.
func (s *Store) Subscribe(ctx context.Context, token, status string) (before, email, name string, err error) {
	err = s.db.Tx(ctx, func(tx database.Tx) error {
		var monitor string
		err := tx.QueryRow(ctx, "SELECT monitor_id, email, status FROM recipients WHERE token = $1"+s.db.Dialect().ForUpdate, token).Scan(&monitor, &email, &before)
		if noRows(err) {
			return trawl.Errorf(trawl.CodeNotFound, "not_found")
		}
		if err != nil {
			return err
		}
		if name, err = scanString(tx.QueryRow(ctx, "SELECT name FROM monitors WHERE id = $1 AND status <> 'deleted'", monitor)); err != nil && !noRows(err) {
			return err
		}
		_, err = tx.Exec(ctx, "UPDATE recipients SET status = $2 WHERE token = $1", token, status)
		return err
	})
	if err != nil {
		return "", "", "", fmt.Errorf("subscribe: %w", err)
	}
	return before, email, name, nil
}

// Mail is a mail on its way.
type Mail struct {
	ID, MonitorID, CheckID, Email string
	Attempts                      int
	Done                          bool
	Recipient                     trawl.Recipient
}

// Mail returns a mail; CodeNotFound if it is gone.
func (s *Store) Mail(ctx context.Context, id string) (m Mail, err error) {
	m.ID = id
	err = s.db.Read().QueryRow(ctx, `SELECT m.monitor_id, m.check_id, m.email, m.attempts, m.state <> 0, COALESCE(r.status, ''), COALESCE(r.token, '')
		FROM mails m LEFT JOIN recipients r ON r.monitor_id = m.monitor_id AND r.email = m.email WHERE m.id = $1`, id).
		Scan(&m.MonitorID, &m.CheckID, &m.Email, &m.Attempts, &m.Done, &m.Recipient.Status, &m.Recipient.Token)
	if noRows(err) {
		return m, trawl.Errorf(trawl.CodeNotFound, "Mail not found")
	}
	if err != nil {
		return m, fmt.Errorf("read mail: %w", err)
	}
	return m, nil
}

// MailOf returns the id of the last mail of a monitor.
func (s *Store) MailOf(ctx context.Context, monitorID string) (string, error) {
	id, err := scanString(s.db.Read().QueryRow(ctx, "SELECT id FROM mails WHERE monitor_id = $1 ORDER BY id DESC LIMIT 1", monitorID))
	if noRows(err) {
		return "", trawl.Errorf(trawl.CodeNotFound, "Mail not found")
	}
	return id, err
}

// RecordMail notes what became of an attempt to send a mail. It is tried again unless it
// arrived or is given up.
func (s *Store) RecordMail(ctx context.Context, m *Mail, failure string, final bool) error {
	state := 0
	switch {
	case failure == "":
		state = 1
	case final:
		state = 2
	}
	now := millis(s.now())
	err := s.db.Tx(ctx, func(tx database.Tx) error {
		_, err := tx.Exec(ctx, "UPDATE mails SET state = $2, attempts = attempts + 1, error = $3, last_at = $4 WHERE id = $1 AND state = 0", m.ID, state, failure, now)
		if err == nil && state == 1 && m.CheckID == "" {
			_, err = tx.Exec(ctx, "UPDATE recipients SET asked_at = $3 WHERE monitor_id = $1 AND email = $2", m.MonitorID, m.Email, now)
		}
		return err
	})
	if err != nil {
		return fmt.Errorf("record mail: %w", err)
	}
	return nil
}

// sweepMonitors removes checks that have expired, and all that is left of monitors that
// were deleted.
func (s *Store) sweepMonitors(ctx context.Context, now time.Time, stats *SweepStats) error {
	for {
		checks, err := database.Collect(ctx, s.db.Read(), scanString, `SELECT id FROM checks WHERE finished_at > 0 AND (expires_at <= $1
			OR monitor_id IN (SELECT id FROM monitors WHERE status = 'deleted')) ORDER BY expires_at LIMIT $2`, millis(now), portion)
		if err != nil {
			return err
		}
		for _, id := range checks {
			if err := s.emptyCheck(ctx, id); err != nil {
				return err
			}
			stats.Checks++
		}
		if len(checks) < portion {
			break
		}
	}
	deleted, err := database.Collect(ctx, s.db.Read(), scanString, "SELECT id FROM monitors WHERE status = 'deleted' AND current_check = '' LIMIT $1", portion)
	if err != nil {
		return err
	}
	for _, id := range deleted {
		if err := s.forgetMonitor(ctx, id); err != nil {
			return err
		}
	}
	return nil
}

// emptyCheck removes a check with its pages, in small portions.
func (s *Store) emptyCheck(ctx context.Context, id string) error {
	for {
		n, err := s.exec(ctx, "DELETE FROM check_pages WHERE check_id = $1 AND n IN (SELECT n FROM check_pages WHERE check_id = $1 ORDER BY n LIMIT $2)", id, portion)
		if err != nil {
			return err
		}
		if n < portion {
			break
		}
	}
	return s.db.Tx(ctx, func(tx database.Tx) error {
		for _, query := range []string{"DELETE FROM mails WHERE check_id = $1", "DELETE FROM answers WHERE job_id = $1", "DELETE FROM checks WHERE id = $1"} {
			if _, err := tx.Exec(ctx, query, id); err != nil {
				return err
			}
		}
		return nil
	})
}

// forgetMonitor removes a monitor with what it knows of its pages.
func (s *Store) forgetMonitor(ctx context.Context, id string) error {
	for {
		count := 0
		err := s.db.Tx(ctx, func(tx database.Tx) error {
			count = 0
			var blobs []string
			err := tx.Query(ctx, func(r database.Row) error {
				blob, err := scanString(r)
				if count++; blob != "" {
					blobs = append(blobs, blob)
				}
				return err
			}, "DELETE FROM monitor_pages WHERE monitor_id = $1 AND hash IN (SELECT hash FROM monitor_pages WHERE monitor_id = $1 LIMIT $2) RETURNING blob_id", id, portion)
			if err != nil {
				return err
			}
			return drop(ctx, tx, blobs...)
		})
		if err != nil {
			return err
		}
		if count < portion {
			break
		}
	}
	return s.db.Tx(ctx, func(tx database.Tx) error {
		for _, query := range []string{"DELETE FROM mails WHERE monitor_id = $1", "DELETE FROM recipients WHERE monitor_id = $1", "DELETE FROM monitors WHERE id = $1"} {
			if _, err := tx.Exec(ctx, query, id); err != nil {
				return err
			}
		}
		return nil
	})
}
