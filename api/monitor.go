package api

import (
	"context"
	"encoding/json"
	"fmt"
	"net/url"
	"reflect"
	"strconv"
	"strings"

	"github.com/danielgtaylor/huma/v2"
	"github.com/google/uuid"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/monitor"
)

// Monitors keeps monitors and makes their checks.
type Monitors interface {
	Create(ctx context.Context, who trawl.Caller, publicURL string, req trawl.MonitorRequest) (monitor.Answer, error)
	Get(ctx context.Context, teamID, id string) (trawl.Monitor, error)
	List(ctx context.Context, teamID string, limit, offset int) ([]trawl.Monitor, error)
	Update(ctx context.Context, who trawl.Caller, id string, u trawl.MonitorUpdate) (monitor.Answer, error)
	Delete(ctx context.Context, teamID, id string) error
	Run(ctx context.Context, teamID, id string) (trawl.Check, error)
	Recipients(ctx context.Context, m *trawl.Monitor) ([]trawl.Recipient, error)
	MonitorChecks
	Subscriptions
	Feed(ctx context.Context, key, address string) ([]byte, error)
	FeedURL(ctx context.Context, base, id string) (string, error)
}

// MonitorChecks tells what checks found.
type MonitorChecks interface {
	Check(ctx context.Context, teamID, monitorID, id string) (trawl.Check, error)
	Checks(ctx context.Context, teamID, monitorID, status string, limit, offset int) ([]trawl.Check, error)
	Pages(ctx context.Context, c *trawl.Check, status string, limit, skip int) ([]trawl.CheckPage, error)
	Told(ctx context.Context, c *trawl.Check) (*monitor.Told, error)
}

// targetUnion is a target with the fields of its type.
type targetUnion struct{}

// targetFields are those of all targets, as they stand on the wire.
type targetFields struct {
	ID             string              `json:"id,omitempty" doc:"Names the target; made unless given. One that is kept keeps its history." minLength:"1" maxLength:"128"`
	URLs           []string            `json:"urls,omitempty" doc:"Pages to watch." minItems:"1" maxItems:"1000" maxLength:"16384"`
	URL            string              `json:"url,omitempty" doc:"Page to watch, or site to crawl." minLength:"1" maxLength:"16384"`
	ScrapeOptions  trawl.ScrapeOptions `json:"scrapeOptions,omitempty" doc:"How pages are scraped. Fresh pages and markdown unless chosen."`
	CrawlOptions   crawlOptions        `json:"crawlOptions,omitempty" doc:"How the site is crawled."`
	Queries        []string            `json:"queries,omitempty" doc:"What to search for." minItems:"1" maxItems:"12" minLength:"1" maxLength:"256"`
	SearchWindow   string              `json:"searchWindow,omitempty" doc:"How recent results are; 24h unless chosen." enum:"5m,15m,1h,6h,24h,7d"`
	MaxResults     int                 `json:"maxResults,omitempty" doc:"Most results; 10 unless chosen." minimum:"1" maximum:"50"`
	IncludeDomains []string            `json:"includeDomains,omitempty" doc:"Only results from these domains." maxItems:"50" maxLength:"253"`
	ExcludeDomains []string            `json:"excludeDomains,omitempty" doc:"No results from these domains." maxItems:"50" maxLength:"253"`
	Depth          any                 `json:"depth,omitempty" doc:"Accepted for compatibility."`
	AlertMode      any                 `json:"alertMode,omitempty" doc:"Accepted for compatibility."`
	RecheckAfter   any                 `json:"recheckAfter,omitempty" doc:"Accepted for compatibility."`
}

// Schema implements huma.SchemaProvider.
func (targetUnion) Schema(r huma.Registry) *huma.Schema {
	all := huma.SchemaFromType(r, reflect.TypeFor[targetFields]()).Properties
	return unionOfFields(r, "Target", all, trawl.TargetVariants(), false)
}

// crawlOptions are the options of a crawl without what a target says otherwise.
type crawlOptions struct{}

// Schema implements huma.SchemaProvider.
func (crawlOptions) Schema(r huma.Registry) *huma.Schema {
	const name = "CrawlOptions"
	if _, ok := r.Map()[name]; !ok {
		schema := huma.SchemaFromType(r, reflect.TypeFor[trawl.CrawlRequest]())
		for _, field := range []string{"url", "webhook", "scrapeOptions", "zeroDataRetention", "origin", "integration"} {
			delete(schema.Properties, field)
		}
		schema.Required = nil
		schema.PrecomputeMessages()
		r.Map()[name] = schema
	}
	return &huma.Schema{Ref: schemaPrefix + name}
}

