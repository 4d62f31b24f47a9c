package api

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/netip"
	"path"
	"regexp"
	"runtime/debug"
	"strings"
	"time"

	"github.com/google/uuid"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/api/v1"
)

// visit is what handlers know of a request besides its input.
type visit struct {
	id       string
	request  *http.Request
	body     []byte // if it is JSON
	caller   trawl.Caller
	secret   string // the key itself; empty when keys are switched off
	discreet bool   // the log must not tell what it is about
	code     string // of its failure, if it failed and that has a name
	deed     deed

	v1 *v1.Request // what was translated, if it is a request of the first version
}

// version is the first part of the path.
func (v *visit) version() string {
	if v.v1 != nil {
		return "/v1"
	}
	return "/v2"
}

type visitKey struct{}

func visitOf(ctx context.Context) *visit {
	v, ok := ctx.Value(visitKey{}).(*visit)
	if !ok {
		return &visit{}
	}
	return v
}

// ServeHTTP answers one request, counts it and writes a line to the log. The
// line names the route, never the address or the body.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.inFlight.Add(1)
	defer s.inFlight.Add(-1)
	start := time.Now()
	arriveWithin(w, r, s.bodyTimes.stranger)
	v := &visit{id: incomingID(r.Header.Get("X-Request-Id"))}
	v.request = r.WithContext(context.WithValue(r.Context(), visitKey{}, v))
	r = v.request
	answer := &answer{ResponseWriter: w}
	answer.Header().Set("X-Request-Id", v.id)
	pattern := s.serve(answer, r)
	elapsed := time.Since(start)
	s.metrics.observe(pattern, answer.status, elapsed)
	s.audit(v, pattern, answer.status)
	if s.Log.Enabled(r.Context(), slog.LevelDebug) {
		s.Log.LogAttrs(r.Context(), slog.LevelDebug, "request", slog.String("request", v.id),
			slog.String("route", pattern), slog.Int("status", answer.status), slog.Duration("took", elapsed))
	}
}

// serve finds the route and takes the request through the gate to its handler.
func (s *Server) serve(w *answer, r *http.Request) (pattern string) {
	defer func() {
		if v := recover(); v != nil {
			if err, ok := v.(error); ok && errors.Is(err, http.ErrAbortHandler) {
				panic(v)
			}
			s.fail(w, r, fmt.Errorf("panic: %v\n%s", v, debug.Stack()))
		}
	}()
	w.Header().Set("X-Content-Type-Options", "nosniff")
	if !s.AuthOff {
		w.Header().Set("Access-Control-Allow-Origin", "*")
		if r.Method == http.MethodOptions {
			preflight(w)
			return "OPTIONS"
		}
		if r.Header.Get("Origin") != "" {
			w.Header().Set("Access-Control-Expose-Headers", "RateLimit, RateLimit-Policy, Retry-After, X-Request-Id, Mcp-Session-Id")
		}
	}
	r = tidied(r)
	handler, pattern := s.mux.Handler(r)
	if pattern == "" && s.takeKeyFromPath(r) {
		handler, pattern = s.mux.Handler(r)
	}
	rt, ok := s.routes[pattern]
	if !ok || !cleanPath(r.URL.EscapedPath()) { // the mux would redirect to the clean one
		s.lost(w, r, handler)
		return "none"
	}
	if s.WorkerOnly && rt.tag != tagService {
		s.fail(w, r, errNothing())
		return "none"
	}
	if rt.v1 {
		visitOf(r.Context()).v1 = &v1.Request{}
	}
	if rt.follows != "" && asksForSocket(r) {
		s.watch(w, r, rt)
		return pattern
	}
	events := rt.follows != "" && !rt.v1 && asksForEvents(r)
	if err := s.pass(w, r, rt); err != nil {
		s.fail(w, r, err)
		return pattern
	}
	if events {
		s.events(w, r, rt.follows)
		return pattern + " events" // they last as long as the job
	}
	s.mux.ServeHTTP(w, r)
	return pattern
}

// versioned are the paths that begin with a version of the API.
var versioned = regexp.MustCompile(`^/+v[0-2](/|$)`)

// tidied returns a request whose path lacks empty segments, if it is one of the
// API: base addresses often end in a slash too many, and so do some paths.
func tidied(r *http.Request) *http.Request {
	escaped := r.URL.EscapedPath()
	if !versioned.MatchString(escaped) || !strings.Contains(escaped, "//") && !strings.HasSuffix(escaped, "/") {
		return r
	}
	segments := strings.FieldsFunc(escaped, func(c rune) bool { return c == '/' })
	return withPath(r, "/"+strings.Join(segments, "/"))
}

// cleanPath reports whether a path has no empty and no dot segments. It is the
// escaped path: what is escaped in a segment belongs to the segment, for the mux too.
func cleanPath(p string) bool {
	return p == "/" || path.Clean(p) == strings.TrimSuffix(p, "/")
}

// lost answers a request that no route takes: the mux knows whether the path or
// only the method is wrong.
func (s *Server) lost(w *answer, r *http.Request, handler http.Handler) {
	probe := &probe{header: http.Header{}}
	handler.ServeHTTP(probe, r)
	if probe.status == http.StatusMethodNotAllowed {
		w.Header().Set("Allow", probe.header.Get("Allow"))
		s.fail(w, r, trawl.Errorf(trawl.CodeMethodNotAllowed, "This path does not take the method %s.", r.Method))
		return
	}
	s.fail(w, r, noRoute(r))
}

