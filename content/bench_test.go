package content_test

import (
	"fmt"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"github.com/trawlhq/trawl/content"
)

// samplePage is a page of some 20 KB as they are found on the web: a head with
// its meta tags, navigation, an article with lists, a table and code, a
// sidebar and a footer.
func samplePage() string {
	var b strings.Builder
	b.WriteString(`<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>A page to measure with – Example</title>
<meta name="viewport" content="width=device-width, initial-scale=1"><meta name="description" content="A page of ordinary size and make.">
<meta property="og:title" content="A page to measure with"><meta property="og:type" content="article"><meta property="og:image" content="https://example.com/og.png">
<meta property="article:published_time" content="2025-03-04T05:06:07Z"><link rel="icon" href="/favicon.ico"><link rel="stylesheet" href="/style.css">
<script>window.dataLayer = window.dataLayer || [];</script><style>body { margin: 0 }</style></head><body class="single post-template">
<header class="site-header"><div class="container"><a class="logo" href="/"><img src="/logo.svg" alt="Example"></a><nav class="main-nav"><ul>`)
	for i := range 20 {
		fmt.Fprintf(&b, `<li class="menu-item"><a href="/section/%d/">Section %d</a></li>`, i, i)
	}
	b.WriteString(`</ul></nav></div></header><main id="content"><article class="post"><h1 class="entry-title">A page to measure with</h1>`)
	for i := range 18 {
		fmt.Fprintf(&b, `<h2 id="part-%d">Part %d</h2>
<p>The <strong>quick</strong> brown fox jumps over the lazy dog, as <a href="/fox/%d" class="ref">everyone knows</a>, and does so again and again.
It is <em>not</em> the only one; there are others that do the same with <code>fox.Jump(dog)</code> &amp; more of that kind.</p>
<p>A second paragraph has a picture <img class="lazy" src="/img/%d.jpg" alt="Figure %d" width="640" height="480"> and some more text behind it, enough to fill
two or three lines on a screen of ordinary width, with commas, colons: and other marks (of all sorts).</p>
<ul><li>First point of the part</li><li>Second point with <b>weight</b></li><li>Third point<ul><li>that is nested</li></ul></li></ul>`, i, i, i, i, i)
	}
	b.WriteString(`<table class="data"><thead><tr><th>Name</th><th>Value</th><th>Note</th></tr></thead><tbody>`)
	for i := range 15 {
		fmt.Fprintf(&b, `<tr><td>Row %d</td><td>%d.%d</td><td>A note</td></tr>`, i, i, i)
	}
	b.WriteString(`</tbody></table><pre><code class="language-go">`)
	for i := range 15 {
		fmt.Fprintf(&b, "<span class=\"kd\">func</span> <span class=\"nf\">f%d</span>() int { return %d }\n", i, i)
	}
	b.WriteString(`</code></pre></article></main><aside class="sidebar">`)
	for i := range 15 {
		fmt.Fprintf(&b, `<div class="widget"><a href="/related/%d">Related story number %d</a></div>`, i, i)
	}
	b.WriteString(`</aside><footer class="site-footer"><p>© Example. <a href="/imprint">Imprint</a></p></footer><script src="/app.js"></script></body></html>`)
	return b.String()
}

// BenchmarkParse is the parser of x/net/html alone: the measure for the rest.
func BenchmarkParse(b *testing.B) {
	page := samplePage()
	b.SetBytes(int64(len(page)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := html.ParseWithOptions(strings.NewReader(page), html.ParseOptionEnableScripting(false)); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkAll is what an ordinary scrape takes: main content as markdown, and
// metadata. It should cost no more than the parser of x/net/html alone.
func BenchmarkAll(b *testing.B) {
	body := []byte(samplePage())
	b.SetBytes(int64(len(body)))
	b.ReportAllocs()
	for b.Loop() {
		page := content.Parse(content.Source{Body: body, ContentType: "text/html", URL: "https://example.com/a/page"})
		asMarkdown(page, content.Options{OnlyMain: true, RemoveBase64: true})
		page.Metadata()
	}
}

func BenchmarkMarkdown(b *testing.B) {
	page := parse(samplePage())
	b.ReportAllocs()
	for b.Loop() {
		asMarkdown(page, content.Options{OnlyMain: true, RemoveBase64: true})
	}
}

func BenchmarkMetadata(b *testing.B) {
	page := parse(samplePage())
	b.ReportAllocs()
	for b.Loop() {
		page.Metadata()
	}
}
