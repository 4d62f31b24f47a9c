// Package source gets pages: from the cache, by a plain request, in a browser, by
// the enhanced way, or from an upload. It knows how a page is got and nothing of
// what is made of it.
//
// A [Request] says which ways are open. [Source.Find] looks in the cache,
// [Source.Fetch] goes to the network; what it brings is a [Page], which does not
// change any more.
package source

import (
	"context"
	"time"

	"github.com/trawlhq/trawl/browser"
	"github.com/trawlhq/trawl/fetch"
	"github.com/trawlhq/trawl/internal/lru"
	"github.com/trawlhq/trawl/profile"
	"github.com/trawlhq/trawl/store"
)

// Fetcher gets pages from the network.
type Fetcher interface {
	Fetch(ctx context.Context, req fetch.Request) (*fetch.Response, error)
	HasEnhanced(country string) bool
}

// Browser renders pages. Its errors are *trawl.Error, or browser.ErrNotPage.
type Browser interface {
	Render(ctx context.Context, req browser.Request) (*browser.Result, error)
}

// Cache finds pages that were stored. Its error has CodeNotFound if there is none.
type Cache interface {
	Cached(ctx context.Context, teamID string, keys []string, from, to time.Time) (store.CachedPage, error)
}

// Blobs keep the bodies of cached pages, which the store puts there.
type Blobs interface {
	Get(ctx context.Context, id string) ([]byte, error)
}

// Config is what a Source works with.
type Config struct {
	Client    Fetcher
	Browser   Browser // nil where there is none
	Cache     Cache   // likewise
	Blobs     Blobs
	Profiles  profile.Store // nil where none are kept
	Node      string        // who locks profiles: they are freed when it is gone
	Retention time.Duration // how long screenshots are kept
	Now       func() time.Time
}

// Source gets pages. It is safe for concurrent use.
type Source struct {
	Config
	*Memory
	rows    *lru.Cache[store.CachedPage] // rows of the cache that were found lately
	flights flights
	savers  queues // pages that save to the same profile
	sites   *sites // what was learned about them
}

// rowBytes is how much is kept in memory of the rows of the cache.
const rowBytes = 8 << 20

// New returns a Source.
func New(config Config) *Source {
	return &Source{Config: config, Memory: newMemory(), rows: lru.New[store.CachedPage](rowBytes), sites: newSites(config.Now)}
}

// HasEnhanced reports whether there is an enhanced way for a country: the real
// browser, or a proxy of that kind.
func (s *Source) HasEnhanced(country string) bool {
	return s.Browser != nil || s.hasEnhancedProxy(country)
}

func (s *Source) hasEnhancedProxy(country string) bool {
	return s.Client != nil && s.Client.HasEnhanced(country)
}
