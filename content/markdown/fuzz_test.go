package markdown_test

import (
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"golang.org/x/net/html/atom"

	"github.com/trawlhq/trawl/content/dom"
)

// FuzzMarkdown puts texts into elements as shape says. Readers of the markdown
// see the same text, and no element that is not there.
func FuzzMarkdown(f *testing.F) {
	for _, text := range []string{
		"# heading", "1. item", "1|2) item", "- item|+ item", "> quote", "a | b|--- | ---", "```|~~~", "* * *|_ _ _", "[x](y)|[x]|(y)", "![a](b)",
		"[r]: https://example.com", "<b>x</b> &amp; &copy|; &|amp;", `C:\dir\*.txt \`, "*a* **b** _c_ __d__ ~e~ ~~f~~ `g`", "a*|*b|**", "===|---", "[ ] task|[x] task",
		"[^1]|[|^1]: x", "https://example.com/a_b_c", "<https://example.com>", "a\u00ad*\u200b*b", "“x”|y|。", "\u3000x\u2003", "!|[a]", "#|#", "\\|*",
	} {
		for _, shape := range []string{"", "pt", "ptbt", "ptitb", "utltr", "hc", "Tpt", "qupt", "ltltl", "aAtbi", "dtbtci", "ptgtnt", "xt.yt", "xct.xt.yptq"} {
			f.Add(text, shape)
		}
	}
	f.Fuzz(func(t *testing.T, text, shape string) {
		if !utf8.ValidString(text) || strings.ContainsRune(text, '$') || strings.Contains(text, `\(`) || strings.Contains(text, `\[`) || len(text)+len(shape) > 2000 {
			t.Skip("formulas are not escaped, and long inputs find no more")
		}
		if strings.Count(text, "[") > 100 {
			t.Skip("the renderer sees no link behind a thousand characters of open brackets")
		}
		tree, body := dom.NewDocument()
		b := builder{tree: tree, texts: strings.Split(text, "|"), shape: shape}
		b.fill(body, 0)
		out := writeTree(tree, nil)
		if strings.Contains(strings.ToLower(out), "[x](") {
			t.Skip("the renderer takes such a link for the checkbox of a task, unlike GitHub")
		}
		page := render(t, out)
		rendered := dom.Parse(page)
		if want, got := seen(body), seen(rendered.Body()); want != got {
			t.Errorf("%q became\n%s\nwhich reads\n%q, not\n%q", asHTML(body), out, got, want)
		}
		there := elements(body)
		for name := range elements(rendered.Body()) {
			if !there[name] {
				t.Errorf("%q became\n%s\nwhich has a new %s", asHTML(body), out, name)
			}
		}
	})
}

// builder makes a tree: every letter of shape is an element that is opened, or
// a text, or the end of the element at hand.
type builder struct {
	tree  *dom.Tree
	texts []string
	shape string
}

func (b *builder) next() byte {
	if b.shape == "" {
		return 0
	}
	c := b.shape[0]
	b.shape = b.shape[1:]
	return c
}

func (b *builder) text() *dom.Node {
	if len(b.texts) == 0 {
		return b.tree.Text("y")
	}
	text := b.texts[0]
	b.texts = b.texts[1:]
	return b.tree.Text(text)
}

// fill puts content beneath n. All texts end up somewhere.
func (b *builder) fill(n *dom.Node, depth int) {
	for {
		switch c := b.next(); {
		case c == 0:
			for n.Type == dom.ElementNode && len(b.texts) > 0 {
				n.AppendChild(b.text())
			}
			return
		case c == '.':
			return
		case c == 't' || depth > 8 || kinds[c] == nil:
			n.AppendChild(b.text())
		default:
			n.AppendChild(b.element(kinds[c], depth))
		}
	}
}

// kinds are chains of elements by the letter that stands for them.
var kinds = map[byte][]atom.Atom{
	'p': {atom.P}, 'd': {atom.Div}, 's': {atom.Small}, 'b': {atom.B}, 'i': {atom.I}, 'g': {atom.Del}, 'c': {atom.Code}, 'a': {atom.A},
	'u': {atom.Ul, atom.Li}, 'o': {atom.Ol, atom.Li}, 'l': {atom.Li}, 'q': {atom.Blockquote}, 'h': {atom.H2}, 'e': {atom.Pre},
	'T': {atom.Table, atom.Tr, atom.Th}, 'D': {atom.Td}, 'R': {atom.Tr, atom.Td}, 'n': {atom.Br}, 'r': {atom.Hr}, 'm': {atom.Img}, 'A': {atom.A, atom.Div},
	'x': {atom.Dl, atom.Dt}, 'y': {atom.Dd},
}

func (b *builder) element(chain []atom.Atom, depth int) *dom.Node {
	top := b.tree.Element(chain[0])
	n := top
	for _, name := range chain[1:] {
		child := b.tree.Element(name)
		n.AppendChild(child)
		n = child
	}
	switch chain[0] {
	case atom.A:
		top.Attr = []dom.Attribute{{Key: "href", Val: "/link_(a)"}, {Key: "aria-hidden", Val: "true"}} // without text it is nothing
	case atom.Img:
		top.Attr = []dom.Attribute{{Key: "src", Val: "/image.png"}, {Key: "alt", Val: "*[alt](x) & <b>`"}}
		return top
	case atom.Br, atom.Hr:
		return top
	}
	b.fill(n, depth+len(chain))
	return top
}

// seen returns the text beneath n without white space and what has no width.
func seen(root *dom.Node) string {
	var out strings.Builder
	for n := root; n != nil; n = dom.Following(n, root, true) {
		if n.Type != dom.TextNode {
			continue
		}
		for _, r := range n.Data {
			if !unicode.IsSpace(r) && !unicode.IsControl(r) && r != '\u00ad' && r != '\u200b' && r != '\ufeff' {
				out.WriteRune(r)
			}
		}
	}
	return out.String()
}

// elements returns the names of the elements beneath n that mean something, with
// those that others may become.
func elements(root *dom.Node) map[string]bool {
	same := map[string][]string{"b": {"strong"}, "i": {"em"}, "pre": {"code"}, "table": {"thead", "tbody", "br", "td", "th"}, "li": {"ul"}, "dt": {"strong", "br"}}
	found := map[string]bool{"body": true, "p": true}
	for n := root; n != nil; n = dom.Following(n, root, true) {
		if n.Type == dom.ElementNode {
			found[n.Data] = true
			for _, name := range same[n.Data] {
				found[name] = true
			}
		}
	}
	return found
}

// asHTML returns a tree for readers of a failure.
func asHTML(n *dom.Node) string {
	if n.Type == dom.TextNode {
		return n.Data
	}
	var out strings.Builder
	out.WriteString("<" + n.Data + ">")
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		out.WriteString(asHTML(c))
	}
	out.WriteString("</" + n.Data + ">")
	return out.String()
}
