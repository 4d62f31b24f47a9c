package job

import (
	"context"
	"net/http"
	"net/url"
	"sync"
	"time"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/crawl"
	"github.com/trawlhq/trawl/fetch"
)

// How robots.txt is asked for.
const (
	robotsName    = "trawl"
	robotsTime    = 15 * time.Second
	robotsTries   = 3
	robotsPause   = 500 * time.Millisecond
	robotsFor     = time.Hour
	forbiddenFor  = time.Minute // a site that is in trouble is asked again soon
	mostRobots    = 10_000
	mostCrawlWait = 10 * time.Second // of a Crawl-delay
)

// robotsCache knows what sites say in robots.txt. By the rules that the large
// crawlers follow, a site that has none allows everything, and one that fails to
// say (with 5xx or 429) allows nothing. A site that cannot be reached at all is
// left to the page, whose error says more.
type robotsCache struct {
	fetch  Fetcher
	now    func() time.Time
	ctx    context.Context // of all questions, which several may wait for
	quit   context.CancelFunc
	asking sync.WaitGroup

	mu    sync.Mutex
	sites map[string]*robotsEntry
}

type robotsEntry struct {
	ready  chan struct{} // closed when the rest is there
	robots *crawl.Robots
	until  time.Time
}

// get returns the rules of an address's site, asking the site if need be.
func (c *robotsCache) get(ctx context.Context, address string) (*crawl.Robots, error) {
	site := siteOf(address)
	c.mu.Lock()
	entry, ok := c.sites[site]
	if ok && entry.settled() && c.now().After(entry.until) {
		ok = false
	}
	if !ok {
		if c.sites == nil || len(c.sites) >= mostRobots {
			c.sites = map[string]*robotsEntry{}
		}
		entry = &robotsEntry{ready: make(chan struct{})}
		c.sites[site] = entry
		c.asking.Go(func() {
			robots, keep := c.ask(c.ctx, site)
			entry.robots, entry.until = robots, c.now().Add(keep)
			close(entry.ready)
		})
	}
	c.mu.Unlock()
	select {
	case <-entry.ready:
		return entry.robots, ctx.Err()
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// stop gives up what is being asked.
func (c *robotsCache) stop() {
	c.quit()
	c.asking.Wait()
}

// peek returns the rules of an address's site if they are known.
func (c *robotsCache) peek(address string) *crawl.Robots {
	c.mu.Lock()
	defer c.mu.Unlock()
	if entry := c.sites[siteOf(address)]; entry != nil && entry.settled() {
		return entry.robots
	}
	return nil
}

func (e *robotsEntry) settled() bool {
	select {
	case <-e.ready:
		return true
	default:
		return false
	}
}

func siteOf(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return address
	}
	return u.Scheme + "://" + u.Host
}

var nothingAllowed = crawl.ParseRobots([]byte("User-agent: *\nDisallow: /\n"))

// ask gets the robots.txt of a site, and says how long it holds.
func (c *robotsCache) ask(ctx context.Context, site string) (*crawl.Robots, time.Duration) {
	ctx, cancel := context.WithTimeout(ctx, robotsTime)
	defer cancel()
	pause := robotsPause
	for try := 1; ; try++ {
		response, err := c.fetch.Fetch(ctx, fetch.Request{URL: site + "/robots.txt", Languages: []string{"en-US"}, Country: "US", SkipTLS: true})
		switch {
		case err != nil && trawl.ErrorCode(err) != trawl.CodeTimeout:
			return &crawl.Robots{}, forbiddenFor
		case err == nil && response.Status >= 200 && response.Status <= 299:
			return parseRobots(response.Body), robotsFor
		case err == nil && response.Status < 500 && response.Status != http.StatusTooManyRequests:
			return &crawl.Robots{}, robotsFor
		}
		if try == robotsTries || !sleep(ctx, pause) {
			return nothingAllowed, forbiddenFor
		}
		pause *= 2
	}
}

// parseRobots reads a robots.txt. One that its reader does not survive allows
// nothing.
func parseRobots(body []byte) (robots *crawl.Robots) {
	defer func() {
		if recover() != nil {
			robots = nothingAllowed
		}
	}()
	return crawl.ParseRobots(body)
}

// sleep waits, and reports whether it could wait to the end.
func sleep(ctx context.Context, d time.Duration) bool {
	if d <= 0 {
		return ctx.Err() == nil
	}
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-ctx.Done():
		return false
	}
}

// agentOf is the name under which a crawl obeys robots.txt.
func agentOf(req *trawl.CrawlRequest) string {
	if req.RobotsUserAgent != "" {
		return req.RobotsUserAgent
	}
	return robotsName
}
