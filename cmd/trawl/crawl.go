package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"slices"
	"syscall"
	"time"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/crawl"
	"github.com/trawlhq/trawl/job"
)

type crawlCmd struct {
	options
	URL          string        `arg:"" help:"Address to start from."`
	Out          string        `type:"path" placeholder:"FOLDER" help:"Write each page to files of its own in this folder, and a list of them to index.jsonl."`
	JSON         bool          `help:"Print the documents on standard output, one JSON object a line. Without this and --out only the summary is printed."`
	Format       []string      `default:"markdown" placeholder:"FORMAT" help:"What to make of each page: markdown, html, rawHtml, links, images, summary, product, menu, branding or metadata."`
	Full         bool          `help:"Whole pages instead of their main content."`
	Limit        int           `default:"10000" placeholder:"N" help:"Most pages to crawl (${default})."`
	Depth        *int          `placeholder:"N" help:"How many links away from the start, or from a page of the sitemap, a page may be."`
	Include      []string      `sep:"none" placeholder:"PATTERN" help:"Crawl only paths that match one of these regular expressions; can be repeated."`
	Exclude      []string      `sep:"none" placeholder:"PATTERN" help:"Leave out paths that match one of these regular expressions; can be repeated."`
	EntireDomain bool          `help:"Follow links to any path of the site, not only to those below the start."`
	Subdomains   bool          `help:"Follow links to subdomains of the site."`
	External     bool          `help:"Follow links to other sites."`
	Sitemap      string        `enum:"include,skip,only" default:"include" placeholder:"include|skip|only" help:"Use the sitemap beside links, not at all, or alone (${default})."`
	Delay        time.Duration `placeholder:"DURATION" help:"Time between two pages; only one is scraped at a time then."`
	IgnoreQuery  bool          `help:"Addresses that differ only in their query are one page."`
	IgnoreRobots bool          `help:"Crawl what robots.txt forbids."`
}

// Bounds of what can be asked for, as the API has them.
const (
	mostCrawlPages = 100_000_000
	mostCrawlDepth = 1_000_000
	pageTimeout    = trawl.DefaultTimeout * time.Millisecond
)

// Run crawls without a server. What the crawl has to remember is in a temporary
// folder that is gone afterwards: the operator's own data is not touched.
func (c *crawlCmd) Run(ctx context.Context, p *program) error {
	req, err := c.request()
	if err != nil {
		return usageError{err}
	}
	broken := make(chan os.Signal, 1)
	signal.Notify(broken, syscall.SIGPIPE) // else a reader who has seen enough would end the program before it cleaned up
	defer signal.Stop(broken)
	shown := newProgress(p.stderr, p.now)
	defer shown.clear()
	s, err := c.temporary(ctx, p, shown)
	if err != nil {
		return err
	}
	defer s.close()
	if err := s.scraper.Check(&req.ScrapeOptions); err != nil {
		return explained(err)
	}
	sinks, err := c.sinks(p)
	if err != nil {
		return err
	}
	defer sinks.close()
	team, err := defaultTeam(ctx, s.store)
	if err != nil {
		return err
	}
	receipt, err := s.jobs.Crawl(ctx, job.Order{Caller: trawl.Caller{Team: team}}, req)
	if err != nil {
		return explained(err)
	}
	work := trawl.Job{ID: receipt.ID, TeamID: team.ID, Kind: trawl.KindCrawl}
	if work, err = follow(ctx, s.jobs, work, sinks, shown); err != nil {
		return err
	}
	shown.clear()
	return c.summarize(context.WithoutCancel(ctx), p, s.jobs, work)
}

// request returns the crawl that the flags describe. Pages are seen once, so the
// cache is left out.
func (c *crawlCmd) request() (trawl.CrawlRequest, error) {
	req := trawl.DefaultCrawlRequest()
	if err := c.inBounds(); err != nil {
		return req, err
	}
	page := scrapeCmd{URL: c.URL, Format: c.Format, Full: c.Full, Timeout: pageTimeout}
	one, err := page.request()
	if err != nil {
		return req, err
	}
	req.URL, req.ScrapeOptions = c.URL, one.ScrapeOptions
	req.ScrapeOptions.MaxAge, req.ScrapeOptions.StoreInCache = new(int64), false
	req.Limit, req.MaxDiscoveryDepth = c.Limit, c.Depth
	req.IncludePaths, req.ExcludePaths = c.Include, c.Exclude
	req.CrawlEntireDomain, req.AllowSubdomains, req.AllowExternalLinks = c.EntireDomain, c.Subdomains, c.External
	req.Sitemap, req.Delay = c.Sitemap, c.Delay.Seconds()
	req.IgnoreQueryParameters, req.IgnoreRobotsTxt = c.IgnoreQuery, c.IgnoreRobots
	if err := trawl.Invalid(req.Validate()); err != nil {
		return req, err
	}
	base, err := trawl.ParseTarget(req.URL)
	if err == nil {
		_, err = crawl.NewRules(&req, base) // the patterns may be wrong
	}
	return req, err
}

