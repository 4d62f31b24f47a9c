package api

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/google/uuid"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/docs"
	"github.com/trawlhq/trawl/store"
)

type (
	// Question is the body of POST /v2/support/ask.
	Question struct {
		Question  string `json:"question" required:"true" doc:"What to know." minLength:"1" maxLength:"10000"`
		Rationale string `json:"rationale,omitempty" doc:"Why; of no consequence." maxLength:"10000"`
		JobID     string `json:"jobId,omitempty" doc:"Request that it is about; others are not answered." maxLength:"36"`
		Sender
	}
	// DocsQuestion is the body of POST /v2/support/docs-search.
	DocsQuestion struct {
		Question string `json:"question" required:"true" doc:"What to look for." minLength:"1" maxLength:"10000"`
		Sender
	}
)

type (
	// SupportAnswer is what is known of a request.
	SupportAnswer struct {
		Answer        string         `json:"answer" doc:"What became of it, and what can be done."`
		Confidence    string         `json:"confidence" doc:"Always high: it is what was recorded." enum:"high"`
		FixParameters map[string]any `json:"fixParameters" doc:"Options that may help." nullable:"true"`
		Validation    *string        `json:"validation" doc:"Always null." nullable:"true"`
		Feedback      *string        `json:"feedback" doc:"Always null." nullable:"true"`
		DurationMs    int64          `json:"durationMs" doc:"How long the answer took."`
	}
	// DocsAnswer is what the documentation says.
	DocsAnswer struct {
		RequestID  string         `json:"requestId" doc:"Id of the request."`
		Answer     string         `json:"answer" doc:"The parts of the documentation that fit best."`
		Evidence   []DocsEvidence `json:"evidence" doc:"Where they stand."`
		Usage      map[string]int `json:"usage" doc:"Always empty: no model is asked."`
		DurationMs int64          `json:"durationMs" doc:"How long the answer took."`
	}
	// DocsEvidence is a section of the documentation.
	DocsEvidence struct {
		Address string `json:"pathOrUrl" doc:"Its address."`
		Reason  string `json:"reason" doc:"What it says."`
	}
)

type questionInput struct{ Body Question }

// Validate insists on a UUID.
func (in *questionInput) Validate() []trawl.Issue {
	if id := in.Body.JobID; id != "" && (len(id) != 36 || uuid.Validate(id) != nil) {
		return []trawl.Issue{{Code: "invalid_value", Message: "is no UUID", Path: []any{"jobId"}}}
	}
	return nil
}

type docsQuestionInput struct{ Body DocsQuestion }

// ask answers POST /v2/support/ask from what was recorded of a request. Nobody is
// there to answer anything else.
func (s *Server) ask(ctx context.Context, in *questionInput) (*SupportAnswer, error) {
	began := time.Now()
	if in.Body.JobID == "" {
		return nil, trawl.Errorf(trawl.CodeUnavailable, "This server answers questions about a request only: give its jobId. Questions about the API are answered by /v2/support/docs-search and /docs.")
	}
	found, err := s.Store.ActivityOf(ctx, visitOf(ctx).caller.Team.ID, strings.ToLower(in.Body.JobID))
	if trawl.ErrorCode(err) == trawl.CodeNotFound {
		return nil, trawl.Errorf(trawl.CodeUnavailable, "Nothing is known of this request: it is of another team, has expired, or nothing of it was kept.")
	}
	if err != nil {
		return nil, err
	}
	answer := &SupportAnswer{Confidence: "high"}
	if answer.Answer, answer.FixParameters, err = s.explainRequest(ctx, found); err != nil {
		return nil, err
	}
	answer.DurationMs = time.Since(began).Milliseconds()
	return answer, nil
}

