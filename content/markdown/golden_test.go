package markdown_test

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write the golden files anew")

// TestGolden compares the markdown of every page in testdata/golden with the
// file of the same name that ends in .md. Each is about one behaviour.
func TestGolden(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("testdata/golden/*.html")
	if err != nil || len(files) == 0 {
		t.Fatalf("%d files, %v", len(files), err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".html"), func(t *testing.T) {
			t.Parallel()
			compareGolden(t, file)
		})
	}
}

func compareGolden(t *testing.T, file string) {
	page, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	got := write(string(page)) + "\n"
	golden := strings.TrimSuffix(file, ".html") + ".md"
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
func checkShape(t *testing.T, text string) {
	t.Helper()
	fenced, blank := false, false
	for line := range strings.SplitSeq(strings.TrimSuffix(text, "\n"), "\n") {
		if strings.HasPrefix(strings.TrimLeft(line, " >-*0123456789.)"), "```") {
			fenced = !fenced
		}
		if strings.TrimRight(line, " \t") != line {
			t.Errorf("line ends in white space: %q", line)
		}
		if line == "" && blank && !fenced {
			t.Errorf("two blank lines in a row in:\n%s", text)
		}
		blank = line == ""
	}
}
