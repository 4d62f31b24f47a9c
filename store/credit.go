package store

import (
	"context"
	"fmt"
	"time"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/store/database"
)

// maxGrant keeps sums of grants far from the end of the number range.
const maxGrant = 1_000_000_000_000

// Grant adds credits to the balance of a team, whose balance is finite from
// then on, and returns the team.
func (s *Store) Grant(ctx context.Context, teamID string, credits int64) (team trawl.Team, err error) {
	if credits <= 0 || credits > maxGrant {
		return trawl.Team{}, trawl.Errorf(trawl.CodeBadRequest, "A grant is between 1 and %d credits", int64(maxGrant))
	}
	err = s.db.Tx(ctx, func(tx database.Tx) (err error) {
		team, err = scanTeam(tx.QueryRow(ctx, `UPDATE teams SET credits = COALESCE(credits, 0) + $2, granted = granted + $2
			WHERE id = $1 RETURNING `+teamColumns, teamID, credits))
		return err
	})
	return team, teamError("grant credits", err)
}

// SetUnlimited lets a team scrape without limit.
func (s *Store) SetUnlimited(ctx context.Context, teamID string) error {
	var found int64
	err := s.db.Tx(ctx, func(tx database.Tx) (err error) {
		found, err = tx.Exec(ctx, "UPDATE teams SET credits = NULL WHERE id = $1", teamID)
		return err
	})
	if err == nil && found == 0 {
		return errNoTeam()
	}
	return teamError("set unlimited", err)
}

// monthOf is the number under which a month is stored, in UTC on either database.
func monthOf(t time.Time) int64 {
	t = t.UTC()
	return int64(t.Year())*100 + int64(t.Month())
}

// Usage returns what a team used in every month (in UTC) with any use, oldest
// first; with byKey, what each of its keys used, by name within the month.
func (s *Store) Usage(ctx context.Context, teamID string, byKey bool) ([]trawl.UsagePeriod, error) {
	query := `SELECT u.month, '', CAST(SUM(u.credits) AS BIGINT) FROM monthly_usage u
		WHERE u.team_id = $1 GROUP BY u.month ORDER BY u.month`
	if byKey {
		query = `SELECT u.month, COALESCE(k.name, '') AS name, u.credits FROM monthly_usage u LEFT JOIN api_keys k ON k.id = u.key_id
			WHERE u.team_id = $1 ORDER BY u.month, name, u.key_id`
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
