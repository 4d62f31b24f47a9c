package extract

import (
	"encoding/json"
	"fmt"
	"testing"
	"unicode/utf8"
)

// What a page has in another notation is verified; what it does not have is not,
// and is taken out if it is a fact of the kind that models invent.
func TestLookUp(t *testing.T) {
	t.Parallel()
	number := func(s string) any { return json.Number(s) }
	const (
		verified = "verified"
		kept     = "kept"
		invented = "invented"
	)
	for _, c := range []struct {
		page  string
		value any
		want  string
	}{
		{"see [a](/team/x)", "https://shop.com/team/x", verified},
		{"see [a](/team/x)", "https://other.com/team/x", invented},
		{"see [a](https://other.com/team/x)", "https://shop.com/team/x", invented},
		{"see [a](https://shop.com/team/x)", "https://shop.com/team", invented},
		{"see [a](https://shop.com/team-x)", "https://shop.com/team", invented},
		{"see [a](https://shop.com/team/) or https://shop.com/team.", "https://shop.com/team", verified},
		{"see [a](https://shop.com/team?from=p)", "https://shop.com/team", verified},
		{"see [a](https://shop.com/team/x)", "https://shop.com", verified},
		{"see [a](https://sub.shop.org/x)", "https://shop.org/x", invented},
		{"see www.shop.org/x", "https://shop.org/x", verified},
		{"see [a](//shop.org/x)", "https://shop.org/x", verified},
		{"see [a](https://shop.com/x_(y))", "https://shop.com/x_(y)", verified},
		{"see https://shop.com/x?a=1&amp;b=2", "https://shop.com/x?a=1&b=2", verified},
		{"write [us](mailto:info@shop.com)", "info@shop.com", verified},
		{"write info@shop.com", "mailto:info@shop.com", verified},
		{"write info@shop.com", "sales@shop.com", invented},
		{"write info@shop.com", "invented@nowhere.example", invented},
		{"write info@shop.com", "jane@acme.local", invented},
		{"write jane@acme.local", "jane@acme.local", verified},
		{"uses React 18", "react@beta", kept},

		{"call [us](tel:+4930123456)", "+49 30 123456", verified},
		{"call +49 (0)30 123 456", "+4930123456", verified},
		{"call 030 / 12 34 56", "+49 30 123456", verified},
		{"call 030 / 12 34 56", "030123456", verified},
		{"call 555.123.4567", "+1 555 123 4567", verified},
		{"serial 99301234567777", "+49 30 1234567", invented},
		{"ISBN 978-3-16-148410-0", "9783161484100", verified},

		{"on 3 March 2024", "2024-03-03", verified},
		{"on 3 March 2024", "2024-03-03T00:00:00Z", verified},
		{"on 3 March 2024", "2024-03-03T17:45:00Z", kept},
		{"on 3 March 2024, 5:45 pm", "2024-03-03T17:45:00Z", verified},
		{"on 3 March 2024", "the director resigned on 3 March 2024", kept},
		{"on 3 March 2024", "2024-03-04", kept},
		{"on 3 March 2024", "2023-03-03", invented},
		{"2024年3月3日", "2024-03-03", verified},

		{"price 1.299,00 €", number("1299"), verified},
		{"price 1.299,00 €", "€1,299.00", verified},
		{"price 1.299,00 €", "1,399.00 EUR", invented},
		{"1 299,50 zł", number("1299.5"), verified},
		{"１２９９ 円", number("1299"), verified},
		{"١٢٩٩ ريال", number("1299"), verified},
		{"१,२९९.५० रु", number("1299.5"), verified},
		{"grew by 12,5 %", "12.5%", verified},
		{"grew by 12,5 %", number("0.125"), verified},
		{"grew by 12,5 %", "13.5%", invented},
		{"-512 °C", number("-512"), verified},
		{"-$512", number("-512"), verified},
		{"a loss of 512", number("-512"), kept},
		{"from 1998-2512", number("-2512"), kept},

		{"from 1998–2004", number("2004"), verified},
		{"season 2019/20", number("2020"), verified},
		{"from 1998–04", number("2004"), verified},
		{"on 2001-04-03", number("2004"), invented},

		{"takes 250 minutes", "PT4H10M", kept},
		{"takes PT4H10M", "PT4H10M", verified},
		{"about 12[3](#note) people", number("123"), invented},

		{"Ac\u200bme\u2060 Corp", "Acme Corp", verified},
		{"Ac&#8203;me Corp", "Acme Corp", verified},
		{"Acme\U000e0041\U000e0042 Corp", "Acme Corp", verified},
		{"\U000e0041\U000e0042 Corp", "AB Corp", kept},
		{"the ﬁnest oﬃce", "finest office", verified},
	} {
		t.Run(fmt.Sprint(c.page, " has ", c.value), func(t *testing.T) {
			t.Parallel()
			j := newJudge(&Source{URL: "https://shop.com/p", Markdown: c.page}, nil)
			got := kept
			place := j.text.locate(c.value)
			switch {
			case place.ok():
				got = verified
			case j.text.invented(c.value):
				got = invented
			}
			if got != c.want {
				t.Errorf("it is %s, want %s", got, c.want)
			}
			if place.ok() && !utf8.ValidString(j.text.quote(place)) {
				t.Errorf("quote %q", j.text.quote(place))
			}
		})
	}
}
