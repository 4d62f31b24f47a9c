package dom_test

import (
	"strings"
	"testing"

	"golang.org/x/net/html"

	"github.com/trawlhq/trawl/content/dom"
)

// BenchmarkParse sets the parser against x/net's, over a generated page and,
// with TRAWL_PAGES, over a folder of real ones.
func BenchmarkParse(b *testing.B) {
	parsers := []struct {
		name  string
		parse func(string)
	}{
		{"dom", func(page string) { dom.Parse(page) }},
		{"xnet", func(page string) {
			_, _ = html.ParseWithOptions(strings.NewReader(page), html.ParseOptionEnableScripting(false))
		}},
	}
	for _, pages := range []string{"generated", "real"} {
		for _, p := range parsers {
			b.Run(pages+"/"+p.name, func(b *testing.B) {
				set := []string{generatedPage()}
				if pages == "real" {
					set = realPages(b)
				}
				size := 0
				for _, page := range set {
					size += len(page)
				}
				b.SetBytes(int64(size))
				b.ReportAllocs()
				for b.Loop() {
					for _, page := range set {
						p.parse(page)
					}
				}
				b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N*len(set)), "µs/page")
			})
		}
	}
}
