package store

import (
	"context"
	"fmt"
	"time"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/store/database"
)

// feedbackAge is how long feedback is kept.
const feedbackAge = 365 * 24 * time.Hour

// Feedback is what a caller thinks of a request.
type Feedback struct {
	ID        string
	TeamID    string
	KeyID     string
	Endpoint  string
	JobID     string // empty if it is about no request in particular
	Body      []byte // JSON
	CreatedAt time.Time
}

// AddFeedback keeps feedback and returns its id. If the team has said something about
// that request before, that stays, and its id is returned with again. The error has
// CodeNotFound if the team made no such request, CodeGone if it has expired.
func (s *Store) AddFeedback(ctx context.Context, f Feedback) (id string, again bool, err error) {
	if id, err = newID(); err != nil {
		return "", false, fmt.Errorf("add feedback: %w", err)
	}
	now := millis(s.now())
	err = s.db.Tx(ctx, func(tx database.Tx) error {
		if f.JobID != "" {
			expires, err := scanInt(tx.QueryRow(ctx, "SELECT expires_at FROM records WHERE team_id = $1 AND id = $2 AND endpoint = $3", f.TeamID, f.JobID, f.Endpoint))
			switch {
			case noRows(err):
				return errNoJob("")
			case err != nil:
				return err
			case expires <= now:
				return trawl.Errorf(trawl.CodeGone, "The request has expired")
			}
		}
		added, err := tx.Exec(ctx, `INSERT INTO feedback (team_id, id, key_id, endpoint, job_id, body, created_at)
			VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT DO NOTHING`, f.TeamID, id, f.KeyID, f.Endpoint, f.JobID, string(f.Body), now)
		if again = err == nil && added == 0; again {
			id, err = scanString(tx.QueryRow(ctx, "SELECT id FROM feedback WHERE team_id = $1 AND endpoint = $2 AND job_id = $3", f.TeamID, f.Endpoint, f.JobID))
		}
		return err
	})
	if err != nil {
		return "", false, fmt.Errorf("add feedback: %w", err)
	}
	return id, again, nil
}

// Feedback returns the newest feedback of all teams, newest first.
func (s *Store) Feedback(ctx context.Context, limit int) ([]Feedback, error) {
	list, err := database.Collect(ctx, s.db.Read(), func(r database.Row) (f Feedback, err error) {
		var body string
		var created int64
		err = r.Scan(&f.ID, &f.TeamID, &f.KeyID, &f.Endpoint, &f.JobID, &body, &created)
		f.Body, f.CreatedAt = []byte(body), moment(created)
		return f, err
	}, "SELECT id, team_id, key_id, endpoint, job_id, body, created_at FROM feedback ORDER BY created_at DESC, id DESC LIMIT $1", limit)
	if err != nil {
		return nil, fmt.Errorf("list feedback: %w", err)
	}
	return list, nil
}

// sweepFeedback removes what is a year old.
func (s *Store) sweepFeedback(ctx context.Context, now time.Time) error {
	_, err := s.exec(ctx, "DELETE FROM feedback WHERE created_at <= $1", millis(now.Add(-feedbackAge)))
	return err
}
