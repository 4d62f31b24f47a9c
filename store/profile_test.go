package store_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"reflect"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/store"
)

// archive is one of more than a chunk, hard to compress, that begins with its number.
func archive(number int) []byte {
	data := fmt.Appendf(make([]byte, 0, 5<<18), "%d\n", number)
	noise := rand.NewChaCha8([32]byte{byte(number), byte(number >> 8)})
	_, _ = noise.Read(data[len(data):cap(data)]) // never fails
	return data[:cap(data)]
}

// wantWhole returns the number of an archive, all of which must be there.
func wantWhole(t testing.TB, data []byte) int {
	t.Helper()
	first, _, _ := strings.Cut(string(data[:min(len(data), 20)]), "\n")
	number, err := strconv.Atoi(first)
	if err != nil || !bytes.Equal(data, archive(number)) {
		t.Errorf("half an archive: %d bytes that begin with %q", len(data), first)
	}
	return number
}

func (r *rig) take(t testing.TB, team trawl.Team, name, holder string) {
	t.Helper()
	if err := r.TakeProfile(t.Context(), team.ID, name, holder, "node"); err != nil {
		t.Fatal(err)
	}
}

func (r *rig) save(t testing.TB, team trawl.Team, name, holder, data string) {
	t.Helper()
	if err := r.SaveProfile(t.Context(), team.ID, name, holder, []byte(data)); err != nil {
		t.Fatal(err)
	}
}

func (r *rig) free(t testing.TB, team trawl.Team, name, holder string) {
	t.Helper()
	if err := r.FreeProfile(t.Context(), team.ID, name, holder); err != nil {
		t.Fatal(err)
	}
}

// wantSaved compares what is saved in a profile; empty means nothing.
func (r *rig) wantSaved(t testing.TB, team trawl.Team, name, want string) {
	t.Helper()
	got := must[[]byte](t)(r.LoadProfile(t.Context(), team.ID, name))
	if string(got) != want || want == "" && got != nil {
		t.Errorf("%.100q is saved in %q, want %.100q", got, name, want)
	}
}

func (r *rig) wantProfiles(t testing.TB, team trawl.Team, want ...trawl.SavedProfile) {
	t.Helper()
	got := must[[]trawl.SavedProfile](t)(r.Profiles(t.Context(), team.ID))
	if len(got)+len(want) > 0 && !reflect.DeepEqual(got, want) {
		t.Errorf("profiles %+v, want %+v", got, want)
	}
}

