package main

import (
	"cmp"
	"context"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"time"
)

const (
	queueLength = 100_000 // the most URLs of a batch
	aimMemory   = "≤ 120 MB"
	aimStatus   = "≤ 5 ms"
)

// compare crawls in turn with colly and with trawl, so that a machine that
// changes its pace changes it for both. The first round is to warm up.
func (b *bench) compare(ctx context.Context) error {
	var bare, full []crawlRun
	var after []time.Duration // CPU of what trawl does when the crawl is over
	err := b.withServer(ctx, func(ctx context.Context, s *server) error {
		for round := range b.rounds + 1 {
			part := section{"round" + strconv.Itoa(round), b.pages}
			run, err := startColly(ctx, b.site+part.path(0), b.parallel)
			if err != nil {
				return err
			}
			if run.Pages != b.pages {
				return fmt.Errorf("colly found %d of %d pages", run.Pages, b.pages)
			}
			if round > 0 {
				bare = append(bare, run)
			}
			crawl, rest, err := s.crawlAndRest(ctx, b.site, part)
			if err != nil {
				return err
			}
			if round > 0 {
				full, after = append(full, crawl), append(after, rest/time.Duration(b.pages))
			}
		}
		return nil
	})
	b.addComparison(bare, full, after)
	return err
}

// crawlAndRest crawls, waits until the server has nothing more to do, and
// returns the CPU of that rest too.
func (s *server) crawlAndRest(ctx context.Context, site string, part section) (crawlRun, time.Duration, error) {
	crawl, err := s.crawl(ctx, site, part)
	if err != nil {
		return crawlRun{}, 0, err
	}
	before, err := s.cpu()
	if err != nil {
		return crawlRun{}, 0, err
	}
	if err := sleep(ctx, 2*time.Second); err != nil {
		return crawlRun{}, 0, err
	}
	after, err := s.cpu()
	return crawl.crawlRun, after - before, err
}

func (b *bench) addComparison(bare, full []crawlRun, after []time.Duration) {
	if len(bare) == 0 {
		return
	}
	bareCPU := medianOf(bare, crawlRun.cpuPerPage)
	b.add(fmt.Sprintf("colly, %d pages, CPU a page", b.pages), micros(bareCPU), "")
	b.add("colly, pages a second", fmt.Sprintf("%.0f", medianOf(bare, crawlRun.pagesPerSecond)), "")
	if len(full) == 0 {
		return
	}
	fullCPU := medianOf(full, crawlRun.cpuPerPage)
	b.add(fmt.Sprintf("trawl, %d pages, CPU a page", b.pages), micros(fullCPU), "")
	b.add("trawl, CPU a page in the 2 s after", micros(median(after)), "")
	b.add("trawl / colly, CPU", fmt.Sprintf("%.2f", float64(fullCPU)/float64(bareCPU)), "≤ 1.5, hoped 1.0")
	b.add("trawl, pages a second", fmt.Sprintf("%.0f", medianOf(full, crawlRun.pagesPerSecond)), "≥ 500")
}

// bigCrawl measures the memory of one big crawl, and the view of it when it is
// over.
func (b *bench) bigCrawl(ctx context.Context, s *server) error {
	before, err := s.memory("VmRSS")
	if err != nil {
		return err
	}
	crawl, during, err := b.crawlSampled(ctx, s)
	if err != nil {
		return err
	}
	after, err := s.sampleFor(ctx, 5*time.Second)
	if err != nil {
		return err
	}
	peak, err := s.memory("VmHWM")
	if err != nil {
		return err
	}
	if b.wants("memory") {
		b.add(fmt.Sprintf("memory before a crawl of %d pages", b.bigPages), megabytes(before), "")
		b.add("memory while it runs", megabytes(median(during)), "")
		b.add("memory at its peak", megabytes(peak), aimMemory)
		b.add("memory in the 5 s after", megabytes(median(after)), "")
	}
	if !b.wants("status") {
		return nil
	}
	if len(crawl.statuses) > 0 {
		b.add("status view while it runs, ?limit=1", millis(median(crawl.statuses)), "")
	}
	for _, query := range []string{"", "?limit=1"} {
		took, err := s.latency(ctx, crawl.job+query)
		if err != nil {
			return err
		}
		b.add(fmt.Sprintf("status view of %d pages, %s", b.bigPages, cmp.Or(query, "plain")), millis(took), aimStatus)
	}
	return nil
}

