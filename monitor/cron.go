package monitor

import (
	"strconv"
	"strings"
	"time"

	"github.com/trawlhq/trawl"
)

// Cron is a schedule in five fields: minute, hour, day of the month, month, weekday.
// A run is due in every minute whose local clock matches all of them, also the day of
// the month and the weekday.
type Cron struct {
	minute, hour, day, month, weekday uint64 // a bit for each value
	zone                              *time.Location
}

// cronFields are the bounds of the fields, in order.
var cronFields = [...]struct{ low, high int }{{0, 59}, {0, 23}, {1, 31}, {1, 12}, {0, 7}}

// How far ahead a run is looked for, and over which time runs must keep their distance.
const (
	horizon  = 366 * 24 * time.Hour
	week     = 7 * 24 * time.Hour
	leastGap = 5 * time.Minute
)

// ParseCron reads an expression, to be read by the clock of a time zone.
func ParseCron(text string, zone *time.Location) (*Cron, error) {
	fields := strings.Fields(text)
	if len(fields) != len(cronFields) {
		return nil, refuse("Cron expression must contain five fields")
	}
	c := &Cron{zone: zone}
	for i, bits := range []*uint64{&c.minute, &c.hour, &c.day, &c.month, &c.weekday} {
		for part := range strings.SplitSeq(fields[i], ",") {
			more, err := cronPart(part, cronFields[i].low, cronFields[i].high)
			if err != nil {
				return nil, err
			}
			*bits |= more
		}
	}
	if c.weekday&(1<<7) != 0 { // Sunday has two numbers
		c.weekday |= 1
	}
	return c, nil
}

// cronPart reads one element of a list: *, 5, 5-9, */10 or 5-59/10. A step behind a
// single number means nothing.
func cronPart(part string, low, high int) (bits uint64, err error) {
	span, step, stepped := strings.Cut(part, "/")
	every := 1
	if stepped {
		if every = number(step); every < 1 {
			return 0, refuse("Invalid cron step")
		}
	}
	from, to := low, high
	if span != "*" {
		first, last, ranged := strings.Cut(span, "-")
		from = number(first)
		if to = from; ranged {
			to = number(last)
		}
	}
	if from < low || to > high || from > to {
		return 0, refuse("Invalid cron field")
	}
	for n := from; n <= to; n += every {
		bits |= 1 << n
	}
	return bits, nil
}

// number reads digits; what is none, or too long to be meant, is -1.
func number(text string) int {
	n, err := strconv.ParseUint(text, 10, 16)
	if err != nil {
		return -1
	}
	return int(n)
}

// Next returns the first run after a time; the zero time if there is none within a
// year. A local time that a day does not have is left out on that day, one that it has
// twice is due twice.
func (c *Cron) Next(after time.Time) time.Time {
	end := after.Add(horizon)
	for t := after.Truncate(time.Minute).Add(time.Minute); !t.After(end); {
		local := t.In(c.zone)
		switch {
		case !c.onDay(local) || c.hour&(1<<local.Hour()) == 0:
			t = t.Add(time.Duration(60-local.Minute()) * time.Minute)
		case c.minute&(1<<local.Minute()) == 0:
			t = t.Add(time.Minute)
		default:
			return t.UTC()
		}
	}
	return time.Time{}
}

func (c *Cron) onDay(local time.Time) bool {
	return c.month&(1<<local.Month()) != 0 && c.day&(1<<local.Day()) != 0 && c.weekday&(1<<local.Weekday()) != 0
}

// check refuses a schedule that never comes, or comes too often within the week after
// a time.
func (c *Cron) check(now time.Time) error {
	run := c.Next(now)
	if run.IsZero() {
		return refuse("Cron expression did not produce a run within one year")
	}
	for end := run.Add(week); ; {
		next := c.Next(run)
		switch {
		case next.IsZero():
			return nil
		case next.Sub(run) < leastGap:
			return refuse("Monitor schedule must not run more often than every 5 minutes")
		case next.After(end):
			return nil
		}
		run = next
	}
}

// Interval returns how long it is from run to run, on the average of a week. Changes of
// the clock do not count.
func (c *Cron) Interval() time.Duration {
	plain := *c
	plain.zone = time.UTC
	first := plain.Next(time.Date(2026, time.January, 4, 23, 59, 0, 0, time.UTC)) // a Sunday
	if first.IsZero() {
		return horizon
	}
	last, runs := first, 0
	for last.Sub(first) < week {
		next := plain.Next(last)
		if next.IsZero() {
			return horizon
		}
		last, runs = next, runs+1
	}
	return last.Sub(first) / time.Duration(runs)
}

// refuse is the error of a schedule that cannot be used.
func refuse(message string) error {
	return trawl.Invalid([]trawl.Issue{{Code: "invalid_value", Message: message, Path: []any{"schedule"}}})
}
