package content_test

import (
	"slices"
	"testing"
)

func TestImages(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, html string
		want       []string
	}{
		{"none", `<p>x`, nil},
		{"each once", `<img src="/a.png"><img src="/a.png"><img src="b.png">`,
			[]string{"https://example.com/a.png", "https://example.com/docs/b.png"}},
		{"late ones", `<img src="data:image/gif;base64,x" data-src="/l.png"><img src="/blank.gif" data-srcset="/s.png 1x, /t.png 2x">`,
			[]string{"https://example.com/l.png", "https://example.com/t.png"}},
		{"the best of a set", `<img src="/s.png" srcset="/m.png 640w, /l,1.png 1280w,/x.png 320w">`,
			[]string{"https://example.com/s.png", "https://example.com/l,1.png"}},
		{"pictures", `<picture><source srcset="/p.webp"><img src="/p.jpg"></picture><video><source src="/v.mp4"></video>`,
			[]string{"https://example.com/p.webp", "https://example.com/p.jpg"}},
		{"the head", `<link rel="shortcut icon" href="/f.ico"><link rel=stylesheet href=x.css><meta property="og:image" content="/og.png"><meta name="twitter:image" content="https://t.example/t.png">`,
			[]string{"https://example.com/f.ico", "https://example.com/og.png", "https://t.example/t.png"}},
		{"backgrounds", `<div style="background: url(/a.png), url('b.png') no-repeat; x: url( &quot;c.png&quot; )"></div><p style="background:url(unclosed">`,
			[]string{"https://example.com/a.png", "https://example.com/docs/b.png", "https://example.com/docs/c.png"}},
		{"a placeholder with nothing behind it", `<img src="/loading.gif">`, []string{"https://example.com/loading.gif"}},
		{"drawings and buttons", `<svg><image href="/a.png"/><image xlink:href="/b.png"/></svg><input type="image" src="/c.png"><input type="text" src="/d.png">`,
			[]string{"https://example.com/a.png", "https://example.com/b.png", "https://example.com/c.png"}},
		{"posters", `<video poster="/p.jpg"></video>`, []string{"https://example.com/p.jpg"}},
		{"data", `<img src="data:image/png;base64,x"><img src="blob:https://example.com/1">`, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			if got := parse(c.html).Images(); !slices.Equal(got, c.want) {
				t.Errorf("got  %q\nwant %q", got, c.want)
			}
		})
	}
}
