package dom_test

import (
	"slices"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"github.com/trawlhq/trawl/content/dom"
)

// outline is a tree as text: tags with attributes, and texts; without comments
// and doctypes. Texts with nothing between them are one.
type outline struct {
	all, text strings.Builder
	inText    bool
}

// element begins an element. The order of attributes does not count: x/net
// sorts some.
func (o *outline) element(name string, attributes []string) {
	slices.Sort(attributes)
	o.all.WriteString("\n<" + name + " " + strings.Join(attributes, " "))
	o.inText = false
}

func (o *outline) end() {
	o.all.WriteString("\n>")
	o.inText = false
}

func (o *outline) write(text string) {
	if !o.inText {
		o.all.WriteByte('\n')
	}
	o.inText = true
	o.all.WriteString(text)
	o.text.WriteString(text)
}

// ours is the outline of our parser's tree.
func ours(page string) *outline {
	o := &outline{}
	var visit func(n *dom.Node)
	visit = func(n *dom.Node) {
		if n.Type == dom.TextNode {
			o.write(n.Data)
		}
		if n.Type == dom.ElementNode {
			var attributes []string
			for _, a := range n.Attr {
				attributes = append(attributes, a.Key+"="+a.Val)
			}
			o.element(n.Data, attributes)
			defer o.end()
		}
		for c := n.FirstChild; c != nil; c = c.NextSibling {
			visit(c)
		}
	}
	visit(dom.Parse(page).Root)
	return o
}

// theirs is the outline of x/net's tree, nil where x/net gives up.
func theirs(page string) *outline {
	doc, err := html.ParseWithOptions(strings.NewReader(page), html.ParseOptionEnableScripting(false))
	if err != nil {
		return nil
	}
	o := &outline{}
	var visit func(n *html.Node)
	visit = func(n *html.Node) {
		if n.Type == html.TextNode {
			o.write(n.Data)
		}
		if n.Type == html.ElementNode {
			var attributes []string
			for _, a := range n.Attr {
				key := a.Key
				if a.Namespace != "" {
					key = a.Namespace + ":" + key
				}
				attributes = append(attributes, key+"="+a.Val)
			}
			o.element(n.Data, attributes)
			defer o.end()
		}
		for c := n.FirstChild; c != nil; c = c.NextSibling {
			visit(c)
		}
	}
	visit(doc)
	return o
}

// TestRealPages says how far both parsers agree on real pages.
func TestRealPages(t *testing.T) {
	pages := realPages(t)
	texts, trees := 0, 0
	for _, page := range pages {
		a, b := ours(page), theirs(page)
		switch {
		case b == nil:
			t.Logf("x/net gives up: %.60q", page)
		case a.all.String() == b.all.String():
			texts++
			trees++
		case a.text.String() == b.text.String():
			texts++
			t.Logf("another tree: %s", difference(a.all.String(), b.all.String()))
		default:
			t.Logf("another text: %s", difference(a.text.String(), b.text.String()))
		}
	}
	t.Logf("%d pages, %d with the same text, %d with the same tree", len(pages), texts, trees)
	if texts < len(pages)*99/100 || trees < len(pages)*98/100 {
		t.Error("too many differ")
	}
}

// difference shows where two outlines part.
func difference(a, b string) string {
	i := 0
	for i < len(a) && i < len(b) && a[i] == b[i] {
		i++
	}
	from := max(i-100, 0)
	return strings.ToValidUTF8("ours "+quote(a, from, i+60)+"\ntheirs "+quote(b, from, i+60), "?")
}

func quote(s string, from, to int) string {
	return strings.ReplaceAll(s[from:min(to, len(s))], "\n", "⏎")
}
