package trawl

import "time"

// Intervals of spend limits.
const (
	SpendDaily   = "day"
	SpendWeekly  = "week"
	SpendMonthly = "month"
)

// SpendLimit is how many credits a key may spend in every day, week or month.
type SpendLimit struct {
	Credits  int64  `json:"credits" required:"true" doc:"Credits that may be spent in every interval." minimum:"1" maximum:"1000000000000"`
	Interval string `json:"interval" required:"true" doc:"How long an interval is. All are counted in UTC; a week begins on Monday." enum:"day,week,month"`
}

// Window returns the interval that a time is in: from its first day, in UTC, to
// before the first day of the next.
func (l SpendLimit) Window(t time.Time) (start, end time.Time) {
	year, month, day := t.UTC().Date()
	start = time.Date(year, month, day, 0, 0, 0, 0, time.UTC)
	switch l.Interval {
	case SpendMonthly:
		start = start.AddDate(0, 0, 1-day)
		return start, start.AddDate(0, 1, 0)
	case SpendWeekly:
		start = start.AddDate(0, 0, -(int(start.Weekday())+6)%7)
		return start, start.AddDate(0, 0, 7)
	}
	return start, start.AddDate(0, 0, 1)
}

// Reached is the error of a key that has spent what it may.
func (l SpendLimit) Reached() *Error {
	return Errorf(CodePayment, "This API key has reached its spend limit of %d credits per %s. Wait for the next %s (UTC), raise the limit or use another key of your team.",
		l.Credits, l.Interval, l.Interval)
}

// Left returns how many credits a caller may spend now; nil means any number.
func (c *Caller) Left() *int64 {
	left := c.Team.Credits
	if limit := c.Key.SpendLimit; limit != nil {
		if own := max(limit.Credits-c.Key.Spent, 0); left == nil || own < *left {
			return &own
		}
	}
	return left
}

// Unpaid is the error of a caller that cannot pay a price; nil if it can.
func (c *Caller) Unpaid(price int64) error {
	left := c.Left()
	switch {
	case left == nil || price <= *left:
		return nil
	case c.Team.Credits != nil && price > *c.Team.Credits:
		return InsufficientCredits()
	}
	return c.Key.SpendLimit.Reached()
}
