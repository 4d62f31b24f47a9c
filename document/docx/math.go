package docx

import (
	"github.com/trawlhq/trawl/document/tex"
	"github.com/trawlhq/trawl/document/zipped"
)

// equations returns the formulas of an element in TeX, one for each line.
func equations(n *zipped.Node) []string {
	if n.Name == "m:oMath" {
		if formula := tex.Office(n); formula != "" {
			return []string{formula}
		}
		return nil
	}
	var all []string
	for c := range n.All() {
		if c.Name == "m:oMath" || c.Name == "w:ins" {
			all = append(all, equations(c)...)
		}
	}
	return all
}
