package database_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"testing/fstest"
	"time"

	"github.com/trawlhq/trawl/internal/testpg"
	"github.com/trawlhq/trawl/store/database"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) {
	code := testpg.Main(m)
	if err := goleak.Find(); err != nil && code == 0 {
		fmt.Fprintln(os.Stderr, err)
		code = 1
	}
	os.Exit(code)
}

// onBoth runs a test on an empty SQLite file and on an empty PostgreSQL
// database. To open again is to connect to the same data.
func onBoth(t *testing.T, test func(t *testing.T, open func() database.DB)) {
	t.Parallel()
	t.Run("sqlite", func(t *testing.T) {
		t.Parallel()
		path := filepath.Join(t.TempDir(), "test.db")
		test(t, func() database.DB { return openSQLite(t, path) })
	})
	t.Run("postgres", func(t *testing.T) {
		t.Parallel()
		url := testpg.URL(t)
		test(t, func() database.DB {
			db, err := database.OpenPostgres(context.Background(), url)
			return closing(t, db, err)
		})
	})
}

func openSQLite(t *testing.T, path string) database.DB {
	t.Helper()
	db, err := database.OpenSQLite(context.Background(), path, database.FileKind{Readers: 2, WriteCache: 256, ReadCache: 256})
	return closing(t, db, err)
}

func closing(t *testing.T, db database.DB, err error) database.DB {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	})
	return db
}

// schema is a part of a schema named things, by its scripts in order.
func schema(scripts ...string) fstest.MapFS {
	files := fstest.MapFS{}
	for i, script := range scripts {
		files[fmt.Sprintf("things/%04d_step.sql", i+1)] = &fstest.MapFile{Data: []byte(script)}
	}
	return files
}

const createThings = "CREATE TABLE things (id BIGINT NOT NULL, name TEXT NOT NULL, data BYTEA, PRIMARY KEY (id)) /* clustered */;"

func migrate(db database.DB, files fstest.MapFS) error {
	return database.Migrate(context.Background(), db, files, "things", time.Now())
}

// withThings opens a database that has the table things.
func withThings(t *testing.T, open func() database.DB) database.DB {
	t.Helper()
	db := open()
	if err := migrate(db, schema(createThings)); err != nil {
		t.Fatal(err)
	}
	return db
}

// add inserts one thing for every name, with ids from 1.
func add(t *testing.T, db database.DB, names ...string) {
	t.Helper()
	var args []any
	for i, name := range names {
		args = append(args, i+1, name, []byte(name))
	}
	err := db.Tx(context.Background(), func(tx database.Tx) error {
		return database.NewInsert("things (id, name, data)", "").Run(context.Background(), tx, args)
	})
	if err != nil {
		t.Fatal(err)
	}
}

// names returns the names of the things that a condition selects, by id.
func names(t *testing.T, q database.Reader, where string, args ...any) []string {
	t.Helper()
	list, err := database.Collect(context.Background(), q, func(r database.Row) (name string, err error) {
		err = r.Scan(&name)
		return name, err
	}, "SELECT name FROM things WHERE "+where+" ORDER BY id", args...)
	if err != nil {
		t.Fatal(err)
	}
	return list
}
