package store

import (
	"context"
	"embed"
	"io/fs"

	"github.com/trawlhq/trawl/store/database"
)

// migrations holds the schema, one folder for the rows and one for the blobs. A
// file is named by the version it leads to and is never changed once it was
// released.
//
//go:embed migrations
var migrations embed.FS

// migrate brings the schema up to date.
func (s *Store) migrate(ctx context.Context) error {
	files, err := fs.Sub(migrations, "migrations")
	if err != nil {
		return err
	}
	if err := database.Migrate(ctx, s.db, files, "store", s.now()); err != nil {
		return err
	}
	if err := database.MigrateQueue(ctx, s.db, s.now()); err != nil {
		return err
	}
	return database.Migrate(ctx, s.own.db, files, "blobs", s.now())
}
