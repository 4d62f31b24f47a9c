package job_test

import (
	"testing"
	"time"

	"github.com/google/uuid"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/internal/testpg"
	"github.com/trawlhq/trawl/job"
	"github.com/trawlhq/trawl/store"
	"github.com/trawlhq/trawl/store/storetest"
)

func idle(c *job.Config) { c.Idle = true }

// browse starts a session on a node that saves to a profile.
func browse(t *testing.T, db *store.Store, team trawl.Team, node, profile string) string {
	t.Helper()
	x := trawl.Session{
		ID: uuid.NewString(), TeamID: team.ID, Node: node, Profile: profile, SaveChanges: true,
		CreatedAt: time.Now(), ExpiresAt: time.Now().Add(time.Hour),
	}
	if err := db.StartSession(t.Context(), x, 10); err != nil {
		t.Fatal(err)
	}
	return x.ID
}

func wantSession(t *testing.T, db *store.Store, id, state, reason string) {
	t.Helper()
	x, err := db.Session(t.Context(), id)
	if err != nil || x.State != state || x.Reason != reason {
		t.Errorf("the session is %s (%s), %v; want %s (%s)", x.State, x.Reason, err, state, reason)
	}
}

// Sessions of a process that died end when another has its database, also one that
// leaves work on jobs to others.
func TestIdleNodeReclaims(t *testing.T) {
	t.Parallel()
	db := openStore(t, storetest.Folder(t))
	first := startOn(t, db, idle)
	team := first.order.Caller.Team
	id := browse(t, db, team, first.Node, "mine")
	second := startOn(t, db, idle)
	if first.Node == second.Node {
		t.Errorf("two nodes are %s", first.Node)
	}
	wantSession(t, db, id, trawl.SessionDestroyed, trawl.EndStopped)
	browse(t, db, team, second.Node, "mine")
}

// A node that stops takes its sessions along, and no others.
func TestIdleNodeLeaves(t *testing.T) {
	t.Parallel()
	db, err := store.Open(t.Context(), store.Config{DatabaseURL: testpg.Start(t).URL()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	going, staying := startOn(t, db, idle), startOn(t, db, idle)
	team := going.order.Caller.Team
	gone := browse(t, db, team, going.Node, "mine")
	stays := browse(t, db, team, staying.Node, "other")
	for range 2 {
		if err := going.Stop(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	wantSession(t, db, gone, trawl.SessionDestroyed, trawl.EndStopped)
	wantSession(t, db, stays, trawl.SessionActive, "")
	browse(t, db, team, staying.Node, "mine")
}
