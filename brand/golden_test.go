package brand_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/trawlhq/trawl/brand"
)

var update = flag.Bool("update", false, "write the goldens anew")

// Pages of different design, as a real browser shows them.
func TestGolden(t *testing.T) {
	t.Parallel()
	pool, base := newPool(t), pages(t, "testdata/pages")
	files, err := filepath.Glob("testdata/pages/*.html")
	if err != nil || len(files) < 10 {
		t.Fatalf("%d pages, %v", len(files), err)
	}
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".html")
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			measured := measure(t, pool, base+"/"+name, whole())
			kit, err := brand.Read(measured, base+"/"+name)
			if err != nil {
				t.Fatal(err)
			}
			var text bytes.Buffer
			encoder := json.NewEncoder(&text)
			encoder.SetEscapeHTML(false)
			encoder.SetIndent("", "  ")
			if err := encoder.Encode(kit.Branding); err != nil {
				t.Fatal(err)
			}
			compare(t, filepath.Join("testdata", "golden", name+".json"), strings.ReplaceAll(text.String(), base, "http://site.test"))
		})
	}
}

func compare(t *testing.T, file, got string) {
	t.Helper()
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("%s differs; got\n%s", file, got)
	}
}
