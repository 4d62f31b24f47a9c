package monitor_test

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
	"github.com/trawlhq/trawl/extract"
	"github.com/trawlhq/trawl/fetch"
	"github.com/trawlhq/trawl/internal/testtime"
	"github.com/trawlhq/trawl/job"
	"github.com/trawlhq/trawl/llm"
	"github.com/trawlhq/trawl/monitor"
	"github.com/trawlhq/trawl/scrape"
	"github.com/trawlhq/trawl/search"
	"github.com/trawlhq/trawl/store"
	"github.com/trawlhq/trawl/store/storetest"
	"github.com/trawlhq/trawl/webhook"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// watcher is monitors over real parts: a store in a temporary folder, an engine of
// jobs, and a local site.
type watcher struct {
	*monitor.Service
	t      testing.TB
	store  *store.Store
	engine *job.Engine
	site   *site
	clock  *clock
	who    trawl.Caller
}

// clock is the real time, moved by a test.
type clock struct {
	mu     sync.Mutex
	offset time.Duration
}

func (c *clock) now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return time.Now().Add(c.offset)
}

func (c *clock) set(offset time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.offset = offset
}

// beside is what a test has beside the service.
type beside struct {
	model, search string
	mail          monitor.Mailer
}

// open builds a service whose engine is not started yet.
func open(t testing.TB, with beside) *watcher {
	t.Helper()
	w := &watcher{t: t, clock: &clock{}, site: newSite(t)}
	var err error
	if w.store, err = store.Open(t.Context(), store.Config{DataDir: storetest.Folder(t), Now: w.clock.now}); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = w.store.Close() })
	log := slog.New(slog.DiscardHandler)
	guard := egress.New(egress.Config{Allow: []netip.Prefix{netip.MustParsePrefix("127.0.0.1/32")}, Log: log})
	client, err := fetch.New(fetch.Config{Guard: guard})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(client.Close)
	extractor := &extract.Extractor{}
	if with.model != "" {
		model, err := llm.New(llm.Config{BaseURL: with.model, Model: "small"})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(model.Close)
		extractor.Model = model
	}
	scraper := scrape.New(scrape.Config{
		Fetch: client, Store: w.store, History: w.store, Blobs: w.store.Blobs(), Retention: time.Hour, Now: w.clock.now,
		Extract: extractor, ModelReady: with.model != "",
	})
	t.Cleanup(scraper.Close)
	sender := webhook.New(webhook.Config{Guard: guard, Now: w.clock.now})
	t.Cleanup(sender.Close)
	jobs := job.Config{Store: w.store, Scraper: scraper, Fetch: client, Webhooks: sender, Log: log, Now: w.clock.now}
	config := monitor.Config{Store: w.store, Options: scraper.Check, Searches: with.search != "", Mail: with.mail, Log: log, Now: w.clock.now}
	config.Model = extractor.Model
	if with.search != "" {
		provider, err := search.NewSearXNG(with.search, nil)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(provider.Close)
		jobs.Search = provider
	}
	w.engine = job.New(jobs)
	config.Jobs = w.engine
	w.Service = monitor.New(config)
	w.engine.Extend(w.Service)
	t.Cleanup(func() {
		ctx, cancel := testtime.Ending(t)
		defer cancel()
		if err := w.engine.Stop(ctx); err != nil {
			t.Error(err)
		}
	})
	team, err := w.store.CreateTeam(t.Context(), trawl.Team{Name: "watchers"})
	if err != nil {
		t.Fatal(err)
	}
	w.who.Team = team
	return w
}

func (w *watcher) start() *watcher {
	w.t.Helper()
	if err := w.engine.Start(w.t.Context()); err != nil {
		w.t.Fatal(err)
	}
	return w
}

// watch creates a monitor of paths of the site.
func (w *watcher) watch(change func(*trawl.MonitorRequest), paths ...string) trawl.Monitor {
	w.t.Helper()
	target := trawl.MonitorTarget{Type: trawl.TargetScrape}
	for _, path := range paths {
		target.URLs = append(target.URLs, w.site.URL+path)
	}
	req := trawl.MonitorRequest{Name: "Test", Schedule: &trawl.MonitorSchedule{Text: "every 30 minutes"}, Targets: []trawl.MonitorTarget{target}}
	if change != nil {
		change(&req)
	}
	m, err := w.Create(w.t.Context(), w.who, "http://127.0.0.1", req)
	if err != nil {
		w.t.Fatal(err)
	}
	return m.Monitor
}

// check runs a check and returns it with its pages once it has ended.
func (w *watcher) check(m trawl.Monitor) (trawl.Check, []trawl.CheckPage) {
	w.t.Helper()
	c, err := w.Run(w.t.Context(), w.who.Team.ID, m.ID)
	if err != nil {
		w.t.Fatal(err)
	}
	return w.ended(m, c.ID)
}

func (w *watcher) ended(m trawl.Monitor, id string) (c trawl.Check, pages []trawl.CheckPage) {
	w.t.Helper()
	var err error
	testtime.Until(w.t, "the end of a check", func() bool {
		c, err = w.Check(w.t.Context(), w.who.Team.ID, m.ID, id)
		return err != nil || c.Done()
	})
	if err == nil {
		pages, err = w.Pages(w.t.Context(), &c, "", 100, 0)
	}
	if err != nil {
		w.t.Fatal(err)
	}
	return c, pages
}

// site is a local site whose pages a test changes.
type site struct {
	*httptest.Server
	mu    sync.Mutex
	pages map[string]string
}

func newSite(t testing.TB) *site {
	s := &site{pages: map[string]string{}}
	s.Server = httptest.NewServer(http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		s.mu.Lock()
		body, ok := s.pages[r.URL.Path]
		s.mu.Unlock()
		if !ok {
			http.NotFound(rw, r)
			return
		}
		rw.Header().Set("Content-Type", "text/html")
		_, _ = io.WriteString(rw, body)
	}))
	t.Cleanup(s.Close)
	return s
}

// set makes a page of paragraphs.
func (s *site) set(path string, paragraphs ...string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.pages[path] = fmt.Sprintf("<main><p>%s</p></main>", strings.Join(paragraphs, "</p><p>"))
}

var _ monitor.Mailer = mailerFunc(nil)

type mailerFunc func(context.Context, monitor.Message) (bool, error)

func (f mailerFunc) Send(ctx context.Context, m monitor.Message) (bool, error) { return f(ctx, m) }