func TestProfiles(t *testing.T) {
	conformCases(t, []jobCase{
		{"of any name", func(t *testing.T, r *rig) {
			crew, other := r.crew(t, 0, -1), r.crew(t, 0, -1)
			names := []string{ // as they are listed
				" ", "%_", "' OR 1=1; --", "../../etc/passwd", "..", "/", "A", "\"", "\\", "a", "a ", "a/../b", "a/b",
				"e\u0301", strings.Repeat("x", trawl.MaxProfileName), "ä", "é", "日本語", strings.Repeat("😀", trawl.MaxProfileName),
			}
			saved := map[string]trawl.SavedProfile{}
			for _, name := range names {
				r.wantSaved(t, crew, name, "")
				r.take(t, crew, name, "holder of "+name)
				r.save(t, crew, name, "holder of "+name, "what is in "+name)
				r.free(t, crew, name, "holder of "+name)
				saved[name] = trawl.SavedProfile{Name: name, Size: int64(len("what is in " + name)), CreatedAt: r.clock.Now(), SavedAt: r.clock.Now()}
			}
			list := must[[]trawl.SavedProfile](t)(r.Profiles(t.Context(), crew.ID))
			for i, p := range list {
				if p != saved[p.Name] || i > 0 && list[i-1].Name >= p.Name {
					t.Errorf("%d: got %+v, want %+v", i, p, saved[p.Name])
				}
				delete(saved, p.Name)
			}
			if len(saved) > 0 {
				t.Errorf("not listed: %v", saved)
			}
			for _, name := range names {
				r.wantSaved(t, other, name, "")
				r.wantSaved(t, crew, name, "what is in "+name)
				if err := r.DeleteProfile(t.Context(), crew.ID, name); err != nil {
					t.Error(err)
				}
				r.wantSaved(t, crew, name, "")
			}
			r.wantProfiles(t, crew)
		}},
		{"of two teams", func(t *testing.T, r *rig) {
			crew, other := r.crew(t, 0, -1), r.crew(t, 0, -1)
			r.take(t, crew, "mine", "a")
			r.take(t, other, "mine", "b")
			r.save(t, crew, "mine", "a", "of crew")
			r.wantSaved(t, other, "mine", "")
			wantCode(t, r.SaveProfile(t.Context(), other.ID, "mine", "a", []byte("x")), trawl.CodeConflict)
			r.save(t, other, "mine", "b", "of other")
			r.free(t, other, "mine", "b")
			if err := r.DeleteProfile(t.Context(), other.ID, "mine"); err != nil {
				t.Fatal(err)
			}
			r.wantSaved(t, crew, "mine", "of crew")
			wantCode(t, r.TakeProfile(t.Context(), crew.ID, "mine", "c", "node"), trawl.CodeConflict)
		}},
		{"replace what was saved", func(t *testing.T, r *rig) {
			crew := r.crew(t, 0, -1)
			before := len(blobIDs(t, r.env))
			created := r.clock.Now()
			for i, holder := range []string{"a", "b"} {
				r.clock.Advance(time.Minute)
				r.take(t, crew, "mine", holder)
				for j, data := range []string{"first", longText(3 << 20), "last"} {
					r.save(t, crew, "mine", holder, data)
					r.wantSaved(t, crew, "mine", data)
					r.wantProfiles(t, crew, trawl.SavedProfile{
						Name: "mine", Size: int64(len(data)), CreatedAt: created.Add(time.Minute), SavedAt: r.clock.Now(), Saving: true,
					})
					if n := len(blobIDs(t, r.env)) - before; n != 1 {
						t.Errorf("%d blobs after saving %d by holder %d", n, j, i)
					}
				}
				r.free(t, crew, "mine", holder)
			}
			if err := r.DeleteProfile(t.Context(), crew.ID, "mine"); err != nil {
				t.Fatal(err)
			}
			if n := len(blobIDs(t, r.env)) - before; n != 0 {
				t.Errorf("%d blobs are left", n)
			}
		}},
		{"can be saved empty", func(t *testing.T, r *rig) {
			crew := r.crew(t, 0, -1)
			r.take(t, crew, "mine", "a")
			r.save(t, crew, "mine", "a", "")
			r.free(t, crew, "mine", "a")
			if got, err := r.LoadProfile(t.Context(), crew.ID, "mine"); len(got) != 0 || err != nil {
				t.Errorf("got %q, %v", got, err)
			}
			r.wantProfiles(t, crew, trawl.SavedProfile{Name: "mine", CreatedAt: r.clock.Now(), SavedAt: r.clock.Now()})
		}},
		{"are deleted by their team when nobody saves", func(t *testing.T, r *rig) {
			crew, other := r.crew(t, 0, -1), r.crew(t, 0, -1)
			r.take(t, crew, "mine", "a")
			wantCode(t, r.DeleteProfile(t.Context(), crew.ID, "mine"), trawl.CodeConflict)
			r.save(t, crew, "mine", "a", "data")
			wantCode(t, r.DeleteProfile(t.Context(), crew.ID, "mine"), trawl.CodeConflict)
			r.free(t, crew, "mine", "a")
			wantCode(t, r.DeleteProfile(t.Context(), other.ID, "mine"), trawl.CodeNotFound)
			wantCode(t, r.DeleteProfile(t.Context(), crew.ID, "Mine"), trawl.CodeNotFound)
			r.wantSaved(t, crew, "mine", "data")
			wantCount(t, atOnce(t, 10, func(int) error { return r.DeleteProfile(t.Context(), crew.ID, "mine") }),
				map[trawl.Code]int{"": 1, trawl.CodeNotFound: 9})
		}},
		{"that nobody saved disappear", func(t *testing.T, r *rig) {
			crew := r.crew(t, 0, -1)
			r.take(t, crew, "mine", "a")
			r.wantProfiles(t, crew)
			r.free(t, crew, "mine", "a")
			wantCode(t, r.DeleteProfile(t.Context(), crew.ID, "mine"), trawl.CodeNotFound)
		}},
		{"without their blob cannot be loaded", func(t *testing.T, r *rig) {
			crew := r.crew(t, 0, -1)
			r.take(t, crew, "mine", "a")
			r.save(t, crew, "mine", "a", "data")
			if err := r.Blobs().Delete(t.Context(), blobIDs(t, r.env)...); err != nil {
				t.Fatal(err)
			}
			_, err := r.LoadProfile(t.Context(), crew.ID, "mine")
			wantCode(t, err, trawl.CodeUnknown)
		}},
	})
}

