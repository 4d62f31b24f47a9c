package store_test

import (
	"cmp"
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/store"
)

// rig is a store for tests of jobs, with a look behind its methods.
type rig struct {
	*env
	db *sql.DB
}

// silent is what is dead when a node was not seen for a while.
func (r *rig) silent(most time.Duration) func(store.Sign) bool {
	return func(s store.Sign) bool { return r.clock.Now().Sub(s.SeenAt) > most }
}

// jobCase is one of several tests that share a store: to make one takes longer
// than most of them. Each has teams of its own.
type jobCase struct {
	name string
	test func(t *testing.T, r *rig)
}

func conformCases(t *testing.T, cases []jobCase) {
	conform(t, func(t *testing.T, s *env) {
		r := newRig(t, s)
		for _, c := range cases {
			t.Run(c.name, func(t *testing.T) { c.test(t, r) })
		}
	})
}

func newRig(t *testing.T, s *env) *rig {
	driver, dsn := "pgx", s.config.DatabaseURL
	if dsn == "" {
		driver, dsn = "sqlite", "file:"+filepath.Join(s.config.DataDir, "trawl.db")+"?_pragma=busy_timeout(10000)"
	}
	db := must[*sql.DB](t)(sql.Open(driver, dsn))
	t.Cleanup(func() { _ = db.Close() })
	return &rig{s, db}
}

func (r *rig) sqlite() bool { return r.config.DatabaseURL == "" }

func (r *rig) exec(t testing.TB, query string, args ...any) {
	t.Helper()
	if _, err := r.db.Exec(query, args...); err != nil {
		t.Fatal(err)
	}
}

// number returns the one number that a query finds.
func (r *rig) number(t testing.TB, query string, args ...any) (n int64) {
	t.Helper()
	if err := r.db.QueryRow(query, args...).Scan(&n); err != nil {
		t.Fatal(err)
	}
	return n
}

// crew adds a team that may run so many pages at a time.
func (r *rig) crew(t testing.TB, concurrency int, credits int64) trawl.Team {
	t.Helper()
	crew := trawl.Team{Name: uuid.NewString(), Concurrency: concurrency}
	if credits >= 0 {
		crew.Credits = &credits
	}
	return must[trawl.Team](t)(r.CreateTeam(context.Background(), crew))
}

func (r *rig) create(t testing.TB, job store.NewJob) store.NewJob {
	t.Helper()
	if err := r.CreateJob(context.Background(), job); err != nil {
		t.Fatal(err)
	}
	return job
}

func (r *rig) finish(t testing.TB, items ...store.FinishedPage) {
	t.Helper()
	if _, err := r.FinishPages(context.Background(), items); err != nil {
		t.Fatal(err)
	}
}

func (r *rig) view(t testing.TB, job store.NewJob) trawl.Job {
	t.Helper()
	return must[trawl.Job](t)(r.Job(context.Background(), job.TeamID, job.Kind, job.ID))
}

// wantJob compares the state and the counts of a job.
func (r *rig) wantJob(t testing.TB, job store.NewJob, state string, total, completed, failed int) {
	t.Helper()
	got := r.view(t, job)
	if got.State != state || got.Total != total || got.Completed != completed || got.Failed != failed {
		t.Errorf("job is %s with %d pages, %d completed, %d failed; want %s, %d, %d, %d",
			got.State, got.Total, got.Completed, got.Failed, state, total, completed, failed)
	}
	if got.Done() == got.FinishedAt.IsZero() {
		t.Errorf("job is %s and finished at %v", got.State, got.FinishedAt)
	}
}

