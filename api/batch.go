package api

import (
	"context"

	"github.com/trawlhq/trawl"
)

type batchInput struct {
	OnceInput
	Body trawl.BatchRequest
}

// Validate reports what the schema cannot.
func (in *batchInput) Validate() []trawl.Issue { return in.Body.Validate() }

// StartedBatch is the answer to POST /v2/batch/scrape.
type StartedBatch struct {
	Started
	Invalid *[]string `json:"invalidURLs,omitempty" doc:"Addresses that were left out; absent when they are not to be left out."`
}

// startBatch answers POST /v2/batch/scrape.
func (s *Server) startBatch(ctx context.Context, in *batchInput) (*StartedBatch, error) {
	req := in.Body
	ctx, err := discreetly(ctx, req.ZeroDataRetention)
	if err != nil {
		return nil, err
	}
	if err := s.checkOptions(ctx, &req.ScrapeOptions); err != nil {
		return nil, err
	}
	if err := s.checkWebhook(req.Webhook); err != nil {
		return nil, err
	}
	receipt, err := s.Jobs.Batch(ctx, s.order(ctx, in.Once), req)
	if err != nil {
		return nil, err
	}
	answer := &StartedBatch{Started: Started{
		Success: yes, ID: receipt.ID, URL: s.jobURL(ctx, trawl.KindBatch, receipt.ID), Warning: receipt.Warning,
	}}
	if req.IgnoreInvalidURLs {
		list := append([]string{}, receipt.Invalid...)
		answer.Invalid = &list
	}
	return answer, nil
}
