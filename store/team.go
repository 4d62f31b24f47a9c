package store

import (
	"context"
	"fmt"
	"time"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/store/database"
)

const teamColumns = "teams.id, teams.name, teams.concurrency, teams.credits, teams.granted, teams.zero_data_retention, teams.robots_exempt, teams.created_at"

func scanTeam(r database.Row) (t trawl.Team, err error) {
	var created int64
	err = r.Scan(&t.ID, &t.Name, &t.Concurrency, &t.Credits, &t.Granted, &t.ZeroDataRetention, &t.RobotsExempt, &created)
	t.CreatedAt = moment(created)
	return t, err
}

func errNoTeam() error { return trawl.Errorf(trawl.CodeNotFound, "Team not found") }

// CreateTeam adds a team and returns it with its id and time of creation. What
// it starts with counts as granted. A name that is taken gives CodeConflict.
func (s *Store) CreateTeam(ctx context.Context, team trawl.Team) (trawl.Team, error) {
	id, err := newID()
	if err != nil {
		return trawl.Team{}, fmt.Errorf("create team: %w", err)
	}
	team.ID, team.CreatedAt = id, moment(millis(s.now()))
	if team.Credits != nil {
		team.Granted = *team.Credits
	}
	var added int64
	err = s.db.Tx(ctx, func(tx database.Tx) (err error) {
		added, err = tx.Exec(ctx, `INSERT INTO teams (id, name, concurrency, credits, granted, zero_data_retention, robots_exempt, created_at)
			VALUES ($1, $2, $3, $4, $5, $6, $7, $8) ON CONFLICT (name) DO NOTHING`,
			team.ID, team.Name, team.Concurrency, team.Credits, team.Granted, team.ZeroDataRetention, team.RobotsExempt, millis(team.CreatedAt))
		return err
	})
	if err != nil {
		return trawl.Team{}, fmt.Errorf("create team: %w", err)
	}
	if added == 0 {
		return trawl.Team{}, trawl.Errorf(trawl.CodeConflict, "A team named %q exists already", team.Name)
	}
	return team, nil
}

// Team returns the team of that name; if there is none, the error has CodeNotFound.
func (s *Store) Team(ctx context.Context, name string) (trawl.Team, error) {
	team, err := scanTeam(s.db.Read().QueryRow(ctx, "SELECT "+teamColumns+" FROM teams WHERE name = $1", name))
	return team, teamError("read team", err)
}

// CountTeams returns how many teams there are.
func (s *Store) CountTeams(ctx context.Context) (int, error) {
	n, err := scanInt(s.db.Read().QueryRow(ctx, "SELECT COUNT(*) FROM teams"))
	if err != nil {
		return 0, fmt.Errorf("count teams: %w", err)
	}
	return int(n), nil
}

// Teams returns all teams, oldest first.
func (s *Store) Teams(ctx context.Context) ([]trawl.Team, error) {
	teams, err := database.Collect(ctx, s.db.Read(), scanTeam, "SELECT "+teamColumns+" FROM teams ORDER BY created_at, id")
	if err != nil {
		return nil, fmt.Errorf("list teams: %w", err)
	}
	return teams, nil
}

// LastSuccess returns when the team's last scrape succeeded; the zero time if
// none did.
func (s *Store) LastSuccess(ctx context.Context, teamID string) (at time.Time, err error) {
	var ms int64
	err = s.db.Read().QueryRow(ctx, "SELECT last_success_at FROM teams WHERE id = $1", teamID).Scan(&ms)
	return moment(ms), teamError("read last success", err)
}

// teamError says that a row of teams is missing, or what else went wrong.
func teamError(op string, err error) error {
	switch {
	case err == nil:
		return nil
	case noRows(err):
		return errNoTeam()
	default:
		return fmt.Errorf("%s: %w", op, err)
	}
}
