package api

import (
	"context"
	"net/http"
	"strings"

	"github.com/trawlhq/trawl"
)

// Sessions holds the remote browsers of this node.
type Sessions interface {
	SessionBook
	SessionSockets
	SessionWork
}

// SessionBook starts and ends sessions and tells of them. Those of other nodes are
// told of too, as far as the store knows them.
type SessionBook interface {
	Create(ctx context.Context, who trawl.Caller, req *trawl.SessionRequest) (trawl.Session, error)
	Destroy(ctx context.Context, id string) (trawl.Session, error)
	Get(ctx context.Context, id string) (trawl.Session, error)
	List(ctx context.Context, teamID, state string) ([]trawl.Session, error)
}

// SessionSockets connects clients and people with sessions that run in this process.
type SessionSockets interface {
	Holds(id string) bool
	Drive(w http.ResponseWriter, r *http.Request, id string)
	Watch(w http.ResponseWriter, r *http.Request, id string, interact bool)
}

type sessionInput struct {
	Body trawl.SessionRequest
}

// bodyless says that a session can be had without choosing anything.
func (*sessionInput) bodyless() {}

// Validate reports what the schema cannot.
func (in *sessionInput) Validate() []trawl.Issue { return in.Body.Validate() }

type (
	// SessionAddresses is where a session is reached. Each address is a capability:
	// whoever has it needs no key.
	SessionAddresses struct {
		ID                     string `json:"id" doc:"Id of the session." format:"uuid"`
		CDPURL                 string `json:"cdpUrl" doc:"WebSocket address of the browser, for clients of the DevTools protocol."`
		LiveViewURL            string `json:"liveViewUrl" doc:"Page on which the session is watched; empty if it cannot be."`
		InteractiveLiveViewURL string `json:"interactiveLiveViewUrl" doc:"Page on which people click and type in the session; empty if they cannot."`
		ExpiresAt              string `json:"expiresAt" doc:"When the session ends at the latest." format:"date-time"`
	}
	// SessionStarted is the answer to POST /v2/browser.
	SessionStarted struct {
		Success
		SessionAddresses
		Warning string `json:"warning,omitempty" doc:"Options that have no effect."`
	}
	// SessionRecord is what is known of a session.
	SessionRecord struct {
		SessionAddresses
		Status        string `json:"status" doc:"Whether it can be used." enum:"active,destroyed"`
		StreamWebView bool   `json:"streamWebView" doc:"Whether it can be watched."`
		CreatedAt     string `json:"createdAt" doc:"When it was started." format:"date-time"`
		LastActivity  string `json:"lastActivity" doc:"When it was last used." format:"date-time"`
		DestroyedAt   string `json:"destroyedAt,omitempty" doc:"When it ended." format:"date-time"`
		Reason        string `json:"reason,omitempty" doc:"Why it ended."`
		CreditsBilled int64  `json:"creditsBilled" doc:"What it has cost so far."`
		Profile       string `json:"profile,omitempty" doc:"Name of the profile that it began with."`
	}
	// SessionView is the answer to GET on a session.
	SessionView struct {
		Success
		SessionRecord
	}
	// SessionList is the answer to GET /v2/browser.
	SessionList struct {
		Success
		Sessions []SessionRecord `json:"sessions" doc:"The sessions, newest first. Destroyed ones are listed for a day."`
	}
	// SessionEnded is the answer to DELETE on a session.
	SessionEnded struct {
		Success
		Duration      int64 `json:"sessionDurationMs" doc:"How many milliseconds it lasted."`
		CreditsBilled int64 `json:"creditsBilled" doc:"What it cost."`
	}
)

// startSession answers POST /v2/browser.
func (s *Server) startSession(ctx context.Context, in *sessionInput) (*SessionStarted, error) {
	x, err := s.Sessions.Create(ctx, visitOf(ctx).caller, &in.Body)
	if err != nil {
		return nil, err
	}
	answer := &SessionStarted{Success: yes, SessionAddresses: s.addresses(ctx, &x)}
	answer.Warning = trawl.WithoutEffect(in.Body.Ignored())
	return answer, nil
}

