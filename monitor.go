package trawl

import (
	"encoding/json"
	"net/mail"
	"slices"
	"strings"
	"time"
)

// KindMonitor is the first part of the names of a monitor's events, and the kind of
// the jobs that deliver them.
const KindMonitor = "monitor"

// EventCheck is the end of a check of a monitor.
const EventCheck = "check.completed"

// States of a monitor.
const (
	MonitorActive  = "active"
	MonitorPaused  = "paused"
	MonitorDeleted = "deleted"
)

// What a monitor watches.
const (
	TargetScrape = "scrape"
	TargetCrawl  = "crawl"
	TargetSearch = "search"
)

// Defaults of monitors.
const (
	DefaultRetentionDays = 30
	DefaultSearchWindow  = "24h"
	DefaultMaxResults    = 10
)

// MonitorSchedule is when a monitor checks: by cron or in words.
type MonitorSchedule struct {
	Cron     string `json:"cron,omitempty" doc:"Five fields: minute, hour, day of month, month, weekday. Not together with text." maxLength:"128" example:"*/30 * * * *"`
	Text     string `json:"text,omitempty" doc:"The same in words, such as every 30 minutes or daily at 9am." maxLength:"128"`
	TimeZone string `json:"timezone,omitempty" doc:"IANA name of the time zone that it is read in; UTC unless chosen." maxLength:"128"`
}

// MonitorTarget is what a monitor watches. On the wire it has the fields of its type;
// which these are is in [TargetVariants]. The options are kept as the caller wrote them.
type MonitorTarget struct {
	ID             string          `json:"id,omitempty"`
	Type           string          `json:"type"`
	URLs           []string        `json:"urls,omitempty"`
	URL            string          `json:"url,omitempty"`
	CrawlOptions   json.RawMessage `json:"crawlOptions,omitempty"`
	ScrapeOptions  json.RawMessage `json:"scrapeOptions,omitempty"`
	Queries        []string        `json:"queries,omitempty"`
	SearchWindow   string          `json:"searchWindow,omitempty"`
	MaxResults     int             `json:"maxResults,omitempty"`
	IncludeDomains []string        `json:"includeDomains,omitempty"`
	ExcludeDomains []string        `json:"excludeDomains,omitempty"`
}

// TargetVariants lists the types of targets with their fields. The list is shared and
// must not be changed.
func TargetVariants() []Variant { return targetVariants }

var targetVariants = []Variant{
	{Type: TargetScrape, Fields: []string{"id", "urls", "url", "scrapeOptions"}},
	{Type: TargetCrawl, Fields: []string{"id", "url", "crawlOptions", "scrapeOptions"}, Required: []string{"url"}},
	{Type: TargetSearch, Fields: []string{"id", "queries", "searchWindow", "maxResults", "includeDomains", "excludeDomains",
		"depth", "alertMode", "recheckAfter", "scrapeOptions"}, Required: []string{"queries"}},
}

// MonitorNotification is who is told of a check beside the webhook.
type MonitorNotification struct {
	Email *EmailNotification `json:"email,omitempty" doc:"Mail."`
	Slack *SlackNotification `json:"slack,omitempty" doc:"Slack, which this service does not send to."`
}

// EmailNotification is who is told by mail.
type EmailNotification struct {
	Enabled      bool     `json:"enabled,omitempty" doc:"Send mail."`
	Recipients   []string `json:"recipients,omitempty" doc:"Who gets it, once they have confirmed." maxItems:"25" maxLength:"320"`
	IncludeDiffs bool     `json:"includeDiffs,omitempty" doc:"Show what changed."`
}

// SlackNotification is a channel of Slack.
type SlackNotification struct {
	Enabled     bool   `json:"enabled,omitempty" doc:"Must be false: this service does not send to Slack."`
	ChannelID   string `json:"channelId,omitempty" doc:"Accepted for compatibility." maxLength:"1000"`
	ChannelName string `json:"channelName,omitempty" doc:"Accepted for compatibility." maxLength:"1000"`
}

// MonitorRequest is the body of POST /v2/monitor.
type MonitorRequest struct {
	Name          string               `json:"name" required:"true" doc:"What people call it." minLength:"1" maxLength:"256"`
	Schedule      *MonitorSchedule     `json:"schedule" required:"true" doc:"When it checks."`
	Targets       []MonitorTarget      `json:"targets" required:"true" doc:"What it watches." minItems:"1" maxItems:"50"`
	Goal          *string              `json:"goal,omitempty" doc:"What matters, in words; changes are judged by it." maxLength:"2000" nullable:"true"`
	JudgeEnabled  *bool                `json:"judgeEnabled,omitempty" doc:"Judge changes by the goal; true with a goal unless chosen."`
	Webhook       *Webhook             `json:"webhook,omitempty" doc:"Where to report to."`
	Notification  *MonitorNotification `json:"notification,omitempty" doc:"Who else is told."`
	RetentionDays int                  `json:"retentionDays,omitempty" doc:"How many days checks are kept; 30 unless chosen." minimum:"1" maximum:"365"`
	Origin        string               `json:"origin,omitempty" doc:"Which client sent the request." maxLength:"1000"`
	Integration   string               `json:"integration,omitempty" doc:"Which integration sent the request." maxLength:"1000"`
}

