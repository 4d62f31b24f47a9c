package found

import (
	"math/big"
	"regexp"
	"strconv"
	"strings"
)

var (
	isoDuration   = regexp.MustCompile(`^P(?:(\d{1,4})D)?(?:T(?:(\d{1,5})H)?(?:(\d{1,6})M)?(?:(\d{1,7})S)?)?$`)
	plainDuration = regexp.MustCompile(`^(?:(\d{1,5})\s?(?:h|hrs?|hours?|std|stunden?)\.?)?(?:\s?(\d{1,6})\s?(?:m|mins?|minutes?|minuten?)\.?)?$`)
)

// unitOf returns the seconds of the unit that a field wants a time in by its
// name, such as prepTimeMinutes; 0 if it names none.
func unitOf(key string) int64 {
	_, unit := cutUnit(key)
	return unit
}

// cutUnit cuts the unit off the name of a field.
func cutUnit(key string) (string, int64) {
	for _, unit := range []struct {
		name    string
		seconds int64
	}{{"minute", 60}, {"hour", 3600}, {"second", 1}} {
		if rest, ok := strings.CutSuffix(key, unit.name); ok && rest != "" && !strings.HasSuffix(rest, "per") {
			return strings.TrimSuffix(rest, "in"), unit.seconds
		}
	}
	return key, 0
}

// asDuration returns a time in a unit: one that says its own, such as PT1H30M or
// 90 min, or a number that says none.
func asDuration(value any, unit int64, whole bool) any {
	text := strings.ToLower(plain(value))
	if exact.MatchString(text) {
		return asNumber(value, whole)
	}
	var seconds int64
	if parts := isoDuration.FindStringSubmatch(strings.ToUpper(text)); parts != nil {
		for i, size := range []int64{86400, 3600, 60, 1} {
			n, _ := strconv.ParseInt(parts[i+1], 10, 64)
			seconds += n * size
		}
	} else if parts := plainDuration.FindStringSubmatch(text); parts != nil {
		for i, size := range []int64{3600, 60} {
			n, _ := strconv.ParseInt(parts[i+1], 10, 64)
			seconds += n * size
		}
	}
	if seconds == 0 {
		return nil
	}
	return fraction(big.NewRat(seconds, unit), whole)
}
