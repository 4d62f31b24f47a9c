package sheet_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/trawlhq/trawl/document/sheet"
)

func TestNumberFormats(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		code string
		v    float64
		want string
	}{
		{"General", 0, "0"},
		{"General", -1.5, "-1.5"},
		{"general", 0.1 + 0.2, "0.3"},
		{"General", 123456789012, "123456789012"},
		{"General", 3.14159265358979312, "3.14159265358979"},
		{"General", 1e22, "1E+22"},
		{"General", 1.5e-10, "1.5E-10"},
		{"General", 0.000012, "0.000012"},
		{`General" units"`, 7, "7 units"},
		{"0", 0.5, "1"},
		{"0", 12345.4, "12345"},
		{"00000", 42, "00042"},
		{"0.00", 1.005, "1.01"},
		{"0.00", -0.001, "-0.00"},
		{"0.00", 99.995, "100.00"},
		{"0.0##", 1.5, "1.5"},
		{"0.0##", 1.23456, "1.235"},
		{"#.##", 0.5, ".5"},
		{"?0.??", 1.5, "1.5"},
		{"#,##0", 1234567, "1,234,567"},
		{"#,##0", 12, "12"},
		{"#,##0.00", -1234.5, "-1,234.50"},
		{"#,##0,", 1234567, "1,235"},
		{`0.0,,"M"`, 12345678, "12.3M"},
		{"0%", 0.5, "50%"},
		{"0.00%", 0.12345, "12.35%"},
		{"0.00E+00", 12345, "1.23E+04"},
		{"0.00E+00", 0.00012345, "1.23E-04"},
		{"0.0E+0", 9.99, "1.0E+1"},
		{"##0.0E+0", 12345, "12.3E+3"},
		{"0E-0", 1000, "1E3"},
		{"# ?/?", 0.5, "1/2"},
		{"# ?/?", 2.25, "2 1/4"},
		{"# ?/?", 3, "3"},
		{"# ?/?", -0.5, "- 1/2"},
		{"# ?/?", -2.25, "-2 1/4"},
		{"0 0/0", 3, "3 0/1"},
		{"# ??/??", 3.14159265, "3 14/99"},
		{"# ?/8", 1.5, "1 4/8"},
		{"?/?", 1.5, "3/2"},
		{`"$"#,##0.00_);\("$"#,##0.00\)`, 1234.5, "$1,234.50"},
		{`"$"#,##0.00_);\("$"#,##0.00\)`, -1234.5, "($1,234.50)"},
		{`_("$"* #,##0.00_);_("$"* \(#,##0.00\);_("$"* "-"??_);_(@_)`, 0, "$-"},
		{`#,##0.00\ [$€-407]`, 9.5, "9.50 €"},
		{`[$£-809]#,##0`, 1000, "£1,000"},
		{`[Red]0.0;[Blue]-0.0;"zero"`, -2, "-2.0"},
		{`[Red]0.0;[Blue]-0.0;"zero"`, 0, "zero"},
		{`[<100]"low "0;[>=1000]"high "0;"mid "0`, 5, "low 5"},
		{`[<100]"low "0;[>=1000]"high "0;"mid "0`, 5000, "high 5000"},
		{`[<100]"low "0;[>=1000]"high "0;"mid "0`, 500, "mid 500"},
		{"000-00-0000", 123456789, "123-45-6789"},
		{"(000) 000-0000", 5551234567, "(555) 123-4567"},
		{`"1."00`, 7, "1.07"},
		{`0" km"`, 12, "12 km"},
		{`0\m`, 3, "3m"},
		{";;;", 3, ""},
		{`"yes";"no";"none"`, -1, "no"},
		{"@", 1.25, "1.25"},
		{"0;-0;;@", 0, ""},

		{"m/d/yyyy", 45306, "1/15/2024"},
		{"yyyy-mm-dd", 45306.99, "2024-01-15"},
		{"yyyy-mm-dd hh:mm:ss", 45306.75, "2024-01-15 18:00:00"},
		{"d-mmm-yy", 45306, "15-Jan-24"},
		{"dddd, mmmm d, yyyy", 45306, "Monday, January 15, 2024"},
		{"ddd mmmmm", 45306, "Mon J"},
		{"[$-409]d\\-mmm\\-yyyy;@", 45306, "15-Jan-2024"},
		{"[$-F800]dddd\\,\\ mmmm\\ dd\\,\\ yyyy", 45306, "Monday, January 15, 2024"},
		{"[$-F400]h:mm:ss\\ AM/PM", 0.75, "6:00:00 PM"},
		{"yyyy-mm-dd", 59, "1900-02-28"},
		{"yyyy-mm-dd", 60, "1900-02-29"},
		{"yyyy-mm-dd", 61, "1900-03-01"},
		{"h:mm AM/PM", 0, "12:00 AM"},
		{"h:mm AM/PM", 0.5, "12:00 PM"},
		{"h:mm a/p", 0.75, "6:00 p"},
		{"hh:mm:ss.000", 0.5 + 1.25/86400, "12:00:01.250"},
		{"mm:ss.0", 0.5 / 86400, "00:00.5"},
		{"[h]:mm", 1.5, "36:00"},
		{"[h]:mm:ss", -0.5, "-12:00:00"},
		{"[mm]:ss", 1.0 / 24, "60:00"},
		{"h:mm:ss", 0.1234567890123, "2:57:47"},
		{"yyyy-mm-dd", -5, "-5"},
		{"yyyy-mm-dd", 1e10, "10000000000"},
		{"[$-407]dddd, d. mmmm yyyy", 45306 + 60, "Freitag, 15. März 2024"},
		{"[$-40C]ddd d mmm", 45306, "lun. 15 janv."},
		{"[$-80A]mmmmm", 45306, "e"},
		{"[$-411]mmmm", 45306, "1月"},
		{"[$-499]mmmm", 45306, "January"},
		{"[$-419]d mmmm yyyy", 45306, "15 января 2024"},
		{"[$-419]mmmm yyyy", 45306, "Январь 2024"},
		{"[$-407]d/m/yyyy", 45306, "15.1.2024"},
		{"d/m/yyyy", 45306, "15/1/2024"},
		{"AM/PM", 45306.75, "PM"},
		{"mm/dd hh:mm", 45306.5, "01/15 12:00"},
	} {
		if got := sheet.Show(test.code, test.v, false); got != test.want {
			t.Errorf("%v as %s: got %q, want %q", test.v, test.code, got, test.want)
		}
	}
}

