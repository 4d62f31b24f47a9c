package content_test

import (
	"strings"
	"testing"

	"github.com/trawlhq/trawl/content"
)

func parse(body string) *content.Page {
	return content.Parse(content.Source{Body: []byte(body), ContentType: "text/html; charset=utf-8", URL: "https://example.com/docs/page"})
}

func TestMarkdown(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, html, want string }{
		{"nothing", "", ""},
		{"text alone", "just text", "just text"},
		{"unclosed", "<p>one<p>two <b>bold", "one\n\ntwo **bold**"},
		{"control characters", "a\x01b <\x02i>", "a b < i>"},
		{"a link in a link's place", `<a href="/a">one <a href="/b">two</a></a>`, "[one](https://example.com/a) [two](https://example.com/b)"},
		{"emphasis of nothing but punctuation", "wait<i>…</i>", "wait *…*"},
		{"code in code", "<code><code>x</code></code>", "`x`"},
		{"two spans of code", "<code>a</code><code>b</code>", "`a` `b`"},
		{"code without text", "a<code> </code>b", "a b"},
		{"definition around blocks", "<dl><div><dt>t</dt><dd>d</dd></div></dl>", "**t**\\\nd"},
		{"rule in a list", "<ul><li><hr></li></ul>", "- ___"},
		{"table in a list", "<ul><li><table><tr><th>a</th><th>b</th></tr><tr><td>1</td><td>2</td></tr></table></li></ul>",
			"- | a | b |\n  | --- | --- |\n  | 1 | 2 |"},
		{"table in a quote", "<blockquote><table><tr><th>a</th><th>b</th></tr></table></blockquote>", "> | a | b |\n> | --- | --- |"},
		{"a number too long for a list", "<p>1234567890. x</p>", "1234567890. x"},
		{"an item with a huge number", `<ol start="99999999999"><li>x</li></ol>`, "999999999. x"},
		{"an item with a negative number", `<ol start="-4"><li>x</li></ol>`, "0. x"},
		{"a declarative shadow root", `<div><template shadowrootmode="open"><p>shown</p></template></div>`, "shown"},
		{"breaks at the ends", "<p><br>a<br></p>", "a"},
		{"a break in bold", "<b>a<br>b</b>", "**a\\\nb**"},
		{"two breaks in bold", "<b>a<br><br>b</b>", "**a**\n\n**b**"},
		{"framesets", "<frameset><frame src=a></frameset>", "[a](https://example.com/docs/a)"},
		{"text beside a nested list", "<ul><li>a</li>stray</ul>", "- a\n\nstray"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			if got := asMarkdown(parse(c.html), content.Options{}); got != c.want {
				t.Errorf("got  %q\nwant %q", got, c.want)
			}
		})
	}
}

func TestMarkdownByType(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, contentType, body, want string }{
		{"text", "text/plain", "# as it is\n  <b>", "# as it is\n  <b>"},
		{"markdown", "text/markdown; charset=utf-8", "*x*", "*x*"},
		{"json", "application/json", `{"a": "` + "```" + `"}`, "````json\n{\"a\": \"```\"}\n````"},
		{"json with a suffix", "application/ld+json", "[1]", "```json\n[1]\n```"},
		{"json that calls itself html", "text/html", `{"a":1}`, "```json\n{\"a\":1}\n```"},
		{"xml", "application/xml", "<a>1</a>", "```xml\n<a>1</a>\n```"},
		{"svg", "image/svg+xml", "<svg></svg>", "```xml\n<svg></svg>\n```"},
		{"xhtml", "application/xhtml+xml", `<?xml version="1.0"?><html><body><p>x</p></body></html>`, "x"},
		{"html that calls itself xml", "text/xml", "<!DOCTYPE html><p>x", "x"},
		{"html that calls itself text", "text/plain", "\n<!-- c --><HTML><p>x", "x"},
		{"html of no type", "", "<p>x</p>", "x"},
		{"html with a byte order mark", "", "\ufeff<html><p>x", "x"},
		{"text of no type", "", "a < b", "a < b"},
		{"json of no type", "application/octet-stream", "[1, 2]", "```json\n[1, 2]\n```"},
		{"a type that is none", "html", "<p>x</p>", "x"},
		{"broken utf-8", "text/plain", "a\xffb", "a\ufffdb"},
		{"script", "text/javascript", "let a", "let a"},
		{"empty json", "application/json", "", ""},
		{"broken feed", "application/rss+xml", "<rss><channel>", "```xml\n<rss><channel>\n```"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			page := content.Parse(content.Source{Body: []byte(c.body), ContentType: c.contentType})
			if got := asMarkdown(page, content.Options{OnlyMain: true}); got != c.want {
				t.Errorf("got  %q\nwant %q", got, c.want)
			}
		})
	}
}

func TestMarkdownBase64(t *testing.T) {
	t.Parallel()
	page := parse(`<img alt="Chart" src="data:image/png;base64,AAAA"><img alt="Real" src="/r.png">`)
	if got, want := asMarkdown(page, content.Options{RemoveBase64: true}),
		"![Chart](<Base64-Image-Removed>)![Real](https://example.com/r.png)"; got != want {
		t.Errorf("removed: got %q, want %q", got, want)
	}
	if got := asMarkdown(page, content.Options{}); !strings.Contains(got, "![Chart](data:image/png;base64,AAAA)") {
		t.Errorf("kept: got %q", got)
	}
	if got := asHTML(page, content.Options{RemoveBase64: true}); strings.Contains(got, "base64,") || !strings.Contains(got, `alt="Chart"`) {
		t.Errorf("html: got %q", got)
	}
}

func TestMarkdownWithoutAddress(t *testing.T) {
	t.Parallel()
	page := content.Parse(content.Source{Body: []byte(`<html><a href="/x">x</a> <a href="https://a.example/">a</a> <img src="i.png">`)})
	if got, want := asMarkdown(page, content.Options{}), "[x](/x) [a](https://a.example/) ![](i.png)"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
