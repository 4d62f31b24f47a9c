package session

import (
	"context"
	"crypto/x509"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	protocol "github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/cdproto/target"
	"go.uber.org/goleak"

	"github.com/trawlhq/trawl"

	"github.com/trawlhq/trawl/browser/chromium"
	"github.com/trawlhq/trawl/egress"
	"github.com/trawlhq/trawl/internal/testtime"
	"github.com/trawlhq/trawl/store"
	"github.com/trawlhq/trawl/store/storetest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// noNames is a resolver that knows nobody, so that no look-up leaves the machine.
type noNames struct{}

func (noNames) LookupNetIP(_ context.Context, _, host string) ([]netip.Addr, error) {
	return nil, &net.DNSError{Err: "no such host", Name: host, IsNotFound: true}
}

// env is a manager on a store of its own.
type env struct {
	*Manager
	t     testing.TB
	store *store.Store
	who   trawl.Caller
}

// newEnv returns a manager for one test, of a team with unlimited credits.
func newEnv(t testing.TB, change ...func(*Config)) *env {
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
	e := &env{t: t, store: db}
	e.who = e.team("one", -1)
	config := Config{
		Store: db, Log: slog.New(slog.DiscardHandler), Now: time.Now, Program: programs.Chromium, Sessions: 10, Node: "node", NodeURL: "http://node",
		Patience: testtime.Patience,
		Guard: egress.New(egress.Config{
			Allow: []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}, Resolver: noNames{}, Log: slog.New(slog.DiscardHandler),
		}),
	}
	for _, c := range change {
		c(&config)
	}
	e.Manager = New(config)
	t.Cleanup(e.Close)
	return e
}

// team adds a team; credits below zero mean unlimited.
func (e *env) team(name string, credits int64) trawl.Caller {
	e.t.Helper()
	team := trawl.Team{Name: name}
	if credits >= 0 {
		team.Credits = &credits
	}
	team, err := e.store.CreateTeam(context.Background(), team)
	if err != nil {
		e.t.Fatal(err)
	}
	key, err := e.store.CreateKey(context.Background(), trawl.Key{TeamID: team.ID, Name: name}, trawl.NewSecret())
	if err != nil {
		e.t.Fatal(err)
	}
	return trawl.Caller{Team: team, Key: key}
}

func request(change ...func(*trawl.SessionRequest)) *trawl.SessionRequest {
	req := trawl.DefaultSessionRequest()
	for _, c := range change {
		c(&req)
	}
	return &req
}

func withProfile(name string, save bool) func(*trawl.SessionRequest) {
	return func(r *trawl.SessionRequest) { r.Profile = &trawl.Profile{Name: name, SaveChanges: &save} }
}

// create starts a session that must start.
func (e *env) create(change ...func(*trawl.SessionRequest)) trawl.Session {
	e.t.Helper()
	row, err := e.Create(context.Background(), e.who, request(change...))
	if err != nil {
		e.t.Fatal(err)
	}
	return row
}

// ended waits until a session has ended, and returns its row.
func (e *env) ended(id string) trawl.Session {
	e.t.Helper()
	if r := e.find(id); r != nil {
		testtime.Receive(e.t, "the session ends", r.gone)
	}
	row, err := e.Get(context.Background(), id)
	if err != nil {
		e.t.Fatal(err)
	}
	return row
}

// evaluate runs a script in the first page of a session.
func (e *env) evaluate(id, script string) string {
	e.t.Helper()
	ctx, cancel := testtime.Ending(e.t)
	defer cancel()
	conn := e.find(id).process.Conn()
	found, err := protocol.Call(ctx, conn.Browser(), target.GetTargets, target.GetTargetsParams{})
	if err != nil {
		e.t.Fatal(err)
	}
	yes := true
	for _, info := range found.TargetInfos {
		if info.Type != "page" {
			continue
		}
		attached, err := protocol.Call(ctx, conn.Browser(), target.AttachToTarget, target.AttachToTargetParams{TargetID: info.TargetID, Flatten: &yes})
		if err != nil {
			e.t.Fatal(err)
		}
		page := conn.Session(string(attached.SessionID))
		defer func() {
			_ = conn.Browser().Call(ctx, "Target.detachFromTarget", map[string]any{"sessionId": attached.SessionID}, nil)
		}()
		result, err := protocol.Call(ctx, page, runtime.Evaluate, runtime.EvaluateParams{Expression: script, AwaitPromise: &yes, ReturnByValue: &yes})
		if err != nil || result.ExceptionDetails != nil {
			e.t.Fatalf("script: %v, %+v", err, result.ExceptionDetails)
		}
		return strings.Trim(string(result.Result.Value), `"`)
	}
	e.t.Fatal("no page")
	return ""
}

