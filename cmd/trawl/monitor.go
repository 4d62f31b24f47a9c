package main

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/monitor"
	"github.com/trawlhq/trawl/store"
)

type monitorCmd struct {
	Add   monitorAddCmd   `cmd:"" help:"Watch pages, a site or a search on a schedule."`
	List  monitorListCmd  `cmd:"" help:"List monitors."`
	Show  monitorShowCmd  `cmd:"" help:"Show a monitor and what its last checks found."`
	Run   monitorRunCmd   `cmd:"" help:"Check now; a server that runs does the work."`
	Pause monitorPauseCmd `cmd:"" help:"Stop checking, or go on with --resume."`
	Rm    monitorRmCmd    `cmd:"" help:"Delete a monitor."`
}

// monitors is what the commands about monitors have in common.
type monitors struct {
	storage
	Team string `default:"${default_team}" placeholder:"TEAM" help:"Team that they belong to (${default})."`
}

// open returns the monitors of the team. They are changed in the store, beside a server
// that may run.
func (c *monitors) open(ctx context.Context, p *program) (*monitor.Service, trawl.Team, func(), error) {
	db, err := c.storage.open(ctx, p)
	if err != nil {
		return nil, trawl.Team{}, nil, err
	}
	team, err := c.team(ctx, db)
	if err != nil {
		_ = db.Close()
		return nil, trawl.Team{}, nil, err
	}
	service := monitor.New(monitor.Config{Store: db, Searches: true, Spread: true, Now: p.now})
	return service, team, func() { _ = db.Close() }, nil
}

func (c *monitors) team(ctx context.Context, db *store.Store) (trawl.Team, error) {
	if c.Team == trawl.DefaultTeam {
		return defaultTeam(ctx, db)
	}
	return findTeam(ctx, db, c.Team)
}

type monitorAddCmd struct {
	monitors
	output
	URL       []string `arg:"" optional:"" help:"Addresses of the pages."`
	Crawl     string   `placeholder:"URL" help:"Crawl this site instead of single pages."`
	Limit     int      `placeholder:"N" help:"Most pages of the crawl."`
	Search    []string `sep:"none" placeholder:"QUERY" help:"Search for this instead; can be repeated. Needs --goal."`
	Name      string   `placeholder:"NAME" help:"What to call it; the first address unless chosen."`
	Schedule  string   `default:"every 30 minutes" placeholder:"TEXT" help:"When to check, in words or as cron (${default})."`
	Timezone  string   `default:"UTC" placeholder:"ZONE" help:"Time zone that the schedule is read in (${default})."`
	Goal      string   `placeholder:"TEXT" help:"What matters: changes are judged by it."`
	Webhook   string   `placeholder:"URL" help:"Where to report to."`
	Email     []string `placeholder:"ADDRESS" help:"Who gets mail, once they have confirmed; can be repeated."`
	PublicURL string   `name:"server-url" default:"http://127.0.0.1:3002" placeholder:"URL" help:"Address of the server, for links in mails (${default})."`
}

// Run prints the id of the monitor alone on standard output.
func (c *monitorAddCmd) Run(ctx context.Context, p *program) error {
	req, err := c.request()
	if err == nil {
		err = trawl.Invalid(req.Validate())
	}
	if err != nil {
		return usageError{err}
	}
	service, team, stop, err := c.open(ctx, p)
	if err != nil {
		return err
	}
	defer stop()
	m, err := service.Create(ctx, trawl.Caller{Team: team}, strings.TrimSuffix(c.PublicURL, "/"), req)
	if err != nil {
		return explained(err)
	}
	if !c.JSON {
		fmt.Fprintf(p.stderr, "Next check at %s, about %d credits a month.\n", day(m.NextRunAt), monitor.CreditsPerMonth(&m.Monitor))
	}
	return c.print(p.stdout, viewMonitor(&m.Monitor), [][]string{{m.ID}})
}

// request returns the monitor that the flags describe.
func (c *monitorAddCmd) request() (trawl.MonitorRequest, error) {
	req := trawl.MonitorRequest{Name: c.Name, Schedule: &trawl.MonitorSchedule{TimeZone: c.Timezone, Text: c.Schedule}}
	if len(strings.Fields(c.Schedule)) == 5 && strings.ContainsAny(c.Schedule, "*/0123456789") && !strings.HasPrefix(strings.ToLower(c.Schedule), "every") {
		req.Schedule.Cron, req.Schedule.Text = c.Schedule, ""
	}
	kinds := 0
	if len(c.URL) > 0 {
		kinds++
		req.Targets = append(req.Targets, trawl.MonitorTarget{Type: trawl.TargetScrape, URLs: c.URL})
	}
	if c.Crawl != "" {
		kinds++
		target := trawl.MonitorTarget{Type: trawl.TargetCrawl, URL: c.Crawl}
		if c.Limit > 0 {
			target.CrawlOptions = json.RawMessage(`{"limit":` + strconv.Itoa(c.Limit) + `}`)
		}
		req.Targets = append(req.Targets, target)
	}
	if len(c.Search) > 0 {
		kinds++
		req.Targets = append(req.Targets, trawl.MonitorTarget{Type: trawl.TargetSearch, Queries: c.Search})
	}
	if kinds == 0 {
		return req, fmt.Errorf("name addresses, or use --crawl or --search")
	}
	if req.Name == "" {
		req.Name = cut("Monitor "+firstOf(append(append(slices.Clone(c.URL), c.Crawl), c.Search...)), mostMonitorName)
	}
	if c.Goal != "" {
		req.Goal = &c.Goal
	}
	if c.Webhook != "" {
		req.Webhook = &trawl.Webhook{URL: c.Webhook}
	}
	if len(c.Email) > 0 {
		req.Notification = &trawl.MonitorNotification{Email: &trawl.EmailNotification{Enabled: true, Recipients: c.Email, IncludeDiffs: true}}
	}
	return req, nil
}

