package dom_test

import (
	"fmt"
	"runtime"
	"strings"
	"testing"

	"golang.org/x/net/html/atom"

	"github.com/trawlhq/trawl/content/dom"
)

// maxDepth is what the trees promise: 512, and the few levels that a table at
// that depth has.
const maxDepth = 520

// checkTree checks that the links of a tree agree, that the IDs are those of
// the tree, and the depth.
func checkTree(t *testing.T, tree *dom.Tree) {
	t.Helper()
	depths, deepest := make([]int, tree.Size), 0
	for n := tree.Root; n != nil; n = dom.Following(n, tree.Root, true) {
		if n.ID < 0 || int(n.ID) >= tree.Size || depths[n.ID] != 0 {
			t.Fatalf("ID %d of %d is wrong", n.ID, tree.Size)
		}
		depths[n.ID] = 1
		if n != tree.Root {
			depths[n.ID] += depths[n.Parent.ID]
		}
		deepest = max(deepest, depths[n.ID])
		if n.Type == dom.TextNode && n.Data == "" {
			t.Fatal("an empty text")
		}
		var previous *dom.Node
		for c := n.FirstChild; c != nil; c = c.NextSibling {
			if c.Parent != n || c.PrevSibling != previous {
				t.Fatalf("the links of <%s> in <%s> are wrong", c.Data, n.Data)
			}
			previous = c
		}
		if n.LastChild != previous {
			t.Fatalf("the last child of <%s> is wrong", n.Data)
		}
		for i, a := range n.Attr {
			for _, b := range n.Attr[:i] {
				if a.Key == b.Key {
					t.Fatalf("<%s> has %q twice", n.Data, a.Key)
				}
			}
		}
	}
	if deepest > maxDepth {
		t.Fatalf("the tree is %d levels deep", deepest)
	}
}

func textOf(tree *dom.Tree) string { return tree.Root.InnerText(1 << 30) }

func TestDeepNesting(t *testing.T) {
	t.Parallel()
	for _, tag := range []string{
		"div", "b", "b id=x", "a href=x", "font", "span", "p", "ul><li", "li", "dl><dt", "blockquote", "table", "table><tr><td", "table><caption", "table><b",
		"pre", "svg", "svg><desc", "math", "math><mi", "math><annotation-xml encoding=text/html", "x-y", "template", "template><tr", "noscript",
		"form><div", "form></form", "form><div></form", "object", "button", "select", "select><option", "optgroup", "ruby><rt", "h1", "nobr", "body", "frameset", "iframe></iframe",
	} {
		t.Run(tag, func(t *testing.T) {
			t.Parallel()
			page := "start" + strings.Repeat("<"+tag+">", 200_000) + "bottom"
			tree := dom.Parse(page)
			checkTree(t, tree)
			if got := textOf(tree); got != "startbottom" && got != "bottomstart" {
				t.Errorf("text is lost: %.100q", got)
			}
		})
	}
}

// TestDeepEnds closes more elements than can be open: what follows is where it
// belongs.
func TestDeepEnds(t *testing.T) {
	t.Parallel()
	const depth = 2000
	tree := dom.Parse("<main>" + strings.Repeat("<div>", depth) + "x" + strings.Repeat("</div>", depth) + "<footer>y")
	footer := tree.Body().FirstChild.LastChild
	if !footer.Is(atom.Footer) || footer.InnerText(10) != "y" {
		t.Errorf("the footer is not in main but <%s> is", footer.Data)
	}
}

// TestMany is a matter of finishing, and of memory: quadratic work would take
// hours. It measures memory, so it runs by itself.
func TestMany(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	const size = 3 << 20
	var b strings.Builder
	for i := 0; b.Len() < size/8; i++ {
		fmt.Fprintf(&b, "<b id=%d>", i)
	}
	differentBold := b.String()
	for name, page := range map[string]string{
		"siblings":             strings.Repeat("<p>x", size/4),
		"attributes":           "<p " + strings.Repeat("a ", size/2) + ">",
		"different attributes": "<p " + differentBold + ">" + strings.Repeat("<p "+strings.ReplaceAll(differentBold[:2500], "<b", "")+">", size/2500),
		"long attribute":       `<p title="` + strings.Repeat("x", size) + `">`,
		"open attribute":       `<p title="` + strings.Repeat("<p title=", size/9),
		"body attributes":      strings.Repeat("<body a b c d>", size/14),
		"ever different bold":  differentBold + strings.Repeat("<p>x", size/4),
		"reopened":             differentBold[:4000] + strings.Repeat("<p>x", size/4),
		"reopened in cells":    "<table>" + strings.Repeat("<td><p><b id=1><b id=2><b id=3></p>x", size/36),
		"reopened in objects":  strings.Repeat("<p><b id=1><b id=2><object></p>x", size/32),
		"links with blocks":    strings.Repeat("<a><div>", size/8),
		"adopted":              strings.Repeat("<b><div><i><u><s><div><i><u><s><div></b></b>", size/44),
		"adopted children":     "<b><p>" + strings.Repeat("<br>", size/4) + strings.Repeat("</b><b><p>", 1000),
		"ends":                 "<b><table>" + strings.Repeat("</b></td></object></x>", size/22),
		"fostered":             "<table>" + strings.Repeat("x<tr><b>", size/8),
		"fostered text":        "<table>" + strings.Repeat("x<tr>", size/5),
		"tables":               strings.Repeat("<table>", size/7),
		"tables in a depth":    strings.Repeat("<div>", 600) + strings.Repeat("<table></table>", size/15),
		"selects":              strings.Repeat("<select><option>", size/16),
		"templates":            strings.Repeat("<template><td></template>", size/25),
		"nested templates":     strings.Repeat("<template><tr>", size/14),
		"formatted depth":      strings.Repeat("<b>", 2000) + strings.Repeat("<p>x</p>", size/8),
		"text in pieces":       strings.Repeat("x</x>", size/5),
		"comments":             strings.Repeat("x<!---->", size/8),
		"dashes":               "<!--" + strings.Repeat("-", size),
		"references":           strings.Repeat("&lt;", size/4),
		"unknown references":   strings.Repeat("&a", size/2),
		"long reference":       "&" + strings.Repeat("a", size) + "&#" + strings.Repeat("9", size),
		"scripts":              "<script>" + strings.Repeat("<!--<script></script>", size/21),
		"open scripts":         strings.Repeat("<script><!-- ", size/13),
		"raw text":             "<style>" + strings.Repeat("</styl", size/6),
		"cdata":                "<svg>" + strings.Repeat("<![CDATA[x", size/10),
		"brackets":             strings.Repeat("<", size),
		"carriage returns":     strings.Repeat("\r", size),
		"zeros":                strings.Repeat("\x00<\x00", size/3),
		"zeros in names":       strings.Repeat("<a\x00 \x00=\x00>", size/8),
	} {
		t.Run(name, func(t *testing.T) {
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			tree := dom.Parse(page)
			runtime.ReadMemStats(&after)
			if factor := (after.TotalAlloc - before.TotalAlloc) / uint64(len(page)); factor > 100 {
				t.Errorf("%d bytes of memory per byte of the page", factor)
			}
			checkTree(t, tree)
		})
	}
}
