// Package numeral writes numbers as lists show them: in Arabic or Roman figures,
// with letters, as ordinals.
package numeral

import (
	"strconv"
	"strings"
)

// Form is how numbers are written. The values are those of Word's files.
type Form int

// The forms that lists are numbered in. Bullet and None show no number.
const (
	Arabic      Form = 0
	UpperRoman  Form = 1
	LowerRoman  Form = 2
	UpperLetter Form = 3
	LowerLetter Form = 4
	Ordinal     Form = 5
	Padded      Form = 22 // 01 to 09
	Bullet      Form = 23
	None        Form = 255
)

// Text writes a number. One that the form cannot write, as Roman figures cannot
// write zero, is written in Arabic ones, as are those of forms that are not known.
func (f Form) Text(n int) string {
	switch f {
	case UpperRoman:
		return strings.ToUpper(roman(n))
	case LowerRoman:
		return roman(n)
	case UpperLetter:
		return strings.ToUpper(letters(n))
	case LowerLetter:
		return letters(n)
	case Ordinal:
		return strconv.Itoa(n) + ordinal(n)
	case Padded:
		if n >= 0 && n < 10 {
			return "0" + strconv.Itoa(n)
		}
	case Bullet, None:
		return ""
	}
	return strconv.Itoa(n)
}

// most is how many letters a number may have.
const most = 100

// letters counts a to z, then aa to zz, as word processors do.
func letters(n int) string {
	if n < 1 || n > 26*most {
		return strconv.Itoa(n)
	}
	return strings.Repeat(string(rune('a'+(n-1)%26)), (n-1)/26+1)
}

// Alphabetic counts a to z, then aa, ab and so on, as the columns of spreadsheets do.
func Alphabetic(n int) string {
	if n < 1 {
		return strconv.Itoa(n)
	}
	out := ""
	for ; n > 0; n = (n - 1) / 26 {
		out = string(rune('a'+(n-1)%26)) + out
	}
	return out
}

func roman(n int) string {
	if n < 1 || n > 3999 {
		return strconv.Itoa(n)
	}
	var b strings.Builder
	for i, value := range [...]int{1000, 900, 500, 400, 100, 90, 50, 40, 10, 9, 5, 4, 1} {
		for ; n >= value; n -= value {
			b.WriteString([...]string{"m", "cm", "d", "cd", "c", "xc", "l", "xl", "x", "ix", "v", "iv", "i"}[i])
		}
	}
	return b.String()
}

// ordinal returns what follows the figures of an ordinal number.
func ordinal(n int) string {
	if n/10%10 != 1 {
		switch n % 10 {
		case 1:
			return "st"
		case 2:
			return "nd"
		case 3:
			return "rd"
		}
	}
	return "th"
}
