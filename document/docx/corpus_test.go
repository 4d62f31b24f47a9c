package docx_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/trawlhq/trawl/document/docx"
	"github.com/trawlhq/trawl/document/internal/treetest"
)

// TestCorpus reads the documents of a folder, if there is one: none may fail.
func TestCorpus(t *testing.T) {
	t.Parallel()
	for name, body := range treetest.Corpus(t, "*/*.docx") {
		doc, err := docx.Read(body)
		if err != nil {
			t.Errorf("%s: %v", filepath.Base(name), err)
		} else if got := show(doc); got == "" && !strings.HasPrefix(filepath.Base(name), "empty") {
			t.Errorf("%s: nothing was read", filepath.Base(name))
		}
	}
}

func BenchmarkRead(b *testing.B) {
	body := strings.Repeat(p("H2", r("", "A heading"))+p("", r("", "Some text with ")+r("<w:b/>", "emphasis")+r("", " and more."))+item(2, 0, "An item"), 2000)
	file := document(b, body, numbering)
	b.SetBytes(int64(len(body)))
	for b.Loop() {
		if _, err := docx.Read(file); err != nil {
			b.Fatal(err)
		}
	}
}
