package api

import (
	"context"
	"strings"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/monitor"
)

type (
	// CheckView is a check of a monitor.
	CheckView struct {
		ID               string                   `json:"id" doc:"Id of the check." format:"uuid"`
		MonitorID        string                   `json:"monitorId" doc:"Id of the monitor." format:"uuid"`
		Status           string                   `json:"status" doc:"How it does." enum:"queued,running,completed,partial,failed,skipped_overlap,skipped_no_credits"`
		Trigger          string                   `json:"trigger" doc:"What started it." enum:"scheduled,manual"`
		ScheduledFor     *string                  `json:"scheduledFor" doc:"When it was due by the schedule." format:"date-time" nullable:"true"`
		StartedAt        *string                  `json:"startedAt" doc:"When it began." format:"date-time" nullable:"true"`
		FinishedAt       *string                  `json:"finishedAt" doc:"When it ended." format:"date-time" nullable:"true"`
		EstimatedCredits int64                    `json:"estimatedCredits" doc:"What it was estimated to cost."`
		ReservedCredits  *int64                   `json:"reservedCredits" doc:"What was set aside for it." nullable:"true"`
		ActualCredits    *int64                   `json:"actualCredits" doc:"What it cost." nullable:"true"`
		BillingStatus    string                   `json:"billingStatus" doc:"What became of the credits." enum:"not_applicable,reserved,confirmed,released,failed"`
		Summary          trawl.CheckSummary       `json:"summary" doc:"How many pages became what."`
		TargetResults    []TargetResult           `json:"targetResults" doc:"What became of each target." nullable:"true"`
		Told             orNull[NotificationView] `json:"notificationStatus" doc:"Who was told."`
		Error            *string                  `json:"error" doc:"Why it failed or was skipped." nullable:"true"`
		CreatedAt        string                   `json:"createdAt" doc:"When it was made." format:"date-time"`
		UpdatedAt        string                   `json:"updatedAt" doc:"When something last happened to it." format:"date-time"`
	}
	// TargetResult is what became of a target.
	TargetResult struct {
		TargetID        string   `json:"targetId" doc:"Id of the target."`
		Type            string   `json:"type" doc:"What it is." enum:"scrape,crawl,search"`
		ExpectedJobs    []string `json:"expectedJobs,omitempty" doc:"Jobs that scrape its pages."`
		CrawlID         string   `json:"crawlId,omitempty" doc:"The crawl of the site."`
		SearchCompleted *bool    `json:"searchCompleted,omitempty" doc:"Whether the search was made."`
		ResultCount     *int     `json:"resultCount,omitempty" doc:"Results that it found."`
		Matches         *int     `json:"matches,omitempty" doc:"Results that matter and were not told of before."`
		JudgeDegraded   *bool    `json:"judgeDegraded,omitempty" doc:"Whether results could not be judged."`
		DegradedReason  string   `json:"degradedReason,omitempty" doc:"Why."`
		SearchCredits   *int64   `json:"searchCredits,omitempty" doc:"What the search cost."`
		JudgeCredits    *int64   `json:"judgeCredits,omitempty" doc:"What judging the results cost."`
		ResultsJudged   *int     `json:"resultsJudged,omitempty" doc:"Results that were judged."`
		Error           string   `json:"error,omitempty" doc:"Why it could not be looked at."`
	}
	// NotificationView is who was told of a check.
	NotificationView struct {
		Webhook *ToldView `json:"webhook,omitempty" doc:"The webhook."`
		Email   *ToldView `json:"email,omitempty" doc:"Recipients of mail."`
	}
	// ToldView is how telling went.
	ToldView struct {
		Attempted   bool    `json:"attempted" doc:"Whether there was anything to send, and a way."`
		Success     bool    `json:"success" doc:"Whether all of it arrived."`
		Delivered   int     `json:"delivered" doc:"What arrived."`
		Queued      int     `json:"queued" doc:"What is on its way."`
		StatusCode  int     `json:"statusCode,omitempty" doc:"Status of the last answer."`
		Error       string  `json:"error,omitempty" doc:"Why the last attempt failed."`
		DeliveredAt *string `json:"deliveredAt,omitempty" doc:"When something last arrived." format:"date-time"`
	}
	// CheckPageView is a page of a check.
	CheckPageView struct {
		ID               string                 `json:"id" doc:"Id of the page in the check." format:"uuid"`
		TargetID         string                 `json:"targetId" doc:"Id of its target."`
		URL              string                 `json:"url" doc:"Address of the page."`
		Status           string                 `json:"status" doc:"What became of it." enum:"same,new,changed,removed,error"`
		PreviousScrapeID *string                `json:"previousScrapeId" doc:"Scrape of the check before." nullable:"true"`
		CurrentScrapeID  *string                `json:"currentScrapeId" doc:"Scrape of this check." nullable:"true"`
		StatusCode       *int                   `json:"statusCode" doc:"Status with which the site answered." nullable:"true"`
		Error            *string                `json:"error" doc:"Why it could not be checked." nullable:"true"`
		Metadata         any                    `json:"metadata" doc:"What is known of the scrape."`
		Judgment         orNull[trawl.Judgment] `json:"judgment" doc:"Whether the change matters."`
		Diff             any                    `json:"diff" doc:"What changed."`
		Snapshot         any                    `json:"snapshot,omitempty" doc:"Data of the page, where that is compared."`
		CreatedAt        string                 `json:"createdAt" doc:"When it was checked." format:"date-time"`
	}
	// CheckStarted is the answer to a request to check now.
	CheckStarted struct {
		Success
		ID   string    `json:"id" doc:"Id of the check." format:"uuid"`
		Data CheckView `json:"data"`
	}
	// CheckList lists checks.
	CheckList struct {
		Success
		Data []CheckView `json:"data" doc:"Checks, newest first."`
	}
	// OneCheck is a check with a page of its pages.
	OneCheck struct {
		Success
		Next string     `json:"next,omitempty" doc:"Where its next pages are; absent at the end."`
		Data WholeCheck `json:"data"`
	}
	// WholeCheck is a check with pages.
	WholeCheck struct {
		CheckView
		Pages []CheckPageView `json:"pages" doc:"Pages, oldest first."`
		Next  string          `json:"next,omitempty" doc:"Where its next pages are; absent at the end."`
	}
)