func TestOneSaver(t *testing.T) {
	conformCases(t, []jobCase{
		{"of fifty sessions and scrapes", func(t *testing.T, r *rig) {
			crew := r.crew(t, 0, -1)
			for range 3 {
				var winner atomic.Value
				got := atOnce(t, 50, func(i int) error {
					x := r.saving(crew, "mine")
					start := r.StartSession
					if i%2 == 0 {
						start = func(ctx context.Context, x trawl.Session, _ int) error {
							return r.TakeProfile(ctx, x.TeamID, x.Profile, x.ID, x.Node)
						}
					}
					err := start(t.Context(), x, many)
					if err == nil {
						winner.Store(x.ID)
					}
					return err
				})
				wantCount(t, got, map[trawl.Code]int{"": 1, trawl.CodeConflict: 49})
				if n := len(must[[]trawl.Session](t)(r.Sessions(t.Context(), crew.ID, trawl.SessionActive))); n > 1 {
					t.Errorf("%d sessions, though all want the same profile", n)
				}
				holder := winner.Load().(string)
				r.save(t, crew, "mine", holder, "by "+holder)
				r.wantSaved(t, crew, "mine", "by "+holder)
				if _, err := r.EndSession(t.Context(), holder, trawl.EndClosed, r.clock.Now()); err != nil {
					r.free(t, crew, "mine", holder) // it was a scrape
				}
			}
		}},
		{"and any number of readers", func(t *testing.T, r *rig) {
			crew := r.crew(t, 0, -1)
			r.startSession(t, r.saving(crew, "mine"))
			reader := r.saving(crew, "mine")
			reader.SaveChanges = false
			r.startSession(t, reader)
			r.endSession(t, reader.ID) // which has nothing to let go of
			wantCode(t, r.StartSession(t.Context(), r.saving(crew, "mine"), many), trawl.CodeConflict)
		}},
		{"is not one that was refused", func(t *testing.T, r *rig) {
			crew := r.crew(t, 0, -1)
			wantCode(t, r.StartSession(t.Context(), r.saving(crew, "mine"), 0), trawl.CodeRateLimited)
			x := r.startSession(t, r.saving(crew, "mine"))
			refused := r.saving(crew, "mine")
			wantCode(t, r.StartSession(t.Context(), refused, many), trawl.CodeConflict)
			r.free(t, crew, "mine", refused.ID)
			if err := r.CancelSession(t.Context(), refused.ID); err != nil {
				t.Fatal(err)
			}
			r.wantSessions(t, crew, "", x)
			wantCode(t, r.SaveProfile(t.Context(), crew.ID, "mine", refused.ID, []byte("x")), trawl.CodeConflict)
			r.save(t, crew, "mine", x.ID, "data")
		}},
		{"until it has lost the profile", func(t *testing.T, r *rig) {
			crew := r.crew(t, 0, -1)
			before := len(blobIDs(t, r.env))
			late := r.saving(crew, "mine")
			late.Node = "slow"
			r.startSession(t, late)
			r.save(t, crew, "mine", late.ID, "first")
			r.clock.Advance(time.Minute)
			r.take(t, crew, "another", "a") // a sign of life of the other node
			if dead := must[[]string](t)(r.Bury(t.Context(), r.silent(15*time.Second))); len(dead) != 1 || dead[0] != "slow" {
				t.Fatalf("buried %v", dead)
			}
			wantCode(t, r.SaveProfile(t.Context(), crew.ID, "mine", late.ID, []byte("late")), trawl.CodeConflict)
			r.wantSaved(t, crew, "mine", "first")
			next := r.startSession(t, r.saving(crew, "mine"))
			wantCode(t, r.SaveProfile(t.Context(), crew.ID, "mine", late.ID, []byte("late")), trawl.CodeConflict)
			r.save(t, crew, "mine", next.ID, "second")
			wantCode(t, r.SaveProfile(t.Context(), crew.ID, "mine", late.ID, []byte("late")), trawl.CodeConflict)
			r.endSession(t, late.ID)
			r.free(t, crew, "mine", late.ID)
			r.wantSaved(t, crew, "mine", "second")
			r.save(t, crew, "mine", next.ID, "third")
			for _, holder := range []string{"", uuid.NewString()} {
				wantCode(t, r.SaveProfile(t.Context(), crew.ID, "nothing", holder, []byte("x")), trawl.CodeConflict)
			}
			r.endSession(t, next.ID)
			wantCode(t, r.SaveProfile(t.Context(), crew.ID, "mine", "", []byte("x")), trawl.CodeConflict)
			if n := len(blobIDs(t, r.env)) - before; n != 1 {
				t.Errorf("%d blobs for one profile", n)
			}
		}},
		{"while others load", func(t *testing.T, r *rig) {
			crew := r.crew(t, 0, -1)
			r.take(t, crew, "mine", "a")
			r.save(t, crew, "mine", "a", string(archive(0)))
			var group sync.WaitGroup
			over := make(chan struct{})
			for range 2 {
				group.Go(func() {
					for last := 0; ; {
						data, err := r.LoadProfile(t.Context(), crew.ID, "mine")
						if err != nil {
							t.Error(err)
							return
						}
						number := wantWhole(t, data)
						if number < last {
							t.Errorf("archive %d came after %d", number, last)
						}
						last = number
						select {
						case <-over:
							return
						default:
						}
					}
				})
			}
			for i := range 10 {
				r.save(t, crew, "mine", "a", string(archive(i+1)))
			}
			close(over)
			group.Wait()
		}},
	})
}

