// Command bench measures a built trawl binary against baselines in the same run
// and prints the figures of docs/benchmarks.md. It talks to loopback only.
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
	"text/tabwriter"
	"time"
)

func main() {
	binary := flag.String("binary", "bin/trawl", "the program to measure")
	requests := flag.Int("requests", 6000, "requests per figure")
	parallel := flag.Int("parallel", 16, "requests at the same time")
	baseline := flag.String("baseline", "", "run as the baseline against this site (internal)")
	flag.Parse()
	load := load{requests: *requests, parallel: *parallel}
	if *baseline != "" {
		if err := getAndParse(*baseline, load); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	if err := measure(context.Background(), *binary, load); err != nil {
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
	table := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "figure\tmeasured\taim")
	for _, f := range figures {
		fmt.Fprintf(table, "%s\t%s\t%s\n", f.name, f.value, f.aim)
	}
	return table.Flush()
}

// figures takes all measurements of a running server.
func (s *server) figures(ctx context.Context, site string, load load) ([]figure, error) {
	time.Sleep(2 * time.Second) // let the start settle
	idle, err := s.resident()
	if err != nil {
		return nil, err
	}
	warm := load
	warm.requests /= 10
	empty := func(int) request { return request{method: "GET", path: "/healthz"} }
	keyed := func(int) request { return request{method: "GET", path: "/v2/concurrency-check"} }
	cached := func(int) request { return request{"POST", "/v2/scrape", `{"url":"` + site + `/page"}`} }
	fresh := func(round string) func(int) request {
		return func(i int) request {
			return request{"POST", "/v2/scrape", fmt.Sprintf(`{"url":"%s/page?%s-%d"}`, site, round, i)}
		}
	}
	cost := func(make func(int) request, again func(int) request) (time.Duration, error) {
		if _, err := s.cost(ctx, warm, make); err != nil {
			return 0, err
		}
		return s.cost(ctx, load, again)
	}
	emptyCost, err := cost(empty, empty)
	if err != nil {
		return nil, err
	}
	keyedCost, err := cost(keyed, keyed)
	if err != nil {
		return nil, err
	}
	cachedCost, err := cost(cached, cached)
	if err != nil {
		return nil, err
	}
	freshCost, err := cost(fresh("warm"), fresh("run"))
	if err != nil {
		return nil, err
	}
	bareCost, err := baselineCost(ctx, site, load)
	if err != nil {
		return nil, err
	}
	busy, err := s.resident()
	if err != nil {
		return nil, err
	}
	return []figure{
		{"ready after start", fmt.Sprintf("%d ms", s.ready.Milliseconds()), "≤ 300 ms"},
		{"idle resident memory", fmt.Sprintf("%.1f MB", idle), "≤ 40 MB"},
		{"resident memory after the load", fmt.Sprintf("%.1f MB", busy), ""},
		{"empty handler, CPU", perRequest(emptyCost), ""},
		{"empty handler behind a key, CPU", perRequest(keyedCost), ""},
		{"cached scrape, CPU", perRequest(cachedCost), ""},
		{"cached scrape / empty handler", ratio(cachedCost, emptyCost), "≤ 3"},
		{"cached scrape / empty handler behind a key", ratio(cachedCost, keyedCost), ""},
		{"bare GET and one parse, CPU", perRequest(bareCost), ""},
		{"fresh scrape of a 20 KB page, CPU", perRequest(freshCost), ""},
		{"fresh scrape / bare GET and parse", ratio(freshCost, bareCost), "≤ 2"},
	}, nil
}

func perRequest(d time.Duration) string { return fmt.Sprintf("%d µs", d.Microseconds()) }

func ratio(a, b time.Duration) string { return fmt.Sprintf("%.2f", float64(a)/float64(b)) }