// visit leads the first page of a session to an address.
func (e *env) visit(id, address string) {
	e.t.Helper()
	e.evaluate(id, fmt.Sprintf("new Promise(r => setTimeout(r, 0, location.href = %q))", address))
	testtime.Until(e.t, "the page is loaded", func() bool {
		return e.evaluate(id, "document.readyState + location.href") == "complete"+address
	})
}

// plainSite serves the same page at every path.
func plainSite(t testing.TB) string {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		_, _ = io.WriteString(w, "<title>Plain</title><p>page")
	}))
	t.Cleanup(server.Close)
	return server.URL
}

func alive(pid int) bool { return syscall.Kill(pid, 0) == nil }

func TestLife(t *testing.T) {
	t.Parallel()
	e := newEnv(t)
	row := e.create(func(r *trawl.SessionRequest) { r.TTL = 100; r.ActivityTTL = 50; r.StreamWebView = false })
	if !row.Active() || row.ExpiresAt.Sub(row.CreatedAt) != 100*time.Second || row.ActivityTTL != 50*time.Second || row.Stream || row.Credits != 2 ||
		row.Node != "node" || row.NodeURL != "http://node" {
		t.Errorf("session = %+v", row)
	}
	pid := e.find(row.ID).process.PID()
	if stats := e.Stats(); !e.Holds(row.ID) || !alive(pid) || stats.Active != 1 || stats.Created != 1 {
		t.Errorf("it does not run: %+v", stats)
	}
	e.visit(row.ID, plainSite(t)+"/")
	over, err := e.Destroy(t.Context(), row.ID)
	if err != nil || over.Active() || over.Reason != trawl.EndDeleted || over.Credits != 2 || over.DestroyedAt.IsZero() {
		t.Errorf("destroyed: %+v, %v", over, err)
	}
	if again, err := e.Destroy(t.Context(), row.ID); err != nil || again != over {
		t.Errorf("destroyed again: %+v, %v", again, err)
	}
	if e.Holds(row.ID) || alive(pid) {
		t.Error("it still runs")
	}
	if _, err := e.Destroy(t.Context(), "01890000-0000-7000-8000-000000000000"); trawl.ErrorCode(err) != trawl.CodeNotFound {
		t.Errorf("unknown: %v", err)
	}
	list, err := e.List(t.Context(), e.who.Team.ID, "")
	if err != nil || len(list) != 1 || list[0] != over {
		t.Errorf("list = %+v, %v", list, err)
	}
}

// Sessions end when their time is up, when nobody uses them, when their browser
// dies and when the team cannot pay; each by itself.
// A clock that is set an hour forth, and then back, neither ends a session nor charges
// for minutes that were none, nor for none of those that were.
func TestClockJumps(t *testing.T) {
	t.Parallel()
	var jump atomic.Int64
	e := newEnv(t, func(c *Config) {
		c.Now = func() time.Time { return time.Now().Round(0).Add(time.Duration(jump.Load())) }
	})
	e.minute = 2 * time.Second
	row := e.create(func(r *trawl.SessionRequest) { r.TTL, r.ActivityTTL = 3600, 3000 })
	r := e.find(row.ID)
	paid := func() int64 {
		row, err := e.store.Session(t.Context(), row.ID)
		if err != nil {
			t.Fatal(err)
		}
		return row.Credits
	}
	for _, hours := range []time.Duration{1, -1} {
		jump.Store(int64(hours * time.Hour))
		r.touch()
		before := paid()
		testtime.Until(t, "a minute is charged", func() bool { return paid() > before })
	}
	if credits, most := paid(), trawl.SessionMinute*(2+int64(time.Since(row.CreatedAt)/e.minute)); credits > most {
		t.Errorf("%d credits, want at most %d", credits, most)
	}
	if !e.Holds(row.ID) {
		t.Error("the session ended")
	}
}

