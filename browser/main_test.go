package browser

import (
	"context"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/trawlhq/trawl/browser/chromium"
	"github.com/trawlhq/trawl/egress"
	"github.com/trawlhq/trawl/internal/testtime"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// loopback lets pages of the test's own servers through.
func loopback() *egress.Guard {
	return egress.New(egress.Config{
		Allow:    []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8"), netip.MustParsePrefix("::1/128")},
		Resolver: noNames{},
		Log:      slog.New(slog.DiscardHandler),
	})
}

// noNames is a resolver that knows nobody, so that no look-up leaves the machine.
type noNames struct{}

func (noNames) LookupNetIP(_ context.Context, _, host string) ([]netip.Addr, error) {
	return nil, &net.DNSError{Err: "no such host", Name: host, IsNotFound: true}
}

// newPool returns a pool of real browsers for one test. It has the patience that a
// slow machine needs: tests of what comes when that ends say how long it is.
func newPool(t testing.TB, change ...func(*Config)) *Pool {
	t.Helper()
	programs, err := chromium.Find("", "")
	if err != nil {
		t.Fatalf("%v: run scripts/setup", err)
	}
	config := Config{Guard: loopback(), Programs: programs, Pages: 4, Idle: time.Hour, Patience: testtime.Patience, Log: slog.New(slog.DiscardHandler)}
	for _, c := range change {
		c(&config)
	}
	pool := New(config)
	t.Cleanup(pool.Close)
	return pool
}

// site serves pages by path.
func site(t testing.TB, pages map[string]string) string {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		text, ok := pages[r.URL.Path]
		if !ok {
			http.NotFound(w, r)
			return
		}
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		_, _ = io.WriteString(w, text)
	}))
	t.Cleanup(server.Close)
	return server.URL
}

// within is a context for one render.
func within(t testing.TB, d time.Duration) context.Context {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), d)
	t.Cleanup(cancel)
	return ctx
}
