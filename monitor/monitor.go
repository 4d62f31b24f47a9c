// Package monitor watches pages, sites and searches on a schedule, and tells of what
// changed.
//
// A monitor is a row of package store with a clock: a task of River that is due at the
// next time of its schedule (schedule.go, cron.go). Whichever node gets it starts a check
// (clock.go), and in the same transaction sets the clock for the next one. So every due
// time has one check, whoever dies when, and an outage leaves one late check behind.
//
// A check (check.go) is ordinary jobs of package job: a batch for single pages, a crawl
// for a site; a search is made at once (search.go). When the last job ends, a task
// compares its documents with what the monitor knows of their pages (compare.go,
// verdict.go), some at a time: a page, what is known of it, and its event are stored in
// one transaction that also moves the progress of the check. What is changed is judged by
// the goal of the monitor, with a language model (judge.go) or by rules (noise.go).
//
// Who is told: the webhook, by the events of package job (event.go); recipients of mail
// who confirmed that they want it (mail.go, smtp.go); and readers of a feed (feed.go).
package monitor

import (
	"context"
	"hash/fnv"
	"log/slog"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/riverqueue/river"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/job"
	"github.com/trawlhq/trawl/llm"
	"github.com/trawlhq/trawl/store"
)

// Jobs does the work of checks.
type Jobs interface {
	Crawl(ctx context.Context, order job.Order, req trawl.CrawlRequest) (job.Receipt, error)
	Batch(ctx context.Context, order job.Order, req trawl.BatchRequest) (job.Receipt, error)
	Cancel(ctx context.Context, teamID, kind, id string) error
	Find(ctx context.Context, req trawl.SearchRequest) ([]trawl.SearchResult, error)
}

// Config is what a Service works with.
type Config struct {
	Store    *store.Store
	Jobs     Jobs
	Options  func(*trawl.ScrapeOptions) error // refuses options that this server cannot carry out
	Model    llm.Model                        // judges changes; nil where there is none
	Searches bool                             // a search engine is configured
	Mail     Mailer                           // nil where there is no mail server
	Spread   bool                             // checks that are due at the same time start within a minute
	Log      *slog.Logger
	Now      func() time.Time
}

// Service keeps monitors and makes their checks.
type Service struct{ Config }

// New returns a Service. Its checks are made once it extends an engine of jobs that is
// started.
func New(config Config) *Service { return &Service{config} }

// AddWorkers implements job.Extension.
func (s *Service) AddWorkers(workers *river.Workers) {
	river.AddWorker(workers, &dueWorker{service: s})
	river.AddWorker(workers, &checkWorker{service: s})
	river.AddWorker(workers, &mailWorker{service: s})
}

// Answer is a monitor, and what of it cannot be done as asked.
type Answer struct {
	trawl.Monitor
	Warning string
}

// Create adds a monitor.
func (s *Service) Create(ctx context.Context, who trawl.Caller, publicURL string, req trawl.MonitorRequest) (Answer, error) {
	schedule, err := NewSchedule(*req.Schedule, s.Now())
	if err != nil {
		return Answer{}, err
	}
	m := trawl.Monitor{
		ID: newID(), TeamID: who.Team.ID, KeyID: who.Key.ID, Name: req.Name, Status: trawl.MonitorActive, PublicURL: publicURL,
		Cron: schedule.Cron, TimeZone: schedule.TimeZone, RetentionDays: req.RetentionDays,
		MonitorDefinition: trawl.MonitorDefinition{Targets: req.Targets, Judge: req.JudgeEnabled, Webhook: req.Webhook},
	}
	if m.RetentionDays == 0 {
		m.RetentionDays = trawl.DefaultRetentionDays
	}
	if req.Goal != nil {
		m.Goal = strings.TrimSpace(*req.Goal)
	}
	if req.Notification != nil {
		m.Notification = *req.Notification
	}
	if err := s.complete(&m, &who); err != nil {
		return Answer{}, err
	}
	if err := s.setNext(&m, s.Now()); err != nil {
		return Answer{}, err
	}
	now := s.Now().UTC().Truncate(time.Millisecond)
	m.CreatedAt, m.UpdatedAt = now, now
	if err := s.Store.CreateMonitor(ctx, m, s.recipients(&m)); err != nil {
		return Answer{}, err
	}
	return Answer{m, s.warning(&m)}, nil
}

// complete fills in what a caller left out, and refuses what cannot be checked.
func (s *Service) complete(m *trawl.Monitor, who *trawl.Caller) error {
	for i := range m.Targets {
		t := &m.Targets[i]
		if t.ID == "" {
			t.ID = newID()
		}
		if t.Type == trawl.TargetSearch {
			if t.SearchWindow == "" {
				t.SearchWindow = trawl.DefaultSearchWindow
			}
			if t.MaxResults == 0 {
				t.MaxResults = trawl.DefaultMaxResults
			}
			t.ScrapeOptions = nil
		}
		if err := s.checkTarget(t, who); err != nil {
			return at(err, "targets", i)
		}
		if t.Type == trawl.TargetSearch && m.Goal == "" && (m.Judge == nil || *m.Judge) {
			return trawl.Invalid([]trawl.Issue{{Code: "invalid_value", Message: "A search target requires a non-empty goal", Path: []any{"goal"}}})
		}
	}
	return nil
}

