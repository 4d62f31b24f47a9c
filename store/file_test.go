package store_test

import (
	"bytes"
	"context"
	"errors"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/store"
)

// picture is a file of a team.
func picture(teamID string, expires time.Time) trawl.File {
	id := uuid.NewString()
	return trawl.File{ID: id, TeamID: teamID, ContentType: trawl.TypePNG, Data: []byte("\x89PNG " + id), ExpiresAt: expires}
}

// pictured is a finished scrape with a picture that can be read for a day.
func pictured(teamID string, at time.Time) store.Finished {
	item := scrape(teamID, 1, at)
	item.Files = []trawl.File{picture(teamID, at.Add(24*time.Hour))}
	return item
}

func wantFile(t testing.TB, s *store.Store, want trawl.File) {
	t.Helper()
	got, err := s.File(context.Background(), want.ID)
	if err != nil || got.ID != want.ID || got.TeamID != want.TeamID || got.ContentType != want.ContentType ||
		!bytes.Equal(got.Data, want.Data) || !got.ExpiresAt.Equal(want.ExpiresAt) {
		t.Errorf("got a file %s of %d bytes until %v, %v", got.ContentType, len(got.Data), got.ExpiresAt, err)
	}
}

func wantNoFile(t testing.TB, s *store.Store, f trawl.File) {
	t.Helper()
	_, err := s.File(context.Background(), f.ID)
	wantCode(t, err, trawl.CodeNotFound)
}

func (r *rig) files(t testing.TB, team trawl.Team) int64 {
	t.Helper()
	return r.number(t, "SELECT COUNT(*) FROM files WHERE team_id = $1", team.ID)
}

func TestFiles(t *testing.T) {
	conformCases(t, []jobCase{
		{"are kept once with a scrape", func(t *testing.T, r *rig) {
			crew := r.crew(t, 0, 10)
			item := pictured(crew.ID, r.clock.Now())
			item.Files = append(item.Files, picture(crew.ID, r.clock.Now().Add(time.Hour)))
			item.Files[1].ContentType, item.Files[1].Data = trawl.TypePDF, []byte(longText(3<<20))
			finish(t, r.Store, item)
			finish(t, r.Store, item)
			for _, f := range item.Files {
				wantFile(t, r.Store, f)
			}
			if n := r.files(t, crew); n != 2 {
				t.Errorf("%d files, want 2", n)
			}
			if n := r.number(t, "SELECT CAST(SUM(size) AS BIGINT) FROM files WHERE team_id = $1", crew.ID); n != int64(len(item.Files[0].Data)+3<<20) {
				t.Errorf("files of %d bytes", n)
			}
		}},
		{"of any size are kept together", func(t *testing.T, r *rig) {
			item := scrape(r.crew(t, 0, -1).ID, 1, r.clock.Now())
			for i := range 4 { // more than is stored at once
				f := picture(item.Charge.TeamID, r.clock.Now().Add(time.Hour))
				f.Data = bytes.Repeat([]byte{byte(i)}, 12<<20)
				item.Files = append(item.Files, f)
			}
			finish(t, r.Store, item)
			for _, f := range item.Files {
				wantFile(t, r.Store, f)
			}
		}},
		{"are added to what is paid", func(t *testing.T, r *rig) {
			item := pictured(r.crew(t, 0, 1).ID, r.clock.Now())
			finish(t, r.Store, store.Finished{Charge: item.Charge})
			finish(t, r.Store, item)
			wantFile(t, r.Store, item.Files[0])
		}},
		{"are not kept with what is not paid", func(t *testing.T, r *rig) {
			crew := r.crew(t, 0, 0)
			item := pictured(crew.ID, r.clock.Now())
			errs := must[[]error](t)(r.Finish(context.Background(), []store.Finished{item}))
			wantCode(t, errs[0], trawl.CodePayment)
			wantNoFile(t, r.Store, item.Files[0])
		}},
		{"of another team are refused", func(t *testing.T, r *rig) {
			crew, other := r.crew(t, 0, 5), r.crew(t, 0, 5)
			item := pictured(crew.ID, r.clock.Now())
			item.Files[0].TeamID = other.ID
			if errs := must[[]error](t)(r.Finish(context.Background(), []store.Finished{item})); errs[0] == nil {
				t.Error("no error")
			}
			wantNoFile(t, r.Store, item.Files[0])
		}},
		{"that do not exist", func(t *testing.T, r *rig) {
			for _, id := range []string{"", "x", uuid.NewString(), "'; DROP TABLE files"} {
				wantNoFile(t, r.Store, trawl.File{ID: id})
			}
		}},
		{"are no other blobs", func(t *testing.T, r *rig) {
			page := cachePage(t, r.env, r.crew(t, 0, -1).ID, "key", 10, r.clock.Now())
			wantNoFile(t, r.Store, trawl.File{ID: page.BlobID})
		}},
		{"without their blob are not there", func(t *testing.T, r *rig) {
			item := pictured(r.crew(t, 0, -1).ID, r.clock.Now())
			finish(t, r.Store, item)
			if err := r.Blobs().Delete(context.Background(), item.Files[0].ID); err != nil {
				t.Fatal(err)
			}
			wantNoFile(t, r.Store, item.Files[0])
		}},
	})
}