func TestSweepKeepsProfiles(t *testing.T) {
	conformCases(t, []jobCase{{"that are saved", func(t *testing.T, r *rig) {
		crew := r.crew(t, 0, -1)
		r.take(t, crew, "mine", "a")
		r.save(t, crew, "mine", "a", "data")
		if err := r.Blobs().Put(t.Context(), uuid.NewString(), []byte("nobody's")); err != nil {
			t.Fatal(err)
		}
		if stats := r.sweep(t, 400*24*time.Hour); stats.Orphans != 1 {
			t.Errorf("swept %+v", stats)
		}
		r.wantSaved(t, crew, "mine", "data")
	}}})
}

// heldBlobs is a blob store that deletes nothing.
type heldBlobs struct{ store.BlobStore }

func (heldBlobs) Delete(context.Context, ...string) error { return errBroken }

// A blob store out of order costs nothing that was saved, and leaves nothing.
// A team that has as many profiles as it may can save to those it has, and to no other.
func TestMostProfiles(t *testing.T) {
	onBoth(t, func(t *testing.T, config store.Config) {
		config.Profiles = 2
		s := mustOpen(t, config)
		crew, other := team(t, s, "crew", -1), team(t, s, "other", -1)
		take := func(who trawl.Team, name string) error {
			return s.TakeProfile(t.Context(), who.ID, name, "holder of "+name, "node")
		}
		for _, name := range []string{"a", "b", "a"} {
			if err := take(crew, name); err != nil {
				t.Fatal(err)
			}
			if err := s.SaveProfile(t.Context(), crew.ID, name, "holder of "+name, []byte("x")); err != nil {
				t.Fatal(err)
			}
			if err := s.FreeProfile(t.Context(), crew.ID, name, "holder of "+name); err != nil {
				t.Fatal(err)
			}
		}
		if err := take(crew, "c"); trawl.ErrorCode(err) != trawl.CodeForbidden {
			t.Errorf("one too many: %v", err)
		}
		if err := take(other, "c"); err != nil {
			t.Errorf("another team: %v", err)
		}
		if err := s.DeleteProfile(t.Context(), crew.ID, "b"); err != nil {
			t.Fatal(err)
		}
		if err := take(crew, "c"); err != nil {
			t.Errorf("after one was deleted: %v", err)
		}
	})
}

func TestProfilesWithoutBlobStore(t *testing.T) {
	onBoth(t, func(t *testing.T, config store.Config) {
		good := mustOpen(t, config)
		now := time.Now()
		config.Now = func() time.Time { return now }
		config.Blobs = failingBlobs{good.Blobs()}
		bad := mustOpen(t, config)
		config.Blobs = heldBlobs{good.Blobs()}
		held := mustOpen(t, config)
		config.Blobs = nil
		r := &rig{env: &env{Store: mustOpen(t, config), config: config}}
		crew := team(t, good, "crew", -1)
		r.take(t, crew, "mine", "a")
		r.save(t, crew, "mine", "a", "first")
		if err := bad.SaveProfile(t.Context(), crew.ID, "mine", "a", []byte("second")); !errors.Is(err, errBroken) {
			t.Errorf("saved: %v", err)
		}
		r.wantSaved(t, crew, "mine", "first")
		// By now the sweep has seen the blob and does not look at it again.
		now = now.Add(2 * time.Hour)
		if stats := must[store.SweepStats](t)(r.Sweep(t.Context(), now, 0)); stats.Orphans != 0 {
			t.Errorf("swept %+v", stats)
		}
		if err := held.SaveProfile(t.Context(), crew.ID, "mine", "a", []byte("second")); err != nil {
			t.Fatal(err)
		}
		r.wantSaved(t, crew, "mine", "second")
		if _, err := held.Sweep(t.Context(), now, 0); !errors.Is(err, errBroken) {
			t.Errorf("swept: %v", err)
		}
		if stats := must[store.SweepStats](t)(r.Sweep(t.Context(), now, 0)); stats.Orphans != 1 {
			t.Errorf("swept %+v", stats)
		}
		r.free(t, crew, "mine", "a")
		if err := held.DeleteProfile(t.Context(), crew.ID, "mine"); err != nil {
			t.Fatal(err)
		}
		r.wantSaved(t, crew, "mine", "")
		for _, want := range []int{1, 0} {
			if stats := must[store.SweepStats](t)(r.Sweep(t.Context(), now, 0)); stats.Orphans != want {
				t.Errorf("swept %+v", stats)
			}
		}
	})
}

