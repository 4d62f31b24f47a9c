// Package api is the HTTP face of the service.
//
// A request passes, in this order: its id and the access log, the route table
// (route.go), the gate (gate.go: JSON syntax, key, rate limit, credits), the
// validation that is generated from the types of the root package (schema.go),
// and the handler of its endpoint family (scrape.go, crawl.go, team.go, …).
// A file that is uploaded (parse.go, upload.go) is read after the gate. How long a
// body may take, and how many connections an address may have before it shows a
// key, is in connection.go.
// Whatever goes wrong becomes one error shape (error.go). The OpenAPI document
// and the reference at /docs (docs.go) are made from the same types and the same
// table; the pages below it (manual.go) are those of package docs.
//
// Requests of the first version of the API (v1.go) are translated by package v1
// between the gate and the validation, and the answers on their way back.
//
// The status of a job (status.go) can also be followed as it changes (follow.go):
// through server-sent events (events.go) or a socket (watch.go).
//
// Language models get the same as tools, at /mcp (tools.go).
//
// A remote browser (session.go) has addresses of its own, for programs and for
// people (devtools.go). Every node takes requests for every session and passes on
// those that only the node can answer that holds it (forward.go).
package api

import (
	"context"
	"log/slog"
	"net/http"
	"net/netip"
	"net/url"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humago"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/limit"
	"github.com/trawlhq/trawl/scrape"
	"github.com/trawlhq/trawl/store"
)

// Store is what the API itself reads from the store.
type Store interface {
	Ping(ctx context.Context) error
	Caller(ctx context.Context, secretHash string) (trawl.Caller, error)
	Team(ctx context.Context, name string) (trawl.Team, error)
	Document(ctx context.Context, teamID, id string) ([]byte, error)
	UsageStore
	KeyStore
	OperatorStore
	FileStore
	ProfileStore
	FeedbackStore
	UploadStore
	SecretStore
	ReplayStore
}

// ReplayStore knows how pages of scrapes can be opened again, and the sessions that do.
type ReplayStore interface {
	ScrapeReplay(ctx context.Context, teamID, id string) (trawl.Replay, error)
	SessionOfScrape(ctx context.Context, teamID, scrapeID string) (trawl.Session, error)
}

// UsageStore is what the team endpoints report from.
type UsageStore interface {
	Usage(ctx context.Context, teamID string, byKey bool) ([]trawl.UsagePeriod, error)
	DailyUsage(ctx context.Context, teamID string, since time.Time) ([]trawl.UsageDay, error)
	Activity(ctx context.Context, teamID string, q store.ActivityQuery) ([]store.Activity, string, error)
	ActivityOf(ctx context.Context, teamID, id string) (store.Activity, error)
	JobOrder(ctx context.Context, teamID, id string) (trawl.Job, []string, error)
	Jobs(ctx context.Context, teamID, kind, state string, limit int, cursor string) ([]trawl.Job, string, error)
	LastSuccess(ctx context.Context, teamID string) (time.Time, error)
}

// KeyStore is what the keys of a team are kept in.
type KeyStore interface {
	CreateKey(ctx context.Context, key trawl.Key, secret string) (trawl.Key, error)
	Keys(ctx context.Context, teamID string) ([]trawl.Key, error)
	KeyUses(ctx context.Context, teamID string) (map[string]store.KeyUse, error)
	ChangeKey(ctx context.Context, teamID string, number int64, change func(*trawl.Key)) (trawl.Key, error)
	RevokeKey(ctx context.Context, id string) error
}

// Scraper scrapes pages and parses files.
type Scraper interface {
	Check(o *trawl.ScrapeOptions) error
	Scrape(ctx context.Context, req scrape.Request) (*trawl.Document, error)
	Parse(ctx context.Context, req scrape.ParseRequest) (*trawl.Document, error)
	Live(ctx context.Context, req scrape.Request, read func(context.Context, trawl.LiveOrder) (trawl.LivePage, error)) (*trawl.Document, error)
}

