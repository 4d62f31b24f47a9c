package store_test

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"testing"
	"time"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/store"
)

func TestCached(t *testing.T) {
	conform(t, func(t *testing.T, s *env) {
		ctx := context.Background()
		start := s.clock.Now()
		at := func(seconds int) time.Time { return start.Add(time.Duration(seconds) * time.Second) }
		crew, other := team(t, s.Store, "crew", -1), team(t, s.Store, "other", -1)
		pages := map[int]*store.CachedPage{}
		for second, key := range map[int]string{0: "plain", 10: "rendered", 20: "plain"} {
			item := cached(crew.ID, key, at(second))
			pages[second] = item.Page
			finish(t, s.Store, item)
		}
		for _, test := range []struct {
			name     string
			team     string
			keys     []string
			from, to time.Time
			want     int // second of the page; -1 for none
		}{
			{"newest of one key", crew.ID, []string{"plain"}, at(0), at(60), 20},
			{"newest of several keys", crew.ID, []string{"rendered", "plain", "other"}, at(0), at(60), 20},
			{"older than the newest", crew.ID, []string{"plain", "rendered"}, at(0), at(19), 10},
			{"bounds are included", crew.ID, []string{"plain"}, at(0), at(0), 0},
			{"from any time", crew.ID, []string{"plain"}, time.Time{}, at(5), 0},
			{"too old", crew.ID, []string{"plain"}, at(21), at(60), -1},
			{"too young", crew.ID, []string{"plain"}, at(-60), at(-1), -1},
			{"in a gap", crew.ID, []string{"plain"}, at(1), at(19), -1},
			{"another key", crew.ID, []string{"other"}, at(0), at(60), -1},
			{"no key", crew.ID, nil, at(0), at(60), -1},
			{"another team", other.ID, []string{"plain"}, at(0), at(60), -1},
		} {
			got, err := s.Cached(ctx, test.team, test.keys, test.from, test.to)
			if test.want < 0 {
				wantCode(t, err, trawl.CodeNotFound)
				continue
			}
			if err != nil || !reflect.DeepEqual(got, *pages[test.want]) {
				t.Errorf("%s: got %+v, %v, want %+v", test.name, got, err, *pages[test.want])
			}
		}
	})
}

func TestSweepRecords(t *testing.T) {
	conform(t, func(t *testing.T, s *env) {
		ctx := context.Background()
		crew := team(t, s.Store, "crew", -1)
		var items []store.Finished
		for i := range 1201 { // more than one portion
			items = append(items, scrape(crew.ID, 1, s.clock.Now().Add(time.Duration(i/3)*time.Millisecond)))
		}
		items[5].Record.Head = must[store.Packed](t)(s.Pack([]byte(longText(1 << 20))))
		finish(t, s.Store, items...)
		kept := scrape(crew.ID, 1, s.clock.Now().Add(time.Hour))
		finish(t, s.Store, kept)

		stats := must[store.SweepStats](t)(s.Sweep(ctx, s.clock.Advance(24*time.Hour+time.Minute), 0))
		if stats.Records != 1201 || stats.Orphans != 0 || stats.Pages != 0 {
			t.Errorf("swept %+v", stats)
		}
		must[[]byte](t)(s.Document(ctx, crew.ID, kept.Record.ID))
		if blobs := blobIDs(t, s); len(blobs) != 0 {
			t.Errorf("blobs of expired documents are left: %v", blobs)
		}
		if got := must[[]trawl.UsagePeriod](t)(s.Usage(ctx, crew.ID, false)); got[0].Credits == 0 {
			t.Error("the usage went with the records")
		}
	})
}

// cachePage puts a page with its blob into the cache.
func cachePage(t *testing.T, s *env, teamID, key string, size int64, at time.Time) *store.CachedPage {
	t.Helper()
	item := cached(teamID, key, at)
	item.Page.Size = size
	if err := s.Blobs().Put(context.Background(), item.Page.BlobID, []byte("page")); err != nil {
		t.Fatal(err)
	}
	finish(t, s.Store, item)
	return item.Page
}