func TestEnds(t *testing.T) {
	t.Parallel()
	began := time.Now()
	newEnv(t).create()
	second := 1 + int(time.Since(began).Seconds()) // which is longer where a start takes longer
	e := newEnv(t)
	e.minute = time.Duration(second) * 1200 * time.Millisecond
	poor := e.team("poor", 5)
	stays := e.create()
	expires := e.create(func(r *trawl.SessionRequest) { r.TTL = 3 * second }) // of which the start takes a part
	idle := e.create(func(r *trawl.SessionRequest) { r.ActivityTTL = second })
	used := e.create(func(r *trawl.SessionRequest) { r.ActivityTTL = 2 * second })
	busy, rest := context.WithCancel(t.Context())
	defer rest()
	go func() {
		for r := e.find(used.ID); busy.Err() == nil; time.Sleep(50 * time.Millisecond) {
			r.touch()
		}
	}()
	crashes := e.create()
	broke, err := e.Create(t.Context(), poor, request())
	if err != nil {
		t.Fatal(err)
	}
	_ = syscall.Kill(e.find(crashes.ID).process.PID(), syscall.SIGKILL)
	for _, want := range []struct {
		session trawl.Session
		reason  string
	}{{expires, trawl.EndExpired}, {idle, trawl.EndIdle}, {crashes, trawl.EndCrashed}, {broke, trawl.EndCredits}} {
		if row := e.ended(want.session.ID); row.Reason != want.reason || row.Active() {
			t.Errorf("%s: %+v", want.reason, row)
		}
	}
	if e.Now().Sub(used.CreatedAt) < time.Duration(2*second)*time.Second || !e.Holds(used.ID) {
		t.Error("a session that was used ended")
	}
	rest()
	if row := e.ended(used.ID); row.Reason != trawl.EndIdle {
		t.Errorf("a session that was used no more: %+v", row)
	}
	if row := e.ended(broke.ID); row.Credits != 4 {
		t.Errorf("the team that could pay for two minutes paid %d credits", row.Credits)
	}
	if row := e.ended(expires.ID); row.Credits != 6 { // three seconds of 1.2 each: three began
		t.Errorf("the session of three minutes cost %d credits", row.Credits)
	}
	if !e.Holds(stays.ID) || e.evaluate(stays.ID, "1+1") != "2" || e.Stats().Crashed != 1 {
		t.Error("another session was harmed")
	}
}

func TestRefusals(t *testing.T) {
	t.Parallel()
	e := newEnv(t, func(c *Config) { c.Sessions = 2 })
	refused := func(who trawl.Caller, code trawl.Code, change ...func(*trawl.SessionRequest)) {
		t.Helper()
		if _, err := e.Create(t.Context(), who, request(change...)); trawl.ErrorCode(err) != code {
			t.Errorf("error = %v, want %s", err, code)
		}
	}
	refused(e.team("poor", 1), trawl.CodePayment)
	small := e.team("small", -1)
	small.Team.Concurrency = 1
	first, err := e.Create(t.Context(), small, request(withProfile("p", true)))
	if err != nil {
		t.Fatal(err)
	}
	refused(small, trawl.CodeRateLimited)                       // of its team
	e.create(withProfile("p", true))                            // another team's profile of that name
	refused(e.who, trawl.CodeRateLimited)                       // of the server
	if _, err := e.Destroy(t.Context(), first.ID); err != nil { // makes room
		t.Fatal(err)
	}
	e.Sessions = 4 // or else the last one is for others
	refused(e.who, trawl.CodeConflict, withProfile("p", true))
	if list, err := e.List(t.Context(), small.Team.ID, ""); err != nil || len(list) != 1 {
		t.Errorf("refused sessions are listed: %+v, %v", list, err)
	}
	none := newEnv(t, func(c *Config) { c.Program = "" })
	if _, err := none.Create(t.Context(), none.who, request()); trawl.ErrorCode(err) != trawl.CodeUnavailable {
		t.Errorf("without a browser: %v", err)
	}
	broken := newEnv(t, func(c *Config) { c.Program = "/bin/false" })
	if _, err := broken.Create(t.Context(), broken.who, request()); trawl.ErrorCode(err) != trawl.CodeUnavailable {
		t.Errorf("with a broken browser: %v", err)
	}
}

