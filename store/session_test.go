package store_test

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/trawlhq/trawl"
)

// many is more sessions than a team of these tests ever has.
const many = 10_000

// session is one of the team that begins now and may last ten minutes.
func (r *rig) session(team trawl.Team) trawl.Session {
	now := r.clock.Now()
	return trawl.Session{
		ID: uuid.Must(uuid.NewV7()).String(), TeamID: team.ID, KeyID: "key", State: trawl.SessionActive, Stream: true, ActivityTTL: 90 * time.Second,
		Node: "node", NodeURL: "http://127.0.0.1:3002", CreatedAt: now, LastActivity: now, ExpiresAt: now.Add(10 * time.Minute),
	}
}

// saving is a session that saves to a profile.
func (r *rig) saving(team trawl.Team, profile string) trawl.Session {
	x := r.session(team)
	x.Profile, x.SaveChanges = profile, true
	return x
}

func (r *rig) startSession(t testing.TB, x trawl.Session) trawl.Session {
	t.Helper()
	if err := r.StartSession(t.Context(), x, many); err != nil {
		t.Fatal(err)
	}
	return x
}

func (r *rig) bill(t testing.TB, id string, minute int) {
	t.Helper()
	if err := r.BillSession(t.Context(), id, minute, r.clock.Now()); err != nil {
		t.Fatal(err)
	}
}

func (r *rig) endSession(t testing.TB, id string) trawl.Session {
	t.Helper()
	return must[trawl.Session](t)(r.EndSession(t.Context(), id, trawl.EndDeleted, r.clock.Now()))
}

func (r *rig) wantSessions(t testing.TB, team trawl.Team, state string, want ...trawl.Session) {
	t.Helper()
	got := must[[]trawl.Session](t)(r.Sessions(t.Context(), team.ID, state))
	if len(got)+len(want) > 0 && !reflect.DeepEqual(got, want) {
		t.Errorf("%q sessions:\n%+v\nwant\n%+v", state, got, want)
	}
}

// atOnce calls fn with 0, 1, … n-1 at the same time, and counts the errors by their
// code; that of success is empty.
func atOnce(t testing.TB, n int, fn func(i int) error) map[trawl.Code]int {
	codes := make([]trawl.Code, n)
	var group sync.WaitGroup
	for i := range n {
		group.Go(func() {
			err := fn(i)
			if err == nil {
				return
			}
			if codes[i] = trawl.ErrorCode(err); codes[i] == trawl.CodeUnknown {
				t.Log(err)
			}
		})
	}
	group.Wait()
	count := map[trawl.Code]int{}
	for _, code := range codes {
		count[code]++
	}
	return count
}

func wantCount(t testing.TB, got, want map[trawl.Code]int) {
	t.Helper()
	if !reflect.DeepEqual(got, want) {
		t.Errorf("outcomes %v, want %v", got, want)
	}
}

func (r *rig) teamBalance(t testing.TB, team trawl.Team) int64 {
	t.Helper()
	return balance(t, r.Store, team.Name)
}