type (
	// MonitorView is a monitor as its team sees it.
	MonitorView struct {
		ID               string                     `json:"id" doc:"Id of the monitor." format:"uuid"`
		Name             string                     `json:"name" doc:"What people call it."`
		Status           string                     `json:"status" doc:"Whether it checks." enum:"active,paused,deleted"`
		Schedule         ScheduleView               `json:"schedule" doc:"When it checks."`
		NextRunAt        *string                    `json:"nextRunAt" doc:"When the next check is due; null while it is paused." format:"date-time" nullable:"true"`
		LastRunAt        *string                    `json:"lastRunAt" doc:"When the last check began." format:"date-time" nullable:"true"`
		CurrentCheckID   *string                    `json:"currentCheckId" doc:"The check that runs." nullable:"true"`
		Targets          []trawl.MonitorTarget      `json:"targets" doc:"What it watches."`
		Webhook          orNull[trawl.Webhook]      `json:"webhook" doc:"Where it reports to."`
		Notification     trawl.MonitorNotification  `json:"notification" doc:"Who else is told."`
		Subscriptions    *[]SubscriptionView        `json:"emailRecipientSubscriptions,omitempty" doc:"Who gets mail; not in lists."`
		RetentionDays    int                        `json:"retentionDays" doc:"How many days checks are kept."`
		EstimatedCredits int64                      `json:"estimatedCreditsPerMonth" doc:"What a month of checks costs, at a guess."`
		LastCheckSummary orNull[trawl.CheckSummary] `json:"lastCheckSummary" doc:"What the last check found."`
		Goal             *string                    `json:"goal" doc:"What matters." nullable:"true"`
		JudgeEnabled     bool                       `json:"judgeEnabled" doc:"Whether changes are judged by the goal."`
		FeedURL          string                     `json:"feedUrl,omitempty" doc:"Where its news can be read as an Atom feed, without a key; not in lists." format:"uri"`
		CreatedAt        string                     `json:"createdAt" doc:"When it was made." format:"date-time"`
		UpdatedAt        string                     `json:"updatedAt" doc:"When it was last changed." format:"date-time"`
	}
	// ScheduleView is when a monitor checks.
	ScheduleView struct {
		Cron     string `json:"cron" doc:"Minute, hour, day of month, month, weekday."`
		TimeZone string `json:"timezone" doc:"Time zone that it is read in."`
	}
	// SubscriptionView is a recipient of mail.
	SubscriptionView struct {
		Email            string `json:"email" doc:"Address in lower case."`
		Status           string `json:"status" doc:"Whether they want it." enum:"pending,confirmed,unsubscribed"`
		Source           string `json:"source" doc:"Always opt_in: teams have no addresses." enum:"team,opt_in,legacy"`
		ConfirmationSent bool   `json:"confirmationEmailSent" doc:"Whether they were asked."`
	}
	// OneMonitor is the answer to a request about a monitor.
	OneMonitor struct {
		Success
		Data    MonitorView `json:"data"`
		Warning string      `json:"warning,omitempty" doc:"What cannot be done as asked."`
	}
	// MonitorList lists monitors.
	MonitorList struct {
		Success
		Data []MonitorView `json:"data" doc:"Monitors, newest first."`
	}
)

type monitorInput struct{ Body trawl.MonitorRequest }

// Validate reports what the schema cannot.
func (in *monitorInput) Validate() []trawl.Issue { return in.Body.Validate() }

// MonitorPath is the input of a route about one monitor.
type MonitorPath struct {
	ID string `path:"id" doc:"Id of the monitor."`
}

// Validate insists on a UUID in its usual form.
func (in *MonitorPath) Validate() []trawl.Issue { return validateID(in.ID, "monitor") }

func validateID(id, of string) []trawl.Issue {
	if len(id) == 36 && uuid.Validate(id) == nil {
		return nil
	}
	return []trawl.Issue{{Code: "invalid_value", Message: "Invalid " + of + " ID format. It must be a valid UUID.", Path: []any{}}}
}

type updateInput struct {
	MonitorPath
	Body trawl.MonitorUpdate
}

// Validate reports what the schema cannot.
func (in *updateInput) Validate() []trawl.Issue {
	if issues := in.MonitorPath.Validate(); issues != nil {
		return issues
	}
	return in.Body.Validate()
}

// createMonitor answers POST /v2/monitor.
func (s *Server) createMonitor(ctx context.Context, in *monitorInput) (*OneMonitor, error) {
	if err := s.checkWebhook(in.Body.Webhook); err != nil {
		return nil, err
	}
	v := visitOf(ctx)
	m, err := s.Monitors.Create(ctx, v.caller, s.baseURL(v.request), in.Body)
	if err != nil {
		return nil, err
	}
	return s.oneMonitor(ctx, &m.Monitor, m.Warning)
}