// Where teams share a node, one of them cannot have all its sessions.
func TestShares(t *testing.T) {
	t.Parallel()
	alone := newEnv(t, func(c *Config) { c.Sessions = 2 })
	alone.create()
	alone.create()
	e := newEnv(t, func(c *Config) { c.Sessions = 2 })
	other := e.team("other", -1)
	e.create()
	if _, err := e.Create(t.Context(), e.who, request()); trawl.ErrorCode(err) != trawl.CodeRateLimited {
		t.Errorf("the last one: %v", err)
	}
	if _, err := e.Create(t.Context(), other, request()); err != nil {
		t.Errorf("the last one, for another team: %v", err)
	}
	m := &Manager{Config: Config{Sessions: 20}, starting: map[string]int{}}
	took := func(team string) (n int) {
		for m.enter(team, true) == nil {
			n++
		}
		return n
	}
	if a, b, c := took("a"), took("b"), took("c"); a != 15 || b != 1 || c != 1 {
		t.Errorf("of 20 the first team gets %d, the next ones %d and %d", a, b, c)
	}
}

// What one session puts into a profile the next one finds, unless it was not to
// be saved.
func TestProfile(t *testing.T) {
	t.Parallel()
	e := newEnv(t)
	site := plainSite(t) + "/"
	const remember = `document.cookie = 'c=%[1]s; max-age=10000'; document.cookie = 's=%[1]s'; localStorage.k = '%[1]s';
		new Promise((done, fail) => { const o = indexedDB.open('d'); o.onerror = fail; o.onupgradeneeded = () => o.result.createObjectStore('s');
			o.onsuccess = () => { const t = o.result.transaction('s', 'readwrite', {durability: 'strict'}); t.objectStore('s').put('%[1]s', 'k'); t.oncomplete = () => done(1) } })`
	const recall = `new Promise((done, fail) => { const o = indexedDB.open('d'); o.onerror = fail; o.onupgradeneeded = () => o.result.createObjectStore('s');
		o.onsuccess = () => { const g = o.result.transaction('s').objectStore('s').get('k');
			g.onsuccess = () => done([document.cookie.split('; ').sort().join(), localStorage.k, g.result].join(' ')) } })`
	for i, step := range []struct {
		save        bool
		write, want string
	}{{true, "one", "  "}, {false, "two", "c=one,s=one one one"}, {true, "three", "c=one,s=one one one"}, {false, "", "c=three,s=three three three"}} {
		row := e.create(withProfile("my/profile", step.save))
		e.visit(row.ID, site)
		if got := e.evaluate(row.ID, recall); got != step.want {
			t.Errorf("session %d remembers %q, want %q", i, got, step.want)
		}
		if step.write != "" {
			e.evaluate(row.ID, fmt.Sprintf(remember, step.write))
		}
		if over, err := e.Destroy(t.Context(), row.ID); err != nil || over.Reason != trawl.EndDeleted {
			t.Errorf("session %d ended: %+v, %v", i, over, err)
		}
	}
	list, err := e.store.Profiles(t.Context(), e.who.Team.ID)
	if err != nil || len(list) != 1 || list[0].Name != "my/profile" || list[0].Saving {
		t.Errorf("profiles = %+v, %v", list, err)
	}
}

// Of fifty that want to save to a profile at once, one may. It is free again when
// that one's browser was killed, and what was saved before is still there.
func TestOneSaver(t *testing.T) {
	t.Parallel()
	e := newEnv(t, func(c *Config) { c.Sessions = 60 })
	var won, refused atomic.Int32
	var all sync.WaitGroup
	for range 50 {
		all.Go(func() {
			_, err := e.Create(t.Context(), e.who, request(withProfile("p", true)))
			switch {
			case err == nil:
				won.Add(1)
			case trawl.ErrorCode(err) == trawl.CodeConflict:
				refused.Add(1)
			default:
				t.Error(err)
			}
		})
	}
	all.Wait()
	if won.Load() != 1 || refused.Load() != 49 {
		t.Fatalf("%d may save, %d may not", won.Load(), refused.Load())
	}
	list, err := e.List(t.Context(), e.who.Team.ID, trawl.SessionActive)
	if err != nil || len(list) != 1 {
		t.Fatalf("%+v, %v", list, err)
	}
	_ = syscall.Kill(e.find(list[0].ID).process.PID(), syscall.SIGKILL)
	if row := e.ended(list[0].ID); row.Reason != trawl.EndCrashed+", profile not saved" {
		t.Errorf("reason = %q", row.Reason)
	}
	e.create(withProfile("p", true))
}

