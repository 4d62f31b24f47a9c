package job_test

import (
	"database/sql"
	"path/filepath"
	"slices"
	"testing"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/internal/testtime"
	"github.com/trawlhq/trawl/job"
	"github.com/trawlhq/trawl/store/storetest"
)

// lineup is a service whose tasks look as if processes had ended with them.
type lineup struct {
	*service
	db *sql.DB
}

// newLineup takes orders, and leaves the work to whoever is started later.
func newLineup(t *testing.T) *lineup {
	t.Helper()
	dir := storetest.Folder(t)
	s := startOn(t, openStore(t, dir), func(c *job.Config) { c.Idle = true })
	db, err := sql.Open("sqlite", "file:"+filepath.Join(dir, "trawl.db")+"?_pragma=busy_timeout(10000)")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	return &lineup{s, db}
}

func (l *lineup) exec(query string, args ...any) {
	l.t.Helper()
	if _, err := l.db.Exec(query, args...); err != nil {
		l.t.Fatal(err)
	}
}

// suspects orders a batch whose task was handed out too often.
func (l *lineup) suspects(paths ...string) string {
	l.t.Helper()
	id := l.ordered(l.Batch(l.t.Context(), l.order, l.batchRequest(paths...))).ID
	l.exec("UPDATE river_job SET attempt = 3 WHERE kind = 'page' AND json_extract(args, '$.job') = $1", id)
	return id
}

// attempts returns how often the pages of a job were tried on their own.
func (l *lineup) attempts(id string) (list []int) {
	l.t.Helper()
	rows, err := l.db.Query("SELECT attempts FROM pages WHERE job_id = $1 ORDER BY n", id)
	if err != nil {
		l.t.Fatal(err)
	}
	defer func() { _ = rows.Close() }()
	for rows.Next() {
		var n int
		if err := rows.Scan(&n); err != nil {
			l.t.Fatal(err)
		}
		list = append(list, n)
	}
	return list
}

// running reports how many tasks for pages somebody works on.
func (l *lineup) running() (n int) {
	l.t.Helper()
	if err := l.db.QueryRow("SELECT COUNT(*) FROM river_job WHERE kind = 'page' AND state = 'running'").Scan(&n); err != nil {
		l.t.Fatal(err)
	}
	return n
}

// A page that was tried on its own too often fails; one that was not is tried again.
func TestSuspectsFailInTheEnd(t *testing.T) {
	t.Parallel()
	l := newLineup(t)
	l.site.page("/bad")
	l.site.page("/unlucky")
	l.site.page("/good")
	id := l.suspects("/bad", "/unlucky", "/good")
	for page, count := range map[int64]int{1: 8, 2: 7} {
		for range count {
			if _, err := l.store.CountAttempt(t.Context(), id, page); err != nil {
				t.Fatal(err)
			}
		}
	}
	startWith(t, l.store, l.site)
	j := l.finished(trawl.KindBatch, id)
	l.expect(j, trawl.StateCompleted, "/unlucky", "/good")
	if codes, _ := l.failures(j); len(codes) != 1 || codes["/bad"] != trawl.CodeCrashed || l.site.count("/bad") != 0 {
		t.Errorf("failures %v, and the bad page was asked for %d times", codes, l.site.count("/bad"))
	}
	if got := l.attempts(id); !slices.Equal(got, []int{9, 8, 1}) {
		t.Errorf("attempts %v", got)
	}
}

// An attempt is counted when it is made: not while a page waits for its turn among
// the suspects, nor for a slot.
func TestWaitingIsNoAttempt(t *testing.T) {
	t.Parallel()
	t.Run("for others", func(t *testing.T) {
		t.Parallel()
		l, g := newLineup(t), newGate()
		l.site.gated(g, "/1", "/2", "/3")
		id := l.suspects("/1", "/2", "/3")
		startWith(t, l.store, l.site)
		for made := 1; made <= 3; made++ {
			receive(t, g.entered)
			sum := 0
			for _, n := range l.attempts(id) {
				sum += n
			}
			if sum != made {
				t.Errorf("%d attempts are counted when the page number %d is scraped", sum, made)
			}
			g.opened <- struct{}{}
		}
		l.expect(l.finished(trawl.KindBatch, id), trawl.StateCompleted, "/1", "/2", "/3")
	})
	t.Run("for a slot", func(t *testing.T) {
		t.Parallel()
		l, g := newLineup(t), newGate()
		defer g.open()
		l.site.gated(g, "/1", "/2")
		l.site.page("/late")
		l.ordered(l.Batch(t.Context(), l.order, l.batchRequest("/1", "/2")))
		id := l.suspects("/late")
		const task = "UPDATE river_job SET state = $2 WHERE kind = 'page' AND json_extract(args, '$.job') = $1"
		l.exec(task, id, "pending") // until the slots are taken
		s := startWith(t, l.store, l.site, func(c *job.Config) { c.Pages = 2 })
		receive(t, g.entered)
		receive(t, g.entered)
		l.exec(task, id, "available")
		eventually(t, func() bool { return l.running() == 2 })
		if err := s.Stop(testtime.Context(t)); err != nil {
			t.Fatal(err)
		}
		if got := l.attempts(id); !slices.Equal(got, []int{0}) {
			t.Errorf("attempts %v of a page that only waited", got)
		}
	})
}
