package store

import (
	"context"
	"database/sql"
	"errors"
	"strconv"
	"strings"

	"github.com/riverqueue/river"
)

// database is what the queries of this package run on: SQLite or PostgreSQL.
// They are written once, in SQL that both understand, with $1, $2, … for the
// arguments.
type database interface {
	// Tx runs fn in a transaction, which is rolled back if fn fails.
	Tx(ctx context.Context, fn func(tx querier) error) error
	// Read returns a reader of what is committed.
	Read() reader
	// Queue returns River on this database.
	Queue(config *river.Config) (Queue, error)
	// MigrateQueue brings River's tables up to date, once for all processes.
	MigrateQueue(ctx context.Context) error
	// Scrub overwrites what is left of deleted rows, as far as it can.
	Scrub(ctx context.Context) error
	Dialect() *dialect
	Close() error
}

// querier runs statements in a transaction.
type querier interface {
	reader
	// Exec returns the number of rows it touched. Without arguments the text
	// may hold several statements.
	Exec(ctx context.Context, query string, args ...any) (int64, error)
	// Enqueue adds tasks, which workers see once the transaction is committed.
	Enqueue(ctx context.Context, tasks []river.InsertManyParams) error
}

// reader runs statements that return rows.
type reader interface {
	// Query passes the rows to visit, one after the other.
	Query(ctx context.Context, visit func(row) error, query string, args ...any) error
	// QueryRow returns the first row; its Scan fails with sql.ErrNoRows if there is none.
	QueryRow(ctx context.Context, query string, args ...any) row
}

// row is one result.
type row interface{ Scan(dest ...any) error }

// failedRow is the result of a query that could not be run.
type failedRow struct{ err error }

func (r failedRow) Scan(...any) error { return r.err }

// dialect is what cannot be said alike on both databases.
type dialect struct {
	forUpdate  string            // appended to a SELECT, keeps its rows from changing
	hasTable   string            // query that counts the tables named $1
	lockSchema string            // makes other migrations wait until the transaction ends
	types      *strings.Replacer // column types in a migration
	handBack   string            // makes the running tasks of the node $1 available
	embedded   bool              // the database belongs to one process
}

func noRows(err error) bool { return errors.Is(err, sql.ErrNoRows) }

// collect returns all rows of a query.
func collect[T any](ctx context.Context, q reader, scan func(row) (T, error), query string, args ...any) ([]T, error) {
	var list []T
	err := q.Query(ctx, func(r row) error {
		item, err := scan(r)
		list = append(list, item)
		return err
	}, query, args...)
	return list, err
}

func scanString(r row) (s string, err error) {
	err = r.Scan(&s)
	return s, err
}

// portion is the most rows that one statement or transaction of a bulk
// operation handles.
const portion = 500

// list writes ($from, …) for the values and pads it to a power of two by
// repeating the last, so that only few different statements need preparing.
func list[T any](from int, values []T) (text string, args []any) {
	size := 1
	for size < len(values) {
		size *= 2
	}
	b := make([]byte, 0, 6*size)
	args = make([]any, size)
	for i := range size {
		b = strconv.AppendInt(append(b, ", $"...), int64(from+i), 10)
		args[i] = values[min(i, len(values)-1)]
	}
	b[0] = '('
	return string(append(b, ')')), args
}

// insert is an INSERT of any number of rows. It comes in a few sizes, so that
// every one of them stays prepared.
type insert struct {
	columns int
	sizes   []insertSize // largest first
}

type insertSize struct {
	rows int
	text string
}

// newInsert prepares an insert into "table (columns)" that ends in tail.
func newInsert(table, tail string) *insert {
	in := &insert{columns: strings.Count(table, ",") + 1}
	for size := 32; size > 0; size /= 2 {
		in.sizes = append(in.sizes, insertSize{size, in.text(table, tail, size)})
	}
	return in
}

func (in *insert) text(table, tail string, rows int) string {
	var b strings.Builder
	b.WriteString("INSERT INTO " + table + " VALUES ")
	for i := range rows * in.columns {
		switch {
		case i == 0:
			b.WriteString("(")
		case i%in.columns == 0:
			b.WriteString("), (")
		default:
			b.WriteString(", ")
		}
		b.WriteString("$" + strconv.Itoa(i+1))
	}
	return b.String() + ") " + tail
}

// returning inserts like run and passes what the tail returns to visit.
func (in *insert) returning(ctx context.Context, q querier, args []any, visit func(row) error) error {
	for _, size := range in.sizes {
		for n := size.rows * in.columns; len(args) >= n; args = args[n:] {
			if err := q.Query(ctx, visit, size.text, args[:n]...); err != nil {
				return err
			}
		}
	}
	return nil
}

// run inserts the rows whose columns stand one after the other in args.
func (in *insert) run(ctx context.Context, q querier, args []any) error {
	for _, size := range in.sizes {
		for n := size.rows * in.columns; len(args) >= n; args = args[n:] {
			if _, err := q.Exec(ctx, size.text, args[:n]...); err != nil {
				return err
			}
		}
	}
	return nil
}
