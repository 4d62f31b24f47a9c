package api

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"mime"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/limit"
)

// Limits on bodies. Without a valid key only small ones are read at all: enough
// to tell a caller of its JSON error, not enough to fill the memory.
const (
	mostBody     = 10 << 20
	mostBodyAnon = 64 << 10
	mostTrusted  = 4 << 20 // of what a caller says it will send, as far as memory goes
)

// bodyTimes are how long bodies may take to arrive.
type bodyTimes struct {
	stranger time.Duration // without a valid key, or where nobody reads it
	caller   time.Duration
	upload   time.Duration
}

// pass takes a request through the checks that come before its validation: JSON
// syntax, key, rate limit, credits. An upload is read only after them.
func (s *Server) pass(w http.ResponseWriter, r *http.Request, rt entry) error {
	if !rt.accepts {
		r.Header.Del("Accept") // there is one representation
	}
	if rt.public() {
		return nil
	}
	if err := checkTwice(r.Header); err != nil {
		return err
	}
	who, authErr := s.authenticate(r, rt)
	if authErr != nil && trawl.ErrorCode(authErr) != trawl.CodeUnauthorized {
		return authErr
	}
	takesJSON := (r.Method == http.MethodPost || r.Method == http.MethodPatch) && !rt.upload
	if takesJSON {
		if err := s.readJSON(w, r, authErr, rt.bodyless); err != nil {
			return err
		}
	}
	if authErr != nil {
		return authErr
	}
	s.recognise(r.Context())
	if err := s.takeRate(w, who.Team.ID, rt.class); err != nil {
		return err
	}
	if err := who.Unpaid(rt.credits); err != nil {
		return err
	}
	visitOf(r.Context()).caller = who
	if takesJSON || rt.upload {
		return nil
	}
	return discard(r)
}

// discard reads a body that its route has no use for. As long as it is unread,
// nobody notices that the caller is gone.
func discard(r *http.Request) error {
	switch _, err := io.CopyN(io.Discard, r.Body, mostBodyAnon); err {
	case io.EOF:
		r.Body, r.ContentLength = http.NoBody, 0
		return nil
	case nil: // there is more; the connection will be closed
		return nil
	default:
		return errBody(err)
	}
}

func errBody(err error) error {
	return trawl.Wrap(trawl.CodeBadRequest, "The request body could not be read.", err)
}

// checkTwice refuses headers that are given twice and mean one thing: a proxy and
// this server may disagree on which one counts.
func checkTwice(header http.Header) error {
	for _, name := range []string{"Authorization", "Content-Type", "X-Idempotency-Key"} {
		if len(header.Values(name)) > 1 {
			return trawl.Errorf(trawl.CodeBadRequest, "The header %s is given twice.", name)
		}
	}
	return nil
}

// authenticate finds the caller. Unknown, revoked and expired keys get one answer;
// one that is restricted is told to what.
func (s *Server) authenticate(r *http.Request, rt entry) (trawl.Caller, error) {
	if s.AuthOff {
		return s.anonymous(r)
	}
	header := strings.TrimSpace(r.Header.Get("Authorization"))
	if header == "" {
		return trawl.Caller{}, trawl.Errorf(trawl.CodeUnauthorized, "Unauthorized")
	}
	scheme, secret, _ := strings.Cut(header, " ")
	secret = strings.TrimSpace(secret)
	if !strings.EqualFold(scheme, "bearer") || secret == "" {
		return trawl.Caller{}, trawl.Errorf(trawl.CodeUnauthorized, "Unauthorized: Token missing")
	}
	who, err := s.callers.find(r.Context(), trawl.HashSecret(secret), rt.route)
	if trawl.ErrorCode(err) == trawl.CodeUnauthorized || err == nil && !who.Key.Valid(s.Now()) {
		return trawl.Caller{}, trawl.Errorf(trawl.CodeUnauthorized, "Unauthorized: Invalid token")
	}
	if err != nil {
		return trawl.Caller{}, fmt.Errorf("look up key: %w", err)
	}
	v := visitOf(r.Context())
	v.caller, v.secret = who, secret
	if err := rt.permit(&who.Key); err != nil {
		return trawl.Caller{}, err
	}
	return who, nil
}