func TestPageFiles(t *testing.T) {
	withFile := func(job store.NewJob, number int64, at time.Time) store.FinishedPage {
		item := done(job, number)
		item.Document.Files = []trawl.File{picture(job.TeamID, at)}
		return item
	}
	conformCases(t, []jobCase{{"are kept once", func(t *testing.T, r *rig) {
		crew := r.crew(t, 9, 2)
		job := r.create(t, batch(crew, 3))
		later := r.clock.Now().Add(48 * time.Hour)
		first, second, unpaid := withFile(job, 1, later), withFile(job, 2, later), withFile(job, 3, later)
		r.finish(t, first, second)
		r.finish(t, first, second)
		again := withFile(job, 1, later) // by another node
		r.finish(t, again)
		r.finish(t, unpaid)
		wantFile(t, r.Store, first.Document.Files[0])
		wantFile(t, r.Store, second.Document.Files[0])
		wantNoFile(t, r.Store, again.Document.Files[0])
		wantNoFile(t, r.Store, trawl.File{ID: unpaid.Document.Files[0].ID})
		if n := r.files(t, crew); n != 2 {
			t.Errorf("%d files, want 2", n)
		}
		// The blobs of those that are not kept are nobody's.
		if stats := r.sweep(t, 2*time.Hour); stats.Orphans != 2 || stats.Files != 0 {
			t.Errorf("swept %+v", stats)
		}
		wantFile(t, r.Store, first.Document.Files[0])
	}}})
}

func TestSweepFiles(t *testing.T) {
	conformCases(t, []jobCase{{"when they expired", func(t *testing.T, r *rig) {
		crew := r.crew(t, 0, -1)
		long, short := pictured(crew.ID, r.clock.Now()), pictured(crew.ID, r.clock.Now())
		for range 600 { // more than one portion
			short.Files = append(short.Files, picture(crew.ID, r.clock.Now().Add(90*time.Minute)))
		}
		finish(t, r.Store, long, short)
		// The sweep of orphans looks at these blobs and leaves them.
		if stats := r.sweep(t, 80*time.Minute); stats.Files != 0 || stats.Orphans != 0 {
			t.Errorf("swept %+v", stats)
		}
		wantFile(t, r.Store, short.Files[600])
		r.clock.Advance(10 * time.Minute)
		wantNoFile(t, r.Store, short.Files[600])
		if stats := r.sweep(t, 0); stats.Files != 600 || stats.Orphans != 0 {
			t.Errorf("swept %+v", stats)
		}
		wantFile(t, r.Store, long.Files[0])
		if n, blobs := r.files(t, crew), blobIDs(t, r.env); n != 2 || len(blobs) != 2 {
			t.Errorf("%d files and %d blobs are left, want 2 of each", n, len(blobs))
		}
		if stats := r.sweep(t, 24*time.Hour); stats.Files != 2 {
			t.Errorf("swept %+v", stats)
		}
		if blobs := blobIDs(t, r.env); len(blobs) != 0 {
			t.Errorf("blobs %v are left", blobs)
		}
	}}})
}

// A file whose blob cannot be removed is found by the next sweep.
func TestSweepFilesWithoutBlobStore(t *testing.T) {
	onBoth(t, func(t *testing.T, config store.Config) {
		good := mustOpen(t, config)
		config.Blobs = failingBlobs{good.Blobs()}
		bad := mustOpen(t, config)
		now := time.Now()
		item := pictured(team(t, good, "crew", 10).ID, now)
		if _, err := bad.Finish(t.Context(), []store.Finished{item}); !errors.Is(err, errBroken) {
			t.Errorf("finish: %v", err)
		}
		if got := balance(t, good, "crew"); got != 10 {
			t.Errorf("charged for what was not kept: balance %d", got)
		}
		item.Record = nil
		finish(t, good, item)
		if stats, err := bad.Sweep(t.Context(), now.Add(25*time.Hour), 0); !errors.Is(err, errBroken) || stats.Files != 0 {
			t.Errorf("swept %+v, %v", stats, err)
		}
		if stats := must[store.SweepStats](t)(good.Sweep(t.Context(), now.Add(25*time.Hour), 0)); stats.Files != 1 {
			t.Errorf("swept %+v", stats)
		}
	})
}

