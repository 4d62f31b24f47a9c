package store_test

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/store"
)

func TestDocument(t *testing.T) {
	conform(t, func(t *testing.T, s *env) {
		ctx := context.Background()
		crew, other := team(t, s.Store, "crew", -1), team(t, s.Store, "other", -1)
		small, big := scrape(crew.ID, 1, s.clock.Now()), scrape(crew.ID, 1, s.clock.Now())
		head := []byte(`{"rawHtml":"` + longText(3<<20) + `",`)
		big.Record.Head = must[store.Packed](t)(s.Pack(head))
		finish(t, s.Store, small, big)
		for _, item := range []store.Finished{small, big} {
			want := item.Record.Tail
			if len(item.Record.Head) > 0 {
				want = slices.Concat(head, want)
			}
			if got := must[[]byte](t)(s.Document(ctx, crew.ID, item.Record.ID)); !bytes.Equal(got, want) {
				t.Errorf("got %d bytes, want %d", len(got), len(want))
			}
			_, err := s.Document(ctx, other.ID, item.Record.ID)
			wantCode(t, err, trawl.CodeNotFound)
		}
		for _, id := range []string{"", "unknown", "\xff\x00", small.Record.ID + "\x00"} {
			_, err := s.Document(ctx, crew.ID, id)
			wantCode(t, err, trawl.CodeNotFound)
		}
		s.clock.Advance(24*time.Hour - time.Millisecond)
		must[[]byte](t)(s.Document(ctx, crew.ID, small.Record.ID))
		s.clock.Advance(time.Millisecond)
		for _, item := range []store.Finished{small, big} {
			_, err := s.Document(ctx, crew.ID, item.Record.ID)
			wantCode(t, err, trawl.CodeNotFound)
		}
	})
}

func TestSameRecordOfTwoTeams(t *testing.T) {
	conform(t, func(t *testing.T, s *env) {
		crew, other := team(t, s.Store, "crew", -1), team(t, s.Store, "other", -1)
		mine, theirs := scrape(crew.ID, 1, s.clock.Now()), scrape(other.ID, 1, s.clock.Now())
		theirs.Charge.ID, theirs.Record.ID = mine.Charge.ID, mine.Record.ID
		finish(t, s.Store, mine, theirs)
		for _, item := range []store.Finished{mine, theirs} {
			got := must[[]byte](t)(s.Document(context.Background(), item.Charge.TeamID, mine.Record.ID))
			if !bytes.Equal(got, item.Record.Tail) {
				t.Errorf("got %s, want %s", got, item.Record.Tail)
			}
		}
	})
}

func TestActivity(t *testing.T) {
	conform(t, func(t *testing.T, s *env) {
		ctx := context.Background()
		crew, other := team(t, s.Store, "crew", -1), team(t, s.Store, "other", -1)
		var want []string
		for i := range 10 {
			item := scrape(crew.ID, 1, s.clock.Now().Add(time.Duration(i/2)*time.Second)) // two at a time
			item.Record.Target = fmt.Sprint("https://example.com/", i)
			if i%5 == 0 {
				item.Record.Endpoint = "crawl"
			}
			finish(t, s.Store, item)
			want = append([]string{item.Record.Target}, want...)
		}
		finish(t, s.Store, scrape(other.ID, 1, s.clock.Now()))

		var got []string
		cursor := ""
		for pages := 0; pages < 10; pages++ {
			entries, next, err := s.Activity(ctx, crew.ID, store.ActivityQuery{Limit: 3, Cursor: cursor})
			if err != nil {
				t.Fatal(err)
			}
			for _, entry := range entries {
				got = append(got, entry.Target)
			}
			finish(t, s.Store, scrape(crew.ID, 1, s.clock.Now().Add(time.Minute))) // must not shift what follows
			if cursor = next; cursor == "" {
				break
			}
		}
		if fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("got %v, want %v", got, want)
		}
		crawls, next, err := s.Activity(ctx, crew.ID, store.ActivityQuery{Endpoint: "crawl", Limit: 2})
		if err != nil || next != "" || len(crawls) != 2 || crawls[0].Target != "https://example.com/5" ||
			crawls[0].Endpoint != "crawl" || !crawls[1].CreatedAt.Equal(s.clock.Now()) || crawls[0].ID == "" {
			t.Errorf("crawls: %+v, %q, %v", crawls, next, err)
		}
		s.clock.Advance(25 * time.Hour)
		if entries, _, err := s.Activity(ctx, crew.ID, store.ActivityQuery{Limit: 100}); err != nil || len(entries) != 0 {
			t.Errorf("after expiry: %+v, %v", entries, err)
		}
	})
}

func TestActivityCursor(t *testing.T) {
	conform(t, func(t *testing.T, s *env) {
		for _, cursor := range []string{"?", "e", "00000000-0000-0000-0000-00000000000g", "\x00"} {
			_, _, err := s.Activity(context.Background(), "team", store.ActivityQuery{Limit: 10, Cursor: cursor})
			wantCode(t, err, trawl.CodeBadRequest)
		}
	})
}

func FuzzActivityCursor(f *testing.F) {
	s := mustOpen(f, store.Config{DataDir: f.TempDir()})
	crew := team(f, s, "crew", -1)
	finish(f, s, scrape(crew.ID, 1, time.Now()), scrape(crew.ID, 1, time.Now()))
	_, next, err := s.Activity(context.Background(), crew.ID, store.ActivityQuery{Limit: 1})
	if err != nil || next == "" {
		f.Fatal(next, err)
	}
	f.Add(next)
	f.Add("")
	f.Fuzz(func(t *testing.T, cursor string) {
		_, _, err := s.Activity(context.Background(), crew.ID, store.ActivityQuery{Limit: 1, Cursor: cursor})
		if err != nil {
			wantCode(t, err, trawl.CodeBadRequest)
		}
	})
}
