package api_test

import (
	"bufio"
	"context"
	"encoding/json"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/coder/websocket"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/api"
	"github.com/trawlhq/trawl/internal/testtime"
)

// frame is what a watcher gets.
type frame struct {
	Type  string
	Data  json.RawMessage
	Error string
}

// view reads the data of a catchup.
func (f frame) view() reply {
	r := reply{raw: f.Data}
	_ = json.Unmarshal(f.Data, &r.json)
	return r
}

type watcher struct {
	t    *testing.T
	conn *websocket.Conn
}

// dial opens a socket; the key is offered as a protocol unless there is a header.
func (s *service) dial(t *testing.T, path, key string, header http.Header) watcher {
	t.Helper()
	options := &websocket.DialOptions{HTTPHeader: header, HTTPClient: s.server.Client()}
	if key != "" {
		options.Subprotocols = []string{key}
	}
	conn, response, err := websocket.Dial(t.Context(), s.server.URL+path, options)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.CloseNow() })
	if conn.Subprotocol() != key || response.StatusCode != http.StatusSwitchingProtocols {
		t.Errorf("protocol %q, offered %q", conn.Subprotocol(), key)
	}
	conn.SetReadLimit(64 << 20)
	return watcher{t, conn}
}

// read returns the next frame, or the code with which the socket was closed.
func (w watcher) read() (frame, websocket.StatusCode) {
	w.t.Helper()
	ctx := testtime.Context(w.t)
	kind, raw, err := w.conn.Read(ctx)
	if err != nil {
		if code := websocket.CloseStatus(err); code != -1 {
			return frame{}, code
		}
		w.t.Fatal(err)
	}
	var f frame
	if err := json.Unmarshal(raw, &f); err != nil || kind != websocket.MessageText {
		w.t.Fatalf("%v: %.200s", err, raw)
	}
	return f, 0
}

// want reads the next frame, which must be of the type.
func (w watcher) want(kind string) frame {
	w.t.Helper()
	f, code := w.read()
	if f.Type != kind {
		w.t.Fatalf("got %q (closed with %d), want %q: %.300s", f.Type, code, kind, f.Data)
	}
	return f
}

func (w watcher) wantClose(want websocket.StatusCode) {
	w.t.Helper()
	if f, code := w.read(); code != want {
		w.t.Errorf("closed with %d (%+v), want %d", code, f, want)
	}
}

// startHalf starts a crawl of two pages and waits until one of them is done. The
// other is once open is called.
func startHalf(t *testing.T) (s *service, path string, open func()) {
	t.Helper()
	s = startWorking(t)
	s.site.linked("/start", "/start/slow")
	open = s.site.gated(t, "/start/slow")
	path = crawlPath + "/" + s.post(crawlPath, s.body("/start"))
	s.completed(path, 1)
	return s, path, open
}

func TestWatch(t *testing.T) {
	t.Parallel()
	s, path, open := startHalf(t)
	w := s.dial(t, path, s.key, nil)
	first := w.want("catchup").view()
	if first.str("status") != "scraping" || first.at("success") != true || len(first.data()) != 1 {
		t.Errorf("%s", first.raw)
	}
	open()
	second := w.want("document")
	last := w.want("catchup").view()
	if last.str("status") != "completed" || last.at("completed") != 2.0 || len(last.data()) != 0 || !strings.Contains(string(last.raw), `"data":[]`) {
		t.Errorf("%s", last.raw)
	}
	if done := w.want("done").view(); done.at("completed") != 2.0 || done.at("data") != nil {
		t.Errorf("%s", done.raw)
	}
	w.wantClose(websocket.StatusNormalClosure)
	if docs := s.get(path).data(); !slices.Equal(docs, []string{first.data()[0], string(second.Data)}) {
		t.Error("the status view has other bytes than the frames")
	}
}

// TestWatchStates watches jobs that are over in all ways, with the key in a
// header as other clients have it.
// TestWatchByHeader sends the key as a header, as clients do that gather documents
// until the frame done and would take those of a last catchup for all there are.
func TestWatchByHeader(t *testing.T) {
	t.Parallel()
	s, path, open := startHalf(t)
	w := s.dial(t, path, "", http.Header{"Authorization": {"Bearer " + s.key}})
	w.want("catchup")
	open()
	w.want("document")
	if last := w.want("done").view(); last.str("status") != "completed" || last.at("completed") != 2.0 {
		t.Errorf("%s", last.raw)
	}
	w.wantClose(websocket.StatusNormalClosure)
}

