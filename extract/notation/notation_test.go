package notation_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/trawlhq/trawl/extract/notation"
)

func TestWords(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"two words, 3rd": "two|words|3rd", "größe der tür": "größe|der|tür", "水壶 x1": "水|壶|x1", "": "", "-- ..": "", "कीमत है": "कीमत|है",
	} {
		var words []string
		for from, to := range notation.Words(text) {
			words = append(words, text[from:to])
		}
		if got := strings.Join(words, "|"); got != want {
			t.Errorf("words of %q are %s, want %s", text, got, want)
		}
	}
}

// show writes mentions in short: what stands in the text, and what it can mean.
func show(text string, mentions []notation.Mention) string {
	var list []string
	for _, m := range mentions {
		list = append(list, text[m.From:m.To]+"="+strings.Join(m.Readings, "|"))
	}
	return strings.Join(list, " ")
}

func TestNumbers(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"1,299.50 or 1.299,50": "1,299.50=1299.5 1.299,50=1299.5",
		"1.299":                "1.299=1299|1.299",
		"0.299":                "0.299=0.299",
		"1 299 kr":             "1 299=1299|1|299",
		"1'299'000":            "1'299'000=1299000",
		"12,34,567":            "12,34,567=1234567",
		"1.2.3":                "1.2.3=1|2|3",
		"4.5 million":          "4.5=4.5|4500000",
		"12.5%":                "12.5=12.5|0.125",
		"007":                  "007=7",
		"2019/20":              "2019=2019 20=20|2020",
		"1998-04":              "1998=1998 04=4|2004",
		"2019-04-03":           "2019=2019 04=4 03=3",
		"12019/20":             "12019=12019 20=20",
		"none":                 "",
	} {
		if got := show(text, notation.Numbers(text)); got != want {
			t.Errorf("numbers of %q are %s, want %s", text, got, want)
		}
	}
	for text, want := range map[string]string{"1,299": "1299 1.299", "1.299,00": "1299.00", "12 34": "", "12 kg": "", "": "", "x": "", "5": "5"} {
		if got := strings.Join(notation.Whole(text), " "); got != want {
			t.Errorf("%q as a whole is %s, want %s", text, got, want)
		}
	}
}

func TestDates(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"on 3 march 2024":      "3 march 2024=2024-03-03",
		"march 3rd, 2024":      "march 3rd, 2024=2024-03-03",
		"3. märz 2024":         "3. märz 2024=2024-03-03",
		"3 de marzo de 2024":   "3 de marzo de 2024=2024-03-03",
		"2024年3月4日":            "2024年3月4=2024-03-04",
		"03/04/2024":           "03/04/2024=2024-04-03|2024-03-04",
		"03.04.2024":           "03.04.2024=2024-04-03",
		"13/04/24":             "13/04/24=2024-04-13",
		"2024-03-04t10:00":     "2024-03=2024-03 2024-03-04t10=2024-03-04",
		"may 2024":             "may 2024=2024-05",
		"30 february 2024":     "february 2024=2024-02",
		"chapter 3, page 2024": "",
	} {
		if got := show(text, notation.Dates(text)); got != want {
			t.Errorf("dates of %q are %s, want %s", text, got, want)
		}
	}
}

// FuzzMentions checks that mentions are pieces of the text, in order, and that
// their readings are numbers and dates.
func FuzzMentions(f *testing.F) {
	f.Add("1.299,50 € on 3 march 2024, 2019/20 and 4.5 million")
	f.Add("2024-03-04t10:00:00z 1'2 3_4 ...,")
	f.Fuzz(func(t *testing.T, text string) {
		check := func(mentions []notation.Mention) {
			for _, m := range mentions {
				if m.From < 0 || m.To <= m.From || m.To > len(text) || len(m.Readings) == 0 || slices.Contains(m.Readings, "") {
					t.Fatalf("%q has %+v", text, m)
				}
			}
		}
		numbers, dates := notation.Numbers(text), notation.Dates(text)
		check(numbers)
		check(dates)
		for _, n := range numbers {
			for _, reading := range n.Readings {
				whole, fraction, _ := strings.Cut(reading, ".")
				if notation.Canonical(whole, fraction) != reading || notation.Digits(whole+fraction) != whole+fraction {
					t.Fatalf("%q is read as %q", text[n.From:n.To], reading)
				}
			}
		}
		for _, d := range dates {
			for _, reading := range d.Readings {
				if _, err := time.Parse(time.DateOnly[:len(reading)], reading); err != nil {
					t.Fatalf("%q is read as %q", text[d.From:d.To], reading)
				}
			}
		}
	})
}
