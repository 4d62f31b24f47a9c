package api_test

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"testing"
	"time"

	"github.com/trawlhq/trawl/api"
)

// raw opens a connection to the service and writes to it.
func (s *service) raw(text string) net.Conn {
	s.t.Helper()
	conn, err := net.Dial("tcp", s.server.Listener.Addr().String())
	if err != nil {
		s.t.Fatal(err)
	}
	s.t.Cleanup(func() { _ = conn.Close() })
	if _, err := io.WriteString(conn, text); err != nil {
		s.t.Fatal(err)
	}
	return conn
}

// ends reads a connection to its end, and fails if it has none for long.
func ends(t *testing.T, conn net.Conn) string {
	t.Helper()
	_ = conn.SetReadDeadline(time.Now().Add(20 * time.Second))
	text, err := io.ReadAll(conn)
	if err, ok := err.(net.Error); ok && err.Timeout() {
		t.Fatalf("the connection is open; it has said %q", text)
	}
	return string(text)
}

// head is a request that promises more than it brings.
func head(line, key string, more ...string) string {
	lines := append([]string{line + " HTTP/1.1", "Host: 127.0.0.1", "Content-Length: 65000"}, more...)
	if key != "" {
		lines = append(lines, "Authorization: Bearer "+key)
	}
	return strings.Join(lines, "\r\n") + "\r\n\r\n{"
}

// TestSlowBody sends a byte of a body and then nothing.
func TestSlowBody(t *testing.T) {
	t.Parallel()
	s := start(t)
	s.api.ReadWithin(50*time.Millisecond, 50*time.Millisecond, 50*time.Millisecond)
	form := "Content-Type: multipart/form-data; boundary=x"
	for _, row := range []struct{ name, text string }{
		{"without a key", head("POST /v2/scrape", "")},
		{"with a key", head("POST /v2/scrape", s.key)},
		{"with a key that is wrong", head("POST /v2/scrape", "fc-wrong")},
		{"of another type", head("POST /v2/scrape", "", "Content-Type: text/plain")},
		{"unknown path", head("POST /nowhere", "")},
		{"wrong method", head("PUT /v2/scrape", "")},
		{"preflight", head("OPTIONS /v2/scrape", "")},
		{"GET", head("GET /v2/team/credit-usage", "")},
		{"GET with a key", head("GET /v2/team/credit-usage", s.key)},
		{"GET for everyone", head("GET /healthz", "")},
		{"DELETE with a key", head("DELETE /v2/crawl/x", s.key)},
		{"upload", head("POST /v2/parse", "", form)},
		{"upload with a key", head("POST /v2/parse", s.key, form)},
		{"chunked", "POST /v2/scrape HTTP/1.1\r\nHost: 127.0.0.1\r\nTransfer-Encoding: chunked\r\n\r\n1\r\n{"},
		{"continued", head("POST /v2/scrape", "", "Expect: 100-continue")},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			text := ends(t, s.in(t).raw(row.text))
			if !strings.Contains(text, "Connection: close") {
				t.Errorf("%s", text)
			}
		})
	}
}

// TestStrangerIsNotInFlight looks at what a stop would wait for.
func TestStrangerIsNotInFlight(t *testing.T) {
	t.Parallel()
	s := start(t)
	conn := s.raw(head("POST /v2/scrape", "", "Expect: 100-continue"))
	if line, err := bufio.NewReader(conn).ReadString('\n'); err != nil || !strings.Contains(line, "100") { // the body is being read
		t.Fatalf("%q %v", line, err)
	}
	if n := s.api.InFlight(); n != 0 {
		t.Errorf("%d in flight", n)
	}
	_ = conn.Close()
}

// TestBodyWithoutUse sends bodies along with requests that take none.
func TestBodyWithoutUse(t *testing.T) {
	t.Parallel()
	s := start(t)
	s.do(call{method: http.MethodGet, path: "/v2/team/credit-usage", key: s.key, body: "{}"}).want(t, http.StatusOK)
	s.do(call{method: http.MethodGet, path: "/v2/team/credit-usage", key: s.key, body: strings.Repeat(" ", 100<<10)}).want(t, http.StatusOK)
	s.do(call{method: http.MethodDelete, path: "/v2/crawl/0198b7a2-0000-7000-8000-000000000000", key: s.key, body: "{}"}).want(t, http.StatusNotFound)
}

