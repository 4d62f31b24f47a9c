package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"strconv"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/internal/testpg"
	"github.com/trawlhq/trawl/monitor"
	"github.com/trawlhq/trawl/store"
)

// The tests of this file end servers in the middle of checks of monitors, and then
// count: every due time has one check, every page of it one verdict, and what was paid is
// what the checks cost.

// watchedSite is a site whose pages are others in every round. It asks for a kill at
// some of the requests and events.
type watchedSite struct {
	*httptest.Server
	kill chan struct{}

	mu     sync.Mutex
	round  int
	visits int
	every  int             // visits between two kills
	events map[string]int  // by their id
	about  map[string]bool // check, type and page of an event
	twice  []string        // what was told of under two ids
}

func newWatchedSite(t *testing.T, every int) *watchedSite {
	s := &watchedSite{kill: make(chan struct{}, 1000), every: every, events: map[string]int{}, about: map[string]bool{}}
	s.Server = httptest.NewServer(s)
	t.Cleanup(s.Close)
	return s
}

// ServeHTTP implements http.Handler.
func (s *watchedSite) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.visits++; s.visits%s.every == 0 {
		s.kill <- struct{}{}
	}
	if r.Method == http.MethodPost {
		s.note(r)
		return
	}
	w.Header().Set("Content-Type", "text/html")
	fmt.Fprintf(w, "<main><h1>Page %s</h1><p>This is what it says in round %d.</p></main>", r.URL.Path, s.round)
}

// note takes an event.
func (s *watchedSite) note(r *http.Request) {
	var event struct {
		ID, Type, WebhookID string
		Data                []struct{ URL string }
	}
	if json.NewDecoder(r.Body).Decode(&event) != nil || len(event.Data) != 1 {
		return // the sender was killed
	}
	what := event.ID + " " + event.Type + " " + event.Data[0].URL
	if s.events[event.WebhookID]++; s.events[event.WebhookID] == 1 {
		if s.about[what] {
			s.twice = append(s.twice, what)
		}
		s.about[what] = true
	}
}

const (
	watchedMonitors = 5
	watchedPages    = 6
)

// watchKills makes rounds of checks that are all due at once, and kills a server
// whenever the site says so. open opens the store at another time.
func watchKills(t *testing.T, site *watchedSite, kills int, open func(now func() time.Time) *store.Store, start func(), restart func() *node) {
	t.Helper()
	began, killed, rounds := time.Now(), 0, 0
	var n *node
	ids := make([]string, watchedMonitors)
	for ; killed < kills; rounds++ {
		past := began.Add(-24 * time.Hour).Add(time.Duration(rounds) * 30 * time.Minute)
		setDue(t, site, open(func() time.Time { return past }), ids)
		if n == nil {
			start()
			n = restart()
		}
		checks := map[string]bool{}
		eventually(t, "all monitors were checked", func() bool {
			select {
			case <-site.kill:
				n = restart()
				killed++
			default:
			}
			for _, id := range ids {
				if !checks[id] {
					checks[id] = n.checksEnded(id, rounds+1)
				}
			}
			return len(checks) == len(ids) && allTrue(checks)
		})
		site.mu.Lock()
		site.round++
		site.mu.Unlock()
	}
	for {
		select {
		case <-site.kill: // of events that came late
			continue
		default:
		}
		break
	}
	paid := 0
	for _, id := range ids {
		paid += n.wantChecks(id, rounds)
	}
	n.wantPaid(testKey, paid)
	want := watchedMonitors * rounds * (watchedPages + 1)
	eventually(t, "every page and every check was told of", func() bool {
		site.mu.Lock()
		defer site.mu.Unlock()
		return len(site.about) >= want
	})
	site.mu.Lock()
	defer site.mu.Unlock()
	if len(site.about) != want || len(site.twice) > 0 {
		t.Errorf("%d things were told of, want %d; under two ids %v", len(site.about), want, site.twice)
	}
	t.Logf("%d kills in %d rounds of %d checks of %d pages, %d credits", killed, rounds, watchedMonitors, watchedPages, paid)
}

func allTrue(m map[string]bool) bool {
	for _, ok := range m {
		if !ok {
			return false
		}
	}
	return true
}

// setDue makes monitors due at a time in the past, and creates them in the first round.
func setDue(t *testing.T, site *watchedSite, db *store.Store, ids []string) {
	t.Helper()
	defer db.Close()
	team, err := defaultTeam(t.Context(), db)
	if err != nil {
		t.Fatal(err)
	}
	service := monitor.New(monitor.Config{Store: db, Now: db.Now})
	schedule := &trawl.MonitorSchedule{Text: "every 30 minutes"}
	for i := range ids {
		if ids[i] != "" {
			if _, err := service.Update(t.Context(), trawl.Caller{Team: team}, ids[i], trawl.MonitorUpdate{Schedule: schedule}); err != nil {
				t.Fatal(err)
			}
			continue
		}
		target := trawl.MonitorTarget{Type: trawl.TargetScrape, ScrapeOptions: json.RawMessage(`{"timeout":` + strconv.Itoa(longest) + `}`)}
		for page := range watchedPages {
			target.URLs = append(target.URLs, fmt.Sprintf("%s/%d/%d", site.URL, i, page))
		}
		m, err := service.Create(t.Context(), trawl.Caller{Team: team}, site.URL, trawl.MonitorRequest{
			Name: "Watched", Schedule: schedule, Targets: []trawl.MonitorTarget{target}, Webhook: &trawl.Webhook{URL: site.URL},
		})
		if err != nil {
			t.Fatal(err)
		}
		ids[i] = m.ID
	}
}

