package mcp

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"strings"
)

// monitorTools are about pages that are watched.
var monitorTools = []tool{
	{
		name: "firecrawl_monitor_create", title: "Watch pages", openWorld: true,
		about: "Watch pages, or the results of searches, and report what changes. Give page, pages or queries with a goal in words; " +
			"body instead takes the whole request of the API. Runs every 30 minutes unless scheduleText says otherwise, such as daily at 9am.",
		route: "POST /v2/monitor", own: monitorArguments, translate: translateMonitor, output: looseMembers("data"),
	},
	{
		name: "firecrawl_monitor_list", title: "Monitors", readOnly: true, about: "The monitors of the team, newest first.",
		route: "GET /v2/monitor", query: map[string]string{"limit": "limit", "offset": "offset"}, output: truncatedMember,
	},
	{
		name: "firecrawl_monitor_get", title: "One monitor", readOnly: true, about: "What a monitor watches, when it runs next, and how it did last.",
		route: "GET /v2/monitor/{id}", path: map[string]string{argID: "id"}, required: []string{argID},
	},
	{
		name: "firecrawl_monitor_update", title: "Change a monitor", openWorld: true, destructive: true,
		about: "Change what a monitor watches, when it runs or whom it tells; or pause and resume it by its status. What body leaves out stays.",
		route: "PATCH /v2/monitor/{id}", path: map[string]string{argID: "id"}, required: []string{argID, "body"}, own: bodyArgument, translate: translateBody,
	},
	{
		name: "firecrawl_monitor_delete", title: "Delete a monitor", openWorld: true, destructive: true, about: "Delete a monitor and what it has found.",
		route: "DELETE /v2/monitor/{id}", path: map[string]string{argID: "id"}, required: []string{argID},
	},
	{
		name: "firecrawl_monitor_run", title: "Run a monitor now", openWorld: true, about: "Have a monitor look now instead of when it is due. Returns the check.",
		route: "POST /v2/monitor/{id}/run", path: map[string]string{argID: "id"}, required: []string{argID},
	},
	{
		name: "firecrawl_monitor_checks", title: "Checks of a monitor", readOnly: true, about: "When a monitor looked, and what it found, newest first.",
		route: "GET /v2/monitor/{id}/checks", path: map[string]string{argID: "id"}, required: []string{argID},
		query: map[string]string{"limit": "limit", "offset": "offset", "status": "status"}, output: truncatedMember,
	},
	{
		name: "firecrawl_monitor_check", title: "One check of a monitor", readOnly: true,
		about: "What a check found, page by page: same, new, changed, removed or error, with what changed.",
		route: "GET /v2/monitor/{id}/checks/{checkId}", path: map[string]string{argID: "id", "checkId": "checkId"}, required: []string{argID, "checkId"},
		query: map[string]string{"limit": "limit", "skip": "skip", "pageStatus": "status"}, output: truncatedMember,
	},
}

func bodyArgument(*spec) object {
	return object{"body": object{"type": "object", "description": "The request as the API takes it."}}
}

// monitorArguments are a monitor in few words.
func monitorArguments(d *spec) object {
	strings := func(about string) object {
		return object{"type": "array", "items": object{"type": "string"}, "description": about}
	}
	one := func(about string) object { return object{"type": "string", "description": about} }
	return with(bodyArgument(d), object{
		"page": one("Page to watch."), "pages": strings("Pages to watch."), "queries": strings("Searches whose results are watched."),
		"searchWindow":   object{"type": "string", "enum": []any{"5m", "15m", "1h", "6h", "24h", "7d"}, "description": "How old results of a search may be."},
		"maxResults":     object{"type": "integer", "minimum": 1, "maximum": 50, "description": "Most results of the searches."},
		"includeDomains": strings("Only results from these domains."), "excludeDomains": strings("No results from these domains."),
		"goal": one("What changes matter, in words."), "name": one("Name of the monitor."),
		"scheduleText": one("When it runs, such as every 30 minutes, hourly, daily at 9am."), "timezone": one("Time zone of the schedule, such as Europe/Berlin; UTC unless given."),
		"email": one("Whom to tell by mail."), "includeDiffs": object{"type": "boolean", "description": "Put what changed into the mail."},
		"webhookUrl": one("Address that changes are posted to."),
	})
}

