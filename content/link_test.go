package content_test

import (
	"slices"
	"testing"

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
		{"fragments", `<a href="#top"></a><a href="/x#part"></a><a href="/x#/route"></a><a href="/x#!/r"></a><a href="/y#/"></a><a href="/x#!r"></a>`,
			[]string{"https://example.com/docs/page", "https://example.com/x", "https://example.com/x#/route", "https://example.com/x#!/r", "https://example.com/y", "https://example.com/x#!r"}},
		{"other schemes", `<a href="mailto:a@b.c"></a><a href="tel:1"></a><a href="javascript:x"></a><a href="ftp://a.b/"></a><a href="data:,x"></a>`, nil},
		{"areas", `<map><area href="/area"></map><a name=x></a>`, []string{"https://example.com/area"}},
		{"base", `<base href="https://other.example/sub/"><a href="x"></a><a href="/y"></a>`,
			[]string{"https://other.example/sub/x", "https://other.example/y"}},
		{"relative base", `<base href="/sub/"><a href="x"></a>`, []string{"https://example.com/sub/x"}},
		{"base that is none", `<base href="javascript:x"><a href="x"></a>`, []string{"https://example.com/docs/x"}},
		{"space around", "<a href=' \n/x\t'></a>", []string{"https://example.com/x"}},
		{"frames and templates", `<iframe src="/f"></iframe><template><a href="/t"></a></template><noscript><a href="/n"></a></noscript>`, []string{"https://example.com/n"}},
		{"escaped alike", `<a href="/ä b"></a><a href="/%C3%A4%20b"></a><a href="HTTPS://EXAMPLE.com:443/x"></a><a href="/x"></a>`,
			[]string{"https://example.com/%C3%A4%20b", "https://example.com/x"}},
		{"a site by its name", `<a href="https://a.example"></a><a href="https://a.example/"></a><a href="https://b.example:8080/"></a><a href="https://b.example:8080"></a><a href="//c.example"></a>`,
			[]string{"https://a.example", "https://b.example:8080/", "https://c.example/"}},
		{"a slash at the end of a path", `<a href="https://a.example/x"></a><a href="https://a.example/x/"></a>`, []string{"https://a.example/x", "https://a.example/x/"}},
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

func TestCanonical(t *testing.T) {
	t.Parallel()
	for page, want := range map[string]string{
		`<link rel=canonical href="/proper">`:                       "https://example.com/proper",
		`<link rel="Canonical" href="https://other.example/x?y">`:   "https://other.example/x?y",
		`<base href="/deep/"><link rel=canonical href="proper">`:    "https://example.com/deep/proper",
		`<link rel=canonical href="mailto:a@b.c">`:                  "",
		`<link rel="alternate" href="/other"><p>No such address.`:   "",
		`<link rel=canonical href="/a"><link rel=canonical href=b>`: "https://example.com/a",
	} {
		got := content.Parse(content.Source{Body: []byte(page), ContentType: "text/html", URL: "https://example.com/page"}).Canonical()
		if got != want {
			t.Errorf("%s: %q, want %q", page, got, want)
		}
	}
}
