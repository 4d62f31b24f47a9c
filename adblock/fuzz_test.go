package adblock_test

import (
	"regexp"
	"strings"
	"testing"

	"github.com/trawlhq/trawl/adblock"
)

// FuzzEngine reads any text as a list and asks it everything. What BlocksHost
// refuses, Match must refuse, as long as no exception is involved.
func FuzzEngine(f *testing.F) {
	for _, list := range []string{
		"||ads.test^\n/banner/*$image,third-party\n@@||ads.test/ok\n##.ad\nsite.example#@#.ad",
		"/ad[0-9]+\\.js/$script,domain=site.example|~www.site.example\n*$3p,domain=site.*,denyallow=a.test",
		"0.0.0.0 ads.test\n!#if env_firefox\n||b.test^\n!#else\n||ads.test^$badfilter\n!#endif",
		"||ads.test^$important,match-case\n@@||site.example^$document\nsite.*##div:has(> .x)\n||a*b^c|",
	} {
		f.Add(list, "https://ads.test/banner/1.js?x=1", "www.site.example", "script")
	}
	f.Fuzz(func(t *testing.T, list, url, page, kind string) {
		e := adblock.Parse(list)
		blocked := e.Match(adblock.Request{URL: url, Page: "https://" + page + "/", Type: kind})
		if blocked && kind == "document" {
			t.Error("a document is blocked")
		}
		if host, ok := plainHost(url); ok && e.BlocksHost(page, host) && !blocked &&
			kind != "document" && isName(page) && !strings.Contains(list, "@@") {
			t.Errorf("BlocksHost refuses %s on %s, Match does not", host, page)
		}
		sheet := e.Cosmetic(page)
		for line := range strings.Lines(sheet) {
			if !strings.HasSuffix(line, "{display:none!important}\n") {
				t.Errorf("a line of the sheet reads %q", line)
			}
		}
		if len(sheet) > 1<<20 {
			t.Errorf("the sheet has %d bytes", len(sheet))
		}
	})
}

func plainHost(url string) (string, bool) {
	rest, ok := strings.CutPrefix(url, "https://")
	host, _, slash := strings.Cut(rest, "/")
	return host, ok && slash && isName(host)
}

func isName(host string) bool {
	return host != "" && len(host) < 256 && strings.Trim(host, "abcdefghijklmnopqrstuvwxyz0123456789.-") == ""
}

// FuzzPattern compares patterns with the regular expressions that they stand
// for by definition.
func FuzzPattern(f *testing.F) {
	for _, pattern := range []string{
		"||ads.test^", "||ads.test/x*y^", "|https://ads", "banner", "^a^b^", "a*b*c|", "/x*^|", "||t*^^|", "ads.test/a|", "*%2F*", "||s.t", "^^",
	} {
		f.Add(pattern, "cdn.ads.test/x/y/banner?a&b=c")
		f.Add(pattern, "ads.test/a^b%2F-_.x")
	}
	f.Fuzz(func(t *testing.T, pattern, address string) {
		if len(pattern) > 100 || len(address) > 500 || !isASCII(pattern) || strings.ContainsAny(pattern, "$#@! \t\r\n") ||
			!isASCII(address) || strings.ContainsAny(address, "#@ \t\r\n") || !strings.Contains(pattern, "/") {
			return // with a slash a line cannot be taken for a bare host
		}
		if strings.HasPrefix(pattern, "/") && strings.HasSuffix(pattern, "/") || strings.HasPrefix(pattern, "[") {
			return
		}
		host, _, ok := strings.Cut(address, "/")
		if !ok || !isName(host) || strings.HasSuffix(host, ".") {
			return
		}
		e := adblock.Parse(pattern)
		if e.Stats().Skipped > 0 {
			return
		}
		url := "https://" + address
		want := reference(pattern).MatchString(url)
		if got := e.Match(adblock.Request{URL: url, Page: "https://site.example/", Type: "image"}); got != want {
			t.Errorf("%q on %q: %v, want %v", pattern, url, got, want)
		}
	})
}

func isASCII(s string) bool {
	return strings.IndexFunc(s, func(c rune) bool { return c < ' ' || c > '~' }) < 0
}

// reference writes a pattern as a regular expression.
func reference(pattern string) *regexp.Regexp {
	start, end := "", ""
	if rest, ok := strings.CutPrefix(pattern, "||"); ok {
		start, pattern = `^[a-z]+://([^/?]*\.)?`, rest
	} else if rest, ok := strings.CutPrefix(pattern, "|"); ok {
		start, pattern = "^", rest
	}
	if rest, ok := strings.CutSuffix(pattern, "|"); ok {
		end, pattern = "$", rest
	}
	body := regexp.QuoteMeta(pattern)
	body = strings.ReplaceAll(body, `\*`, ".*")
	body = strings.ReplaceAll(body, `\^`, `([^a-z0-9_.%-]|$)`)
	return regexp.MustCompile("(?i)" + start + body + end)
}
