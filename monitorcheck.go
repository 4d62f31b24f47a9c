package trawl

import (
	"encoding/json"
	"time"
)

// States of a check of a monitor. All but the first two are final.
const (
	CheckQueued    = "queued"
	CheckRunning   = "running"
	CheckCompleted = "completed"
	CheckPartial   = "partial"
	CheckFailed    = "failed"
	CheckOverlap   = "skipped_overlap"
	CheckNoCredits = "skipped_no_credits"
)

// Why a check was made.
const (
	TriggerScheduled = "scheduled"
	TriggerManual    = "manual"
)

// What became of the credits of a check.
const (
	BillingNone      = "not_applicable"
	BillingReserved  = "reserved"
	BillingConfirmed = "confirmed"
	BillingReleased  = "released"
)

// ChangeError is what a check says of a page that it could not look at, beside the
// words of [ChangeTracking].
const ChangeError = "error"

// CheckSummary counts the pages of a check.
type CheckSummary struct {
	Total   int `json:"totalPages" doc:"All pages."`
	Same    int `json:"same" doc:"Those that are as before."`
	Changed int `json:"changed" doc:"Those that changed."`
	New     int `json:"new" doc:"Those that were not there before."`
	Removed int `json:"removed" doc:"Those that are not there any more."`
	Error   int `json:"error" doc:"Those that could not be checked."`
}

// Count adds a page of the given status.
func (s *CheckSummary) Count(status string) {
	s.Total++
	switch status {
	case ChangeSame:
		s.Same++
	case ChangeChanged:
		s.Changed++
	case ChangeNew:
		s.New++
	case ChangeRemoved:
		s.Removed++
	default:
		s.Error++
	}
}

// Check is one look of a monitor at all that it watches.
type Check struct {
	ID, MonitorID, TeamID, KeyID string
	Status, Trigger              string
	ScheduledFor                 time.Time
	StartedAt, FinishedAt        time.Time
	Estimated                    int64
	Reserved, Actual             *int64
	Billing                      string
	Summary                      CheckSummary
	Targets                      []CheckTarget
	Judged                       int // pages that a language model judged
	Error                        string
	CreatedAt, UpdatedAt         time.Time
}

// Done reports whether the check has ended.
func (c *Check) Done() bool { return c.Status != CheckQueued && c.Status != CheckRunning }

// CheckTarget is a target of a check, and what became of it.
type CheckTarget struct {
	MonitorTarget
	Job    string         `json:"job,omitempty"` // that scrapes its pages
	Error  string         `json:"error,omitempty"`
	Search *SearchOutcome `json:"search,omitempty"`
}

// SearchOutcome is what a search target came to.
type SearchOutcome struct {
	Results  int    `json:"results"`
	Matches  int    `json:"matches"`
	Credits  int64  `json:"credits"`
	Judged   int    `json:"judged"`
	Degraded string `json:"degraded,omitempty"` // why results were not judged
}

// CheckPage is what a check found of one page.
type CheckPage struct {
	ID, TargetID, URL, Status     string
	PreviousScrape, CurrentScrape string
	StatusCode                    int
	Error                         string
	Metadata, Diff, Snapshot      json.RawMessage // nil if there is none
	Judgment                      *Judgment
	CreatedAt                     time.Time
}

// Judgment is whether a change matters, by the goal of its monitor.
type Judgment struct {
	Meaningful bool             `json:"meaningful" doc:"Whether it matters."`
	Confidence string           `json:"confidence" doc:"How sure that is." enum:"high,medium,low"`
	Reason     string           `json:"reason" doc:"Why."`
	Changes    []JudgmentChange `json:"meaningfulChanges" doc:"What of the change matters."`
}

// JudgmentChange is a place that changed, and why it matters.
type JudgmentChange struct {
	Type   string  `json:"type" doc:"What became of it." enum:"added,removed,changed"`
	Before *string `json:"before" doc:"As it was." nullable:"true"`
	After  *string `json:"after" doc:"As it is now." nullable:"true"`
	Reason string  `json:"reason" doc:"Why it matters."`
}

// Recipient is who gets mail of a monitor.
type Recipient struct {
	Email  string
	Status string
	Sent   bool // the mail that asks for confirmation
	Token  string
}

// States of a recipient.
const (
	RecipientPending      = "pending"
	RecipientConfirmed    = "confirmed"
	RecipientUnsubscribed = "unsubscribed"
)
