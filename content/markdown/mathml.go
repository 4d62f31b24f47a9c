package markdown

import (
	"github.com/trawlhq/trawl/content/chars"
	"github.com/trawlhq/trawl/content/dom"
	"github.com/trawlhq/trawl/internal/mathml"
)

// maxMathNesting bounds how deep formulas are read.
const maxMathNesting = 100

// formulaReader reads MathML of a page.
type formulaReader struct {
	left int  // elements and bytes of text that may still be read
	cut  bool // something was left out
}

func (f *formulaReader) element(n *dom.Node, depth int) mathml.Element {
	e := mathml.Element{Name: n.Data, Get: n.Lookup}
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		if f.left--; f.left < 0 || depth == maxMathNesting {
			f.cut = true
			break
		}
		switch c.Type {
		case dom.TextNode:
			text := chars.Truncate(c.Data, f.left)
			f.left -= len(text)
			f.cut = f.cut || len(text) < len(c.Data)
			e.Children = append(e.Children, mathml.Element{Text: chars.Collapse(text)})
		case dom.ElementNode:
			e.Children = append(e.Children, f.element(c, depth+1))
		}
	}
	return e
}
