package mcp

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/auth"
	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// mostMessage is how large a message may be.
const mostMessage = 10 << 20

// Headers of the transport.
const (
	sessionHeader = "Mcp-Session-Id"
	versionHeader = "Mcp-Protocol-Version"
)

// sessionless is the first version of the protocol that has no sessions.
const sessionless = "2026-07-28"

// openHTTP prepares for clients over HTTP.
func (s *Server) openHTTP() {
	server := func(*http.Request) *sdk.Server { return s.sdk }
	common := sdk.StreamableHTTPOptions{MaxRequestBodyBytes: mostMessage, DisableLocalhostProtection: true} // see allowed
	stateful, single := common, common
	stateful.EventStore, stateful.SessionTimeout = newEvents(s.bodies, s.sessions.ended), s.Idle
	single.Stateless, single.PropagateRequestCancellation = true, true
	s.stateful = sdk.NewStreamableHTTPHandler(server, &stateful)
	s.single = sdk.NewStreamableHTTPHandler(server, &single)
}

// Close ends all sessions.
func (s *Server) Close() {
	if s.sdk == nil {
		return
	}
	for session := range s.sdk.Sessions() {
		_ = session.Close()
	}
}

// Serve answers a request of a caller of the team, who has been checked.
func (s *Server) Serve(w http.ResponseWriter, r *http.Request, team string) {
	reply := &reply{ResponseWriter: w, bodies: s.bodies}
	if err := s.open(); err != nil {
		s.Log.Error("mcp", "err", err)
		reply.refuse(http.StatusServiceUnavailable, jsonrpc.CodeInternalError, "The tools cannot be offered right now.")
		return
	}
	if !s.allowed(r) {
		reply.refuse(http.StatusForbidden, jsonrpc.CodeInvalidRequest, "Forbidden: neither a web page nor a host name of strangers is let in here.")
		return
	}
	id := r.Header.Get(sessionHeader)
	switch {
	case r.Header.Get(versionHeader) >= sessionless && id == "":
		s.pass(reply, r, team, s.single)
	case id != "" && !s.sessions.of(team, id):
		reply.refuse(http.StatusNotFound, jsonrpc.CodeInvalidRequest, "There is no such session. Begin a new one with initialize.")
	case id == "" && r.Method == http.MethodPost:
		s.begin(reply, r, team)
	default:
		s.pass(reply, r, team, s.stateful)
	}
}

// begin starts a session, if the message asks for one and the team may have more.
func (s *Server) begin(w *reply, r *http.Request, team string) {
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, mostMessage))
	if tooLarge, ok := errors.AsType[*http.MaxBytesError](err); ok {
		w.refuse(http.StatusRequestEntityTooLarge, jsonrpc.CodeInvalidRequest, "The message is larger than "+strconv.FormatInt(tooLarge.Limit>>20, 10)+" MB.")
		return
	}
	var message struct{ Method string }
	switch {
	case err != nil:
		w.refuse(http.StatusBadRequest, jsonrpc.CodeInvalidRequest, "The message could not be read.")
		return
	case !json.Valid(body):
		w.refuse(http.StatusBadRequest, jsonrpc.CodeParseError, "The message is not JSON.")
		return
	case json.Unmarshal(body, &message) != nil || message.Method != "initialize":
		w.refuse(http.StatusBadRequest, jsonrpc.CodeInvalidRequest, "The header "+sessionHeader+" is missing. A session begins with initialize.")
		return
	case !s.sessions.reserve(team):
		w.Header().Set("Retry-After", "60")
		w.refuse(http.StatusTooManyRequests, jsonrpc.CodeInvalidRequest, "The team has "+strconv.Itoa(s.Sessions)+" sessions, which is as many as it may have. End some with DELETE.")
		return
	}
	w.begun = func(id string) { s.sessions.settle(team, id) }
	r.Body = io.NopCloser(bytes.NewReader(body))
	s.pass(w, r, team, s.stateful)
	if w.begun != nil { // nothing came of it
		s.sessions.settle(team, "")
	}
}

