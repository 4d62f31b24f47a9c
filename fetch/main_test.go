package fetch_test

import (
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"testing"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/egress"
	"github.com/trawlhq/trawl/fetch"
	"github.com/trawlhq/trawl/internal/testnet"
	"github.com/trawlhq/trawl/internal/testtime"
)

func TestMain(m *testing.M) { testnet.Main(m) }

var hosts = testnet.Names{
	"a.test": "127.0.0.1", "b.test": "127.0.0.1", "shop.a.test": "127.0.0.1",
	"inside.test": "127.0.0.2", "public.test": "93.184.215.14",
}

// guard returns a guard that opens the given networks and knows hosts.
func guard(allow ...string) *egress.Guard {
	config := egress.Config{Resolver: hosts, Log: slog.New(slog.DiscardHandler)}
	for _, text := range allow {
		config.Allow = append(config.Allow, netip.MustParsePrefix(text))
	}
	return egress.New(config)
}

// newClient returns a client that may reach loopback addresses.
func newClient(t testing.TB, adjust func(*fetch.Config)) *fetch.Client {
	t.Helper()
	config := fetch.Config{Guard: guard("127.0.0.0/8")}
	if adjust != nil {
		adjust(&config)
	}
	client, err := fetch.New(config)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(client.Close)
	return client
}

func serve(t testing.TB, handler http.HandlerFunc) *httptest.Server {
	t.Helper()
	server := httptest.NewServer(handler)
	t.Cleanup(server.Close)
	return server
}

// serveTLS serves over TLS, HTTP/2 included.
func serveTLS(t testing.TB, handler http.HandlerFunc) *httptest.Server {
	t.Helper()
	server := httptest.NewUnstartedServer(handler)
	server.EnableHTTP2 = true
	server.Config.ErrorLog = silent
	server.StartTLS()
	t.Cleanup(server.Close)
	return server
}

// at returns the server's address under another name.
func at(t testing.TB, server *httptest.Server, host, path string) string {
	t.Helper()
	u, err := url.Parse(server.URL)
	if err != nil {
		t.Fatal(err)
	}
	return u.Scheme + "://" + net.JoinHostPort(host, u.Port()) + path
}

func mustFetch(t testing.TB, client *fetch.Client, request fetch.Request) *fetch.Response {
	t.Helper()
	response, err := client.Fetch(testtime.Context(t), request)
	if err != nil {
		t.Fatal(err)
	}
	return response
}

// wantError fetches and expects an error for the eyes of a caller.
func wantError(t testing.TB, client *fetch.Client, request fetch.Request, code trawl.Code, message string) {
	t.Helper()
	response, err := client.Fetch(testtime.Context(t), request)
	if err == nil {
		t.Fatalf("fetch = %d, want error %s", response.Status, code)
	}
	checkError(t, err, code, message)
}

func checkError(t testing.TB, err error, code trawl.Code, message string) {
	t.Helper()
	e, ok := err.(*trawl.Error)
	if !ok {
		t.Fatalf("error is a %T: %v", err, err)
	}
	if e.Code != code || message != "" && e.Message != message {
		t.Errorf("error = %s %q (%v), want %s %q", e.Code, e.Message, e.Err, code, message)
	}
}

func say(text string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, text) }
}
