package api

import (
	"context"
	"encoding/json"
	"net/http"
	"strings"

	"github.com/google/uuid"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/store"
)

// FeedbackStore keeps what callers think of their requests.
type FeedbackStore interface {
	AddFeedback(ctx context.Context, f store.Feedback) (id string, again bool, err error)
	Feedback(ctx context.Context, limit int) ([]store.Feedback, error)
}

const mostFeedbackMetadata = 8 << 10

// Ratings.
const (
	ratedGood    = "good"
	ratedPartial = "partial"
	ratedBad     = "bad"
)

type (
	// SearchFeedback is the body of POST /v2/search/{id}/feedback.
	SearchFeedback struct {
		Rating           string           `json:"rating" required:"true" doc:"How good the results were." enum:"good,partial,bad"`
		ValuableSources  []ValuableSource `json:"valuableSources,omitempty" doc:"Results that were of use; good needs one." maxItems:"50"`
		MissingContent   []MissingContent `json:"missingContent,omitempty" doc:"What was not found." maxItems:"20"`
		QuerySuggestions string           `json:"querySuggestions,omitempty" doc:"What would have been a better query." maxLength:"2000"`
		Sender
	}
	// JobFeedback is the body of POST /v2/feedback.
	JobFeedback struct {
		Endpoint         string           `json:"endpoint" required:"true" doc:"What it is about." enum:"search,scrape,parse,map,alexandria"`
		JobID            string           `json:"jobId,omitempty" doc:"Id of the request; required for all but alexandria." maxLength:"36"`
		Rating           string           `json:"rating,omitempty" doc:"How good the result was." enum:"good,partial,bad"`
		ValuableSources  []ValuableSource `json:"valuableSources,omitempty" doc:"Results that were of use." maxItems:"50"`
		MissingContent   []MissingContent `json:"missingContent,omitempty" doc:"What was not found." maxItems:"20"`
		QuerySuggestions string           `json:"querySuggestions,omitempty" doc:"What would have been a better query." maxLength:"2000"`
		Issues           []string         `json:"issues,omitempty" doc:"What was wrong, in keywords." maxItems:"20" pattern:"^[a-z0-9][a-z0-9_-]*$" maxLength:"100"`
		Tags             []string         `json:"tags,omitempty" doc:"Keywords of your own." maxItems:"20" pattern:"^[a-z0-9][a-z0-9_-]*$" maxLength:"100"`
		Note             string           `json:"note,omitempty" doc:"Anything else, in words." maxLength:"4000"`
		URL              string           `json:"url,omitempty" doc:"Page that it is about." maxLength:"16384"`
		PageNumbers      []int            `json:"pageNumbers,omitempty" doc:"Pages of a file that it is about." maxItems:"1000" minimum:"1"`
		Metadata         map[string]any   `json:"metadata,omitempty" doc:"Anything else, as an object of at most 8 KB."`
		Sender
	}
	// ValuableSource is a result that was of use.
	ValuableSource struct {
		URL    string `json:"url" required:"true" doc:"Its address." minLength:"1" maxLength:"16384"`
		Reason string `json:"reason,omitempty" doc:"Why it was of use." maxLength:"2000"`
	}
	// MissingContent is what was looked for and not found.
	MissingContent struct {
		Topic       string `json:"topic" required:"true" doc:"What it is about." minLength:"1" maxLength:"200"`
		Description string `json:"description,omitempty" doc:"What was expected." maxLength:"2000"`
	}
)

type searchFeedbackInput struct {
	IDInput
	Body SearchFeedback
}

// Validate reports what the schema cannot.
func (in *searchFeedbackInput) Validate() []trawl.Issue {
	return append(in.IDInput.Validate(), ratingIssues(in.Body.Rating, len(in.Body.ValuableSources), len(in.Body.MissingContent), in.Body.QuerySuggestions)...)
}

// ratingIssues reports a rating that is not explained.
func ratingIssues(rating string, sources, missing int, suggestions string) []trawl.Issue {
	need := ""
	switch {
	case rating == ratedGood && sources == 0:
		need = "good needs at least one of valuableSources"
	case rating == ratedPartial && sources+missing == 0:
		need = "partial needs valuableSources or missingContent"
	case rating == ratedBad && missing == 0 && suggestions == "":
		need = "bad needs missingContent or querySuggestions"
	default:
		return nil
	}
	return []trawl.Issue{{Code: "invalid_value", Message: need, Path: []any{"rating"}}}
}

type feedbackInput struct{ Body JobFeedback }

// Validate reports what the schema cannot.
func (in *feedbackInput) Validate() []trawl.Issue {
	f := &in.Body
	issue := func(message string, path ...any) []trawl.Issue {
		return []trawl.Issue{{Code: "invalid_value", Message: message, Path: path}}
	}
	switch {
	case f.JobID == "" && f.Endpoint != "alexandria":
		return issue("is required", "jobId")
	case f.JobID != "" && (len(f.JobID) != 36 || uuid.Validate(f.JobID) != nil):
		return issue("is no UUID", "jobId")
	case f.empty():
		return issue("Feedback needs at least one of rating, valuableSources, missingContent, querySuggestions, issues, tags, note, pageNumbers and metadata")
	}
	if text, err := json.Marshal(f.Metadata); err != nil || len(text) > mostFeedbackMetadata {
		return issue("is larger than 8 KB", "metadata")
	}
	if f.Endpoint == "search" {
		return ratingIssues(f.Rating, len(f.ValuableSources), len(f.MissingContent), f.QuerySuggestions)
	}
	return nil
}

