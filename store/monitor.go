package store

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/store/database"
)

const monitorColumns = `id, team_id, key_id, name, status, cron, timezone, next_run_at, due_at, last_run_at, current_check, definition,
	retention_days, summary, public_url, created_at, updated_at`

func scanMonitor(r database.Row) (m trawl.Monitor, err error) {
	var next, due, last, created, updated int64
	var definition, summary string
	err = r.Scan(&m.ID, &m.TeamID, &m.KeyID, &m.Name, &m.Status, &m.Cron, &m.TimeZone, &next, &due, &last, &m.CurrentCheck, &definition,
		&m.RetentionDays, &summary, &m.PublicURL, &created, &updated)
	if err != nil {
		return m, err
	}
	m.NextRunAt, m.DueAt, m.LastRunAt, m.CreatedAt, m.UpdatedAt = moment(next), moment(due), moment(last), moment(created), moment(updated)
	if summary != "" {
		if err := json.Unmarshal([]byte(summary), &m.Summary); err != nil {
			return m, err
		}
	}
	return m, json.Unmarshal([]byte(definition), &m.MonitorDefinition)
}

func errNoMonitor() error { return trawl.Errorf(trawl.CodeNotFound, "Monitor not found") }

// CreateMonitor stores a monitor and sets its clock. Recipients are asked whether they
// want its mail.
func (s *Store) CreateMonitor(ctx context.Context, m trawl.Monitor, recipients []trawl.Recipient) error {
	err := s.teamJobs(ctx, m.TeamID, func(t *jobTx) error {
		definition, err := json.Marshal(m.MonitorDefinition)
		if err != nil {
			return err
		}
		_, err = t.tx.Exec(ctx, "INSERT INTO monitors ("+monitorColumns+") VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, 0, '', $10, $11, '', $12, $13, $13)",
			m.ID, m.TeamID, m.KeyID, m.Name, m.Status, m.Cron, m.TimeZone, millis(m.NextRunAt), millis(m.DueAt), string(definition),
			m.RetentionDays, m.PublicURL, t.now)
		if err != nil {
			return err
		}
		t.setClock(&m)
		return t.addRecipients(ctx, &m, recipients)
	})
	if err != nil {
		return fmt.Errorf("create monitor: %w", err)
	}
	return nil
}

// setClock adds the task that starts the next check.
func (t *jobTx) setClock(m *trawl.Monitor) {
	if m.Status == trawl.MonitorActive && !m.DueAt.IsZero() {
		t.tasks = append(t.tasks, taskAt(m.DueAt, DueTask{Team: m.TeamID, Monitor: m.ID, Due: millis(m.DueAt)}))
	}
}

// Monitor returns a monitor of the team; CodeNotFound if it has none.
func (s *Store) Monitor(ctx context.Context, teamID, id string) (trawl.Monitor, error) {
	m, err := scanMonitor(s.db.Read().QueryRow(ctx, "SELECT "+monitorColumns+" FROM monitors WHERE id = $1 AND team_id = $2 AND status <> 'deleted'", id, teamID))
	if noRows(err) {
		return m, errNoMonitor()
	}
	if err != nil {
		return m, fmt.Errorf("read monitor: %w", err)
	}
	return m, nil
}

// MonitorByID returns a monitor whose address was signed, whoever asks; CodeNotFound if
// there is none.
func (s *Store) MonitorByID(ctx context.Context, id string) (trawl.Monitor, error) {
	m, err := scanMonitor(s.db.Read().QueryRow(ctx, "SELECT "+monitorColumns+" FROM monitors WHERE id = $1 AND status <> 'deleted'", id))
	if noRows(err) {
		return m, errNoMonitor()
	}
	if err != nil {
		return m, fmt.Errorf("read monitor: %w", err)
	}
	return m, nil
}

// Monitors lists monitors of a team, newest first.
func (s *Store) Monitors(ctx context.Context, teamID string, limit, offset int) ([]trawl.Monitor, error) {
	list, err := database.Collect(ctx, s.db.Read(), scanMonitor, "SELECT "+monitorColumns+` FROM monitors
		WHERE team_id = $1 AND status <> 'deleted' ORDER BY id DESC LIMIT $2 OFFSET $3`, teamID, limit, offset)
	if err != nil {
		return nil, fmt.Errorf("list monitors: %w", err)
	}
	return list, nil
}

