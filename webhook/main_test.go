package webhook_test

import (
	"context"
	"io"
	"log"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"sync"
	"testing"
	"time"

	"github.com/trawlhq/trawl/egress"
	"github.com/trawlhq/trawl/internal/testnet"
	"github.com/trawlhq/trawl/webhook"
)

func TestMain(m *testing.M) { testnet.Main(m) }

// guard returns a guard that opens the given networks and knows two names.
func guard(allow ...string) *egress.Guard {
	config := egress.Config{
		Resolver: testnet.Names{"hook.test": "127.0.0.1", "inside.test": "127.0.0.2"},
		Log:      slog.New(slog.DiscardHandler),
	}
	for _, text := range allow {
		config.Allow = append(config.Allow, netip.MustParsePrefix(text))
	}
	return egress.New(config)
}

// now is the time of all tests.
var now = time.Unix(1614265330, 0)

// newSender returns a sender that may reach 127.0.0.1 and nothing else here.
func newSender(t testing.TB, timeout time.Duration) *webhook.Sender {
	t.Helper()
	sender := webhook.New(webhook.Config{
		Guard:   guard("127.0.0.1/32"),
		Now:     func() time.Time { return now },
		Timeout: timeout,
	})
	t.Cleanup(sender.Close)
	return sender
}

func message(address string) webhook.Message {
	return webhook.Message{URL: address, ID: "msg_p5jXN8AQM9LWM0D4loKWxJek", Body: []byte(`{"test": 2432232314}`)}
}

// got is a delivery as a receiver saw it.
type got struct {
	request *http.Request
	body    string
}

// receiver answers with the handler and keeps what it was sent.
func receiver(t testing.TB, answer http.HandlerFunc) (*httptest.Server, <-chan got) {
	t.Helper()
	seen := make(chan got, 100)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		seen <- got{r, string(body)}
		answer(w, r)
	}))
	t.Cleanup(server.Close)
	return server, seen
}

func serveTLS(t testing.TB, answer http.HandlerFunc) *httptest.Server {
	t.Helper()
	server := httptest.NewUnstartedServer(answer)
	server.EnableHTTP2 = true
	server.Config.ErrorLog = log.New(io.Discard, "", 0)
	server.StartTLS()
	t.Cleanup(server.Close)
	return server
}

func answer(status int) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(status) }
}

// at returns the server's address under another name.
func at(t testing.TB, server *httptest.Server, host string) string {
	t.Helper()
	u, err := url.Parse(server.URL)
	if err != nil {
		t.Fatal(err)
	}
	return u.Scheme + "://" + net.JoinHostPort(host, u.Port()) + "/"
}

// raw answers connections byte by byte and closes them, at the latest when the
// test ends. Connections are counted from 1. It returns its address.
func raw(t testing.TB, answer func(n int, conn net.Conn)) string {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ended, end := context.WithCancel(context.Background())
	var all sync.WaitGroup
	all.Go(func() {
		for n := 1; ; n++ {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			context.AfterFunc(ended, func() { _ = conn.Close() })
			all.Go(func() {
				defer conn.Close()
				answer(n, conn)
			})
		}
	})
	t.Cleanup(func() { _ = listener.Close(); end(); all.Wait() })
	return "http://" + listener.Addr().String() + "/"
}