// anonymous is the caller when keys are switched off. The server then listens
// on loopback only; a page in a browser on the same machine must not reach it,
// neither by a name of its own that points there nor across origins.
func (s *Server) anonymous(r *http.Request) (trawl.Caller, error) {
	origin, err := url.Parse(r.Header.Get("Origin"))
	if !loopbackHost(r.Host) || err != nil || r.Header.Get("Origin") != "" && !loopbackHost(origin.Host) {
		return trawl.Caller{}, trawl.Errorf(trawl.CodeForbidden, "Without keys this server answers only to its loopback address.")
	}
	team, err := s.Store.Team(r.Context(), trawl.DefaultTeam)
	if err != nil {
		return trawl.Caller{}, fmt.Errorf("look up default team: %w", err)
	}
	return trawl.Caller{Team: team}, nil
}

func loopbackHost(hostport string) bool {
	host := hostport
	if h, _, err := net.SplitHostPort(hostport); err == nil {
		host = h
	}
	ip := net.ParseIP(strings.Trim(host, "[]"))
	return host == "localhost" || ip != nil && ip.IsLoopback()
}

// takeRate counts the request and tells the caller of its quota.
func (s *Server) takeRate(w http.ResponseWriter, team, class string) error {
	d := s.rate.Take(team, class, s.Rates[class])
	reset := strconv.Itoa(int(math.Ceil(d.Reset.Seconds())))
	quota := `"` + class + `";`
	h := w.Header()
	// Set would write these names as Ratelimit.
	h["RateLimit-Policy"] = []string{quota + "q=" + strconv.Itoa(d.Limit) + ";w=" + strconv.Itoa(int(limit.Window.Seconds()))}
	h["RateLimit"] = []string{quota + "r=" + strconv.Itoa(d.Remaining) + ";t=" + reset}
	if d.Allowed {
		return nil
	}
	h.Set("Retry-After", reset)
	return trawl.Errorf(trawl.CodeRateLimited,
		"Rate limit exceeded. %d requests a minute are allowed for %s; please retry after %ss.", d.Limit, class, reset)
}

// readJSON reads the body, checks its syntax and puts it back. Where a route can
// do without one, nothing at all is an empty object.
func (s *Server) readJSON(w http.ResponseWriter, r *http.Request, authErr error, bodyless bool) error {
	if label := r.Header.Get("Content-Type"); label != "" {
		mediaType, _, err := mime.ParseMediaType(label)
		if err != nil || mediaType != "application/json" && !strings.HasSuffix(mediaType, "+json") {
			return trawl.Errorf(trawl.CodeMediaType, "Unsupported content type: send application/json.")
		}
		r.Header.Set("Content-Type", "application/json")
	}
	most := int64(mostBody)
	if authErr != nil {
		most = mostBodyAnon
	}
	var body []byte
	var err error = &http.MaxBytesError{Limit: most} // unless it says that it is smaller
	if r.ContentLength <= most {
		body, err = s.readBody(w, r, most, authErr == nil)
	}
	var tooLarge *http.MaxBytesError
	switch {
	case errors.As(err, &tooLarge) && authErr != nil:
		return authErr
	case errors.As(err, &tooLarge):
		return trawl.Errorf(trawl.CodeTooLarge, "The request body is larger than %d MB.", mostBody>>20)
	case err != nil:
		return errBody(err)
	}
	if len(body) == 0 && bodyless {
		body = []byte("{}")
	}
	r.Body = io.NopCloser(bytes.NewReader(body))
	visitOf(r.Context()).body = body
	return checkJSON(body)
}

// readBody reads the body. A request is in flight once it is known to be a
// caller's: the server does not put off its end for what a stranger may send.
func (s *Server) readBody(w http.ResponseWriter, r *http.Request, most int64, known bool) ([]byte, error) {
	if known {
		arriveWithin(w, r, s.bodyTimes.caller)
	} else {
		s.inFlight.Add(-1)
		defer s.inFlight.Add(1)
	}
	var buf bytes.Buffer
	if n := min(r.ContentLength, most, mostTrusted); n > 0 {
		buf.Grow(int(n) + bytes.MinRead)
	}
	_, err := buf.ReadFrom(http.MaxBytesReader(w, r.Body, most))
	return buf.Bytes(), err
}

// checkJSON accepts one JSON value of valid UTF-8 whose objects name no key twice.
func checkJSON(body []byte) error {
	decoder := jsontext.NewDecoder(bytes.NewBuffer(body))
	_, err := decoder.ReadValue()
	if err == nil {
		if _, err = decoder.ReadToken(); err == io.EOF {
			return nil
		}
		err = errors.New("more than one value")
	}
	if errors.Is(err, jsontext.ErrDuplicateName) {
		return trawl.Invalid([]trawl.Issue{{Code: "duplicate_key", Message: "is given twice", Path: duplicatePath(err)}})
	}
	return trawl.Wrap(trawl.CodeInvalidJSON, "Bad request, malformed JSON", err)
}