// UpdateMonitor changes a monitor. The function sees it as it is and returns who gets
// its mail from now on; it may be called more than once.
func (s *Store) UpdateMonitor(ctx context.Context, teamID, id string, change func(*trawl.Monitor) ([]trawl.Recipient, error)) (m trawl.Monitor, err error) {
	err = s.teamJobs(ctx, teamID, func(t *jobTx) error {
		if m, err = t.monitor(ctx, id); err != nil {
			return err
		}
		due := m.DueAt
		recipients, err := change(&m)
		if err != nil {
			return err
		}
		m.UpdatedAt = moment(t.now)
		if err := t.saveMonitor(ctx, &m); err != nil {
			return err
		}
		if !m.DueAt.Equal(due) {
			t.setClock(&m)
		}
		return t.addRecipients(ctx, &m, recipients)
	})
	if err != nil {
		return m, fmt.Errorf("update monitor: %w", err)
	}
	return m, nil
}

// monitor returns a monitor of the team in the transaction.
func (t *jobTx) monitor(ctx context.Context, id string) (trawl.Monitor, error) {
	m, err := scanMonitor(t.tx.QueryRow(ctx, "SELECT "+monitorColumns+" FROM monitors WHERE id = $1 AND team_id = $2 AND status <> 'deleted'", id, t.team))
	if noRows(err) {
		return m, errNoMonitor()
	}
	return m, err
}

func (t *jobTx) saveMonitor(ctx context.Context, m *trawl.Monitor) error {
	definition, err := json.Marshal(m.MonitorDefinition)
	if err != nil {
		return err
	}
	summary := []byte{}
	if m.Summary != nil {
		if summary, err = json.Marshal(m.Summary); err != nil {
			return err
		}
	}
	_, err = t.tx.Exec(ctx, `UPDATE monitors SET name = $2, status = $3, cron = $4, timezone = $5, next_run_at = $6, due_at = $7, last_run_at = $8,
		current_check = $9, definition = $10, retention_days = $11, summary = $12, updated_at = $13 WHERE id = $1`,
		m.ID, m.Name, m.Status, m.Cron, m.TimeZone, millis(m.NextRunAt), millis(m.DueAt), millis(m.LastRunAt),
		m.CurrentCheck, string(definition), m.RetentionDays, string(summary), millis(m.UpdatedAt))
	return err
}

// DeleteMonitor ends a monitor. What is left of it is swept; a check that runs ends.
func (s *Store) DeleteMonitor(ctx context.Context, teamID, id string) error {
	err := s.teamJobs(ctx, teamID, func(t *jobTx) error {
		m, err := t.monitor(ctx, id)
		if err != nil {
			return err
		}
		if m.CurrentCheck != "" {
			t.tasks = append(t.tasks, newTask(QueueExtract, CheckTask{Check: m.CurrentCheck}))
		}
		m.Status, m.NextRunAt, m.DueAt, m.UpdatedAt = trawl.MonitorDeleted, time.Time{}, time.Time{}, moment(t.now)
		return t.saveMonitor(ctx, &m)
	})
	if err != nil {
		return fmt.Errorf("delete monitor: %w", err)
	}
	return nil
}

// overdueAfter is how late a check may be before its task counts as lost.
const overdueAfter = 2 * time.Minute

// Remind adds tasks of monitors that are long due: there should be none whose task is
// gone, and one too many does nothing. It returns how many there were.
func (s *Store) Remind(ctx context.Context) (count int, err error) {
	late, err := database.Collect(ctx, s.db.Read(), scanMonitor, "SELECT "+monitorColumns+` FROM monitors
		WHERE status = 'active' AND due_at > 0 AND due_at < $1`, millis(s.now().Add(-overdueAfter)))
	if err != nil || len(late) == 0 {
		return 0, err
	}
	clocks, err := s.clocks(ctx)
	if err != nil {
		return 0, err
	}
	t := &jobTx{}
	for i := range late {
		if !clocks[late[i].ID] {
			t.setClock(&late[i])
		}
	}
	if len(t.tasks) == 0 {
		return 0, nil
	}
	if err := s.db.Tx(ctx, func(tx database.Tx) error { return tx.Enqueue(ctx, t.tasks) }); err != nil {
		return 0, fmt.Errorf("remind monitors: %w", err)
	}
	return len(t.tasks), nil
}

// clocks returns the monitors that have a task to start their next check.
func (s *Store) clocks(ctx context.Context) (map[string]bool, error) {
	held := map[string]bool{}
	err := s.db.Read().Query(ctx, func(r database.Row) error {
		args, err := scanString(r)
		if err != nil {
			return err
		}
		var task DueTask
		if err := json.Unmarshal([]byte(args), &task); err != nil {
			return fmt.Errorf("read task: %w", err)
		}
		held[task.Monitor] = true
		return nil
	}, "SELECT "+s.db.Dialect().TaskArgs+" FROM river_job WHERE kind = $1 AND state IN ('available', 'running', 'retryable', 'scheduled', 'pending')", DueTask{}.Kind())
	if err != nil {
		return nil, fmt.Errorf("list tasks: %w", err)
	}
	return held, nil
}
