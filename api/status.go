package api

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/job"
)

// mostWait is how long a request may wait for a job to change.
const mostWait = time.Minute

type statusInput struct {
	IDInput
	Skip  int    `query:"skip" doc:"How many documents to leave out." minimum:"0" maximum:"1000000000" default:"0"`
	Limit int    `query:"limit" doc:"How many documents to return; fewer if they have more than 10 MiB." minimum:"1" maximum:"1000" default:"100"`
	Wait  string `query:"wait" doc:"Answer when the job changes, but after this time at the latest: seconds, or a duration such as 30s; at most 60s. With skip, documents that are there already are returned at once." maxLength:"20"`
	wait  time.Duration
}

// Validate reads how long to wait.
func (in *statusInput) Validate() []trawl.Issue {
	issues := in.IDInput.Validate()
	var ok bool
	if in.wait, ok = parseWait(in.Wait); !ok {
		issues = append(issues, trawl.Issue{
			Code: "invalid_value", Message: "must be whole seconds or a duration such as 30s, at most 60s", Path: []any{"wait"},
		})
	}
	return issues
}

func parseWait(text string) (time.Duration, bool) {
	if text == "" {
		return 0, true
	}
	wait, err := time.ParseDuration(text)
	if seconds, whole := strconv.ParseUint(text, 10, 16); whole == nil {
		wait, err = time.Duration(seconds)*time.Second, nil
	}
	return wait, err == nil && wait >= 0 && wait <= mostWait
}

type (
	// JobState is how a job does.
	JobState struct {
		Success
		Status      string   `json:"status" doc:"How the job does." enum:"scraping,completed,failed,cancelled"`
		Completed   int      `json:"completed" doc:"Pages that have a document."`
		Total       int      `json:"total" doc:"Pages that were attempted: done, failed, running and queued."`
		CreditsUsed int64    `json:"creditsUsed" doc:"What the job has cost so far."`
		ExpiresAt   string   `json:"expiresAt" doc:"When its documents are deleted." format:"date-time"`
		CreatedAt   string   `json:"createdAt" doc:"When it was started." format:"date-time"`
		CompletedAt string   `json:"completedAt,omitempty" doc:"When it was over." format:"date-time"`
		Duration    *float64 `json:"duration,omitempty" doc:"How many seconds it took."`
		Next        string   `json:"next,omitempty" doc:"Where to read on. On the plain address always there while the job runs." format:"uri"`
		Warning     string   `json:"warning,omitempty" doc:"What to know about the result."`
		Error       string   `json:"error,omitempty" doc:"Why the job failed."`
	}
	// JobStatus is the answer to GET on a job.
	JobStatus struct {
		JobState
		Data []job.Document `json:"data" doc:"Documents, in the order in which they came about."`
	}
)

// writeJSON writes the answer without encoding the documents again.
func (a *JobStatus) writeJSON(w io.Writer) error {
	state, err := json.Marshal(a.JobState)
	if err != nil {
		return err
	}
	b := bufio.NewWriterSize(w, 64<<10) // each write beneath is a chunk of the answer; what fails is told by Flush
	_, _ = b.Write(state[:len(state)-1])
	_, _ = b.WriteString(`,"data":[`)
	for i, doc := range a.Data {
		if i > 0 {
			_ = b.WriteByte(',')
		}
		_, _ = b.Write(doc)
	}
	_, _ = b.WriteString("]}\n")
	return b.Flush()
}

