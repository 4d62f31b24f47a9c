package database

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"maps"
	"net/url"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"time"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"
)

// busyWait is how long a statement waits for another process that writes.
const busyWait = 10 * time.Second

// FileKind is how a SQLite file is tuned to what it holds. A page that is kept
// takes twice its size in memory, and one not kept is still in the system's cache.
type FileKind struct {
	Readers    int  // connections that read
	WriteCache int  // KiB of pages that the connection that writes may keep
	ReadCache  int  // KiB of pages that each of the others may keep
	Scrubbed   bool // what is deleted is overwritten
}

// The write lock that a transaction has makes other locks needless.
var sqliteDialect = &Dialect{
	hasTable: "SELECT COUNT(*) FROM sqlite_master WHERE type = 'table' AND name = $1",
	types:    strings.NewReplacer("BYTEA", "BLOB", "/* clustered */", "WITHOUT ROWID"),
	TaskNode: "json_extract(attempted_by, '$[#-1]')",
	TaskArgs: "json(args)",
	TaskLate: "scheduled_at > datetime('now', '+1 minute', 'subsec')",
	TaskNow:  "datetime('now', 'subsec')",
	Embedded: true,
}

// sqliteDB is one SQLite file: one connection that writes and a few that read,
// which a write never makes wait.
//
// What can take long is waiting for one's turn to write, and that can be given up.
type sqliteDB struct {
	turn    chan struct{}
	writer  *pool
	readers *pool
	queue   *sqliteQueue
}

// OpenSQLite opens or creates the file. Its permissions, and those of the files
// SQLite puts beside it, are those of the lock file of the folder.
func OpenSQLite(ctx context.Context, path string, kind FileKind) (DB, error) {
	path, err := filepath.Abs(path)
	if err != nil {
		return nil, err
	}
	model := filepath.Join(filepath.Dir(path), lockName)
	if err := touch(model); err != nil {
		return nil, err
	}
	db := &sqliteDB{
		turn:    make(chan struct{}, 1),
		writer:  openPool(path, 1, writing(kind, model)),
		readers: openPool(path, kind.Readers, settings(kind.ReadCache, model, url.Values{"_query_only": {"on"}})),
	}
	if db.queue, err = newSQLiteQueue(db.writer.db); err != nil {
		return nil, errors.Join(err, db.Close())
	}
	if err := db.connect(ctx); err != nil {
		return nil, fmt.Errorf("%s: %w", path, errors.Join(err, db.Close()))
	}
	return db, nil
}

// writing returns what the connection that writes is opened with.
func writing(kind FileKind, model string) url.Values {
	values := settings(kind.WriteCache, model, url.Values{"_journal_mode": {"wal"}, "_txlock": {"immediate"}})
	if kind.Scrubbed {
		values.Add("_pragma", "secure_delete(1)")
	}
	return values
}

// Scrub implements DB.
func (d *sqliteDB) Scrub(ctx context.Context) error {
	_, err := d.writer.db.ExecContext(ctx, "PRAGMA wal_checkpoint(TRUNCATE)")
	return err
}

// settings returns what a connection is opened with.
func settings(cache int, model string, more url.Values) url.Values {
	values := url.Values{
		"_pragma": {
			"cache_size(-" + strconv.Itoa(cache) + ")",
			"mmap_size(0)",
			"temp_store(memory)",
			"wal_autocheckpoint(4000)",
			"journal_size_limit(" + strconv.Itoa(16<<20) + ")",
		},
		"_busy_timeout": {strconv.FormatInt(busyWait.Milliseconds(), 10)},
		"_foreign_keys": {"on"},
		"_synchronous":  {"normal"}, // a crash of the process loses nothing, one of the machine at most the last moments
		"modeof":        {model},
	}
	maps.Copy(values, more)
	return values
}

// connect makes the first connection, which creates the file. Another process
// that does the same can be in the way where SQLite does not wait by itself.
func (d *sqliteDB) connect(ctx context.Context) error {
	deadline := time.Now().Add(busyWait)
	for {
		err := d.writer.db.PingContext(ctx)
		if !isBusy(err) || time.Now().After(deadline) {
			return err
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(10 * time.Millisecond):
		}
	}
}