// runInput is the input of POST /v2/monitor/{id}/run, which says nothing.
type runInput struct {
	MonitorPath
	Body RunRequest
}

// RunRequest is the body of a request to check now, which may be left out.
type RunRequest struct {
	Origin      string `json:"origin,omitempty" doc:"Which client sent the request." maxLength:"1000"`
	Integration string `json:"integration,omitempty" doc:"Which integration sent the request." maxLength:"1000"`
}

// bodyless says that there is nothing to choose.
func (*runInput) bodyless() {}

// runMonitor answers POST /v2/monitor/{id}/run.
func (s *Server) runMonitor(ctx context.Context, in *runInput) (*CheckStarted, error) {
	c, err := s.Monitors.Run(ctx, visitOf(ctx).caller.Team.ID, strings.ToLower(in.ID))
	if err != nil {
		return nil, err
	}
	view, err := s.checkView(ctx, &c)
	return &CheckStarted{Success: yes, ID: c.ID, Data: view}, err
}

type checksInput struct {
	MonitorPath
	OffsetInput
	Status string `query:"status" doc:"Only checks of this status." enum:"queued,running,completed,partial,failed,skipped_overlap,skipped_no_credits"`
}

// checks answers GET /v2/monitor/{id}/checks.
func (s *Server) checks(ctx context.Context, in *checksInput) (*CheckList, error) {
	list, err := s.Monitors.Checks(ctx, visitOf(ctx).caller.Team.ID, strings.ToLower(in.ID), in.Status, in.Limit, in.Offset)
	if err != nil {
		return nil, err
	}
	answer := &CheckList{Success: yes, Data: make([]CheckView, len(list))}
	for i := range list {
		if answer.Data[i], err = s.checkView(ctx, &list[i]); err != nil {
			return nil, err
		}
	}
	return answer, nil
}

// CheckPath is the input of a route about a check.
type CheckPath struct {
	MonitorPath
	CheckID string `path:"checkId" doc:"Id of the check."`
}

// Validate insists on UUIDs.
func (in *CheckPath) Validate() []trawl.Issue {
	return append(in.MonitorPath.Validate(), validateID(in.CheckID, "check")...)
}

type checkInput struct {
	CheckPath
	Limit  int    `query:"limit" doc:"How many pages to return." minimum:"1" maximum:"100" default:"25"`
	Skip   int    `query:"skip" doc:"How many pages to leave out." minimum:"0" maximum:"1000000000" default:"0"`
	Status string `query:"status" doc:"Only pages of this status." enum:"same,new,changed,removed,error"`
}

// theCheck returns a check of the caller's team.
func (s *Server) theCheck(ctx context.Context, in *CheckPath) (trawl.Check, error) {
	return s.Monitors.Check(ctx, visitOf(ctx).caller.Team.ID, strings.ToLower(in.ID), strings.ToLower(in.CheckID))
}

// check answers GET /v2/monitor/{id}/checks/{checkId}.
func (s *Server) check(ctx context.Context, in *checkInput) (*OneCheck, error) {
	c, err := s.theCheck(ctx, &in.CheckPath)
	if err != nil {
		return nil, err
	}
	pages, err := s.Monitors.Pages(ctx, &c, in.Status, in.Limit+1, in.Skip) // one more tells whether there is a next page
	if err != nil {
		return nil, err
	}
	answer := &OneCheck{Success: yes}
	if answer.Data.CheckView, err = s.checkView(ctx, &c); err != nil {
		return nil, err
	}
	if len(pages) > in.Limit {
		pages = pages[:in.Limit]
		answer.Next = s.nextPage(ctx, in, in.Skip+in.Limit)
		answer.Data.Next = answer.Next
	}
	answer.Data.Pages = make([]CheckPageView, len(pages))
	for i := range pages {
		answer.Data.Pages[i] = checkPageView(&pages[i])
	}
	return answer, nil
}

