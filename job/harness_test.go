package job_test

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/egress"
	"github.com/trawlhq/trawl/fetch"
	"github.com/trawlhq/trawl/internal/testtime"
	"github.com/trawlhq/trawl/job"
	"github.com/trawlhq/trawl/scrape"
	"github.com/trawlhq/trawl/store"
	"github.com/trawlhq/trawl/store/storetest"
	"github.com/trawlhq/trawl/webhook"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// service is an engine over real parts: an SQLite store in a temporary folder, the
// guard opened to 127.0.0.1, and a local site.
type service struct {
	*job.Engine
	t     testing.TB
	store *store.Store
	site  *site
	order job.Order
}

// start runs an engine; change may alter its configuration first.
func start(t testing.TB, change ...func(*job.Config)) *service {
	t.Helper()
	return startOn(t, openStore(t, storetest.Folder(t)), change...)
}

// openStore opens the store in a folder for the time of the test.
func openStore(t testing.TB, dir string) *store.Store {
	t.Helper()
	db, err := store.Open(t.Context(), store.Config{DataDir: dir})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	})
	return db
}

func startOn(t testing.TB, db *store.Store, change ...func(*job.Config)) *service {
	t.Helper()
	return startWith(t, db, newSite(t), change...)
}

// startWith runs an engine that crawls a site that is there already.
func startWith(t testing.TB, db *store.Store, web *site, change ...func(*job.Config)) *service {
	t.Helper()
	guard := egress.New(egress.Config{
		Allow: []netip.Prefix{netip.MustParsePrefix("127.0.0.1/32")}, Resolver: names{}, Log: slog.New(slog.DiscardHandler),
	})
	client, err := fetch.New(fetch.Config{Guard: guard})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(client.Close)
	config := job.Config{
		Store: db, Fetch: client, Now: time.Now,
		Log: slog.New(slog.NewTextHandler(logTo{t}, &slog.HandlerOptions{Level: slog.LevelWarn})),
	}
	now := func() time.Time { return config.Now() }
	scraper := scrape.New(scrape.Config{Fetch: client, Store: db, History: db, Blobs: db.Blobs(), Retention: time.Hour, Now: now})
	t.Cleanup(scraper.Close)
	sender := webhook.New(webhook.Config{Guard: guard, Now: now})
	t.Cleanup(sender.Close)
	config.Scraper, config.Webhooks = scraper, sender
	for _, f := range change {
		f(&config)
	}
	s := (&service{Engine: job.New(config), t: t, store: db, site: web}).as(trawl.Team{ZeroDataRetention: true})
	if err := s.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		ctx, cancel := testtime.Ending(t)
		defer cancel()
		if err := s.Stop(ctx); err != nil {
			t.Error(err)
		}
	})
	return s
}

// names is a world in which everything under site.test is the local site, and
// nothing else exists.
type names struct{}

func (names) LookupNetIP(_ context.Context, _, host string) ([]netip.Addr, error) {
	if host == "site.test" || strings.HasSuffix(host, ".site.test") {
		return []netip.Addr{netip.MustParseAddr("127.0.0.1")}, nil
	}
	return nil, &net.DNSError{Err: "no such host", Name: host, IsNotFound: true}
}

// as returns the service as a new team sees it.
func (s *service) as(team trawl.Team) *service {
	s.t.Helper()
	team.Name = rand.Text()
	team, err := s.store.CreateTeam(s.t.Context(), team)
	if err != nil {
		s.t.Fatal(err)
	}
	c := *s
	c.order = job.Order{Caller: trawl.Caller{Team: team}, Secret: trawl.NewSecret()}
	return &c
}

// on returns the service for a part of the test.
func (s *service) on(t testing.TB) *service {
	c := *s
	c.t = t
	return &c
}

// apart returns the service for a part of the test, with a site and a team of its
// own.
func (s *service) apart(t testing.TB) *service {
	t.Helper()
	c := s.on(t).as(trawl.Team{})
	c.site = newSite(t)
	return c
}

type logTo struct{ t testing.TB }

func (l logTo) Write(b []byte) (int, error) {
	l.t.Log(strings.TrimSpace(string(b)))
	return len(b), nil
}

// longest is the most that a page may take, in milliseconds: how long one is held at
// a gate depends on the machine.
const longest = 300_000

// crawlRequest is a crawl of the site with the defaults, changed by change.
func (s *service) crawlRequest(path string, change ...func(*trawl.CrawlRequest)) trawl.CrawlRequest {
	req := trawl.DefaultCrawlRequest()
	req.ScrapeOptions.Timeout = longest
	req.URL = s.site.URL + path
	for _, f := range change {
		f(&req)
	}
	return req
}

