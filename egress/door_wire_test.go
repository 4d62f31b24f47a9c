package egress_test

import (
	"bufio"
	"context"
	"io"
	"log/slog"
	"maps"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/trawlhq/trawl/egress"
)

func TestDoorTurnsAwayWhatItDoesNotSpeak(t *testing.T) {
	t.Parallel()
	resolver := &answers{list: [][]string{{"127.0.0.1"}}}
	door := open(t, egress.New(egress.Config{Resolver: resolver}), egress.DoorConfig{})
	for _, line := range []string{
		"GET / HTTP/1.1", "GET //site.test/ HTTP/1.1", "OPTIONS * HTTP/1.1", "PRI * HTTP/2.0", "garbage",
		"GET https://site.test/ HTTP/1.1", "GET ftp://site.test/ HTTP/1.1", "GET file:///etc/passwd HTTP/1.1",
		"GET http:///x HTTP/1.1", "GET http://:80/ HTTP/1.1", "GET http:site.test HTTP/1.1", "GET http://site.test:x/ HTTP/1.1",
		"GET http://site.test:65536/ HTTP/1.1", "GET http://[::1/ HTTP/1.1", "GET http://１２７.0.0.1/ HTTP/1.1",
		"GET http://%EF%BC%91.test/ HTTP/1.1", "GET http://a b.test/ HTTP/1.1", "GET http://%31.test/ HTTP/1.1",
		"CONNECT site.test HTTP/1.1", "CONNECT site.test: HTTP/1.1", "CONNECT site.test:http HTTP/1.1",
		"CONNECT site.test:65536 HTTP/1.1", "CONNECT :443 HTTP/1.1", "CONNECT / HTTP/1.1", "CONNECT * HTTP/1.1",
		"CONNECT site.test:443/path HTTP/1.1", "CONNECT site.test:443?q HTTP/1.1", "CONNECT me@site.test:443 HTTP/1.1",
		"CONNECT http://site.test:443 HTTP/1.1", "CONNECT http://site.test:443/ HTTP/1.1", "CONNECT １.test:443 HTTP/1.1",
		"CONNECT [fe80::1%25lo]:443 HTTP/1.1",
	} {
		_, _, response := send(t, door, line+"\r\nHost: site.test\r\n\r\n")
		if response.StatusCode != http.StatusBadRequest && response.StatusCode != http.StatusHTTPVersionNotSupported {
			t.Errorf("%q = %s, want 400", line, response.Status)
		}
	}
	huge := "GET http://site.test/ HTTP/1.1\r\nHost: site.test\r\nCookie: " + strings.Repeat("x", 300<<10) + "\r\n\r\n"
	if _, _, response := send(t, door, huge); response.StatusCode != http.StatusRequestHeaderFieldsTooLarge {
		t.Errorf("huge header = %s, want 431", response.Status)
	}
	if n := resolver.calls.Load(); n != 0 {
		t.Errorf("%d look-ups", n)
	}
}

// TestDoorHeaders holds what arrives on either side against what was sent there.
func TestDoorHeaders(t *testing.T) {
	t.Parallel()
	received := make(chan *http.Request, 1)
	address := raw(t, func(conn net.Conn) {
		request, err := http.ReadRequest(bufio.NewReader(conn))
		if err != nil {
			return
		}
		received <- request
		_, _ = io.WriteString(conn, "HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n"+
			"HTTP/1.1 200 OK\r\nConnection: X-Hop\r\nX-Hop: 1\r\nKeep-Alive: timeout=5\r\nProxy-Authenticate: Basic\r\n"+
			"Set-Cookie: a=1\r\nSet-Cookie: b=2\r\nContent-Encoding: br\r\nContent-Length: 4\r\n\r\nbody")
	})
	door := open(t, lenient(), egress.DoorConfig{})
	_, reader, hint := send(t, door, "GET http://"+address+"/ HTTP/1.1\r\nHost: other.test\r\nConnection: X-Mine, Upgrade\r\nX-Mine: 1\r\n"+
		"Upgrade: h2c\r\nProxy-Connection: keep-alive\r\nProxy-Authorization: Basic eA==\r\nKeep-Alive: 1\r\n"+
		"X-Forwarded-For: 1.1.1.1\r\nCookie: c=1\r\nAccept: */*\r\n\r\n")
	request := <-received
	want := http.Header{"X-Forwarded-For": {"1.1.1.1"}, "Cookie": {"c=1"}, "Accept": {"*/*"}}
	if !reflect.DeepEqual(request.Header, want) || request.Host != address {
		t.Errorf("the target got %v for host %s, want %v", request.Header, request.Host, want)
	}
	if hint.StatusCode != http.StatusEarlyHints {
		t.Fatalf("first answer = %s", hint.Status)
	}
	response, err := http.ReadResponse(reader, nil)
	if err != nil {
		t.Fatal(err)
	}
	body, _ := io.ReadAll(response.Body)
	names := slices.Sorted(maps.Keys(response.Header))
	if !slices.Equal(names, []string{"Content-Encoding", "Content-Length", "Set-Cookie"}) || len(response.Header["Set-Cookie"]) != 2 || string(body) != "body" {
		t.Errorf("the browser got %v %q", response.Header, body)
	}
}

