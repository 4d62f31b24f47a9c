package scrape_test

import (
	"context"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/scrape"
	"github.com/trawlhq/trawl/store"
)

// BenchmarkMarkdown measures what a plain scrape costs beside the network: of a
// page that is fetched, and of one that the cache has.
func BenchmarkMarkdown(b *testing.B) {
	html := "<title>A page</title><nav><a href=/>Home</a></nav><main>" +
		strings.Repeat("<h2>Heading</h2><p>Some words of a paragraph with a <a href=/x>link</a> and <b>more</b>.</p>", 200) + "</main>"
	for name, age := range map[string]int64{"fresh": 0, "cached": 3_600_000} {
		b.Run(name, func(b *testing.B) {
			kept := &depot{}
			s := scrape.New(scrape.Config{Fetch: serving("text/html", html), Store: kept, Blobs: kept, Now: time.Now})
			defer s.Close()
			if _, err := s.Scrape(b.Context(), request()); err != nil {
				b.Fatal(err)
			}
			b.ReportAllocs()
			for b.Loop() {
				result, err := s.Prepare(b.Context(), request(func(r *scrape.Request) { r.MaxAge = &age }))
				if err != nil {
					b.Fatal(err)
				}
				result.Release()
			}
		})
	}
}

// depot is a store that keeps the pages of the cache in memory, and counts what
// was charged.
type depot struct {
	mu       sync.Mutex
	pages    map[string]store.CachedPage
	charges  []trawl.Charge
	failures []store.Record
	records  int

	versions map[string]store.Version
}

func (s *depot) LastVersion(_ context.Context, team, url, tag string) (store.Version, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	version, ok := s.versions[team+"\n"+url+"\n"+tag]
	if !ok {
		return store.Version{}, trawl.Errorf(trawl.CodeNotFound, "none")
	}
	version.Markdown = string(version.Text)
	return version, nil
}

func (s *depot) Cached(_ context.Context, _ string, keys []string, from, _ time.Time) (store.CachedPage, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, key := range keys {
		if page, ok := s.pages[key]; ok && page.FetchedAt.After(from) {
			return page, nil
		}
	}
	return store.CachedPage{}, trawl.Errorf(trawl.CodeNotFound, "none")
}

func (s *depot) Pack(data []byte) (store.Packed, error) { return data, nil }

func (s *depot) Finish(_ context.Context, batch []store.Finished) ([]error, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, item := range batch {
		if item.Record != nil && item.Record.Code != "" {
			s.failures = append(s.failures, *item.Record)
			continue
		}
		s.charges = append(s.charges, item.Charge)
		if item.Record != nil {
			s.records++
		}
		if item.Page != nil {
			if s.pages == nil {
				s.pages = map[string]store.CachedPage{}
			}
			s.pages[item.Page.Key] = *item.Page
		}
		if v := item.Version; v != nil {
			if s.versions == nil {
				s.versions = map[string]store.Version{}
			}
			s.versions[v.TeamID+"\n"+v.URL+"\n"+v.Tag] = *v
		}
	}
	return make([]error, len(batch)), nil
}

// Get makes the depot the place of the bodies too.
func (s *depot) Get(_ context.Context, id string) ([]byte, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, page := range s.pages {
		if page.BlobID == id {
			return page.Body, nil
		}
	}
	return nil, trawl.Errorf(trawl.CodeNotFound, "none")
}
