package markup_test

import (
	"strings"
	"testing"

	"github.com/trawlhq/trawl/content/dom"
	"github.com/trawlhq/trawl/document/internal/treetest"
	"github.com/trawlhq/trawl/document/markup"
	"github.com/trawlhq/trawl/document/tree"
)

func TestRead(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ html, want string }{
		{"<p>a  b\n c</p> d <p>e</p>", "<p>a b c</p><p>d</p><p>e</p>"},
		{"<div>a<br>b</div>", "<p>a<br>b</p>"},
		{"<h2><b>a</b> <i>b</i></h2>", "<h2>a <i>b</i></h2>"},
		{"<h1><div>a</div><div>b</div><table><tr><th>c</th><td>d</td></tr></table></h1>", "<h1>a b</h1><table><tr><td>c<td>d</table>"},
		{"<ul><li><input type=checkbox checked> a<li><input type=checkbox> b</ul>", "<list><item [x]><p>a</p><item [ ]><p>b</p></list>"},
		{"<ol><li>a<li value=7>b</ol>", "<list><item 1.><p>a</p><item 7.><p>b</p></list>"},
		{"<ul>x<li>a<ul><li>b</ul></ul>", "<list><item><p>x</p><item><p>a</p><list><item><p>b</p></list></list>"},
		{"<dl><dt>a<dd>b</dl>", "<p><b>a</b></p><p>b</p>"},
		{"<a href=' http://h.test/x '>a</a> <a href='javascript:x'>b</a>", "<p><a http://h.test/x>a</a> b</p>"},
		{"<img src=http://h.test/p.png alt=p><img src=p.png><img src=p.png alt=q>", "<p>![p](http://h.test/p.png)![q]()</p>"},
		{"<pre>a\n  b<br>c</pre>", "<pre>a\n  b\nc</pre>"},
		{`<math display=block><semantics><mi>x</mi><annotation encoding="application/x-tex">x^2</annotation></semantics></math>`, "$$x^2$$"},
		{"<blockquote><p>a</p></blockquote><hr>", "<quote><p>a</p></quote><hr>"},
		{"<table><caption>c</caption><tr><td rowspan=9>a<td>b<tr><td>c</table>", "<table><tr><td 1x2>a<td>b<tr><td>c</table>"},
		{"<p>a<script>x</script><style>y</style><span hidden>z</span></p>", "<p>a</p>"},
	} {
		r := markup.Reader{}
		if got := treetest.Show(&tree.Document{Body: r.Read(dom.Parse(test.html).Body())}); got != test.want {
			t.Errorf("%s:\n got %s\nwant %s", test.html, got, test.want)
		}
	}
}

func TestDecode(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ body, label, want string }{
		{"caf\xe9", "iso-8859-1", "café"},
		{"café", "", "café"},
		{"caf\xe9", "", "café"},
		{"caf\xe9", "utf-8", "café"},
		{"café", "us-ascii", "café"},
		{"\xef\xbb\xbfcafé", "koi8-r", "café"},
		{"\xff\xfea\x00", "", "a"},
		{`<?xml version="1.0" encoding="koi8-r"?>` + "\xf0", "", `<?xml version="1.0" encoding="koi8-r"?>П`},
		{"<meta charset=windows-1251>\xcf", "", "<meta charset=windows-1251>П"},
		{"caf\xe9", "nonsense", "café"},
		{"\x93\xfa", "cp932", "日"},
	} {
		if got := markup.Decode([]byte(test.body), test.label); got != test.want {
			t.Errorf("%q as %q: got %q, want %q", test.body, test.label, got, test.want)
		}
	}
}

func TestCutDoctype(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		`<?xml?><!DOCTYPE a PUBLIC "x>y" 'z'><a/>`:          "<?xml?><a/>",
		`<!doctype a [<!ENTITY x "y]>"> <!ELEMENT a>]><a/>`: "<a/>",
		"<a/>":           "<a/>",
		"<!DOCTYPE a [<": "",
	} {
		if got := markup.CutDoctype(text); got != want {
			t.Errorf("%s: got %q, want %q", text, got, want)
		}
	}
}

func FuzzRead(f *testing.F) {
	f.Add("<table><tr><td colspan=9><ul><li>a<table>", true)
	f.Add("<h1><math><mfrac><mi>a</math><svg><image href=x></svg><ruby>a<rt>b", false)
	f.Fuzz(func(t *testing.T, html string, layout bool) {
		r := markup.Reader{Layout: layout}
		tree.Write(&tree.Document{Body: r.Read(dom.ParseXHTML(strings.ToValidUTF8(html, "")).Body())}, 1<<20)
	})
}
