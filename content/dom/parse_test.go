package dom_test

import (
	"strings"
	"testing"

	"golang.org/x/net/html/atom"

	"github.com/trawlhq/trawl/content/dom"
)

// TestParse shows what a page becomes, in the form of the vectors.
func TestParse(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, page, body string }{
		{"comments part texts", "<p>a<!-- c -->b", `<p> "a" "b"`},
		{"stray tags do not", "<p>a</x>b</y>c", `<p> "abc"`},
		{"names in any case", "<DIV ID=X Class=y><Custom-Tag>", `<div> class="y" id="X" <custom-tag>`},
		{"the first of equal attributes", "<p a=1 A=2 b c= >", `<p> a="1" b="" c=""`},
		{"line ends", "<p title='a\r\nb'>c\rd\r\n</p>", `<p> title="a b" "c d "`},
		{"zeros", "<p t=\x00>a\x00b<svg>\x00", "<p> t=\"\uFFFD\" \"ab\" <svg svg> \"\uFFFD\""},
		{"a newline that is no content", "<pre>\nx</pre><textarea>&#10;y</textarea>", `<pre> "x" <textarea> "y"`},
		{"noscript has markup", "<p><noscript><img src=x></noscript>", `<p> <noscript> <img> src="x"`},
		{"templates have children", "<p><template><td>x", `<p> <template> content <td> "x"`},
		{"text out of a table", "<table>x<tr><td>y", `"x" <table> <tbody> <tr> <td> "y"`},
		{"a table in a paragraph of a quirky page", "<p><table>", `<p> <table>`},
		{"formatting that is given up", "<a><b><i><s><u><div></a></div></u></s></i>x", `<a> <b> <i> <s> <u> <i> <s> <u> <div> <a> "x"`},
		{"SVG", "<svg viewbox=1 xlink:href=x><foreignobject><p><![CDATA[x", `<svg svg> viewBox="1" xlink href="x" <svg foreignObject> <p>`},
	} {
		tree := dom.Parse(c.page)
		checkTree(t, tree)
		_, body, _ := strings.Cut(dump(tree), "<body>\n")
		got := strings.Join(strings.Fields(strings.ReplaceAll(body, "| ", "")), " ")
		if got != c.body {
			t.Errorf("%s: %q\n got %s\nwant %s", c.name, c.page, got, c.body)
		}
	}
}

func TestQuirks(t *testing.T) {
	t.Parallel()
	for doctype, quirky := range map[string]bool{
		"":                true,
		"<!doctype html>": false,
		"<!doctype html system 'about:legacy-compat'>": false,
		"<!doctype svg>": true,
		`<!doctype html public "-//W3C//DTD HTML 4.01 Transitional//EN">`:       true,
		`<!doctype html public "-//W3C//DTD HTML 4.01 Transitional//EN" "a">`:   false,
		`<!doctype html public "-//W3C//DTD XHTML 1.0 Transitional//EN" "a" b>`: false,
		`<!doctype html public "-//IETF//DTD HTML 2.0//EN" "a">`:                true,
		`<!doctype html public "x>`:                                             true,
		`<!doctype html nonsense>`:                                              true,
		"<!-- before --><!doctype html>":                                        false,
		"<p></p><!doctype html>":                                                true,
	} {
		tree := dom.Parse(doctype + "<p><table>")
		table := tree.Root
		for table != nil && !table.Is(atom.Table) {
			table = dom.Following(table, tree.Root, true)
		}
		if got := table.Parent.Is(atom.P); got != quirky {
			t.Errorf("%s: quirks mode is %t", doctype, got)
		}
	}
}

// TestNodesOfTrees checks what is made without the parser, and the IDs.
func TestNodesOfTrees(t *testing.T) {
	t.Parallel()
	tree, body := dom.NewDocument()
	body.AppendChild(tree.Element(atom.P, tree.Text("x")))
	other := dom.Parse("<ul><li>y<li>z")
	tree.Graft(body, other.Body())
	checkTree(t, tree)
	if got := tree.Body().InnerText(10); got != "xyz" || tree.Body() != body {
		t.Errorf("the text is %q", got)
	}
}
