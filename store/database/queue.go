package database

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/riverqueue/river"
	"github.com/riverqueue/river/riverdriver"
	"github.com/riverqueue/river/riverdriver/riverpgxv5"
	"github.com/riverqueue/river/riverdriver/riversqlite"
	"github.com/riverqueue/river/rivermigrate"
)

// Queue hands tasks to the workers of this process, from Start until it is
// stopped.
type Queue interface {
	Start(ctx context.Context) error
	// StopAndCancel ends the contexts of running tasks and waits for them.
	StopAndCancel(ctx context.Context) error
}

// inserting is the configuration of clients that only insert. River tells of new
// tasks at most once per cooldown, and whoever is not told finds them only when
// it next looks by itself.
func inserting() *river.Config {
	return &river.Config{FetchCooldown: river.FetchCooldownMin, Logger: slog.New(slog.DiscardHandler)}
}

// riverVersion is the version that River's tables are brought to.
const riverVersion = 7

func newMigrator[TTx any](driver riverdriver.Driver[TTx]) (*rivermigrate.Migrator[TTx], error) {
	return rivermigrate.New(driver, &rivermigrate.Config{Logger: slog.New(slog.DiscardHandler)})
}

var upToVersion = &rivermigrate.MigrateOpts{TargetVersion: riverVersion}

// MigrateQueue brings River's tables up to date, and notes that they are, in the
// table that [Migrate] makes.
func MigrateQueue(ctx context.Context, db DB, now time.Time) error {
	version, err := schemaVersion(ctx, db, db.Read(), "queue")
	if err != nil || version >= riverVersion {
		return errors.Join(err, checkVersion(version, riverVersion))
	}
	if err := db.migrateQueue(ctx); err != nil {
		return fmt.Errorf("migrate queue: %w", err)
	}
	return db.Tx(ctx, func(tx Tx) error {
		_, err := tx.Exec(ctx, "INSERT INTO schema_migrations (part, version, applied_at) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING",
			"queue", riverVersion, now.UnixMilli())
		return err
	})
}

// postgresQueue is River on PostgreSQL.
type postgresQueue struct {
	driver *riverpgxv5.Driver
	insert *river.Client[pgx.Tx]
}

// Queue implements DB.
func (d *postgresDB) Queue(config *river.Config) (Queue, error) {
	return river.NewClient(d.queue.driver, config)
}

// Enqueue implements Tx.
func (q postgresQuerier) Enqueue(ctx context.Context, tasks []river.InsertManyParams) error {
	tx, ok := q.on.(pgx.Tx)
	if !ok {
		return errNoTx
	}
	_, err := q.queue.insert.InsertManyFastTx(ctx, tx, tasks)
	return err
}

// migrateQueue implements DB. River needs a transaction for every step, so
// the lock is one of a connection.
func (d *postgresDB) migrateQueue(ctx context.Context) error {
	migrator, err := newMigrator(d.queue.driver)
	if err != nil {
		return err
	}
	return d.pool.AcquireFunc(ctx, func(conn *pgxpool.Conn) error {
		if _, err := conn.Exec(ctx, "SELECT pg_advisory_lock(8319283750)"); err != nil {
			return err
		}
		_, err := migrator.Migrate(ctx, rivermigrate.DirectionUp, upToVersion)
		_, unlockErr := conn.Exec(context.WithoutCancel(ctx), "SELECT pg_advisory_unlock(8319283750)")
		return errors.Join(err, unlockErr)
	})
}

var errNoTx = errors.New("not in a transaction")

// sqliteQueue is River on SQLite. There is one process, so that news of tasks
// need not go through the database.
type sqliteQueue struct {
	driver *sqliteQueueDriver
	insert *river.Client[*sql.Tx]
}

func newSQLiteQueue(db *sql.DB) (*sqliteQueue, error) {
	driver := &sqliteQueueDriver{Driver: riversqlite.New(db), news: newNews()}
	insert, err := river.NewClient(driver, inserting())
	return &sqliteQueue{driver, insert}, err
}

// Queue implements DB.
func (d *sqliteDB) Queue(config *river.Config) (Queue, error) {
	return river.NewClient(d.queue.driver, config)
}

// Enqueue implements Tx.
func (t *sqliteTx) Enqueue(ctx context.Context, tasks []river.InsertManyParams) error {
	for _, task := range tasks {
		t.enqueued = append(t.enqueued, task.InsertOpts.Queue)
	}
	_, err := t.queue.insert.InsertManyFastTx(context.WithoutCancel(ctx), t.tx, tasks)
	return err
}

// migrateQueue implements DB. The transaction keeps other processes waiting.
func (d *sqliteDB) migrateQueue(ctx context.Context) error {
	migrator, err := newMigrator(d.queue.driver)
	if err != nil {
		return err
	}
	return d.Tx(ctx, func(tx Tx) error {
		//lint:ignore SA1019 all steps up to riverVersion can share a transaction on SQLite
		_, err := migrator.MigrateTx(ctx, tx.(*sqliteTx).tx, rivermigrate.DirectionUp, upToVersion)
		return err
	})
}

// sqliteQueueDriver is River's driver with another way of telling news.
type sqliteQueueDriver struct {
	*riversqlite.Driver
	news *news
}

// GetListener implements riverdriver.Driver.
func (d *sqliteQueueDriver) GetListener(*riverdriver.GetListenenerParams) riverdriver.Listener {
	return &newsListener{d.news}
}

// SupportsListenNotify implements riverdriver.Driver: nothing is written for it.
func (d *sqliteQueueDriver) SupportsListenNotify() bool { return false }

// news tells which queues have new tasks. Queues that nobody asked about yet are
// told once, however often there was news of them.
type news struct {
	mu     sync.Mutex
	queues []string
	signal chan struct{} // holds a token while there are queues
}

func newNews() *news { return &news{signal: make(chan struct{}, 1)} }

func (n *news) tell(queues []string) {
	n.mu.Lock()
	defer n.mu.Unlock()
	for _, queue := range queues {
		known := false
		for _, told := range n.queues {
			known = known || told == queue
		}
		if !known {
			n.queues = append(n.queues, queue)
		}
	}
	n.wake()
}

// wake leaves a token if there is something to tell. The lock is held.
func (n *news) wake() {
	if len(n.queues) == 0 {
		return
	}
	select {
	case n.signal <- struct{}{}:
	default:
	}
}

func (n *news) next() (queue string, ok bool) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if len(n.queues) == 0 {
		return "", false
	}
	queue, n.queues = n.queues[0], n.queues[1:]
	n.wake()
	return queue, true
}

// newsListener is how River hears of news.
type newsListener struct{ news *news }

func (l *newsListener) Close(context.Context) error            { return nil }
func (l *newsListener) Connect(context.Context) error          { return nil }
func (l *newsListener) Listen(context.Context, string) error   { return nil }
func (l *newsListener) Unlisten(context.Context, string) error { return nil }
func (l *newsListener) Ping(context.Context) error             { return nil }
func (l *newsListener) Schema() string                         { return "" }
func (l *newsListener) SetAfterConnectExec(string)             {}

// WaitForNotification implements riverdriver.Listener.
func (l *newsListener) WaitForNotification(ctx context.Context) (*riverdriver.Notification, error) {
	for {
		select {
		case <-l.news.signal:
			if queue, ok := l.news.next(); ok {
				return &riverdriver.Notification{Topic: "river_insert", Payload: fmt.Sprintf("{\"queue\": %q}", queue)}, nil
			}
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}
