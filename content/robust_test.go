package content_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/trawlhq/trawl/content"
)

// TestOddPages has pages of every kind that is not a tidy HTML document, and
// what a reader must find in them all the same.
func TestOddPages(t *testing.T) {
	t.Parallel()
	const html, xhtml = "text/html", "application/xhtml+xml"
	for _, c := range []struct {
		name, contentType, body string
		want                    []string // in the markdown
		not                     []string
		links                   []string
	}{
		{"nothing", html, "", nil, nil, nil},
		{"white space", html, " \r\n\t", nil, nil, nil},
		{"only scripts", html, `<script>var a = "<p>x</p>"</script><script src="/a.js"></script>`, nil, []string{"var", "x"}, nil},
		{"only styles and comments", html, `<style>p{}</style><!-- hidden -->`, nil, []string{"p{}", "hidden"}, nil},
		{"only frames", html, `<html><head><title>T</title></head><frameset cols="1,2"><frame src="nav.html" name="Menu"><frameset><frame src="/main.html"></frameset><noframes><body><p>No <a href="/plain">frames</a></p></body></noframes></frameset></html>`,
			[]string{"[Menu](https://example.com/docs/nav.html)", "(https://example.com/main.html)", "No [frames](https://example.com/plain)"}, []string{"<p>"},
			[]string{"https://example.com/docs/nav.html", "https://example.com/main.html", "https://example.com/plain"}},
		{"frames that declare their content", html, `<p>before</p><iframe srcdoc="<p>within <a href='/in'>it</a></p><iframe srcdoc='deeper'></iframe>"></iframe><p>after</p>`,
			[]string{"before", "within [it](https://example.com/in)", "deeper", "after"}, []string{"srcdoc"}, []string{"https://example.com/in"}},
		{"shadow roots", html, `<my-card><template shadowrootmode="open"><h2>Shadow</h2><a href="/s">s</a><slot></slot></template>Light</my-card><template><p>inert <a href="/t">t</a></p></template>`,
			[]string{"Shadow", "Light"}, []string{"inert"}, []string{"https://example.com/s"}},
		{"binary", html, "\x7fELF\x02\x01\x01\x00\x00\xff\xfe\xfd<\x00p>\x80\x81", []string{"ELF"}, nil, nil},
		{"truncated in a character", html, "<p>caf\xc3", []string{"caf"}, nil, nil},
		{"another charset than it says", html, "<meta charset=utf-8><p>Stra\xdfe und \xfcber", []string{"Stra", "e und", "ber"}, nil, nil},
		{"NUL bytes", html, "<p>a\x00b</p\x00><p\x00>c", []string{"a", "b", "c"}, nil, nil},
		{"unclosed everything", html, `<html><head><title>T</title><body><div><p>one<ul><li>two<li><b>three<table><tr><td>four<a href="/l">five<!-- never closed`,
			[]string{"one", "two", "three", "four", "five"}, []string{"never"}, []string{"https://example.com/l"}},
		{"cut off in a tag", html, `<p>text</p><a href="/x`, []string{"text"}, nil, nil},
		{"cut off in a script", html, `<p>text</p><script>if (a < b) {`, []string{"text"}, []string{"if ("}, nil},
		{"XHTML", xhtml, `<?xml version="1.0" encoding="utf-8"?><!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Strict//EN" "x"><html xmlns="http://www.w3.org/1999/xhtml" xml:lang="de"><head><title>T</title><script src="a.js"/><style type="text/css"/></head><body><div id="a"/><p>eins<br/>zwei <![CDATA[<drei> & mehr]]></p><a name="x"/><p>vier <a href="/l">l</a></p><textarea/><p>fünf</p></body></html>`,
			[]string{"eins", "zwei", "drei", "& mehr", "vier [l](https://example.com/l)", "fünf"}, []string{"CDATA", "]]"}, []string{"https://example.com/l"}},
		{"XHTML called XML", "application/xml", `<html xmlns="http://www.w3.org/1999/xhtml"><body><script/><p>text</p></body></html>`, []string{"text"}, []string{"```"}, nil},
		{"XHTML without a document", xhtml, `<p>a<br/>b<span/>c</p>`, []string{"a", "b", "c"}, nil, nil},
		{"broken XHTML", xhtml, `<p>a</b><script><![CDATA[ <p>never`, []string{"a"}, nil, nil},
		{"RSS", "application/rss+xml", `<rss version="2.0"><channel><title>News</title><language>fr</language><description>All of it</description><item><title>First</title><link>https://example.com/1</link><description>&lt;b&gt;bold&lt;/b&gt; text</description></item></channel></rss>`,
			[]string{"# News", "All of it", "## [First](https://example.com/1)", "**bold** text"}, []string{"&lt;"}, []string{"https://example.com/1"}},
		{"a feed called HTML", html, `<?xml version="1.0"?><!-- x --><rss><channel><title>News</title><item><title>First</title><link>https://example.com/1</link></item></channel></rss>`,
			[]string{"# News", "[First](https://example.com/1)"}, nil, []string{"https://example.com/1"}},
		{"Atom", "application/atom+xml", `<feed xmlns="http://www.w3.org/2005/Atom"><title>Log</title><entry><title>One</title><link rel="alternate" href="/one"/><updated>2025-01-02T03:04:05Z</updated><content type="html">&lt;p&gt;Body&lt;/p&gt;</content></entry></feed>`,
			[]string{"# Log", "[One](https://example.com/one)", "2025-01-02", "Body"}, nil, []string{"https://example.com/one"}},
		{"a JSON feed", "application/feed+json", `{"version":"https://jsonfeed.org/version/1.1","title":"Feed","language":"en","items":[{"id":"1","url":"https://example.com/1","title":"Item","content_html":"<p>Hello <em>you</em></p>","date_published":"2025-01-02"},{"external_url":"/2","content_text":"a < b"}]}`,
			[]string{"# Feed", "[Item](https://example.com/1)", "Hello *you*", "a < b"}, []string{"```"}, []string{"https://example.com/1", "https://example.com/2"}},
		{"a feed that breaks in its first entry", "application/atom+xml", `<feed><entry><link href=/1 /><title>One</title></entry></feed>`, []string{"```xml\n", "<title>One</title>"}, nil, nil},
		{"plain text", "text/plain; charset=utf-8", "a < b\n<p>not markup</p>", []string{"a < b\n<p>not markup</p>"}, nil, nil},
		{"JSON", "application/json", `{"a": [1, 2]}`, []string{"```json\n", `{"a": [1, 2]}`}, nil, nil},
		{"broken JSON", "application/json", `{"a": [1, `, []string{`{"a": [1,`}, nil, nil},
		{"XML", "text/xml", `<data><x>1</x></data>`, []string{"```xml\n", "<x>1</x>"}, nil, nil},
		{"a feed that breaks off", "application/rss+xml", `<rss><channel><title>News</title><item><title>First</title><link>https://example.com/1`, []string{"News", "First"}, nil, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			page := content.Parse(content.Source{Body: []byte(c.body), ContentType: c.contentType, URL: "https://example.com/docs/page"})
			markdown := asMarkdown(page, content.Options{})
			for _, want := range c.want {
				if !strings.Contains(markdown, want) {
					t.Errorf("markdown %q lacks %q", markdown, want)
				}
			}
			for _, not := range c.not {
				if strings.Contains(markdown, not) {
					t.Errorf("markdown %q has %q", markdown, not)
				}
			}
			if len(c.want) == 0 && markdown != "" {
				t.Errorf("markdown of a page without text: %q", markdown)
			}
			if got := page.Links(); !slices.Equal(got, c.links) {
				t.Errorf("links: got %q, want %q", got, c.links)
			}
			if out := asHTML(page, content.Options{OnlyMain: true}); !utf8.ValidString(out) || !utf8.ValidString(markdown) {
				t.Errorf("not UTF-8: %q, %q", out, markdown)
			}
		})
	}
}

