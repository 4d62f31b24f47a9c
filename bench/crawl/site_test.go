package main

import (
	"bytes"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// What is compared must be the same work: every page is reachable, small in
// number of links and of the promised size.
func TestSection(t *testing.T) {
	t.Parallel()
	s := section{"test", 2000}
	seen, depth := map[int]bool{0: true}, 0
	for level := []int{0}; len(level) > 0; depth++ {
		var next []int
		for _, page := range level {
			for _, link := range s.links(page) {
				if !seen[link] {
					seen[link] = true
					next = append(next, link)
				}
			}
		}
		level = next
	}
	if len(seen) != s.size || depth > 6 {
		t.Errorf("%d of %d pages reachable, %d deep", len(seen), s.size, depth)
	}
	for _, page := range []int{0, 7, 1999} {
		var b bytes.Buffer
		s.write(&b, page)
		if links := strings.Count(b.String(), "<a "); links != 15 {
			t.Errorf("page %d has %d links, want 15", page, links)
		}
		if off := b.Len() - pageSize; off < -500 || off > 500 {
			t.Errorf("page %d has %d bytes, want about %d", page, b.Len(), pageSize)
		}
	}
}

func TestSiteHandler(t *testing.T) {
	t.Parallel()
	for path, want := range map[string]int{
		"/a-5/": 200, "/a-5/page/4": 200, "/slow/7": 200, // pages
		"/a-5": 404, "/a-5/page/0": 404, "/a-5/page/5": 404, "/a-5/page/04": 404, // other names of pages
		"/": 404, "/robots.txt": 404, "/sitemap.xml": 404, "/a-5/other": 404,
	} {
		w := httptest.NewRecorder()
		siteHandler(w, httptest.NewRequest(http.MethodGet, path, nil))
		if w.Code != want {
			t.Errorf("%s answered %d, want %d", path, w.Code, want)
		}
	}
}

func TestCollyVisitsEveryPageOnce(t *testing.T) {
	t.Parallel()
	site := httptest.NewServer(http.HandlerFunc(siteHandler))
	defer site.Close()
	pages, err := crawlWithColly(site.URL+section{"colly", 500}.path(0), 20)
	if err != nil || pages != 500 {
		t.Errorf("%d of 500 pages, error %v", pages, err)
	}
}
