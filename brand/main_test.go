package brand_test

import (
	"context"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"os"
	"path/filepath"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/trawlhq/trawl/brand"
	"github.com/trawlhq/trawl/browser"
	"github.com/trawlhq/trawl/browser/chromium"
	"github.com/trawlhq/trawl/egress"
	"github.com/trawlhq/trawl/internal/testtime"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// noNames is a resolver that knows nobody, so that no look-up leaves the machine.
type noNames struct{}

func (noNames) LookupNetIP(_ context.Context, _, host string) ([]netip.Addr, error) {
	return nil, &net.DNSError{Err: "no such host", Name: host, IsNotFound: true}
}

// newPool returns a pool of real browsers that reach the test's own servers only.
func newPool(t testing.TB) *browser.Pool {
	t.Helper()
	programs, err := chromium.Find("", "")
	if err != nil {
		t.Fatalf("%v: run scripts/setup", err)
	}
	guard := egress.New(egress.Config{
		Allow:    []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8"), netip.MustParsePrefix("::1/128")},
		Resolver: noNames{}, Log: slog.New(slog.DiscardHandler),
	})
	pool := browser.New(browser.Config{Guard: guard, Programs: programs, Pages: 2, Patience: testtime.Patience, Log: slog.New(slog.DiscardHandler)})
	t.Cleanup(pool.Close)
	return pool
}

// pages serves the pages of a folder by their names.
func pages(t testing.TB, folder string) string {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		text, err := os.ReadFile(filepath.Join(folder, filepath.Base(r.URL.Path)+".html"))
		if err != nil {
			http.NotFound(w, r)
			return
		}
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		_, _ = w.Write(text)
	}))
	t.Cleanup(server.Close)
	return server.URL
}

// whole is the script with as much time as it takes: what it says of a page must not
// depend on how fast the machine is.
func whole() string { return brand.ScriptWithin(time.Hour) }

// measure returns what a script says of a page.
func measure(t testing.TB, pool *browser.Pool, address, script string) []byte {
	t.Helper()
	result, err := pool.Render(testtime.Context(t), browser.Request{URL: address, Measure: script})
	if err != nil {
		t.Fatal(err)
	}
	if result.Measured == nil {
		t.Fatal("nothing was measured")
	}
	return result.Measured
}