// TestNestedFrames checks that frames in frames neither multiply a page nor make
// its tree deeper and deeper.
func TestNestedFrames(t *testing.T) {
	t.Parallel()
	body := "bottom"
	for range 12 {
		body = strings.Repeat("<div>", 30) + `<iframe srcdoc="` + strings.NewReplacer("&", "&amp;", `"`, "&quot;").Replace(body) + `"></iframe>`
	}
	if markdown := formats(parse("top" + body)); !strings.Contains(markdown, "top") || len(markdown) > len(body) {
		t.Errorf("%d bytes of markdown from %d", len(markdown), len(body))
	}
}

// TestNestedShadowRoots checks the same of shadow roots in each other's slots,
// and that many slots take no more time than few.
func TestNestedShadowRoots(t *testing.T) {
	t.Parallel()
	host := `<x-y><template shadowrootmode="open">` + strings.Repeat("<div>", 40) + `<slot></slot>` + strings.Repeat("</div>", 40) + `</template>`
	if markdown := formats(parse(strings.Repeat(host, 200) + "bottom")); !strings.Contains(markdown, "bottom") {
		t.Errorf("the text is lost: %.100q", markdown)
	}
	var many strings.Builder
	many.WriteString(`<x-y><template shadowrootmode="open">`)
	for i := range 100_000 {
		fmt.Fprintf(&many, `<slot name="%d"></slot>`, i)
	}
	many.WriteString(`</template>` + strings.Repeat(`<i slot="99999">x</i>`, 100_000))
	formats(parse(many.String()))
}

// TestHugeAttributes is a matter of finishing: each attribute is looked at by
// something, and none of it more than once.
func TestHugeAttributes(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	const size = 4 << 20
	for name, unit := range map[string]string{
		`<p class="`: "x ", `<p style="`: "background:url(x);", `<img srcset="`: "a.png 1x, ", `<a href="`: "a/", `<meta name="d" content="`: "é",
		`<img alt="`: "[x](", `<img src="data:`: "A", `<img src="`: " ", `<a title="`: "&quot;", `<iframe srcdoc="`: "<p>", `<p id="`: "-",
		`<base href="`: "/..", `<html lang="`: "-", `<link rel="`: "icon ", `<meta property="`: "og:", `<img data-src="`: "{", `<p x`: " x",
	} {
		t.Run(name, func(t *testing.T) {
			markdown := formats(parse(`<p>before</p>` + name + strings.Repeat(unit, size/len(unit)) + `"><p>after</p>`))
			if !strings.Contains(markdown, "before") && !strings.Contains(name, "html") {
				t.Errorf("the text is lost: %.100q", markdown)
			}
		})
	}
}
