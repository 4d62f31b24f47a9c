// Package job does work on many pages that must not be lost: crawls, batches and
// extracts, the webhooks that report on them, and the sweeps that clean up.
//
// The rows of package store are the truth: which pages a job has, which of them
// run, what they gave. River, on the same database, hands pages that were admitted
// to a node and hands them out again when the node is gone. A page goes
//
//	admitted (store) → task of some pages (River) → robots, scrape, links (page.go)
//	→ stored together with what finished meanwhile (commit.go)
//
// and that last step is one transaction that also charges, queues the links,
// notes the events, ends the job and admits other pages. It changes only pages
// that still run. So it does not matter how often a page is scraped, by whom,
// or where on the way a process dies: it is stored and paid for once.
//
// An extract has a step before its pages, which chooses them (plan.go), and one
// behind them, which makes one answer of what they say (conclude.go). What a
// language model answers on the way is kept as soon as it is there, so that no
// question is put and paid for twice. A crawl that tracks changes has one behind
// them too, which adds the pages that it only knows from before (recall.go).
//
// Whatever this package keeps in memory (specs of jobs, rules of robots.txt,
// addresses known to be in a frontier) only saves time.
package job

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"hash/maphash"
	"log/slog"
	"os"
	"sync"
	"time"

	"github.com/riverqueue/river"
	"github.com/riverqueue/river/rivertype"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/extract"
	"github.com/trawlhq/trawl/fetch"
	"github.com/trawlhq/trawl/scrape"
	"github.com/trawlhq/trawl/search"
	"github.com/trawlhq/trawl/store"
	"github.com/trawlhq/trawl/webhook"
)

// Scraper scrapes a page and leaves it to the caller to store it.
type Scraper interface {
	Prepare(ctx context.Context, req scrape.Request) (*scrape.Result, error)
	InCache(ctx context.Context, req scrape.Request) (bool, error)
}

// Fetcher gets what a crawl needs beside pages: robots.txt and sitemaps.
type Fetcher interface {
	Fetch(ctx context.Context, req fetch.Request) (*fetch.Response, error)
}

// Config is what an Engine works with.
type Config struct {
	Store         *store.Store
	Scraper       Scraper
	Fetch         Fetcher
	Extract       *extract.Extractor // nil means one without a language model
	Search        search.Provider    // nil where there is none
	Webhooks      *webhook.Sender
	WebhookSecret string // signs for every team; empty means a secret for each
	Log           *slog.Logger
	Now           func() time.Time
	Node          string // name of this process among all that use the database, by NewNode
	Pages         int    // most pages at a time on this node; 0 means 200
	CacheMaxBytes int64  // what sweeps leave of the cache; 0 means no limit
	Idle          bool   // take orders, but leave the work to other nodes; what else a node does, it does
}

// Engine takes orders for jobs and works on them, from Start to Stop.
type Engine struct {
	Config
	seed    maphash.Seed
	queue   store.Queue
	commits *committer
	tasks   tasks
	specs   specs
	robots  robotsCache
	hub     hub
	metrics metrics
	slots   chan struct{} // holds a token for each page that is scraped
	alone   sync.Mutex    // held by the page that is scraped on its own
	quit    context.CancelFunc
	loops   sync.WaitGroup

	extension Extension
}

const (
	defaultPages   = 200
	sweepEvery     = 10 * time.Minute
	completedFor   = 15 * time.Minute
	rescueAfter    = time.Hour // dead nodes are noticed long before; this is for what nobody thought of
	discoverers    = 32        // they mostly wait for a site
	couriers       = 32
	clocks         = 32
	extractors     = 1000   // they mostly wait for a language model
	delayedPages   = 10_000 // they mostly sleep
	fetchPause     = 5 * time.Millisecond
	fetchPauseMany = 10 * time.Millisecond
	pollAlone      = 2 * time.Second // for tasks that nobody told of
	pollMany       = 500 * time.Millisecond
	pollClock      = 500 * time.Millisecond // what is due then nobody tells of
)

// Extension is work that is done with jobs, by a package above this one: its tasks are
// handed out with those of jobs, and its events delivered with theirs.
type Extension interface {
	AddWorkers(workers *river.Workers)
	// Event returns an event of one of its jobs, as it is to be delivered.
	Event(ctx context.Context, job *trawl.Job, d store.PendingDelivery) (webhook.Event, error)
}

// Extend adds an extension, before Start.
func (e *Engine) Extend(x Extension) { e.extension = x }

// New returns an Engine. It takes orders at once; work begins with Start.
func New(config Config) *Engine {
	if config.Node == "" {
		config.Node = NewNode()
	}
	if config.Pages == 0 {
		config.Pages = defaultPages
	}
	if config.Extract == nil {
		config.Extract = &extract.Extractor{}
	}
	e := &Engine{
		Config: config,
		seed:   maphash.MakeSeed(),
		slots:  make(chan struct{}, config.Pages),

		metrics: newMetrics(),
	}
	e.robots.fetch, e.robots.now = config.Fetch, config.Now
	e.robots.ctx, e.robots.quit = context.WithCancel(context.Background())
	return e
}

// NewNode returns a name for this process among all that use the database. What it
// holds there is freed when it stops, or when others find it dead.
func NewNode() string {
	host, _ := os.Hostname()
	b := make([]byte, 6)
	_, _ = rand.Read(b) // never fails
	return fmt.Sprintf("%.60s-%d-%s", host, os.Getpid(), hex.EncodeToString(b))
}

