package content_test

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strings"
	"testing"

	"github.com/trawlhq/trawl/content"
)

// generatedPages are pages of about 200 KB, each heavy in one thing.
func generatedPages() map[string]string {
	repeat := func(start, unit string) string {
		var b strings.Builder
		b.WriteString("<!DOCTYPE html><html><head><title>T</title></head><body><main>" + start)
		for i := 0; b.Len() < 200_000; i++ {
			fmt.Fprintf(&b, unit, i)
		}
		return b.String()
	}
	return map[string]string{
		"ordinary": strings.Repeat(samplePage(), 8),
		"links":    repeat("<ul>", `<li class="item"><a href="/some/path/of/a/page/%d" class="link">A link to a page</a></li>`),
		"images":   repeat("", `<img src="/blank.gif" data-src="/img/%d.jpg" srcset="/a.jpg 1x, /b.jpg 2x" alt="An image" width="10" height="10">`),
		"tables":   repeat("<table>", `<tr class="row"><td class="cell">Cell %d</td><td>another of them</td><td>and one more</td></tr>`),
		"prose":    repeat("", `<p>Paragraph %d has some sentences and no more than that. They are as long as sentences are, and say what sentences say.</p>`),
		"deep":     repeat("", `<div class="wrap"><div class="inner"><span>Some text of number %d</span></div></div>`),
	}
}

// memory returns how many bytes are allocated for each byte of a page in all its
// formats, by so many tries at most, or one that is good enough. The space to find
// main content in is not among them: it is used again for the next page.
func memory(body []byte, tries int, enough float64) float64 {
	var before, after runtime.MemStats
	all := func() {
		page := content.Parse(content.Source{Body: body, ContentType: "text/html", URL: "https://example.com/a/b"})
		asMarkdown(page, content.Options{OnlyMain: true, RemoveBase64: true})
		page.Links()
		page.Images()
		page.Metadata()
	}
	defer debug.SetGCPercent(debug.SetGCPercent(-1)) // it would take that space away
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))  // it is kept by processor
	least := math.Inf(1)
	for try := 0; try < tries && least > enough; try++ { // the race detector makes pools forgetful
		runtime.ReadMemStats(&before)
		all()
		runtime.ReadMemStats(&after)
		least = min(least, float64(after.TotalAlloc-before.TotalAlloc)/float64(len(body)))
	}
	return least
}

// mostMemory is what a page may take for each of its bytes, all that is allocated
// for it counted.
const mostMemory = 12

// TestMemory bounds what a page takes while it is processed by its size. It
// measures memory, so it runs by itself. Tables of many small cells are the
// worst: they have a node for every few bytes.
func TestMemory(t *testing.T) {
	for name, page := range generatedPages() {
		most := float64(mostMemory)
		if name == "tables" {
			most = 20
		}
		got := memory([]byte(page), 40, most)
		t.Logf("%s: for each byte %.1f are allocated", name, got)
		if got > most {
			t.Errorf("%s takes too much", name)
		}
	}
}

// TestMemoryOfPages does the same for the saved pages beneath TRAWL_PAGES. Small
// pages do not count, for every page takes a few kilobytes.
func TestMemoryOfPages(t *testing.T) {
	sum, most, count, above := 0.0, 0.0, 0, 0
	for _, file := range pageFiles(t) {
		body, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if len(body) < 4<<10 {
			continue
		}
		got := memory(body, 8, 0)
		sum, most, count = sum+got, max(most, got), count+1
		if got > mostMemory {
			above++
		}
	}
	t.Logf("%d pages: for each byte %.1f are allocated, at most %.1f, on %d pages more than %d", count, sum/float64(count), most, above, mostMemory)
	if above*50 > count {
		t.Errorf("%d of %d pages take too much", above, count)
	}
}

// pageFiles returns the saved pages beneath TRAWL_PAGES, as <set>/pages/<id>.html.
func pageFiles(tb testing.TB) []string {
	folder := os.Getenv("TRAWL_PAGES")
	if folder == "" {
		tb.Skip("TRAWL_PAGES is not set")
	}
	files, err := filepath.Glob(filepath.Join(folder, "*", "pages", "*.html"))
	if err != nil || len(files) == 0 {
		tb.Fatalf("no pages beneath %s: %v", folder, err)
	}
	return files
}

// BenchmarkPages reads the saved pages beneath TRAWL_PAGES: all that needs no
// main content, from the tree.
func BenchmarkPages(b *testing.B) {
	var pages []*content.Page
	for _, file := range pageFiles(b) {
		body, err := os.ReadFile(file)
		if err != nil {
			b.Fatal(err)
		}
		pages = append(pages, content.Parse(content.Source{Body: body, ContentType: "text/html", URL: "https://example.com/a/b"}))
	}
	for name, read := range map[string]func(p *content.Page){
		"links":    func(p *content.Page) { p.Links() },
		"images":   func(p *content.Page) { p.Images() },
		"metadata": func(p *content.Page) { p.Metadata() },
		"html":     func(p *content.Page) { asHTML(p, content.Options{}) },
	} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for i := 0; b.Loop(); i++ {
				read(pages[i%len(pages)])
			}
		})
	}
}
