package scrape

import (
	"net/url"
	"time"
)

// What is remembered about sites, and when it counts.
const (
	siteBytes   = 2 << 20
	siteMemory  = time.Hour        // after that a site is a new one
	stubbornFor = 10 * time.Minute // a site that turned the enhanced way away as well
	shellsFirst = 2                // pages in a row that needed a browser, before the plain request is left out
	barrenFirst = 3                // pages in a row that a browser could not complete, before it is left out
	lookAgain   = 16               // every so many pages, what was learned is put to the test
)

// site is what was learned about a host from its pages.
type site struct {
	since    time.Time
	asked    int
	shells   int       // pages in a row that needed a browser
	barren   int       // pages in a row that a browser could not complete
	stubborn time.Time // when the enhanced way failed last
}

// sites remembers how the pages of sites have to be fetched, so that a crawl finds
// out once and not for each page.
type sites struct {
	known *memo[site]
	now   func() time.Time
}

func newSites(now func() time.Time) *sites { return &sites{known: newMemo[site](siteBytes), now: now} }

func siteOf(target string) string {
	u, err := url.Parse(target)
	if err != nil {
		return ""
	}
	return u.Host
}

func (s *sites) get(target string) (string, site) {
	host := siteOf(target)
	known, ok := s.known.get(host)
	if now := s.now(); !ok || now.Sub(known.since) > siteMemory {
		known = site{since: now}
	}
	return host, known
}

func (s *sites) put(host string, known site) { s.known.put(host, known, 128+len(host)) }

// rendersFirst reports whether the pages of a site are worth no plain request.
func (s *sites) rendersFirst(target string) bool {
	host, known := s.get(target)
	if known.shells < shellsFirst {
		return false
	}
	known.asked++
	s.put(host, known)
	return known.asked%lookAgain != 0
}

// plain takes down that a page came complete by a plain request.
func (s *sites) plain(target string) {
	host, known := s.get(target)
	if known.shells == 0 { // as with most sites, there is nothing to forget
		return
	}
	known.shells = 0
	s.put(host, known)
}

// rendered takes down that a page needed a browser, and whether that completed it.
func (s *sites) rendered(target string, complete bool) {
	host, known := s.get(target)
	if complete {
		known.shells, known.barren = known.shells+1, 0
	} else {
		known.shells, known.barren = 0, known.barren+1
	}
	s.put(host, known)
}

// isBarren reports whether a browser is of no use for a site.
func (s *sites) isBarren(target string) bool {
	host, known := s.get(target)
	if known.barren < barrenFirst {
		return false
	}
	known.asked++
	s.put(host, known)
	return known.asked%lookAgain != 0
}

// stubborn takes down that a site turned the enhanced way away too.
func (s *sites) stubborn(target string) {
	host, known := s.get(target)
	known.stubborn = s.now()
	s.put(host, known)
}

func (s *sites) isStubborn(target string) bool {
	_, known := s.get(target)
	return !known.stubborn.IsZero() && s.now().Sub(known.stubborn) < stubbornFor
}
