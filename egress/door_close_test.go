package egress_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/egress"
)

// stuck is a resolver that knows site.test and never answers for other names.
type stuck struct {
	asked chan struct{}
	ended chan error
}

func (s stuck) LookupNetIP(ctx context.Context, _, host string) ([]netip.Addr, error) {
	if host == "site.test" {
		return []netip.Addr{netip.MustParseAddr("127.0.0.1")}, nil
	}
	s.asked <- struct{}{}
	<-ctx.Done()
	time.Sleep(10 * time.Millisecond) // whoever does not wait is gone by then
	s.ended <- ctx.Err()
	return nil, ctx.Err()
}

// TestDoorClose closes a door in the middle of all it does. It does not run beside
// other tests, whose goroutines would look like its own.
func TestDoorClose(t *testing.T) {
	ignore := goleak.IgnoreCurrent()
	came := make(chan struct{}, 10)
	address := raw(t, func(conn net.Conn) {
		came <- struct{}{}
		_, _ = io.Copy(io.Discard, conn)
	})
	address = strings.Replace(address, "raw.test", "site.test", 1)
	resolver := stuck{make(chan struct{}, 10), make(chan error, 10)}
	guard := egress.New(egress.Config{Allow: prefixes("127.0.0.1/32"), Resolver: resolver})
	door, err := guard.Open(t.Context(), egress.DoorConfig{})
	if err != nil {
		t.Fatal(err)
	}
	var conns []net.Conn
	say := func(text string) {
		conn, err := net.Dial("tcp", door.Address())
		if err != nil {
			t.Fatal(err)
		}
		conns = append(conns, conn)
		_, _ = io.WriteString(conn, text)
	}
	say("")
	say("GET http://si")
	say("CONNECT " + address + " HTTP/1.1\r\nHost: x\r\n\r\n")
	say("GET http://" + address + "/ HTTP/1.1\r\nHost: x\r\n\r\n")
	say("POST http://" + address + "/ HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\n12345")
	say("CONNECT stuck.test:443 HTTP/1.1\r\nHost: x\r\n\r\n")
	say("GET http://stuck.test/ HTTP/1.1\r\nHost: x\r\n\r\n")
	for range 3 {
		<-came
	}
	for range 2 {
		<-resolver.asked
	}
	if err := door.Close(); err != nil {
		t.Error(err)
	}
	if n := len(resolver.ended); n != 2 {
		t.Errorf("%d of 2 look-ups have ended with the door", n)
	}
	for range 2 {
		if err := <-resolver.ended; !errors.Is(err, context.Canceled) {
			t.Errorf("a look-up ended by itself: %v", err)
		}
	}
	if err := door.Close(); err != nil {
		t.Errorf("closing again: %v", err)
	}
	for i, conn := range conns {
		answer, _ := io.ReadAll(conn)
		if i != 2 && len(answer) != 0 && !bytes.HasPrefix(answer, []byte("HTTP/1.1 502")) {
			t.Errorf("connection %d got %q", i, answer)
		}
		_ = conn.Close()
	}
	if _, err := net.Dial("tcp", door.Address()); err == nil {
		t.Error("the door still listens")
	}
	if err := door.Failure(address); err != nil {
		t.Errorf("what was cut counts as a failure: %v", err)
	}
	// The target's own goroutines are still there, one for each listener and connection.
	goleak.VerifyNone(t, ignore, goleak.IgnoreAnyFunction("github.com/trawlhq/trawl/internal/testnet.Serve.func1"))
}

func TestDoorOpenAndClose(t *testing.T) {
	ignore := goleak.IgnoreCurrent()
	for range 100 {
		door, err := lenient().Open(t.Context(), egress.DoorConfig{})
		if err != nil {
			t.Fatal(err)
		}
		conn, err := net.Dial("tcp", door.Address())
		if err != nil {
			t.Fatal(err)
		}
		_ = door.Close()
		if _, err := conn.Read(make([]byte, 1)); err == nil {
			t.Error("a connection outlives its door")
		}
		_ = conn.Close()
	}
	goleak.VerifyNone(t, ignore)
}

func TestDoorEndOfContext(t *testing.T) {
	t.Parallel()
	address := raw(t, func(conn net.Conn) { _, _ = io.Copy(io.Discard, conn) })
	ctx, cancel := context.WithCancel(t.Context())
	door, err := lenient().Open(ctx, egress.DoorConfig{})
	if err != nil {
		t.Fatal(err)
	}
	defer door.Close()
	_, reader, _ := connect(t, door, address)
	cancel()
	if _, err := reader.ReadByte(); !errors.Is(err, io.EOF) {
		t.Errorf("read = %v, want the end", err)
	}
}

func TestDoorIsDiscreet(t *testing.T) {
	t.Parallel()
	var log bytes.Buffer
	guard := egress.New(egress.Config{Log: slog.New(slog.NewTextHandler(&log, nil))})
	door, err := guard.Open(trawl.Discreetly(t.Context()), egress.DoorConfig{})
	if err != nil {
		t.Fatal(err)
	}
	for _, request := range []string{"CONNECT 127.0.0.1:2", "GET http://127.0.0.1:2/secret"} {
		send(t, door, request+" HTTP/1.1\r\nHost: x\r\n\r\n")
	}
	_ = door.Close()
	if text := log.String(); strings.Count(text, "class=loopback") != 2 || strings.Contains(text, "127.0.0.1") {
		t.Errorf("log = %q", text)
	}
}

func TestOpenFails(t *testing.T) {
	t.Parallel()
	door, err := lenient().Open(t.Context(), egress.DoorConfig{Upstream: &url.URL{Scheme: "ftp", Host: "proxy.test", User: url.UserPassword("me", "hunter2")}})
	if door != nil || err == nil || strings.Contains(err.Error(), "hunter2") {
		t.Errorf("Open = %v, %v", door, err)
	}
}

func BenchmarkDoorOpenClose(b *testing.B) {
	guard := lenient()
	b.ReportAllocs()
	for b.Loop() {
		door, err := guard.Open(b.Context(), egress.DoorConfig{})
		if err != nil {
			b.Fatal(err)
		}
		_ = door.Close()
	}
}

func BenchmarkDoorTunnel(b *testing.B) {
	page := strings.Repeat("x", 1<<20)
	server := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, page) }))
	b.Cleanup(server.Close)
	client := browser(b, open(b, lenient(), egress.DoorConfig{}))
	b.SetBytes(int64(len(page)))
	b.ReportAllocs()
	for b.Loop() {
		response, err := client.Get(named(server))
		if err != nil {
			b.Fatal(err)
		}
		_, _ = io.Copy(io.Discard, response.Body)
		_ = response.Body.Close()
	}
}
