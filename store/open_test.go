package store_test

import (
	"context"
	"database/sql"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	_ "github.com/jackc/pgx/v5/stdlib"
	"github.com/trawlhq/trawl/store"
)

func TestReopenKeepsData(t *testing.T) {
	onBoth(t, func(t *testing.T, config store.Config) {
		ctx := context.Background()
		first, err := store.Open(ctx, config)
		if err != nil {
			t.Fatal(err)
		}
		crew := team(t, first, "crew", 10)
		item := scrape(crew.ID, 3, time.Now())
		finish(t, first, item)
		if err := first.Blobs().Put(ctx, "blob", []byte("data")); err != nil {
			t.Fatal(err)
		}
		if err := first.Close(); err != nil {
			t.Fatal(err)
		}
		second := mustOpen(t, config)
		if got := balance(t, second, "crew"); got != 7 {
			t.Errorf("balance %d", got)
		}
		must[[]byte](t)(second.Document(ctx, crew.ID, item.Record.ID))
		must[[]byte](t)(second.Blobs().Get(ctx, "blob"))
	})
}

func TestOpenAtOnce(t *testing.T) {
	onBoth(t, func(t *testing.T, config store.Config) {
		helpers := make([]*helper, 3)
		for i := range helpers {
			helpers[i] = startHelper(t, helperOpen, config)
		}
		stores := make([]*store.Store, 4)
		var group sync.WaitGroup
		for i := range stores {
			group.Go(func() {
				s, err := store.Open(context.Background(), config)
				if err != nil {
					t.Error(err)
					return
				}
				stores[i] = s
				team(t, s, fmt.Sprint("team", i), 1)
			})
		}
		for _, h := range helpers {
			group.Go(func() {
				h.release()
				if line, ok := h.next(); !ok || line != "opened" {
					t.Errorf("another process said %q", line)
				}
			})
		}
		group.Wait()
		for _, s := range stores {
			if s == nil {
				continue
			}
			if teams, err := s.Teams(context.Background()); err != nil || len(teams) != len(stores) {
				t.Errorf("%d teams, %v", len(teams), err)
			}
			if err := s.Close(); err != nil {
				t.Error(err)
			}
		}
	})
}

func TestNewerSchemaIsRefused(t *testing.T) {
	onBoth(t, func(t *testing.T, config store.Config) {
		mustOpen(t, config)
		driver, dsn := "pgx", config.DatabaseURL
		if dsn == "" {
			driver, dsn = "sqlite", filepath.Join(config.DataDir, "trawl.db")
		}
		db := must[*sql.DB](t)(sql.Open(driver, dsn))
		defer func() { _ = db.Close() }()
		if _, err := db.Exec("INSERT INTO schema_migrations (part, version, applied_at) VALUES ('store', 999, 0)"); err != nil {
			t.Fatal(err)
		}
		_, err := store.Open(context.Background(), config)
		if err == nil || !strings.Contains(err.Error(), "schema version 999") || !strings.Contains(err.Error(), "newer") {
			t.Errorf("got %v", err)
		}
	})
}

func TestPing(t *testing.T) {
	onBoth(t, func(t *testing.T, config store.Config) {
		s, err := store.Open(context.Background(), config)
		if err != nil {
			t.Fatal(err)
		}
		if err := s.Ping(context.Background()); err != nil {
			t.Error(err)
		}
		ctx, cancel := context.WithCancel(context.Background())
		cancel()
		if err := s.Ping(ctx); err == nil {
			t.Error("a ping succeeded after its context ended")
		}
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
		if err := s.Ping(context.Background()); err == nil {
			t.Error("a closed store can be written to")
		}
	})
}

func TestOpenFails(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	damaged := t.TempDir()
	if err := os.WriteFile(filepath.Join(damaged, "trawl.db"), []byte(longText(8192)), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, config := range map[string]store.Config{
		"nowhere":          {},
		"a file as folder": {DataDir: file},
		"not a database":   {DataDir: damaged},
		"not a URL":        {DatabaseURL: "postgres://user:hunter2@host:port/%zz"},
		"not PostgreSQL":   {DatabaseURL: "mysql://user:hunter2@host/db"},
		"nobody there":     {DatabaseURL: "postgres://user:hunter2@127.0.0.1:1/db?connect_timeout=2"},
	} {
		s, err := store.Open(context.Background(), config)
		if err == nil {
			t.Errorf("%s: opened", name)
			_ = s.Close()
			continue
		}
		if strings.Contains(err.Error(), "hunter2") {
			t.Errorf("%s: the error tells the password: %v", name, err)
		}
	}
}

func TestFilesArePrivate(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "a b?c#d%20", "data")
	s := mustOpen(t, store.Config{DataDir: dir})
	team(t, s, "crew", 1)
	if err := s.Blobs().Put(context.Background(), "blob", []byte("data")); err != nil {
		t.Fatal(err)
	}
	info := must[os.FileInfo](t)(os.Stat(dir))
	if info.Mode().Perm() != 0o700 {
		t.Errorf("the folder has mode %v", info.Mode())
	}
	files := must[[]os.DirEntry](t)(os.ReadDir(dir))
	if len(files) < 5 {
		t.Errorf("only %v", files)
	}
	for _, file := range files {
		if info := must[os.FileInfo](t)(file.Info()); info.Mode().Perm()&0o077 != 0 {
			t.Errorf("%s has mode %v", file.Name(), info.Mode())
		}
	}
}

func TestKilledProcessLosesNothing(t *testing.T) {
	onBoth(t, func(t *testing.T, config store.Config) {
		s := mustOpen(t, config)
		crew := team(t, s, "crew", 1_000_000)
		var kept []string
		for range 3 {
			h := startHelper(t, helperFinish, config)
			h.release()
			for range 50 {
				line, ok := h.next()
				if !ok || strings.HasPrefix(line, "error") {
					t.Fatalf("the process said %q", line)
				}
				kept = append(kept, line)
			}
			h.kill()
		}
		reopened := mustOpen(t, config)
		for _, id := range kept {
			must[[]byte](t)(reopened.Document(context.Background(), crew.ID, id))
		}
		finish(t, reopened, scrape(crew.ID, 1, time.Now())) // waits for what the last process left in flight
		entries, _, err := reopened.Activity(context.Background(), crew.ID, store.ActivityQuery{Limit: 1_000_000})
		if err != nil {
			t.Fatal(err)
		}
		if paid := 1_000_000 - balance(t, reopened, "crew"); paid != int64(len(entries)) || paid <= int64(len(kept)) {
			t.Errorf("%d credits for %d records, %d of them reported", paid, len(entries), len(kept))
		}
	})
}

// TestEmptiedDatabase refuses to take a database that lost its content for a new one.
func TestEmptiedDatabase(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	open := func() error {
		db, err := store.Open(t.Context(), store.Config{DataDir: dir})
		if err == nil {
			err = db.Close()
		}
		return err
	}
	if err := os.WriteFile(filepath.Join(dir, "trawl.db"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := open(); err != nil { // a first start that was interrupted
		t.Fatal(err)
	}
	if err := os.Truncate(filepath.Join(dir, "trawl.db"), 0); err != nil {
		t.Fatal(err)
	}
	if err := open(); err == nil || !strings.Contains(err.Error(), "is empty") {
		t.Errorf("%v", err)
	}
}
