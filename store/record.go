package store

import (
	"context"
	"fmt"
	"time"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/store/database"
)

// Packed is a compressed value, made by [Store.Pack].
type Packed []byte

// Pack compresses a value. The head of a document that many records share need
// be packed only once.
func (s *Store) Pack(data []byte) (Packed, error) {
	packed, err := s.codec.Pack(data)
	if err != nil {
		return nil, fmt.Errorf("pack: %w", err)
	}
	return packed, nil
}

// Record is a finished scrape as its team can read it again until it expires.
type Record struct {
	ID        string
	TeamID    string
	KeyID     string
	Endpoint  string
	Target    string
	Head      Packed // the JSON document up to a point; may be empty
	Tail      []byte // the rest of it
	Credits   int64
	Duration  time.Duration
	Code      trawl.Code // why it failed; empty if it did not
	Replay    string     // what it did in its page, as JSON; empty if the page cannot be opened again
	CreatedAt time.Time
	ExpiresAt time.Time
}

// maxInline is the size of the largest packed head that is kept in its row.
const maxInline = 256 << 10

var insertRecords = database.NewInsert(
	"records (team_id, id, key_id, endpoint, target, created_at, expires_at, blob_id, head, tail, credits, duration, code, replay)", "ON CONFLICT DO NOTHING")

// storeBlobs stores what is too big for a row: large heads, whose blobs it
// returns by item, the bodies of cached pages, files, and large versions. If the rows are not
// written after all, a sweep removes the blobs.
func (s *Store) storeBlobs(ctx context.Context, items []Finished) (map[int]string, error) {
	ids := map[int]string{}
	var blobs []Blob
	for i, item := range items {
		if item.Record != nil && len(item.Record.Head) > maxInline {
			id, err := newID()
			if err != nil {
				return nil, err
			}
			ids[i] = id
			blobs = append(blobs, Blob{id, item.Record.Head})
		}
		if item.Page != nil && item.Page.Body != nil {
			blobs = append(blobs, Blob{item.Page.BlobID, item.Page.Body})
		}
		blobs = fileBlobs(blobs, item.Files)
		var err error
		if blobs, err = versionBlob(blobs, item.Version); err != nil {
			return nil, err
		}
	}
	return ids, s.putBlobs(ctx, blobs)
}

// writeRecords writes the records of the items that were kept.
func (b *settlement) writeRecords(ctx context.Context, tx database.Tx, blobs map[int]string) error {
	var args []any
	for i, item := range b.items {
		r := item.Record
		if r == nil || b.errs[i] != nil {
			continue
		}
		head := []byte(r.Head)
		if blobs[i] != "" {
			head = nil
		}
		args = append(args, r.TeamID, r.ID, r.KeyID, r.Endpoint, r.Target,
			millis(r.CreatedAt), millis(r.ExpiresAt), blobs[i], head, r.Tail, r.Credits, (r.Duration + time.Millisecond - 1).Milliseconds(), string(r.Code), r.Replay)
	}
	return insertRecords.Run(ctx, tx, args)
}

// Document returns the JSON document of a record of the team, or of a page of one
// of its jobs. If the team has
// no such record, or it expired, the error has CodeNotFound.
func (s *Store) Document(ctx context.Context, teamID, id string) ([]byte, error) {
	var blobID string
	var head, tail []byte
	err := s.db.Read().QueryRow(ctx, "SELECT blob_id, head, tail FROM records WHERE team_id = $1 AND id = $2 AND expires_at > $3 AND (tail IS NOT NULL OR head IS NOT NULL OR blob_id <> '')",
		teamID, id, millis(s.now())).Scan(&blobID, &head, &tail)
	if noRows(err) {
		head, tail, blobID, err = s.jobDocument(ctx, teamID, id)
	}
	if err == nil && blobID != "" {
		head, err = s.blobs.Get(ctx, blobID)
	}
	if noRows(err) || trawl.ErrorCode(err) == trawl.CodeNotFound {
		return nil, trawl.Errorf(trawl.CodeNotFound, "Scrape not found")
	}
	if err == nil && len(head) > 0 {
		head, err = s.codec.Unpack(head)
	}
	if err != nil {
		return nil, fmt.Errorf("read document: %w", err)
	}
	return append(head, tail...), nil
}
