package database_test

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/trawlhq/trawl/store/database"
)

func TestTx(t *testing.T) {
	onBoth(t, func(t *testing.T, open func() database.DB) {
		ctx := context.Background()
		db := withThings(t, open)
		add(t, db, "kept")
		failure := errors.New("no")
		err := db.Tx(ctx, func(tx database.Tx) error {
			if n, err := tx.Exec(ctx, "UPDATE things SET name = $1", "lost"); err != nil || n != 1 {
				t.Errorf("%d rows, %v", n, err)
			}
			if got := names(t, tx, "id = $1", 1); !slices.Equal(got, []string{"lost"}) {
				t.Errorf("within the transaction %q", got)
			}
			if got := names(t, db.Read(), "id = $1", 1); !slices.Equal(got, []string{"kept"}) {
				t.Errorf("beside the transaction %q", got)
			}
			return failure
		})
		if !errors.Is(err, failure) {
			t.Errorf("got %v", err)
		}
		if got := names(t, db.Read(), "id = $1", 1); !slices.Equal(got, []string{"kept"}) {
			t.Errorf("after the transaction %q", got)
		}
	})
}

func TestEndedContext(t *testing.T) {
	onBoth(t, func(t *testing.T, open func() database.DB) {
		db := withThings(t, open)
		ctx, cancel := context.WithCancel(context.Background())
		cancel()
		if err := db.Tx(ctx, func(database.Tx) error { return nil }); !errors.Is(err, context.Canceled) {
			t.Errorf("Tx: %v", err)
		}
		var count int
		if err := db.Read().QueryRow(ctx, "SELECT COUNT(*) FROM things").Scan(&count); !errors.Is(err, context.Canceled) {
			t.Errorf("QueryRow: %v", err)
		}
		err := db.Read().Query(ctx, func(database.Row) error { return nil }, "SELECT name FROM things")
		if !errors.Is(err, context.Canceled) {
			t.Errorf("Query: %v", err)
		}
	})
}

func TestArguments(t *testing.T) {
	onBoth(t, func(t *testing.T, open func() database.DB) {
		db := withThings(t, open)
		add(t, db, "one", "two", "three")
		for _, c := range []struct {
			where string
			args  []any
			want  []string
		}{
			{"id = $1 AND name = $2", []any{2, "two"}, []string{"two"}},
			{"name = $2 AND id = $1", []any{2, "two"}, []string{"two"}},
			{"name = $1 OR name > $1 AND id < $2", []any{"three", 3}, []string{"two", "three"}},
			{"id > 1", nil, []string{"two", "three"}},
		} {
			for range 2 { // prepared, then kept
				if got := names(t, db.Read(), c.where, c.args...); !slices.Equal(got, c.want) {
					t.Errorf("%s: got %q, want %q", c.where, got, c.want)
				}
			}
		}
		var name string
		err := db.Read().QueryRow(context.Background(), "SELECT name FROM things WHERE id = $1", 4).Scan(&name)
		if !errors.Is(err, sql.ErrNoRows) {
			t.Errorf("a row that is not there: %v", err)
		}
	})
}

// Text comes from foreign servers, and what beside it is stored must not suffer.
func TestAnyText(t *testing.T) {
	onBoth(t, func(t *testing.T, open func() database.DB) {
		db := withThings(t, open)
		add(t, db, "before", "\xff\x00", "after\u00e9")
		if got := names(t, db.Read(), "id <> $1", 2); !slices.Equal(got, []string{"before", "after\u00e9"}) {
			t.Errorf("got %q", got)
		}
		if got := names(t, db.Read(), "name = $1", "\xff\x00"); len(got) != 1 {
			t.Errorf("the text is not found by itself: %q", got)
		}
	})
}

func TestInsert(t *testing.T) {
	onBoth(t, func(t *testing.T, open func() database.DB) {
		ctx := context.Background()
		for _, count := range []int{0, 1, 2, 31, 32, 33, 100} {
			db := withThings(t, open)
			if _, err := exec(db, "DELETE FROM things"); err != nil {
				t.Fatal(err)
			}
			var want []string
			for i := range count {
				want = append(want, fmt.Sprint("thing ", i))
			}
			add(t, db, want...)
			if got := names(t, db.Read(), "id > $1", 0); !slices.Equal(got, want) {
				t.Errorf("%d rows: got %q", count, got)
			}
			var fresh []int64
			err := db.Tx(ctx, func(tx database.Tx) error {
				in := database.NewInsert("things (id, name)", "ON CONFLICT DO NOTHING RETURNING id")
				return in.Returning(ctx, tx, []any{count, "again", count + 1, "new", count + 2, "new"}, func(r database.Row) error {
					var id int64
					err := r.Scan(&id)
					fresh = append(fresh, id)
					return err
				})
			})
			if slices.Sort(fresh); err != nil || count > 0 && !slices.Equal(fresh, []int64{int64(count) + 1, int64(count) + 2}) {
				t.Errorf("%d rows: returned %v, %v", count, fresh, err)
			}
		}
	})
}

// exec runs one statement in a transaction of its own.
func exec(db database.DB, query string, args ...any) (n int64, err error) {
	err = db.Tx(context.Background(), func(tx database.Tx) error {
		n, err = tx.Exec(context.Background(), query, args...)
		return err
	})
	return n, err
}

func TestList(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		from   int
		values []string
		text   string
		args   []any
	}{
		{1, []string{"a"}, "($1)", []any{"a"}},
		{3, []string{"a", "b"}, "($3,$4)", []any{"a", "b"}},
		{9, []string{"a", "b", "c"}, "($9,$10,$11,$12)", []any{"a", "b", "c", "c"}},
		{2, []string{"a", "b", "c", "d", "e"}, "($2,$3,$4,$5,$6,$7,$8,$9)", []any{"a", "b", "c", "d", "e", "e", "e", "e"}},
	} {
		text, args := database.List(c.from, c.values)
		if strings.ReplaceAll(text, " ", "") != c.text || !slices.Equal(args, c.args) {
			t.Errorf("%v from %d: got %s with %v", c.values, c.from, text, args)
		}
	}
}
