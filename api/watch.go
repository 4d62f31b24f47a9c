package api

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"path"
	"strings"
	"time"

	"github.com/coder/websocket"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/api/v1"
	"github.com/trawlhq/trawl/job"
)

// Close codes of the watcher's protocol that the standard does not name.
const (
	closeUnauthorized websocket.StatusCode = 3000
	closeForbidden    websocket.StatusCode = 3003
)

const (
	frameTime = 2 * time.Minute  // a watcher may take to receive one frame
	pongTime  = 20 * time.Second // and to answer a ping
)

// asksForSocket reports whether a request wants to become a socket. One that
// does not say so properly is an ordinary request.
func asksForSocket(r *http.Request) bool {
	return r.Method == http.MethodGet && r.ProtoAtLeast(1, 1) &&
		hasToken(r.Header, "Connection", "upgrade") && hasToken(r.Header, "Upgrade", "websocket") &&
		r.Header.Get("Sec-WebSocket-Version") == "13" && len(r.Header.Values("Sec-WebSocket-Key")) == 1
}

func hasToken(header http.Header, name, token string) bool {
	for _, line := range header.Values(name) {
		for element := range strings.SplitSeq(line, ",") {
			if strings.EqualFold(strings.TrimSpace(element), token) {
				return true
			}
		}
	}
	return false
}

// watch answers GET on a job with a socket that tells of the job until it is
// over. Some clients cannot stand a handshake that is refused: whatever is wrong
// with the request, it is accepted first and then told so.
func (s *Server) watch(w *answer, r *http.Request, rt entry) {
	// Clients that cannot set headers offer their key as the name of a protocol.
	key := firstOf(r.Header.Get("Sec-WebSocket-Protocol"))
	if key != "" && r.Header.Get("Authorization") == "" {
		r.Header.Set("Authorization", "Bearer "+key)
	}
	refusal := s.pass(w, r, rt)
	conn, err := websocket.Accept(w, r, &websocket.AcceptOptions{
		Subprotocols:       []string{key},
		InsecureSkipVerify: true, // any origin may: a caller is known by its key
	})
	if err != nil {
		return // and answered
	}
	defer conn.CloseNow()
	ctx := conn.CloseRead(r.Context())
	wire := &socket{conn: conn, ctx: ctx, ping: s.socketPing, last: time.Now(), gathers: key == "" || rt.v1, v1: rt.v1}
	if refusal == nil {
		refusal = s.serveWatcher(ctx, wire, rt.follows, path.Base(r.URL.Path))
	}
	switch {
	case refusal == nil:
		_ = conn.Close(websocket.StatusNormalClosure, "")
	case errors.Is(refusal, errDraining):
		_ = conn.Close(websocket.StatusGoingAway, "")
	case errors.Is(refusal, errGone), ctx.Err() != nil:
	default:
		body := s.public(r.Context(), refusal)
		_ = wire.send("error", "error", body.Message)
		_ = conn.Close(closeCode(body.status), "")
	}
}

func closeCode(status int) websocket.StatusCode {
	switch status {
	case http.StatusUnauthorized:
		return closeUnauthorized
	case http.StatusForbidden:
		return closeForbidden
	case http.StatusBadRequest, http.StatusNotFound:
		return websocket.StatusPolicyViolation
	case http.StatusTooManyRequests, http.StatusServiceUnavailable:
		return websocket.StatusTryAgainLater
	}
	return websocket.StatusInternalError
}

// serveWatcher sends a catchup with what there is, a document frame for each
// further document, and at the end a catchup with the final state. Clients stop
// listening at a final state, so that everything must have been sent before it;
// some add its documents to those they have, so that it repeats none. Others take
// its documents for all there are: they go by the frame done, which comes last for a
// job that was completed.
func (s *Server) serveWatcher(ctx context.Context, to *socket, kind, id string) error {
	in := IDInput{ID: id}
	if err := trawl.Invalid(in.Validate()); err != nil {
		return err
	}
	j, err := s.job(ctx, kind, id)
	if err != nil {
		return err
	}
	docs, err := s.documents(ctx, &j, 0, pageOfFollower)
	if err != nil {
		return err
	}
	sent := 0
	if !j.Done() || len(docs) == j.Completed {
		if err := to.catchup(&JobStatus{JobState: stateOf(&j), Data: docs}); err != nil {
			return fmt.Errorf("%w: %w", errGone, err)
		}
		sent = len(docs)
	}
	over := j.Done() && sent == j.Completed
	if !over {
		if j, err = s.follow(ctx, j, sent, s.socketPing, to); err != nil {
			return err
		}
		if !to.gathers || j.State != trawl.StateCompleted {
			if err := to.catchup(&JobStatus{JobState: stateOf(&j)}); err != nil {
				return fmt.Errorf("%w: %w", errGone, err)
			}
		}
	}
	if j.State != trawl.StateCompleted {
		return nil
	}
	if err := to.send("done", "data", stateOf(&j)); err != nil {
		return fmt.Errorf("%w: %w", errGone, err)
	}
	return nil
}

// socket writes the frames of a watcher. It is a listener.
type socket struct {
	conn *websocket.Conn
	ctx  context.Context // of the connection
	ping time.Duration
	last time.Time // of the last frame

	// gathers says that the client keeps documents until the frame done, as those do
	// that send their key as a header, and those of the first version, for which a
	// second catchup repeats the first.
	gathers bool

	v1 bool // documents are told in the words of the first version
}

func (s *socket) document(_ int, doc job.Document) error {
	if s.v1 {
		doc = v1.Document(doc)
	}
	return s.write(bytes.Join([][]byte{[]byte(`{"type":"document","data":`), doc, []byte("}")}, nil))
}

// state sends nothing, for watchers learn of the state at the end; but it makes
// sure that a silent connection is not taken for a dead one, nor a dead one for
// a silent one.
func (s *socket) state(JobState) error {
	if time.Since(s.last) < s.ping {
		return nil
	}
	s.last = time.Now()
	ctx, cancel := context.WithTimeout(s.ctx, pongTime)
	defer cancel()
	return s.conn.Ping(ctx)
}

func (s *socket) catchup(view *JobStatus) error {
	if s.v1 {
		view.Data = firstDocuments(view.Data)
	}
	b := bytes.NewBufferString(`{"type":"catchup","data":`)
	if err := view.writeJSON(b); err != nil {
		return err
	}
	b.WriteByte('}')
	return s.write(b.Bytes())
}

// send sends a frame of a type with a value.
func (s *socket) send(kind, field string, v any) error {
	frame, err := json.Marshal(map[string]any{"type": kind, field: v})
	if err != nil {
		return err
	}
	return s.write(frame)
}

func (s *socket) write(frame []byte) error {
	ctx, cancel := context.WithTimeout(s.ctx, frameTime)
	defer cancel()
	s.last = time.Now()
	return s.conn.Write(ctx, websocket.MessageText, frame)
}
