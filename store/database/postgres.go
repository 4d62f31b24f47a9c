package database

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/riverqueue/river"
	"github.com/riverqueue/river/riverdriver/riverpgxv5"
)

var postgresDialect = &Dialect{
	ForUpdate:  " FOR UPDATE",
	hasTable:   "SELECT COUNT(*) FROM pg_tables WHERE schemaname = current_schema() AND tablename = $1",
	lockSchema: "SELECT pg_advisory_xact_lock(8319283749)",
	types:      strings.NewReplacer(),
	TaskNode:   "attempted_by[array_upper(attempted_by, 1)]",
	TaskLate:   "scheduled_at > now() + interval '1 minute'",
	TaskNow:    "now()",
	TaskArgs:   "args::text",
}

// postgresDB is a PostgreSQL database. Statements stay prepared on the
// connections; pgx sees to that.
type postgresDB struct {
	pool  *pgxpool.Pool
	queue *postgresQueue
}

// OpenPostgres connects to the database. The URL may hold a password, so no
// error repeats it. Unless the URL says otherwise (pool_max_conns) there are as
// many connections as processors, at least ten.
func OpenPostgres(ctx context.Context, databaseURL string) (DB, error) {
	config, err := pgxpool.ParseConfig(databaseURL)
	if err != nil {
		return nil, errors.New("the database URL is not one of PostgreSQL: want postgres://user:password@host:port/database")
	}
	config.MaxConnIdleTime = 5 * time.Minute
	if !strings.Contains(databaseURL, "pool_max_conns") {
		config.MaxConns = max(config.MaxConns, 10)
	}
	pool, err := pgxpool.NewWithConfig(ctx, config)
	if err != nil {
		return nil, fmt.Errorf("connect to PostgreSQL: %w", err)
	}
	if err := pool.Ping(ctx); err != nil {
		pool.Close()
		return nil, fmt.Errorf("connect to PostgreSQL: %w", err)
	}
	driver := riverpgxv5.New(pool)
	insert, err := river.NewClient(driver, inserting())
	if err != nil {
		pool.Close()
		return nil, err
	}
	return &postgresDB{pool, &postgresQueue{driver, insert}}, nil
}

// Dialect implements DB.
func (d *postgresDB) Dialect() *Dialect { return postgresDialect }

// Close implements DB.
func (d *postgresDB) Close() error {
	d.pool.Close()
	return nil
}

// Scrub implements DB. PostgreSQL reuses the space by itself.
func (d *postgresDB) Scrub(context.Context) error { return nil }

// Tx implements DB.
func (d *postgresDB) Tx(ctx context.Context, fn func(Tx) error) error {
	return pgx.BeginFunc(ctx, d.pool, func(tx pgx.Tx) error { return fn(postgresQuerier{tx, d.queue}) })
}

// Read implements DB.
func (d *postgresDB) Read() Reader { return postgresQuerier{d.pool, d.queue} }

// postgresQuerier runs statements on a pool or in a transaction.
type postgresQuerier struct {
	on interface {
		Exec(ctx context.Context, query string, args ...any) (pgconn.CommandTag, error)
		Query(ctx context.Context, query string, args ...any) (pgx.Rows, error)
		QueryRow(ctx context.Context, query string, args ...any) pgx.Row
	}
	queue *postgresQueue
}

// Exec implements Tx.
func (q postgresQuerier) Exec(ctx context.Context, query string, args ...any) (int64, error) {
	tag, err := q.on.Exec(ctx, query, storable(args)...)
	return tag.RowsAffected(), err
}

// Query implements Tx.
func (q postgresQuerier) Query(ctx context.Context, visit func(Row) error, query string, args ...any) error {
	rows, err := q.on.Query(ctx, query, storable(args)...)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		if err := visit(rows); err != nil {
			return err
		}
	}
	return rows.Err()
}

// QueryRow implements Tx.
func (q postgresQuerier) QueryRow(ctx context.Context, query string, args ...any) Row {
	return q.on.QueryRow(ctx, query, storable(args)...)
}

// storable replaces what PostgreSQL does not take in text: a header of a
// foreign server may hold any byte, and must not fail the rows beside it.
func storable(args []any) []any {
	for i, arg := range args {
		if s, ok := arg.(string); ok && (!utf8.ValidString(s) || strings.IndexByte(s, 0) >= 0) {
			args = slices.Clone(args)
			args[i] = strings.ReplaceAll(strings.ToValidUTF8(s, "\uFFFD"), "\x00", "\uFFFD")
		}
	}
	return args
}
