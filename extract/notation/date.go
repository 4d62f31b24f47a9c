package notation

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// months are names of months and their short forms, in lower case.
var months = monthNames(
	"january jan januar janvier janv enero ene gennaio gen janeiro januari jän jänner",
	"february feb februar février févr febrero febbraio fevereiro fev februari",
	"march mar märz mars marzo março maart mrz mrt",
	"april apr avril avr abril abr aprile",
	"may mai mayo maggio mag maio mei",
	"june jun juni juin junio giugno giu junho",
	"july jul juli juillet juil julio luglio lug julho",
	"august aug août agosto ago augustus",
	"september sep sept septembre septiembre settembre set setembro",
	"october oct oktober okt octobre octubre ottobre ott outubro out",
	"november nov novembre noviembre novembro",
	"december dec dezember dez décembre déc diciembre dic dicembre dezembro december",
)

func monthNames(lists ...string) map[string]int {
	names := map[string]int{}
	for i, list := range lists {
		for name := range strings.FieldsSeq(list) {
			names[name] = i + 1
		}
	}
	return names
}

// dateToken is a number or a month's name, and what stands before it.
type dateToken struct {
	from, to int
	gap      string
	number   int // -1 for the name of a month
	digits   int
	month    int // of the name
}

// Dates returns the dates of a text, each with all days that it can mean, or the
// month of a year.
func Dates(folded string) []Mention {
	var list []Mention
	var window [3]dateToken
	for token := range dateTokens(folded) {
		window[0], window[1], window[2] = window[1], window[2], token
		if days := readDay(window); len(days) > 0 {
			list = append(list, Mention{window[0].from, token.to, days})
		} else if month := readMonth(window[1], window[2]); month != "" {
			list = append(list, Mention{window[1].from, token.to, []string{month}})
		}
	}
	return list
}

// dateTokens yields numbers of up to four digits and names of months. Anything
// else between two of them is the gap of the second.
func dateTokens(s string) func(yield func(dateToken) bool) {
	return func(yield func(dateToken) bool) {
		end := 0
		for from, to := range Words(s) {
			token := dateToken{from: from, to: to, number: -1, month: months[s[from:to]]}
			if token.month == 0 {
				digits := leadingDigits(s[from:to])
				if digits == 0 || digits > 4 || !dateSuffix(s[from+digits:to]) {
					continue
				}
				token.number, _ = strconv.Atoi(s[from : from+digits])
				token.digits = digits
			}
			token.gap = s[end:from]
			if !yield(token) {
				return
			}
			end = to
		}
	}
}

func leadingDigits(s string) int {
	n := 0
	for n < len(s) && IsDigit(s[n]) {
		n++
	}
	return n
}

// dateSuffix reports whether letters may follow the number of a day: those of
// first and second, or the time of day.
func dateSuffix(s string) bool {
	switch s {
	case "", "st", "nd", "rd", "th", "er", "e":
		return true
	}
	return s[0] == 't' && leadingDigits(s[1:]) > 0
}

// readDay returns the days that three tokens can mean.
func readDay(w [3]dateToken) []string {
	if !near(w[1].gap) || !near(w[2].gap) {
		return nil
	}
	a, b, c := w[0], w[1], w[2]
	switch {
	case a.month > 0 && b.number > 0 && c.number >= 0:
		return day(nil, year(c), a.month, b.number)
	case b.month > 0 && a.number > 0 && c.number >= 0:
		if a.digits == 4 {
			return day(nil, a.number, b.month, c.number)
		}
		return day(nil, year(c), b.month, a.number)
	case a.number < 0 || b.number < 0 || c.number < 0 || strings.TrimSpace(b.gap) == "" || strings.TrimSpace(c.gap) == "":
		return nil
	case a.digits == 4:
		return day(nil, a.number, b.number, c.number)
	case strings.TrimSpace(b.gap) == "." && strings.TrimSpace(c.gap) == ".": // nobody who writes dots has the month first
		return day(nil, year(c), b.number, a.number)
	}
	return day(day(nil, year(c), b.number, a.number), year(c), a.number, b.number)
}

// readMonth returns the month that two tokens mean.
func readMonth(a, b dateToken) string {
	switch {
	case !near(b.gap):
	case a.month > 0 && b.digits == 4:
		return fmt.Sprintf("%04d-%02d", b.number, a.month)
	case a.digits == 4 && b.digits == 2 && b.gap == "-" && 1 <= b.number && b.number <= 12:
		return fmt.Sprintf("%04d-%02d", a.number, b.number)
	}
	return ""
}

// near reports whether a gap may be inside a date.
func near(gap string) bool {
	switch gap {
	case " de ", " of ", " del ", " do ", "年", "月", "년 ", "월 ":
		return true
	}
	return gap != "" && len(gap) <= 3 && strings.Trim(gap, " .,-/'") == ""
}

func year(t dateToken) int {
	switch {
	case t.digits == 2 && t.number < 70:
		return 2000 + t.number
	case t.digits == 2:
		return 1900 + t.number
	}
	return t.number
}

// day adds a day to a list, if there is such a one.
func day(list []string, year, month, day int) []string {
	iso := fmt.Sprintf("%04d-%02d-%02d", year, month, day)
	if _, err := time.Parse(time.DateOnly, iso); err != nil || year < 1000 {
		return list
	}
	return append(list, iso)
}
