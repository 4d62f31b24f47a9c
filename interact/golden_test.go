package interact_test

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write what commands print into the golden files")

// requestID is what the browser numbers requests by.
var requestID = regexp.MustCompile(`(?m)^\[[0-9A-F.]+\] (GET|POST)`)

// TestGolden runs the commands of testdata/golden. A line that begins with a dollar is a
// command, or the first line of several; what follows is what it prints, and how it ends
// if that is not well.
func TestGolden(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("testdata/golden/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatal("no golden files", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txt"), func(t *testing.T) {
			t.Parallel()
			data, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			r := newRig(t, nil)
			var got strings.Builder
			for _, part := range strings.Split("\n"+string(data), "\n$ ")[1:] {
				script, _, _ := strings.Cut(part, "\n---")
				out := r.run(script)
				fmt.Fprintf(&got, "$ %s\n---\n%s%s", script, requestID.ReplaceAllString(out.Stdout, "[id] $1"), out.Stderr)
				if out.ExitCode != 0 || out.Killed {
					fmt.Fprintf(&got, "(exit %d)\n", out.ExitCode)
				}
			}
			if *update {
				if err := os.WriteFile(file, []byte(got.String()), 0o644); err != nil {
					t.Fatal(err)
				}
			} else if got.String() != string(data) {
				t.Errorf("%s differs; got:\n%s", file, got.String())
			}
		})
	}
}
