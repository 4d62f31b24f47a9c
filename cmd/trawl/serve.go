package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/url"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/api"
	"github.com/trawlhq/trawl/blob"
	"github.com/trawlhq/trawl/browser"
	"github.com/trawlhq/trawl/console"
	"github.com/trawlhq/trawl/document"
	"github.com/trawlhq/trawl/egress"
	"github.com/trawlhq/trawl/fetch"
	"github.com/trawlhq/trawl/job"
	"github.com/trawlhq/trawl/monitor"
	"github.com/trawlhq/trawl/scrape"
	"github.com/trawlhq/trawl/scrape/source"
	"github.com/trawlhq/trawl/session"
	"github.com/trawlhq/trawl/store"
	"github.com/trawlhq/trawl/store/database"
	"github.com/trawlhq/trawl/webhook"
)

// How a server stops: it reports that it is not ready, serves what comes in the
// meantime until nothing is in flight, then closes; all in less than 30 seconds.
const (
	drainTime  = 20 * time.Second
	closeTime  = 7 * time.Second
	cutOffTime = time.Second
	lingerTime = time.Second // for what is not in flight: requests that are not complete, answers on their way
)

// How long a request may take to arrive, unless the API allows its body more.
const (
	headerTime  = 10 * time.Second
	requestTime = 30 * time.Second
)

// collectAt is how far the heap may grow between collections, in percent. What
// lives long is small here and what a request needs is soon garbage, so that
// collecting at the usual 100 would cost a tenth of all CPU time.
const collectAt = 300

// collectHard is the memory from which the heap may not grow like that any more.
const collectHard = 1 << 30

type serveCmd struct {
	options
	Demo bool `help:"Scrape a sample page after the start and show how it is done."`
}

// Run serves until the context ends.
func (c *serveCmd) Run(ctx context.Context, p *program, all settings) error {
	if p.env["GOGC"] == "" {
		debug.SetGCPercent(collectAt)
	}
	if p.env["GOMEMLIMIT"] == "" {
		debug.SetMemoryLimit(collectHard)
	}
	s, err := c.start(ctx, p, all)
	if err != nil {
		return err
	}
	defer s.close()
	if c.Demo {
		if err := s.demonstrate(ctx, p); err != nil {
			return err
		}
	}
	return s.wait(ctx)
}

// server is the running service.
type server struct {
	options       *options
	settings      settings
	log           *slog.Logger
	store         *store.Store
	blobs         source.Blobs
	observe       func(egress.Refusal) // is told what the guard refuses
	refused       *refusals
	documents     *document.Pool
	guard         *egress.Guard
	node          string        // name of this process among those that share the database
	pool          *browser.Pool // nil on a machine without a browser
	compiled      string        // folder for code that was compiled
	model         *model
	scraper       *scrape.Scraper
	jobs          *job.Engine
	monitors      *monitor.Service
	sessions      *session.Manager
	sessionSecret []byte
	api           *api.Server
	listener      net.Listener // of the API
	http          *http.Server
	address       string // where the API listens
	key           string // the first key, if this start made it
	cutOff        func() // ends the context of every request
	failed        chan error
	closers       []func() // run last to first
}

// start brings the service up part by part; when one fails, those before it are
// closed again.
func (c *serveCmd) start(ctx context.Context, p *program, all settings) (*server, error) {
	s := &server{
		options: &c.options, settings: all, log: newLogger(p.stderr, c.LogLevel, c.LogFormat), failed: make(chan error, 2), compiled: c.compiled(),
	}
	for _, step := range []func(context.Context, *program) error{s.openStore, s.bootstrap, s.bind, s.openAPI, s.listen} {
		if err := step(ctx, p); err != nil {
			s.close()
			return nil, err
		}
	}
	s.log.Info("ready", "listen", s.address, "version", trawl.Version)
	return s, nil
}

func (s *server) close() {
	for i := len(s.closers) - 1; i >= 0; i-- {
		s.closers[i]()
	}
	s.closers = nil
}

// later registers what close undoes.
func (s *server) later(closer func()) { s.closers = append(s.closers, closer) }

