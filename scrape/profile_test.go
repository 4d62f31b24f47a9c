package scrape_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/browser"
	"github.com/trawlhq/trawl/browser/chromium"
	"github.com/trawlhq/trawl/fetch"
	"github.com/trawlhq/trawl/scrape"
	"github.com/trawlhq/trawl/scrape/source"
)

// shelf is a store of profiles that keeps its promises.
type shelf struct {
	mu       sync.Mutex
	holders  map[string]string
	archives map[string][]byte
	saves    int
	full     error // why nothing can be saved
}

func newShelf() *shelf { return &shelf{holders: map[string]string{}, archives: map[string][]byte{}} }

func (s *shelf) TakeProfile(_ context.Context, team, name, holder, node string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if node != "node" {
		return errors.New("taken by nobody")
	}
	if s.holders[team+name] != "" {
		return fmt.Errorf("take profile: %w", trawl.ErrProfileTaken())
	}
	s.holders[team+name] = holder
	return nil
}

func (s *shelf) LoadProfile(_ context.Context, team, name string) ([]byte, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.archives[team+name], nil
}

func (s *shelf) SaveProfile(_ context.Context, team, name, holder string, archive []byte) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.full != nil || s.holders[team+name] != holder {
		return errors.Join(s.full, trawl.ErrProfileTaken())
	}
	s.archives[team+name] = archive
	s.saves++
	return nil
}

func (s *shelf) FreeProfile(_ context.Context, team, name, holder string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.holders[team+name] == holder {
		delete(s.holders, team+name)
	}
	return nil
}

func (s *shelf) held() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.holders)
}

// withProfile makes a request of a team use a profile.
func withProfile(team, name string, change ...func(*scrape.Request)) func(*scrape.Request) {
	return func(r *scrape.Request) {
		r.Caller.Team.ID, r.Profile = team, &trawl.Profile{Name: name}
		for _, f := range change {
			f(r)
		}
	}
}

func loadOnly(r *scrape.Request) {
	no := false
	r.Profile.SaveChanges = &no
}

// members is a site with a login that lasts as long as the browser.
func members(t *testing.T) string {
	return newSite(t, func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodPost {
			http.SetCookie(w, &http.Cookie{Name: "login", Value: r.FormValue("name"), Path: "/", HttpOnly: true})
			http.Redirect(w, r, "/", http.StatusSeeOther)
			return
		}
		if r.URL.Path == "/file" {
			w.Header().Set("Content-Disposition", "attachment; filename=file.txt")
			write(w, "A file")
			return
		}
		if cookie, err := r.Cookie("login"); err == nil {
			write(w, "<h1>Welcome back, "+cookie.Value+"</h1>"+prose)
			return
		}
		write(w, `<h1>Who are you?</h1><form method=post><input name=name><button>Sign in</button></form>`+prose)
	})
}

func signIn(name string) []trawl.Action {
	return []trawl.Action{
		{Type: trawl.ActionClick, Selector: "input"},
		{Type: trawl.ActionWrite, Text: name},
		{Type: trawl.ActionClick, Selector: "button"},
		{Type: trawl.ActionWait, Selector: "h1"},
	}
}

