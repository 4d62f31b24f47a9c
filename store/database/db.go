// Package database is how the store talks to the two databases it runs on:
// SQLite, in a file of this process, and PostgreSQL, which processes share.
//
// A query is written once, in SQL that both understand, with $1, $2, … for the
// arguments. Times are integers and ids are text, so that there is nothing to
// convert; column types, which do differ, stand in migrations alone and are
// written as PostgreSQL has them. What cannot be said alike is in a [Dialect].
//
// A [DB] reads what is committed, and changes it in a [Tx]. On SQLite there is one
// connection that writes, so a transaction sees the last state and conflicts with
// none; a few others read meanwhile. On PostgreSQL many write at once, and a
// transaction has to lock the rows that it decides by.
//
// Tasks for River are rows like others: they are added in the transaction that
// makes them necessary, and nobody sees them if it is rolled back. On PostgreSQL
// the database tells other processes of new tasks; on SQLite there is only this
// one, which tells itself.
//
// What the tables mean is not known here.
package database

import (
	"context"
	"strconv"
	"strings"

	"github.com/riverqueue/river"
)

// DB is a database, SQLite or PostgreSQL. All methods may be called at the same
// time.
type DB interface {
	// Tx runs fn in a transaction, which is rolled back if fn fails.
	Tx(ctx context.Context, fn func(tx Tx) error) error
	// Read returns a reader of what is committed.
	Read() Reader
	// Queue returns River on this database. [MigrateQueue] comes first.
	Queue(config *river.Config) (Queue, error)
	// Scrub overwrites what is left of deleted rows, as far as it can.
	Scrub(ctx context.Context) error
	// Dialect returns what has to be said differently on this database.
	Dialect() *Dialect
	// Close ends all connections. No other method may be running or called later.
	Close() error

	// migrateQueue brings River's tables up to date, once for all processes.
	migrateQueue(ctx context.Context) error
}

// Tx runs statements in a transaction.
type Tx interface {
	Reader
	// Exec returns the number of rows it touched. Without arguments the text
	// may hold several statements.
	Exec(ctx context.Context, query string, args ...any) (int64, error)
	// Enqueue adds tasks, each of which names its queue. Workers see them once
	// the transaction is committed.
	Enqueue(ctx context.Context, tasks []river.InsertManyParams) error
}

// Reader runs statements that return rows.
type Reader interface {
	// Query passes the rows to visit, one after the other.
	Query(ctx context.Context, visit func(Row) error, query string, args ...any) error
	// QueryRow returns the first row; its Scan fails with sql.ErrNoRows if there is none.
	QueryRow(ctx context.Context, query string, args ...any) Row
}

// Row is one result.
type Row interface{ Scan(dest ...any) error }

// failedRow is the result of a query that could not be run.
type failedRow struct{ err error }

func (r failedRow) Scan(...any) error { return r.err }

// Dialect is what cannot be said alike on both databases.
type Dialect struct {
	ForUpdate string // appended to a SELECT, keeps its rows from changing
	TaskNode  string // who works on a task, in a query of tasks
	TaskArgs  string // the arguments of a task as text, likewise
	TaskLate  string // whether a task is due in more than a minute, likewise
	TaskNow   string // the time, as tasks have it
	Embedded  bool   // the database belongs to one process

	hasTable   string            // query that counts the tables named $1
	lockSchema string            // makes other migrations wait until the transaction ends
	types      *strings.Replacer // column types in a migration
}

// Collect returns all rows of a query, each as scan reads it.
func Collect[T any](ctx context.Context, q Reader, scan func(Row) (T, error), query string, args ...any) ([]T, error) {
	var list []T
	err := q.Query(ctx, func(r Row) error {
		item, err := scan(r)
		list = append(list, item)
		return err
	}, query, args...)
	return list, err
}

// List writes ($from, …) for the values, at least one, and pads it to a power of
// two by repeating the last, so that only few different statements need preparing.
func List[T any](from int, values []T) (text string, args []any) {
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

// Insert is an INSERT of any number of rows. It comes in a few sizes, so that
// every one of them stays prepared.
type Insert struct {
	columns int
	sizes   []insertSize // largest first
}

type insertSize struct {
	rows int
	text string
}

// NewInsert makes an insert into "table (columns)" that ends in tail.
func NewInsert(table, tail string) *Insert {
	in := &Insert{columns: strings.Count(table, ",") + 1}
	for _, size := range []int{32, 24, 16, 12, 8, 6, 4, 3, 2, 1} {
		in.sizes = append(in.sizes, insertSize{size, in.text(table, tail, size)})
	}
	return in
}

func (in *Insert) text(table, tail string, rows int) string {
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

// Run inserts the rows whose columns stand one after the other in args.
func (in *Insert) Run(ctx context.Context, tx Tx, args []any) error {
	for _, size := range in.sizes {
		for n := size.rows * in.columns; len(args) >= n; args = args[n:] {
			if _, err := tx.Exec(ctx, size.text, args[:n]...); err != nil {
				return err
			}
		}
	}
	return nil
}

// Returning inserts like Run and passes what the tail returns to visit.
func (in *Insert) Returning(ctx context.Context, tx Tx, args []any, visit func(Row) error) error {
	for _, size := range in.sizes {
		for n := size.rows * in.columns; len(args) >= n; args = args[n:] {
			if err := tx.Query(ctx, visit, size.text, args[:n]...); err != nil {
				return err
			}
		}
	}
	return nil
}