// status answers GET on a job of the kind.
func (s *Server) status(kind string) func(context.Context, *statusInput) (*JobStatus, error) {
	return func(ctx context.Context, in *statusInput) (*JobStatus, error) {
		j, err := s.job(ctx, kind, in.ID)
		if err != nil {
			return nil, err
		}
		query := visitOf(ctx).request.URL.Query()
		if in.wait > 0 && !(query.Has("skip") && j.Completed > in.Skip) {
			if j, err = s.change(ctx, j, in.wait); err != nil {
				return nil, err
			}
		}
		docs, err := s.documents(ctx, &j, in.Skip, in.Limit)
		if err != nil {
			return nil, err
		}
		answer := &JobStatus{JobState: stateOf(&j), Data: docs}
		read := in.Skip + len(docs)
		// A page that was asked for by its number and has nothing in it yet leads
		// nowhere: clients follow next at once, and would do so for ever. Those of the
		// first version take it for more documents that are there already.
		goesOn := !j.Done() && (len(docs) > 0 || !query.Has("skip")) && visitOf(ctx).v1 == nil
		if read < j.Completed || goesOn {
			answer.Next = s.jobURL(ctx, kind, j.ID) + "?skip=" + strconv.Itoa(read)
			if query.Has("limit") {
				answer.Next += "&limit=" + strconv.Itoa(in.Limit)
			}
		}
		return answer, nil
	}
}

// documents returns documents of the job, as many as its counts speak of.
func (s *Server) documents(ctx context.Context, j *trawl.Job, skip, limit int) ([]job.Document, error) {
	limit = min(limit, j.Completed-skip)
	if limit <= 0 {
		return nil, nil
	}
	return s.Jobs.Documents(ctx, j, visitOf(ctx).secret, skip, limit)
}

// change waits until the job has changed, is over, or the time has passed. The
// server does not wait when it is about to stop.
func (s *Server) change(ctx context.Context, j trawl.Job, most time.Duration) (trawl.Job, error) {
	if j.Done() {
		return j, nil
	}
	ctx, cancel := context.WithTimeout(ctx, most)
	defer cancel()
	defer context.AfterFunc(s.draining, cancel)()
	changed, err := s.Jobs.Wait(ctx, j)
	if s.draining.Err() != nil && err != nil {
		return j, nil
	}
	return changed, err
}

func stateOf(j *trawl.Job) JobState {
	state := JobState{
		Success: yes, Status: j.State, Completed: j.Completed, Total: j.Total, CreditsUsed: j.Credits,
		ExpiresAt: timestamp(j.ExpiresAt), CreatedAt: timestamp(j.CreatedAt), Warning: warningOf(j), Error: j.Error,
	}
	if j.Done() {
		state.CompletedAt = timestamp(j.FinishedAt)
		seconds := float64(j.FinishedAt.Sub(j.CreatedAt).Milliseconds()) / 1000
		state.Duration = &seconds
	}
	return state
}

// fewPages is as much as a crawl finds that has not found its way into the site.
const fewPages = 1

// warningOf tells what a caller might wonder about.
func warningOf(j *trawl.Job) string {
	var parts []string
	if j.Warning != "" {
		parts = append(parts, j.Warning)
	}
	switch {
	case j.RobotsBlocked > 0 && j.Kind == trawl.KindExtract:
		parts = append(parts, fmt.Sprintf("robots.txt forbids %d of the addresses, which were left out.", j.RobotsBlocked))
	case j.RobotsBlocked > 0:
		parts = append(parts, fmt.Sprintf("robots.txt forbids %d of the addresses, which were left out; they are listed under errors. "+
			"Single pages can be read with the scrape endpoint.", j.RobotsBlocked))
	}
	if j.Kind == trawl.KindCrawl && j.State == trawl.StateCompleted && j.Total > 0 && j.Completed <= fewPages && couldFindMore(j.Request) {
		parts = append(parts, "The crawl found hardly any pages: only links below the path of its address were followed. "+
			"Set crawlEntireDomain to true or start from a higher path to find more.")
	}
	return strings.Join(parts, " ")
}

// couldFindMore reports whether a crawl was not asked for a single page, and not
// for the whole site already.
func couldFindMore(stored json.RawMessage) bool {
	var req storedCrawl
	return json.Unmarshal(stored, &req) == nil && req.Limit > fewPages && !req.CrawlEntireDomain
}
