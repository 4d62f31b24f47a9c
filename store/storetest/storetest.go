// Package storetest has data folders for the tests of packages that need a store.
package storetest

import (
	"context"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"github.com/trawlhq/trawl/store"
)

// migrated is the files of a data folder whose schema is up to date, to be copied:
// to make one takes longer than most tests.
var migrated = sync.OnceValues(func() (map[string][]byte, error) {
	dir, err := os.MkdirTemp("", "trawl")
	if err != nil {
		return nil, err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	db, err := store.Open(context.Background(), store.Config{DataDir: dir})
	if err != nil {
		return nil, err
	}
	if err := db.Close(); err != nil {
		return nil, err
	}
	names, err := filepath.Glob(filepath.Join(dir, "*"))
	files := map[string][]byte{}
	for _, name := range names {
		if files[filepath.Base(name)], err = os.ReadFile(name); err != nil {
			return nil, err
		}
	}
	return files, err
})

// Folder returns a data folder of the test's own, with an empty store in it.
func Folder(t testing.TB) string {
	t.Helper()
	files, err := migrated()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	for name, body := range files {
		if err := os.WriteFile(filepath.Join(dir, name), body, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}
