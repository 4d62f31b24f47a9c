package api_test

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/api"
	"github.com/trawlhq/trawl/egress"
	"github.com/trawlhq/trawl/extract"
	"github.com/trawlhq/trawl/fetch"
	"github.com/trawlhq/trawl/job"
	"github.com/trawlhq/trawl/llm"
	"github.com/trawlhq/trawl/monitor"
	"github.com/trawlhq/trawl/scrape"
	"github.com/trawlhq/trawl/search"
	"github.com/trawlhq/trawl/session"
	"github.com/trawlhq/trawl/store"
	"github.com/trawlhq/trawl/store/storetest"
	"github.com/trawlhq/trawl/webhook"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// service is the API over real parts: an SQLite store in a temporary folder, the
// guard opened to 127.0.0.1, and a local site to scrape.
type service struct {
	t      testing.TB
	server *httptest.Server
	api    *api.Server
	store  *store.Store
	engine *job.Engine
	site   *site
	dir    string
	log    *logbook
	clock  *clock
	team   trawl.Team
	key    string
}

// clock is the time of a service: the real one, moved forward by a test.
type clock struct {
	mu     sync.Mutex
	offset time.Duration
}

func (c *clock) now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return time.Now().Add(c.offset)
}

func (c *clock) advance(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.offset += d
}

// endpoints are the addresses of what an operator runs beside a service; what is
// empty there is none of.
type endpoints struct{ model, search string }

// start runs a service; change may alter its configuration first.
func start(t testing.TB, change ...func(*api.Config)) *service {
	t.Helper()
	return startBeside(t, endpoints{}, change...)
}

// startBeside runs a service that asks a language model or searches the web.
func startBeside(t testing.TB, beside endpoints, change ...func(*api.Config)) *service {
	t.Helper()
	s := &service{t: t, dir: storetest.Folder(t), log: &logbook{}, clock: &clock{}, site: newSite(t)}
	db, err := store.Open(t.Context(), store.Config{DataDir: s.dir, Now: s.clock.now})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	s.store = db
	log := slog.New(slog.NewJSONHandler(s.log, &slog.HandlerOptions{Level: slog.LevelDebug}))
	guard := egress.New(egress.Config{Allow: []netip.Prefix{netip.MustParsePrefix("127.0.0.1/32")}, Resolver: names{}, Log: log})
	client, err := fetch.New(fetch.Config{Guard: guard})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(client.Close)
	extractor, provider := beside.open(t)
	scraper := scrape.New(scrape.Config{
		Fetch: client, Documents: reader{}, Store: db, History: db, Blobs: db.Blobs(), Retention: 24 * time.Hour, Now: s.clock.now,
		Extract: extractor, ModelReady: extractor.Model != nil,
	})
	t.Cleanup(scraper.Close)
	sender := webhook.New(webhook.Config{Guard: guard, Now: s.clock.now})
	t.Cleanup(sender.Close)
	s.engine = job.New(job.Config{
		Store: db, Scraper: scraper, Fetch: client, Webhooks: sender, Log: log, Now: s.clock.now,
		Extract: extractor, Search: provider,
	})
	t.Cleanup(func() {
		if err := s.engine.Stop(context.Background()); err != nil {
			t.Error(err)
		}
	})
	monitors := monitor.New(monitor.Config{
		Store: db, Jobs: s.engine, Options: scraper.Check, Model: extractor.Model, Searches: provider != nil, Log: log, Now: s.clock.now,
	})
	s.engine.Extend(monitors)
	sessions := session.New(session.Config{Store: db, Log: log, Now: s.clock.now, Sessions: 1}) // without a browser
	t.Cleanup(sessions.Close)
	config := api.Config{
		Monitors: monitors, Sessions: sessions, Store: db, Scraper: scraper, Jobs: s.engine, Log: log, Now: s.clock.now, Concurrency: 50,
		CheckWebhook: func(address string) error { return webhook.CheckURL(address, guard) },
		Rates:        map[string]int{api.ClassScrape: 1e9, api.ClassCrawl: 1e9, api.ClassExtract: 1e9, api.ClassBrowser: 1e9, api.ClassStatus: 1e9},
	}
	for _, f := range change {
		f(&config)
	}
	s.team, s.key = s.newTeam(trawl.Team{Name: trawl.DefaultTeam, ZeroDataRetention: true})
	s.api = api.New(config)
	s.server = httptest.NewServer(s.api)
	t.Cleanup(s.server.Close)
	return s
}