// mostMonitorName bounds the name of a monitor, in characters.
const mostMonitorName = 256

// firstOf returns the first text that is not empty.
func firstOf(texts []string) string {
	for _, text := range texts {
		if text != "" {
			return text
		}
	}
	return ""
}

// cut shortens a text to so many characters.
func cut(text string, most int) string {
	if runes := []rune(text); len(runes) > most {
		return string(runes[:most])
	}
	return text
}

// monitorView is a monitor as it is printed.
type monitorView struct {
	ID       string              `json:"id"`
	Name     string              `json:"name"`
	Status   string              `json:"status"`
	Cron     string              `json:"cron"`
	TimeZone string              `json:"timezone"`
	NextRun  string              `json:"nextRunAt,omitempty"`
	LastRun  string              `json:"lastRunAt,omitempty"`
	Last     *trawl.CheckSummary `json:"lastCheckSummary,omitempty"`
}

func viewMonitor(m *trawl.Monitor) monitorView {
	return monitorView{m.ID, m.Name, m.Status, m.Cron, m.TimeZone, apiTime(m.NextRunAt), apiTime(m.LastRunAt), m.Summary}
}

type monitorListCmd struct {
	monitors
	output
}

// Run lists the monitors of a team.
func (c *monitorListCmd) Run(ctx context.Context, p *program) error {
	service, team, stop, err := c.open(ctx, p)
	if err != nil {
		return err
	}
	defer stop()
	const most = 10_000
	list, err := service.List(ctx, team.ID, most, 0)
	if err != nil {
		return err
	}
	views := []monitorView{}
	rows := [][]string{{"ID", "NAME", "STATUS", "SCHEDULE", "NEXT", "LAST", "FOUND"}}
	for i := range list {
		m := &list[i]
		views = append(views, viewMonitor(m))
		found := "-"
		if m.Summary != nil {
			found = monitor.SumUp(m.Summary)
		}
		rows = append(rows, []string{m.ID, m.Name, m.Status, m.Cron + " " + m.TimeZone, day(m.NextRunAt), day(m.LastRunAt), found})
	}
	return c.print(p.stdout, views, rows)
}

type monitorShowCmd struct {
	monitors
	ID   string `arg:"" help:"Id of the monitor, as listed."`
	Diff bool   `help:"Also print what changed."`
}

// Run prints a monitor and its last checks.
func (c *monitorShowCmd) Run(ctx context.Context, p *program) error {
	service, team, stop, err := c.open(ctx, p)
	if err != nil {
		return err
	}
	defer stop()
	m, err := service.Get(ctx, team.ID, c.ID)
	if err != nil {
		return err
	}
	fmt.Fprintf(p.stdout, "%s (%s)\nschedule  %s %s\nnext      %s\ngoal      %s\n", m.Name, m.Status, m.Cron, m.TimeZone, day(m.NextRunAt), m.Goal)
	checks, err := service.Checks(ctx, team.ID, m.ID, "", 20, 0)
	if err != nil {
		return err
	}
	paint := newPaint(p)
	for i := range checks {
		check := &checks[i]
		fmt.Fprintf(p.stdout, "\n%s  %s  %s  %s\n", day(check.CreatedAt), check.Status, monitor.SumUp(&check.Summary), check.Error)
		if c.Diff {
			if err := printChanges(ctx, p, paint, service, check); err != nil {
				return err
			}
		}
	}
	return nil
}

// printChanges prints what changed in a check.
func printChanges(ctx context.Context, p *program, paint paint, service *monitor.Service, check *trawl.Check) error {
	pages, err := service.Pages(ctx, check, trawl.ChangeChanged, 100, 0)
	if err != nil {
		return err
	}
	for i := range pages {
		fmt.Fprintln(p.stdout, pages[i].URL)
		paint.diff(p.stdout, monitor.DiffText(&pages[i]))
	}
	return nil
}

type monitorRunCmd struct {
	monitors
	ID string `arg:"" help:"Id of the monitor, as listed."`
}

// Run starts a check.
func (c *monitorRunCmd) Run(ctx context.Context, p *program) error {
	service, team, stop, err := c.open(ctx, p)
	if err != nil {
		return err
	}
	defer stop()
	check, err := service.Run(ctx, team.ID, c.ID)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintln(p.stdout, check.ID)
	return err
}

type monitorPauseCmd struct {
	monitors
	ID     string `arg:"" help:"Id of the monitor, as listed."`
	Resume bool   `help:"Check again."`
}

// Run pauses or resumes a monitor.
func (c *monitorPauseCmd) Run(ctx context.Context, p *program) error {
	service, team, stop, err := c.open(ctx, p)
	if err != nil {
		return err
	}
	defer stop()
	status := trawl.MonitorPaused
	if c.Resume {
		status = trawl.MonitorActive
	}
	m, err := service.Update(ctx, trawl.Caller{Team: team}, c.ID, trawl.MonitorUpdate{Status: status})
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(p.stderr, "Monitor %s is %s.\n", m.ID, m.Status)
	return err
}

type monitorRmCmd struct {
	monitors
	ID string `arg:"" help:"Id of the monitor, as listed."`
}

// Run deletes a monitor.
func (c *monitorRmCmd) Run(ctx context.Context, p *program) error {
	service, team, stop, err := c.open(ctx, p)
	if err != nil {
		return err
	}
	defer stop()
	if err := service.Delete(ctx, team.ID, c.ID); err != nil {
		return err
	}
	_, err = fmt.Fprintf(p.stderr, "Deleted monitor %s.\n", c.ID)
	return err
}
