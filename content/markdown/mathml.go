package markdown

import (
	"golang.org/x/net/html/atom"

	"github.com/trawlhq/trawl/content/chars"
	"github.com/trawlhq/trawl/content/dom"
)

// texWriter writes MathML as TeX: fractions, roots, scripts and tables; all
// else is the row of what is in it.
type texWriter struct {
	out []byte
	cut bool // something was left out
}

func (t *texWriter) row(n *dom.Node, depth int) {
	if depth > maxMathNesting || len(t.out) > maxFormula {
		t.cut = t.cut || n.FirstChild != nil
		return
	}
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		t.node(c, depth+1)
	}
}

// maxMathNesting bounds how deep formulas are read.
const maxMathNesting = 100

func (t *texWriter) node(n *dom.Node, depth int) {
	switch n.Type {
	case dom.TextNode:
		t.token(chars.Collapse(n.Data))
	case dom.ElementNode:
		t.element(n, depth)
	}
}

// token appends a symbol or a number. A letter behind a command needs a space.
func (t *texWriter) token(s string) {
	switch s {
	case "":
		return
	case "{", "}", "%", "#", "&", "$", "_":
		t.out = append(t.out, '\\')
	case "\u2061", "\u2062", "\u2063", "\u2064": // signs that are not seen
		return
	}
	t.out = append(t.out, s...)
}

func (t *texWriter) element(n *dom.Node, depth int) {
	switch n.Data {
	case "annotation", "annotation-xml", "mphantom":
	case "mfrac":
		t.out = append(t.out, `\frac`...)
		t.groups(n, depth, "", "")
	case "msqrt":
		t.out = append(t.out, `\sqrt{`...)
		t.row(n, depth)
		t.out = append(t.out, '}')
	case "mroot":
		t.root(n, depth)
	case "msup", "mover":
		t.scripts(n, depth, "^")
	case "msub", "munder":
		t.scripts(n, depth, "_")
	case "msubsup", "munderover":
		t.scripts(n, depth, "_", "^")
	case "mtr":
		t.row(n, depth)
		if n.NextElement() != nil {
			t.out = append(t.out, ` \\ `...)
		}
	case "mtd":
		t.row(n, depth)
		if n.NextElement() != nil {
			t.out = append(t.out, ` & `...)
		}
	case "mtable":
		t.out = append(t.out, `\begin{matrix} `...)
		t.row(n, depth)
		t.out = append(t.out, ` \end{matrix}`...)
	case "mspace":
		t.out = append(t.out, ' ')
	case "mtext":
		t.out = append(t.out, `\text{`...)
		t.row(n, depth)
		t.out = append(t.out, '}')
	default:
		if n.Atom != atom.Script && n.Atom != atom.Style {
			t.row(n, depth)
		}
	}
}

// root appends a root whose second child says which.
func (t *texWriter) root(n *dom.Node, depth int) {
	base := n.FirstChild
	for base != nil && base.Type != dom.ElementNode {
		base = base.NextSibling
	}
	if base == nil {
		return
	}
	t.out = append(t.out, `\sqrt`...)
	if index := base.NextElement(); index != nil {
		t.out = append(t.out, '[')
		t.node(index, depth+1)
		t.out = append(t.out, ']')
	}
	t.out = append(t.out, '{')
	t.node(base, depth+1)
	t.out = append(t.out, '}')
}

// groups appends each child in braces with the signs before the first ones.
func (t *texWriter) groups(n *dom.Node, depth int, signs ...string) {
	i := 0
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		if c.Type != dom.ElementNode {
			continue
		}
		if i < len(signs) {
			t.out = append(t.out, signs[i]...)
		}
		t.out = append(t.out, '{')
		t.node(c, depth+1)
		t.out = append(t.out, '}')
		i++
	}
}

// scripts appends the first child bare and the others behind their signs.
func (t *texWriter) scripts(n *dom.Node, depth int, signs ...string) {
	i := 0
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		switch {
		case c.Type != dom.ElementNode:
			continue
		case i == 0:
			t.node(c, depth+1)
		case i <= len(signs):
			t.script(c, depth, signs[i-1])
		}
		i++
	}
}

// script appends one script; a single letter or digit needs no braces.
func (t *texWriter) script(c *dom.Node, depth int, sign string) {
	t.out = append(t.out, sign...)
	from := len(t.out)
	t.out = append(t.out, '{')
	t.node(c, depth+1)
	if len(t.out) == from+2 {
		t.out[from] = t.out[from+1]
		t.out = t.out[:from+1]
		return
	}
	t.out = append(t.out, '}')
}
