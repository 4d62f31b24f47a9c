package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"strconv"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/gocolly/colly/v2"
	"github.com/gocolly/colly/v2/storage"
)

// crawlRun is what one crawl took.
type crawlRun struct {
	Pages   int
	CPU     time.Duration // of the whole process
	Elapsed time.Duration
}

func (r crawlRun) cpuPerPage() time.Duration { return r.CPU / time.Duration(r.Pages) }

func (r crawlRun) pagesPerSecond() float64 { return float64(r.Pages) / r.Elapsed.Seconds() }

// startColly crawls in a process of its own.
func startColly(ctx context.Context, start string, parallel int) (crawlRun, error) {
	self, err := os.Executable()
	if err != nil {
		return crawlRun{}, err
	}
	cmd := exec.CommandContext(ctx, self, "-colly", start, "-parallel", strconv.Itoa(parallel))
	cmd.Env = []string{"HOME=" + os.TempDir()} // colly takes settings from the environment
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		return crawlRun{}, fmt.Errorf("colly: %w", err)
	}
	var run crawlRun
	return run, json.Unmarshal(out, &run)
}

// printCollyRun is the role of colly.
func printCollyRun(start string, parallel int, out io.Writer) error {
	before, began := ownCPU(), time.Now()
	pages, err := crawlWithColly(start, parallel)
	if err != nil {
		return err
	}
	return json.NewEncoder(out).Encode(crawlRun{Pages: pages, CPU: ownCPU() - before, Elapsed: time.Since(began)})
}

// crawlWithColly follows every link of the site and returns how many pages there
// were. It keeps a connection for each request at a time: the standard transport
// would keep two and dial anew for most pages, which would flatter trawl.
func crawlWithColly(start string, parallel int) (int, error) {
	var pages atomic.Int64
	var failed atomic.Pointer[error]
	fail := func(err error) { failed.CompareAndSwap(nil, &err) }

	c := colly.NewCollector(colly.Async(true), colly.AllowedDomains("127.0.0.1"))
	c.WithTransport(&http.Transport{MaxIdleConnsPerHost: parallel})
	if err := c.Limit(&colly.LimitRule{DomainGlob: "*", Parallelism: parallel}); err != nil {
		return 0, err
	}
	if err := c.SetStorage(&storedOnce{seen: make(map[uint64]bool)}); err != nil {
		return 0, err
	}
	c.OnHTML("a[href]", func(e *colly.HTMLElement) {
		err := e.Request.Visit(e.Attr("href"))
		if seen := (*colly.AlreadyVisitedError)(nil); err != nil && !errors.As(err, &seen) {
			fail(err)
		}
	})
	c.OnScraped(func(*colly.Response) { pages.Add(1) })
	c.OnError(func(r *colly.Response, err error) { fail(fmt.Errorf("%s: %w", r.Request.URL, err)) })
	if err := c.Visit(start); err != nil {
		return 0, err
	}
	c.Wait()
	if err := failed.Load(); err != nil {
		return 0, *err
	}
	return int(pages.Load()), nil
}

// storedOnce makes looking and marking one step. Colly asks whether a page was
// seen and marks it afterwards; between the two another page with the same link
// asks too, and a page that was fetched twice hands all its links to the same
// race: more than twice the pages of a site were fetched so.
type storedOnce struct {
	storage.InMemoryStorage
	lock sync.Mutex
	seen map[uint64]bool
}

// IsVisited also marks the request.
func (s *storedOnce) IsVisited(id uint64) (bool, error) {
	s.lock.Lock()
	defer s.lock.Unlock()
	visited := s.seen[id]
	s.seen[id] = true
	return visited, nil
}

// Visited has nothing left to do.
func (s *storedOnce) Visited(uint64) error { return nil }

// ownCPU returns the user and system time of this process so far.
func ownCPU() time.Duration {
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		return 0
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}
