package main

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/job"
)

// How long the parts of a summary get.
const (
	mostRules     = 5
	mostFailures  = 20
	sightingsRead = 10_000 // at a time
)

// summary is what became of the addresses that a crawl has seen.
type summary struct {
	crawl    trawl.Job
	fates    map[string]int
	rules    map[string]int   // that filtered, and how many
	codes    map[string]int   // of failures
	failures []trawl.Sighting // the first of them
}

// summarize prints what became of a crawl. It ends the command unsuccessfully
// unless the crawl was completed and has a page to show for it.
func (c *crawlCmd) summarize(ctx context.Context, p *program, jobs *job.Engine, crawl trawl.Job) error {
	s := summary{crawl: crawl, rules: map[string]int{}, codes: map[string]int{}}
	err := s.read(ctx, jobs, trawl.FateFailed, func(page trawl.Sighting) {
		s.codes[page.Detail]++
		if len(s.failures) < mostFailures {
			s.failures = append(s.failures, page)
		}
	})
	if err == nil {
		err = s.read(ctx, jobs, trawl.FateFiltered, func(page trawl.Sighting) { s.rules[page.Detail]++ })
	}
	if err != nil {
		return err
	}
	w := p.stdout
	if c.JSON {
		w = p.stderr // standard output is for documents
	}
	if err := s.print(w); err != nil {
		return err
	}
	if crawl.State != trawl.StateCompleted || crawl.Completed == 0 {
		return errReported
	}
	return nil
}

// read visits the addresses of a fate, and counts all fates.
func (s *summary) read(ctx context.Context, jobs *job.Engine, fate string, visit func(trawl.Sighting)) error {
	for cursor := ""; ; {
		list, next, fates, err := jobs.Explain(ctx, s.crawl.ID, fate, cursor, sightingsRead)
		if err != nil {
			return err
		}
		s.fates = fates
		for _, sighting := range list {
			visit(sighting)
		}
		if cursor = next; cursor == "" {
			return nil
		}
	}
}

// print writes the summary for people.
func (s *summary) print(w io.Writer) error {
	took := s.crawl.FinishedAt.Sub(s.crawl.CreatedAt).Round(10 * time.Millisecond)
	fmt.Fprintf(w, "Crawl of %s %s after %s.\n", trawl.WithoutPassword(s.crawl.URL), s.crawl.State, shortDuration(took))
	for _, note := range []string{s.crawl.Error, s.crawl.Warning} {
		if note != "" {
			fmt.Fprintln(w, note)
		}
	}
	if err := (output{}).print(w, nil, s.rows()); err != nil || len(s.failures) == 0 {
		return err
	}
	fmt.Fprintln(w, "Failed:")
	for _, page := range s.failures {
		fmt.Fprintf(w, "  %s  %s\n", trawl.WithoutPassword(page.URL), page.Detail)
	}
	if more := s.fates[trawl.FateFailed] - len(s.failures); more > 0 {
		fmt.Fprintf(w, "  and %d more\n", more)
	}
	return nil
}

// rows returns a row for each fate that there is, and always one for scraped.
func (s *summary) rows() [][]string {
	var rows [][]string
	for _, r := range []struct{ fate, label, detail string }{
		{trawl.FateScraped, "scraped", ""},
		{trawl.FateFailed, "failed", most(s.codes)},
		{trawl.FateCancelled, "not reached", ""},
		{trawl.FateFiltered, "filtered", most(s.rules)},
		{trawl.FateRobots, "forbidden by robots.txt", ""},
		{trawl.FateDuplicate, "duplicate", ""},
		{trawl.FateOverLimit, "over the limit", ""},
	} {
		if n := s.fates[r.fate]; n > 0 || r.fate == trawl.FateScraped {
			rows = append(rows, []string{"  " + r.label, strconv.Itoa(n), r.detail})
		}
	}
	return rows
}

// most names what is most frequent, and how often it is.
func most(counts map[string]int) string {
	names := slices.SortedFunc(maps.Keys(counts), func(a, b string) int {
		return cmp.Or(counts[b]-counts[a], strings.Compare(a, b))
	})
	var parts []string
	for i, name := range names {
		if i == mostRules {
			parts = append(parts, "...")
			break
		}
		parts = append(parts, fmt.Sprintf("%d %s", counts[name], name))
	}
	return strings.Join(parts, ", ")
}
