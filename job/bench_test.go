package job_test

import (
	"context"
	"fmt"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/google/uuid"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/fetch"
	"github.com/trawlhq/trawl/job"
	"github.com/trawlhq/trawl/scrape"
	"github.com/trawlhq/trawl/store"
)

// nothing scrapes pages that do not exist: every page has a small document and
// fifteen links, most of which are known.
type nothing struct {
	pages  int64
	next   atomic.Int64
	packed store.Packed
}

func (n *nothing) Prepare(_ context.Context, req scrape.Request) (*scrape.Result, error) {
	text := "A page"
	doc := &trawl.Document{Markdown: &text}
	doc.Metadata.ScrapeID, doc.Metadata.URL, doc.Metadata.SourceURL = uuid.Must(uuid.NewV7()).String(), req.URL, req.URL
	doc.Metadata.StatusCode, doc.Metadata.CreditsUsed = 200, 1
	result := &scrape.Result{Document: doc, Head: n.packed}
	for i := range int64(15) {
		to := i
		if i >= 12 {
			to = n.next.Add(1)
		}
		if to < n.pages {
			result.Links = append(result.Links, fmt.Sprintf("http://site.test/%d", to))
		}
	}
	return result, nil
}

func (n *nothing) InCache(context.Context, scrape.Request) (bool, error) { return false, nil }

func (n *nothing) Fetch(context.Context, fetch.Request) (*fetch.Response, error) {
	return &fetch.Response{Status: 404}, nil
}

// BenchmarkEngine measures what a job costs beside its pages.
func BenchmarkEngine(b *testing.B) {
	for _, parallel := range []int{10, 100} {
		b.Run(fmt.Sprint(parallel), func(b *testing.B) {
			db, err := store.Open(b.Context(), store.Config{DataDir: b.TempDir(), Concurrency: parallel})
			if err != nil {
				b.Fatal(err)
			}
			b.Cleanup(func() { _ = db.Close() })
			packed, err := db.Pack([]byte(`{"markdown":"A page","metadata":{`))
			if err != nil {
				b.Fatal(err)
			}
			site := &nothing{pages: int64(b.N), packed: packed}
			s := startOn(b, db, func(c *job.Config) { c.Scraper, c.Fetch = site, site })
			req := trawl.DefaultCrawlRequest()
			req.URL, req.Limit, req.Sitemap = "http://site.test/", b.N, trawl.SitemapSkip
			b.ResetTimer()
			before := cpu()
			receipt, err := s.Crawl(b.Context(), s.order, req)
			if err != nil {
				b.Fatal(err)
			}
			j := s.finished(trawl.KindCrawl, receipt.ID)
			used := cpu() - before
			b.StopTimer()
			if j.Completed < b.N-15 || j.State != trawl.StateCompleted {
				b.Fatalf("%d of %d pages, %s", j.Completed, b.N, j.State)
			}
			b.ReportMetric(float64(used.Microseconds())/float64(b.N), "cpu-µs/page")
			b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "pages/s")
		})
	}
}

func cpu() time.Duration {
	var usage syscall.Rusage
	_ = syscall.Getrusage(syscall.RUSAGE_SELF, &usage)
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}
