package main

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"time"
)

const (
	leastParse = 200 * time.Microsecond // of a page that is compared with its own parse; less is too short to say much
	suspects   = 20
	again      = 10 // times that a suspect is measured once more
	shown      = 3
)

// ownParse compares the times that trawl takes with those of the parser, page by
// page.
type ownParse struct {
	measured
	pages []int // long enough, worst first
}

// compareParse measures the worst pages again, trawl and the parser by themselves:
// a pause of the machine, or the garbage of another extractor, makes a bad page of
// a good one.
func (m measured) compareParse(trawl int) ownParse {
	c := ownParse{measured: measured{
		pages: m.pages, chosen: []extractor{m.chosen[0], m.chosen[trawl]}, costs: []cost{m.costs[0], m.costs[trawl]},
	}}
	for i := range m.pages {
		if c.costs[0].times[i] >= leastParse {
			c.pages = append(c.pages, i)
		}
	}
	c.sort()
	for _, i := range c.pages[:min(suspects, len(c.pages))] {
		for range again {
			c.time(i)
		}
	}
	c.sort()
	return c
}

func (c ownParse) ratio(i int) float64 {
	return float64(c.costs[1].times[i]) / float64(c.costs[0].times[i])
}

func (c ownParse) sort() {
	slices.SortFunc(c.pages, func(a, b int) int { return cmp.Compare(c.ratio(b), c.ratio(a)) })
}

// printWorst names the pages that take trawl longest against their own parse.
func (m measured) printWorst(w io.Writer) {
	t := slices.IndexFunc(m.chosen, func(e extractor) bool { return e.name == trawl })
	if t < 0 {
		return
	}
	c := m.compareParse(t)
	fmt.Fprintf(w, "\nTrawl's worst pages against their own parse, of %d whose parse takes at least %v:\n\n", len(c.pages), leastParse)
	fmt.Fprintln(w, "| page | trawl ms | parse ms | ratio |\n|---|---|---|---|")
	for _, i := range c.pages[:min(shown, len(c.pages))] {
		fmt.Fprintf(w, "| %s | %.2f | %.2f | %.2f |\n", m.pages[i].name(), millis(c.costs[1].times[i]), millis(c.costs[0].times[i]), c.ratio(i))
	}
}
