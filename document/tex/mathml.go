package tex

import (
	"strings"

	"github.com/trawlhq/trawl/document/zipped"
	"github.com/trawlhq/trawl/internal/mathml"
)

// MathML writes a formula in MathML, which is the element math:math. If that gives
// nothing, what the author typed is taken.
func MathML(n *zipped.Node) string {
	formula := elementOf(n)
	if tex := mathml.TeX(&formula); tex != "" {
		return tex
	}
	annotation := n.Child("math:semantics").Child("math:annotation")
	return strings.Join(strings.Fields(annotation.Content()), " ")
}

func elementOf(n *zipped.Node) mathml.Element {
	e := mathml.Element{Name: strings.TrimPrefix(n.Name, "math:"), Text: n.Text, Get: n.Lookup}
	for c := range n.All() {
		e.Children = append(e.Children, elementOf(c))
	}
	return e
}
