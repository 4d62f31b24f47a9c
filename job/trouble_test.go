package job_test

import (
	"bytes"
	"context"
	"database/sql"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/prometheus/client_golang/prometheus"
	sqlite3 "modernc.org/sqlite/lib"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/internal/testdisk"
	"github.com/trawlhq/trawl/internal/testpg"
	"github.com/trawlhq/trawl/job"
	"github.com/trawlhq/trawl/store"
	"github.com/trawlhq/trawl/store/storetest"
)

// The tests of this file put the database in trouble in the middle of a crawl, and
// then count: every page is there once and paid for once.

// cries waits until the log has said something so often.
type cries struct {
	words string
	left  atomic.Int64
	heard chan struct{}
}

func (c *cries) Write(b []byte) (int, error) {
	if bytes.Contains(b, []byte(c.words)) && c.left.Add(-1) == 0 {
		close(c.heard)
	}
	return len(b), nil
}

func listen(words string, times int64) *cries {
	c := &cries{words: words, heard: make(chan struct{})}
	c.left.Store(times)
	return c
}

func (c *cries) logger() *slog.Logger {
	return slog.New(slog.NewTextHandler(c, &slog.HandlerOptions{Level: slog.LevelWarn}))
}

// troubled crawls a site of so many pages. From the twentieth page on the database is
// in trouble, until pages could not be stored for a while.
func troubled(t *testing.T, db *store.Store, begin, end func()) {
	t.Helper()
	const pages = 200
	log := listen("pages could not be stored", 6)
	s := startOn(t, db, func(c *job.Config) { c.Log = log.logger() })
	var links []string
	for i := range pages {
		links = append(links, fmt.Sprintf("/%d", i))
		s.site.page(links[i])
	}
	s.site.page("/", links...)
	var once sync.Once
	s.site.handle("/20", func(w http.ResponseWriter, _ *http.Request) {
		once.Do(begin)
		_, _ = io.WriteString(w, "<p>The page that trouble begins with.</p>")
	})
	id := s.ordered(s.Crawl(t.Context(), s.order, s.crawlRequest("/"))).ID
	receive(t, log.heard)
	end()
	j := s.finished(trawl.KindCrawl, id)
	if j.State != trawl.StateCompleted || j.Completed != pages+1 || j.Failed != 0 || j.Credits != pages+1 {
		t.Errorf("%s with %d pages, %d failed, %d credits", j.State, j.Completed, j.Failed, j.Credits)
	}
	seen := map[string]bool{}
	for _, doc := range s.documents(j) {
		if seen[doc.Metadata.SourceURL] {
			t.Errorf("%s is there twice", doc.Metadata.SourceURL)
		}
		seen[doc.Metadata.SourceURL] = true
	}
	if len(seen) != pages+1 {
		t.Errorf("%d documents", len(seen))
	}
}

// disk is a small file system in memory.
func disk(t *testing.T, size string) string {
	t.Helper()
	if runtime.GOOS != "linux" {
		t.Skip("it takes a file system of Linux")
	}
	dir := t.TempDir()
	if err := syscall.Mount("tmpfs", dir, "tmpfs", 0, "size="+size); err != nil {
		t.Skipf("no file system can be mounted here: %v", err)
	}
	t.Cleanup(func() {
		if err := syscall.Unmount(dir, syscall.MNT_DETACH); err != nil {
			t.Error(err)
		}
	})
	return dir
}

func TestFullDisk(t *testing.T) {
	dir := disk(t, "24m")
	filler := filepath.Join(dir, "filler")
	troubled(t, openStore(t, filepath.Join(dir, "data")), func() {
		if err := os.WriteFile(filler, make([]byte, 24<<20), 0o600); err == nil {
			t.Error("the disk is larger than it should be")
		}
	}, func() { _ = os.Remove(filler) })
}

// TestFailingDisk lets the disk below SQLite fail, in the codes of SQLite.
func TestFailingDisk(t *testing.T) {
	t.Parallel()
	for name, fail := range map[string]func(*testdisk.Disk){
		"writes": func(d *testdisk.Disk) { d.FailWrites(sqlite3.SQLITE_IOERR_WRITE) },
		"reads and writes": func(d *testdisk.Disk) {
			d.FailReads(sqlite3.SQLITE_IOERR_READ)
			d.FailWrites(sqlite3.SQLITE_IOERR_WRITE)
		},
		"locks":     func(d *testdisk.Disk) { d.FailLocks(sqlite3.SQLITE_IOERR_LOCK) },
		"read-only": func(d *testdisk.Disk) { d.FailWrites(sqlite3.SQLITE_READONLY) },
		"full":      func(d *testdisk.Disk) { d.FailWrites(sqlite3.SQLITE_FULL) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := storetest.Folder(t)
			disk := testdisk.New(t, dir)
			troubled(t, openStore(t, dir), func() { fail(disk) }, disk.Heal)
		})
	}
}

func TestDatabaseInTrouble(t *testing.T) {
	url := testpg.Start(t).URL()
	for name, code := range map[string]string{"full": "53100", "read-only": "25006", "input and output": "58030"} {
		t.Run(name, func(t *testing.T) {
			db, err := store.Open(t.Context(), store.Config{DatabaseURL: url})
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { _ = db.Close() })
			exec := func(statement string) {
				conn, err := pgx.Connect(context.Background(), url)
				if err == nil {
					defer func() { _ = conn.Close(context.Background()) }()
					_, err = conn.Exec(context.Background(), statement)
				}
				if err != nil {
					t.Error(err)
				}
			}
			troubled(t, db, func() {
				exec(strings.ReplaceAll(`CREATE OR REPLACE FUNCTION fail() RETURNS trigger AS $$ BEGIN RAISE EXCEPTION 'no' USING ERRCODE = 'STATE'; END $$ LANGUAGE plpgsql;
					CREATE TRIGGER fail BEFORE INSERT ON results FOR EACH ROW EXECUTE FUNCTION fail()`, "STATE", code))
			}, func() { exec("DROP TRIGGER fail ON results") })
		})
	}
}

// TestOrphans takes the tasks of a running job away: its pages are handed out again.
func TestOrphans(t *testing.T) {
	t.Parallel()
	dir := storetest.Folder(t)
	db := openStore(t, dir)
	waiting := startOn(t, db, func(c *job.Config) { c.Idle = true })
	waiting.site.page("/", "/a")
	waiting.site.page("/a")
	id := waiting.ordered(waiting.Crawl(t.Context(), waiting.order, waiting.crawlRequest("/"))).ID
	raw, err := sql.Open("sqlite", filepath.Join(dir, "trawl.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = raw.Close() }()
	if _, err := raw.Exec("DELETE FROM river_job WHERE kind = 'page'"); err != nil {
		t.Fatal(err)
	}
	log := listen("nobody held", 1)
	s := startWith(t, db, waiting.site, func(c *job.Config) { c.Log = log.logger() })
	s.order = waiting.order
	s.expect(s.finished(trawl.KindCrawl, id), trawl.StateCompleted, "/", "/a")
	receive(t, log.heard)
	registry := prometheus.NewRegistry()
	registry.MustRegister(s.Metrics()...)
	families, err := registry.Gather()
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range families {
		if n := f.GetMetric()[0].GetCounter().GetValue(); f.GetName() == "trawl_job_orphans_total" && n != 1 {
			t.Errorf("%v orphans were counted", n)
		}
	}
}
