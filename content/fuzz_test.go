package content_test

import (
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/trawlhq/trawl/content"
)

// addPages seeds a fuzz target with the test pages.
func addPages(f *testing.F, add func(body []byte)) {
	for _, pattern := range []string{"testdata/*.html", "testdata/*.xml", "markdown/testdata/golden/*.html"} {
		files, err := filepath.Glob(pattern)
		if err != nil {
			f.Fatal(err)
		}
		for _, file := range files {
			body, err := os.ReadFile(file)
			if err != nil {
				f.Fatal(err)
			}
			add(body)
		}
	}
}

// FuzzParse feeds any bytes of any type and checks what every page promises.
func FuzzParse(f *testing.F) {
	addPages(f, func(body []byte) { f.Add(body, "text/html", "https://example.com/a/b", "div > p, .x") })
	f.Add([]byte(`{"a":1}`), "application/json", "", "p")
	f.Add([]byte(`{"version":"https://jsonfeed.org/version/1","items":[{"content_html":"<p>"}]}`), "application/feed+json", "", "p")
	f.Add([]byte(`<frameset><frame src=a><noframes><p>b`), "", "https://example.com", "p")
	f.Add([]byte(`<iframe srcdoc="<a href=x>y<iframe srcdoc=z>">`), "text/html", "https://example.com", "div")
	f.Add([]byte("<rss><channel><title>t"), "application/rss+xml", "http://[", ":nth-child(2n)")
	f.Fuzz(func(t *testing.T, body []byte, contentType, url, selector string) {
		page := content.Parse(content.Source{Body: body, ContentType: contentType, URL: url})
		o := content.Options{OnlyMain: true, RemoveBase64: true, Exclude: []string{selector}}
		for _, out := range []string{asMarkdown(page, o), asHTML(page, o), asMarkdown(page, content.Options{Include: []string{selector}})} {
			if !utf8.ValidString(out) {
				t.Errorf("output is not UTF-8: %q", out)
			}
		}
		for _, address := range append(page.Links(), page.Images()...) {
			if !strings.HasPrefix(address, "http://") && !strings.HasPrefix(address, "https://") {
				t.Errorf("address %q is not of the web", address)
			}
		}
		page.Metadata()
		_ = content.CheckSelectors([]string{selector})
	})
}

// FuzzMetadata checks what the metadata of every page promises, and that linked
// data is read whatever its state.
func FuzzMetadata(f *testing.F) {
	addPages(f, func(body []byte) { f.Add(string(body), `{"@type":"Article","headline":"h"}`, "de") })
	f.Add(`<html lang=x><meta name=a content=b><title>`, `[{"@graph":[{"@type":["a",1],"description":"\ud83d\u0"}]},{]`, "*")
	f.Fuzz(func(t *testing.T, body, linked, header string) {
		body += `<script type="application/ld+json">` + linked + `</script>`
		page := content.Parse(content.Source{Body: []byte(body), ContentType: "text/html", URL: "https://example.com/", Language: header})
		tags, locales := page.Metadata()
		if len(tags) > 1100 || len(locales) > 500 {
			t.Errorf("%d tags and %d locales", len(tags), len(locales))
		}
		for name, value := range tags {
			if name == "" || value == "" || len(name) > 200 || len(value) > 10<<10 || !utf8.ValidString(name+value) {
				t.Errorf("tag %q: %q", name, value)
			}
		}
		again, _ := page.Metadata()
		if !maps.Equal(tags, again) {
			t.Errorf("got %q, then %q", tags, again)
		}
	})
}

// FuzzXHTML checks that XHTML is read like HTML, also where it is broken.
func FuzzXHTML(f *testing.F) {
	f.Add(`<p>a<br/><![CDATA[b]]><script/>c`)
	f.Add(`<div a="/>" b='>'/><?pi?><!-- <x/> --><style>`)
	f.Fuzz(func(t *testing.T, body string) {
		page := content.Parse(content.Source{Body: []byte(body), ContentType: "application/xhtml+xml", URL: "https://example.com/"})
		if out := asHTML(page, content.Options{}); !utf8.ValidString(out) {
			t.Errorf("output is not UTF-8: %q", out)
		}
		page.Links()
		page.Metadata()
	})
}

// FuzzMarkdown checks the form of markdown, and that main content is never
// empty while the page has something to say.
func FuzzMarkdown(f *testing.F) {
	addPages(f, func(body []byte) { f.Add(string(body)) })
	f.Add("<b>a<p>b</b>c<table><tr><td>x<ul><li><pre>y")
	f.Fuzz(func(t *testing.T, body string) {
		page := parse(body)
		whole := asMarkdown(page, content.Options{})
		main := asMarkdown(page, content.Options{OnlyMain: true})
		if main == "" && whole != "" {
			t.Errorf("main content is empty, the page is not: %q", whole)
		}
		for _, markdown := range []string{whole, main} {
			if strings.Contains(markdown, " \n") || strings.HasSuffix(markdown, "\n") || strings.HasSuffix(markdown, " ") || strings.HasPrefix(markdown, "\n") {
				t.Errorf("loose white space: %q", markdown)
			}
		}
	})
}
