// Command crawl measures a built trawl binary that crawls a local site, next to
// colly doing the least a crawler can do on the same site, all in one run:
//
//	cd bench/crawl && go run . -binary ../../bin/trawl [-only crawl,memory,status,queue]
//
// The site is a process of its own, so that its CPU counts for nobody: pages of
// 20 KB of an ordinary article with 15 links each, which form a tree. Every
// crawl gets a part of the site that was never asked for before, so nothing
// comes from trawl's cache. Everything stays on loopback.
//
// The parts that -only chooses from:
//
//   - crawl: rounds of colly, then trawl, over the same pages. Colly follows the
//     links and keeps nothing; trawl runs with its defaults: markdown, results in
//     SQLite. CPU is user and system time of the process during the crawl.
//   - memory: resident memory of a fresh server over one big crawl.
//   - status: how fast the view of that finished crawl answers.
//   - queue: how fast a big batch is accepted, and what a queue of the most URLs
//     that a batch may have costs in memory.
//
// Figures are medians. It is a module of its own, so that what it compares with
// is no dependency of the service.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"slices"
	"strings"
	"text/tabwriter"
)

// settings is what the command line chooses.
type settings struct {
	binary          string
	pages, bigPages int
	parallel        int
	rounds          int
	parts           []string
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, os.Args[1:]); err != nil {
		stop()
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

// run is this program in one of its three roles.
func run(ctx context.Context, args []string) error {
	var s settings
	flags := flag.NewFlagSet("crawl", flag.ExitOnError)
	flags.StringVar(&s.binary, "binary", "../../bin/trawl", "the program to measure")
	flags.IntVar(&s.pages, "pages", 2000, "pages of a crawl")
	flags.IntVar(&s.bigPages, "big", 10_000, "pages of the big crawl and the batch")
	flags.IntVar(&s.parallel, "parallel", 50, "pages at the same time, for both")
	flags.IntVar(&s.rounds, "rounds", 3, "measured rounds, after one to warm up")
	only := flags.String("only", "crawl,memory,status,queue", "parts to run")
	site := flags.Bool("site", false, "run as the site (internal)")
	start := flags.String("colly", "", "run as colly from this address (internal)")
	if err := flags.Parse(args); err != nil {
		return err
	}
	switch {
	case *site:
		return serveSite(os.Stdin, os.Stdout)
	case *start != "":
		return printCollyRun(*start, s.parallel, os.Stdout)
	}
	s.parts = strings.Split(*only, ",")
	for _, part := range s.parts {
		if !slices.Contains([]string{"crawl", "memory", "status", "queue"}, part) {
			return fmt.Errorf("there is no part %q", part)
		}
	}
	return measure(ctx, s)
}

// measure runs the parts and prints the figures, those of the parts before the
// one that failed too.
func measure(ctx context.Context, s settings) error {
	site, err := startSite(ctx)
	if err != nil {
		return err
	}
	b := &bench{settings: s, site: site.address}
	err = b.run(ctx)
	return errors.Join(err, site.stop(), b.print(os.Stdout))
}

// figure is one line of the result.
type figure struct{ name, value, aim string }

// bench holds what the parts share: the site, and the figures so far.
type bench struct {
	settings
	site    string
	figures []figure
}

func (b *bench) run(ctx context.Context) error {
	if b.wants("crawl") {
		if err := b.compare(ctx); err != nil {
			return fmt.Errorf("part crawl: %w", err)
		}
	}
	if b.wants("memory") || b.wants("status") {
		if err := b.withServer(ctx, b.bigCrawl); err != nil {
			return fmt.Errorf("part memory, status: %w", err)
		}
	}
	if b.wants("queue") {
		if err := b.withServer(ctx, b.acceptBatch); err != nil {
			return fmt.Errorf("part queue, batch: %w", err)
		}
		if err := b.withServer(ctx, b.longQueue); err != nil {
			return fmt.Errorf("part queue, memory: %w", err)
		}
	}
	return nil
}

func (b *bench) wants(part string) bool { return slices.Contains(b.parts, part) }

func (b *bench) add(name, value, aim string) {
	b.figures = append(b.figures, figure{name, value, aim})
}

func (b *bench) print(w io.Writer) error {
	if len(b.figures) == 0 {
		return nil
	}
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "figure\tmeasured\taim")
	for _, f := range b.figures {
		fmt.Fprintf(table, "%s\t%s\t%s\n", f.name, f.value, f.aim)
	}
	return table.Flush()
}
