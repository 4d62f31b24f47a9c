package main

import (
	"flag"
	"os"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "rewrite the documentation")

// TestReference compares the documentation with the settings; -update rewrites it.
func TestReference(t *testing.T) {
	t.Parallel()
	const path = "../../docs/configuration.md"
	page, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	got := execute(t, nil, "config", "--markdown")
	if got.code != 0 {
		t.Fatalf("config --markdown failed: %s", got.stderr)
	}
	intro, _, found := strings.Cut(string(page), "## Server\n")
	if !found {
		t.Fatal("the page has no reference")
	}
	if string(page) == intro+got.stdout {
		return
	}
	if !*update {
		t.Fatalf("%s is not what the settings say; run the test with -update", path)
	}
	if err := os.WriteFile(path, []byte(intro+got.stdout), 0o644); err != nil {
		t.Fatal(err)
	}
}
