package api

import (
	"context"
	"encoding/json"
	"reflect"
	"strings"

	"github.com/trawlhq/trawl"
)

type jobListInput struct {
	Kind   string `query:"kind" doc:"Only jobs of this kind." enum:"crawl,batch_scrape,extract"`
	Status string `query:"status" doc:"Only jobs in this state." enum:"scraping,completed,failed,cancelled"`
	Limit  int    `query:"limit" doc:"How many to return." minimum:"1" maximum:"100" default:"50"`
	Cursor string `query:"cursor" doc:"Where the last page ended." maxLength:"200"`
}

type (
	// JobList lists the jobs of a team.
	JobList struct {
		Success
		Data    []JobItem `json:"data" doc:"Jobs, newest first."`
		Cursor  *string   `json:"cursor" doc:"Pass it to get the next page." nullable:"true"`
		HasMore bool      `json:"has_more" doc:"Whether there is a next page."`
	}
	// JobItem is a job in short.
	JobItem struct {
		ID         string  `json:"id" doc:"Id of the job." format:"uuid"`
		Kind       string  `json:"kind" doc:"What it is." enum:"crawl,batch_scrape,extract"`
		URL        string  `json:"url" doc:"Where it started; empty for a batch."`
		Status     string  `json:"status" doc:"How it is." enum:"scraping,completed,failed,cancelled"`
		Total      int     `json:"total" doc:"Pages so far: finished, running and queued."`
		Completed  int     `json:"completed" doc:"Pages with a document."`
		Failed     int     `json:"failed" doc:"Pages without one."`
		Credits    int64   `json:"creditsUsed" doc:"What it has cost."`
		Warning    string  `json:"warning,omitempty" doc:"What could not be done as asked."`
		Error      string  `json:"error,omitempty" doc:"Why it failed."`
		CreatedAt  string  `json:"createdAt" doc:"When it was started." format:"date-time"`
		FinishedAt *string `json:"finishedAt" doc:"When it ended." format:"date-time" nullable:"true"`
		ExpiresAt  string  `json:"expiresAt" doc:"Until when it can be read." format:"date-time"`
	}
)

// jobList answers GET /v2/team/jobs.
func (s *Server) jobList(ctx context.Context, in *jobListInput) (*JobList, error) {
	jobs, next, err := s.Store.Jobs(ctx, visitOf(ctx).caller.Team.ID, in.Kind, in.Status, in.Limit, in.Cursor)
	if err != nil {
		return nil, err
	}
	list := &JobList{Success: yes, Data: make([]JobItem, len(jobs)), Cursor: optional(next), HasMore: next != ""}
	for i := range jobs {
		list.Data[i] = jobItem(&jobs[i])
	}
	return list, nil
}

func jobItem(j *trawl.Job) JobItem {
	return JobItem{
		ID: j.ID, Kind: j.Kind, URL: j.URL, Status: j.State, Total: j.Total, Completed: j.Completed, Failed: j.Failed, Credits: j.Credits,
		Warning: j.Warning, Error: j.Error, CreatedAt: timestamp(j.CreatedAt), FinishedAt: optionalTime(j.FinishedAt), ExpiresAt: timestamp(j.ExpiresAt),
	}
}

type (
	// JobOrder is a job and what was asked for.
	JobOrder struct {
		Success
		Data JobOrderData `json:"data"`
	}
	// JobOrderData is a job in short, with its request.
	JobOrderData struct {
		JobItem
		Request map[string]any `json:"request" doc:"What it was asked for, with at most 1000 URLs of a batch; null under zero data retention, and for a limited key that is not the one that asked." nullable:"true"`
	}
)

// jobOrder answers GET /v2/team/jobs/{id}. The request may hold passwords for a site:
// a key that may do less than its team sees its own requests only.
func (s *Server) jobOrder(ctx context.Context, in *IDInput) (*JobOrder, error) {
	who := visitOf(ctx).caller
	j, addresses, err := s.Store.JobOrder(ctx, who.Team.ID, strings.ToLower(in.ID))
	if err != nil {
		return nil, err
	}
	order := &JobOrder{Success: yes, Data: JobOrderData{JobItem: jobItem(&j)}}
	if j.ZeroDataRetention || who.Key.Limited() && who.Key.ID != j.KeyID {
		return order, nil
	}
	if order.Data.Request, err = requestOf(&j); err != nil {
		return nil, err
	}
	if j.Kind == trawl.KindBatch {
		order.Data.Request["urls"] = addresses
	}
	return order, nil
}

// requestOf returns what was chosen in the request of a job: a body that starts the same
// job again.
func requestOf(j *trawl.Job) (map[string]any, error) {
	var defaults any
	switch j.Kind {
	case trawl.KindBatch:
		defaults = trawl.DefaultBatchRequest()
	case trawl.KindExtract:
		defaults = trawl.DefaultExtractRequest()
	default:
		defaults = trawl.DefaultCrawlRequest()
	}
	text, err := json.Marshal(defaults)
	if err != nil {
		return nil, err
	}
	request, usual := map[string]any{}, map[string]any{}
	if err := json.Unmarshal(text, &usual); err != nil {
		return nil, err
	}
	if err := json.Unmarshal(j.Request, &request); err != nil {
		return nil, err
	}
	keepChosen(request, usual)
	return request, nil
}

// keepChosen removes options that have their usual values.
func keepChosen(options, usual map[string]any) {
	tellFalse(options, usual)
	for name, value := range options {
		inner, ok := value.(map[string]any)
		if usually, both := usual[name].(map[string]any); ok && both {
			keepChosen(inner, usually)
		}
		if reflect.DeepEqual(value, usual[name]) || ok && len(inner) == 0 {
			delete(options, name)
		}
	}
}