func TestSessions(t *testing.T) {
	conformCases(t, []jobCase{
		{"are listed as they are", func(t *testing.T, r *rig) {
			crew, other := r.crew(t, 0, -1), r.crew(t, 0, -1)
			first := r.startSession(t, r.saving(crew, "mine"))
			r.clock.Advance(time.Second)
			plain := r.session(crew)
			plain.Stream, plain.Profile = false, "mine" // which it only reads
			second := r.startSession(t, plain)
			foreign := r.startSession(t, r.session(other))
			r.wantSessions(t, crew, "", second, first)
			r.wantSessions(t, other, "", foreign)
			r.wantSessions(t, crew, trawl.SessionDestroyed)

			first.State, first.Reason, first.DestroyedAt = trawl.SessionDestroyed, trawl.EndDeleted, r.clock.Advance(time.Minute)
			first.LastActivity = r.clock.Now()
			if got := r.endSession(t, first.ID); !reflect.DeepEqual(got, first) {
				t.Errorf("ended as %+v, want %+v", got, first)
			}
			r.wantSessions(t, crew, "", second, first)
			r.wantSessions(t, crew, trawl.SessionActive, second)
			r.wantSessions(t, crew, trawl.SessionDestroyed, first)
			if got := must[trawl.Session](t)(r.Session(t.Context(), first.ID)); !reflect.DeepEqual(got, first) {
				t.Errorf("got %+v, want %+v", got, first)
			}
		}},
		{"that do not exist", func(t *testing.T, r *rig) {
			for _, id := range []string{"", uuid.NewString(), "'; DROP TABLE sessions"} {
				_, err := r.Session(t.Context(), id)
				wantCode(t, err, trawl.CodeNotFound)
				_, err = r.EndSession(t.Context(), id, trawl.EndIdle, r.clock.Now())
				wantCode(t, err, trawl.CodeNotFound)
				if err := r.CancelSession(t.Context(), id); err != nil {
					t.Error(err)
				}
			}
			wantCode(t, r.StartSession(t.Context(), r.session(trawl.Team{ID: "nobody"}), many), trawl.CodeNotFound)
		}},
		{"are counted, also when they start at once", func(t *testing.T, r *rig) {
			crew, other := r.crew(t, 0, -1), r.crew(t, 0, -1)
			for range 5 { // at first there are too few connections for a race
				got := atOnce(t, 50, func(i int) error {
					if i%10 == 0 {
						return r.StartSession(t.Context(), r.session(other), many)
					}
					return r.StartSession(t.Context(), r.session(crew), 3)
				})
				wantCount(t, got, map[trawl.Code]int{"": 8, trawl.CodeRateLimited: 42})
				active := must[[]trawl.Session](t)(r.Sessions(t.Context(), crew.ID, trawl.SessionActive))
				if len(active) != 3 {
					t.Errorf("%d active sessions, want 3", len(active))
				}
				for _, x := range active {
					r.endSession(t, x.ID)
				}
			}
			for range 3 {
				r.startSession(t, r.session(crew))
			}
			wantCode(t, r.StartSession(t.Context(), r.session(crew), 3), trawl.CodeRateLimited)
		}},
		{"leave nothing when they are cancelled", func(t *testing.T, r *rig) {
			crew := r.crew(t, 0, -1)
			x := r.startSession(t, r.saving(crew, "mine"))
			for range 2 {
				if err := r.CancelSession(t.Context(), x.ID); err != nil {
					t.Fatal(err)
				}
			}
			r.wantSessions(t, crew, "")
			if err := r.StartSession(t.Context(), r.saving(crew, "mine"), 1); err != nil {
				t.Error(err)
			}
		}},
		{"end once", func(t *testing.T, r *rig) {
			crew := r.crew(t, 0, -1)
			x := r.startSession(t, r.session(crew))
			first := must[trawl.Session](t)(r.EndSession(t.Context(), x.ID, trawl.EndIdle, r.clock.Advance(time.Minute)))
			r.clock.Advance(time.Minute)
			if got := r.endSession(t, x.ID); !reflect.DeepEqual(got, first) || got.Reason != trawl.EndIdle || got.Duration(r.clock.Now()) != time.Minute {
				t.Errorf("a second end made %+v of %+v", got, first)
			}
			busy := r.startSession(t, r.session(crew))
			var reasons [20]string
			wantCount(t, atOnce(t, len(reasons), func(i int) error {
				got, err := r.EndSession(t.Context(), busy.ID, fmt.Sprint("reason ", i), r.clock.Now())
				reasons[i] = got.Reason
				return err
			}), map[trawl.Code]int{"": len(reasons)})
			if slices.Sort(reasons[:]); reasons[0] == "" || reasons[0] != reasons[len(reasons)-1] {
				t.Errorf("ended for reasons %q", reasons)
			}
		}},
		{"are in a list of at most a thousand", func(t *testing.T, r *rig) {
			crew := r.crew(t, 0, -1)
			r.oldSessions(t, crew, 1100)
			newest := r.startSession(t, r.session(crew))
			got := must[[]trawl.Session](t)(r.Sessions(t.Context(), crew.ID, ""))
			if len(got) != 1000 || got[0].ID != newest.ID {
				t.Errorf("%d sessions, the first is %s", len(got), got[0].ID)
			}
		}},
	})
}

// oldSessions adds sessions that were destroyed when they began, a minute ago.
func (r *rig) oldSessions(t testing.TB, team trawl.Team, count int) {
	t.Helper()
	at := r.clock.Now().Add(-time.Minute).UnixMilli()
	r.exec(t, fmt.Sprintf(`WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < %d)
		INSERT INTO sessions (id, team_id, key_id, stream, activity_ttl, profile, save_changes, node, node_url,
			created_at, last_activity, expires_at, destroyed_at)
		SELECT '%s-' || i, '%s', '', TRUE, 1000, '', FALSE, 'node', '', %d, %d, %d, %d FROM n`,
		count, uuid.NewString(), team.ID, at, at, at, at))
}