// checkView is a check as a test needs it.
type checkView struct {
	ID, Status, Trigger, ScheduledFor string
	ActualCredits                     int
	Summary                           trawl.CheckSummary
	Pages                             []struct{ URL, Status string }
}

// checks returns the checks of a monitor.
func (n *node) checks(id string) (list []checkView) {
	n.t.Helper()
	n.read("/v2/monitor/"+id+"/checks?limit=100", &list)
	return list
}

// read reads the data of an answer.
func (n *node) read(path string, into any) {
	n.t.Helper()
	status, answer := n.do(http.MethodGet, path, testKey, "")
	raw, err := json.Marshal(answer["data"])
	if err == nil {
		err = json.Unmarshal(raw, into)
	}
	if status != http.StatusOK || err != nil {
		n.t.Fatalf("%s: %d %v %.300s", path, status, err, raw)
	}
}

// checksEnded reports whether a monitor has made so many checks and is at rest.
func (n *node) checksEnded(id string, count int) bool {
	n.t.Helper()
	list := n.checks(id)
	for _, c := range list {
		if c.Status == trawl.CheckQueued || c.Status == trawl.CheckRunning {
			return false
		}
	}
	return len(list) >= count
}

// wantChecks fails the test unless a monitor made one check for each due time, each with
// a verdict on every page, and returns what they cost.
func (n *node) wantChecks(id string, rounds int) (paid int) {
	n.t.Helper()
	list := n.checks(id)
	due := map[string]bool{}
	for i, c := range list {
		first := i == len(list)-1
		if c.Status != trawl.CheckCompleted || c.Trigger != trawl.TriggerScheduled || due[c.ScheduledFor] || c.ActualCredits != watchedPages {
			n.t.Errorf("check %+v", c)
		}
		due[c.ScheduledFor] = true
		paid += c.ActualCredits
		var whole checkView
		n.read("/v2/monitor/"+id+"/checks/"+c.ID+"?limit=100", &whole)
		seen := map[string]int{}
		for _, p := range whole.Pages {
			seen[p.URL]++
			want := trawl.ChangeChanged
			if first {
				want = trawl.ChangeNew
			}
			if seen[p.URL] > 1 || p.Status != want {
				n.t.Errorf("%s of check %d: %+v", id, i, p)
			}
		}
		if len(whole.Pages) != watchedPages || whole.Summary.Total != watchedPages {
			n.t.Errorf("check %+v has %d pages", c, len(whole.Pages))
		}
	}
	if len(list) != rounds {
		n.t.Errorf("%d checks, want %d", len(list), rounds)
	}
	return paid
}

// killsWanted is how often servers are killed; a variable may ask for more.
func killsWanted(t *testing.T, usual int) int {
	t.Helper()
	if text := os.Getenv("TRAWL_TEST_KILLS"); text != "" {
		n, err := strconv.Atoi(text)
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
	return usual
}

// TestMonitorsSurviveKills kills the server again and again while monitors are checked.
func TestMonitorsSurviveKills(t *testing.T) {
	t.Parallel()
	site, dir := newWatchedSite(t, 17), t.TempDir()
	settings := []string{"TRAWL_API_KEY=" + testKey, "TRAWL_CONCURRENCY=4"}
	var n *node
	open := func(now func() time.Time) *store.Store {
		db, err := store.Open(t.Context(), store.Config{DataDir: dir, Now: now})
		if err != nil {
			t.Fatal(err)
		}
		return db
	}
	watchKills(t, site, killsWanted(t, 10), open, func() {}, func() *node {
		if n != nil {
			_ = n.stop(syscall.SIGKILL)
		}
		n = startBare(t, dir, settings...)
		return n
	})
}

// TestMonitorsOnThreeNodes kills one of three servers again and again.
func TestMonitorsOnThreeNodes(t *testing.T) {
	t.Parallel()
	site, database := newWatchedSite(t, 23), testpg.URL(t)
	settings := []string{"TRAWL_API_KEY=" + testKey, "TRAWL_CONCURRENCY=4", "TRAWL_DATABASE_URL=" + database}
	var nodes []*node
	open := func(now func() time.Time) *store.Store {
		db, err := store.Open(t.Context(), store.Config{DatabaseURL: database, Now: now})
		if err != nil {
			t.Fatal(err)
		}
		return db
	}
	turn := 0
	watchKills(t, site, killsWanted(t, 4), open, func() {
		for range 3 {
			nodes = append(nodes, startBare(t, t.TempDir(), settings...))
		}
	}, func() *node {
		turn = (turn + 1) % len(nodes)
		_ = nodes[turn].stop(syscall.SIGKILL)
		nodes[turn] = startBare(t, t.TempDir(), settings...)
		return nodes[turn]
	})
}
