// Package session holds remote browsers: a team creates a session, drives its
// browser over the DevTools protocol, lets people watch it or take part, and has
// what the browser knows kept in a profile for the next time.
//
// A [Manager] holds the sessions of one node. Each has a browser process of its own,
// with a folder and a way out that nobody shares. The browser is reached through
// pipes only: clients are guests on that one connection (relay.go), what they say
// passes a filter (filter.go), and no port is opened. Views (view.go) show pages
// as a stream of pictures, and only while somebody looks.
//
// The rows of the store are the truth about sessions: how many a team has, what
// they cost, who may save to a profile. A session ends by one way only, whatever
// the reason (running.go).
package session

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/url"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"github.com/coder/websocket"
	"github.com/google/uuid"
	"golang.org/x/sync/singleflight"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/browser/chromium"
	"github.com/trawlhq/trawl/egress"
	"github.com/trawlhq/trawl/llm"
	"github.com/trawlhq/trawl/profile"
)

// Store keeps the rows of sessions. See package store for what its methods promise.
type Store interface {
	StartSession(ctx context.Context, row trawl.Session, most int) error
	CancelSession(ctx context.Context, id string) error
	BillSession(ctx context.Context, id string, minute int, lastActivity time.Time) error
	EndSession(ctx context.Context, id, reason string, lastActivity time.Time) (trawl.Session, error)
	Session(ctx context.Context, id string) (trawl.Session, error)
	Sessions(ctx context.Context, teamID, state string) ([]trawl.Session, error)
	PromptSession(ctx context.Context, id string) error
	SessionOfScrape(ctx context.Context, teamID, scrapeID string) (trawl.Session, error)
	CountTeams(ctx context.Context) (int, error)
	profile.Store
}

// Config is what a Manager works with.
type Config struct {
	Store Store
	Guard *egress.Guard
	Log   *slog.Logger
	Now   func() time.Time

	Program   string // the full browser; empty on a node that has none
	NoSandbox bool
	UserAgent string // empty means the browser's own

	Authorities *chromium.Authorities // that browsers trust besides those they know

	Sessions int    // most at a time, of this node and of a team
	Warm     int    // browsers kept ready
	Node     string // name of this process
	NodeURL  string // where other nodes reach it

	Patience chromium.Patience // with browsers: their start, their answers, their end

	// Keep stores a picture or PDF of a team and returns its address, which begins with
	// that of the service. Markdown returns the main content of a page. Model understands
	// words. Without them, what needs them fails.
	Keep     func(ctx context.Context, teamID, base, contentType string, data []byte) (address string, err error)
	Markdown func(ctx context.Context, address, html string) (string, error)
	Model    llm.Model

	// Local has sites by host that are not on the network but part of the service.
	Local map[string]http.Handler

	// Proxy returns the operator's proxy for a country, nil for none. It may be nil.
	Proxy func(country string, enhanced bool) (*url.URL, error)
}

// Manager holds the sessions of this node. It is safe for concurrent use; Close
// ends it.
type Manager struct {
	Config
	minute time.Duration   // that is paid for
	memory memory          // that a session may take
	base   context.Context // ends with the manager
	cancel context.CancelFunc
	tasks  sync.WaitGroup // sessions, browsers that are started, sockets
	warm   warm
	starts chan struct{} // holds a token for each browser that is being started
	unread atomic.Int64  // bytes that wait for clients

	versions   chromium.Versions
	continuing singleflight.Group // pages that are being opened again, by scrape

	mu       sync.Mutex
	closed   bool
	starting map[string]int // by team
	sessions map[string]*running
	stats    Stats
}

// Stats is what a manager has done and holds.
type Stats struct {
	Active, Warm, Clients, Viewers int

	Created, Crashed int64
}

// New returns a manager, which begins to keep browsers ready.
func New(config Config) *Manager {
	chromium.SweepHomes()
	m := &Manager{Config: config, minute: time.Minute, memory: usualMemory, starts: make(chan struct{}, mostStarts*runtime.GOMAXPROCS(0)), starting: map[string]int{}, sessions: map[string]*running{}}
	m.base, m.cancel = context.WithCancel(context.Background())
	if m.Program != "" && m.Sessions > 0 {
		m.fill()
	}
	return m
}

// Create starts a session. Errors have CodeUnavailable if there are none to be had,
// CodeRateLimited if there are too many sessions, CodeConflict if another one saves
// to the profile, CodePayment if the team cannot pay for the first minute.
func (m *Manager) Create(ctx context.Context, who trawl.Caller, req *trawl.SessionRequest) (trawl.Session, error) {
	return m.create(ctx, who, m.newRow(who, req), trawl.Replay{})
}

