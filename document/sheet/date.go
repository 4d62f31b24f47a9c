package sheet

import (
	"cmp"
	"math"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"
)

// lastDay is the end of the year 9999, beyond which there are no dates.
const lastDay = 2958466

// date shows a number as the date and time that it counts up to, in days. It does
// not apply to numbers that are none.
func (s *section) date(v float64, since1904 bool) (string, bool) {
	sign, places, hasNoon, hasDay := "", 0, false, false
	for _, t := range s.tokens {
		switch t.part {
		case elapsed: // may well be negative
			if v < 0 {
				sign, v = "-", -v
			}
		case fraction:
			places = min(len(t.text), 3)
		case noon:
			hasNoon = true
		case day:
			hasDay = hasDay || len(t.text) <= 2
		}
	}
	if !(v >= 0 && v < lastDay) {
		return "", false
	}
	unit := math.Pow(10, float64(places))
	ticks := math.Round(v * 86400 * unit) // seconds, or parts of them
	total := int64(ticks / unit)
	m := moment{day: total / 86400, seconds: total % 86400, total: total, noon: hasNoon, hasDay: hasDay, language: s.language}
	m.part = int64(ticks) - total*int64(unit)
	m.places = places
	m.set(since1904)
	var out strings.Builder
	for _, t := range s.tokens {
		out.WriteString(m.show(t))
	}
	return sign + strings.TrimSpace(out.String()), true
}

// daysOf returns how many days it is from the beginning of 1900 to a date or time that
// is written out, as Excel counts them. A time without a date is part of a day.
func daysOf(text string) (float64, bool) {
	text = strings.TrimSuffix(strings.TrimSpace(text), "Z")
	for _, form := range []string{"2006-01-02T15:04:05", "2006-01-02T15:04", "2006-01-02"} {
		if t, err := time.Parse(form, text); err == nil {
			days := sinceDay(t, 1899, time.December, 30)
			if days < 61 { // Excel has a day in 1900 that there was not
				days--
			}
			return days, days >= 0
		}
	}
	t, err := time.Parse("15:04:05", text)
	return sinceDay(t, 0, time.January, 1), err == nil
}

// sinceDay returns how many days it is from the beginning of a day.
func sinceDay(t time.Time, year int, month time.Month, day int) float64 {
	seconds := t.Unix() - time.Date(year, month, day, 0, 0, 0, 0, time.UTC).Unix()
	return (float64(seconds) + float64(t.Nanosecond())/1e9) / 86400
}

// moment is a date and time.
type moment struct {
	day, seconds, total, part int64
	places                    int
	noon                      bool // hours are counted to twelve
	hasDay                    bool // the number of the day is shown
	year, month, date         int
	weekday                   int
	language                  language
}

// set finds the date. Excel holds that 1900 was a leap year, and that its day 0
// was a Saturday.
func (m *moment) set(since1904 bool) {
	day := m.day
	if since1904 {
		day += 1462
	}
	m.weekday = int((day + 6) % 7)
	switch {
	case day == 0:
		m.year, m.month, m.date = 1900, 1, 0
		return
	case day == 60:
		m.year, m.month, m.date = 1900, 2, 29
		return
	case day < 60:
		day++
	}
	year, month, date := time.Date(1899, 12, 30, 0, 0, 0, 0, time.UTC).AddDate(0, 0, int(day)).Date()
	m.year, m.month, m.date = year, int(month), date
}

// show shows one part.
func (m *moment) show(t token) string {
	switch t.part {
	case year:
		if len(t.text) <= 2 && t.text[0] == 'y' {
			return pad(m.year%100, 2)
		}
		return strconv.Itoa(m.year)
	case month:
		switch len(t.text) {
		case 1, 2:
			return pad(m.month, len(t.text))
		case 5:
			name, _ := utf8.DecodeRuneInString(m.language.month(m.month, false, false))
			return string(name)
		}
		return m.language.month(m.month, len(t.text) == 3, m.hasDay)
	case day:
		if len(t.text) <= 2 {
			return pad(m.date, len(t.text))
		}
		return m.language.day(m.weekday, len(t.text) == 3)
	case hour:
		h := int(m.seconds / 3600)
		if m.noon {
			h = (h+11)%12 + 1
		}
		return pad(h, len(t.text))
	case minute:
		return pad(int(m.seconds/60%60), len(t.text))
	case second:
		return pad(int(m.seconds%60), len(t.text))
	case fraction:
		return "." + pad(int(m.part), m.places) + strings.Repeat("0", max(len(t.text)-m.places, 0))
	case noon:
		return half(t.text, m.seconds >= 12*3600)
	case elapsed:
		unit := map[byte]int64{'h': 3600, 'm': 60, 's': 1}[t.text[0]]
		return pad(int(m.total/unit), len(t.text))
	case general:
		return ""
	case slash:
		return cmp.Or(m.language.slash, t.text)
	}
	return t.text
}

// half shows which half of the day it is.
func half(mark string, after bool) string {
	first, second, _ := strings.Cut(mark, "/")
	if after {
		first = second
	}
	if len(mark) > 3 {
		return strings.ToUpper(first)
	}
	return first
}

func pad(n, digits int) string {
	text := strconv.Itoa(n)
	return strings.Repeat("0", max(min(digits, 10)-len(text), 0)) + text
}
