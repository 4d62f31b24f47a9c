package job_test

import (
	"slices"
	"testing"

	"github.com/trawlhq/trawl"
)

func TestCrawl(t *testing.T) {
	t.Parallel()
	s := start(t)
	s.site.page("/", "/a", "/b", "/a#part", "http://other.example/x")
	s.site.page("/a", "/b/", "/c", "/")
	s.site.page("/b", "/missing")
	s.site.page("/c", "/a")
	j := s.crawl("/")
	paths := s.paths(j)
	slices.Sort(paths)
	if want := []string{"/", "/a", "/b", "/c", "/missing"}; !slices.Equal(paths, want) || j.State != trawl.StateCompleted {
		t.Errorf("%+v: %q", j, paths)
	}
	t.Log(s.fates(j))
}
