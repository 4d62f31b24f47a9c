package numeral_test

import (
	"testing"

	"github.com/trawlhq/trawl/document/numeral"
)

func TestText(t *testing.T) {
	t.Parallel()
	tests := []struct {
		form numeral.Form
		n    int
		want string
	}{
		{numeral.Arabic, -3, "-3"}, {numeral.UpperRoman, 1994, "MCMXCIV"}, {numeral.LowerRoman, 4, "iv"}, {numeral.LowerRoman, 0, "0"},
		{numeral.UpperRoman, 4000, "4000"}, {numeral.LowerLetter, 26, "z"}, {numeral.UpperLetter, 28, "BB"}, {numeral.LowerLetter, 0, "0"},
		{numeral.LowerLetter, 1 << 40, "1099511627776"}, {numeral.Ordinal, 1, "1st"}, {numeral.Ordinal, 12, "12th"}, {numeral.Ordinal, 102, "102nd"},
		{numeral.Ordinal, 23, "23rd"}, {numeral.Padded, 7, "07"}, {numeral.Padded, 17, "17"}, {numeral.Bullet, 1, ""}, {numeral.None, 1, ""}, {77, 5, "5"},
	}
	for _, test := range tests {
		if got := test.form.Text(test.n); got != test.want {
			t.Errorf("%d in form %d is %q, want %q", test.n, test.form, got, test.want)
		}
	}
}

func TestAlphabetic(t *testing.T) {
	t.Parallel()
	for n, want := range map[int]string{0: "0", 1: "a", 26: "z", 27: "aa", 28: "ab", 703: "aaa"} {
		if got := numeral.Alphabetic(n); got != want {
			t.Errorf("%d is %q, want %q", n, got, want)
		}
	}
}
