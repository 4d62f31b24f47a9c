package api

import (
	"context"
	"encoding/json"

	"github.com/trawlhq/trawl"
)

type extractInput struct {
	OnceInput
	Body trawl.ExtractRequest
}

// Validate reports what the schema cannot.
func (in *extractInput) Validate() []trawl.Issue { return in.Body.Validate() }

// StartedExtract is the answer to POST /v2/extract.
type StartedExtract struct {
	Success
	ID      string    `json:"id" doc:"Id of the job." format:"uuid"`
	Invalid *[]string `json:"invalidURLs,omitempty" doc:"Addresses that were left out; absent when they are not to be left out."`
	Warning string    `json:"warning,omitempty" doc:"What cannot be done as asked."`
}

// startExtract answers POST /v2/extract.
func (s *Server) startExtract(ctx context.Context, in *extractInput) (*StartedExtract, error) {
	req := in.Body
	options := req.ScrapeOptions
	options.Formats = nil // what is extracted is the result
	if err := s.checkOptions(ctx, &options); err != nil {
		return nil, within("scrapeOptions", err)
	}
	if err := s.checkWebhook(req.Webhook); err != nil {
		return nil, err
	}
	receipt, err := s.Jobs.Extract(ctx, s.order(ctx, in.Once), req)
	if err != nil {
		return nil, err
	}
	answer := &StartedExtract{Success: yes, ID: receipt.ID, Warning: receipt.Warning}
	if req.IgnoreInvalidURLs {
		list := append([]string{}, receipt.Invalid...)
		answer.Invalid = &list
	}
	return answer, nil
}

// ExtractStatus is the answer to GET /v2/extract/{id}.
type ExtractStatus struct {
	Success
	Status      string              `json:"status" doc:"How the extract does." enum:"processing,completed,failed,cancelled"`
	Data        any                 `json:"data" doc:"What was extracted, as the schema wants it; an empty list unless the extract is completed."`
	Error       string              `json:"error,omitempty" doc:"Why the extract failed."`
	Warning     string              `json:"warning,omitempty" doc:"What to know about the result."`
	ExpiresAt   string              `json:"expiresAt" doc:"When the result is deleted." format:"date-time"`
	Sources     map[string][]string `json:"sources,omitempty" doc:"Pages that each value comes from, by its path in the data; only with showSources."`
	Evidence    []trawl.Evidence    `json:"evidence,omitempty" doc:"Where in them it stands; only with showSources."`
	CreditsUsed int64               `json:"creditsUsed" doc:"What the extract has cost so far."`
	TokensUsed  int64               `json:"tokensUsed" doc:"Tokens of the language model that it has used so far."`
}

// extractStatus answers GET /v2/extract/{id}.
func (s *Server) extractStatus(ctx context.Context, in *IDInput) (*ExtractStatus, error) {
	j, err := s.job(ctx, trawl.KindExtract, in.ID)
	if err != nil {
		return nil, err
	}
	found, err := s.Jobs.Extracted(ctx, &j)
	if err != nil {
		return nil, err
	}
	answer := &ExtractStatus{
		Success: yes, Status: j.State, Data: []any{}, Error: j.Error, Warning: warningOf(&j), ExpiresAt: timestamp(j.ExpiresAt),
		Sources: found.Sources, Evidence: found.Evidence, CreditsUsed: j.Credits, TokensUsed: j.Tokens,
	}
	if !j.Done() {
		answer.Status = "processing"
	}
	if found.Data != nil {
		answer.Data = json.RawMessage(found.Data)
	}
	return answer, nil
}