func TestBillSession(t *testing.T) {
	conformCases(t, []jobCase{
		{"charges every minute once", func(t *testing.T, r *rig) {
			crew := r.crew(t, 0, 100)
			x, other := r.startSession(t, r.session(crew)), r.startSession(t, r.session(crew))
			wantCount(t, atOnce(t, 50, func(i int) error {
				return r.BillSession(t.Context(), x.ID, i%5, x.CreatedAt.Add(time.Duration(i)*time.Second))
			}), map[trawl.Code]int{"": 50})
			r.bill(t, other.ID, 0)
			if got := r.teamBalance(t, crew); got != 100-6*trawl.SessionMinute {
				t.Errorf("balance %d", got)
			}
			got := must[trawl.Session](t)(r.Session(t.Context(), x.ID))
			if got.Credits != 5*trawl.SessionMinute || !got.LastActivity.Equal(x.CreatedAt.Add(49*time.Second)) {
				t.Errorf("%d credits, last used at %v", got.Credits, got.LastActivity)
			}
			if n := r.number(t, "SELECT COUNT(*) FROM ledger WHERE team_id = $1 AND kind = 'browser' AND key_id = 'key'", crew.ID); n != 6 {
				t.Errorf("%d entries in the ledger, want 6", n)
			}
			usage := must[[]trawl.UsagePeriod](t)(r.Usage(t.Context(), crew.ID, false))
			if len(usage) != 1 || usage[0].Credits != 6*trawl.SessionMinute {
				t.Errorf("usage %+v", usage)
			}
		}},
		{"never goes below zero", func(t *testing.T, r *rig) {
			crew := r.crew(t, 0, 2*trawl.SessionMinute+1)
			x := r.startSession(t, r.session(crew))
			wantCount(t, atOnce(t, 50, func(i int) error { return r.BillSession(t.Context(), x.ID, i, r.clock.Now()) }),
				map[trawl.Code]int{"": 2, trawl.CodePayment: 48})
			if got := r.teamBalance(t, crew); got != 1 {
				t.Errorf("balance %d, want 1", got)
			}
			wantCode(t, r.BillSession(t.Context(), x.ID, 50, r.clock.Advance(time.Hour)), trawl.CodePayment)
			got := must[trawl.Session](t)(r.Session(t.Context(), x.ID))
			if got.Credits != 2*trawl.SessionMinute || !got.Active() || !got.LastActivity.Equal(x.LastActivity) {
				t.Errorf("what could not be paid left %+v", got)
			}
		}},
		{"does not refuse what is paid", func(t *testing.T, r *rig) {
			x := r.startSession(t, r.session(r.crew(t, 0, trawl.SessionMinute)))
			for range 2 {
				r.bill(t, x.ID, 0)
			}
		}},
		{"is over with the session", func(t *testing.T, r *rig) {
			for _, credits := range []int64{0, 100} {
				crew := r.crew(t, 0, credits)
				x := r.startSession(t, r.session(crew))
				r.endSession(t, x.ID)
				for _, id := range []string{x.ID, uuid.NewString()} {
					wantCode(t, r.BillSession(t.Context(), id, 0, r.clock.Now()), trawl.CodeGone)
				}
				if got := r.teamBalance(t, crew); got != credits {
					t.Errorf("balance %d, want %d", got, credits)
				}
			}
		}},
		{"takes what the session says", func(t *testing.T, r *rig) {
			crew := r.crew(t, 0, 1000)
			var billed int64
			for range 10 { // the end comes before some minutes and after others
				x := r.startSession(t, r.session(crew))
				atOnce(t, 8, func(i int) error {
					if i == 4 {
						_, err := r.EndSession(t.Context(), x.ID, trawl.EndClosed, r.clock.Now())
						return err
					}
					return r.BillSession(t.Context(), x.ID, i, r.clock.Now())
				})
				billed += must[trawl.Session](t)(r.Session(t.Context(), x.ID)).Credits
			}
			if paid := 1000 - r.teamBalance(t, crew); paid != billed {
				t.Errorf("paid %d for sessions of %d credits", paid, billed)
			}
		}},
		{"never takes the last use back", func(t *testing.T, r *rig) {
			x := r.startSession(t, r.session(r.crew(t, 0, -1)))
			r.bill(t, x.ID, 0)
			for i, earlier := range []time.Time{{}, x.CreatedAt.Add(-time.Hour)} {
				if err := r.BillSession(t.Context(), x.ID, i+1, earlier); err != nil {
					t.Fatal(err)
				}
			}
			got := must[trawl.Session](t)(r.EndSession(t.Context(), x.ID, trawl.EndIdle, time.Time{}))
			if !got.LastActivity.Equal(x.LastActivity) {
				t.Errorf("last used at %v, want %v", got.LastActivity, x.LastActivity)
			}
		}},
	})
}

