package api

import (
	"context"
	"time"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/store"
)

// unlimited is what an unlimited balance is reported as: clients want a number.
const unlimited = 999_999_999

// balance returns what a team has left and was granted.
func balance(team trawl.Team) (remaining, granted int64) {
	if team.Credits == nil {
		return unlimited, unlimited
	}
	return *team.Credits, team.Granted
}

type (
	// CreditUsage is what a team has left.
	CreditUsage struct {
		Success
		Data CreditBalance `json:"data"`
	}
	// CreditBalance counts credits.
	CreditBalance struct {
		Remaining int64 `json:"remainingCredits" doc:"Credits left; 999999999 when unlimited."`
		Plan      int64 `json:"planCredits" doc:"Credits granted in all; 999999999 when unlimited."`
		BillingPeriod
	}
	// TokenUsage is what a team has left, in tokens.
	TokenUsage struct {
		Success
		Data TokenBalance `json:"data"`
	}
	// TokenBalance counts tokens, 15 to the credit.
	TokenBalance struct {
		Remaining int64 `json:"remainingTokens" doc:"Tokens left, 15 to the credit."`
		Plan      int64 `json:"planTokens" doc:"Tokens granted in all."`
		BillingPeriod
	}
	// BillingPeriod has no bounds here: credits do not expire.
	BillingPeriod struct {
		Start *string `json:"billingPeriodStart" doc:"Always null: credits do not expire." nullable:"true"`
		End   *string `json:"billingPeriodEnd" doc:"Always null: credits do not expire." nullable:"true"`
	}
)

// creditUsage answers GET /v2/team/credit-usage.
func (s *Server) creditUsage(ctx context.Context, _ *none) (*CreditUsage, error) {
	remaining, plan := balance(visitOf(ctx).caller.Team)
	return &CreditUsage{Success: yes, Data: CreditBalance{Remaining: remaining, Plan: plan}}, nil
}

// tokenUsage answers GET /v2/team/token-usage.
func (s *Server) tokenUsage(ctx context.Context, _ *none) (*TokenUsage, error) {
	remaining, plan := balance(visitOf(ctx).caller.Team)
	return &TokenUsage{Success: yes, Data: TokenBalance{
		Remaining: remaining * trawl.TokensPerCredit, Plan: plan * trawl.TokensPerCredit,
	}}, nil
}

type historyInput struct {
	ByKey bool `query:"byApiKey" doc:"Tell the keys of the team apart."`
}

type (
	// UsageHistory lists what a team used.
	UsageHistory struct {
		Success
		Periods []UsagePeriod `json:"periods" doc:"Months in which something was used, oldest first."`
	}
	// UsagePeriod is a month; either credits or tokens are set.
	UsagePeriod struct {
		Start   string `json:"startDate" doc:"Start of the month." format:"date-time"`
		End     string `json:"endDate" doc:"End of the month." format:"date-time"`
		Key     string `json:"apiKey,omitempty" doc:"Name of the key, when keys are told apart."`
		Credits *int64 `json:"creditsUsed,omitempty" doc:"Credits used."`
		Tokens  *int64 `json:"tokensUsed,omitempty" doc:"Tokens used."`
	}
)

// creditHistory answers GET /v2/team/credit-usage/historical.
func (s *Server) creditHistory(ctx context.Context, in *historyInput) (*UsageHistory, error) {
	return s.history(ctx, in.ByKey, func(p *UsagePeriod, credits int64) { p.Credits = &credits })
}

// tokenHistory answers GET /v2/team/token-usage/historical.
func (s *Server) tokenHistory(ctx context.Context, in *historyInput) (*UsageHistory, error) {
	return s.history(ctx, in.ByKey, func(p *UsagePeriod, credits int64) {
		tokens := credits * trawl.TokensPerCredit
		p.Tokens = &tokens
	})
}