// noRoute says what is wrong with a path, as far as it can be told.
func noRoute(r *http.Request) error {
	segments := strings.Split(strings.TrimPrefix(r.URL.Path, "/"), "/")
	switch {
	case segments[0] == "v0":
		return trawl.Errorf(trawl.CodeGone, "The v0 API is not offered; use /v2.")
	case len(segments) > 1 && isVersion(segments[0]) && isVersion(segments[1]):
		return trawl.Errorf(trawl.CodeNotFound,
			"The path begins with /%s/%s: give your client the base address of this server without /%s, which it adds itself.",
			segments[0], segments[1], segments[0])
	case r.Method == http.MethodPost && r.URL.Path == "/v1/llmstxt":
		return trawl.Errorf(trawl.CodeGone, "/v1/llmstxt is not offered; use /v2/crawl and make the text of its documents.")
	case r.Method == http.MethodPost && r.URL.Path == "/v1/deep-research":
		return trawl.Errorf(trawl.CodeGone, "/v1/deep-research is not offered; use /v2/search with scrapeOptions.")
	}
	return errNothing()
}

func isVersion(segment string) bool { return segment == "v0" || segment == "v1" || segment == "v2" }

func errNothing() error {
	return trawl.Errorf(trawl.CodeNotFound, "There is nothing at this path. The paths are listed at /docs.")
}

// fail writes an error body, unless an answer has begun.
func (s *Server) fail(w *answer, r *http.Request, err error) {
	body := s.public(r.Context(), err)
	if w.status != 0 {
		return
	}
	if body.status == http.StatusUnauthorized {
		w.Header().Set("WWW-Authenticate", "Bearer")
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(body.status)
	_ = jsonFormat.Marshal(w, body)
}

// preflight lets pages of any origin call the API: a caller is known by its key,
// which no browser adds on its own.
func preflight(w http.ResponseWriter) {
	h := w.Header()
	h.Set("Access-Control-Allow-Methods", "GET, POST, PUT, PATCH, DELETE, OPTIONS")
	h.Set("Access-Control-Allow-Headers", "*, Authorization")
	h.Set("Access-Control-Max-Age", "86400")
	w.WriteHeader(http.StatusNoContent)
}

// incomingID keeps a caller's request id if it is harmless, else makes one.
func incomingID(id string) string {
	harmless := func(c rune) bool {
		return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || strings.ContainsRune("-_.:", c)
	}
	if id != "" && len(id) <= 128 && strings.IndexFunc(id, func(c rune) bool { return !harmless(c) }) < 0 {
		return id
	}
	return uuid.Must(uuid.NewV7()).String()
}

// answer notes the status of a response.
type answer struct {
	http.ResponseWriter
	status int
}

// writeTime is how long a caller may take to receive an answer.
const writeTime = 5 * time.Minute

// WriteHeader notes the status, completes the content type and sets the clock
// for a caller that reads slowly.
func (a *answer) WriteHeader(status int) {
	if a.status == 0 {
		a.status = status
		_ = http.NewResponseController(a.ResponseWriter).SetWriteDeadline(time.Now().Add(writeTime))
		if h := a.Header(); h.Get("Content-Type") == "application/json" {
			h.Set("Content-Type", "application/json; charset=utf-8")
		}
	}
	a.ResponseWriter.WriteHeader(status)
}

// Write implies a status of 200.
func (a *answer) Write(b []byte) (int, error) {
	if a.status == 0 {
		a.WriteHeader(http.StatusOK)
	}
	return a.ResponseWriter.Write(b)
}

// Unwrap lets http.ResponseController reach the connection.
func (a *answer) Unwrap() http.ResponseWriter { return a.ResponseWriter }

// probe collects the status and headers that a handler would send.
type probe struct {
	header http.Header
	status int
}

func (p *probe) Header() http.Header         { return p.header }
func (p *probe) Write(b []byte) (int, error) { return len(b), nil }
func (p *probe) WriteHeader(status int)      { p.status = status }

// baseURL returns the base of absolute addresses: the configured one, else what
// a trusted proxy says, else what the request itself says.
func (s *Server) baseURL(r *http.Request) string {
	if s.PublicURL != nil {
		return strings.TrimSuffix(s.PublicURL.String(), "/")
	}
	scheme, host := "http", r.Host
	if r.TLS != nil {
		scheme = "https"
	}
	if s.trusted(r.RemoteAddr) {
		if proto := firstOf(r.Header.Get("X-Forwarded-Proto")); proto == "http" || proto == "https" {
			scheme = proto
		}
		if forwarded := firstOf(r.Header.Get("X-Forwarded-Host")); validHostPort(forwarded) {
			host = forwarded
		}
	}
	return scheme + "://" + host
}

func (s *Server) trusted(remote string) bool {
	peer, err := netip.ParseAddrPort(remote)
	if err != nil {
		return false
	}
	for _, prefix := range s.TrustedProxies {
		if prefix.Contains(peer.Addr().Unmap()) {
			return true
		}
	}
	return false
}

// firstOf returns the first element of a comma-separated header: the one that
// the proxy nearest to the caller wrote.
func firstOf(header string) string {
	first, _, _ := strings.Cut(header, ",")
	return strings.TrimSpace(first)
}

func validHostPort(host string) bool {
	return host != "" && len(host) <= 260 && strings.IndexFunc(host, func(c rune) bool {
		return !(c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || strings.ContainsRune(".-:[]", c))
	}) < 0
}
