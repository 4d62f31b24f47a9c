package content_test

import (
	"testing"

	"github.com/trawlhq/trawl/content"
)

func TestHTML(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, html, want string }{
		{"scripts and styles", `<p>a<script>x</script><style>y</style><!-- z --></p>`, `<p>a</p>`},
		{"handlers", `<p onclick="x()" ONLOAD=y class=c>a</p>`, `<p class="c">a</p>`},
		{"addresses", `<a href="/x">a</a><img src="i.png" srcset="a.png 1x, /b.png 2x"><video poster="p.jpg"></video>`,
			`<a href="https://example.com/x">a</a><img src="https://example.com/docs/i.png" srcset="https://example.com/docs/a.png 1x, https://example.com/b.png 2x"><video poster="https://example.com/docs/p.jpg"></video>`},
		{"addresses that run code", "<a href=\" java\nscript:x()\">a</a><form action=javascript:x></form>", `<a>a</a><form></form>`},
		{"embedded pages", `<iframe src="/f">y</iframe><iframe src="/g" srcdoc="<b>x">y</iframe>`, `<iframe src="https://example.com/f"></iframe><div><b>x</b></div>`},
		{"data that is no image", `<a href="data:text/html,x">a</a>`, `<a>a</a>`},
		{"quotes", `<p title="&quot;&lt;">a &lt; b &amp;amp;</p>`, `<p title="&#34;&lt;">a &lt; b &amp;amp;</p>`},
		{"the first line of pre", "<pre>\n\nx</pre>", "<pre>\n\nx</pre>"},
		{"void elements", `a<br>b<hr>`, `a<br>b<hr>`},
		{"raw text", `<xmp><b></xmp>`, `<pre>&lt;b&gt;</pre>`},
		{"odd names", `<p a"b=1 c=2>x</p><o:p>y</o:p>`, `<p c="2">x</p><o:p>y</o:p>`},
		{"images that load late", `<img src="data:image/gif;base64,R0" data-src="/real.png">`,
			`<img src="https://example.com/real.png" data-src="/real.png">`},
		{"svg", `<svg viewBox="0 0 1 1"><a xlink:href="javascript:x"><path d="M0"/></a></svg>`,
			`<svg viewBox="0 0 1 1"><a><path d="M0"></path></a></svg>`},
		{"shadow roots", `<x-y><template shadowrootmode="open"><b>s</b></template>l</x-y><template>t</template>`, `<x-y><b>s</b>l</x-y>`},
		{"slots", `<x-y><template shadowrootmode="open"><slot name="t">none</slot><p>a <slot>b</slot> c</p><slot name="u">d</slot><slot>e</slot></template>light<i slot="t">title</i><b>bold</b><u slot="z">rest</u></x-y>`,
			`<x-y><slot name="t"><i slot="t">title</i></slot><p>a <slot>light<b>bold</b></slot> c</p><slot name="u">d</slot><slot>e</slot><u slot="z">rest</u></x-y>`},
		{"comments and sections", `<p>a<!-- b --><![CDATA[c]]></p>`, `<p>a</p>`},
		{"noscript", `<noscript><p>kept</p></noscript><noscript>Enable JavaScript</noscript>`, `<p>kept</p>`},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			if got := asHTML(parse(c.html), content.Options{}); got != c.want {
				t.Errorf("got  %q\nwant %q", got, c.want)
			}
		})
	}
}

func TestHTMLOfText(t *testing.T) {
	t.Parallel()
	page := content.Parse(content.Source{Body: []byte("a < b"), ContentType: "text/plain"})
	if got, want := asHTML(page, content.Options{}), "<pre>a &lt; b</pre>"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if got := asHTML(content.Parse(content.Source{}), content.Options{}); got != "" {
		t.Errorf("of nothing: got %q", got)
	}
}
