package job_test

import (
	"context"
	"errors"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/job"
	"github.com/trawlhq/trawl/scrape"
)

// flaky fails within, as if the database were away for a moment; for one page it
// does so for good.
type flaky struct {
	job.Scraper
	calls atomic.Int64
}

func (f *flaky) Prepare(ctx context.Context, req scrape.Request) (*scrape.Result, error) {
	if strings.HasSuffix(req.URL, "/bad") || f.calls.Add(1) == 1 {
		return nil, errors.New("no connection")
	}
	return f.Scraper.Prepare(ctx, req)
}

// What fails within the service is not held against a page at once, nor does it
// keep a job from ending.
func TestFailuresWithin(t *testing.T) {
	t.Parallel()
	s := start(t, func(c *job.Config) { c.Scraper = &flaky{Scraper: c.Scraper} })
	s.site.page("/", "/a", "/bad")
	s.site.page("/a")
	s.site.page("/bad")
	j := s.crawl("/")
	if j.State != trawl.StateCompleted || j.Completed != 2 || j.Failed != 1 || j.Credits != 2 {
		t.Errorf("%s with %d pages, %d failed, %d credits", j.State, j.Completed, j.Failed, j.Credits)
	}
	failed, _, err := s.Errors(t.Context(), j.ID)
	if err != nil || len(failed) != 1 || failed[0].Code != trawl.CodeUnknown || strings.Contains(failed[0].Text, "connection") {
		t.Errorf("%+v, %v", failed, err)
	}
}
