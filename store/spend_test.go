package store_test

import (
	"context"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/store"
)

// limited adds a key that may spend so many credits in an interval.
func limited(t testing.TB, s *store.Store, team trawl.Team, credits int64, interval string) (trawl.Key, string) {
	t.Helper()
	secret := trawl.NewSecret()
	limit := &trawl.SpendLimit{Credits: credits, Interval: interval}
	return must[trawl.Key](t)(s.CreateKey(context.Background(), trawl.Key{TeamID: team.ID, SpendLimit: limit}, secret)), secret
}

func spent(t testing.TB, s *store.Store, secret string) int64 {
	t.Helper()
	return must[trawl.Caller](t)(s.Caller(context.Background(), trawl.HashSecret(secret))).Key.Spent
}

// Requests and pages of jobs are paid at the same time, on several
// nodes where there can be several, by two keys of one team.
func TestSpendLimitUnderLoad(t *testing.T) {
	conform(t, func(t *testing.T, s *env) {
		ctx := context.Background()
		r := newRig(t, s)
		crew := r.crew(t, 50, -1)
		one, oneSecret := limited(t, s.Store, crew, 30, trawl.SpendDaily)
		two, twoSecret := limited(t, s.Store, crew, 7, trawl.SpendMonthly)
		nodes := []*store.Store{s.Store}
		if !r.sqlite() {
			nodes = append(nodes, mustOpen(t, s.config))
		}
		job := batch(crew, 20)
		job.KeyID = one.ID
		r.create(t, job)
		var kept atomic.Int64
		var group sync.WaitGroup
		for i := range 40 {
			node := nodes[i%len(nodes)]
			group.Go(func() {
				errs, err := node.Finish(ctx, []store.Finished{
					paidBy(one, "scrape", 1, s.clock.Now()), paidBy(two, "scrape", 1, s.clock.Now()), paidBy(trawl.Key{TeamID: crew.ID}, "scrape", 1, s.clock.Now()),
				})
				if err != nil {
					t.Error(err)
					return
				}
				for i, err := range errs {
					switch {
					case err == nil && i < 2:
						kept.Add(1)
					case err != nil && (i == 2 || trawl.ErrorCode(err) != trawl.CodePayment):
						t.Errorf("item %d: %v", i, err)
					}
				}
			})
		}
		for n := range int64(20) {
			group.Go(func() {
				if _, err := nodes[int(n)%len(nodes)].FinishPages(ctx, []store.FinishedPage{done(job, n+1)}); err != nil {
					t.Error(err)
				}
			})
		}
		group.Wait()
		if got := kept.Load() + int64(r.view(t, job).Completed); got != 37 {
			t.Errorf("%d were kept, want 37", got)
		}
		if a, b := spent(t, s.Store, oneSecret), spent(t, s.Store, twoSecret); a != 30 || b != 7 {
			t.Errorf("the keys have spent %d and %d, want 30 and 7", a, b)
		}
	})
}

func TestSpendLimitOfJob(t *testing.T) {
	conformCases(t, []jobCase{
		{"ends the job", func(t *testing.T, r *rig) {
			crew := r.crew(t, 20, 100)
			key, secret := limited(t, r.Store, crew, 2, trawl.SpendWeekly)
			job := batch(crew, 9)
			job.KeyID = key.ID
			r.create(t, job)
			other := r.create(t, batch(crew, 1))
			r.finish(t, done(job, 1), done(job, 2), done(job, 3), done(other, 1))
			r.wantJob(t, job, trawl.StateFailed, 3, 2, 1)
			r.wantJob(t, other, trawl.StateCompleted, 1, 1, 0)
			if got := r.view(t, job).Error; got != key.SpendLimit.Reached().Message {
				t.Errorf("error %q", got)
			}
			if got := spent(t, r.Store, secret); got != 2 {
				t.Errorf("spent %d", got)
			}
			if got := balance(t, r.Store, crew.Name); got != 97 {
				t.Errorf("balance %d", got)
			}
		}},
		{"an extract that it ends is paid, and one that fails is not", func(t *testing.T, r *rig) {
			crew := r.crew(t, 4, -1)
			key, secret := limited(t, r.Store, crew, 2*trawl.ExtractReserve, trawl.SpendDaily)
			for range 2 {
				job := newJob(crew, trawl.KindExtract)
				job.Pages, job.KeyID = targets(1), key.ID
				r.create(t, job)
				item := done(job, 1)
				item.Document.Tokens = trawl.TokensPerCredit
				r.finish(t, item)
				if err := r.FailJob(context.Background(), crew.ID, job.ID, store.Failure{Code: trawl.CodeModel, Text: "no answer"}); err != nil {
					t.Fatal(err)
				}
				if got := spent(t, r.Store, secret); got != 0 {
					t.Errorf("spent %d for nothing", got)
				}
			}
			job := newJob(crew, trawl.KindExtract)
			job.Pages, job.KeyID = targets(1), key.ID
			r.create(t, job)
			item := done(job, 1)
			item.Document.Tokens = trawl.TokensPerCredit
			r.finish(t, item)
			if err := r.Conclude(context.Background(), crew.ID, job.ID, store.Conclusion{Tokens: 10_000 * trawl.TokensPerCredit}); err != nil {
				t.Fatal(err)
			}
			r.wantJob(t, job, trawl.StateFailed, 1, 1, 0)
			if got := spent(t, r.Store, secret); got != 1 {
				t.Errorf("spent %d, want 1", got)
			}
		}},
		{"leaves room for extracts that run", func(t *testing.T, r *rig) {
			crew := r.crew(t, 4, -1)
			key, _ := limited(t, r.Store, crew, 2*trawl.ExtractReserve-1, trawl.SpendDaily)
			job := newJob(crew, trawl.KindExtract)
			job.Pages, job.KeyID = targets(1), key.ID
			r.create(t, job)
			second := newJob(crew, trawl.KindExtract)
			second.Pages, second.KeyID = targets(1), key.ID
			wantCode(t, r.CreateJob(context.Background(), second), trawl.CodePayment)
			second.KeyID = "another"
			r.create(t, second)
		}},
	})
}

// A limit counts from the first day of its interval, in UTC.
func TestSpendLimitRenews(t *testing.T) {
	conform(t, func(t *testing.T, s *env) {
		crew := team(t, s.Store, "crew", -1)
		for interval, renewal := range map[string]time.Time{ // it is Tuesday, 2026-03-31, 23:00
			trawl.SpendDaily:   time.Date(2026, 4, 1, 0, 0, 0, 0, time.UTC),
			trawl.SpendWeekly:  time.Date(2026, 4, 6, 0, 0, 0, 0, time.UTC),
			trawl.SpendMonthly: time.Date(2026, 4, 1, 0, 0, 0, 0, time.UTC),
		} {
			key, _ := limited(t, s.Store, crew, 2, interval)
			pay := func(at time.Time) error {
				return must[[]error](t)(s.Finish(context.Background(), []store.Finished{paidBy(key, "scrape", 1, at)}))[0]
			}
			for _, at := range []time.Time{s.clock.Now(), renewal.Add(-time.Millisecond)} {
				if err := pay(at); err != nil {
					t.Errorf("%s: %v", interval, err)
				}
			}
			wantCode(t, pay(renewal.Add(-time.Millisecond)), trawl.CodePayment)
			if err := pay(renewal); err != nil {
				t.Errorf("%s: not renewed: %v", interval, err)
			}
		}
	})
}
