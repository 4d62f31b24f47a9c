package source

import (
	"context"
	"errors"
	"fmt"
	"mime"
	"strings"
	"time"

	"github.com/google/uuid"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/fetch"
	"github.com/trawlhq/trawl/store"
)

// ErrGone says that a cached page lost its body: it was evicted meanwhile.
var ErrGone = errors.New("body of cached page is gone")

// Hit is a page in the cache. Its body is still to be loaded.
type Hit struct {
	Head
	Version string // of the page

	key, blob string
	size      int64
}

// Find looks the page up in the team's cache. It returns nil when the cache has
// nothing for the request, or may not serve it.
func (s *Source) Find(ctx context.Context, req *Request) (*Hit, error) {
	if !req.Use.Read {
		return nil, nil
	}
	if hit := s.Recent(req); hit != nil {
		return hit, nil
	}
	now := s.Now()
	row, err := s.Cache.Cached(ctx, req.TeamID, req.keys(), now.Add(-req.Use.Oldest), now.Add(-req.Use.Youngest))
	if trawl.ErrorCode(err) == trawl.CodeNotFound {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("look up cache: %w", err)
	}
	if !s.serves(&row, req) {
		return nil, nil
	}
	if !req.Use.Only { // which may have found an old version on purpose
		s.Remember(row)
	}
	return newHit(&row, req.URL), nil
}

// Recent returns a page whose row was found or written lately, if it serves the
// request. That another node may have stored a newer one meanwhile does not matter:
// the request takes any page that is young enough. Cache-only requests, which may
// ask for a certain age, always look.
func (s *Source) Recent(req *Request) *Hit {
	if req.Use.Only {
		return nil
	}
	from := s.Now().Add(-req.Use.Oldest)
	for _, key := range req.keys() {
		if row, ok := s.rows.Get(req.TeamID + key); ok && !row.FetchedAt.Before(from) && s.serves(&row, req) {
			return newHit(&row, req.URL)
		}
	}
	return nil
}

// Remember keeps the row of a cached page in memory.
func (s *Source) Remember(row store.CachedPage) {
	row.Body = nil
	s.rows.Put(row.TeamID+row.Key, row, 512+len(row.Key)+len(row.URL)+len(row.FinalURL))
}

// Load loads the body of a cached page. It is ErrGone if there is none any more.
func (s *Source) Load(ctx context.Context, req *Request, hit *Hit) (*Page, error) {
	p := Page{Head: hit.Head}
	if hit.size > fetch.LargeBytes {
		var err error
		if p.release, err = s.Room(ctx); err != nil {
			return nil, err
		}
	}
	var err error
	if p.Body, err = s.Blobs.Get(ctx, hit.blob); err == nil {
		return newPage(p), nil
	}
	p.Release()
	if trawl.ErrorCode(err) == trawl.CodeNotFound {
		s.rows.Drop(req.TeamID + hit.key)
		return nil, ErrGone
	}
	return nil, fmt.Errorf("load cached page: %w", err)
}

// Row returns the row of a fresh page in the cache, with its body. It is nil if the
// page is not one for the cache.
func (s *Source) Row(req *Request, p *Page) *store.CachedPage {
	if s.Cache == nil || !req.Use.Write || p.FromCache || !p.Shareable || p.Challenged() || !p.OK() {
		return nil
	}
	id := uuid.Must(uuid.NewV7()).String()
	row := &store.CachedPage{
		ID: id, TeamID: req.TeamID, Key: req.key(p.Proxy),
		URL: p.Target, FinalURL: withoutFragment(p.URL, p.Target), ContentType: p.ContentType,
		Language: p.Language, Proxy: p.Proxy,
		Status: p.Status, BlobID: id, Size: int64(len(p.Body)), FetchedAt: p.FetchedAt, Body: p.Body,
	}
	if file := p.Screenshot; file != nil {
		row.FileID, row.FileType, row.FileExpiresAt = file.ID, file.ContentType, file.ExpiresAt
	}
	return row
}

// fileLeft is how long a cached screenshot must still be there to be handed out.
const fileLeft = time.Minute

// serves reports whether a cached page has what a request wants. Screenshots do not
// live as long as pages; and the bytes as they came may have been through a browser,
// if there is one, unless they are of a file.
func (s *Source) serves(row *store.CachedPage, req *Request) bool {
	if req.RawBytes && s.Browser != nil && !req.Use.Only {
		label, _, _ := mime.ParseMediaType(row.ContentType)
		return !textual(label)
	}
	return req.Screenshot == nil || row.FileExpiresAt.Sub(s.Now()) > fileLeft
}

func newHit(row *store.CachedPage, target string) *Hit {
	h := &Hit{
		Version: row.ID, blob: row.BlobID, key: row.Key, size: row.Size,
		Head: Head{
			Target: target, URL: withFragment(row.FinalURL, target), Status: row.Status, ContentType: row.ContentType,
			Language: row.Language, Proxy: row.Proxy, FetchedAt: row.FetchedAt, FromCache: true,
		},
	}
	if row.FileID != "" {
		h.Screenshot = &trawl.File{ID: row.FileID, TeamID: row.TeamID, ContentType: row.FileType, ExpiresAt: row.FileExpiresAt}
	}
	return h
}

// withFragment gives an address the fragment of another, unless it has its own.
func withFragment(address, other string) string {
	if _, fragment, found := strings.Cut(other, "#"); found && !strings.Contains(address, "#") {
		return address + "#" + fragment
	}
	return address
}

// withoutFragment takes from an address the fragment that it has from another.
func withoutFragment(address, other string) string {
	if _, fragment, found := strings.Cut(other, "#"); found {
		return strings.TrimSuffix(address, "#"+fragment)
	}
	return address
}