// TestKilledWhileSaving ends a process in the middle of saving a profile: what was
// there is there, or what was to be there, and nothing else is left.
func TestKilledWhileSaving(t *testing.T) {
	onBoth(t, func(t *testing.T, config store.Config) {
		s := mustOpen(t, config)
		crew := team(t, s, "crew", -1)
		for _, name := range []string{helperPut, helperReplace} {
			if err := errors.Join(
				s.TakeProfile(t.Context(), crew.ID, name, "before", "here"),
				s.SaveProfile(t.Context(), crew.ID, name, "before", archive(0)),
				s.FreeProfile(t.Context(), crew.ID, name, "before"),
			); err != nil {
				t.Fatal(err)
			}
		}
		for _, test := range []struct {
			task string
			want int // number of the archive that is left
		}{{helperPut, 0}, {helperReplace, 1}} {
			h := startHelper(t, test.task, config)
			h.release()
			id, ok := h.next()
			h.kill()
			if !ok || uuid.Validate(id) != nil {
				t.Fatalf("the process said %q", id)
			}
			must[[]byte](t)(s.Blobs().Get(t.Context(), id)) // what nobody needs is still there
			got := wantWhole(t, must[[]byte](t)(s.LoadProfile(t.Context(), crew.ID, test.task)))
			if got != test.want {
				t.Errorf("%s: archive %d is left, want %d", test.task, got, test.want)
			}
			wantCode(t, s.TakeProfile(t.Context(), crew.ID, test.task, "next", "here"), trawl.CodeConflict)
		}
		if stats := must[store.SweepStats](t)(s.Sweep(t.Context(), time.Now().Add(2*time.Hour), 0)); stats.Orphans != 2 {
			t.Errorf("swept %+v", stats)
		}
		if err := errors.Join(s.Leave(t.Context(), helperPut), s.Leave(t.Context(), helperReplace)); err != nil {
			t.Fatal(err)
		}
		for _, name := range []string{helperPut, helperReplace} {
			wantWhole(t, must[[]byte](t)(s.LoadProfile(t.Context(), crew.ID, name)))
			if err := s.TakeProfile(t.Context(), crew.ID, name, "next", "here"); err != nil {
				t.Error(err)
			}
		}
	})
}

// TestKilledAnywhere ends processes that save all the time at some moment.
func TestKilledAnywhere(t *testing.T) {
	onBoth(t, func(t *testing.T, config store.Config) {
		s := mustOpen(t, config)
		crew := team(t, s, "crew", -1)
		for range 5 {
			h := startHelper(t, helperSave, config)
			h.release()
			saved := 0
			for range 1 + rand.IntN(4) {
				line, ok := h.next()
				if saved = must[int](t)(strconv.Atoi(line)); !ok {
					t.Fatalf("the process said %q", line)
				}
			}
			time.Sleep(rand.N(30 * time.Millisecond)) // to be somewhere, not to wait for something
			h.kill()
			if got := wantWhole(t, must[[]byte](t)(s.LoadProfile(t.Context(), crew.ID, helperSave))); got < saved {
				t.Errorf("archive %d is left, though %d was saved", got, saved)
			}
			if err := s.Leave(t.Context(), helperSave); err != nil {
				t.Fatal(err)
			}
		}
		must[store.SweepStats](t)(s.Sweep(t.Context(), time.Now().Add(2*time.Hour), 0))
		r := &rig{env: &env{Store: s, config: config, clock: &clock{now: time.Now()}}}
		if blobs := blobIDs(t, r.env); len(blobs) != 1 {
			t.Errorf("%d blobs are left, want that of the profile", len(blobs))
		}
	})
}