// addresses makes the addresses of a session, as the caller can reach them.
func (s *Server) addresses(ctx context.Context, x *trawl.Session) SessionAddresses {
	base := s.baseURL(visitOf(ctx).request)
	list := SessionAddresses{
		ID: x.ID, ExpiresAt: timestamp(x.ExpiresAt),
		CDPURL: s.cdpURL(base, x.ID),
	}
	if x.Stream {
		list.LiveViewURL = base + "/live/" + trawl.AccessKey(s.SessionSecret, x.ID, trawl.AccessWatch)
		list.InteractiveLiveViewURL = base + "/live/" + trawl.AccessKey(s.SessionSecret, x.ID, trawl.AccessInteract)
	}
	return list
}

func (s *Server) cdpURL(base, id string) string {
	return "ws" + strings.TrimPrefix(base, "http") + devtoolsRoot + trawl.AccessKey(s.SessionSecret, id, trawl.AccessDrive)
}

func (s *Server) record(ctx context.Context, x *trawl.Session) SessionRecord {
	return SessionRecord{
		SessionAddresses: s.addresses(ctx, x), Status: x.State, StreamWebView: x.Stream,
		CreatedAt: timestamp(x.CreatedAt), LastActivity: timestamp(x.LastActivity), DestroyedAt: timestampIf(x.DestroyedAt),
		Reason: x.Reason, CreditsBilled: x.Credits, Profile: x.Profile,
	}
}

type sessionsInput struct {
	Status string `query:"status" doc:"Only sessions in this state." enum:"active,destroyed"`
}

// listSessions answers GET /v2/browser.
func (s *Server) listSessions(ctx context.Context, in *sessionsInput) (*SessionList, error) {
	list, err := s.Sessions.List(ctx, visitOf(ctx).caller.Team.ID, in.Status)
	if err != nil {
		return nil, err
	}
	answer := &SessionList{Success: yes, Sessions: make([]SessionRecord, len(list))}
	for i := range list {
		answer.Sessions[i] = s.record(ctx, &list[i])
	}
	return answer, nil
}

// session returns a session of the caller's team.
func (s *Server) session(ctx context.Context, id string) (trawl.Session, error) {
	x, err := s.Sessions.Get(ctx, strings.ToLower(id))
	if err == nil && x.TeamID != visitOf(ctx).caller.Team.ID {
		return trawl.Session{}, trawl.Errorf(trawl.CodeForbidden, "Forbidden.")
	}
	return x, err
}

// sessionOf returns the session that a path names.
func (s *Server) sessionOf(ctx context.Context, in *IDInput) (trawl.Session, error) {
	return s.session(ctx, in.ID)
}

// oneSession answers GET on a session.
func (s *Server) oneSession(ctx context.Context, in *IDInput) (*SessionView, error) {
	x, err := s.session(ctx, in.ID)
	if err != nil {
		return nil, err
	}
	return &SessionView{Success: yes, SessionRecord: s.record(ctx, &x)}, nil
}

// endSession destroys a session of this node. One that was destroyed before is
// told of again.
func (s *Server) endSession(ctx context.Context, _ *IDInput, x trawl.Session) (*SessionEnded, error) {
	if x.Active() {
		var err error
		if x, err = s.Sessions.Destroy(ctx, x.ID); err != nil {
			return nil, err
		}
	}
	return &SessionEnded{Success: yes, Duration: x.Duration(s.Now()).Milliseconds(), CreditsBilled: x.Credits}, nil
}

// replaySession answers GET …/replay.
func (s *Server) replaySession(ctx context.Context, in *IDInput) (*Success, error) {
	if _, err := s.session(ctx, in.ID); err != nil {
		return nil, err
	}
	return nil, trawl.Errorf(trawl.CodeNotImplemented, "This server does not record sessions.")
}