func TestDoorRefusesAnswers(t *testing.T) {
	t.Parallel()
	door := open(t, lenient(), egress.DoorConfig{})
	for _, status := range []string{"101 Switching Protocols", "407 Proxy Authentication Required"} {
		cut := make(chan struct{})
		address := raw(t, func(conn net.Conn) {
			_, _ = conn.Read(make([]byte, 1000))
			_, _ = io.WriteString(conn, "HTTP/1.1 "+status+"\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n")
			_, _ = io.Copy(io.Discard, conn)
			close(cut)
		})
		_, _, response := send(t, door, "GET http://"+address+"/ HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n")
		if response.StatusCode != http.StatusBadGateway || door.Failure(address) == nil {
			t.Errorf("answer %s comes as %s, failure %v", status, response.Status, door.Failure(address))
		}
		<-cut // nobody holds on to the connection
	}
}

func TestDoorStreams(t *testing.T) {
	t.Parallel()
	more := make(chan struct{})
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Length", "8")
		_, _ = io.WriteString(w, "one ")
		_ = http.NewResponseController(w).Flush()
		<-more
		_, _ = io.WriteString(w, "two ")
	}))
	t.Cleanup(server.Close)
	response, err := browser(t, open(t, lenient(), egress.DoorConfig{})).Get(named(server))
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	first := make([]byte, 4)
	if _, err := io.ReadFull(response.Body, first); err != nil || string(first) != "one " {
		t.Errorf("first part = %q, %v", first, err)
	}
	close(more)
	if rest, err := io.ReadAll(response.Body); err != nil || string(rest) != "two " {
		t.Errorf("rest = %q, %v", rest, err)
	}
}

// TestDoorHalfClose ends each direction of a tunnel on its own. What the browser
// says before the tunnel stands is not lost.
func TestDoorHalfClose(t *testing.T) {
	t.Parallel()
	address := raw(t, func(conn net.Conn) {
		heard, _ := io.ReadAll(conn)
		_, _ = conn.Write(append([]byte("heard "), heard...))
	})
	door := open(t, lenient(), egress.DoorConfig{})
	conn, reader, _ := send(t, door, "CONNECT "+address+" HTTP/1.1\r\nHost: "+address+"\r\n\r\nearly ")
	_, _ = io.WriteString(conn, "late")
	_ = conn.(*net.TCPConn).CloseWrite()
	if answer, err := io.ReadAll(reader); err != nil || string(answer) != "heard early late" {
		t.Errorf("answer = %q, %v", answer, err)
	}
	if n := door.Received(); n != int64(len("heard early late")) {
		t.Errorf("received %d", n)
	}
}