// openStore opens the database, which on SQLite is this server's alone, and
// decides where large values go.
func (s *server) openStore(ctx context.Context, p *program) error {
	o := s.options
	if o.DatabaseURL == "" {
		unlock, err := database.Lock(o.DataDir)
		if err != nil {
			return err
		}
		s.later(unlock)
	}
	config := store.Config{
		DataDir: o.DataDir, DatabaseURL: o.DatabaseURL, Now: p.now, Concurrency: o.Concurrency, Retention: o.Retention,
		HistoryPages: o.HistoryPages, HistoryAge: o.HistoryRetention,
	}
	if o.BlobURL != "" {
		bucket, err := blob.Open(ctx, o.BlobURL, egress.Infrastructure())
		if err != nil {
			return err
		}
		config.Blobs, s.blobs = bucket, bucket
	}
	db, err := store.Open(ctx, config)
	if err != nil {
		return err
	}
	s.later(func() { _ = db.Close() })
	s.store = db
	if s.blobs == nil {
		s.blobs = db.Blobs()
	}
	return nil
}

// bootstrap makes sure that there is a default team and a key to it.
func (s *server) bootstrap(ctx context.Context, p *program) error {
	team, err := defaultTeam(ctx, s.store)
	if err != nil {
		return err
	}
	secret := s.options.APIKey
	if secret != "" {
		if _, err := s.store.Caller(ctx, trawl.HashSecret(secret)); trawl.ErrorCode(err) != trawl.CodeUnauthorized {
			return err
		}
	} else {
		keys, err := s.store.Keys(ctx, team.ID)
		if err != nil || len(keys) > 0 || !slices.Contains(s.options.Roles, "api") {
			return err
		}
		secret = trawl.NewSecret()
		s.key = secret
	}
	_, err = s.store.CreateKey(ctx, trawl.Key{TeamID: team.ID, Name: "first", Operator: true}, secret)
	if err != nil && (s.key != "" || trawl.ErrorCode(err) != trawl.CodeConflict) { // another node may have been faster
		return fmt.Errorf("create first key: %w", err)
	}
	if s.key != "" {
		fmt.Fprintf(p.stdout, "API key of team %s, shown only now: %s\n", team.Name, s.key)
	}
	return nil
}

// openAPI builds everything between the network and the store.
func (s *server) openAPI(ctx context.Context, p *program) error {
	o := s.options
	counter := prometheus.NewCounterVec(prometheus.CounterOpts{
		Name: "trawl_egress_refused_total", Help: "Connections that the egress guard refused, by class of address.",
	}, []string{"class"})
	s.refused = &refusals{now: p.now}
	s.observe = func(r egress.Refusal) {
		counter.WithLabelValues(r.Class.String()).Inc()
		s.refused.note(r)
	}
	if err := s.openEngine(ctx, p); err != nil {
		return err
	}
	var public *url.URL
	if o.PublicURL != "" {
		var err error
		if public, err = url.Parse(o.PublicURL); err != nil {
			return refuse("public-url", "%v", err)
		}
	}
	record, err := s.openAudit(p)
	if err != nil {
		return err
	}
	s.api = api.New(api.Config{
		MCP: s.tools(p, public), KeyInPath: o.MCPKeyInPath == "on",
		Store: s.store, Scraper: s.scraper, Jobs: s.jobs, Log: s.log, Now: p.now,
		Concurrency: o.Concurrency,
		Rates: map[string]int{
			api.ClassScrape: o.RateScrape, api.ClassCrawl: o.RateCrawl, api.ClassExtract: o.RateExtract, api.ClassBrowser: o.RateBrowser,
			api.ClassStatus: o.RateStatus,
		},
		Monitors: s.monitors, Sessions: s.sessions, Prompts: s.model.ready(), SessionSecret: s.sessionSecret, View: session.View(), ViewOver: session.ViewOver, Console: o.console(), Node: s.node, Forward: s.toNodes(),
		CheckWebhook: func(address string) error { return webhook.CheckURL(address, s.guard) },
		AuthOff:      o.Auth == "off", PublicURL: public, TrustedProxies: o.TrustedProxies, Strangers: o.AnonymousConnections,
		HideMetrics: o.MetricsListen != "", WorkerOnly: !slices.Contains(o.Roles, "api"), Browser: s.browserState,
		Features: s.features(p), Operation: &processReport{program: p, options: o, all: s.settings, server: s}, Audit: record, SharedSecret: o.WebhookSecret != "",
	})
	_, registry := s.api.Metrics()
	registry.MustRegister(s.jobs.Metrics()...)
	registry.MustRegister(browserMetrics(s.pool)...)
	registry.MustRegister(sessionMetrics(s.sessions)...)
	registry.MustRegister(s.model.metrics()...)
	return registry.Register(counter)
}

