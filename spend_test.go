package trawl_test

import (
	"testing"
	"time"

	"github.com/trawlhq/trawl"
)

func TestSpendWindow(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ interval, at, start, end string }{
		{"day", "2026-03-29T23:30:00-02:00", "2026-03-30", "2026-03-31"},
		{"week", "2026-03-30T00:00:00Z", "2026-03-30", "2026-04-06"}, // a Monday
		{"week", "2026-03-29T23:59:59Z", "2026-03-23", "2026-03-30"}, // a Sunday
		{"month", "2024-02-29T12:00:00Z", "2024-02-01", "2024-03-01"},
	} {
		at, err := time.Parse(time.RFC3339, c.at)
		if err != nil {
			t.Fatal(err)
		}
		start, end := trawl.SpendLimit{Credits: 1, Interval: c.interval}.Window(at)
		if start.Format(time.DateOnly) != c.start || end.Format(time.DateOnly) != c.end {
			t.Errorf("%s of %s: %v to %v", c.interval, c.at, start, end)
		}
	}
}

func TestUnpaid(t *testing.T) {
	t.Parallel()
	number := func(n int64) *int64 { return &n }
	limit := &trawl.SpendLimit{Credits: 10, Interval: "day"}
	for _, c := range []struct {
		team  *int64
		limit *trawl.SpendLimit
		spent int64
		price int64
		want  string
	}{
		{nil, nil, 0, 1e9, ""},
		{number(5), nil, 0, 5, ""},
		{number(5), nil, 0, 6, trawl.InsufficientCredits().Message},
		{nil, limit, 9, 1, ""},
		{nil, limit, 9, 2, limit.Reached().Message},
		{nil, limit, 12, 1, limit.Reached().Message},
		{nil, limit, 12, 0, ""},
		{number(1), limit, 9, 2, trawl.InsufficientCredits().Message},
	} {
		who := trawl.Caller{Team: trawl.Team{Credits: c.team}, Key: trawl.Key{SpendLimit: c.limit, Spent: c.spent}}
		got := ""
		if err := who.Unpaid(c.price); err != nil {
			got = err.Error()
		}
		if got != c.want {
			t.Errorf("%+v: %q", c, got)
		}
	}
}
