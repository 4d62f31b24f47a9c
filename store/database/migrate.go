package database

import (
	"cmp"
	"context"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"
)

type migration struct {
	version int64
	script  string
}

// migrations reads one part of the schema, in order.
func migrations(files fs.FS, part string) ([]migration, error) {
	entries, err := fs.ReadDir(files, part)
	if err != nil {
		return nil, err
	}
	var steps []migration
	for _, entry := range entries {
		number, _, _ := strings.Cut(entry.Name(), "_")
		version, err := strconv.ParseInt(number, 10, 64)
		if err != nil {
			return nil, fmt.Errorf("migration %s has no version", entry.Name())
		}
		script, err := fs.ReadFile(files, path.Join(part, entry.Name()))
		if err != nil {
			return nil, err
		}
		steps = append(steps, migration{version, string(script)})
	}
	slices.SortFunc(steps, func(a, b migration) int { return cmp.Compare(a.version, b.version) })
	return steps, nil
}

// Migrate brings one part of the schema up to date. Its scripts, at least one, are
// in the folder of files that is named like the part, and each is named by the
// version it leads to. A schema that is up to date is only read; otherwise one
// transaction makes all the changes while other processes that come to do the
// same wait. A schema newer than the last script is refused.
func Migrate(ctx context.Context, db DB, files fs.FS, part string, now time.Time) error {
	steps, err := migrations(files, part)
	if err != nil {
		return fmt.Errorf("read migrations: %w", err)
	}
	latest := steps[len(steps)-1].version
	version, err := schemaVersion(ctx, db, db.Read(), part)
	if err != nil {
		return err
	}
	if version < latest {
		return db.Tx(ctx, func(tx Tx) error { return applyMigrations(ctx, db, tx, part, steps, now) })
	}
	return checkVersion(version, latest)
}

func checkVersion(version, latest int64) error {
	if version > latest {
		return fmt.Errorf("the database has schema version %d and this program knows only %d: use a newer trawl", version, latest)
	}
	return nil
}

func applyMigrations(ctx context.Context, db DB, tx Tx, part string, steps []migration, now time.Time) error {
	if lock := db.Dialect().lockSchema; lock != "" {
		if _, err := tx.Exec(ctx, lock); err != nil {
			return fmt.Errorf("lock schema: %w", err)
		}
	}
	version, err := schemaVersion(ctx, db, tx, part) // another process may have been faster
	if err != nil {
		return err
	}
	if err := checkVersion(version, steps[len(steps)-1].version); err != nil {
		return err
	}
	if version < 0 {
		if _, err := tx.Exec(ctx, `CREATE TABLE schema_migrations (
			part TEXT NOT NULL, version BIGINT NOT NULL, applied_at BIGINT NOT NULL, PRIMARY KEY (part, version))`); err != nil {
			return fmt.Errorf("create schema: %w", err)
		}
	}
	for _, step := range steps {
		if step.version <= version {
			continue
		}
		if _, err := tx.Exec(ctx, db.Dialect().types.Replace(step.script)); err != nil {
			return fmt.Errorf("migrate %s to version %d: %w", part, step.version, err)
		}
		if _, err := tx.Exec(ctx, "INSERT INTO schema_migrations (part, version, applied_at) VALUES ($1, $2, $3)",
			part, step.version, now.UnixMilli()); err != nil {
			return fmt.Errorf("record migration: %w", err)
		}
	}
	return nil
}

// schemaVersion returns the version of one part of the schema: 0 if it is not
// there, -1 if not even the table of migrations is.
func schemaVersion(ctx context.Context, db DB, q Reader, part string) (version int64, err error) {
	var tables int64
	if err := q.QueryRow(ctx, db.Dialect().hasTable, "schema_migrations").Scan(&tables); err != nil {
		return 0, fmt.Errorf("read schema version: %w", err)
	}
	if tables == 0 {
		return -1, nil
	}
	err = q.QueryRow(ctx, "SELECT COALESCE(MAX(version), 0) FROM schema_migrations WHERE part = $1", part).Scan(&version)
	if err != nil {
		return 0, fmt.Errorf("read schema version: %w", err)
	}
	return version, nil
}
