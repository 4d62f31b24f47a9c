package profile

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"

	protocol "github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/storage"
	"github.com/chromedp/cdproto/target"
	"go.uber.org/goleak"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/browser/chromium"
	"github.com/trawlhq/trawl/egress"
	"github.com/trawlhq/trawl/internal/testtime"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// memory is a store of profiles.
type memory struct {
	mu       sync.Mutex
	archives map[string][]byte
}

func (m *memory) TakeProfile(context.Context, string, string, string, string) error { return nil }
func (m *memory) FreeProfile(context.Context, string, string, string) error         { return nil }

func (m *memory) LoadProfile(_ context.Context, team, name string) ([]byte, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.archives[team+"/"+name], nil
}

func (m *memory) SaveProfile(_ context.Context, team, name, _ string, archive []byte) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.archives == nil {
		m.archives = map[string][]byte{}
	}
	m.archives[team+"/"+name] = archive
	return nil
}

// noNames is a resolver that knows nobody, so that no look-up leaves the machine.
type noNames struct{}

func (noNames) LookupNetIP(_ context.Context, _, host string) ([]netip.Addr, error) {
	return nil, &net.DNSError{Err: "no such host", Name: host, IsNotFound: true}
}

// start starts the full browser in a home.
func start(t *testing.T, home *chromium.Home) *chromium.Process {
	t.Helper()
	programs, err := chromium.Find("", "")
	if err != nil {
		t.Fatalf("%v: run scripts/setup", err)
	}
	guard := egress.New(egress.Config{
		Allow: []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}, Resolver: noNames{}, Log: slog.New(slog.DiscardHandler),
	})
	p, err := chromium.Start(t.Context(), chromium.Launch{
		Program: programs.Chromium, Full: true, Heap: 256, UserAgent: "test", AcceptLanguage: "en", Guard: guard, Home: home, Patience: testtime.Patience,
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(p.Kill)
	return p
}

// run opens a page and runs a script in it, whose promise is for a text.
func run(t *testing.T, p *chromium.Process, address, script string) string {
	t.Helper()
	ctx := testtime.Context(t)
	made, err := protocol.Call(ctx, p.Conn().Browser(), target.CreateTarget, target.CreateTargetParams{URL: "about:blank"})
	if err != nil {
		t.Fatal(err)
	}
	yes := true
	attached, err := protocol.Call(ctx, p.Conn().Browser(), target.AttachToTarget, target.AttachToTargetParams{TargetID: made.TargetID, Flatten: &yes})
	if err != nil {
		t.Fatal(err)
	}
	s := p.Conn().Session(string(attached.SessionID))
	defer s.End()
	loaded, stop := s.Subscribe("Page.loadEventFired")
	defer stop()
	_, err = protocol.Call(ctx, s, page.Enable, page.EnableParams{})
	if err == nil {
		_, err = protocol.Call(ctx, s, page.Navigate, page.NavigateParams{URL: address})
	}
	if err != nil {
		t.Fatal(err)
	}
	select {
	case <-loaded:
	case <-ctx.Done():
		t.Fatal("the page does not load")
	}
	var answer struct {
		Result struct {
			Value string `json:"value"`
		} `json:"result"`
		ExceptionDetails any `json:"exceptionDetails"`
	}
	err = s.Call(ctx, "Runtime.evaluate", map[string]any{"expression": script, "awaitPromise": true, "returnByValue": true}, &answer)
	if err != nil || answer.ExceptionDetails != nil {
		t.Fatal(err, answer.ExceptionDetails)
	}
	return answer.Result.Value
}

const (
	leave = `(async () => {
		document.cookie = 'lasting=1; max-age=86400'
		document.cookie = 'passing=2'
		localStorage.setItem('key', 'local')
		await new Promise((done, fail) => {
			const open = indexedDB.open('db')
			open.onupgradeneeded = () => open.result.createObjectStore('things')
			open.onerror = fail
			open.onsuccess = () => {
				const change = open.result.transaction('things', 'readwrite')
				change.objectStore('things').put('indexed', 'text')
				change.objectStore('things').put(new Blob(['x'.repeat(100000)]), 'blob')
				change.oncomplete = () => { open.result.close(); done() }
				change.onerror = fail
			}
		})
		await navigator.serviceWorker.register('/worker.js')
		await navigator.serviceWorker.ready
		await (await caches.open('c')).put('/cached', new Response('cached'))
		const file = await (await navigator.storage.getDirectory()).getFileHandle('file', {create: true})
		const out = await file.createWritable()
		await out.write('filed')
		await out.close()
		return 'done'
	})()`

	find = `(async () => {
		const stored = key => new Promise((done, fail) => {
			const open = indexedDB.open('db')
			open.onerror = open.onupgradeneeded = () => fail('no database')
			open.onsuccess = () => {
				const get = open.result.transaction('things').objectStore('things').get(key)
				get.onsuccess = () => done(get.result)
				get.onerror = fail
			}
		})
		const file = await (await navigator.storage.getDirectory()).getFileHandle('file')
		return [
			document.cookie.split('; ').sort().join(), localStorage.getItem('key'), await stored('text'), (await (await stored('blob')).text()).length,
			await (await fetch('/from-worker')).text(), await (await caches.match('/cached')).text(), await (await file.getFile()).text(),
		].join(' ')
	})()`

	worker = `
		addEventListener('install', () => skipWaiting())
		addEventListener('activate', e => e.waitUntil(clients.claim()))
		addEventListener('fetch', e => { if (e.request.url.endsWith('/from-worker')) e.respondWith(new Response('worked')) })`
)

// What pages keep in one browser is there in the next, in another folder.
func TestProfile(t *testing.T) {
	t.Parallel()
	var seen sync.Map // cookies that came with a request
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/worker.js" {
			w.Header().Set("Content-Type", "text/javascript")
			_, _ = io.WriteString(w, worker)
			return
		}
		if c, err := r.Cookie("hidden"); err == nil {
			seen.Store(r.URL.Path, c.Value)
		}
		if r.URL.Path == "/first" {
			http.SetCookie(w, &http.Cookie{Name: "hidden", Value: `a b`, Path: "/", HttpOnly: true, SameSite: http.SameSiteStrictMode})
		}
		w.Header().Set("Content-Type", "text/html")
		_, _ = fmt.Fprint(w, "<h1>Page</h1>")
	}))
	defer site.Close()
	store := &memory{}
	ctx := t.Context()

	home, err := Open(ctx, store, "team", "name")
	if err != nil {
		t.Fatal(err)
	}
	defer home.Remove()
	first := start(t, home)
	if err := Restore(ctx, first.Conn(), home); err != nil { // there is nothing yet
		t.Fatal(err)
	}
	run(t, first, site.URL+"/first", leave)
	if _, err := protocol.Call(ctx, first.Conn().Browser(), storage.SetCookies, storage.SetCookiesParams{Cookies: []*network.CookieParam{
		{Name: "everywhere", Value: "1", Domain: ".a.example", Path: "/"},
		{Name: "__Host-here", Value: "2", Domain: "a.example", Path: "/", Secure: true, SameSite: network.CookieSameSiteNone},
		{Name: "apart", Value: "3", Domain: "b.example", Path: "/p", Secure: true, PartitionKey: &network.CookiePartitionKey{TopLevelSite: "https://a.example"}},
	}}); err != nil {
		t.Fatal(err)
	}
	before := cookies(t, first)
	if err := Keep(ctx, first.Conn(), home); err != nil {
		t.Fatal(err)
	}
	if err := first.Quit(ctx); err != nil {
		t.Fatal(err)
	}
	if err := Save(ctx, store, home, "team", "name", "holder"); err != nil {
		t.Fatal(err)
	}
	t.Logf("an archive of %d bytes", len(store.archives["team/name"]))
	home.Remove()

	next, err := Open(ctx, store, "team", "name")
	if err != nil {
		t.Fatal(err)
	}
	defer next.Remove()
	second := start(t, next)
	if err := Restore(ctx, second.Conn(), next); err != nil {
		t.Fatal(err)
	}
	if after := cookies(t, second); after != before || strings.Count(before, "\n") != 5 {
		t.Errorf("cookies were\n%s\nand are\n%s", before, after)
	}
	if got, want := run(t, second, site.URL+"/second", find), "lasting=1,passing=2 local indexed 100000 worked cached filed"; got != want {
		t.Errorf("found %q, want %q", got, want)
	}
	if value, _ := seen.Load("/second"); value != "a b" {
		t.Errorf("the server sees %v", value)
	}
	if _, err := os.Stat(filepath.Join(next.UserData(), cookieFile)); err == nil {
		t.Error("the session cookies were left lying about")
	}
}

