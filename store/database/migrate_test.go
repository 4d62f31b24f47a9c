package database_test

import (
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/trawlhq/trawl/store/database"
)

func TestMigrate(t *testing.T) {
	onBoth(t, func(t *testing.T, open func() database.DB) {
		first := schema(createThings)
		later := schema(createThings, "INSERT INTO things (id, name) VALUES (1, 'one'); INSERT INTO things (id, name) VALUES (2, 'two');")
		db := open()
		for range 2 { // the second time it has nothing to do
			if err := migrate(db, first); err != nil {
				t.Fatal(err)
			}
		}
		if got := names(t, db.Read(), "id > $1", 0); len(got) != 0 {
			t.Errorf("the first version has %q", got)
		}
		if err := migrate(db, later); err != nil {
			t.Fatal(err)
		}
		if got := names(t, open().Read(), "id > $1", 0); !slices.Equal(got, []string{"one", "two"}) {
			t.Errorf("the second version has %q", got)
		}
		err := migrate(db, first)
		if err == nil || !strings.Contains(err.Error(), "schema version 2") || !strings.Contains(err.Error(), "newer") {
			t.Errorf("a schema newer than the program: %v", err)
		}
	})
}

func TestMigrateAllOrNothing(t *testing.T) {
	onBoth(t, func(t *testing.T, open func() database.DB) {
		db := open()
		err := migrate(db, schema(createThings, "INSERT INTO nowhere (id) VALUES (1);"))
		if err == nil || !strings.Contains(err.Error(), "things to version 2") {
			t.Fatalf("got %v", err)
		}
		if err := migrate(db, schema(createThings)); err != nil { // the table is not there
			t.Error(err)
		}
	})
}

func TestMigrateAtOnce(t *testing.T) {
	onBoth(t, func(t *testing.T, open func() database.DB) {
		var group sync.WaitGroup
		for range 4 {
			db := open()
			group.Go(func() {
				if err := migrate(db, schema(createThings)); err != nil {
					t.Error(err)
				}
			})
		}
		group.Wait()
	})
}
