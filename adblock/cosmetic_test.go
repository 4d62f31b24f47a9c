package adblock_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/trawlhq/trawl/adblock"
)

func TestCosmetic(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		rules, host string
		want        []string // the selectors that are hidden, in order
	}{
		{"##.ad", "site.example", []string{".ad"}},
		{"*##.ad", "site.example", []string{".ad"}},
		{"###ad", "site.example", []string{"#ad"}},
		{"site.example##.ad", "site.example", []string{".ad"}},
		{"site.example##.ad", "WWW.site.example", []string{".ad"}},
		{"site.example##.ad", "othersite.example", nil},
		{"a.example,site.example##.ad", "site.example", []string{".ad"}},
		{"site.*##.ad", "www.site.co.uk", []string{".ad"}},
		{"site.*##.ad", "site.other.co.uk", nil},
		{"site.example,~www.site.example##.ad", "site.example", []string{".ad"}},
		{"site.example,~www.site.example##.ad", "www.site.example", nil},
		{"~site.example##.ad", "site.example", nil},
		{"~site.example##.ad", "other.example", []string{".ad"}},
		{"##.ad\n##.b\nsite.example#@#.ad", "site.example", []string{".b"}},
		{"##.ad\n##.b\nsite.example#@#.ad", "other.example", []string{".ad", ".b"}},
		{"##.ad\nsite.example##.ad\n#@#.ad", "site.example", nil},
		{"#@#.ad\n##.ad", "site.example", nil},
		{"##.b\n##.a\n##div[id^=\"x\"]\n##.b", "site.example", []string{".a", ".b", "div[id^=\"x\"]"}},
		{"##.g\nsite.example##.s\n@@||site.example^$generichide", "www.site.example", []string{".s"}},
		{"##.g\nsite.example##.s\n@@||site.example^$specifichide", "site.example", []string{".g"}},
		{"##.g\nsite.example##.s\n@@||site.example^$elemhide", "site.example", nil},
		{"##.g\nsite.example##.s\n@@||site.example^$document", "site.example", nil},
		{"##.g\n@@$ghide,domain=site.example|b.example", "site.example", nil},
		{"##.g\n@@||site.example^$generichide", "other.example", []string{".g"}},
		{"##div:has(> .ad)", "site.example", []string{"div:has(> .ad)"}},
		{"##.md\\:ad", "site.example", []string{".md\\:ad"}},
		// Not ours, or no selectors.
		{"##div:has-text(Ad)", "site.example", nil},
		{"##:xpath(//div)", "site.example", nil},
		{"site.example#?#div:-abp-has(.ad)", "site.example", nil},
		{"site.example#$#body { color: red }", "site.example", nil},
		{"site.example##+js(noop)", "site.example", nil},
		{"site.example##^script", "site.example", nil},
		{"site.example##.ad:style(color: red)", "site.example", nil},
		{"##a{}b", "site.example", nil},
		{"##a[b=\"c]", "site.example", nil},
		{"##a[b", "site.example", nil},
		{"##a(b]", "site.example", nil},
		{"##a\\", "site.example", nil},
		{"##a/*b", "site.example", nil},
		{"##</style>", "site.example", nil},
		{"##a:is(url(x)", "site.example", nil},
		{"## a heading\n#### another\n# a comment\n#", "site.example", nil},
	} {
		var got []string
		for line := range strings.Lines(adblock.Parse(row.rules).Cosmetic(row.host)) {
			selectors, ok := strings.CutSuffix(line, "{display:none!important}\n")
			if !ok {
				t.Errorf("%q: a rule reads %q", row.rules, line)
			}
			got = append(got, strings.Split(selectors, ",")...)
		}
		if fmt.Sprint(got) != fmt.Sprint(row.want) {
			t.Errorf("%q on %s hides %q, want %q", row.rules, row.host, got, row.want)
		}
	}
}

// A browser drops a rule of which one selector is invalid.
func TestCosmeticKeepsDoubtfulSelectorsApart(t *testing.T) {
	t.Parallel()
	sheet := adblock.Parse("##.a\n##.b\n##div:nonsense\n##.-1\n##p.c").Cosmetic("x.test")
	want := ".a,.b{display:none!important}\n.-1{display:none!important}\ndiv:nonsense{display:none!important}\np.c{display:none!important}\n"
	if sheet != want {
		t.Errorf("got %q", sheet)
	}
}

func TestCosmeticIsBounded(t *testing.T) {
	t.Parallel()
	var list strings.Builder
	for i := range 60_000 {
		fmt.Fprintf(&list, "##.generic-class-of-some-length-%d\nsite.example##.specific-class-of-some-length-%d\n", i, i)
	}
	e := adblock.Parse(list.String())
	for _, host := range []string{"site.example", "other.example"} {
		sheet := e.Cosmetic(host)
		if len(sheet) > 1<<20 || !strings.HasSuffix(sheet, "}\n") {
			t.Errorf("%s: %d bytes that end in %q", host, len(sheet), sheet[len(sheet)-10:])
		}
	}
	if !strings.Contains(e.Cosmetic("site.example"), ".specific-class") {
		t.Error("the rules of the site are crowded out")
	}
}
