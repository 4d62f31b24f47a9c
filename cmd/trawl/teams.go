package main

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"unicode"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/store"
)

type teamsCmd struct {
	Create teamsCreateCmd `cmd:"" help:"Create a team."`
	List   teamsListCmd   `cmd:"" help:"List teams."`
}

// open opens the store. It may be open elsewhere too: administrative commands
// work beside a running server.
func (s *storage) open(ctx context.Context, p *program) (*store.Store, error) {
	return store.Open(ctx, store.Config{DataDir: s.DataDir, DatabaseURL: s.DatabaseURL, Now: p.now})
}

// findTeam returns the team of that name.
func findTeam(ctx context.Context, db *store.Store, name string) (trawl.Team, error) {
	team, err := db.Team(ctx, name)
	if err != nil {
		return trawl.Team{}, fmt.Errorf("team %s: %w", name, err)
	}
	return team, nil
}

// defaultTeam returns the team that every installation has, creating it if this
// is the first use of the store.
func defaultTeam(ctx context.Context, db *store.Store) (trawl.Team, error) {
	team, err := db.Team(ctx, trawl.DefaultTeam)
	if trawl.ErrorCode(err) == trawl.CodeNotFound {
		team, err = db.CreateTeam(ctx, trawl.Team{Name: trawl.DefaultTeam, ZeroDataRetention: true})
	}
	if trawl.ErrorCode(err) == trawl.CodeConflict { // someone else was faster
		team, err = db.Team(ctx, trawl.DefaultTeam)
	}
	if err != nil {
		return trawl.Team{}, fmt.Errorf("team %s: %w", trawl.DefaultTeam, err)
	}
	return team, nil
}

// listTeams returns the team of that name, or all teams if the name is empty.
func listTeams(ctx context.Context, db *store.Store, name string) ([]trawl.Team, error) {
	if name != "" {
		team, err := findTeam(ctx, db, name)
		return []trawl.Team{team}, err
	}
	return db.Teams(ctx)
}

// teamView is a team as it is printed.
type teamView struct {
	ID                string `json:"id"`
	Name              string `json:"name"`
	Concurrency       int    `json:"concurrency"` // 0 means the server's default
	Credits           *int64 `json:"credits"`     // null means unlimited
	Granted           int64  `json:"granted"`
	ZeroDataRetention bool   `json:"zeroDataRetention"`
	CreatedAt         string `json:"createdAt"`
}

func viewTeam(t trawl.Team) teamView {
	return teamView{
		ID: t.ID, Name: t.Name, Concurrency: t.Concurrency, Credits: t.Credits, Granted: t.Granted,
		ZeroDataRetention: t.ZeroDataRetention, CreatedAt: apiTime(t.CreatedAt),
	}
}

type teamsCreateCmd struct {
	storage
	output
	Name              string `arg:"" help:"Name of the team."`
	Concurrency       *int   `placeholder:"N" help:"Scrapes at a time; the server's default unless chosen."`
	Credits           amount `default:"unlimited" placeholder:"N|unlimited" help:"Credits to start with (${default})."`
	ZeroDataRetention bool   `help:"Let the team ask for zero data retention."`
}

func (c *teamsCreateCmd) Run(ctx context.Context, p *program) error {
	if c.Name == "" || strings.TrimSpace(c.Name) != c.Name || strings.ContainsFunc(c.Name, unicode.IsControl) {
		return usageError{fmt.Errorf("%q is no name for a team", c.Name)}
	}
	concurrency := 0 // the server's default
	if c.Concurrency != nil {
		concurrency = *c.Concurrency
	}
	if c.Concurrency != nil && concurrency < 1 {
		return usageError{fmt.Errorf("--concurrency: must be at least 1 but is %d", concurrency)}
	}
	db, err := c.open(ctx, p)
	if err != nil {
		return err
	}
	defer db.Close()
	team := trawl.Team{
		Name: c.Name, Concurrency: concurrency, ZeroDataRetention: c.ZeroDataRetention, Credits: c.Credits.credits,
	}
	if team.Credits != nil {
		team.Granted = *team.Credits
	}
	if team, err = db.CreateTeam(ctx, team); err != nil {
		return err
	}
	return c.print(p.stdout, viewTeam(team), teamRows(team))
}

type teamsListCmd struct {
	storage
	output
}

func (c *teamsListCmd) Run(ctx context.Context, p *program) error {
	db, err := c.open(ctx, p)
	if err != nil {
		return err
	}
	defer db.Close()
	teams, err := listTeams(ctx, db, "")
	if err != nil {
		return err
	}
	views := []teamView{}
	for _, team := range teams {
		views = append(views, viewTeam(team))
	}
	return c.print(p.stdout, views, teamRows(teams...))
}

func teamRows(teams ...trawl.Team) [][]string {
	rows := [][]string{{"NAME", "ID", "CONCURRENCY", "CREDITS", "GRANTED", "ZERO DATA RETENTION", "CREATED"}}
	for _, t := range teams {
		concurrency, retention := "default", "no"
		if t.Concurrency > 0 {
			concurrency = strconv.Itoa(t.Concurrency)
		}
		if t.ZeroDataRetention {
			retention = "allowed"
		}
		rows = append(rows, []string{
			t.Name, t.ID, concurrency, amount{t.Credits}.String(), strconv.FormatInt(t.Granted, 10), retention, day(t.CreatedAt),
		})
	}
	return rows
}
