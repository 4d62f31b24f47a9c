package interact_test

import (
	"context"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/browser/chromium"
	"github.com/trawlhq/trawl/egress"
	"github.com/trawlhq/trawl/internal/testtime"
	"github.com/trawlhq/trawl/session"
	"github.com/trawlhq/trawl/store"
	"github.com/trawlhq/trawl/store/storetest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// noNames is a resolver that knows nobody, so that no look-up leaves the machine.
type noNames struct{}

func (noNames) LookupNetIP(_ context.Context, _, host string) ([]netip.Addr, error) {
	return nil, &net.DNSError{Err: "no such host", Name: host, IsNotFound: true}
}

// rig is a session in a real browser, and a site for it.
type rig struct {
	t       testing.TB
	manager *session.Manager
	who     trawl.Caller
	id      string
	site    *httptest.Server
	other   string // address of the same pages at another site
}

// newRig starts a session. Handlers are added to the pages of testdata.
func newRig(t testing.TB, handlers map[string]http.HandlerFunc, change ...func(*session.Config)) *rig {
	t.Helper()
	programs, err := chromium.Find("", "")
	if err != nil || programs.Chromium == "" {
		t.Fatalf("no Chromium (%v): run scripts/setup", err)
	}
	db, err := store.Open(t.Context(), store.Config{DataDir: storetest.Folder(t)})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	mux := http.NewServeMux()
	mux.Handle("/", http.FileServer(http.Dir("testdata")))
	for pattern, handler := range handlers {
		mux.HandleFunc(pattern, handler)
	}
	r := &rig{t: t, site: httptest.NewServer(mux)}
	t.Cleanup(r.site.Close)
	r.other = strings.Replace(r.site.URL, "127.0.0.1", "other.test", 1)
	config := session.Config{
		Store: db, Log: slog.New(slog.DiscardHandler), Now: time.Now, Program: programs.Chromium, Sessions: 30, Node: "node", NodeURL: "http://node",
		Patience: testtime.Patience, Local: map[string]http.Handler{"other.test": mux},
		Guard: egress.New(egress.Config{
			Allow: []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}, Resolver: noNames{}, Log: slog.New(slog.DiscardHandler),
		}),
		Keep: func(_ context.Context, _, base, contentType string, data []byte) (string, error) {
			return base + "/" + strings.Replace(contentType, "/", ".", 1), nil
		},
		Markdown: func(_ context.Context, address, html string) (string, error) { return "# " + address, nil },
	}
	for _, c := range change {
		c(&config)
	}
	r.manager = session.New(config)
	t.Cleanup(r.manager.Close)
	team, err := db.CreateTeam(context.Background(), trawl.Team{Name: "one"})
	if err != nil {
		t.Fatal(err)
	}
	key, err := db.CreateKey(context.Background(), trawl.Key{TeamID: team.ID, Name: "one"}, trawl.NewSecret())
	if err != nil {
		t.Fatal(err)
	}
	r.who = trawl.Caller{Team: team, Key: key}
	r.id = r.start()
	return r
}

// start starts another session.
func (r *rig) start() string {
	r.t.Helper()
	request := trawl.DefaultSessionRequest()
	row, err := r.manager.Create(context.Background(), r.who, &request)
	if err != nil {
		r.t.Fatal(err)
	}
	return row.ID
}

// run runs lines in the session. In them and in what they print, SITE stands for the
// address of the site.
func (r *rig) run(script string) trawl.Execution {
	r.t.Helper()
	return r.within(script, chromium.Patience(testtime.Patience).Limit(30*time.Second))
}

func (r *rig) within(script string, limit time.Duration) trawl.Execution {
	r.t.Helper()
	places := strings.NewReplacer("SITE", r.site.URL, "OTHER", r.other)
	out, err := r.manager.Execute(context.Background(), r.id, trawl.SessionOrder{
		Language: trawl.LanguageBash, Code: places.Replace(script), Time: limit, CDPURL: "ws://cdp", Base: "http://trawl",
	})
	if err != nil {
		r.t.Fatalf("%s: %v", script, err)
	}
	names := strings.NewReplacer(r.site.URL, "SITE", r.other, "OTHER", strings.TrimPrefix(r.site.URL, "http://"), "HOST")
	out.Stdout, out.Stderr, out.Result = names.Replace(out.Stdout), names.Replace(out.Stderr), names.Replace(out.Result)
	return out
}
