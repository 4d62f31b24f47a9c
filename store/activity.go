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
	CreatedAt time.Time
}

// afterAllIDs comes after every id, in whatever order the database keeps texts.
const afterAllIDs = "ffffffff-ffff-ffff-ffff-ffffffffffff"

// Activity lists the records of a team that have not expired, newest first, at
// most limit of them, and of one endpoint unless that is empty. The returned
// cursor, given to the next call, continues the list and is empty at its end;
// records added meanwhile do not shift it. A cursor that is none gives
// CodeBadRequest.
//
// The order is that of the ids, which begin with the time they were made at.
func (s *Store) Activity(ctx context.Context, teamID, endpoint string, limit int, cursor string) (list []Activity, next string, err error) {
	before := afterAllIDs
	if cursor != "" {
		if before = cursor; uuid.Validate(cursor) != nil {
			return nil, "", trawl.Errorf(trawl.CodeBadRequest, "Invalid cursor")
		}
	}
	limit = max(limit, 1)
	list, err = database.Collect(ctx, s.db.Read(), scanActivity, `SELECT id, endpoint, target, created_at FROM records
		WHERE team_id = $1 AND id < $2 AND expires_at > $3 AND ($4 = '' OR endpoint = $4)
		ORDER BY id DESC LIMIT $5`, teamID, before, millis(s.now()), endpoint, limit+1)
	if err != nil {
		return nil, "", fmt.Errorf("list activity: %w", err)
	}
	if len(list) > limit {
		list = list[:limit]
		next = list[limit-1].ID
	}
	return list, next, nil
}

func scanActivity(r database.Row) (a Activity, err error) {
	var created int64
	err = r.Scan(&a.ID, &a.Endpoint, &a.Target, &created)
	a.CreatedAt = moment(created)
	return a, err
}
