package adblock_test

import (
	"strings"
	"testing"

	"github.com/trawlhq/trawl/adblock"
)

// TestMatch gives a list, its lines joined by blanks, and what it does to one
// request. Pages are on https://www.site.example unless the row says otherwise.
func TestMatch(t *testing.T) {
	t.Parallel()
	const page = "https://www.site.example/story"
	for _, row := range []struct {
		rules, url, kind string
		want             bool
		page             string
	}{
		// Hosts.
		{"||ads.test^", "https://ads.test/", "script", true, ""},
		{"||ads.test^", "https://cdn.ads.test/a.js", "script", true, ""},
		{"||ads.test^", "https://ads.test:8443/a", "image", true, ""},
		{"||ads.test^", "https://ads.test", "image", true, ""},
		{"||ads.test^", "https://ads.test?x=1", "image", true, ""},
		{"||ads.test^", "https://ADS.Test/", "image", true, ""},
		{"||ads.test^", "https://ads.test./", "image", true, ""},
		{"||ads.test^", "wss://ads.test/socket", "websocket", true, ""},
		{"||ads.test^", "https://user:pw@ads.test/", "image", true, ""},
		{"||ads.test^", "https://badads.test/", "image", false, ""},
		{"||ads.test^", "https://ads.test.org/", "image", false, ""},
		{"||ads.test^", "https://other.test/?u=https://ads.test/", "image", false, ""},
		{"||ads.test^", "https://other.test/ads.test/", "image", false, ""},
		{"||ads.test^", "https://ads.test/", "document", false, ""},
		{"||ads.test^", "data:text/plain,//ads.test/", "image", false, ""},
		{"||ads.test^", "ftp://ads.test/", "other", false, ""},
		{"||ads.test^", "not an address", "other", false, ""},
		{"||ads.test", "https://ads.tester.org/", "image", true, ""},
		{"||bücher.example^", "https://xn--bcher-kva.example/", "image", true, ""},
		{"||192.0.2.7^", "http://192.0.2.7/x", "image", true, ""},
		{"ads.example.com", "https://ads.example.com/x", "image", true, ""},
		{"ads.example.com", "https://cdn.test/ads.example.com", "image", false, ""},
		// Hosts and paths.
		{"||cdn.test/ads/", "https://a.cdn.test/ads/1.png", "image", true, ""},
		{"||cdn.test/ads/", "https://cdn.test/x/ads/1.png", "image", false, ""},
		{"||cdn.test^*/pixel.", "https://cdn.test/a/b/pixel.gif", "image", true, ""},
		{"||cdn.test^*/pixel.", "https://cdn.test/a/pixels", "image", false, ""},
		{"||cdn.*/track.js", "https://cdn.anything.net/x/track.js", "script", true, ""},
		{"||test^a^|", "https://cdn.test/a", "image", true, ""},
		// Substrings, separators, stars and ends.
		{"/banner/*", "https://x.test/img/banner/1.gif", "image", true, ""},
		{"/banner/*", "https://x.test/img/banners/1.gif", "image", false, ""},
		{"-ad-300x250.", "https://x.test/top-ad-300x250.png", "image", true, ""},
		{"&ad_type=", "https://x.test/?a=1&AD_TYPE=2", "image", true, ""},
		{"^track^", "https://x.test/?track&x=1", "image", true, ""},
		{"^track^", "https://x.test/track", "image", true, ""},
		{"^track^", "https://x.test/tracker", "image", false, ""},
		{"^track^", "https://x.test/track-1", "image", false, ""},
		{"/a*b*c.js", "https://x.test/a/1b/2c.js", "script", true, ""},
		{"/a*b*c.js", "https://x.test/a/1c/2b.js", "script", false, ""},
		{".swf|", "https://x.test/ad.swf", "object", true, ""},
		{".swf|", "https://x.test/ad.swf?x", "object", false, ""},
		{"/a*x|", "https://x.test/a-x-x", "image", true, ""},
		{"/a*x^|", "https://x.test/a-x-x/", "image", true, ""},
		{"|https://x.test/ad", "https://x.test/ads", "image", true, ""},
		{"|https://x.test/ad", "https://y.test/?https://x.test/ad", "image", false, ""},
		{"|http:", "https://x.test/", "image", false, ""},
		{"banner.js", "https://x.test/banner.js", "script", true, ""},
		{"/ad/#frag", "https://x.test/ad/#frag", "image", false, ""},
		// Types.
		{"/ad/$script", "https://x.test/ad/", "script", true, ""},
		{"/ad/$script", "https://x.test/ad/", "image", false, ""},
		{"/ads/x$~script", "https://x.test/ads/x", "script", false, ""},
		{"/ads/x$~script,~image", "https://x.test/ads/x", "font", true, ""},
		{"/ads/x$xmlhttprequest,css", "https://x.test/ads/x", "xhr", true, ""},
		{"/ads/x$xhr,css", "https://x.test/ads/x", "stylesheet", true, ""},
		{"/ads/x$frame", "https://x.test/ads/x", "subdocument", true, ""},
		{"/ads/x$beacon", "https://x.test/ads/x", "ping", true, ""},
		{"/ads/x$media", "https://x.test/ads/x", "media", true, ""},
		{"/ads/x$other", "https://x.test/ads/x", "manifest", true, ""},
		{"/ads/x$all", "https://x.test/ads/x", "image", true, ""},
		{"/ads/x$popup", "https://x.test/ads/x", "image", false, ""},
		{"/ads/x$document", "https://x.test/ads/x", "document", false, ""},
		{"||pop.test^$popup", "https://pop.test/x.js", "script", true, ""},
		{"||pop.test^$popup", "https://a.pop.test/x.js", "script", false, "https://pop.test/"},
		{"||pop.test^$script,popup", "https://pop.test/x", "image", false, ""},
		// Parties.
		{"/t.js$third-party", "https://x.test/t.js", "script", true, ""},
		{"/t.js$third-party", "https://cdn.site.example/t.js", "script", false, ""},
		{"/t.js$~third-party", "https://cdn.site.example/t.js", "script", true, ""},
		{"/t.js$1p", "https://x.test/t.js", "script", false, ""},
		{"/t.js$~1p", "https://x.test/t.js", "script", true, ""},
		{"/t.js$3p", "https://b.co.uk/t.js", "script", true, "https://a.co.uk/"},
		{"/t.js$3p", "https://b.a.co.uk/t.js", "script", false, "https://c.a.co.uk/"},
		{"/t.js$3p", "https://bob.github.io/t.js", "script", true, "https://amy.github.io/"},
		{"/t.js$3p", "http://10.0.0.1/t.js", "script", true, "http://11.0.0.1/"},
		{"/t.js$3p", "http://10.0.0.1:81/t.js", "script", false, "http://10.0.0.1/"},
		// Pages.
		{"/t.js$domain=site.example", "https://x.test/t.js", "script", true, ""},
		{"/t.js$domain=other.example", "https://x.test/t.js", "script", false, ""},
		{"/t.js$domain=a.example|site.example", "https://x.test/t.js", "script", true, ""},
		{"/t.js$domain=~site.example", "https://x.test/t.js", "script", false, ""},
		{"/t.js$domain=~other.example", "https://x.test/t.js", "script", true, ""},
		{"/t.js$domain=site.example|~www.site.example", "https://x.test/t.js", "script", false, ""},
		{"/t.js$domain=~site.example|www.site.example", "https://x.test/t.js", "script", true, ""},
		{"/t.js$domain=site.*", "https://x.test/t.js", "script", true, "https://www.site.co.uk/"},
		{"/t.js$domain=site.*", "https://x.test/t.js", "script", false, "https://site.other.co.uk/"},
		{"*$script,domain=site.example", "https://x.test/any", "script", true, ""},
		{"*$script,domain=site.*", "https://x.test/any", "script", true, "https://site.de/"},
		{"*$script,domain=site.*", "https://x.test/any", "script", false, "https://site.x.de/"},
		{"*$3p,from=site.example,to=x.test", "https://x.test/any", "script", true, ""},
		{"*$3p,from=site.example,to=x.test", "https://y.test/any", "script", false, ""},
		{"*$3p,domain=site.example,denyallow=x.test|y.test", "https://y.test/any", "script", false, ""},
		{"*$3p,domain=site.example,denyallow=x.test|y.test", "https://z.test/any", "script", true, ""},
		// Exceptions.
		{"||ads.test^ @@||ads.test^", "https://ads.test/", "script", false, ""},
		{"||ads.test^ @@||ads.test/ok/", "https://ads.test/ok/1", "script", false, ""},
		{"||ads.test^ @@||ads.test/ok/", "https://ads.test/no/1", "script", true, ""},
		{"||ads.test^ @@||ads.test^$image", "https://ads.test/", "script", true, ""},
		{"||ads.test^ @@||ads.test^$domain=site.example", "https://ads.test/", "script", false, ""},
		{"||ads.test^ @@/ok.js", "https://ads.test/ok.js", "script", false, ""},
		{"||ads.test^ @@||site.example^$document", "https://ads.test/", "script", false, ""},
		{"||ads.test^ @@||site.example^$generichide", "https://ads.test/", "script", true, ""},
		{"||ads.test^$important @@||ads.test^", "https://ads.test/", "script", true, ""},
		{"/ad/$important @@||ads.test^", "https://ads.test/ad/", "script", true, ""},
		{"||ads.test^ ||ads.test^$badfilter", "https://ads.test/", "script", false, ""},
		{"/ad/$script,3p /ad/$badfilter,third-party,script", "https://x.test/ad/", "script", false, ""},
		{"/ad/$script /ad/$image,badfilter", "https://x.test/ad/", "script", true, ""},
		{"||ads.test^ @@||ads.test^ @@||ads.test^$badfilter", "https://ads.test/", "script", true, ""},
		// Case.
		{"/BannerAd.$match-case", "https://x.test/BannerAd.png", "image", true, ""},
		{"/BannerAd.$match-case", "https://x.test/bannerad.png", "image", false, ""},
		{"/BannerAd.", "https://x.test/bannerad.png", "image", true, ""},
		// Regular expressions.
		{`/ad[0-9]{2}\.js$/`, "https://x.test/ad42.js", "script", true, ""},
		{`/ad[0-9]{2}\.js$/`, "https://x.test/AD42.JS", "script", true, ""},
		{`/ad[0-9]{2}\.js$/$match-case`, "https://x.test/AD42.JS", "script", false, ""},
		{`/ad[0-9]{2}\.js$/$script,third-party`, "https://x.test/ad42.js", "image", false, ""},
		{`/^https?:\/\/(a|b)\.test\//$domain=site.example`, "https://b.test/", "image", true, ""},
		{`/ads(?!ok)/`, "https://x.test/ads", "script", false, ""},
		// Rules with effects that cannot be had do nothing.
		{"/ad/$redirect=noop.js", "https://x.test/ad/", "script", false, ""},
		{"/ad/$csp=script-src", "https://x.test/ad/", "script", false, ""},
		{"/ad/$removeparam=utm", "https://x.test/ad/", "script", false, ""},
		{"/ad/$script,header=via", "https://x.test/ad/", "script", false, ""},
		{"/ad/$domain=/re/", "https://x.test/ad/", "script", false, ""},
		{"*", "https://x.test/", "script", false, ""},
		{"*$image", "https://x.test/", "image", false, ""},
	} {
		if row.page == "" {
			row.page = page
		}
		e := adblock.Parse(strings.ReplaceAll(row.rules, " ", "\n"))
		r := adblock.Request{URL: row.url, Page: row.page, Type: row.kind}
		if got := e.Match(r); got != row.want {
			t.Errorf("%s\n\t%s %s on %s: blocked %v, want %v", row.rules, row.kind, row.url, row.page, got, row.want)
		}
	}
}

