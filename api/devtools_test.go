package api_test

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/coder/websocket"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/api"
	"github.com/trawlhq/trawl/internal/testtime"
	"github.com/trawlhq/trawl/session"
)

// path returns the path of an address in an answer.
func (r reply) path(field string) string {
	_, rest, _ := strings.Cut(r.str(field), "://")
	return rest[strings.Index(rest, "/"):]
}

// connect opens the socket at a path and returns it with its greeting.
func (s *service) connect(t *testing.T, path string) (*websocket.Conn, string) {
	t.Helper()
	conn, _, err := websocket.Dial(t.Context(), s.server.URL+path, &websocket.DialOptions{
		HTTPClient: s.server.Client(), HTTPHeader: http.Header{"Origin": {"https://elsewhere.example"}},
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.CloseNow() })
	return conn, hear(t, conn)
}

func hear(t *testing.T, conn *websocket.Conn) string {
	t.Helper()
	ctx := testtime.Context(t)
	_, message, err := conn.Read(ctx)
	if err != nil {
		t.Fatal(err)
	}
	return string(message)
}

func say(t *testing.T, conn *websocket.Conn, message string) {
	t.Helper()
	if err := conn.Write(t.Context(), websocket.MessageText, []byte(message)); err != nil {
		t.Fatal(err)
	}
}

// upgrade is a proper request for a socket.
var upgrade = map[string]string{
	"Connection": "Upgrade", "Upgrade": "websocket", "Sec-WebSocket-Version": "13", "Sec-WebSocket-Key": "AAAAAAAAAAAAAAAAAAAAAA==",
}

// TestSessionSockets connects to all addresses of a session.
func TestSessionSockets(t *testing.T) {
	t.Parallel()
	s, _ := startBrowsing(t)
	x := s.browse("")
	id := x.str("id")
	for path, want := range map[string]string{
		x.path("cdpUrl"):                             "one drive " + id,
		x.path("liveViewUrl") + "/socket":            "one watch " + id + " false",
		x.path("interactiveLiveViewUrl") + "/socket": "one watch " + id + " true",
	} {
		conn, greeting := s.connect(t, path)
		if greeting != want {
			t.Errorf("%s: %s, want %s", path, greeting, want)
		}
		if say(t, conn, "hello"); hear(t, conn) != "hello" {
			t.Error("the socket does not lead both ways")
		}
	}
	s.rest() // of sockets nobody waits for the end
	for _, field := range []string{"liveViewUrl", "interactiveLiveViewUrl"} {
		r := s.do(call{method: http.MethodGet, path: x.path(field)}).want(t, http.StatusOK)
		if r.header.Get("Cache-Control") != "no-store" || r.header.Get("Referrer-Policy") != "no-referrer" || !strings.HasPrefix(string(r.raw), "page "+id) {
			t.Errorf("%v %s", r.header, r.raw)
		}
	}
	for _, part := range []string{"view.js", "view.css"} {
		if r := s.do(call{method: http.MethodGet, path: "/live/" + part}).want(t, http.StatusOK); string(r.raw) != "page "+part+" " {
			t.Errorf("%s", r.raw)
		}
	}
}

// TestSessionDiscovery looks for the socket of a session as clients do that were
// given an http address.
func TestSessionDiscovery(t *testing.T) {
	t.Parallel()
	s, _ := startBrowsing(t)
	x, ended := s.browse(""), s.browse("")
	s.do(call{method: http.MethodDelete, path: browserPath + "/" + ended.str("id"), key: s.key}).want(t, http.StatusOK)
	address := `"webSocketDebuggerUrl":"` + x.str("cdpUrl") + `"`
	for _, path := range []string{"/json/version", "/json/version/", "/json/list", "/json/list/"} {
		resp, err := s.server.Client().Get(s.server.URL + x.path("cdpUrl") + path)
		if err != nil {
			t.Fatal(err)
		}
		body, _ := io.ReadAll(resp.Body)
		_ = resp.Body.Close()
		if resp.StatusCode != http.StatusOK || !strings.Contains(string(body), address) || resp.Header.Get("Cache-Control") != "no-store" {
			t.Errorf("%s: %d %v %s", path, resp.StatusCode, resp.Header, body)
		}
		if list := strings.HasPrefix(string(body), "["); list != strings.Contains(path, "list") {
			t.Errorf("%s: %s", path, body)
		}
		s.do(call{method: http.MethodGet, path: ended.path("cdpUrl") + path}).want(t, http.StatusGone)
		s.do(call{method: http.MethodGet, path: x.path("cdpUrl") + "A" + path}).want(t, http.StatusNotFound)
		watch := strings.TrimPrefix(x.path("liveViewUrl"), "/live/")
		s.do(call{method: http.MethodGet, path: "/devtools/browser/" + watch + path}).want(t, http.StatusNotFound)
		s.do(call{method: http.MethodGet, path: path}).want(t, http.StatusNotFound)
	}
}

