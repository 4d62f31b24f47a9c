package egress_test

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"net"
	"net/netip"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/trawlhq/trawl/egress"
	"github.com/trawlhq/trawl/internal/testnet"
)

func TestMain(m *testing.M) { testnet.Main(m) }

// answers is a resolver whose every look-up takes the next answer; the last
// one stays.
type answers struct {
	list  [][]string
	calls atomic.Int32
}

func (a *answers) LookupNetIP(_ context.Context, _, host string) ([]netip.Addr, error) {
	i := int(a.calls.Add(1)) - 1
	if len(a.list) == 0 {
		return nil, &net.DNSError{Err: "no such host", Name: host, IsNotFound: true}
	}
	var addrs []netip.Addr
	for _, text := range a.list[min(i, len(a.list)-1)] {
		addrs = append(addrs, netip.MustParseAddr(text))
	}
	return addrs, nil
}

// canary listens on a loopback address and notes who comes.
type canary struct {
	net.Listener
	port   string
	guests chan string
}

func newCanary(t *testing.T, host string) *canary {
	t.Helper()
	listener, err := net.Listen("tcp", net.JoinHostPort(host, "0"))
	if err != nil {
		t.Fatal(err)
	}
	_, port, _ := net.SplitHostPort(listener.Addr().String())
	c := &canary{listener, port, make(chan string, 100)}
	done := make(chan struct{})
	go func() {
		defer close(done)
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			c.guests <- conn.RemoteAddr().String()
			_ = conn.Close()
		}
	}()
	t.Cleanup(func() { _ = listener.Close(); <-done })
	return c
}

