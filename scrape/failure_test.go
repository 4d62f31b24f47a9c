package scrape_test

import (
	"errors"
	"testing"
	"time"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/fetch"
	"github.com/trawlhq/trawl/scrape"
)

// TestFailureIsRecorded says which failures a team sees among what it did.
func TestFailureIsRecorded(t *testing.T) {
	t.Parallel()
	broken := &web{answer: func(fetch.Request) (*fetch.Response, error) {
		return nil, trawl.Wrap(trawl.CodeSite, "The site is away.", errors.New("refused"))
	}}
	for name, row := range map[string]struct {
		change func(*scrape.Request)
		want   int
	}{
		"a site that is away": {func(*scrape.Request) {}, 1},
		"nothing is kept":     {func(r *scrape.Request) { r.ZeroDataRetention = true }, 0},
		"no address":          {func(r *scrape.Request) { r.URL = "::" }, 0},
	} {
		d := &depot{}
		s := scrape.New(scrape.Config{Fetch: broken, Store: d, Blobs: noBlobs{}, Now: time.Now, Retention: time.Hour})
		_, err := s.Scrape(t.Context(), request(func(r *scrape.Request) {
			r.URL, r.Caller.Team.ID, r.Waited = "http://user:secret@a.example/", "team", 2*time.Second
			row.change(r)
		}))
		s.Close()
		if err == nil || len(d.failures) != row.want || len(d.charges) != 0 {
			t.Fatalf("%s: %v, failures %+v, charges %v", name, err, d.failures, d.charges)
		}
		for _, f := range d.failures {
			if f.Code != trawl.CodeSite || f.Target != "http://a.example/" || f.TeamID != "team" || f.Duration < 2*time.Second || f.ID == "" || f.Endpoint != "scrape" {
				t.Errorf("%s: %+v", name, f)
			}
		}
	}
}
