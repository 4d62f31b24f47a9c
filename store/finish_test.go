package store_test

import (
	"bytes"
	"context"
	"errors"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/store"
)

func TestFinishChargesOnce(t *testing.T) {
	conform(t, func(t *testing.T, s *env) {
		ctx := context.Background()
		crew := team(t, s.Store, "crew", 10)
		item := cached(crew.ID, "key", s.clock.Now())
		item.Charge.Credits = 4
		for range 2 {
			finish(t, s.Store, item)
		}
		finish(t, s.Store, item, item)
		if got := balance(t, s.Store, "crew"); got != 6 {
			t.Errorf("balance %d, want 6", got)
		}
		usage := must[[]trawl.UsagePeriod](t)(s.Usage(ctx, crew.ID, false))
		if len(usage) != 1 || usage[0].Credits != 4 {
			t.Errorf("usage %+v", usage)
		}
		if got := must[[]byte](t)(s.Document(ctx, crew.ID, item.Record.ID)); !bytes.Equal(got, item.Record.Tail) {
			t.Errorf("document %s", got)
		}
	})
}

// A charge that was made once is not refused later for want of credits, and
// what was not stored with it the first time is stored then.
func TestFinishCompletesWhatIsPaid(t *testing.T) {
	conform(t, func(t *testing.T, s *env) {
		crew := team(t, s.Store, "crew", 1)
		item := scrape(crew.ID, 1, s.clock.Now())
		finish(t, s.Store, store.Finished{Charge: item.Charge})
		finish(t, s.Store, item)
		must[[]byte](t)(s.Document(context.Background(), crew.ID, item.Record.ID))
	})
}

func TestFinishRefusesWhatIsNotCovered(t *testing.T) {
	conform(t, func(t *testing.T, s *env) {
		ctx := context.Background()
		now := s.clock.Now()
		crew, rich := team(t, s.Store, "crew", 5), team(t, s.Store, "rich", -1)
		items := []store.Finished{
			scrape(crew.ID, 3, now), cached(crew.ID, "dear", now), scrape(crew.ID, 2, now), scrape(crew.ID, 0, now),
			scrape(crew.ID, 1, now), scrape(rich.ID, 1000, now), scrape("no-such-team", 0, now),
		}
		items[1].Charge.Credits = 4
		errs, err := s.Finish(ctx, items)
		if err != nil {
			t.Fatal(err)
		}
		want := []trawl.Code{"", trawl.CodePayment, "", "", trawl.CodePayment, "", trawl.CodeNotFound}
		for i, code := range want {
			_, documentErr := s.Document(ctx, items[i].Charge.TeamID, items[i].Record.ID)
			if code == "" {
				if errs[i] != nil || documentErr != nil {
					t.Errorf("item %d: %v, document: %v", i, errs[i], documentErr)
				}
				continue
			}
			wantCode(t, errs[i], code)
			wantCode(t, documentErr, trawl.CodeNotFound)
		}
		_, err = s.Cached(ctx, crew.ID, []string{"dear"}, time.Time{}, now)
		wantCode(t, err, trawl.CodeNotFound)
		if got := balance(t, s.Store, "crew"); got != 0 {
			t.Errorf("balance %d, want 0", got)
		}
		if got := balance(t, s.Store, "rich"); got != -1 {
			t.Errorf("unlimited balance became %d", got)
		}
	})
}

func TestFinishRefusesNonsense(t *testing.T) {
	conform(t, func(t *testing.T, s *env) {
		now := s.clock.Now()
		crew, other := team(t, s.Store, "crew", 5), team(t, s.Store, "other", 5)
		negative, nameless, foreign, page := scrape(crew.ID, -3, now), scrape(crew.ID, 1, now), scrape(crew.ID, 1, now), cached(crew.ID, "k", now)
		nameless.Charge.ID = ""
		foreign.Record.TeamID = other.ID
		page.Page.TeamID = other.ID
		items := []store.Finished{negative, nameless, foreign, page, scrape(crew.ID, 1, now)}
		errs, err := s.Finish(context.Background(), items)
		if err != nil {
			t.Fatal(err)
		}
		for i, err := range errs {
			if (err == nil) != (i == len(items)-1) {
				t.Errorf("item %d: %v", i, err)
			}
		}
		if got := balance(t, s.Store, "crew"); got != 4 {
			t.Errorf("balance %d, want 4", got)
		}
		if errs, err := s.Finish(context.Background(), nil); len(errs) != 0 || err != nil {
			t.Errorf("nothing to finish: %v, %v", errs, err)
		}
	})
}

