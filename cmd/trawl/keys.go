package main

import (
	"context"
	"fmt"
	"strings"
	"time"
	"unicode"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/api"
	"github.com/trawlhq/trawl/store"
)

type keysCmd struct {
	Create keysCreateCmd `cmd:"" help:"Create a key and print its secret, which is not shown again."`
	List   keysListCmd   `cmd:"" help:"List keys, without their secrets."`
	Revoke keysRevokeCmd `cmd:"" help:"Make a key worthless at once."`
}

type keysCreateCmd struct {
	storage
	output
	Team     string         `default:"${default_team}" placeholder:"TEAM" help:"Team the key belongs to (${default})."`
	Name     string         `placeholder:"NAME" help:"What the key is for."`
	Operator bool           `help:"Let the key see the whole server: teams, nodes, settings."`
	Expires  *time.Duration `placeholder:"DURATION" help:"How long the key is valid, such as 720h; for ever unless chosen."`
}

// keyView is a key as it is printed.
type keyView struct {
	ID        string `json:"id"`
	Team      string `json:"team"`
	Name      string `json:"name"`
	Operator  bool   `json:"operator,omitempty"`
	Status    string `json:"status"`
	Hint      string `json:"hint"`
	Secret    string `json:"secret,omitempty"` // only when the key is new
	CreatedAt string `json:"createdAt"`
	ExpiresAt string `json:"expiresAt,omitempty"`
	RevokedAt string `json:"revokedAt,omitempty"`
}

func viewKey(team string, key trawl.Key, now time.Time) keyView {
	view := keyView{
		ID: key.ID, Team: team, Name: key.Name, Operator: key.Operator, Status: "active", Hint: key.Hint,
		CreatedAt: apiTime(key.CreatedAt), ExpiresAt: apiTime(key.ExpiresAt), RevokedAt: apiTime(key.RevokedAt),
	}
	switch {
	case !key.RevokedAt.IsZero():
		view.Status = "revoked"
	case !key.Valid(now):
		view.Status = "expired"
	}
	return view
}

// Run prints the secret alone on standard output, where a script can take it.
func (c *keysCreateCmd) Run(ctx context.Context, p *program) error {
	if c.Expires != nil && *c.Expires <= 0 {
		return usageError{fmt.Errorf("--expires: must be positive but is %s", *c.Expires)}
	}
	if strings.ContainsFunc(c.Name, unicode.IsControl) {
		return usageError{fmt.Errorf("%q is no name for a key", c.Name)}
	}
	db, err := c.open(ctx, p)
	if err != nil {
		return err
	}
	defer db.Close()
	team, err := c.team(ctx, db)
	if err != nil {
		return err
	}
	key := trawl.Key{TeamID: team.ID, Name: c.Name, Operator: c.Operator}
	if c.Expires != nil {
		key.ExpiresAt = p.now().Add(*c.Expires)
	}
	secret := trawl.NewSecret()
	if key, err = db.CreateKey(ctx, key, secret); err != nil {
		return err
	}
	if !c.JSON {
		fmt.Fprintf(p.stderr, "Created key %s of team %s. Keep the secret: it is not shown again.\n", key.ID, team.Name)
	}
	view := viewKey(team.Name, key, p.now())
	view.Secret = secret
	return c.print(p.stdout, view, [][]string{{secret}})
}

// team makes sure that a key for the default team can be had before the first
// start of the server.
func (c *keysCreateCmd) team(ctx context.Context, db *store.Store) (trawl.Team, error) {
	if c.Team == trawl.DefaultTeam {
		return defaultTeam(ctx, db)
	}
	return findTeam(ctx, db, c.Team)
}

type keysListCmd struct {
	storage
	output
	Team string `placeholder:"TEAM" help:"Only the keys of this team."`
}

func (c *keysListCmd) Run(ctx context.Context, p *program) error {
	db, err := c.open(ctx, p)
	if err != nil {
		return err
	}
	defer db.Close()
	teams, err := listTeams(ctx, db, c.Team)
	if err != nil {
		return err
	}
	views := []keyView{}
	rows := [][]string{{"ID", "TEAM", "NAME", "SECRET", "STATUS", "CREATED", "EXPIRES"}}
	for _, team := range teams {
		keys, err := db.Keys(ctx, team.ID)
		if err != nil {
			return err
		}
		for _, key := range keys {
			v := viewKey(team.Name, key, p.now())
			views = append(views, v)
			rows = append(rows, []string{v.ID, v.Team, v.Name, "..." + v.Hint, v.Status, day(key.CreatedAt), day(key.ExpiresAt)})
		}
	}
	return c.print(p.stdout, views, rows)
}

type keysRevokeCmd struct {
	storage
	ID string `arg:"" help:"ID of the key, as listed."`
}

func (c *keysRevokeCmd) Run(ctx context.Context, p *program) error {
	db, err := c.open(ctx, p)
	if err != nil {
		return err
	}
	defer db.Close()
	if err := db.RevokeKey(ctx, c.ID); err != nil {
		return fmt.Errorf("key %s: %w", c.ID, err)
	}
	time.Sleep(api.KeyMemory) // no server trusts the key any more when the command is done
	_, err = fmt.Fprintf(p.stderr, "Revoked key %s.\n", c.ID)
	return err
}