// TestMatchAmongMany asks the same with many rules around, so that the index
// has something to choose from.
func TestMatchAmongMany(t *testing.T) {
	t.Parallel()
	var list strings.Builder
	for a := 'a'; a <= 'z'; a++ {
		for b := 'a'; b <= 'z'; b++ {
			list.WriteString("||h" + string(a) + string(b) + ".test^\n/common/path-" + string(a) + string(b) + ".js\n")
		}
	}
	e := adblock.Parse(list.String())
	for url, want := range map[string]bool{
		"https://hqx.test/":                  true,
		"https://www.haa.test/":              true,
		"https://h1a.test/":                  false,
		"https://x.test/common/path-qx.js":   true,
		"https://x.test/common/path-1x.js":   false,
		"https://x.test/uncommon/path-qx.js": false,
		"https://x.test/common/path-qx.jsx":  true,
	} {
		if got := e.Match(adblock.Request{URL: url, Page: "https://site.example/", Type: "script"}); got != want {
			t.Errorf("%s: blocked %v, want %v", url, got, want)
		}
	}
}

func TestLongAddressIsCut(t *testing.T) {
	t.Parallel()
	e := adblock.Parse("||ads.test^\n/late/*")
	long := strings.Repeat("x", 1<<20)
	if !e.Match(adblock.Request{URL: "https://ads.test/" + long, Type: "image"}) {
		t.Error("the host of a long address is not seen")
	}
	if e.Match(adblock.Request{URL: "https://x.test/" + long + "/late/", Type: "image"}) {
		t.Error("the end of a long address is seen")
	}
}
