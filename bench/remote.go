package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	protocol "github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/cdproto/target"
	"github.com/coder/websocket"

	"github.com/trawlhq/trawl/browser/cdp"
)

// remote is a session as its creator knows it.
type remote struct {
	ID      string `json:"id"`
	CDPURL  string `json:"cdpUrl"`
	ViewURL string `json:"liveViewUrl"`
}

// ask makes a request and reads the answer, which must be a success.
func (s *server) ask(ctx context.Context, r request, answer any) error {
	req, err := http.NewRequestWithContext(ctx, r.method, s.base+r.path, strings.NewReader(r.body))
	if err != nil {
		return err
	}
	req.Header.Set("Authorization", "Bearer "+apiKey)
	req.Header.Set("Content-Type", "application/json")
	resp, err := patient.Do(req)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		return err
	}
	if resp.StatusCode != http.StatusOK {
		return fmt.Errorf("%s %s: %d %.300s", r.method, r.path, resp.StatusCode, body)
	}
	return json.Unmarshal(body, answer)
}

// create starts a session that nobody's idleness ends. Extra fields of the request
// begin with a comma.
func (s *server) create(ctx context.Context, extra string) (x remote, err error) {
	err = s.ask(ctx, request{"POST", "/v2/browser", `{"ttl":3600,"activityTtl":3600` + extra + `}`}, &x)
	return x, err
}

func (s *server) destroy(ctx context.Context, x remote) error {
	var answer struct{}
	return s.ask(ctx, request{method: "DELETE", path: "/v2/browser/" + x.ID}, &answer)
}

// status returns whether a session is active or destroyed.
func (s *server) status(ctx context.Context, x remote) (string, error) {
	var answer struct {
		Status string `json:"status"`
	}
	err := s.ask(ctx, request{method: "GET", path: "/v2/browser/" + x.ID}, &answer)
	return answer.Status, err
}

// warm waits until a number of browsers are kept ready.
func (s *server) warm(ctx context.Context, want int) error {
	line := fmt.Sprintf("\ntrawl_session_warm %d\n", want)
	for {
		resp, err := client.Get(s.base + "/metrics")
		if err != nil {
			return err
		}
		text, err := io.ReadAll(resp.Body)
		resp.Body.Close()
		if err != nil || bytes.Contains(text, []byte(line)) {
			return err
		}
		if err := pause(ctx, 100*time.Millisecond); err != nil {
			return err
		}
	}
}

func pause(ctx context.Context, long time.Duration) error {
	select {
	case <-time.After(long):
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// folders returns how many folders of its browsers a server has.
func (s *server) folders() (int, error) {
	all, err := filepath.Glob(filepath.Join(os.TempDir(), fmt.Sprintf("trawl-browser-%d-*", s.cmd.Process.Pid)))
	return len(all), err
}

// port returns the address at which a bare browser takes clients, as those of a
// session are taken.
func (b *bare) port(ctx context.Context) (string, error) {
	for {
		text, err := os.ReadFile(b.dir + "/profile/DevToolsActivePort")
		port, path, ok := strings.Cut(strings.TrimSpace(string(text)), "\n")
		if _, bad := strconv.Atoi(port); err == nil && ok && bad == nil {
			return "ws://127.0.0.1:" + port + path, nil
		}
		if err := pause(ctx, 10*time.Millisecond); err != nil {
			return "", err
		}
	}
}

// socket is a WebSocket in the form of the pipes that the client of the protocol
// knows, where a message ends with a zero byte. So all are driven by one client.
type socket struct {
	conn *websocket.Conn
	rest []byte
}

func dial(ctx context.Context, address string) (*cdp.Conn, error) {
	conn, _, err := websocket.Dial(ctx, address, &websocket.DialOptions{HTTPClient: patient})
	if err != nil {
		return nil, err
	}
	conn.SetReadLimit(-1)
	s := &socket{conn: conn}
	return cdp.New(s, s), nil
}

func (s *socket) Read(into []byte) (int, error) {
	if len(s.rest) == 0 {
		_, message, err := s.conn.Read(context.Background())
		if err != nil {
			return 0, err
		}
		s.rest = append(message, 0)
	}
	n := copy(into, s.rest)
	s.rest = s.rest[n:]
	return n, nil
}

func (s *socket) Write(data []byte) (int, error) {
	for message := range bytes.SplitSeq(bytes.TrimSuffix(data, []byte{0}), []byte{0}) {
		if err := s.conn.Write(context.Background(), websocket.MessageText, message); err != nil {
			return 0, err
		}
	}
	return len(data), nil
}

func (s *socket) Close() error                     { return s.conn.CloseNow() }
func (s *socket) SetWriteDeadline(time.Time) error { return nil }

// firstPage attaches to the page that a browser begins with.
func firstPage(ctx context.Context, conn *cdp.Conn) (*cdp.Session, error) {
	whole := conn.Browser()
	found, err := protocol.Call(ctx, whole, target.GetTargets, target.GetTargetsParams{})
	if err != nil {
		return nil, err
	}
	for _, info := range found.TargetInfos {
		if info.Type != "page" {
			continue
		}
		yes := true
		attached, err := protocol.Call(ctx, whole, target.AttachToTarget, target.AttachToTargetParams{TargetID: info.TargetID, Flatten: &yes})
		if err != nil {
			return nil, err
		}
		return conn.Session(string(attached.SessionID)), nil
	}
	return nil, errors.New("the browser has no page")
}

// visit goes to a page and waits until it is loaded.
func visit(ctx context.Context, session *cdp.Session, address string) error {
	loaded, cancel := session.Subscribe(page.LoadEventFired.Method)
	defer cancel()
	if err := session.Call(ctx, page.Enable.Method, nil, nil); err != nil {
		return err
	}
	went, err := protocol.Call(ctx, session, page.Navigate, page.NavigateParams{URL: address})
	if err != nil {
		return err
	}
	if went.ErrorText != "" {
		return fmt.Errorf("load %s: %s", address, went.ErrorText)
	}
	select {
	case <-loaded:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// lead connects to a session, takes its first page somewhere and leaves.
func (x remote) lead(ctx context.Context, address string) error {
	ctx, cancel := context.WithTimeout(ctx, pageTimeout)
	defer cancel()
	conn, err := dial(ctx, x.CDPURL)
	if err != nil {
		return err
	}
	defer conn.Close()
	first, err := firstPage(ctx, conn)
	if err != nil {
		return err
	}
	return visit(ctx, first, address)
}

// trivial is a command that costs a page next to nothing.
func trivial(ctx context.Context, session *cdp.Session) error {
	return session.Call(ctx, runtime.Evaluate.Method, runtime.EvaluateParams{Expression: "1+1"}, nil)
}

// watching is what a view was sent.
type watching struct {
	pictures int
	bytes    int
	err      error
}

// watch looks at a session for a while, as its live view does.
func (x remote) watch(ctx context.Context, long time.Duration) (seen watching) {
	ctx, cancel := context.WithTimeout(ctx, long)
	defer cancel()
	conn, _, err := websocket.Dial(ctx, "ws"+strings.TrimPrefix(x.ViewURL, "http")+"/socket", &websocket.DialOptions{HTTPClient: patient})
	if err != nil {
		return watching{err: err}
	}
	defer conn.CloseNow()
	conn.SetReadLimit(-1)
	for {
		kind, data, err := conn.Read(ctx)
		switch {
		case ctx.Err() != nil:
			return seen
		case err != nil:
			seen.err = err
			return seen
		case kind == websocket.MessageBinary:
			seen.pictures++
			seen.bytes += len(data)
		}
	}
}