// wantStopped looks for a session that ended with its node.
func (r *rig) wantStopped(t testing.TB, x trawl.Session, at time.Time) {
	t.Helper()
	got := must[trawl.Session](t)(r.Session(t.Context(), x.ID))
	if got.Active() || got.Reason != trawl.EndStopped || !got.DestroyedAt.Equal(at) {
		t.Errorf("the session is %s (%s) since %v, want destroyed at %v", got.State, got.Reason, got.DestroyedAt, at)
	}
}

func (r *rig) wantActive(t testing.TB, x trawl.Session) {
	t.Helper()
	if got := must[trawl.Session](t)(r.Session(t.Context(), x.ID)); !got.Active() {
		t.Errorf("the session ended: %s", got.Reason)
	}
}

func TestSessionsOfNodes(t *testing.T) {
	on := func(x trawl.Session, node string) trawl.Session {
		x.Node = node
		return x
	}
	bury := func(t *testing.T, r *rig, want ...string) {
		t.Helper()
		if dead := must[[]string](t)(r.Bury(t.Context(), r.silent(15*time.Second))); !slices.Equal(dead, want) {
			t.Errorf("buried %v, want %v", dead, want)
		}
	}
	conformCases(t, []jobCase{
		{"end with a node that died", func(t *testing.T, r *rig) {
			crew := r.crew(t, 0, -1)
			seen := r.clock.Now() // of a node that never said more than that it starts a session
			x := r.startSession(t, on(r.saving(crew, "mine"), "dead"))
			over := r.startSession(t, on(r.session(crew), "dead"))
			r.endSession(t, over.ID)
			if err := r.TakeProfile(t.Context(), crew.ID, "scraped", "scrape", "dead"); err != nil {
				t.Fatal(err)
			}
			r.clock.Advance(10 * time.Second)
			alive := r.startSession(t, on(r.saving(crew, "other"), "alive"))
			r.clock.Advance(10 * time.Second)
			wantCode(t, r.StartSession(t.Context(), on(r.saving(crew, "mine"), "alive"), many), trawl.CodeConflict)
			bury(t, r, "dead")
			r.wantStopped(t, x, seen)
			r.wantActive(t, alive)
			if got := r.endSession(t, over.ID); got.Reason != trawl.EndDeleted {
				t.Errorf("ended again: %s", got.Reason)
			}
			wantCode(t, r.BillSession(t.Context(), x.ID, 1, r.clock.Now()), trawl.CodeGone)
			for _, name := range []string{"mine", "scraped"} {
				r.startSession(t, on(r.saving(crew, name), "alive"))
			}
			wantCode(t, r.TakeProfile(t.Context(), crew.ID, "other", "scrape", "alive"), trawl.CodeConflict)
		}},
		{"end with a node that leaves", func(t *testing.T, r *rig) {
			crew := r.crew(t, 0, -1)
			x := r.startSession(t, on(r.saving(crew, "mine"), "leaving"))
			stays := r.startSession(t, on(r.session(crew), "staying"))
			if err := r.Leave(t.Context(), "leaving"); err != nil {
				t.Fatal(err)
			}
			r.wantStopped(t, x, r.clock.Now())
			r.wantActive(t, stays)
			r.startSession(t, on(r.saving(crew, "mine"), "staying"))
		}},
		{"last no longer than they may", func(t *testing.T, r *rig) {
			x := r.startSession(t, on(r.session(r.crew(t, 0, -1)), "late"))
			r.clock.Advance(time.Hour)
			if err := r.Beat(t.Context(), "late"); err != nil {
				t.Fatal(err)
			}
			if err := r.Leave(t.Context(), "late"); err != nil {
				t.Fatal(err)
			}
			r.wantStopped(t, x, x.ExpiresAt)
		}},
		{"end with a node that has no name", func(t *testing.T, r *rig) {
			crew := r.crew(t, 0, -1)
			nameless, named := r.startSession(t, on(r.session(crew), "")), r.startSession(t, on(r.session(crew), "named"))
			if err := r.Leave(t.Context(), ""); err != nil {
				t.Fatal(err)
			}
			r.wantStopped(t, nameless, r.clock.Now())
			r.wantActive(t, named)
		}},
		{"end with the process that had the database alone", func(t *testing.T, r *rig) {
			crew := r.crew(t, 0, -1)
			x := r.startSession(t, on(r.saving(crew, "mine"), "before"))
			r.clock.Advance(time.Minute)
			if err := r.Reclaim(t.Context()); err != nil {
				t.Fatal(err)
			}
			r.wantStopped(t, x, r.clock.Now())
			r.startSession(t, on(r.saving(crew, "mine"), "after"))
			if n := r.number(t, "SELECT COUNT(*) FROM nodes WHERE id <> 'after'"); n != 0 {
				t.Errorf("%d nodes of before are known", n)
			}
		}},
		{"start while the node is buried", func(t *testing.T, r *rig) {
			crew := r.crew(t, 0, -1)
			for i := range 20 { // whichever comes first, no session is active on a node that nobody knows
				node := fmt.Sprint("slow", i)
				if err := r.Beat(t.Context(), node); err != nil {
					t.Fatal(err)
				}
				r.clock.Advance(time.Minute)
				x := on(r.saving(crew, node), node)
				wantCount(t, atOnce(t, 2, func(i int) error {
					if i == 0 {
						_, err := r.Bury(t.Context(), r.silent(15*time.Second))
						return err
					}
					return r.StartSession(t.Context(), x, many)
				}), map[trawl.Code]int{"": 2})
				r.wantActive(t, x)
				if n := r.number(t, "SELECT COUNT(*) FROM nodes WHERE id = $1", node); n != 1 {
					t.Error("the node of an active session is not known")
				}
			}
		}},
	})
}