// TestSessionSocketsRefused knocks with wrong keys, at the wrong doors, too late.
func TestSessionSocketsRefused(t *testing.T) {
	t.Parallel()
	s, _ := startBrowsing(t)
	x := s.browse("")
	id, ended, private := x.str("id"), s.browse(""), s.browse(`"streamWebView":false`)
	s.do(call{method: http.MethodDelete, path: browserPath + "/" + ended.str("id"), key: s.key}).want(t, http.StatusOK)
	drive, watch, interact := strings.TrimPrefix(x.path("cdpUrl"), "/devtools/browser/"), strings.TrimPrefix(x.path("liveViewUrl"), "/live/"),
		strings.TrimPrefix(x.path("interactiveLiveViewUrl"), "/live/")
	unwatched := trawl.AccessKey(sessionSecret, private.str("id"), trawl.AccessWatch)
	type row struct {
		name, path string
		status     int
	}
	rows := []row{
		{"a session that is over", ended.path("cdpUrl"), 410},
		{"the view of a session that is over", ended.path("liveViewUrl") + "/socket", 410},
		{"a session that nobody may watch", "/live/" + unwatched, 404},
		{"nor through a socket", "/live/" + unwatched + "/socket", 404},
		{"a page has a socket, not the key", "/live/" + watch + "/socket/x", 404},
	}
	for name, key := range map[string]string{
		"no signature": id, "short": id + "-", "wrong": drive[:len(drive)-1] + "~", "longer": drive + "A", "upper case": strings.ToUpper(id) + drive[36:],
		"another secret": trawl.AccessKey([]byte("x"), id, trawl.AccessDrive), "of a session that never was": trawl.AccessKey(sessionSecret, unknownID, trawl.AccessDrive),
		"a key that watches": watch, "a key that interacts": interact, "nonsense": "x",
	} {
		rows = append(rows, row{"drive: " + name, "/devtools/browser/" + key, 404})
	}
	for name, key := range map[string]string{
		"wrong": watch[:len(watch)-1] + "~", "a key that drives": drive, "no signature": id,
		"of a session that never was": trawl.AccessKey(sessionSecret, unknownID, trawl.AccessWatch),
	} {
		rows = append(rows, row{"page: " + name, "/live/" + key, 404}, row{"view: " + name, "/live/" + key + "/socket", 404})
	}
	refused := map[string]bool{}
	for _, row := range rows {
		r := s.do(call{method: http.MethodGet, path: row.path, header: upgrade}).want(t, row.status)
		if r.str("error") == "" || r.json["success"] != false {
			t.Errorf("%s: %s", row.name, r.raw)
		}
		if strings.HasPrefix(row.name, "drive: ") {
			refused[string(r.raw)] = true
		}
	}
	if len(refused) != 1 {
		t.Errorf("answers tell wrong keys apart: %v", refused)
	}
	for _, path := range []string{x.path("cdpUrl"), x.path("liveViewUrl") + "/socket"} {
		for _, header := range []map[string]string{nil, {"Connection": "Upgrade", "Upgrade": "h2c"}} {
			r := s.do(call{method: http.MethodGet, path: path, header: header}).want(t, http.StatusUpgradeRequired)
			if r.header.Get("Upgrade") != "websocket" || r.header.Get("Cache-Control") != "no-store" {
				t.Errorf("%v", r.header)
			}
		}
		s.do(call{method: http.MethodPost, path: path, body: "{}"}).want(t, http.StatusMethodNotAllowed)
	}
	r := s.do(call{method: http.MethodGet, path: ended.path("liveViewUrl")}).want(t, http.StatusGone)
	if string(r.raw) != "page "+strings.TrimPrefix(ended.path("liveViewUrl"), "/live/")+" deleted" || !strings.HasPrefix(r.header.Get("Content-Type"), "text/html") {
		t.Errorf("%v %s", r.header, r.raw)
	}
	if s.get("/openapi.json").at("paths", "/live/{key}", "get", "responses", "410", "content", "text/html") == nil {
		t.Error("the OpenAPI document does not say that this is a page")
	}
	s.rest()
	for _, secret := range []string{drive, watch, interact} {
		if strings.Contains(s.log.String(), secret[36:]) {
			t.Error("the log has a key")
		}
	}
	if metrics := string(s.get("/metrics").raw); !strings.Contains(metrics, `route="GET /devtools/browser/{key}",status="404"`) || strings.Contains(metrics, id) {
		t.Error("metrics do not name the route alone")
	}
}