// crawlSampled crawls and watches the resident memory meanwhile.
func (b *bench) crawlSampled(ctx context.Context, s *server) (crawled, []float64, error) {
	watch, stop := context.WithCancel(ctx)
	defer stop()
	type result struct {
		samples []float64
		err     error
	}
	watched := make(chan result, 1)
	go func() {
		samples, err := s.sample(watch)
		watched <- result{samples, err}
	}()
	crawl, err := s.crawl(ctx, b.site, section{"big", b.bigPages})
	stop()
	memory := <-watched
	return crawl, memory.samples, cmp.Or(err, memory.err)
}

// latency returns the median time of a GET that is repeated on one connection.
func (s *server) latency(ctx context.Context, path string) (time.Duration, error) {
	const warmUp, requests = 10, 200
	var took []time.Duration
	for i := range warmUp + requests {
		d, err := s.call(ctx, http.MethodGet, path, nil, nil)
		if err != nil {
			return 0, err
		}
		if i >= warmUp {
			took = append(took, d)
		}
	}
	return median(took), nil
}

// acceptBatch measures how long a big batch takes to be accepted. The batch is
// cancelled at once.
func (b *bench) acceptBatch(ctx context.Context, s *server) error {
	var took []time.Duration
	for round := range b.rounds {
		part := section{"batch" + strconv.Itoa(round), b.bigPages}
		urls := make([]string, b.bigPages)
		for i := range urls {
			urls[i] = b.site + part.path(i)
		}
		job, d, err := s.start(ctx, batchPath, map[string]any{"urls": urls})
		if err != nil {
			return err
		}
		took = append(took, d)
		if _, err := s.call(ctx, http.MethodDelete, job, nil, nil); err != nil {
			return err
		}
	}
	b.add(fmt.Sprintf("batch of %d URLs accepted", b.bigPages), millis(median(took)), "< 1000 ms")
	return nil
}

// longQueue measures the memory of a server on which nearly all of a big batch
// waits for its turn.
func (b *bench) longQueue(ctx context.Context, s *server) error {
	before, err := s.memory("VmRSS")
	if err != nil {
		return err
	}
	urls := make([]string, queueLength)
	for i := range urls {
		urls[i] = b.site + "/slow/" + strconv.Itoa(i)
	}
	job, took, err := s.start(ctx, batchPath, map[string]any{"urls": urls, "maxConcurrency": 1})
	if err != nil {
		return err
	}
	waiting, err := s.sampleFor(ctx, 10*time.Second)
	if err != nil {
		return err
	}
	peak, err := s.memory("VmHWM")
	if err != nil {
		return err
	}
	cancelled, err := s.call(ctx, http.MethodDelete, job, nil, nil)
	if err != nil {
		return err
	}
	b.add(fmt.Sprintf("batch of %d URLs accepted", queueLength), millis(took), "")
	b.add("memory before it", megabytes(before), "")
	b.add(fmt.Sprintf("memory with %d URLs waiting", queueLength), megabytes(median(waiting)), aimMemory)
	b.add("memory at its peak, accepting them", megabytes(peak), "")
	b.add("batch cancelled", millis(cancelled), "")
	return nil
}

// median returns the middle of the values, or the mean of the two in the middle.
func median[T time.Duration | float64](values []T) T {
	if len(values) == 0 {
		return 0
	}
	sorted := slices.Sorted(slices.Values(values))
	return (sorted[(len(sorted)-1)/2] + sorted[len(sorted)/2]) / 2
}

func medianOf[T time.Duration | float64](runs []crawlRun, value func(crawlRun) T) T {
	values := make([]T, len(runs))
	for i, run := range runs {
		values[i] = value(run)
	}
	return median(values)
}

func micros(d time.Duration) string { return fmt.Sprintf("%d µs", d.Microseconds()) }

func millis(d time.Duration) string { return fmt.Sprintf("%.1f ms", float64(d.Microseconds())/1000) }

func megabytes(mb float64) string { return fmt.Sprintf("%.1f MB", mb) }