func TestDoorSpent(t *testing.T) {
	t.Parallel()
	const limit = 1 << 20
	endless := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		for block := make([]byte, 1<<16); ; {
			if _, err := w.Write(block); err != nil {
				return
			}
		}
	}))
	t.Cleanup(endless.Close)
	quiet := raw(t, func(conn net.Conn) { _, _ = io.Copy(io.Discard, conn) })
	for _, method := range []string{"GET", "CONNECT"} {
		door := open(t, lenient(), egress.DoorConfig{MaxBytes: limit})
		guest, answers, _ := send(t, door, "GET / HTTP/1.1\r\nHost: x\r\n\r\n")
		_, other, _ := connect(t, door, quiet)
		host := strings.TrimPrefix(named(endless), "http://")
		var body io.Reader
		if method == "GET" {
			_, _, response := send(t, door, "GET http://"+host+"/ HTTP/1.1\r\nHost: x\r\n\r\n")
			body = response.Body
		} else {
			conn, reader, _ := connect(t, door, host)
			_, _ = io.WriteString(conn, "GET / HTTP/1.1\r\nHost: x\r\n\r\n")
			body = reader
		}
		n, _ := io.Copy(io.Discard, body)
		if n > limit || n < limit/2 {
			t.Errorf("%s: %d bytes came through, want nearly %d", method, n, limit)
		}
		if !door.Spent() || door.Received() <= limit {
			t.Errorf("%s: spent %v after %d bytes", method, door.Spent(), door.Received())
		}
		if rest, _ := io.ReadAll(other); len(rest) != 0 {
			t.Errorf("%s: the other tunnel said %q", method, rest)
		}
		_, _ = io.WriteString(guest, "GET http://"+host+"/ HTTP/1.1\r\nHost: x\r\n\r\n")
		if response, err := http.ReadResponse(answers, nil); err == nil && response.StatusCode != http.StatusBadGateway {
			t.Errorf("%s: an old connection got %s", method, response.Status)
		}
		conn, err := net.Dial("tcp", door.Address())
		if err != nil {
			t.Fatal(err)
		}
		_, _ = io.WriteString(conn, "CONNECT "+quiet+" HTTP/1.1\r\nHost: x\r\n\r\n")
		if answer, _ := io.ReadAll(conn); len(answer) != 0 {
			t.Errorf("%s: a new connection got %q", method, answer)
		}
		_ = conn.Close()
	}
}

func TestDoorIsNarrow(t *testing.T) {
	t.Parallel()
	address := raw(t, func(conn net.Conn) { _, _ = io.Copy(io.Discard, conn) })
	door := open(t, lenient(), egress.DoorConfig{})
	var last net.Conn
	for range 256 {
		var response *http.Response
		if last, _, response = connect(t, door, address); response.StatusCode != http.StatusOK {
			t.Fatalf("answer = %s", response.Status)
		}
	}
	try := func() bool {
		conn, err := net.Dial("tcp", door.Address())
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close()
		_, _ = io.WriteString(conn, "CONNECT "+address+" HTTP/1.1\r\nHost: x\r\n\r\n")
		n, _ := conn.Read(make([]byte, 1))
		return n == 1
	}
	if try() {
		t.Error("one connection too many was served")
	}
	_ = last.Close()
	for !try() { // until the door has noticed
		if t.Context().Err() != nil {
			t.Fatal("no room although one left")
		}
	}
}

// FuzzDoor says anything to a door whose way out is a proxy of ours. Whatever
// that is asked for must be open to everyone.
func FuzzDoor(f *testing.F) {
	for _, seed := range []string{
		"CONNECT site.test:443 HTTP/1.1\r\nHost: site.test:443\r\n\r\nhello",
		"GET http://site.test/a?b HTTP/1.1\r\nHost: site.test\r\n\r\nGET http://[::1]:80/ HTTP/1.0\r\n\r\n",
		"POST http://1.1.1.1/ HTTP/1.1\r\nHost: 127.0.0.1\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nx\r\n0\r\n\r\n",
		"GET http://１２７.0.0.1/ HTTP/1.1\r\nHost: x\r\n\r\n", "CONNECT [::ffff:7f00:1]:1 HTTP/1.1\r\n\r\n", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", "\x16\x03\x01",
	} {
		f.Add([]byte(seed))
	}
	guard := egress.New(egress.Config{Resolver: &answers{}, Log: slog.New(slog.DiscardHandler)})
	asked := make(chan string, 1000)
	proxy := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { asked <- r.URL.Hostname() }))
	f.Cleanup(proxy.Close)
	address, _ := url.Parse(proxy.URL)
	door := open(f, guard, egress.DoorConfig{Upstream: address})
	f.Fuzz(func(t *testing.T, said []byte) {
		conn, err := net.Dial("tcp", door.Address())
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close()
		_, _ = conn.Write(said)
		_ = conn.(*net.TCPConn).CloseWrite()
		_, _ = io.Copy(io.Discard, conn)
		for len(asked) > 0 {
			if host := <-asked; guard.Check(context.Background(), host) != nil {
				t.Errorf("the proxy was asked for %q", host)
			}
		}
	})
}