// pages returns the running pages of a job by their number.
func (r *rig) pages(t testing.TB, job store.NewJob) []store.Page {
	t.Helper()
	var numbers []int64
	rows := must[*sql.Rows](t)(r.db.Query("SELECT n FROM pages WHERE job_id = $1 AND state = 1", job.ID))
	defer func() { _ = rows.Close() }()
	for rows.Next() {
		var n int64
		if err := rows.Scan(&n); err != nil {
			t.Fatal(err)
		}
		numbers = append(numbers, n)
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	if len(numbers) == 0 {
		return nil
	}
	_, pages, err := r.RunningPages(context.Background(), job.ID, numbers)
	if err != nil {
		t.Fatal(err)
	}
	slices.SortFunc(pages, func(a, b store.Page) int { return cmp.Compare(a.Number, b.Number) })
	return pages
}

func (r *rig) wantRunning(t testing.TB, job store.NewJob, want ...int64) {
	t.Helper()
	var got []int64
	for _, page := range r.pages(t, job) {
		got = append(got, page.Number)
	}
	if !slices.Equal(got, want) {
		t.Errorf("pages %v are running, want %v", got, want)
	}
}

func (r *rig) wantUsage(t testing.TB, team trawl.Team, running, queued int) {
	t.Helper()
	gotRunning, gotQueued, err := r.JobUsage(context.Background(), team.ID)
	if err != nil || gotRunning != running || gotQueued != queued {
		t.Errorf("%d pages running and %d queued, %v; want %d and %d", gotRunning, gotQueued, err, running, queued)
	}
}

// task is a task of a job as it waits in the queue.
type task struct {
	kind, queue string
	pages       []int64
}

func (r *rig) tasks(t testing.TB, job store.NewJob) (list []task) {
	t.Helper()
	text := "CAST(args AS TEXT)"
	if r.sqlite() {
		text = "json(args)"
	}
	rows := must[*sql.Rows](t)(r.db.Query("SELECT kind, queue, " + text + " FROM river_job ORDER BY id"))
	defer func() { _ = rows.Close() }()
	for rows.Next() {
		var one task
		var body string
		var args store.PageTask
		if err := rows.Scan(&one.kind, &one.queue, &body); err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal([]byte(body), &args); err != nil {
			t.Fatal(err)
		}
		if one.pages = args.Pages; args.Job == job.ID {
			list = append(list, one)
		}
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	return list
}

const site = "https://site.test/"

func newJob(team trawl.Team, kind string) store.NewJob {
	return store.NewJob{
		Job: trawl.Job{
			ID: uuid.Must(uuid.NewV7()).String(), TeamID: team.ID, KeyID: "key", Kind: kind, Request: json.RawMessage(`{"limit":7}`),
		},
		Options: []byte(`{"formats":["markdown"]}`), Limit: 1000,
	}
}

// batch is a job of so many pages.
func batch(team trawl.Team, pages int) store.NewJob {
	job := newJob(team, trawl.KindBatch)
	job.Pages = targets(pages)
	return job
}

func targets(count int) (list []store.Target) {
	for i := range count {
		list = append(list, store.Target{URL: fmt.Sprint(site, "batch/", i+1)})
	}
	return list
}

// crawl is a job that begins with one page.
func crawl(team trawl.Team, limit int) store.NewJob {
	job := newJob(team, trawl.KindCrawl)
	job.URL, job.Limit = site, limit
	job.Pages = []store.Target{{URL: site, Identity: site}}
	return job
}

// done is a page of a job with a document that costs a credit.
func done(job store.NewJob, number int64, links ...store.Link) store.FinishedPage {
	tail := fmt.Appendf(nil, `{"page":%d}`, number)
	return store.FinishedPage{
		TeamID: job.TeamID, JobID: job.ID, Number: number, ScrapeID: uuid.NewString(), Links: links,
		Document: &store.PageDocument{Tail: tail, Size: len(tail), Credits: 1},
	}
}

func failed(job store.NewJob, number int64) store.FinishedPage {
	item := done(job, number)
	item.Document, item.Failure = nil, &store.Failure{Code: trawl.CodeTimeout, Text: "too slow"}
	return item
}

func TestCreateJob(t *testing.T) {
	conformCases(t, []jobCase{
		{"begins at once", func(t *testing.T, r *rig) {
			ctx := context.Background()
			job := crawl(r.crew(t, 0, -1), 10)
			job.Warning, job.Seal, job.Discover = "careful", []byte("seal"), true
			r.create(t, job)
			got := r.view(t, job)
			if got.URL != site || got.KeyID != "key" || string(got.Request) != `{"limit":7}` || got.Warning != "careful" {
				t.Errorf("got %+v", got)
			}
			if now := r.clock.Now(); !got.CreatedAt.Equal(now) || !got.ExpiresAt.Equal(now.Add(24*time.Hour)) {
				t.Errorf("created %v, expires %v", got.CreatedAt, got.ExpiresAt)
			}
			r.wantJob(t, job, trawl.StateScraping, 1, 0, 0)
			pages := r.pages(t, job)
			if len(pages) != 1 || pages[0] != (store.Page{Number: 1, URL: site, Options: 1}) {
				t.Errorf("pages %+v", pages)
			}
			spec := must[store.Spec](t)(r.Spec(ctx, job.ID))
			if spec.TeamID != job.TeamID || spec.Kind != job.Kind || string(spec.Request) != `{"limit":7}` || string(spec.Seal) != "seal" {
				t.Errorf("spec %+v", spec)
			}
			want := []task{{"page", store.QueuePage, []int64{1}}}
			if got := r.tasks(t, job); fmt.Sprint(got) != fmt.Sprint(want) {
				t.Errorf("tasks %v, want %v", got, want)
			}
			r.finish(t, done(job, 1)) // from which it is clear where the crawl starts
			want = append(want, task{"discover", store.QueueDefault, nil})
			if got := r.tasks(t, job); fmt.Sprint(got) != fmt.Sprint(want) {
				t.Errorf("tasks %v, want %v", got, want)
			}
		}},
		{"is seen by its team and kind alone", func(t *testing.T, r *rig) {
			ctx := context.Background()
			crew, other := r.crew(t, 0, -1), r.crew(t, 0, -1)
			job := r.create(t, batch(crew, 1))
			for _, ask := range [][3]string{{other.ID, job.Kind, job.ID}, {crew.ID, trawl.KindCrawl, job.ID}, {crew.ID, job.Kind, uuid.NewString()}} {
				_, err := r.Job(ctx, ask[0], ask[1], ask[2])
				wantCode(t, err, trawl.CodeNotFound)
			}
			if err := r.CreateJob(ctx, batch(trawl.Team{ID: "nobody"}, 1)); trawl.ErrorCode(err) != trawl.CodeNotFound {
				t.Errorf("job of a team that does not exist: %v", err)
			}
		}},
		{"up to the limit of the team", func(t *testing.T, r *rig) {
			crew := r.crew(t, 5, -1)
			first, second := r.create(t, batch(crew, 3)), r.create(t, batch(crew, 4))
			r.wantRunning(t, first, 1, 2, 3)
			r.wantRunning(t, second, 1, 2)
			r.wantUsage(t, crew, 5, 2)
			r.wantUsage(t, r.crew(t, 5, -1), 0, 0)
		}},
		{"up to its own limit", func(t *testing.T, r *rig) {
			crew := r.crew(t, 5, -1)
			first := batch(crew, 4)
			first.Most = 2
			r.create(t, first)
			second := r.create(t, batch(crew, 9))
			r.wantRunning(t, first, 1, 2)
			r.wantRunning(t, second, 1, 2, 3)
			r.finish(t, done(first, 1))
			r.wantRunning(t, first, 2, 3)
			r.wantRunning(t, second, 1, 2, 3)
		}},
		{"up to the limit of the configuration", func(t *testing.T, r *rig) {
			crew := r.crew(t, 0, -1)
			job := r.create(t, batch(crew, 60))
			r.wantUsage(t, crew, 50, 10)
			var carried []int64
			for _, task := range r.tasks(t, job) {
				if len(task.pages) > 8 && !r.Embedded() { // nodes share in small portions
					t.Errorf("a task of %d pages", len(task.pages))
				}
				carried = append(carried, task.pages...)
			}
			slices.Sort(carried)
			if len(slices.Compact(carried)) != 50 {
				t.Errorf("tasks carry %v", carried)
			}
		}},
		{"without a page", func(t *testing.T, r *rig) {
			job := newJob(r.crew(t, 0, -1), trawl.KindCrawl)
			job.URL, job.Denied = site, &store.Failure{Code: trawl.CodeCrawlDenial, Text: "no"}
			r.create(t, job)
			r.wantJob(t, job, trawl.StateCompleted, 0, 0, 0)
			list, _, err := r.PageErrors(context.Background(), job.ID)
			if err != nil || len(list) != 1 || list[0].URL != site || list[0].Code != trawl.CodeCrawlDenial || list[0].Text != "no" {
				t.Errorf("errors %+v, %v", list, err)
			}
		}},
		{"with very many pages", func(t *testing.T, r *rig) {
			crew := r.crew(t, 3, -1)
			job := r.create(t, batch(crew, 1234))
			r.wantJob(t, job, trawl.StateScraping, 1234, 0, 0)
			r.wantUsage(t, crew, 3, 1231)
		}},
		{"is active while it runs", func(t *testing.T, r *rig) {
			ctx := context.Background()
			crew := r.crew(t, 0, -1)
			first, second := r.create(t, batch(crew, 1)), r.create(t, batch(crew, 1))
			r.create(t, crawl(crew, 1))
			active := must[[]trawl.Job](t)(r.ActiveJobs(ctx, crew.ID, trawl.KindBatch))
			if len(active) != 2 || active[0].ID != first.ID || active[1].ID != second.ID {
				t.Errorf("active %+v", active)
			}
			r.finish(t, done(first, 1))
			if active := must[[]trawl.Job](t)(r.ActiveJobs(ctx, crew.ID, trawl.KindBatch)); len(active) != 1 {
				t.Errorf("active %+v", active)
			}
			if none := must[[]trawl.Job](t)(r.ActiveJobs(ctx, r.crew(t, 0, -1).ID, trawl.KindBatch)); len(none) != 0 {
				t.Errorf("active of another team %+v", none)
			}
		}},
	})
}

func TestAdmission(t *testing.T) {
	conformCases(t, []jobCase{
		{"a delay spaces pages", func(t *testing.T, r *rig) {
			job := batch(r.crew(t, 5, -1), 4)
			job.Delay, job.Most = 2*time.Second, 3
			r.create(t, job)
			start := r.clock.Now()
			wantNext := func(number int64, at time.Time) {
				t.Helper()
				pages := r.pages(t, job)
				if len(pages) != 1 || pages[0].Number != number || !pages[0].StartAt.Equal(at) {
					t.Fatalf("running %+v, want page %d at %v", pages, number, at)
				}
			}
			wantNext(1, start)
			r.finish(t, done(job, 1))
			wantNext(2, start.Add(2*time.Second))
			r.finish(t, done(job, 2))
			wantNext(3, start.Add(4*time.Second))
			late := r.clock.Advance(time.Minute)
			r.finish(t, done(job, 3))
			wantNext(4, late.Add(2*time.Second))
			for _, task := range r.tasks(t, job) {
				if task.queue != store.QueueDelayed || len(task.pages) != 1 {
					t.Errorf("task %+v", task)
				}
			}
			r.finish(t, done(job, 4))
			r.wantJob(t, job, trawl.StateCompleted, 4, 4, 0)
		}},
		{"jobs share evenly", func(t *testing.T, r *rig) {
			crew := r.crew(t, 4, -1)
			first := r.create(t, batch(crew, 20))
			second := r.create(t, batch(crew, 20))
			r.wantRunning(t, first, 1, 2, 3, 4)
			r.wantRunning(t, second)
			r.finish(t, done(first, 1))
			r.wantRunning(t, second, 1)
			r.finish(t, done(first, 2), done(first, 3))
			r.wantRunning(t, first, 4, 5)
			r.wantRunning(t, second, 1, 2)
			third := r.create(t, batch(crew, 1))
			r.finish(t, done(first, 4), done(first, 5), done(second, 1))
			r.wantRunning(t, third, 1)
			r.wantUsage(t, crew, 4, 20-7+20-2)
			r.finish(t, done(third, 1))
			r.wantJob(t, third, trawl.StateCompleted, 1, 1, 0)
			r.wantUsage(t, crew, 4, 20-7+20-2-1)
			if len(r.pages(t, first)) != 2 || len(r.pages(t, second)) != 2 {
				t.Errorf("%d and %d pages are running", len(r.pages(t, first)), len(r.pages(t, second)))
			}
		}},
		{"teams do not wait for each other", func(t *testing.T, r *rig) {
			busy, idle := r.crew(t, 1, -1), r.crew(t, 1, -1)
			r.create(t, batch(busy, 5))
			r.wantRunning(t, r.create(t, batch(idle, 5)), 1)
		}},
		{"a page counts its attempts", func(t *testing.T, r *rig) {
			ctx := context.Background()
			job := r.create(t, batch(r.crew(t, 2, -1), 2))
			for want := 1; want <= 3; want++ {
				if got := must[int](t)(r.CountAttempt(ctx, job.ID, 1)); got != want {
					t.Errorf("attempt %d, want %d", got, want)
				}
			}
			if got := must[int](t)(r.CountAttempt(ctx, job.ID, 2)); got != 1 {
				t.Errorf("attempt %d of another page", got)
			}
		}},
	})
}

func TestJobOnce(t *testing.T) {
	conformCases(t, []jobCase{{"a key works once", func(t *testing.T, r *rig) {
		ctx := context.Background()
		crew, other := r.crew(t, 0, -1), r.crew(t, 0, -1)
		once := func(team trawl.Team, key string) store.NewJob {
			job := batch(team, 1)
			job.Once = key
			return job
		}
		job := r.create(t, once(crew, "k"))
		again := once(crew, "k")
		wantCode(t, r.CreateJob(ctx, again), trawl.CodeConflict)
		_, err := r.Job(ctx, crew.ID, again.Kind, again.ID)
		wantCode(t, err, trawl.CodeNotFound)
		r.create(t, once(other, "k"))
		r.create(t, once(crew, "K"))
		r.create(t, once(crew, ""))
		r.create(t, once(crew, ""))
		wantCode(t, r.AppendPages(ctx, crew.ID, job.ID, nil, targets(1), "k"), trawl.CodeConflict)
		r.wantJob(t, job, trawl.StateScraping, 1, 0, 0)

		// A request that failed did not use its key up.
		wantCode(t, r.AppendPages(ctx, crew.ID, uuid.NewString(), nil, targets(1), "free"), trawl.CodeNotFound)
		r.create(t, once(crew, "free"))

		r.clock.Advance(47 * time.Hour)
		must[store.SweepStats](t)(r.Sweep(ctx, r.clock.Now(), 0))
		wantCode(t, r.CreateJob(ctx, once(crew, "k")), trawl.CodeConflict)
		r.clock.Advance(time.Hour)
		must[store.SweepStats](t)(r.Sweep(ctx, r.clock.Now(), 0))
		r.create(t, once(crew, "k"))
	}}})
}

func TestAppendPages(t *testing.T) {
	conformCases(t, []jobCase{
		{"adds pages with their own options", func(t *testing.T, r *rig) {
			ctx := context.Background()
			job := r.create(t, batch(r.crew(t, 3, -1), 1))
			for i := range 2 {
				options := fmt.Appendf(nil, `{"set":%d}`, i+2)
				if err := r.AppendPages(ctx, job.TeamID, job.ID, options, targets(2), ""); err != nil {
					t.Fatal(err)
				}
			}
			r.wantJob(t, job, trawl.StateScraping, 5, 0, 0)
			r.wantRunning(t, job, 1, 2, 3)
			r.finish(t, done(job, 1), done(job, 2))
			for i, page := range r.pages(t, job) {
				if want := []int64{2, 3, 3}[i]; page.Options != want {
					t.Errorf("page %d has options %d, want %d", page.Number, page.Options, want)
				}
			}
			for n, want := range []string{`{"formats":["markdown"]}`, `{"set":2}`, `{"set":3}`} {
				if got := must[[]byte](t)(r.PageOptions(ctx, job.ID, int64(n+1))); string(got) != want {
					t.Errorf("options %d are %s", n+1, got)
				}
			}
		}},
		{"refuses what is not a running batch of the team", func(t *testing.T, r *rig) {
			ctx := context.Background()
			crew := r.crew(t, 0, -1)
			add := func(team trawl.Team, id string) error {
				return r.AppendPages(ctx, team.ID, id, []byte("{}"), targets(1), "")
			}
			job, site := r.create(t, batch(crew, 1)), r.create(t, crawl(crew, 5))
			wantCode(t, add(crew, uuid.NewString()), trawl.CodeNotFound)
			wantCode(t, add(crew, site.ID), trawl.CodeNotFound)
			wantCode(t, add(r.crew(t, 0, -1), job.ID), trawl.CodeNotFound)
			r.finish(t, done(job, 1))
			err := add(crew, job.ID)
			wantCode(t, err, trawl.CodeConflict)
			if !strings.Contains(err.Error(), trawl.StateCompleted) {
				t.Errorf("got %v", err)
			}
			r.wantJob(t, job, trawl.StateCompleted, 1, 1, 0)
			r.wantJob(t, site, trawl.StateScraping, 1, 0, 0)
		}},
	})
}

func TestCancelJob(t *testing.T) {
	conformCases(t, []jobCase{
		{"ends it at once", func(t *testing.T, r *rig) {
			ctx := context.Background()
			crew := r.crew(t, 3, 10)
			job := r.create(t, batch(crew, 9))
			waiting := r.create(t, batch(crew, 1))
			r.finish(t, done(job, 1), failed(job, 2)) // waiting and page 4 get their slots
			for range 2 {
				if err := r.CancelJob(ctx, crew.ID, job.Kind, job.ID); err != nil {
					t.Fatal(err)
				}
			}
			r.wantJob(t, job, trawl.StateCancelled, 2, 1, 1)
			r.wantRunning(t, job)
			r.wantUsage(t, crew, 1, 0)

			r.finish(t, done(job, 3), done(job, 4), done(job, 7))
			r.wantJob(t, job, trawl.StateCancelled, 2, 1, 1)
			if got := balance(t, r.Store, crew.Name); got != 9 {
				t.Errorf("balance %d, want 9", got)
			}
			if list := must[[]store.Result](t)(r.Results(ctx, job.ID, 0, 10, 1<<20)); len(list) != 1 {
				t.Errorf("%d results", len(list))
			}
			fates := must[map[string]int](t)(r.Fates(ctx, job.ID))
			if fates[trawl.FateCancelled] != 7 || fates[trawl.FateScraped] != 1 || fates[trawl.FateFailed] != 1 {
				t.Errorf("fates %v", fates)
			}
			r.finish(t, done(waiting, 1))
			r.wantJob(t, waiting, trawl.StateCompleted, 1, 1, 0)
		}},
		{"lets others run", func(t *testing.T, r *rig) {
			crew := r.crew(t, 2, -1)
			job, waiting := r.create(t, batch(crew, 9)), r.create(t, batch(crew, 9))
			r.wantRunning(t, waiting)
			if err := r.CancelJob(context.Background(), crew.ID, job.Kind, job.ID); err != nil {
				t.Fatal(err)
			}
			r.wantRunning(t, waiting, 1, 2)
		}},
		{"ends discovery", func(t *testing.T, r *rig) {
			ctx := context.Background()
			job := crawl(r.crew(t, 2, -1), 9)
			job.Discover = true
			r.create(t, job)
			if err := r.CancelJob(ctx, job.TeamID, job.Kind, job.ID); err != nil {
				t.Fatal(err)
			}
			if err := r.AddLinks(ctx, job.TeamID, job.ID, []store.Link{link("a")}, true, &store.Failure{Code: trawl.CodeSitemap, Text: "too late"}); err != nil {
				t.Fatal(err)
			}
			r.wantJob(t, job, trawl.StateCancelled, 0, 0, 0)
			r.wantRunning(t, job)
		}},
		{"refuses what is not a running job of the team", func(t *testing.T, r *rig) {
			ctx := context.Background()
			crew, other := r.crew(t, 2, -1), r.crew(t, 2, -1)
			job := r.create(t, batch(crew, 1))
			wantCode(t, r.CancelJob(ctx, other.ID, job.Kind, job.ID), trawl.CodeNotFound)
			wantCode(t, r.CancelJob(ctx, crew.ID, trawl.KindCrawl, job.ID), trawl.CodeNotFound)
			wantCode(t, r.CancelJob(ctx, crew.ID, job.Kind, uuid.NewString()), trawl.CodeNotFound)
			r.wantJob(t, job, trawl.StateScraping, 1, 0, 0)
			r.finish(t, done(job, 1))
			wantCode(t, r.CancelJob(ctx, crew.ID, job.Kind, job.ID), trawl.CodeConflict)
			r.wantJob(t, job, trawl.StateCompleted, 1, 1, 0)
		}},
	})
}
