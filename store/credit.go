package store

import (
	"context"

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
