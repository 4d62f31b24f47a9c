package blocks

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/trawlhq/trawl/content/dom"
)

// trees returns the pages of the folder that TRAWL_PAGES names, every tenth.
func trees(b *testing.B) []*dom.Tree {
	folder := os.Getenv("TRAWL_PAGES")
	if folder == "" {
		b.Skip("TRAWL_PAGES names no folder of pages")
	}
	files, err := filepath.Glob(filepath.Join(folder, "*", "pages", "*.html"))
	if err != nil {
		b.Fatal(err)
	}
	var all []*dom.Tree
	for i := 0; i < len(files); i += 10 {
		body, err := os.ReadFile(files[i])
		if err != nil {
			b.Fatal(err)
		}
		all = append(all, dom.Parse(string(body)))
	}
	return all
}

func BenchmarkSurvey(b *testing.B) {
	all := trees(b)
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		new(walker).survey(all[i%len(all)], nil, "")
	}
}

func BenchmarkFeatures(b *testing.B) {
	all := trees(b)
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		new(walker).survey(all[i%len(all)], nil, "").eachBatch(true, func([]int16) {}, func([]int16) {})
	}
}

func BenchmarkMain(b *testing.B) {
	all := trees(b)
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		t := all[i%len(all)]
		Main(t, dom.Part{Roots: []*dom.Node{t.Body()}}, "")
	}
}
