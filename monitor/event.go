package monitor

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/store"
	"github.com/trawlhq/trawl/webhook"
)

// pageEvent is what a webhook hears of a page.
type pageEvent struct {
	MonitorID      string          `json:"monitorId"`
	CheckID        string          `json:"checkId"`
	URL            string          `json:"url"`
	Status         string          `json:"status"`
	PreviousScrape *string         `json:"previousScrapeId"`
	CurrentScrape  *string         `json:"currentScrapeId"`
	Error          *string         `json:"error"`
	IsMeaningful   *bool           `json:"isMeaningful"`
	Judgment       *trawl.Judgment `json:"judgment"`
	Diff           json.RawMessage `json:"diff"`
}

// checkEvent is what a webhook hears of the end of a check.
type checkEvent struct {
	MonitorID string             `json:"monitorId"`
	CheckID   string             `json:"checkId"`
	Status    string             `json:"status"`
	Summary   trawl.CheckSummary `json:"summary"`
}

// Event implements job.Extension.
func (s *Service) Event(ctx context.Context, j *trawl.Job, d store.PendingDelivery) (webhook.Event, error) {
	event := webhook.Event{Type: trawl.KindMonitor + "." + d.Event}
	w, err := s.Store.CheckWork(ctx, j.ID)
	if err != nil {
		return event, err
	}
	var data any
	if d.Event == trawl.EventPage {
		page, err := s.Store.CheckPage(ctx, j.ID, d.Page)
		if err != nil {
			return event, err
		}
		event.Success, event.Error = page.Status != trawl.ChangeError, page.Error
		data = pageEventOf(&w.Check, &page)
	} else {
		event.Success, event.Error = w.Status == trawl.CheckCompleted, w.Error
		data = checkEvent{w.MonitorID, w.ID, w.Status, w.Summary}
	}
	encoded, err := json.Marshal(data)
	if err != nil {
		return event, fmt.Errorf("describe event: %w", err)
	}
	event.Data = []json.RawMessage{encoded}
	return event, nil
}

func pageEventOf(c *trawl.Check, p *trawl.CheckPage) pageEvent {
	e := pageEvent{
		MonitorID: c.MonitorID, CheckID: c.ID, URL: p.URL, Status: p.Status, Judgment: p.Judgment, Diff: fieldDiff(p.Diff),
		PreviousScrape: optional(p.PreviousScrape), CurrentScrape: optional(p.CurrentScrape), Error: optional(p.Error),
	}
	if p.Judgment != nil {
		e.IsMeaningful = &p.Judgment.Meaningful
	}
	return e
}

// fieldDiff is a diff as events have it: its text, and the fields that changed. A text
// that is taken apart as well stays with the check.
func fieldDiff(diff json.RawMessage) json.RawMessage {
	if diff == nil {
		return nil
	}
	var parts map[string]json.RawMessage
	if json.Unmarshal(diff, &parts) != nil {
		return nil
	}
	var apart struct {
		Files []json.RawMessage `json:"files"`
	}
	if json.Unmarshal(parts["json"], &apart) == nil && apart.Files != nil && parts["text"] != nil {
		delete(parts, "json")
	}
	encoded, _ := json.Marshal(parts) // which came from JSON
	return encoded
}

func optional(text string) *string {
	if text == "" {
		return nil
	}
	return &text
}
