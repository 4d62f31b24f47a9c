package store

import (
	"context"
	"fmt"
	"time"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/store/database"
)

// Bounds of uploads.
const (
	mostUnparsed = 10             // uploads of a team that nobody has parsed
	uploadAge    = 24 * time.Hour // for which those count
)

// States of an upload.
const (
	uploadAwaited = 0
	uploadHere    = 1
	uploadParsed  = 2
)

// Upload is a file that is sent on its own, before the request to parse it.
type Upload struct {
	ID          string
	TeamID      string
	Name        string
	ContentType string
	Size        int64 // that was declared; 0 if none was
	ExpiresAt   time.Time
}

// CreateUpload notes that a file will be sent. If its team has ten of a day that
// nobody has parsed, the error has CodeUploads.
func (s *Store) CreateUpload(ctx context.Context, u Upload) error {
	now := s.now()
	err := s.db.Tx(ctx, func(tx database.Tx) error {
		_, err := scanString(tx.QueryRow(ctx, "SELECT id FROM teams WHERE id = $1"+s.db.Dialect().ForUpdate, u.TeamID))
		if err != nil {
			return err
		}
		waiting, err := scanInt(tx.QueryRow(ctx, "SELECT COUNT(*) FROM uploads WHERE team_id = $1 AND created_at > $2 AND state <> $3",
			u.TeamID, millis(now.Add(-uploadAge)), uploadParsed))
		if err != nil {
			return err
		}
		if waiting >= mostUnparsed {
			return trawl.Errorf(trawl.CodeUploads, "Your team has %d uploads of the last 24 hours that were not parsed. Parse them, or wait.", waiting)
		}
		_, err = tx.Exec(ctx, `INSERT INTO uploads (id, team_id, state, name, content_type, size, blob_id, created_at, expires_at)
			VALUES ($1, $2, $3, $4, $5, $6, '', $7, $8)`, u.ID, u.TeamID, uploadAwaited, u.Name, u.ContentType, u.Size, millis(now), millis(u.ExpiresAt))
		return err
	})
	return teamError("create upload", err)
}

// Upload returns an upload that is awaited. If there is none the error has
// CodeNotFound, if it is here already or has expired CodeGone.
func (s *Store) Upload(ctx context.Context, id string) (Upload, error) {
	u, state, _, err := s.upload(ctx, s.db.Read(), id, "")
	if err == nil && (state != uploadAwaited || !u.ExpiresAt.After(s.now())) {
		err = errUploadGone()
	}
	if err != nil {
		return Upload{}, fmt.Errorf("read upload: %w", err)
	}
	return u, nil
}

func errUploadGone() error { return trawl.Errorf(trawl.CodeGone, "The upload is over") }

func (s *Store) upload(ctx context.Context, q database.Reader, id, lock string) (u Upload, state int64, blob string, err error) {
	var expires int64
	err = q.QueryRow(ctx, "SELECT id, team_id, name, content_type, size, expires_at, state, blob_id FROM uploads WHERE id = $1"+lock, id).
		Scan(&u.ID, &u.TeamID, &u.Name, &u.ContentType, &u.Size, &expires, &state, &blob)
	u.ExpiresAt = moment(expires)
	if noRows(err) {
		err = trawl.Errorf(trawl.CodeNotFound, "Upload not found")
	}
	return u, state, blob, err
}

// FillUpload stores the file of an upload, which must be awaited: else the error has
// CodeGone.
func (s *Store) FillUpload(ctx context.Context, id string, data []byte) error {
	blob, err := newID()
	if err == nil {
		err = s.putBlobs(ctx, []Blob{{blob, data}})
	}
	if err != nil {
		return fmt.Errorf("fill upload: %w", err)
	}
	filled, err := s.exec(ctx, "UPDATE uploads SET state = $2, blob_id = $3 WHERE id = $1 AND state = $4 AND expires_at > $5",
		id, uploadHere, blob, uploadAwaited, millis(s.now()))
	if err == nil && filled == 0 {
		err = errUploadGone()
		_ = s.blobs.Delete(ctx, blob) // else a sweep does
	}
	if err != nil {
		return fmt.Errorf("fill upload: %w", err)
	}
	return nil
}

// TakeUpload returns an upload of a team and its file, which is not kept any longer. If
// there is none the error has CodeNotFound; if the file is not here yet, was taken or
// has expired, CodeGone.
func (s *Store) TakeUpload(ctx context.Context, teamID, id string) (u Upload, data []byte, err error) {
	var blob string
	err = s.db.Tx(ctx, func(tx database.Tx) error {
		var state int64
		if u, state, blob, err = s.upload(ctx, tx, id, s.db.Dialect().ForUpdate); err != nil {
			return err
		}
		switch {
		case u.TeamID != teamID:
			return trawl.Errorf(trawl.CodeNotFound, "Upload not found")
		case state != uploadHere || blob == "" || !u.ExpiresAt.After(s.now()):
			return errUploadGone()
		}
		_, err := tx.Exec(ctx, "UPDATE uploads SET state = $2 WHERE id = $1", id, uploadParsed)
		return err
	})
	if err == nil {
		data, err = s.blobs.Get(ctx, blob)
	}
	if err == nil {
		_, err = s.removeUploads(ctx, []string{blob})
	}
	if err != nil {
		return Upload{}, nil, fmt.Errorf("take upload: %w", err)
	}
	return u, data, nil
}

// removeUploads removes files, and leaves the rows of their uploads.
func (s *Store) removeUploads(ctx context.Context, blobs []string) (int64, error) {
	if len(blobs) == 0 {
		return 0, nil
	}
	if err := s.blobs.Delete(ctx, blobs...); err != nil {
		return 0, err
	}
	in, args := database.List(1, blobs)
	return s.exec(ctx, "UPDATE uploads SET blob_id = '' WHERE blob_id IN "+in, args...)
}

// sweepUploads removes files that were parsed or have expired, and uploads that do
// not count any more.
func (s *Store) sweepUploads(ctx context.Context, now time.Time, stats *SweepStats) error {
	for {
		blobs, err := database.Collect(ctx, s.db.Read(), scanString,
			"SELECT blob_id FROM uploads WHERE blob_id <> '' AND (expires_at <= $1 OR state = $2) LIMIT $3", millis(now), uploadParsed, portion)
		if err != nil {
			return err
		}
		n, err := s.removeUploads(ctx, blobs)
		stats.Files += int(n)
		if err != nil {
			return err
		}
		if len(blobs) < portion {
			break
		}
	}
	_, err := s.exec(ctx, "DELETE FROM uploads WHERE blob_id = '' AND created_at <= $1", millis(now.Add(-uploadAge)))
	return err
}
