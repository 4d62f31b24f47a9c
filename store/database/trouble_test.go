package database_test

import (
	"database/sql"
	"errors"
	"fmt"
	"path/filepath"
	"testing"

	"github.com/jackc/pgx/v5/pgconn"

	"github.com/trawlhq/trawl/store/database"
)

// TestTrouble tells what a database refuses from what it cannot do now.
func TestTrouble(t *testing.T) {
	t.Parallel()
	db, err := sql.Open("sqlite", filepath.Join(t.TempDir(), "a.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = db.Close() }()
	db.SetMaxOpenConns(1)
	failing := func(statements ...string) error {
		t.Helper()
		for _, statement := range statements {
			if _, err := db.Exec(statement); err != nil {
				return fmt.Errorf("do: %w", err)
			}
		}
		t.Errorf("%q did not fail", statements)
		return nil
	}
	pg := func(code string) error { return fmt.Errorf("do: %w", &pgconn.PgError{Code: code}) }
	for name, row := range map[string]struct {
		err               error
		refused, troubled bool
	}{
		"SQLite, twice the same":       {failing("CREATE TABLE a (b INTEGER PRIMARY KEY)", "INSERT INTO a VALUES (1)", "INSERT INTO a VALUES (1)"), true, false},
		"SQLite, no such table":        {failing("INSERT INTO nowhere VALUES (1)"), true, false},
		"SQLite, full":                 {failing("CREATE TABLE c (d)", "PRAGMA max_page_count = 4", "INSERT INTO c VALUES (zeroblob(100000))"), false, true},
		"SQLite, read-only":            {failing("PRAGMA query_only = 1", "INSERT INTO c VALUES (1)"), false, true},
		"PostgreSQL, twice the same":   {pg("23505"), true, false},
		"PostgreSQL, not text":         {pg("22021"), true, false},
		"PostgreSQL, full":             {pg("53100"), false, true},
		"PostgreSQL, read-only":        {pg("25006"), false, true},
		"PostgreSQL, shutting down":    {pg("57P01"), false, true},
		"PostgreSQL, input and output": {pg("58030"), false, true},
		"something else":               {errors.New("something else"), false, false},
	} {
		if database.Refused(row.err) != row.refused || database.InTrouble(row.err) != row.troubled {
			t.Errorf("%s: %v: refused %t, in trouble %t", name, row.err, database.Refused(row.err), database.InTrouble(row.err))
		}
	}
}
