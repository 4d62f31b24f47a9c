package api

import (
	"context"
	"errors"

	"github.com/trawlhq/trawl"
)

type mapInput struct {
	Body trawl.MapRequest
}

// Validate reports what the schema cannot.
func (in *mapInput) Validate() []trawl.Issue { return in.Body.Validate() }

// SiteMap is the answer to POST /v2/map.
type SiteMap struct {
	Success
	ID      string          `json:"id" doc:"Id of the request." format:"uuid"`
	Links   []trawl.MapLink `json:"links" doc:"Pages of the site; with search, the best ones first."`
	Warning string          `json:"warning,omitempty" doc:"What could not be done as asked."`
}

// mapSite answers POST /v2/map.
func (s *Server) mapSite(ctx context.Context, in *mapInput) (*SiteMap, error) {
	found, err := s.Jobs.Map(ctx, s.order(ctx, ""), in.Body)
	if err != nil {
		return nil, offLimits(err)
	}
	return &SiteMap{Success: yes, ID: found.ID, Links: append([]trawl.MapLink{}, found.Links...), Warning: found.Warning}, nil
}

// offLimits returns the error of a map as that of a scrape if its site may not be
// visited: that is no failure of the map.
func offLimits(err error) error {
	known, ok := errors.AsType[*trawl.Error](err)
	if !ok || known.Code != trawl.CodeMapFailed {
		return err
	}
	if cause, ok := errors.AsType[*trawl.Error](known.Err); ok && cause.Code == trawl.CodeUnsupportedSite {
		return cause
	}
	return err
}
