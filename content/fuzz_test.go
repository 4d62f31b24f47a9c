package content_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/trawlhq/trawl/content"
)

// addPages seeds a fuzz target with the test pages.
func addPages(f *testing.F, add func(body []byte)) {
	for _, pattern := range []string{"testdata/*.html", "testdata/*.xml"} {
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
