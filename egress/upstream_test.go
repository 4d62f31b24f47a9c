package egress_test

import (
	"bufio"
	"encoding/base64"
	"errors"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"runtime"
	"strings"
	"sync"
	"testing"

	"github.com/trawlhq/trawl/egress"
)

// operator runs proxies for user me with password hunter2 that lead to servers of
// its own, whatever they are asked for.
type operator struct {
	plain, secure *httptest.Server
	asked         chan string
}

func newOperator(t *testing.T) *operator {
	t.Helper()
	o := &operator{
		plain:  httptest.NewServer(say("via proxy")),
		secure: httptest.NewTLSServer(say("via proxy")),
		asked:  make(chan string, 100),
	}
	t.Cleanup(o.plain.Close)
	t.Cleanup(o.secure.Close)
	return o
}

func (o *operator) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.Header.Get("Proxy-Authorization") != "Basic "+base64.StdEncoding.EncodeToString([]byte("me:hunter2")) {
		w.WriteHeader(http.StatusProxyAuthRequired)
		return
	}
	o.asked <- r.Method + " " + r.RequestURI + " " + r.UserAgent()
	if r.Method != http.MethodConnect {
		_, _ = io.WriteString(w, "via proxy")
		return
	}
	w.WriteHeader(http.StatusOK)
	conn, buffered, err := http.NewResponseController(w).Hijack()
	if err == nil {
		o.lead(conn, buffered.Reader, o.secure)
	}
}

func (o *operator) lead(conn net.Conn, from io.Reader, server *httptest.Server) {
	defer conn.Close()
	target, err := net.Dial("tcp", server.Listener.Addr().String())
	if err != nil {
		return
	}
	defer target.Close()
	var both sync.WaitGroup
	both.Go(func() { _, _ = io.Copy(target, from); _ = target.(*net.TCPConn).CloseWrite() })
	both.Go(func() { _, _ = io.Copy(conn, target); _ = conn.Close() })
	both.Wait()
}

// socks speaks SOCKS5 as far as a client needs that asks by name.
func (o *operator) socks(conn net.Conn) {
	r := bufio.NewReader(conn)
	next := func(n int) []byte {
		b := make([]byte, n)
		_, _ = io.ReadFull(r, b)
		return b
	}
	next(int(next(2)[1])) // version, methods
	_, _ = conn.Write([]byte{5, 2})
	user := next(int(next(2)[1]))
	password := next(int(next(1)[0]))
	if string(user)+":"+string(password) != "me:hunter2" {
		_, _ = conn.Write([]byte{1, 1})
		return
	}
	_, _ = conn.Write([]byte{1, 0})
	next(4) // version, command, reserved, kind of address
	host := string(next(int(next(1)[0])))
	port := next(2)
	o.asked <- "SOCKS " + host
	_, _ = conn.Write([]byte{5, 0, 0, 1, 0, 0, 0, 0, 0, 0})
	server := o.plain
	if int(port[0])<<8|int(port[1]) == 443 {
		server = o.secure
	}
	o.lead(conn, r, server)
}

// strict returns a guard that opens nothing and takes example.com for public.
func strict() *egress.Guard {
	return egress.New(egress.Config{
		Resolver: &answers{list: [][]string{{"93.184.215.14"}}},
		Log:      slog.New(slog.DiscardHandler),
	})
}

func at(scheme, address string) *url.URL {
	_, port, _ := net.SplitHostPort(address)
	return &url.URL{Scheme: scheme, User: url.UserPassword("me", "hunter2"), Host: "127.0.0.1:" + port}
}

func TestUpstream(t *testing.T) {
	t.Parallel()
	for _, kind := range []string{"http", "https", "socks5"} {
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			o := newOperator(t)
			var proxy *url.URL
			want := []string{"GET http://example.com/page Test/1", "CONNECT example.com:443 "}
			switch kind {
			case "http":
				server := httptest.NewServer(o)
				t.Cleanup(server.Close)
				proxy = at(kind, server.Listener.Addr().String())
			case "https":
				if runtime.GOOS != "linux" {
					t.Skip("the tests cannot name a root here")
				}
				server := httptest.NewTLSServer(o)
				t.Cleanup(server.Close)
				proxy = at(kind, server.Listener.Addr().String())
			case "socks5":
				proxy = at(kind, raw(t, o.socks))
				want = []string{"SOCKS example.com", "SOCKS example.com"}
			}
			door := open(t, strict(), egress.DoorConfig{Upstream: proxy})
			client := browser(t, door)
			for i, address := range []string{"http://example.com/page", "https://example.com/page"} {
				request, _ := http.NewRequestWithContext(t.Context(), http.MethodGet, address, nil)
				request.Header.Set("User-Agent", "Test/1")
				response, err := client.Do(request)
				if err != nil {
					t.Fatal(err)
				}
				body, _ := io.ReadAll(response.Body)
				_ = response.Body.Close()
				if string(body) != "via proxy" {
					t.Errorf("%s gives %s %q", address, response.Status, body)
				}
				if asked := <-o.asked; asked != want[i] {
					t.Errorf("the proxy was asked %q, want %q", asked, want[i])
				}
			}
			if door.Received() == 0 {
				t.Error("nothing was counted")
			}
		})
	}
}