// FuzzAddresses asks for what nobody has, by any name: it is not there, and its
// name leads nowhere else.
func FuzzAddresses(f *testing.F) {
	for _, seed := range []string{"a", "", "..", "/", "a/b", "%2F", "\x00", "\xff", unknownID, trawl.AccessKey(nil, unknownID, trawl.AccessWatch), "view.js", "語"} {
		f.Add(seed)
	}
	s, _ := startBrowsing(f)
	f.Fuzz(func(t *testing.T, name string) {
		escaped := strings.ReplaceAll(url.PathEscape(name), ".", "%2E")
		for _, path := range []string{"/devtools/browser/" + escaped, "/live/" + escaped + "/socket"} {
			s.in(t).do(call{method: http.MethodGet, path: path, header: upgrade}).want(t, http.StatusNotFound)
		}
		r := s.in(t).do(call{method: http.MethodDelete, path: browserPath + "/profiles/" + escaped, key: s.key})
		if r.status != http.StatusNotFound && r.status != http.StatusBadRequest {
			t.Errorf("%q: %d %s", name, r.status, r.raw)
		}
	})
}

// TestWorkerServesNothing sees that a node for work answers no calls, and does not
// act on them either.
func TestWorkerServesNothing(t *testing.T) {
	t.Parallel()
	s, b := startBrowsing(t, func(c *api.Config) { c.WorkerOnly = true })
	s.do(call{key: s.key, body: s.body("/")}).want(t, http.StatusNotFound)
	if s.site.count("/") != 0 {
		t.Error("the page was scraped")
	}
	s.do(call{key: s.key, path: browserPath}).want(t, http.StatusNotFound)
	if len(b.held) != 0 {
		t.Error("a session was started")
	}
	s.do(call{method: http.MethodGet, path: "/live/view.js"}).want(t, http.StatusNotFound)
	s.do(call{method: http.MethodGet, path: "/healthz"}).want(t, http.StatusOK)
}

// cluster is two nodes on one database.
type cluster struct {
	one, two *service
	held     *browsers // by the second
}

// startCluster runs two nodes. The first has no browser; its way to the second can
// be changed.
func startCluster(t *testing.T, change ...func(*api.Config)) cluster {
	t.Helper()
	two, held := startBrowsing(t, func(c *api.Config) { c.Node = "two" })
	held.node, held.address = "two", two.server.URL
	transport := &http.Transport{}
	t.Cleanup(transport.CloseIdleConnections)
	config := two.api.Config
	none := session.New(session.Config{Store: two.store, Log: config.Log, Now: config.Now, Node: "one"})
	t.Cleanup(none.Close)
	config.Node, config.Sessions, config.Forward = "one", none, transport
	for _, f := range change {
		f(&config)
	}
	one := *two
	one.api = api.New(config)
	one.server = httptest.NewServer(one.api)
	t.Cleanup(one.server.Close)
	return cluster{&one, two, held}
}

