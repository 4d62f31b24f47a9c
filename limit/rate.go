// Package limit keeps teams within their share of the service: how many
// requests a minute (Rate), how many at the same time (Slots), and whose turn it is
// where all teams share a few places (Turns).
//
// All count on this node only and keep no more state than one small entry per
// team, so they need no clean-up and no clock but the one they are given.
package limit

import (
	"sync"
	"time"
)

// Window is the span over which requests are counted.
const Window = time.Minute

// Rate counts requests per team and class in windows of a minute. A window
// starts with the first request after the last one ended.
type Rate struct {
	now func() time.Time

	mu      sync.Mutex
	windows map[rateKey]*window
}

type rateKey struct{ team, class string }

type window struct {
	ends time.Time
	used int
}

// Decision is the answer to one request: whether it may pass, and what the
// caller is told of its quota.
type Decision struct {
	Allowed   bool
	Limit     int
	Remaining int
	Reset     time.Duration // until the window ends
}

// NewRate returns a Rate that reads the time from now.
func NewRate(now func() time.Time) *Rate {
	return &Rate{now: now, windows: map[rateKey]*window{}}
}

// Take counts a request of the team in the class, unless the limit is reached.
func (r *Rate) Take(team, class string, limit int) Decision {
	r.mu.Lock()
	defer r.mu.Unlock()
	now := r.now()
	key := rateKey{team, class}
	w := r.windows[key]
	if w == nil || !now.Before(w.ends) {
		w = &window{ends: now.Add(Window)}
		r.windows[key] = w
	}
	d := Decision{Limit: limit, Reset: w.ends.Sub(now)}
	if w.used < limit {
		w.used++
		d.Allowed = true
	}
	d.Remaining = max(0, limit-w.used)
	return d
}