func TestDatesSince1904(t *testing.T) {
	t.Parallel()
	if got := sheet.Show("yyyy-mm-dd", 0, true); got != "1904-01-01" {
		t.Error(got)
	}
	if got := sheet.Show("ddd, yyyy-mm-dd", 45306-1462, true); got != "Mon, 2024-01-15" {
		t.Error(got)
	}
}

func TestTextFormats(t *testing.T) {
	t.Parallel()
	for _, test := range [][3]string{
		{"0.00", "word", "word"},
		{"@", "word", "word"},
		{`0;0;0;"<"@">"`, "word", "<word>"},
		{`_(* #,##0_);_(* \(#,##0\);_(* "-"_);_(@_)`, "word", "word"},
		{";;;", "word", ""},
	} {
		if got := sheet.ShowText(test[0], test[1]); got != test[2] {
			t.Errorf("%s: got %q, want %q", test[0], got, test[2])
		}
	}
}

func FuzzFormat(f *testing.F) {
	for _, code := range []string{"#,##0.00_);[Red](0)", "[h]:mm:ss.000", "# ??/16", "0.0E+0,,%", `[<1]"a";[$x-409]yyyy\-e;@`, "???/???", "General;@"} {
		f.Add(code, 1234.5678)
		f.Add(code, -1e300)
	}
	f.Fuzz(func(t *testing.T, code string, v float64) {
		got := sheet.Show(code, v, v > 0)
		if len(got) > 2000+4*len(code)*12 {
			t.Errorf("%q shows %v with %d bytes", code, v, len(got))
		}
		if utf8.ValidString(code) && !utf8.ValidString(got) {
			t.Errorf("%q shows %v as %q", code, v, got)
		}
		if strings.TrimSpace(got) != got && code != "" {
			t.Errorf("%q shows %v as %q, with spaces around", code, v, got)
		}
	})
}
