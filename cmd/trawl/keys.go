package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
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

	Endpoints  []string   `placeholder:"GROUP" help:"Only let it use these endpoints, such as scrape,crawl."`
	Formats    []string   `placeholder:"FORMAT" help:"Only let it have pages in these formats, such as markdown,links."`
	SpendLimit spendValue `placeholder:"CREDITS/INTERVAL" help:"Most credits that it may spend in a day, week or month, such as 1000/day."`
}

// spendValue is a spend limit as it is written on the command line.
type spendValue struct{ *trawl.SpendLimit }

// UnmarshalText reads a number of credits and an interval.
func (v *spendValue) UnmarshalText(text []byte) error {
	credits, interval, _ := strings.Cut(string(text), "/")
	n, err := strconv.ParseInt(credits, 10, 64)
	if err != nil || n < 1 || !slices.Contains([]string{trawl.SpendDaily, trawl.SpendWeekly, trawl.SpendMonthly}, interval) {
		return errors.New("write it like 1000/day, 1000/week or 1000/month")
	}
	v.SpendLimit = &trawl.SpendLimit{Credits: n, Interval: interval}
	return nil
}

func (v spendValue) String() string {
	if v.SpendLimit == nil {
		return ""
	}
	return fmt.Sprintf("%d/%s", v.Credits, v.Interval)
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

	AllowedEndpoints []string          `json:"allowedEndpoints,omitempty"`
	AllowedFormats   []string          `json:"allowedFormats,omitempty"`
	SpendLimit       *trawl.SpendLimit `json:"spendLimit,omitempty"`
	Spent            int64             `json:"spent"` // in the interval of its limit; in all if it has none
}

func viewKey(team string, key trawl.Key, use store.KeyUse, now time.Time) keyView {
	view := keyView{
		ID: key.ID, Team: team, Name: key.Name, Operator: key.Operator, Status: "active", Hint: key.Hint,
		CreatedAt: apiTime(key.CreatedAt), ExpiresAt: apiTime(key.ExpiresAt), RevokedAt: apiTime(key.RevokedAt),
		AllowedEndpoints: key.AllowedEndpoints, AllowedFormats: key.AllowedFormats, SpendLimit: key.SpendLimit, Spent: use.Credits,
	}
	if key.SpendLimit != nil {
		view.Spent = key.Spent
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
	formats, err := c.check()
	if err != nil {
		return usageError{err}
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
	key := trawl.Key{
		TeamID: team.ID, Name: c.Name, Operator: c.Operator, AllowedEndpoints: c.Endpoints, AllowedFormats: formats, SpendLimit: c.SpendLimit.SpendLimit,
	}
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
	view := viewKey(team.Name, key, store.KeyUse{}, p.now())
	view.Secret = secret
	return c.print(p.stdout, view, [][]string{{secret}})
}

// check refuses names of endpoints and formats that there are not, and returns the
// formats by their names of today.
func (c *keysCreateCmd) check() (formats []string, err error) {
	for _, name := range c.Endpoints {
		if !slices.Contains(trawl.EndpointGroups(), name) {
			return nil, fmt.Errorf("--endpoints: %q is none of %s", name, strings.Join(trawl.EndpointGroups(), ", "))
		}
	}
	for _, name := range c.Formats {
		format := trawl.FormatName(name)
		if format == "" {
			return nil, fmt.Errorf("--formats: %q is no format", name)
		}
		formats = append(formats, format)
	}
	return formats, nil
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
	rows := [][]string{{"ID", "TEAM", "NAME", "SECRET", "STATUS", "CREATED", "EXPIRES", "SPENT", "LIMIT", "RESTRICTED TO"}}
	for _, team := range teams {
		keys, err := db.Keys(ctx, team.ID)
		if err != nil {
			return err
		}
		uses, err := db.KeyUses(ctx, team.ID)
		if err != nil {
			return err
		}
		for _, key := range keys {
			v := viewKey(team.Name, key, uses[key.ID], p.now())
			views = append(views, v)
			rows = append(rows, []string{v.ID, v.Team, v.Name, "..." + v.Hint, v.Status, day(key.CreatedAt), day(key.ExpiresAt),
				strconv.FormatInt(v.Spent, 10), spendValue{key.SpendLimit}.String(), strings.Join(slices.Concat(key.AllowedEndpoints, key.AllowedFormats), ",")})
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