// create starts a session, with a page in it if there is one to open again. Only what
// has come so far is paid for.
func (m *Manager) create(ctx context.Context, who trawl.Caller, row trawl.Session, page trawl.Replay) (trawl.Session, error) {
	if m.Sessions == 0 {
		return trawl.Session{}, trawl.Errorf(trawl.CodeUnavailable, "This server does not offer browser sessions.")
	}
	if m.Program == "" {
		return trawl.Session{}, trawl.Errorf(trawl.CodeUnavailable, "Browser sessions need Chromium, which this server does not have.")
	}
	teams, err := m.Store.CountTeams(ctx)
	if err != nil {
		return trawl.Session{}, err
	}
	if err := m.enter(who.Team.ID, teams > 1); err != nil {
		return trawl.Session{}, err
	}
	defer m.leave(who.Team.ID)
	most := m.Sessions
	if own := who.Team.Concurrency; own > 0 {
		most = min(most, own)
	}
	if err := m.Store.StartSession(ctx, row, most); err != nil {
		return trawl.Session{}, err
	}
	r, err := m.open(ctx, row, page)
	if err == nil {
		if err = m.Store.BillSession(ctx, row.ID, 0, row.LastActivity); err == nil {
			m.admit(r)
			row.Credits = trawl.SessionMinute
			return row, nil
		}
		r.discard()
	}
	if gone := m.Store.CancelSession(context.WithoutCancel(ctx), row.ID); gone != nil {
		m.Log.Error("a session that did not start stays listed", "session", row.ID, "err", gone)
	}
	return trawl.Session{}, err
}

func (m *Manager) newRow(who trawl.Caller, req *trawl.SessionRequest) trawl.Session {
	now := m.Now().UTC().Truncate(time.Millisecond)
	row := trawl.Session{
		ID: uuid.Must(uuid.NewV7()).String(), TeamID: who.Team.ID, KeyID: who.Key.ID, State: trawl.SessionActive, Stream: req.StreamWebView,
		ActivityTTL: time.Duration(req.ActivityTTL) * time.Second, Node: m.Node, NodeURL: m.NodeURL,
		CreatedAt: now, LastActivity: now, ExpiresAt: now.Add(time.Duration(req.TTL) * time.Second),
	}
	if req.Profile != nil {
		row.Profile, row.SaveChanges = req.Profile.Name, req.Profile.Saves()
	}
	return row
}

// enter takes a place of the node for a session that is being started. Where teams
// share the places, the last quarter of them is for teams that have none yet.
func (m *Manager) enter(team string, shared bool) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	all, own := m.held(team)
	left := m.Sessions - all
	switch {
	case m.closed:
		return errStopping()
	case left <= 0:
		return trawl.Errorf(trawl.CodeRateLimited, "This server holds as many browser sessions as it may (%d). Try again when one has ended.", m.Sessions)
	case shared && own > 0 && left <= max(m.Sessions/4, 1):
		return trawl.Errorf(trawl.CodeRateLimited, "The last browser sessions that this server may hold (%d of %d) are for teams that have none. Try again when one has ended.", left, m.Sessions)
	}
	m.starting[team]++
	m.tasks.Add(1)
	return nil
}

// held counts the sessions on this node, and those of a team. The lock is held.
func (m *Manager) held(team string) (all, own int) {
	for holder, n := range m.starting {
		all += n
		if holder == team {
			own += n
		}
	}
	for _, r := range m.sessions {
		all++
		if r.row.TeamID == team {
			own++
		}
	}
	return all, own
}

func errStopping() error {
	return trawl.Errorf(trawl.CodeUnavailable, "The server is shutting down.")
}

func (m *Manager) leave(team string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.starting[team]--; m.starting[team] == 0 {
		delete(m.starting, team)
	}
	m.tasks.Done()
}

// admit makes a session that is ready one of those that are held.
func (m *Manager) admit(r *running) {
	m.mu.Lock()
	defer m.mu.Unlock()
	r.touch() // it may have taken a while to start
	m.sessions[r.row.ID] = r
	m.stats.Created++
	m.tasks.Go(r.live)
	if m.closed {
		r.end(trawl.EndStopped)
	}
}

// forget is the end of a session.
func (m *Manager) forget(r *running) {
	m.mu.Lock()
	defer m.mu.Unlock()
	delete(m.sessions, r.row.ID)
}

func (m *Manager) find(id string) *running {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.sessions[id]
}

// Holds reports whether a session runs in this process.
func (m *Manager) Holds(id string) bool { return m.find(id) != nil }

// Destroy ends a session and returns when it is gone and its profile saved. One
// that has ended is returned as it is.
func (m *Manager) Destroy(ctx context.Context, id string) (trawl.Session, error) {
	if r := m.find(id); r != nil {
		r.end(trawl.EndDeleted)
		select {
		case <-r.gone:
		case <-ctx.Done():
			return trawl.Session{}, ctx.Err()
		}
	}
	row, err := m.Store.Session(ctx, id)
	if err == nil && row.Active() && row.Node == m.Node {
		// It is being started. Whoever starts it finds out when it is to be paid for.
		return m.Store.EndSession(ctx, id, trawl.EndDeleted, row.LastActivity)
	}
	return row, err
}

