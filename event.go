package trawl

import (
	"bytes"
	"encoding/json"
	"net/http"
	"slices"
	"strings"

	"golang.org/x/net/http/httpguts"
)

// Events that a job can report.
const (
	EventStarted   = "started"
	EventPage      = "page"
	EventCompleted = "completed"
	EventFailed    = "failed"
	EventCancelled = "cancelled"
)

var events = []string{EventStarted, EventPage, EventCompleted, EventFailed, EventCancelled}

// Webhook is where a job reports to. On the wire it may be the address alone.
type Webhook struct {
	URL      string            `json:"url" required:"true" doc:"Address that events are posted to." minLength:"1" maxLength:"16384"`
	Headers  map[string]string `json:"headers,omitempty" doc:"Headers sent along." maxProperties:"100"`
	Metadata map[string]any    `json:"metadata,omitempty" doc:"Returned with every event." maxProperties:"100"`
	Events   []string          `json:"events,omitempty" doc:"Events to send, by short or full name; all unless chosen." maxItems:"50"`
}

// UnmarshalJSON also takes the address alone.
func (w *Webhook) UnmarshalJSON(data []byte) error {
	if bytes.HasPrefix(data, []byte(`"`)) {
		*w = Webhook{}
		return json.Unmarshal(data, &w.URL)
	}
	type plain Webhook
	return json.Unmarshal(data, (*plain)(w))
}

// Wants reports whether the event, given by its short name, is to be sent for a
// job of the kind.
func (w *Webhook) Includes(kind, event string) bool {
	return len(w.Events) == 0 || slices.Contains(w.Events, event) || slices.Contains(w.Events, kind+"."+event)
}

// ownHeaders are what the service says of a delivery itself.
var ownHeaders = []string{
	"X-Firecrawl-Signature", "Webhook-Id", "Webhook-Timestamp", "Webhook-Signature",
	"Content-Type", "Content-Encoding",
}

// maxMetadata bounds what is returned with every event.
const maxMetadata = 64 << 10

// validate reports what is wrong with the webhook of a job of the kind.
func (w *Webhook) validate(kind string) []Issue {
	var issues []Issue
	if _, err := ParseTarget(w.URL); err != nil {
		issues = append(issues, invalid(err.Error(), "webhook", "url"))
	}
	for _, issue := range validateHeaders(w.Headers) {
		issue.Path = append([]any{"webhook"}, issue.Path...)
		issues = append(issues, issue)
	}
	for name := range w.Headers {
		if httpguts.ValidHeaderFieldName(name) && slices.Contains(ownHeaders, http.CanonicalHeaderKey(name)) {
			issues = append(issues, invalid("is set by the service", "webhook", "headers", name))
		}
	}
	if encoded, err := json.Marshal(w.Metadata); err != nil || len(encoded) > maxMetadata {
		issues = append(issues, invalid("must not exceed 64 KiB: it is sent with every event", "webhook", "metadata"))
	}
	for i, event := range w.Events {
		if !slices.Contains(events, strings.TrimPrefix(event, kind+".")) {
			issues = append(issues, invalid("unknown event "+quote(event), "webhook", "events", i))
		}
	}
	return issues
}