// pass hands a request to the SDK. It gets a context of its own: a session keeps the
// context that it began with, and must not keep all of a request alive.
func (s *Server) pass(w *reply, r *http.Request, team string, handler http.Handler) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	defer context.AfterFunc(r.Context(), cancel)()
	if r.Method == http.MethodGet { // it has nothing to finish
		defer context.AfterFunc(s.Draining, cancel)()
	}
	who := visitorOf(r)
	r = r.WithContext(ctx)
	if who.authorization == "" {
		r.Header.Set("Authorization", "Bearer none") // the SDK wants one, and keys are switched off
	}
	verify := func(context.Context, string, *http.Request) (*auth.TokenInfo, error) { return who.token(team), nil }
	auth.RequireBearerToken(verify, &auth.RequireBearerTokenOptions{AllowMissingExpiration: true})(handler).ServeHTTP(w, r)
	w.finish()
}

// allowed keeps web pages out that the operator has not let in: one that its browser
// sent here, and one whose own name was made to point to this machine.
func (s *Server) allowed(r *http.Request) bool {
	if local, ok := r.Context().Value(http.LocalAddrContextKey).(net.Addr); ok && loopback(local.String()) && !loopback(r.Host) && !s.public(r.Host) {
		return false
	}
	text := r.Header.Get("Origin")
	if text == "" || slices.Contains(s.Origins, text) {
		return true
	}
	origin, err := url.Parse(text)
	return err == nil && origin.Host != "" && (loopback(origin.Host) || strings.EqualFold(origin.Host, r.Host) || s.public(origin.Host))
}

func (s *Server) public(host string) bool {
	return s.PublicURL != nil && strings.EqualFold(host, s.PublicURL.Host)
}

func loopback(hostport string) bool {
	host := hostport
	if h, _, err := net.SplitHostPort(hostport); err == nil {
		host = h
	}
	ip := net.ParseIP(strings.Trim(host, "[]"))
	return host == "localhost" || ip != nil && ip.IsLoopback()
}

// reply is an answer over HTTP. What is refused in plain text becomes an error in
// the form of the protocol, and it notices the id of a session that begins.
type reply struct {
	http.ResponseWriter
	bodies  *bodies
	begun   func(id string)
	status  int           // of a refusal in plain text
	refusal *bytes.Buffer // its text
}

// WriteHeader holds back a refusal in plain text.
func (w *reply) WriteHeader(status int) {
	if id := w.Header().Get(sessionHeader); w.begun != nil && id != "" {
		w.begun(id)
		w.begun = nil
	}
	if status >= 400 && strings.HasPrefix(w.Header().Get("Content-Type"), "text/plain") {
		w.status, w.refusal = status, &bytes.Buffer{}
		return
	}
	w.ResponseWriter.WriteHeader(status)
}

func (w *reply) Write(b []byte) (int, error) {
	if w.refusal != nil {
		return w.refusal.Write(b)
	}
	if w.begun != nil {
		w.WriteHeader(http.StatusOK)
	}
	if !w.bodies.has(b) {
		return w.ResponseWriter.Write(b)
	}
	if err := w.bodies.write(w.ResponseWriter, b); err != nil {
		return 0, err
	}
	return len(b), nil
}

// Unwrap lets http.ResponseController reach the connection.
func (w *reply) Unwrap() http.ResponseWriter { return w.ResponseWriter }

// finish sends what was held back.
func (w *reply) finish() {
	if w.refusal == nil {
		return
	}
	text := strings.TrimSpace(w.refusal.String())
	w.refusal = nil
	w.refuse(w.status, jsonrpc.CodeInvalidRequest, text)
}

// refuse answers with an error that belongs to no request in particular.
func (w *reply) refuse(status int, code int64, message string) {
	body, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": nil, "error": jsonrpc.Error{Code: code, Message: message}})
	if err != nil { // neither can fail
		panic(err)
	}
	w.Header().Set("Content-Type", "application/json")
	w.ResponseWriter.WriteHeader(status)
	_, _ = w.ResponseWriter.Write(body)
}
