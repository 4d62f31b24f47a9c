package api

import (
	"context"

	"github.com/trawlhq/trawl"
)

type previewInput struct {
	Body trawl.PreviewRequest
}

// Validate reports what the schema cannot.
func (in *previewInput) Validate() []trawl.Issue { return in.Body.Validate() }

type (
	// CrawlPreview is the answer to POST /v2/crawl/params-preview.
	CrawlPreview struct {
		Success
		Data    CrawlPlan `json:"data" doc:"Options for a crawl."`
		Warning string    `json:"warning,omitempty" doc:"What to know about them."`
	}
	// CrawlPlan is a crawl as a prompt describes it.
	CrawlPlan struct {
		URL string `json:"url" doc:"Address to start from."`
		trawl.CrawlChoices
	}
)

// previewCrawl answers POST /v2/crawl/params-preview.
func (s *Server) previewCrawl(ctx context.Context, in *previewInput) (*CrawlPreview, error) {
	choices, warning, err := s.Jobs.Preview(ctx, s.order(ctx, ""), in.Body)
	if err != nil {
		return nil, err
	}
	return &CrawlPreview{Success: yes, Data: CrawlPlan{URL: in.Body.URL, CrawlChoices: choices}, Warning: warning}, nil
}
