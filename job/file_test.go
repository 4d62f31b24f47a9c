package job_test

import (
	"context"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/job"
	"github.com/trawlhq/trawl/scrape"
)

// painter adds a picture to every page, as a browser does, and notes what
// addresses are to begin with.
type painter struct {
	job.Scraper
	mu    sync.Mutex
	bases []string
	files map[string]trawl.File // by the address of the page
}

func (p *painter) Prepare(ctx context.Context, req scrape.Request) (*scrape.Result, error) {
	result, err := p.Scraper.Prepare(ctx, req)
	if err != nil {
		return nil, err
	}
	f := trawl.File{
		ID: uuid.NewString(), TeamID: req.Caller.Team.ID, ContentType: trawl.TypePNG, Data: []byte(req.URL), ExpiresAt: time.Now().Add(time.Hour),
	}
	result.Files = append(result.Files, f)
	p.mu.Lock()
	defer p.mu.Unlock()
	p.bases = append(p.bases, req.Base)
	p.files[req.URL] = f
	return result, nil
}

// Files are stored with the documents that have their addresses, and only there.
func TestFilesOfPages(t *testing.T) {
	t.Parallel()
	p := &painter{files: map[string]trawl.File{}}
	s := start(t, func(c *job.Config) { p.Scraper, c.Scraper = c.Scraper, p })
	s.order.PublicURL = "https://trawl.example"
	s.site.page("/", "/a", "/same", "/gone")
	s.site.page("/a")
	s.site.redirect("/same", "/a")
	s.site.redirect("/gone", "/gone")
	j := s.crawl("/")
	s.expect(j, trawl.StateCompleted, "/", "/a")
	if len(p.files) != 3 {
		t.Errorf("%d pictures were taken, want 3", len(p.files))
	}
	kept := 0
	for address, f := range p.files {
		switch stored, err := s.store.File(t.Context(), f.ID); {
		case err == nil && string(stored.Data) == address && stored.TeamID == j.TeamID:
			kept++
		case trawl.ErrorCode(err) != trawl.CodeNotFound:
			t.Errorf("picture of %s: %q, %v", address, stored.Data, err)
		}
	}
	if kept != 2 {
		t.Errorf("%d pictures are kept for 2 documents", kept)
	}
	if slices.ContainsFunc(p.bases, func(base string) bool { return base != "https://trawl.example" }) {
		t.Errorf("addresses begin with %q", p.bases)
	}
}

// A job of the command line has no server that its addresses could begin with.
func TestPublicURL(t *testing.T) {
	t.Parallel()
	p := &painter{files: map[string]trawl.File{}}
	s := start(t, func(c *job.Config) { p.Scraper, c.Scraper = c.Scraper, p })
	local := s.as(trawl.Team{})
	s.order.PublicURL = "https://trawl.example"
	s.site.page("/a")
	s.batch(s.batchRequest("/a"))
	local.batch(local.batchRequest("/a"))
	if strings.Join(p.bases, " ") != "https://trawl.example " {
		t.Errorf("addresses begin with %q", p.bases)
	}
}
