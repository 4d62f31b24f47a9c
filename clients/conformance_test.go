//go:build clients

package clients_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"path/filepath"
	"testing"
	"time"

	"github.com/trawlhq/trawl/mcp"
)

// TestConformance runs the conformance suite of the Model Context Protocol against the
// service. It looks for fixtures that a service for users has not: what fails for want
// of them is named in mcp/conformance.yaml, and nothing else may fail.
func TestConformance(t *testing.T) {
	t.Parallel()
	service := startService(t, "TRAWL_MCP_KEY_IN_PATH=on", "TRAWL_BROWSER_SESSIONS=0")
	conform(t, service.url+"/"+firstKey+"/mcp", "mcp/conformance.yaml")
}

// TestConformanceWithFixtures runs it against the same server with those fixtures:
// everything has to pass.
func TestConformanceWithFixtures(t *testing.T) {
	t.Parallel()
	describe := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "{}") })
	tools := mcp.New(mcp.Config{
		API: mcp.InProcess{Handler: describe}, URL: &url.URL{Scheme: "http", Host: "localhost"},
		Text: 100_000, Sessions: 1000, Idle: time.Hour, Options: fixtureOptions, Extend: addFixtures,
	})
	t.Cleanup(tools.Close)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { tools.Serve(w, r, "fixtures") }))
	t.Cleanup(server.Close)
	conform(t, server.URL+"/mcp", "")
}

// conform runs the suite against an address.
func conform(t *testing.T, address, expected string) {
	t.Helper()
	work := t.TempDir()
	args := []string{
		filepath.Join(installed(t), "node_modules", "@modelcontextprotocol", "conformance", "dist", "index.js"),
		"server", "--url", address, "--suite", "all",
	}
	if expected != "" {
		file, err := filepath.Abs(expected)
		if err != nil {
			t.Fatal(err)
		}
		args = append(args, "--expected-failures", file)
	}
	run(t, work, []string{"HOME=" + work, "LANG=C.UTF-8", "NO_COLOR=1"}, node(t), args...)
}
