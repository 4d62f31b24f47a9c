package store_test

import (
	"context"
	"fmt"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"go.uber.org/goleak"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/internal/testpg"
	"github.com/trawlhq/trawl/store"
	"github.com/trawlhq/trawl/store/storetest"
)

func TestMain(m *testing.M) {
	if task := os.Getenv(helperTask); task != "" {
		runHelper(task)
		return
	}
	code := testpg.Main(m)
	if err := goleak.Find(); err != nil && code == 0 {
		fmt.Fprintln(os.Stderr, err)
		code = 1
	}
	os.Exit(code)
}

// clock is a time that tests set.
type clock struct {
	mu  sync.Mutex
	now time.Time
}

func newClock() *clock { return &clock{now: time.Date(2026, 3, 31, 23, 0, 0, 0, time.UTC)} }

func (c *clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

func (c *clock) Advance(d time.Duration) time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(d)
	return c.now
}

// env is an open store with what a test needs around it.
type env struct {
	*store.Store
	config store.Config
	clock  *clock
}

// onBoth runs a test on SQLite and on PostgreSQL.
func onBoth(t *testing.T, test func(t *testing.T, config store.Config)) {
	t.Parallel()
	t.Run("sqlite", func(t *testing.T) {
		t.Parallel()
		test(t, store.Config{DataDir: t.TempDir()})
	})
	t.Run("postgres", func(t *testing.T) {
		t.Parallel()
		test(t, store.Config{DatabaseURL: testpg.URL(t)})
	})
}

// conform runs a test on an open store of either kind.
func conform(t *testing.T, test func(t *testing.T, s *env)) {
	onBoth(t, func(t *testing.T, config store.Config) {
		c := newClock()
		config.Now = c.Now
		if config.DatabaseURL == "" {
			config.DataDir = storetest.Folder(t)
		}
		test(t, &env{mustOpen(t, config), config, c})
	})
}

func mustOpen(t testing.TB, config store.Config) *store.Store {
	t.Helper()
	s, err := store.Open(context.Background(), config)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

// team adds a team; credits below zero mean unlimited.
func team(t testing.TB, s *store.Store, name string, credits int64) trawl.Team {
	t.Helper()
	team := trawl.Team{Name: name}
	if credits >= 0 {
		team.Credits = &credits
	}
	team, err := s.CreateTeam(context.Background(), team)
	if err != nil {
		t.Fatal(err)
	}
	return team
}

// balance returns the credits of a team; -1 means unlimited.
func balance(t testing.TB, s *store.Store, name string) int64 {
	t.Helper()
	team, err := s.Team(context.Background(), name)
	if err != nil {
		t.Fatal(err)
	}
	if team.Credits == nil {
		return -1
	}
	return *team.Credits
}

// scrape is a finished scrape of a team that cost some credits.
func scrape(teamID string, credits int64, at time.Time) store.Finished {
	id := uuid.Must(uuid.NewV7()).String()
	return store.Finished{
		Charge: trawl.Charge{ID: id, TeamID: teamID, Kind: "scrape", Credits: credits, At: at},
		Record: &store.Record{
			ID: id, TeamID: teamID, Endpoint: "scrape", Target: "https://example.com/",
			Tail: []byte(`{"markdown":"# ` + id + `"}`), CreatedAt: at, ExpiresAt: at.Add(24 * time.Hour),
		},
	}
}

// cached is a finished scrape that leaves a page in the cache.
func cached(teamID, key string, at time.Time) store.Finished {
	f := scrape(teamID, 1, at)
	f.Page = &store.CachedPage{
		ID: f.Charge.ID, TeamID: teamID, Key: key, URL: "https://example.com/", FinalURL: "https://example.com/home",
		ContentType: "text/html", Proxy: "basic", Status: 200, BlobID: "page-" + f.Charge.ID, Size: 1000, FetchedAt: at,
	}
	return f
}

// finish keeps all items and fails the test if one is refused.
func finish(t testing.TB, s *store.Store, items ...store.Finished) {
	t.Helper()
	errs, err := s.Finish(context.Background(), items)
	if err != nil {
		t.Fatal(err)
	}
	if len(errs) != len(items) {
		t.Fatalf("%d results for %d items", len(errs), len(items))
	}
	for i, err := range errs {
		if err != nil {
			t.Fatalf("item %d: %v", i, err)
		}
	}
}

func wantCode(t testing.TB, err error, want trawl.Code) {
	t.Helper()
	if err == nil || trawl.ErrorCode(err) != want {
		t.Errorf("got error %v (%s), want code %s", err, trawl.ErrorCode(err), want)
	}
}

func must[T any](t testing.TB) func(v T, err error) T {
	return func(v T, err error) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
}

// longText is a text that is hard to compress.
func longText(size int) string {
	var b strings.Builder
	for b.Len() < size {
		b.WriteString(uuid.NewString())
	}
	return b.String()[:size]
}