// updateMonitor answers PATCH /v2/monitor/{id}.
func (s *Server) updateMonitor(ctx context.Context, in *updateInput) (*OneMonitor, error) {
	if err := s.checkWebhook(in.Body.Webhook); err != nil {
		return nil, err
	}
	m, err := s.Monitors.Update(ctx, visitOf(ctx).caller, strings.ToLower(in.ID), in.Body)
	if err != nil {
		return nil, err
	}
	return s.oneMonitor(ctx, &m.Monitor, m.Warning)
}

// monitor answers GET /v2/monitor/{id}.
func (s *Server) monitor(ctx context.Context, in *MonitorPath) (*OneMonitor, error) {
	m, err := s.Monitors.Get(ctx, visitOf(ctx).caller.Team.ID, strings.ToLower(in.ID))
	if err != nil {
		return nil, err
	}
	return s.oneMonitor(ctx, &m, "")
}

func (s *Server) oneMonitor(ctx context.Context, m *trawl.Monitor, warning string) (*OneMonitor, error) {
	recipients, err := s.Monitors.Recipients(ctx, m)
	if err != nil {
		return nil, err
	}
	answer := &OneMonitor{Success: yes, Data: monitorView(m), Warning: warning}
	list := make([]SubscriptionView, len(recipients))
	for i, r := range recipients {
		list[i] = SubscriptionView{Email: r.Email, Status: r.Status, Source: "opt_in", ConfirmationSent: r.Sent}
	}
	answer.Data.Subscriptions = &list
	answer.Data.FeedURL, err = s.Monitors.FeedURL(ctx, s.baseURL(visitOf(ctx).request), m.ID)
	return answer, err
}

func monitorView(m *trawl.Monitor) MonitorView {
	return MonitorView{
		ID: m.ID, Name: m.Name, Status: m.Status, Schedule: ScheduleView{m.Cron, m.TimeZone},
		NextRunAt: optionalTime(m.NextRunAt), LastRunAt: optionalTime(m.LastRunAt), CurrentCheckID: optional(m.CurrentCheck),
		Targets: m.Targets, Webhook: orNull[trawl.Webhook]{m.Webhook}, Notification: m.Notification, RetentionDays: m.RetentionDays,
		EstimatedCredits: monitor.CreditsPerMonth(m), LastCheckSummary: orNull[trawl.CheckSummary]{m.Summary}, Goal: optional(m.Goal), JudgeEnabled: m.JudgeEnabled(),
		CreatedAt: timestamp(m.CreatedAt), UpdatedAt: timestamp(m.UpdatedAt),
	}
}

// OffsetInput chooses a part of a list.
type OffsetInput struct {
	Limit  int `query:"limit" doc:"How many to return." minimum:"1" maximum:"100" default:"25"`
	Offset int `query:"offset" doc:"How many to leave out." minimum:"0" maximum:"1000000000" default:"0"`
}

// monitors answers GET /v2/monitor.
func (s *Server) monitors(ctx context.Context, in *OffsetInput) (*MonitorList, error) {
	list, err := s.Monitors.List(ctx, visitOf(ctx).caller.Team.ID, in.Limit, in.Offset)
	if err != nil {
		return nil, err
	}
	answer := &MonitorList{Success: yes, Data: make([]MonitorView, len(list))}
	for i := range list {
		answer.Data[i] = monitorView(&list[i])
	}
	return answer, nil
}

// deleteMonitor answers DELETE /v2/monitor/{id}.
func (s *Server) deleteMonitor(ctx context.Context, in *MonitorPath) (*Success, error) {
	return &Success{true}, s.Monitors.Delete(ctx, visitOf(ctx).caller.Team.ID, strings.ToLower(in.ID))
}

// nextPage is the address of the next page of a check.
func (s *Server) nextPage(ctx context.Context, in *checkInput, skip int) string {
	query := url.Values{"skip": {strconv.Itoa(skip)}, "limit": {strconv.Itoa(in.Limit)}}
	if in.Status != "" {
		query.Set("status", in.Status)
	}
	return fmt.Sprintf("%s/v2/monitor/%s/checks/%s?%s", s.baseURL(visitOf(ctx).request), strings.ToLower(in.ID), strings.ToLower(in.CheckID), query.Encode())
}

func nullable(raw json.RawMessage) any {
	if raw == nil {
		return nil
	}
	return raw
}
