package main

import (
	"context"
	"strconv"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/store"
)

type creditsCmd struct {
	Grant creditsGrantCmd `cmd:"" help:"Add credits to the balance of a team, or make it unlimited."`
	Show  creditsShowCmd  `cmd:"" help:"Show balance, grants and usage of a team."`
}

type creditsGrantCmd struct {
	storage
	output
	Team   string `arg:"" help:"Name of the team."`
	Amount amount `arg:"" help:"How many credits, or unlimited."`
}

func (c *creditsGrantCmd) Run(ctx context.Context, p *program) error {
	db, err := c.open(ctx, p)
	if err != nil {
		return err
	}
	defer db.Close()
	team, err := findTeam(ctx, db, c.Team)
	if err != nil {
		return err
	}
	if team, err = grant(ctx, db, team, c.Amount); err != nil {
		return err
	}
	return showCredits(ctx, c.output, p, db, team)
}

func grant(ctx context.Context, db *store.Store, team trawl.Team, a amount) (trawl.Team, error) {
	if a.credits != nil {
		return db.Grant(ctx, team.ID, *a.credits)
	}
	if err := db.SetUnlimited(ctx, team.ID); err != nil {
		return trawl.Team{}, err
	}
	return db.Team(ctx, team.Name)
}

type creditsShowCmd struct {
	storage
	output
	Team string `arg:"" help:"Name of the team."`
}

func (c *creditsShowCmd) Run(ctx context.Context, p *program) error {
	db, err := c.open(ctx, p)
	if err != nil {
		return err
	}
	defer db.Close()
	team, err := findTeam(ctx, db, c.Team)
	if err != nil {
		return err
	}
	return showCredits(ctx, c.output, p, db, team)
}

// creditsView is the account of a team as it is printed.
type creditsView struct {
	Team    string      `json:"team"`
	Balance *int64      `json:"balance"` // null means unlimited
	Granted int64       `json:"granted"`
	Usage   []usageView `json:"usage"`
}

// usageView is what a team used in a month.
type usageView struct {
	Month   string `json:"month"`
	Credits int64  `json:"credits"`
}

func showCredits(ctx context.Context, out output, p *program, db *store.Store, team trawl.Team) error {
	periods, err := db.Usage(ctx, team.ID, false)
	if err != nil {
		return err
	}
	view := creditsView{Team: team.Name, Balance: team.Credits, Granted: team.Granted, Usage: []usageView{}}
	rows := [][]string{
		{"team", view.Team},
		{"balance", amount{view.Balance}.String()},
		{"granted", strconv.FormatInt(view.Granted, 10)},
	}
	for _, period := range periods {
		month := period.Start.UTC().Format("2006-01")
		view.Usage = append(view.Usage, usageView{month, period.Credits})
		rows = append(rows, []string{"used in " + month, strconv.FormatInt(period.Credits, 10)})
	}
	return out.print(p.stdout, view, rows)
}