// TestKilledBeforeTheRow ends a process that has stored the blob of a file and not
// its row.
func TestKilledBeforeTheRow(t *testing.T) {
	onBoth(t, func(t *testing.T, config store.Config) {
		s := mustOpen(t, config)
		team(t, s, "crew", 10)
		h := startHelper(t, helperFile, config)
		h.release()
		id, ok := h.next()
		h.kill()
		if !ok || uuid.Validate(id) != nil {
			t.Fatalf("the process said %q", id)
		}
		must[[]byte](t)(s.Blobs().Get(t.Context(), id))
		wantNoFile(t, s, trawl.File{ID: id})
		if got := balance(t, s, "crew"); got != 10 {
			t.Errorf("charged for what was not kept: balance %d", got)
		}
		if stats := must[store.SweepStats](t)(s.Sweep(t.Context(), time.Now().Add(2*time.Hour), 0)); stats.Orphans != 1 {
			t.Errorf("swept %+v", stats)
		}
		_, err := s.Blobs().Get(t.Context(), id)
		wantCode(t, err, trawl.CodeNotFound)
	})
}

func TestSecret(t *testing.T) {
	seen := sync.Map{}
	onBoth(t, func(t *testing.T, config store.Config) {
		nodes := make([]*store.Store, 6)
		for i := range nodes {
			nodes[i] = mustOpen(t, config)
		}
		secrets := make([][]byte, len(nodes))
		var group sync.WaitGroup
		for i, node := range nodes {
			group.Go(func() { secrets[i], _ = node.Secret(context.Background(), "files") })
		}
		group.Wait()
		late := mustOpen(t, config)
		secrets = append(secrets, must[[]byte](t)(late.Secret(t.Context(), "files")), must[[]byte](t)(late.Secret(t.Context(), "files")))
		for _, secret := range secrets {
			if len(secret) != 32 || !bytes.Equal(secret, secrets[0]) {
				t.Fatalf("secrets %x", secrets)
			}
		}
		if _, loaded := seen.LoadOrStore(string(secrets[0]), true); loaded {
			t.Error("two databases have the same secret")
		}
		if other := must[[]byte](t)(late.Secret(t.Context(), "sessions")); len(other) != 32 || bytes.Equal(other, secrets[0]) {
			t.Errorf("two secrets of one database: %x and %x", other, secrets[0])
		}
		// It takes the database only once.
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		must[[]byte](t)(late.Secret(ctx, "files"))
		fresh := mustOpen(t, config)
		if _, err := fresh.Secret(ctx, "files"); !errors.Is(err, context.Canceled) {
			t.Errorf("without a database: %v", err)
		}
		must[[]byte](t)(fresh.Secret(t.Context(), "files"))
	})
}

func TestCachedPicture(t *testing.T) {
	conform(t, func(t *testing.T, s *env) {
		crew := team(t, s.Store, "crew", -1)
		item := cached(crew.ID, "key", s.clock.Now())
		f := picture(crew.ID, s.clock.Now().Add(24*time.Hour))
		f.ContentType = trawl.TypeJPEG
		item.Files = []trawl.File{f}
		item.Page.FileID, item.Page.FileType, item.Page.FileExpiresAt = f.ID, f.ContentType, f.ExpiresAt
		finish(t, s.Store, item, cached(crew.ID, "plain", s.clock.Now()))
		page := must[store.CachedPage](t)(s.Cached(t.Context(), crew.ID, []string{"key"}, time.Time{}, s.clock.Now()))
		again := trawl.File{ID: page.FileID, ContentType: page.FileType, ExpiresAt: page.FileExpiresAt}
		if got, want := again.Address("", nil), f.Address("", nil); got != want {
			t.Errorf("the picture of a cached page is at %s, want %s", got, want)
		}
		plain := must[store.CachedPage](t)(s.Cached(t.Context(), crew.ID, []string{"plain"}, time.Time{}, s.clock.Now()))
		if plain.FileID != "" || plain.FileType != "" || !plain.FileExpiresAt.IsZero() {
			t.Errorf("a page without a picture has one: %+v", plain)
		}
	})
}

func TestSpecPublicURL(t *testing.T) {
	conformCases(t, []jobCase{{"is as it was ordered", func(t *testing.T, r *rig) {
		crew := r.crew(t, 1, -1)
		served, local := batch(crew, 1), batch(crew, 1)
		served.PublicURL = "https://trawl.example/base"
		for job, want := range map[string]string{r.create(t, served).ID: served.PublicURL, r.create(t, local).ID: ""} {
			if got := must[store.Spec](t)(r.Spec(context.Background(), job)).PublicURL; got != want {
				t.Errorf("got %q, want %q", got, want)
			}
		}
	}}})
}