// Get returns a session of any team and node.
func (m *Manager) Get(ctx context.Context, id string) (trawl.Session, error) {
	row, err := m.Store.Session(ctx, id)
	if err == nil {
		m.update(&row)
	}
	return row, err
}

// List returns the sessions of a team, those of one state if it is not empty.
func (m *Manager) List(ctx context.Context, teamID, state string) ([]trawl.Session, error) {
	rows, err := m.Store.Sessions(ctx, teamID, state)
	for i := range rows {
		m.update(&rows[i])
	}
	return rows, err
}

// update adds what only this node knows: the last activity is stored once a minute.
func (m *Manager) update(row *trawl.Session) {
	if r := m.find(row.ID); r != nil && row.Active() {
		row.LastActivity = r.lastActivity()
	}
}

// Drive lets a client speak the browser's protocol, until either ends.
func (m *Manager) Drive(w http.ResponseWriter, req *http.Request, id string) {
	m.serve(w, req, id, func(ctx context.Context, r *running, conn *websocket.Conn) { r.drive(ctx, conn) })
}

// Watch streams the session to a view, which may take part in it or only look.
func (m *Manager) Watch(w http.ResponseWriter, req *http.Request, id string, interact bool) {
	m.serve(w, req, id, func(ctx context.Context, r *running, conn *websocket.Conn) { r.watch(ctx, conn, interact) })
}

// serve accepts a socket for a session of this process. Any origin may connect:
// who does is known by the key in the address.
func (m *Manager) serve(w http.ResponseWriter, req *http.Request, id string, handle func(context.Context, *running, *websocket.Conn)) {
	r := m.find(id)
	if r == nil || r.ended() {
		http.Error(w, trawl.ErrSessionOver().Message, http.StatusGone)
		return
	}
	conn, err := websocket.Accept(w, req, &websocket.AcceptOptions{InsecureSkipVerify: true, CompressionMode: websocket.CompressionDisabled})
	if err != nil {
		return // and answered
	}
	defer conn.CloseNow()
	if !r.join() {
		_ = conn.Close(closeEnded, r.reason())
		return
	}
	defer r.sockets.Done()
	handle(req.Context(), r, conn)
}

// closeEnded is the code with which sockets are closed at the end of a session.
const closeEnded websocket.StatusCode = 4001

// Stats returns what the manager has done and holds at the moment.
func (m *Manager) Stats() Stats {
	m.mu.Lock()
	defer m.mu.Unlock()
	stats := m.stats
	stats.Active, stats.Warm = len(m.sessions), m.warm.count()
	for _, r := range m.sessions {
		stats.Clients += int(r.clients.Load())
		stats.Viewers += int(r.viewers.Load())
	}
	return stats
}

// Close ends all sessions by the usual way, so that profiles are saved, and returns
// when nothing is left of them.
func (m *Manager) Close() {
	m.mu.Lock()
	m.closed = true
	for _, r := range m.sessions {
		r.end(trawl.EndStopped)
	}
	m.mu.Unlock()
	m.cancel()
	m.warm.drop()
	m.tasks.Wait()
}

// open starts the browser of a session, or takes one that is ready.
func (m *Manager) open(ctx context.Context, row trawl.Session, page trawl.Replay) (*running, error) {
	r := &running{manager: m, row: row, began: time.Now(), ending: make(chan struct{}), gone: make(chan struct{})}
	r.touch()
	err := m.browse(ctx, r, page)
	if err == nil && page.URL != "" {
		err = r.resume(ctx, page)
	}
	if err != nil {
		r.discard()
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if _, known := errors.AsType[*trawl.Error](err); known {
			return nil, err
		}
		return nil, trawl.Wrap(trawl.CodeUnavailable, "The browser could not be started.", err)
	}
	if m.base.Err() != nil { // it would end at once, and be paid for
		r.discard()
		return nil, errStopping()
	}
	return r, nil
}

func (m *Manager) browse(ctx context.Context, r *running, page trawl.Replay) (err error) {
	var fresh *blank
	way, elsewhere, err := m.way(page)
	switch {
	case err != nil:
	case r.row.Profile != "":
		if r.home, err = profile.Open(ctx, m.Store, r.row.TeamID, r.row.Profile); err == nil {
			fresh, err = m.start(ctx, r.home, way)
		}
	case elsewhere:
		fresh, err = m.start(ctx, nil, way)
	default:
		fresh, err = m.take(ctx)
	}
	if err != nil {
		return err
	}
	r.process = fresh.Process
	if r.home != nil {
		if err := profile.Restore(ctx, r.process.Conn(), r.home); err != nil {
			return fmt.Errorf("restore profile: %w", err)
		}
	}
	if r.tabs, err = newTabs(ctx, r.process.Conn()); err != nil {
		return fmt.Errorf("find pages: %w", err)
	}
	fresh.used.Store(true)
	return nil
}
