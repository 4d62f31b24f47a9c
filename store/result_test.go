package store_test

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/store"
)

// big is a page whose document does not fit into a row.
func (r *rig) big(t testing.TB, job store.NewJob, number int64) (item store.FinishedPage, head []byte) {
	t.Helper()
	item = done(job, number)
	head = []byte(longText(1 << 20))
	item.Document.Head = must[store.Packed](t)(r.Pack(head))
	item.Document.Size += len(head)
	return item, head
}

func TestResults(t *testing.T) {
	conformCases(t, []jobCase{
		{"by number and by size", func(t *testing.T, r *rig) {
			job := r.create(t, batch(r.crew(t, 20, -1), 10))
			for n := int64(1); n <= 10; n++ {
				item := done(job, n)
				item.Document.Size = 99 // and a comma
				r.finish(t, item)
			}
			for _, test := range []struct {
				skip, limit int
				bytes       int64
				from, to    int
			}{
				{0, 100, 1 << 20, 1, 10}, {0, 3, 1 << 20, 1, 3}, {3, 3, 1 << 20, 4, 6}, {8, 5, 1 << 20, 9, 10}, {10, 5, 1 << 20, 1, 0}, {99, 5, 1 << 20, 1, 0},
				{0, 100, 300, 1, 3}, {0, 100, 299, 1, 2}, {0, 100, 50, 1, 1}, {9, 100, 0, 10, 10}, {2, 2, 1000, 3, 4},
			} {
				list := must[[]store.Result](t)(r.Results(context.Background(), job.ID, test.skip, test.limit, test.bytes))
				var got, want []string
				for _, result := range list {
					got = append(got, string(result.Tail))
				}
				for n := test.from; n <= test.to; n++ {
					want = append(want, fmt.Sprintf(`{"page":%d}`, n))
				}
				if !slices.Equal(got, want) {
					t.Errorf("%+v: got %v", test, got)
				}
			}
			_, err := r.Result(context.Background(), job.ID, 11)
			wantCode(t, err, trawl.CodeNotFound)
		}},
		{"one that is too big does not let small ones pass", func(t *testing.T, r *rig) {
			job := r.create(t, batch(r.crew(t, 20, -1), 3))
			items := []store.FinishedPage{done(job, 1), done(job, 2), done(job, 3)}
			items[1].Document.Size = 5000
			r.finish(t, items...)
			if list := must[[]store.Result](t)(r.Results(context.Background(), job.ID, 0, 10, 1000)); len(list) != 1 {
				t.Errorf("%d results", len(list))
			}
		}},
		{"in two parts", func(t *testing.T, r *rig) {
			ctx := context.Background()
			job := r.create(t, batch(r.crew(t, 20, -1), 2))
			small := done(job, 2)
			small.Document.Head = must[store.Packed](t)(r.Pack([]byte("head")))
			large, head := r.big(t, job, 1)
			r.finish(t, small, large)
			list := must[[]store.Result](t)(r.Results(ctx, job.ID, 0, 10, 10<<20))
			for i, want := range [][]byte{head, []byte("head")} {
				if got := must[[]byte](t)(r.JSON(list[i])); !bytes.Equal(got, append(want, list[i].Tail...)) {
					t.Errorf("document %d has %d bytes, want %d", i, len(got), len(want))
				}
			}
			if got := must[[]byte](t)(r.Document(ctx, job.TeamID, large.ScrapeID)); !bytes.Equal(got, append(head, large.Document.Tail...)) {
				t.Errorf("document of %d bytes", len(got))
			}
			if got := must[[]byte](t)(r.JSON(store.Result{Tail: []byte("x")})); string(got) != "x" {
				t.Errorf("no head gave %q", got)
			}
		}},
		{"no document under zero data retention", func(t *testing.T, r *rig) {
			ctx := context.Background()
			job := batch(r.crew(t, 20, -1), 1)
			job.ZeroDataRetention, job.Seal = true, []byte("secret")
			r.create(t, job)
			item := done(job, 1)
			r.finish(t, item)
			_, err := r.Document(ctx, job.TeamID, item.ScrapeID)
			wantCode(t, err, trawl.CodeNotFound)
			must[store.Result](t)(r.Result(ctx, job.ID, 1))
			if spec := must[store.Spec](t)(r.Spec(ctx, job.ID)); string(spec.Seal) != "secret" {
				t.Errorf("seal %q", spec.Seal)
			}
		}},
	})
}

