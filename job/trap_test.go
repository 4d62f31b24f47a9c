package job_test

import (
	"fmt"
	"io"
	"net/http"
	"runtime"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/trawlhq/trawl"
)

// TestCalendar crawls a site with a calendar that goes on for ever, in both directions.
// The crawl ends, has the other pages, and says what it left out.
func TestCalendar(t *testing.T) {
	t.Parallel()
	const limit = 60
	s := start(t)
	s.site.page("/", append(numbered("/p", 30), "/calendar?month=24000")...)
	for _, path := range numbered("/p", 30) {
		s.site.page(path)
	}
	s.site.handle("/calendar", func(w http.ResponseWriter, r *http.Request) {
		month, _ := strconv.Atoi(r.URL.Query().Get("month"))
		w.Header().Set("Content-Type", "text/html")
		_, _ = io.WriteString(w, linked("a month", fmt.Sprint("/calendar?month=", month+1), fmt.Sprint("/calendar?month=", month-1)))
	})
	j := s.crawl("/", func(r *trawl.CrawlRequest) { r.Limit = limit })
	if j.State != trawl.StateCompleted || j.Completed != limit || j.Credits != limit {
		t.Errorf("%s with %d pages for %d credits", j.State, j.Completed, j.Credits)
	}
	fates, left := s.fates(j), 0
	for _, path := range numbered("/p", 30) {
		if fates[path] != trawl.FateScraped {
			t.Errorf("%s is %q", path, fates[path])
		}
	}
	for path, fate := range fates {
		if strings.HasPrefix(path, "/calendar") && fate == trawl.FateOverLimit {
			left++
		}
	}
	if left == 0 {
		t.Error("no month is said to be over the limit")
	}
}

// TestManyEntries reads sitemaps that list far more addresses than a crawl takes, and
// each other. What is left out takes neither memory nor rows without end.
func TestManyEntries(t *testing.T) {
	for name, host := range map[string]string{"its own": "", "those of others": "other.site.test"} {
		t.Run(name, func(t *testing.T) {
			s := start(t)
			s.site.page("/")
			address := s.site.at(host + "/p")
			sitemaps := []string{s.site.at("/sitemap.xml")}
			for i := range 3 {
				path := fmt.Sprintf("/%d.xml.gz", i)
				var list strings.Builder
				list.WriteString("<urlset>")
				for k := range 50_000 {
					fmt.Fprintf(&list, "<url><loc>%s%d-%d</loc></url>", address, i, k)
				}
				list.WriteString("</urlset>")
				s.site.text(path, "application/gzip", zipped(t, list.String()))
				sitemaps = append(sitemaps, s.site.at(path))
			}
			s.site.text("/sitemap.xml", "text/xml", indexOf(sitemaps...))
			runtime.GC()
			var before runtime.MemStats
			runtime.ReadMemStats(&before)
			var most atomic.Uint64
			done := make(chan struct{})
			watched := make(chan struct{})
			go func() {
				defer close(watched)
				for now := before; ; {
					select {
					case <-done:
						return
					case <-time.After(100 * time.Millisecond):
						runtime.GC()
						runtime.ReadMemStats(&now)
						most.Store(max(most.Load(), now.HeapAlloc))
					}
				}
			}()
			j := s.crawl("/", func(r *trawl.CrawlRequest) { r.Limit, r.Sitemap = 1, trawl.SitemapOnly })
			close(done)
			<-watched
			if j.State != trawl.StateCompleted || j.Completed != 1 {
				t.Errorf("%s with %d pages: %s", j.State, j.Completed, j.Error)
			}
			_, _, counts, err := s.Explain(t.Context(), j.ID, "", "", 1)
			if left := counts[trawl.FateOverLimit] + counts[trawl.FateFiltered]; err != nil || left < 1000 || left > 100_000 {
				t.Errorf("%v, %v", counts, err)
			}
			if n := s.site.count("/sitemap.xml"); n != 1 {
				t.Errorf("the index was read %d times", n)
			}
			if used := int64(most.Load()) - int64(before.HeapAlloc); used > 64<<20 {
				t.Errorf("%d MB were used", used>>20)
			}
		})
	}
}