// TestBodyBoundEnds scrapes for longer than a body may take to arrive.
func TestBodyBoundEnds(t *testing.T) {
	t.Parallel()
	s := start(t)
	const bound = 200 * time.Millisecond
	s.api.ReadWithin(bound, bound, bound)
	s.site.mux.HandleFunc("/slow", func(w http.ResponseWriter, r *http.Request) {
		select {
		case <-time.After(2 * bound):
		case <-r.Context().Done():
		}
		_, _ = io.WriteString(w, "slow but sure")
	})
	s.scrape("/slow").want(t, http.StatusOK)
}

// behind serves the service as the program does, where nobody is trusted unless named.
func behind(t *testing.T, most int, trusted ...netip.Prefix) *service {
	s := start(t, func(c *api.Config) { c.Strangers, c.TrustedProxies = most, trusted })
	s.server.Close()
	server := httptest.NewUnstartedServer(s.api)
	server.Config.ConnContext, server.Config.ConnState = s.api.ConnContext, s.api.ConnState
	server.Start()
	t.Cleanup(server.Close)
	s.server = server
	return s
}

// answers sends a request on a connection and returns the status.
func answers(t *testing.T, conn net.Conn, key string) int {
	t.Helper()
	_ = conn.SetDeadline(time.Now().Add(20 * time.Second))
	fmt.Fprintf(conn, "GET /v2/team/credit-usage HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer %s\r\n\r\n", key)
	resp, err := http.ReadResponse(bufio.NewReader(conn), nil)
	if err != nil {
		return 0
	}
	_, _ = io.Copy(io.Discard, resp.Body)
	_ = resp.Body.Close()
	return resp.StatusCode
}

func TestStrangersAreCounted(t *testing.T) {
	t.Parallel()
	s := behind(t, 2)
	first, second := s.raw(""), s.raw("")
	if status := answers(t, second, "fc-wrong"); status != http.StatusUnauthorized {
		t.Errorf("second: %d", status)
	}
	ends(t, s.raw("")) // one too many
	if status := answers(t, first, s.key); status != http.StatusOK {
		t.Errorf("first: %d", status)
	}
	third := s.raw("") // the first one is no stranger's any more
	if status := answers(t, third, s.key); status != http.StatusOK {
		t.Errorf("third: %d", status)
	}
	if metrics := string(s.get("/metrics").raw); !strings.Contains(metrics, "trawl_connections_refused_total 1") {
		t.Error("the metric does not say that one was refused")
	}
	s.get("/v2/team/credit-usage").want(t, http.StatusOK) // on the same connection, which becomes a caller's
	for range 5 {                                         // callers may have any number
		conn := s.raw("")
		if status := answers(t, conn, s.key); status != http.StatusOK {
			t.Errorf("a caller: %d", status)
		}
	}
}

func TestTrustedProxyIsNotCounted(t *testing.T) {
	t.Parallel()
	s := behind(t, 1, netip.MustParsePrefix("127.0.0.0/8"))
	for range 5 {
		if status := answers(t, s.raw(""), "fc-wrong"); status != http.StatusUnauthorized {
			t.Errorf("%d", status)
		}
	}
}

// TestOneNetworkIsOneAddress counts connections that are not there.
func TestOneNetworkIsOneAddress(t *testing.T) {
	t.Parallel()
	s := api.New(api.Config{Now: time.Now, Strangers: 1})
	for _, row := range []struct {
		remote string
		closed bool
	}{
		{"192.0.2.1:1", false},
		{"192.0.2.1:2", true},
		{"[::ffff:192.0.2.1]:3", true},
		{"192.0.2.2:1", false},
		{"[2001:db8::1]:1", false},
		{"[2001:db8::2]:1", true},
		{"[2001:db8:0:1::1]:1", false},
	} {
		conn := &remoteConn{remote: net.TCPAddrFromAddrPort(netip.MustParseAddrPort(row.remote))}
		s.ConnState(conn, http.StateNew)
		if conn.closed != row.closed {
			t.Errorf("%s: closed %v", row.remote, conn.closed)
		}
	}
}

// remoteConn is a connection from somewhere.
type remoteConn struct {
	net.Conn
	remote net.Addr
	closed bool
}

func (c *remoteConn) RemoteAddr() net.Addr { return c.remote }
func (c *remoteConn) Close() error         { c.closed = true; return nil }