func TestForward(t *testing.T) {
	t.Parallel()
	c := startCluster(t)
	x := c.two.browse("")
	id := x.str("id")
	for _, s := range []*service{c.one, c.two} {
		one := s.get(browserPath+"/"+id).want(t, http.StatusOK)
		if !strings.HasPrefix(one.str("liveViewUrl"), s.server.URL+"/live/") || one.path("cdpUrl") != x.path("cdpUrl") {
			t.Errorf("the address is not that of the node that was asked: %s", one.raw)
		}
	}
	for path, want := range map[string]string{
		x.path("cdpUrl"): "two drive " + id,
		x.path("interactiveLiveViewUrl") + "/socket": "two watch " + id + " true",
	} {
		conn, greeting := c.one.connect(t, path)
		if greeting != want {
			t.Errorf("%s, want %s", greeting, want)
		}
		large := strings.Repeat("x", 1<<14)
		if say(t, conn, large); hear(t, conn) != large {
			t.Error("the socket does not lead through")
		}
		say(t, conn, "end")
		if _, _, err := conn.Read(t.Context()); websocket.CloseStatus(err) != 4001 {
			t.Errorf("closed with %v", err)
		}
	}
	c.one.get(x.path("liveViewUrl")).want(t, http.StatusOK) // the page is everywhere
	r := c.one.do(call{method: http.MethodDelete, path: browserPath + "/" + id, key: c.one.key, header: map[string]string{"Origin": "https://app.example", "X-Request-Id": "r-1"}}).want(t, http.StatusOK)
	if r.at("creditsBilled") != 2.0 || c.held.Holds(id) {
		t.Errorf("%s", r.raw)
	}
	for _, name := range []string{"X-Request-Id", "Access-Control-Allow-Origin", "Ratelimit", "X-Content-Type-Options", "Content-Type"} {
		if values := r.header.Values(name); len(values) != 1 {
			t.Errorf("%s: %q", name, values)
		}
	}
	c.one.rest()
	c.two.rest()
	if r.header.Get("X-Request-Id") != "r-1" || strings.Count(c.two.log.String(), `"request":"r-1"`) != 2 {
		t.Error("the nodes do not agree on the id of the request")
	}
	c.one.do(call{method: http.MethodGet, path: x.path("cdpUrl"), header: upgrade}).want(t, http.StatusGone)
	again := c.one.do(call{method: http.MethodDelete, path: browserPath + "/" + id, key: c.one.key}).want(t, http.StatusOK)
	if string(again.raw) != string(r.raw) {
		t.Errorf("%s, first %s", again.raw, r.raw)
	}
}

// TestForwardRefused has what the other node refuses, and what is refused for it.
func TestForwardRefused(t *testing.T) {
	t.Parallel()
	c := startCluster(t)
	x := c.two.browse("")
	path := browserPath + "/" + x.str("id")
	_, stranger := c.one.newTeam(trawl.Team{Name: "stranger"})
	c.one.do(call{method: http.MethodDelete, path: path, key: stranger}).want(t, http.StatusForbidden)
	c.one.do(call{method: http.MethodDelete, path: path}).want(t, http.StatusUnauthorized)
	c.one.do(call{method: http.MethodGet, path: x.path("cdpUrl")}).want(t, http.StatusUpgradeRequired)
	c.held.mu.Lock()
	delete(c.held.held, x.str("id")) // is ending
	c.held.mu.Unlock()
	c.one.do(call{method: http.MethodGet, path: x.path("cdpUrl"), header: upgrade}).want(t, http.StatusGone)
}