// empty reports whether nothing is said.
func (f *JobFeedback) empty() bool {
	return f.Rating == "" && f.QuerySuggestions == "" && strings.TrimSpace(f.Note) == "" &&
		len(f.ValuableSources)+len(f.MissingContent)+len(f.Issues)+len(f.Tags)+len(f.PageNumbers)+len(f.Metadata) == 0
}

// FeedbackTaken is the answer to feedback.
type FeedbackTaken struct {
	Success
	ID             string `json:"feedbackId" doc:"Id of the feedback." format:"uuid"`
	Refunded       int64  `json:"creditsRefunded" doc:"Always 0: feedback is not paid for."`
	RefundedToday  int64  `json:"creditsRefundedToday" doc:"Always 0."`
	DailyRefundCap int64  `json:"dailyRefundCap" doc:"Always 0."`
	Again          bool   `json:"alreadySubmitted,omitempty" doc:"There was feedback on this request already, which stays."`
}

// searchFeedback answers POST /v2/search/{id}/feedback.
func (s *Server) searchFeedback(ctx context.Context, in *searchFeedbackInput) (*FeedbackTaken, error) {
	return s.takeFeedback(ctx, "search", in.ID, in.Body)
}

// feedback answers POST /v2/feedback.
func (s *Server) feedback(ctx context.Context, in *feedbackInput) (*FeedbackTaken, error) {
	return s.takeFeedback(ctx, in.Body.Endpoint, in.Body.JobID, in.Body)
}

func (s *Server) takeFeedback(ctx context.Context, endpoint, jobID string, said any) (*FeedbackTaken, error) {
	body, err := json.Marshal(said)
	if err != nil {
		return nil, err
	}
	who := visitOf(ctx).caller
	id, again, err := s.Store.AddFeedback(ctx, store.Feedback{TeamID: who.Team.ID, KeyID: who.Key.ID, Endpoint: endpoint, JobID: strings.ToLower(jobID), Body: body})
	switch trawl.ErrorCode(err) {
	case trawl.CodeNotFound:
		return nil, trawl.Errorf(trawl.CodeNotFound, "Job not found.")
	case trawl.CodeGone:
		return nil, trawl.Errorf(trawl.CodeConflict, "The time for feedback on this request is over.")
	}
	if err != nil {
		return nil, err
	}
	return &FeedbackTaken{Success: yes, ID: id, Again: again}, nil
}

// withFeedbackCode names what went wrong with feedback in the words of its clients.
func withFeedbackCode(path string, e *ErrorBody) *ErrorBody {
	if !strings.HasSuffix(path, "/feedback") {
		return e
	}
	switch e.status {
	case http.StatusBadRequest:
		e.FeedbackCode = "INVALID_BODY"
	case http.StatusNotFound:
		e.FeedbackCode = "JOB_NOT_FOUND"
	case http.StatusConflict:
		e.FeedbackCode = "FEEDBACK_WINDOW_EXPIRED"
	case http.StatusServiceUnavailable:
		e.FeedbackCode = "DB_DISABLED"
	case http.StatusInternalServerError:
		e.FeedbackCode = "INTERNAL"
	}
	return e
}

type (
	// FeedbackList lists what callers of all teams think.
	FeedbackList struct {
		Success
		Data []FeedbackItem `json:"data" doc:"Feedback, newest first."`
	}
	// FeedbackItem is what one of them said.
	FeedbackItem struct {
		ID        string         `json:"id" doc:"Id of the feedback." format:"uuid"`
		TeamID    string         `json:"teamId" doc:"Whose it is."`
		Endpoint  string         `json:"endpoint" doc:"What it is about."`
		JobID     *string        `json:"jobId" doc:"The request that it is about." nullable:"true"`
		CreatedAt string         `json:"createdAt" doc:"When it was given." format:"date-time"`
		Body      map[string]any `json:"body" doc:"What was said."`
	}
	feedbackListInput struct {
		Limit int `query:"limit" doc:"How many to return." minimum:"1" maximum:"1000" default:"100"`
	}
)

// feedbackList answers GET /v2/server/feedback.
func (s *Server) feedbackList(ctx context.Context, in *feedbackListInput) (*FeedbackList, error) {
	if err := s.asOperator(ctx); err != nil {
		return nil, err
	}
	all, err := s.Store.Feedback(ctx, in.Limit)
	if err != nil {
		return nil, err
	}
	list := &FeedbackList{Success: yes, Data: make([]FeedbackItem, len(all))}
	for i, f := range all {
		list.Data[i] = FeedbackItem{ID: f.ID, TeamID: f.TeamID, Endpoint: f.Endpoint, JobID: optional(f.JobID), CreatedAt: timestamp(f.CreatedAt)}
		if err := json.Unmarshal(f.Body, &list.Data[i].Body); err != nil {
			return nil, err
		}
	}
	return list, nil
}
