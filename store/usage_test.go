package store_test

import (
	"context"
	"reflect"
	"testing"
	"time"

	"github.com/google/uuid"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/store"
)

// paidBy is a finished scrape of a key.
func paidBy(key trawl.Key, kind string, credits int64, at time.Time) store.Finished {
	item := scrape(key.TeamID, credits, at)
	item.Charge.KeyID, item.Charge.Kind = key.ID, kind
	item.Record.KeyID, item.Record.Endpoint, item.Record.Credits = key.ID, kind, credits
	return item
}

func TestDailyUsage(t *testing.T) {
	conform(t, func(t *testing.T, s *env) {
		ctx := context.Background()
		crew, other := team(t, s.Store, "crew", -1), team(t, s.Store, "other", -1)
		one := must[trawl.Key](t)(s.CreateKey(ctx, trawl.Key{TeamID: crew.ID, Name: "one"}, trawl.NewSecret()))
		two := must[trawl.Key](t)(s.CreateKey(ctx, trawl.Key{TeamID: crew.ID, Operator: true}, trawl.NewSecret()))
		if one.Number == two.Number || one.Number <= 0 || one.Number >= 1<<31 {
			t.Fatalf("numbers %d and %d", one.Number, two.Number)
		}
		now := s.clock.Now() // the last hour of March
		finish(t, s.Store, paidBy(one, "scrape", 1, now.AddDate(0, 0, -3)), paidBy(one, "scrape", 2, now), paidBy(one, "scrape", 5, now),
			paidBy(two, "map", 1, now), paidBy(one, "scrape", 7, now.Add(2*time.Hour)), scrape(other.ID, 9, now))
		days := must[[]trawl.UsageDay](t)(s.DailyUsage(ctx, crew.ID, now.AddDate(0, 0, -1)))
		want := []trawl.UsageDay{
			{Day: now.Truncate(24 * time.Hour), KeyNumber: two.Number, Endpoint: "map", Credits: 1, Requests: 1},
			{Day: now.Truncate(24 * time.Hour), KeyNumber: one.Number, KeyName: "one", Endpoint: "scrape", Credits: 7, Requests: 2},
			{Day: now.Truncate(24*time.Hour).AddDate(0, 0, 1), KeyNumber: one.Number, KeyName: "one", Endpoint: "scrape", Credits: 7, Requests: 1},
		}
		if len(days) != len(want) {
			t.Fatalf("got %+v", days)
		}
		for i := range want {
			if days[i] != want[i] {
				t.Errorf("got %+v, want %+v", days[i], want[i])
			}
		}
		months := must[[]trawl.UsagePeriod](t)(s.Usage(ctx, crew.ID, false))
		if len(months) != 2 || months[0].Credits != 9 || months[1].Credits != 7 {
			t.Errorf("months: %+v", months)
		}
		uses := must[map[string]store.KeyUse](t)(s.KeyUses(ctx, crew.ID))
		if uses[one.ID].Credits != 15 || !uses[one.ID].LastDay.Equal(want[2].Day) || uses[two.ID].Credits != 1 {
			t.Errorf("uses: %+v", uses)
		}
	})
}

func TestChangeKey(t *testing.T) {
	conform(t, func(t *testing.T, s *env) {
		ctx := context.Background()
		crew, other := team(t, s.Store, "crew", -1), team(t, s.Store, "other", -1)
		secret := trawl.NewSecret()
		key := must[trawl.Key](t)(s.CreateKey(ctx, trawl.Key{TeamID: crew.ID, Operator: true}, secret))
		for _, change := range []func(*trawl.Key){
			func(k *trawl.Key) {
				k.Name, k.AllowedEndpoints, k.AllowedFormats = "new", []string{"scrape", "crawl"}, []string{"markdown"}
				k.SpendLimit, k.ExpiresAt = &trawl.SpendLimit{Credits: 5, Interval: "week"}, s.clock.Now().Add(time.Hour)
			},
			func(k *trawl.Key) {
				k.AllowedEndpoints, k.AllowedFormats, k.SpendLimit, k.ExpiresAt = nil, nil, nil, time.Time{}
			},
		} {
			want := key
			change(&want)
			key = must[trawl.Key](t)(s.ChangeKey(ctx, crew.ID, key.Number, change))
			if want.Spent = 0; !reflect.DeepEqual(key, want) {
				t.Errorf("changed to %+v, want %+v", key, want)
			}
			if who := must[trawl.Caller](t)(s.Caller(ctx, trawl.HashSecret(secret))); !reflect.DeepEqual(who.Key, want) {
				t.Errorf("caller %+v, want %+v", who.Key, want)
			}
		}
		_, err := s.ChangeKey(ctx, other.ID, key.Number, func(k *trawl.Key) { k.Name = "theirs" })
		wantCode(t, err, trawl.CodeNotFound)
	})
}

