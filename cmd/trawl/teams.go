package main

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"unicode"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/store"
	"github.com/trawlhq/trawl/webhook"
)

type teamsCmd struct {
	Create teamsCreateCmd `cmd:"" help:"Create a team."`
	List   teamsListCmd   `cmd:"" help:"List teams."`
	Secret teamsSecretCmd `cmd:"" help:"Print the secret that signs the webhooks of a team, where $$TRAWL_WEBHOOK_SECRET is not set."`
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
	IgnoreRobots      bool   `json:"ignoreRobots"`
	CreatedAt         string `json:"createdAt"`
}

func viewTeam(t trawl.Team) teamView {
	return teamView{
		ID: t.ID, Name: t.Name, Concurrency: t.Concurrency, Credits: t.Credits, Granted: t.Granted,
		ZeroDataRetention: t.ZeroDataRetention, IgnoreRobots: t.RobotsExempt, CreatedAt: apiTime(t.CreatedAt),
	}
}

type teamsCreateCmd struct {
	storage
	output
	Name              string `arg:"" help:"Name of the team."`
	Concurrency       *int   `placeholder:"N" help:"Scrapes at a time; the server's default unless chosen."`
	Credits           amount `default:"unlimited" placeholder:"N|unlimited" help:"Credits to start with (${default})."`
	ZeroDataRetention bool   `help:"Let the team ask for zero data retention."`
	IgnoreRobots      bool   `help:"Let the team crawl what robots.txt forbids, if it asks for that."`
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
		Name: c.Name, Concurrency: concurrency, Credits: c.Credits.credits,
		ZeroDataRetention: c.ZeroDataRetention, RobotsExempt: c.IgnoreRobots,
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
	rows := [][]string{{"NAME", "ID", "CONCURRENCY", "CREDITS", "GRANTED", "ZERO DATA RETENTION", "IGNORE ROBOTS", "CREATED"}}
	for _, t := range teams {
		concurrency := "default"
		if t.Concurrency > 0 {
			concurrency = strconv.Itoa(t.Concurrency)
		}
		rows = append(rows, []string{
			t.Name, t.ID, concurrency, amount{t.Credits}.String(), strconv.FormatInt(t.Granted, 10),
			allowed(t.ZeroDataRetention), allowed(t.RobotsExempt), day(t.CreatedAt),
		})
	}
	return rows
}

func allowed(yes bool) string {
	if yes {
		return "allowed"
	}
	return "no"
}

type teamsSecretCmd struct {
	storage
	Name string `arg:"" help:"Name of the team."`
}

// Run prints the secret alone on standard output, where a script can take it. A
// team that has none yet gets one: servers sign with it from then on.
func (c *teamsSecretCmd) Run(ctx context.Context, p *program) error {
	db, err := c.open(ctx, p)
	if err != nil {
		return err
	}
	defer db.Close()
	team, err := findTeam(ctx, db, c.Name)
	if err != nil {
		return err
	}
	secret, err := db.SetWebhookSecret(ctx, team.ID, webhook.NewSecret())
	if err != nil {
		return err
	}
	_, err = fmt.Fprintln(p.stdout, secret)
	return err
}