func (s *Server) history(ctx context.Context, byKey bool, fill func(*UsagePeriod, int64)) (*UsageHistory, error) {
	usage, err := s.Store.Usage(ctx, visitOf(ctx).caller.Team.ID, byKey)
	if err != nil {
		return nil, err
	}
	history := &UsageHistory{Success: yes, Periods: make([]UsagePeriod, len(usage))}
	for i, month := range usage {
		p := &history.Periods[i]
		p.Start, p.End, p.Key = timestamp(month.Start), timestamp(month.End), month.Key
		fill(p, month.Credits)
	}
	return history, nil
}

func timestamp(t time.Time) string { return t.UTC().Format(trawl.TimeFormat) }

// Concurrency is how many scrapes of a team run.
type Concurrency struct {
	Success
	Concurrency    int `json:"concurrency" doc:"Scrapes and pages of jobs that run now."`
	MaxConcurrency int `json:"maxConcurrency" doc:"Scrapes that may run at a time."`
}

// concurrencyCheck answers GET /v2/concurrency-check.
func (s *Server) concurrencyCheck(ctx context.Context, _ *none) (*Concurrency, error) {
	team := visitOf(ctx).caller.Team
	running, _, err := s.busy(ctx, team.ID)
	if err != nil {
		return nil, err
	}
	return &Concurrency{Success: yes, Concurrency: running, MaxConcurrency: s.concurrency(team)}, nil
}

// busy counts the scrapes of a team that run and that wait: requests of their
// own and pages of jobs.
func (s *Server) busy(ctx context.Context, teamID string) (running, waiting int, err error) {
	running, waiting = s.slots.Usage(teamID)
	pages, queued, err := s.Jobs.Usage(ctx, teamID)
	return running + pages, waiting + queued, err
}

// QueueStatus is what a team has running and waiting.
type QueueStatus struct {
	Success
	Jobs           int     `json:"jobsInQueue" doc:"Scrapes and pages of jobs that run or wait."`
	Active         int     `json:"activeJobsInQueue" doc:"Scrapes and pages that run."`
	Waiting        int     `json:"waitingJobsInQueue" doc:"Scrapes and pages that wait for a slot."`
	MaxConcurrency int     `json:"maxConcurrency" doc:"Scrapes that may run at a time."`
	LastSuccess    *string `json:"mostRecentSuccess" doc:"When a scrape last succeeded." format:"date-time" nullable:"true"`
}

// queueStatus answers GET /v2/team/queue-status.
func (s *Server) queueStatus(ctx context.Context, _ *none) (*QueueStatus, error) {
	team := visitOf(ctx).caller.Team
	last, err := s.Store.LastSuccess(ctx, team.ID)
	if err != nil {
		return nil, err
	}
	running, waiting, err := s.busy(ctx, team.ID)
	if err != nil {
		return nil, err
	}
	queue := &QueueStatus{
		Success: yes, Jobs: running + waiting, Active: running, Waiting: waiting,
		MaxConcurrency: s.concurrency(team),
	}
	if !last.IsZero() {
		at := timestamp(last)
		queue.LastSuccess = &at
	}
	return queue, nil
}

type activityInput struct {
	Endpoint string `query:"endpoint" doc:"Only this kind of request." maxLength:"50"`
	Key      int64  `query:"apiKey" doc:"Only those of the key with this id." minimum:"1"`
	Status   string `query:"status" doc:"Only those that ended so, or run." enum:"scraping,completed,failed,cancelled"`
	Limit    int    `query:"limit" doc:"How many to return." minimum:"1" maximum:"100" default:"50"`
	Cursor   string `query:"cursor" doc:"Where the last page ended." maxLength:"200"`
}