// explainRequest says what became of a request, and what may help.
func (s *Server) explainRequest(ctx context.Context, a store.Activity) (text string, fix map[string]any, err error) {
	parts := []string{fmt.Sprintf("The %s of %s at %s is %s.", a.Endpoint, a.Target, timestamp(a.CreatedAt), a.State)}
	if a.Duration > 0 {
		parts = append(parts, fmt.Sprintf("It took %s.", a.Duration))
	}
	parts = append(parts, fmt.Sprintf("It cost %d credits.", a.Credits))
	code := a.Code
	if a.Job {
		job, err := s.job(ctx, a.Endpoint, a.ID)
		if err != nil {
			return "", nil, err
		}
		failed, robots, err := s.Jobs.Errors(ctx, a.ID)
		if err != nil {
			return "", nil, err
		}
		parts = append(parts, fmt.Sprintf("%d of %d pages are done, %d failed, %d are forbidden by robots.txt.", job.Completed, job.Total, len(failed), len(robots)))
		if job.Error != "" {
			parts = append(parts, "It failed because: "+job.Error)
		}
		if job.Warning != "" {
			parts = append(parts, "It warned: "+job.Warning)
		}
		if len(failed) > 0 {
			parts = append(parts, fmt.Sprintf("The first page that failed is %s: %s", failed[0].URL, failed[0].Text))
			code = failed[0].Code
		}
	}
	if code != "" {
		parts = append(parts, fmt.Sprintf("The code of the failure is %s.", code))
		var advice string
		if advice, fix = remedy(code); advice != "" {
			parts = append(parts, advice)
		}
	}
	return strings.Join(parts, " "), fix, nil
}

// remedy says what may help against a failure.
func remedy(code trawl.Code) (advice string, fix map[string]any) {
	switch code {
	case trawl.CodeTimeout, trawl.CodeMapTimeout, trawl.CodeSearchTimeout, trawl.CodePDFTime:
		return "The site or the file needs more time.", map[string]any{"timeout": 120_000}
	case trawl.CodeQueueTimeout:
		return "Other requests of the team took all its slots. Send fewer at a time, or let it wait longer.", map[string]any{"timeout": 120_000}
	case trawl.CodeTLS:
		return "The certificate of the site is not valid.", map[string]any{"skipTlsVerification": true}
	case trawl.CodeDNS:
		return "The name of the site has no address: check how it is spelled.", nil
	case trawl.CodeNoCachedData, trawl.CodeLockdownMiss:
		return "The cache has no such page. Leave out minAge and lockdown to fetch it.", map[string]any{"lockdown": false}
	case trawl.CodeAction:
		return "An action did not find what it needs. Wait for the element first.", map[string]any{"waitFor": 3000}
	case trawl.CodeEngines, trawl.CodeSite, trawl.CodeProxy:
		return "The site did not answer as it should. Another proxy, or a later request, may get through.", map[string]any{"proxy": trawl.ProxyAuto}
	case trawl.CodePayment:
		return "The credits of the team, or the spend limit of the key, are used up.", nil
	case trawl.CodeUnsupportedSite:
		return "The server does not fetch this address: it is private, or its operator has excluded it.", nil
	case trawl.CodeOCRRequired:
		return "The file has pictures of text, which this server cannot read.", nil
	}
	return "", nil
}

// mostEvidence is how many sections answer a question.
const mostEvidence = 5

// searchDocs answers POST /v2/support/docs-search with the sections of the
// documentation that have most of the words.
func (s *Server) searchDocs(ctx context.Context, in *docsQuestionInput) (*DocsAnswer, error) {
	began, v := time.Now(), visitOf(ctx)
	hits := s.manual.book().About(in.Body.Question)
	answer := &DocsAnswer{RequestID: v.id, Evidence: []DocsEvidence{}, Usage: map[string]int{}}
	var parts []string
	for _, hit := range hits[:min(len(hits), mostEvidence)] {
		text := plainText(hit)
		answer.Evidence = append(answer.Evidence, DocsEvidence{Address: s.baseURL(v.request) + hit.Link, Reason: text})
		parts = append(parts, text)
	}
	answer.Answer = strings.Join(parts, "\n\n")
	if len(parts) == 0 {
		answer.Answer = "The documentation says nothing about this."
	}
	answer.DurationMs = time.Since(began).Milliseconds()
	return answer, nil
}

func plainText(hit docs.Hit) string {
	var b strings.Builder
	b.WriteString(hit.Page)
	if hit.Heading != "" {
		b.WriteString(", " + hit.Heading)
	}
	b.WriteString(": ")
	for _, piece := range hit.Snippet {
		b.WriteString(piece.Text)
	}
	return b.String()
}