func TestWatchStates(t *testing.T) {
	t.Parallel()
	s := startWorking(t)
	header := http.Header{"Authorization": {"Bearer " + s.key}}
	s.site.gated(t, "/slow")
	completed := batchPath + "/" + s.batch("/")
	s.over(completed)
	w := s.dial(t, completed, "", header)
	if view := w.want("catchup").view(); view.str("status") != "completed" || len(view.data()) != 1 {
		t.Errorf("%s", view.raw)
	}
	w.want("done")
	w.wantClose(websocket.StatusNormalClosure)

	running := batchPath + "/" + s.batch("/", "/slow")
	s.completed(running, 1)
	w = s.dial(t, running, "", header)
	w.want("catchup")
	s.do(call{method: http.MethodDelete, path: running, key: s.key}).want(t, http.StatusOK)
	if view := w.want("catchup").view(); view.str("status") != "cancelled" {
		t.Errorf("%s", view.raw)
	}
	w.wantClose(websocket.StatusNormalClosure)
}

// TestWatchLarge watches a job with more documents than fit into the catchup:
// they come before the final state, at which clients stop listening.
func TestWatchLarge(t *testing.T) {
	t.Parallel()
	s := startWorking(t)
	for _, page := range []string{"/1", "/2", "/3"} {
		s.site.page(page, "text/html", "<title>"+page+"</title><p>"+strings.Repeat("word ", 1<<20))
	}
	path := batchPath + "/" + s.post(batchPath, strings.Replace(s.urls("/1", "/2", "/3"), "{", `{"formats":["rawHtml"],`, 1))
	s.over(path)
	w := s.dial(t, path, s.key, nil)
	for range 3 {
		w.want("document")
	}
	if view := w.want("catchup").view(); view.str("status") != "completed" || len(view.data()) != 0 {
		t.Errorf("%.300s", view.raw)
	}
	w.want("done")
	w.wantClose(websocket.StatusNormalClosure)
}

// TestWatchRefused sees that every handshake is accepted, told and then closed.
func TestWatchRefused(t *testing.T) {
	t.Parallel()
	s := startWorking(t, func(c *api.Config) { c.Rates[api.ClassStatus] = 20 })
	path := batchPath + "/" + s.batch("/")
	_, stranger := s.newTeam(trawl.Team{Name: "stranger"})
	unknown := "/018f0000-0000-7000-8000-000000000000"
	for _, row := range []struct {
		name, path, key, message string
		code                     websocket.StatusCode
	}{
		{"no key", path, "", "Unauthorized", 3000},
		{"unknown key", path, "fc-nonsense", "Unauthorized: Invalid token", 3000},
		{"another team's job", path, stranger, "Job not found", 1008},
		{"unknown job", crawlPath + unknown, s.key, "Job not found", 1008},
		{"a batch is no crawl", strings.Replace(path, batchPath, crawlPath, 1), s.key, "Job not found", 1008},
		{"no id", crawlPath + "/nonsense", s.key, "Invalid job ID format. Job ID must be a valid UUID.", 1008},
	} {
		t.Run(row.name, func(t *testing.T) {
			w := s.dial(t, row.path, row.key, nil)
			if f := w.want("error"); f.Error != row.message {
				t.Errorf("%+v", f)
			}
			w.wantClose(row.code)
		})
	}
	for range 20 {
		s.get(path)
	}
	w := s.dial(t, path, s.key, nil)
	if f := w.want("error"); !strings.HasPrefix(f.Error, "Rate limit exceeded") {
		t.Errorf("%+v", f)
	}
	w.wantClose(websocket.StatusTryAgainLater)
	half := map[string]string{"Connection": "Upgrade", "Upgrade": "websocket"}
	s.do(call{method: http.MethodGet, path: path, key: stranger, header: half}).want(t, http.StatusNotFound) // not a proper handshake
}

func TestWatchWithoutKeys(t *testing.T) {
	t.Parallel()
	s := startWorking(t, func(c *api.Config) { c.AuthOff = true })
	path := batchPath + "/" + s.batch("/")
	w := s.dial(t, path, "", nil)
	w.want("catchup")
	w = s.dial(t, path, "", http.Header{"Origin": {"https://evil.example"}})
	w.want("error")
	w.wantClose(3003)
}

func TestWatchEndsWithServer(t *testing.T) {
	t.Parallel()
	s := startWorking(t)
	s.site.gated(t, "/slow")
	path := batchPath + "/" + s.batch("/slow")
	w := s.dial(t, path, s.key, nil)
	w.want("catchup")
	s.api.Drain()
	w.wantClose(websocket.StatusGoingAway)
	for s.api.InFlight() > 0 {
		time.Sleep(time.Millisecond)
	}
	metrics := string(s.do(call{method: http.MethodGet, path: "/metrics"}).raw)
	if !strings.Contains(metrics, `trawl_http_request_seconds_count{route="GET /v2/batch/scrape/{id}",status="101"} 1`) {
		t.Error("the socket is not counted")
	}
}

