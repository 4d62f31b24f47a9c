package egress_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"syscall"
	"testing"

	"github.com/coder/websocket"

	"github.com/trawlhq/trawl/egress"
	"github.com/trawlhq/trawl/internal/testnet"
)

// lenient returns a guard that opens the machine itself, where every name leads.
func lenient() *egress.Guard {
	return egress.New(egress.Config{
		Allow:    prefixes("127.0.0.1/32"),
		Resolver: &answers{list: [][]string{{"127.0.0.1"}}},
		Log:      slog.New(slog.DiscardHandler),
	})
}

func open(t testing.TB, guard *egress.Guard, config egress.DoorConfig) *egress.Door {
	t.Helper()
	door, err := guard.Open(t.Context(), config)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = door.Close() })
	return door
}

// browser returns a client that leaves through the door and follows nothing.
func browser(t testing.TB, door *egress.Door) *http.Client {
	t.Helper()
	transport := &http.Transport{Proxy: http.ProxyURL(&url.URL{Scheme: "http", Host: door.Address()})}
	t.Cleanup(transport.CloseIdleConnections)
	return &http.Client{
		Transport:     transport,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
}

// named returns the address of a server under a name for which it has a certificate.
func named(server *httptest.Server) string {
	return strings.Replace(server.URL, "127.0.0.1", "example.com", 1)
}

// send says something to the door and reads its answer.
func send(t testing.TB, door *egress.Door, text string) (net.Conn, *bufio.Reader, *http.Response) {
	t.Helper()
	conn, err := net.Dial("tcp", door.Address())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close() })
	if _, err := io.WriteString(conn, text); err != nil {
		t.Fatal(err)
	}
	method, _, _ := strings.Cut(text, " ")
	reader := bufio.NewReader(conn)
	response, err := http.ReadResponse(reader, &http.Request{Method: method})
	if err != nil {
		t.Fatalf("answer to %.80q: %v", text, err)
	}
	return conn, reader, response
}

func connect(t testing.TB, door *egress.Door, address string) (net.Conn, *bufio.Reader, *http.Response) {
	t.Helper()
	return send(t, door, "CONNECT "+address+" HTTP/1.1\r\nHost: "+address+"\r\n\r\n")
}

// raw answers connections byte by byte. It returns its address under a name.
func raw(t testing.TB, answer func(net.Conn)) string {
	t.Helper()
	_, port, _ := net.SplitHostPort(testnet.Serve(t, answer))
	return "raw.test:" + port
}

func TestDoorLeadsOut(t *testing.T) {
	t.Parallel()
	page := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/away" {
			http.Redirect(w, r, "http://elsewhere.test/", http.StatusFound)
			return
		}
		body, _ := io.ReadAll(r.Body)
		_, _ = io.WriteString(w, r.Method+" "+r.Host+r.URL.RequestURI()+" "+string(body))
	})
	plain, secure := httptest.NewServer(page), httptest.NewTLSServer(page)
	t.Cleanup(plain.Close)
	t.Cleanup(secure.Close)
	door := open(t, lenient(), egress.DoorConfig{})
	client := browser(t, door)
	for _, address := range []string{named(plain), named(secure)} {
		response, err := client.Post(address+"/a%2Fb?x=1;y&z=%zz", "text/plain", strings.NewReader("hello"))
		if err != nil {
			t.Fatal(err)
		}
		body, _ := io.ReadAll(response.Body)
		_ = response.Body.Close()
		_, host, _ := strings.Cut(address, "://")
		if want := "POST " + host + "/a%2Fb?x=1;y&z=%zz hello"; string(body) != want {
			t.Errorf("%s gives %q, want %q", address, body, want)
		}
		if err := door.Failure(host); err != nil {
			t.Errorf("failure of %s = %v", host, err)
		}
		response, err = client.Get(address + "/away")
		if err != nil || response.StatusCode != http.StatusFound {
			t.Fatalf("redirect = %v, %v; want it untouched", response, err)
		}
		_ = response.Body.Close()
	}
	if door.Received() == 0 || door.Spent() {
		t.Errorf("received %d, spent %v", door.Received(), door.Spent())
	}
}

