package scrape

import (
	"context"
	"fmt"
	"mime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/store"
)

// cached looks the page up in the team's cache. It returns nil when the cache
// has nothing for the request, or when the request rules the cache out.
func (s *Scraper) cached(ctx context.Context, req *Request, target string) (*page, error) {
	if !s.eligible(req) {
		return nil, nil
	}
	if page := s.remembered(req, target); page != nil {
		return page, nil
	}
	youngest, oldest := req.CacheWindow()
	now := s.Now()
	row, err := s.Store.Cached(ctx, req.Caller.Team.ID, s.cacheKeys(req, target), now.Add(-oldest), now.Add(-youngest))
	if trawl.ErrorCode(err) == trawl.CodeNotFound {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("look up cache: %w", err)
	}
	if !s.fits(req, &row) {
		return nil, nil
	}
	if !req.CacheOnly() { // which may have found an old version on purpose
		s.remember(row)
	}
	return cachedPage(&row, target), nil
}

// remembered returns a page whose row was found or written lately, if it serves
// the request. That another node may have stored a newer one meanwhile does not
// matter: the request asks for any page that is young enough. Cache-only
// requests, which may ask for a certain age, always look.
func (s *Scraper) remembered(req *Request, target string) *page {
	if req.CacheOnly() {
		return nil
	}
	_, oldest := req.CacheWindow()
	from := s.Now().Add(-oldest)
	for _, key := range s.cacheKeys(req, target) {
		if row, ok := s.rows.get(req.Caller.Team.ID + key); ok && !row.FetchedAt.Before(from) && s.fits(req, &row) {
			return cachedPage(&row, target)
		}
	}
	return nil
}

func (s *Scraper) remember(row store.CachedPage) {
	row.Body = nil
	s.rows.put(row.TeamID+row.Key, row, 512+len(row.Key)+len(row.URL)+len(row.FinalURL))
}

// fits reports whether a cached page has what a request wants. Pictures do not live
// as long as pages; and the bytes as they came may have been through a browser, if
// there is one, unless they are of a file.
func (s *Scraper) fits(req *Request, row *store.CachedPage) bool {
	if req.Wants(trawl.FormatRawBase64) && s.Browser != nil && !req.CacheOnly() {
		label, _, _ := mime.ParseMediaType(row.ContentType)
		return !textual(label)
	}
	return !req.Wants(trawl.FormatScreenshot) || row.FileExpiresAt.Sub(s.Now()) > pictureLeft
}

// pictureLeft is how long a cached picture must still be there to be handed out.
const pictureLeft = time.Minute

// cachedPage is the page of a row, for a request of the given address. Its body
// is still to be read.
func cachedPage(row *store.CachedPage, target string) *page {
	p := &page{
		version: row.ID, blob: row.BlobID, key: row.Key, target: target, finalURL: withFragment(row.FinalURL, target), status: row.Status,
		contentType: row.ContentType, language: row.Language, proxy: row.Proxy, cacheState: trawl.CacheHit, fetchedAt: row.FetchedAt, size: row.Size,
	}
	if row.FileID != "" {
		p.picture = &trawl.File{ID: row.FileID, TeamID: row.TeamID, ContentType: row.FileType, ExpiresAt: row.FileExpiresAt}
	}
	return p
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

// eligible reports whether the cache has a say in the request.
func (s *Scraper) eligible(req *Request) bool {
	_, oldest := req.CacheWindow()
	return s.Store != nil && req.Cacheable() && oldest > 0
}

// missed is the answer to a cache-only request that the cache cannot serve.
func missed(req *Request) error {
	if req.Lockdown {
		return trawl.Errorf(trawl.CodeLockdownMiss, "The page is not in the cache, and lockdown forbids fetching it.")
	}
	return trawl.Errorf(trawl.CodeNoCachedData, "No cached data is available that satisfies minAge.")
}

// cacheKeys returns the keys under which a page may serve the request: auto
// takes what either kind of proxy brought.
func (s *Scraper) cacheKeys(req *Request, target string) []string {
	base := cacheKey(req, target, "")
	switch {
	case req.UsesEnhanced() && s.strong(req):
		return []string{base + trawl.ProxyStealth}
	case req.Proxy == trawl.ProxyAuto:
		return []string{base + trawl.ProxyBasic, base + trawl.ProxyStealth}
	default:
		return []string{base + trawl.ProxyBasic}
	}
}

// cacheKey spells out everything that decides what the network answers: the
// address and how the request presents itself. What is made of the answer is
// not part of it, since every format is derived from the stored page.
func cacheKey(req *Request, target, proxy string) string {
	b := make([]byte, 0, 256)
	for _, flag := range []bool{req.Mobile, req.SkipTLS(), req.BlockAds} {
		b = strconv.AppendBool(b, flag)
	}
	b = strconv.AppendInt(b, req.WaitFor, 10)
	if shot, ok := req.Format(trawl.FormatScreenshot); ok {
		b = fmt.Appendf(b, "\nscreenshot %t %d", shot.FullPage, shot.Quality)
		if shot.Viewport != nil {
			b = fmt.Appendf(b, " %dx%d", shot.Viewport.Width, shot.Viewport.Height)
		}
	}
	for _, text := range slices.Concat(req.Languages(), []string{req.Country(), trawl.PageIdentity(target), proxy}) {
		b = append(append(b, '\n'), text...)
	}
	return string(b)
}

// flights lets requests for one page that meet in time share a single fetch.
type flights struct {
	mu      sync.Mutex
	landing map[string]chan struct{}
}

// board waits for a fetch under the key that is under way. If there is none, the
// caller is the one to fetch. Either way it looks first what has been remembered
// meanwhile, and calls land when the page can be found, or will not be.
func (f *flights) board(ctx context.Context, key string) (land func()) {
	f.mu.Lock()
	if done, ok := f.landing[key]; ok {
		f.mu.Unlock()
		select {
		case <-done:
		case <-ctx.Done():
		}
		return func() {}
	}
	defer f.mu.Unlock()
	if f.landing == nil {
		f.landing = map[string]chan struct{}{}
	}
	done := make(chan struct{})
	f.landing[key] = done
	return func() {
		f.mu.Lock()
		defer f.mu.Unlock()
		delete(f.landing, key)
		close(done)
	}
}
