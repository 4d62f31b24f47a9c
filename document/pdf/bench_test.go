package pdf_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/trawlhq/trawl/document/pdf"
	"github.com/trawlhq/trawl/document/pdfium/pdftest"
	"github.com/trawlhq/trawl/document/tree"
)

// BenchmarkRead reads text pages and writes them as HTML.
func BenchmarkRead(b *testing.B) {
	var content strings.Builder
	content.WriteString(pdftest.Text("F2", 16, 72, 720, "A heading over the text"))
	for line := range 45 {
		text := fmt.Sprintf("Line %d of the page has about as many words as are usual in a book set (tightly).", line)
		content.WriteString(pdftest.Text("F3", 11, 72, float64(690-14*line), text))
	}
	file := pdftest.File{Pages: make([]pdftest.Page, 20)}
	for i := range file.Pages {
		file.Pages[i].Content = content.String()
	}
	benchmark(b, file.Bytes())
}

// BenchmarkFiles does so with all files of the folder pdf in the one that
// TRAWL_DOCUMENTS names.
func BenchmarkFiles(b *testing.B) {
	folder := os.Getenv("TRAWL_DOCUMENTS")
	names, err := filepath.Glob(filepath.Join(folder, "pdf", "*.pdf"))
	if folder == "" || err != nil || len(names) == 0 {
		b.Skip("no files")
	}
	var bodies [][]byte
	for _, name := range names {
		body, err := os.ReadFile(name)
		if err != nil {
			b.Fatal(err)
		}
		bodies = append(bodies, body)
	}
	benchmark(b, bodies...)
}

func benchmark(b *testing.B, bodies ...[]byte) {
	pages := 0
	engine := started(b)
	b.ReportAllocs()
	for b.Loop() {
		for _, body := range bodies {
			doc, err := pdf.Read(b.Context(), engine, body, pdf.Options{})
			if err != nil {
				b.Fatal(err)
			}
			tree.Write(doc, 32<<20)
			pages += len(doc.Pages)
		}
	}
	b.ReportMetric(float64(pages)/b.Elapsed().Seconds(), "pages/s")
}
