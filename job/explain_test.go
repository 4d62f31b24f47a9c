package job_test

import (
	"maps"
	"slices"
	"testing"

	"github.com/trawlhq/trawl"
)

func TestExplain(t *testing.T) {
	t.Parallel()
	s := start(t)
	s.site.page("/", "/a", "/a/", "/again", "/circle", "/forbidden", "/b", "/c", "/d", "/e", "/f", "/excluded", "/picture.png",
		"http://other.example/", "/", "/#top")
	s.site.page("/a", "/", "/b")
	for _, path := range []string{"/b", "/c", "/d", "/e", "/f"} {
		s.site.page(path)
	}
	s.site.redirect("/again", "/a")
	s.site.redirect("/circle", "/circle")
	s.site.text("/robots.txt", "text/plain", "User-agent: *\nDisallow: /forbidden\n")
	j := s.crawl("/", func(r *trawl.CrawlRequest) { r.Limit, r.ExcludePaths = 6, []string{"^/excl"} })
	fates := s.fates(j)
	code, _ := s.failures(j)
	want := map[string]string{
		"/": "scraped", "/a": "scraped", "/a/": "duplicate /a", "/again": "duplicate /a", "/circle": "failed " + string(code["/circle"]),
		"/forbidden": "robots", "/b": "scraped", "/c": "scraped", "/d": "scraped", "/e": "limit", "/f": "limit",
		"/excluded": "filtered excludePaths: ^/excl", "/picture.png": "filtered file type", "other.example/": "filtered external",
	}
	if !maps.Equal(fates, want) {
		t.Errorf("got  %v\nwant %v", fates, want)
	}
	counts := map[string]int{}
	_, _, given, err := s.Explain(t.Context(), j.ID, "", "", 100)
	if err != nil {
		t.Fatal(err)
	}
	for fate := range given {
		var list []string
		for cursor := ""; ; {
			page, next, again, err := s.Explain(t.Context(), j.ID, fate, cursor, 1)
			if err != nil || !maps.Equal(again, given) {
				t.Fatal(err, again)
			}
			for _, v := range page {
				if v.Fate != fate {
					t.Errorf("%+v among %s", v, fate)
				}
				list = append(list, v.URL)
			}
			if cursor = next; cursor == "" {
				break
			}
		}
		slices.Sort(list)
		counts[fate] = len(slices.Compact(list))
	}
	if !maps.Equal(counts, given) || given["scraped"] != j.Completed || given["failed"] != j.Failed || given["robots"] != j.RobotsBlocked {
		t.Errorf("counted %v, told %v, %+v", counts, given, j)
	}
	_, _, _, err = s.Explain(t.Context(), j.ID, "", "xyz", 10)
	wantCode(t, err, trawl.CodeBadRequest)
}

// TestExplainWhileRunning reads the list while the crawl writes it: what was
// listed is not listed again, and nothing that was there is left out.
func TestExplainWhileRunning(t *testing.T) {
	t.Parallel()
	s, g := start(t), newGate()
	s.site.page("/", append(numbered("/p", 10), "http://other.example/x")...)
	s.site.gated(g, numbered("/p", 10)...)
	id := s.ordered(s.Crawl(t.Context(), s.order, s.crawlRequest("/", func(r *trawl.CrawlRequest) { r.MaxConcurrency = 2 }))).ID
	receive(t, g.entered)
	receive(t, g.entered)
	_, _, counts, err := s.Explain(t.Context(), id, "", "", 1)
	if err != nil || counts[trawl.FateRunning] != 2 || counts[trawl.FateQueued] != 8 || counts[trawl.FateScraped] != 1 || counts[trawl.FateFiltered] != 1 {
		t.Errorf("%v, %v", counts, err)
	}
	seen := map[string]int{}
	list, cursor, _, err := s.Explain(t.Context(), id, "", "", 4)
	g.open()
	s.finished(trawl.KindCrawl, id)
	for {
		if err != nil {
			t.Fatal(err)
		}
		for _, v := range list {
			seen[v.URL]++
		}
		if cursor == "" {
			break
		}
		list, cursor, _, err = s.Explain(t.Context(), id, "", cursor, 4)
	}
	if len(seen) != 12 || slices.Max(slices.Collect(maps.Values(seen))) != 1 {
		t.Errorf("%v", seen)
	}
}

// TestPaging reads documents while the crawl writes them.
func TestPaging(t *testing.T) {
	t.Parallel()
	s, g := start(t), newGate()
	s.site.page("/", append(numbered("/p", 10), numbered("/q", 10)...)...)
	for _, path := range numbered("/p", 10) {
		s.site.page(path)
	}
	s.site.gated(g, numbered("/q", 10)...)
	id := s.ordered(s.Crawl(t.Context(), s.order, s.crawlRequest("/"))).ID
	var j trawl.Job
	for j = s.get(trawl.KindCrawl, id); j.Completed < 11; {
		var err error
		if j, err = s.Wait(t.Context(), j); err != nil {
			t.Fatal(err)
		}
	}
	before := s.documents(j)
	g.open()
	after := s.documents(s.finished(trawl.KindCrawl, id))
	if len(before) != 11 || len(after) != 21 || !slices.Equal(before, after[:11]) {
		t.Errorf("%d and %d documents", len(before), len(after))
	}
	some, err := s.Documents(t.Context(), &j, "", 5, 3)
	if err != nil || len(some) != 3 {
		t.Fatal(len(some), err)
	}
	if beyond, err := s.Documents(t.Context(), &j, "", 21, 3); err != nil || len(beyond) != 0 {
		t.Error(len(beyond), err)
	}
}
