package egress_test

import (
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"testing"

	"github.com/trawlhq/trawl/egress"
)

func get(t *testing.T, transport *http.Transport, address string) (string, error) {
	t.Helper()
	t.Cleanup(transport.CloseIdleConnections)
	client := &http.Client{Transport: transport}
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, address, nil)
	if err != nil {
		t.Fatal(err)
	}
	response, err := client.Do(request)
	if err != nil {
		return "", err
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	return string(body), err
}

func say(text string) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, text) })
}

func TestTransportIsGuarded(t *testing.T) {
	t.Parallel()
	server := httptest.NewServer(say("inside"))
	t.Cleanup(server.Close)
	if _, err := get(t, egress.New(egress.Config{}).Transport(), server.URL); !errors.Is(err, egress.ErrRefused) {
		t.Errorf("get = %v, want ErrRefused through the client's error", err)
	}
	open := egress.New(egress.Config{Allow: prefixes("127.0.0.0/8")})
	if body, err := get(t, open.Transport(), server.URL); err != nil || body != "inside" {
		t.Errorf("get with leave = %q, %v", body, err)
	}
}

func TestInfrastructureIsNot(t *testing.T) {
	t.Parallel()
	server := httptest.NewServer(say("operator's"))
	t.Cleanup(server.Close)
	if body, err := get(t, egress.Infrastructure(), server.URL); err != nil || body != "operator's" {
		t.Errorf("get = %q, %v", body, err)
	}
}

func TestThroughChecksTargetsNotTheProxy(t *testing.T) {
	t.Parallel()
	proxy := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.WriteString(w, "via proxy: "+r.URL.String())
	}))
	t.Cleanup(proxy.Close)
	address, _ := url.Parse(proxy.URL)
	guard := egress.New(egress.Config{Resolver: &answers{list: [][]string{{"1.1.1.1"}}}})
	if body, err := get(t, guard.Through(address), "http://site.test/page"); err != nil || body != "via proxy: http://site.test/page" {
		t.Errorf("get of a public name = %q, %v", body, err)
	}
	for _, target := range []string{"http://127.0.0.1/", "http://localhost/", "https://[::1]/", "http://10.0.0.1/"} {
		if _, err := get(t, guard.Through(address), target); !errors.Is(err, egress.ErrRefused) {
			t.Errorf("get of %s = %v, want ErrRefused", target, err)
		}
	}
}