// Validate reports what is wrong with the request beyond its schema. Whether its
// schedule and the options of its targets are any good is found out by package monitor.
func (r *MonitorRequest) Validate() []Issue {
	if r.Schedule == nil {
		return []Issue{{Code: "required", Message: "is required", Path: []any{"schedule"}}}
	}
	issues := validateTargets(r.Targets)
	return append(issues, validateTelling(r.Webhook, r.Notification)...)
}

// MonitorUpdate is the body of PATCH /v2/monitor/{id}. What is absent stays.
type MonitorUpdate struct {
	Name          string               `json:"name,omitempty" doc:"What people call it." minLength:"1" maxLength:"256"`
	Status        string               `json:"status,omitempty" doc:"Whether it checks." enum:"active,paused"`
	Schedule      *MonitorSchedule     `json:"schedule,omitempty" doc:"When it checks; the time zone alone may be changed."`
	Targets       []MonitorTarget      `json:"targets,omitempty" doc:"What it watches, in place of all targets before. One with the id of an old one keeps its history." minItems:"1" maxItems:"50"`
	Goal          *string              `json:"goal,omitempty" doc:"What matters; null for nothing in particular." maxLength:"2000" nullable:"true"`
	JudgeEnabled  *bool                `json:"judgeEnabled,omitempty" doc:"Judge changes by the goal."`
	Webhook       *Webhook             `json:"webhook,omitempty" doc:"Where to report to; null for nowhere."`
	Notification  *MonitorNotification `json:"notification,omitempty" doc:"Who else is told."`
	RetentionDays int                  `json:"retentionDays,omitempty" doc:"How many days checks are kept." minimum:"1" maximum:"365"`
	Origin        string               `json:"origin,omitempty" doc:"Which client sent the request." maxLength:"1000"`
	Integration   string               `json:"integration,omitempty" doc:"Which integration sent the request." maxLength:"1000"`

	DropGoal, DropWebhook bool `json:"-"` // the caller said null
	empty                 bool
}

// UnmarshalJSON tells what is null from what is absent.
func (u *MonitorUpdate) UnmarshalJSON(data []byte) error {
	type plain MonitorUpdate
	if err := json.Unmarshal(data, (*plain)(u)); err != nil {
		return err
	}
	var keys map[string]json.RawMessage
	if err := json.Unmarshal(data, &keys); err != nil {
		return err
	}
	isNull := func(key string) bool { return string(keys[key]) == "null" }
	u.DropGoal, u.DropWebhook = isNull("goal"), isNull("webhook")
	delete(keys, "origin")
	delete(keys, "integration")
	for key := range keys {
		if isNull(key) && key != "goal" && key != "webhook" {
			delete(keys, key)
		}
	}
	u.empty = len(keys) == 0
	return nil
}

// Validate reports what is wrong with the request beyond its schema.
func (u *MonitorUpdate) Validate() []Issue {
	if u.empty {
		return []Issue{invalid("Update body cannot be empty")}
	}
	issues := validateTargets(u.Targets)
	return append(issues, validateTelling(u.Webhook, u.Notification)...)
}

// validateTargets reports what is wrong with targets beyond their schema.
func validateTargets(targets []MonitorTarget) []Issue {
	var issues []Issue
	seen := map[string]bool{}
	for i := range targets {
		t := &targets[i]
		for _, issue := range t.validate() {
			issue.Path = append([]any{"targets", i}, issue.Path...)
			issues = append(issues, issue)
		}
		if t.ID != "" && seen[t.ID] {
			issues = append(issues, invalid("is given twice", "targets", i, "id"))
		}
		seen[t.ID] = true
	}
	return issues
}

// mostURLs bounds the pages of one target.
const mostURLs = 1000

