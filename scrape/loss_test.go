package scrape_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/document"
	"github.com/trawlhq/trawl/scrape"
)

// wide is a table of so many columns.
func wide(columns int) string {
	return "<table><tr>" + strings.Repeat("<th>name</th>", columns) + "</tr><tr>" + strings.Repeat("<td>1</td>", columns) + "</tr></table>"
}

// frames are frames in each other.
func frames(depth int) string {
	html := "<p>innermost</p>"
	for range depth {
		html = `<iframe srcdoc="` + strings.NewReplacer("&", "&amp;", `"`, "&quot;").Replace(html) + `"></iframe>`
	}
	return html
}

// TestLosses scrapes pages just beyond limits that leave out content. Who adds such a
// limit adds a row. Those of files have their rows in package document.
func TestLosses(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("x+", 5200)
	for _, row := range []struct {
		name, body, warning string
	}{
		{"columns that fit", wide(1000), ""},
		{"columns", wide(1001), "A table has more than 1000 columns; those after are missing in markdown."},
		{"empty columns", strings.NewReplacer("name</th></tr>", "</th></tr>", "1</td></tr>", "</td></tr>").Replace(wide(1001)), ""},
		{"TeX", `<p>a</p><script type="math/tex">` + long + `</script>`, "A formula is too long or nested too deeply; a part of it is missing in markdown."},
		{"annotated TeX", `<p>a</p><math><annotation encoding="application/x-tex">` + long + `</annotation></math>`, "A formula is too long or nested too deeply; a part of it is missing in markdown."},
		{"MathML", `<p>a</p><math>` + strings.Repeat("<mrow><mi>x</mi></mrow>", 10_400) + `</math>`, "A formula is too long or nested too deeply; a part of it is missing in markdown."},
		{"nested MathML", `<p>a</p><math>` + strings.Repeat("<mrow>", 200) + "<mi>x</mi></math>", "A formula is too long or nested too deeply; a part of it is missing in markdown."},
		{"frames", "<p>text</p>" + frames(6), "A frame of the page, or its linked data, holds more than is read; the rest is missing."},
		{"linked data", `<script type="application/ld+json">{"@type":"Article","articleBody":"` + strings.Repeat("many words ", 30_000) + `"}</script>`, "A frame of the page, or its linked data, holds more than is read; the rest is missing."},
		{"output", `<base href="https://example.com/` + strings.Repeat("x", 8<<10) + `/">` + strings.Repeat(`<p>a <a href="b">c</a></p>`, 8500), "The page is longer than can be returned; the rest of it is missing."},
		{"a large page", "<p>" + strings.Repeat("<b></b>", 12<<20/7), "The page is very large; only its first"},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			s := scrape.New(scrape.Config{Fetch: serving("text/html", "<html><body>"+row.body), Now: time.Now})
			defer s.Close()
			doc, err := s.Scrape(t.Context(), request(func(r *scrape.Request) { r.OnlyMainContent = false }))
			if err != nil {
				t.Fatal(err)
			}
			if row.warning == "" && doc.Warning != "" || !strings.Contains(doc.Warning, row.warning) {
				t.Errorf("warning %q", doc.Warning)
			}
		})
	}
}

// TestLossesOfFiles is about what is lost on the way from the HTML of a file.
func TestLossesOfFiles(t *testing.T) {
	t.Parallel()
	unlisted := fileOf("one", "two", "three")
	unlisted.Pages[1].Blocks, unlisted.Pages[2].Blocks = nil, nil
	for name, row := range map[string]struct {
		file    *document.Result
		blocks  bool
		warning string
	}{
		"columns":            {&document.Result{HTML: []byte(wide(1001))}, false, "A table has more than 1000 columns; those after are missing in markdown."},
		"blocks":             {unlisted, true, "There are more blocks than can be listed; pages from 2 on have none."},
		"blocks, not wanted": {unlisted, false, ""},
	} {
		s := scrape.New(scrape.Config{Fetch: serving("application/pdf", "%PDF-1.4"), Documents: always(row.file), Now: time.Now})
		doc, err := s.Scrape(t.Context(), request(func(r *scrape.Request) {
			r.Parsers = []trawl.Parser{{Type: trawl.ParserPDF, Blocks: row.blocks}}
		}))
		s.Close()
		if err != nil || doc.Warning != row.warning {
			t.Errorf("%s: %s, %v", name, fmt.Sprintf("%q", doc.Warning), err)
		}
	}
}