func TestParallelChargesNeverOverdraw(t *testing.T) {
	conform(t, func(t *testing.T, s *env) {
		crew, other := team(t, s.Store, "crew", 20), team(t, s.Store, "other", 20)
		var kept, refused atomic.Int64
		var group sync.WaitGroup
		for i := range 50 {
			group.Go(func() {
				items := []store.Finished{scrape(crew.ID, 1, s.clock.Now()), scrape(other.ID, 1, s.clock.Now())}
				if i%2 == 0 {
					items[0], items[1] = items[1], items[0]
				}
				errs, err := s.Finish(context.Background(), items)
				if err != nil {
					t.Error(err)
				}
				for _, err := range errs {
					switch {
					case err == nil:
						kept.Add(1)
					case trawl.ErrorCode(err) == trawl.CodePayment:
						refused.Add(1)
					default:
						t.Error(err)
					}
				}
			})
		}
		group.Wait()
		if kept.Load() != 40 || refused.Load() != 60 {
			t.Errorf("%d kept and %d refused, want 40 and 60", kept.Load(), refused.Load())
		}
		for _, name := range []string{"crew", "other"} {
			if got := balance(t, s.Store, name); got != 0 {
				t.Errorf("balance of %s is %d", name, got)
			}
		}
	})
}

func TestFinishManyAtOnce(t *testing.T) {
	conform(t, func(t *testing.T, s *env) {
		crew := team(t, s.Store, "crew", 2000)
		items := make([]store.Finished, 1234)
		for i := range items {
			items[i] = cached(crew.ID, "key", s.clock.Now())
		}
		finish(t, s.Store, items...)
		finish(t, s.Store, items...)
		if got := balance(t, s.Store, "crew"); got != 2000-1234 {
			t.Errorf("balance %d", got)
		}
		for _, i := range []int{0, 31, 32, 1023, 1024, 1233} {
			got := must[[]byte](t)(s.Document(context.Background(), crew.ID, items[i].Record.ID))
			if !bytes.Equal(got, items[i].Record.Tail) {
				t.Errorf("document %d: %s", i, got)
			}
		}
	})
}

// What foreign servers send must not fail the scrapes of others in the batch.
func TestFinishTakesAnyText(t *testing.T) {
	conform(t, func(t *testing.T, s *env) {
		crew := team(t, s.Store, "crew", -1)
		item := cached(crew.ID, "k\xff\x00", s.clock.Now())
		item.Page.ContentType = "text/html; charset=\xff\x00"
		item.Page.FinalURL = "https://example.com/" + strings.Repeat("long", 5000)
		item.Page.URL = item.Page.FinalURL
		item.Record.Target = "\x00\xfe"
		finish(t, s.Store, item, scrape(crew.ID, 1, s.clock.Now()))
		page, err := s.Cached(context.Background(), crew.ID, []string{"k\xff\x00"}, time.Time{}, s.clock.Now())
		if err != nil || !strings.HasPrefix(page.ContentType, "text/html") || page.FinalURL != item.Page.FinalURL {
			t.Errorf("got %+v, %v", page, err)
		}
	})
}

func TestFinishAllOrNothing(t *testing.T) {
	conform(t, func(t *testing.T, s *env) {
		crew := team(t, s.Store, "crew", 10)
		ctx, cancel := context.WithCancel(context.Background())
		cancel()
		item := scrape(crew.ID, 1, s.clock.Now())
		if _, err := s.Finish(ctx, []store.Finished{item}); !errors.Is(err, context.Canceled) {
			t.Errorf("got %v, want canceled", err)
		}
		if got := balance(t, s.Store, "crew"); got != 10 {
			t.Errorf("balance %d", got)
		}
	})
}

func TestLastSuccess(t *testing.T) {
	conform(t, func(t *testing.T, s *env) {
		ctx := context.Background()
		crew := team(t, s.Store, "crew", 1)
		if at := must[time.Time](t)(s.LastSuccess(ctx, crew.ID)); !at.IsZero() {
			t.Errorf("before any: %v", at)
		}
		first := s.clock.Now()
		finish(t, s.Store, scrape(crew.ID, 1, first))
		if _, err := s.Finish(ctx, []store.Finished{scrape(crew.ID, 1, first.Add(time.Hour))}); err != nil {
			t.Fatal(err)
		}
		if at := must[time.Time](t)(s.LastSuccess(ctx, crew.ID)); !at.Equal(first) {
			t.Errorf("a refused scrape counted: %v", at)
		}
		finish(t, s.Store, scrape(crew.ID, 0, first.Add(2*time.Hour)), scrape(crew.ID, 0, first.Add(-time.Hour)))
		if at := must[time.Time](t)(s.LastSuccess(ctx, crew.ID)); !at.Equal(first.Add(2 * time.Hour)) {
			t.Errorf("last success %v", at)
		}
		_, err := s.LastSuccess(ctx, "nobody")
		wantCode(t, err, trawl.CodeNotFound)
	})
}
