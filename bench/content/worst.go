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
	again      = 10                     // times that a bad page is measured once more
	shown      = 3
)

// ownParse compares the times that trawl takes with those of the parser, page by
// page.
type ownParse struct {
	measured
	order []int // of the pages that take long enough, worst first
}

// compareParse measures bad pages again, trawl and the parser by themselves, until
// the worst of all are among those: a pause of the machine, or the garbage of
// another extractor, makes a bad page of a good one.
func (m measured) compareParse(trawl int) ownParse {
	c := ownParse{measured: measured{
		pages: m.pages, chosen: []extractor{m.chosen[0], m.chosen[trawl]}, costs: []cost{m.costs[0], m.costs[trawl]},
	}}
	for i := range m.pages {
		if c.costs[0].times[i] >= leastParse {
			c.order = append(c.order, i)
		}
	}
	done := map[int]bool{}
	for c.sort(); ; c.sort() {
		next := slices.IndexFunc(c.worst(), func(i int) bool { return !done[i] })
		if next < 0 {
			return c
		}
		i := c.order[next]
		for range again {
			c.time(i)
		}
		done[i] = true
	}
}

func (c ownParse) worst() []int { return c.order[:min(shown, len(c.order))] }

func (c ownParse) ratio(i int) float64 {
	return float64(c.costs[1].times[i]) / float64(c.costs[0].times[i])
}

func (c ownParse) sort() {
	slices.SortFunc(c.order, func(a, b int) int { return cmp.Compare(c.ratio(b), c.ratio(a)) })
}

// printWorst names the pages that take trawl longest against their own parse.
func (m measured) printWorst(w io.Writer) {
	t := slices.IndexFunc(m.chosen, func(e extractor) bool { return e.name == trawl })
	if t < 0 {
		return
	}
	c := m.compareParse(t)
	fmt.Fprintf(w, "\nTrawl's worst pages against their own parse, of %d whose parse takes at least %v:\n\n", len(c.order), leastParse)
	fmt.Fprintln(w, "| page | trawl ms | parse ms | ratio |\n|---|---|---|---|")
	for _, i := range c.worst() {
		fmt.Fprintf(w, "| %s | %.2f | %.2f | %.2f |\n", m.pages[i].name(), millis(c.costs[1].times[i]), millis(c.costs[0].times[i]), c.ratio(i))
	}
}
