package change_test

import (
	"strings"
	"testing"

	"github.com/trawlhq/trawl/change"
)

// Rules of markdown look like the names of the texts, and are lines like others.
func TestLines(t *testing.T) {
	t.Parallel()
	var got strings.Builder
	for kind, line := range change.Lines("--- previous\n+++ current\n@@ -1,3 +1,2 @@\n same\n----\n--- gone\n+++ new\n") {
		got.WriteString(string(kind) + line + "|")
	}
	if want := "@@@ -1,3 +1,2 @@|  same|-----|---- gone|++++ new|"; got.String() != want {
		t.Errorf("%s, want %s", got.String(), want)
	}
}
