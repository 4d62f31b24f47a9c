package api

import (
	"github.com/google/uuid"

	"github.com/trawlhq/trawl"
)

// IDInput is the input of a route that is about one job, scrape or session.
type IDInput struct {
	ID string `path:"id" doc:"Id of the job, scrape or session."`
}

// Validate insists on a UUID in its usual form.
func (in *IDInput) Validate() []trawl.Issue {
	if len(in.ID) == 36 && uuid.Validate(in.ID) == nil {
		return nil
	}
	return []trawl.Issue{{Code: "invalid_value", Message: "Invalid job ID format. Job ID must be a valid UUID.", Path: []any{}}}
}
