package job_test

import (
	"database/sql"
	"fmt"
	"io"
	"net/http"
	"path/filepath"
	"sync/atomic"
	"testing"
	"time"

	_ "github.com/jackc/pgx/v5/stdlib"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/internal/testpg"
	"github.com/trawlhq/trawl/job"
	"github.com/trawlhq/trawl/store"
	"github.com/trawlhq/trawl/store/storetest"
)

// wallClock is a clock that is set while jobs run.
type wallClock struct{ ahead atomic.Int64 }

func (c *wallClock) now() time.Time {
	return time.Now().Round(0).Add(time.Duration(c.ahead.Load()))
}

func (c *wallClock) set(ahead time.Duration) { c.ahead.Store(int64(ahead)) }

// TestClockJumps sets the clock an hour forth, and two hours back, in the middle of
// crawls: every page is there once and paid for once, and none waits for an hour.
func TestClockJumps(t *testing.T) {
	t.Parallel()
	for name, config := range map[string]func(*testing.T) store.Config{
		"SQLite":     func(t *testing.T) store.Config { return store.Config{DataDir: storetest.Folder(t)} },
		"PostgreSQL": func(t *testing.T) store.Config { return store.Config{DatabaseURL: testpg.Start(t).URL()} },
	} {
		for _, delay := range []float64{0, 0.01} {
			t.Run(fmt.Sprint(name, ", delay ", delay), func(t *testing.T) {
				t.Parallel()
				const pages = 60
				clock, config := &wallClock{}, config(t)
				config.Now = clock.now
				db, err := store.Open(t.Context(), config)
				if err != nil {
					t.Fatal(err)
				}
				t.Cleanup(func() { _ = db.Close() })
				s := startOn(t, db, func(c *job.Config) { c.Now = clock.now })
				s.site.page("/", numbered("/p", pages)...)
				for i, path := range numbered("/p", pages) {
					s.site.handle(path, func(w http.ResponseWriter, _ *http.Request) {
						switch i {
						case 20:
							clock.set(time.Hour)
						case 40:
							clock.set(-time.Hour)
						}
						w.Header().Set("Content-Type", "text/html")
						_, _ = io.WriteString(w, linked(path))
					})
				}
				j := s.crawl("/", func(r *trawl.CrawlRequest) { r.Delay = delay })
				if j.State != trawl.StateCompleted || j.Completed != pages+1 || j.Failed != 0 || j.Credits != pages+1 || len(s.documents(j)) != pages+1 {
					t.Errorf("%s with %d pages, %d failed, %d credits", j.State, j.Completed, j.Failed, j.Credits)
				}
			})
		}
	}
}

// TestTasksOfTheFuture has tasks that were enqueued before the clock went back.
func TestTasksOfTheFuture(t *testing.T) {
	t.Parallel()
	postgres := testpg.Start(t).URL()
	for name, c := range map[string]struct {
		config func(dir string) store.Config
		driver string
		source func(dir string) string
		late   string
	}{
		"SQLite": {func(dir string) store.Config { return store.Config{DataDir: dir} }, "sqlite",
			func(dir string) string { return filepath.Join(dir, "trawl.db") }, "datetime('now', '+1 hour', 'subsec')"},
		"PostgreSQL": {func(string) store.Config { return store.Config{DatabaseURL: postgres} }, "pgx",
			func(string) string { return postgres }, "now() + interval '1 hour'"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := storetest.Folder(t)
			db, err := store.Open(t.Context(), c.config(dir))
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { _ = db.Close() })
			before := startOn(t, db, idle)
			before.site.page("/", "/a")
			before.site.page("/a")
			id := before.ordered(before.Crawl(t.Context(), before.order, before.crawlRequest("/"))).ID
			raw, err := sql.Open(c.driver, c.source(dir))
			if err != nil {
				t.Fatal(err)
			}
			defer func() { _ = raw.Close() }()
			if _, err := raw.Exec("UPDATE river_job SET scheduled_at = " + c.late); err != nil {
				t.Fatal(err)
			}
			log := listen("the clock went back", 1)
			s := startWith(t, db, before.site, func(c *job.Config) { c.Log = log.logger() })
			s.order = before.order
			s.expect(s.finished(trawl.KindCrawl, id), trawl.StateCompleted, "/", "/a")
			receive(t, log.heard)
		})
	}
}