// warning says what of a monitor has no effect here.
func (s *Service) warning(m *trawl.Monitor) string {
	var list []string
	if m.Judges() && s.Model == nil {
		list = append(list, "This server has no language model to judge changes by the goal (TRAWL_LLM_BASE_URL): every change is told that is not noise by rules.")
	}
	if email, ok := m.Mail(); ok {
		switch {
		case s.Mail == nil:
			list = append(list, "This server sends no mail (TRAWL_SMTP_URL).")
		case len(email.Recipients) == 0:
			list = append(list, "No mail is sent: teams of this server have no addresses, so name recipients.")
		}
	}
	return strings.Join(list, " ")
}

// Get returns a monitor of a team.
func (s *Service) Get(ctx context.Context, teamID, id string) (trawl.Monitor, error) {
	return s.Store.Monitor(ctx, teamID, id)
}

// List returns monitors of a team, newest first.
func (s *Service) List(ctx context.Context, teamID string, limit, offset int) ([]trawl.Monitor, error) {
	return s.Store.Monitors(ctx, teamID, limit, offset)
}

// Delete ends a monitor.
func (s *Service) Delete(ctx context.Context, teamID, id string) error {
	return s.Store.DeleteMonitor(ctx, teamID, id)
}

// Update changes a monitor.
func (s *Service) Update(ctx context.Context, who trawl.Caller, id string, u trawl.MonitorUpdate) (Answer, error) {
	m, err := s.Store.UpdateMonitor(ctx, who.Team.ID, id, func(m *trawl.Monitor) ([]trawl.Recipient, error) {
		if err := s.apply(m, &u, &who); err != nil {
			return nil, err
		}
		return s.recipients(m), nil
	})
	return Answer{m, s.warning(&m)}, err
}

// apply makes an update part of a monitor.
func (s *Service) apply(m *trawl.Monitor, u *trawl.MonitorUpdate, who *trawl.Caller) error {
	if u.Name != "" {
		m.Name = u.Name
	}
	if u.RetentionDays != 0 {
		m.RetentionDays = u.RetentionDays
	}
	if u.Targets != nil {
		m.Targets = u.Targets
	}
	if u.DropGoal {
		m.Goal = ""
	} else if u.Goal != nil {
		m.Goal = strings.TrimSpace(*u.Goal)
	}
	if u.JudgeEnabled != nil {
		m.Judge = u.JudgeEnabled
	}
	if u.DropWebhook {
		m.Webhook = nil
	} else if u.Webhook != nil {
		m.Webhook = u.Webhook
	}
	if n := u.Notification; n != nil {
		if n.Email != nil {
			m.Notification.Email = n.Email
		}
		if n.Slack != nil {
			m.Notification.Slack = n.Slack
		}
	}
	if err := s.complete(m, who); err != nil {
		return err
	}
	return s.reschedule(m, u)
}

// reschedule applies what an update says of the clock of a monitor.
func (s *Service) reschedule(m *trawl.Monitor, u *trawl.MonitorUpdate) error {
	now := s.Now()
	if u.Schedule != nil {
		wish := *u.Schedule
		if wish.Cron == "" && wish.Text == "" && wish.TimeZone != "" {
			wish.Cron = m.Cron
		}
		schedule, err := NewSchedule(wish, now)
		if err != nil {
			return err
		}
		m.Cron, m.TimeZone = schedule.Cron, schedule.TimeZone
	}
	resumed := u.Status == trawl.MonitorActive && m.Status != trawl.MonitorActive
	if u.Status != "" {
		m.Status = u.Status
	}
	switch {
	case m.Status == trawl.MonitorPaused:
		m.NextRunAt, m.DueAt = time.Time{}, time.Time{}
	case resumed || u.Schedule != nil:
		return s.setNext(m, now)
	}
	return nil
}

// setNext sets the clock of a monitor for the first run after a time.
func (s *Service) setNext(m *trawl.Monitor, after time.Time) error {
	cron, err := Schedule{m.Cron, m.TimeZone}.compile()
	if err != nil {
		return err
	}
	m.NextRunAt = cron.Next(after)
	if m.NextRunAt.IsZero() {
		return refuse("Cron expression did not produce a run within one year")
	}
	m.DueAt = m.NextRunAt
	if s.Spread {
		m.DueAt = m.DueAt.Add(offset(m.ID, cron.Interval()))
	}
	return nil
}

// offset is how much later than scheduled the checks of a monitor start, so that not all
// start at once: always the same, below a minute and a tenth of the interval.
func offset(id string, interval time.Duration) time.Duration {
	h := fnv.New64a()
	_, _ = h.Write([]byte(id))
	most := min(interval/10, time.Minute).Milliseconds()
	if most <= 0 {
		return 0
	}
	return time.Duration(h.Sum64()%uint64(most)) * time.Millisecond
}

func newID() string { return uuid.Must(uuid.NewV7()).String() }
