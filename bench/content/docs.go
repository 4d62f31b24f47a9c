package main

import (
	"fmt"
	"io"
	"maps"
	"slices"

	"github.com/trawlhq/trawl/bench/score"
)

// scores compares what an extractor found with the references.
func (m measured) scores(e int) []score.Page {
	list := make([]score.Page, len(m.pages))
	for i, p := range m.pages {
		list[i] = score.Compare(p.reference, m.chosen[e].words(m.found[e][i]))
	}
	return list
}

// printScores prints how well and how fast the pages were read by each extractor,
// and by trawl for each package if that is wanted.
func (m measured) printScores(w io.Writer, packages bool) {
	fmt.Fprintln(w, "| extractor | pages | "+score.Header+" | ms a page | against x/net parse |")
	fmt.Fprintln(w, "|---|---|---|---|---|---|---|---|---|")
	var byTrawl []score.Page
	for e, x := range m.chosen {
		ms, ratio := m.perPage(e)
		if x.name == parser {
			fmt.Fprintf(w, "| %s | %d | | | | | | %.2f | %.2f |\n", x.name, len(m.pages), ms, ratio)
			continue
		}
		pages := m.scores(e)
		if x.name == trawl {
			byTrawl = pages
		}
		fmt.Fprintf(w, "| %s | %d | %v | %.2f | %.2f |\n", x.name, len(pages), score.MeanOf(pages), ms, ratio)
	}
	if packages && byTrawl != nil {
		m.printPackages(w, byTrawl)
	}
}

func (m measured) printPackages(w io.Writer, pages []score.Page) {
	groups := map[string][]score.Page{}
	for i, p := range m.pages {
		groups[p.pkg] = append(groups[p.pkg], pages[i])
	}
	fmt.Fprintln(w, "\n| trawl, by package | pages | "+score.Header+" |\n|---|---|---|---|---|---|---|")
	for _, name := range slices.Sorted(maps.Keys(groups)) {
		fmt.Fprintf(w, "| %s | %d | %v |\n", name, len(groups[name]), score.MeanOf(groups[name]))
	}
}