// Start makes the node known and begins to work on tasks. What an earlier process
// held is free then, as far as it is known to be dead.
func (e *Engine) Start(ctx context.Context) error {
	if err := e.enter(ctx); err != nil {
		return err
	}
	if !e.Idle {
		if err := e.startWork(ctx); err != nil {
			return err
		}
	}
	background, quit := context.WithCancel(context.WithoutCancel(ctx))
	e.quit = quit
	if !e.Store.Embedded() {
		e.loops.Go(func() { e.live(background) })
	}
	if !e.Idle {
		e.loops.Go(func() { e.adopt(background) })
	}
	return nil
}

func (e *Engine) startWork(ctx context.Context) error {
	queue, err := e.Store.Queue(e.riverConfig())
	if err != nil {
		return err
	}
	e.commits = startCommitter(e)
	if err := queue.Start(context.WithoutCancel(ctx)); err != nil {
		e.commits.stop()
		return fmt.Errorf("start queue: %w", err)
	}
	e.queue = queue
	return nil
}

// Stop hands running pages back, takes leave of the other nodes, and returns when
// nothing is under way, or when the context ends.
func (e *Engine) Stop(ctx context.Context) error {
	e.robots.stop()
	if e.quit == nil {
		return nil
	}
	err := e.stopWork(ctx)
	e.quit()
	e.quit = nil
	e.loops.Wait()
	if err == nil && !e.Store.Embedded() {
		err = e.Store.Leave(ctx, e.Node)
	}
	return err
}

func (e *Engine) stopWork(ctx context.Context) error {
	if e.queue == nil {
		return nil
	}
	err := e.queue.StopAndCancel(ctx)
	e.commits.stop()
	e.queue = nil
	if err != nil {
		return fmt.Errorf("stop queue: %w", err)
	}
	return nil
}

func (e *Engine) riverConfig() *river.Config {
	workers := river.NewWorkers()
	river.AddWorker(workers, &pageWorker{engine: e})
	river.AddWorker(workers, &discoverWorker{engine: e})
	river.AddWorker(workers, &concludeWorker{engine: e})
	river.AddWorker(workers, &deliverWorker{engine: e})
	river.AddWorker(workers, &sweepWorker{engine: e})
	if e.extension != nil {
		e.extension.AddWorkers(workers)
	}
	pause, poll := fetchPauseMany, pollMany
	if e.Store.Embedded() {
		pause, poll = fetchPause, pollAlone
	}
	return &river.Config{
		ID:      e.Node,
		Workers: workers,
		Queues: map[string]river.QueueConfig{
			store.QueuePage:    {MaxWorkers: e.Pages}, // a task may carry a single page
			store.QueueDelayed: {MaxWorkers: delayedPages},
			store.QueueWebhook: {MaxWorkers: couriers},
			store.QueueDefault: {MaxWorkers: discoverers},
			store.QueueExtract: {MaxWorkers: extractors},
			store.QueueMail:    {MaxWorkers: couriers},
			store.QueueMonitor: {MaxWorkers: clocks, FetchPollInterval: pollClock},
		},
		FetchCooldown:               pause,
		FetchPollInterval:           poll,
		JobTimeout:                  -1, // pages have their own, and waiting for the database has none
		RescueStuckJobsAfter:        rescueAfter,
		CompletedJobRetentionPeriod: completedFor,
		RetryPolicy:                 steadyRetry{},
		Middleware:                  []rivertype.Middleware{river.WorkerMiddlewareFunc(e.tasks.work)},
		Logger:                      slog.New(&warnings{Handler: e.Log.Handler(), now: e.Now, said: map[string]time.Time{}}),
		PeriodicJobs: []*river.PeriodicJob{river.NewPeriodicJob(river.PeriodicInterval(sweepEvery),
			func() (river.JobArgs, *river.InsertOpts) {
				return store.SweepTask{}, &river.InsertOpts{MaxAttempts: 1}
			}, nil)},
	}
}

// steadyRetry tries a task again soon, however often it failed: what fails a task
// is the database, and never the page in it.
type steadyRetry struct{}

// NextRetry implements river.ClientRetryPolicy.
func (steadyRetry) NextRetry(*rivertype.JobRow) time.Time { return time.Now().Add(2 * time.Second) }

// sweepWorker deletes what is no longer wanted.
type sweepWorker struct {
	river.WorkerDefaults[store.SweepTask]
	engine *Engine
}

// Work implements river.Worker.
func (w *sweepWorker) Work(ctx context.Context, _ *river.Job[store.SweepTask]) error {
	e := w.engine
	stats, err := e.Store.Sweep(ctx, e.Now(), e.CacheMaxBytes)
	if err != nil && ctx.Err() == nil {
		e.Log.Error("sweep failed", "err", err)
	}
	e.Log.Debug("swept", "records", stats.Records, "jobs", stats.Jobs, "files", stats.Files, "sessions", stats.Sessions, "checks", stats.Checks,
		"versions", stats.Versions, "pages", stats.Pages, "orphans", stats.Orphans)
	return nil
}

// failureOf is what callers see of an error of a page.
func failureOf(err error) *store.Failure {
	if known, ok := errors.AsType[*trawl.Error](err); ok && known.Code != trawl.CodeUnknown {
		return &store.Failure{Code: known.Code, Text: known.Message}
	}
	return &store.Failure{Code: trawl.CodeUnknown, Text: "The page could not be scraped."}
}
