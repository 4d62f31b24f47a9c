package store_test

import (
	"context"
	"reflect"
	"testing"
	"time"

	"github.com/trawlhq/trawl"
)

func TestTeams(t *testing.T) {
	conform(t, func(t *testing.T, s *env) {
		ctx := context.Background()
		limit := int64(500)
		made := must[trawl.Team](t)(s.CreateTeam(ctx, trawl.Team{Name: "crew", Concurrency: 7, Credits: &limit, ZeroDataRetention: true}))
		if made.ID == "" || !made.CreatedAt.Equal(s.clock.Now()) || made.Granted != 500 {
			t.Errorf("made %+v", made)
		}
		if got := must[trawl.Team](t)(s.Team(ctx, "crew")); !reflect.DeepEqual(got, made) {
			t.Errorf("got %+v, want %+v", got, made)
		}
		_, err := s.CreateTeam(ctx, trawl.Team{Name: "crew"})
		wantCode(t, err, trawl.CodeConflict)
		_, err = s.Team(ctx, "nobody")
		wantCode(t, err, trawl.CodeNotFound)
		_, err = s.Team(ctx, "\xff\x00")
		wantCode(t, err, trawl.CodeNotFound)

		s.clock.Advance(time.Second)
		second := team(t, s.Store, "another", -1)
		if second.Credits != nil {
			t.Error("a team without a balance got one")
		}
		teams := must[[]trawl.Team](t)(s.Teams(ctx))
		if !reflect.DeepEqual(teams, []trawl.Team{made, second}) {
			t.Errorf("teams %+v", teams)
		}
	})
}

func TestKeys(t *testing.T) {
	conform(t, func(t *testing.T, s *env) {
		ctx := context.Background()
		crew, other := team(t, s.Store, "crew", 10), team(t, s.Store, "other", -1)
		expires := s.clock.Now().Add(time.Hour)
		key := must[trawl.Key](t)(s.CreateKey(ctx, trawl.Key{TeamID: crew.ID, Name: "laptop", ExpiresAt: expires}, "fc-secret-abcd"))
		if key.Hint != "abcd" || key.ID == "" || !key.CreatedAt.Equal(s.clock.Now()) {
			t.Errorf("made %+v", key)
		}
		caller := must[trawl.Caller](t)(s.Caller(ctx, trawl.HashSecret("fc-secret-abcd")))
		if !reflect.DeepEqual(caller, trawl.Caller{Team: crew, Key: key}) {
			t.Errorf("caller %+v", caller)
		}
		_, err := s.Caller(ctx, trawl.HashSecret("fc-other"))
		wantCode(t, err, trawl.CodeUnauthorized)
		_, err = s.CreateKey(ctx, trawl.Key{TeamID: other.ID}, "fc-secret-abcd")
		wantCode(t, err, trawl.CodeConflict)
		_, err = s.CreateKey(ctx, trawl.Key{TeamID: "no-such-team"}, "fc-new")
		wantCode(t, err, trawl.CodeNotFound)

		if keys := must[[]trawl.Key](t)(s.Keys(ctx, crew.ID)); !reflect.DeepEqual(keys, []trawl.Key{key}) {
			t.Errorf("keys %+v", keys)
		}
		if keys := must[[]trawl.Key](t)(s.Keys(ctx, other.ID)); len(keys) != 0 {
			t.Errorf("keys of the other team: %+v", keys)
		}
	})
}

func TestRevokeKey(t *testing.T) {
	conform(t, func(t *testing.T, s *env) {
		ctx := context.Background()
		crew := team(t, s.Store, "crew", -1)
		key := must[trawl.Key](t)(s.CreateKey(ctx, trawl.Key{TeamID: crew.ID, Name: "laptop"}, "fc-1"))
		revoked := s.clock.Advance(time.Minute)
		for range 2 {
			if err := s.RevokeKey(ctx, key.ID); err != nil {
				t.Fatal(err)
			}
			s.clock.Advance(time.Minute)
		}
		caller := must[trawl.Caller](t)(s.Caller(ctx, trawl.HashSecret("fc-1")))
		if !caller.Key.RevokedAt.Equal(revoked) || caller.Key.Valid(revoked) {
			t.Errorf("revoked at %v, want %v", caller.Key.RevokedAt, revoked)
		}
		wantCode(t, s.RevokeKey(ctx, "no-such-key"), trawl.CodeNotFound)
	})
}

func TestGrant(t *testing.T) {
	conform(t, func(t *testing.T, s *env) {
		ctx := context.Background()
		crew := team(t, s.Store, "crew", -1)
		for i, want := range []int64{30, 60} {
			got := must[trawl.Team](t)(s.Grant(ctx, crew.ID, 30))
			if got.Credits == nil || *got.Credits != want || got.Granted != want || got.Name != "crew" {
				t.Errorf("grant %d: %+v", i, got)
			}
		}
		if err := s.SetUnlimited(ctx, crew.ID); err != nil {
			t.Fatal(err)
		}
		if got := must[trawl.Team](t)(s.Team(ctx, "crew")); got.Credits != nil || got.Granted != 60 {
			t.Errorf("unlimited: %+v", got)
		}
		wantCode(t, s.SetUnlimited(ctx, "nobody"), trawl.CodeNotFound)
		_, err := s.Grant(ctx, "nobody", 1)
		wantCode(t, err, trawl.CodeNotFound)
		for _, credits := range []int64{0, -5, 1 << 62} {
			_, err = s.Grant(ctx, crew.ID, credits)
			wantCode(t, err, trawl.CodeBadRequest)
		}
	})
}

func TestUsage(t *testing.T) {
	conform(t, func(t *testing.T, s *env) {
		ctx := context.Background()
		crew, other := team(t, s.Store, "crew", -1), team(t, s.Store, "other", -1)
		key := must[trawl.Key](t)(s.CreateKey(ctx, trawl.Key{TeamID: crew.ID, Name: "laptop"}, "fc-1"))
		march := time.Date(2026, 3, 31, 23, 59, 59, 999e6, time.UTC)
		april := march.Add(time.Millisecond)
		charge := func(teamID, keyID string, credits int64, at time.Time) {
			item := scrape(teamID, credits, at)
			item.Charge.KeyID = keyID
			finish(t, s.Store, item)
		}
		charge(crew.ID, key.ID, 5, march)
		charge(crew.ID, key.ID, 1, march.In(time.FixedZone("east", 3*3600)))
		charge(crew.ID, "", 2, march)
		charge(crew.ID, key.ID, 7, april)
		charge(crew.ID, key.ID, 0, april.AddDate(0, 1, 0))
		charge(other.ID, "", 100, march)

		month := func(m time.Month, key string, credits int64) trawl.UsagePeriod {
			start := time.Date(2026, m, 1, 0, 0, 0, 0, time.UTC)
			return trawl.UsagePeriod{Start: start, End: start.AddDate(0, 1, 0), Key: key, Credits: credits}
		}
		want := []trawl.UsagePeriod{month(time.March, "", 8), month(time.April, "", 7)}
		if got := must[[]trawl.UsagePeriod](t)(s.Usage(ctx, crew.ID, false)); !reflect.DeepEqual(got, want) {
			t.Errorf("got %+v, want %+v", got, want)
		}
		want = []trawl.UsagePeriod{month(time.March, "", 2), month(time.March, "laptop", 6), month(time.April, "laptop", 7)}
		if got := must[[]trawl.UsagePeriod](t)(s.Usage(ctx, crew.ID, true)); !reflect.DeepEqual(got, want) {
			t.Errorf("by key: got %+v, want %+v", got, want)
		}
	})
}
