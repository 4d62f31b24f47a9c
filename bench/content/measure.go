package main

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"time"
)

// cost is what an extractor took.
type cost struct {
	times               []time.Duration // of each page, the fastest of all rounds
	allocations, memory uint64          // of one round
}

func (c cost) sum() time.Duration {
	var sum time.Duration
	for _, d := range c.times {
		sum += d
	}
	return sum
}

// measured is what the extractors found on the pages, and what it took. The first
// of them is the parser.
type measured struct {
	pages  []page
	chosen []extractor
	costs  []cost
	found  [][]string // by extractor and page
}

// measure goes through the pages in rounds, each page through all extractors in
// turn, so that a machine that changes its pace changes it for all.
func measure(pages []page, chosen []extractor, rounds int) measured {
	m := measured{pages: pages, chosen: chosen, costs: make([]cost, len(chosen)), found: make([][]string, len(chosen))}
	for e := range chosen {
		m.costs[e].times, m.found[e] = make([]time.Duration, len(pages)), make([]string, len(pages))
	}
	for i := range pages {
		for e := range chosen {
			m.countMemory(e, i)
		}
	}
	for range rounds {
		for i := range pages {
			m.time(i)
		}
	}
	return m
}

// countMemory is a round of its own, since it stops the program twice a page.
func (m measured) countMemory(e, i int) {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	m.found[e][i] = m.chosen[e].extract(m.pages[i])
	runtime.ReadMemStats(&after)
	m.costs[e].allocations += after.Mallocs - before.Mallocs
	m.costs[e].memory += after.TotalAlloc - before.TotalAlloc
}

// time sends one page through all extractors.
func (m measured) time(i int) {
	for e := range m.chosen {
		start := time.Now()
		m.chosen[e].extract(m.pages[i])
		took := time.Since(start)
		if best := &m.costs[e].times[i]; *best == 0 || took < *best {
			*best = took
		}
	}
}

// perPage returns the milliseconds that an extractor takes for a page, and how
// many times as long as the parser that is.
func (m measured) perPage(e int) (ms, ratio float64) {
	sum := m.costs[e].sum()
	return millis(sum) / float64(len(m.pages)), float64(sum) / float64(m.costs[0].sum())
}

func (m measured) printSpeed(w io.Writer) {
	fmt.Fprintln(w, "| extractor | ms a page | against x/net parse | p99 ms | worst ms | allocations a page | bytes allocated / page bytes |")
	fmt.Fprintln(w, "|---|---|---|---|---|---|---|")
	total := 0
	for _, p := range m.pages {
		total += len(p.body)
	}
	n := len(m.pages)
	for e, c := range m.costs {
		ms, ratio := m.perPage(e)
		sorted := slices.Sorted(slices.Values(c.times))
		fmt.Fprintf(w, "| %s | %.2f | %.2f | %.1f | %.1f | %d | %.1f |\n", m.chosen[e].name, ms, ratio,
			millis(sorted[n*99/100]), millis(sorted[n-1]), c.allocations/uint64(n), float64(c.memory)/float64(total))
	}
}

// write writes what was found, OUT/EXTRACTOR/SET/ID.md or .txt.
func (m measured) write(out string) error {
	for e, x := range m.chosen {
		if x.suffix == "" {
			continue
		}
		for i, p := range m.pages {
			file := filepath.Join(out, x.name, p.name()+x.suffix)
			if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
				return err
			}
			if err := os.WriteFile(file, []byte(m.found[e][i]), 0o644); err != nil {
				return err
			}
		}
	}
	return nil
}

func millis(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }
