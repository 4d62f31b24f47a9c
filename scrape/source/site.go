package source

import (
	"net/url"
	"time"

	"github.com/trawlhq/trawl/internal/lru"
)

// What is remembered about sites, and when it counts.
const (
	siteBytes      = 2 << 20
	siteMemory     = time.Hour        // after that a site is a new one
	blockedFor     = 10 * time.Minute // a site that blocked the enhanced way as well
	scriptedFrom   = 2                // pages in a row that needed a browser, before the plain request is left out
	unrenderedFrom = 3                // pages in a row that a browser could not complete, before it is left out
	lookAgain      = 16               // every so many pages, what was learned is put to the test
)

// site is what was learned about a host from its pages.
type site struct {
	since      time.Time
	requests   int
	scripted   int       // pages in a row that needed a browser
	unrendered int       // pages in a row that a browser could not complete
	blocked    time.Time // when the enhanced way failed last
}

// sites remembers how the pages of sites have to be fetched, so that a crawl finds
// out once and not for each page.
type sites struct {
	known *lru.Cache[site]
	now   func() time.Time
}

func newSites(now func() time.Time) *sites {
	return &sites{known: lru.New[site](siteBytes), now: now}
}

func siteOf(target string) string {
	u, err := url.Parse(target)
	if err != nil {
		return ""
	}
	return u.Host
}

func (s *sites) get(target string) (string, site) {
	host := siteOf(target)
	known, ok := s.known.Get(host)
	if now := s.now(); !ok || now.Sub(known.since) > siteMemory {
		known = site{since: now}
	}
	return host, known
}

func (s *sites) put(host string, known site) { s.known.Put(host, known, 128+len(host)) }

// rendersFirst reports whether the pages of a site are worth no plain request.
func (s *sites) rendersFirst(target string) bool {
	host, known := s.get(target)
	if known.scripted < scriptedFrom {
		return false
	}
	known.requests++
	s.put(host, known)
	return known.requests%lookAgain != 0
}

// plain notes that a page came complete by a plain request.
func (s *sites) plain(target string) {
	host, known := s.get(target)
	if known.scripted == 0 { // as with most sites, there is nothing to forget
		return
	}
	known.scripted = 0
	s.put(host, known)
}

// rendered notes that a page needed a browser, and whether that completed it.
func (s *sites) rendered(target string, complete bool) {
	host, known := s.get(target)
	if complete {
		known.scripted, known.unrendered = known.scripted+1, 0
	} else {
		known.scripted, known.unrendered = 0, known.unrendered+1
	}
	s.put(host, known)
}

// neverRenders reports whether a browser is of no use for a site.
func (s *sites) neverRenders(target string) bool {
	host, known := s.get(target)
	if known.unrendered < unrenderedFrom {
		return false
	}
	known.requests++
	s.put(host, known)
	return known.requests%lookAgain != 0
}

// blocked notes that a site blocked the enhanced way too.
func (s *sites) blocked(target string) {
	host, known := s.get(target)
	known.blocked = s.now()
	s.put(host, known)
}

func (s *sites) isBlocked(target string) bool {
	_, known := s.get(target)
	return !known.blocked.IsZero() && s.now().Sub(known.blocked) < blockedFor
}