// crawl runs a crawl to its end.
func (s *service) crawl(path string, change ...func(*trawl.CrawlRequest)) trawl.Job {
	s.t.Helper()
	receipt, err := s.Crawl(s.t.Context(), s.order, s.crawlRequest(path, change...))
	if err != nil {
		s.t.Fatal(err)
	}
	return s.finished(trawl.KindCrawl, receipt.ID)
}

// finished waits for the end of a job.
func (s *service) finished(kind, id string) trawl.Job {
	s.t.Helper()
	ctx := testtime.Context(s.t)
	j := trawl.Job{ID: id, TeamID: s.order.Caller.Team.ID, Kind: kind}
	for !j.Done() || j.State == "" {
		next, err := s.Wait(ctx, j)
		if err != nil {
			s.t.Fatal(err)
		}
		if j = next; ctx.Err() != nil {
			s.t.Fatalf("still %+v", j)
		}
	}
	return j
}

// batchRequest is a batch of paths of the site, or of whole addresses.
func (s *service) batchRequest(paths ...string) trawl.BatchRequest {
	req := trawl.DefaultBatchRequest()
	req.Timeout = longest
	for _, path := range paths {
		if strings.HasPrefix(path, "/") {
			path = s.site.URL + path
		}
		req.URLs = append(req.URLs, path)
	}
	return req
}

// ordered is an order that went well.
func (s *service) ordered(receipt job.Receipt, err error) job.Receipt {
	s.t.Helper()
	if err != nil {
		s.t.Fatal(err)
	}
	return receipt
}

// batch runs a batch to its end.
func (s *service) batch(req trawl.BatchRequest) trawl.Job {
	s.t.Helper()
	return s.finished(trawl.KindBatch, s.ordered(s.Batch(s.t.Context(), s.order, req)).ID)
}

// get reads a job.
func (s *service) get(kind, id string) trawl.Job {
	s.t.Helper()
	j, err := s.Job(s.t.Context(), s.order.Caller.Team.ID, kind, id)
	if err != nil {
		s.t.Fatal(err)
	}
	return j
}

// page is what tests look at of a document.
type page struct {
	Markdown string
	Metadata struct {
		SourceURL, URL, ScrapeID, Error string
		StatusCode                      int
	}
	ChangeTracking *trawl.ChangeTracking
	Warning        string
}

// documents returns the documents of a job, in order.
func (s *service) documents(j trawl.Job) []page {
	s.t.Helper()
	var list []page
	for {
		docs, err := s.Documents(s.t.Context(), &j, s.order.Secret, len(list), 100)
		if err != nil {
			s.t.Fatal(err)
		}
		if len(docs) == 0 {
			return list
		}
		for _, doc := range docs {
			var p page
			if err := json.Unmarshal(doc, &p); err != nil {
				s.t.Fatalf("%v in %s", err, doc)
			}
			list = append(list, p)
		}
	}
}

// paths returns the paths of the documents of a job, sorted.
func (s *service) paths(j trawl.Job) []string {
	s.t.Helper()
	list := []string{}
	for _, doc := range s.documents(j) {
		list = append(list, s.site.short(doc.Metadata.SourceURL))
	}
	slices.Sort(list)
	return list
}

// expect checks the state and the documents of a job, given by their paths.
func (s *service) expect(j trawl.Job, state string, want ...string) {
	s.t.Helper()
	slices.Sort(want)
	if got := s.paths(j); j.State != state || !slices.Equal(got, want) {
		s.t.Errorf("%s %q, want %s %q: %v %s", j.State, got, state, want, s.fates(j), j.Error)
	}
	if j.Completed != len(want) || j.Total != j.Completed+j.Failed {
		s.t.Errorf("%d of %d pages completed, %d failed, but %d documents", j.Completed, j.Total, j.Failed, len(want))
	}
}

// failures returns the codes of the pages that failed, and what robots.txt forbids.
func (s *service) failures(j trawl.Job) (codes map[string]trawl.Code, robots []string) {
	s.t.Helper()
	failed, robots, err := s.Errors(s.t.Context(), j.ID)
	if err != nil {
		s.t.Fatal(err)
	}
	codes = map[string]trawl.Code{}
	for _, f := range failed {
		if f.ID == "" || f.Text == "" || f.At.IsZero() {
			s.t.Errorf("an error that says too little: %+v", f)
		}
		codes[s.site.short(f.URL)] = f.Code
	}
	for i := range robots {
		robots[i] = s.site.short(robots[i])
	}
	slices.Sort(robots)
	return codes, robots
}

// fates returns what became of the paths that a job has seen.
func (s *service) fates(j trawl.Job) map[string]string {
	s.t.Helper()
	fates := map[string]string{}
	for cursor := ""; ; {
		list, next, _, err := s.Explain(s.t.Context(), j.ID, "", cursor, 3)
		if err != nil {
			s.t.Fatal(err)
		}
		for _, v := range list {
			fates[s.site.short(v.URL)] = strings.TrimSpace(v.Fate + " " + s.site.short(v.Detail))
		}
		if cursor = next; cursor == "" {
			return fates
		}
	}
}