// A login in one scrape is that of the next with the same profile, of the same
// team, unless it was not to be saved.
func TestProfile(t *testing.T) {
	t.Parallel()
	profiles := newShelf()
	homes := &tracked{}
	scraper, _ := newBrowsing(t, func(c *scrape.Config) {
		homes.Browser = c.Browser
		c.Browser, c.Profiles, c.Node = homes, profiles, "node"
	})
	base := members(t)
	type view struct {
		change        func(*scrape.Request)
		text, warning string
	}
	see := func(views ...view) { // all at once
		t.Helper()
		var pages sync.WaitGroup
		for _, v := range views {
			pages.Go(func() {
				ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
				defer cancel()
				req := request(func(r *scrape.Request) { r.URL = base + "/" }, v.change)
				if err := scraper.Check(&req.ScrapeOptions); err != nil {
					t.Error(err)
				}
				doc, err := scraper.Scrape(ctx, req)
				if err != nil {
					t.Error(err)
				} else if !strings.Contains(*doc.Markdown, v.text) || !strings.Contains(doc.Warning, v.warning) || v.warning == "" && doc.Warning != "" {
					t.Errorf("want %q and the warning %q, got %q and %q", v.text, v.warning, *doc.Markdown, doc.Warning)
				}
			})
		}
		pages.Wait()
		if profiles.held() != 0 {
			t.Error("a profile is still taken")
		}
	}
	as := func(name string) func(*scrape.Request) { return func(r *scrape.Request) { r.Actions = signIn(name) } }

	profiles.full = trawl.Errorf(trawl.CodeTooLarge, "Too large.")
	see(
		view{withProfile("a", "p", as("Nobody"), loadOnly), "Welcome back, Nobody", ""},
		view{withProfile("a", "p", as("Nemo")), "Welcome back, Nemo", "Too large."},
	)
	profiles.full = nil
	see(view{withProfile("a", "p", as("Anna")), "Welcome back, Anna", ""}) // what came before was not saved
	see(
		view{withProfile("a", "p", loadOnly), "Welcome back, Anna", ""},
		view{withProfile("b", "p", loadOnly), "Who are you?", ""},
		view{withProfile("a", "p", func(r *scrape.Request) { r.ZeroDataRetention = true }), "Welcome back, Anna", "zero data retention"},
		view{withProfile("a", "p", loadOnly, func(r *scrape.Request) { r.URL = base + "/file" }), "A file", "without the profile"},
	)
	if profiles.saves != 1 {
		t.Errorf("saved %d times", profiles.saves)
	}
	if len(homes.paths) != 7 {
		t.Errorf("%d homes were made", len(homes.paths))
	}
	for _, path := range homes.paths {
		if _, err := os.Stat(path); err == nil {
			t.Errorf("%s is still there", path)
		}
	}
}

// tracked is a browser that notes the homes of private pages.
type tracked struct {
	source.Browser
	mu    sync.Mutex
	paths []string
}

func (b *tracked) Render(ctx context.Context, req browser.Request) (*browser.Result, error) {
	private := *req.Private
	private.Home = func(ctx context.Context) (*chromium.Home, error) {
		home, err := req.Private.Home(ctx)
		if err == nil {
			b.mu.Lock()
			defer b.mu.Unlock()
			b.paths = append(b.paths, home.UserData())
		}
		return home, err
	}
	changed := req
	changed.Private = &private
	return b.Browser.Render(ctx, changed)
}

// lobby is a browser whose pages take a second each, and that knows how many are
// open at a time.
type lobby struct {
	err        error // of all pages
	mu         sync.Mutex
	open, most int
}

func (l *lobby) Render(ctx context.Context, req browser.Request) (*browser.Result, error) {
	l.mu.Lock()
	l.open++
	l.most = max(l.most, l.open)
	l.mu.Unlock()
	time.Sleep(time.Second)
	l.mu.Lock()
	defer l.mu.Unlock()
	l.open--
	if l.err != nil {
		return nil, l.err
	}
	return &browser.Result{URL: req.URL, Status: 200, ContentType: "text/html", HTML: "<p>hello</p>", Unkept: errors.New("no browser")}, nil
}