func TestSweepSessions(t *testing.T) {
	conformCases(t, []jobCase{{"a day after their end", func(t *testing.T, r *rig) {
		crew := r.crew(t, 0, -1)
		r.oldSessions(t, crew, 1100) // more than two portions
		x, active := r.startSession(t, r.session(crew)), r.startSession(t, r.session(crew))
		r.bill(t, x.ID, 0)
		r.endSession(t, x.ID)
		if stats := r.sweep(t, 24*time.Hour-time.Minute-time.Millisecond); stats.Sessions != 0 {
			t.Errorf("swept %+v", stats)
		}
		if stats := r.sweep(t, time.Millisecond); stats.Sessions != 1100 {
			t.Errorf("swept %+v", stats)
		}
		must[trawl.Session](t)(r.Session(context.Background(), x.ID))
		if stats := r.sweep(t, time.Minute); stats.Sessions != 1 {
			t.Errorf("swept %+v", stats)
		}
		r.wantSessions(t, crew, "", active)
		if usage := must[[]trawl.UsagePeriod](t)(r.Usage(t.Context(), crew.ID, false)); len(usage) != 1 {
			t.Error("the usage went with the session")
		}
	}}})
}

// Whatever happens to sessions at once, no two wait for each other: the database
// would fail one of them.
func TestSessionsInParallel(t *testing.T) {
	except := func(code trawl.Code, err error) error {
		if err != nil && trawl.ErrorCode(err) == code {
			return nil
		}
		return err
	}
	conformCases(t, []jobCase{{"block nobody", func(t *testing.T, r *rig) {
		teams := []trawl.Team{r.crew(t, 0, -1), r.crew(t, 0, -1)}
		wantCount(t, atOnce(t, 40, func(i int) (err error) {
			team, ctx := teams[i%2], t.Context()
			for range 5 {
				x := r.saving(team, fmt.Sprint("profile", i%7))
				x.Node = fmt.Sprint("node", i%3)
				err = errors.Join(err, except(trawl.CodeConflict, r.StartSession(ctx, x, many)))
				if i%8 == 0 {
					err = errors.Join(err, r.Leave(ctx, x.Node))
				}
				err = errors.Join(err, except(trawl.CodeGone, r.BillSession(ctx, x.ID, 0, r.clock.Now())))
				err = errors.Join(err, except(trawl.CodeConflict, r.SaveProfile(ctx, team.ID, x.Profile, x.ID, []byte(x.ID))))
				err = errors.Join(err, r.CancelSession(ctx, x.ID))
			}
			return err
		}), map[trawl.Code]int{"": 40})
	}}})
}
