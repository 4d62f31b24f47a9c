// Package store keeps what the service must remember: teams and their keys,
// credits, finished scrapes, cached pages, versions of tracked pages, browser sessions and their profiles, and
// the bytes too big for a row.
//
// It runs on SQLite in a data folder, or on PostgreSQL; one set of queries
// serves both, and one suite of tests holds both to the same behaviour. What
// differs is the business of package database. Every row belongs to a team, and
// every read names the team whose rows it may see; only a file and a session are
// known by their signed addresses alone.
//
// What a finished scrape leaves behind (its charge, its document, its files, its
// page in the cache, its version) is written by [Store.Finish], many scrapes in one transaction:
// either all of a scrape is kept and paid for, or nothing of it. A charge bears
// an id, so finishing a scrape again after a failure is safe, and a balance
// never falls below zero.
//
// A read never writes. What is no longer wanted is removed by [Store.Sweep],
// which a background loop calls now and then.
package store

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/google/uuid"
	"github.com/trawlhq/trawl/blob/codec"
	"github.com/trawlhq/trawl/internal/disk"
	"github.com/trawlhq/trawl/store/database"
)

// Config says where the data lives.
type Config struct {
	DataDir      string           // folder of the SQLite files; created if missing
	DatabaseURL  string           // postgres://…; empty means SQLite in DataDir
	Blobs        BlobStore        // where big values go; nil means the database
	Concurrency  int              // pages of a team's jobs at a time, unless the team has a number; 0 means 50
	Profiles     int              // most browser profiles of a team; 0 means 1000
	Retention    time.Duration    // how long a finished job can be read; 0 means a day
	HistoryPages int              // most pages that a team tracks; 0 means 100,000
	HistoryAge   time.Duration    // how long a page that is tracked is remembered; 0 means 90 days
	Now          func() time.Time // the clock; nil means time.Now
}

// BlobStore keeps values that are too big for a row. [Blobs] is one, an object
// store another.
type BlobStore interface {
	// Put stores data under id, in place of what was there.
	Put(ctx context.Context, id string, data []byte) error
	// Get returns what is stored under id; if nothing is, its error has CodeNotFound.
	Get(ctx context.Context, id string) ([]byte, error)
	// Delete removes values; an id that is not there is no error.
	Delete(ctx context.Context, ids ...string) error
	// List passes the ids of all values stored at or after from and before to,
	// in portions.
	List(ctx context.Context, from, to time.Time, visit func(ids []string) error) error
}

// Store is the database. All methods may be called at the same time.
type Store struct {
	db    database.DB
	dir   string    // data folder; empty on PostgreSQL
	own   *Blobs    // the blobs in the database
	blobs BlobStore // where the store itself puts big documents
	codec *codec.Codec
	now   func() time.Time

	concurrency  int
	profiles     int
	retention    time.Duration
	historyPages int
	historyAge   time.Duration

	secretsMu sync.Mutex
	secrets   map[string][]byte // those that are known, by name

	sweep       sync.Mutex
	orphansSeen time.Time // blobs stored before this were looked at
}

// Open opens the database, creates it if it is not there, and brings its schema
// up to date. Several processes may have the same database open. A database
// with a schema newer than this program knows is refused.
func Open(ctx context.Context, config Config) (*Store, error) {
	if config.Now == nil {
		config.Now = time.Now
	}
	pack, err := codec.New()
	if err != nil {
		return nil, fmt.Errorf("open store: %w", err)
	}
	db, blobs, err := openDatabases(ctx, config)
	if err != nil {
		pack.Close()
		return nil, fmt.Errorf("open store: %w", err)
	}
	s := &Store{db: db, codec: pack, now: config.Now, blobs: config.Blobs, concurrency: cmp.Or(config.Concurrency, 50), profiles: cmp.Or(config.Profiles, 1000), retention: cmp.Or(config.Retention, 24*time.Hour),
		historyPages: cmp.Or(config.HistoryPages, 100_000), historyAge: cmp.Or(config.HistoryAge, 90*24*time.Hour),
		secrets: map[string][]byte{}}
	if config.DatabaseURL == "" {
		s.dir = config.DataDir
	}
	s.own = &Blobs{db: blobs, codec: pack, now: config.Now}
	if s.blobs == nil {
		s.blobs = s.own
	}
	if err := s.migrate(ctx); err != nil {
		return nil, fmt.Errorf("open store: %w", errors.Join(err, s.Close()))
	}
	return s, nil
}

