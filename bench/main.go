// Command bench measures a built trawl binary against baselines in the same run
// and prints the figures of docs/benchmarks.md. It talks to loopback only. With
// -browser it takes those of rendering, next to a browser that is driven by
// nothing but the client of its protocol. With -sessions it takes those of remote
// browsers, next to one that is not remote; with -mcp those of the tools for language
// models, next to the same by POST. With -soak it does everything at the
// same time for so long, and prints what the service held meanwhile.
//
// CPU is what the kernel charged to the server's process, so the load generator
// and the target site, which run in this process, do not count. The baseline of
// a fresh scrape is a child process that does the least: a GET with the standard
// client and one parse.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"strings"
	"text/tabwriter"
	"time"
)

func main() {
	binary := flag.String("binary", "bin/trawl", "the program to measure")
	requests := flag.Int("requests", 12000, "requests per figure, in all rounds")
	parallel := flag.Int("parallel", 16, "requests at the same time")
	baseline := flag.String("baseline", "", "run as the baseline against this site (internal)")
	render := flag.String("browser", "", "take these figures of the browser instead: "+strings.Join(renderParts, ", ")+", or all")
	pages := flag.Int("pages", 600, "pages per figure of the browser, in all rounds")
	sessions := flag.String("sessions", "", "take these figures of remote browsers instead: "+strings.Join(sessionParts, ", ")+", or all")
	starts := flag.Int("starts", 20, "sessions that are started per figure")
	tools := flag.Bool("mcp", false, "take the figures of the tools for language models instead")
	soaked := flag.Duration("soak", 0, "load the service with everything for so long instead")
	flag.Parse()
	load := load{requests: *requests, parallel: *parallel}
	if *baseline != "" {
		if err := getAndParse(*baseline, load); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	var err error
	switch ctx := context.Background(); {
	case *render != "":
		err = measureRendering(ctx, *binary, *render, *pages)
	case *sessions != "":
		err = measureSessions(ctx, *binary, *sessions, *starts)
	case *tools:
		err = measureMCP(ctx, *binary, load)
	case *soaked > 0:
		err = soak(ctx, *binary, *soaked)
	default:
		err = measure(ctx, *binary, load)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

// figure is one line of the result.
type figure struct{ name, value, aim string }

func measure(ctx context.Context, binary string, load load) error {
	site, err := startSite()
	if err != nil {
		return err
	}
	defer site.Close()
	dir, err := os.MkdirTemp("", "trawl-bench-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)

	if first, err := startServer(ctx, binary, dir); err != nil { // creates the database
		return err
	} else if err := first.stop(); err != nil {
		return err
	}
	server, err := startServer(ctx, binary, dir)
	if err != nil {
		return err
	}
	figures, err := server.figures(ctx, site.URL, load)
	if stopErr := server.stop(); err == nil {
		err = stopErr
	}
	if err != nil {
		return err
	}
	return printFigures(figures)
}

func printFigures(figures []figure) error {
	table := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "figure\tmeasured\taim")
	for _, f := range figures {
		fmt.Fprintf(table, "%s\t%s\t%s\n", f.name, f.value, f.aim)
	}
	return table.Flush()
}

// rounds is how often every measurement is taken, one after the other, so that a
// machine that changes its pace changes it for all of them.
const rounds = 4

// figures takes all measurements of a running server.
func (s *server) figures(ctx context.Context, site string, load load) ([]figure, error) {
	time.Sleep(2 * time.Second) // let the start settle
	idle, err := s.resident()
	if err != nil {
		return nil, err
	}
	var empty, keyed, cached, fresh, bare time.Duration
	load.requests /= rounds
	for round := range rounds + 1 {
		if round == 1 { // the first was to warm up
			empty, keyed, cached, fresh, bare = 0, 0, 0, 0, 0
		}
		for _, step := range []struct {
			sum  *time.Duration
			make func(int) request
		}{
			{&empty, func(int) request { return request{method: "GET", path: "/healthz"} }},
			{&keyed, func(int) request { return request{method: "GET", path: "/v2/concurrency-check"} }},
			{&cached, func(int) request { return scrapeOf(site + "/page") }},
			{&fresh, func(i int) request { return scrapeOf(fmt.Sprintf("%s/page?%d-%d", site, round, i)) }},
		} {
			cost, err := s.cost(ctx, load, step.make)
			if err != nil {
				return nil, err
			}
			*step.sum += cost
		}
		cost, err := baselineCost(ctx, site, load)
		if err != nil {
			return nil, err
		}
		bare += cost
	}
	busy, err := s.resident()
	if err != nil {
		return nil, err
	}
	return []figure{
		{"ready after start", fmt.Sprintf("%d ms", s.ready.Milliseconds()), "≤ 300 ms"},
		{"idle resident memory", fmt.Sprintf("%.1f MB", idle), "≤ 40 MB"},
		{"resident memory after the load", fmt.Sprintf("%.1f MB", busy), ""},
		{"empty handler, CPU", perRequest(empty), ""},
		{"empty handler behind a key, CPU", perRequest(keyed), ""},
		{"cached scrape, CPU", perRequest(cached), ""},
		{"cached scrape / empty handler", ratio(cached, empty), "≤ 3"},
		{"cached scrape / empty handler behind a key", ratio(cached, keyed), ""},
		{"bare GET and one parse, CPU", perRequest(bare), ""},
		{"fresh scrape of a 20 KB page, CPU", perRequest(fresh), ""},
		{"fresh scrape / bare GET and parse", ratio(fresh, bare), "≤ 2"},
	}, nil
}

func scrapeOf(address string) request {
	return request{"POST", "/v2/scrape", `{"url":"` + address + `"}`}
}

// perRequest shows a sum over the rounds as what one request cost.
func perRequest(sum time.Duration) string {
	return fmt.Sprintf("%d µs", (sum / rounds).Microseconds())
}

func ratio(a, b time.Duration) string { return fmt.Sprintf("%.2f", float64(a)/float64(b)) }