// TestForwardUnreachable sees that a node that cannot be reached, or does not know
// of its session, is waited for, not looked for.
func TestForwardUnreachable(t *testing.T) {
	t.Parallel()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	_ = listener.Close()
	hops := 0
	for name, row := range map[string]struct {
		address string // of the node that holds the session; empty means that of the first node
		header  map[string]string
		change  func(*api.Config)
	}{
		"dead":       {address: "http://" + listener.Addr().String()},
		"no address": {address: "-"},
		"no way":     {address: "http://127.0.0.1:1", change: func(c *api.Config) { c.Forward = nil }},
		"once":       {address: "http://127.0.0.1:1", header: map[string]string{"X-Trawl-Forwarded": "two"}, change: func(c *api.Config) { c.Forward = counted{&hops} }},
		"loop":       {},
	} {
		t.Run(name, func(t *testing.T) {
			change := row.change
			if change == nil {
				change = func(*api.Config) {}
			}
			c := startCluster(t, change)
			c.held.address = row.address
			if row.address == "" {
				c.held.address = c.one.server.URL
			}
			x := c.two.browse("")
			for _, request := range []call{
				{method: http.MethodDelete, path: browserPath + "/" + x.str("id"), key: c.one.key},
				{method: http.MethodGet, path: x.path("cdpUrl"), header: upgrade},
				{method: http.MethodGet, path: x.path("liveViewUrl") + "/socket", header: upgrade},
			} {
				header := map[string]string{}
				for _, from := range []map[string]string{request.header, row.header} {
					for k, v := range from {
						header[k] = v
					}
				}
				request.header = header
				r := c.one.do(request).want(t, http.StatusServiceUnavailable)
				if r.header.Get("Retry-After") == "" || !strings.Contains(r.str("error"), "cannot be reached") || len(r.header.Values("Retry-After")) != 1 {
					t.Errorf("%v %s", r.header, r.raw)
				}
			}
			if !c.held.Holds(x.str("id")) {
				t.Error("the session is gone")
			}
		})
	}
	if hops != 0 {
		t.Errorf("passed on %d times", hops)
	}
}

// counted counts requests and answers none.
type counted struct{ hops *int }

func (c counted) RoundTrip(*http.Request) (*http.Response, error) {
	*c.hops++
	return nil, fmt.Errorf("no way")
}

// TestSocketsEndWithServer drains a node with sockets: those of its own sessions
// are left to the sessions, those of other nodes are cut.
func TestSocketsEndWithServer(t *testing.T) {
	t.Parallel()
	c := startCluster(t)
	x := c.two.browse("")
	through, _ := c.one.connect(t, x.path("cdpUrl"))
	direct, _ := c.two.connect(t, x.path("cdpUrl"))
	c.one.api.Drain()
	ctx := testtime.Context(t)
	if _, _, err := through.Read(ctx); err == nil || ctx.Err() != nil {
		t.Error("the socket outlives the node that it leads through")
	}
	c.two.api.Drain()
	if say(t, direct, "hello"); hear(t, direct) != "hello" {
		t.Error("the socket ends before its session")
	}
	c.one.rest()
	c.two.rest()
	metrics := string(c.one.do(call{method: http.MethodGet, path: "/metrics"}).raw)
	if !strings.Contains(metrics, `trawl_http_request_seconds_count{route="GET /devtools/browser/{key}",status="101"} 1`) {
		t.Error("the socket is not counted")
	}
}

// TestForwardedClientLeaves sees that nothing stays behind a client that vanishes,
// nor behind one that does not go when its session has.
func TestForwardedClientLeaves(t *testing.T) {
	t.Parallel()
	c := startCluster(t)
	x := c.two.browse("")
	conn, _ := c.one.connect(t, x.path("cdpUrl"))
	_ = conn.CloseNow()
	c.held.sockets.Wait() // the other node has noticed
	raw, err := net.Dial("tcp", c.one.server.Listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer raw.Close()
	_, _ = fmt.Fprintf(raw, "GET %s HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n", x.path("cdpUrl"))
	_ = raw.SetReadDeadline(time.Now().Add(testtime.Limit(t)))
	buffer := make([]byte, 1024)
	if _, err := raw.Read(buffer); err != nil || !strings.HasPrefix(string(buffer), "HTTP/1.1 101 ") {
		t.Fatalf("%v %.300s", err, buffer)
	}
	// A masked text frame that says "cut", with a mask of zeros.
	_, _ = raw.Write([]byte{0x81, 0x83, 0, 0, 0, 0, 'c', 'u', 't'})
	const both = `trawl_http_request_seconds_count{route="GET /devtools/browser/{key}",status="101"} 2`
	testtime.Until(t, "the connection is gone", func() bool { return strings.Contains(string(c.one.get("/metrics").raw), both) })
}
