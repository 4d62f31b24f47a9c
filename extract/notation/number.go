package notation

import "strings"

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

// Numbers returns the numbers of a text, without signs.
func Numbers(s string) []Mention {
	var list []Mention
	for i := 0; i < len(s); {
		if !IsDigit(s[i]) {
			i++
			continue
		}
		groups, marks, end := digitGroups(s, i)
		n := Mention{From: i, To: end}
		for _, reading := range parts(groups, marks) {
			whole, fraction, _ := strings.Cut(reading, ".")
			n.Readings = append(n.Readings, Canonical(whole, fraction))
			if zeros := multiplier(s[end:]); zeros != 0 {
				n.Readings = append(n.Readings, Shifted(whole, fraction, zeros))
			}
		}
		if year := lastYear(s[:end], s[end:]); year != "" {
			n.Readings = append(n.Readings, year)
		}
		list = append(list, n)
		i = end
	}
	return list
}

// lastYear returns the year that two digits at the end of a text stand for, if
// they end a range such as 2019/20 or 1998-04.
func lastYear(s, rest string) string {
	const form = len("2019/20")
	from := len(s) - form
	if from < 0 || from > 0 && IsWord(rune(s[from-1])) || rest != "" && strings.IndexByte("-/.", rest[0]) >= 0 {
		return ""
	}
	first, last := s[from:from+4], s[from+5:]
	if Digits(first+last) != first+last || s[from+4] != '-' && s[from+4] != '/' || first[:2] < "17" || first[:2] > "20" {
		return ""
	}
	if first[2:] < last {
		return first[:2] + last
	}
	if next := map[string]string{"17": "18", "18": "19", "19": "20"}[first[:2]]; next != "" && last < "50" {
		return next + last
	}
	return ""
}

// digitGroups takes groups of digits and the single marks between them.
func digitGroups(s string, i int) (groups []string, marks string, end int) {
	start := i
	for {
		from := i
		for i < len(s) && IsDigit(s[i]) {
			i++
		}
		groups = append(groups, s[from:i])
		if i+1 >= len(s) || i-start > maxNumber || !IsDigit(s[i+1]) || strings.IndexByte(".,' _", s[i]) < 0 {
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
	return len(s) >= 3 && IsDigit(s[1]) && IsDigit(s[2]) && (len(s) == 3 || !IsDigit(s[3]))
}

// Whole returns what a text can mean that is one number and nothing else: first
// the one whose marks are all between thousands, then the one with a fraction.
func Whole(s string) []string {
	if s == "" || !IsDigit(s[0]) {
		return nil
	}
	groups, marks, end := digitGroups(s, 0)
	if end < len(s) {
		return nil
	}
	return readings(groups, marks)
}

// readings returns the numbers that groups of digits can mean, each with at most
// one point.
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
	return list
}

// parts is readings with the groups by themselves, where they are no number, such
// as those of a version, or perhaps several.
func parts(groups []string, marks string) []string {
	list := readings(groups, marks)
	if len(list) == 0 || strings.Contains(marks, " ") {
		list = append(list, groups...)
	}
	return list
}

// thousands reports whether the marks between groups are those of thousands, or
// of lakhs and crores.
func thousands(groups []string, marks string) bool {
	if strings.Trim(marks, marks[:1]) != "" || len(groups[0]) > 3 || groups[0][0] == '0' || len(groups[len(groups)-1]) != 3 {
		return false
	}
	for _, group := range groups[1:] {
		if len(group) != 3 && (len(group) != 2 || marks[0] != ',') {
			return false
		}
	}
	return true
}

// Multiplies reports whether a word behind a number makes it a larger one.
func Multiplies(word string) bool { return multipliers[word] > 0 }

// multiplier returns the zeros that the word behind a number stands for.
func multiplier(s string) int {
	s = strings.TrimPrefix(s[:min(len(s), 16)], " ")
	if strings.HasPrefix(s, "%") {
		return multipliers["%"]
	}
	for from, to := range Words(s) {
		if from == 0 {
			return multipliers[s[:to]]
		}
		break
	}
	return 0
}

// Canonical writes a number in one way only.
func Canonical(whole, fraction string) string {
	whole, fraction = strings.TrimLeft(whole, "0"), strings.TrimRight(fraction, "0")
	if whole == "" {
		whole = "0"
	}
	if fraction == "" {
		return whole
	}
	return whole + "." + fraction
}

// Shifted is [Canonical] with the point moved to the right, or to the left.
func Shifted(whole, fraction string, by int) string {
	if by < 0 {
		whole = strings.Repeat("0", -by) + whole
		return Canonical(whole[:len(whole)+by], whole[len(whole)+by:]+fraction)
	}
	if len(fraction) < by {
		fraction += strings.Repeat("0", by-len(fraction))
	}
	return Canonical(whole+fraction[:by], fraction[by:])
}

// Digits returns the digits of a text.
func Digits(s string) string {
	return strings.Map(func(r rune) rune {
		if '0' <= r && r <= '9' {
			return r
		}
		return -1
	}, s)
}

// IsDigit reports whether a byte is a digit.
func IsDigit(b byte) bool { return '0' <= b && b <= '9' }