func TestSightings(t *testing.T) {
	conformCases(t, []jobCase{{"in pages of any size", func(t *testing.T, r *rig) {
		ctx := context.Background()
		job := r.create(t, crawl(r.crew(t, 3, -1), 6))
		found := links("a", "b", "c", "d", "e", "f", "g")
		for i := range 5 {
			found = append(found, left(fmt.Sprint("x", i), trawl.FateFiltered, "rule"))
		}
		r.finish(t, done(job, 1, found...))
		pages := r.pages(t, job)
		r.finish(t, failed(job, pages[0].Number))
		counts := must[map[string]int](t)(r.Fates(ctx, job.ID))
		want := map[string]int{trawl.FateScraped: 1, trawl.FateFailed: 1, trawl.FateRunning: 3, trawl.FateQueued: 1, trawl.FateOverLimit: 2, trawl.FateFiltered: 5}
		if fmt.Sprint(counts) != fmt.Sprint(want) {
			t.Errorf("fates %v, want %v", counts, want)
		}
		if s := r.sightings(t, job)[site+"a"]; s.Fate != trawl.FateFailed || s.Detail != string(trawl.CodeTimeout) {
			t.Errorf("a failure: %+v", s)
		}
		all := r.listed(t, job, "", 100)
		if len(all) != 13 || !slices.Equal(all[:6], []string{"", "a", "b", "c", "d", "e"}) {
			t.Errorf("listed %v", all)
		}
		for limit := 1; limit <= 14; limit++ {
			if got := r.listed(t, job, "", limit); !slices.Equal(got, all) {
				t.Errorf("by %d: %v, want %v", limit, got, all)
			}
		}
		for fate, count := range want {
			for _, limit := range []int{1, 2, 3, 5} {
				got := r.listed(t, job, fate, limit)
				slices.Sort(got)
				if len(slices.Compact(got)) != count {
					t.Errorf("%s by %d: %v", fate, limit, got)
				}
			}
		}
		if err := r.CancelJob(ctx, job.TeamID, job.Kind, job.ID); err != nil {
			t.Fatal(err)
		}
		if got := r.listed(t, job, trawl.FateCancelled, 10); !slices.Equal(got, []string{"b", "c", "d", "e"}) {
			t.Errorf("cancelled %v", got)
		}
		for _, cursor := range []string{"y", "xq", "x1", "1x", "99999999999999999999"} {
			_, _, err := r.Sightings(ctx, job.ID, "", cursor, 10)
			wantCode(t, err, trawl.CodeBadRequest)
		}
	}}})
}

// listed reads all sightings, so many at a time.
func (r *rig) listed(t testing.TB, job store.NewJob, fate string, limit int) (paths []string) {
	t.Helper()
	for cursor, calls := "", 0; ; calls++ {
		list, next, err := r.Sightings(context.Background(), job.ID, fate, cursor, limit)
		if err != nil || len(list) > limit || calls > 100 {
			t.Fatalf("%d sightings in call %d: %v", len(list), calls, err)
		}
		for _, s := range list {
			if fate != "" && s.Fate != fate {
				t.Errorf("%+v is listed as %s", s, fate)
			}
			paths = append(paths, strings.TrimPrefix(s.URL, site))
		}
		if cursor = next; next == "" {
			return paths
		}
	}
}

// jobTables are the tables with rows of a job beside its own.
var jobTables = []string{"job_options", "pages", "seen", "sightings", "results", "deliveries", "answers"}

func (r *rig) rows(t testing.TB, job store.NewJob) (counts []int64) {
	t.Helper()
	for _, table := range jobTables {
		counts = append(counts, r.number(t, "SELECT COUNT(*) FROM "+table+" WHERE job_id = $1", job.ID))
	}
	return counts
}

// full runs a crawl that leaves rows in every table, and a blob.
func (r *rig) full(t testing.TB, job store.NewJob) store.NewJob {
	t.Helper()
	job = r.create(t, hooked(job))
	r.keep(t, job, "key", "answer")
	item, _ := r.big(t, job, 1)
	item.Links = links("a", "b")
	r.finish(t, item)
	return job
}

func (r *rig) sweep(t testing.TB, wait time.Duration) store.SweepStats {
	t.Helper()
	return must[store.SweepStats](t)(r.Sweep(context.Background(), r.clock.Advance(wait), 0))
}

// wantGone looks for a job that is there no more, and for the reason that is given.
func (r *rig) wantGone(t testing.TB, job store.NewJob, reason string) {
	t.Helper()
	_, err := r.Job(context.Background(), job.TeamID, job.Kind, job.ID)
	wantCode(t, err, trawl.CodeNotFound)
	if err != nil && !strings.Contains(err.Error(), reason) {
		t.Errorf("got %v, want %s", err, reason)
	}
}

