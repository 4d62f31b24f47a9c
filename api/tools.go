package api

import (
	"context"
	"net/http"
	"strings"
	"time"
)

// MCP speaks the Model Context Protocol. It calls this API for what it does.
type MCP interface {
	Serve(w http.ResponseWriter, r *http.Request, team string)
}

// mcpPath is where it is.
const mcpPath = "/mcp"

// registerMCP puts the protocol into the table, if the operator wants it. It is no part
// of what the OpenAPI document describes: the protocol describes itself.
func (s *Server) registerMCP() {
	if s.MCP == nil || s.WorkerOnly {
		return
	}
	for _, method := range []string{http.MethodGet, http.MethodPost, http.MethodDelete} {
		r := route{method: method, path: mcpPath, tag: "MCP", class: ClassStatus}
		s.routes[r.pattern()] = entry{route: r, upload: true, accepts: true, page: true}
		s.mux.HandleFunc(r.pattern(), func(w http.ResponseWriter, req *http.Request) { s.serveMCP(w.(*answer), req) })
	}
}

// serveMCP passes a message on, whose caller the gate has found.
func (s *Server) serveMCP(w *answer, r *http.Request) {
	arriveWithin(w, r, s.bodyTimes.caller)
	w.Header().Set("Cache-Control", "no-store")
	w.Header().Set("X-Accel-Buffering", "no")
	s.tools.Serve(&stream{w}, r, visitOf(r.Context()).caller.Team.ID)
}

// Draining ends when the server is about to stop.
func (s *Server) Draining() context.Context { return s.draining }

// takeKeyFromPath makes a request for /{key}/mcp one for /mcp with that key, for clients
// that cannot send headers. It reports whether it was one.
func (s *Server) takeKeyFromPath(r *http.Request) bool {
	key, found := strings.CutSuffix(strings.TrimPrefix(r.URL.Path, "/"), mcpPath)
	if !s.KeyInPath || !found || key == "" || strings.Contains(key, "/") || r.Header.Get("Authorization") != "" {
		return false
	}
	r.Header.Set("Authorization", "Bearer "+key)
	r.URL.Path, r.URL.RawPath = mcpPath, ""
	return true
}

// stream is an answer that may go on for long: only the next piece has to arrive in
// time.
type stream struct{ *answer }

func (s *stream) Write(b []byte) (int, error) {
	_ = http.NewResponseController(s.ResponseWriter).SetWriteDeadline(time.Now().Add(writeTime))
	return s.answer.Write(b)
}
