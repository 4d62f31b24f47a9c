package egress_test

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"net/http"
	"net/netip"
	"net/url"
	"strings"
	"testing"

	"github.com/trawlhq/trawl/egress"
)

func TestClosedPorts(t *testing.T) {
	t.Parallel()
	for _, port := range []uint16{0, 1, 21, 22, 23, 25, 53, 110, 143, 465, 587, 993, 995, 2049, 3306, 5060, 5061, 5432, 6000, 6379, 6665, 6669, 6697, 10080, 11211} {
		if !egress.IsClosedPort(port) {
			t.Errorf("%d is open", port)
		}
	}
	for _, port := range []uint16{2, 80, 81, 443, 591, 3000, 3002, 5000, 8000, 8008, 8080, 8443, 9000, 10443, 32768, 65535} {
		if egress.IsClosedPort(port) {
			t.Errorf("%d is closed", port)
		}
	}
	closed := 0
	for port := range 1 << 16 {
		if egress.IsClosedPort(uint16(port)) {
			closed++
		}
	}
	if closed != 87 { // the 83 of the Fetch standard, and four of databases and caches
		t.Errorf("%d ports are closed", closed)
	}
}

// unasked is a resolver that must not be asked.
type unasked struct{ *testing.T }

func (u unasked) LookupNetIP(_ context.Context, _, host string) ([]netip.Addr, error) {
	u.Errorf("%s was looked up", host)
	return nil, errors.New("no")
}

// TestGuardRefusesPorts tries every way out. Nothing is dialled, not even looked up.
func TestGuardRefusesPorts(t *testing.T) {
	t.Parallel()
	var log bytes.Buffer
	var seen []egress.Class
	guard := egress.New(egress.Config{
		Allow: prefixes("127.0.0.0/8"), Resolver: unasked{t}, Log: slog.New(slog.NewTextHandler(&log, nil)),
		Observe: func(r egress.Refusal) { seen = append(seen, r.Class) },
	})
	proxy := &url.URL{Scheme: "http", Host: "127.0.0.1:2"}
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "http://name.test:6379/", nil)
	if err != nil {
		t.Fatal(err)
	}
	_, direct := guard.DialContext(t.Context(), "tcp", "name.test:6379")
	_, last := guard.DialUnresolved(t.Context(), "tcp", "127.0.0.1:6379")
	_, through := guard.Through(proxy).Proxy(request)
	_, tunnel := guard.TunnelThrough(proxy)(t.Context(), "tcp", "name.test:6379")
	ways := map[string]error{
		"direct": direct, "at the kernel": last, "by a proxy": through, "by a tunnel": tunnel,
		"asked": guard.CheckPort(t.Context(), "name.test", "6379"),
	}
	for name, err := range ways {
		if !errors.Is(err, egress.ErrPort) || !errors.Is(err, egress.ErrRefused) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if lines := strings.Count(log.String(), "class=port "); lines != len(ways) || len(seen) != len(ways) || seen[0] != egress.ClosedPort {
		t.Errorf("%v, %s", seen, log.String())
	}
}

func TestOperatorOpensPorts(t *testing.T) {
	t.Parallel()
	guard := egress.New(egress.Config{Ports: []uint16{25}, Log: slog.New(slog.DiscardHandler)})
	for port, want := range map[string]error{"": nil, "80": nil, "25": nil, "22": egress.ErrPort} {
		if err := guard.CheckPort(t.Context(), "name.test", port); !errors.Is(err, want) {
			t.Errorf("%q: %v", port, err)
		}
	}
	for _, port := range []string{"x", "65536", "-1"} {
		if err := guard.CheckPort(t.Context(), "name.test", port); err == nil || errors.Is(err, egress.ErrPort) {
			t.Errorf("%q: %v", port, err)
		}
	}
}
