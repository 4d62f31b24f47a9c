package mcp

import (
	"context"
	"crypto/rand"
	"sync"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// sessions knows whose the sessions over HTTP are, and how many each team has. The
// sessions themselves are the SDK's.
type sessions struct {
	most int // of a team

	mu     sync.Mutex
	teams  map[string]string // by id
	counts map[string]int
}

func newSessions(most int) *sessions {
	return &sessions{most: most, teams: map[string]string{}, counts: map[string]int{}}
}

func newSessionID() string { return rand.Text() }

// reserve makes room for one more session of a team, if it may have more.
func (s *sessions) reserve(team string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.counts[team] >= s.most {
		return false
	}
	s.counts[team]++
	return true
}

// settle gives the room that was reserved to a session, or back if there is none.
func (s *sessions) settle(team, id string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if id != "" {
		s.teams[id] = team
		return
	}
	s.drop(team)
}

// ended forgets a session.
func (s *sessions) ended(id string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if team, ok := s.teams[id]; ok {
		delete(s.teams, id)
		s.drop(team)
	}
}

func (s *sessions) drop(team string) {
	if s.counts[team]--; s.counts[team] <= 0 {
		delete(s.counts, team)
	}
}

// of reports whether a session is there and is the team's.
func (s *sessions) of(team, id string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	owner, ok := s.teams[id]
	return ok && owner == team
}

// mostEvents bounds what is kept for streams that were dropped and may be resumed,
// of all sessions together.
const mostEvents = 8 << 20

// events is what streams are resumed from. It is also how the end of a session is
// noticed.
type events struct {
	*sdk.MemoryEventStore
	bodies *bodies
	ended  func(id string)
}

func newEvents(bodies *bodies, ended func(id string)) *events {
	store := sdk.NewMemoryEventStore(nil)
	store.SetMaxBytes(mostEvents)
	return &events{store, bodies, ended}
}

// Append keeps a message with its result in place.
func (e *events) Append(ctx context.Context, session, stream string, message []byte) error {
	return e.MemoryEventStore.Append(ctx, session, stream, e.bodies.full(message))
}

// SessionClosed forgets what was kept for a session, and the session.
func (e *events) SessionClosed(ctx context.Context, id string) error {
	e.ended(id)
	return e.MemoryEventStore.SessionClosed(ctx, id)
}
