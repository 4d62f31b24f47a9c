package markdown_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/trawlhq/trawl/content/address"
	"github.com/trawlhq/trawl/content/dom"
	"github.com/trawlhq/trawl/content/markdown"
)

// BenchmarkWrite writes a generated page of ordinary size and, with TRAWL_PAGES,
// the HTML files in that folder's sets, one page an operation.
func BenchmarkWrite(b *testing.B) {
	b.Run("generated", func(b *testing.B) { benchmarkPages(b, []string{ordinaryPage()}) })
	root := os.Getenv("TRAWL_PAGES")
	if root == "" {
		return
	}
	files, err := filepath.Glob(filepath.Join(root, "*", "pages", "*.html"))
	if err != nil || len(files) == 0 {
		b.Fatalf("%d pages in %s, %v", len(files), root, err)
	}
	var pages []string
	for _, file := range files {
		page, err := os.ReadFile(file)
		if err != nil {
			b.Fatal(err)
		}
		pages = append(pages, strings.ToValidUTF8(string(page), "\ufffd"))
	}
	b.Run("pages", func(b *testing.B) { benchmarkPages(b, pages) })
}

func benchmarkPages(b *testing.B, pages []string) {
	var parts []dom.Part
	total := 0
	for _, page := range pages {
		parts = append(parts, dom.Part{Roots: []*dom.Node{dom.Parse(page).Body()}})
		total += len(page)
	}
	options := markdown.Options{Base: address.NewBase(pageURL, "")}
	b.SetBytes(int64(total / len(pages)))
	b.ReportAllocs()
	i := 0
	for b.Loop() {
		markdown.Write(parts[i%len(parts)], options)
		i++
	}
}

// ordinaryPage returns a page of about 110 KB with navigation, prose, lists, tables
// and code.
func ordinaryPage() string {
	var b strings.Builder
	b.WriteString("<!doctype html><title>Page</title><nav><ul>")
	for i := range 150 {
		fmt.Fprintf(&b, `<li class="menu-item item-%d"><a href="/section/%d/index.html" class="menu-link">Section %d</a></li>`+"\n", i, i, i)
	}
	b.WriteString("</ul></nav><main>")
	for i := range 106 {
		fmt.Fprintf(&b, `<section class="part" id="s%d"><h2>Heading %d <a class="headerlink" href="#s%d">¶</a></h2>`, i, i, i)
		b.WriteString(`<p class="lead">Some prose with <b>bold</b>, <em>emphasised</em> and <code>inline_code()</code>, and a
<a href="../other/page.html?a=1&amp;b=2">link to another page</a>. It goes on for a while, as prose does, with
commas, dashes – and a [bracket] or two; 3 * 4 is 12 and snake_case is a name.</p>
<p>Another paragraph that has nothing but words in it, some of them longer than others, until it ends here.</p>
<ul><li>First item</li><li>Second item with <a href="https://example.org/x">a link</a></li><li>Third<ol><li>nested</li></ol></li></ul>`)
		if i%5 == 0 {
			b.WriteString(`<table><thead><tr><th>Name</th><th align="right">Value</th></tr></thead><tbody>`)
			for row := range 8 {
				fmt.Fprintf(&b, `<tr><td>Row %d</td><td>%d <i>units</i></td></tr>`, row, row*row)
			}
			b.WriteString(`</tbody></table><pre><code class="language-go">func main() {
	fmt.Println("hello")
}</code></pre>`)
		}
		b.WriteString(`<figure><img src="/images/picture.jpg" alt="A picture" width="640" height="480"><figcaption>What it shows</figcaption></figure></section>`)
	}
	b.WriteString("</main>")
	return b.String()
}