// shortMonitor is what models give for a monitor.
type shortMonitor struct {
	Page           string
	Pages, Queries []string
	SearchWindow   string
	MaxResults     int
	IncludeDomains []string
	ExcludeDomains []string
	Goal, Name     string
	ScheduleText   string
	Timezone       string
	Email          string
	IncludeDiffs   bool
	WebhookURL     string `json:"webhookUrl"`
}

// translateMonitor makes the request of the API of it, unless it is there already.
func translateMonitor(c *call) error {
	if c.args["body"] != nil {
		return translateBody(c)
	}
	raw, _ := json.Marshal(c.args)
	var m shortMonitor
	if err := json.Unmarshal(raw, &m); err != nil {
		return errors.New("an argument has the wrong type: " + strings.TrimPrefix(err.Error(), "json: "))
	}
	clear(c.args)
	if strings.TrimSpace(m.Page) != "" {
		m.Pages = append([]string{m.Page}, m.Pages...)
	}
	switch {
	case len(m.Pages) == 0 && len(m.Queries) == 0:
		return errors.New("give page, pages, queries or body")
	case strings.TrimSpace(m.Goal) == "":
		return errors.New("give a goal, or a body without one")
	}
	c.put("targets", []object{m.target()})
	c.put("goal", m.Goal)
	c.put("name", either(m.Name, "Monitor "+append(m.Queries, m.Pages...)[0]))
	c.put("schedule", object{"text": either(m.ScheduleText, "every 30 minutes"), "timezone": either(m.Timezone, "UTC")})
	if m.Email != "" {
		c.put("notification", object{"email": object{"enabled": true, "recipients": []string{m.Email}, "includeDiffs": m.IncludeDiffs}})
	}
	if m.WebhookURL != "" {
		c.put("webhook", object{"url": m.WebhookURL, "events": []string{"monitor.page", "monitor.check.completed"}})
	}
	return nil
}

func (m *shortMonitor) target() object {
	if len(m.Queries) == 0 {
		return object{"type": "scrape", "urls": m.Pages}
	}
	target := object{"type": "search", "queries": m.Queries}
	if m.SearchWindow != "" {
		target["searchWindow"] = m.SearchWindow
	}
	if m.MaxResults != 0 {
		target["maxResults"] = m.MaxResults
	}
	if len(m.IncludeDomains) > 0 {
		target["includeDomains"] = m.IncludeDomains
	}
	if len(m.ExcludeDomains) > 0 {
		target["excludeDomains"] = m.ExcludeDomains
	}
	return target
}

func either(text, otherwise string) string {
	if text = strings.TrimSpace(text); text != "" {
		return text
	}
	return otherwise
}

// translateBody takes a request that is given as a whole; what is in the path stays
// beside it.
func translateBody(c *call) error {
	var body map[string]json.RawMessage
	if err := c.take("body", &body); err != nil || body == nil {
		return errors.New(`the argument "body" must be an object`)
	}
	for argument := range c.tool.path {
		body[argument] = c.args[argument]
	}
	c.args = body
	return nil
}

// giveFeedback sends feedback. A refusal is a result too: there is nothing that a
// model should do about it.
func giveFeedback(ctx context.Context, c *call) ([]byte, error) {
	found, err := c.exchange(ctx)
	if err != nil || found.status < 300 || found.status == http.StatusUnauthorized {
		return found.body, errors.Join(err, found.refusal())
	}
	var body struct {
		Error string
		Code  string `json:"feedbackErrorCode"`
	}
	_ = json.Unmarshal(found.body, &body) // what is no JSON has neither
	return json.Marshal(object{
		"success": false, "status": found.status, "feedbackErrorCode": body.Code, "error": body.Error, "retryable": found.status >= 500 || found.status == http.StatusTooManyRequests,
	})
}
