package job_test

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/egress"
	"github.com/trawlhq/trawl/fetch"
	"github.com/trawlhq/trawl/job"
	"github.com/trawlhq/trawl/scrape"
	"github.com/trawlhq/trawl/store"
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
	db, err := store.Open(t.Context(), store.Config{DataDir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	return startOn(t, db, change...)
}

func startOn(t testing.TB, db *store.Store, change ...func(*job.Config)) *service {
	t.Helper()
	guard := egress.New(egress.Config{Allow: []netip.Prefix{netip.MustParsePrefix("127.0.0.1/32")}, Log: slog.New(slog.DiscardHandler)})
	client, err := fetch.New(fetch.Config{Guard: guard})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(client.Close)
	scraper := scrape.New(scrape.Config{Fetch: client, Store: db, Blobs: db.Blobs(), Retention: time.Hour, Now: time.Now})
	t.Cleanup(scraper.Close)
	sender := webhook.New(webhook.Config{Guard: guard, Now: time.Now})
	t.Cleanup(sender.Close)
	config := job.Config{
		Store: db, Scraper: scraper, Fetch: client, Webhooks: sender, Now: time.Now,
		Log: slog.New(slog.NewTextHandler(logTo{t}, &slog.HandlerOptions{Level: slog.LevelWarn})),
	}
	for _, f := range change {
		f(&config)
	}
	s := &service{Engine: job.New(config), t: t, store: db, site: newSite(t)}
	team, err := db.CreateTeam(t.Context(), trawl.Team{Name: fmt.Sprint(t.Name(), time.Now().UnixNano()), ZeroDataRetention: true})
	if err != nil {
		t.Fatal(err)
	}
	s.order.Caller.Team = team
	if err := s.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
		defer cancel()
		if err := s.Stop(ctx); err != nil {
			t.Error(err)
		}
	})
	return s
}

type logTo struct{ t testing.TB }

func (l logTo) Write(b []byte) (int, error) {
	l.t.Log(strings.TrimSpace(string(b)))
	return len(b), nil
}

// crawlRequest is a crawl of the site with the defaults, changed by change.
func (s *service) crawlRequest(path string, change ...func(*trawl.CrawlRequest)) trawl.CrawlRequest {
	req := trawl.DefaultCrawlRequest()
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
	ctx, cancel := context.WithTimeout(s.t.Context(), 60*time.Second)
	defer cancel()
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

// paths returns the paths of the documents of a job, in order.
func (s *service) paths(j trawl.Job) []string {
	s.t.Helper()
	var list []string
	for skip := 0; ; {
		docs, err := s.Documents(s.t.Context(), &j, s.order.Secret, skip, 100)
		if err != nil {
			s.t.Fatal(err)
		}
		if len(docs) == 0 {
			return list
		}
		for _, doc := range docs {
			_, rest, _ := strings.Cut(string(doc), `"sourceURL":"`+s.site.URL)
			path, _, _ := strings.Cut(rest, `"`)
			list = append(list, path)
		}
		skip += len(docs)
	}
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
			fates[strings.TrimPrefix(v.URL, s.site.URL)] = strings.TrimSpace(v.Fate + " " + strings.TrimPrefix(v.Detail, s.site.URL))
		}
		if cursor = next; cursor == "" {
			return fates
		}
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
		s.mu.Lock()
		s.visits[r.URL.RequestURI()]++
		page := s.pages[r.URL.Path]
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

func (s *site) count(uri string) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.visits[uri]
}