// cookies spells out what a browser knows of its cookies.
func cookies(t *testing.T, p *chromium.Process) string {
	t.Helper()
	all, err := protocol.Call(t.Context(), p.Conn().Browser(), storage.GetCookies, storage.GetCookiesParams{})
	if err != nil {
		t.Fatal(err)
	}
	lines := make([]string, 0, len(all.Cookies))
	for _, c := range all.Cookies {
		lines = append(lines, fmt.Sprintf("%s=%s %s%s %.0f %t %t %t %s %s %s %d %v", c.Name, c.Value, c.Domain, c.Path, c.Expires, c.HTTPOnly, c.Secure,
			c.Session, c.SameSite, c.Priority, c.SourceScheme, c.SourcePort, c.PartitionKey))
	}
	slices.Sort(lines)
	return strings.Join(lines, "\n")
}

// Two teams, two profiles; and one that cannot be read is told of.
func TestOpen(t *testing.T) {
	t.Parallel()
	store := &memory{archives: map[string][]byte{"a/bad": []byte("bad"), "a/good": archiveOf(t)}}
	for _, row := range []struct {
		team, name string
		fails      bool
	}{{"a", "good", false}, {"b", "bad", false}, {"a", "bad", true}} {
		home, err := Open(t.Context(), store, row.team, row.name)
		if (err != nil) != row.fails {
			t.Errorf("%s/%s: %v", row.team, row.name, err)
		}
		if e, ok := errors.AsType[*trawl.Error](err); row.fails && (!ok || e.Message != "The profile cannot be read. Delete it, or use another one.") {
			t.Errorf("%s/%s: %v", row.team, row.name, err)
		}
		if home != nil {
			home.Remove()
		}
	}
}