// The SQLite files. What is deleted from that of the rows is overwritten, so that
// zero data retention leaves nothing behind.
var (
	rowFile  = database.FileKind{Readers: 3, WriteCache: 1024, ReadCache: 512, Scrubbed: true}
	blobFile = database.FileKind{Readers: 2, WriteCache: 256, ReadCache: 256}
)

// openDatabases opens the database for rows and the one for blobs, which on
// PostgreSQL are the same.
func openDatabases(ctx context.Context, config Config) (rows, blobs database.DB, err error) {
	if config.DatabaseURL != "" {
		db, err := database.OpenPostgres(ctx, config.DatabaseURL)
		return db, db, err
	}
	if config.DataDir == "" {
		return nil, nil, errors.New("neither a data folder nor a database URL is set")
	}
	if err := os.MkdirAll(config.DataDir, 0o700); err != nil {
		return nil, nil, err
	}
	if err := checkEmptied(config.DataDir); err != nil {
		return nil, nil, err
	}
	rows, err = database.OpenSQLite(ctx, filepath.Join(config.DataDir, "trawl.db"), rowFile)
	if err != nil {
		return nil, nil, err
	}
	blobs, err = database.OpenSQLite(ctx, filepath.Join(config.DataDir, "blobs.db"), blobFile)
	if err != nil {
		return nil, nil, errors.Join(err, rows.Close())
	}
	return rows, blobs, nil
}

// checkEmptied refuses a data folder whose database was emptied: SQLite would take
// it for a new one. The file for rows is there before the one for blobs is made.
func checkEmptied(dir string) error {
	rows, err := os.Stat(filepath.Join(dir, "trawl.db"))
	if err != nil || rows.Size() > 0 {
		return nil
	}
	if blobs, err := os.Stat(filepath.Join(dir, "blobs.db")); err == nil && blobs.Size() > 0 {
		return fmt.Errorf("%s is empty, but there is data beside it: restore it from a backup, or start with another folder", filepath.Join(dir, "trawl.db"))
	}
	return nil
}

// Close closes the database. No other method may be running or called later.
func (s *Store) Close() error {
	s.codec.Close()
	err := s.db.Close()
	if s.own.db != s.db {
		err = errors.Join(err, s.own.db.Close())
	}
	return err
}

// Retention is how long results can be read.
func (s *Store) Retention() time.Duration { return s.retention }

// Blobs returns the blobs that are kept in the database.
func (s *Store) Blobs() *Blobs { return s.own }

var errRollback = errors.New("roll back")

// leastFree is how many bytes must be free on the disk of a data folder.
const leastFree = 2 << 20

// Ping reports whether the database can be written to.
func (s *Store) Ping(ctx context.Context) error {
	if s.dir != "" {
		if free, err := disk.Free(s.dir); err == nil && free < leastFree {
			return fmt.Errorf("ping store: the disk is full: %d bytes are free", free)
		}
	}
	err := s.db.Tx(ctx, func(tx database.Tx) error {
		if _, err := tx.Exec(ctx, "UPDATE schema_migrations SET version = version WHERE part = $1", "store"); err != nil {
			return err
		}
		return errRollback
	})
	if !errors.Is(err, errRollback) {
		return fmt.Errorf("ping store: %w", err)
	}
	return nil
}

// portion is the most rows that one statement or transaction of a bulk
// operation handles.
const portion = 500

func noRows(err error) bool { return errors.Is(err, sql.ErrNoRows) }

func scanString(r database.Row) (s string, err error) {
	err = r.Scan(&s)
	return s, err
}

// newID returns an id that sorts after those made before it.
func newID() (string, error) {
	id, err := uuid.NewV7()
	return id.String(), err
}

// millis is how a time is stored; the zero time is 0.
func millis(t time.Time) int64 {
	if t.IsZero() {
		return 0
	}
	return t.UnixMilli()
}

// moment is the time that millis stored.
func moment(ms int64) time.Time {
	if ms == 0 {
		return time.Time{}
	}
	return time.UnixMilli(ms).UTC()
}

// Now is the time by the clock of the store.
func (s *Store) Now() time.Time { return s.now() }