func TestDoorIsGuarded(t *testing.T) {
	t.Parallel()
	inside := newCanary(t, "127.0.0.1")
	upstream := newCanary(t, "127.0.0.1")
	guard := egress.New(egress.Config{
		Resolver: &answers{list: [][]string{{"::ffff:127.0.0.1", "127.0.0.1"}}},
		Log:      slog.New(slog.DiscardHandler),
	})
	doors := map[string]*egress.Door{
		"direct": open(t, guard, egress.DoorConfig{}),
		"http":   open(t, guard, egress.DoorConfig{Upstream: &url.URL{Scheme: "http", Host: upstream.Addr().String()}}),
		"socks5": open(t, guard, egress.DoorConfig{Upstream: &url.URL{Scheme: "socks5", Host: upstream.Addr().String()}}),
	}
	for way, door := range doors {
		for _, host := range []string{
			"127.0.0.1", "127.0.0.1.", "127.1", "2130706433", "0x7f000001", "0x7f.1", "0177.0.0.1", "0", "0.0.0.0",
			"[::1]", "[::]", "[::ffff:127.0.0.1]", "[::ffff:7f00:1]", "[64:ff9b::7f00:1]", "localhost", "a.LocalHost.", "Site.Test",
		} {
			address := host + ":" + inside.port
			for _, request := range []string{"CONNECT " + address, "GET http://" + address + "/", "POST http://" + address + "/x"} {
				_, _, response := send(t, door, request+" HTTP/1.1\r\nHost: public.test\r\nContent-Length: 0\r\n\r\n")
				if response.StatusCode != http.StatusBadGateway {
					t.Errorf("%s: %s = %s, want 502", way, request, response.Status)
				}
				if err := door.Failure(address); err != egress.ErrRefused {
					t.Errorf("%s: failure after %s = %v, want ErrRefused", way, request, err)
				}
			}
		}
	}
	if n, m := inside.visits(t), upstream.visits(t); n+m != 0 {
		t.Errorf("canaries saw %d connections, and %d through a proxy", n, m)
	}
}

// TestDoorRebinding lets a name change its mind after it was good once.
func TestDoorRebinding(t *testing.T) {
	t.Parallel()
	first := newCanary(t, "127.0.0.2")
	inside, err := net.Listen("tcp", "127.0.0.1:"+first.port)
	if err != nil {
		t.Skip("the port is taken on the other address")
	}
	t.Cleanup(func() { _ = inside.Close() })
	guard := egress.New(egress.Config{
		Allow:    prefixes("127.0.0.2/32"),
		Resolver: &answers{list: [][]string{{"127.0.0.2"}, {"127.0.0.1"}}},
		Log:      slog.New(slog.DiscardHandler),
	})
	door := open(t, guard, egress.DoorConfig{})
	for _, want := range []int{http.StatusOK, http.StatusBadGateway, http.StatusBadGateway} {
		if _, _, response := connect(t, door, "rebind.test:"+first.port); response.StatusCode != want {
			t.Errorf("CONNECT = %s, want %d", response.Status, want)
		}
	}
	if n := first.visits(t); n != 1 {
		t.Errorf("the open address saw %d connections, want 1", n)
	}
}

func TestDoorWebSocket(t *testing.T) {
	t.Parallel()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		conn, err := websocket.Accept(w, r, nil)
		if err != nil {
			return
		}
		defer conn.CloseNow()
		kind, message, err := conn.Read(r.Context())
		if err == nil {
			_ = conn.Write(r.Context(), kind, append([]byte("echo "), message...))
			_, _, _ = conn.Read(r.Context())
		}
	}))
	t.Cleanup(server.Close)
	door := open(t, lenient(), egress.DoorConfig{})
	transport := &http.Transport{DialContext: func(_ context.Context, _, address string) (net.Conn, error) {
		conn, _, response := connect(t, door, address)
		if response.StatusCode != http.StatusOK {
			return nil, errors.New(response.Status)
		}
		return conn, nil
	}}
	conn, _, err := websocket.Dial(t.Context(), named(server), &websocket.DialOptions{HTTPClient: &http.Client{Transport: transport}})
	if err != nil {
		t.Fatal(err)
	}
	defer conn.CloseNow()
	if err := conn.Write(t.Context(), websocket.MessageText, []byte("hello")); err != nil {
		t.Fatal(err)
	}
	if _, message, err := conn.Read(t.Context()); err != nil || string(message) != "echo hello" {
		t.Errorf("message = %q, %v", message, err)
	}
	_ = conn.Close(websocket.StatusNormalClosure, "")
}

func TestDoorBlocks(t *testing.T) {
	t.Parallel()
	target := newCanary(t, "127.0.0.1")
	resolver := &answers{list: [][]string{{"127.0.0.1"}}}
	guard := egress.New(egress.Config{Allow: prefixes("127.0.0.0/8"), Resolver: resolver})
	ads := func(host string) bool { return host == "ads.test" }
	for name, config := range map[string]egress.DoorConfig{
		"blocked": {Block: ads},
		"closed":  {Closed: true},
	} {
		door := open(t, guard, config)
		for _, host := range []string{"ads.test", "ADS.test", "ads.test."} {
			address := host + ":" + target.port
			for _, request := range []string{"CONNECT " + address, "GET http://" + address + "/banner"} {
				_, _, response := send(t, door, request+" HTTP/1.1\r\nHost: "+address+"\r\n\r\n")
				body, _ := io.ReadAll(response.Body)
				if response.StatusCode != http.StatusForbidden || len(body) != 0 {
					t.Errorf("%s: %s = %s %q, want an empty 403", name, request, response.Status, body)
				}
				if err := door.Failure(address); err != egress.ErrBlocked {
					t.Errorf("%s: failure = %v, want ErrBlocked", name, err)
				}
			}
		}
	}
	if n := target.visits(t); n != 0 || resolver.calls.Load() != 0 {
		t.Errorf("%d connections and %d look-ups for hosts that are turned away", n, resolver.calls.Load())
	}
	if _, _, response := connect(t, open(t, guard, egress.DoorConfig{Block: ads}), "site.test:"+target.port); response.StatusCode != http.StatusOK {
		t.Errorf("another host gets %s", response.Status)
	}
}