// checkView is a check as its team sees it.
func (s *Server) checkView(ctx context.Context, c *trawl.Check) (CheckView, error) {
	view := CheckView{
		ID: c.ID, MonitorID: c.MonitorID, Status: c.Status, Trigger: c.Trigger, ScheduledFor: optionalTime(c.ScheduledFor),
		StartedAt: optionalTime(c.StartedAt), FinishedAt: optionalTime(c.FinishedAt), EstimatedCredits: c.Estimated, ReservedCredits: c.Reserved,
		ActualCredits: c.Actual, BillingStatus: c.Billing, Summary: c.Summary, Error: optional(c.Error),
		CreatedAt: timestamp(c.CreatedAt), UpdatedAt: timestamp(c.UpdatedAt),
	}
	if c.StartedAt.IsZero() {
		return view, nil
	}
	for i := range c.Targets {
		view.TargetResults = append(view.TargetResults, targetResult(&c.Targets[i]))
	}
	if !c.Done() {
		return view, nil
	}
	told, err := s.Monitors.Told(ctx, c)
	if err != nil {
		return view, err
	}
	view.Told.value = &NotificationView{Webhook: toldView(told.Webhook), Email: toldView(told.Email)}
	return view, nil
}

func toldView(t *monitor.Way) *ToldView {
	if t == nil {
		return nil
	}
	view := &ToldView{
		Attempted: t.Attempted, Success: t.Attempted && t.Delivered == t.Total, Delivered: t.Delivered, Queued: t.Queued(),
		StatusCode: t.Status, Error: t.Error,
	}
	if t.Delivered > 0 {
		view.DeliveredAt = optionalTime(t.LastAt)
	}
	return view
}

func targetResult(t *trawl.CheckTarget) TargetResult {
	r := TargetResult{TargetID: t.ID, Type: t.Type, Error: t.Error}
	switch t.Type {
	case trawl.TargetScrape:
		r.ExpectedJobs = []string{t.Job}
	case trawl.TargetCrawl:
		r.CrawlID = t.Job
	case trawl.TargetSearch:
		found := t.Search
		made := found != nil
		r.SearchCompleted = &made
		if made {
			degraded, judging := found.Degraded != "", int64(found.Judged)
			r.ResultCount, r.Matches, r.SearchCredits, r.ResultsJudged = &found.Results, &found.Matches, &found.Credits, &found.Judged
			r.JudgeCredits, r.JudgeDegraded, r.DegradedReason = &judging, &degraded, found.Degraded
		}
	}
	return r
}

func checkPageView(p *trawl.CheckPage) CheckPageView {
	view := CheckPageView{
		ID: p.ID, TargetID: p.TargetID, URL: p.URL, Status: p.Status, PreviousScrapeID: optional(p.PreviousScrape), CurrentScrapeID: optional(p.CurrentScrape),
		Error: optional(p.Error), Metadata: nullable(p.Metadata), Judgment: orNull[trawl.Judgment]{p.Judgment}, Diff: nullable(p.Diff), Snapshot: nullable(p.Snapshot),
		CreatedAt: timestamp(p.CreatedAt),
	}
	if p.StatusCode > 0 {
		view.StatusCode = &p.StatusCode
	}
	return view
}

type checkDeliveriesInput struct {
	CheckPath
	Cursor int `query:"cursor" doc:"Number of the last event of the page before." minimum:"0" maximum:"1000000000" default:"0"`
	Limit  int `query:"limit" doc:"How many to return." minimum:"1" maximum:"1000" default:"100"`
}

// checkDeliveries answers GET …/webhooks of a check.
func (s *Server) checkDeliveries(ctx context.Context, in *checkDeliveriesInput) (*Deliveries, error) {
	c, err := s.theCheck(ctx, &in.CheckPath)
	if err != nil {
		return nil, err
	}
	return s.deliveryLog(ctx, c.ID, in.Cursor, in.Limit)
}

type replayCheckInput struct {
	CheckPath
	Body ReplayRequest
}

// bodyless says that all failed events are sent again unless one is named.
func (*replayCheckInput) bodyless() {}

// replayCheck answers POST …/webhooks/replay of a check.
func (s *Server) replayCheck(ctx context.Context, in *replayCheckInput) (*Replayed, error) {
	c, err := s.theCheck(ctx, &in.CheckPath)
	if err != nil {
		return nil, err
	}
	count, err := s.Jobs.Replay(ctx, c.TeamID, c.ID, strings.ToLower(in.Body.DeliveryID))
	return &Replayed{Success: yes, Replayed: count}, err
}
