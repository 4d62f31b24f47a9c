package api

import (
	"context"
	"strings"
	"time"

	"github.com/google/uuid"

	"github.com/trawlhq/trawl"
)

// SessionWork runs what callers want done in sessions of this process.
type SessionWork interface {
	// Execute runs something in a session. If that is over, or ends meanwhile, the error
	// has CodeGone.
	Execute(ctx context.Context, id string, order trawl.SessionOrder) (trawl.Execution, error)
	// Live returns the page of a session that is looked at as it is.
	Live(ctx context.Context, id string, want trawl.LiveOrder) (trawl.LivePage, error)
	// Continue starts a session in which a page is opened again as a scrape opened it.
	Continue(ctx context.Context, who trawl.Caller, page trawl.Replay, req *trawl.SessionRequest) (trawl.Session, error)
}

type executeInput struct {
	IDInput
	Body trawl.ExecuteRequest
}

// Validate reports what the schema cannot.
func (in *executeInput) Validate() []trawl.Issue {
	return append(in.IDInput.Validate(), in.Body.Validate()...)
}

// ExecuteAnswer is the answer to POST …/execute. It is a success if the code could be
// run, whatever came of it.
type ExecuteAnswer struct {
	Success
	Ran
	Truncated bool `json:"truncated,omitempty" doc:"Whether it printed more than is kept."`
}

// Ran is what became of code.
type Ran struct {
	Stdout   string `json:"stdout" doc:"What it printed."`
	Result   string `json:"result" doc:"What the last command printed."`
	Stderr   string `json:"stderr" doc:"What went wrong."`
	ExitCode int    `json:"exitCode" doc:"0 if nothing went wrong, 124 if its time was up."`
	Killed   bool   `json:"killed" doc:"Whether its time was up."`
	Error    string `json:"error,omitempty" doc:"What went wrong, if something did."`
}

func ran(x *trawl.Execution) Ran {
	return Ran{Stdout: x.Stdout, Result: x.Result, Stderr: x.Stderr, ExitCode: x.ExitCode, Killed: x.Killed, Error: x.Fault()}
}

// executing finds the session that something is to run in.
func (s *Server) executing(ctx context.Context, in *executeInput) (trawl.Session, error) {
	x, err := s.session(ctx, in.ID)
	if err == nil && !x.Active() {
		err = trawl.ErrSessionOver()
	}
	return x, err
}

// execute answers POST …/execute.
func (s *Server) execute(ctx context.Context, in *executeInput, x trawl.Session) (*ExecuteAnswer, error) {
	done, err := s.Sessions.Execute(ctx, x.ID, s.sessionOrder(ctx, &x, in.Body.Language, in.Body.Code, "", time.Duration(in.Body.Timeout)*time.Second))
	if err != nil {
		return nil, err
	}
	return &ExecuteAnswer{Success: yes, Ran: ran(&done), Truncated: done.Truncated}, nil
}

// sessionOrder says what is to run in a session of the caller.
func (s *Server) sessionOrder(ctx context.Context, x *trawl.Session, language, code, prompt string, limit time.Duration) trawl.SessionOrder {
	base := s.baseURL(visitOf(ctx).request)
	return trawl.SessionOrder{Language: language, Code: code, Prompt: prompt, Time: limit, CDPURL: s.cdpURL(base, x.ID), Base: base}
}

type interactInput struct {
	IDInput
	Body trawl.InteractRequest
}

// Validate reports what the schema cannot.
func (in *interactInput) Validate() []trawl.Issue {
	return append(in.IDInput.Validate(), in.Body.Validate()...)
}

// InteractAnswer is the answer to POST /v2/scrape/{id}/interact.
type InteractAnswer struct {
	Success                bool   `json:"success" doc:"Whether it did what it should."`
	SessionID              string `json:"sessionId" doc:"Id of the session that it ran in." format:"uuid"`
	CDPURL                 string `json:"cdpUrl" doc:"WebSocket address of the browser, for clients of the DevTools protocol."`
	LiveViewURL            string `json:"liveViewUrl" doc:"Page on which the session is watched."`
	InteractiveLiveViewURL string `json:"interactiveLiveViewUrl" doc:"Page on which people click and type in the session."`
	Output                 string `json:"output,omitempty" doc:"What a prompt came to, in words."`
	Ran
}

// InteractEnded is the answer to DELETE /v2/scrape/{id}/interact.
type InteractEnded struct {
	SessionEnded
	Cleanup bool `json:"cleanupQueued" doc:"Always true."`
}