// visits returns how many connections came so far. They are accepted in order,
// so it makes one of its own and counts those before it.
func (c *canary) visits(t *testing.T) (n int) {
	t.Helper()
	conn, err := net.Dial("tcp", c.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	for guest := range c.guests {
		if guest == conn.LocalAddr().String() {
			break
		}
		n++
	}
	return n
}

func prefixes(list ...string) (out []netip.Prefix) {
	for _, text := range list {
		out = append(out, netip.MustParsePrefix(text))
	}
	return out
}

func TestDialRefuses(t *testing.T) {
	t.Parallel()
	target := newCanary(t, "127.0.0.1")
	for name, test := range map[string]struct {
		host   string
		answer []string
		class  egress.Class
	}{
		"literal":            {"127.0.0.1", nil, egress.Loopback},
		"mapped literal":     {"::ffff:127.0.0.1", nil, egress.Loopback},
		"literal with zone":  {"::1%lo", nil, egress.Scoped},
		"unspecified":        {"0.0.0.0", nil, egress.Unspecified},
		"localhost":          {"localhost", nil, egress.Loopback},
		"below localhost":    {"a.LocalHost.", nil, egress.Loopback},
		"decimal number":     {"2130706433", []string{"127.0.0.1"}, egress.Invalid},
		"hexadecimal number": {"0x7f.1", []string{"127.0.0.1"}, egress.Invalid},
		"bare prefix":        {"0x", []string{"127.0.0.1"}, egress.Invalid},
		"empty":              {"", []string{"127.0.0.1"}, egress.Invalid},
		"name":               {"site.test", []string{"127.0.0.1"}, egress.Loopback},
		"name, mapped":       {"site.test", []string{"::ffff:127.0.0.1"}, egress.Loopback},
		"name, all bad":      {"site.test", []string{"127.0.0.1", "::1", "127.0.0.3"}, egress.Loopback},
	} {
		t.Run(name, func(t *testing.T) {
			var log bytes.Buffer
			var observed []egress.Class
			guard := egress.New(egress.Config{
				Resolver: &answers{list: [][]string{test.answer}},
				Log:      slog.New(slog.NewTextHandler(&log, nil)),
				Observe:  func(r egress.Refusal) { observed = append(observed, r.Class) },
			})
			conn, err := guard.DialContext(t.Context(), "tcp", net.JoinHostPort(test.host, target.port))
			if conn != nil || err != egress.ErrRefused {
				t.Fatalf("dial = %v, %v; want exactly ErrRefused", conn, err)
			}
			if len(observed) != 1 || observed[0] != test.class {
				t.Errorf("observed %v, want [%v]", observed, test.class)
			}
			if lines := strings.Count(log.String(), "\n"); lines != 1 || !strings.Contains(log.String(), "class="+test.class.String()) {
				t.Errorf("log = %q, want one line with the class", log.String())
			}
		})
	}
	if n := target.visits(t); n != 0 {
		t.Errorf("the canary saw %d connections", n)
	}
}

func TestDialAllows(t *testing.T) {
	t.Parallel()
	target := newCanary(t, "127.0.0.1")
	for name, test := range map[string]struct {
		host   string
		allow  string
		answer []string
	}{
		"literal":                 {"127.0.0.1", "127.0.0.0/8", nil},
		"mapped address":          {"::ffff:127.0.0.1", "127.0.0.1/32", nil},
		"mapped prefix":           {"127.0.0.1", "::ffff:127.0.0.0/104", nil},
		"localhost":               {"localhost", "127.0.0.0/8", nil},
		"name":                    {"site.test", "127.0.0.0/8", []string{"127.0.0.1"}},
		"only allowed ones tried": {"site.test", "127.0.0.1/32", []string{"127.0.0.2", "::ffff:127.0.0.3", "::1", "127.0.0.1"}},
		"next after failure":      {"site.test", "127.0.0.0/8", []string{"127.0.0.9", "127.0.0.1"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			guard := egress.New(egress.Config{Allow: prefixes(test.allow), Resolver: &answers{list: [][]string{test.answer}}})
			conn, err := guard.DialContext(t.Context(), "tcp", net.JoinHostPort(test.host, target.port))
			if err != nil {
				t.Fatal(err)
			}
			defer conn.Close()
			if got := conn.RemoteAddr().String(); got != target.Addr().String() {
				t.Errorf("connected to %s, want %s", got, target.Addr())
			}
		})
	}
}

// TestRebinding plays the classic trick: a name looks harmless when it is
// checked and points inside when it is used.
func TestRebinding(t *testing.T) {
	t.Parallel()
	target := newCanary(t, "127.0.0.1")
	guard := egress.New(egress.Config{Resolver: &answers{list: [][]string{{"93.184.215.14"}, {"127.0.0.1"}}}})
	if err := guard.Check(t.Context(), "rebind.test"); err != nil {
		t.Fatalf("first look = %v, want it to pass", err)
	}
	for range 3 {
		if _, err := guard.DialContext(t.Context(), "tcp", "rebind.test:"+target.port); !errors.Is(err, egress.ErrRefused) {
			t.Errorf("dial = %v, want ErrRefused", err)
		}
	}
	// Even past everything else, the last check sees where the socket goes.
	for _, address := range []string{target.Addr().String(), "[::ffff:127.0.0.1]:" + target.port, "localhost:" + target.port} {
		if _, err := guard.DialUnresolved(t.Context(), "tcp", address); !errors.Is(err, egress.ErrRefused) {
			t.Errorf("dial past resolution to %s = %v, want ErrRefused", address, err)
		}
	}
	if n := target.visits(t); n != 0 {
		t.Errorf("the canary saw %d connections", n)
	}
}

func TestDialFailures(t *testing.T) {
	t.Parallel()
	guard := egress.New(egress.Config{Allow: prefixes("127.0.0.0/8"), Resolver: &answers{}})
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	for name, test := range map[string]struct {
		ctx              context.Context
		network, address string
		want             func(error) bool
	}{
		"udp":          {t.Context(), "udp", "127.0.0.1:53", isA[net.UnknownNetworkError]},
		"unix":         {t.Context(), "unix", "/run/x.sock", isA[net.UnknownNetworkError]},
		"no port":      {t.Context(), "tcp", "127.0.0.1", isA[*net.AddrError]},
		"named port":   {t.Context(), "tcp", "127.0.0.1:http", isA[*net.OpError]},
		"unknown name": {t.Context(), "tcp", "nowhere.test:80", isA[*net.DNSError]},
		"ended":        {ended, "tcp", "127.0.0.1:2", func(err error) bool { return errors.Is(err, context.Canceled) || isA[*net.OpError](err) }},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if _, err := guard.DialContext(test.ctx, test.network, test.address); err == nil || errors.Is(err, egress.ErrRefused) || !test.want(err) {
				t.Errorf("error = %T %v", err, err)
			}
		})
	}
}

func isA[E error](err error) bool {
	_, ok := errors.AsType[E](err)
	return ok
}

func TestCheck(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		host    string
		answer  [][]string
		allow   []netip.Prefix
		refused bool
	}{
		"public literal":     {host: "1.1.1.1"},
		"loopback literal":   {host: "127.0.0.1", refused: true},
		"metadata literal":   {host: "169.254.169.254", refused: true},
		"allowed literal":    {host: "127.0.0.1", allow: prefixes("127.0.0.0/8")},
		"IPv6 literal":       {host: "::1", refused: true},
		"public name":        {host: "site.test", answer: [][]string{{"1.1.1.1", "2606:4700::1111"}}},
		"one address inside": {host: "site.test", answer: [][]string{{"1.1.1.1", "10.0.0.1"}}, refused: true},
		"localhost":          {host: "localhost", refused: true},
		"number":             {host: "0x7f000001", refused: true},
		"unknown name":       {host: "nowhere.test"},
		"empty answer":       {host: "site.test", answer: [][]string{{}}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			guard := egress.New(egress.Config{Resolver: &answers{list: test.answer}, Allow: test.allow})
			err := guard.Check(t.Context(), test.host)
			if refused := err == egress.ErrRefused; refused != test.refused || err != nil && !refused {
				t.Errorf("Check = %v, want refused %v", err, test.refused)
			}
		})
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if err := egress.New(egress.Config{Resolver: &answers{}}).Check(ended, "site.test"); !errors.Is(err, context.Canceled) {
		t.Errorf("Check after the end of the context = %v", err)
	}
}