// TestSilenceIsBroken sees that a quiet connection hears a ping.
func TestSilenceIsBroken(t *testing.T) {
	t.Parallel()
	s := startWorking(t)
	s.api.PingEvery(time.Millisecond)
	s.site.gated(t, "/slow")
	path := batchPath + "/" + s.batch("/slow")
	pinged := make(chan struct{}, 100)
	conn, _, err := websocket.Dial(t.Context(), s.server.URL+path, &websocket.DialOptions{
		Subprotocols:   []string{s.key},
		OnPingReceived: func(context.Context, []byte) bool { pinged <- struct{}{}; return true },
	})
	if err != nil {
		t.Fatal(err)
	}
	defer conn.CloseNow()
	go func() { // reads answer pings
		for {
			if _, _, err := conn.Read(context.Background()); err != nil {
				return
			}
		}
	}()
	<-pinged
	<-pinged
	stream := s.subscribe(t, path, nil)
	for line := range stream {
		if line == ": ping" {
			return
		}
	}
	t.Error("no ping among the events")
}

// subscribe returns the lines of an event stream as they come.
func (s *service) subscribe(t *testing.T, path string, header map[string]string) func(func(string) bool) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, s.server.URL+path, nil)
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Authorization", "Bearer "+s.key)
	req.Header.Set("Accept", "text/event-stream")
	for name, value := range header {
		req.Header.Set(name, value)
	}
	resp, err := s.server.Client().Do(req)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = resp.Body.Close() })
	if resp.StatusCode != http.StatusOK || resp.Header.Get("Content-Type") != "text/event-stream" {
		t.Fatalf("%d %v", resp.StatusCode, resp.Header)
	}
	lines := bufio.NewScanner(resp.Body)
	lines.Buffer(nil, 16<<20)
	return func(yield func(string) bool) {
		for lines.Scan() {
			if !yield(lines.Text()) {
				return
			}
		}
	}
}

type event struct{ name, id, data string }

// parseEvents turns lines into events.
func parseEvents(lines func(func(string) bool)) func(func(event) bool) {
	return func(yield func(event) bool) {
		var e event
		for line := range lines {
			field, value, _ := strings.Cut(line, ": ")
			switch field {
			case "event":
				e.name = value
			case "id":
				e.id = value
			case "data":
				e.data = value
			case "":
				if e.name != "" && line == "" {
					if !yield(e) {
						return
					}
					e = event{}
				}
			}
		}
	}
}

func TestEvents(t *testing.T) {
	t.Parallel()
	s := startWorking(t)
	s.site.linked("/a")
	open := s.site.gated(t, "/slow")
	path := batchPath + "/" + s.batch("/a", "/slow")
	s.completed(path, 1)
	var documents []string
	var names []string
	var last event
	for e := range parseEvents(s.subscribe(t, path, nil)) {
		if e.name == "document" {
			documents = append(documents, e.data)
			if e.id != strconv.Itoa(len(documents)) {
				t.Errorf("document %d has id %s", len(documents), e.id)
			}
		}
		if len(names) == 0 || names[len(names)-1] != e.name {
			names = append(names, e.name)
		}
		last = e
		open()
	}
	if !slices.Equal(names, []string{"document", "status", "document", "status", "done"}) {
		t.Errorf("events: %q", names)
	}
	if !strings.Contains(last.data, `"status":"completed"`) || strings.Contains(last.data, `"data"`) {
		t.Errorf("done: %s", last.data)
	}
	if !slices.Equal(documents, s.get(path).data()) {
		t.Error("the status view has other bytes than the events")
	}
	for query, header := range map[string]map[string]string{"?skip=1": nil, "": {"Last-Event-ID": "1"}} {
		var rest []string
		for e := range parseEvents(s.subscribe(t, path+query, header)) {
			if e.name == "document" {
				rest = append(rest, e.data)
			}
		}
		if !slices.Equal(rest, documents[1:]) {
			t.Errorf("%q: %d documents", query, len(rest))
		}
	}
	stream := map[string]string{"Accept": "text/event-stream"}
	for bad, status := range map[string]int{
		path + "?skip=-1": http.StatusBadRequest, batchPath + "/x": http.StatusBadRequest,
		batchPath + "/018f0000-0000-7000-8000-000000000000": http.StatusNotFound,
	} {
		s.do(call{method: http.MethodGet, path: bad, key: s.key, header: stream}).want(t, status)
	}
	s.do(call{method: http.MethodGet, path: path, header: stream}).want(t, http.StatusUnauthorized)
	s.do(call{method: http.MethodGet, path: "/v2/team/credit-usage", key: s.key, header: stream}).want(t, http.StatusOK) // only jobs have events
}