// A failure is recorded, and neither charged nor counted as a success.
func TestFailedRecord(t *testing.T) {
	conform(t, func(t *testing.T, s *env) {
		ctx := context.Background()
		crew := team(t, s.Store, "crew", 5)
		key := must[trawl.Key](t)(s.CreateKey(ctx, trawl.Key{TeamID: crew.ID, Name: "one"}, trawl.NewSecret()))
		now := s.clock.Now()
		failed := store.Finished{Charge: trawl.Charge{TeamID: crew.ID}, Record: &store.Record{
			ID: uuid.Must(uuid.NewV7()).String(), TeamID: crew.ID, KeyID: key.ID, Endpoint: "scrape", Target: "https://example.com/",
			Code: trawl.CodeSite, Duration: 1500 * time.Millisecond, CreatedAt: now, ExpiresAt: now.Add(time.Hour),
		}}
		finish(t, s.Store, failed)
		if last := must[time.Time](t)(s.LastSuccess(ctx, crew.ID)); !last.IsZero() {
			t.Errorf("a success at %s", last)
		}
		if days := must[[]trawl.UsageDay](t)(s.DailyUsage(ctx, crew.ID, now)); len(days) != 0 {
			t.Errorf("counted as %+v", days)
		}
		done := paidBy(key, "scrape", 3, now)
		done.Record.Duration = 20 * time.Millisecond
		finish(t, s.Store, done)
		for state, want := range map[string]store.Activity{
			"failed": {
				ID: failed.Record.ID, Endpoint: "scrape", Target: "https://example.com/", KeyName: "one", State: "failed", Code: trawl.CodeSite,
				Duration: 1500 * time.Millisecond, CreatedAt: now,
			},
			"completed": {
				ID: done.Record.ID, Endpoint: "scrape", Target: done.Record.Target, KeyName: "one", State: "completed", Credits: 3,
				Duration: 20 * time.Millisecond, CreatedAt: now,
			},
		} {
			list, _, err := s.Activity(ctx, crew.ID, store.ActivityQuery{State: state, KeyNumber: key.Number, Limit: 10})
			if err != nil || len(list) != 1 || list[0] != want {
				t.Errorf("%s: %+v, %v", state, list, err)
			}
		}
		if list, _, _ := s.Activity(ctx, crew.ID, store.ActivityQuery{KeyNumber: key.Number + 1, Limit: 10}); len(list) != 0 {
			t.Errorf("of another key: %+v", list)
		}
		_, err := s.Document(ctx, crew.ID, failed.Record.ID)
		wantCode(t, err, trawl.CodeNotFound)
	})
}

func TestJobs(t *testing.T) {
	conformCases(t, []jobCase{
		{"listed", func(t *testing.T, r *rig) {
			ctx := context.Background()
			crew := r.crew(t, 9, 100)
			first, second := r.create(t, extract(crew)), r.create(t, extract(crew))
			if err := r.CancelJob(ctx, crew.ID, trawl.KindExtract, second.ID); err != nil {
				t.Fatal(err)
			}
			for _, row := range []struct {
				kind, state, cursor string
				want                []string
			}{
				{"", "", "", []string{second.ID, first.ID}},
				{"", "scraping", "", []string{first.ID}},
				{"", "cancelled", "", []string{second.ID}},
				{"crawl", "", "", nil},
				{"extract", "", second.ID, []string{first.ID}},
			} {
				jobs, next, err := r.Jobs(ctx, crew.ID, row.kind, row.state, 10, row.cursor)
				if err != nil || next != "" || len(jobs) != len(row.want) {
					t.Fatalf("%+v: %+v, %q, %v", row, jobs, next, err)
				}
				for i := range jobs {
					if jobs[i].ID != row.want[i] {
						t.Errorf("%+v: %s", row, jobs[i].ID)
					}
				}
			}
			jobs, next, err := r.Jobs(ctx, crew.ID, "", "", 1, "")
			if err != nil || len(jobs) != 1 || next != second.ID {
				t.Errorf("%+v, %q, %v", jobs, next, err)
			}
			backlog := must[store.Backlog](t)(r.Backlog(ctx))
			if backlog.Jobs != 1 || !backlog.Oldest.Equal(jobs[0].CreatedAt) {
				t.Errorf("backlog %+v", backlog)
			}
		}},
	})
}
