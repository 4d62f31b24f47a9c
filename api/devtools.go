package api

import (
	"context"
	"net/http"

	"github.com/trawlhq/trawl"
)

// What the OpenAPI document says of the addresses of sessions.
const (
	devtoolsText = "An upgrade to a WebSocket leads to the browser of a session, in the DevTools protocol. " +
		"The key is part of the session's cdpUrl; no other is needed. When the session ends, the socket is closed with 4001 and the reason."
	liveText = "The key is part of the session's liveViewUrl, which shows the session, or of its interactiveLiveViewUrl, " +
		"on which people also click and type; no other is needed."
	discoverText = "For clients of the DevTools protocol that look for the address of the socket first. The key is part of the session's cdpUrl; no other is needed."
	assetText    = "Part of the page on which a session is watched."
)

// devtoolsRoot is where sessions are driven.
const devtoolsRoot = "/devtools/browser/"

// Target is what clients of the DevTools protocol read of a browser before they
// connect, in the words that Chromium itself has for it.
type Target struct {
	ID          string `json:"id" doc:"Id of the session."`
	Type        string `json:"type" doc:"Always browser: pages have no sockets of their own."`
	Title       string `json:"title" doc:"Always empty."`
	URL         string `json:"url" doc:"Always empty."`
	DebuggerURL string `json:"webSocketDebuggerUrl" doc:"The session's cdpUrl."`
}

// BrowserVersion is the answer to GET /devtools/browser/{key}/json/version.
type BrowserVersion struct {
	Browser     string `json:"Browser" doc:"Name of the browser."`
	Protocol    string `json:"Protocol-Version" doc:"Version of the DevTools protocol."`
	DebuggerURL string `json:"webSocketDebuggerUrl" doc:"The session's cdpUrl."`
}

// browserVersion answers GET /devtools/browser/{key}/json/version, where clients
// look that were given the address of a session as http instead of ws.
func (s *Server) browserVersion(w *answer, r *http.Request) {
	s.discover(w, r, func(x *trawl.Session, address string) any {
		return BrowserVersion{Browser: "Chrome", Protocol: "1.3", DebuggerURL: address}
	})
}

// browserTargets answers GET /devtools/browser/{key}/json/list.
func (s *Server) browserTargets(w *answer, r *http.Request) {
	s.discover(w, r, func(x *trawl.Session, address string) any {
		return []Target{{ID: x.ID, Type: "browser", DebuggerURL: address}}
	})
}

// discover tells of a session whose key is in the path. Every node can: where the
// session is held does not matter.
func (s *Server) discover(w *answer, r *http.Request, tell func(x *trawl.Session, address string) any) {
	x, _, err := s.opened(w, r, trawl.AccessDrive)
	if err == nil && !x.Active() {
		err = trawl.ErrSessionOver()
	}
	if err != nil {
		s.fail(w, r, err)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	_ = jsonFormat.Marshal(w, tell(&x, s.cdpURL(s.baseURL(r), x.ID)))
}

// devtools answers GET /devtools/browser/{key}.
func (s *Server) devtools(w *answer, r *http.Request) {
	x, _, err := s.opened(w, r, trawl.AccessDrive)
	s.connect(w, r, &x, err, func() { s.Sessions.Drive(w, r, x.ID) })
}

// liveSocket answers GET /live/{key}/socket.
func (s *Server) liveSocket(w *answer, r *http.Request) {
	x, access, err := s.opened(w, r, trawl.AccessWatch, trawl.AccessInteract)
	s.connect(w, r, &x, err, func() { s.Sessions.Watch(w, r, x.ID, access == trawl.AccessInteract) })
}

// opened returns the session that the key in the path opens, and which of the
// accesses it gives. A session that cannot be watched opens to nobody who wants to.
func (s *Server) opened(w *answer, r *http.Request, accesses ...trawl.Access) (x trawl.Session, access trawl.Access, err error) {
	w.Header().Set("Cache-Control", "no-store")
	w.Header().Set("Referrer-Policy", "no-referrer") // the address is a secret
	if len(s.SessionSecret) == 0 {                   // anyone could sign
		return x, "", trawl.ErrNoSession()
	}
	var id string
	for _, access = range accesses {
		if id, err = trawl.CheckAccess(s.SessionSecret, r.PathValue("key"), access); err == nil {
			break
		}
	}
	if err == nil {
		x, err = s.Sessions.Get(r.Context(), id)
	}
	if err == nil && access != trawl.AccessDrive && !x.Stream {
		err = trawl.ErrNoSession()
	}
	return x, access, err
}

// connect turns a request into a socket of a session, unless there is a reason
// against it. The socket is not in flight: it lasts as long as the session, which
// has its own way to end with the server.
func (s *Server) connect(w *answer, r *http.Request, x *trawl.Session, err error, serve func()) {
	here := s.Sessions.Holds(x.ID)
	switch {
	case err != nil:
		s.fail(w, r, err)
		return
	case !x.Active(), !here && !s.elsewhere(x):
		s.fail(w, r, trawl.ErrSessionOver())
		return
	case !asksForSocket(r):
		w.Header().Set("Connection", "Upgrade")
		w.Header().Set("Upgrade", "websocket")
		s.fail(w, r, trawl.Errorf(trawl.CodeUpgrade, "This address takes WebSocket connections only."))
		return
	}
	s.inFlight.Add(-1)
	defer s.inFlight.Add(1)
	if here {
		serve()
		return
	}
	ctx, cancel := context.WithCancel(r.Context()) // a session of another node outlives this one
	defer cancel()
	defer context.AfterFunc(s.draining, cancel)()
	s.forward(w, r.WithContext(ctx), x)
}

// livePage answers GET /live/{key}. The page is the same for every session; it
// learns from its socket what it may do. That of a session that is over says why.
func (s *Server) livePage(w *answer, r *http.Request) {
	x, _, err := s.opened(w, r, trawl.AccessWatch, trawl.AccessInteract)
	switch {
	case err != nil:
		s.fail(w, r, err)
	case s.ViewOver != nil && !x.Active():
		s.ViewOver(x.Reason).ServeHTTP(w, r)
	default:
		s.asset(w, r)
	}
}

// asset answers with the page on which sessions are watched, or a part of it.
func (s *Server) asset(w *answer, r *http.Request) {
	if s.View == nil {
		s.fail(w, r, errNothing())
		return
	}
	s.View.ServeHTTP(w, r)
}
