package markdown_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/net/html/atom"

	"github.com/trawlhq/trawl/content/dom"
)

// TestDrop leaves out what says "gone" and elements of the class gone.
func TestDrop(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, page, want string }{
		{"a cell keeps its place", "<table><tr><th>a</th><th>b</th></tr><tr><td class=gone>1</td><td>2</td></tr></table>",
			"| a | b |\n| --- | --- |\n|  | 2 |"},
		{"the text of a cell", "<table><tr><th>a</th><th>b</th></tr><tr><td>gone</td><td>2</td></tr></table>",
			"| a | b |\n| --- | --- |\n|  | 2 |"},
		{"a row", "<table><tr><th>a</th><th>b</th></tr><tr class=gone><td>1</td><td>2</td></tr><tr><td>3</td><td>4</td></tr></table>",
			"| a | b |\n| --- | --- |\n| 3 | 4 |"},
		{"all cells of the header", "<table><tr><th class=gone>a</th><th class=gone>b</th></tr><tr><td>1</td><td>2</td></tr><tr><td>3</td><td>4</td></tr></table>",
			"| 1 | 2 |\n| --- | --- |\n| 3 | 4 |"},
		{"items", "<ol><li>a</li><li class=gone>b</li><li>gone</li><li>d</li></ol>", "1. a\n3. d"},
		{"all items", "<p>x</p><ul><li>gone</li></ul>", "x"},
		{"text of a link", "<p>a <a href=/x>gone</a> b</p>", "a b"},
		{"heading of a link", "<a href=/x><h2>gone</h2><p>text</p></a>", "[text](https://example.com/x)"},
		{"text beside emphasis", "<p><b>bold</b>gone<i>it</i></p>", "**bold** *it*"},
		{"emphasis", "<p>a <b class=gone>bold</b> b</p>", "a b"},
		{"lines of code", "<pre><div>a</div><div class=gone>b</div><div>c</div></pre><pre>gone</pre>", "```\na\nc\n```"},
		{"a note", "<p>a<sup><a href=#n>1</a></sup></p><ol class=footnotes><li id=n>gone</li></ol>", "a[1](https://example.com/docs/page?x=y#n)"},
		{"the caption of a table", "<table><caption class=gone>c</caption><tr><th>a</th><th>b</th></tr></table>", "| a | b |\n| --- | --- |"},
		{"a quote", "<blockquote>gone</blockquote><p>x</p>", "x"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			tree := dom.Parse(c.page)
			drop := tree.NewSet()
			for n := tree.Root; n != nil; n = dom.Following(n, tree.Root, true) {
				if n.Type == dom.TextNode && n.Data == "gone" || n.HasClass("gone") {
					drop.Add(n)
				}
			}
			if got := writeTree(tree, drop); got != c.want {
				t.Errorf("got  %q\nwant %q", got, c.want)
			}
		})
	}
}

// TestDropAnything leaves out every third node of the golden pages in turn: what
// is left is still well-formed, and nothing of what is gone is there.
func TestDropAnything(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("testdata/*/*.html")
	if err != nil || len(files) == 0 {
		t.Fatalf("%d files, %v", len(files), err)
	}
	for _, file := range files {
		page, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for offset := range 3 {
			tree := dom.Parse(string(page))
			drop := tree.NewSet()
			for n := tree.Body().FirstChild; n != nil; n = dom.Following(n, tree.Body(), true) {
				if int(n.ID)%3 == offset {
					drop.Add(n)
				}
			}
			text := writeTree(tree, drop)
			checkShape(t, text)
			checkTables(t, text)
		}
	}
}

// checkTables checks that all rows of a table are equally long.
func checkTables(t *testing.T, text string) {
	t.Helper()
	tree := dom.Parse(render(t, text))
	for n := tree.Root; n != nil; n = dom.Following(n, tree.Root, true) {
		if n.Is(atom.P) && strings.HasPrefix(n.InnerText(100), "| ") {
			t.Errorf("a table is none in:\n%s", text)
		}
	}
}
