package webhook_test

import (
	"testing"
	"time"

	"github.com/trawlhq/trawl/webhook"
)

func TestBackoff(t *testing.T) {
	t.Parallel()
	failure := webhook.Outcome{Status: 500, Error: "The receiver answered 500 Internal Server Error."}
	asks := func(d time.Duration) webhook.Outcome { return webhook.Outcome{Status: 503, RetryAfter: d} }
	for name, test := range map[string]struct {
		failed  int
		outcome webhook.Outcome
		random  float64
		want    time.Duration // 0 means enough
	}{
		"first":                  {1, failure, 0, time.Minute},
		"second":                 {2, failure, 0, 5 * time.Minute},
		"third":                  {3, failure, 0, 15 * time.Minute},
		"fourth":                 {4, failure, 0, 0},
		"far too many":           {1000, failure, 0, 0},
		"no answer":              {1, webhook.Outcome{Error: "The receiver cannot be reached."}, 0, time.Minute},
		"jitter":                 {2, failure, 0.5, 5*time.Minute + 30*time.Second},
		"asked for less":         {2, asks(time.Minute), 0, 5 * time.Minute},
		"asked for more":         {1, asks(20 * time.Minute), 0, 20 * time.Minute},
		"never before asked for": {1, asks(20 * time.Minute), 0.5, 22 * time.Minute},
		"asked for too much":     {1, asks(24 * time.Hour), 0, time.Hour},
		"jitter is capped too":   {1, asks(59 * time.Minute), 0.9, time.Hour},
		"final":                  {1, webhook.Outcome{Status: 410, Final: true}, 0, 0},
		"delivered":              {1, webhook.Outcome{Status: 204}, 0, 0},
		"nothing failed yet":     {0, failure, 0, 0},
	} {
		wait, again := webhook.Backoff(test.failed, test.outcome, test.random)
		if wait != test.want || again != (test.want > 0) {
			t.Errorf("%s: wait %v, again %v; want %v", name, wait, again, test.want)
		}
	}
}

func FuzzRetryAfter(f *testing.F) {
	f.Add("120")
	f.Add("99999999999999999999999")
	f.Add("Thu, 25 Feb 2021 15:05:00 GMT")
	f.Fuzz(func(t *testing.T, value string) {
		if wait := webhook.RetryAfter(value, now); wait < 0 || wait > time.Hour {
			t.Errorf("Retry-After %q = %v", value, wait)
		}
	})
}
