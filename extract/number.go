package extract

import (
	"encoding/json"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/trawlhq/trawl/extract/notation"
)

// canonicalValue returns a number of JSON in its canonical form.
func canonicalValue(value any) (string, bool) {
	var s string
	switch v := value.(type) {
	case json.Number:
		s = v.String()
	case float64:
		s = strconv.FormatFloat(v, 'f', -1, 64)
	case int:
		s = strconv.Itoa(v)
	case int64:
		s = strconv.FormatInt(v, 10)
	default:
		return "", false
	}
	if strings.ContainsAny(s, "eE") {
		v, err := strconv.ParseFloat(s, 64)
		if err != nil {
			return s, true
		}
		s = strconv.FormatFloat(v, 'f', -1, 64)
	}
	digits, negative := strings.CutPrefix(s, "-")
	whole, fraction, _ := strings.Cut(digits, ".")
	number := notation.Canonical(whole, fraction)
	if negative && number != "0" {
		number = "-" + number
	}
	return number, true
}

// inCents returns a number without the point of its cents: pages write prices
// with small cents behind them, and data has prices in cents.
func inCents(number string) string {
	whole, fraction, _ := strings.Cut(number, ".")
	return notation.Shifted(whole, fraction, 2)
}

// telling reports whether a number in canonical form says enough to be looked
// for: a model that writes one did not just count.
func telling(canonical string) bool {
	return len(canonical) >= 3 // three digits, or digits around a point
}

// number looks up a number in canonical form.
func (t *text) number(canonical string) span {
	if t.numbers == nil {
		t.numbers = map[string]span{}
		for _, n := range notation.Numbers(t.folded) {
			index(t.numbers, n, "")
			if negative(t.folded[:n.From]) {
				index(t.numbers, n, "-")
			}
		}
	}
	return t.numbers[canonical]
}

// index makes a mention known by all its readings, unless an earlier one is.
func index(known map[string]span, m notation.Mention, sign string) {
	for _, reading := range m.Readings {
		if _, ok := known[sign+reading]; !ok {
			known[sign+reading] = span{int32(m.From), int32(m.To)}
		}
	}
}

// negative reports whether what is before a number makes it one below zero: a
// minus sign, also before a currency, that does not join it with a word.
func negative(before string) bool {
	before = strings.TrimRight(before[max(0, len(before)-8):], " $€£¥(")
	before, minus := strings.CutSuffix(before, "-")
	last, _ := utf8.DecodeLastRuneInString(before)
	return minus && !notation.IsWord(last)
}

// date looks up a day, or a month of a year, in ISO form.
func (t *text) date(iso string) span {
	if t.dates == nil {
		t.dates = map[string]span{}
		for _, d := range notation.Dates(t.folded) {
			index(t.dates, d, "")
		}
	}
	return t.dates[iso]
}

// digitStream are the digits of a text, as close together as in a telephone
// number, however that is grouped.
type digitStream struct {
	digits string
	at     []int32
}

// minStream is how many digits must follow one another to be no coincidence.
const minStream = 7

// digits looks up digits however they are grouped.
func (t *text) digits(digits string) span {
	if len(digits) < minStream {
		return span{}
	}
	if t.stream.at == nil {
		t.stream = streamOf(t.folded)
	}
	for from := 0; ; {
		i := strings.Index(t.stream.digits[from:], digits)
		if t.budget -= 1 + (len(t.stream.digits)-from)/32; t.budget < 0 || i < 0 {
			return span{}
		}
		from += i
		if end := from + len(digits) - 1; !t.stream.joined(end) && t.stream.begins(from) {
			return span{t.stream.at[from], t.stream.at[end] + 1}
		}
		from++
	}
}

// joined reports whether the next digit follows a digit at once.
func (s *digitStream) joined(i int) bool {
	return i+1 < len(s.at) && s.at[i+1] == s.at[i]+1 && s.digits[i+1] != ' '
}

// begins reports whether a number begins with a digit, or with a zero before it
// as telephone numbers do inside their country.
func (s *digitStream) begins(i int) bool {
	if i > 0 && s.digits[i-1] == '0' && s.joined(i-1) {
		i--
	}
	return i == 0 || !s.joined(i-1)
}

func streamOf(folded string) digitStream {
	s := digitStream{at: []int32{}}
	var b []byte
	last := -1
	for i := range len(folded) {
		if !notation.IsDigit(folded[i]) {
			continue
		}
		if last >= 0 && (i-last > 4 || strings.Trim(folded[last+1:i], " -./()+:") != "") {
			b, s.at = append(b, ' '), append(s.at, int32(i))
		}
		b, s.at = append(b, folded[i]), append(s.at, int32(i))
		last = i
	}
	s.digits = string(b)
	return s
}
