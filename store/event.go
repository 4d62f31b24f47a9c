package store

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/store/database"
)

// eventBits are the events of a job as they are stored with it.
var eventBits = map[string]int64{
	trawl.EventStarted: 1, trawl.EventPage: 2, trawl.EventCompleted: 4, trawl.EventFailed: 8, trawl.EventCancelled: 16,
	trawl.EventCheck: 32,
}

// wanted returns the bits of the events that a webhook wants.
func wanted(kind string, hook *trawl.Webhook) (bits int64) {
	if hook == nil {
		return 0
	}
	for name, bit := range eventBits {
		if kind == trawl.KindExtract && name == trawl.EventPage { // its pages are no results
			continue
		}
		if kind == trawl.KindMonitor && name != trawl.EventPage && name != trawl.EventCheck {
			continue
		}
		if hook.Includes(kind, name) {
			bits |= bit
		}
	}
	return bits
}

// event is something that happened to a job.
type event struct {
	kind string
	page int64
	seq  int64 // of the page's result, 0 if it has none
}

var insertDeliveries = database.NewInsert("deliveries (job_id, n, id, event, page, seq, created_at)", "")

// addEvents notes events that the webhook of the job wants to hear of, and sees
// to it that a task delivers them.
func (t *jobTx) addEvents(ctx context.Context, j *jobRow, events ...event) error {
	var args []any
	for _, e := range events {
		if j.webhook&eventBits[e.kind] == 0 {
			continue
		}
		id, err := newID()
		if err != nil {
			return err
		}
		j.lastEvent++
		args = append(args, j.id, j.lastEvent, id, e.kind, e.page, e.seq, t.now)
	}
	if len(args) == 0 {
		return nil
	}
	t.deliver(j)
	return insertDeliveries.Run(ctx, t.tx, args)
}

// deliver makes sure that a task delivers the events of a job.
func (t *jobTx) deliver(j *jobRow) {
	if j.courier%2 == 0 {
		j.courier++
		t.tasks = append(t.tasks, newTask(QueueWebhook, DeliverTask{Job: j.id, Courier: j.courier}))
	}
}

// announceEnd notes the last event of a job that ended in this transaction.
func (t *jobTx) announceEnd(ctx context.Context, j *jobRow) error {
	if before, ok := t.loaded[j.id]; j.running() || ok && !before.running() {
		return nil
	}
	return t.addEvents(ctx, j, event{kind: j.state}) // the final states are named like their events
}

// Errand is what a deliverer of a job's events has to know.
type Errand struct {
	Job     trawl.Job
	Webhook trawl.Webhook
	Secret  string
	Courier int64 // number of the task that delivers them
}

// Errand returns what is needed to deliver the events of a job.
func (s *Store) Errand(ctx context.Context, jobID string) (e Errand, err error) {
	q := s.db.Read()
	if e.Job, err = scanJob(q.QueryRow(ctx, "SELECT "+jobColumns+" FROM jobs WHERE id = $1", jobID)); err == nil {
		err = q.QueryRow(ctx, "SELECT j.courier, t.webhook_secret FROM jobs j JOIN teams t ON t.id = j.team_id WHERE j.id = $1", jobID).
			Scan(&e.Courier, &e.Secret)
	}
	if noRows(err) || err == nil && len(e.Job.Request) == 0 { // it has expired
		return e, errNoJob("")
	}
	if err == nil {
		body := struct{ Webhook *trawl.Webhook }{&e.Webhook}
		err = json.Unmarshal(e.Job.Request, &body)
	}
	if err != nil {
		return e, fmt.Errorf("read errand: %w", err)
	}
	return e, nil
}

// PendingDelivery is an event that still has to be delivered.
type PendingDelivery struct {
	Number   int64
	ID       string
	Event    string // short name
	URL      string // of the page
	Failure  Failure
	Seq      int64 // of the document, 0 if there is none
	Page     int64
	Attempts int
	NextAt   time.Time
}

// PendingDeliveries returns the first pending events of a job, in order, and
// when the next attempt at one of the others is due.
func (s *Store) PendingDeliveries(ctx context.Context, jobID string, most int) ([]PendingDelivery, error) {
	list, err := database.Collect(ctx, s.db.Read(), func(r database.Row) (d PendingDelivery, err error) {
		var next int64
		err = r.Scan(&d.Number, &d.ID, &d.Event, &d.Page, &d.Seq, &d.Attempts, &next, &d.URL, &d.Failure.Code, &d.Failure.Text)
		d.NextAt = moment(next)
		return d, err
	}, `SELECT d.n, d.id, d.event, d.page, d.seq, d.attempts, d.next_at, COALESCE(p.url, ''), COALESCE(p.code, ''), COALESCE(p.error, '')
		FROM deliveries d LEFT JOIN pages p ON p.job_id = d.job_id AND p.n = d.page
		WHERE d.job_id = $1 AND d.state = 0 ORDER BY CASE d.event WHEN 'started' THEN 0 ELSE 1 END, d.next_at, d.n LIMIT $2`, jobID, most)
	if err != nil {
		return nil, fmt.Errorf("list pending deliveries: %w", err)
	}
	return list, nil
}

// Attempt is the outcome of one attempt at a delivery.
type Attempt struct {
	Number    int64
	Status    int
	Error     string
	Delivered bool
	NextAt    time.Time // of the next attempt; zero means that there will be none
}

