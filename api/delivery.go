package api

import (
	"context"
	"strings"
	"time"

	"github.com/trawlhq/trawl"
)

type deliveriesInput struct {
	IDInput
	Cursor int `query:"cursor" doc:"Number of the last event of the page before." minimum:"0" maximum:"1000000000" default:"0"`
	Limit  int `query:"limit" doc:"How many to return." minimum:"1" maximum:"1000" default:"100"`
}

type (
	// Deliveries is the log of the events that were sent for a job.
	Deliveries struct {
		Success
		Deliveries []Delivery `json:"deliveries" doc:"The events, in the order in which they came about."`
		Cursor     *int       `json:"cursor" doc:"Pass it to get the next page." nullable:"true"`
		HasMore    bool       `json:"hasMore" doc:"Whether there is a next page."`
	}
	// Delivery is one event on its way to the webhook.
	Delivery struct {
		ID            string `json:"id" doc:"The same for every attempt; receivers see it as webhookId." format:"uuid"`
		Number        int    `json:"number" doc:"Counts the events of the job from 1."`
		Type          string `json:"type" doc:"What happened." example:"crawl.page"`
		URL           string `json:"url,omitempty" doc:"Page that it is about."`
		State         string `json:"state" doc:"Whether it arrived." enum:"pending,delivered,failed"`
		Attempts      int    `json:"attempts" doc:"How often it was sent."`
		Status        int    `json:"status,omitempty" doc:"HTTP status of the last answer."`
		Error         string `json:"error,omitempty" doc:"Why the last attempt failed."`
		CreatedAt     string `json:"createdAt" doc:"When it came about." format:"date-time"`
		LastAttemptAt string `json:"lastAttemptAt,omitempty" doc:"When it was last sent." format:"date-time"`
		NextAttemptAt string `json:"nextAttemptAt,omitempty" doc:"When it is sent next." format:"date-time"`
	}
)

// deliveries answers GET …/webhooks.
func (s *Server) deliveries(kind string) func(context.Context, *deliveriesInput) (*Deliveries, error) {
	return func(ctx context.Context, in *deliveriesInput) (*Deliveries, error) {
		j, err := s.job(ctx, kind, in.ID)
		if err != nil {
			return nil, err
		}
		return s.deliveryLog(ctx, j.ID, in.Cursor, in.Limit)
	}
}

// deliveryLog returns a page of the log of a job's events.
func (s *Server) deliveryLog(ctx context.Context, jobID string, cursor, limit int) (*Deliveries, error) {
	list, err := s.Jobs.Deliveries(ctx, jobID, cursor, limit+1) // one more tells whether there is a next page
	if err != nil {
		return nil, err
	}
	answer := &Deliveries{Success: yes, HasMore: len(list) > limit}
	list = list[:min(len(list), limit)]
	answer.Deliveries = make([]Delivery, len(list))
	for i, d := range list {
		answer.Deliveries[i] = deliveryOf(d)
	}
	if answer.HasMore {
		answer.Cursor = &list[len(list)-1].Number
	}
	return answer, nil
}

func deliveryOf(d trawl.Delivery) Delivery {
	return Delivery{
		ID: d.ID, Number: d.Number, Type: d.Type, URL: d.URL, State: d.State, Attempts: d.Attempts, Status: d.Status, Error: d.Error,
		CreatedAt: timestamp(d.CreatedAt), LastAttemptAt: timestampIf(d.LastAt), NextAttemptAt: timestampIf(d.NextAt),
	}
}

// timestampIf returns nothing for a time that is not set.
func timestampIf(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return timestamp(t)
}

type replayInput struct {
	IDInput
	Body ReplayRequest
}

// bodyless says that all failed events are sent again unless one is named.
func (*replayInput) bodyless() {}

type (
	// ReplayRequest is the body of POST …/webhooks/replay, which may be left out.
	ReplayRequest struct {
		DeliveryID string `json:"deliveryId,omitempty" doc:"Event to send again; all that failed unless chosen." format:"uuid"`
	}
	// Replayed counts the events that are sent again.
	Replayed struct {
		Success
		Replayed int `json:"replayed" doc:"How many events are sent again."`
	}
)

// replay answers POST …/webhooks/replay.
func (s *Server) replay(kind string) func(context.Context, *replayInput) (*Replayed, error) {
	return func(ctx context.Context, in *replayInput) (*Replayed, error) {
		j, err := s.job(ctx, kind, in.ID)
		if err != nil {
			return nil, err
		}
		count, err := s.Jobs.Replay(ctx, j.TeamID, j.ID, strings.ToLower(in.Body.DeliveryID))
		if err != nil {
			return nil, err
		}
		return &Replayed{Success: yes, Replayed: count}, nil
	}
}
