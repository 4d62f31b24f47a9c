package trawl_test

import (
	"strings"
	"testing"

	"github.com/trawlhq/trawl"
)

// TestUnsealed changes a copy of a document that was written already: the copy has
// all that the document has, and shows the change.
func TestUnsealed(t *testing.T) {
	t.Parallel()
	text, other := "before", "after"
	doc := &trawl.Document{Markdown: &text, Answer: &text, Product: []byte(`{"title":"Lamp"}`), Branding: &trawl.Branding{ColorScheme: "dark"}}
	sealed := string(doc.Seal())
	fresh := doc.Unsealed()
	if got := string(fresh.Seal()); got != sealed {
		t.Errorf("the copy is %s, want %s", got, sealed)
	}
	fresh = doc.Unsealed()
	fresh.Answer = &other
	if got := string(fresh.Seal()); !strings.Contains(got, `"answer":"after"`) || string(doc.Seal()) != sealed {
		t.Errorf("the changed copy is %s", got)
	}
}
