package webhook

import (
	"errors"
	"net/http"
	"strconv"
	"time"
)

// pauses are the times between the attempts, of which there is one more.
var pauses = [...]time.Duration{time.Minute, 5 * time.Minute, 15 * time.Minute}

// maxPause bounds what a receiver can ask for.
const maxPause = time.Hour

// Backoff returns how long to wait after the given number of failed attempts,
// of which o was the last, and false when there were enough: four, or one that
// was final. The waits are 1, 5 and 15 minutes, or what the receiver asked for
// if that is longer, and up to a fifth more by random, a number in [0, 1), so
// that deliveries that failed together do not return together. They never
// exceed an hour.
func Backoff(failed int, o Outcome, random float64) (time.Duration, bool) {
	if o.Final || o.Delivered() || failed < 1 || failed > len(pauses) {
		return 0, false
	}
	pause := min(max(pauses[failed-1], o.RetryAfter), maxPause)
	pause += time.Duration(random * float64(pause) / 5)
	return min(pause, maxPause), true
}

// retryAfter reads the header of that name, seconds or a date. What cannot be
// read or lies in the past is 0.
func retryAfter(value string, now time.Time) time.Duration {
	seconds, err := strconv.ParseUint(value, 10, 64) // the largest number if it is too large
	if err == nil || errors.Is(err, strconv.ErrRange) {
		return time.Duration(min(seconds, uint64(maxPause/time.Second))) * time.Second
	}
	if date, err := http.ParseTime(value); err == nil {
		return min(max(date.Sub(now), 0), maxPause)
	}
	return 0
}
