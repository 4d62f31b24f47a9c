package content_test

import (
	"slices"
	"testing"

	whatwg "github.com/nlnwa/whatwg-url/url"

	"github.com/trawlhq/trawl/content"
)

func TestLinks(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, html string
		want       []string
	}{
		{"none", `<p>x`, nil},
		{"in order, each once", `<a href="/b">b</a><nav><a href=/a>a</a></nav><a href="/b#x">b</a>`,
			[]string{"https://example.com/b", "https://example.com/a"}},
		{"fragments", `<a href="#top"></a><a href="/x#part"></a><a href="/x#/route"></a><a href="/x#!/r"></a><a href="/y#/"></a>`,
			[]string{"https://example.com/docs/page", "https://example.com/x", "https://example.com/x#/route", "https://example.com/x#!/r", "https://example.com/y"}},
		{"other schemes", `<a href="mailto:a@b.c"></a><a href="tel:1"></a><a href="javascript:x"></a><a href="ftp://a.b/"></a><a href="data:,x"></a>`, nil},
		{"areas", `<map><area href="/area"></map><a name=x></a>`, []string{"https://example.com/area"}},
		{"base", `<base href="https://other.example/sub/"><a href="x"></a><a href="/y"></a>`,
			[]string{"https://other.example/sub/x", "https://other.example/y"}},
		{"relative base", `<base href="/sub/"><a href="x"></a>`, []string{"https://example.com/sub/x"}},
		{"base that is none", `<base href="javascript:x"><a href="x"></a>`, []string{"https://example.com/docs/x"}},
		{"space around", "<a href=' \n/x\t'></a>", []string{"https://example.com/x"}},
		{"not an address", `<a href="http://[">x</a>`, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			if got := parse(c.html).Links(); !slices.Equal(got, c.want) {
				t.Errorf("got  %q\nwant %q", got, c.want)
			}
		})
	}
}

// TestJoin compares the addresses of links with what the WHATWG algorithm says.
func TestJoin(t *testing.T) {
	t.Parallel()
	bases := []string{
		"https://example.com/", "https://example.com/a/b/c", "http://example.com:8080/a/?q=1#f", "https://user:pw@example.com/a/b",
		"http://192.168.0.1/x/y/", "https://xn--bcher-kva.example/x", "https://example.com/a/b/?x=/../y",
	}
	refs := []string{
		"", "x", "x/y", "./x", "../x", "../../x", "../../../../x", "./", "../", ".", "..", "x/../y", "x/./y", "x/..", ".x", "..x/y", "...",
		"/x", "/x/../y", "/./x", "/x/.", "//other.example", "//other.example/x", "///x", "////x", `\x`, `/\x`, `x\y`, "?q", "?q=a b", "?q='x'",
		"?a?b", "#f", "#f g", "#a#b", "x?q#f", "x#f?q", "http://a.b", "http://a.b?x", "http://a.b#x", "http://a.b/x y", "HTTP://A.B/X", "http://A.b/",
		"https://a.b:443/x", "http://a.b:80/", "http://a.b:8080/", "http://1.2.3.4/", "http://1.2.3/", "http://0x7f.1/", "http://a.b.0x10/", "http://a.1/", "http://a.b./",
		"http://a..b/", "http://-a.b/", "http://xn--a/", "http://a_b.c/", "http://ä.example/ö?ü#ß", "http://a.b/%2e%2E/c", "http://a.b/a/%2e/c", "/a%2e/b", "/%", "/%zz",
		"http:x", "https:x", "http:/x", "https:///x", "mailto:a@b.c", "tel:+1", "urn:x", "x:y", "a:1/b", "x/y:z", "1:2", "javascript:x", "data:,x", "blob:x",
		"/a|b", "/a^b", "/a{b}", "/a`b", `/a"b`, "/a<b>", "/a'b", "/a(b)", "/a[b]", "/a;b=c,d", "/a@b:c", "?a|b", "?a^b", "?{x}", "#a|b", "#`", "/a\tb", "/a\nb",
		"http://a.b/?x=1&y=%20", "http://user@a.b/", "http://a.b@c/", "//", "http://", "http:///", " x ", "/ü", "?ü", "/.well-known/x", "/a/.b", "x/.", "x/.y/..",
	}
	for _, raw := range bases {
		base, err := whatwg.Parse(raw)
		if err != nil {
			t.Fatal(err)
		}
		for _, ref := range refs {
			want := ""
			if u, err := base.Parse(ref); err == nil {
				want = u.Href(false)
			}
			if got := content.Join(raw, ref); got != want {
				t.Errorf("join %q with %q: got %q, want %q", raw, ref, got, want)
			}
		}
	}
}
