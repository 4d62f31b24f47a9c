package adblock_test

import (
	"os"
	"runtime"
	"testing"

	"github.com/trawlhq/trawl/adblock"
)

// The benchmarks use the lists in the folder that ADBLOCK_LISTS names, or else
// the built-in one, which tells little.
func benchEngine(b *testing.B) *adblock.Engine {
	b.Helper()
	dir := os.Getenv("ADBLOCK_LISTS")
	if dir == "" {
		return adblock.Builtin()
	}
	e, err := adblock.Load(dir)
	if err != nil {
		b.Fatal(err)
	}
	return e
}

func BenchmarkLoad(b *testing.B) {
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	kept := benchEngine(b)
	runtime.GC()
	runtime.ReadMemStats(&after)
	for b.Loop() {
		benchEngine(b)
	}
	b.ReportMetric(float64(after.HeapAlloc-before.HeapAlloc)/(1<<20), "MiB-kept")
	b.Logf("%+v", kept.Stats())
}

func BenchmarkBlocksHost(b *testing.B) {
	e := benchEngine(b)
	for name, host := range map[string]string{
		"blocked": "securepubads.g.doubleclick.net",
		"other":   "static.assets.example.org",
		"same":    "cdn.news.example.com",
	} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				e.BlocksHost("www.news.example.com", host)
			}
		})
	}
}

// requests are of the kinds a news page makes.
var requests = []adblock.Request{
	{URL: "https://www.news.example.com/assets/js/main.5f2d1c.js?v=20240611", Type: "script"},
	{URL: "https://static.example.net/fonts/inter/v12/UcC73FwrK3iLTeHuS_fvQtMwCp50KnMa1ZL7W0Q5nw.woff2", Type: "font"},
	{URL: "https://cdn.example.org/images/2024/06/11/large/a-picture-of-a-harbour_1280x720.jpg?quality=80&auto=webp", Type: "image"},
	{URL: "https://api.news.example.com/v2/articles/related?id=184467&limit=12&fields=title,url,image", Type: "xhr"},
	{URL: "https://securepubads.g.doubleclick.net/tag/js/gpt.js", Type: "script"},
	{URL: "https://www.googletagmanager.com/gtm.js?id=GTM-ABC123", Type: "script"},
	{URL: "https://www.google-analytics.com/g/collect?v=2&tid=G-XYZ&cid=1234.5678&dl=https%3A%2F%2Fwww.news.example.com%2F", Type: "ping"},
	{URL: "https://cdnjs.cloudflare.com/ajax/libs/jquery/3.7.1/jquery.min.js", Type: "script"},
	{URL: "https://player.vimeo.com/video/76979871?h=8272103f6e&title=0&byline=0", Type: "subdocument"},
	{URL: "https://fonts.googleapis.com/css2?family=Inter:wght@400;600;700&display=swap", Type: "stylesheet"},
}

func BenchmarkMatch(b *testing.B) {
	e := benchEngine(b)
	b.ReportAllocs()
	blocked := 0
	for i := 0; b.Loop(); i++ {
		r := requests[i%len(requests)]
		r.Page = "https://www.news.example.com/2024/06/11/harbour"
		if e.Match(r) {
			blocked++
		}
	}
	b.ReportMetric(float64(blocked)/float64(b.N), "blocked/op")
}

func BenchmarkCosmetic(b *testing.B) {
	e := benchEngine(b)
	b.ReportAllocs()
	for b.Loop() {
		e.Cosmetic("www.news.example.com")
	}
	b.ReportMetric(float64(len(e.Cosmetic("www.news.example.com"))), "B-sheet")
}
