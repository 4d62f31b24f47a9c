package main

import (
	"strings"
	"testing"
	"time"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/store"
)

func TestCreditsUsage(t *testing.T) {
	t.Parallel()
	env := map[string]string{"TRAWL_DATA_DIR": t.TempDir()}
	if got := execute(t, env, "teams", "create", "acme", "--credits", "100"); got.code != 0 {
		t.Fatal(got.stderr)
	}

	// A server has the store open at the same time.
	db, err := store.Open(t.Context(), store.Config{DataDir: env["TRAWL_DATA_DIR"]})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	team, err := db.Team(t.Context(), "acme")
	if err != nil {
		t.Fatal(err)
	}
	for id, charge := range map[string]trawl.Charge{
		"a": {Credits: 5, At: time.Date(2025, 11, 30, 23, 0, 0, 0, time.UTC)},
		"b": {Credits: 7, At: time.Date(2025, 12, 1, 0, 0, 0, 0, time.UTC)},
		"c": {Credits: 1, At: time.Date(2025, 12, 9, 0, 0, 0, 0, time.UTC)},
	} {
		charge.ID, charge.TeamID, charge.Kind = id, team.ID, "scrape"
		errs, err := db.Finish(t.Context(), []store.Finished{{Charge: charge}})
		if err != nil || errs[0] != nil {
			t.Fatal(errs, err)
		}
	}

	got := execute(t, env, "credits", "show", "acme")
	want := "team             acme\nbalance          87\ngranted          100\nused in 2025-11  5\nused in 2025-12  8\n"
	if got.code != 0 || got.stdout != want {
		t.Errorf("code %d, stderr %q, stdout:\n%swant:\n%s", got.code, got.stderr, got.stdout, want)
	}
	got = execute(t, env, "credits", "show", "acme", "--json")
	if !strings.Contains(got.stdout, `"month": "2025-12"`) || !strings.Contains(got.stdout, `"balance": 87`) {
		t.Errorf("JSON:\n%s", got.stdout)
	}
}
