package docx

import (
	"github.com/trawlhq/trawl/document/tex"
	"github.com/trawlhq/trawl/document/zipped"
)

// formula returns a formula in TeX.
func (r *reader) formula(n *zipped.Node) string {
	formula := tex.Office(n)
	r.doc.Formula(len(formula), tex.MaxLength)
	return formula
}

// equations returns the formulas of an element in TeX, one for each line.
func (r *reader) equations(n *zipped.Node) []string {
	if n.Name == "m:oMath" {
		if formula := r.formula(n); formula != "" {
			return []string{formula}
		}
		return nil
	}
	var all []string
	for c := range n.All() {
		if c.Name == "m:oMath" || c.Name == "w:ins" {
			all = append(all, r.equations(c)...)
		}
	}
	return all
}