func TestUpstreamFailures(t *testing.T) {
	t.Parallel()
	o := newOperator(t)
	good := httptest.NewServer(o)
	t.Cleanup(good.Close)
	wrong := func(proxy *url.URL) *url.URL {
		proxy.User = url.UserPassword("me", "hunter3")
		return proxy
	}
	says := func(text string) string {
		return raw(t, func(conn net.Conn) {
			_, _ = conn.Read(make([]byte, 1000))
			_, _ = io.WriteString(conn, text)
		})
	}
	gone := httptest.NewServer(http.NotFoundHandler())
	gone.Close()
	both, tunnel := []string{"GET http://example.com:443/", "CONNECT example.com:443"}, []string{"CONNECT example.com:443"}
	for name, test := range map[string]struct {
		proxy    *url.URL
		requests []string
	}{
		"gone":                {at("http", gone.Listener.Addr().String()), both},
		"gone, socks":         {at("socks5", gone.Listener.Addr().String()), both},
		"wrong password":      {wrong(at("http", good.Listener.Addr().String())), both},
		"wrong, socks":        {wrong(at("socks5", raw(t, o.socks))), both},
		"not TLS":             {at("https", good.Listener.Addr().String()), both},
		"no tunnel":           {at("http", says("HTTP/1.1 403 Forbidden\r\n\r\n")), tunnel},
		"not HTTP":            {at("http", says("220 mail\r\n")), tunnel},
		"speaks out of turn":  {at("http", says("HTTP/1.1 200 OK\r\n\r\nhello")), tunnel},
		"endless header":      {at("http", says("HTTP/1.1 200 OK\r\nX: "+strings.Repeat("x", 1<<19))), tunnel},
		"end, not an answer":  {at("http", says("")), tunnel},
		"end, not an answer,": {at("socks5", says("\x05")), tunnel},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			door := open(t, strict(), egress.DoorConfig{Upstream: test.proxy})
			for _, request := range test.requests {
				_, _, response := send(t, door, request+" HTTP/1.1\r\nHost: x\r\n\r\n")
				if response.StatusCode != http.StatusBadGateway {
					t.Errorf("%s = %s, want 502", request, response.Status)
				}
				err := door.Failure("example.com:443")
				op, ok := errors.AsType[*net.OpError](err)
				if !ok || op.Op != "proxyconnect" && op.Op != "socks connect" || strings.Contains(err.Error(), "hunter") {
					t.Errorf("failure after %s = %T %v, want the proxy's", request, err, err)
				}
			}
		})
	}
}

// TestUpstreamCertificate has an impostor in the place of the proxy. It must not
// hear the password.
func TestUpstreamCertificate(t *testing.T) {
	t.Parallel()
	o := newOperator(t)
	impostor := httptest.NewUnstartedServer(o)
	impostor.Config.ErrorLog = slog.NewLogLogger(slog.DiscardHandler, slog.LevelError)
	impostor.StartTLS()
	t.Cleanup(impostor.Close)
	proxy := at("https", impostor.Listener.Addr().String())
	proxy.Host = "localhost:" + proxy.Port() // for which there is no certificate
	door := open(t, strict(), egress.DoorConfig{Upstream: proxy})
	for _, request := range []string{"CONNECT example.com:443", "GET http://example.com:443/"} {
		_, _, response := send(t, door, request+" HTTP/1.1\r\nHost: x\r\n\r\n")
		if kind := egress.Diagnose(door.Failure("example.com:443")); response.StatusCode != http.StatusBadGateway || kind != egress.FailureCertificate {
			t.Errorf("%s = %s, failure %v", request, response.Status, door.Failure("example.com:443"))
		}
	}
	if n := len(o.asked); n != 0 {
		t.Errorf("the impostor was asked %d times", n)
	}
}

func TestUpstreamHangs(t *testing.T) {
	t.Parallel()
	came := make(chan struct{}, 1)
	for _, kind := range []string{"http", "https", "socks5"} {
		address := raw(t, func(conn net.Conn) {
			came <- struct{}{}
			_, _ = io.Copy(io.Discard, conn)
		})
		door := open(t, strict(), egress.DoorConfig{Upstream: at(kind, address)})
		conn, err := net.Dial("tcp", door.Address())
		if err != nil {
			t.Fatal(err)
		}
		_, _ = io.WriteString(conn, "CONNECT example.com:443 HTTP/1.1\r\nHost: x\r\n\r\n")
		<-came
		if err := door.Close(); err != nil {
			t.Errorf("%s: %v", kind, err)
		}
		_ = conn.Close()
	}
}
