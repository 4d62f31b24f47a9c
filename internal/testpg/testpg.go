// Package testpg gives tests a PostgreSQL database.
//
// The server is the one that TRAWL_TEST_POSTGRES names, by the URL of a user who
// may create databases. Without the variable, the first test that asks starts a
// server of its own from the programs installed on the machine; it listens on a
// socket in a temporary folder and ends with the test binary. A package whose
// tests call [URL] has to run them by [Main]:
//
//	func TestMain(m *testing.M) { os.Exit(testpg.Main(m)) }
package testpg

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
)

// shared is the server of this test binary.
var shared struct {
	sync.Mutex
	server *server
	err    error
}

// Main runs the tests and stops the server if one was started. It returns the
// exit code.
func Main(m *testing.M) int {
	defer func() {
		if shared.server != nil {
			shared.server.remove()
		}
	}()
	return m.Run()
}

// URL returns the URL of an empty database that is dropped when the test is
// over. Short tests are skipped; otherwise a machine without PostgreSQL makes
// the test fail.
func URL(t testing.TB) string {
	t.Helper()
	admin, err := adminURL()
	require(t, err)
	name := "test_" + strings.ReplaceAll(uuid.NewString(), "-", "")
	administer(t, admin, "CREATE DATABASE "+name)
	t.Cleanup(func() { administer(t, admin, "DROP DATABASE "+name+" WITH (FORCE)") })
	u, err := url.Parse(admin)
	if err != nil {
		t.Fatal("TRAWL_TEST_POSTGRES is not a URL")
	}
	u.Path = "/" + name
	return u.String()
}

// Server is a server that one test has to itself, and may stop.
type Server struct {
	t      testing.TB
	server *server
}

// Start starts a server that is gone when the test is over. It is one of the
// machine's programs even where TRAWL_TEST_POSTGRES names another.
func Start(t testing.TB) *Server {
	t.Helper()
	s, err := start()
	require(t, err)
	t.Cleanup(s.remove)
	return &Server{t, s}
}

// URL returns the URL of its database.
func (s *Server) URL() string { return s.server.url }

// Stop shuts the server down: it ends all connections, and nothing listens any
// more. The data stays.
func (s *Server) Stop() { s.server.halt("INT\n") }

// Restart serves the data again, at the same URL.
func (s *Server) Restart() {
	s.t.Helper()
	require(s.t, s.server.launch())
}

// require ends a test that cannot have its server.
func require(t testing.TB, err error) {
	t.Helper()
	if errors.Is(err, errNotInstalled) && testing.Short() {
		t.Skip(err)
	}
	if err != nil {
		t.Fatalf("PostgreSQL for tests: %v", err)
	}
}

func adminURL() (string, error) {
	if named := os.Getenv("TRAWL_TEST_POSTGRES"); named != "" {
		return named, nil
	}
	shared.Lock()
	defer shared.Unlock()
	if shared.server == nil && shared.err == nil {
		shared.server, shared.err = start()
	}
	if shared.err != nil {
		return "", shared.err
	}
	return shared.server.url, nil
}

func administer(t testing.TB, databaseURL, statement string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	err := run(ctx, databaseURL, statement)
	if err != nil {
		t.Fatalf("PostgreSQL for tests: %v", err)
	}
}

func run(ctx context.Context, databaseURL, statement string) error {
	conn, err := pgx.Connect(ctx, databaseURL)
	if err != nil {
		return err
	}
	defer func() { _ = conn.Close(ctx) }()
	if _, err := conn.Exec(ctx, statement); err != nil {
		return fmt.Errorf("%s: %w", statement, err)
	}
	return nil
}
