package extract

import (
	"encoding/json"
	"strconv"
	"strings"
)

// mention is a number or a date of a text, in every way that it can be read:
// 1.299 is 1299 in one country and a little more than one in another.
type mention struct {
	span
	readings []string // canonical
}

// maxNumber bounds how long a number can be.
const maxNumber = 40

// multipliers are words behind a number, with the zeros that they stand for.
var multipliers = map[string]int{
	"k": 3, "thousand": 3, "tsd": 3, "tausend": 3, "mil": 3, "lakh": 5, "crore": 7,
	"m": 6, "mn": 6, "mm": 6, "mio": 6, "million": 6, "millions": 6, "millionen": 6, "millones": 6, "milioni": 6,
	"b": 9, "bn": 9, "billion": 9, "billions": 9, "mrd": 9, "milliarde": 9, "milliarden": 9, "milliard": 9, "milliards": 9,
	"trillion": 12, "万": 4, "億": 8, "亿": 8,
	"%": -2, "percent": -2, "prozent": -2,
}

// numbersOf returns the numbers of a folded text.
func numbersOf(s string) []mention {
	var list []mention
	for i := 0; i < len(s); {
		if !isDigit(s[i]) {
			i++
			continue
		}
		groups, marks, end := digitGroups(s, i)
		n := mention{span{int32(i), int32(end)}, nil}
		for _, reading := range readings(groups, marks) {
			whole, fraction, _ := strings.Cut(reading, ".")
			n.readings = append(n.readings, canonical(whole, fraction))
			if zeros := multiplier(s[end:]); zeros != 0 {
				n.readings = append(n.readings, shifted(whole, fraction, zeros))
			}
		}
		list = append(list, n)
		i = end
	}
	return list
}

// digitGroups takes groups of digits and the single marks between them.
func digitGroups(s string, i int) (groups []string, marks string, end int) {
	start := i
	for {
		from := i
		for i < len(s) && isDigit(s[i]) {
			i++
		}
		groups = append(groups, s[from:i])
		if i+1 >= len(s) || i-start > maxNumber || !isDigit(s[i+1]) || strings.IndexByte(".,' _", s[i]) < 0 {
			return groups, marks, i
		}
		if (s[i] == ' ' || s[i] == '_') && !threeDigits(s[i+1:]) {
			return groups, marks, i
		}
		marks += s[i : i+1]
		i++
	}
}

func threeDigits(s string) bool {
	return len(s) >= 3 && isDigit(s[1]) && isDigit(s[2]) && (len(s) == 3 || !isDigit(s[3]))
}

// readings returns what groups of digits can mean, each with at most one point.
// What is no number, such as a version, is its groups.
func readings(groups []string, marks string) []string {
	if marks == "" {
		return groups
	}
	var list []string
	last := len(marks) - 1
	if thousands(groups, marks) {
		list = append(list, strings.Join(groups, ""))
	}
	if mark := marks[last]; mark == '.' || mark == ',' {
		whole := groups[:last+1]
		if last == 0 || marks[0] != mark && thousands(whole, marks[:last]) {
			list = append(list, strings.Join(whole, "")+"."+groups[last+1])
		}
	}
	if len(list) == 0 || strings.Contains(marks, " ") {
		list = append(list, groups...)
	}
	return list
}

// thousands reports whether the marks between groups are those of thousands, or
// of lakhs and crores.
func thousands(groups []string, marks string) bool {
	if strings.Trim(marks, marks[:1]) != "" || len(groups[0]) > 3 || len(groups[len(groups)-1]) != 3 {
		return false
	}
	for _, group := range groups[1:] {
		if len(group) != 3 && (len(group) != 2 || marks[0] != ',') {
			return false
		}
	}
	return true
}

// multiplier returns the zeros that the word behind a number stands for.
func multiplier(s string) int {
	s = strings.TrimPrefix(s[:min(len(s), 16)], " ")
	if strings.HasPrefix(s, "%") {
		return multipliers["%"]
	}
	for from, to := range wordsOf(s) {
		if from == 0 {
			return multipliers[s[:to]]
		}
		break
	}
	return 0
}

// canonical writes a number in one way only.
func canonical(whole, fraction string) string {
	whole, fraction = strings.TrimLeft(whole, "0"), strings.TrimRight(fraction, "0")
	if whole == "" {
		whole = "0"
	}
	if fraction == "" {
		return whole
	}
	return whole + "." + fraction
}

// shifted is canonical with the point moved to the right, or to the left.
func shifted(whole, fraction string, by int) string {
	if by < 0 {
		whole = strings.Repeat("0", -by) + whole
		return canonical(whole[:len(whole)+by], whole[len(whole)+by:]+fraction)
	}
	if len(fraction) < by {
		fraction += strings.Repeat("0", by-len(fraction))
	}
	return canonical(whole+fraction[:by], fraction[by:])
}

// canonicalValue returns a number of JSON in its canonical form, without sign.
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
	whole, fraction, _ := strings.Cut(strings.TrimLeft(s, "+-"), ".")
	return canonical(whole, fraction), true
}

// inCents returns a number without the point of its cents: pages write prices
// with small cents behind them, and data has prices in cents.
func inCents(number string) string {
	whole, fraction, _ := strings.Cut(number, ".")
	return shifted(whole, fraction, 2)
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
		for _, n := range numbersOf(t.folded) {
			for _, reading := range n.readings {
				if _, ok := t.numbers[reading]; !ok {
					t.numbers[reading] = n.span
				}
			}
		}
	}
	return t.numbers[canonical]
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
	if t.budget -= len(t.stream.digits) / 32; t.budget < 0 {
		return span{}
	}
	i := strings.Index(t.stream.digits, digits)
	if i < 0 {
		return span{}
	}
	return span{t.stream.at[i], t.stream.at[i+len(digits)-1] + 1}
}

func streamOf(folded string) digitStream {
	s := digitStream{at: []int32{}}
	var b []byte
	last := -1
	for i := range len(folded) {
		if !isDigit(folded[i]) {
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

// onlyDigits returns the digits of a text.
func onlyDigits(s string) string {
	return strings.Map(func(r rune) rune {
		if '0' <= r && r <= '9' {
			return r
		}
		return -1
	}, s)
}

func isDigit(b byte) bool { return '0' <= b && b <= '9' }
