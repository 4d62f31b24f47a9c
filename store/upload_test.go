package store_test

import (
	"context"
	"testing"
	"time"

	"github.com/google/uuid"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/store"
)

func TestUploads(t *testing.T) {
	conform(t, func(t *testing.T, s *env) {
		ctx := context.Background()
		crew, other := team(t, s.Store, "crew", -1), team(t, s.Store, "other", -1)
		u := store.Upload{ID: uuid.NewString(), TeamID: crew.ID, Name: "a.pdf", ContentType: "application/pdf", Size: 4, ExpiresAt: s.clock.Now().Add(time.Minute)}
		if err := s.CreateUpload(ctx, u); err != nil {
			t.Fatal(err)
		}
		if got := must[store.Upload](t)(s.Upload(ctx, u.ID)); got != u {
			t.Errorf("upload %+v, want %+v", got, u)
		}
		_, _, err := s.TakeUpload(ctx, crew.ID, u.ID)
		wantCode(t, err, trawl.CodeGone)
		if err := s.FillUpload(ctx, u.ID, []byte("file")); err != nil {
			t.Fatal(err)
		}
		wantCode(t, s.FillUpload(ctx, u.ID, []byte("file")), trawl.CodeGone)
		_, _, err = s.TakeUpload(ctx, other.ID, u.ID)
		wantCode(t, err, trawl.CodeNotFound)
		if _, data, err := s.TakeUpload(ctx, crew.ID, u.ID); err != nil || string(data) != "file" {
			t.Errorf("%q, %v", data, err)
		}
		_, _, err = s.TakeUpload(ctx, crew.ID, u.ID)
		wantCode(t, err, trawl.CodeGone)
		if _, err := s.Sweep(ctx, s.clock.Advance(25*time.Hour), 0); err != nil {
			t.Fatal(err)
		}
		_, err = s.Upload(ctx, u.ID)
		wantCode(t, err, trawl.CodeNotFound)
	})
}

func TestFeedback(t *testing.T) {
	conform(t, func(t *testing.T, s *env) {
		ctx := context.Background()
		crew := team(t, s.Store, "crew", -1)
		item := scrape(crew.ID, 1, s.clock.Now())
		finish(t, s.Store, item)
		f := store.Feedback{TeamID: crew.ID, Endpoint: "scrape", JobID: item.Record.ID, Body: []byte(`{"note":"x"}`)}
		first, again, err := s.AddFeedback(ctx, f)
		if err != nil || again {
			t.Fatal(again, err)
		}
		if id, again, err := s.AddFeedback(ctx, f); err != nil || !again || id != first {
			t.Errorf("%s, %v, %v", id, again, err)
		}
		f.Endpoint = "map"
		_, _, err = s.AddFeedback(ctx, f)
		wantCode(t, err, trawl.CodeNotFound)
		if list := must[[]store.Feedback](t)(s.Feedback(ctx, 10)); len(list) != 1 || list[0].ID != first || string(list[0].Body) != `{"note":"x"}` {
			t.Errorf("%+v", list)
		}
		if a := must[store.Activity](t)(s.ActivityOf(ctx, crew.ID, item.Record.ID)); a.Job || a.Endpoint != "scrape" {
			t.Errorf("%+v", a)
		}
		job := newRig(t, s).create(t, batch(crew, 3))
		if _, addresses, err := s.JobOrder(ctx, crew.ID, job.ID); err != nil || len(addresses) != 3 {
			t.Errorf("%v, %v", addresses, err)
		}
		if a := must[store.Activity](t)(s.ActivityOf(ctx, crew.ID, job.ID)); !a.Job {
			t.Errorf("%+v", a)
		}
		f.Endpoint = "scrape"
		s.clock.Advance(25 * time.Hour)
		_, _, err = s.AddFeedback(ctx, f)
		wantCode(t, err, trawl.CodeGone)
		if _, err := s.Sweep(ctx, s.clock.Advance(366*24*time.Hour), 0); err != nil {
			t.Fatal(err)
		}
		if list := must[[]store.Feedback](t)(s.Feedback(ctx, 10)); len(list) != 0 {
			t.Errorf("%+v", list)
		}
	})
}
