// Package treetest writes documents in short, for the tests of those who read them.
package treetest

import (
	"fmt"
	"iter"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/trawlhq/trawl/document/tree"
)

// Show writes a document in short: headings, paragraphs and lists much as in HTML.
func Show(doc *tree.Document) string {
	var b strings.Builder
	showBlocks(&b, doc.Body)
	for _, n := range doc.Notes {
		fmt.Fprintf(&b, "[%s]: ", n.Name)
		showBlocks(&b, n.Body)
	}
	return b.String()
}

func showBlocks(b *strings.Builder, blocks []tree.Block) {
	for _, block := range blocks {
		switch block := block.(type) {
		case *tree.Heading:
			fmt.Fprintf(b, "<h%d>%s</h%d>", block.Level, showSpans(block.Text), block.Level)
		case *tree.Paragraph:
			fmt.Fprintf(b, "<p>%s</p>", showSpans(block.Text))
		case *tree.Formula:
			fmt.Fprintf(b, "$$%s$$", block.TeX)
		case *tree.Code:
			fmt.Fprintf(b, "<pre>%s</pre>", block.Text)
		case *tree.Rule:
			b.WriteString("<hr>")
		case *tree.Quote:
			b.WriteString("<quote>")
			showBlocks(b, block.Body)
			b.WriteString("</quote>")
		case *tree.Group:
			b.WriteString("<" + block.Name + ">")
			showBlocks(b, block.Body)
			b.WriteString("</" + block.Name + ">")
		case *tree.List:
			b.WriteString("<list>")
			for _, item := range block.Items {
				fmt.Fprintf(b, "<%s>", strings.TrimSpace("item "+[]string{"", "[ ]", "[x]"}[item.Check]+item.Label))
				showBlocks(b, item.Body)
			}
			b.WriteString("</list>")
		case *tree.Table:
			showTable(b, block)
		}
	}
}

func showTable(b *strings.Builder, t *tree.Table) {
	b.WriteString("<table>")
	for i, row := range t.Rows {
		b.WriteString("<tr>")
		for _, c := range row.Cells {
			name := "td"
			if i < t.Header {
				name = "th"
			}
			if c.Columns > 1 || c.Rows > 1 {
				name += fmt.Sprintf(" %dx%d", max(c.Columns, 1), max(c.Rows, 1))
			}
			fmt.Fprintf(b, "<%s>%s", name, c.Text)
			showBlocks(b, c.Body)
		}
	}
	b.WriteString("</table>")
}

func showSpans(spans []tree.Span) string {
	var b strings.Builder
	for _, s := range spans {
		text := strings.ReplaceAll(s.Text, "\n", "<br>")
		switch {
		case s.Note != "":
			text = "[" + s.Note + "]"
		case s.Image != nil:
			text = "![" + s.Image.Alt + "](" + s.Image.Source + ")"
		case s.TeX != "":
			text = "$" + s.TeX + "$"
		}
		for i, name := range []string{"b", "i", "s", "u", "code", "sup", "sub"} {
			if s.Style&(1<<i) != 0 {
				text = "<" + name + ">" + text + "</" + name + ">"
			}
		}
		if s.Link != "" {
			text = "<a " + s.Link + ">" + text + "</a>"
		}
		b.WriteString(text)
	}
	return b.String()
}

// Corpus returns the files whose paths in the folder TRAWL_DOCUMENTS match a pattern.
// The test is skipped if there is none.
func Corpus(t *testing.T, pattern string) iter.Seq2[string, []byte] {
	t.Helper()
	folder := os.Getenv("TRAWL_DOCUMENTS")
	if folder == "" {
		t.Skip("TRAWL_DOCUMENTS does not name a folder of documents")
	}
	return func(yield func(string, []byte) bool) {
		names, _ := filepath.Glob(filepath.Join(folder, pattern))
		for _, name := range names {
			body, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			if !yield(name, body) {
				return
			}
		}
	}
}