// open returns what asks the endpoints.
func (e endpoints) open(t testing.TB) (*extract.Extractor, search.Provider) {
	t.Helper()
	extractor := &extract.Extractor{}
	if e.model != "" {
		client, err := llm.New(llm.Config{BaseURL: e.model, Model: "small"})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(client.Close)
		extractor.Model = client
	}
	if e.search == "" {
		return extractor, nil
	}
	provider, err := search.NewSearXNG(e.search, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(provider.Close)
	return extractor, provider
}

// startWorking runs a service whose jobs are worked on.
func startWorking(t testing.TB, change ...func(*api.Config)) *service {
	t.Helper()
	return start(t, change...).work()
}

// work begins to work on jobs.
func (s *service) work() *service {
	s.t.Helper()
	if err := s.engine.Start(s.t.Context()); err != nil {
		s.t.Fatal(err)
	}
	return s
}

// in returns the service for a test within the one that started it.
func (s *service) in(t testing.TB) *service {
	inner := *s
	inner.t = t
	return &inner
}

// names is a world in which names under inside.example are addresses of this
// machine that the guard is closed to, and all others do not exist.
type names struct{}

func (names) LookupNetIP(_ context.Context, _, host string) ([]netip.Addr, error) {
	if strings.HasSuffix(host, ".inside.example") {
		return []netip.Addr{netip.IPv6Loopback()}, nil
	}
	return nil, &net.DNSError{Err: "no such host", Name: host, IsNotFound: true}
}

// newTeam creates a team and a key to it.
func (s *service) newTeam(team trawl.Team) (trawl.Team, string) {
	s.t.Helper()
	created, err := s.store.CreateTeam(s.t.Context(), team)
	if err != nil {
		s.t.Fatal(err)
	}
	return created, s.newKey(trawl.Key{TeamID: created.ID, Name: "test"})
}

func (s *service) newKey(key trawl.Key) string {
	s.t.Helper()
	secret := trawl.NewSecret()
	if _, err := s.store.CreateKey(s.t.Context(), key, secret); err != nil {
		s.t.Fatal(err)
	}
	return secret
}

// call is one request; what is empty takes the usual value.
type call struct {
	method, path, body, key string
	header                  map[string]string
}

// reply is what came back, decoded where it is JSON.
type reply struct {
	status int
	header http.Header
	raw    []byte
	json   map[string]any
}

func (s *service) do(c call) reply {
	s.t.Helper()
	if c.method == "" {
		c.method = http.MethodPost
	}
	if c.path == "" {
		c.path = "/v2/scrape"
	}
	req, err := http.NewRequestWithContext(s.t.Context(), c.method, s.server.URL+c.path, strings.NewReader(c.body))
	if err != nil {
		s.t.Fatal(err)
	}
	if c.key != "" {
		req.Header.Set("Authorization", "Bearer "+c.key)
	}
	if c.body != "" {
		req.Header.Set("Content-Type", "application/json")
	}
	for name, value := range c.header {
		if name == "Host" {
			req.Host = value
		} else {
			req.Header.Set(name, value)
		}
	}
	resp, err := s.server.Client().Do(req)
	if err != nil {
		s.t.Fatal(err)
	}
	defer resp.Body.Close()
	r := reply{status: resp.StatusCode, header: resp.Header}
	if r.raw, err = io.ReadAll(resp.Body); err != nil {
		s.t.Fatal(err)
	}
	if strings.HasPrefix(resp.Header.Get("Content-Type"), "application/json") && c.method != http.MethodHead {
		if err := json.Unmarshal(r.raw, &r.json); err != nil {
			s.t.Fatalf("%s %s: %v in %q", c.method, c.path, err, r.raw)
		}
	}
	return r
}

// get reads a path with the default team's key.
func (s *service) get(path string) reply {
	s.t.Helper()
	return s.do(call{method: http.MethodGet, path: path, key: s.key})
}

// rest waits until all requests are answered, counted and logged.
func (s *service) rest() {
	for s.api.InFlight() > 0 {
		time.Sleep(time.Millisecond)
	}
}

// scrape scrapes a page of the local site with more fields for the body.
func (s *service) scrape(page string, fields ...string) reply {
	s.t.Helper()
	return s.do(call{key: s.key, body: s.body(page, fields...)})
}

func (s *service) body(page string, fields ...string) string {
	parts := append([]string{`"url":"` + s.site.URL + page + `"`}, fields...)
	return "{" + strings.Join(parts, ",") + "}"
}

// at follows a path of keys through the decoded answer.
func (r reply) at(path ...string) any {
	var v any = r.json
	for _, key := range path {
		object, _ := v.(map[string]any)
		v = object[key]
	}
	return v
}

func (r reply) str(path ...string) string {
	text, _ := r.at(path...).(string)
	return text
}

// want fails the test unless the status is as given.
func (r reply) want(t *testing.T, status int) reply {
	t.Helper()
	if r.status != status {
		t.Fatalf("status %d, want %d: %.500s", r.status, status, r.raw)
	}
	if success, ok := r.json["success"].(bool); ok && success != (status == http.StatusOK) {
		t.Fatalf("status %d with success %v", r.status, success)
	}
	return r
}

// site is a local web site that counts its visits.
type site struct {
	*httptest.Server
	mux    *http.ServeMux
	mu     sync.Mutex
	visits map[string]int
	last   http.Header
}

const article = `<!doctype html><html lang="en"><head><title>A title</title>
<meta name="description" content="About things"><meta property="og:title" content="Open title"></head>
<body><nav><a href="/nav">Navigation</a></nav><main><h1>Heading</h1>
<p>Some text with a <a href="next?a=1#part">link</a> and more words to read.</p>
<p class="note">A note. <img src="/a.png" alt="Picture"><img src="data:image/png;base64,AAAA" alt="Inline"></p></main>
<footer>Footer text</footer></body></html>`

func newSite(t testing.TB) *site {
	s := &site{mux: http.NewServeMux(), visits: map[string]int{}}
	s.page("/", "text/html; charset=utf-8", article)
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.mu.Lock()
		s.visits[r.URL.Path]++
		s.last = r.Header.Clone()
		s.mu.Unlock()
		s.mux.ServeHTTP(w, r)
	}))
	t.Cleanup(s.Server.Close)
	return s
}

// page serves a body under a path.
func (s *site) page(path, contentType, body string) {
	s.mux.HandleFunc(path, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", contentType)
		_, _ = io.WriteString(w, body)
	})
}

func (s *site) count(path string) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.visits[path]
}

func (s *site) header(name string) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.last.Get(name)
}

// logbook is what a service has logged.
type logbook struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (l *logbook) Write(b []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(b)
}

func (l *logbook) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.String()
}

func mustJSON(t testing.TB, v any) []byte {
	t.Helper()
	text, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return text
}