type (
	// Activity lists what a team did.
	Activity struct {
		Success
		Data    []ActivityItem `json:"data" doc:"Requests, newest first."`
		Cursor  *string        `json:"cursor" doc:"Pass it to get the next page." nullable:"true"`
		HasMore bool           `json:"has_more" doc:"Whether there is a next page."`
	}
	// ActivityItem is one request.
	ActivityItem struct {
		ID         string  `json:"id" doc:"Id of the job." format:"uuid"`
		Endpoint   string  `json:"endpoint" doc:"Kind of request."`
		APIVersion string  `json:"api_version" doc:"Version of the API." example:"v2"`
		CreatedAt  string  `json:"created_at" doc:"When it was made." format:"date-time"`
		Target     string  `json:"target" doc:"What it was about: an address, or the words of a search."`
		Key        *string `json:"api_key" doc:"Name of the key that it came with." nullable:"true"`
		Status     string  `json:"status" doc:"What became of it." enum:"scraping,completed,failed,cancelled"`
		Error      *string `json:"error_code" doc:"Kind of failure, where it has a name." nullable:"true"`
		Duration   *int64  `json:"duration" doc:"How long it took, in milliseconds." nullable:"true"`
		Credits    int64   `json:"credits" doc:"What it cost."`
	}
)

// activity answers GET /v2/team/activity.
func (s *Server) activity(ctx context.Context, in *activityInput) (*Activity, error) {
	list, next, err := s.Store.Activity(ctx, visitOf(ctx).caller.Team.ID,
		store.ActivityQuery{Endpoint: in.Endpoint, KeyNumber: in.Key, State: in.Status, Limit: in.Limit, Cursor: in.Cursor})
	if err != nil {
		return nil, err
	}
	page := &Activity{Success: yes, Data: make([]ActivityItem, len(list))}
	for i, a := range list {
		page.Data[i] = ActivityItem{
			ID: a.ID, Endpoint: a.Endpoint, APIVersion: "v2", CreatedAt: timestamp(a.CreatedAt), Target: a.Target,
			Key: optional(a.KeyName), Status: a.State, Error: optional(publicCode(a.Code)), Credits: a.Credits,
		}
		if ms := a.Duration.Milliseconds(); ms > 0 {
			page.Data[i].Duration = &ms
		}
	}
	if next != "" {
		page.Cursor, page.HasMore = &next, true
	}
	return page, nil
}

// optional is a text that may be missing.
func optional(text string) *string {
	if text == "" {
		return nil
	}
	return &text
}

// optionalTime is the same for a time.
func optionalTime(t time.Time) *string {
	if t.IsZero() {
		return nil
	}
	return optional(timestamp(t))
}

type usageInput struct {
	Days int `query:"days" doc:"How many days back, today included." minimum:"1" maximum:"366" default:"30"`
}

type (
	// DailyUsage lists what a team used day by day.
	DailyUsage struct {
		Success
		Data []UsageOfDay `json:"data" doc:"Days on which something was used, oldest first."`
	}
	// UsageOfDay is what a key used for one kind of request on a day.
	UsageOfDay struct {
		Date     string  `json:"date" doc:"The day, in UTC." format:"date"`
		KeyID    *int64  `json:"keyId" doc:"Id of the key." nullable:"true"`
		Key      *string `json:"apiKey" doc:"Name of the key." nullable:"true"`
		Endpoint string  `json:"endpoint" doc:"Kind of request."`
		Credits  int64   `json:"credits" doc:"Credits used."`
		Requests int64   `json:"requests" doc:"Requests that were paid for. Pages of jobs are not counted one by one."`
	}
)

// usage answers GET /v2/team/usage.
func (s *Server) usage(ctx context.Context, in *usageInput) (*DailyUsage, error) {
	days, err := s.Store.DailyUsage(ctx, visitOf(ctx).caller.Team.ID, s.Now().AddDate(0, 0, 1-in.Days))
	if err != nil {
		return nil, err
	}
	usage := &DailyUsage{Success: yes, Data: make([]UsageOfDay, len(days))}
	for i, d := range days {
		usage.Data[i] = UsageOfDay{Date: d.Day.Format(time.DateOnly), Key: optional(d.KeyName), Endpoint: d.Endpoint, Credits: d.Credits, Requests: d.Requests}
		if d.KeyNumber != 0 {
			usage.Data[i].KeyID = &d.KeyNumber
		}
	}
	return usage, nil
}
