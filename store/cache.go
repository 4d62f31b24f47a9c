package store

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"time"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/store/database"
)

// CachedPage is a page in the cache of a team: one version of what was fetched
// under a key. Its bytes are the blob BlobID, or Body where it is yet to be
// stored.
type CachedPage struct {
	ID          string
	TeamID      string
	Key         string
	URL         string
	FinalURL    string
	ContentType string
	Language    string // that the server declared
	Proxy       string
	Status      int
	BlobID      string
	Size        int64
	FetchedAt   time.Time
	Body        []byte

	// The picture that was taken of it: all that its address is made of. Empty for
	// none. It may expire before the page leaves the cache.
	FileID        string
	FileType      string
	FileExpiresAt time.Time
}

var insertPages = database.NewInsert(
	"cached_pages (team_id, key_hash, fetched_at, id, url, final_url, content_type, language, proxy, status, blob_id, size, "+
		"file_id, file_type, file_expires_at)", "ON CONFLICT DO NOTHING")

// keyHash is what the database knows a key of a team by: keys have the length
// of an address, and an index of long entries is slow.
func keyHash(teamID, key string) string {
	sum := sha256.Sum256([]byte(teamID + "\n" + key))
	return base64.RawURLEncoding.EncodeToString(sum[:18])
}

// writePages puts the pages of the items that were kept into the cache.
func (b *settlement) writePages(ctx context.Context, tx database.Tx) error {
	var pages []*CachedPage
	for i, item := range b.items {
		if item.Page != nil && b.errs[i] == nil {
			pages = append(pages, item.Page)
		}
	}
	return cachePages(ctx, tx, pages)
}

// cachePages writes rows of the cache, whose blobs are stored already.
func cachePages(ctx context.Context, tx database.Tx, pages []*CachedPage) error {
	var args []any
	for _, p := range pages {
		args = append(args, p.TeamID, keyHash(p.TeamID, p.Key), millis(p.FetchedAt), p.ID, p.URL, p.FinalURL,
			p.ContentType, p.Language, p.Proxy, p.Status, p.BlobID, p.Size,
			p.FileID, p.FileType, millis(p.FileExpiresAt))
	}
	return insertPages.Run(ctx, tx, args)
}

// Cached returns the newest page of the team under any of the keys that was
// fetched within the given times, both included. If there is none, the error
// has CodeNotFound.
func (s *Store) Cached(ctx context.Context, teamID string, keys []string, from, to time.Time) (CachedPage, error) {
	if len(keys) == 0 {
		return CachedPage{}, errNotCached()
	}
	hashes := make([]string, len(keys))
	for i, key := range keys {
		hashes[i] = keyHash(teamID, key)
	}
	in, args := database.List(4, hashes)
	args = append([]any{teamID, millis(from), millis(to)}, args...)
	page := CachedPage{TeamID: teamID}
	var hash string
	var fetched, fileExpires int64
	err := s.db.Read().QueryRow(ctx, `SELECT key_hash, fetched_at, id, url, final_url, content_type, language, proxy, status, blob_id, size,
		file_id, file_type, file_expires_at
		FROM cached_pages WHERE team_id = $1 AND fetched_at >= $2 AND fetched_at <= $3 AND key_hash IN `+in+`
		ORDER BY fetched_at DESC, id DESC LIMIT 1`, args...).
		Scan(&hash, &fetched, &page.ID, &page.URL, &page.FinalURL, &page.ContentType, &page.Language, &page.Proxy, &page.Status, &page.BlobID, &page.Size,
			&page.FileID, &page.FileType, &fileExpires)
	if noRows(err) {
		return CachedPage{}, errNotCached()
	}
	if err != nil {
		return CachedPage{}, fmt.Errorf("read cache: %w", err)
	}
	page.FetchedAt, page.FileExpiresAt = moment(fetched), moment(fileExpires)
	for i := range keys {
		if hashes[i] == hash {
			page.Key = keys[i]
		}
	}
	return page, nil
}

func errNotCached() error { return trawl.Errorf(trawl.CodeNotFound, "Page not in the cache") }