// openEngine builds what scrapes and jobs need between the network and the store,
// and starts the engine of jobs, which a node without the role of a worker only
// takes orders for.
func (s *server) openEngine(ctx context.Context, p *program) error {
	o := s.options
	s.guard = o.guard(s.log, s.observe)
	client, err := o.fetcher(s.guard)
	if err != nil {
		return err
	}
	s.later(client.Close)
	if s.pool, err = o.browser(p, s.guard, client, s.log); err != nil {
		return err
	}
	if s.pool != nil {
		s.later(s.pool.Close)
	}
	documents, err := o.servedDocuments(ctx, p, s.compiled, s.log)
	if err != nil {
		return err
	}
	s.later(documents.Close)
	s.documents = documents
	secret, err := s.store.Secret(ctx, "files")
	if err != nil {
		return err
	}
	if s.model, err = o.model(s.log); err != nil {
		return err
	}
	s.later(s.model.close)
	s.node = job.NewNode()
	s.scraper = scrape.New(scrape.Config{
		Fetch: sampled{client}, Browser: renderer(s.pool), Documents: documents, Store: s.store, History: s.store, Blobs: s.blobs, FileSecret: secret, Profiles: s.store, Node: s.node,
		Retention: o.Retention, Now: p.now, Extract: s.model.extract, ModelReady: s.model.ready(),
	})
	s.later(s.scraper.Close)
	sender := webhook.New(webhook.Config{Guard: s.guard, UserAgent: o.UserAgent, Now: p.now})
	s.later(sender.Close)
	s.jobs = job.New(job.Config{
		Store: s.store, Scraper: s.scraper, Fetch: sampled{client}, Webhooks: sender, WebhookSecret: o.WebhookSecret,
		Log: s.log, Now: p.now, CacheMaxBytes: int64(o.CacheMaxBytes), Idle: !slices.Contains(o.Roles, "worker"), Node: s.node,
		Extract: s.model.extract, Search: s.model.search,
	})
	if err := s.openMonitors(p); err != nil {
		return err
	}
	s.later(s.stopJobs)
	if err := s.jobs.Start(ctx); err != nil {
		return err
	}
	return s.openSessions(ctx, p, client)
}

// openMonitors builds what watches pages on a schedule.
func (s *server) openMonitors(p *program) error {
	config := monitor.Config{
		Store: s.store, Jobs: s.jobs, Options: s.scraper.Check, Model: s.model.extract.Model, Searches: s.model.search != nil,
		Spread: s.options.MonitorSpread == "on", Log: s.log, Now: p.now,
	}
	if s.options.SMTPURL != "" {
		server, err := monitor.NewSMTP(s.options.SMTPURL)
		if err != nil {
			return refuse("smtp-url", "%v", err)
		}
		server.Dial, server.Now = egress.Infrastructure().DialContext, p.now
		config.Mail = server
	}
	s.monitors = monitor.New(config)
	s.jobs.Extend(s.monitors)
	return nil
}

// console returns the page at /console, unless the operator wants none.
func (o *options) console() http.Handler {
	if o.Console == "off" {
		return nil
	}
	return console.Handler()
}

// stopJobs hands the pages that run back to the queue.
func (s *server) stopJobs() {
	ctx, cancel := context.WithTimeout(context.Background(), closeTime)
	defer cancel()
	if err := s.jobs.Stop(ctx); err != nil {
		s.log.Warn("jobs did not stop in time; what ran will be done again", "err", err)
	}
}

// guard returns the guard of the way out.
func (o *options) guard(log *slog.Logger, observe func(egress.Refusal)) *egress.Guard {
	return egress.New(egress.Config{Allow: o.AllowPrivate, Ports: o.AllowPorts, Log: log, Observe: observe})
}