func (t *MonitorTarget) validate() []Issue {
	var issues []Issue
	switch t.Type {
	case TargetScrape:
		addresses := t.Addresses()
		if len(addresses) == 0 {
			return []Issue{{Code: "required", Message: "is required", Path: []any{"urls"}}}
		}
		if len(addresses) > mostURLs {
			return []Issue{invalid("must not have more than 1000 addresses", "urls")}
		}
		for i, address := range addresses {
			if err := usable(address); err != nil && len(issues) < mostIssues {
				issues = append(issues, invalid(err.Error(), "urls", i))
			}
		}
	case TargetCrawl:
		if err := usable(t.URL); err != nil {
			issues = append(issues, invalid(err.Error(), "url"))
		}
	case TargetSearch:
		issues = t.validateSearch()
	}
	return issues
}

func (t *MonitorTarget) validateSearch() []Issue {
	var issues []Issue
	for i, query := range t.Queries {
		if strings.TrimSpace(query) == "" {
			issues = append(issues, invalid("must not be empty", "queries", i))
		}
	}
	if len(t.IncludeDomains) > 0 && len(t.ExcludeDomains) > 0 {
		issues = append(issues, invalid("includeDomains and excludeDomains cannot be used together", "includeDomains"))
	}
	for _, domains := range []struct {
		name string
		list []string
	}{{"includeDomains", t.IncludeDomains}, {"excludeDomains", t.ExcludeDomains}} {
		for i, domain := range domains.list {
			if !isDomain(domain) {
				issues = append(issues, invalid("is not a host name", domains.name, i))
			}
		}
	}
	return issues
}

// Addresses are those of a target of single pages, each once.
func (t *MonitorTarget) Addresses() []string {
	var list []string
	for _, address := range append(slices.Clone(t.URLs), t.URL) {
		if address != "" && !slices.Contains(list, address) {
			list = append(list, address)
		}
	}
	return list
}

// validateTelling reports what is wrong with who is told.
func validateTelling(hook *Webhook, n *MonitorNotification) []Issue {
	var issues []Issue
	if hook != nil {
		events := hook.Events
		plain := *hook
		plain.Events = nil
		issues = plain.validate(KindMonitor)
		for i, event := range events {
			if event != KindMonitor+"."+EventPage && event != KindMonitor+"."+EventCheck {
				issues = append(issues, invalid("unknown event "+quote(event), "webhook", "events", i))
			}
		}
	}
	if n == nil {
		return issues
	}
	if n.Slack != nil && n.Slack.Enabled {
		issues = append(issues, invalid("Slack is not offered by this server: use a webhook or email", "notification", "slack", "enabled"))
	}
	if n.Email != nil {
		for i, address := range n.Email.Recipients {
			if MailAddress(address) == "" {
				issues = append(issues, invalid("is not a mail address", "notification", "email", "recipients", i))
			}
		}
	}
	return issues
}

// MailAddress returns a mail address in lower case; nothing if it is none, or more than
// a bare address.
func MailAddress(text string) string {
	text = strings.TrimSpace(text)
	parsed, err := mail.ParseAddress(text)
	if err != nil || parsed.Address != text || len(text) > 320 || strings.ContainsAny(text, "\r\n\x00<>\" ") {
		return ""
	}
	return strings.ToLower(text)
}

// Monitor watches pages, sites or searches on a schedule.
type Monitor struct {
	ID, TeamID, KeyID, Name, Status string
	Cron, TimeZone                  string
	NextRunAt                       time.Time // by the schedule; zero while it is paused
	DueAt                           time.Time // when that run really starts
	LastRunAt                       time.Time
	CurrentCheck                    string // id of the check that runs
	MonitorDefinition
	RetentionDays        int
	Summary              *CheckSummary // of the last check that ended
	PublicURL            string        // what addresses of this service begin with
	CreatedAt, UpdatedAt time.Time
}

// MonitorDefinition is what a monitor watches, and who is told.
type MonitorDefinition struct {
	Targets      []MonitorTarget     `json:"targets"`
	Goal         string              `json:"goal,omitempty"`
	Judge        *bool               `json:"judge,omitempty"` // nil if it was never chosen
	Webhook      *Webhook            `json:"webhook,omitempty"`
	Notification MonitorNotification `json:"notification,omitzero"`
}

// JudgeEnabled is what the caller chose, or what follows from the goal.
func (d *MonitorDefinition) JudgeEnabled() bool {
	if d.Judge != nil {
		return *d.Judge
	}
	return d.Goal != ""
}

// Judges reports whether changes are judged.
func (d *MonitorDefinition) Judges() bool { return d.JudgeEnabled() && d.Goal != "" }

// Mail returns who is told by mail, and whether anybody is.
func (d *MonitorDefinition) Mail() (EmailNotification, bool) {
	if d.Notification.Email == nil || !d.Notification.Email.Enabled {
		return EmailNotification{}, false
	}
	return *d.Notification.Email, true
}
