package store

import (
	"context"
	"fmt"
	"slices"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/blob/codec"
	"github.com/trawlhq/trawl/store/database"
)

// chunkSize is the size of the pieces in which a blob is stored.
const chunkSize = 1 << 20

// Blobs is a [BlobStore] in the database: compressed and cut into chunks, on
// SQLite in a file of its own.
type Blobs struct {
	db    database.DB
	codec *codec.Codec
	now   func() time.Time
}

var insertBlob = database.NewInsert("blobs (id, chunk, created_at, data)",
	"ON CONFLICT (id, chunk) DO UPDATE SET created_at = excluded.created_at, data = excluded.data")

// Blob is a value and the id it is stored under.
type Blob struct {
	ID   string
	Data []byte
}

// mostAtOnce bounds what is stored at once, and so the memory that it takes packed.
const mostAtOnce = 32 << 20

// putBlobs stores several values: many at once where the blob store can, else some
// at a time.
func (s *Store) putBlobs(ctx context.Context, blobs []Blob) error {
	if bulk, ok := s.blobs.(interface {
		PutAll(ctx context.Context, blobs []Blob) error
	}); ok {
		for len(blobs) > 0 {
			n, size := 1, len(blobs[0].Data)
			for n < len(blobs) && size+len(blobs[n].Data) <= mostAtOnce {
				size += len(blobs[n].Data)
				n++
			}
			if err := bulk.PutAll(ctx, blobs[:n]); err != nil {
				return err
			}
			blobs = blobs[n:]
		}
		return nil
	}
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(16)
	for _, blob := range blobs {
		group.Go(func() error { return s.blobs.Put(ctx, blob.ID, blob.Data) })
	}
	return group.Wait()
}

// Put stores data under id, in place of what was there.
func (b *Blobs) Put(ctx context.Context, id string, data []byte) error {
	return b.PutAll(ctx, []Blob{{id, data}})
}

// PutAll stores several values in one transaction, each in place of what was there.
func (b *Blobs) PutAll(ctx context.Context, blobs []Blob) error {
	var args []any
	counts := make([]int64, len(blobs))
	now := millis(b.now())
	for i, blob := range blobs {
		packed, err := b.codec.Pack(blob.Data)
		if err != nil {
			return fmt.Errorf("put blobs: %w", err)
		}
		for chunk := range slices.Chunk(packed, chunkSize) {
			args = append(args, blob.ID, counts[i], now, chunk)
			counts[i]++
		}
	}
	err := b.db.Tx(ctx, func(tx database.Tx) error {
		if err := insertBlob.Run(ctx, tx, args); err != nil {
			return err
		}
		for i, blob := range blobs {
			if _, err := tx.Exec(ctx, "DELETE FROM blobs WHERE id = $1 AND chunk >= $2", blob.ID, counts[i]); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("put blobs: %w", err)
	}
	return nil
}

// Get returns what is stored under id; if nothing is, the error has CodeNotFound.
func (b *Blobs) Get(ctx context.Context, id string) ([]byte, error) {
	var packed []byte
	err := b.db.Read().Query(ctx, func(r database.Row) error {
		var chunk []byte
		err := r.Scan(&chunk)
		if packed == nil {
			packed = chunk
		} else {
			packed = append(packed, chunk...)
		}
		return err
	}, "SELECT data FROM blobs WHERE id = $1 ORDER BY chunk", id)
	if err != nil {
		return nil, fmt.Errorf("get blob: %w", err)
	}
	if packed == nil {
		return nil, trawl.Errorf(trawl.CodeNotFound, "Blob not found")
	}
	data, err := b.codec.Unpack(packed)
	if err != nil {
		return nil, fmt.Errorf("get blob: %w", err)
	}
	return data, nil
}

// Delete removes blobs; an id that is not there is no error.
func (b *Blobs) Delete(ctx context.Context, ids ...string) error {
	for some := range slices.Chunk(ids, portion) {
		err := b.db.Tx(ctx, func(tx database.Tx) error {
			in, args := database.List(1, some)
			_, err := tx.Exec(ctx, "DELETE FROM blobs WHERE id IN "+in, args...)
			return err
		})
		if err != nil {
			return fmt.Errorf("delete blobs: %w", err)
		}
	}
	return nil
}

// List passes the ids of all blobs stored at or after from and before to, in
// portions, oldest first.
func (b *Blobs) List(ctx context.Context, from, to time.Time, visit func(ids []string) error) error {
	created, last := millis(from), ""
	for {
		var ids []string
		err := b.db.Read().Query(ctx, func(r database.Row) error {
			err := r.Scan(&created, &last)
			ids = append(ids, last)
			return err
		}, `SELECT created_at, id FROM blobs WHERE chunk = 0 AND (created_at, id) > ($1, $2) AND created_at < $3
			ORDER BY created_at, id LIMIT $4`, created, last, millis(to), portion)
		if err != nil {
			return fmt.Errorf("list blobs: %w", err)
		}
		if len(ids) == 0 {
			return nil
		}
		if err := visit(ids); err != nil {
			return err
		}
	}
}
