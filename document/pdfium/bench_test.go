package pdfium_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/trawlhq/trawl/document/pdfium/pdftest"
)

// article is a file of full pages of text, in a font per line as books have it.
func article(pages int) pdftest.File {
	var content strings.Builder
	content.WriteString(pdftest.Text("F2", 16, 72, 720, "A heading over the text"))
	for line := range 45 {
		text := fmt.Sprintf("Line %d of the page has about as many words as are usual in a book set (tightly).", line)
		content.WriteString(pdftest.Text("F3", 11, 72, float64(690-14*line), text))
	}
	content.WriteString(pdftest.Box(72, 700, 468, 0.5))
	file := pdftest.File{}
	for range pages {
		file.Pages = append(file.Pages, pdftest.Page{Content: content.String()})
	}
	return file
}

func BenchmarkPage(b *testing.B) {
	const pages = 20
	d := open(b, article(pages))
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		if _, err := d.Page(i % pages); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkOpen(b *testing.B) {
	file := article(1)
	body := file.Bytes()
	for b.Loop() {
		d, err := started(b).Open(b.Context(), body)
		if err != nil {
			b.Fatal(err)
		}
		d.Close()
	}
}

// BenchmarkFiles reads all files of the folder pdf in the one that TRAWL_DOCUMENTS names.
func BenchmarkFiles(b *testing.B) {
	folder := os.Getenv("TRAWL_DOCUMENTS")
	names, err := filepath.Glob(filepath.Join(folder, "pdf", "*.pdf"))
	if folder == "" || err != nil || len(names) == 0 {
		b.Skip("no files")
	}
	pages := 0
	for b.Loop() {
		for _, name := range names {
			body, err := os.ReadFile(name)
			if err != nil {
				b.Fatal(err)
			}
			d, err := started(b).Open(b.Context(), body)
			if err != nil {
				continue
			}
			for i := range d.Pages() {
				if _, err := d.Page(i); err == nil {
					pages++
				}
			}
			d.Close()
		}
	}
	b.ReportMetric(float64(pages)/b.Elapsed().Seconds(), "pages/s")
}