func blobIDs(t *testing.T, s *env) (all []string) {
	t.Helper()
	err := s.Blobs().List(context.Background(), time.Time{}, s.clock.Now().Add(time.Hour), func(ids []string) error {
		all = append(all, ids...)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func TestSweepKeepsThreeVersions(t *testing.T) {
	conform(t, func(t *testing.T, s *env) {
		ctx := context.Background()
		crew, other := team(t, s.Store, "crew", -1), team(t, s.Store, "other", -1)
		start := s.clock.Now()
		for i := range 5 {
			cachePage(t, s, crew.ID, "often", 10, start.Add(time.Duration(i)*time.Second))
		}
		for i := range 3 {
			cachePage(t, s, crew.ID, "seldom", 10, start.Add(time.Duration(i)*time.Second))
			cachePage(t, s, other.ID, "often", 10, start.Add(time.Duration(i)*time.Second))
		}
		stats := must[store.SweepStats](t)(s.Sweep(ctx, start, 0))
		if stats.Pages != 2 || stats.Bytes != 20 {
			t.Errorf("swept %+v", stats)
		}
		for second, want := range map[int]bool{0: false, 1: false, 2: true, 3: true, 4: true} {
			at := start.Add(time.Duration(second) * time.Second)
			if _, err := s.Cached(ctx, crew.ID, []string{"often"}, at, at); (err == nil) != want {
				t.Errorf("version %d: %v", second, err)
			}
		}
		if blobs := blobIDs(t, s); len(blobs) != 9 {
			t.Errorf("%d blobs are left, want 9", len(blobs))
		}
	})
}

func TestSweepOldPages(t *testing.T) {
	conform(t, func(t *testing.T, s *env) {
		ctx := context.Background()
		crew := team(t, s.Store, "crew", -1)
		start := s.clock.Now()
		cachePage(t, s, crew.ID, "old", 10, start)
		fresh := cachePage(t, s, crew.ID, "fresh", 10, start.Add(time.Hour))
		stats := must[store.SweepStats](t)(s.Sweep(ctx, start.Add(730*24*time.Hour+time.Minute), 0))
		if stats.Pages != 1 {
			t.Errorf("swept %+v", stats)
		}
		if blobs := blobIDs(t, s); len(blobs) != 1 || blobs[0] != fresh.BlobID {
			t.Errorf("left %v", blobs)
		}
	})
}

func TestSweepBySize(t *testing.T) {
	conform(t, func(t *testing.T, s *env) {
		ctx := context.Background()
		crew := team(t, s.Store, "crew", -1)
		start := s.clock.Now()
		for i := range 10 {
			cachePage(t, s, crew.ID, fmt.Sprint(i), 100, start.Add(time.Duration(i)*time.Second))
		}
		if stats := must[store.SweepStats](t)(s.Sweep(ctx, start, 1000)); stats.Pages != 0 {
			t.Errorf("a cache that fits was swept: %+v", stats)
		}
		stats := must[store.SweepStats](t)(s.Sweep(ctx, start, 650))
		if stats.Pages != 4 || stats.Bytes != 400 {
			t.Errorf("swept %+v", stats)
		}
		for i := range 10 {
			_, err := s.Cached(ctx, crew.ID, []string{fmt.Sprint(i)}, start, start.Add(time.Minute))
			if (err == nil) != (i >= 4) {
				t.Errorf("page %d: %v", i, err)
			}
		}
		if blobs := blobIDs(t, s); len(blobs) != 6 {
			t.Errorf("%d blobs are left, want 6", len(blobs))
		}
	})
}

func TestSweepOrphans(t *testing.T) {
	conform(t, func(t *testing.T, s *env) {
		ctx := context.Background()
		crew := team(t, s.Store, "crew", -1)
		put := func(id string) {
			t.Helper()
			if err := s.Blobs().Put(ctx, id, []byte("data")); err != nil {
				t.Fatal(err)
			}
		}
		big := scrape(crew.ID, 1, s.clock.Now())
		big.Record.Head = must[store.Packed](t)(s.Pack([]byte(longText(1 << 20))))
		big.Record.ExpiresAt = big.Record.ExpiresAt.AddDate(1, 0, 0)
		finish(t, s.Store, big)
		page := cachePage(t, s, crew.ID, "key", 10, s.clock.Now())
		for i := range 600 { // more than one portion
			put(fmt.Sprint("orphan", i))
		}
		if stats := must[store.SweepStats](t)(s.Sweep(ctx, s.clock.Advance(59*time.Minute), 0)); stats.Orphans != 0 {
			t.Errorf("young blobs were swept: %+v", stats)
		}
		put("young")
		if stats := must[store.SweepStats](t)(s.Sweep(ctx, s.clock.Advance(61*time.Minute), 0)); stats.Orphans != 601 {
			t.Errorf("swept %+v", stats)
		}
		must[[]byte](t)(s.Blobs().Get(ctx, page.BlobID))
		must[[]byte](t)(s.Document(ctx, crew.ID, big.Record.ID))
		_, err := s.Blobs().Get(ctx, "orphan0")
		wantCode(t, err, trawl.CodeNotFound)
	})
}

// failingBlobs is a blob store that is out of order.
type failingBlobs struct{ store.BlobStore }

var errBroken = errors.New("broken")

func (failingBlobs) Put(context.Context, string, []byte) error { return errBroken }
func (failingBlobs) Delete(context.Context, ...string) error   { return errBroken }

func TestBlobStoreOutOfOrder(t *testing.T) {
	onBoth(t, func(t *testing.T, config store.Config) {
		ctx := context.Background()
		good := mustOpen(t, config)
		config.Blobs = failingBlobs{good.Blobs()}
		bad := mustOpen(t, config)
		crew := team(t, good, "crew", 10)
		item := scrape(crew.ID, 1, time.Now())
		item.Record.Head = must[store.Packed](t)(good.Pack([]byte(longText(1 << 20))))
		if _, err := bad.Finish(ctx, []store.Finished{item}); !errors.Is(err, errBroken) {
			t.Errorf("finish: %v", err)
		}
		if got := balance(t, good, "crew"); got != 10 {
			t.Errorf("charged for what was not kept: balance %d", got)
		}
		finish(t, good, item)
		later := time.Now().Add(25 * time.Hour)
		if _, err := bad.Sweep(ctx, later, 0); !errors.Is(err, errBroken) {
			t.Errorf("sweep: %v", err)
		}
		if stats := must[store.SweepStats](t)(good.Sweep(ctx, later, 0)); stats.Records != 1 {
			t.Errorf("the next sweep did not find the record again: %+v", stats)
		}
	})
}