func TestSweepJobs(t *testing.T) {
	conformCases(t, []jobCase{{"when they expired", func(t *testing.T, r *rig) {
		ctx := context.Background()
		crew := r.crew(t, 9, -1)
		plain, running := r.full(t, crawl(crew, 1)), r.full(t, crawl(crew, 2))
		secret := crawl(crew, 1)
		secret.ZeroDataRetention, secret.Seal = true, []byte("seal")
		secret = r.full(t, secret)
		later := r.create(t, batch(crew, 1))
		for table, count := range r.rows(t, plain) {
			if count == 0 {
				t.Fatalf("there is nothing in %s to remove", jobTables[table])
			}
		}

		// The sweep of orphans looks at these blobs and leaves them.
		if stats := r.sweep(t, 23*time.Hour); stats.Jobs != 0 || stats.Orphans != 0 || len(blobIDs(t, r.env)) != 3 {
			t.Errorf("swept %+v, blobs %v", stats, blobIDs(t, r.env))
		}
		r.finish(t, done(later, 1))
		r.clock.Advance(time.Hour)
		r.wantGone(t, plain, "Job expired")
		r.wantGone(t, secret, "Job expired")
		if stats := r.sweep(t, 0); stats.Jobs != 2 || stats.Orphans != 0 {
			t.Errorf("swept %+v", stats)
		}
		r.wantGone(t, plain, "Job expired")
		r.wantGone(t, secret, "Job not found")
		for _, job := range []store.NewJob{plain, secret} {
			if counts := r.rows(t, job); slices.Max(counts) != 0 {
				t.Errorf("%v rows are left in %v", counts, jobTables)
			}
		}
		if n := r.number(t, "SELECT COUNT(*) FROM jobs WHERE id = $1 AND request = '' AND url = '' AND base = ''", plain.ID); n != 1 {
			t.Error("the row of an expired job tells what it was")
		}
		if blobs := blobIDs(t, r.env); len(blobs) != 1 {
			t.Errorf("blobs %v", blobs)
		}
		_, err := r.Errand(ctx, plain.ID)
		wantCode(t, err, trawl.CodeNotFound)
		r.wantJob(t, later, trawl.StateCompleted, 1, 1, 0)

		if stats := r.sweep(t, 24*time.Hour); stats.Jobs != 1 {
			t.Errorf("swept %+v", stats)
		}
		r.wantGone(t, plain, "Job not found")

		// What runs never expires.
		r.wantJob(t, running, trawl.StateScraping, 2, 1, 0)
		if got := r.view(t, running); !got.ExpiresAt.Equal(r.clock.Now().Add(24 * time.Hour)) {
			t.Errorf("a running job expires at %v", got.ExpiresAt)
		}
		must[store.Result](t)(r.Result(ctx, running.ID, 1))
		r.finish(t, done(running, r.pages(t, running)[0].Number))
		r.sweep(t, 24*time.Hour-time.Millisecond)
		r.wantJob(t, running, trawl.StateCompleted, 2, 2, 0)
		r.sweep(t, 48*time.Hour)
		r.wantGone(t, running, "Job not found")
		if n := r.number(t, "SELECT COUNT(*) FROM jobs"); n != 0 || len(blobIDs(t, r.env)) != 0 {
			t.Errorf("%d jobs and blobs %v are left", n, blobIDs(t, r.env))
		}
	}}})
}

func TestExpireSoon(t *testing.T) {
	conformCases(t, []jobCase{
		{"only what is over, and only sooner", func(t *testing.T, r *rig) {
			ctx := context.Background()
			crew := r.crew(t, 9, -1)
			over, running := r.create(t, batch(crew, 1)), r.create(t, batch(crew, 1))
			r.finish(t, done(over, 1))
			soon := r.clock.Now().Add(time.Minute)
			for _, job := range []store.NewJob{over, running} {
				for _, at := range []time.Time{soon, soon.Add(time.Hour)} {
					if err := r.ExpireSoon(ctx, job.ID, at.UnixMilli()); err != nil {
						t.Fatal(err)
					}
				}
			}
			if got := r.view(t, over).ExpiresAt; !got.Equal(soon) {
				t.Errorf("expires %v, want %v", got, soon)
			}
			r.clock.Advance(time.Minute)
			r.wantGone(t, over, "Job expired")
			r.finish(t, done(running, 1))
			if got := r.view(t, running).ExpiresAt; !got.Equal(r.clock.Now().Add(24 * time.Hour)) {
				t.Errorf("expires %v", got)
			}
		}},
		{"orphans go and blobs of results stay", func(t *testing.T, r *rig) {
			ctx := context.Background()
			job := r.full(t, crawl(r.crew(t, 9, 1), 9))
			lost, _ := r.big(t, job, 2) // there is no credit for it
			r.finish(t, lost)
			if err := r.Blobs().Put(ctx, uuid.NewString(), []byte("orphan")); err != nil {
				t.Fatal(err)
			}
			if stats := r.sweep(t, 3*time.Hour); stats.Orphans != 2 {
				t.Errorf("swept %+v", stats)
			}
			must[store.Result](t)(r.Result(ctx, job.ID, 1))
		}},
	})
}