// balance returns what the team has left and has used.
func (s *service) balance() (left *int64, used int64) {
	s.t.Helper()
	team, err := s.store.Team(s.t.Context(), s.order.Caller.Team.Name)
	if err != nil {
		s.t.Fatal(err)
	}
	periods, err := s.store.Usage(s.t.Context(), team.ID, false)
	if err != nil {
		s.t.Fatal(err)
	}
	for _, p := range periods {
		used += p.Credits
	}
	return team.Credits, used
}

// receive waits for a signal.
func receive[T any](t testing.TB, c <-chan T) T {
	t.Helper()
	return testtime.Receive(t, "what is waited for happens", c)
}

// eventually waits for what nobody signals.
func eventually(t testing.TB, ok func() bool) {
	t.Helper()
	testtime.Until(t, "what is waited for is so", ok)
}

func wantCode(t testing.TB, err error, code trawl.Code) {
	t.Helper()
	if err == nil || trawl.ErrorCode(err) != code {
		t.Errorf("error %v (%s), want %s", err, trawl.ErrorCode(err), code)
	}
}

// site is a local web site whose pages link to each other.
type site struct {
	*httptest.Server
	mu     sync.Mutex
	pages  map[string]http.HandlerFunc
	visits map[string]int
}

func newSite(t testing.TB) *site {
	s := &site{pages: map[string]http.HandlerFunc{}, visits: map[string]int{}}
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		host, _, _ := net.SplitHostPort(r.Host)
		if host == "127.0.0.1" {
			host = ""
		}
		s.mu.Lock()
		s.visits[host+r.URL.RequestURI()]++
		page := s.pages[host+r.URL.Path]
		s.mu.Unlock()
		if page == nil {
			http.NotFound(w, r)
			return
		}
		page(w, r)
	}))
	t.Cleanup(s.Close)
	return s
}

// at returns the address of a page; a path on another host has its name in front.
func (s *site) at(path string) string {
	if strings.HasPrefix(path, "/") {
		return s.URL + path
	}
	host, rest, _ := strings.Cut(path, "/")
	return "http://" + host + ":" + s.port() + "/" + rest
}

func (s *site) port() string { return s.URL[strings.LastIndexByte(s.URL, ':')+1:] }

// short undoes at.
func (s *site) short(address string) string {
	if rest, ok := strings.CutPrefix(address, s.URL); ok {
		return rest
	}
	return strings.TrimPrefix(strings.Replace(address, ":"+s.port(), "", 1), "http://")
}

// handle serves a path.
func (s *site) handle(path string, page http.HandlerFunc) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.pages[path] = page
}

// page serves an HTML page with links.
func (s *site) page(path string, links ...string) {
	s.text(path, "text/html", linked(path, links...))
}

func linked(path string, links ...string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "<html><head><title>%s</title></head><body><main><h1>%s</h1><p>Words of the page.</p>", path, path)
	for _, link := range links {
		fmt.Fprintf(&b, "<p><a href=%q>%s</a></p>", link, link)
	}
	return b.String() + "</main></body></html>"
}

// text serves a body.
func (s *site) text(path, contentType, body string) {
	s.handle(path, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", contentType)
		_, _ = io.WriteString(w, body)
	})
}

// redirect serves a redirect to a page.
func (s *site) redirect(path, to string) {
	s.handle(path, func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, s.at(to), http.StatusFound) })
}

// gate holds back those who ask for a page until it is opened.
type gate struct {
	entered chan string   // somebody asks; the path
	left    chan string   // somebody hung up before it was opened
	opened  chan struct{} // lets one through, or all once it is closed
}

func newGate() *gate {
	return &gate{entered: make(chan string, 1000), left: make(chan string, 1000), opened: make(chan struct{})}
}

// open lets everybody through.
func (g *gate) open() { close(g.opened) }

// hold waits, and reports whether the gate was opened.
func (g *gate) hold(r *http.Request) bool {
	g.entered <- r.URL.Path
	select {
	case <-g.opened:
		return true
	case <-r.Context().Done():
		g.left <- r.URL.Path
		return false
	}
}

// gated serves pages behind a gate.
func (s *site) gated(g *gate, paths ...string) {
	for _, path := range paths {
		s.handle(path, func(w http.ResponseWriter, r *http.Request) {
			if g.hold(r) {
				w.Header().Set("Content-Type", "text/html")
				_, _ = io.WriteString(w, linked(path))
			}
		})
	}
}

// numbered returns paths that end in numbers from 1.
func numbered(prefix string, count int) []string {
	list := make([]string, count)
	for i := range list {
		list[i] = fmt.Sprint(prefix, i+1)
	}
	return list
}

func (s *site) count(uri string) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.visits[uri]
}