func TestDoorFailures(t *testing.T) {
	t.Parallel()
	nowhere := open(t, egress.New(egress.Config{Resolver: &answers{}}), egress.DoorConfig{})
	gone := httptest.NewServer(http.NotFoundHandler())
	gone.Close()
	port := gone.Listener.Addr().(*net.TCPAddr).Port
	silent := raw(t, func(conn net.Conn) { _, _ = conn.Read(make([]byte, 1000)) })
	door := open(t, lenient(), egress.DoorConfig{})
	for name, test := range map[string]struct {
		door    *egress.Door
		request string
		address string
		want    func(error) bool
	}{
		"unknown name, tunnel": {nowhere, "CONNECT Nowhere.test:443", "nowhere.test:443", isA[*net.DNSError]},
		"unknown name, plain":  {nowhere, "GET http://plain.test/", "plain.test:80", isA[*net.DNSError]},
		"no listener, tunnel":  {door, fmt.Sprintf("CONNECT a.test:%d", port), fmt.Sprintf("A.test:%d", port), isRefusedByTarget},
		"no listener, plain":   {door, fmt.Sprintf("GET http://b.test:%d/", port), fmt.Sprintf("b.test:%d", port), isRefusedByTarget},
		"no answer":            {door, "GET http://" + silent + "/", silent, func(err error) bool { return errors.Is(err, io.EOF) }},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, _, response := send(t, test.door, test.request+" HTTP/1.1\r\nHost: x\r\n\r\n")
			body, _ := io.ReadAll(response.Body)
			if response.StatusCode != http.StatusBadGateway || len(body) != 0 {
				t.Errorf("answer = %s %q, want an empty 502", response.Status, body)
			}
			if err := test.door.Failure(test.address); err == nil || !test.want(err) {
				t.Errorf("failure = %T %v", err, err)
			}
			if err := test.door.Failure("other.test:443"); err != nil {
				t.Errorf("failure of a host that nobody asked for = %v", err)
			}
		})
	}
}

func isRefusedByTarget(err error) bool { return errors.Is(err, syscall.ECONNREFUSED) }

func TestDoorForgetsFailures(t *testing.T) {
	t.Parallel()
	guard := egress.New(egress.Config{Allow: prefixes("127.0.0.0/8"), Resolver: &answers{list: [][]string{{}, {"127.0.0.1"}}}})
	door := open(t, guard, egress.DoorConfig{})
	_, port, _ := net.SplitHostPort(raw(t, func(net.Conn) {}))
	for _, want := range []bool{true, false} {
		connect(t, door, "site.test:"+port)
		if err := door.Failure("site.test:" + port); (err != nil) != want {
			t.Errorf("failure = %v, want one: %v", err, want)
		}
	}
	door = open(t, egress.New(egress.Config{Resolver: &answers{}}), egress.DoorConfig{})
	client := browser(t, door)
	remembered := 0
	for i := range 300 {
		response, err := client.Get(fmt.Sprintf("http://n%d.test/", i))
		if err != nil {
			t.Fatal(err)
		}
		_ = response.Body.Close()
	}
	for i := range 300 {
		if door.Failure(fmt.Sprintf("n%d.test:80", i)) != nil {
			remembered++
		}
	}
	if remembered != 256 || door.Failure("n299.test:80") == nil {
		t.Errorf("%d failures are remembered, want 256 with the last", remembered)
	}
}

// TestDoorLocal has a site that is part of the service: the door answers for it,
// over http only, and nothing is dialled.
func TestDoorLocal(t *testing.T) {
	t.Parallel()
	guard := egress.New(egress.Config{Log: slog.New(slog.DiscardHandler)})
	door := open(t, guard, egress.DoorConfig{Local: map[string]http.Handler{"sample.localhost": say("from within")}})
	response, err := browser(t, door).Get("http://Sample.localhost/page")
	if err != nil {
		t.Fatal(err)
	}
	body, _ := io.ReadAll(response.Body)
	_ = response.Body.Close()
	if response.StatusCode != http.StatusOK || string(body) != "from within" {
		t.Errorf("%d %q", response.StatusCode, body)
	}
	for _, address := range []string{"sample.localhost:443", "other.localhost:80"} {
		if _, _, answer := connect(t, door, address); answer.StatusCode != http.StatusBadGateway || !errors.Is(door.Failure(address), egress.ErrRefused) {
			t.Errorf("tunnel to %s: %s, %v", address, answer.Status, door.Failure(address))
		}
	}
}