// fetcher returns the client for targets, behind the guard.
func (o *options) fetcher(guard *egress.Guard) (*fetch.Client, error) {
	client, err := fetch.New(fetch.Config{
		Guard: guard, UserAgent: o.UserAgent, Basic: o.ProxyBasic, Enhanced: o.ProxyEnhanced,
	})
	if err != nil {
		return nil, fmt.Errorf("set up requests to targets: %w", err)
	}
	return client, nil
}

// bind takes the port of the API. Nobody is served before everything is there, but
// from now on it is known where.
func (s *server) bind(context.Context, *program) (err error) {
	if s.listener, err = net.Listen("tcp", s.options.Listen); err != nil {
		return fmt.Errorf("listen: %w", err)
	}
	s.later(func() { _ = s.listener.Close() })
	s.address = s.listener.Addr().String()
	return nil
}

// listen serves the API, and the metrics at another address if they have one.
func (s *server) listen(context.Context, *program) error {
	base, cancel := context.WithCancel(context.Background())
	s.cutOff = cancel
	s.later(cancel)
	s.http = s.serveOn(base, s.listener, &http.Server{Handler: s.api, ConnContext: s.api.ConnContext, ConnState: s.api.ConnState})
	if s.options.MetricsListen == "" {
		return nil
	}
	listener, err := net.Listen("tcp", s.options.MetricsListen)
	if err != nil {
		return fmt.Errorf("listen: %w", err)
	}
	handler, _ := s.api.Metrics()
	mux := http.NewServeMux()
	mux.Handle("GET /metrics", handler)
	s.serveOn(base, listener, &http.Server{Handler: mux})
	return nil
}

// serveOn runs a server on a port; requests still in flight when it is closed see
// their context end.
func (s *server) serveOn(base context.Context, listener net.Listener, server *http.Server) *http.Server {
	server.BaseContext = func(net.Listener) context.Context { return base }
	server.ReadHeaderTimeout, server.ReadTimeout, server.IdleTimeout = headerTime, requestTime, 2*time.Minute
	server.MaxHeaderBytes = 64 << 10
	server.ErrorLog = slog.NewLogLogger(s.log.Handler(), slog.LevelDebug)
	go func() {
		if err := server.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
			s.failed <- fmt.Errorf("serve %s: %w", listener.Addr(), err)
		}
	}()
	s.later(func() { _ = server.Close() })
	return server
}

// wait serves until the context ends or a listener fails, then stops gently.
func (s *server) wait(ctx context.Context) error {
	select {
	case err := <-s.failed:
		return err
	case <-ctx.Done():
	}
	s.log.Info("stopping")
	s.api.Drain()
	patience := time.Now().Add(drainTime)
	s.sessions.Close() // before the node takes its leave, and others its profiles
	s.stopJobs()
	s.drained(time.Until(patience))
	s.shut()
	if count := s.api.InFlight(); count > 0 {
		s.log.Warn("requests are cut off", "count", count)
		s.cutOff()
		s.drained(cutOffTime)
	}
	return nil
}

// shut accepts no connection any more and waits for requests in flight. Whoever
// has not finished sending a request is not waited for.
func (s *server) shut() {
	if s.linger() == nil {
		return
	}
	s.drained(closeTime - 2*lingerTime)
	_ = s.linger()
}

// linger closes what is idle, or becomes it within a moment.
func (s *server) linger() error {
	ctx, cancel := context.WithTimeout(context.Background(), lingerTime)
	defer cancel()
	return s.http.Shutdown(ctx)
}

// drained waits until nothing is in flight, but not longer than given.
func (s *server) drained(most time.Duration) {
	for deadline := time.Now().Add(most); s.api.InFlight() > 0 && time.Now().Before(deadline); {
		time.Sleep(20 * time.Millisecond)
	}
}

// localURL returns the address of the API as seen from this machine.
func (s *server) localURL() string {
	host, port, err := net.SplitHostPort(s.address)
	if err != nil {
		return "http://" + s.address
	}
	if ip := net.ParseIP(host); ip != nil && ip.IsUnspecified() {
		host = "127.0.0.1"
	}
	return "http://" + net.JoinHostPort(strings.Trim(host, "[]"), port)
}
