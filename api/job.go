package api

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/job"
)

// Jobs is the engine behind crawls, batches, extracts, maps and searches.
type Jobs interface {
	JobStarter
	Finder
	JobReader
	JobRecords
}

// JobStarter takes orders.
type JobStarter interface {
	Crawl(ctx context.Context, order job.Order, req trawl.CrawlRequest) (job.Receipt, error)
	Batch(ctx context.Context, order job.Order, req trawl.BatchRequest) (job.Receipt, error)
	Extract(ctx context.Context, order job.Order, req trawl.ExtractRequest) (job.Receipt, error)
	Cancel(ctx context.Context, teamID, kind, id string) error
}

// Finder answers at once what there is to scrape.
type Finder interface {
	Map(ctx context.Context, order job.Order, req trawl.MapRequest) (job.MapAnswer, error)
	Search(ctx context.Context, order job.Order, req trawl.SearchRequest, scrape func(context.Context, trawl.ScrapeRequest) (*trawl.Document, error)) (*job.SearchAnswer, error)
	Preview(ctx context.Context, order job.Order, req trawl.PreviewRequest) (choices trawl.CrawlChoices, warning string, err error)
}

// JobReader tells how jobs do. Job makes sure that a job is the team's; the
// other methods rely on it.
type JobReader interface {
	Job(ctx context.Context, teamID, kind, id string) (trawl.Job, error)
	Documents(ctx context.Context, j *trawl.Job, secret string, skip, limit int) ([]job.Document, error)
	Wait(ctx context.Context, last trawl.Job) (trawl.Job, error)
	Active(ctx context.Context, teamID string) ([]trawl.Job, error)
	Usage(ctx context.Context, teamID string) (running, queued int, err error)
}

// JobRecords tells what became of an extract, and of the pages and events of a job.
type JobRecords interface {
	Extracted(ctx context.Context, j *trawl.Job) (*job.Extraction, error)
	Errors(ctx context.Context, jobID string) (failed []trawl.PageError, robots []string, err error)
	Explain(ctx context.Context, jobID, fate, cursor string, limit int) (list []trawl.Sighting, next string, counts map[string]int, err error)
	Deliveries(ctx context.Context, jobID string, after, limit int) ([]trawl.Delivery, error)
	Replay(ctx context.Context, teamID, jobID, deliveryID string) (int, error)
}

// OnceInput makes a request that is sent twice act once.
type OnceInput struct {
	Once string `header:"X-Idempotency-Key" doc:"A request with a key that the team has used before is refused." maxLength:"500"`
}

// order says who asks for a job.
func (s *Server) order(ctx context.Context, once string) job.Order {
	v := visitOf(ctx)
	return job.Order{Caller: v.caller, Secret: v.secret, Once: once, PublicURL: s.baseURL(v.request)}
}

// checkWebhook refuses an address that events must not be sent to.
func (s *Server) checkWebhook(hook *trawl.Webhook) error {
	if hook == nil || s.CheckWebhook == nil {
		return nil
	}
	return s.CheckWebhook(hook.URL)
}

// within puts a field before the paths of an error's issues.
func within(field string, err error) error {
	known, ok := errors.AsType[*trawl.Error](err)
	if !ok {
		return err
	}
	moved := *known
	moved.Issues = slices.Clone(known.Issues)
	for i, issue := range moved.Issues {
		moved.Issues[i].Path = append([]any{field}, issue.Path...)
	}
	return &moved
}

// job returns a job of the caller's team.
func (s *Server) job(ctx context.Context, kind, id string) (trawl.Job, error) {
	v := visitOf(ctx)
	j, err := s.Jobs.Job(ctx, v.caller.Team.ID, kind, strings.ToLower(id))
	v.discreet = v.discreet || j.ZeroDataRetention
	return j, err
}

// Cancelled is the answer to the request to end a job.
type Cancelled struct {
	Success
	Status string `json:"status" doc:"Always cancelled." enum:"cancelled"`
}

// cancel answers DELETE on a job of the kind.
func (s *Server) cancel(kind string) func(context.Context, *IDInput) (*Cancelled, error) {
	return func(ctx context.Context, in *IDInput) (*Cancelled, error) {
		j, err := s.job(ctx, kind, in.ID)
		if err == nil {
			err = s.Jobs.Cancel(ctx, j.TeamID, kind, j.ID)
		}
		if err != nil {
			return nil, err
		}
		return &Cancelled{Success: yes, Status: trawl.StateCancelled}, nil
	}
}

type (
	// JobErrors lists the pages of a job that have no document.
	JobErrors struct {
		Success
		Errors        []JobError `json:"errors" doc:"Pages that failed."`
		RobotsBlocked []string   `json:"robotsBlocked" doc:"Addresses that a robots.txt forbids."`
	}
	// JobError is a page that failed, and why.
	JobError struct {
		ID        string `json:"id" doc:"Id of the page."`
		Timestamp string `json:"timestamp" doc:"When it failed." format:"date-time"`
		URL       string `json:"url" doc:"Address of the page."`
		Code      string `json:"code,omitempty" doc:"Kind of failure, where it has a name."`
		Error     string `json:"error" doc:"What went wrong, in words."`
	}
)

// jobErrors answers GET …/errors.
func (s *Server) jobErrors(kind string) func(context.Context, *IDInput) (*JobErrors, error) {
	return func(ctx context.Context, in *IDInput) (*JobErrors, error) {
		j, err := s.job(ctx, kind, in.ID)
		if err != nil {
			return nil, err
		}
		failed, robots, err := s.Jobs.Errors(ctx, j.ID)
		if err != nil {
			return nil, err
		}
		answer := &JobErrors{Success: yes, Errors: make([]JobError, len(failed)), RobotsBlocked: append([]string{}, robots...)}
		for i, page := range failed {
			answer.Errors[i] = JobError{
				ID: page.ID, Timestamp: timestamp(page.At), URL: page.URL, Code: publicCode(page.Code), Error: page.Text,
			}
		}
		return answer, nil
	}
}
