package main

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"syscall"
	"testing"

	"github.com/coder/websocket"

	"github.com/trawlhq/trawl/browser/chromium"
	"github.com/trawlhq/trawl/internal/testpg"
	"github.com/trawlhq/trawl/internal/testtime"
)

// remote is a session of a server, driven over its address.
type remote struct {
	t    *testing.T
	id   string
	conn *websocket.Conn
	last int
	page string // id of the protocol's session with the page
}

// start starts a session with a body and connects to it at a node, which may be
// another than the one that holds it.
func (n *node) session(body string, at *node) *remote {
	n.t.Helper()
	status, answer := n.do(http.MethodPost, "/v2/browser", testKey, body)
	if status != http.StatusOK {
		n.t.Fatalf("create: %d %v", status, answer)
	}
	r := &remote{t: n.t, id: answer["id"].(string)}
	address := strings.Replace(answer["cdpUrl"].(string), strings.TrimPrefix(n.base, "http"), strings.TrimPrefix(at.base, "http"), 1)
	conn, _, err := websocket.Dial(testtime.Context(n.t), address, nil)
	if err != nil {
		n.t.Fatalf("connect to %s: %v", address, err)
	}
	conn.SetReadLimit(16 << 20)
	r.conn = conn
	n.t.Cleanup(func() { _ = conn.CloseNow() })
	var created struct{ TargetID string }
	r.call("Target.createTarget", map[string]any{"url": "about:blank"}, &created)
	var attached struct{ SessionID string }
	r.call("Target.attachToTarget", map[string]any{"targetId": created.TargetID, "flatten": true}, &attached)
	r.page = attached.SessionID
	return r
}

// call sends a command and waits for its answer.
func (r *remote) call(method string, params, result any) {
	r.t.Helper()
	r.last++
	message := map[string]any{"id": r.last, "method": method, "params": params}
	if r.page != "" {
		message["sessionId"] = r.page
	}
	data, err := json.Marshal(message)
	if err != nil {
		r.t.Fatal(err)
	}
	ctx := testtime.Context(r.t)
	if err := r.conn.Write(ctx, websocket.MessageText, data); err != nil {
		r.t.Fatal(err)
	}
	for {
		_, data, err := r.conn.Read(ctx)
		if err != nil {
			r.t.Fatalf("%s: %v", method, err)
		}
		var answer struct {
			ID     int
			Error  json.RawMessage
			Result json.RawMessage
		}
		if err := json.Unmarshal(data, &answer); err != nil {
			r.t.Fatalf("%s: %v", data, err)
		}
		if answer.ID != r.last {
			continue
		}
		if answer.Error != nil {
			r.t.Fatalf("%s: %s", method, answer.Error)
		}
		if result != nil {
			if err := json.Unmarshal(answer.Result, result); err != nil {
				r.t.Fatal(err)
			}
		}
		return
	}
}

func (r *remote) evaluate(script string) any {
	r.t.Helper()
	var answer struct{ Result struct{ Value any } }
	r.call("Runtime.evaluate", map[string]any{"expression": script, "awaitPromise": true, "returnByValue": true}, &answer)
	return answer.Result.Value
}

// visit opens a page and waits until it is there.
func (r *remote) visit(address string) {
	r.t.Helper()
	r.call("Page.navigate", map[string]any{"url": address}, nil)
	testtime.Until(r.t, "the page is loaded", func() bool {
		return r.evaluate("document.readyState + ' ' + location.href") == "complete "+address
	})
}

// memoSite remembers its visitors by a cookie, and shows it.
func memoSite(t *testing.T) string {
	t.Helper()
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		_, _ = io.WriteString(w, "<p>cookie "+r.Header.Get("Cookie"))
	}))
	t.Cleanup(site.Close)
	return site.URL + "/"
}

// state returns a session as a node tells it.
func (n *node) state(id string) (status, reason string) {
	n.t.Helper()
	code, answer := n.do(http.MethodGet, "/v2/browser/"+id, testKey, "")
	if code != http.StatusOK {
		n.t.Fatalf("session: %d %v", code, answer)
	}
	reason, _ = answer["reason"].(string)
	return answer["status"].(string), reason
}

const saving = `{"profile":{"name":"login"}}`