// A browser that puts a link in the place of its folder gets nothing through it.
func TestSaveMoved(t *testing.T) {
	t.Parallel()
	home, err := chromium.NewHome()
	if err != nil {
		t.Fatal(err)
	}
	defer home.Remove()
	elsewhere := t.TempDir()
	write(t, elsewhere, "Default/Cookies", "secret")
	write(t, elsewhere, cookieFile, "secret")
	if err := errors.Join(os.Remove(home.UserData()), os.Symlink(elsewhere, home.UserData())); err != nil {
		t.Fatal(err)
	}
	store := &memory{}
	if err := Save(t.Context(), store, home, "a", "b", "holder"); err == nil || store.archives != nil {
		t.Errorf("saved: %v", err)
	}
	if _, err := readCookies(home); err == nil {
		t.Error("read")
	}
	if err := writeCookies(home, nil); err == nil {
		t.Error("written")
	}
}

// Nobody waits for what has the name of the cookies' file but is none.
func TestCookieFile(t *testing.T) {
	t.Parallel()
	home, err := chromium.NewHome()
	if err != nil {
		t.Fatal(err)
	}
	defer home.Remove()
	path := filepath.Join(home.UserData(), cookieFile)
	if err := syscall.Mkfifo(path, 0o600); err != nil {
		t.Fatal(err)
	}
	writer, err := os.OpenFile(path, os.O_RDWR, 0) // so that a reader would wait
	if err != nil {
		t.Fatal(err)
	}
	defer writer.Close()
	if _, err := readCookies(home); !errors.Is(err, errNotFile) {
		t.Errorf("a pipe: %v", err)
	}
	if err := writeCookies(home, []byte("[]")); err != nil {
		t.Errorf("in place of a pipe: %v", err)
	}
	if data, err := readCookies(home); err != nil || string(data) != "[]" {
		t.Errorf("%q, %v", data, err)
	}
	if _, err := readCookies(home); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("once more: %v", err)
	}
}
