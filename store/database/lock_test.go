package database_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/trawlhq/trawl/store/database"
)

func TestLock(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "data")
	unlock, err := database.Lock(dir)
	if err != nil {
		t.Fatal(err)
	}
	_, err = database.Lock(dir)
	if err == nil || !strings.Contains(err.Error(), dir) || !strings.Contains(err.Error(), "another server") {
		t.Errorf("second lock: %v", err)
	}
	db := openSQLite(t, filepath.Join(dir, "test.db")) // commands work beside a server
	if err := migrate(db, schema(createThings)); err != nil {
		t.Fatal(err)
	}
	if _, err = database.Lock(dir); err == nil {
		t.Error("opening the database gave up the lock")
	}
	unlock()
	unlock, err = database.Lock(dir)
	if err != nil {
		t.Fatal(err)
	}
	unlock()
}
