package adblock_test

import (
	"strings"
	"testing"

	"github.com/trawlhq/trawl/adblock"
)

func TestBlocksHost(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		rules, page, host string
		want              bool
	}{
		{"||ads.test^", "site.example", "ads.test", true},
		{"||ads.test^", "site.example", "a.b.ads.test", true},
		{"||ads.test^", "site.example", "ADS.test.", true},
		{"||ads.test^", "site.example", "badads.test", false},
		{"||ads.test^", "site.example", "test", false},
		{"||ads.test^", "", "ads.test", true},
		{"||ads.test^", "ads.test", "ads.test", false},
		{"||ads.test^", "www.ads.test", "cdn.ads.test", true},
		{"||ads.test^*", "site.example", "ads.test", true},
		{"||ads.test^$third-party", "site.example", "ads.test", true},
		{"||ads.test^$third-party", "www.ads.test", "cdn.ads.test", false},
		{"||ads.test^$~third-party", "site.example", "ads.test", false},
		{"||ads.test^$popup", "site.example", "ads.test", true},
		{"||ads.test^$popup", "www.ads.test", "cdn.ads.test", false},
		{"||ads.test^$document,popup", "site.example", "ads.test", true},
		{"||ads.test^$all", "site.example", "ads.test", true},
		{"||ads.test^$script", "site.example", "ads.test", false},
		{"||ads.test^$~image", "site.example", "ads.test", false},
		{"||ads.test/x", "site.example", "ads.test", false},
		{"||ads.test^$domain=site.example", "www.site.example", "ads.test", true},
		{"||ads.test^$domain=site.example", "other.example", "ads.test", false},
		{"||ads.test^$domain=~site.example", "www.site.example", "ads.test", false},
		{"||ads.test^$domain=site.*", "www.site.co.uk", "ads.test", true},
		{"||ads.test^$redirect=noop", "site.example", "ads.test", false},
		// Lines of hosts files.
		{"0.0.0.0 ads.test", "site.example", "ads.test", true},
		{"127.0.0.1\tads.test # comment", "site.example", "www.ads.test", true},
		{"::1 one.test two.test", "site.example", "two.test", true},
		{"127.0.0.1 localhost", "site.example", "localhost", false},
		{"0.0.0.0 0.0.0.0", "site.example", "0.0.0.0", false},
		{"# 0.0.0.0 ads.test", "site.example", "ads.test", false},
		// Exceptions spare a host of which they allow but a part.
		{"||ads.test^\n@@||ads.test^", "site.example", "ads.test", false},
		{"||ads.test^\n@@||ok.ads.test^", "site.example", "ads.test", true},
		{"||ads.test^\n@@||ok.ads.test^", "site.example", "x.ok.ads.test", false},
		{"||ads.test^\n@@||ads.test/ok.js$script", "site.example", "ads.test", false},
		{"||ads.test^\n@@|https://ads.test/ok.js", "site.example", "ads.test", false},
		{"||ads.test^\n@@||ads.test/ok.js$domain=site.example", "www.site.example", "ads.test", false},
		{"||ads.test^\n@@||ads.test/ok.js$domain=site.example", "other.example", "ads.test", true},
		{"||ads.test^\n@@||ads.test/ok.js$domain=site.*", "www.site.de", "ads.test", false},
		{"||ads.test^\n@@/ok.js$domain=site.example", "www.site.example", "ads.test", false},
		{"||ads.test^\n@@/ok.js$domain=site.example", "other.example", "ads.test", true},
		{"||ads.test^\n@@||ads.test^$~third-party", "site.example", "ads.test", true},
		{"||ads.test^\n@@||ads.test^$popup", "site.example", "ads.test", true},
		{"||ads.test^\n@@||site.example^$document", "www.site.example", "ads.test", false},
		{"||ads.test^$important\n@@||ads.test^", "site.example", "ads.test", true},
		{"||ads.test^\n||ads.test^$badfilter", "site.example", "ads.test", false},
		// Directives.
		{"!#if env_chromium\n||ads.test^\n!#endif", "site.example", "ads.test", true},
		{"!#if env_firefox\n||ads.test^\n!#endif", "site.example", "ads.test", false},
		{"!#if !env_firefox && env_chromium\n||ads.test^\n!#endif", "site.example", "ads.test", true},
		{"!#if env_firefox || env_chromium\n||ads.test^\n!#endif", "site.example", "ads.test", true},
		{"!#if env_firefox\n!#else\n||ads.test^\n!#endif", "site.example", "ads.test", true},
		{"!#if env_firefox\n!#if env_chromium\n||ads.test^\n!#endif\n!#endif", "site.example", "ads.test", false},
		{"!#if env_firefox\n!#endif\n||ads.test^", "site.example", "ads.test", true},
		{"\ufeff||ads.test^\r\n", "site.example", "ads.test", true},
	} {
		e := adblock.Parse(row.rules)
		if got := e.BlocksHost(row.page, row.host); got != row.want {
			t.Errorf("%q: %s on %s: blocked %v, want %v", row.rules, row.host, row.page, got, row.want)
		}
		r := adblock.Request{URL: "https://" + row.host + "/some/thing", Page: "https://" + row.page + "/", Type: "image"}
		if row.want && !e.Match(r) {
			t.Errorf("%q: Match lets %s pass on %s, BlocksHost does not", row.rules, row.host, row.page)
		}
	}
}

func TestHasPathRules(t *testing.T) {
	t.Parallel()
	for rules, want := range map[string]bool{
		"":                               false,
		"||ads.test^":                    false,
		"||ads.test^$third-party":        false,
		"||ads.test^$important":          false,
		"0.0.0.0 ads.test":               false,
		"||ads.test^\n@@||ads.test/ok/":  false,
		"##.ad":                          false,
		"||ads.test^$script":             true,
		"/banner/*":                      true,
		"/banner/*$important":            true,
		"/banner/*\n/banner/*$badfilter": false,
	} {
		if got := adblock.Parse(rules).HasPathRules(); got != want {
			t.Errorf("%q: %v, want %v", rules, got, want)
		}
	}
}

func TestBuiltin(t *testing.T) {
	t.Parallel()
	e := adblock.Builtin()
	for _, host := range []string{"securepubads.g.doubleclick.net", "www.google-analytics.com", "static.hotjar.com", "cdn.taboola.com", "mc.yandex.ru"} {
		if !e.BlocksHost("news.example.com", host) {
			t.Errorf("%s is not blocked", host)
		}
	}
	for _, host := range []string{"fonts.googleapis.com", "www.google.com", "cdn.jsdelivr.net", "example.com", "www.youtube.com", "yandex.ru"} {
		if e.BlocksHost("news.example.com", host) {
			t.Errorf("%s is blocked", host)
		}
	}
	if e.BlocksHost("www.criteo.com", "static.criteo.com") {
		t.Error("the company's own pages are broken")
	}
	if sheet := e.Cosmetic("example.com"); !strings.Contains(sheet, ".adsbygoogle") {
		t.Errorf("no advertising is hidden: %q", sheet)
	}
	if s := e.Stats(); s.Hosts < 300 || s.Skipped != 0 || s.Patterns != 0 {
		t.Errorf("%+v", s)
	}
}
