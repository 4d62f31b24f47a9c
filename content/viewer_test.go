package content_test

import (
	"strings"
	"testing"

	"github.com/trawlhq/trawl/content"
)

func TestShownFile(t *testing.T) {
	t.Parallel()
	prose := "<p>" + strings.Repeat("This page has a text of its own. ", 20)
	menu := "<nav>" + strings.Repeat(`<a href="/x">Some page of the site</a> `, 100) + "</nav>"
	for _, row := range []struct{ name, html, want string }{
		{"embed", `<body><embed src="/a/report.pdf" type="application/pdf">`, "http://a.example/a/report.pdf"},
		{"by its type", `<embed src="/get?id=7" type="application/pdf">`, "http://a.example/get?id=7"},
		{"object", `<object data="report.pdf#page=2" type="application/pdf"><p>` + prose + `</object>`, "http://a.example/docs/report.pdf"},
		{"embed in an object", `<object data="r.pdf" type="application/pdf"><embed src="r.pdf"></object>`, "http://a.example/docs/r.pdf"},
		{"frame", menu + `<h1>The report</h1><iframe src="https://b.example/r.PDF?x=1" width="600"></iframe><footer>` + prose + `</footer>`, "https://b.example/r.PDF?x=1"},
		{"Google's viewer", `<iframe src="https://docs.google.com/viewer?url=http%3A%2F%2Fa.example%2Fr.pdf&amp;embedded=true"></iframe>`, "http://a.example/r.pdf"},
		{"Microsoft's viewer", `<iframe src="https://view.officeapps.live.com/op/embed.aspx?src=https%3A%2F%2Fa.example%2Fr.docx"></iframe>`, "https://a.example/r.docx"},
		{"pdf.js", `<iframe src="/pdfjs/web/viewer.html?file=%2Ffiles%2Fr.pdf"></iframe>`, "http://a.example/files/r.pdf"},
		{"an article with a file", prose + `<embed src="r.pdf" type="application/pdf">`, ""},
		{"two files", `<embed src="r.pdf"><embed src="s.pdf">`, ""},
		{"the same twice", `<embed src="r.pdf"><iframe src="r.pdf#toolbar=0"></iframe>`, "http://a.example/docs/r.pdf"},
		{"a hidden frame", `<iframe src="r.pdf" style="display:none"></iframe>`, ""},
		{"another frame", `<iframe src="/video.html"></iframe>`, ""},
		{"data", `<embed src="data:application/pdf;base64,JVBERi0=" type="application/pdf">`, ""},
		{"a script", `<embed src="javascript:alert(1)//.pdf" type="application/pdf">`, ""},
		{"a viewer of a script", `<iframe src="/viewer.html?file=javascript:x.pdf"></iframe>`, ""},
		{"a link", `<a href="r.pdf">The report</a>`, ""},
		{"nothing", ``, ""},
	} {
		page := content.Parse(content.Source{Body: []byte("<!doctype html>" + row.html), ContentType: "text/html", URL: "http://a.example/docs/"})
		if got := page.ShownFile(); got != row.want {
			t.Errorf("%s: got %q, want %q", row.name, got, row.want)
		}
	}
	own := content.Parse(content.Source{Body: []byte(`<div id="viewer" class="pdfViewer">`), ContentType: "text/html", URL: "http://a.example/web/viewer.html?file=../r.pdf"})
	if got := own.ShownFile(); got != "http://a.example/r.pdf" {
		t.Errorf("a viewer by itself: %q", got)
	}
	for name, body := range map[string]string{"text": "plain", "JSON": `{"a":1}`} {
		if got := content.Parse(content.Source{Body: []byte(body), ContentType: "application/json"}).ShownFile(); got != "" {
			t.Errorf("%s: %q", name, got)
		}
	}
}
