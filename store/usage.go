package store

import (
	"context"
	"fmt"
	"time"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/store/database"
)

// dayOf is the number under which a day is stored, in UTC on either database. Its
// first digits are the month.
func dayOf(t time.Time) int64 {
	t = t.UTC()
	return int64(t.Year())*10000 + int64(t.Month())*100 + int64(t.Day())
}

func dateOf(day int64) time.Time {
	return time.Date(int(day/10000), time.Month(day/100%100), int(day%100), 0, 0, 0, 0, time.UTC)
}

// Usage returns what a team used in every month (in UTC) with any use, oldest
// first; with byKey, what each of its keys used, by name within the month.
func (s *Store) Usage(ctx context.Context, teamID string, byKey bool) ([]trawl.UsagePeriod, error) {
	// Months before days were counted have sums of their own.
	const all = `(SELECT month, key_id, credits FROM monthly_usage WHERE team_id = $1
		UNION ALL SELECT day / 100 AS month, key_id, credits FROM daily_usage WHERE team_id = $1)`
	query := `SELECT u.month, '', CAST(SUM(u.credits) AS BIGINT) FROM ` + all + ` u GROUP BY u.month HAVING SUM(u.credits) > 0 ORDER BY u.month`
	if byKey {
		query = `SELECT u.month, COALESCE(k.name, '') AS name, CAST(SUM(u.credits) AS BIGINT) FROM ` + all + ` u LEFT JOIN api_keys k ON k.id = u.key_id
			GROUP BY u.month, name, u.key_id HAVING SUM(u.credits) > 0 ORDER BY u.month, name, u.key_id`
	}
	periods, err := database.Collect(ctx, s.db.Read(), scanPeriod, query, teamID)
	if err != nil {
		return nil, fmt.Errorf("read usage: %w", err)
	}
	return periods, nil
}

func scanPeriod(r database.Row) (p trawl.UsagePeriod, err error) {
	var month int64
	err = r.Scan(&month, &p.Key, &p.Credits)
	p.Start = time.Date(int(month/100), time.Month(month%100), 1, 0, 0, 0, 0, time.UTC)
	p.End = p.Start.AddDate(0, 1, 0)
	return p, err
}

// DailyUsage returns what a team used from a day on, oldest first, by key and by what
// was paid for.
func (s *Store) DailyUsage(ctx context.Context, teamID string, since time.Time) ([]trawl.UsageDay, error) {
	days, err := database.Collect(ctx, s.db.Read(), func(r database.Row) (d trawl.UsageDay, err error) {
		var day int64
		err = r.Scan(&day, &d.KeyNumber, &d.KeyName, &d.Endpoint, &d.Credits, &d.Requests)
		d.Day = dateOf(day)
		return d, err
	}, `SELECT u.day, COALESCE(k.number, 0), COALESCE(k.name, ''), u.kind, u.credits, u.requests FROM daily_usage u LEFT JOIN api_keys k ON k.id = u.key_id
		WHERE u.team_id = $1 AND u.day >= $2 ORDER BY u.day, u.kind, u.key_id`, teamID, dayOf(since))
	if err != nil {
		return nil, fmt.Errorf("read daily usage: %w", err)
	}
	return days, nil
}