// Config is what a Server works with.
type Config struct {
	Store   Store
	Scraper Scraper
	Jobs    Jobs
	Log     *slog.Logger
	Now     func() time.Time

	Monitors      Monitors
	Sessions      Sessions
	Prompts       bool                             // sessions understand words
	SessionSecret []byte                           // what the addresses of sessions are signed with
	View          http.Handler                     // the page on which a session is watched, and its parts
	ViewOver      func(reason string) http.Handler // the page of a session that has ended
	Console       http.Handler                     // the page on which people use the service; nil for none
	MCP           func(*Server) MCP                // makes the tools for language models; nil for none
	KeyInPath     bool                             // their path may have the key in it
	Node          string                           // name of this process among those that hold sessions
	Forward       http.RoundTripper                // the way to other nodes; nil if there are none

	CheckWebhook func(address string) error // whether events may be sent there
	SharedSecret bool                       // one secret signs the events of all teams

	Concurrency    int            // of a team without a setting of its own
	Rates          map[string]int // requests a minute and team, by class
	AuthOff        bool           // everyone is the default team
	PublicURL      *url.URL       // base of absolute addresses; nil takes it from the request
	TrustedProxies []netip.Prefix // whose X-Forwarded headers count
	Strangers      int            // connections of one address without a valid key; 0 for any number
	HideMetrics    bool           // /metrics is served elsewhere
	WorkerOnly     bool           // only health and metrics are served
	Browser        func() string  // state of the browser, as /readyz tells it
	Features       Features       // what this server can do
	Operation      Operation      // what operators see of it; nil: nothing
	Audit          Audit          // takes down who did what; nil: nobody does
}

// Server answers the API's requests. It is an http.Handler.
type Server struct {
	Config
	mux       *http.ServeMux
	huma      huma.API
	routes    map[string]entry // by pattern
	rate      *limit.Rate
	slots     *limit.Slots
	metrics   *metrics
	callers   *callers
	strangers *strangers
	options   huma.Registry   // the schema of parse's options
	uploads   chan struct{}   // holds a token for each large upload in memory
	senders   *limit.Slots    // those that a team has of them
	manual    *manual         // what /docs shows
	tools     MCP             // what /mcp speaks with; nil for nothing
	draining  context.Context // ends when the server is about to stop
	drain     context.CancelFunc
	inFlight  atomic.Int64

	started  time.Time
	checking sync.Mutex // held while the installation is checked, which starts a browser

	bodyTimes             bodyTimes
	eventPing, socketPing time.Duration // how long a follower may hear nothing
}

// New returns a Server with all routes in place.
func New(config Config) *Server {
	useErrorShape()
	if config.Browser == nil {
		config.Browser = func() string { return "missing" }
	}
	s := &Server{
		Config:  config,
		started: config.Now(),
		mux:     http.NewServeMux(),
		routes:  map[string]entry{},
		rate:    limit.NewRate(config.Now),
		slots:   limit.NewSlots(config.Now),
		metrics: newMetrics(),
		callers: &callers{store: config.Store, now: config.Now, known: map[string]knownCaller{}},
		options: newOptions(),
		uploads: make(chan struct{}, max(mostUploads, runtime.GOMAXPROCS(0))),
		senders: limit.NewSlots(config.Now),
		manual:  newManual(config.PublicURL),

		bodyTimes: bodyTimes{stranger: 10 * time.Second, caller: 30 * time.Second, upload: 2 * time.Minute},
		eventPing: 15 * time.Second, socketPing: 30 * time.Second,
	}
	s.strangers = newStrangers(config.Strangers, s.trusted)
	s.draining, s.drain = context.WithCancel(context.Background())
	s.huma = humago.New(s.mux, s.humaConfig())
	s.register()
	complete(s.huma.OpenAPI())
	if config.MCP != nil {
		s.tools = config.MCP(s)
	}
	return s
}

// Drain makes the server report that it is not ready, so that no new requests
// are sent to it while those in flight finish. Whoever follows a job or waits
// for it to change is sent away: there is another server, or soon will be.
func (s *Server) Drain() { s.drain() }

// InFlight returns how many requests are being answered. Those that have become
// the socket of a session do not count: they end with the session.
func (s *Server) InFlight() int { return int(s.inFlight.Load()) }

// humaConfig leaves to huma what it is best at, schemas and validation: the
// document and its page are routes of our own.
func (s *Server) humaConfig() huma.Config {
	config := huma.DefaultConfig("Trawl", trawl.Version)
	config.Info.Description = "Clean access to the web for programs: scrape, crawl, map and search sites as markdown, HTML, links, images and metadata, and extract data from them."
	config.Info.License = &huma.License{Name: "Apache-2.0", Identifier: "Apache-2.0"}
	config.OpenAPIPath, config.DocsPath, config.SchemasPath = "", "", ""
	config.CreateHooks = nil // no $schema links in bodies
	config.Transformers = []huma.Transformer{s.translated}
	config.Formats = map[string]huma.Format{"application/json": jsonFormat, "json": jsonFormat}
	config.Components.SecuritySchemes = map[string]*huma.SecurityScheme{
		"key": {Type: "http", Scheme: "bearer", Description: "An API key of your team."},
	}
	describeTypes(config.Components.Schemas)
	return config
}