// interacting finds the session that goes on where a scrape left off; there is none yet
// if it has no id.
func (s *Server) interacting(ctx context.Context, in *interactInput) (trawl.Session, error) {
	id := strings.ToLower(in.ID)
	if _, err := s.replayOf(ctx, id); err != nil {
		return trawl.Session{}, err
	}
	if in.Body.Existing != "" {
		x, err := s.session(ctx, in.Body.Existing)
		if err == nil && !x.Active() {
			err = trawl.ErrSessionOver()
		}
		return x, err
	}
	x, err := s.Store.SessionOfScrape(ctx, visitOf(ctx).caller.Team.ID, id)
	switch {
	case trawl.ErrorCode(err) == trawl.CodeNotFound:
		return trawl.Session{}, nil
	case err != nil:
		return trawl.Session{}, err
	case x.Active():
		return x, nil
	case x.Reason == trawl.EndDeleted:
		return trawl.Session{}, trawl.ErrSessionOver()
	}
	return trawl.Session{}, nil // it ended by itself, and begins again
}

// replayOf returns what a scrape did in its page, or why that cannot be done again.
func (s *Server) replayOf(ctx context.Context, id string) (trawl.Replay, error) {
	team := visitOf(ctx).caller.Team
	page, err := s.Store.ScrapeReplay(ctx, team.ID, id)
	switch {
	case trawl.ErrorCode(err) == trawl.CodeNotFound && !(team.ZeroDataRetention && madeWithin(id, s.Now(), discreetTime)):
		return page, trawl.Errorf(trawl.CodeNotFound, "Job not found.")
	case trawl.ErrorCode(err) == trawl.CodeNotFound:
		return page, trawl.Errorf(trawl.CodeConflict, "Replay context is unavailable: nothing is stored of this scrape.")
	case err == nil && page.URL == "":
		return page, trawl.Errorf(trawl.CodeConflict, "Replay context is unavailable: what this scrape did was not stored, so that its page cannot be opened again.")
	}
	return page, err
}

// discreetTime is for how long an id that nothing is stored of is taken for that of a
// scrape under zero data retention, for teams that may have such.
const discreetTime = 24 * time.Hour

// madeWithin reports whether an id, which begins with when it was made, is not older.
func madeWithin(id string, now time.Time, age time.Duration) bool {
	u, err := uuid.Parse(id)
	if err != nil || u.Version() != 7 {
		return false
	}
	made := time.Unix(u.Time().UnixTime())
	return made.After(now.Add(-age)) && made.Before(now.Add(time.Minute))
}

// interact answers POST /v2/scrape/{id}/interact.
func (s *Server) interact(ctx context.Context, in *interactInput, x trawl.Session) (*InteractAnswer, error) {
	body := &in.Body
	language := body.Language
	if body.Code == "" {
		if language = ""; !s.Prompts {
			return nil, trawl.Errorf(trawl.CodeNoModel, "Interact understands words only where a language model is configured. Send code with language bash instead.")
		}
	}
	began := time.Now()
	if x.ID == "" {
		var err error
		if x, err = s.continueScrape(ctx, strings.ToLower(in.ID), body); err != nil {
			return nil, err
		}
	}
	left := max(body.Time()-max(time.Since(began)-replayGrace, 0), time.Second)
	done, err := s.Sessions.Execute(ctx, x.ID, s.sessionOrder(ctx, &x, language, body.Code, body.Prompt, left))
	if err != nil {
		return nil, err
	}
	where := s.addresses(ctx, &x)
	return &InteractAnswer{
		Success: !done.Failed(), SessionID: x.ID, CDPURL: where.CDPURL, LiveViewURL: where.LiveViewURL, InteractiveLiveViewURL: where.InteractiveLiveViewURL,
		Output: done.Output, Ran: ran(&done),
	}, nil
}

// replayGrace is what a page may take to be opened again before that counts as time of
// what runs in it. Clients wait a few seconds longer than they say.
const replayGrace = 3 * time.Second

// continueScrape starts a session where a scrape left off.
func (s *Server) continueScrape(ctx context.Context, id string, body *trawl.InteractRequest) (trawl.Session, error) {
	page, err := s.replayOf(ctx, id)
	if err != nil {
		return trawl.Session{}, err
	}
	who := visitOf(ctx).caller
	if need := trawl.SessionCredits(time.Duration(body.TTL) * time.Second); who.Team.Credits != nil && *who.Team.Credits < need {
		return trawl.Session{}, trawl.InsufficientCredits()
	}
	request := trawl.DefaultSessionRequest()
	request.TTL, request.ActivityTTL, request.Profile = body.TTL, body.ActivityTTL, page.Profile
	page.ScrapeID = id
	return s.Sessions.Continue(ctx, who, page, &request)
}

// interacted finds the session of a scrape.
func (s *Server) interacted(ctx context.Context, in *IDInput) (trawl.Session, error) {
	return s.Store.SessionOfScrape(ctx, visitOf(ctx).caller.Team.ID, strings.ToLower(in.ID))
}

// endInteract answers DELETE /v2/scrape/{id}/interact.
func (s *Server) endInteract(ctx context.Context, in *IDInput, x trawl.Session) (*InteractEnded, error) {
	ended, err := s.endSession(ctx, in, x)
	if err != nil {
		return nil, err
	}
	return &InteractEnded{*ended, true}, nil
}