// TestSessionsEndWithTheServer stops a server, which saves what browsers know, and
// kills it, which does not; either way the next one finds neither sessions nor
// browsers, and the profile free.
func TestSessionsEndWithTheServer(t *testing.T) {
	t.Parallel()
	dir, site := t.TempDir(), memoSite(t)
	n := startNode(t, dir, "TRAWL_API_KEY="+testKey)
	first := n.session(saving, n)
	first.visit(site)
	first.evaluate("document.cookie = 'kept=1; max-age=1000'")
	browsers := chromium.Descendants(n.cmd.Process.Pid)
	if len(browsers) == 0 {
		t.Fatal("no browser runs")
	}
	if err := n.stop(syscall.SIGTERM); err != nil {
		t.Errorf("exit: %v: %s", err, n.log)
	}
	n = startNode(t, dir, "TRAWL_API_KEY="+testKey)
	if status, reason := n.state(first.id); status != "destroyed" || reason != "server stopped" {
		t.Errorf("after the stop: %s, %s", status, reason)
	}
	second := n.session(saving, n)
	second.visit(site)
	if text := second.evaluate("document.body.innerText"); text != "cookie kept=1" {
		t.Errorf("the profile has %q", text)
	}
	second.evaluate("document.cookie = 'lost=1; max-age=1000'")
	browsers = append(browsers, chromium.Descendants(n.cmd.Process.Pid)...)
	_ = n.stop(syscall.SIGKILL)
	eventually(t, "no browser is left", func() bool {
		for _, pid := range browsers {
			if syscall.Kill(pid, 0) == nil {
				return false
			}
		}
		return true
	})
	n = startNode(t, dir, "TRAWL_API_KEY="+testKey)
	if status, reason := n.state(second.id); status != "destroyed" || reason != "server stopped" {
		t.Errorf("after the kill: %s, %s", status, reason)
	}
	third := n.session(saving, n)
	third.visit(site)
	if text := third.evaluate("document.body.innerText"); text != "cookie kept=1" {
		t.Errorf("after the kill the profile has %q", text)
	}
	code, answer := n.do(http.MethodDelete, "/v2/browser/"+third.id, testKey, "")
	if code != http.StatusOK || answer["creditsBilled"] != 2.0 || answer["sessionDurationMs"].(float64) <= 0 {
		t.Errorf("delete: %d %v", code, answer)
	}
	n.wantPaid(testKey, 6)
}

// TestSessionsOnTwoNodes reaches a session through the node that does not hold it,
// and finds it gone when the other is.
func TestSessionsOnTwoNodes(t *testing.T) {
	t.Parallel()
	site := memoSite(t)
	nodes := startNodes(t, 2, testpg.URL(t))
	r := nodes[0].session(saving, nodes[1])
	r.visit(site)
	r.evaluate("document.cookie = 'kept=1; max-age=1000'")
	if status, _ := nodes[1].state(r.id); status != "active" {
		t.Errorf("status at the other node: %s", status)
	}
	if code, answer := nodes[1].do(http.MethodPost, "/v2/browser", testKey, saving); code != http.StatusConflict {
		t.Errorf("a second saver: %d %v", code, answer)
	}
	code, answer := nodes[1].do(http.MethodDelete, "/v2/browser/"+r.id, testKey, "")
	if code != http.StatusOK || answer["creditsBilled"] != 2.0 {
		t.Errorf("delete: %d %v", code, answer)
	}
	if _, _, err := r.conn.Read(t.Context()); websocket.CloseStatus(err) != 4001 {
		t.Errorf("the socket ends with %v", err)
	}
	second := nodes[0].session(saving, nodes[1])
	second.visit(site)
	if text := second.evaluate("document.body.innerText"); text != "cookie kept=1" {
		t.Errorf("the profile has %q", text)
	}
	_ = nodes[0].stop(syscall.SIGKILL)
	eventually(t, "the session is gone with its node", func() bool {
		status, _ := nodes[1].state(second.id)
		return status == "destroyed"
	})
	third := nodes[1].session(saving, nodes[1])
	if got := fmt.Sprint(third.evaluate("1+1")); got != "2" {
		t.Errorf("1+1 = %s", got)
	}
}
