package content_test

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/trawlhq/trawl/content"
)

var update = flag.Bool("update", false, "write the golden files anew")

// TestGolden compares the markdown of testdata/*.html and *.xml with the file
// of the same name that ends in .md. Files whose name starts with main- are
// reduced to their main content.
func TestGolden(t *testing.T) {
	t.Parallel()
	for _, pattern := range []string{"testdata/*.html", "testdata/*.xml"} {
		files, err := filepath.Glob(pattern)
		if err != nil || len(files) == 0 {
			t.Fatalf("%s: %d files, %v", pattern, len(files), err)
		}
		for _, file := range files {
			t.Run(filepath.Base(file), func(t *testing.T) {
				t.Parallel()
				compareGolden(t, file)
			})
		}
	}
}

func compareGolden(t *testing.T, file string) {
	body, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	contentType := "text/html"
	if filepath.Ext(file) == ".xml" {
		contentType = "application/xml"
	}
	page := content.Parse(content.Source{Body: body, ContentType: contentType, URL: "https://example.com/docs/page?x=y"})
	options := content.Options{OnlyMain: strings.HasPrefix(filepath.Base(file), "main-"), RemoveBase64: true}
	got := asMarkdown(page, options) + "\n"
	golden := strings.TrimSuffix(file, filepath.Ext(file)) + ".md"
	if *update {
		if err := os.WriteFile(golden, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("markdown of %s differs from %s:\n%s", file, golden, got)
	}
	checkShape(t, got)
}

// checkShape checks what holds for the markdown of every page.
func checkShape(t *testing.T, markdown string) {
	t.Helper()
	fenced := false
	blank := false
	for line := range strings.SplitSeq(strings.TrimSuffix(markdown, "\n"), "\n") {
		text := strings.TrimLeft(line, " >-*0123456789.)")
		if strings.HasPrefix(text, "```") {
			fenced = !fenced
		}
		if strings.TrimRight(line, " \t") != line {
			t.Errorf("line ends in white space: %q", line)
		}
		if line == "" && blank && !fenced {
			t.Errorf("two blank lines in a row in:\n%s", markdown)
		}
		blank = line == ""
	}
}
