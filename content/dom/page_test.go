package dom_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// realPages returns the HTML files beneath the folder TRAWL_PAGES, and skips
// without it.
func realPages(tb testing.TB) []string {
	tb.Helper()
	root := os.Getenv("TRAWL_PAGES")
	if root == "" {
		tb.Skip("TRAWL_PAGES is not set")
	}
	var pages []string
	err := filepath.WalkDir(root, func(path string, _ fs.DirEntry, err error) error {
		if err != nil || filepath.Ext(path) != ".html" {
			return err
		}
		body, err := os.ReadFile(path)
		pages = append(pages, strings.ToValidUTF8(string(body), "\uFFFD"))
		return err
	})
	if err != nil {
		tb.Fatal(err)
	}
	return pages
}

// generatedPage is a page of ordinary make, some 60 KB.
func generatedPage() string {
	var b strings.Builder
	b.WriteString(`<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><title>Measure &amp; compare</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<script>window.data = [1, 2, 3]; if (1 < 2) { document.write("<p>") }</script><style>p { margin: 0 }</style></head>
<body class="page"><nav><ul class="menu">`)
	for i := range 60 {
		n := strconv.Itoa(i)
		b.WriteString("\n  <li id=\"menu-item-" + n + "\" class=\"menu-item menu-item-type-post\"><a href=\"/section/" + n + "?a=1&amp;b=2\"><span>Section " + n + "</span></a></li>")
	}
	b.WriteString("\n</ul></nav><main><article>")
	for i := range 120 {
		n := strconv.Itoa(i)
		b.WriteString("\n<h2 id=part-" + n + ">Part " + n + `</h2>
<p>Some <strong>strong</strong> words, <em>soft</em> ones, and <a class="ref" href="https://example.com/` + n + `" rel="nofollow">a link</a>.
A line more to read, with a comma &mdash; and a dash.<!-- a remark --></p>
<div class="figure"><img src="/images/` + n + `.jpg" alt="Picture ` + n + `" width="640" height="480"><br></div>
<table><tr><td>One</td><td>Two</td></tr><tr><td>` + n + `</td><td>Four</td></tr></table>`)
	}
	b.WriteString("\n</article></main><footer><p>The end</footer></body></html>\n")
	return b.String()
}