// RecordAttempts notes what became of attempts at deliveries of a job.
func (s *Store) RecordAttempts(ctx context.Context, jobID string, attempts []Attempt) error {
	now := millis(s.now())
	err := s.db.Tx(ctx, func(tx database.Tx) error {
		for _, a := range attempts {
			state := 0
			switch {
			case a.Delivered:
				state = 1
			case a.NextAt.IsZero():
				state = 2
			}
			_, err := tx.Exec(ctx, `UPDATE deliveries SET state = $3, attempts = attempts + 1, status = $4, error = $5, last_at = $6, next_at = $7
				WHERE job_id = $1 AND n = $2 AND state = 0`, jobID, a.Number, state, a.Status, a.Error, now, millis(a.NextAt))
			if err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("record deliveries: %w", err)
	}
	return nil
}

// EndErrand says that the task of the given number has nothing left to deliver.
// It reports whether that is true; if not, the task must go on.
func (s *Store) EndErrand(ctx context.Context, teamID, jobID string, courier int64) (ended bool, err error) {
	err = s.teamJobs(ctx, teamID, func(t *jobTx) error {
		var pending int64
		err := t.tx.QueryRow(ctx, "SELECT COUNT(*) FROM deliveries WHERE job_id = $1 AND state = 0", jobID).Scan(&pending)
		if err != nil || pending > 0 {
			return err
		}
		ended = true
		j, err := t.job(ctx, jobID)
		if err == nil && j != nil && j.courier == courier {
			j.courier++
		}
		return err
	})
	if err != nil {
		return false, fmt.Errorf("end errand: %w", err)
	}
	return ended, nil
}

// Deliveries returns the log of a job's deliveries behind the given number.
func (s *Store) Deliveries(ctx context.Context, jobID string, after, most int) ([]trawl.Delivery, error) {
	states := []string{trawl.DeliveryPending, trawl.DeliveryDelivered, trawl.DeliveryFailed}
	list, err := database.Collect(ctx, s.db.Read(), func(r database.Row) (d trawl.Delivery, err error) {
		var state, created, last, next int64
		err = r.Scan(&d.Number, &d.ID, &d.Type, &d.URL, &state, &d.Attempts, &d.Status, &d.Error, &created, &last, &next)
		d.State, d.CreatedAt, d.LastAt, d.NextAt = states[state], moment(created), moment(last), moment(next)
		return d, err
	}, `SELECT d.n, d.id, j.kind || '.' || d.event, COALESCE(p.url, c.url, ''), d.state, d.attempts, d.status, d.error, d.created_at, d.last_at, d.next_at
		FROM deliveries d JOIN jobs j ON j.id = d.job_id LEFT JOIN pages p ON p.job_id = d.job_id AND p.n = d.page
		LEFT JOIN check_pages c ON c.check_id = d.job_id AND c.n = d.page
		WHERE d.job_id = $1 AND d.n > $2 ORDER BY d.n LIMIT $3`, jobID, after, most)
	if err != nil {
		return nil, fmt.Errorf("list deliveries: %w", err)
	}
	return list, nil
}

// Replay makes deliveries of a job pending again: the one with the given id, or
// all that failed if it is empty. It returns how many there are; if there is none
// with the id, the error has CodeNotFound. They keep their ids and start over with
// their attempts.
func (s *Store) Replay(ctx context.Context, teamID, jobID, id string) (count int, err error) {
	err = s.teamJobs(ctx, teamID, func(t *jobTx) error {
		j, err := t.job(ctx, jobID)
		if err != nil || j == nil {
			return err
		}
		n, err := t.tx.Exec(ctx, `UPDATE deliveries SET state = 0, attempts = 0, next_at = 0
			WHERE job_id = $1 AND (id = $2 AND state <> 0 OR $2 = '' AND state = 2)`, jobID, id)
		if count = int(n); err == nil && n > 0 {
			t.deliver(j)
		}
		if err == nil && n == 0 && id != "" {
			err = t.tx.QueryRow(ctx, "SELECT COUNT(*) FROM deliveries WHERE job_id = $1 AND id = $2", jobID, id).Scan(&n)
			if err == nil && n == 0 {
				err = trawl.Errorf(trawl.CodeNotFound, "Delivery not found")
			}
		}
		return err
	})
	if err != nil {
		return 0, fmt.Errorf("replay deliveries: %w", err)
	}
	return count, nil
}

// SetWebhookSecret gives a team a secret to sign with, unless it has one, and
// returns the one it has.
func (s *Store) SetWebhookSecret(ctx context.Context, teamID, secret string) (string, error) {
	err := s.db.Tx(ctx, func(tx database.Tx) error {
		if _, err := tx.Exec(ctx, "UPDATE teams SET webhook_secret = $2 WHERE id = $1 AND webhook_secret = ''", teamID, secret); err != nil {
			return err
		}
		return tx.QueryRow(ctx, "SELECT webhook_secret FROM teams WHERE id = $1", teamID).Scan(&secret)
	})
	return secret, teamError("set webhook secret", err)
}

// RotateWebhookSecret gives a team another secret to sign with.
func (s *Store) RotateWebhookSecret(ctx context.Context, teamID, secret string) error {
	n, err := s.exec(ctx, "UPDATE teams SET webhook_secret = $2 WHERE id = $1", teamID, secret)
	if err == nil && n == 0 {
		return errNoTeam()
	}
	return teamError("rotate webhook secret", err)
}
