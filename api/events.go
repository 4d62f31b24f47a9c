package api

import (
	"bytes"
	"encoding/json"
	"errors"
	"net/http"
	"path"
	"strconv"
	"strings"
	"time"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/job"
)

// asksForEvents reports whether a request wants server-sent events.
func asksForEvents(r *http.Request) bool {
	return r.Method == http.MethodGet && strings.Contains(r.Header.Get("Accept"), eventType)
}

const eventType = "text/event-stream"

// events answers GET on a job of the kind with server-sent events: a document
// event for every document, numbered so that a client that comes back is not
// told again; a status event whenever the status has changed; and done at last.
func (s *Server) events(w *answer, r *http.Request, kind string) {
	ctx := r.Context()
	in := IDInput{ID: path.Base(r.URL.Path)}
	if err := trawl.Invalid(in.Validate()); err != nil {
		s.fail(w, r, err)
		return
	}
	skip, err := startOf(r)
	if err != nil {
		s.fail(w, r, err)
		return
	}
	j, err := s.job(ctx, kind, in.ID)
	if err != nil {
		s.fail(w, r, err)
		return
	}
	w.Header().Set("Content-Type", eventType)
	w.Header().Set("Cache-Control", "no-store")
	w.Header().Set("X-Accel-Buffering", "no") // proxies must pass events on as they come
	stream := &eventStream{w: w}
	j, err = s.follow(ctx, j, skip, s.eventPing, stream)
	switch {
	case err == nil:
		_ = stream.send("done", 0, stateOf(&j))
	case errors.Is(err, errGone), errors.Is(err, errDraining), ctx.Err() != nil:
	default:
		_ = stream.send("error", 0, s.public(ctx, err))
	}
}

// startOf returns how many documents the client knows already.
func startOf(r *http.Request) (int, error) {
	if last, err := strconv.ParseUint(r.Header.Get("Last-Event-ID"), 10, 31); err == nil { // one that is not ours tells nothing
		return int(last), nil
	}
	text := r.URL.Query().Get("skip")
	if text == "" {
		return 0, nil
	}
	skip, err := strconv.ParseUint(text, 10, 31)
	if err != nil {
		return 0, trawl.Errorf(trawl.CodeBadRequest, "Invalid pagination: skip: is not a number from 0 on")
	}
	return int(skip), nil
}

// eventStream writes events. It is a listener.
type eventStream struct {
	w    http.ResponseWriter
	last JobState
}

func (e *eventStream) document(number int, doc job.Document) error {
	return e.write("document", number, doc)
}

// state sends what has changed; otherwise a comment keeps the connection open.
func (e *eventStream) state(state JobState) error {
	seen := state
	seen.ExpiresAt, seen.Duration = "", nil // the first moves with the clock, the second is a pointer
	if seen == e.last {
		return e.flush([]byte(": ping\n\n"))
	}
	e.last = seen
	return e.send("status", 0, state)
}

func (e *eventStream) send(name string, number int, v any) error {
	data, err := json.Marshal(v)
	if err != nil {
		return err
	}
	return e.write(name, number, data)
}

// write writes one event. Its data is JSON on a single line.
func (e *eventStream) write(name string, number int, data []byte) error {
	var b bytes.Buffer
	b.WriteString("event: " + name + "\n")
	if number > 0 {
		b.WriteString("id: " + strconv.Itoa(number) + "\n")
	}
	b.WriteString("data: ")
	b.Write(data)
	b.WriteString("\n\n")
	return e.flush(b.Bytes())
}

func (e *eventStream) flush(b []byte) error {
	control := http.NewResponseController(e.w)
	_ = control.SetWriteDeadline(time.Now().Add(writeTime))
	if _, err := e.w.Write(b); err != nil {
		return err
	}
	return control.Flush()
}