// The end of the server is the end of its sessions, and their profiles are saved.
func TestClose(t *testing.T) {
	t.Parallel()
	e := newEnv(t, func(c *Config) { c.Warm = 1 })
	row := e.create(withProfile("p", true))
	other := e.create()
	pids := []int{e.find(row.ID).process.PID(), e.find(other.ID).process.PID()}
	e.Close()
	for _, id := range []string{row.ID, other.ID} {
		if over, err := e.Get(t.Context(), id); err != nil || over.Reason != trawl.EndStopped {
			t.Errorf("%+v, %v", over, err)
		}
	}
	if list, err := e.store.Profiles(t.Context(), e.who.Team.ID); err != nil || len(list) != 1 {
		t.Errorf("profiles = %+v, %v", list, err)
	}
	for _, pid := range pids {
		if alive(pid) {
			t.Error("a browser still runs")
		}
	}
	if _, err := e.Create(t.Context(), e.who, request()); trawl.ErrorCode(err) != trawl.CodeUnavailable {
		t.Errorf("after the end: %v", err)
	}
}

// A browser that is ready is taken, replaced, and checked before it is handed out.
func TestWarm(t *testing.T) {
	t.Parallel()
	e := newEnv(t, func(c *Config) { c.Warm = 1 })
	ready := func() *blank {
		var list []*blank
		testtime.Until(t, "a browser is ready", func() bool {
			e.warm.mu.Lock()
			defer e.warm.mu.Unlock()
			list = e.warm.ready
			return len(list) > 0
		})
		return list[0]
	}
	first := ready()
	row := e.create()
	if e.find(row.ID).process != first.Process {
		t.Error("it was not taken")
	}
	second := ready()
	_ = syscall.Kill(second.PID(), syscall.SIGKILL)
	<-second.Exited()
	next := e.create()
	if b := e.find(next.ID).process; b == second.Process || !b.Alive() {
		t.Error("a dead browser was handed out")
	}
}

// hooked is a store that does something else once a session is listed.
type hooked struct {
	Store
	then func(id string)
}

func (h hooked) StartSession(ctx context.Context, row trawl.Session, most int) error {
	err := h.Store.StartSession(ctx, row, most)
	h.then(row.ID)
	return err
}

// A session is listed before it is ready, and may be deleted from then on.
func TestDeletedWhileStarting(t *testing.T) {
	t.Parallel()
	e := newEnv(t)
	e.Store = hooked{e.Store, func(id string) {
		if row, err := e.Destroy(t.Context(), id); err != nil || row.Active() {
			t.Errorf("destroy: %+v, %v", row, err)
		}
	}}
	if row, err := e.Create(t.Context(), e.who, request(withProfile("p", true))); trawl.ErrorCode(err) != trawl.CodeGone {
		t.Errorf("%+v, %v", row, err)
	}
	if rows, err := e.List(t.Context(), e.who.Team.ID, ""); err != nil || len(rows) != 0 || e.Stats().Active != 0 {
		t.Errorf("left: %+v, %v", rows, err)
	}
}

// Sessions trust the authorities that they are told of.
func TestAuthorities(t *testing.T) {
	t.Parallel()
	site := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		_, _ = io.WriteString(w, "<title>Inside</title>")
	}))
	t.Cleanup(site.Close)
	authorities, err := chromium.NewAuthorities([]*x509.Certificate{site.Certificate()})
	if err != nil {
		t.Fatal(err)
	}
	e := newEnv(t, func(c *Config) { c.Authorities = authorities })
	row := e.create()
	e.visit(row.ID, site.URL+"/")
	if title := e.evaluate(row.ID, "document.title"); title != "Inside" {
		t.Errorf("the page is %q", title)
	}
}
