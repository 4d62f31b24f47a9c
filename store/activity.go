package store

import (
	"context"
	"fmt"
	"time"

	"github.com/google/uuid"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/store/database"
)

// Activity is an entry in the list of what a team did.
type Activity struct {
	ID        string
	Endpoint  string
	Target    string
	KeyName   string // empty if the key has none
	State     string // completed, failed, cancelled, or scraping for a job that runs
	Code      trawl.Code
	Credits   int64
	Duration  time.Duration // 0 if it is not known, or not over
	CreatedAt time.Time
	Job       bool // whether it is a job, or was answered at once
}

// ActivityQuery says which entries are wanted; what is empty does not matter.
type ActivityQuery struct {
	Endpoint  string
	KeyNumber int64
	State     string
	Limit     int
	Cursor    string // where the last call ended
}

// afterAllIDs comes after every id, in whatever order the database keeps texts.
const afterAllIDs = "ffffffff-ffff-ffff-ffff-ffffffffffff"

// startAt returns the id that a list goes on before.
func startAt(cursor string) (string, error) {
	switch {
	case cursor == "":
		return afterAllIDs, nil
	case uuid.Validate(cursor) != nil:
		return "", trawl.Errorf(trawl.CodeBadRequest, "Invalid cursor")
	}
	return cursor, nil
}

// Activity lists the records of a team that have not expired, newest first. The
// returned cursor, given to the next call, continues the list and is empty at its end;
// records added meanwhile do not shift it. A cursor that is none gives
// CodeBadRequest.
//
// The order is that of the ids, which begin with the time they were made at. What
// became of a job is read from the job.
func (s *Store) Activity(ctx context.Context, teamID string, q ActivityQuery) (list []Activity, next string, err error) {
	before, err := startAt(q.Cursor)
	if err != nil {
		return nil, "", err
	}
	limit := max(q.Limit, 1)
	list, err = database.Collect(ctx, s.db.Read(), scanActivity, activityQuery+`
		WHERE r.team_id = $1 AND r.id < $2 AND r.expires_at > $3 AND ($4 = '' OR r.endpoint = $4) AND ($5 = 0 OR k.number = $5)
		AND ($6 = '' OR COALESCE(j.state, CASE WHEN r.code = '' THEN 'completed' ELSE 'failed' END) = $6)
		ORDER BY r.id DESC LIMIT $7`, teamID, before, millis(s.now()), q.Endpoint, q.KeyNumber, q.State, limit+1)
	if err != nil {
		return nil, "", fmt.Errorf("list activity: %w", err)
	}
	if len(list) > limit {
		list = list[:limit]
		next = list[limit-1].ID
	}
	return list, next, nil
}

// activityQuery reads what is known of requests.
const activityQuery = `SELECT r.id, r.endpoint, r.target, COALESCE(k.name, ''), COALESCE(j.state, CASE WHEN r.code = '' THEN 'completed' ELSE 'failed' END) AS outcome,
	r.code, COALESCE(j.credits, r.credits), CASE WHEN j.id IS NULL THEN r.duration WHEN j.finished_at > 0 THEN j.finished_at - j.created_at ELSE 0 END, r.created_at, j.id IS NOT NULL
	FROM records r LEFT JOIN jobs j ON j.id = r.id LEFT JOIN api_keys k ON k.id = r.key_id`

// ActivityOf returns what is known of one request of a team; CodeNotFound if there
// is none, or it has expired.
func (s *Store) ActivityOf(ctx context.Context, teamID, id string) (Activity, error) {
	a, err := scanActivity(s.db.Read().QueryRow(ctx, activityQuery+" WHERE r.team_id = $1 AND r.id = $2 AND r.expires_at > $3", teamID, id, millis(s.now())))
	switch {
	case noRows(err):
		return Activity{}, errNoJob("")
	case err != nil:
		return Activity{}, fmt.Errorf("read activity: %w", err)
	}
	return a, nil
}

func scanActivity(r database.Row) (a Activity, err error) {
	var created, duration int64
	err = r.Scan(&a.ID, &a.Endpoint, &a.Target, &a.KeyName, &a.State, &a.Code, &a.Credits, &duration, &created, &a.Job)
	a.CreatedAt, a.Duration = moment(created), time.Duration(duration)*time.Millisecond
	return a, err
}