func (c *crawlCmd) inBounds() error {
	switch {
	case c.Limit < 1 || c.Limit > mostCrawlPages:
		return fmt.Errorf("--limit: must be from 1 to %d but is %d", mostCrawlPages, c.Limit)
	case c.Depth != nil && (*c.Depth < 0 || *c.Depth > mostCrawlDepth):
		return fmt.Errorf("--depth: must be from 0 to %d but is %d", mostCrawlDepth, *c.Depth)
	case slices.Contains(c.Format, trawl.FormatScreenshot):
		return errors.New("--format: a crawl of this command keeps no screenshots")
	case c.Delay < 0 || c.Delay > trawl.MaxDelay*time.Second:
		return fmt.Errorf("--delay: must be from 0 to %s but is %s", shortDuration(trawl.MaxDelay*time.Second), c.Delay)
	}
	return nil
}

// temporary brings up as much of the service as a job needs, on a store of its own.
func (o options) temporary(ctx context.Context, p *program, log io.Writer) (*server, error) {
	dir, err := os.MkdirTemp("", "trawl-job-")
	if err != nil {
		return nil, fmt.Errorf("make temporary folder: %w", err)
	}
	compiled := o.compiled()
	o.DataDir, o.DatabaseURL, o.BlobURL, o.Roles, o.Retention = dir, "", "", list{"worker"}, 24*time.Hour
	s := &server{options: &o, log: newLogger(log, o.quietLevel(), o.LogFormat), compiled: compiled}
	s.later(func() { _ = os.RemoveAll(dir) })
	for _, step := range []func(context.Context, *program) error{s.openStore, s.openEngine} {
		if err := step(ctx, p); err != nil {
			s.close()
			return nil, err
		}
	}
	return s, nil
}

// How a crawl is followed.
const (
	lookEvery     = 250 * time.Millisecond // even if nothing changes
	documentsRead = 100                    // at a time
)

// follow passes the documents of a crawl on as they come, until the crawl is
// over. When the context ends it cancels the crawl, and still passes on what was
// scraped by then.
func follow(ctx context.Context, jobs *job.Engine, crawl trawl.Job, out sinks, shown *progress) (trawl.Job, error) {
	steady := context.WithoutCancel(ctx)
	passed, cancelled := 0, false
	for {
		if ctx.Err() != nil && !cancelled {
			cancelled = true
			err := jobs.Cancel(steady, crawl.TeamID, crawl.Kind, crawl.ID)
			if err != nil && trawl.ErrorCode(err) != trawl.CodeConflict { // over already
				return crawl, err
			}
		}
		next, err := look(ctx, jobs, crawl)
		if err != nil {
			return crawl, err
		}
		crawl = next
		for len(out) > 0 && passed < crawl.Completed {
			docs, err := jobs.Documents(steady, &crawl, "", passed, documentsRead)
			if err == nil {
				err = out.add(docs)
			}
			if err != nil {
				return crawl, err
			}
			passed += len(docs)
			shown.show(&crawl)
		}
		if crawl.Done() {
			return crawl, nil
		}
		shown.show(&crawl)
	}
}

// look returns a crawl when it has changed, or after a while as it is.
func look(ctx context.Context, jobs *job.Engine, crawl trawl.Job) (trawl.Job, error) {
	ctx, cancel := context.WithTimeout(ctx, lookEvery)
	defer cancel()
	next, err := jobs.Wait(ctx, crawl)
	if errors.Is(err, context.Canceled) {
		return crawl, nil
	}
	return next, err
}

// sink takes the documents of a crawl.
type sink interface {
	add(doc job.Document) error
	flush() error
	close()
}

// sinks are all that the flags ask for.
type sinks []sink

func (c *crawlCmd) sinks(p *program) (sinks, error) {
	var list sinks
	if c.Out != "" {
		f, err := openFolder(c.Out, c.Format)
		if err != nil {
			return nil, err
		}
		list = append(list, f)
	}
	if c.JSON {
		list = append(list, &lines{bufio.NewWriter(p.stdout)})
	}
	return list, nil
}

func (list sinks) add(docs []job.Document) error {
	for _, s := range list {
		for _, doc := range docs {
			if err := s.add(doc); err != nil {
				return err
			}
		}
		if err := s.flush(); err != nil {
			return err
		}
	}
	return nil
}

func (list sinks) close() {
	for _, s := range list {
		s.close()
	}
}

// lines prints documents, each as a line of JSON.
type lines struct{ w *bufio.Writer }

func (l *lines) add(doc job.Document) error {
	_, _ = l.w.Write(doc) // what goes wrong, the next call tells again
	return l.w.WriteByte('\n')
}

func (l *lines) flush() error { return l.w.Flush() }

func (l *lines) close() {}
