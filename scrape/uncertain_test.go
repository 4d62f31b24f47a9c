package scrape_test

import (
	"strings"
	"testing"
	"time"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/scrape"
)

// TestUncertainMainContent scrapes a page of which half is named like a box that
// asks for consent: it comes whole, and the document says so.
func TestUncertainMainContent(t *testing.T) {
	t.Parallel()
	const paragraph = `<p>Functions in a trusted language cannot open files or start programs, and so anybody who may use the database may be allowed
to write some, without being able to do more than the language was meant for.</p>`
	s := scrape.New(scrape.Config{Fetch: serving("text/html", `<h1>Trusted</h1><div id="onetrust-banner">`+paragraph+paragraph+`</div>`+paragraph), Now: time.Now})
	defer s.Close()
	doc, err := s.Scrape(t.Context(), request(wanting(trawl.Format{Type: trawl.FormatMarkdown})))
	if err != nil {
		t.Fatal(err)
	}
	if strings.Count(*doc.Markdown, "cannot open files") != 3 || !strings.Contains(doc.Warning, "Main content uncertain") {
		t.Errorf("warning %q, markdown %q", doc.Warning, *doc.Markdown)
	}
}
