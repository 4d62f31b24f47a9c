package store

import (
	"context"
	"crypto/rand"
	"fmt"
	"time"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/store/database"
)

var insertFiles = database.NewInsert("files (id, team_id, content_type, size, created_at, expires_at)", "ON CONFLICT DO NOTHING")

// File returns a file. Whoever asks must have its signed address, so no team is
// named. If there is none with that id, or it has expired, the error has
// CodeNotFound.
func (s *Store) File(ctx context.Context, id string) (trawl.File, error) {
	file := trawl.File{ID: id}
	var expires int64
	err := s.db.Read().QueryRow(ctx, "SELECT team_id, content_type, expires_at FROM files WHERE id = $1 AND expires_at > $2", id, millis(s.now())).
		Scan(&file.TeamID, &file.ContentType, &expires)
	if err == nil {
		file.Data, err = s.blobs.Get(ctx, id)
	}
	if noRows(err) || trawl.ErrorCode(err) == trawl.CodeNotFound {
		return trawl.File{}, trawl.Errorf(trawl.CodeNotFound, "File not found")
	}
	if err != nil {
		return trawl.File{}, fmt.Errorf("read file: %w", err)
	}
	file.ExpiresAt = moment(expires)
	return file, nil
}

// Secret returns the secret of that name, which addresses are signed with: 32
// random bytes that are made when they are first asked for, and are the same for
// everyone who has this database open. Only the first call takes time.
func (s *Store) Secret(ctx context.Context, name string) ([]byte, error) {
	s.secretsMu.Lock()
	defer s.secretsMu.Unlock()
	if secret, ok := s.secrets[name]; ok {
		return secret, nil
	}
	var secret []byte
	read := func(q database.Reader) error {
		return q.QueryRow(ctx, "SELECT value FROM secrets WHERE name = $1", name).Scan(&secret)
	}
	err := read(s.db.Read())
	if noRows(err) {
		fresh := make([]byte, 32)
		_, _ = rand.Read(fresh) // never fails
		err = s.db.Tx(ctx, func(tx database.Tx) error {
			if _, err := tx.Exec(ctx, "INSERT INTO secrets (name, value) VALUES ($1, $2) ON CONFLICT DO NOTHING", name, fresh); err != nil {
				return err
			}
			return read(tx) // another node may have been faster
		})
	}
	if err != nil {
		return nil, fmt.Errorf("read secret of %s: %w", name, err)
	}
	s.secrets[name] = secret
	return secret, nil
}

// fileBlobs appends what has to be stored before the rows of files are.
func fileBlobs(blobs []Blob, files []trawl.File) []Blob {
	for i := range files {
		blobs = append(blobs, Blob{files[i].ID, files[i].Data})
	}
	return blobs
}

// fileRows appends the columns of files, whose blobs are stored already.
func fileRows(args []any, files []trawl.File, now int64) []any {
	for i := range files {
		f := &files[i]
		args = append(args, f.ID, f.TeamID, f.ContentType, len(f.Data), now, millis(f.ExpiresAt))
	}
	return args
}

// writeFiles writes the files of the items that were kept.
func (b *settlement) writeFiles(ctx context.Context, tx database.Tx) error {
	var args []any
	for i := range b.items {
		if item := &b.items[i]; b.errs[i] == nil {
			args = fileRows(args, item.Files, millis(item.Charge.At))
		}
	}
	return insertFiles.Run(ctx, tx, args)
}

// sweepFiles removes files that have expired.
func (s *Store) sweepFiles(ctx context.Context, now time.Time, stats *SweepStats) error {
	for {
		ids, err := database.Collect(ctx, s.db.Read(), scanString,
			"SELECT id FROM files WHERE expires_at <= $1 ORDER BY expires_at LIMIT $2", millis(now), portion)
		if err != nil || len(ids) == 0 {
			return err
		}
		if err := s.blobs.Delete(ctx, ids...); err != nil {
			return err
		}
		in, args := database.List(1, ids)
		n, err := s.exec(ctx, "DELETE FROM files WHERE id IN "+in, args...)
		if err != nil {
			return err
		}
		stats.Files += int(n)
	}
}