// Pages that save to the same profile take turns; those that only load it do not.
// A profile that is taken elsewhere is a conflict, for which pages of a job wait.
func TestProfileTurns(t *testing.T) {
	t.Parallel()
	w := &web{answer: func(fetch.Request) (*fetch.Response, error) { return page(200) }}
	all := func(t *testing.T, rooms *lobby, profiles *shelf, begin func() (context.Context, context.CancelFunc), changes ...func(*scrape.Request)) (errs []error) {
		s := scrape.New(scrape.Config{Fetch: w, Browser: rooms, Profiles: profiles, Node: "node", Now: time.Now})
		defer s.Close()
		errs = make([]error, len(changes))
		var pages sync.WaitGroup
		for i, change := range changes {
			pages.Go(func() {
				ctx, cancel := begin()
				defer cancel()
				_, errs[i] = s.Prepare(ctx, request(change))
			})
		}
		pages.Wait()
		if profiles.held() > 0 && profiles.holders["ap"] != "session" {
			t.Error("a profile is still taken")
		}
		return errs
	}
	direct := func() (context.Context, context.CancelFunc) {
		return context.WithTimeout(context.Background(), 10*time.Second)
	}
	patient := func() (context.Context, context.CancelFunc) {
		return source.Patiently(context.Background(), 2*time.Second)
	}
	same := withProfile("a", "p")
	for _, row := range []struct {
		name    string
		begin   func() (context.Context, context.CancelFunc)
		taken   time.Duration // how long a session has the profile
		changes []func(*scrape.Request)
		err     error // of the browser
		most    int
		code    trawl.Code // of the error of each
	}{
		{name: "same profile", begin: direct, changes: []func(*scrape.Request){same, same, same}, most: 1},
		{name: "pages of a job", begin: patient, changes: []func(*scrape.Request){same, same, same, same}, most: 1},
		{name: "load only", begin: direct, changes: []func(*scrape.Request){withProfile("a", "p", loadOnly), withProfile("a", "p", loadOnly), same}, most: 3},
		{name: "other profiles", begin: direct, changes: []func(*scrape.Request){same, withProfile("a", "q"), withProfile("b", "p")}, most: 3},
		{name: "failing", begin: direct, changes: []func(*scrape.Request){same, same}, err: trawl.Errorf(trawl.CodeSite, "no"), most: 1, code: trawl.CodeSite},
		{name: "taken", begin: direct, taken: time.Minute, changes: []func(*scrape.Request){same}, code: trawl.CodeConflict},
		{name: "taken for a while", begin: patient, taken: time.Minute, changes: []func(*scrape.Request){same, same}, most: 1},
		{name: "taken for long", begin: patient, taken: time.Hour, changes: []func(*scrape.Request){same}, code: trawl.CodeConflict},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				profiles := newShelf()
				if row.taken > 0 {
					profiles.holders["ap"] = "session"
					end := time.AfterFunc(row.taken, func() { _ = profiles.FreeProfile(context.Background(), "a", "p", "session") })
					defer end.Stop()
				}
				rooms := &lobby{err: row.err}
				errs := all(t, rooms, profiles, row.begin, row.changes...)
				if rooms.most != row.most {
					t.Errorf("%d pages at a time", rooms.most)
				}
				for _, err := range errs {
					if (err != nil) != (row.code != "") || err != nil && trawl.ErrorCode(err) != row.code {
						t.Error(err)
					}
				}
			})
		})
	}
}

// A page that waits for others until its time is over says so.
func TestProfileQueueTimeout(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := scrape.New(scrape.Config{Fetch: &web{}, Browser: &lobby{}, Profiles: newShelf(), Node: "node", Now: time.Now})
		defer s.Close()
		first := make(chan error, 1)
		go func() {
			_, err := s.Scrape(context.Background(), request(withProfile("a", "p")))
			first <- err
		}()
		synctest.Wait()
		ctx, cancel := context.WithTimeout(context.Background(), time.Second/2)
		defer cancel()
		if _, err := s.Scrape(ctx, request(withProfile("a", "p"))); trawl.ErrorCode(err) != trawl.CodeQueueTimeout {
			t.Errorf("error %v", err)
		}
		if err := <-first; err != nil {
			t.Error(err)
		}
	})
}

func TestProfileRefused(t *testing.T) {
	t.Parallel()
	req := request(withProfile("a", "p"))
	for name, config := range map[string]scrape.Config{
		"no browser":  {Fetch: &web{}, Profiles: newShelf(), Now: time.Now},
		"no profiles": {Fetch: &web{}, Browser: &lobby{}, Now: time.Now},
	} {
		s := scrape.New(config)
		if err := s.Check(&req.ScrapeOptions); trawl.ErrorCode(err) != trawl.CodeOptionUnsupported {
			t.Errorf("%s: %v", name, err)
		}
		s.Close()
	}
}