func isBusy(err error) bool {
	e, ok := errors.AsType[*sqlite.Error](err)
	return ok && e.Code()&0xff == sqlite3.SQLITE_BUSY
}

// Dialect implements DB.
func (d *sqliteDB) Dialect() *Dialect { return sqliteDialect }

// Close implements DB.
func (d *sqliteDB) Close() error {
	return errors.Join(d.readers.Close(), d.writer.Close())
}

// Read implements DB.
func (d *sqliteDB) Read() Reader { return d.readers }

// Tx implements DB. It has the write lock from the start, so it sees
// the last state and its commit cannot conflict.
func (d *sqliteDB) Tx(ctx context.Context, fn func(Tx) error) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	select {
	case d.turn <- struct{}{}:
		defer func() { <-d.turn }()
	case <-ctx.Done():
		return ctx.Err()
	}
	tx, err := d.writer.db.BeginTx(context.WithoutCancel(ctx), nil)
	if err != nil {
		return fmt.Errorf("begin: %w", err)
	}
	defer func() { _ = tx.Rollback() }() // after a commit it does nothing
	t := &sqliteTx{tx: tx, queue: d.queue}
	if err := fn(t); err != nil {
		return err
	}
	if err := tx.Commit(); err != nil {
		return fmt.Errorf("commit: %w", err)
	}
	d.queue.driver.news.tell(t.enqueued)
	return nil
}

// sqliteTx runs statements in a transaction.
type sqliteTx struct {
	tx       *sql.Tx
	queue    *sqliteQueue
	enqueued []string // queues that got tasks
}

// Exec implements Tx.
func (t *sqliteTx) Exec(ctx context.Context, query string, args ...any) (int64, error) {
	result, err := t.tx.ExecContext(context.WithoutCancel(ctx), query, args...)
	if err != nil {
		return 0, err
	}
	return result.RowsAffected()
}

// Query implements Tx.
func (t *sqliteTx) Query(ctx context.Context, visit func(Row) error, query string, args ...any) error {
	rows, err := t.tx.QueryContext(context.WithoutCancel(ctx), query, args...)
	return visitRows(rows, err, visit)
}

// QueryRow implements Tx.
func (t *sqliteTx) QueryRow(ctx context.Context, query string, args ...any) Row {
	return t.tx.QueryRowContext(context.WithoutCancel(ctx), query, args...)
}

func visitRows(rows *sql.Rows, err error, visit func(Row) error) error {
	if err != nil {
		return err
	}
	defer func() { _ = rows.Close() }()
	for rows.Next() {
		if err := visit(rows); err != nil {
			return err
		}
	}
	return rows.Err()
}

// pool is some connections.
type pool struct{ db *sql.DB }

func openPool(path string, size int, settings url.Values) *pool {
	text := strings.ReplaceAll(settings.Encode(), "+", "%20") // SQLite does not read + as a space
	dsn := url.URL{Scheme: "file", Path: path, RawQuery: text}
	db := sql.OpenDB(connector{dsn.String()})
	db.SetMaxOpenConns(size)
	db.SetMaxIdleConns(size)
	return &pool{db}
}

// Close closes the connections and with them the statements.
func (p *pool) Close() error { return p.db.Close() }

// parameter is an argument in a statement.
var parameter = regexp.MustCompile(`\$[0-9]+`)

// nameless writes ? for arguments that come in order, each once: SQLite takes
// $1 for a name, and looking up names costs more than a short statement.
func nameless(query string) string {
	for i, name := range parameter.FindAllString(query, -1) {
		if name != "$"+strconv.Itoa(i+1) {
			return query
		}
	}
	return parameter.ReplaceAllString(query, "?")
}

// Query implements Reader.
func (p *pool) Query(ctx context.Context, visit func(Row) error, query string, args ...any) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	rows, err := p.db.QueryContext(context.WithoutCancel(ctx), query, args...)
	return visitRows(rows, err, visit)
}

// QueryRow implements Reader.
func (p *pool) QueryRow(ctx context.Context, query string, args ...any) Row {
	if err := ctx.Err(); err != nil {
		return failedRow{err}
	}
	return p.db.QueryRowContext(context.WithoutCancel(ctx), query, args...)
}
