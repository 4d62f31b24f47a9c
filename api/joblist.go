package api

import "context"

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
		j := &jobs[i]
		list.Data[i] = JobItem{
			ID: j.ID, Kind: j.Kind, URL: j.URL, Status: j.State, Total: j.Total, Completed: j.Completed, Failed: j.Failed, Credits: j.Credits,
			Warning: j.Warning, Error: j.Error, CreatedAt: timestamp(j.CreatedAt), FinishedAt: optionalTime(j.FinishedAt), ExpiresAt: timestamp(j.ExpiresAt),
		}
	}
	return list, nil
}
